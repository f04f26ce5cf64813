//! A body in a doorway is in one cell at a time, and changes it only when its centre crosses the portal: at every
//! portal of the sample worlds, the built-in world, and random worlds.
//!
//! With `THRESHOLD_SOAK` set it stays there for 10,000 ticks instead of 200.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_land::CellId;
use threshold_land::vector::Vec3;
use threshold_motion::Stance;
use threshold_testkit::{
    Random, Walk,
    doorway::{Doorway, doorways},
    forged::{self, ForgedWorld},
};

/// Step height of a body, in metres.
const STEP: f32 = 0.6;
/// Greatest distance that a body sways to either side of the portal, in metres.
const SWAY: f32 = 0.08;

fn ticks() -> usize {
    if std::env::var_os("THRESHOLD_SOAK").is_some() { 10_000 } else { 200 }
}

/// Position and stance of a body in a doorway.
#[derive(Clone, Copy)]
struct StandingPose {
    at: Vec3,
    stance: Stance,
}

/// Lowers a body onto the sill, or beside it and walks it there. Returns `None` if it gets there neither way.
fn settle(walk: &mut Walk, door: &Doorway) -> Option<StandingPose> {
    // Lintels block a long fall, steps a short one.
    let heights = [0.3, 0.45, 0.8, 0.1, 0.02];
    let starts = [0.0, 0.7, -0.7].into_iter().flat_map(|off| heights.map(|height| (off, height)));
    starts.into_iter().find_map(|(off, height)| settle_from(walk, door, off, height))
}

fn settle_from(walk: &mut Walk, door: &Doorway, off: f32, height: f32) -> Option<StandingPose> {
    let above = door.sill + door.outward * off + Vec3::Z * height;
    let cells = [door.room, door.beyond];
    let within = |cell: &&CellId| walk.world.cell(**cell).is_some_and(|c| c.contains(above));
    let cell = cells.iter().find(within)?;
    walk.put_in_air(cell.0, above.to_array());
    let mut falls = (0..20).map(|_| walk.step([0.0, 0.0, -0.05]));
    let landing = falls.find(|outcome| outcome.stance.on_walkable)?;
    // A body stuck in a wall is reported as standing in the end, too.
    if landing.stationary_fall != 0 {
        return None;
    }
    walk.steps(14, (door.outward * (-off / 14.0)).to_array());
    let (at, stance) = (walk.at(), walk.body.stance);
    let stays = (at - door.sill).truncate().length() < 0.01;
    (stays && stance.on_walkable).then_some(StandingPose { at, stance })
}

/// Puts a body into a cell, at an offset across the portal from where it stood.
fn put(walk: &mut Walk, door: &Doorway, standing: &StandingPose, cell: CellId, offset: f32) {
    walk.put_in_air(cell.0, (standing.at + door.outward * offset).to_array());
    walk.body.stance = standing.stance;
}

/// Sways to and fro, in legs of one or several ticks. Returns the number of crossings.
fn sway(walk: &mut Walk, door: &Doorway, standing: &StandingPose, random: &mut Random) -> usize {
    put(walk, door, standing, door.room, 0.0);
    let (mut crossed, mut side, mut changes) = (0, 1.0, 0);
    let mut target = SWAY;
    for tick in 0..ticks() {
        let offset = (walk.at() - standing.at).dot(door.outward);
        if (target - offset) * side <= 1e-3 {
            side = -side;
            target = side * SWAY * random.between(0.1, 1.0) as f32;
            changes = 0;
        }
        let max_step = [0.03, 2.0 * SWAY][tick / 20 % 2];
        let by = (target - offset).clamp(-max_step, max_step);
        let (before, was) = (walk.position(), walk.cell());
        let outcome = walk.step((door.outward * by).to_array());
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
            // Blocked: turns round.
            (side, target, changes) = (-side, -target, 0);
        } else {
            assert!(walk.is_in(now), "{now} does not contain it: {context}");
        }
    }
    crossed
}

/// Stands still at and beside the portal, in each of its cells.
fn stand(walk: &mut Walk, door: &Doorway, standing: &StandingPose) {
    let level = standing.stance.plane.normal.z > 0.9999;
    for offset in [0.0, 1e-4, -1e-4, 0.04, -0.04] {
        for cell in [door.room, door.beyond] {
            put(walk, door, standing, cell, offset);
            for tick in 0..ticks() / 10 {
                // No movement, or a pull that level ground takes back.
                let pull = if level { -0.02 * (tick % 3) as f32 } else { 0.0 };
                let outcome = walk.step([0.0, 0.0, pull]);
                assert_eq!(outcome.cell, Some(cell), "{door} at {offset}, tick {tick}");
                assert!(walk.events.is_empty(), "{door} at {offset}: {:?}", walk.events);
            }
        }
    }
}

/// Numbers of portals by result.
#[derive(Debug, Default, PartialEq)]
struct PortalCounts {
    /// In floors and ceilings.
    flat: usize,
    /// Closed by a wall: only a camera looks through.
    windows: usize,
    /// Out of reach: more than a step above the floors on both sides.
    high: usize,
    /// Out of reach for another reason.
    closed: usize,
    tested: usize,
    /// Tested and crossed.
    crossed: usize,
}

/// Returns the height of the sill above the higher of the floors on both sides, in metres.
fn sill_height(walk: &Walk, door: &Doorway) -> f32 {
    let rooms = [door.room, door.beyond].into_iter().filter_map(|cell| walk.world.room(cell));
    let floors = rooms.map(|room| {
        let corners = room.structure().drawing.iter().flat_map(|polygon| polygon.vertices);
        corners.map(|at| room.to_block(*at).z).fold(f32::INFINITY, f32::min)
    });
    door.sill.z - floors.fold(f32::NEG_INFINITY, f32::max)
}

fn check_doorways(mut walk: Walk, seed: u64) -> PortalCounts {
    let mut random = Random(seed);
    let mut count = PortalCounts::default();
    for door in doorways(&walk.world) {
        if door.lies_flat {
            count.flat += 1;
        } else if door.is_walled {
            count.windows += 1;
        } else if let Some(standing) = settle(&mut walk, &door) {
            count.tested += 1;
            let crossed = sway(&mut walk, &door, &standing, &mut random);
            count.crossed += usize::from(crossed > 0);
            stand(&mut walk, &door, &standing);
        } else if sill_height(&walk, &door) > STEP {
            count.high += 1;
        } else {
            println!("{door} is closed");
            count.closed += 1;
        }
    }
    count
}

/// The two closed portals are the sides of the inn's vestibule, which has screens right behind it.
#[test]
fn doorway_jitter_in_the_town() {
    let count = check_doorways(Walk::sample("holt"), 17);
    let crossed = PortalCounts { tested: 248, crossed: 248, ..PortalCounts::default() };
    assert_eq!(count, PortalCounts { windows: 32, closed: 2, ..crossed });
}

/// The closed portals are the ends of passages that are too narrow, too low or too steep.
#[test]
fn doorway_jitter_in_the_dungeon() {
    let count = check_doorways(Walk::sample("dungeon"), 17);
    let crossed = PortalCounts { tested: 154, crossed: 154, ..PortalCounts::default() };
    assert_eq!(count, PortalCounts { flat: 6, closed: 6, ..crossed });
}

/// The high portals are the arches of the gallery, over a parapet. None is closed: a bench once stood before three kitchens.
#[test]
fn doorway_jitter_in_the_built_in_world_with_no_door_blocked() {
    for forged in forged::builtins() {
        let count = check_doorways(Walk::new(forged.builder()), forged.seed);
        let crossed = PortalCounts { tested: 391, crossed: 391, ..PortalCounts::default() };
        assert_eq!(
            count,
            PortalCounts { flat: 10, windows: 84, high: 12, ..crossed },
            "{}",
            forged.name
        );
    }
}

/// Checks that every doorway of a random world is open and is crossed.
#[track_caller]
fn check_all_crossed(forged: &ForgedWorld) -> PortalCounts {
    let count = check_doorways(Walk::new(forged.builder()), forged.seed);
    let PortalCounts { high, closed, tested, crossed, .. } = count;
    assert_eq!((high, closed, crossed), (0, 0, tested), "{}: {count:?}", forged.name);
    count
}

/// Stairs lead through floors, and no body passes a window.
#[test]
fn doorway_jitter_in_random_villages() {
    for village in forged::villages() {
        let count = check_all_crossed(&village);
        assert!(count.flat >= 8 && count.windows > 20 && count.tested > 40, "{count:?}");
    }
}

#[test]
fn doorway_jitter_in_random_deep_dungeons() {
    for deep in forged::deep_dungeons() {
        let count = check_all_crossed(&deep);
        let all =
            PortalCounts { tested: count.tested, crossed: count.tested, ..PortalCounts::default() };
        assert!(count == all && count.tested >= 2 * 59, "{count:?}");
    }
}
