//! Compares two results of a scenario.
//!
//! Walks, falls, placements and camera sweeps must end in the same cell, within 2 mm in each coordinate
//! and with the same contact; cell arrays must have the same order and the same containing cell;
//! coordinate calls must agree in the fields that both sides have. Normals, planes and velocities are
//! recorded for the reader and not compared.
//!
//! Not every record is evidence. Both recorded cameras stop up to a radius short of an obstacle, and
//! outdoors never move, which contradicts the studies: a camera sweep [`counts`] only if it hit nothing.
//!
//! ```
//! use threshold_conformance::{Kind, compare::first_difference, record::ScenarioResult};
//!
//! let ours = ScenarioResult::parse(br#"{"id":"x","steps":[{"ok":true,"cell":"0xA9B40031","pos":[1,2,3]}]}"#)?;
//! let mut theirs = ours.clone();
//! theirs.steps[0].pos = [1.0, 2.0, 3.001].into();
//! assert_eq!(first_difference(Kind::Viewer, &ours.steps, &theirs.steps), None);
//!
//! theirs.steps[0].pos = [1.0, 2.0, 3.5].into();
//! let difference = first_difference(Kind::Viewer, &ours.steps, &theirs.steps);
//! let message = difference.expect("half a metre is too far").to_string();
//! assert_eq!(message, "step 0: pos: ours [1,2,3], theirs [1,2,3.5] (0.5000 m apart)");
//! # Ok::<(), threshold_conformance::ParseError>(())
//! ```

mod exact;

use std::fmt;

use serde::Serialize;

pub use self::exact::{count_different_steps, first_exact_difference};
use crate::Kind;
use crate::record::{Field, Step, to_text};

/// Tolerance of positions in each coordinate, in metres.
pub const POSITION_TOLERANCE: f64 = 0.002;
/// Tolerance of coordinate calls, which only add, in metres.
pub const LANDDEFS_TOLERANCE: f64 = 1e-3;

/// The first difference between two results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The first step that differs, from 0; if one result is longer, its first additional step.
    pub step: usize,
    /// Its kind, with both values.
    #[serde(flatten)]
    pub kind: DifferenceKind,
}

/// The kind of a difference, with both values.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DifferenceKind {
    /// The number of steps.
    Length {
        /// Of ours.
        ours: usize,
        /// Of theirs.
        theirs: usize,
    },
    /// The content of a step.
    Fields(Vec<FieldDifference>),
}

/// A field that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FieldDifference {
    /// Its name.
    pub field: &'static str,
    /// Ours, as JSON.
    pub ours: String,
    /// Theirs, as JSON.
    pub theirs: String,
    /// Largest distance of two positions in a coordinate, in metres.
    pub apart: Option<f64>,
}

/// Returns whether a recorded result is evidence for ours: all are, except those of cameras that hit
/// something. (In traces these are, too: [`RecordedResults::is_evidence`](crate::RecordedResults::is_evidence).)
pub fn counts(kind: Kind, recorded: &[Step]) -> bool {
    kind != Kind::Viewer || recorded.iter().all(|step| step.hit.value().is_none())
}

/// Returns the first difference between two results of a scenario; `None` if they are the same.
pub fn first_difference(kind: Kind, ours: &[Step], theirs: &[Step]) -> Option<Difference> {
    let pairs = ours.iter().zip(theirs).enumerate();
    let mut differences = pairs.map(|(step, (a, b))| (step, step_differences(kind, a, b)));
    if let Some((step, fields)) = differences.find(|(_, fields)| !fields.is_empty()) {
        return Some(Difference { step, kind: DifferenceKind::Fields(fields) });
    }
    Difference::of_lengths(ours, theirs)
}

impl Difference {
    /// The difference of two results whose common steps are the same.
    fn of_lengths(ours: &[Step], theirs: &[Step]) -> Option<Self> {
        let (ours, theirs) = (ours.len(), theirs.len());
        let kind = DifferenceKind::Length { ours, theirs };
        (ours != theirs).then(|| Self { step: ours.min(theirs), kind })
    }
}

/// Returns the largest of some distances; `None` if one is not a number.
fn farthest(distances: impl Iterator<Item = f64>) -> Option<f64> {
    let farthest = distances.fold(0.0, |max: f64, next| if next <= max { max } else { next });
    farthest.is_finite().then_some(farthest)
}

/// Counts equal steps. A step that only one result has is not equal.
pub(crate) fn same_steps(kind: Kind, ours: &[Step], theirs: &[Step]) -> usize {
    ours.iter().zip(theirs).filter(|(a, b)| step_differences(kind, a, b).is_empty()).count()
}

/// Returns the fields in which two steps differ.
pub fn step_differences(kind: Kind, ours: &Step, theirs: &Step) -> Vec<FieldDifference> {
    let mut found = Fields::default();
    if kind == Kind::Cells {
        found.values("cells", &ours.cells, &theirs.cells);
        found.values("cell", &ours.cell, &theirs.cell);
        return found.0;
    }
    if ours.is_ok() != theirs.is_ok() {
        found.values("ok", &ours.ok, &theirs.ok);
        return found.0;
    }
    // A refused move still has a position; other kinds have nothing to compare.
    if !ours.is_ok() && !matches!(kind, Kind::Walk | Kind::Sim) {
        return Vec::new();
    }
    if kind == Kind::Landdefs {
        found.call(ours, theirs);
    } else {
        found.motion(kind, ours, theirs);
    }
    found.0
}

/// The differing fields found.
#[derive(Default)]
struct Fields(Vec<FieldDifference>);

impl Fields {
    fn motion(&mut self, kind: Kind, ours: &Step, theirs: &Step) {
        self.values("cell", &ours.cell, &theirs.cell);
        self.positions(&ours.pos, &theirs.pos, POSITION_TOLERANCE);
        if matches!(kind, Kind::Walk | Kind::Sim) {
            self.values("contact", &ours.contact, &theirs.contact);
            self.values("walkable", &ours.walkable, &theirs.walkable);
        }
    }

    /// Compares only fields that both sides have.
    fn call(&mut self, ours: &Step, theirs: &Step) {
        if in_both(&ours.cell, &theirs.cell) {
            self.values("cell", &ours.cell, &theirs.cell);
        }
        if in_both(&ours.lcoord, &theirs.lcoord) {
            self.values("lcoord", &ours.lcoord, &theirs.lcoord);
        }
        if in_both(&ours.pos, &theirs.pos) {
            self.positions(&ours.pos, &theirs.pos, LANDDEFS_TOLERANCE);
        }
    }

    fn values<T: PartialEq + Serialize>(
        &mut self,
        field: &'static str,
        ours: &Field<T>,
        theirs: &Field<T>,
    ) {
        if ours.value() != theirs.value() {
            self.0.push(FieldDifference::new(field, ours, theirs));
        }
    }

    fn positions(&mut self, ours: &Field<[f64; 3]>, theirs: &Field<[f64; 3]>, tolerance: f64) {
        let (Some(a), Some(b)) = (ours.value(), theirs.value()) else {
            return self.values("pos", ours, theirs);
        };
        let apart = a.iter().zip(b).map(|(a, b)| (a - b).abs());
        // Negated, so that NaN counts as too far.
        if !apart.clone().all(|distance| distance <= tolerance) {
            let apart = farthest(apart);
            self.0.push(FieldDifference { apart, ..FieldDifference::new("pos", ours, theirs) });
        }
    }
}

fn in_both<T>(ours: &Field<T>, theirs: &Field<T>) -> bool {
    !ours.is_absent() && !theirs.is_absent()
}

impl FieldDifference {
    fn new<T: Serialize>(field: &'static str, ours: &Field<T>, theirs: &Field<T>) -> Self {
        Self { field, ours: shown(ours), theirs: shown(theirs), apart: None }
    }
}

fn shown<T: Serialize>(field: &Field<T>) -> String {
    let text = (!field.is_absent()).then(|| to_text(field).ok()).flatten();
    text.unwrap_or_else(|| "nothing".to_owned())
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}: ", self.step)?;
        match &self.kind {
            DifferenceKind::Length { ours, theirs } => {
                write!(f, "ours has {ours} steps, theirs {theirs}")
            }
            DifferenceKind::Fields(fields) => {
                let texts: Vec<String> = fields.iter().map(ToString::to_string).collect();
                f.write_str(&texts.join("; "))
            }
        }
    }
}

impl fmt::Display for FieldDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ours {}, theirs {}", self.field, self.ours, self.theirs)?;
        match self.apart {
            Some(apart) => write!(f, " ({apart:.4} m apart)"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
