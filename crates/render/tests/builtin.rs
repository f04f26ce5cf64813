//! A day of the built-in world from midnight to midnight, and the poses of its figures and doors.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it does not expect")]

use std::sync::{Arc, OnceLock};

use threshold_dat::{
    FileKind, MotionTable, RecordId, RecordKind, Records, RegionDesc, SetupRecord, Source,
};
use threshold_forge::{MOVER, MadeWorld, SEED, builtin};
use threshold_land::Frame;
use threshold_pose::{Animator, Figure, Interpolation, MotionCommand};
use threshold_visuals::day::{Daylight, Moment, daylight, fraction_of, group_named};

/// Minutes of a day.
const STEPS: u16 = 1440;

fn world() -> &'static MadeWorld {
    static WORLD: OnceLock<MadeWorld> = OnceLock::new();
    WORLD.get_or_init(|| builtin(SEED).unwrap())
}

fn region() -> RegionDesc {
    Records::new(world()).get(RecordId(0x1300_0000)).unwrap().unwrap()
}

fn at(region: &RegionDesc, clock: &str, kind: &str) -> Daylight {
    let moment = Moment::new(0, fraction_of(clock).unwrap());
    daylight(region, &moment, Some(group_named(region, kind).unwrap()))
}

/// Checks that neither light nor fog nor anything in the sky jumps.
fn check_step(before: &Daylight, now: &Daylight, when: &str) {
    let shine = |day: &Daylight| day.sun_direction * day.sun.length();
    let light = shine(before).distance(shine(now)) + before.sun.distance(now.sun);
    assert!(light < 0.06, "{when}: the sun jumps by {light}");
    assert!(before.sun_direction.distance(now.sun_direction) < 0.12, "{when}: it turns");
    assert!(before.ambient.distance(now.ambient) < 0.02, "{when}: shade");
    assert!(before.fog.colour.distance(now.fog.colour) < 0.05, "{when}: fog");
    assert!((before.fog.far - now.fog.far).abs() < 5.0, "{when}: fog");
    for own in &now.objects {
        let Some(other) = before.objects.iter().find(|other| other.index == own.index) else {
            // Objects rise below the horizon; the moon continues as its own second half.
            assert!(own.angle < 0.0 || (own.angle - 90.0).abs() < 1.0, "{when}: {own:?}");
            continue;
        };
        assert!((own.angle - other.angle).abs() < 1.0, "{when}: {own:?}");
        let values = [own.transparency, own.luminosity, own.brightness];
        let others = [other.transparency, other.luminosity, other.brightness];
        for (own, other) in values.into_iter().zip(others) {
            assert_eq!(own.is_some(), other.is_some(), "{when}");
            assert!((own.unwrap_or(0.0) - other.unwrap_or(0.0)).abs() < 0.05, "{when}");
        }
    }
}

#[test]
fn the_day_goes_round_without_a_jump() {
    let region = region();
    let groups = region.sky.as_ref().unwrap().day_groups.len();
    for group in 0..groups {
        let day = |step: u16| {
            let fraction = f32::from(step % STEPS) / f32::from(STEPS);
            daylight(&region, &Moment::new(0, fraction), Some(group))
        };
        let mut before = day(0);
        for step in 1..=STEPS {
            let now = day(step);
            check_step(&before, &now, &format!("kind {group}, minute {step}"));
            before = now;
        }
        assert_eq!(before, day(0));
    }
}

#[test]
fn noon_is_bright_and_the_sun_goes_from_east_to_west() {
    let region = region();
    for kind in ["clear", "fair", "overcast", "rain"] {
        let [midnight, morning, noon, evening] =
            ["00:00", "07:30", "12:00", "16:30"].map(|clock| at(&region, clock, kind));
        assert!(noon.sun.length() > 2.0 * midnight.sun.length(), "{kind}");
        assert!(noon.ambient.length() > 2.0 * midnight.ambient.length(), "{kind}");
        assert!(noon.fog.colour.length() > 2.0 * midnight.fog.colour.length(), "{kind}");
        assert!(morning.sun_direction.x > 0.3 && evening.sun_direction.x < -0.3, "{kind}");
        assert!(noon.sun_direction.z > 0.8 && noon.sun_direction.y < 0.0, "{kind}");
        assert_eq!(noon.is_raining(), kind == "rain");
    }
}

/// Regression: `play`, `shot` and `tour` start on the first day, which was overcast.
#[test]
fn the_first_day_is_fair_and_all_other_weather_comes_within_a_month() {
    let region = region();
    let groups = &region.sky.as_ref().unwrap().day_groups;
    let kind = |day: u32| {
        let light = daylight(&region, &Moment::new(day, 16.5 / 24.0), None);
        groups[light.group.unwrap()].name.to_string()
    };
    assert_eq!(kind(0), "Fair");
    let month: std::collections::BTreeSet<String> = (0..30).map(kind).collect();
    assert_eq!(month.len(), groups.len(), "{month:?}");
}

/// The sun is drawn where its light comes from.
#[test]
fn the_sun_is_drawn_where_its_light_comes_from() {
    let region = region();
    let mut records = Records::new(world());
    for clock in ["07:00", "08:30", "12:00", "15:00", "17:00"] {
        let day = at(&region, clock, "clear");
        let sun = day.objects.iter().find(|own| own.angle != 0.0).unwrap();
        let model: threshold_dat::GfxObj = records.get(sun.model).unwrap().unwrap();
        let middle = model.vertices.iter().map(|vertex| vertex.position).sum();
        let seen = sun.rotation().rotate(middle).normalize();
        assert!(seen.dot(day.sun_direction) > 0.97, "{clock}: {seen} {}", day.sun_direction);
    }
}

#[test]
fn stars_show_at_night_and_the_moon_once() {
    let region = region();
    let seen = |clock: &str| {
        let day = at(&region, clock, "clear");
        day.objects.iter().filter(|own| own.transparency == Some(0.0)).count()
    };
    assert_eq!((seen("00:00"), seen("12:00")), (1, 1), "stars, and the blue of the day");
    let crossing = |clock: &str| {
        at(&region, clock, "clear").objects.iter().filter(|own| own.angle != 0.0).count()
    };
    assert_eq!(["00:00", "03:00", "12:00", "21:00"].map(crossing), [1, 1, 1, 1]);
}

fn figure(id: RecordId) -> Arc<Figure> {
    Arc::new(Figure::load(&mut Records::new(world()), id).unwrap().unwrap())
}

/// The parts of the feet: left and right.
const FEET: [usize; 2] = [11, 14];

fn pose(figure: &Figure, command: MotionCommand, seconds: f64) -> Vec<Frame> {
    let mut out = Vec::new();
    figure.pose(command, 1.0, seconds, Interpolation::Smooth, &mut out);
    out
}

fn farthest(one: &[Frame], other: &[Frame]) -> f32 {
    one.iter().zip(other).map(|(one, other)| one.origin.distance(other.origin)).fold(0.0, f32::max)
}

#[test]
fn a_walking_figure_puts_one_foot_before_the_other_and_repeats() {
    let mover = figure(MOVER);
    assert!(mover.faults().is_empty());
    let mut records = Records::new(world());
    let table: MotionTable = records.get(RecordId(0x0900_0001)).unwrap().unwrap();
    for command in
        [MotionCommand::WALK_FORWARD, MotionCommand::RUN_FORWARD, MotionCommand::WALK_BACKWARDS]
    {
        let key = 0x3D_0000 | (command.played(1.0).0.0 & 0xFFFF);
        let motion = table.cycles.iter().find(|cycle| cycle.key == key).unwrap();
        let span = motion.animations[0];
        let animation: threshold_dat::Animation = records.get(span.animation).unwrap().unwrap();
        let length = f64::from(animation.frames) / f64::from(span.framerate);
        let start = pose(&mover, command, 0.0);
        for rounds in [1.0, 2.0, 50.0] {
            assert!(
                farthest(&start, &pose(&mover, command, rounds * length)) < 1e-3,
                "{command:?}"
            );
        }
        let lead = |seconds: f64| {
            let frames = pose(&mover, command, seconds);
            frames[FEET[0]].origin.y - frames[FEET[1]].origin.y
        };
        let ahead: Vec<bool> =
            (0..48_u8).map(|step| lead(f64::from(step) * length / 48.0) > 0.0).collect();
        let changes = (0..48).filter(|step| ahead[*step] != ahead[(step + 1) % 48]).count();
        assert_eq!(changes, 2, "{command:?}: each foot leads once");
        for step in 0..48_u8 {
            let now = f64::from(step) * length / 48.0;
            assert!((lead(now) + lead(now + length / 2.0)).abs() < 0.05, "{command:?} {step}");
        }
    }
}

#[test]
fn poses_change_without_jumps() {
    let mut acting = Animator::new(figure(MOVER), 0.0);
    let (mut before, mut now_shown) = (Vec::new(), Vec::new());
    acting.pose(0.0, &mut before);
    let script = [
        MotionCommand::WALK_FORWARD,
        MotionCommand::RUN_FORWARD,
        MotionCommand::FALLING,
        MotionCommand::READY,
        MotionCommand::TURN_LEFT,
        MotionCommand::SIDE_STEP_RIGHT,
        MotionCommand::WALK_BACKWARDS,
        MotionCommand::SIDE_STEP_LEFT,
        MotionCommand::FALLING,
        MotionCommand::WALK_FORWARD,
        MotionCommand::READY,
    ];
    for (place, command) in (0_u8..).zip(script) {
        let start = f64::from(place) * 1.37;
        acting.change(command, start);
        for step in 0..137_u8 {
            acting.pose(start + 0.01 * f64::from(step), &mut now_shown);
            let way = farthest(&before, &now_shown);
            assert!(way < 0.25, "{command:?} after {step}: {way}");
            assert!(now_shown.iter().all(Frame::is_valid), "{command:?} after {step}");
            core::mem::swap(&mut before, &mut now_shown);
        }
    }
}

/// Returns the setups of doors: one part, and a motion to close.
fn doors() -> Vec<RecordId> {
    let mut records = Records::new(world());
    let mut doors = world().ids(FileKind::Portal);
    doors.retain(|id| {
        RecordKind::from_id(FileKind::Portal, *id) == RecordKind::Setup
            && records.get::<SetupRecord>(*id).unwrap().unwrap().parts.len() == 1
            && Figure::load(&mut records, *id).unwrap().unwrap().has_motion(MotionCommand::OFF)
    });
    doors
}

#[test]
fn doors_open_and_close_and_open_again() {
    let doors = doors();
    assert!(!doors.is_empty());
    for id in doors {
        let door = figure(id);
        assert_eq!(door.default_motion(), MotionCommand::ON);
        let mut acting = Animator::new(door.clone(), 0.0);
        let mut out = Vec::new();
        let mut heading = |acting: &Animator, now: f64| {
            acting.pose(now, &mut out);
            out[0].heading()
        };
        let near = |got: f32, want: f32| ((got - want + 540.0) % 360.0 - 180.0).abs() < 0.1;
        assert!(near(heading(&acting, 0.0), 260.0), "{id}: open");
        acting.change(MotionCommand::OFF, 1.0);
        assert!((acting.arrival() - (1.0 + 25.0 / 30.0)).abs() < 1e-6, "{id}");
        let half = heading(&acting, 1.4);
        assert!((280.0..340.0).contains(&half), "{id}: {half}");
        assert!(near(heading(&acting, acting.arrival()), 0.0), "{id}: shut");
        acting.change(MotionCommand::ON, 5.0);
        let shut = heading(&acting, 5.0);
        assert!(near(shut, 0.0), "{id}: {shut}");
        assert!(near(heading(&acting, 9.0), 260.0), "{id}: open again");
        let shut = Animator::starting_in(door, MotionCommand::OFF, 0.0);
        assert!(near(heading(&shut, 0.0), 0.0), "{id}: shut from the beginning");
    }
}
