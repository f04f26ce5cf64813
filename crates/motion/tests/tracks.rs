//! Positions at which bodies are shown between ticks: smooth at any frame rate, and inside the shown cell.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use std::collections::BTreeSet;
use threshold_testkit::{
    FEET, WALKER, Walk,
    layouts::{A, plain, row},
    route::{shortest_route, street_to_stairs},
};

use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position, Rotation};
use threshold_motion::{DISPLAY_DELAY, Gait, Gate, MoveContext, Track};

/// Times of frames, and the frames at which physics runs.
#[derive(Clone, Copy, Debug)]
enum FrameTiming {
    /// A number of frames a second; the gate decides.
    Gated(u32),
    /// Sixty a second with small errors: a tick comes after two or three frames.
    Uneven,
}

impl FrameTiming {
    fn time(self, frame: u32) -> f64 {
        match self {
            Self::Gated(rate) => f64::from(frame) / f64::from(rate),
            Self::Uneven => f64::from(frame) / 60.0,
        }
    }

    fn ticks(self, gate: &mut Gate, frame: u32) -> bool {
        match self {
            Self::Gated(_) => gate.opens(self.time(frame)),
            Self::Uneven => matches!(frame % 5, 0 | 2),
        }
    }
}

const TIMINGS: [FrameTiming; 6] = [
    FrameTiming::Gated(60),
    FrameTiming::Uneven,
    FrameTiming::Gated(75),
    FrameTiming::Gated(144),
    FrameTiming::Gated(240),
    FrameTiming::Gated(1000),
];

/// Returns the shown positions of a moving body, frame by frame, without its first moments.
fn shown_positions(walk: &mut Walk, frames: FrameTiming, seconds: f64) -> Vec<Position> {
    let (mut gate, mut track) = (Gate::new(), Track::new(0.0, walk.position()));
    let mut list = Vec::new();
    for frame in 0.. {
        let now = frames.time(frame);
        if now > seconds {
            break;
        }
        if frames.ticks(&mut gate, frame) {
            walk.body
                .update(&mut MoveContext::new(&mut walk.world, walk.rules, &mut walk.scratch), now)
                .unwrap();
            track.note(now, walk.position());
        }
        if now > 0.2 {
            list.push(track.shown(&walk.world, now));
        }
    }
    list
}

/// Checks that a walk at this speed is shown in steps of the same length, each in a cell that contains it. Returns
/// the cells.
#[track_caller]
fn check_smooth(walk: &mut Walk, frames: FrameTiming, seconds: f64, speed: f64) -> Vec<CellId> {
    let list = shown_positions(walk, frames, seconds);
    let step = speed * (frames.time(1) - frames.time(0));
    for pair in list.windows(2) {
        let moved = f64::from(pair[0].offset_to(&pair[1]).length());
        assert!(
            (moved / step - 1.0).abs() < 0.05,
            "{frames:?}: {moved} instead of {step} at {pair:?}"
        );
    }
    for at in &list {
        let cell = walk.world.cell(at.cell).unwrap();
        assert!(cell.contains(at.frame.origin), "{frames:?}: {at:?} is not in its cell");
    }
    let mut cells: Vec<CellId> = list.iter().map(|at| at.cell).collect();
    cells.dedup();
    cells
}

/// Puts a body on the ground with a gait and a heading.
fn start(walk: &mut Walk, cell: u32, at: [f32; 3], (gait, heading): (Gait, f32)) {
    walk.put_on_ground(cell, at).body.gait = Some(gait);
    walk.world.turn(WALKER, Rotation::from_heading(heading)).unwrap();
}

#[test]
fn a_walk_over_the_land_is_shown_in_even_steps() {
    let mut walk = Walk::from_source(plain(&[0xA8B3, 0xA8B4, 0xA9B3, 0xA9B4]).finish().unwrap());
    for frames in TIMINGS {
        // Within a landblock.
        start(&mut walk, 0xA9B4_0001, [20.0, 12.0, FEET], (Gait::walk(), 80.0));
        let cells = check_smooth(&mut walk, frames, 4.0, 3.12);
        assert_eq!(cells, [0xA9B4_0001, 0xA9B4_0009].map(CellId));
        // Over a border, and over the corner of four landblocks.
        start(&mut walk, 0xA9B4_0031, [150.0, 4.0, FEET], (Gait::run(2.0), 170.0));
        let cells = check_smooth(&mut walk, frames, 2.0, 8.0);
        assert_eq!(cells, [0xA9B4_0031, 0xA9B3_0038].map(CellId));
        start(&mut walk, 0xA9B4_0001, [2.5, 2.6, FEET], (Gait::run(1.0), 225.0));
        let cells = check_smooth(&mut walk, frames, 3.0, 4.0);
        assert_eq!(cells.last(), Some(&CellId(0xA8B3_0040)));
    }
}

#[test]
fn a_walk_through_rooms_is_shown_in_even_steps() {
    let mut walk = Walk::from_source(row(&[4.0, 4.0, 4.0], &[]));
    for frames in TIMINGS {
        start(&mut walk, A.0, [1.0, 2.0, FEET], (Gait::walk(), 88.0));
        let cells = check_smooth(&mut walk, frames, 3.2, 3.12);
        assert_eq!(cells, [A.0, A.0 + 1, A.0 + 2].map(CellId));
    }
}

/// From the street over the sill, which is higher, into the cottage, and out again.
#[test]
fn a_body_shown_in_a_doorway_is_in_the_room_or_on_the_land() {
    let mut walk = Walk::sample("holt");
    let (street, vestibule) = (CellId(0xA9B4_0031), CellId(0xA9B4_0170));
    for frames in TIMINGS {
        start(&mut walk, street.0, [156.0, 6.0, 40.0 + FEET], (Gait::walk(), 0.0));
        let inside = shown_positions(&mut walk, frames, 1.0);
        walk.world.turn(WALKER, Rotation::from_heading(180.0)).unwrap();
        walk.body.clock = 0.0;
        let outside = shown_positions(&mut walk, frames, 1.0);
        for at in inside.iter().chain(&outside) {
            let cell = walk.world.cell(at.cell).unwrap();
            assert!(cell.contains(at.frame.origin), "{frames:?}: {at:?} is not in its cell");
        }
        let mut cells: Vec<CellId> = inside.iter().chain(&outside).map(|at| at.cell).collect();
        cells.dedup();
        assert_eq!(cells, [street, vestibule, street], "{frames:?}");
    }
}

/// Runs along a route and checks that every shown position is in its cell. Returns the number of cells.
#[track_caller]
fn check_route(walk: &mut Walk, route: &[Position]) -> usize {
    let mut track = Track::new(walk.body.clock, walk.position());
    let mut cells = BTreeSet::new();
    walk.body.gait = Some(Gait::run(2.0));
    for place in route {
        for _ in 0..90 {
            let left = walk.position().offset_to(place).with_z(0.0);
            if left.length() < 0.3 {
                break;
            }
            walk.world.turn(WALKER, Rotation::facing(left).unwrap()).unwrap();
            let now = walk.body.clock + 1.0 / 30.0;
            walk.body
                .update(&mut MoveContext::new(&mut walk.world, walk.rules, &mut walk.scratch), now)
                .unwrap();
            track.note(now, walk.position());
            for part in 0..8 {
                let shown = track.shown(&walk.world, now + f64::from(part) / 240.0);
                let (cell, low) = (walk.world.cell(shown.cell).unwrap(), shown.frame.origin);
                // At the top of stairs the feet are shown a little too low; the middle of the body is not.
                let within = cell.contains(low) || cell.contains(low + Vec3::Z * 0.475);
                assert!(within, "{shown:?} is not in its cell");
                cells.insert(shown.cell);
            }
        }
    }
    cells.len()
}

#[test]
fn a_body_that_runs_through_rooms_is_shown_in_them() {
    let mut walk = Walk::sample("holt");
    walk.put_on_ground(0xA9B4_0031, [156.0, 5.0, 40.0 + FEET]);
    assert_eq!(check_route(&mut walk, &street_to_stairs()), 5);
    let mut walk = Walk::sample("dungeon");
    for to in [0x0102_0122, 0x0102_0112, 0x0102_013A, 0x0102_0149] {
        let route = shortest_route(&walk.world, 0x0102_0100, to);
        walk.put_on_ground(0x0102_0100, [64.0, -70.0, FEET]);
        assert!(check_route(&mut walk, &route) >= 5);
    }
}

#[test]
fn a_turn_is_shown_in_even_steps() {
    let mut walk = Walk::from_source(plain(&[0xA9B4]).finish().unwrap());
    for frames in TIMINGS {
        let gait = Gait { turn: 120.0, ..Gait::stand() };
        start(&mut walk, 0xA9B4_0001, [12.0, 12.0, FEET], (gait, 300.0));
        let list = shown_positions(&mut walk, frames, 3.0);
        let step = 120.0 * frames.time(1) as f32;
        for pair in list.windows(2) {
            let turned = (pair[1].frame.heading() - pair[0].frame.heading() + 360.0) % 360.0;
            assert!((turned / step - 1.0).abs() < 0.05, "{frames:?}: {turned} instead of {step}");
        }
    }
}

#[test]
fn a_body_is_shown_a_little_late_and_never_ahead() {
    let world = Walk::from_source(plain(&[0xA9B4]).finish().unwrap()).world;
    let at = |x: f32| Position::new(CellId(0xA9B4_0001), Vec3::new(x, 12.0, 0.0));
    let mut track = Track::new(1.0, at(1.0));
    assert_eq!(track.shown(&world, 9.0), at(1.0), "the first position");
    for (now, x) in [(1.1, 2.0), (1.2, 3.0), (1.3, 4.0)] {
        track.note(now, at(x));
    }
    let shown = |now: f64| track.shown(&world, now).frame.origin.x;
    assert!((shown(1.25 + DISPLAY_DELAY) - 3.5).abs() < 1e-4);
    assert!((shown(1.2 + DISPLAY_DELAY) - 3.0).abs() < 1e-4);
    assert_eq!((shown(0.5), shown(1.0), shown(7.0)), (1.0, 1.0, 4.0));
    // A time before the last one starts a new track.
    track.note(0.3, at(8.0));
    assert_eq!(track.shown(&world, 0.3), at(8.0));
}
