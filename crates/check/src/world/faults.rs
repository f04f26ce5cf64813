//! Faults that the builder met, as findings.

use std::collections::BTreeSet;

use threshold_dat::{DatFolder, FileKind, RecordId, RecordKind, Source};
use threshold_land::CellId;
use threshold_land::vector::Vec3;
use threshold_world::{Fault, PieceId, Problem, REGION};

use super::{BlockCheck, Finding};

/// Faults of the pieces of a landblock.
#[derive(Default)]
pub(super) struct Faults(pub(super) Vec<LocatedFault>);

/// A fault with its location.
pub(super) struct LocatedFault {
    fault: Fault,
    cell: CellId,
    point: Option<Vec3>,
}

impl From<Fault> for LocatedFault {
    fn from(fault: Fault) -> Self {
        let cell = match fault.piece {
            PieceId::Land(block) => block.as_cell(),
            PieceId::Room(cell) => cell,
        };
        Self { fault, cell, point: None }
    }
}

impl Faults {
    /// Sets the points of the faults.
    pub(super) fn locate(&mut self, check: &BlockCheck<'_>) {
        let info = check.info.as_ref();
        for LocatedFault { fault, cell, point } in &mut self.0 {
            *point = match (&fault.problem, fault.piece) {
                (Problem::Outside { what: "object", number, .. }, _) => info
                    .and_then(|info| info.objects.get(*number))
                    .map(|object| object.frame.origin),
                (Problem::Outside { number, .. } | Problem::SecondBuilding { number, .. }, _) => {
                    info.and_then(|info| info.buildings.get(*number))
                        .map(|building| building.frame.origin)
                }
                (_, PieceId::Room(cell)) => {
                    let used = check.rooms.get(&cell).map(|room| room.record.position.origin);
                    used.or_else(|| check.unusable.get(&cell).copied())
                }
                _ => None,
            };
            if let Problem::SecondBuilding { cell: taken, .. } = fault.problem {
                *cell = taken;
            }
        }
    }

    /// Converts to findings, without those of the check of records and those `reported` for another piece.
    pub(super) fn into_findings(
        self,
        folder: &DatFolder,
        reported: &mut BTreeSet<(RecordId, String)>,
    ) -> Vec<Finding> {
        let mut out = Vec::new();
        for LocatedFault { fault, cell, point } in self.0 {
            let Some((file, record)) = faulty_record(&fault) else { continue };
            let message = message(&fault.problem);
            if !reported.insert((record, message.clone())) {
                continue;
            }
            let finding = Finding {
                record: Some(record),
                kind: Some(RecordKind::from_id(file, record)),
                cell: Some(cell),
                message,
                ..Finding::new(&folder.name(file))
            };
            out.push(match point {
                Some(point) => finding.at(cell, point),
                None => finding,
            });
        }
        out
    }
}

/// Returns the record that is at fault; `None` if the check of records reports it.
fn faulty_record(fault: &Fault) -> Option<(FileKind, RecordId)> {
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

/// Describes a problem without the record, which the finding names.
fn message(problem: &Problem) -> String {
    match problem {
        Problem::Tree { error, .. } => format!("physics tree: {error}"),
        Problem::Portal { portal, problem, .. } => format!("portal {portal} {problem}"),
        Problem::OutOfRange { what, number, range, .. } => format!("{what} {number}: {range}"),
        other => other.to_string(),
    }
}
