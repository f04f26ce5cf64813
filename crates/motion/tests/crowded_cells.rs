//! Sweeps through cells with hundreds of objects, with and without shortcuts: every outcome has the
//! same bits.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod random_movers;

use random_movers::{RandomMover, TestWorld, mover_kinds, test_worlds};
use threshold_land::Position;
use threshold_motion::{Mover, Rules, Search, Shortcuts, SweepScratch, Sweeper};
use threshold_testkit::{MOVER, Random, sample_builder};
use threshold_world::{BodyId, BodySpec, ObjectKind, PieceId, PlayerStatus, State};

/// Bodies in the dungeon of 82 rooms: most rooms are crowded, and their lists are grouped.
const BODIES: u32 = 6_500;

const KINDS: [ObjectKind; 4] = [
    ObjectKind::Player(PlayerStatus::Peaceful),
    ObjectKind::Player(PlayerStatus::Free),
    ObjectKind::Creature,
    ObjectKind::Thing,
];

/// Fills the rooms of the dungeon with bodies. Most are passed through, so that movers find room.
fn fill(test_world: &mut TestWorld, random: &mut Random) {
    let (setup, scratch) =
        (sample_builder("dungeon").setup(MOVER).unwrap(), &mut SweepScratch::new());
    let kinds = mover_kinds();
    // All places first, while there is room.
    let from = (&*test_world, Rules::default());
    let places: Vec<Position> =
        (0..BODIES).map(|_| RandomMover::start(from, scratch, &kinds[0], random).at).collect();
    for (number, position) in (0..BODIES).zip(places) {
        let ghost = number % 8 != 0;
        let state = State::GRAVITY.with(State::ETHEREAL, ghost);
        let (body, setup, scale) = (BodyId(number), setup.clone(), 1.0);
        // Few creatures, so that movers are not stuck at once.
        let kind = KINDS[usize::from(random.below(8) == 0) * random.below(KINDS.len())];
        test_world.world.insert(BodySpec { body, setup, position, scale, state, kind });
    }
}

fn longest_list(test_world: &TestWorld) -> usize {
    let world = &test_world.world;
    let rooms = world.resident().filter_map(|piece| match piece {
        PieceId::Room(room) => Some(world.object_count(room)),
        PieceId::Land(_) => None,
    });
    rooms.max().unwrap()
}

#[test]
fn sweeps_in_crowded_cells_have_the_same_bits_with_and_without_shortcuts() {
    let mut random = Random(11);
    let mut test_world = test_worlds().into_iter().find(|world| world.name == "dungeon").unwrap();
    fill(&mut test_world, &mut random);
    assert!(longest_list(&test_world) > 64, "{}", longest_list(&test_world));
    let mut touched = 0;
    for number in 0..240 {
        // First searched as they are, then grouped by kind.
        if number == 120 {
            test_world.world.group_crowded_cells();
        }
        let kinds = mover_kinds();
        let (rules, kind) = (Rules::default(), &kinds[number % 9]);
        let [mut fast, mut slow] =
            [Shortcuts::ALL, Shortcuts::NONE].map(SweepScratch::with_shortcuts);
        let mut random_mover =
            RandomMover::start((&test_world, rules), &mut slow, kind, &mut random);
        random_mover.mover.kind = KINDS[number % KINDS.len()];
        let sweeper = Sweeper { world: &test_world.world, rules };
        for sweep in 0..60 {
            let (from, to) = (random_mover.at, random_mover.next(&mut random));
            let outcome = sweeper.sweep(&mut fast, &mut (), &random_mover.mover, &from, &to);
            let plain = sweeper.sweep(&mut slow, &mut (), &random_mover.mover, &from, &to);
            assert!(
                outcome.is_identical(&plain),
                "mover {number}, sweep {sweep}:\n{outcome:?}\n{plain:?}"
            );
            touched += outcome.objects.len();
            let camera = Mover::viewer(0.3);
            let [a, b] = [&mut fast, &mut slow]
                .map(|scratch| sweeper.place(scratch, &mut (), &camera, &to, Search::Around));
            assert!(a.is_identical(&b), "placement {number}, {sweep}:\n{a:?}\n{b:?}");
            if outcome.cell.is_none() {
                break;
            }
            random_mover.apply(&outcome, &mut random);
        }
    }
    assert!(touched > 500, "{touched}");
}
