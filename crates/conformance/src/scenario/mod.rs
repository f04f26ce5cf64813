//! The scenario format.
//!
//! A scenario is one JSON object on one line. Positions are local to the landblock of their cell, in
//! metres, and may leave it; rotations are `[w, x, y, z]`; ids and states are text such as
//! `"0xA9B40031"`. Unknown fields are skipped.
//!
//! ```
//! use threshold_conformance::scenario::{Job, Scenario};
//!
//! let line = r#"{"id":"step","kind":"walk","world":"holt","mover":{"setup":"0x02000001",
//!     "state":"0x00400408"},"start":{"cell":"0xA9B40031","pos":[150,1,40.1]},"moves":[[0,-2,0]]}"#;
//! let scenario = Scenario::parse(line.as_bytes())?;
//! let Job::Walk(walk) = scenario.job else { panic!("it is a walk") };
//! assert_eq!((walk.mover.scale, walk.moves.len()), (1.0, 1));
//! # Ok::<(), threshold_conformance::ParseError>(())
//! ```

mod call;
mod input;
mod text;

use std::io;

use serde::{Deserialize, Serialize};
use threshold_dat::RecordId;
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Frame, Position, Rotation};
use threshold_world::State;

pub use self::call::Call;
pub use self::input::StepInput;
use crate::Kind;
use crate::parse::{ParseError, parse};
use crate::record::to_text;

/// A named job for a world.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Its id, which its record and the list of known differences use.
    pub id: String,
    /// The world it is for.
    pub world: String,
    /// What to run.
    pub job: Job,
}

/// Fields of every scenario.
#[derive(Deserialize)]
struct Head {
    id: String,
    world: String,
    kind: Kind,
}

impl Scenario {
    /// Reads a scenario from a line.
    pub fn parse(line: &[u8]) -> Result<Self, ParseError> {
        let Head { id, world, kind } = parse(line)?;
        // Parsed again by kind, so that an error has its column.
        let job = match kind {
            Kind::Walk => Job::Walk(parse(line)?),
            Kind::Sim => Job::Sim(parse(line)?),
            Kind::Place => Job::Place(parse(line)?),
            Kind::Cells => Job::Cells(parse(line)?),
            Kind::Viewer => Job::Viewer(parse(line)?),
            Kind::Landdefs => Job::Landdefs(parse(line)?),
        };
        if let Some(what) = job.fault() {
            return Err(ParseError { column: 1, what: what.to_owned() });
        }
        Ok(Self { id, world, job })
    }

    /// Formats it as a line without line end, numbers as in records.
    pub fn to_line(&self) -> io::Result<String> {
        let Self { id, world, job } = self;
        to_text(&Line { id, kind: job.kind(), world, job })
    }

    /// Returns the number of its steps.
    pub fn steps(&self) -> usize {
        match &self.job {
            Job::Walk(job) => job.moves.len(),
            // At most a million.
            Job::Sim(job) => usize::try_from(job.ticks).unwrap_or(usize::MAX),
            Job::Place(job) => job.candidates.len(),
            Job::Cells(job) => job.queries.len(),
            Job::Viewer(_) => 1,
            Job::Landdefs(job) => job.calls.len(),
        }
    }

    /// Returns its kind.
    pub fn kind(&self) -> Kind {
        self.job.kind()
    }
}

/// A scenario as written.
#[derive(Serialize)]
struct Line<'a> {
    id: &'a str,
    kind: Kind,
    world: &'a str,
    #[serde(flatten)]
    job: &'a Job,
}

/// Maximum number of ticks of a fall; each is recorded.
const MAX_TICKS: u32 = 1_000_000;
const TOO_LONG: &str = "more than 1000000 ticks; divide the fall into several scenarios";
const TOO_LARGE: &str = "a number is not finite in single precision";

/// The content of a scenario, by its `kind`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Job {
    /// A mover takes one step after another.
    Walk(WalkJob),
    /// A mover is thrown and left to gravity.
    Sim(SimJob),
    /// A mover is placed at positions that may be occupied.
    Place(PlaceJob),
    /// The cells that a sphere touches and the one that contains it.
    Cells(CellsJob),
    /// A camera moves back from its target.
    Viewer(ViewerJob),
    /// Arithmetic of landblocks and cells.
    Landdefs(LanddefsJob),
}

impl Job {
    /// Returns why a job that can be read cannot be run.
    pub(crate) fn fault(&self) -> Option<&'static str> {
        if !self.is_finite() {
            return Some(TOO_LARGE);
        }
        match self {
            Self::Sim(sim) if sim.ticks > MAX_TICKS => Some(TOO_LONG),
            Self::Sim(sim) if sim.dt < 0.0 => Some("dt is negative"),
            Self::Viewer(viewer) if viewer.radius < 0.0 => Some("radius is negative"),
            _ => None,
        }
    }

    /// Returns whether all positions, offsets and sizes are finite.
    fn is_finite(&self) -> bool {
        let objects = |list: &[ScenarioObject]| list.iter().all(ScenarioObject::is_finite);
        match self {
            Self::Walk(WalkJob { mover, start, objects: list, moves }) => {
                mover.is_finite()
                    && start.is_finite()
                    && objects(list)
                    && moves.iter().all(|by| by.is_finite())
            }
            Self::Sim(SimJob { mover, start, objects: list, velocity, dt, .. }) => {
                mover.is_finite()
                    && start.is_finite()
                    && objects(list)
                    && velocity.is_finite()
                    && dt.is_finite()
            }
            Self::Place(PlaceJob { mover, candidates, objects: list }) => {
                mover.is_finite()
                    && objects(list)
                    && candidates.iter().all(|point| point.pos.is_finite())
            }
            Self::Cells(job) => {
                job.queries.iter().all(|query| query.pos.is_finite() && query.radius.is_finite())
            }
            Self::Viewer(ViewerJob { mover, from, to, radius }) => {
                mover.is_finite() && from.pos.is_finite() && to.is_finite() && radius.is_finite()
            }
            Self::Landdefs(_) => true,
        }
    }

    /// Returns its kind.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Walk(_) => Kind::Walk,
            Self::Sim(_) => Kind::Sim,
            Self::Place(_) => Kind::Place,
            Self::Cells(_) => Kind::Cells,
            Self::Viewer(_) => Kind::Viewer,
            Self::Landdefs(_) => Kind::Landdefs,
        }
    }
}

/// A mover stands at `start` and tries one move after another; a move that fails changes nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WalkJob {
    /// The mover.
    pub mover: MoverSpec,
    /// Its start.
    pub start: Start,
    /// Other objects in the world.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<ScenarioObject>,
    /// By how much each move shifts the mover, in metres.
    pub moves: Vec<Vec3>,
}

/// A mover at `start` with a velocity is updated `ticks` times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SimJob {
    /// The thrown mover.
    pub mover: MoverSpec,
    /// Its start.
    pub start: Start,
    /// Other objects in the world.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<ScenarioObject>,
    /// Velocity in metres a second.
    pub velocity: Vec3,
    /// Time of an update in seconds.
    pub dt: f32,
    /// Number of updates.
    pub ticks: u32,
}

/// A new mover is placed at each candidate and removed again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlaceJob {
    /// The mover.
    pub mover: MoverSpec,
    /// The candidate positions.
    pub candidates: Vec<Point>,
    /// Other objects in the world.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<ScenarioObject>,
}

/// Cell queries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellsJob {
    /// In order.
    pub queries: Vec<Query>,
}

/// A sphere that moves on a straight line as a camera does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ViewerJob {
    /// The owner of the camera.
    pub mover: MoverSpec,
    /// Start of its centre.
    pub from: Point,
    /// Goal of its centre, in the frame of `from`.
    pub to: Vec3,
    /// Radius in metres.
    pub radius: f32,
}

/// Calls of coordinate functions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LanddefsJob {
    /// In order.
    pub calls: Vec<Call>,
}

/// A mover.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoverSpec {
    /// Its setup.
    #[serde(with = "text::id")]
    pub setup: RecordId,
    /// Its physics state.
    #[serde(with = "text::state")]
    pub state: State,
    /// Its scale (default 1).
    #[serde(default = "natural_size")]
    pub scale: f32,
    /// Whether it is a player.
    #[serde(default)]
    pub player: bool,
}

/// Start of a mover, used as given: its cell is this one, even if another contains it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// Its cell.
    pub cell: CellId,
    /// Position in the landblock of the cell.
    pub pos: Vec3,
    /// Its rotation (default none).
    #[serde(default = "not_turned")]
    pub rot: Rotation,
    /// Whether it stands on walkable ground.
    #[serde(default)]
    pub contact: bool,
}

impl MoverSpec {
    fn is_finite(&self) -> bool {
        self.scale.is_finite()
    }
}

/// Returns whether a position and a rotation are finite.
fn is_placed(pos: Vec3, rot: Rotation) -> bool {
    pos.is_finite() && rot.to_array().iter().all(|part| part.is_finite())
}

impl Start {
    fn is_finite(&self) -> bool {
        is_placed(self.pos, self.rot)
    }

    /// Converts it to a position.
    pub fn position(&self) -> Position {
        position(self.cell, self.pos, self.rot)
    }
}

/// An object that is in the world before the mover.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScenarioObject {
    /// Its setup.
    #[serde(with = "text::id")]
    pub setup: RecordId,
    /// Its cell.
    pub cell: CellId,
    /// Position in the landblock of the cell.
    pub pos: Vec3,
    /// Its rotation (default none).
    #[serde(default = "not_turned")]
    pub rot: Rotation,
    /// Its physics state.
    #[serde(with = "text::state")]
    pub state: State,
    /// Its scale (default 1).
    #[serde(default = "natural_size")]
    pub scale: f32,
}

impl ScenarioObject {
    fn is_finite(&self) -> bool {
        is_placed(self.pos, self.rot) && self.scale.is_finite()
    }

    /// Converts it to a position.
    pub fn position(&self) -> Position {
        position(self.cell, self.pos, self.rot)
    }
}

/// A point in the landblock of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The cell.
    pub cell: CellId,
    /// Position in the landblock of the cell.
    pub pos: Vec3,
}

/// A query for the cells that a sphere touches, starting from `cell`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Query {
    /// The last known cell.
    pub cell: CellId,
    /// The centre, in the landblock of `cell`.
    pub pos: Vec3,
    /// Radius in metres.
    pub radius: f32,
}

fn natural_size() -> f32 {
    1.0
}

fn not_turned() -> Rotation {
    Rotation::IDENTITY
}

fn position(cell: CellId, origin: Vec3, rotation: Rotation) -> Position {
    Position { cell, frame: Frame { origin, rotation } }
}

#[cfg(test)]
mod tests;
