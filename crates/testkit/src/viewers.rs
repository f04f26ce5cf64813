//! Viewers in a world: where they look from, and under which rules.

use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{CellId, adjust_to_outside};
use threshold_view::{Lens, StabList, ViewRules, Viewer};
use threshold_world::{PieceId, PortalSide, Room, World};

use crate::random::Random;

/// Returns the factor by which counts grow with `THRESHOLD_SOAK` set.
pub fn soak_factor() -> usize {
    if std::env::var_os("THRESHOLD_SOAK").is_some() { 10 } else { 1 }
}

/// Returns the rules of walks that keep to the stab lists.
pub fn rules_with_stab_lists() -> ViewRules {
    ViewRules::default()
}

/// Returns the rules of walks that ignore the stab lists.
pub fn rules_without_stab_lists() -> ViewRules {
    let mut rules = ViewRules::default();
    rules.stab_list = StabList::Off;
    rules
}

/// Returns the ids of all resident rooms.
pub fn room_ids(world: &World) -> Vec<CellId> {
    let room = |piece| match piece {
        PieceId::Room(cell) => Some(cell),
        PieceId::Land(_) => None,
    };
    world.resident().filter_map(room).collect()
}

/// Returns the land cells of all landblocks with buildings.
pub fn town_cells(world: &World) -> Vec<CellId> {
    world
        .blocks_with_buildings()
        .flat_map(|land| (1..=64).map(|low| land.block().cell(low)))
        .collect()
}

/// Returns every room of a world and every fourth land cell of its towns.
pub fn lookout_cells(world: &World) -> Vec<CellId> {
    let streets = town_cells(world).into_iter().step_by(4);
    room_ids(world).into_iter().chain(streets).collect()
}

/// Returns every third room.
///
/// The houses of the built-in world are the same for every seed, so three seeds cover all of them.
pub fn every_third_room(world: &World, seed: u64) -> Vec<CellId> {
    let part = usize::try_from(seed % 3).unwrap();
    room_ids(world).into_iter().skip(part).step_by(3).collect()
}

fn vector(random: &mut Random, low: Vec3, high: Vec3) -> Vec3 {
    #[allow(clippy::cast_possible_truncation, reason = "any point will do")]
    let mut pick = |low: f32, high: f32| random.between(low.into(), high.into()) as f32;
    Vec3::new(pick(low.x, high.x), pick(low.y, high.y), pick(low.z, high.z))
}

/// Returns a random point in a cell; outdoors up to 6 m above the ground.
pub fn random_point_in(world: &World, cell: CellId, random: &mut Random) -> Vec3 {
    let Some(room) = world.room(cell) else {
        let land = world.land_cell(cell).unwrap();
        let middle = land.position().frame.origin;
        let half = Vec3::new(11.9, 11.9, 0.0);
        let at = vector(random, middle - half, middle + half);
        let ground = land.ground(Vec2::new(at.x, at.y)).unwrap();
        let height = |at: Vec3| -(ground.plane.normal.dot(at.with_z(0.0)) + ground.plane.d);
        let up = vector(random, Vec3::Z * 0.1, Vec3::Z * 6.0).z;
        return at.with_z(height(at) / ground.plane.normal.z + up);
    };
    let corners = room.structure().drawing.iter().flat_map(|polygon| polygon.vertices);
    let corners: Vec<Vec3> = corners.map(|at| room.to_block(*at)).collect();
    let low = corners.iter().copied().fold(Vec3::INFINITY, Vec3::min);
    let high = corners.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
    let mut tries = (0..10_000).map(|_| vector(random, low, high));
    tries.find(|at| room.contains(*at)).unwrap()
}

/// Returns a viewer at a random point in a cell, with a random direction and lens.
pub fn random_viewer_in(world: &World, cell: CellId, random: &mut Random) -> Viewer {
    let eye = random_point_in(world, cell, random);
    let lens = Lens {
        fov: [60.0, 90.0, 25.0, 120.0][random.below(4)],
        aspect: [16.0 / 9.0, 1.0, 0.5][random.below(3)],
        ..Lens::default()
    };
    let steep = [0.2, 1.0][random.below(2)];
    let to = vector(random, Vec3::new(-1.0, -1.0, -steep), Vec3::new(1.0, 1.0, steep));
    Viewer::looking_at(cell, eye, eye + to, lens).unwrap()
}

/// Returns viewers a few centimetres before and behind each portal of a room.
///
/// Behind it they stay closer than the cell of a swept eye may lag. At exit portals there is a second viewer in the landscape.
pub fn viewers_at_portals(world: &World, room: &Room, random: &mut Random) -> Vec<Viewer> {
    let mut viewers = Vec::new();
    for portal in room.portals() {
        let corners = room.portal_polygon(portal).vertices;
        let weights: Vec<f32> =
            corners.iter().map(|_| vector(random, Vec3::ZERO, Vec3::ONE).x).collect();
        let at = corners.iter().zip(&weights).map(|(corner, weight)| *corner * *weight);
        let at = room.to_block(at.sum::<Vec3>() / weights.iter().sum::<f32>());
        let normal = room.space().rows.to_global(portal.plane.normal);
        let outward = if portal.side == PortalSide::Front { normal } else { -normal };
        for before in [-0.015, 0.0, 1e-4, 0.01, 0.03, 0.1, 0.2] {
            let (inside, outside) = (at - outward * before, at + outward * before);
            let land = adjust_to_outside(room.id(), outside).filter(|_| portal.other.is_none());
            let land = land.filter(|(cell, _)| world.land_cell(*cell).is_some());
            for (cell, eye) in [(room.id(), inside)].into_iter().chain(land) {
                let to = vector(random, Vec3::NEG_ONE, Vec3::ONE);
                viewers.push(Viewer::looking_at(cell, eye, eye + to, Lens::default()).unwrap());
            }
        }
    }
    viewers
}

/// Returns a viewer with the default lens, from `eye` towards `look`.
pub fn viewer_at(cell: CellId, eye: [f32; 3], look: [f32; 3]) -> Viewer {
    Viewer::looking_at(cell, Vec3::from(eye), Vec3::from(look), Lens::default()).unwrap()
}
