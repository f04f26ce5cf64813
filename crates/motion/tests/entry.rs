//! Cells that an object guards: `check_entry_restrictions` on land and in rooms.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod threads;

use std::sync::{Arc, Mutex};
use threshold_testkit::{
    CrowdScene, FEET, WALKER, Walk, check_at, edit_record,
    layouts::{A, B, C, hut, plain, row},
};

use threshold_dat::{
    EnvCell, LandBlock, LandBlockInfo, RecordId, RecordSet, Restriction, Restrictions,
};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Position};
use threshold_motion::{MoveContext, Mover, Refusal, Search, SweepScratch, Sweeper, VIEWER_RADIUS};
use threshold_why as why;
use threshold_world::{BodyId, Builder, Entrant, EntryRules, ObjectKind, World};

const GUARD: RecordId = RecordId(0x7000_0001);
/// The second land cell from the west in the second row: 24 to 48 m east and north.
const LAWN: CellId = CellId(0xA9B4_000A);
/// A body that may enter.
const OWNER: BodyId = BodyId(7);

fn guard_room(mut records: RecordSet, room: CellId) -> RecordSet {
    edit_record(&mut records, room, |record: &mut EnvCell| record.restriction = Some(GUARD));
    records
}

/// Returns level ground with a guarded land cell. A later guard of the same cell in the table does not count.
fn guarded_lawn() -> Walk {
    let block = BlockId(0xA9B4);
    let mut records = plain(&[block.0]).finish().unwrap().into_records();
    edit_record(&mut records, block.as_cell(), |land: &mut LandBlock| land.has_info = 1);
    let entry = |cell, object| Restriction { cell, object };
    let entries = vec![
        entry(block.cell(64), GUARD),
        entry(LAWN, GUARD),
        entry(LAWN, RecordId(0x7000_0009)),
        entry(block.cell(1), RecordId(0x7000_0009)),
    ];
    let restrictions = Some(Restrictions { buckets: 8, entries });
    let info = LandBlockInfo { restrictions, ..LandBlockInfo::empty(block) };
    records.put(block.cell(0xFFFE).into(), &info).unwrap();
    Walk::from_source(records)
}

/// Lets only the owner pass this guard, and movers without a body.
fn owner_only(_: CellId, guard: RecordId, entrant: &Entrant) -> bool {
    guard != GUARD || entrant.body.is_none_or(|body| body == OWNER)
}

fn set_rules(world: &mut World, rules: impl EntryRules + 'static) {
    world.set_entry_rules(Some(Arc::new(rules)));
}

/// Replaces the walker by the owner.
fn put_owner(walk: &mut Walk, cell: u32, at: [f32; 3]) {
    let stance = walk.body.stance;
    let spec = walk.spec(cell, at);
    walk.put(threshold_world::BodySpec { body: OWNER, ..spec });
    walk.body.stance = stance;
}

#[test]
fn without_rules_every_mover_enters_a_guarded_cell() {
    let mut walk = Walk::from_source(guard_room(row(&[4.0, 4.0], &[]), B));
    walk.put_on_ground(A.0, [2.0, 2.0, FEET]).steps(8, [0.4, 0.0, 0.0]);
    check_at(&walk, B.0, [5.2, 2.0, FEET]);
    let mut walk = guarded_lawn();
    walk.put_on_ground(0xA9B4_0002, [22.0, 36.0, FEET]).steps(10, [0.4, 0.0, 0.0]);
    assert_eq!(walk.cell(), LAWN);
}

#[test]
fn a_guarded_room_keeps_out_only_movers_that_may_not_enter() {
    let mut walk = Walk::from_source(guard_room(row(&[4.0, 4.0], &[]), B));
    set_rules(&mut walk.world, owner_only);
    walk.put_on_ground(A.0, [2.0, 2.0, FEET]).steps(12, [0.1, 0.0, 0.0]);
    assert_eq!(walk.cell(), A);
    assert!((walk.at().x - 3.2).abs() < 1e-4, "free up to the guarded room: {}", walk.at());
    walk.steps(12, [0.1, 0.0, 0.0]);
    // It stops before its sphere touches the room, to a step of 10 cm.
    assert_eq!(walk.cell(), A);
    assert!((3.4..=3.52).contains(&walk.at().x), "{}", walk.at());
    // It may turn back: the guarded room is not tested.
    walk.steps(2, [-0.1, 0.0, 0.0]);
    assert!(walk.at().x < 3.4, "{}", walk.at());

    put_owner(&mut walk, A.0, [2.0, 2.0, FEET]);
    walk.world.remove(WALKER).unwrap();
    walk.steps(8, [0.4, 0.0, 0.0]);
    check_at(&walk, B.0, [5.2, 2.0, FEET]);
}

#[test]
fn a_guarded_land_cell_is_like_a_wall_on_each_of_its_sides() {
    for (cell, from, by, want) in [
        (0xA9B4_0002, [22.0, 36.0], [0.3, 0.0, 0.0], Vec3::NEG_X),
        (0xA9B4_0012, [50.0, 36.0], [-0.3, 0.0, 0.0], Vec3::X),
        (0xA9B4_0009, [36.0, 22.0], [0.0, 0.3, 0.0], Vec3::NEG_Y),
        (0xA9B4_000B, [36.0, 50.0], [0.0, -0.3, 0.0], Vec3::Y),
    ] {
        let mut walk = guarded_lawn();
        set_rules(&mut walk.world, owner_only);
        walk.put_on_ground(cell, [from[0], from[1], FEET]);
        let hits: Vec<Vec3> = (0..12).filter_map(|_| walk.step(by).hit).collect();
        assert_eq!(hits.first(), Some(&want), "{hits:?}");
        assert_eq!(walk.cell(), CellId(cell));
        let middle = Vec3::new(36.0, 36.0, FEET);
        let apart = (walk.at() - middle).dot(want);
        assert!((12.48..12.8).contains(&apart), "{apart} m before the middle");
        // It slides along the side.
        let along = Vec3::new(want.y, want.x, 0.0) * 0.2;
        let before = walk.at();
        walk.steps(3, (along - want * 0.2).to_array());
        let slid = (walk.at() - before).dot(along.normalize());
        assert!(slid > 0.35, "{slid} m along {along}");
        assert_eq!(walk.cell(), CellId(cell));
    }
    let mut walk = guarded_lawn();
    set_rules(&mut walk.world, owner_only);
    put_owner(&mut walk, 0xA9B4_0002, [22.0, 36.0, FEET]);
    walk.body.stance = threshold_motion::Stance::standing();
    walk.steps(10, [0.4, 0.0, 0.0]);
    assert_eq!(walk.cell(), LAWN);
}

#[test]
fn rules_that_allow_everything_change_no_bit() {
    let ends = |rules: Option<Arc<dyn EntryRules>>| {
        let (records, [land, hall, closet]) = hut();
        let mut walk = Walk::from_source(guard_room(guard_room(records, hall), closet));
        walk.world.set_entry_rules(rules);
        walk.put_on_ground(land.0, [88.0, 84.3, FEET]);
        let ends = (0..40).map(|number| {
            let at = walk.step([-0.2, 0.01 * (number % 7) as f32, 0.0]).position;
            (at.cell, at.frame.origin.to_array().map(f32::to_bits))
        });
        let ends: Vec<_> = ends.collect();
        assert_eq!(ends.last().unwrap().0, closet);
        ends
    };
    let all = |_: CellId, _: RecordId, _: &Entrant| true;
    assert_eq!(ends(None), ends(Some(Arc::new(all))));
}

#[test]
fn entry_rules_receive_the_cell_its_guard_and_the_mover() {
    let queries = Arc::new(Mutex::new(Vec::new()));
    let recorder = Arc::clone(&queries);
    let mut walk = Walk::from_source(guard_room(row(&[4.0, 4.0, 4.0], &[]), B));
    set_rules(&mut walk.world, move |cell: CellId, guard: RecordId, entrant: &Entrant| {
        recorder.lock().unwrap().push((cell, guard, *entrant));
        true
    });
    walk.put_on_ground(A.0, [2.0, 2.0, FEET]).steps(8, [0.4, 0.0, 0.0]);
    let queries = queries.lock().unwrap();
    let want = (B, GUARD, Entrant::new(Some(WALKER), ObjectKind::Creature));
    assert!(!queries.is_empty() && queries.iter().all(|query| *query == want), "{queries:?}");
}

#[test]
fn a_mover_is_not_placed_in_a_cell_that_it_may_not_enter() {
    let mut walk = Walk::from_source(guard_room(row(&[4.0, 4.0], &[]), B));
    set_rules(&mut walk.world, owner_only);
    for (number, want) in [(WALKER, Some(Refusal::NoRoom)), (OWNER, None)] {
        let spec = threshold_world::BodySpec { body: number, ..walk.spec(B.0, [6.0, 2.0, 0.3]) };
        let Walk { world, rules, scratch, body, .. } = &mut walk;
        let (outcome, events) =
            body.enter(&mut MoveContext::new(world, *rules, scratch), spec, Search::Here, 0.0);
        assert_eq!(outcome.refused, want);
        assert_eq!(events.is_empty(), want.is_some());
    }
}

#[test]
fn a_camera_without_a_body_passes_where_the_rules_let_it() {
    let mut walk = Walk::from_source(guard_room(row(&[4.0, 4.0], &[]), B));
    set_rules(&mut walk.world, owner_only);
    let (from, to) =
        (Position::new(A, Vec3::new(2.0, 2.0, 1.5)), Position::new(A, Vec3::new(6.0, 2.0, 1.5)));
    let camera = Mover::viewer(VIEWER_RADIUS);
    let sweeper = Sweeper::new(&walk.world);
    let end = sweeper.sweep_camera(&mut SweepScratch::new(), &mut (), &camera, &from, &to);
    assert_eq!(end.cell, Some(B));
}

#[test]
fn why_names_the_restriction() {
    let mut walk = Walk::from_source(guard_room(row(&[4.0, 4.0], &[]), B));
    set_rules(&mut walk.world, owner_only);
    walk.put_on_ground(A.0, [3.4, 2.0, FEET]);
    let (mover, from) = (walk.body.mover(&walk.world).unwrap(), walk.position());
    let mut to = from;
    to.frame.origin.x += 0.4;
    let (outcome, why) = why::sweep(&Sweeper::new(&walk.world), &mover, &from, &to);
    assert_eq!(outcome.cell, Some(A));
    let stopped = why.summary.iter().find(|node| node.kind == "stopped").unwrap();
    let want = "Stopped by a restriction: entry to 0x01020101 is restricted by object 0x70000001";
    assert!(stopped.text.starts_with(want), "{}", stopped.text);
    let lines = why.steps.iter().flat_map(|node| node.lines(true));
    let want = "Entry to 0x01020101 is restricted by object 0x70000001.";
    assert!(lines.into_iter().any(|(_, text)| text == want));
}

#[test]
fn a_crowd_before_a_guarded_room_is_the_same_for_any_number_of_threads() {
    let scene = || {
        let mut scene = CrowdScene::new(Builder::new(guard_room(row(&[60.0, 8.0, 8.0], &[]), B)));
        set_rules(&mut scene.world, |_: CellId, _: RecordId, entrant: &Entrant| {
            entrant.body.is_none_or(|body| body.0 % 2 == 0)
        });
        for number in 0..40 {
            let (row, column) = (number % 2, number / 2);
            let (x, y) = (56.0 - 2.0 * column as f32, 1.0 + 2.0 * row as f32);
            let body = scene.walker(number, A.0, [x, y, 0.0], 90.0);
            scene.join(body);
        }
        scene
    };
    let want = threads::run(scene(), 1, 300);
    for count in [2, 5] {
        assert_eq!(threads::run(scene(), count, 300), want, "{count} threads");
    }
    let mut scene = scene();
    for tick in 1..=300 {
        let _ = scene.tick(f64::from(tick) / 30.0);
    }
    let beyond = |body: &BodyId| {
        let cell = scene.world.body(*body).unwrap().position().cell;
        cell == B || cell == C
    };
    let (odd, even): (Vec<BodyId>, Vec<BodyId>) =
        (0..40).map(BodyId).partition(|body| body.0 % 2 == 1);
    assert_eq!(odd.iter().filter(|body| beyond(body)).count(), 0);
    assert!(even.iter().filter(|body| beyond(body)).count() > 5);
}
