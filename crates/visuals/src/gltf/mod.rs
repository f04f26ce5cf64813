//! Export of a world as binary glTF 2.0.
//!
//! An [`Exporter`] writes the land of landblocks with its buildings, rooms and objects, in any order. Each becomes a node
//! below the node of its landblock, or of its room for objects indoors. Every mesh, material and image is written once.
//! Units are metres and y is up: east is +x, north is -z. The same world and the same calls give the same bytes.
//!
//! ```
//! use threshold_forge::samples;
//! use threshold_land::BlockId;
//! use threshold_visuals::gltf::Exporter;
//! use threshold_world::{Builder, PieceId, World};
//!
//! let builder = Builder::new(samples::house_on_a_hill()?);
//! let mut world = World::new();
//! for piece in builder.pieces() {
//!     world.adopt(builder.build(piece)?.expect("it is one of its pieces").piece);
//! }
//! let hill = BlockId(0xA9B4);
//! let mut exporter = Exporter::new(&**builder.source(), &world, hill);
//! exporter.land(hill)?;
//! for room in world.rooms(hill) {
//!     exporter.room(room);
//! }
//! let export = exporter.finish("a house on a hill")?;
//! assert!(export.faults.is_empty());
//! assert_eq!(&export.bytes[..4], b"glTF");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod binary;
mod document;
mod export;
mod ground;
mod json;
mod material;
mod mesh;
mod recording;
mod shapes;

use threshold_dat::{DatError, RecordId};

pub use self::document::ExportCounts;
pub use self::export::Exporter;
pub use self::recording::recording;
use crate::images::ImageReadError;

/// Something left out of a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportFault {
    /// A record cannot be read.
    #[error(transparent)]
    Record(#[from] DatError),
    /// A missing record.
    #[error("missing {what} {id}")]
    Missing {
        /// Kind of the record.
        what: &'static str,
        /// Id of the record.
        id: RecordId,
    },
    /// The image of a surface.
    #[error("image of surface {surface}: {error}")]
    Texture {
        /// The surface.
        surface: RecordId,
        /// Reason.
        error: ImageReadError,
    },
    /// A texture or mask of the terrain.
    #[error("terrain texture: {0}")]
    Terrain(ImageReadError),
    /// Some triangles of a model or room.
    #[error("{0}: vertex positions are not finite")]
    VerticesNotFinite(RecordId),
    /// A model, room or object.
    #[error("{0}: its position is not finite")]
    PositionNotFinite(RecordId),
}

/// Reason why no file was written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The document has no mesh.
    #[error("nothing to export")]
    Empty,
    /// The file would exceed the limit of the format.
    #[error("file would exceed 4 GiB, the limit of binary glTF")]
    TooLarge,
    /// The JSON part cannot be written.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// An image cannot be encoded.
    #[error(transparent)]
    Image(#[from] image::ImageError),
}

/// A finished file.
#[derive(Debug)]
#[non_exhaustive]
pub struct Export {
    /// Content of the file.
    pub bytes: Vec<u8>,
    /// Numbers of its parts.
    pub counts: ExportCounts,
    /// Parts left out for errors; what was not resident is not listed.
    pub faults: Vec<ExportFault>,
}
