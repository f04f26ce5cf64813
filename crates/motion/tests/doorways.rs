//! A body in a doorway is in one cell at a time, and changes it when its centre crosses and not otherwise: at
//! every portal of the sample worlds, the built-in world, and worlds by chance.
//!
//! With `THRESHOLD_SOAK` set it stands there for 10,000 ticks instead of 200.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_land::CellId;
use threshold_land::glam::Vec3;
use threshold_motion::Stance;
use threshold_testkit::{
    Random, Walk,
    doorway::{Doorway, doorways},
    forged::{self, ForgedWorld},
};

/// How high a body steps, in metres.
const STEP: f32 = 0.6;
/// How far a body sways to either side of the portal, in metres.
const SWAY: f32 = 0.08;

fn ticks() -> usize {
    if std::env::var_os("THRESHOLD_SOAK").is_some() { 10_000 } else { 200 }
}

/// Where and how a body stands in a doorway.
#[derive(Clone, Copy)]
struct Standing {
    at: Vec3,
    stance: Stance,
}

/// Lets a body down onto the sill, or else beside it and lets it walk there; `None` where nobody gets.
fn settle(walk: &mut Walk, door: &Doorway) -> Option<Standing> {
    // Lintels are in the way of a long fall, steps of a short one.
    let heights = [0.3, 0.45, 0.8, 0.1, 0.02];
    let places = [0.0, 0.7, -0.7].into_iter().flat_map(|off| heights.map(|height| (off, height)));
    places.into_iter().find_map(|(off, height)| settle_from(walk, door, off, height))
}

fn settle_from(walk: &mut Walk, door: &Doorway, off: f32, height: f32) -> Option<Standing> {
    let above = door.sill + door.outward * off + Vec3::Z * height;
    let cells = [door.room, door.beyond];
    let within = |cell: &&CellId| walk.world.cell(**cell).is_some_and(|c| c.contains(above));
    let cell = cells.iter().find(within)?;
    walk.put_in_air(cell.0, above.to_array());
    let mut falls = (0..20).map(|_| walk.step([0.0, 0.0, -0.05]));
    let landing = falls.find(|outcome| outcome.stance.on_walkable)?;
    // Who is stuck in a wall is said to stand in the end, too.
    if landing.stationary_fall != 0 {
        return None;
    }
    walk.steps(14, (door.outward * (-off / 14.0)).to_array());
    let (at, stance) = (walk.at(), walk.body.stance);
    let stays = (at - door.sill).truncate().length() < 0.01;
    (stays && stance.on_walkable).then_some(Standing { at, stance })
}

/// Puts a body where it stood, so far across the portal, into a cell.
fn put(walk: &mut Walk, door: &Doorway, standing: &Standing, cell: CellId, offset: f32) {
    walk.put_in_air(cell.0, (standing.at + door.outward * offset).to_array());
    walk.body.stance = standing.stance;
}

/// Sways to and fro, in legs of one tick or several. Returns how often it crossed.
fn sway(walk: &mut Walk, door: &Doorway, standing: &Standing, random: &mut Random) -> usize {
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
        let most = [0.03, 2.0 * SWAY][tick / 20 % 2];
        let by = (target - offset).clamp(-most, most);
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
        for cell in [door.room, door.beyond] {
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
    /// With a wall in them: only the eye gets out.
    windows: usize,
    /// Nobody gets there: a step too high over the floors on both sides.
    high: usize,
    /// Nobody gets there, for another reason.
    closed: usize,
    tested: usize,
    /// Those among them that were crossed.
    crossed: usize,
}

/// How high the sill is over the higher of the floors on both sides, in metres.
fn rise(walk: &Walk, door: &Doorway) -> f32 {
    let rooms = [door.room, door.beyond].into_iter().filter_map(|cell| walk.world.room(cell));
    let floors = rooms.map(|room| {
        let corners = room.structure().drawing.iter().flat_map(|polygon| polygon.vertices);
        corners.map(|at| room.to_block(*at).z).fold(f32::INFINITY, f32::min)
    });
    door.sill.z - floors.fold(f32::NEG_INFINITY, f32::max)
}

fn jitter(mut walk: Walk, seed: u64) -> Count {
    let mut random = Random(seed);
    let mut count = Count::default();
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
        } else if rise(&walk, &door) > STEP {
            count.high += 1;
        } else {
            println!("{door} is closed");
            count.closed += 1;
        }
    }
    count
}

/// Closed are both sides of the inn's vestibule, right behind which are screens.
#[test]
fn doorway_jitter_in_the_town() {
    let count = jitter(Walk::sample("holt"), 17);
    let crossed = Count { tested: 248, crossed: 248, ..Count::default() };
    assert_eq!(count, Count { windows: 32, closed: 2, ..crossed });
}

/// Closed are both ends of what is too narrow, too low and too steep.
#[test]
fn doorway_jitter_in_the_dungeon() {
    let count = jitter(Walk::sample("dungeon"), 17);
    let crossed = Count { tested: 154, crossed: 154, ..Count::default() };
    assert_eq!(count, Count { flat: 6, closed: 6, ..crossed });
}

/// High are both sides of the arches of the gallery, over a parapet. Nothing is closed: a bench stood before three kitchens once.
#[test]
fn doorway_jitter_in_the_built_in_world_where_nothing_stands_before_a_door() {
    for forged in forged::builtins() {
        let count = jitter(Walk::new(forged.builder()), forged.seed);
        let crossed = Count { tested: 391, crossed: 391, ..Count::default() };
        assert_eq!(count, Count { flat: 10, windows: 84, high: 12, ..crossed }, "{}", forged.name);
    }
}

/// Of the doorways of a world by chance none is closed and every one is crossed.
#[track_caller]
fn check_all_crossed(forged: &ForgedWorld) -> Count {
    let count = jitter(Walk::new(forged.builder()), forged.seed);
    let Count { high, closed, tested, crossed, .. } = count;
    assert_eq!((high, closed, crossed), (0, 0, tested), "{}: {count:?}", forged.name);
    count
}

/// Steps lead through floors, and nobody walks through windows.
#[test]
fn doorway_jitter_in_villages_by_chance() {
    for village in forged::villages() {
        let count = check_all_crossed(&village);
        assert!(count.flat >= 8 && count.windows > 20 && count.tested > 40, "{count:?}");
    }
}

#[test]
fn doorway_jitter_in_deep_dungeons_by_chance() {
    for deep in forged::deep_dungeons() {
        let count = check_all_crossed(&deep);
        let all = Count { tested: count.tested, crossed: count.tested, ..Count::default() };
        assert!(count == all && count.tested >= 2 * 59, "{count:?}");
    }
}
