//! Types of ground and their textures.

use serde::Serialize;

use crate::reader::{Reader, Result};
use crate::record::{Colour, RecordId, Text};
use crate::writer::{WriteResult, Writer};

/// Types of ground and their textures. Retail: `CTerrainDesc`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TerrainDesc {
    /// By the type in terrain words; 32 in retail's files.
    pub types: Vec<TerrainType>,
    /// How the textures blend.
    pub textures: TextureMerge,
}

/// A type of ground. Retail: `CTerrainType`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TerrainType {
    /// Its name.
    pub name: Text,
    /// Its colour on maps.
    pub map_colour: Colour,
    /// For each scene selector of a terrain word an index into the region's scene types, -1 for
    /// none.
    pub scene_types: Box<[i32]>,
}

/// How textures of the ground blend. Retail: `TexMerge`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TextureMerge {
    /// Side of a base texture, in pixels.
    pub base_size: u32,
    /// Masks for one corner.
    pub corner_maps: Vec<TextureMap>,
    /// Masks for one side.
    pub side_maps: Vec<TextureMap>,
    /// Masks for roads.
    pub road_maps: Vec<TextureMap>,
    /// Textures by type of ground; 32 is the road.
    pub textures: Vec<TerrainTexture>,
}

/// A blend mask. Retail: `TerrainAlphaMap`, `RoadAlphaMap`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TextureMap {
    /// The code of the corners or sides to which it applies.
    pub code: u32,
    /// A [`SurfaceTexture`](crate::record::SurfaceTexture).
    pub texture: RecordId,
}

/// The texture of a type of ground. Retail: `TMTerrainDesc`, `TerrainTex`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TerrainTexture {
    /// The type of ground.
    pub terrain_type: u32,
    /// A [`SurfaceTexture`](crate::record::SurfaceTexture).
    pub texture: RecordId,
    /// Number of repetitions over a land cell.
    pub tiling: u32,
    /// Variation of the vertex colours: brightness, saturation and hue, each maximum and minimum.
    pub variation: [u32; 6],
    /// Number of repetitions of the detail texture.
    pub detail_tiling: u32,
    /// The detail texture for close views; may be 0.
    pub detail_texture: RecordId,
}

impl TerrainDesc {
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let types = reader.list("terrain types", 12, |reader| {
            Ok(TerrainType {
                name: reader.text()?,
                map_colour: Colour(reader.u32()?),
                scene_types: reader.list("scene types", 4, Reader::i32)?.into(),
            })
        })?;
        reader.exactly("land surface kind (texture merge)", 0)?;
        Ok(Self { types, textures: TextureMerge::read(reader)? })
    }

    pub(super) fn write(&self, writer: &mut Writer) -> WriteResult {
        writer.list("terrain types", &self.types, |writer, kind| {
            writer.text(&kind.name)?;
            writer.u32(kind.map_colour.0);
            writer.list("scene types", &kind.scene_types, |writer, scene| {
                writer.i32(*scene);
                Ok(())
            })
        })?;
        writer.u32(0);
        self.textures.write(writer)
    }
}

impl TextureMerge {
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self {
            base_size: reader.u32()?,
            corner_maps: reader.list("corner maps", 8, TextureMap::read)?,
            side_maps: reader.list("side maps", 8, TextureMap::read)?,
            road_maps: reader.list("road maps", 8, TextureMap::read)?,
            textures: reader.list("terrain textures", 44, TerrainTexture::read)?,
        })
    }

    fn write(&self, writer: &mut Writer) -> WriteResult {
        writer.u32(self.base_size);
        writer.list("corner maps", &self.corner_maps, TextureMap::write)?;
        writer.list("side maps", &self.side_maps, TextureMap::write)?;
        writer.list("road maps", &self.road_maps, TextureMap::write)?;
        writer.list("terrain textures", &self.textures, TerrainTexture::write)
    }
}

impl TextureMap {
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self { code: reader.u32()?, texture: reader.id()? })
    }

    fn write(writer: &mut Writer, map: &Self) -> WriteResult {
        writer.u32(map.code);
        writer.id(map.texture);
        Ok(())
    }
}

impl TerrainTexture {
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let (terrain_type, texture, tiling) = (reader.u32()?, reader.id()?, reader.u32()?);
        let mut variation = [0; 6];
        for value in &mut variation {
            *value = reader.u32()?;
        }
        let (detail_tiling, detail_texture) = (reader.u32()?, reader.id()?);
        Ok(Self { terrain_type, texture, tiling, variation, detail_tiling, detail_texture })
    }

    fn write(writer: &mut Writer, texture: &Self) -> WriteResult {
        writer.u32(texture.terrain_type);
        writer.id(texture.texture);
        writer.u32(texture.tiling);
        texture.variation.iter().for_each(|value| writer.u32(*value));
        writer.u32(texture.detail_tiling);
        writer.id(texture.detail_texture);
        Ok(())
    }
}
