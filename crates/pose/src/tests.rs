use std::sync::Arc;

use threshold_dat::{
    Animation, AnimationSpan, Motion, MotionLinks, MotionTable, Placement, RecordId, RecordSet,
    Records, SetupRecord, StanceDefault, motion_key,
};
use threshold_forge::{Forge, MOVER};
use threshold_land::Frame;
use threshold_land::vector::Vec3;

use super::*;

const STANCE: u32 = 0x8000_003D;

/// Frame at a height.
fn high(z: f32) -> Frame {
    Frame::at(Vec3::Z * z)
}

/// A setup whose parts have heights of -1, -2 and so on in the static pose.
fn setup(parts: usize) -> SetupRecord {
    let world = Forge::new().finish().unwrap();
    let mut setup: SetupRecord = Records::new(&world).get(MOVER).unwrap().unwrap();
    setup.parts = vec![RecordId(0x0100_0001); parts];
    let frames = (0_u8..).take(parts).map(|part| high(-1.0 - f32::from(part))).collect();
    setup.placements = vec![Placement { key: 0x65, frames, hooks: Box::new([]) }];
    setup
}

/// An animation whose frames have heights of `first`, `first + 1` and so on.
fn animation(parts: u32, frames: u8, first: f32) -> Animation {
    let each = |frame: u8| (0..parts).map(move |_| high(first + f32::from(frame)));
    Animation {
        id: RecordId(0x0300_0001),
        other_flags: 0,
        parts,
        frames: u32::from(frames),
        root_motion: None,
        part_frames: (0..frames).flat_map(each).collect(),
        hooks: Vec::new(),
    }
}

fn span(animation: u32, [low, high]: [i32; 2], framerate: f32) -> AnimationSpan {
    AnimationSpan { animation: RecordId(animation), low, high, framerate }
}

fn motion(key: u32, spans: &[AnimationSpan]) -> Motion {
    let animations = spans.into();
    Motion { key, behaviour: 0, other_bits: 0, animations, velocity: None, omega: None }
}

fn cycle(command: MotionCommand, spans: &[AnimationSpan]) -> Motion {
    motion(motion_key(STANCE, command.0), spans)
}

fn table(
    cycles: Vec<Motion>,
    links: Vec<(MotionCommand, MotionCommand, AnimationSpan)>,
) -> MotionTable {
    let link = |(from, to, span): (MotionCommand, MotionCommand, AnimationSpan)| MotionLinks {
        key: motion_key(STANCE, from.0),
        motions: vec![motion(to.0, &[span])],
    };
    MotionTable {
        id: RecordId(0x0900_0001),
        default_stance: STANCE,
        stance_defaults: vec![StanceDefault { stance: STANCE, motion: MotionCommand::READY.0 }],
        cycles,
        modifiers: vec![],
        links: links.into_iter().map(link).collect(),
    }
}

/// Animation 1 has ten frames from 0, animation 2 four from 100, animation 3 none; all others are missing.
fn figure(table: &MotionTable) -> Figure {
    Figure::new(&setup(1), Some(table), |id| match id.0 {
        1 => Some(animation(1, 10, 0.0)),
        2 => Some(animation(1, 4, 100.0)),
        3 => Some(animation(1, 0, 0.0)),
        _ => None,
    })
}

fn height(
    figure: &Figure,
    command: MotionCommand,
    speed: f32,
    seconds: f64,
    display: Interpolation,
) -> f32 {
    let mut out = Vec::new();
    figure.pose(command, speed, seconds, display, &mut out);
    out[0].origin.z
}

/// Checks the height of a span after `seconds`, stepped and smooth.
#[track_caller]
fn check(span: AnimationSpan, speed: f32, seconds: f64, want: [f32; 2]) {
    let figure = figure(&table(vec![cycle(MotionCommand::READY, &[span])], vec![]));
    let got = [Interpolation::Stepped, Interpolation::Smooth]
        .map(|display| height(&figure, MotionCommand::READY, speed, seconds, display));
    let near = got.iter().zip(want).all(|(got, want)| (got - want).abs() < 1e-4);
    assert!(near, "{span:?} at {speed} after {seconds}: {got:?} instead of {want:?}");
}

#[test]
fn commands_have_the_documented_numbers() {
    let all = [
        (MotionCommand::READY, 0x4100_0003),
        (MotionCommand::WALK_FORWARD, 0x4500_0005),
        (MotionCommand::WALK_BACKWARDS, 0x4500_0006),
        (MotionCommand::RUN_FORWARD, 0x4400_0007),
        (MotionCommand::TURN_RIGHT, 0x6500_000D),
        (MotionCommand::TURN_LEFT, 0x6500_000E),
        (MotionCommand::SIDE_STEP_RIGHT, 0x6500_000F),
        (MotionCommand::SIDE_STEP_LEFT, 0x6500_0010),
        (MotionCommand::FALLING, 0x4000_0015),
    ];
    assert!(all.iter().all(|(command, value)| command.0 == *value));
    assert_eq!(MotionCommand::WALK_BACKWARDS.played(0.65), (MotionCommand::WALK_FORWARD, -0.65));
    assert_eq!(MotionCommand::TURN_LEFT.played(1.0), (MotionCommand::TURN_RIGHT, -1.0));
    assert_eq!(MotionCommand::SIDE_STEP_LEFT.played(2.0), (MotionCommand::SIDE_STEP_RIGHT, -2.0));
}

#[test]
fn a_cycle_plays_its_frames_and_repeats() {
    let whole = span(1, [0, -1], 10.0);
    check(whole, 1.0, 0.0, [0.0, 0.0]);
    check(whole, 1.0, 0.25, [2.0, 2.5]);
    check(whole, 2.0, 0.25, [5.0, 5.0]);
    check(whole, 1.0, 0.95, [9.0, 4.5]);
    check(whole, 1.0, 1.25, [2.0, 2.5]);
    check(whole, 1.0, 1e6 + 0.25, [2.0, 2.5]);
    let some = span(1, [3, 6], 10.0);
    check(some, 1.0, 0.35, [6.0, 4.5]);
    check(some, 1.0, 0.4, [3.0, 3.0]);
    check(some, 0.0, 5.0, [3.0, 3.0]);
}

#[test]
fn a_motion_played_backwards_begins_at_its_end() {
    let back = span(1, [0, -1], -10.0);
    check(back, 1.0, 0.0, [9.0, 9.0]);
    check(back, 1.0, 0.25, [7.0, 6.5]);
    check(back, 1.0, 0.95, [0.0, 4.5]);
    check(span(1, [0, -1], 10.0), -1.0, 0.25, [7.0, 6.5]);
    check(back, -1.0, 0.25, [2.0, 2.5]);
}

#[test]
fn missing_frames_are_replaced_by_the_nearest() {
    check(span(1, [0, 99], 10.0), 1.0, 0.95, [9.0, 4.5]);
    check(span(1, [50, 99], 10.0), 1.0, 0.95, [9.0, 9.0]);
    check(span(1, [6, 3], 10.0), 1.0, 0.95, [6.0, 6.0]);
    check(span(1, [-7, i32::MIN], 10.0), 1.0, 0.25, [2.0, 2.5]);
    check(span(1, [0, -1], f32::NAN), 1.0, 0.25, [0.0, 0.0]);
    for seconds in [-5.0, f64::NAN, f64::INFINITY] {
        check(span(1, [0, -1], 10.0), 1.0, seconds, [0.0, 0.0]);
    }
    check(span(1, [0, -1], f32::MAX), f32::MAX, 1.0, [0.0, 0.0]);
}

#[test]
fn missing_animations_leave_the_static_pose() {
    for animation in [0, 3, 77] {
        check(span(animation, [0, -1], 10.0), 1.0, 0.25, [-1.0, -1.0]);
    }
}

#[test]
fn commands_without_a_motion_play_the_default_motion() {
    let figure =
        figure(&table(vec![cycle(MotionCommand::READY, &[span(1, [4, 4], 10.0)])], vec![]));
    assert!(
        figure.has_motion(MotionCommand::READY) && !figure.has_motion(MotionCommand::RUN_FORWARD)
    );
    assert_eq!(height(&figure, MotionCommand::RUN_FORWARD, 3.0, 0.7, Interpolation::Smooth), 4.0);
}

#[test]
fn the_last_of_several_animations_repeats() {
    let spans = [span(1, [0, 1], 10.0), span(2, [0, -1], 10.0)];
    let figure = figure(&table(vec![cycle(MotionCommand::READY, &spans)], vec![]));
    for (seconds, want) in [(0.05, 0.0), (0.15, 1.0), (0.25, 100.0), (0.65, 100.0), (0.95, 103.0)] {
        let got = height(&figure, MotionCommand::READY, 1.0, seconds, Interpolation::Stepped);
        assert_eq!(got, want, "{seconds}");
    }
}

#[test]
fn parts_without_an_animation_keep_the_static_pose() {
    let table = table(vec![cycle(MotionCommand::READY, &[span(1, [0, -1], 10.0)])], vec![]);
    let mut out = Vec::new();
    for (parts, of_animation, want) in
        [(3, 2, vec![2.0, 2.0, -3.0]), (2, 5, vec![2.0, 2.0]), (0, 1, vec![])]
    {
        let figure =
            Figure::new(&setup(parts), Some(&table), |_| Some(animation(of_animation, 10, 0.0)));
        figure.pose(MotionCommand::READY, 1.0, 0.2, Interpolation::Smooth, &mut out);
        assert_eq!(out.iter().map(|frame| frame.origin.z).collect::<Vec<_>>(), want);
    }
}

#[test]
fn the_static_pose_is_placement_0x65_else_0_else_the_origin() {
    let pose = |key: u32, z: f32| Placement { key, frames: [high(z)].into(), hooks: [].into() };
    let check = |placements: Vec<Placement>, want: f32| {
        let figure = Figure::new(&SetupRecord { placements, ..setup(1) }, None, |_| None);
        assert_eq!(figure.static_pose(), [high(want)]);
        assert_eq!(
            height(&figure, MotionCommand::WALK_FORWARD, 1.0, 3.0, Interpolation::Smooth),
            want
        );
    };
    check(vec![pose(0, 2.0), pose(0x65, 3.0)], 3.0);
    check(vec![pose(0, 2.0), pose(7, 3.0)], 2.0);
    check(vec![pose(7, 3.0)], 0.0);
    check(vec![], 0.0);
}

#[test]
fn an_object_without_a_motion_table_plays_its_default_animation() {
    let mut setup = setup(1);
    setup.defaults.animation = RecordId(1);
    let figure = Figure::new(&setup, None, |_| Some(animation(1, 30, 0.0)));
    assert_eq!(height(&figure, MotionCommand::READY, 1.0, 0.51, Interpolation::Stepped), 15.0);
}

#[test]
fn unreadable_animations_are_faults_and_cost_only_their_motion() {
    let mut world = RecordSet::new();
    let mut setup = setup(1);
    setup.defaults.motion_table = RecordId(0x0900_0001);
    let id = RecordId(0x0200_0001);
    world.put(id, &SetupRecord { id, ..setup }).unwrap();
    let cycles = vec![
        cycle(MotionCommand::READY, &[span(0x0300_0001, [0, -1], 10.0)]),
        cycle(MotionCommand::ON, &[span(0x0300_0002, [0, -1], 10.0)]),
        cycle(MotionCommand::OFF, &[span(0x0300_0002, [0, -1], 10.0)]),
    ];
    world.put(RecordId(0x0900_0001), &table(cycles, vec![])).unwrap();
    world.put(RecordId(0x0300_0001), &animation(1, 10, 0.0)).unwrap();
    world.put_bytes(threshold_dat::FileKind::Portal, RecordId(0x0300_0002), vec![1, 2, 3]);
    let mut records = Records::new(&world);
    let figure = Figure::load(&mut records, id).unwrap().unwrap();
    assert_eq!(figure.faults().len(), 1, "read once");
    assert!(figure.has_motion(MotionCommand::READY) && !figure.has_motion(MotionCommand::ON));
    assert!(Figure::load(&mut records, RecordId(0x0200_0002)).unwrap().is_none());
    assert!(Figure::load(&mut records, RecordId(0x0100_0001)).unwrap().is_none());
}

fn walking_animator() -> Animator {
    let cycles = vec![
        cycle(MotionCommand::READY, &[span(2, [0, 0], 10.0)]),
        cycle(MotionCommand::WALK_FORWARD, &[span(1, [0, -1], 10.0)]),
        cycle(MotionCommand::FALLING, &[span(1, [5, 5], 10.0)]),
    ];
    let links = vec![
        (MotionCommand::READY, MotionCommand::WALK_FORWARD, span(2, [0, -1], 10.0)),
        (MotionCommand::WALK_FORWARD, MotionCommand::READY, span(2, [1, 2], 10.0)),
        (MotionCommand::READY, MotionCommand::FALLING, span(2, [3, 3], 10.0)),
    ];
    let mut animator = Animator::new(Arc::new(figure(&table(cycles, links))), 0.0);
    animator.display = Interpolation::Stepped;
    animator
}

#[track_caller]
fn shows(animator: &Animator, now: f64, want: f32) {
    let mut out = Vec::new();
    animator.pose(now, &mut out);
    assert!((out[0].origin.z - want).abs() < 1e-3, "{now}: {} instead of {want}", out[0].origin.z);
}

#[test]
fn a_link_is_played_once_and_then_the_cycle() {
    let mut animator = walking_animator();
    shows(&animator, 3.0, 100.0);
    animator.change(MotionCommand::WALK_FORWARD, 5.0);
    assert_eq!(
        (animator.from, animator.command()),
        (MotionCommand::READY, MotionCommand::WALK_FORWARD)
    );
    assert!((animator.arrival() - 5.4).abs() < 1e-9);
    for (now, want) in [(5.0, 100.0), (5.15, 101.0), (5.35, 103.0), (5.45, 0.0), (6.65, 2.0)] {
        shows(&animator, now, want);
    }
    // Repeating the command does not restart the motion.
    animator.change(MotionCommand::WALK_FORWARD, 6.0);
    shows(&animator, 6.65, 2.0);
}

#[test]
fn without_a_direct_link_the_transition_goes_through_the_default_motion() {
    let mut animator = walking_animator();
    animator.change(MotionCommand::WALK_FORWARD, 0.0);
    animator.change(MotionCommand::FALLING, 10.0);
    for (now, want) in [(10.05, 101.0), (10.15, 102.0), (10.25, 103.0), (10.35, 5.0), (99.0, 5.0)] {
        shows(&animator, now, want);
    }
}

#[test]
fn walking_backwards_plays_the_opposite_link_backwards() {
    let mut animator = walking_animator();
    animator.change(MotionCommand::WALK_BACKWARDS, 0.0);
    for (now, want) in [(0.05, 102.0), (0.15, 101.0), (0.25, 9.0), (0.35, 8.0)] {
        shows(&animator, now, want);
    }
    animator.change(MotionCommand::READY, 10.0);
    for (now, want) in [(10.05, 103.0), (10.35, 100.0), (10.45, 100.0)] {
        shows(&animator, now, want);
    }
}

#[test]
fn a_change_of_speed_continues_at_the_same_frame() {
    let mut animator = walking_animator();
    animator.change(MotionCommand::WALK_FORWARD, 0.0);
    shows(&animator, 0.75, 3.0);
    animator.change_at(MotionCommand::WALK_FORWARD, 2.0, 0.75);
    for (now, want) in [(0.75, 3.0), (0.78, 4.0), (0.83, 5.0)] {
        shows(&animator, now, want);
    }
    let mut early = walking_animator();
    early.change(MotionCommand::WALK_FORWARD, 0.0);
    early.change_at(MotionCommand::WALK_FORWARD, 2.0, 0.2);
    for (now, want) in [(0.35, 103.0), (0.42, 0.0), (0.46, 1.0)] {
        shows(&early, now, want);
    }
}

#[test]
fn smooth_figures_cross_fade_between_motions() {
    let mut animator = walking_animator();
    animator.display = Interpolation::Smooth;
    animator.change(MotionCommand::WALK_FORWARD, 0.0);
    shows(&animator, 0.05, 100.5);
    shows(&animator, 0.65, 2.5);
    animator.change(MotionCommand::READY, 0.65);
    shows(&animator, 0.65, 2.5);
    let mut before = 2.5;
    for step in 1..=20_u8 {
        let mut out = Vec::new();
        animator.pose(0.65 + 0.01 * f64::from(step), &mut out);
        let now = out[0].origin.z;
        assert!((now - before).abs() < 8.0, "{step}: from {before} to {now}");
        before = now;
    }
    assert!(before > 99.0);
}

#[test]
fn a_speed_that_is_not_finite_stands_still() {
    let mut animator = walking_animator();
    animator.change_at(MotionCommand::WALK_FORWARD, f32::NAN, 0.0);
    shows(&animator, 1.0, 0.0);
    animator.change_at(MotionCommand::WALK_FORWARD, f32::INFINITY, 2.0);
    shows(&animator, 3.0, 0.0);
}
