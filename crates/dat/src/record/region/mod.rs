//! The region: tables for the whole map.

mod game_time;
mod sky;
mod terrain;

pub use game_time::{GameTime, Season, TimeOfDay};
pub use sky::{DayGroup, Sky, SkyObject, SkyObjectReplacement, SkyTime};
pub use terrain::{TerrainDesc, TerrainTexture, TerrainType, TextureMap, TextureMerge};

use serde::Serialize;

use super::{Record, RecordId, RecordKind, Text};
use crate::reader::{Reader, Result};
use crate::writer::{WriteResult, Writer};

/// The tables for the whole map: heights, time, sky, terrain. Retail: `CRegionDesc`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RegionDesc {
    /// Its id.
    pub id: RecordId,
    /// Its number; 1 in retail's files.
    pub number: u32,
    /// Its name.
    pub name: Text,
    /// Sizes of the map; the client uses its own values.
    pub land: LandSizes,
    /// Height in metres for each height index of a landblock.
    pub heights: Box<[f32]>,
    /// The calendar.
    pub time: GameTime,
    /// Bits of the parts mask without a meaning here; 8 in retail's files.
    pub other_parts: u32,
    /// Sun, moons and weather.
    pub sky: Option<Sky>,
    /// Sounds of the landscape.
    pub sounds: Option<Vec<AmbientSounds>>,
    /// Types of scenery.
    pub scene_types: Option<Vec<SceneType>>,
    /// Types of ground and their textures.
    pub terrain: TerrainDesc,
    /// Map images and substitutes.
    pub misc: Option<RegionMisc>,
}

/// Sizes of the map according to the file. Retail: `LandDefs`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LandSizes {
    /// Landblocks east to west.
    pub blocks_x: i32,
    /// Landblocks south to north.
    pub blocks_y: i32,
    /// Side of a land cell, in metres.
    pub cell_size: f32,
    /// Land cells along the side of a landblock.
    pub cells_per_block: i32,
    /// Vertices along the side of a land cell.
    pub vertices_per_cell: i32,
    /// Greatest height of an object in metres.
    pub max_object_height: f32,
    /// Height of the sky in metres.
    pub sky_height: f32,
    /// Width of a road in metres.
    pub road_width: f32,
}

/// Sounds of a type of landscape. Retail: `AmbientSTBDesc`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AmbientSounds {
    /// The sound table.
    pub table: RecordId,
    /// The sounds.
    pub sounds: Box<[AmbientSound]>,
}

/// An ambient sound. Retail: `AmbientSoundDesc`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AmbientSound {
    /// Its entry in the sound table.
    pub sound: u32,
    /// Its volume.
    pub volume: f32,
    /// Its probability; 0 is continuous.
    pub base_chance: f32,
    /// Shortest time between two plays, in seconds.
    pub min_rate: f32,
    /// Longest time between two plays, in seconds.
    pub max_rate: f32,
}

/// A type of scenery. Retail: `CSceneType`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SceneType {
    /// Index into the region's sounds, -1 for none.
    pub sounds: i32,
    /// [`Scene`](super::Scene)s to choose from.
    pub scenes: Box<[RecordId]>,
}

/// Map images and substitutes. Retail: `RegionMisc`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RegionMisc {
    /// Version of this part.
    pub version: u32,
    /// An image of the map.
    pub game_map: RecordId,
    /// For tests of the client.
    pub autotest_map: RecordId,
    /// For tests of the client.
    pub autotest_size: u32,
    /// Substitute for an empty cell.
    pub clear_cell: RecordId,
    /// Substitute for a missing monster.
    pub clear_monster: RecordId,
}

const VERSION: u32 = 3;
const HEIGHTS: usize = 256;
const SOUND: u32 = 1;
const SCENE: u32 = 2;
const TERRAIN: u32 = 4;
const SKY: u32 = 0x10;
const MISC: u32 = 0x200;

impl LandSizes {
    /// The sizes of retail's map.
    pub const RETAIL: Self = Self {
        blocks_x: 255,
        blocks_y: 255,
        cell_size: 24.0,
        cells_per_block: 8,
        vertices_per_cell: 1,
        max_object_height: 200.0,
        sky_height: 1000.0,
        road_width: 5.0,
    };

    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self {
            blocks_x: reader.i32()?,
            blocks_y: reader.i32()?,
            cell_size: reader.f32()?,
            cells_per_block: reader.i32()?,
            vertices_per_cell: reader.i32()?,
            max_object_height: reader.f32()?,
            sky_height: reader.f32()?,
            road_width: reader.f32()?,
        })
    }

    fn write(&self, writer: &mut Writer) {
        writer.i32(self.blocks_x);
        writer.i32(self.blocks_y);
        writer.f32(self.cell_size);
        writer.i32(self.cells_per_block);
        writer.i32(self.vertices_per_cell);
        writer.floats(&[self.max_object_height, self.sky_height, self.road_width]);
    }
}

impl AmbientSounds {
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let table = reader.id()?;
        let sounds = reader.list("ambient sounds", 20, |reader| {
            let sound = reader.u32()?;
            let [volume, base_chance, min_rate, max_rate] = reader.floats()?;
            Ok(AmbientSound { sound, volume, base_chance, min_rate, max_rate })
        })?;
        Ok(Self { table, sounds: sounds.into() })
    }

    fn write(writer: &mut Writer, sounds: &Self) -> WriteResult {
        writer.id(sounds.table);
        writer.list("ambient sounds", &sounds.sounds, |writer, sound| {
            writer.u32(sound.sound);
            writer.floats(&[sound.volume, sound.base_chance, sound.min_rate, sound.max_rate]);
            Ok(())
        })
    }
}

impl SceneType {
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let sounds = reader.i32()?;
        Ok(Self { sounds, scenes: reader.list("scenes", 4, Reader::id)?.into() })
    }

    fn write(writer: &mut Writer, scene: &Self) -> WriteResult {
        writer.i32(scene.sounds);
        writer.list("scenes", &scene.scenes, |writer, id| {
            writer.id(*id);
            Ok(())
        })
    }
}

impl RegionMisc {
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self {
            version: reader.u32()?,
            game_map: reader.id()?,
            autotest_map: reader.id()?,
            autotest_size: reader.u32()?,
            clear_cell: reader.id()?,
            clear_monster: reader.id()?,
        })
    }

    fn write(&self, writer: &mut Writer) {
        writer.u32(self.version);
        writer.id(self.game_map);
        writer.id(self.autotest_map);
        writer.u32(self.autotest_size);
        writer.id(self.clear_cell);
        writer.id(self.clear_monster);
    }
}

impl Record for RegionDesc {
    const KIND: RecordKind = RecordKind::Region;

    fn read(id: RecordId, reader: &mut Reader<'_>) -> Result<Self> {
        reader.own_id(id)?;
        let number = reader.u32()?;
        reader.exactly("region version", VERSION)?;
        let name = reader.text()?;
        let land = LandSizes::read(reader)?;
        let heights: Box<[f32]> = reader.floats::<HEIGHTS>()?.into();
        let time = GameTime::read(reader)?;
        let parts = reader.u32()?;
        let has = |bit| parts & bit != 0;
        Ok(Self {
            id,
            number,
            name,
            land,
            heights,
            time,
            // The terrain is stored whether its bit is set or not, so the bit is kept.
            other_parts: parts & !(SOUND | SCENE | SKY | MISC),
            sky: has(SKY).then(|| Sky::read(reader)).transpose()?,
            sounds: has(SOUND)
                .then(|| reader.list("sound tables", 8, AmbientSounds::read))
                .transpose()?,
            scene_types: has(SCENE)
                .then(|| reader.list("scene types", 8, SceneType::read))
                .transpose()?,
            terrain: TerrainDesc::read(reader)?,
            misc: has(MISC).then(|| RegionMisc::read(reader)).transpose()?,
        })
    }

    fn write(&self, writer: &mut Writer) -> WriteResult {
        let bit = |present: bool, bit: u32| if present { bit } else { 0 };
        writer.id(self.id);
        writer.u32(self.number);
        writer.u32(VERSION);
        writer.text(&self.name)?;
        self.land.write(writer);
        if self.heights.len() != HEIGHTS {
            let (what, found) = ("heights", self.heights.len());
            return Err(crate::EncodeError::Mismatch { what, found, expected: HEIGHTS });
        }
        writer.floats(&self.heights);
        self.time.write(writer)?;
        writer.u32(
            self.other_parts
                | bit(self.sky.is_some(), SKY)
                | bit(self.sounds.is_some(), SOUND)
                | bit(self.scene_types.is_some(), SCENE)
                | bit(self.misc.is_some(), MISC),
        );
        self.sky.iter().try_for_each(|sky| sky.write(writer))?;
        if let Some(sounds) = &self.sounds {
            writer.list("sound tables", sounds, AmbientSounds::write)?;
        }
        if let Some(types) = &self.scene_types {
            writer.list("scene types", types, SceneType::write)?;
        }
        self.terrain.write(writer)?;
        self.misc.iter().for_each(|misc| misc.write(writer));
        Ok(())
    }
}

impl RegionDesc {
    /// The value of [`other_parts`](Self::other_parts) in a file with terrain and no unknown parts.
    pub const TERRAIN_PART: u32 = TERRAIN;
}
