//! Models for different distances.

use serde::Serialize;

use super::{Record, RecordId, RecordKind};
use crate::reader::{Reader, Result};
use crate::writer::{WriteResult, Writer};

/// Which model to draw at which distance, nearest first. Retail: `GfxObjDegradeInfo`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DegradeInfo {
    /// Its id.
    pub id: RecordId,
    /// The levels of detail.
    pub levels: Vec<DegradeLevel>,
}

/// A level of detail.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DegradeLevel {
    /// The model; 0 draws nothing.
    pub model: RecordId,
    /// 1 fixed, 2 facing the viewer, 3 to 5 turned around x, y or z.
    pub mode: u32,
    /// The distance from which this level is used, in metres.
    pub min: f32,
    /// The distance up to which this level is preferred.
    pub ideal: f32,
    /// The distance beyond which it is never used.
    pub max: f32,
}

impl Record for DegradeInfo {
    const KIND: RecordKind = RecordKind::DegradeInfo;

    fn read(id: RecordId, reader: &mut Reader<'_>) -> Result<Self> {
        reader.own_id(id)?;
        let levels = reader.list("levels", 20, |reader| {
            let (model, mode) = (reader.id()?, reader.u32()?);
            let [min, ideal, max] = reader.floats()?;
            Ok(DegradeLevel { model, mode, min, ideal, max })
        })?;
        Ok(Self { id, levels })
    }

    fn write(&self, writer: &mut Writer) -> WriteResult {
        writer.id(self.id);
        writer.list("levels", &self.levels, |writer, level| {
            writer.id(level.model);
            writer.u32(level.mode);
            writer.floats(&[level.min, level.ideal, level.max]);
            Ok(())
        })
    }
}
