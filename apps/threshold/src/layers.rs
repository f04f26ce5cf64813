//! Layers: cells, portals and other data drawn over the world.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use threshold_land::vector::Vec3;
use threshold_land::{Plane, Position, Sphere};
use threshold_view::{Viewer, VisibleSet};
use threshold_visuals::debug_draw::{
    DebugDraw, draw_candidates, draw_cells, draw_contact, draw_physics, draw_portals, draw_regions,
};
use threshold_world::{CellArray, CellSearch, World};

/// A layer that is drawn over the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Layer {
    /// Walls of the visible rooms, and their ids
    Cells,
    /// Portals into other rooms and outdoors
    Portals,
    /// Regions of the screen that the portal walk entered
    Regions,
    /// Cell array of a player at the eye, numbered in its order
    Candidates,
    /// Contact plane of a player at the eye
    Contact,
    /// Physics polygons of the visible rooms
    Physics,
    /// One flat colour for each polygon of each cell, unlit
    Ids,
}

impl Layer {
    /// All layers, in the order of their keys.
    pub(crate) const ALL: [Self; 7] = [
        Self::Cells,
        Self::Portals,
        Self::Regions,
        Self::Candidates,
        Self::Contact,
        Self::Physics,
        Self::Ids,
    ];

    /// Returns the name of the layer in the panel.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Cells => "visible rooms",
            Self::Portals => "portals",
            Self::Regions => "regions",
            Self::Candidates => "cell array",
            Self::Contact => "contact plane",
            Self::Physics => "physics polygons",
            Self::Ids => "polygon ids",
        }
    }
}

/// Radius of the spheres of the human mover, in metres.
const RADIUS: f32 = 0.48;
/// Height of the centre of its upper sphere, in metres.
const HEAD_HEIGHT: f32 = 1.35;

/// The player, or a human placed at the eye. Layers show its cell array and contact plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LayerSubject {
    pub(crate) feet: Position,
    /// The contact plane, and a point on it.
    pub(crate) ground: Option<(Position, Plane)>,
}

/// What the layers show: a world, and what a viewer sees of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LayerScene<'a> {
    pub(crate) world: &'a World,
    pub(crate) viewer: &'a Viewer,
    pub(crate) seen: &'a VisibleSet,
    pub(crate) subject: &'a LayerSubject,
}

/// Draws layers.
pub(crate) fn draw_layers(draw: &mut dyn DebugDraw, layers: &[Layer], scene: &LayerScene<'_>) {
    let LayerScene { world, viewer, seen, subject } = *scene;
    for layer in layers {
        match layer {
            Layer::Cells => draw_cells(draw, world, seen),
            Layer::Portals => draw_portals(draw, world, seen),
            Layer::Regions => draw_regions(draw, seen, viewer),
            Layer::Physics => draw_physics(draw, world, seen),
            Layer::Candidates => {
                let feet = subject.feet.frame.origin;
                let heights = [RADIUS, HEAD_HEIGHT];
                let spheres = heights.map(|height| Sphere::new(feet + Vec3::Z * height, RADIUS));
                let mut cells = CellArray::new();
                // The containing cell that it returns is not drawn.
                let _ = CellSearch::new(world).spheres(&subject.feet, &spheres, &mut cells);
                draw_candidates(draw, world, cells.ids());
            }
            Layer::Contact => {
                if let Some((at, plane)) = &subject.ground {
                    draw_contact(draw, at, plane);
                }
            }
            Layer::Ids => {}
        }
    }
}
