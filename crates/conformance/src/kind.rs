//! Kinds of scenarios.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The kind of a scenario, which decides how its results are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A mover takes one step after another.
    Walk,
    /// A mover is thrown and left to gravity.
    Sim,
    /// A mover is placed at positions that may be occupied.
    Place,
    /// The cells that a sphere touches and the one that contains it.
    Cells,
    /// A camera moves back from its target.
    Viewer,
    /// Arithmetic of landblocks and cells.
    Landdefs,
}

impl Kind {
    /// Its name in scenarios.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Walk => "walk",
            Self::Sim => "sim",
            Self::Place => "place",
            Self::Cells => "cells",
            Self::Viewer => "viewer",
            Self::Landdefs => "landdefs",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
