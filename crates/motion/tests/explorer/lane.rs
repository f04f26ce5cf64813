//! Lanes through portals: the portal graph for an explorer.

use std::collections::BTreeMap;

use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Position, adjust_to_outside};
use threshold_world::{PieceId, Portal, Room, World};

/// Distance from a portal at which a lane through it starts and ends, in metres.
const END_DISTANCE: f32 = 0.8;
/// Distance between lanes through a wide portal, in metres.
const SPACING: f32 = 1.5;
/// Greatest upward part of the normal of an upright portal. Others are holes in a floor or a ceiling.
const MAX_UPRIGHT_Z: f32 = 0.7;

/// A straight walk through a portal, out of one cell into another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lane {
    /// The room it leads out of, or the land cell.
    pub(crate) from: CellId,
    /// The room it leads into; `None` for the land.
    pub(crate) into: Option<CellId>,
    /// Its start; for a hole in the floor, a point over the hole.
    pub(crate) before: Position,
    pub(crate) behind: Position,
    /// A hole in the floor, into which the explorer leaps.
    pub(crate) drops: bool,
}

/// All lanes, by the room that they lead out of; those from outdoors by landblock.
#[derive(Default)]
pub(crate) struct Lanes {
    all: Vec<Lane>,
    by_room: BTreeMap<CellId, Vec<usize>>,
    by_block: BTreeMap<BlockId, Vec<usize>>,
}

impl Lanes {
    pub(crate) fn of(world: &World) -> Self {
        let mut lanes = Self::default();
        let rooms = rooms(world).into_iter().filter_map(|id| world.room(id));
        for (room, portal) in rooms.flat_map(|room| room.portals().iter().map(move |p| (room, p))) {
            lanes_through(room, portal).into_iter().for_each(|lane| lanes.add(lane));
        }
        lanes
    }

    fn add(&mut self, lane: Lane) {
        let number = self.all.len();
        self.all.push(lane);
        if lane.from.is_indoor() {
            self.by_room.entry(lane.from).or_default().push(number);
            return;
        }
        // A door at a border is near places on the other side of it.
        let (x, y) = (lane.from.block().x(), lane.from.block().y());
        for (x, y) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))).filter_map(
            |(dx, dy): (i8, i8)| Some((x.checked_add_signed(dx)?, y.checked_add_signed(dy)?)),
        ) {
            self.by_block.entry(BlockId::new(x, y)).or_default().push(number);
        }
    }

    pub(crate) fn get(&self, number: usize) -> &Lane {
        &self.all[number]
    }

    pub(crate) fn all(&self) -> &[Lane] {
        &self.all
    }

    /// Returns the lanes out of a room, or those near a land cell.
    pub(crate) fn out_of(&self, cell: CellId) -> &[usize] {
        let found = match cell.is_indoor() {
            true => self.by_room.get(&cell),
            false => self.by_block.get(&cell.block()),
        };
        found.map_or(&[], Vec::as_slice)
    }

    /// Returns whether a position outdoors is within a distance of a lane that leads indoors.
    pub(crate) fn is_near(&self, at: &Position, metres: f32) -> bool {
        let near = |number: &usize| at.offset_to(&self.all[*number].before).length() < metres;
        self.out_of(at.cell).iter().any(near)
    }
}

/// Returns every room of a world.
pub(crate) fn rooms(world: &World) -> Vec<CellId> {
    let room = |piece: PieceId| match piece {
        PieceId::Room(id) => Some(id),
        PieceId::Land(_) => None,
    };
    let mut rooms: Vec<CellId> = world.resident().filter_map(room).collect();
    rooms.sort_unstable();
    rooms
}

/// Returns the lanes through a portal out of its room, and back in if it leads outdoors.
fn lanes_through(room: &Room, portal: &Portal) -> Vec<Lane> {
    let corners: Vec<Vec3> =
        room.portal_polygon(portal).vertices.iter().map(|v| room.to_block(*v)).collect();
    let normal = room.space().rows.to_global(portal.plane.normal);
    let middle = corners.iter().sum::<Vec3>() / corners.len() as f32;
    let inside = |direction: Vec3| room.contains(middle + direction * 0.05);
    let Some(out) =
        [normal, -normal].into_iter().find(|direction| inside(-*direction) && !inside(*direction))
    else {
        return Vec::new();
    };
    let at = |place: Vec3| Position::new(room.id(), place);
    if normal.z.abs() > MAX_UPRIGHT_Z {
        // The explorer cannot climb through a hole in the ceiling.
        let drop = Lane {
            from: room.id(),
            into: portal.other,
            before: at(middle),
            behind: at(middle),
            drops: true,
        };
        return if out.z < 0.0 { vec![drop] } else { Vec::new() };
    }
    let out = out.with_z(0.0).normalize_or_zero() * END_DISTANCE;
    let lanes = sill(&corners).into_iter().flat_map(|foot| {
        let (before, behind) = (at(foot - out), at(foot + out));
        let lane = Lane { from: room.id(), into: portal.other, before, behind, drops: false };
        let land = adjust_to_outside(room.id(), foot + out).filter(|_| portal.other.is_none());
        let back = land.map(|(cell, there)| {
            let before = Position::new(cell, there);
            Lane { from: cell, into: Some(room.id()), before, behind: lane.before, ..lane }
        });
        [Some(lane), back].into_iter().flatten()
    });
    lanes.collect()
}

/// Returns points along the lowest edge of a portal: its middle, and more if it is wide.
fn sill(corners: &[Vec3]) -> Vec<Vec3> {
    let low = corners.iter().map(|at| at.z).fold(f32::INFINITY, f32::min);
    let ends: Vec<Vec3> = corners.iter().copied().filter(|at| at.z < low + 0.05).collect();
    let middle = ends.iter().sum::<Vec3>() / ends.len() as f32;
    let Some(end) =
        ends.iter().max_by(|a, b| (**a - middle).length().total_cmp(&(**b - middle).length()))
    else {
        return Vec::new();
    };
    let (half, direction) = ((*end - middle).length(), (*end - middle).normalize_or_zero());
    let steps = ((half - 0.6) / SPACING).max(0.0) as i32;
    (-steps..=steps).map(|step| middle + direction * (step as f32 * SPACING)).collect()
}
