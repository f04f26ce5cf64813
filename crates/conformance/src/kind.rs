//! What a scenario asks for.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a scenario asks for, and so how its results are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A mover takes one step after another.
    Walk,
    /// A mover is thrown and left to gravity.
    Sim,
    /// A mover is put into the world at places that may be taken.
    Place,
    /// Which cells a sphere touches and which one it is in.
    Cells,
    /// A camera moves back from what it looks at.
    Viewer,
    /// Arithmetic of landblocks and cells.
    Landdefs,
}

impl Kind {
    /// As scenarios write it.
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
