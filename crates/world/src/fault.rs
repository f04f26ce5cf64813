//! What is wrong with a piece of the world.

use std::sync::Arc;

use threshold_dat::{DatError, FileKind, RecordId};
use threshold_geom::TreeError;
use threshold_land::CellId;

use crate::limits::RangeError;
use crate::piece::PieceId;

/// A part of a piece that cannot be used, or the whole piece.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{piece}: {problem}")]
pub struct Fault {
    /// The piece.
    pub piece: PieceId,
    /// What is wrong.
    pub problem: Problem,
}

/// Why a piece or a part of it cannot be used.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// A record cannot be read.
    #[error(transparent)]
    Record(Arc<DatError>),
    /// A record that another one refers to does not exist.
    #[error("{what} {record} is not there")]
    Missing {
        /// What kind of record it is.
        what: &'static str,
        /// The id of the record.
        record: RecordId,
    },
    /// The environment has no structure with the number that a room refers to.
    #[error("environment {environment} has no structure {structure}")]
    NoStructure {
        /// The environment.
        environment: RecordId,
        /// The number.
        structure: u32,
    },
    /// A polygon, vertex or portal number that does not exist.
    #[error("{record}: {what} {number} is not there")]
    NoSuch {
        /// The record that contains the number.
        record: RecordId,
        /// What the number refers to.
        what: &'static str,
        /// The number.
        number: u32,
    },
    /// The polygon of a portal cannot be used.
    #[error("{record}: portal {portal} {problem}")]
    Portal {
        /// The room.
        record: RecordId,
        /// Index of the portal.
        portal: usize,
        /// What is wrong with the polygon.
        problem: &'static str,
    },
    /// The nodes of a physics tree do not form a tree.
    #[error("{record}: physics tree: {error}")]
    Tree {
        /// The record of the tree.
        record: RecordId,
        /// What is wrong with it.
        error: TreeError,
    },
    /// A height table that the retail client would not read to its end.
    #[error("region {}: height {index} of its table: 256 heights from 0 to 800 m expected, {} found", crate::region::REGION, found(*height))]
    Height {
        /// The index of the first wrong height.
        index: usize,
        /// The value found, or `None` if the table ends here.
        height: Option<f32>,
    },
    /// A number outside the range allowed for a room, building or object. See [`RangeError`].
    #[error("{}, record {record}: {what} {number}: {range}", file.file_name())]
    OutOfRange {
        /// The file of the record.
        file: FileKind,
        /// The record.
        record: RecordId,
        /// The item that the number belongs to.
        what: &'static str,
        /// The index of the item in its list.
        number: usize,
        /// The number and its range.
        range: RangeError,
    },
    /// An id that is not that of a model or setup.
    #[error("{record} is neither a model nor a setup")]
    NotAModel {
        /// The id.
        record: RecordId,
    },
    /// An object or building with an origin outside its own landblock.
    #[error("{what} {number} ({record}) is outside its landblock")]
    Outside {
        /// "object" or "building".
        what: &'static str,
        /// Its index in the list.
        number: usize,
        /// Its model.
        record: RecordId,
    },
    /// A second building in one land cell.
    #[error("building {number} stands in land cell {cell}, which has one already")]
    SecondBuilding {
        /// Its index in the list.
        number: usize,
        /// The land cell.
        cell: CellId,
    },
    /// The terrain heights form no triangles.
    #[error("the heights form no triangles")]
    NoGround,
}

fn found(height: Option<f32>) -> String {
    height.map_or_else(|| "the end".to_owned(), |height| height.to_string())
}

impl From<DatError> for Problem {
    fn from(error: DatError) -> Self {
        Self::Record(Arc::new(error))
    }
}
