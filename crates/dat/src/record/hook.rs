//! Hooks: events at frames of an animation.

use serde::Serialize;
use threshold_land::Frame;
use threshold_land::vector::{Vec2, Vec3};

use super::RecordId;
use crate::error::{ByteOffset, DatError};
use crate::reader::{Reader, Result};
use crate::writer::{WriteResult, Writer};

/// An event that happens when a frame is played. Retail: `CAnimHook`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hook {
    /// 0 in both directions, 1 only forward, -1 only backward.
    pub direction: i32,
    /// The event.
    pub action: HookAction,
}

/// The event of a [`Hook`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields are named for what they are")]
pub enum HookAction {
    /// Type 0.
    NoOp,
    /// Type 1: plays a wave.
    Sound { wave: RecordId },
    /// Type 2: plays an entry of the object's sound table.
    SoundTable { sound: u32 },
    /// Type 3: attacks within a cone.
    Attack(Box<AttackCone>),
    /// Type 4.
    AnimationDone,
    /// Type 5: replaces the model of a part.
    ReplaceObject { part: u8, model: RecordId },
    /// Type 6.
    Ethereal(bool),
    /// Type 7.
    TransparentPart { part: u32, fade: Fade },
    /// Type 8.
    Luminous(Fade),
    /// Type 9.
    LuminousPart { part: u32, fade: Fade },
    /// Type 10.
    Diffuse(Fade),
    /// Type 11.
    DiffusePart { part: u32, fade: Fade },
    /// Type 12.
    Scale { end: f32, time: f32 },
    /// Type 13.
    CreateParticle(Box<ParticleHook>),
    /// Type 14.
    DestroyParticle { emitter: u32 },
    /// Type 15.
    StopParticle { emitter: u32 },
    /// Type 16.
    NoDraw(bool),
    /// Type 17.
    DefaultScript,
    /// Type 18.
    DefaultScriptPart { part: u32 },
    /// Type 19.
    CallScript { script: RecordId, pause: f32 },
    /// Type 20.
    Transparent(Fade),
    /// Type 21.
    SoundTweaked { wave: RecordId, probability: f32, priority: f32, volume: f32 },
    /// Type 22: rotates the object, in radians per second.
    SetOmega(Vec3),
    /// Type 23.
    TextureVelocity(Vec2),
    /// Type 24.
    TextureVelocityPart { part: u32, velocity: Vec2 },
    /// Type 25.
    SetLight(bool),
    /// Type 26.
    CreateBlockingParticle(Box<ParticleHook>),
}

/// A value that changes over time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Fade {
    /// Value at the start.
    pub start: f32,
    /// Value at the end.
    pub end: f32,
    /// Duration in seconds.
    pub time: f32,
}

/// The area of an attack. Retail: `AttackCone`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AttackCone {
    /// The attacking part.
    pub part: u32,
    /// Left edge.
    pub left: Vec2,
    /// Right edge.
    pub right: Vec2,
    /// Reach in metres.
    pub radius: f32,
    /// Height in metres.
    pub height: f32,
}

/// A particle emitter attached to a part.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ParticleHook {
    /// The description of the emitter.
    pub info: RecordId,
    /// The part that it is attached to.
    pub part: u32,
    /// Its position on the part.
    pub frame: Frame,
    /// The number by which other hooks refer to it.
    pub emitter: u32,
}

/// Least size of a hook, in bytes.
pub(crate) const MIN_SIZE: usize = 8;

impl Hook {
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let at = reader.at();
        let kind = reader.u32()?;
        let direction = reader.i32()?;
        let action = HookAction::read(reader, kind, at)?;
        reader.align4()?;
        Ok(Self { direction, action })
    }

    pub(crate) fn write(&self, writer: &mut Writer) -> WriteResult {
        writer.u32(self.action.number());
        writer.i32(self.direction);
        self.action.write(writer)?;
        writer.align4();
        Ok(())
    }
}

impl Fade {
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let [start, end, time] = reader.floats()?;
        Ok(Self { start, end, time })
    }

    fn write(self, writer: &mut Writer) {
        writer.floats(&[self.start, self.end, self.time]);
    }
}

impl AttackCone {
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let part = reader.u32()?;
        let (left, right) = (reader.vec2()?, reader.vec2()?);
        Ok(Self { part, left, right, radius: reader.f32()?, height: reader.f32()? })
    }
}

impl ParticleHook {
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let (info, part) = (reader.id()?, reader.u32()?);
        Ok(Self { info, part, frame: reader.frame()?, emitter: reader.u32()? })
    }

    fn write(&self, writer: &mut Writer) {
        writer.id(self.info);
        writer.u32(self.part);
        writer.frame(&self.frame);
        writer.u32(self.emitter);
    }
}

impl HookAction {
    /// The type number on disk.
    pub fn number(&self) -> u32 {
        match self {
            Self::NoOp => 0,
            Self::Sound { .. } => 1,
            Self::SoundTable { .. } => 2,
            Self::Attack(_) => 3,
            Self::AnimationDone => 4,
            Self::ReplaceObject { .. } => 5,
            Self::Ethereal(_) => 6,
            Self::TransparentPart { .. } => 7,
            Self::Luminous(_) => 8,
            Self::LuminousPart { .. } => 9,
            Self::Diffuse(_) => 10,
            Self::DiffusePart { .. } => 11,
            Self::Scale { .. } => 12,
            Self::CreateParticle(_) => 13,
            Self::DestroyParticle { .. } => 14,
            Self::StopParticle { .. } => 15,
            Self::NoDraw(_) => 16,
            Self::DefaultScript => 17,
            Self::DefaultScriptPart { .. } => 18,
            Self::CallScript { .. } => 19,
            Self::Transparent(_) => 20,
            Self::SoundTweaked { .. } => 21,
            Self::SetOmega(_) => 22,
            Self::TextureVelocity(_) => 23,
            Self::TextureVelocityPart { .. } => 24,
            Self::SetLight(_) => 25,
            Self::CreateBlockingParticle(_) => 26,
        }
    }

    fn read(reader: &mut Reader<'_>, kind: u32, at: usize) -> Result<Self> {
        Ok(match kind {
            0 => Self::NoOp,
            1 => Self::Sound { wave: reader.id()? },
            2 => Self::SoundTable { sound: reader.u32()? },
            3 => Self::Attack(Box::new(AttackCone::read(reader)?)),
            4 => Self::AnimationDone,
            5 => Self::ReplaceObject { part: reader.u8()?, model: reader.id_from(MODELS)? },
            6 => Self::Ethereal(reader.bool32()?),
            7 => Self::TransparentPart { part: reader.u32()?, fade: Fade::read(reader)? },
            8 => Self::Luminous(Fade::read(reader)?),
            9 => Self::LuminousPart { part: reader.u32()?, fade: Fade::read(reader)? },
            10 => Self::Diffuse(Fade::read(reader)?),
            11 => Self::DiffusePart { part: reader.u32()?, fade: Fade::read(reader)? },
            12 => Self::Scale { end: reader.f32()?, time: reader.f32()? },
            13 => Self::CreateParticle(Box::new(ParticleHook::read(reader)?)),
            14 => Self::DestroyParticle { emitter: reader.u32()? },
            15 => Self::StopParticle { emitter: reader.u32()? },
            16 => Self::NoDraw(reader.bool32()?),
            17 => Self::DefaultScript,
            18 => Self::DefaultScriptPart { part: reader.u32()? },
            19 => Self::CallScript { script: reader.id()?, pause: reader.f32()? },
            20 => Self::Transparent(Fade::read(reader)?),
            21 => {
                let wave = reader.id()?;
                let [probability, priority, volume] = reader.floats()?;
                Self::SoundTweaked { wave, probability, priority, volume }
            }
            22 => Self::SetOmega(reader.vec3()?),
            23 => Self::TextureVelocity(reader.vec2()?),
            24 => Self::TextureVelocityPart { part: reader.u32()?, velocity: reader.vec2()? },
            25 => Self::SetLight(reader.bool32()?),
            26 => Self::CreateBlockingParticle(Box::new(ParticleHook::read(reader)?)),
            // The length of an unknown hook is unknown, too: decoding cannot continue.
            unknown => {
                return Err(DatError::value("hook type", "0 to 26", unknown)
                    .at(ByteOffset::Record(at as u64)));
            }
        })
    }

    fn write(&self, writer: &mut Writer) -> WriteResult {
        match self {
            Self::NoOp | Self::AnimationDone | Self::DefaultScript => {}
            Self::Sound { wave } => writer.id(*wave),
            Self::SoundTable { sound } => writer.u32(*sound),
            Self::Attack(cone) => {
                writer.u32(cone.part);
                writer.vec2(cone.left);
                writer.vec2(cone.right);
                writer.floats(&[cone.radius, cone.height]);
            }
            Self::ReplaceObject { part, model } => {
                writer.u8(*part);
                writer.id_from("model of a hook", MODELS, *model)?;
            }
            Self::Ethereal(on) | Self::NoDraw(on) | Self::SetLight(on) => writer.bool32(*on),
            Self::TransparentPart { part, fade }
            | Self::LuminousPart { part, fade }
            | Self::DiffusePart { part, fade } => {
                writer.u32(*part);
                fade.write(writer);
            }
            Self::Luminous(fade) | Self::Diffuse(fade) | Self::Transparent(fade) => {
                fade.write(writer);
            }
            Self::Scale { end, time } => writer.floats(&[*end, *time]),
            Self::CreateParticle(hook) | Self::CreateBlockingParticle(hook) => hook.write(writer),
            Self::DestroyParticle { emitter } | Self::StopParticle { emitter } => {
                writer.u32(*emitter);
            }
            Self::DefaultScriptPart { part } => writer.u32(*part),
            Self::CallScript { script, pause } => {
                writer.id(*script);
                writer.f32(*pause);
            }
            Self::SoundTweaked { wave, probability, priority, volume } => {
                writer.id(*wave);
                writer.floats(&[*probability, *priority, *volume]);
            }
            Self::SetOmega(omega) => writer.vec3(*omega),
            Self::TextureVelocity(velocity) => writer.vec2(*velocity),
            Self::TextureVelocityPart { part, velocity } => {
                writer.u32(*part);
                writer.vec2(*velocity);
            }
        }
        Ok(())
    }
}

/// First id of the models.
const MODELS: u32 = 0x0100_0000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replace_object_has_a_one_byte_part_and_a_packed_id() {
        let bytes = [5, 0, 0, 0, 0, 0, 0, 0, 0x00, 0xB4, 0x0B, 0x00];
        let hook = Hook::read(&mut Reader::new(&bytes)).unwrap();
        let want = HookAction::ReplaceObject { part: 0, model: RecordId(0x0100_0BB4) };
        assert_eq!(hook.action, want);
        let mut writer = Writer::new();
        hook.write(&mut writer).unwrap();
        assert_eq!(writer.into_bytes(), bytes);
    }

    #[test]
    fn every_type_is_written_and_read_with_the_documented_size() {
        let payloads = [
            0, 4, 4, 28, 0, 4, 4, 16, 12, 16, 12, 16, 8, 40, 4, 4, 4, 0, 4, 8, 12, 16, 12, 8, 12,
            4, 40,
        ];
        for (kind, payload) in (0_u32..).zip(payloads) {
            let mut bytes = kind.to_le_bytes().to_vec();
            bytes.extend((-1_i32).to_le_bytes());
            bytes.extend(match kind {
                // A frame needs a rotation of unit length: w is the sixth number.
                13 | 26 => (0..10)
                    .flat_map(|i: i32| if i == 5 { 1.0_f32.to_le_bytes() } else { [0; 4] })
                    .collect(),
                // A flag is written as 1.
                6 | 16 | 25 => vec![1, 0, 0, 0],
                5 => vec![3, 0xB4, 0x0B, 0],
                _ => (0_u8..).take(payload).collect(),
            });
            assert_eq!(bytes.len(), 8 + payload);
            let mut reader = Reader::new(&bytes);
            let hook = Hook::read(&mut reader).unwrap();
            assert_eq!((reader.left(), hook.action.number()), (0, kind));
            let mut writer = Writer::new();
            hook.write(&mut writer).unwrap();
            assert_eq!(writer.into_bytes(), bytes, "type {kind}");
        }
        assert!(Hook::read(&mut Reader::new(&[27, 0, 0, 0, 0, 0, 0, 0])).is_err());
    }

    #[test]
    fn a_hook_stays_small_in_memory() {
        assert!(size_of::<Hook>() <= 4 * MIN_SIZE, "{}", size_of::<Hook>());
    }
}
