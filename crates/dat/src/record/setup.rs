//! Setups: objects assembled from models.

use serde::Serialize;
use threshold_land::vector::Vec3;
use threshold_land::{Frame, Sphere};

use super::hook::{self, Hook};
use super::{Colour, Record, RecordId, RecordKind};
use crate::error::EncodeError;
use crate::reader::{Reader, Result};
use crate::writer::{WriteResult, Writer};

/// The parts, poses and collision shapes of an object. Retail: `CSetup`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SetupRecord {
    /// Its id.
    pub id: RecordId,
    /// Whether it may be turned to any heading.
    pub free_heading: bool,
    /// Whether it has physics trees, according to this record; the parts decide.
    pub says_physics_tree: bool,
    /// Further flag bits; 0 in retail's files.
    pub other_flags: u32,
    /// The models.
    pub parts: Vec<RecordId>,
    /// For each part its parent; the client does not use it.
    pub parents: Option<Vec<u32>>,
    /// For each part its scale.
    pub scales: Option<Vec<Vec3>>,
    /// Locations for held items.
    pub holding_locations: Vec<Location>,
    /// Always empty in retail's files.
    pub connection_points: Vec<Location>,
    /// Poses. A static object has the one with key 0x65, else 0.
    pub placements: Vec<Placement>,
    /// Collision cylinders. Retail: `CCylSphere`.
    pub cylinders: Vec<SetupCylinder>,
    /// Collision spheres; the first is at the feet.
    pub spheres: Vec<Sphere>,
    /// Height in metres.
    pub height: f32,
    /// Radius in metres.
    pub radius: f32,
    /// Step-up height in metres.
    pub step_up: f32,
    /// Step-down height in metres.
    pub step_down: f32,
    /// For sorting and for registration in cells.
    pub sorting_sphere: Sphere,
    /// For picking.
    pub selection_sphere: Sphere,
    /// Its lights.
    pub lights: Vec<Light>,
    /// Its default behaviour.
    pub defaults: SetupDefaults,
}

/// A location on a part. Retail: `LocationType`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Location {
    /// The key of the location.
    pub key: u32,
    /// The part.
    pub part: u32,
    /// Its position on the part.
    pub frame: Frame,
}

/// A pose: one frame per part. Retail: `PlacementType`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Placement {
    /// The key of the pose.
    pub key: u32,
    /// In the order of the parts.
    pub frames: Box<[Frame]>,
    /// Events that happen when the pose is taken.
    pub hooks: Box<[Hook]>,
}

/// An upright cylinder with round ends. Retail: `CCylSphere`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SetupCylinder {
    /// Centre of the lower end.
    pub low_point: Vec3,
    /// Radius in metres.
    pub radius: f32,
    /// Height in metres.
    pub height: f32,
}

/// A light. Retail: `LIGHTINFO`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Light {
    /// The key of the light.
    pub key: u32,
    /// Its position.
    pub frame: Frame,
    /// Its colour.
    pub colour: Colour,
    /// Its brightness.
    pub intensity: f32,
    /// Its range in metres.
    pub falloff: f32,
    /// Its cone angle; may be garbage.
    pub cone: f32,
}

/// The default behaviour of an object; each id may be 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SetupDefaults {
    /// An [`Animation`](super::Animation).
    pub animation: RecordId,
    /// A physics script.
    pub script: RecordId,
    /// A [`MotionTable`](super::MotionTable).
    pub motion_table: RecordId,
    /// A sound table.
    pub sound_table: RecordId,
    /// A table of physics scripts.
    pub script_table: RecordId,
}

const PARENTS: u32 = 1;
const SCALES: u32 = 2;
const FREE_HEADING: u32 = 4;
const PHYSICS_TREE: u32 = 8;

impl SetupRecord {
    /// Returns the pose of a static object: placement 0x65, else 0. Without either, parts are at
    /// the origin.
    pub fn static_pose(&self) -> Option<&Placement> {
        let find = |key| self.placements.iter().find(|placement| placement.key == key);
        find(0x65).or_else(|| find(0))
    }
}

impl Location {
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self { key: reader.u32()?, part: reader.u32()?, frame: reader.frame()? })
    }

    fn write(writer: &mut Writer, location: &Self) -> WriteResult {
        writer.u32(location.key);
        writer.u32(location.part);
        writer.frame(&location.frame);
        Ok(())
    }
}

impl Placement {
    fn read(reader: &mut Reader<'_>, parts: usize) -> Result<Self> {
        let key = reader.u32()?;
        reader.fits("frames of a pose", parts, 28)?;
        let frames = reader.items(parts, Reader::frame)?.into();
        let hooks = reader.list("hooks", hook::MIN_SIZE, Hook::read)?.into();
        Ok(Self { key, frames, hooks })
    }
}

impl Light {
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let (key, frame, colour) = (reader.u32()?, reader.frame()?, Colour(reader.u32()?));
        let [intensity, falloff, cone] = reader.floats()?;
        Ok(Self { key, frame, colour, intensity, falloff, cone })
    }

    fn write(writer: &mut Writer, light: &Self) -> WriteResult {
        writer.u32(light.key);
        writer.frame(&light.frame);
        writer.u32(light.colour.0);
        writer.floats(&[light.intensity, light.falloff, light.cone]);
        Ok(())
    }
}

impl Record for SetupRecord {
    const KIND: RecordKind = RecordKind::Setup;

    fn read(id: RecordId, reader: &mut Reader<'_>) -> Result<Self> {
        reader.own_id(id)?;
        let flags = reader.u32()?;
        let parts = reader.list("parts", 4, Reader::id)?;
        let n = parts.len();
        let parents = (flags & PARENTS != 0).then(|| {
            reader.fits("parents", n, 4)?;
            reader.items(n, Reader::u32)
        });
        let parents = parents.transpose()?;
        let scales = (flags & SCALES != 0).then(|| {
            reader.fits("scales", n, 12)?;
            reader.items(n, Reader::vec3)
        });
        Ok(Self {
            id,
            free_heading: flags & FREE_HEADING != 0,
            says_physics_tree: flags & PHYSICS_TREE != 0,
            other_flags: flags & !(PARENTS | SCALES | FREE_HEADING | PHYSICS_TREE),
            parts,
            parents,
            scales: scales.transpose()?,
            holding_locations: reader.list("holding locations", 36, Location::read)?,
            connection_points: reader.list("connection points", 36, Location::read)?,
            placements: reader
                .list("placements", 8 + 28 * n, |reader| Placement::read(reader, n))?,
            cylinders: reader.list("cylinders", 20, |reader| {
                let low_point = reader.vec3()?;
                Ok(SetupCylinder { low_point, radius: reader.f32()?, height: reader.f32()? })
            })?,
            spheres: reader.list("spheres", 16, Reader::sphere)?,
            height: reader.f32()?,
            radius: reader.f32()?,
            step_up: reader.f32()?,
            step_down: reader.f32()?,
            sorting_sphere: reader.sphere()?,
            selection_sphere: reader.sphere()?,
            lights: reader.list("lights", 48, Light::read)?,
            defaults: SetupDefaults {
                animation: reader.id()?,
                script: reader.id()?,
                motion_table: reader.id()?,
                sound_table: reader.id()?,
                script_table: reader.id()?,
            },
        })
    }

    fn write(&self, writer: &mut Writer) -> WriteResult {
        self.write_parts(writer)?;
        writer.list("holding locations", &self.holding_locations, Location::write)?;
        writer.list("connection points", &self.connection_points, Location::write)?;
        writer.list("placements", &self.placements, |writer, placement| {
            self.one_each("frames of a pose", placement.frames.len())?;
            writer.u32(placement.key);
            placement.frames.iter().for_each(|frame| writer.frame(frame));
            writer.list("hooks", &placement.hooks, |writer, hook| hook.write(writer))
        })?;
        writer.list("cylinders", &self.cylinders, |writer, cylinder| {
            writer.vec3(cylinder.low_point);
            writer.floats(&[cylinder.radius, cylinder.height]);
            Ok(())
        })?;
        writer.list("spheres", &self.spheres, |writer, sphere| {
            writer.sphere(sphere);
            Ok(())
        })?;
        writer.floats(&[self.height, self.radius, self.step_up, self.step_down]);
        writer.sphere(&self.sorting_sphere);
        writer.sphere(&self.selection_sphere);
        writer.list("lights", &self.lights, Light::write)?;
        let SetupDefaults { animation, script, motion_table, sound_table, script_table } =
            self.defaults;
        for id in [animation, script, motion_table, sound_table, script_table] {
            writer.id(id);
        }
        Ok(())
    }
}

impl SetupRecord {
    fn one_each(&self, what: &'static str, found: usize) -> WriteResult {
        let expected = self.parts.len();
        if found == expected {
            Ok(())
        } else {
            Err(EncodeError::Mismatch { what, found, expected })
        }
    }

    fn write_parts(&self, writer: &mut Writer) -> WriteResult {
        let bit = |present: bool, bit: u32| if present { bit } else { 0 };
        writer.id(self.id);
        writer.u32(
            self.other_flags
                | bit(self.parents.is_some(), PARENTS)
                | bit(self.scales.is_some(), SCALES)
                | bit(self.free_heading, FREE_HEADING)
                | bit(self.says_physics_tree, PHYSICS_TREE),
        );
        writer.count("parts", self.parts.len())?;
        self.parts.iter().for_each(|id| writer.id(*id));
        if let Some(parents) = &self.parents {
            self.one_each("parents", parents.len())?;
            parents.iter().for_each(|parent| writer.u32(*parent));
        }
        if let Some(scales) = &self.scales {
            self.one_each("scales", scales.len())?;
            scales.iter().for_each(|scale| writer.vec3(*scale));
        }
        Ok(())
    }
}
