//! Animations: frames of a motion.

use serde::Serialize;
use threshold_land::Frame;

use super::hook::{self, Hook};
use super::{Record, RecordId, RecordKind};
use crate::error::EncodeError;
use crate::reader::{Reader, Result};
use crate::writer::{WriteResult, Writer};

/// Frames of a motion. Retail: `CAnimation`.
///
/// The frame of a part is its whole transform in the object's space; nothing is interpolated.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Animation {
    /// Its id.
    pub id: RecordId,
    /// Flags other than the one for root motion.
    pub other_flags: u32,
    /// Number of parts that it moves.
    pub parts: u32,
    /// Number of frames.
    pub frames: u32,
    /// Movement of the whole object at each frame, relative to the previous frame.
    pub root_motion: Option<Vec<Frame>>,
    /// The frames of all parts, frame by frame; see [`frame`](Self::frame).
    pub part_frames: Vec<Frame>,
    /// Events at frames, in the order of frames.
    pub hooks: Vec<FrameHook>,
}

/// An event at a frame.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FrameHook {
    /// The frame.
    pub frame: u32,
    /// The event.
    #[serde(flatten)]
    pub hook: Hook,
}

const ROOT_MOTION: u32 = 1;

impl Animation {
    /// Returns the transforms of all parts at frame `index`.
    pub fn frame(&self, index: u32) -> Option<&[Frame]> {
        if index >= self.frames {
            return None;
        }
        let parts = self.parts as usize;
        let first = (index as usize).checked_mul(parts)?;
        self.part_frames.get(first..first.checked_add(parts)?)
    }
}

impl Record for Animation {
    const KIND: RecordKind = RecordKind::Animation;

    fn read(id: RecordId, reader: &mut Reader<'_>) -> Result<Self> {
        reader.own_id(id)?;
        let flags = reader.u32()?;
        let (parts, frames) = (reader.u32()?, reader.u32()?);
        let (n_parts, n_frames) = (parts as usize, frames as usize);
        let root_motion = (flags & ROOT_MOTION != 0).then(|| {
            reader.fits("root motion frames", n_frames, 28)?;
            reader.items(n_frames, Reader::frame)
        });
        let root_motion = root_motion.transpose()?;
        let each = n_parts.saturating_mul(28).saturating_add(4);
        reader.fits("frames", n_frames, each)?;
        let mut out = Self {
            id,
            other_flags: flags & !ROOT_MOTION,
            parts,
            frames,
            root_motion,
            part_frames: Vec::with_capacity(n_parts.saturating_mul(n_frames)),
            // The rest of the record consists of hooks.
            hooks: Vec::with_capacity((reader.left() - n_frames * each) / hook::MIN_SIZE),
        };
        for frame in 0..frames {
            for _ in 0..parts {
                out.part_frames.push(reader.frame()?);
            }
            for _ in 0..reader.count("hooks", hook::MIN_SIZE)? {
                out.hooks.push(FrameHook { frame, hook: Hook::read(reader)? });
            }
        }
        Ok(out)
    }

    fn write(&self, writer: &mut Writer) -> WriteResult {
        writer.id(self.id);
        let root = if self.root_motion.is_some() { ROOT_MOTION } else { 0 };
        writer.u32(self.other_flags & !ROOT_MOTION | root);
        writer.u32(self.parts);
        writer.u32(self.frames);
        let (parts, frames) = (self.parts as usize, self.frames as usize);
        let must_be = |what, found, expected| {
            if found == expected {
                Ok(())
            } else {
                Err(EncodeError::Mismatch { what, found, expected })
            }
        };
        must_be("part frames", self.part_frames.len(), parts.saturating_mul(frames))?;
        if let Some(motion) = &self.root_motion {
            must_be("root motion frames", motion.len(), frames)?;
            motion.iter().for_each(|frame| writer.frame(frame));
        }
        let mut written = 0;
        for frame in 0..self.frames {
            self.frame(frame).unwrap_or_default().iter().for_each(|frame| writer.frame(frame));
            let here = self.hooks[written..].iter().take_while(|hook| hook.frame == frame).count();
            writer.list("hooks", &self.hooks[written..written + here], |writer, hook| {
                hook.hook.write(writer)
            })?;
            written += here;
        }
        must_be("hooks in the order of frames", written, self.hooks.len())
    }
}
