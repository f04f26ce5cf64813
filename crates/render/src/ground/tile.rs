//! The ground of land cells painted: its layers put one over the other, pixel by pixel.

use std::collections::BTreeMap;

use threshold_dat::region::{TerrainDesc, TerrainTexture};
use threshold_dat::{Colour, RecordId, Source, TerrainWord};
use threshold_land::BLOCK_CELLS;
use threshold_world::Terrain;

use super::{TerrainLayers, TerrainMasks, TerrainOverlay, key};
use crate::images::{Image, ImageReadError, SurfaceImages, halved};

/// Paints tiles: pictures of whole land cells. The north is at the top and the east at the right.
///
/// Textures are made smaller by means, so that a tile does not flicker. What cannot be read is told by
/// [`faults`](Self::faults) and stands there in the colour that maps have for it; a mask that cannot be read shows nothing of its
/// layer.
///
/// Retail: `ImgTex::MergeTexture`.
#[derive(Debug)]
pub struct TilePainter<'s> {
    pictures: SurfaceImages<'s>,
    ground: TerrainDesc,
    masks: TerrainMasks,
    side: u32,
    layers: BTreeMap<u8, Image>,
    alphas: BTreeMap<u8, Option<Image>>,
    tiles: BTreeMap<u32, Image>,
    faults: Vec<ImageReadError>,
}

impl<'s> TilePainter<'s> {
    /// Paints tiles of `side` x `side` pixels, at least one.
    pub fn new(source: &'s dyn Source, ground: TerrainDesc, side: u32) -> Self {
        Self {
            pictures: SurfaceImages::new(source),
            masks: TerrainMasks::new(&ground.textures),
            ground,
            side: side.max(1),
            layers: BTreeMap::new(),
            alphas: BTreeMap::new(),
            tiles: BTreeMap::new(),
            faults: Vec::new(),
        }
    }

    /// What could not be read so far, each thing once.
    pub fn faults(&self) -> &[ImageReadError] {
        &self.faults
    }

    /// The same, to keep.
    pub fn into_faults(self) -> Vec<ImageReadError> {
        self.faults
    }

    /// The tile of a cell with these corners, in the order SW, SE, NE, NW.
    pub fn tile(&mut self, corners: [TerrainWord; 4]) -> &Image {
        let key = key(corners);
        if !self.tiles.contains_key(&key) {
            let tile = self.paint(&TerrainLayers::of(corners, &self.masks));
            self.tiles.insert(key, tile);
        }
        &self.tiles[&key]
    }

    /// All tiles of a landblock as they lie: one picture, in which neighbours are neighbours, so that no filter sees an edge
    /// between them.
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

    /// TerrainLayers one over the other.
    fn paint(&mut self, layers: &TerrainLayers) -> Image {
        let mut tile = self.layer(layers.base).clone();
        for overlay in layers.covers() {
            let Some(mask) = self.mask(overlay.mask) else { continue };
            let over = self.layer(overlay.kind);
            lay(&mut tile, over, &mask, &overlay);
        }
        tile
    }

    /// A whole tile of one kind of ground.
    fn layer(&mut self, kind: u8) -> &Image {
        if !self.layers.contains_key(&kind) {
            let layer = self.read_layer(kind);
            self.layers.insert(kind, layer);
        }
        &self.layers[&kind]
    }

    fn read_layer(&mut self, kind: u8) -> Image {
        let textures = &self.ground.textures.textures;
        let own = textures.iter().find(|texture| texture.terrain_type == u32::from(kind));
        let own: Option<TerrainTexture> = own.or(textures.first()).copied();
        let map_colour = self.ground.types.get(usize::from(kind)).map(|kind| kind.map_colour);
        let plain = opaque(map_colour.unwrap_or(UNKNOWN));
        let read = own.map(|own| self.pictures.of_texture(own.texture, RecordId::NONE, false));
        let picture = match read {
            Some(Ok(picture)) => picture,
            Some(Err(fault)) => {
                self.faults.push(fault);
                Image::plain(plain)
            }
            None => Image::plain(plain),
        };
        spread(&picture, own.map_or(1, |own| own.tiling), self.side)
    }

    fn mask(&mut self, number: u8) -> Option<Image> {
        if let Some(known) = self.alphas.get(&number) {
            return known.clone();
        }
        let merge = &self.ground.textures;
        let all = merge.corner_maps.iter().chain(&merge.side_maps).chain(&merge.road_maps);
        let texture = all.map(|map| map.texture).nth(usize::from(number));
        let read = texture.map(|id| self.pictures.of_texture(id, RecordId::NONE, false));
        let mask = match read {
            Some(Ok(picture)) => Some(fitted(picture, self.side, Edge::Ends)),
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

/// Ground of which nothing is known.
const UNKNOWN: Colour = Colour(0xFF80_8080);

fn opaque(colour: Colour) -> [u8; 4] {
    let [b, g, r, _] = colour.0.to_le_bytes();
    [r, g, b, u8::MAX]
}

/// Lays a layer over a tile where its mask lets it.
fn lay(tile: &mut Image, over: &Image, mask: &Image, how: &TerrainOverlay) {
    let last = tile.width - 1;
    let width = tile.width as usize;
    let places = (0..=last).flat_map(|y| (0..=last).map(move |x| (x, y)));
    debug_assert_eq!(tile.pixels.len(), width * width, "tiles are square");
    for ((pixel, over), (x, y)) in tile.pixels.iter_mut().zip(&over.pixels).zip(places) {
        let (u, v) = match how.turns {
            0 => (x, y),
            1 => (last - y, x),
            2 => (last - x, last - y),
            _ => (y, last - x),
        };
        let [.., alpha] = mask.at(u, v);
        *pixel = blend(*pixel, *over, alpha);
    }
}

/// 255 keeps what is below, 0 shows what is laid over it; in the integers of the retail client.
fn blend(below: [u8; 4], over: [u8; 4], alpha: u8) -> [u8; 4] {
    let keep = u32::from(alpha) + u32::from(alpha > 128);
    std::array::from_fn(|part| {
        let sum = u32::from(over[part]) * (256 - keep) + u32::from(below[part]) * keep;
        // A mean of bytes is a byte.
        u8::try_from(sum >> 8).unwrap_or(u8::MAX)
    })
}

/// What lies beyond the edge of a picture.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edge {
    /// It begins again.
    Repeats,
    /// Its last pixels.
    Ends,
}

/// A texture that repeats so often over a tile.
fn spread(picture: &Image, tiling: u32, side: u32) -> Image {
    // What repeats more often than there are pixels is its mean.
    let tiling = tiling.clamp(1, side);
    let one = fitted(picture.clone(), side.div_ceil(tiling), Edge::Repeats);
    let (step, size) = (f64::from(tiling) / f64::from(side), f64::from(one.width));
    let at = |place: u32| (f64::from(place) + 0.5) * step * size - 0.5;
    let pixels = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
    let pixels = pixels.map(|(x, y)| {
        let [r, g, b, _] = between(&one, at(x), at(y), Edge::Repeats);
        [r, g, b, u8::MAX]
    });
    Image { width: side, height: side, pixels: pixels.collect() }
}

/// The picture in another size, square.
fn fitted(mut picture: Image, side: u32, edge: Edge) -> Image {
    while picture.width >= 2 * side && picture.height >= 2 * side {
        picture = halved(&picture);
    }
    if (picture.width, picture.height) == (side, side) {
        return picture;
    }
    let at =
        |place: u32, own: u32| (f64::from(place) + 0.5) * f64::from(own) / f64::from(side) - 0.5;
    let pixels = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
    let (width, height) = (picture.width, picture.height);
    let pixels = pixels.map(|(x, y)| between(&picture, at(x, width), at(y, height), edge));
    let pixels = pixels.collect();
    Image { width: side, height: side, pixels }
}

/// The colour between the four pixels round a point.
fn between(picture: &Image, x: f64, y: f64, edge: Edge) -> [u8; 4] {
    let place = |at: f64, side: u32| {
        let side = f64::from(side);
        let at =
            if edge == Edge::Repeats { at.rem_euclid(side) } else { at.clamp(0.0, side - 1.0) };
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "in the picture"
        )]
        let at = at as u32;
        at
    };
    let (left, top) = (x.floor(), y.floor());
    let (right, lower) = (x - left, y - top);
    let columns =
        [(place(left, picture.width), 1.0 - right), (place(left + 1.0, picture.width), right)];
    let rows =
        [(place(top, picture.height), 1.0 - lower), (place(top + 1.0, picture.height), lower)];
    let mut sum = [0.0; 4];
    for ((x, across), (y, down)) in columns.into_iter().flat_map(|x| rows.map(|y| (x, y))) {
        for (sum, part) in sum.iter_mut().zip(picture.at(x, y)) {
            *sum += f64::from(part) * across * down;
        }
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
    sum.map(|part| part.round() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(side: u32, of: impl Fn(u32, u32) -> [u8; 4]) -> Image {
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
        let checks = picture(4, |x, y| [u8::from(x < 2) * 200, u8::from(y < 2) * 100, 7, 255]);
        let tile = spread(&checks, 2, 8);
        assert_eq!(tile.pixels, picture(8, |x, y| checks.at(x % 4, y % 4)).pixels);
        // Four times as often is half as large, and every pixel a mean.
        let small = spread(&checks, 4, 8);
        assert_eq!(small.at(0, 0), [200, 100, 7, 255]);
        assert_eq!(small.at(1, 2), [0, 100, 7, 255]);
    }

    #[test]
    fn a_tile_is_the_texture_itself_where_sizes_agree() {
        let byte = |value: u32| value.to_le_bytes()[0];
        let noise = picture(16, |x, y| [byte(x * 13 + y * 7), byte(x * y), byte(x ^ y), 255]);
        assert_eq!(spread(&noise, 1, 16), noise);
    }

    /// The mask of one corner, the north-western one, which is at the top left.
    #[test]
    fn masks_turn_from_corner_to_corner() {
        let mask = picture(4, |x, y| [255, 255, 255, u8::from(x + y > 0) * 255]);
        let over = picture(4, |_, _| [9, 9, 9, 255]);
        let shown = |turns: u8| {
            let mut tile = picture(4, |_, _| [0, 0, 0, 255]);
            lay(&mut tile, &over, &mask, &TerrainOverlay { kind: 0, mask: 0, turns });
            let all = (0..4).flat_map(|y| (0..4).map(move |x| (x, y)));
            all.filter(|(x, y)| tile.at(*x, *y)[0] == 9).collect::<Vec<_>>()
        };
        // NW, SW, SE, NE: the corners 8, 1, 2, 4.
        assert_eq!([0, 1, 2, 3].map(shown), [[(0, 0)], [(0, 3)], [(3, 3)], [(3, 0)]]);
    }
}
