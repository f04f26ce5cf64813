//! The flag `seen_outside` and the rule `draw_landscape`: in which exit portals the landscape shows.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod graph;

use graph::{Graph, across, cell};
use threshold_dat::EnvCellFlags;
use threshold_land::CellId;
use threshold_testkit::{
    Random, edit_room, forged, random_viewer_in, room_ids, sample_records, sample_world,
    soak_factor, town_cells, viewer_at, world_from,
};
use threshold_view::{
    PortalLog, PortalOutcome, PortalTest, PortalWalk, ViewRules, ViewScratch, Viewer,
};
use threshold_world::World;

/// The vestibule of the inn of the sample town, whose portal 0 leads outdoors to the east, and the main room behind it.
const VESTIBULE: CellId = CellId(0xA9B4_0164);
const MAIN_ROOM: CellId = CellId(0xA9B4_0157);

fn by(rules: &[&str]) -> ViewRules {
    let mut all = ViewRules::default();
    rules.iter().for_each(|rule| all.set_text(rule).unwrap());
    all
}

/// Two rooms in a row, with a door between them at x = 4 and an exit of the second at x = 8.
fn row(flags: [bool; 2]) -> World {
    let mut graph = Graph::new();
    let rooms = [0.0, 4.0].map(|x| graph.room([x, 0.0, 0.0], [x + 4.0, 4.0, 3.0]));
    graph.join(rooms[0], rooms[1], across(0, 4.0, [1.0, 0.0], [3.0, 2.3]));
    graph.exit(rooms[1], across(0, 8.0, [1.0, 0.0], [3.0, 2.3]));
    graph.flag(0, flags[0]).flag(1, flags[1]);
    graph.world()
}

/// In a room of the row, looking at the exit.
fn eye_in(room: usize) -> Viewer {
    viewer_at(cell(room), [room as f32 * 4.0 + 1.0, 2.0, 1.5], [8.0, 2.0, 1.5])
}

/// Returns the number of landscape regions, and the outcomes that keep the landscape out of portals.
fn look(world: &World, rules: ViewRules, viewer: &Viewer) -> (usize, Vec<PortalTest>) {
    let (mut scratch, mut reasons) = (ViewScratch::new(), PortalLog::default());
    let seen = PortalWalk { world, rules }.run(&mut scratch, &mut reasons, viewer);
    // A portal that shows no landscape needs no seal.
    let through_none = usize::from(seen.root().is_outdoor());
    assert_eq!(seen.seals().is_empty(), seen.landscape().len() == through_none, "{viewer:?}");
    (seen.landscape().len(), reasons.landscape_left_out())
}

#[test]
fn the_landscape_shows_only_where_the_viewers_room_and_the_room_of_the_portal_have_the_flag() {
    for (flags, root, want) in [
        ([true, true], 0, None),
        ([true, true], 1, None),
        ([false, true], 0, Some(PortalOutcome::RootNotSeenOutside)),
        ([false, true], 1, None),
        ([true, false], 0, Some(PortalOutcome::RoomNotSeenOutside)),
        ([true, false], 1, Some(PortalOutcome::RootNotSeenOutside)),
        ([false, false], 0, Some(PortalOutcome::RootNotSeenOutside)),
    ] {
        let (world, viewer) = (row(flags), eye_in(root));
        let (shown, left_out) = look(&world, ViewRules::default(), &viewer);
        let fates: Vec<PortalOutcome> = left_out.iter().map(|trial| trial.outcome).collect();
        let context = format!("flags {flags:?}, viewer in room {root}");
        assert_eq!(
            (shown, fates),
            (usize::from(want.is_none()), want.into_iter().collect()),
            "{context}"
        );
        let is_exit =
            |trial: &PortalTest| (trial.cell, trial.portal, trial.leads_to) == (cell(1), 1, None);
        assert!(left_out.iter().all(is_exit), "{context}: {left_out:?}");
        // With the rule `portals` the flags do not count.
        assert_eq!(look(&world, by(&["seen_outside=portals"]), &viewer), (1, vec![]), "{context}");
    }
}

/// The visible rooms do not depend on the landscape.
#[test]
fn the_flag_changes_no_visible_room() {
    for flags in [[false, false], [true, false], [false, true]] {
        let (world, mut scratch) = (row(flags), ViewScratch::new());
        let seen = PortalWalk::new(&world).run(&mut scratch, &mut (), &eye_in(0));
        let shares: Vec<_> = seen
            .cells()
            .map(|cell| (cell.id(), cell.regions().map(|region| region.coverage()).sum::<f64>()))
            .collect();
        let rules = by(&["seen_outside=portals"]);
        let seen = PortalWalk { world: &world, rules }.run(&mut scratch, &mut (), &eye_in(0));
        let all: Vec<_> = seen
            .cells()
            .map(|cell| (cell.id(), cell.regions().map(|region| region.coverage()).sum::<f64>()))
            .collect();
        assert_eq!((shares.len(), &shares), (2, &all));
    }
}

#[test]
fn with_the_landscape_switched_off_no_portal_shows_it() {
    for rules in [by(&["draw_landscape=off"]), by(&["draw_landscape=off", "seen_outside=portals"])]
    {
        let (shown, left_out) = look(&row([true, true]), rules, &eye_in(0));
        let fates: Vec<PortalOutcome> = left_out.iter().map(|trial| trial.outcome).collect();
        assert_eq!((shown, fates), (0, vec![PortalOutcome::LandscapeOff]));
    }
    // A viewer in a land cell has the landscape on the whole screen, and nothing of it behind houses.
    let (world, mut random) = (sample_world("holt"), Random(20));
    for street in town_cells(&world) {
        let viewer = random_viewer_in(&world, street, &mut random);
        let (shown, left_out) = look(&world, by(&["draw_landscape=off"]), &viewer);
        assert_eq!(shown, 1, "{viewer:?}");
        assert!(
            left_out.iter().all(|trial| trial.outcome == PortalOutcome::LandscapeOff),
            "{left_out:?}"
        );
    }
}

/// The town with a record whose flag is cleared.
fn town_without_the_flag_of(room: CellId) -> World {
    let mut records = sample_records("holt");
    edit_room(&mut records, room, |record| record.flags = EnvCellFlags(record.flags.0 & !1));
    world_from(records)
}

#[test]
fn a_room_of_the_town_that_loses_its_flag_loses_its_view() {
    let viewer = viewer_at(MAIN_ROOM, [108.0, 60.0, 41.7], [115.0, 60.0, 41.5]);
    let (shown, left_out) = look(&sample_world("holt"), ViewRules::default(), &viewer);
    assert!(shown > 0 && left_out.is_empty(), "{left_out:?}");
    for (room, fate) in [
        (MAIN_ROOM, PortalOutcome::RootNotSeenOutside),
        (VESTIBULE, PortalOutcome::RoomNotSeenOutside),
    ] {
        let world = town_without_the_flag_of(room);
        let (shown, left_out) = look(&world, ViewRules::default(), &viewer);
        let [trial] = left_out[..] else { panic!("{left_out:?}") };
        assert_eq!((shown, trial.cell, trial.portal, trial.outcome), (0, VESTIBULE, 0, fate));
        assert!(look(&world, by(&["seen_outside=portals"]), &viewer).0 > 0);
    }
}

/// In the samples and in made worlds no room without the flag shows the outdoors, so both rules show the same.
#[test]
fn in_sound_worlds_the_flag_and_the_portals_agree() {
    let made = [sample_world("holt"), sample_world("dungeon")];
    let forged = forged::villages().into_iter().map(|made| made.world());
    let builtin = forged::builtins()[0].world();
    let (mut random, mut with_landscape) = (Random(21), 0);
    for world in made.into_iter().chain(forged).chain([builtin]) {
        for room in room_ids(&world) {
            for _ in 0..8 * soak_factor() {
                let viewer = random_viewer_in(&world, room, &mut random);
                let (shown, left_out) = look(&world, ViewRules::default(), &viewer);
                assert!(left_out.is_empty(), "{left_out:?} from {viewer:?}");
                with_landscape += usize::from(shown > 0);
            }
        }
    }
    assert!(with_landscape > 200, "{with_landscape}");
}
