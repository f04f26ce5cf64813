//! When two answers are the same.
//!
//! Walks, falls, placements and camera sweeps end in the same cell within 2 mm a coordinate, and with
//! the same contact; lists of cells are the same in the same order, with the same pick; coordinate calls
//! have the same answer in what both sides say. Normals, planes and velocities are recorded for the
//! reader and not compared.
//!
//! Not every record is evidence. Both recorded cameras stop up to a radius short of what they meet, and
//! outdoors never move, which the studies hold to be wrong: a camera sweep [`counts`] only where it met
//! nothing.
//!
//! ```
//! use threshold_conformance::{Kind, compare::first_difference, record::Record};
//!
//! let ours = Record::parse(br#"{"id":"x","steps":[{"ok":true,"cell":"0xA9B40031","pos":[1,2,3]}]}"#)?;
//! let mut theirs = ours.clone();
//! theirs.steps[0].pos = [1.0, 2.0, 3.001].into();
//! assert_eq!(first_difference(Kind::Viewer, &ours.steps, &theirs.steps), None);
//!
//! theirs.steps[0].pos = [1.0, 2.0, 3.5].into();
//! let difference = first_difference(Kind::Viewer, &ours.steps, &theirs.steps);
//! let said = difference.expect("half a metre is too far").to_string();
//! assert_eq!(said, "step 0: pos: ours [1,2,3], theirs [1,2,3.5] (0.5000 m apart)");
//! # Ok::<(), threshold_conformance::ParseError>(())
//! ```

mod exact;

use std::fmt;

use serde::Serialize;

pub use self::exact::{first_parting, parted_steps};
use crate::Kind;
use crate::record::{Field, Step, to_text};

/// How far two positions may be apart in each coordinate, in metres.
pub const POSITION_TOLERANCE: f64 = 0.002;
/// The same for coordinate calls, which only add.
pub const LANDDEFS_TOLERANCE: f64 = 1e-3;

/// Where two answers part.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The first step that is not the same, from 0. Where one answer is longer, the first that it has
    /// and the other has not.
    pub step: usize,
    /// What differs there.
    #[serde(flatten)]
    pub what: What,
}

/// What differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
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
    /// Of two positions, the largest distance in a coordinate, in metres.
    pub apart: Option<f64>,
}

/// Whether a recorded answer says what ours must be: all do, except that of a camera that met something. (Of
/// traces all do: [`Recorded::is_evidence`](crate::Recorded::is_evidence).)
pub fn counts(kind: Kind, recorded: &[Step]) -> bool {
    kind != Kind::Viewer || recorded.iter().all(|step| step.hit.value().is_none())
}

/// Where two answers to a scenario of this kind part; `None` when they are the same.
pub fn first_difference(kind: Kind, ours: &[Step], theirs: &[Step]) -> Option<Difference> {
    let pairs = ours.iter().zip(theirs).enumerate();
    let mut differences = pairs.map(|(step, (a, b))| (step, step_differences(kind, a, b)));
    if let Some((step, fields)) = differences.find(|(_, fields)| !fields.is_empty()) {
        return Some(Difference { step, what: What::Fields(fields) });
    }
    Difference::of_lengths(ours, theirs)
}

impl Difference {
    /// That of two answers whose common steps are the same.
    fn of_lengths(ours: &[Step], theirs: &[Step]) -> Option<Self> {
        let (ours, theirs) = (ours.len(), theirs.len());
        let what = What::Length { ours, theirs };
        (ours != theirs).then(|| Self { step: ours.min(theirs), what })
    }
}

/// The largest of some distances; what is no number has none.
fn farthest(distances: impl Iterator<Item = f64>) -> Option<f64> {
    let farthest = distances.fold(0.0, |most: f64, next| if next <= most { most } else { next });
    farthest.is_finite().then_some(farthest)
}

/// How many steps are the same. Those that only one answer has are not.
pub fn same_steps(kind: Kind, ours: &[Step], theirs: &[Step]) -> usize {
    ours.iter().zip(theirs).filter(|(a, b)| step_differences(kind, a, b).is_empty()).count()
}

/// What differs between two steps; nothing when they are the same.
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
    // What a move that failed left behind is compared; elsewhere there is nothing to compare.
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

/// The fields that differ so far.
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

    /// Only what both sides say anything about.
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
        // Written so that a distance that is not a number is too far.
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
        match &self.what {
            What::Length { ours, theirs } => write!(f, "ours has {ours} steps, theirs {theirs}"),
            What::Fields(fields) => {
                let said: Vec<String> = fields.iter().map(ToString::to_string).collect();
                f.write_str(&said.join("; "))
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
