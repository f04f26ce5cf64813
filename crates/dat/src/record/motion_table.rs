//! Motion tables.

use serde::Serialize;
use threshold_land::vector::Vec3;

use super::{Record, RecordId, RecordKind, hex};
use crate::reader::{Reader, Result};
use crate::writer::{WriteResult, Writer};

/// The animations of a creature, by command. Retail: `CMotionTable`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MotionTable {
    /// Its id.
    pub id: RecordId,
    /// The stance at the start.
    #[serde(serialize_with = "hex::word")]
    pub default_stance: u32,
    /// The resting motion of each stance.
    pub stance_defaults: Vec<StanceDefault>,
    /// Motions that repeat, by [`motion_key`].
    pub cycles: Vec<Motion>,
    /// Motions that are added to others, by [`motion_key`] or by the command alone.
    pub modifiers: Vec<Motion>,
    /// Transitions between motions.
    pub links: Vec<MotionLinks>,
}

/// The resting motion of a stance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct StanceDefault {
    /// The full value of the stance.
    #[serde(serialize_with = "hex::word")]
    pub stance: u32,
    /// The command.
    #[serde(serialize_with = "hex::word")]
    pub motion: u32,
}

/// Transitions from one motion to others.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MotionLinks {
    /// [`motion_key`] of the motion that they start from.
    #[serde(serialize_with = "hex::word")]
    pub key: u32,
    /// By the full command of the motion that they lead to.
    pub motions: Vec<Motion>,
}

/// A motion: several animations in a row. Retail: `MotionData`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Motion {
    /// The key of the motion in its list.
    #[serde(serialize_with = "hex::word")]
    pub key: u32,
    /// Bit 0 clears modifiers; with bit 1 the motion starts only from the stance's resting motion.
    pub behaviour: u8,
    /// Bits other than those that mark the vectors; 0 in retail's files.
    pub other_bits: u8,
    /// The animations.
    pub animations: Box<[AnimationSpan]>,
    /// Metres per second at speed 1.
    pub velocity: Option<Box<Vec3>>,
    /// Radians per second at speed 1.
    pub omega: Option<Box<Vec3>>,
}

/// A range of frames of an animation. Retail: `AnimData`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AnimationSpan {
    /// The animation.
    pub animation: RecordId,
    /// First frame.
    pub low: i32,
    /// Last frame; -1 for the last of the animation.
    pub high: i32,
    /// Frames per second, negative for backwards.
    pub framerate: f32,
}

/// Returns the key of a motion in a stance. Retail: `CMotionTable::MotionKey`.
pub fn motion_key(stance: u32, motion: u32) -> u32 {
    (stance & 0xFFFF) << 16 | motion & 0xFF_FFFF
}

const VELOCITY: u8 = 1;
const OMEGA: u8 = 2;
/// Least size of a motion, in bytes.
const MIN_MOTION_SIZE: usize = 8;

impl Motion {
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let key = reader.u32()?;
        let animations = usize::from(reader.u8()?);
        let (behaviour, present) = (reader.u8()?, reader.u8()?);
        reader.align4()?;
        reader.fits("animations of a motion", animations, 16)?;
        let animations = reader.items(animations, |reader| {
            Ok(AnimationSpan {
                animation: reader.id()?,
                low: reader.i32()?,
                high: reader.i32()?,
                framerate: reader.f32()?,
            })
        })?;
        let mut vector =
            |bit| (present & bit != 0).then(|| reader.vec3().map(Box::new)).transpose();
        let (velocity, omega) = (vector(VELOCITY)?, vector(OMEGA)?);
        let other_bits = present & !(VELOCITY | OMEGA);
        Ok(Self { key, behaviour, other_bits, animations: animations.into(), velocity, omega })
    }

    fn write(writer: &mut Writer, motion: &Self) -> WriteResult {
        writer.u32(motion.key);
        writer.count8("animations of a motion", motion.animations.len())?;
        writer.u8(motion.behaviour);
        let bit = |vector: &Option<Box<Vec3>>, bit| if vector.is_some() { bit } else { 0 };
        writer.u8(motion.other_bits | bit(&motion.velocity, VELOCITY) | bit(&motion.omega, OMEGA));
        writer.align4();
        for span in &motion.animations {
            writer.id(span.animation);
            writer.i32(span.low);
            writer.i32(span.high);
            writer.f32(span.framerate);
        }
        for vector in [&motion.velocity, &motion.omega].into_iter().flatten() {
            writer.vec3(**vector);
        }
        Ok(())
    }
}

impl Record for MotionTable {
    const KIND: RecordKind = RecordKind::MotionTable;

    fn read(id: RecordId, reader: &mut Reader<'_>) -> Result<Self> {
        reader.own_id(id)?;
        Ok(Self {
            id,
            default_stance: reader.u32()?,
            stance_defaults: reader.list("stance defaults", 8, |reader| {
                Ok(StanceDefault { stance: reader.u32()?, motion: reader.u32()? })
            })?,
            cycles: reader.list("cycles", MIN_MOTION_SIZE, Motion::read)?,
            modifiers: reader.list("modifiers", MIN_MOTION_SIZE, Motion::read)?,
            links: reader.list("link groups", 8, |reader| {
                let key = reader.u32()?;
                Ok(MotionLinks {
                    key,
                    motions: reader.list("links", MIN_MOTION_SIZE, Motion::read)?,
                })
            })?,
        })
    }

    fn write(&self, writer: &mut Writer) -> WriteResult {
        writer.id(self.id);
        writer.u32(self.default_stance);
        writer.list("stance defaults", &self.stance_defaults, |writer, default| {
            writer.u32(default.stance);
            writer.u32(default.motion);
            Ok(())
        })?;
        writer.list("cycles", &self.cycles, Motion::write)?;
        writer.list("modifiers", &self.modifiers, Motion::write)?;
        writer.list("link groups", &self.links, |writer, links| {
            writer.u32(links.key);
            writer.list("links", &links.motions, Motion::write)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_with_one_cycle_without_animations_takes_32_bytes() {
        let cycle = Motion {
            key: motion_key(0x8000_003D, 0x4100_0003),
            behaviour: 0,
            other_bits: 0,
            animations: [].into(),
            velocity: None,
            omega: None,
        };
        assert_eq!(cycle.key, 0x003D_0003);
        let table = MotionTable {
            id: RecordId(0x0900_0001),
            default_stance: 0x8000_003D,
            stance_defaults: vec![],
            cycles: vec![cycle],
            modifiers: vec![],
            links: vec![],
        };
        let bytes = table.encode().unwrap();
        let want = [0x0900_0001, 0x8000_003D, 0, 1, 0x003D_0003, 0, 0, 0_u32];
        assert_eq!(bytes, want.map(u32::to_le_bytes).concat());
        assert_eq!(MotionTable::decode_exact(table.id, &bytes).unwrap(), table);
    }
}
