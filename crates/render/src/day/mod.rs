//! What the sky and the light are at a moment of a day.
//!
//! ```
//! use threshold_dat::{Records, RecordId, RegionDesc};
//! use threshold_render::day::{Moment, daylight, fraction_of, group_named};
//!
//! let world = threshold_forge::Forge::dressed(1).finish()?;
//! let region: RegionDesc = Records::new(&world).get(RecordId(0x1300_0000))?.unwrap();
//! let noon = Moment::new(0, fraction_of("12:00").unwrap());
//! let rain = daylight(&region, &noon, group_named(&region, "rain"));
//! let clear = daylight(&region, &noon, group_named(&region, "clear"));
//! assert!(rain.is_raining() && !clear.is_raining());
//! assert!(clear.sun.length() > rain.sun.length());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What the sources leave open, and what is done here:
//!
//! - Things in the sky turn about the axis from south to north, as the built-in world draws them: 0 degrees is the east, 90
//!   overhead, 180 the west. See [`CelestialObject::rotation`].
//! - Replaced values are hundredths; a transparency of 100 cannot be seen.
//! - A replaced value counts if both neighbouring sky times name one: transparency from 0, glow and brightness above 0.
//! - Models and turns are replaced at once, by the earlier of the two sky times; they are not interpolated. Another
//!   model is there even where the times of the object say that it is not up, as in retail.
//! - Whatever begins and ends at the same time is always there; whatever begins after it ends is never there.
//! - Bits of properties are those of [`SkyProperties`].
//! - Headings are interpolated as numbers, not the short way round.
//! - Colours are interpolated as the files write them, then made linear, then multiplied by the brightness.
//! - Light and sky change all the time; retail only every few seconds (`light_tick`, `tick`).

mod clock;
mod group;
mod light;
mod object;
mod properties;
#[cfg(test)]
mod tests;

use threshold_dat::region::RegionDesc;
use threshold_land::glam::Vec3;

pub use self::clock::{Moment, clock_of, fraction_of};
pub use self::group::{day_number, group_named, present_group};
pub use self::light::{Fog, linear};
pub use self::object::CelestialObject;
pub use self::properties::SkyProperties;

/// Sun and shade together at night, and by day even under rain. With a lower upper bound lamps go out before sunset; with a higher one they
/// shine on wet streets at noon.
const DARK: f32 = 0.2;
const BRIGHT: f32 = 0.36;

/// The sky and the light at a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Daylight {
    /// The kind of day, by its place in the region's list; `None` in a region without any.
    pub group: Option<usize>,
    /// Towards the sun, or towards whatever shines by night; of unit length.
    pub sun_direction: Vec3,
    /// Its light: colour times brightness, linear.
    pub sun: Vec3,
    /// The light of the shade: colour times brightness, linear.
    pub ambient: Vec3,
    /// How the distance fades.
    pub fog: Fog,
    /// What can be seen in the sky, in the order it is drawn.
    pub objects: Vec<CelestialObject>,
    /// How hard it rains, 0 to 1; see [`CelestialObject::rain`].
    pub rain: f32,
}

impl Daylight {
    /// Light for a region without a sky: white, from high in the east, whatever the time.
    ///
    /// Retail: `SkyDesc::GetLighting` without sky times, which is a little darker.
    pub fn plain() -> Self {
        Self::lit(None, light::Light::PLAIN, Vec::new())
    }

    /// How dark it is outdoors, 0 by day to 1 at night, by how bright sun and shade are together. Lamps outdoors shine by as much, and rooms
    /// that see the landscape lose their own light by as much.
    pub fn darkness(&self) -> f32 {
        // As bright as the eye finds red, green and blue.
        let bright = (self.sun + self.ambient).dot(Vec3::new(0.3, 0.5, 0.2));
        let day = ((bright - DARK) / (BRIGHT - DARK)).clamp(0.0, 1.0);
        // A light of no number counts as day: nothing is then darker than it was.
        if day.is_finite() { 1.0 - day * day * (3.0 - 2.0 * day) } else { 0.0 }
    }

    /// Whether it rains at all.
    pub fn is_raining(&self) -> bool {
        self.rain > 0.0
    }

    fn lit(group: Option<usize>, light: light::Light, objects: Vec<CelestialObject>) -> Self {
        Self {
            group,
            sun_direction: light.direction(),
            sun: linear(light.sun_colour) * light.sun_brightness,
            ambient: linear(light.ambient_colour) * light.ambient_brightness,
            fog: light.fog(),
            rain: objects.iter().map(CelestialObject::rain).fold(0.0, f32::max),
            objects,
        }
    }
}

/// The sky and the light of a region at a moment; `group` overrules the kind of day, if there is one of that number.
///
/// Retail: `SkyDesc::GetLighting`, `SkyDesc::GetWorldFog` and `SkyDesc::GetSky`.
pub fn daylight(region: &RegionDesc, moment: &Moment, group: Option<usize>) -> Daylight {
    let Some(sky) = &region.sky else { return Daylight::plain() };
    let moment = &Moment { seconds: moment.seconds, ..Moment::new(moment.day, moment.fraction) };
    let place = group
        .filter(|place| *place < sky.day_groups.len())
        .unwrap_or_else(|| present_group(moment.day, sky.day_groups.len()));
    let Some(kind) = sky.day_groups.get(place) else { return Daylight::plain() };
    let hours = light::Hours::around(&kind.times, moment.fraction);
    let light = hours.map_or(light::Light::PLAIN, |hours| light::Light::between(&hours));
    Daylight::lit(Some(place), light, object::visible(&kind.objects, hours.as_ref(), moment))
}
