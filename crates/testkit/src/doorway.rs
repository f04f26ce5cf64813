//! The portals of a world, as places to walk through, and walks through them.

use threshold_land::vector::Vec3;
use threshold_land::{CellId, adjust_to_outside};
use threshold_world::{PieceId, Portal, PortalSide, Room, World};

use crate::walk::Walk;

/// A portal, seen from its room.
#[derive(Clone, Copy, Debug)]
pub struct Doorway {
    /// The room.
    pub room: CellId,
    /// The index of the portal in its room.
    pub number: u16,
    /// The room or land cell on the other side.
    pub beyond: CellId,
    /// The middle of its lower edge, in the landblock of the room.
    pub sill: Vec3,
    /// Level direction out of the room.
    pub outward: Vec3,
    /// Whether it lies in a floor or a ceiling.
    pub lies_flat: bool,
    /// Whether a wall closes it to movers: a window.
    pub is_walled: bool,
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

    /// Returns whether it leads outdoors.
    pub fn is_exit(&self) -> bool {
        self.beyond.is_outdoor()
    }
}

/// Returns whether a polygon of the physics tree lies in the portal and covers its middle.
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

/// Returns every portal of every resident room.
pub fn doorways(world: &World) -> Vec<Doorway> {
    let mut doorways = Vec::new();
    for piece in world.resident() {
        let PieceId::Room(cell) = piece else { continue };
        let room = world.room(cell).unwrap();
        doorways
            .extend(room.portals().iter().zip(0..).map(|(_, number)| Doorway::new(room, number)));
    }
    doorways
}

/// Places the body on the sill and walks it inwards, up to `reach` metres or until it stops.
///
/// Returns the distance from the sill; `None` where the body cannot stand or does not get into a room.
pub fn walk_in(walk: &mut Walk, door: &Doorway, reach: f32, step: f32) -> Option<f32> {
    let above = door.sill - door.outward * 0.3 + Vec3::Z * 0.1;
    walk.put_in_air(door.room.0, above.to_array());
    let mut falls = (0..20).map(|_| walk.step([0.0, 0.0, -0.05]));
    let _ = falls.find(|outcome| outcome.stance.on_walkable)?;
    let mut inside = 0.3;
    while inside < reach {
        let before = walk.at();
        let _ = walk.step((door.outward * -step).to_array());
        let moved = (before - walk.at()).dot(door.outward);
        if moved < step / 2.0 {
            break;
        }
        inside += moved;
    }
    walk.cell().is_indoor().then_some(inside)
}

/// How a walk out of a doorway went.
#[derive(Clone, Copy, Debug, Default)]
pub struct WalkOut {
    /// Distance from the sill at the end, in metres.
    pub outside: f32,
    /// Number of changes between room and landscape.
    pub changes: usize,
    /// Number of steps, each of them shown before it is taken.
    pub frames: usize,
}

/// Walks the body out from `inside` metres before the sill, until it is `reach` metres outside or stops.
///
/// Calls `frame` before every step.
pub fn walk_out(
    walk: &mut Walk,
    door: &Doorway,
    inside: f32,
    reach: f32,
    step: f32,
    mut frame: impl FnMut(&Walk),
) -> WalkOut {
    let mut out = WalkOut { outside: -inside, ..WalkOut::default() };
    while out.outside < reach {
        frame(walk);
        let (before, was_in) = (walk.position(), walk.cell().is_indoor());
        let _ = walk.step((door.outward * step).to_array());
        let moved = before.offset_to(&walk.position()).dot(door.outward);
        out.outside += moved;
        out.changes += usize::from(walk.cell().is_indoor() != was_in);
        out.frames += 1;
        if moved < step / 4.0 {
            break;
        }
    }
    out
}
