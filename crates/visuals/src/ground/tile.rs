//! Terrain of land cells as images, blended on the processor.

use std::collections::BTreeMap;

use threshold_dat::region::{TerrainDesc, TerrainTexture};
use threshold_dat::{Colour, RecordId, Source, TerrainWord};
use threshold_land::BLOCK_CELLS;
use threshold_world::Terrain;

use super::{TerrainLayers, TerrainMasks, TerrainOverlay, palette_code};
use crate::images::{Image, ImageReadError, SurfaceImages, halved};

/// Paints tiles: images of whole land cells, with north at the top and east at the right.
///
/// Textures are scaled down by averaging, so that a tile does not flicker. A texture that cannot be read is replaced
/// by the map colour of its terrain type, and the layer of an unreadable mask is left out; both are listed in
/// [`faults`](Self::faults).
///
/// Retail: `ImgTex::MergeTexture`.
#[derive(Debug)]
pub struct TilePainter<'s> {
    images: SurfaceImages<'s>,
    terrain: TerrainDesc,
    masks: TerrainMasks,
    side: u32,
    layers: BTreeMap<u8, Image>,
    alphas: BTreeMap<u8, Option<Image>>,
    tiles: BTreeMap<u32, Image>,
    faults: Vec<ImageReadError>,
}

impl<'s> TilePainter<'s> {
    /// Creates a painter of tiles of `side` x `side` pixels, at least one.
    pub fn new(source: &'s dyn Source, terrain: TerrainDesc, side: u32) -> Self {
        Self {
            images: SurfaceImages::new(source),
            masks: TerrainMasks::new(&terrain.textures),
            terrain,
            side: side.max(1),
            layers: BTreeMap::new(),
            alphas: BTreeMap::new(),
            tiles: BTreeMap::new(),
            faults: Vec::new(),
        }
    }

    /// Errors of records that could not be read so far, each once.
    pub fn faults(&self) -> &[ImageReadError] {
        &self.faults
    }

    /// Returns the faults by value.
    pub(crate) fn into_faults(self) -> Vec<ImageReadError> {
        self.faults
    }

    /// Returns the tile of a cell with these corners, in the order SW, SE, NE, NW.
    pub fn tile(&mut self, corners: [TerrainWord; 4]) -> &Image {
        let code = palette_code(corners);
        if !self.tiles.contains_key(&code) {
            let tile = self.paint(&TerrainLayers::of(corners, &self.masks));
            self.tiles.insert(code, tile);
        }
        &self.tiles[&code]
    }

    /// Paints all tiles of a landblock as one image. Adjacent cells are adjacent in it, so that filtering shows no seams.
    pub fn block(&mut self, terrain: &Terrain) -> Image {
        let (cells, side) = (BLOCK_CELLS.unsigned_abs() as usize, self.side as usize);
        let width = cells * side;
        let mut pixels = vec![[0; 4]; width * width];
        for (x, y) in (0..cells).flat_map(|x| (0..cells).map(move |y| (x, y))) {
            let corners = [(0, 0), (1, 0), (1, 1), (0, 1)];
            let tile = self.tile(corners.map(|(dx, dy)| terrain.word(x + dx, y + dy)));
            for (row, line) in tile.pixels.chunks_exact(side).enumerate() {
                let start = ((cells - 1 - y) * side + row) * width + x * side;
                pixels[start..start + side].copy_from_slice(line);
            }
        }
        let size = self.side * BLOCK_CELLS.unsigned_abs();
        Image { width: size, height: size, pixels }
    }

    /// Blends the layers of a cell.
    fn paint(&mut self, layers: &TerrainLayers) -> Image {
        let mut tile = self.layer(layers.base).clone();
        for overlay in layers.covers() {
            let Some(mask) = self.mask(overlay.mask) else { continue };
            let over = self.layer(overlay.kind);
            blend_layer(&mut tile, over, &mask, &overlay);
        }
        tile
    }

    /// Returns a whole tile of one terrain type.
    fn layer(&mut self, kind: u8) -> &Image {
        if !self.layers.contains_key(&kind) {
            let layer = self.read_layer(kind);
            self.layers.insert(kind, layer);
        }
        &self.layers[&kind]
    }

    fn read_layer(&mut self, kind: u8) -> Image {
        let textures = &self.terrain.textures.textures;
        let own = textures.iter().find(|texture| texture.terrain_type == u32::from(kind));
        let own: Option<TerrainTexture> = own.or(textures.first()).copied();
        let map_colour = self.terrain.types.get(usize::from(kind)).map(|kind| kind.map_colour);
        let plain = opaque(map_colour.unwrap_or(UNKNOWN));
        let read = own.map(|own| self.images.of_texture(own.texture, RecordId::NONE, false));
        let image = match read {
            Some(Ok(image)) => image,
            Some(Err(fault)) => {
                self.faults.push(fault);
                Image::solid(plain)
            }
            None => Image::solid(plain),
        };
        tiled(&image, own.map_or(1, |own| own.tiling), self.side)
    }

    fn mask(&mut self, number: u8) -> Option<Image> {
        if let Some(known) = self.alphas.get(&number) {
            return known.clone();
        }
        let merge = &self.terrain.textures;
        let all = merge.corner_maps.iter().chain(&merge.side_maps).chain(&merge.road_maps);
        let texture = all.map(|map| map.texture).nth(usize::from(number));
        let read = texture.map(|id| self.images.of_texture(id, RecordId::NONE, false));
        let mask = match read {
            Some(Ok(image)) => Some(scaled(image, self.side, Edge::Clamp)),
            Some(Err(fault)) => {
                self.faults.push(fault);
                None
            }
            None => None,
        };
        self.alphas.insert(number, mask.clone());
        mask
    }
}

/// Colour of an unknown terrain type.
const UNKNOWN: Colour = Colour(0xFF80_8080);

fn opaque(colour: Colour) -> [u8; 4] {
    let [b, g, r, _] = colour.0.to_le_bytes();
    [r, g, b, u8::MAX]
}

/// Blends a layer over a tile through its mask.
fn blend_layer(tile: &mut Image, over: &Image, mask: &Image, overlay: &TerrainOverlay) {
    let last = tile.width - 1;
    let width = tile.width as usize;
    let places = (0..=last).flat_map(|y| (0..=last).map(move |x| (x, y)));
    debug_assert_eq!(tile.pixels.len(), width * width, "tiles are square");
    for ((pixel, over), (x, y)) in tile.pixels.iter_mut().zip(&over.pixels).zip(places) {
        let (u, v) = match overlay.turns {
            0 => (x, y),
            1 => (last - y, x),
            2 => (last - x, last - y),
            _ => (y, last - x),
        };
        let [.., alpha] = mask.at(u, v);
        *pixel = blend(*pixel, *over, alpha);
    }
}

/// Blends two colours in integers, as retail does: an alpha of 255 keeps `below`, 0 shows `over`.
fn blend(below: [u8; 4], over: [u8; 4], alpha: u8) -> [u8; 4] {
    let keep = u32::from(alpha) + u32::from(alpha > 128);
    std::array::from_fn(|part| {
        let sum = u32::from(over[part]) * (256 - keep) + u32::from(below[part]) * keep;
        // The average of bytes is a byte.
        u8::try_from(sum >> 8).unwrap_or(u8::MAX)
    })
}

/// Addressing beyond the edge of an image.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edge {
    /// The image repeats.
    Repeat,
    /// The outermost pixels continue.
    Clamp,
}

/// Repeats a texture `tiling` times over a tile.
fn tiled(image: &Image, tiling: u32, side: u32) -> Image {
    // More repeats than pixels would show the average colour.
    let tiling = tiling.clamp(1, side);
    let one = scaled(image.clone(), side.div_ceil(tiling), Edge::Repeat);
    let (step, size) = (f64::from(tiling) / f64::from(side), f64::from(one.width));
    let at = |place: u32| (f64::from(place) + 0.5) * step * size - 0.5;
    let pixels = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
    let pixels = pixels.map(|(x, y)| {
        let [r, g, b, _] = sample(&one, at(x), at(y), Edge::Repeat);
        [r, g, b, u8::MAX]
    });
    Image { width: side, height: side, pixels: pixels.collect() }
}

/// Scales an image to a square of `side` pixels.
fn scaled(mut image: Image, side: u32, edge: Edge) -> Image {
    while image.width >= 2 * side && image.height >= 2 * side {
        image = halved(&image);
    }
    if (image.width, image.height) == (side, side) {
        return image;
    }
    let at =
        |place: u32, own: u32| (f64::from(place) + 0.5) * f64::from(own) / f64::from(side) - 0.5;
    let pixels = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
    let (width, height) = (image.width, image.height);
    let pixels = pixels.map(|(x, y)| sample(&image, at(x, width), at(y, height), edge));
    let pixels = pixels.collect();
    Image { width: side, height: side, pixels }
}

/// Samples an image bilinearly.
fn sample(image: &Image, x: f64, y: f64, edge: Edge) -> [u8; 4] {
    let place = |at: f64, side: u32| {
        let side = f64::from(side);
        let at = if edge == Edge::Repeat { at.rem_euclid(side) } else { at.clamp(0.0, side - 1.0) };
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "inside the image"
        )]
        let at = at as u32;
        at
    };
    let (left, top) = (x.floor(), y.floor());
    let (right, lower) = (x - left, y - top);
    let columns =
        [(place(left, image.width), 1.0 - right), (place(left + 1.0, image.width), right)];
    let rows = [(place(top, image.height), 1.0 - lower), (place(top + 1.0, image.height), lower)];
    let mut sum = [0.0; 4];
    for ((x, across), (y, down)) in columns.into_iter().flat_map(|x| rows.map(|y| (x, y))) {
        for (sum, part) in sum.iter_mut().zip(image.at(x, y)) {
            *sum += f64::from(part) * across * down;
        }
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
    sum.map(|part| part.round() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(side: u32, of: impl Fn(u32, u32) -> [u8; 4]) -> Image {
        let pixels = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
        let pixels = pixels.map(|(x, y)| of(x, y)).collect();
        Image { width: side, height: side, pixels }
    }

    #[test]
    fn layers_blend_as_in_the_retail_client() {
        let (below, over) = ([200, 100, 0, 255], [0, 50, 255, 255]);
        assert_eq!(blend(below, over, 255), below);
        assert_eq!(blend(below, over, 0), over);
        assert_eq!(blend(below, over, 128), [100, 75, 127, 255]);
        assert_eq!(blend(below, over, 129), [101, 75, 125, 255]);
    }

    #[test]
    fn a_texture_repeats_over_its_tile() {
        let checks = image(4, |x, y| [u8::from(x < 2) * 200, u8::from(y < 2) * 100, 7, 255]);
        let tile = tiled(&checks, 2, 8);
        assert_eq!(tile.pixels, image(8, |x, y| checks.at(x % 4, y % 4)).pixels);
        // Twice the tiling halves the texture, so each pixel is an average.
        let small = tiled(&checks, 4, 8);
        assert_eq!(small.at(0, 0), [200, 100, 7, 255]);
        assert_eq!(small.at(1, 2), [0, 100, 7, 255]);
    }

    #[test]
    fn a_texture_of_the_size_of_a_tile_is_not_changed() {
        let byte = |value: u32| value.to_le_bytes()[0];
        let noise = image(16, |x, y| [byte(x * 13 + y * 7), byte(x * y), byte(x ^ y), 255]);
        assert_eq!(tiled(&noise, 1, 16), noise);
    }

    /// The mask covers the north-western corner, at the top left.
    #[test]
    fn masks_turn_from_corner_to_corner() {
        let mask = image(4, |x, y| [255, 255, 255, u8::from(x + y > 0) * 255]);
        let over = image(4, |_, _| [9, 9, 9, 255]);
        let shown = |turns: u8| {
            let mut tile = image(4, |_, _| [0, 0, 0, 255]);
            blend_layer(&mut tile, &over, &mask, &TerrainOverlay { kind: 0, mask: 0, turns });
            let all = (0..4).flat_map(|y| (0..4).map(move |x| (x, y)));
            all.filter(|(x, y)| tile.at(*x, *y)[0] == 9).collect::<Vec<_>>()
        };
        // NW, SW, SE, NE: the corners 8, 1, 2, 4.
        assert_eq!([0, 1, 2, 3].map(shown), [[(0, 0)], [(0, 3)], [(3, 3)], [(3, 0)]]);
    }
}
