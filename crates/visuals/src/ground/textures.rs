//! Textures and masks of terrain, as images.

use std::ops::RangeInclusive;

use threshold_dat::region::TextureMerge;
use threshold_dat::{RecordId, Records, RegionDesc, Source};
use threshold_world::REGION;

use super::{ROAD, TerrainMasks};
use crate::images::{Image, SurfaceImages};

/// Terrain types that are water.
const WATER: RangeInclusive<u8> = 16..=20;

/// Colour of a texture that cannot be read.
const PLAIN: [u8; 4] = [128, 128, 128, 255];

/// Largest number of repeats of a texture in a land cell.
const MAX_TILING: u32 = 64;

/// Reads the textures of terrain types and the masks that blend them.
///
/// Without a region, terrain is grey; one that cannot be read is a fault. A missing one is not: a source without
/// landblocks needs none.
#[derive(Debug)]
pub struct TerrainTextures<'s> {
    images: SurfaceImages<'s>,
    merge: Option<TextureMerge>,
    masks: TerrainMasks,
    faults: Vec<String>,
}

/// Texture of a terrain type.
#[derive(Clone, Debug, PartialEq)]
pub struct TerrainImage {
    /// Pixels.
    pub image: Image,
    /// Repeats along the side of a land cell, 1 to 64.
    pub tiling: u32,
    /// Whether it is water, which a renderer may move.
    pub is_water: bool,
}

impl<'s> TerrainTextures<'s> {
    /// Terrain types, from 0 to [`ROAD`].
    pub const KINDS: RangeInclusive<u8> = 0..=ROAD;

    /// Reads the region of a source.
    pub fn new(source: &'s dyn Source) -> Self {
        let (region, fault) = match Records::new(source).get::<RegionDesc>(REGION) {
            Ok(region) => (region, None),
            Err(error) => (None, Some(error.to_string())),
        };
        let merge = region.map(|region| region.terrain.textures);
        let masks = merge.as_ref().map(TerrainMasks::new).unwrap_or_default();
        let faults = fault.into_iter().collect();
        Self { images: SurfaceImages::new(source), merge, masks, faults }
    }

    /// Returns the masks, by which [`terrain_vertices`](super::terrain_vertices) chooses layers.
    pub fn masks(&self) -> &TerrainMasks {
        &self.masks
    }

    /// Reads the texture of a terrain type. An unknown type has the first texture of the region.
    pub fn texture(&mut self, kind: u8) -> TerrainImage {
        let listed = self.merge.as_ref().map(|merge| &merge.textures[..]).unwrap_or_default();
        let own = listed.iter().find(|texture| texture.terrain_type == u32::from(kind));
        let found = own.or(listed.first()).copied();
        let image = self.image(found.map(|found| found.texture), PLAIN);
        let tiling = found.map_or(1, |found| found.tiling.clamp(1, MAX_TILING));
        TerrainImage { image, tiling, is_water: WATER.contains(&kind) }
    }

    /// Reads the images of all masks, in the order of [`TerrainMasks`]; the alpha counts. One that cannot be read is
    /// white, and a fault.
    pub fn mask_images(&mut self) -> Vec<Image> {
        let maps: Vec<RecordId> = self.merge.as_ref().map_or_else(Vec::new, |merge| {
            TerrainMasks::maps(merge).into_iter().flatten().map(|map| map.texture).collect()
        });
        maps.into_iter().map(|map| self.image(Some(map), [255; 4])).collect()
    }

    /// Returns messages about records that could not be read so far.
    pub fn faults(&self) -> &[String] {
        &self.faults
    }

    fn image(&mut self, texture: Option<RecordId>, plain: [u8; 4]) -> Image {
        let Some(texture) = texture else { return Image::solid(plain) };
        self.images.of_texture(texture, RecordId::NONE, false).unwrap_or_else(|error| {
            self.faults.push(error.to_string());
            Image::solid(plain)
        })
    }
}
