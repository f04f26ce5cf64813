//! A body in a doorway is in one cell at a time, and changes it when its centre crosses and not otherwise: at
//! every portal of both sample worlds.
//!
//! With `THRESHOLD_SOAK` set it stands there for 10,000 ticks instead of 200.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod sample;

use sample::Walk;
use sample::random::Random;
use threshold_land::glam::Vec3;
use threshold_land::{CellId, adjust_to_outside};
use threshold_motion::Stance;

/// How far a body sways to either side of the portal, in metres.
const SWAY: f32 = 0.08;

fn ticks() -> usize {
    if std::env::var_os("THRESHOLD_SOAK").is_some() { 10_000 } else { 200 }
}

/// A portal, seen from its room.
#[derive(Clone, Copy)]
struct Doorway {
    room: CellId,
    number: usize,
    /// The room behind it, or the land cell.
    other: CellId,
    /// The middle of its lower edge.
    sill: Vec3,
    /// Level, across it.
    across: Vec3,
    lies_flat: bool,
}

impl std::fmt::Display for Doorway {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "portal {} of {} at {}", self.number, self.room, self.sill)
    }
}

/// Where and how a body stands in a doorway.
#[derive(Clone, Copy)]
struct Standing {
    at: Vec3,
    stance: Stance,
}

/// Every portal of every room.
fn doorways(walk: &Walk) -> Vec<Doorway> {
    let blocks: std::collections::BTreeSet<_> =
        walk.world.resident().map(|piece| piece.block()).collect();
    let rooms = blocks.into_iter().flat_map(|block| walk.world.rooms(block));
    let portals = rooms.flat_map(|room| {
        room.portals().iter().enumerate().map(move |(number, portal)| (room, number, portal))
    });
    let doorway = |(room, number, portal): (&threshold_world::Room, usize, _)| {
        let polygon = room.portal_polygon(portal);
        let corners: Vec<Vec3> = polygon.vertices.iter().map(|v| room.to_block(*v)).collect();
        let low = corners.iter().fold(f32::INFINITY, |low, corner| low.min(corner.z));
        let sill: Vec<&Vec3> = corners.iter().filter(|corner| corner.z < low + 0.01).collect();
        let middle = sill.iter().copied().sum::<Vec3>() / sill.len() as f32;
        let normal = room.space().rows.to_global(portal.plane.normal);
        let across = Vec3::new(normal.x, normal.y, 0.0).normalize_or_zero();
        let land = adjust_to_outside(room.id(), middle).map(|(cell, _)| cell);
        let other = portal.other.or(land).unwrap();
        let lies_flat = normal.z.abs() > 0.1;
        Doorway { room: room.id(), number, other, sill: middle, across, lies_flat }
    };
    portals.map(doorway).collect()
}

/// Lets a body down onto the sill, or else beside it and lets it walk there; `None` where nobody gets.
fn settle(walk: &mut Walk, door: &Doorway) -> Option<Standing> {
    // Lintels are in the way of a long fall, steps of a short one.
    let heights = [0.3, 0.45, 0.8, 0.1, 0.02];
    let places = [0.0, 0.7, -0.7].into_iter().flat_map(|off| heights.map(|height| (off, height)));
    places.into_iter().find_map(|(off, height)| settle_from(walk, door, off, height))
}

fn settle_from(walk: &mut Walk, door: &Doorway, off: f32, height: f32) -> Option<Standing> {
    let above = door.sill + door.across * off + Vec3::Z * height;
    let cells = [door.room, door.other];
    let within = |cell: &&CellId| walk.world.cell(**cell).is_some_and(|c| c.contains(above));
    let cell = cells.iter().find(within)?;
    walk.hang(cell.0, above.to_array());
    let mut falls = (0..20).map(|_| walk.step([0.0, 0.0, -0.05]));
    let landing = falls.find(|outcome| outcome.stance.on_walkable)?;
    // Who is stuck in a wall is said to stand in the end, too.
    if landing.stationary_fall != 0 {
        return None;
    }
    walk.steps(14, (door.across * (-off / 14.0)).to_array());
    let (at, stance) = (walk.at(), walk.body.stance);
    let stays = (at - door.sill).truncate().length() < 0.01;
    (stays && stance.on_walkable).then_some(Standing { at, stance })
}

/// Puts a body where it stood, so far across the portal, into a cell.
fn put(walk: &mut Walk, door: &Doorway, standing: &Standing, cell: CellId, offset: f32) {
    walk.hang(cell.0, (standing.at + door.across * offset).to_array());
    walk.body.stance = standing.stance;
}

/// Sways to and fro, in legs of one tick or several. Returns how often it crossed.
fn sway(walk: &mut Walk, door: &Doorway, standing: &Standing, random: &mut Random) -> usize {
    put(walk, door, standing, door.room, 0.0);
    let (mut crossed, mut side, mut changes) = (0, 1.0, 0);
    let mut target = SWAY;
    for tick in 0..ticks() {
        let offset = (walk.at() - standing.at).dot(door.across);
        if (target - offset) * side <= 1e-3 {
            side = -side;
            target = side * SWAY * random.between(0.1, 1.0) as f32;
            changes = 0;
        }
        let most = [0.03, 2.0 * SWAY][tick / 20 % 2];
        let by = (target - offset).clamp(-most, most);
        let (before, was) = (walk.position(), walk.cell());
        let outcome = walk.step((door.across * by).to_array());
        let context = format!("{door}, tick {tick}: from {before:?} by {by}");
        assert!(outcome.cell.is_some(), "lost: {context}");
        let now = walk.cell();
        if now != was {
            let entered = was.is_outdoor() && now.is_indoor();
            assert!(entered || !walk.is_in(was), "{now} though {was} contains it: {context}");
            changes += 1;
            crossed += 1;
            assert!(changes < 2, "changed twice in one direction: {context}");
        }
        if walk.position() == before {
            // Stopped: it turns round.
            (side, target, changes) = (-side, -target, 0);
        } else {
            assert!(walk.is_in(now), "{now} does not contain it: {context}");
        }
    }
    crossed
}

/// Stands still at and beside the portal, in each of its cells.
fn stand(walk: &mut Walk, door: &Doorway, standing: &Standing) {
    let level = standing.stance.plane.normal.z > 0.9999;
    for offset in [0.0, 1e-4, -1e-4, 0.04, -0.04] {
        for cell in [door.room, door.other] {
            put(walk, door, standing, cell, offset);
            for tick in 0..ticks() / 10 {
                // Nothing, and a pull that level ground takes back.
                let pull = if level { -0.02 * (tick % 3) as f32 } else { 0.0 };
                let outcome = walk.step([0.0, 0.0, pull]);
                assert_eq!(outcome.cell, Some(cell), "{door} at {offset}, tick {tick}");
                assert!(walk.events.is_empty(), "{door} at {offset}: {:?}", walk.events);
            }
        }
    }
}

/// Portals by what became of them.
#[derive(Debug, Default, PartialEq)]
struct Count {
    /// In floors and ceilings.
    flat: usize,
    /// Nobody gets there.
    closed: usize,
    tested: usize,
    /// Those among them that were crossed.
    crossed: usize,
}

fn jitter(name: &str) -> Count {
    let mut walk = Walk::sample(name);
    let mut random = Random(17);
    let mut count = Count::default();
    for door in doorways(&walk) {
        if door.lies_flat {
            count.flat += 1;
        } else if let Some(standing) = settle(&mut walk, &door) {
            count.tested += 1;
            let crossed = sway(&mut walk, &door, &standing, &mut random);
            count.crossed += usize::from(crossed > 0);
            stand(&mut walk, &door, &standing);
        } else {
            count.closed += 1;
        }
    }
    count
}

/// Closed are 32 windows, and both sides of the inn's vestibule, right behind which are screens.
#[test]
fn doorway_jitter_in_the_town() {
    assert_eq!(jitter("holt"), Count { flat: 0, closed: 34, tested: 248, crossed: 248 });
}

/// Closed are both ends of what is too narrow, too low and too steep.
#[test]
fn doorway_jitter_in_the_dungeon() {
    assert_eq!(jitter("dungeon"), Count { flat: 6, closed: 6, tested: 154, crossed: 154 });
}
