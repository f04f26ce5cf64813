//! Properties that the end of a camera sweep must have, for scenarios without a usable record.
//!
//! A text file with an id and comma-separated properties on each line; lines that begin with `#` are
//! comments.
//!
//! | property | the camera |
//! |---|---|
//! | `moves` | ends at least 5 cm from where it began |
//! | `goes the whole way` | ends at its goal, within [`POSITION_TOLERANCE`] |
//! | `stays on its line` | ends on the line from its start to its goal, within the same |
//! | `touches within X` | ends with the nearest surface ahead of it no more than X m from its own |
//! | `passes no surface` | reaches its end from its start on a straight line through no surface |
//! | `ends in CELL` | says that it is in this cell, and this cell contains it |
//!
//! Surfaces are the plain polygons of rooms, buildings, land and objects, without the trees that a sweep
//! uses; spheres and cylinders count for touching only. A camera in a room ignores ground and shells of
//! buildings.
//!
//! ```
//! use threshold_conformance::properties::{Properties, Property};
//!
//! let properties = Properties::parse("# cameras\nroom-1 moves, touches within 0.01\n")?;
//! assert_eq!(properties.get("room-1"), Some(&[Property::Moves, Property::Touches(0.01)][..]));
//! assert!(Properties::parse("room-1 moves, sings").is_err());
//! # Ok::<(), threshold_conformance::properties::PropertiesError>(())
//! ```

mod surfaces;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use threshold_land::vector::Vec3;
use threshold_land::{CellId, block_offset_between};
use threshold_world::World;

use self::surfaces::Surfaces;
use crate::compare::POSITION_TOLERANCE;
use crate::file::{self, FileError};
use crate::list;
use crate::parse::quoted;
use crate::record::Step;
use crate::scenario::{Job, Scenario, ViewerJob};

/// Minimum distance that counts as a move, in metres.
const MOVED: f32 = 0.05;

/// A property of the end of a camera sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Property {
    /// It has left its start.
    Moves,
    /// It is at its goal.
    Arrives,
    /// It is on the line from its start to its goal.
    StaysOnLine,
    /// Its sphere is at most this far from a surface that faces against its movement, in metres, on either
    /// side of it.
    Touches(f32),
    /// The straight line from its start crosses no surface.
    PassesNothing,
    /// It is in this cell.
    EndsIn(CellId),
}

/// The properties of scenarios, by their ids.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Properties {
    entries: BTreeMap<String, Entry>,
}

#[derive(Clone, Debug, PartialEq)]
struct Entry {
    properties: Vec<Property>,
    line: usize,
}

/// An invalid line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct PropertiesError {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: PropertiesProblem,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PropertiesProblem {
    /// An id without properties.
    #[error("{} has no properties", quoted(.id))]
    NoProperties {
        /// The id.
        id: String,
    },
    /// An id that is on an earlier line, too.
    #[error("{} is listed on line {before} already", quoted(.id))]
    Again {
        /// The id.
        id: String,
        /// The earlier line.
        before: usize,
    },
    /// An unknown property.
    #[error("unknown property {:?}", quoted(.text))]
    Unknown {
        /// The text.
        text: String,
    },
}

impl Property {
    fn parse(text: &str) -> Option<Self> {
        if let Some(within) = text.strip_prefix("touches within ") {
            let within: f32 = within.trim().parse().ok()?;
            return (within.is_finite() && within >= 0.0).then_some(Self::Touches(within));
        }
        if let Some(cell) = text.strip_prefix("ends in ") {
            return cell.trim().parse().ok().map(Self::EndsIn);
        }
        match text {
            "moves" => Some(Self::Moves),
            "goes the whole way" => Some(Self::Arrives),
            "stays on its line" => Some(Self::StaysOnLine),
            "passes no surface" => Some(Self::PassesNothing),
            _ => None,
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Moves => f.write_str("moves"),
            Self::Arrives => f.write_str("goes the whole way"),
            Self::StaysOnLine => f.write_str("stays on its line"),
            Self::Touches(within) => write!(f, "touches within {within}"),
            Self::PassesNothing => f.write_str("passes no surface"),
            Self::EndsIn(cell) => write!(f, "ends in {cell}"),
        }
    }
}

impl Properties {
    /// Reads the text of a list.
    pub fn parse(text: &str) -> Result<Self, PropertiesError> {
        let mut properties = Self::default();
        for (line, entry) in list::entries(text) {
            let added = properties.add(entry, line);
            added.map_err(|problem| PropertiesError { line, problem })?;
        }
        Ok(properties)
    }

    /// Reads a list from a file.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        Self::parse(&list::read(path)?).map_err(|PropertiesError { line, problem }| {
            FileError::at(path, line, file::FileProblem::Properties(problem))
        })
    }

    fn add(&mut self, entry: &str, line: usize) -> Result<(), PropertiesProblem> {
        let (id, rest) = entry.split_once(char::is_whitespace).unwrap_or((entry, ""));
        let id = id.to_owned();
        if rest.trim().is_empty() {
            return Err(PropertiesProblem::NoProperties { id });
        }
        if let Some(before) = self.entries.get(&id).map(|entry| entry.line) {
            return Err(PropertiesProblem::Again { id, before });
        }
        let parse = |text: &str| {
            let text = text.trim();
            Property::parse(text)
                .ok_or_else(|| PropertiesProblem::Unknown { text: text.to_owned() })
        };
        let properties = rest.split(',').map(parse).collect::<Result<_, _>>()?;
        self.entries.insert(id, Entry { properties, line });
        Ok(())
    }

    /// Returns the properties of a scenario.
    pub fn get(&self, id: &str) -> Option<&[Property]> {
        self.entries.get(id).map(|entry| entry.properties.as_slice())
    }

    /// The ids that are listed, sorted.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// Describes the properties that the result of a scenario lacks; `None` if the scenario has no
    /// properties. Only camera sweeps can have any. `world` is that of the scenario, wholly resident.
    pub fn violations(
        &self,
        world: &World,
        scenario: &Scenario,
        steps: &[Step],
    ) -> Option<Vec<String>> {
        let properties = self.get(&scenario.id)?;
        let Job::Viewer(job) = &scenario.job else {
            let kind = scenario.kind();
            return Some(vec![format!("only camera sweeps can have properties; this is a {kind}")]);
        };
        let [step] = steps else {
            return Some(vec![format!("{} steps found, 1 expected", steps.len())]);
        };
        let Some(sweep) = CameraSweep::of(world, job, step) else {
            return Some(vec!["the step has no cell or no finite position".to_owned()]);
        };
        let violation = |property: &Property| {
            let why = sweep.violation(property)?;
            Some(format!("{property} ({why})"))
        };
        Some(properties.iter().filter_map(violation).collect())
    }
}

/// A camera sweep and its end, in the frame of the landblock of its start.
struct CameraSweep<'a> {
    world: &'a World,
    surfaces: Surfaces<'a>,
    from: Vec3,
    to: Vec3,
    radius: f32,
    end: Vec3,
    cell: CellId,
    /// The end in the landblock of its cell.
    own: Vec3,
}

impl<'a> CameraSweep<'a> {
    fn of(world: &'a World, job: &ViewerJob, step: &Step) -> Option<Self> {
        let (cell, pos) = (*step.cell.value()?, step.pos.value()?);
        #[allow(clippy::cast_possible_truncation, reason = "written from single precision")]
        let own = Vec3::from_array(pos.map(|part| part as f32));
        let end = own + block_offset_between(job.from.cell, cell);
        if !end.is_finite() {
            return None;
        }
        let surfaces = Surfaces::about(world, job.from.cell);
        let (from, to, radius) = (job.from.pos, job.to, job.radius);
        Some(Self { world, surfaces, from, to, radius, end, cell, own })
    }

    /// Returns why a property does not hold; `None` if it does.
    fn violation(&self, property: &Property) -> Option<String> {
        #[allow(clippy::cast_possible_truncation, reason = "2 mm")]
        let tolerance = POSITION_TOLERANCE as f32;
        let way = (self.to - self.from).normalize_or_zero();
        let off = |distance: f32| format!("{distance:.4} m off");
        match property {
            Property::Moves => {
                let moved = (self.end - self.from).length();
                (moved < MOVED).then(|| format!("it moved {moved:.4} m, {MOVED} m expected"))
            }
            Property::Arrives => {
                let apart = (self.end - self.to).length();
                (apart > tolerance).then(|| off(apart))
            }
            Property::StaysOnLine => {
                let whole = (self.to - self.from).length();
                let along = (self.end - self.from).dot(way).clamp(0.0, whole);
                let apart = (self.from + way * along - self.end).length();
                (apart > tolerance).then(|| off(apart))
            }
            Property::Touches(within) => {
                let apart = self.surfaces.nearest_against(self.end, way) - self.radius;
                (apart.abs() > *within).then(|| off(apart))
            }
            Property::PassesNothing => {
                let crossing = self.surfaces.crossing(self.from, self.end)?;
                Some(format!("it crosses a surface at {crossing}"))
            }
            Property::EndsIn(cell) => {
                let contains = self.world.cell(*cell).is_some_and(|cell| cell.contains(self.own));
                let is_there = self.cell == *cell && contains;
                (!is_there).then(|| format!("it ends at {} in {}", self.own, self.cell))
            }
        }
    }
}
