//! Worlds to look at, wholly resident, and eyes in them.

#![allow(dead_code, reason = "every test file uses some of it")]

#[path = "../../../world/tests/sample/mod.rs"]
mod worlds;

use threshold_dat::Source;
use threshold_land::glam::{Vec2, Vec3};
use threshold_land::{CellId, adjust_to_outside};
use threshold_view::{Lens, StabList, ViewRules, Viewer};
use threshold_world::{Builder, PieceId, PortalSide, Room, World};

use random::Random;
#[allow(unused_imports, reason = "every test file uses some of it")]
pub(crate) use worlds::{change, data, forged, random, records, world};

/// How often as much as usual is done with `THRESHOLD_SOAK` set.
pub(crate) fn times() -> usize {
    if std::env::var_os("THRESHOLD_SOAK").is_some() { 10 } else { 1 }
}

/// A made world, with everything resident and nothing left out.
pub(crate) fn made(source: impl Source + 'static) -> World {
    worlds::everything(&Builder::new(source))
}

/// By the lists of what can be seen.
pub(crate) fn by_lists() -> ViewRules {
    ViewRules::default()
}

/// Without them.
pub(crate) fn without_lists() -> ViewRules {
    let mut rules = ViewRules::default();
    rules.stab_list = StabList::Off;
    rules
}

/// All rooms.
pub(crate) fn rooms(world: &World) -> Vec<CellId> {
    let room = |piece| match piece {
        PieceId::Room(cell) => Some(cell),
        PieceId::Land(_) => None,
    };
    world.resident().filter_map(room).collect()
}

/// The land cells of all landblocks with buildings.
pub(crate) fn town_cells(world: &World) -> Vec<CellId> {
    world
        .blocks_with_buildings()
        .flat_map(|land| (1..=64).map(|low| land.block().cell(low)))
        .collect()
}

/// Where to look about from in a made world: every room, and every fourth land cell of its towns.
pub(crate) fn lookouts(world: &World) -> Vec<CellId> {
    let streets = town_cells(world).into_iter().step_by(4);
    rooms(world).into_iter().chain(streets).collect()
}

/// Every third room. The houses of the built-in world are the same for every seed, so three seeds have all of them.
pub(crate) fn third(world: &World, seed: u64) -> Vec<CellId> {
    let part = usize::try_from(seed % 3).unwrap();
    rooms(world).into_iter().skip(part).step_by(3).collect()
}

fn vector(random: &mut Random, low: Vec3, high: Vec3) -> Vec3 {
    #[allow(clippy::cast_possible_truncation, reason = "any point will do")]
    let mut pick = |low: f32, high: f32| random.between(low.into(), high.into()) as f32;
    Vec3::new(pick(low.x, high.x), pick(low.y, high.y), pick(low.z, high.z))
}

/// A point somewhere in a cell; outdoors up to 6 m above the ground.
pub(crate) fn point_in(world: &World, cell: CellId, random: &mut Random) -> Vec3 {
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

/// A viewer somewhere in a cell, who looks anywhere.
pub(crate) fn viewer_in(world: &World, cell: CellId, random: &mut Random) -> Viewer {
    let eye = point_in(world, cell, random);
    let lens = Lens {
        fov: [60.0, 90.0, 25.0, 120.0][random.below(4)],
        aspect: [16.0 / 9.0, 1.0, 0.5][random.below(3)],
        ..Lens::default()
    };
    let steep = [0.2, 1.0][random.below(2)];
    let to = vector(random, Vec3::new(-1.0, -1.0, -steep), Vec3::new(1.0, 1.0, steep));
    Viewer::looking_at(cell, eye, eye + to, lens).unwrap()
}

/// Viewers right at an opening: so far before it, or beyond by less than the carried cell may lag behind; in the room, and for an
/// opening outdoors also in the landscape.
pub(crate) fn viewers_at(world: &World, room: &Room, random: &mut Random) -> Vec<Viewer> {
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

/// A viewer of the usual kind.
pub(crate) fn viewer(cell: CellId, eye: [f32; 3], look: [f32; 3]) -> Viewer {
    Viewer::looking_at(cell, Vec3::from(eye), Vec3::from(look), Lens::default()).unwrap()
}
