//! The scenario format: what is asked of a world.
//!
//! A scenario is one JSON object on one line. Positions are local to the landblock of their cell, in
//! metres, and may leave it; rotations are `[w, x, y, z]`; ids and states are text such as
//! `"0xA9B40031"`. Fields that are not known are passed over.
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

mod ask;
mod call;
mod text;

use std::io;

use serde::{Deserialize, Serialize};
use threshold_dat::RecordId;
use threshold_land::glam::Vec3;
use threshold_land::{CellId, Frame, Position, Rotation};
use threshold_world::State;

pub use self::ask::Ask;
pub use self::call::Call;
use crate::Kind;
use crate::parse::{ParseError, parse};
use crate::record::to_text;

/// What is asked of a world, under a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Its name, which its record and the list of known differences use.
    pub id: String,
    /// The world it is for.
    pub world: String,
    /// What is asked.
    pub job: Job,
}

/// What every scenario has.
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
        // Read again, by its kind: so an error knows its column.
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

    /// As a line, without its end; numbers as records have them.
    pub fn to_line(&self) -> io::Result<String> {
        let Self { id, world, job } = self;
        to_text(&Line { id, kind: job.kind(), world, job })
    }

    /// How many answers it gets.
    pub fn steps(&self) -> usize {
        match &self.job {
            Job::Walk(job) => job.moves.len(),
            // No more than a million.
            Job::Sim(job) => usize::try_from(job.ticks).unwrap_or(usize::MAX),
            Job::Place(job) => job.candidates.len(),
            Job::Cells(job) => job.queries.len(),
            Job::Viewer(_) => 1,
            Job::Landdefs(job) => job.calls.len(),
        }
    }

    /// What it asks for.
    pub fn kind(&self) -> Kind {
        self.job.kind()
    }
}

/// A scenario as it is written.
#[derive(Serialize)]
struct Line<'a> {
    id: &'a str,
    kind: Kind,
    world: &'a str,
    #[serde(flatten)]
    job: &'a Job,
}

/// No fall takes longer; every tick is recorded.
const MOST_TICKS: u32 = 1_000_000;
const TOO_LONG: &str = "more than 1000000 ticks";
const TOO_LARGE: &str = "a number is too large for one of single precision";

/// What a scenario asks, by its `kind`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Job {
    /// A mover takes one step after another.
    Walk(Walk),
    /// A mover is thrown and left to gravity.
    Sim(Sim),
    /// A mover is put into the world at places that may be taken.
    Place(Place),
    /// Which cells a sphere touches and which one it is in.
    Cells(Cells),
    /// A camera moves back from what it looks at.
    Viewer(Viewer),
    /// Arithmetic of landblocks and cells.
    Landdefs(Landdefs),
}

impl Job {
    /// What keeps it from being run, though it can be read.
    pub(crate) fn fault(&self) -> Option<&'static str> {
        if !self.is_finite() {
            return Some(TOO_LARGE);
        }
        match self {
            Self::Sim(sim) if sim.ticks > MOST_TICKS => Some(TOO_LONG),
            Self::Sim(sim) if sim.dt < 0.0 => Some("time does not go backwards"),
            Self::Viewer(viewer) if viewer.radius < 0.0 => Some("a radius is negative"),
            _ => None,
        }
    }

    /// Whether all places, ways and sizes are made of numbers.
    fn is_finite(&self) -> bool {
        let objects = |list: &[Object]| list.iter().all(Object::is_finite);
        match self {
            Self::Walk(Walk { mover, start, objects: list, moves }) => {
                mover.is_finite()
                    && start.is_finite()
                    && objects(list)
                    && moves.iter().all(|by| by.is_finite())
            }
            Self::Sim(Sim { mover, start, objects: list, velocity, dt, .. }) => {
                mover.is_finite()
                    && start.is_finite()
                    && objects(list)
                    && velocity.is_finite()
                    && dt.is_finite()
            }
            Self::Place(Place { mover, candidates, objects: list }) => {
                mover.is_finite()
                    && objects(list)
                    && candidates.iter().all(|point| point.pos.is_finite())
            }
            Self::Cells(job) => {
                job.queries.iter().all(|query| query.pos.is_finite() && query.radius.is_finite())
            }
            Self::Viewer(Viewer { mover, from, to, radius }) => {
                mover.is_finite() && from.pos.is_finite() && to.is_finite() && radius.is_finite()
            }
            Self::Landdefs(_) => true,
        }
    }

    /// Which one.
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
pub struct Walk {
    /// Who walks.
    pub mover: Mover,
    /// From where.
    pub start: Start,
    /// What else stands in the world.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<Object>,
    /// By how much each move shifts the mover, in metres.
    pub moves: Vec<Vec3>,
}

/// A mover at `start` with a velocity is updated `ticks` times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sim {
    /// Who is thrown.
    pub mover: Mover,
    /// From where.
    pub start: Start,
    /// What else stands in the world.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<Object>,
    /// In metres a second.
    pub velocity: Vec3,
    /// Seconds an update.
    pub dt: f32,
    /// Number of updates.
    pub ticks: u32,
}

/// A fresh mover is put at each of the candidates, and taken away again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// Who is put.
    pub mover: Mover,
    /// Where to.
    pub candidates: Vec<Point>,
    /// What else stands in the world.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<Object>,
}

/// Questions for the cells of a sphere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cells {
    /// One after another.
    pub queries: Vec<Query>,
}

/// A sphere that moves on a straight line as a camera does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Viewer {
    /// Whose camera it is.
    pub mover: Mover,
    /// Where its centre begins.
    pub from: Point,
    /// Where its centre should end, in the frame of `from`.
    pub to: Vec3,
    /// In metres.
    pub radius: f32,
}

/// Calls of coordinate functions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Landdefs {
    /// One after another.
    pub calls: Vec<Call>,
}

/// Who moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mover {
    /// What it is made of.
    #[serde(with = "text::id")]
    pub setup: RecordId,
    /// How it takes part in physics.
    #[serde(with = "text::state")]
    pub state: State,
    /// Its size; 1 where it is not given.
    #[serde(default = "natural_size")]
    pub scale: f32,
    /// Whether it answers that it is a player.
    #[serde(default)]
    pub player: bool,
}

/// Where a mover begins. It is put there raw: its cell is this one, whatever contains it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// The cell it is in.
    pub cell: CellId,
    /// In the landblock of the cell.
    pub pos: Vec3,
    /// Not turned where it is not given.
    #[serde(default = "not_turned")]
    pub rot: Rotation,
    /// Whether it stands on ground that can be walked on.
    #[serde(default)]
    pub contact: bool,
}

impl Mover {
    fn is_finite(&self) -> bool {
        self.scale.is_finite()
    }
}

/// Whether a place and a rotation are made of numbers.
fn is_placed(pos: Vec3, rot: Rotation) -> bool {
    pos.is_finite() && rot.to_array().iter().all(|part| part.is_finite())
}

impl Start {
    fn is_finite(&self) -> bool {
        is_placed(self.pos, self.rot)
    }

    /// As a position.
    pub fn position(&self) -> Position {
        position(self.cell, self.pos, self.rot)
    }
}

/// Something that stands in the world before the mover comes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Object {
    /// What it is made of.
    #[serde(with = "text::id")]
    pub setup: RecordId,
    /// The cell it is in.
    pub cell: CellId,
    /// In the landblock of the cell.
    pub pos: Vec3,
    /// Not turned where it is not given.
    #[serde(default = "not_turned")]
    pub rot: Rotation,
    /// How it takes part in physics.
    #[serde(with = "text::state")]
    pub state: State,
    /// Its size; 1 where it is not given.
    #[serde(default = "natural_size")]
    pub scale: f32,
}

impl Object {
    fn is_finite(&self) -> bool {
        is_placed(self.pos, self.rot) && self.scale.is_finite()
    }

    /// As a position.
    pub fn position(&self) -> Position {
        position(self.cell, self.pos, self.rot)
    }
}

/// A point in the landblock of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The cell.
    pub cell: CellId,
    /// In the landblock of the cell.
    pub pos: Vec3,
}

/// Which cells does this sphere touch, coming from `cell`?
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Query {
    /// The cell one comes from.
    pub cell: CellId,
    /// The centre, in the landblock of the cell.
    pub pos: Vec3,
    /// In metres.
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
