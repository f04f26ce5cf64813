//! Kinds of days: sky objects, light and fog.

use core::f32::consts::PI;

use threshold_dat::region::{DayGroup, Sky, SkyObject, SkyObjectReplacement, SkyTime};
use threshold_dat::{Colour, RecordId};

use super::region::text;
use super::sky::on_path;
use crate::stock::texture::SkyTexture;

/// Times when sun and moon change places, as parts of the day.
const RISE: f32 = 0.225;
const SET: f32 = 0.775;
/// Depth below the horizon at which they start and end, in degrees.
const BELOW: f32 = 4.0;

/// Bits of `SkyObject::properties`: rain is drawn after the land, around the viewer, at the viewer's height.
const WEATHER: u32 = 0x0D;
/// Clouds give way to a fog set by the server.
const DRIFTS: u32 = 0x02;

/// Light of a clear day at one time. Sky objects are faded by a number of hundredths.
struct Hour {
    begin: f32,
    sun: (f32, u32),
    ambient: (f32, u32),
    fog: u32,
    fade: Fade,
    /// Brightness of clouds, in hundredths.
    clouds: f32,
}

/// Transparency in hundredths: 0 is opaque.
#[derive(Clone, Copy)]
struct Fade {
    day: f32,
    glow: f32,
    stars: f32,
}

const NIGHT: Fade = Fade { day: 100.0, glow: 100.0, stars: 0.0 };
const TWILIGHT: Fade = Fade { day: 60.0, glow: 35.0, stars: 70.0 };
const LOW_SUN: Fade = Fade { day: 12.0, glow: 10.0, stars: 100.0 };
const DAY: Fade = Fade { day: 0.0, glow: 100.0, stars: 100.0 };

/// The light turns from the moon's direction to the sun's while neither shines. The night shade is that of eyes used to the
/// dark; at dusk only the sky lights the ground, and less light would make walking guesswork.
const HOURS: [Hour; 12] = [
    hour(0.0, [(0.26, 0x96_A6CA), (0.62, 0x64_6C80)], 0x1A_2438, NIGHT, 6.0),
    hour(0.18, [(0.26, 0x96_A6CA), (0.7, 0x64_6C80)], 0x1A_2438, NIGHT, 6.0),
    hour(
        0.22,
        [(0.0, 0x8A_A0D0), (0.8, 0x78_7488)],
        0x5A_5060,
        Fade { stars: 25.0, ..NIGHT },
        16.0,
    ),
    hour(0.24, [(0.0, 0xFF_A868), (0.75, 0x98_8894)], 0xB0_8A80, TWILIGHT, 38.0),
    hour(0.275, [(0.5, 0xFF_B478), (0.55, 0xAC_9C9E)], 0xE0_B890, LOW_SUN, 75.0),
    hour(0.34, [(0.85, 0xFF_E8C8), (0.47, 0xB8_C0CA)], 0xBC_CEDC, DAY, 95.0),
    hour(0.5, [(1.0, 0xFF_F8EC), (0.45, 0xC4_CCD6)], 0xC4_D8E8, DAY, 100.0),
    hour(0.66, [(0.9, 0xFF_F0D4), (0.47, 0xC0_C4CA)], 0xC0_D0DC, DAY, 97.0),
    hour(0.725, [(0.55, 0xFF_A860), (0.55, 0xB0_9A98)], 0xE4_B080, LOW_SUN, 78.0),
    hour(0.76, [(0.0, 0xFF_9050), (0.75, 0x9A_8692)], 0xB4_867C, TWILIGHT, 40.0),
    hour(
        0.78,
        [(0.0, 0x8A_A0D0), (0.8, 0x7A_7488)],
        0x5C_5060,
        Fade { stars: 25.0, ..NIGHT },
        16.0,
    ),
    hour(0.83, [(0.26, 0x96_A6CA), (0.75, 0x64_6C80)], 0x1A_2438, NIGHT, 6.0),
];

/// `light` holds brightness and colour of the sun and of the shade.
const fn hour(begin: f32, light: [(f32, u32); 2], fog: u32, fade: Fade, clouds: f32) -> Hour {
    let [sun, ambient] = light;
    Hour { begin, sun, ambient, fog, fade, clouds }
}

/// A kind of day, as changes to a clear one.
struct Kind {
    name: &'static str,
    chance: f32,
    /// Whether sun, moon and stars are visible.
    open: bool,
    clouds: Option<SkyTexture>,
    /// Speed of the clouds, in repeats per second.
    wind: [f32; 2],
    rain: bool,
    /// Remaining part of the sun's light.
    sun: f32,
    ambient: f32,
    /// Distances at which fog begins and is full, in metres.
    fog: [f32; 2],
}

/// In the order of the region's list. Retail gives the first day the third of four kinds at any chances, so that is fair weather.
const KINDS: [Kind; 4] = [
    Kind {
        name: "Clear",
        chance: 35.0,
        open: true,
        clouds: None,
        wind: [0.0, 0.0],
        rain: false,
        sun: 1.0,
        ambient: 1.0,
        fog: [180.0, 1200.0],
    },
    Kind {
        name: "Overcast",
        chance: 18.0,
        open: false,
        clouds: Some(SkyTexture::Cover),
        wind: [0.01, 0.003],
        rain: false,
        sun: 0.4,
        ambient: 1.2,
        fog: [100.0, 700.0],
    },
    Kind {
        name: "Fair",
        chance: 35.0,
        open: true,
        clouds: Some(SkyTexture::Clouds),
        wind: [0.006, 0.002],
        rain: false,
        sun: 0.95,
        ambient: 1.05,
        fog: [160.0, 1000.0],
    },
    Kind {
        name: "Rain",
        chance: 12.0,
        open: false,
        clouds: Some(SkyTexture::Cover),
        wind: [0.016, 0.006],
        rain: true,
        sun: 0.25,
        ambient: 1.05,
        fog: [50.0, 420.0],
    },
];

/// Returns the sky; `model` gives the model of a sky object.
pub(crate) fn sky(model: impl Fn(SkyTexture) -> RecordId) -> Sky {
    Sky {
        tick: 1.0,
        light_tick: 5.0,
        day_groups: KINDS.iter().map(|kind| kind.group(&model)).collect(),
    }
}

/// A sky object that is always present.
fn fixed(model: RecordId) -> SkyObject {
    SkyObject {
        begin_time: 0.0,
        end_time: 0.0,
        begin_angle: 0.0,
        end_angle: 0.0,
        texture_velocity: [0.0; 2],
        model,
        script: RecordId::NONE,
        properties: 0,
    }
}

/// A sky object that crosses the sky, with times and angles at both ends.
fn moving(model: RecordId, times: [f32; 2], angles: [f32; 2]) -> SkyObject {
    let [begin_time, end_time] = times;
    let [begin_angle, end_angle] = angles;
    SkyObject { begin_time, end_time, begin_angle, end_angle, ..fixed(model) }
}

impl Kind {
    fn group(&self, model: &impl Fn(SkyTexture) -> RecordId) -> DayGroup {
        let object = |heaven: SkyTexture| {
            self.objects(heaven, model(heaven)).into_iter().map(move |object| (heaven, object))
        };
        let (shown, objects): (Vec<_>, Vec<_>) = self.shown().into_iter().flat_map(object).unzip();
        DayGroup {
            chance: self.chance,
            name: text(self.name),
            objects: objects.into(),
            times: HOURS.iter().map(|hour| self.time(hour, &shown)).collect(),
        }
    }

    /// Sky objects from back to front.
    fn shown(&self) -> Vec<SkyTexture> {
        let mut shown = vec![SkyTexture::Night];
        match self.open {
            true => shown.extend([
                SkyTexture::Stars,
                SkyTexture::Day,
                SkyTexture::Glow,
                SkyTexture::Sun,
                SkyTexture::Moon,
            ]),
            false => shown.push(SkyTexture::Grey),
        }
        shown.extend(self.clouds);
        shown.extend(self.rain.then_some(SkyTexture::Rain));
        shown
    }

    fn objects(&self, heaven: SkyTexture, model: RecordId) -> Vec<SkyObject> {
        let over = 180.0 + BELOW;
        match heaven {
            SkyTexture::Sun => vec![moving(model, [RISE, SET], [-BELOW, over])],
            // Twice, as it passes midnight.
            SkyTexture::Moon => vec![
                moving(model, [SET, 1.0], [-BELOW, 90.0]),
                moving(model, [0.0, RISE], [90.0, over]),
            ],
            SkyTexture::Clouds | SkyTexture::Cover => {
                let texture_velocity = self.wind;
                vec![SkyObject { texture_velocity, properties: DRIFTS, ..fixed(model) }]
            }
            SkyTexture::Rain => {
                // Texture coordinates move up, so that drops fall.
                let texture_velocity = [0.0, -1.7];
                vec![SkyObject { texture_velocity, properties: WEATHER, ..fixed(model) }]
            }
            _ => vec![fixed(model)],
        }
    }

    fn time(&self, hour: &Hour, shown: &[SkyTexture]) -> SkyTime {
        let direction = on_path(angle(hour.begin));
        let degrees = 180.0 / PI;
        let heading = libm::atan2f(direction.x, direction.y) * degrees;
        let [fog_near, fog_far] = self.fog;
        let opaque = |colour: u32| Colour(0xFF00_0000 | colour);
        SkyTime {
            begin: hour.begin,
            sun_brightness: hour.sun.0 * self.sun,
            sun_heading: heading.rem_euclid(360.0),
            sun_pitch: libm::asinf(direction.z.clamp(-1.0, 1.0)) * degrees,
            sun_colour: opaque(if self.open { hour.sun.1 } else { grey(hour.sun.1) }),
            ambient_brightness: hour.ambient.0 * self.ambient,
            ambient_colour: opaque(hour.ambient.1),
            fog_near,
            fog_far,
            fog_colour: opaque(if self.open { hour.fog } else { grey(hour.fog) }),
            fog_mode: 1,
            replacements: replacements(hour, shown),
        }
    }
}

/// Changes of the sky with the time of day.
fn replacements(hour: &Hour, shown: &[SkyTexture]) -> Box<[SkyObjectReplacement]> {
    let change = |(object, heaven): (u32, &SkyTexture)| {
        let (transparent, luminosity) = match heaven {
            SkyTexture::Stars => (hour.fade.stars, 100.0),
            SkyTexture::Day | SkyTexture::Grey => (hour.fade.day, 100.0),
            SkyTexture::Glow => (hour.fade.glow, 100.0),
            SkyTexture::Clouds | SkyTexture::Cover | SkyTexture::Rain => (-1.0, hour.clouds),
            SkyTexture::Night | SkyTexture::Sun | SkyTexture::Moon => return None,
        };
        let (model, rotate) = (RecordId::NONE, 0.0);
        Some(SkyObjectReplacement {
            object,
            model,
            rotate,
            transparent,
            luminosity,
            max_bright: luminosity,
        })
    };
    (0_u32..).zip(shown).filter_map(change).collect()
}

/// Returns the angle of sun or moon, whichever shines, in degrees.
fn angle(time: f32) -> f32 {
    let part = |from: f32, to: f32| (time - from) / (to - from);
    let half = 90.0 + BELOW;
    match time {
        _ if time < RISE => 90.0 + half * part(0.0, RISE),
        _ if time <= SET => -BELOW + 2.0 * half * part(RISE, SET),
        _ => -BELOW + half * part(SET, 1.0),
    }
}

/// A colour under clouds: greyer and as dark as they are, so that hills fade into them.
fn grey(colour: u32) -> u32 {
    let [b, g, r, _] = colour.to_le_bytes().map(u32::from);
    let mean = (r + g + b) / 3;
    let near = |value: u32| (value + 2 * mean) * 7 / 30;
    near(r) << 16 | near(g) << 8 | near(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made() -> Sky {
        sky(|_| RecordId(0x0100_0001))
    }

    #[test]
    fn hours_follow_each_other_and_light_never_jumps() {
        for group in made().day_groups {
            assert_eq!(group.times[0].begin, 0.0);
            for (one, next) in group.times.iter().zip(&group.times[1..]) {
                assert!(one.begin < next.begin);
                // Where the direction of light turns far, there is no light.
                let turn = (one.sun_heading - next.sun_heading).abs();
                let dark = one.sun_brightness == 0.0 && next.sun_brightness == 0.0;
                assert!(turn < 90.0 || dark, "{} at {}", group.name, one.begin);
                assert!(one.sun_pitch > -BELOW - 1.0, "{} at {}", group.name, one.begin);
            }
        }
    }

    #[test]
    fn replacements_name_what_is_there_and_fade_it_by_hundredths() {
        for group in made().day_groups {
            for change in group.times.iter().flat_map(|time| &time.replacements) {
                assert!((change.object as usize) < group.objects.len(), "{}", group.name);
                assert!(change.transparent == -1.0 || (0.0..=100.0).contains(&change.transparent));
            }
        }
    }

    #[test]
    fn there_are_stars_at_night_and_a_sun_by_day() {
        let clear = &made().day_groups[0];
        let visible = |time: f32| {
            let up = |object: &&SkyObject| (object.begin_time..object.end_time).contains(&time);
            clear.objects.iter().filter(up).count()
        };
        // The sun at noon; the moon, once, before and after midnight.
        assert_eq!([0.5, 0.1, 0.9].map(visible), [1, 1, 1]);
        let stars = |hour: usize| clear.times[hour].replacements[0].transparent;
        assert_eq!((stars(0), stars(6)), (0.0, 100.0));
    }
}
