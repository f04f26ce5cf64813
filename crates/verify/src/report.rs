//! Scopes, sections and their hashes.

use std::fmt;

use threshold_conformance::Kind;

use crate::hash::{ResultHash, ResultHasher};

/// How much is run. The hashes of two scopes differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Every sixteenth scenario, one second of the crowd, two views from each room.
    Quick,
    /// All scenarios, 30 seconds of the crowd, 96 views from each room.
    Full,
}

impl Scope {
    /// Both, the quick one first.
    pub const ALL: [Self; 2] = [Self::Quick, Self::Full];

    /// Its name in the file of expected hashes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Full => "full",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A part of the work with a hash of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Section {
    /// Recorded walks: the outcome of every sweep, and all steps of the results.
    Walks,
    /// Recorded falls, throws and jumps.
    Falls,
    /// Recorded placements.
    Placements,
    /// Recorded queries for the cells that a sphere touches.
    Cells,
    /// Recorded cameras.
    Cameras,
    /// Recorded calls of the arithmetic of landblocks and cells.
    Coordinates,
    /// The records of the built-in world.
    Records,
    /// Its records written as `client_cell_1.dat`.
    CellFile,
    /// Its records written as `client_portal.dat`.
    PortalFile,
    /// Views from every room of the built-in world, with their draw lists.
    Views,
    /// 1,500 bodies that walk, run and jump in the built-in world.
    Crowd,
}

impl Section {
    /// The sections of recorded scenarios.
    pub(crate) const SCENARIOS: [Self; 6] =
        [Self::Walks, Self::Falls, Self::Placements, Self::Cells, Self::Cameras, Self::Coordinates];

    /// All sections, in the order of a report.
    pub const ALL: [Self; 11] = [
        Self::Walks,
        Self::Falls,
        Self::Placements,
        Self::Cells,
        Self::Cameras,
        Self::Coordinates,
        Self::Records,
        Self::CellFile,
        Self::PortalFile,
        Self::Views,
        Self::Crowd,
    ];

    pub(crate) const fn of_kind(kind: Kind) -> Self {
        match kind {
            Kind::Walk => Self::Walks,
            Kind::Sim => Self::Falls,
            Kind::Place => Self::Placements,
            Kind::Cells => Self::Cells,
            Kind::Viewer => Self::Cameras,
            Kind::Landdefs => Self::Coordinates,
        }
    }

    /// Its name in reports and in the file of expected hashes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Walks => "walks",
            Self::Falls => "falls",
            Self::Placements => "placements",
            Self::Cells => "cells",
            Self::Cameras => "cameras",
            Self::Coordinates => "coordinates",
            Self::Records => "records",
            Self::CellFile => "cell-file",
            Self::PortalFile => "portal-file",
            Self::Views => "views",
            Self::Crowd => "crowd",
        }
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The hashes of a run. Prints as lines of scope, name and hash, the overall hash last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// What was run.
    pub scope: Scope,
    /// A hash for each section, in the order of [`Section::ALL`].
    pub sections: Vec<(Section, ResultHash)>,
}

impl Report {
    /// Returns the hash of all names and hashes.
    pub fn overall(&self) -> ResultHash {
        let mut hasher = ResultHasher::default();
        for (section, hash) in &self.sections {
            hasher.bytes(section.name().as_bytes());
            hasher.bytes(&hash.0);
        }
        hasher.finish()
    }
}

/// Name of the last line of a report.
pub(crate) const OVERALL: &str = "overall";

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (section, hash) in &self.sections {
            writeln!(f, "{:5} {section:11} {hash}", self.scope)?;
        }
        writeln!(f, "{:5} {OVERALL:11} {}", self.scope, self.overall())
    }
}
