//! The portals of a world, as places to walk through.

use threshold_land::glam::Vec3;
use threshold_land::{CellId, adjust_to_outside};
use threshold_world::{PieceId, Portal, PortalSide, Room, World};

/// A portal, seen from its room.
#[derive(Clone, Copy)]
pub(crate) struct Doorway {
    pub(crate) room: CellId,
    pub(crate) number: u16,
    /// The room behind it, or the land cell.
    pub(crate) beyond: CellId,
    /// The middle of its lower edge, in the landblock of the room.
    pub(crate) sill: Vec3,
    /// Level, out of the room.
    pub(crate) outward: Vec3,
    /// In a floor or a ceiling.
    pub(crate) lies_flat: bool,
    /// Whether a wall closes it to movers: a window.
    pub(crate) is_walled: bool,
}

impl std::fmt::Display for Doorway {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "portal {} of {} at {}", self.number, self.room, self.sill)
    }
}

impl Doorway {
    fn new(room: &Room, number: u16) -> Self {
        let portal = &room.portals()[usize::from(number)];
        let corners = room.portal_polygon(portal).vertices;
        let corners: Vec<Vec3> = corners.iter().map(|at| room.to_block(*at)).collect();
        let low = corners.iter().fold(f32::INFINITY, |low, corner| low.min(corner.z));
        let sill: Vec<&Vec3> = corners.iter().filter(|corner| corner.z < low + 0.01).collect();
        let sill = sill.iter().copied().sum::<Vec3>() / sill.len() as f32;
        let normal = room.space().rows.to_global(portal.plane.normal);
        let outward = if portal.side == PortalSide::Front { normal } else { -normal };
        let land = adjust_to_outside(room.id(), sill).map(|(cell, _)| cell);
        Self {
            room: room.id(),
            number,
            beyond: portal.other.or(land).unwrap(),
            sill,
            outward: outward.with_z(0.0).normalize_or_zero(),
            lies_flat: normal.z.abs() > 0.1,
            is_walled: is_walled(room, portal),
        }
    }

    pub(crate) fn is_exit(&self) -> bool {
        self.beyond.is_outdoor()
    }
}

/// Whether a polygon that movers meet lies in the portal, over its middle.
fn is_walled(room: &Room, portal: &Portal) -> bool {
    let corners = room.portal_polygon(portal).vertices;
    let middle = corners.iter().sum::<Vec3>() / corners.len() as f32;
    room.structure().physics.polygons().iter().any(|polygon| {
        let lies_in = |at: &Vec3| portal.plane.distance(*at).abs() < 1e-3;
        let next = polygon.vertices.iter().cycle().skip(1);
        let mut edges = polygon.vertices.iter().zip(next);
        let is_left =
            |(a, b): (&Vec3, &Vec3)| polygon.plane.normal.cross(*b - *a).dot(middle - *a) >= 0.0;
        polygon.vertices.iter().all(lies_in) && edges.all(is_left)
    })
}

/// Every portal of every room.
pub(crate) fn doorways(world: &World) -> Vec<Doorway> {
    let mut doorways = Vec::new();
    for piece in world.resident() {
        let PieceId::Room(cell) = piece else { continue };
        let room = world.room(cell).unwrap();
        doorways
            .extend(room.portals().iter().zip(0..).map(|(_, number)| Doorway::new(room, number)));
    }
    doorways
}
