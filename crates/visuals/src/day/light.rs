//! Light and fog, interpolated between two sky times.

use threshold_dat::Colour;
use threshold_dat::region::SkyTime;
use threshold_land::vector::Vec3;

/// Distance fog.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fog {
    /// Distance at which it begins, in metres.
    pub near: f32,
    /// Distance at which it hides everything, in metres; greater than [`near`](Self::near).
    pub far: f32,
    /// Linear RGB.
    pub colour: Vec3,
}

/// Smallest ambient brightness. Retail: `LScape::min_ambient`.
const MIN_AMBIENT: f32 = 0.2;
/// Smallest distance between both ends of the fog, in metres; it is a divisor.
const MIN_FOG_DEPTH: f32 = 1.0;

/// The sky times before and after a moment, and the fraction of the interval that has passed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hours<'a> {
    pub(super) before: &'a SkyTime,
    pub(super) after: &'a SkyTime,
    /// 0 to 1.
    pub(super) part: f32,
}

impl<'a> Hours<'a> {
    /// Finds the sky times around a fraction of the day; the list is cyclic. `None` if it is empty.
    ///
    /// Retail: `DayGroup::GetTimeOfDay`.
    pub(super) fn around(times: &'a [SkyTime], now: f32) -> Option<Self> {
        let all = || times.iter().filter(|time| time.begin.is_finite());
        let order = |one: &&SkyTime, other: &&SkyTime| one.begin.total_cmp(&other.begin);
        let before = all().filter(|time| time.begin <= now).max_by(order);
        let before = before.or_else(|| all().max_by(order))?;
        let after = all().filter(|time| time.begin > now).min_by(order);
        let after = after.or_else(|| all().min_by(order))?;
        // `to` may belong to the next day.
        let since = |from: f32, to: f32| if to >= from { to - from } else { to - from + 1.0 };
        let span = since(before.begin, after.begin);
        let part = if span > 0.0 { since(before.begin, now) / span } else { 0.0 };
        Some(Self { before, after, part: part.clamp(0.0, 1.0) })
    }

    /// Interpolates a value; returns `otherwise` where the result is not finite.
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

/// Light and fog as in the files, with colours in sRGB.
#[derive(Clone, Copy, Debug)]
pub(super) struct Light {
    /// In degrees, 0 is north, 90 is east.
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
        let ambient = hours.blend(|time| time.ambient_brightness, plain.ambient_brightness);
        Self {
            heading: hours.blend(|time| time.sun_heading, plain.heading),
            pitch: hours.blend(|time| time.sun_pitch, plain.pitch),
            sun_colour: hours.blend_colour(|time| time.sun_colour),
            sun_brightness: hours.blend(|time| time.sun_brightness, plain.sun_brightness).max(0.0),
            ambient_colour: hours.blend_colour(|time| time.ambient_colour),
            ambient_brightness: ambient.max(MIN_AMBIENT),
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
        let direction =
            Vec3::new(libm::sinf(heading) * level, libm::cosf(heading) * level, libm::sinf(pitch));
        direction.normalize_or(Vec3::Z)
    }

    pub(super) fn fog(&self) -> Fog {
        let far = self.fog.far.max(self.fog.near + MIN_FOG_DEPTH);
        Fog { far, colour: linear(self.fog.colour), ..self.fog }
    }
}

/// Returns red, green and blue as in the file (sRGB), 0 to 1.
pub(crate) fn channels(colour: Colour) -> Vec3 {
    let [blue, green, red, _] = colour.0.to_le_bytes();
    Vec3::from([red, green, blue].map(|channel| f32::from(channel) / 255.0))
}

/// Converts a colour of the files (sRGB, 0 to 1) to linear light.
pub fn linear(colour: Vec3) -> Vec3 {
    let channel = |value: f32| match value <= 0.040_45 {
        true => value / 12.92,
        false => libm::powf((value + 0.055) / 1.055, 2.4),
    };
    Vec3::from(colour.to_array().map(channel))
}
