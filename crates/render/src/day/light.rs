//! Light and fog between two sky times.

use threshold_dat::Colour;
use threshold_dat::region::SkyTime;
use threshold_land::glam::Vec3;

/// How the distance fades.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fog {
    /// Where it begins, in metres.
    pub near: f32,
    /// Where nothing else is seen, in metres; beyond [`near`](Self::near).
    pub far: f32,
    /// Linear.
    pub colour: Vec3,
}

/// No shade is darker. Retail: `LScape::min_ambient`.
const LEAST_AMBIENT: f32 = 0.2;
/// How far apart both ends of fog are at the least, in metres, so that it can be divided by.
const LEAST_FOG: f32 = 1.0;

/// The sky times before and after a moment, and how far it is from one to the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hours<'a> {
    pub(super) before: &'a SkyTime,
    pub(super) after: &'a SkyTime,
    /// 0 to 1.
    pub(super) part: f32,
}

impl<'a> Hours<'a> {
    /// Around a part of the day; before the first comes the last. `None` if there are none.
    ///
    /// Retail: `DayGroup::GetTimeOfDay`.
    pub(super) fn around(times: &'a [SkyTime], now: f32) -> Option<Self> {
        let all = || times.iter().filter(|time| time.begin.is_finite());
        let order = |one: &&SkyTime, other: &&SkyTime| one.begin.total_cmp(&other.begin);
        let before = all().filter(|time| time.begin <= now).max_by(order);
        let before = before.or_else(|| all().max_by(order))?;
        let after = all().filter(|time| time.begin > now).min_by(order);
        let after = after.or_else(|| all().min_by(order))?;
        // A time of yesterday or of tomorrow.
        let since = |from: f32, to: f32| if to >= from { to - from } else { to - from + 1.0 };
        let span = since(before.begin, after.begin);
        let part = if span > 0.0 { since(before.begin, now) / span } else { 0.0 };
        Some(Self { before, after, part: part.clamp(0.0, 1.0) })
    }

    /// A value between the two, `otherwise` where that is none.
    pub(super) fn blend(&self, value: impl Fn(&SkyTime) -> f32, otherwise: f32) -> f32 {
        let (before, after) = (value(self.before), value(self.after));
        let blended = before + (after - before) * self.part;
        if blended.is_finite() { blended } else { otherwise }
    }

    fn blend_colour(&self, value: impl Fn(&SkyTime) -> Colour) -> Vec3 {
        let (before, after) = (channels(value(self.before)), channels(value(self.after)));
        before + (after - before) * self.part
    }
}

/// Light and fog as the files write them: colours are not linear.
#[derive(Clone, Copy, Debug)]
pub(super) struct Light {
    /// In degrees, 0 in the north, 90 in the east.
    heading: f32,
    /// In degrees above the horizon.
    pitch: f32,
    pub(super) sun_colour: Vec3,
    pub(super) sun_brightness: f32,
    pub(super) ambient_colour: Vec3,
    pub(super) ambient_brightness: f32,
    fog: Fog,
}

impl Light {
    pub(super) const PLAIN: Self = Self {
        heading: 90.0,
        pitch: 58.0,
        sun_colour: Vec3::ONE,
        sun_brightness: 1.0,
        ambient_colour: Vec3::ONE,
        ambient_brightness: 0.3,
        fog: Fog { near: 1000.0, far: 2000.0, colour: Vec3::new(0.77, 0.85, 0.91) },
    };

    pub(super) fn between(hours: &Hours<'_>) -> Self {
        let plain = Self::PLAIN;
        let shade = hours.blend(|time| time.ambient_brightness, plain.ambient_brightness);
        Self {
            heading: hours.blend(|time| time.sun_heading, plain.heading),
            pitch: hours.blend(|time| time.sun_pitch, plain.pitch),
            sun_colour: hours.blend_colour(|time| time.sun_colour),
            sun_brightness: hours.blend(|time| time.sun_brightness, plain.sun_brightness).max(0.0),
            ambient_colour: hours.blend_colour(|time| time.ambient_colour),
            ambient_brightness: shade.max(LEAST_AMBIENT),
            fog: Fog {
                near: hours.blend(|time| time.fog_near, plain.fog.near),
                far: hours.blend(|time| time.fog_far, plain.fog.far),
                colour: hours.blend_colour(|time| time.fog_colour),
            },
        }
    }

    pub(super) fn direction(&self) -> Vec3 {
        let (heading, pitch) = (self.heading.to_radians(), self.pitch.to_radians());
        let level = libm::cosf(pitch);
        let way =
            Vec3::new(libm::sinf(heading) * level, libm::cosf(heading) * level, libm::sinf(pitch));
        way.normalize_or(Vec3::Z)
    }

    pub(super) fn fog(&self) -> Fog {
        let far = self.fog.far.max(self.fog.near + LEAST_FOG);
        Fog { far, colour: linear(self.fog.colour), ..self.fog }
    }
}

/// Red, green and blue, 0 to 1, as the file writes them.
fn channels(colour: Colour) -> Vec3 {
    let [blue, green, red, _] = colour.0.to_le_bytes();
    Vec3::from([red, green, blue].map(|channel| f32::from(channel) / 255.0))
}

/// A colour of the files, 0 to 1 (sRGB), as linear light.
pub fn linear(colour: Vec3) -> Vec3 {
    let channel = |value: f32| match value <= 0.040_45 {
        true => value / 12.92,
        false => libm::powf((value + 0.055) / 1.055, 2.4),
    };
    Vec3::from(colour.to_array().map(channel))
}
