//! What is wrong with a piece of the world.

use std::sync::Arc;

use threshold_dat::{DatError, FileKind, RecordId};
use threshold_geom::TreeError;
use threshold_land::CellId;

use crate::limits::RangeError;
use crate::piece::PieceId;

/// Something of a piece that cannot be used: the whole piece, or one object of it.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{piece}: {problem}")]
pub struct Fault {
    /// Where.
    pub piece: PieceId,
    /// What.
    pub problem: Problem,
}

/// Why something cannot be used.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// A record that cannot be read.
    #[error(transparent)]
    Record(Arc<DatError>),
    /// A record that something names is not there.
    #[error("{what} {record} is not there")]
    Missing {
        /// What it would be.
        what: &'static str,
        /// Its id.
        record: RecordId,
    },
    /// An environment without the shape that a room names.
    #[error("environment {environment} has no structure {structure}")]
    NoStructure {
        /// The environment.
        environment: RecordId,
        /// The number that is not there.
        structure: u32,
    },
    /// A polygon, vertex or portal number that leads nowhere.
    #[error("{record}: {what} {number} is not there")]
    NoSuch {
        /// The record with the number.
        record: RecordId,
        /// What the number names.
        what: &'static str,
        /// The number.
        number: u32,
    },
    /// A portal whose polygon cannot be used.
    #[error("{record}: portal {portal} {problem}")]
    Portal {
        /// The room.
        record: RecordId,
        /// Index of the portal.
        portal: usize,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A tree whose nodes do not make one.
    #[error("{record}: physics tree: {error}")]
    Tree {
        /// The record with the tree.
        record: RecordId,
        /// What is wrong with it.
        error: TreeError,
    },
    /// A table of heights that the retail client would not read to its end.
    #[error("region {}: height {index} of its table: 256 heights from 0 to 800 m expected, {} found", crate::region::REGION, found(*height))]
    Height {
        /// Index of the first bad one.
        index: usize,
        /// What is there.
        height: Option<f32>,
    },
    /// A number that cannot belong to a room, a building or an object. See the ranges in [`RangeError`].
    #[error("{}, record {record}: {what} {number}: {range}", file.file_name())]
    OutOfRange {
        /// The file of the record.
        file: FileKind,
        /// The record.
        record: RecordId,
        /// What has the number.
        what: &'static str,
        /// Its index in its list.
        number: usize,
        /// The number and its range.
        range: RangeError,
    },
    /// An id that is not one of a model or setup.
    #[error("{record} is neither a model nor a setup")]
    NotAModel {
        /// The id.
        record: RecordId,
    },
    /// An object or building whose origin is not above its own landblock.
    #[error("{what} {number} ({record}) stands outside its landblock, or nowhere")]
    Outside {
        /// What it is.
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
    /// Ground that makes no triangles.
    #[error("the heights make no ground")]
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
