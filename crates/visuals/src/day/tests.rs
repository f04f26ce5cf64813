use threshold_dat::region::{DayGroup, RegionDesc, Sky, SkyObject, SkyObjectReplacement, SkyTime};
use threshold_dat::{Colour, RecordId, Records, Text};
use threshold_land::vector::{Vec2, Vec3};

use super::*;

const SUN: RecordId = RecordId(0x0100_0001);
const OTHER: RecordId = RecordId(0x0100_0002);

fn time(begin: f32) -> SkyTime {
    SkyTime {
        begin,
        sun_brightness: 1.0,
        sun_heading: 0.0,
        sun_pitch: 0.0,
        sun_colour: Colour(0xFFFF_FFFF),
        ambient_brightness: 1.0,
        ambient_colour: Colour(0xFFFF_FFFF),
        fog_near: 0.0,
        fog_far: 100.0,
        fog_colour: Colour(0xFFFF_FFFF),
        fog_mode: 1,
        replacements: Box::new([]),
    }
}

fn object(times: [f32; 2], angles: [f32; 2]) -> SkyObject {
    SkyObject {
        begin_time: times[0],
        end_time: times[1],
        begin_angle: angles[0],
        end_angle: angles[1],
        texture_velocity: [0.0; 2],
        model: SUN,
        script: RecordId::NONE,
        properties: 0,
    }
}

fn change(transparent: f32, bright: f32) -> SkyObjectReplacement {
    SkyObjectReplacement {
        object: 0,
        model: RecordId::NONE,
        rotate: 0.0,
        transparent,
        luminosity: bright,
        max_bright: bright,
    }
}

fn region(groups: Vec<(&str, Vec<SkyObject>, Vec<SkyTime>)>) -> RegionDesc {
    let world = threshold_forge::Forge::new().finish().unwrap();
    let mut region: RegionDesc = Records::new(&world).get(RecordId(0x1300_0000)).unwrap().unwrap();
    let group = |(name, objects, times): (&str, Vec<SkyObject>, Vec<SkyTime>)| DayGroup {
        chance: 0.0,
        name: Text::new(name).unwrap(),
        objects: objects.into(),
        times: times.into(),
    };
    let day_groups = groups.into_iter().map(group).collect();
    region.sky = Some(Sky { tick: 1.0, light_tick: 5.0, day_groups });
    region
}

fn at(region: &RegionDesc, fraction: f32) -> Daylight {
    daylight(region, &Moment::new(0, fraction), Some(0))
}

#[test]
fn the_day_group_follows_the_documented_formula() {
    let check = |day: u32, groups: usize, want: usize| {
        assert_eq!(present_group(day, groups), want, "day {day} of {groups}");
    };
    // 0x8ABE1652 and 0xF5011404 of 2^32, and so on.
    for (day, groups, want) in [(0, 20, 10), (0, 4, 2), (1, 20, 19), (1, 4, 3), (2, 4, 1)] {
        check(day, groups, want);
    }
    check(12_345, 0, 0);
    check(u32::MAX, 1, 0);
    for day in 0..10_000_u32 {
        let mixed = 0x6A42_FDB2_u32.wrapping_mul(day).wrapping_sub(0x7541_E9AE);
        for groups in [1_u8, 4, 20, 33] {
            let scaled = f64::from(mixed) * 2.0_f64.powi(-32) * f64::from(groups);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below 33")]
            let want = scaled.floor() as usize;
            check(day, groups.into(), want);
        }
    }
    let region = region(vec![]);
    assert_eq!(region.time.days_per_year, 360);
    assert_eq!(day_number(&region.time, 10, 7), 3607);
}

#[test]
fn day_groups_are_found_by_index_name_or_prefix() {
    let region = region(vec![("Sunny", vec![], vec![]), ("Rainy", vec![], vec![])]);
    for (text, want) in [
        ("rainy", Some(1)),
        ("RAIN", Some(1)),
        ("Sunny", Some(0)),
        ("1", Some(1)),
        ("2", None),
        ("snow", None),
        ("", None),
    ] {
        assert_eq!(group_named(&region, text), want, "{text:?}");
    }
    let noon = Moment::new(0, 0.5);
    assert_eq!(daylight(&region, &noon, Some(1)).group, Some(1));
    let present = present_group(0, 2);
    assert_eq!(daylight(&region, &noon, None).group, Some(present));
    assert_eq!(daylight(&region, &noon, Some(9)).group, Some(present), "no such group");
}

#[test]
fn clock_times_are_parsed_and_formatted() {
    for (clock, want) in [("00:00", 0.0), ("6:00", 0.25), ("12:00", 0.5), ("24:00", 0.0)] {
        assert_eq!(fraction_of(clock), Some(want), "{clock}");
    }
    for clock in ["", "12", "25:00", "24:01", "12:60", "-1:00", "12:000", "+1:00", "ab:cd"] {
        assert_eq!(fraction_of(clock), None, "{clock}");
    }
    for minute in 0..1440 {
        let clock = format!("{:02}:{:02}", minute / 60, minute % 60);
        assert_eq!(clock_of(fraction_of(&clock).unwrap()), clock);
    }
    assert_eq!([0.999_9, 1.0, -0.25, f32::NAN].map(clock_of), ["00:00", "00:00", "18:00", "00:00"]);
}

#[test]
fn time_passes_into_the_next_day() {
    let evening = Moment::new(7, 0.75);
    let later = evening.after(7620.0 * 1.5, 7620.0);
    assert_eq!((later.day, later.fraction, later.seconds), (9, 0.25, 11_430.0));
    let stopped = evening.after(10.0, 0.0);
    assert_eq!((stopped.day, stopped.fraction, stopped.seconds), (7, 0.75, 10.0));
}

#[test]
fn light_is_interpolated_between_sky_times_and_over_midnight() {
    let dark = SkyTime {
        sun_brightness: 0.0,
        sun_heading: 100.0,
        fog_near: 10.0,
        fog_far: 200.0,
        ..time(0.25)
    };
    let region = region(vec![("day", vec![], vec![dark, time(0.75)])]);
    for (now, part) in [(0.25, 0.0), (0.5, 0.5), (0.75, 1.0), (0.0, 0.5), (0.125, 0.25)] {
        let got = at(&region, now);
        assert!((got.sun.x - part).abs() < 1e-6, "{now}: {}", got.sun);
        assert!((got.fog.near - 10.0 * (1.0 - part)).abs() < 1e-4, "{now}: {:?}", got.fog);
        assert!((got.fog.far - (200.0 - 100.0 * part)).abs() < 1e-3, "{now}: {:?}", got.fog);
        let heading = libm::atan2f(got.sun_direction.x, got.sun_direction.y).to_degrees();
        assert!((heading - 100.0 * (1.0 - part)).abs() < 1e-3, "{now}: {heading}");
    }
}

#[test]
fn a_sky_time_at_the_end_of_the_day_is_not_the_one_at_its_beginning() {
    let half = SkyTime { sun_brightness: 0.5, ..time(1.0) };
    let region = region(vec![("day", vec![], vec![time(0.0), half])]);
    assert!((at(&region, 0.5).sun.x - 0.75).abs() < 1e-6);
    assert_eq!(at(&region, 0.0).sun.x, 1.0);
}

#[test]
fn headings_are_compass_headings_and_pitch_is_elevation() {
    let check = |heading: f32, pitch: f32, want: [f32; 3]| {
        let one = SkyTime { sun_heading: heading, sun_pitch: pitch, ..time(0.0) };
        let got = at(&region(vec![("day", vec![], vec![one])]), 0.3).sun_direction;
        assert!(got.distance(Vec3::from(want)) < 1e-6, "{heading} {pitch}: {got}");
    };
    check(0.0, 0.0, [0.0, 1.0, 0.0]);
    check(90.0, 0.0, [1.0, 0.0, 0.0]);
    check(270.0, 0.0, [-1.0, 0.0, 0.0]);
    check(180.0, 30.0, [0.0, -0.866_025_4, 0.5]);
    check(45.0, 90.0, [0.0, 0.0, 1.0]);
    check(0.0, -90.0, [0.0, 0.0, -1.0]);
}

#[test]
fn colours_are_made_linear_and_ambient_light_has_a_minimum() {
    for (byte, want) in [(0.0, 0.0), (0.04, 0.003_096), (0.5, 0.214_041), (1.0, 1.0)] {
        let got = linear(Vec3::splat(byte)).y;
        assert!((got - want).abs() < 1e-5, "{byte}: {got}");
    }
    let one = SkyTime {
        sun_colour: Colour(0xFFFF_8000),
        sun_brightness: 2.0,
        ambient_brightness: 0.05,
        ..time(0.0)
    };
    let got = at(&region(vec![("day", vec![], vec![one])]), 0.0);
    assert!(got.sun.distance(Vec3::new(2.0, 0.431_72, 0.0)) < 1e-4, "{}", got.sun);
    assert!((got.ambient.x - 0.2).abs() < 1e-6, "the minimum of retail");
}

#[test]
fn celestial_objects_are_up_between_their_times() {
    let crossing = object([0.25, 0.75], [-10.0, 190.0]);
    let region = region(vec![(
        "day",
        vec![crossing, object([0.0, 0.0], [5.0, 99.0]), object([0.9, 0.1], [0.0, 1.0])],
        vec![time(0.0)],
    )]);
    for (now, want) in [(0.1, None), (0.25, Some(-10.0)), (0.5, Some(90.0)), (0.75, None)] {
        let got = at(&region, now);
        let angle = got.objects.iter().find(|own| own.index == 0).map(|own| own.angle);
        assert_eq!(angle, want, "{now}");
        let others: Vec<_> = got.objects.iter().filter(|own| own.index > 0).collect();
        assert_eq!((others.len(), others[0].index, others[0].angle), (1, 1, 5.0), "{now}");
    }
}

#[test]
fn the_sky_turns_from_the_east_overhead_to_the_west() {
    let shown = at(&region(vec![("day", vec![object([0.0; 2], [0.0; 2])], vec![])]), 0.5);
    let check = |angle: f32, heading: f32, own: Vec3, want: Vec3| {
        let shown = CelestialObject { angle, heading, ..shown.objects[0] };
        let got = shown.rotation().rotate(own);
        assert!(got.distance(want) < 1e-6, "{angle} {heading}: {got}");
    };
    check(0.0, 0.0, Vec3::X, Vec3::X);
    check(90.0, 0.0, Vec3::X, Vec3::Z);
    check(180.0, 0.0, Vec3::X, -Vec3::X);
    check(90.0, 0.0, Vec3::Y, Vec3::Y);
    // The heading comes first.
    check(0.0, 90.0, Vec3::Y, Vec3::X);
    check(90.0, 90.0, Vec3::Y, Vec3::Z);
}

#[test]
fn replacements_are_percentages_interpolated_between_two_sky_times_that_have_one() {
    let check = |one: Option<[f32; 2]>, other: Option<[f32; 2]>, want: [Option<f32>; 2]| {
        let with = |begin: f32, own: Option<[f32; 2]>| SkyTime {
            replacements: own.into_iter().map(|[clear, bright]| change(clear, bright)).collect(),
            ..time(begin)
        };
        let times = vec![with(0.0, one), with(0.5, other)];
        let got = at(&region(vec![("day", vec![object([0.0; 2], [0.0; 2])], times)]), 0.125);
        let shown = got.objects[0];
        assert_eq!([shown.transparency, shown.luminosity], want, "{one:?} {other:?}");
        assert_eq!(shown.brightness, shown.luminosity);
    };
    check(Some([0.0, 100.0]), Some([100.0, 20.0]), [Some(0.25), Some(0.8)]);
    check(Some([-1.0, 50.0]), Some([100.0, 50.0]), [None, Some(0.5)]);
    check(Some([40.0, 0.0]), Some([40.0, 50.0]), [Some(0.4), None]);
    check(Some([40.0, 50.0]), None, [None, None]);
    check(None, Some([40.0, 50.0]), [None, None]);
}

#[test]
fn a_replaced_model_shows_from_its_sky_time_even_while_the_object_has_set() {
    let swap = SkyObjectReplacement { model: OTHER, rotate: 30.0, ..change(-1.0, 0.0) };
    let later = SkyTime { replacements: Box::new([swap]), ..time(0.5) };
    let objects = vec![object([0.1, 0.6], [0.0, 0.0])];
    let region = region(vec![("day", objects, vec![time(0.0), later])]);
    let check = |now: f32, want: Option<(RecordId, f32)>| {
        let got = at(&region, now);
        let got = got.objects.first().map(|own| (own.model, own.heading));
        assert_eq!(got, want, "{now}");
    };
    check(0.05, None);
    check(0.49, Some((SUN, 0.0)));
    check(0.5, Some((OTHER, 30.0)));
    check(0.9, Some((OTHER, 30.0)));
}

#[test]
fn textures_scroll_with_the_clock_and_rain_is_weather_that_falls() {
    let rain = SkyObject {
        texture_velocity: [0.02, -1.7],
        properties: 0x0D,
        ..object([0.0; 2], [0.0; 2])
    };
    let clouds = SkyObject { texture_velocity: [0.1, 0.2], properties: 2, ..rain };
    let lightning = SkyObject { texture_velocity: [0.0; 2], ..rain };
    let fading = SkyTime { replacements: Box::new([change(60.0, 1.0)]), ..time(0.0) };
    let check = |object: SkyObject, times: Vec<SkyTime>, want: f32| {
        let region = region(vec![("day", vec![object], times)]);
        let got = daylight(&region, &Moment { seconds: 3.0, ..Moment::new(0, 0.5) }, None);
        assert!((got.rain - want).abs() < 1e-6, "{object:?}: {}", got.rain);
        assert_eq!(got.is_raining(), want > 0.0);
        got.objects[0]
    };
    let shown = check(rain, vec![time(0.0)], 1.0);
    assert!(shown.texture_offset.distance(Vec2::new(0.06, 0.9)) < 1e-5, "{shown:?}");
    assert!(
        shown.properties.contains(SkyProperties::AFTER_LAND)
            && shown.properties.contains(SkyProperties::AT_VIEWER)
    );
    check(rain, vec![fading], 0.4);
    assert!(check(clouds, vec![time(0.0)], 0.0).properties.contains(SkyProperties::HIDDEN_BY_FOG));
    check(lightning, vec![time(0.0)], 0.0);
}

#[test]
fn a_region_without_a_sky_has_plain_daylight() {
    let mut bare = region(vec![]);
    assert_eq!(at(&bare, 0.5), Daylight::plain());
    bare.sky = None;
    assert_eq!(at(&bare, 0.0), Daylight::plain());
    let plain = Daylight::plain();
    assert!(plain.sun_direction.is_normalized() && plain.sun_direction.z > 0.5);
    assert!(plain.sun.min_element() > 0.5 && plain.ambient.min_element() >= 0.2);
    assert!(plain.fog.far > plain.fog.near && !plain.is_raining());
}

#[test]
fn values_that_are_not_finite_do_not_reach_the_light() {
    let bad = SkyTime {
        sun_brightness: f32::NAN,
        sun_heading: f32::INFINITY,
        sun_pitch: f32::NAN,
        ambient_brightness: f32::NAN,
        fog_near: f32::NAN,
        fog_far: f32::NEG_INFINITY,
        replacements: Box::new([change(f32::NAN, f32::INFINITY), change(1.0, 1.0)]),
        ..time(0.0)
    };
    let wild = SkyObject {
        texture_velocity: [f32::NAN, f32::INFINITY],
        ..object([0.2, f32::INFINITY], [0.0, f32::NAN])
    };
    let times = vec![bad, time(f32::NAN)];
    let region = region(vec![("day", vec![wild, wild], times)]);
    for now in [0.5, f32::NAN, -3.25, 1e30] {
        let moment = Moment { day: 0, fraction: now, seconds: 1e9 };
        let got = daylight(&region, &moment, Some(0));
        assert!((got.sun + got.ambient + got.fog.colour).is_finite(), "{got:?}");
        assert!(got.sun_direction.is_normalized() && got.fog.far > got.fog.near, "{got:?}");
        for shown in got.objects {
            assert!(shown.texture_offset.is_finite() && shown.angle.is_finite(), "{shown:?}");
            assert!(shown.rotation().is_valid(), "{shown:?}");
            assert!([shown.transparency, shown.luminosity].iter().flatten().all(|v| v.is_finite()));
        }
    }
}
