//! Celestial objects: sun, moons, stars, clouds and weather.

use threshold_dat::RecordId;
use threshold_dat::region::{SkyObject, SkyObjectReplacement, SkyTime};
use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{Frame, Rotation};

use super::clock::Moment;
use super::light::Hours;
use super::properties::SkyProperties;

/// A visible object in the sky. Retail: `CelestialPosition`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CelestialObject {
    /// Index in the day group; stable from moment to moment.
    pub index: usize,
    /// Model; in retail's files it may also be a setup.
    pub model: RecordId,
    /// Physics script; may be 0.
    pub script: RecordId,
    /// Angle along its path, in degrees.
    pub angle: f32,
    /// Heading in degrees; 0 unless it is replaced.
    pub heading: f32,
    /// 0 to 1, where 1 is invisible; `None` uses the value of its surface.
    pub transparency: Option<f32>,
    /// Emitted light, 1 is the full colour of its image; `None` uses the value of its surface. Retail: `luminosity`.
    pub luminosity: Option<f32>,
    /// Diffuse reflection; `None` uses the value of its surface. Retail: `max_bright`.
    pub brightness: Option<f32>,
    /// Offset of its texture coordinates, 0 to 1.
    pub texture_offset: Vec2,
    /// Speed of that offset, in repeats per second.
    pub texture_velocity: Vec2,
    /// Drawing flags.
    pub properties: SkyProperties,
}

impl CelestialObject {
    /// Returns the rotation of its model around the viewer: first by its heading, then about the axis from south to
    /// north, from the east up and over to the west.
    ///
    /// Retail: `GameSky::CalcFrame`.
    pub fn rotation(&self) -> Rotation {
        let turn = Rotation::from_scaled_axis(Vec3::new(0.0, -self.angle.to_radians(), 0.0));
        let heading = Rotation::from_heading(self.heading);
        turn.unwrap_or(Rotation::IDENTITY).product(heading)
    }

    /// Returns its frame relative to an eye at a height, in metres: around the eye, except weather that falls from a fixed
    /// height.
    pub fn frame(&self, eye_height: f32) -> Frame {
        let is_at_fixed_height = self.properties.contains(SkyProperties::WEATHER)
            && !self.properties.contains(SkyProperties::AT_VIEWER);
        let up = if is_at_fixed_height { SkyProperties::WEATHER_HEIGHT - eye_height } else { 0.0 };
        Frame { origin: Vec3::Z * up, rotation: self.rotation() }
    }

    /// Returns how much rain it shows, 0 to 1: the opacity of weather whose texture moves vertically. Lightning and mist
    /// are not rain.
    pub fn rain(&self) -> f32 {
        let falls =
            self.properties.contains(SkyProperties::WEATHER) && self.texture_velocity.y != 0.0;
        if falls { 1.0 - self.transparency.unwrap_or(0.0) } else { 0.0 }
    }
}

/// Returns the visible objects of a day group.
pub(super) fn visible(
    objects: &[SkyObject],
    hours: Option<&Hours<'_>>,
    moment: &Moment,
) -> Vec<CelestialObject> {
    let all = objects.iter().enumerate().map(|(index, object)| {
        let mut shown = shown(index, object, moment);
        if let Some(hours) = hours {
            replace(&mut shown, hours);
        }
        shown
    });
    all.filter(|shown| shown.model != RecordId::NONE).collect()
}

/// Returns an object without replacements; its model is `NONE` while it has set.
fn shown(index: usize, object: &SkyObject, moment: &Moment) -> CelestialObject {
    let SkyObject { begin_time, end_time, begin_angle, end_angle, .. } = *object;
    let always = begin_time == end_time;
    let progress =
        if always { 0.0 } else { (moment.fraction - begin_time) / (end_time - begin_time) };
    let angle = begin_angle + (end_angle - begin_angle) * progress;
    let is_up = always || (begin_time..end_time).contains(&moment.fraction);
    CelestialObject {
        index,
        model: if is_up { object.model } else { RecordId::NONE },
        script: object.script,
        angle: if angle.is_finite() { angle } else { 0.0 },
        heading: 0.0,
        transparency: None,
        luminosity: None,
        brightness: None,
        texture_offset: Vec2::from(
            object.texture_velocity.map(|rate| scroll(rate, moment.seconds)),
        ),
        texture_velocity: Vec2::from(object.texture_velocity),
        properties: SkyProperties::from_bits_retain(object.properties),
    }
}

/// Returns the texture offset after `seconds`, without whole repeats.
fn scroll(rate: f32, seconds: f64) -> f32 {
    let offset = (f64::from(rate) * seconds).rem_euclid(1.0);
    #[allow(clippy::cast_possible_truncation, reason = "0 to 1")]
    let offset = offset as f32;
    if offset < 1.0 { offset } else { 0.0 }
}

fn replace(shown: &mut CelestialObject, hours: &Hours<'_>) {
    let replacement = |time: &SkyTime| {
        let is_own = |change: &&SkyObjectReplacement| {
            usize::try_from(change.object).is_ok_and(|object| object == shown.index)
        };
        time.replacements.iter().find(is_own).copied()
    };
    let (before, after) = (replacement(hours.before), replacement(hours.after));
    let Some(before) = before else { return };
    // Retail oddity: a replaced model shows while the object has set, too.
    if before.model != RecordId::NONE {
        shown.model = before.model;
    }
    if before.rotate.is_finite() {
        shown.heading = before.rotate;
    }
    let Some(after) = after else { return };
    let blend = |one: f32, other: f32| {
        let blended = (one + (other - one) * hours.part) / PERCENT;
        blended.is_finite().then_some(blended)
    };
    let both =
        |one: f32, other: f32| if one > 0.0 && other > 0.0 { blend(one, other) } else { None };
    if before.transparent >= 0.0 && after.transparent >= 0.0 {
        shown.transparency =
            blend(before.transparent, after.transparent).map(|value| value.min(1.0));
    }
    shown.luminosity = both(before.luminosity, after.luminosity);
    shown.brightness = both(before.max_bright, after.max_bright);
}

/// Replaced values are percentages.
const PERCENT: f32 = 100.0;
