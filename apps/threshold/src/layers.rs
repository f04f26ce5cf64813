//! What is shown besides the world itself.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use threshold_land::glam::Vec3;
use threshold_land::{Plane, Position, Sphere};
use threshold_render::debug_overlay::DebugOverlay;
use threshold_view::{Viewer, VisibleSet};
use threshold_world::{CellArray, CellSearch, World};

/// Something that is shown on top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Layer {
    /// The walls of the rooms that are seen, and their ids.
    Cells,
    /// Openings: ways to other rooms, and ways out.
    Portals,
    /// The regions of the screen that were looked into.
    Regions,
    /// The cells that somebody touches, in their order: who stands there, or would at the place of the eye.
    Candidates,
    /// What somebody stands on.
    Contact,
    /// What is bumped into in the rooms that are seen.
    Physics,
    /// One flat colour for each polygon of each cell, unlit.
    Ids,
}

impl Layer {
    /// All of them, in the order of their keys.
    pub(crate) const ALL: [Self; 7] = [
        Self::Cells,
        Self::Portals,
        Self::Regions,
        Self::Candidates,
        Self::Contact,
        Self::Physics,
        Self::Ids,
    ];

    /// What it shows, in a few words.
    pub(crate) const fn about(self) -> &'static str {
        match self {
            Self::Cells => "rooms that are seen, and their ids",
            Self::Portals => "openings, and ways out",
            Self::Regions => "regions of the screen",
            Self::Candidates => "cells that are touched",
            Self::Contact => "what one stands on",
            Self::Physics => "what is bumped into",
            Self::Ids => "a colour for each polygon",
        }
    }
}

/// How wide somebody is, and how high the upper sphere is, in metres.
const WIDE: f32 = 0.48;
const HEAD: f32 = 1.35;

/// Somebody whose cells and ground are shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stander {
    pub(crate) feet: Position,
    /// What it stands on, and a point of that.
    pub(crate) ground: Option<(Position, Plane)>,
}

/// Lines and words of all layers.
pub(crate) fn overlay(
    layers: &[Layer],
    world: &World,
    (viewer, seen): (&Viewer, &VisibleSet),
    stander: &Stander,
) -> DebugOverlay {
    let mut overlay = DebugOverlay::default();
    for layer in layers {
        match layer {
            Layer::Cells => overlay.cells(world, seen),
            Layer::Portals => overlay.portals(world, seen),
            Layer::Regions => overlay.regions(seen, viewer),
            Layer::Physics => overlay.physics(world, seen),
            Layer::Candidates => {
                let feet = stander.feet.frame.origin;
                let spheres = [WIDE, HEAD].map(|up| Sphere::new(feet + Vec3::Z * up, WIDE));
                let mut cells = CellArray::new();
                // Which cell contains them is known already.
                let _ = CellSearch::new(world).spheres(&stander.feet, &spheres, &mut cells);
                overlay.candidates(world, cells.ids());
            }
            Layer::Contact => {
                if let Some((at, plane)) = &stander.ground {
                    overlay.contact(at, plane);
                }
            }
            Layer::Ids => {}
        }
    }
    overlay
}
