//! Scenery.

use serde::Serialize;
use threshold_land::Frame;

use super::{Record, RecordId, RecordKind};
use crate::reader::{Reader, Result};
use crate::writer::{WriteResult, Writer};

/// The scenery of a type of ground. Retail: `CSceneDesc`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scene {
    /// Its id.
    pub id: RecordId,
    /// The objects.
    pub objects: Vec<SceneObject>,
}

/// A scenery object, such as a plant or stone. Retail: `ObjectDesc`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SceneObject {
    /// A model or setup.
    pub object: RecordId,
    /// Its position before displacement.
    pub frame: Frame,
    /// Probability, 0 to 1.
    pub frequency: f32,
    /// Greatest displacement to the east or west, in metres.
    pub displace_x: f32,
    /// Greatest displacement to the north or south, in metres.
    pub displace_y: f32,
    /// Smallest scale.
    pub min_scale: f32,
    /// Largest scale.
    pub max_scale: f32,
    /// Greatest rotation, in degrees.
    pub max_rotation: f32,
    /// Steepest ground, as the z of the normal.
    pub min_slope: f32,
    /// Flattest ground, as the z of the normal.
    pub max_slope: f32,
    /// Whether it is aligned with the slope of the ground.
    pub align: u32,
    /// Unused.
    pub orient: u32,
    /// Not 0 if the server spawns it.
    pub weenie: u32,
}

impl SceneObject {
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let (object, frame) = (reader.id()?, reader.frame()?);
        let [
            frequency,
            displace_x,
            displace_y,
            min_scale,
            max_scale,
            max_rotation,
            min_slope,
            max_slope,
        ] = reader.floats()?;
        Ok(Self {
            object,
            frame,
            frequency,
            displace_x,
            displace_y,
            min_scale,
            max_scale,
            max_rotation,
            min_slope,
            max_slope,
            align: reader.u32()?,
            orient: reader.u32()?,
            weenie: reader.u32()?,
        })
    }

    fn write(writer: &mut Writer, object: &Self) -> WriteResult {
        writer.id(object.object);
        writer.frame(&object.frame);
        writer.floats(&[
            object.frequency,
            object.displace_x,
            object.displace_y,
            object.min_scale,
            object.max_scale,
            object.max_rotation,
            object.min_slope,
            object.max_slope,
        ]);
        writer.u32(object.align);
        writer.u32(object.orient);
        writer.u32(object.weenie);
        Ok(())
    }
}

impl Record for Scene {
    const KIND: RecordKind = RecordKind::Scene;

    fn read(id: RecordId, reader: &mut Reader<'_>) -> Result<Self> {
        reader.own_id(id)?;
        Ok(Self { id, objects: reader.list("scene objects", 76, SceneObject::read)? })
    }

    fn write(&self, writer: &mut Writer) -> WriteResult {
        writer.id(self.id);
        writer.list("scene objects", &self.objects, SceneObject::write)
    }
}
