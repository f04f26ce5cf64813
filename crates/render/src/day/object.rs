//! What is in the sky.

use threshold_dat::RecordId;
use threshold_dat::region::{SkyObject, SkyObjectReplacement, SkyTime};
use threshold_land::Rotation;
use threshold_land::glam::{Vec2, Vec3};

use super::clock::Moment;
use super::light::Hours;
use super::properties::SkyProperties;

/// Something that can be seen in the sky. Retail: `CelestialPosition`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CelestialObject {
    /// Which one of the kind of day; the same from moment to moment.
    pub index: usize,
    /// A model, in retail's files also an assembly of models.
    pub model: RecordId,
    /// Its physics script; may be 0.
    pub script: RecordId,
    /// How far it is on its way, in degrees.
    pub angle: f32,
    /// Its heading, in degrees; 0 unless it is replaced.
    pub heading: f32,
    /// 0 to 1, where 1 cannot be seen; `None` is what its surface says.
    pub transparency: Option<f32>,
    /// Its glow, 1 as bright as its picture; `None` is what its surface says. Retail: `luminosity`.
    pub luminosity: Option<f32>,
    /// What it shows of the light that falls on it; `None` is what its surface says. Retail: `max_bright`, the diffuse part.
    pub brightness: Option<f32>,
    /// To be added to the coordinates of its picture, 0 to 1.
    pub texture_offset: Vec2,
    /// How fast that moves, in repeats a second.
    pub texture_velocity: Vec2,
    /// How it is drawn.
    pub properties: SkyProperties,
}

impl CelestialObject {
    /// How its model stands around the viewer: turned to its heading, then about the axis from south to north, from the east up
    /// and over to the west.
    ///
    /// Retail: `GameSky::CalcFrame`.
    pub fn rotation(&self) -> Rotation {
        let turn = Rotation::from_scaled_axis(Vec3::new(0.0, -self.angle.to_radians(), 0.0));
        let heading = Rotation::from_heading(self.heading);
        turn.unwrap_or(Rotation::IDENTITY).product(heading)
    }

    /// How much rain it is, 0 to 1: weather whose picture moves up or down, as far as it can be seen. Lightning and mist are none.
    pub fn rain(&self) -> f32 {
        let falls = self.properties.has(SkyProperties::WEATHER) && self.texture_velocity.y != 0.0;
        if falls { 1.0 - self.transparency.unwrap_or(0.0) } else { 0.0 }
    }
}

/// Those of a kind of day that can be seen.
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

/// Without replacements; no model where it is not up.
fn shown(index: usize, object: &SkyObject, moment: &Moment) -> CelestialObject {
    let SkyObject { begin_time, end_time, begin_angle, end_angle, .. } = *object;
    let always = begin_time == end_time;
    let part = if always { 0.0 } else { (moment.fraction - begin_time) / (end_time - begin_time) };
    let angle = begin_angle + (end_angle - begin_angle) * part;
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
        texture_offset: Vec2::from(object.texture_velocity.map(|rate| moved(rate, moment.seconds))),
        texture_velocity: Vec2::from(object.texture_velocity),
        properties: SkyProperties(object.properties),
    }
}

/// Where a picture is after so many seconds, without whole repeats.
fn moved(rate: f32, seconds: f64) -> f32 {
    let way = (f64::from(rate) * seconds).rem_euclid(1.0);
    #[allow(clippy::cast_possible_truncation, reason = "0 to 1")]
    let way = way as f32;
    if way < 1.0 { way } else { 0.0 }
}

fn replace(shown: &mut CelestialObject, hours: &Hours<'_>) {
    let of = |time: &SkyTime| {
        let is_its = |change: &&SkyObjectReplacement| {
            usize::try_from(change.object).is_ok_and(|object| object == shown.index)
        };
        time.replacements.iter().find(is_its).copied()
    };
    let (before, after) = (of(hours.before), of(hours.after));
    let Some(before) = before else { return };
    // Retail oddity: another model is there outside its times, too.
    if before.model != RecordId::NONE {
        shown.model = before.model;
    }
    if before.rotate.is_finite() {
        shown.heading = before.rotate;
    }
    let Some(after) = after else { return };
    let blend = |one: f32, other: f32| {
        let blended = (one + (other - one) * hours.part) / HUNDRED;
        blended.is_finite().then_some(blended)
    };
    let both =
        |one: f32, other: f32| if one > 0.0 && other > 0.0 { blend(one, other) } else { None };
    if before.transparent >= 0.0 && after.transparent >= 0.0 {
        shown.transparency = blend(before.transparent, after.transparent).map(|part| part.min(1.0));
    }
    shown.luminosity = both(before.luminosity, after.luminosity);
    shown.brightness = both(before.max_bright, after.max_bright);
}

/// What replaced values say for a whole.
const HUNDRED: f32 = 100.0;
