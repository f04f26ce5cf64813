//! Palettes.

use std::fmt;

use serde::{Serialize, Serializer};

use super::{Record, RecordId, RecordKind};
use crate::reader::{Reader, Result};
use crate::writer::{WriteResult, Writer};

/// A colour, `0xAARRGGBB`; printed and serialised as `#AARRGGBB`.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Colour(pub u32);

/// The colours of an indexed image. Retail: `Palette`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Palette {
    /// Its id.
    pub id: RecordId,
    /// 2048 in retail's files.
    pub colours: Vec<Colour>,
}

impl fmt::Debug for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:08X}", self.0)
    }
}

impl Serialize for Colour {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{self:?}"))
    }
}

impl Record for Palette {
    const KIND: RecordKind = RecordKind::Palette;

    fn read(id: RecordId, reader: &mut Reader<'_>) -> Result<Self> {
        reader.own_id(id)?;
        Ok(Self { id, colours: reader.list("colours", 4, |reader| reader.u32().map(Colour))? })
    }

    fn write(&self, writer: &mut Writer) -> WriteResult {
        writer.id(self.id);
        writer.list("colours", &self.colours, |writer, colour| {
            writer.u32(colour.0);
            Ok(())
        })
    }
}
