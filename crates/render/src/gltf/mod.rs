//! The world as a file that other programs open: binary glTF 2.0.
//!
//! An [`Exporter`] is told what to write, in any order: the land of a landblock with its buildings, rooms, objects. The file has a
//! node for each, below that of its landblock (objects of a room below the room), and every model, material and picture once, however often it is
//! used. Metres, y up: east is +x, up is +y, north is -z. The same world and the same calls give the same bytes.
//!
//! ```
//! use threshold_forge::samples;
//! use threshold_land::BlockId;
//! use threshold_render::gltf::Exporter;
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
mod shapes;

use threshold_dat::{DatError, RecordId};

pub use self::document::ExportCounts;
pub use self::export::Exporter;
use crate::images::ImageReadError;

/// What is left out of a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportFault {
    /// A record cannot be read.
    #[error(transparent)]
    Record(#[from] DatError),
    /// No such surface: it is grey.
    #[error("there is no surface {0}")]
    Missing(RecordId),
    /// The picture of a surface.
    #[error("the picture of surface {surface}: {error}")]
    Texture {
        /// The surface.
        surface: RecordId,
        /// Why.
        error: ImageReadError,
    },
    /// A texture or mask of the ground.
    #[error("a texture of the ground: {0}")]
    Ground(ImageReadError),
    /// Some triangles of a model or room.
    #[error("{0}: it has corners that are no points")]
    NotAPoint(RecordId),
    /// Something that stands nowhere.
    #[error("{0}: it stands at no point")]
    Nowhere(RecordId),
}

/// Why there is no file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// There is nothing to write.
    #[error("there is nothing to write")]
    Empty,
    /// More than the format can hold.
    #[error("it would be larger than four gigabytes, which the format cannot hold")]
    TooLarge,
    /// It cannot be put in words.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// A picture cannot be written.
    #[error(transparent)]
    Image(#[from] image::ImageError),
}

/// A file, and what is to be said of it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Export {
    /// The whole file.
    pub bytes: Vec<u8>,
    /// What is in it.
    pub counts: ExportCounts,
    /// What is not, besides what was not resident.
    pub faults: Vec<ExportFault>,
}
