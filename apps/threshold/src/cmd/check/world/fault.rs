//! What the builder had to leave out, as findings.

use std::collections::BTreeSet;

use threshold_dat::{DatFolder, FileKind, RecordId, RecordKind, Source};
use threshold_land::CellId;
use threshold_land::glam::Vec3;
use threshold_world::{Fault, PieceId, Problem, REGION};

use super::{Finding, Site};

/// What was left out of the pieces of a landblock.
#[derive(Default)]
pub(super) struct Faults(pub(super) Vec<Located>);

/// A fault and where it is.
pub(super) struct Located {
    fault: Fault,
    cell: CellId,
    point: Option<Vec3>,
}

impl From<Fault> for Located {
    fn from(fault: Fault) -> Self {
        let cell = match fault.piece {
            PieceId::Land(block) => block.as_cell(),
            PieceId::Room(cell) => cell,
        };
        Self { fault, cell, point: None }
    }
}

impl Faults {
    /// Finds the places of what was left out.
    pub(super) fn locate(&mut self, site: &Site<'_>) {
        let info = site.info.as_ref();
        for Located { fault, cell, point } in &mut self.0 {
            *point = match (&fault.problem, fault.piece) {
                (Problem::Outside { what: "object", number, .. }, _) => info
                    .and_then(|info| info.objects.get(*number))
                    .map(|object| object.frame.origin),
                (Problem::Outside { number, .. } | Problem::SecondBuilding { number, .. }, _) => {
                    info.and_then(|info| info.buildings.get(*number))
                        .map(|building| building.frame.origin)
                }
                (_, PieceId::Room(cell)) => {
                    let used = site.rooms.get(&cell).map(|room| room.record.position.origin);
                    used.or_else(|| site.unusable.get(&cell).copied())
                }
                _ => None,
            };
            if let Problem::SecondBuilding { cell: taken, .. } = fault.problem {
                *cell = taken;
            }
        }
    }

    /// Leaves out what the checks of records have said, and what was said of another piece.
    pub(super) fn into_findings(
        self,
        folder: &DatFolder,
        said: &mut BTreeSet<(RecordId, String)>,
    ) -> Vec<Finding> {
        let mut out = Vec::new();
        for Located { fault, cell, point } in self.0 {
            let Some((file, record)) = at_fault(&fault) else { continue };
            let message = message(&fault.problem);
            if !said.insert((record, message.clone())) {
                continue;
            }
            let finding = Finding {
                record: Some(record),
                kind: Some(RecordKind::from_id(file, record)),
                cell: Some(cell),
                message,
                ..Finding::about(&folder.name(file))
            };
            out.push(match point {
                Some(point) => finding.at(cell, point),
                None => finding,
            });
        }
        out
    }
}

/// The record that a fault has to do with; `None` where the checks of records see it.
fn at_fault(fault: &Fault) -> Option<(FileKind, RecordId)> {
    let (block, cell) = (fault.piece.block(), FileKind::Cell);
    match &fault.problem {
        Problem::Tree { record, .. } => Some((FileKind::Portal, *record)),
        Problem::OutOfRange { file, record, .. } => Some((*file, *record)),
        Problem::Height { .. } => Some((FileKind::Portal, REGION)),
        Problem::Portal { record, problem, .. } => {
            (*problem == "has a polygon without area").then_some((cell, *record))
        }
        Problem::Outside { .. } | Problem::SecondBuilding { .. } => {
            Some((cell, block.cell(0xFFFE).into()))
        }
        Problem::NoGround => Some((cell, block.as_cell().into())),
        _ => None,
    }
}

/// Without the record, which the finding names.
fn message(problem: &Problem) -> String {
    match problem {
        Problem::Tree { error, .. } => format!("physics tree: {error}"),
        Problem::Portal { portal, problem, .. } => format!("portal {portal} {problem}"),
        Problem::OutOfRange { what, number, range, .. } => format!("{what} {number}: {range}"),
        other => other.to_string(),
    }
}
