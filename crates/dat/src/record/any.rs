//! A record of any kind.

use serde::Serialize;

use super::{
    Animation, DegradeInfo, EnvCell, Environment, GfxObj, Iterations, LandBlock, LandBlockInfo,
    MotionTable, Palette, Record, RecordId, RecordKind, RegionDesc, RenderSurface, Scene,
    SetupRecord, Surface, SurfaceTexture, exact,
};
use crate::error::EncodeError;
use crate::reader::Result;

macro_rules! any_record {
    ($($kind:ident($record:ident)),* $(,)?) => {
        /// A record of any kind, for tools that process all kinds.
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[serde(untagged)]
        pub enum AnyRecord {
            $(
                #[doc = concat!("See [`", stringify!($record), "`](super::", stringify!($record), ").")]
                $kind($record),
            )*
            /// A kind that is not decoded.
            Opaque(OpaqueRecord),
        }

        impl AnyRecord {
            /// Decodes the record at the start of `bytes`. Also returns the number of bytes after
            /// its end.
            pub fn decode_prefix(kind: RecordKind, id: RecordId, bytes: &[u8]) -> Result<(Self, usize)> {
                match kind {
                    $(RecordKind::$kind => {
                        $record::decode_prefix(id, bytes).map(|(record, left)| (Self::$kind(record), left))
                    })*
                    RecordKind::Opaque(_) => Ok((Self::Opaque(OpaqueRecord { bytes: bytes.into() }), 0)),
                }
            }

            /// Decodes the record in `bytes`; bytes after its end are an error.
            pub fn decode_exact(kind: RecordKind, id: RecordId, bytes: &[u8]) -> Result<Self> {
                exact(id, bytes, Self::decode_prefix(kind, id, bytes)?)
            }

            /// Decodes the record in `bytes`; bytes after its end are ignored.
            pub fn decode(kind: RecordKind, id: RecordId, bytes: &[u8]) -> Result<Self> {
                Self::decode_prefix(kind, id, bytes).map(|(record, _)| record)
            }

            /// Encodes the record.
            pub fn encode(&self) -> Result<Vec<u8>, EncodeError> {
                match self {
                    $(Self::$kind(record) => record.encode(),)*
                    Self::Opaque(record) => Ok(record.bytes.to_vec()),
                }
            }
        }
    };
}

any_record!(
    LandBlock(LandBlock),
    LandBlockInfo(LandBlockInfo),
    EnvCell(EnvCell),
    GfxObj(GfxObj),
    Setup(SetupRecord),
    Animation(Animation),
    Palette(Palette),
    SurfaceTexture(SurfaceTexture),
    RenderSurface(RenderSurface),
    Surface(Surface),
    MotionTable(MotionTable),
    Environment(Environment),
    DegradeInfo(DegradeInfo),
    Scene(Scene),
    Region(RegionDesc),
    Iterations(Iterations),
);

/// The bytes of a record that is not decoded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OpaqueRecord {
    /// The bytes as stored.
    #[serde(serialize_with = "hex")]
    pub bytes: Box<[u8]>,
}

fn hex<S: serde::Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    struct Hex<'a>(&'a [u8]);
    impl std::fmt::Display for Hex<'_> {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            self.0.iter().try_for_each(|byte| write!(f, "{byte:02X}"))
        }
    }
    serializer.collect_str(&Hex(bytes))
}
