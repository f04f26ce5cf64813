//! Records of rooms: environments and cells.

use threshold_dat::{
    CellPortal, CellStructure, EncodeError, EnvCell, EnvCellFlags, Environment, PortalFlags,
    RecordId, Stab,
};
use threshold_land::{CellId, Frame};

use super::mesh::Vertices;
use crate::stock::material::Material;
use crate::tool::layout::{Chamber, FarSide, Gate};
use crate::tool::sight::VisibleRooms;
use crate::tool::tree::cell;
use crate::tool::tree::drawing::Drawing;
use crate::tool::tree::physics::Physics;

/// Low word of a landblock's first room.
pub(crate) const FIRST: u16 = 0x0100;

/// Both sides have the same polygon. Retail: `exact_match`.
const EXACT: u16 = 1;
/// The polygon faces into the room, the neighbour is behind it: retail's `portal_side` is false.
const FACES_IN: u16 = 2;
/// The portal leads outdoors.
const OUTDOORS: u16 = 4;
/// Value that retail writes for "outdoors" instead of a room.
const NO_CELL: u16 = 0xFFFF;

/// Flags of a building's portals: exact match, and the polygon faces away from the room.
pub(crate) const BUILDING_PORTAL: PortalFlags = PortalFlags(EXACT | FACES_IN);

/// Returns the shape of a room as an environment of its own, without an id, and the materials by the index that
/// its polygons use.
pub(crate) fn environment(chamber: &Chamber) -> Result<(Environment, Vec<Material>), EncodeError> {
    let physics = Physics::of_room(chamber);
    let drawing = Drawing::of_room(chamber);
    let mut vertices = Vertices::default();
    let drawn = vertices.drawing(&drawing)?;
    let first = drawing.polygons.len();
    let portal = |index: usize| u16::try_from(first + index).unwrap_or(u16::MAX);
    let physics_polygons = vertices.physics(&physics)?;
    let (vertices, materials) = vertices.finish();
    let structure = CellStructure {
        id: 0,
        portals: (0..drawing.ports.len()).map(portal).collect(),
        drawing: drawn,
        cell_tree: cell::tree(&chamber.space),
        physics: physics_polygons,
        physics_tree: physics.tree(),
        drawing_tree: Some(drawing.tree().tree),
        vertices,
    };
    Ok((Environment { id: RecordId::NONE, structures: vec![structure] }, materials))
}

/// Inputs of a cell besides its shape.
pub(crate) struct Cell<'a> {
    pub(crate) id: CellId,
    /// Low word of its plan's first room.
    pub(crate) first: u16,
    pub(crate) environment: u16,
    pub(crate) materials: Vec<Material>,
    /// Frame of the plan in the landblock.
    pub(crate) plan: Frame,
    pub(crate) chamber: &'a Chamber,
    /// The opening list of the environment.
    pub(crate) openings: &'a [u16],
    pub(crate) seen: &'a VisibleRooms,
    pub(crate) statics: Vec<Stab>,
}

impl Cell<'_> {
    pub(crate) fn record(self) -> EnvCell {
        let low = |room: usize| low(self.first, room);
        let portal = |(gate, polygon): (&Gate, &u16)| {
            let side = if gate.faces_in { FACES_IN } else { 0 };
            let (outdoors, other_cell, other_portal) = match gate.beyond {
                FarSide::Room { room, gate } => (0, low(room), i16::try_from(gate).unwrap_or(-1)),
                FarSide::Outdoors | FarSide::Window => (OUTDOORS, NO_CELL, -1),
            };
            let flags = PortalFlags(EXACT | side | outdoors);
            CellPortal { flags, polygon: *polygon, other_cell, other_portal }
        };
        EnvCell {
            id: self.id,
            flags: EnvCellFlags(u32::from(self.seen.outdoors)),
            surfaces: self.materials.iter().map(|material| material.low()).collect(),
            environment: self.environment,
            structure: 0,
            position: self.plan.combine(&self.chamber.frame),
            portals: self.chamber.gates.iter().zip(self.openings).map(portal).collect(),
            visible: self.seen.rooms.iter().map(|room| low(*room)).collect(),
            statics: self.statics,
            restriction: None,
        }
    }
}

/// Returns the low word of a room. Landblocks with too many rooms were refused before.
pub(crate) fn low(first: u16, room: usize) -> u16 {
    first.saturating_add(u16::try_from(room).unwrap_or(u16::MAX))
}
