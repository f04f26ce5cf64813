//! Sky and light at a moment of a day.
//!
//! ```
//! use threshold_dat::{Records, RecordId, RegionDesc};
//! use threshold_visuals::day::{Moment, daylight, fraction_of, group_named};
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
//! Choices made where the sources leave the behaviour open:
//!
//! - Celestial objects turn about the axis from south to north, as in the built-in world: 0 degrees is east, 90 is
//!   overhead, 180 is west. See [`CelestialObject::rotation`].
//! - Replaced values are percentages; an object with a transparency of 100 is invisible.
//! - A replaced value applies only if both neighbouring sky times have one: transparency from 0, luminosity and
//!   brightness above 0.
//! - A replaced model or heading comes from the earlier of the two sky times, without interpolation. A replaced model
//!   shows even while the object itself has set, as in retail.
//! - An object whose begin and end are equal is always up; one that begins after its end is never up.
//! - The bits of the properties are those of [`SkyProperties`].
//! - Headings are interpolated as numbers, not along the shorter arc.
//! - Colours are interpolated in sRGB, then made linear, then multiplied by the brightness.
//! - Light and sky change continuously; retail updates them every few seconds (`light_tick`, `tick`).

mod clock;
mod group;
mod light;
mod object;
mod properties;
#[cfg(test)]
mod tests;

use threshold_dat::region::RegionDesc;
use threshold_land::vector::Vec3;

pub use self::clock::{Moment, clock_of, fraction_of};
pub use self::group::{day_number, group_named, present_group};
pub(crate) use self::light::channels;
pub use self::light::{Fog, linear};
pub use self::object::CelestialObject;
pub use self::properties::SkyProperties;

/// Brightness of sun and ambient light together: at night, and by day in the rain. With a lower `BRIGHT` lamps go out
/// before sunset; with a higher one they shine on wet streets at noon.
const DARK: f32 = 0.2;
const BRIGHT: f32 = 0.36;

/// Sky and light at a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Daylight {
    /// Index of the day group in the region's list; `None` in a region without any.
    pub group: Option<usize>,
    /// Unit vector towards the sun, or towards the moon by night.
    pub sun_direction: Vec3,
    /// Light of the sun: colour times brightness, linear.
    pub sun: Vec3,
    /// Ambient light: colour times brightness, linear.
    pub ambient: Vec3,
    /// Distance fog.
    pub fog: Fog,
    /// Visible celestial objects, in drawing order.
    pub objects: Vec<CelestialObject>,
    /// Strength of the rain, 0 to 1; see [`CelestialObject::rain`].
    pub rain: f32,
}

impl Daylight {
    /// Returns the light of a region without a sky: white, from high in the east, at any time.
    ///
    /// Retail: `SkyDesc::GetLighting` without sky times, which is a little darker.
    pub fn plain() -> Self {
        Self::lit(None, light::Light::PLAIN, Vec::new())
    }

    /// Returns how dark it is outdoors, from 0 by day to 1 at night, computed from sun and ambient light together. It
    /// scales the lamps outdoors, and dims the own light of rooms that see the landscape.
    pub fn darkness(&self) -> f32 {
        // Perceived brightness of red, green and blue.
        let bright = (self.sun + self.ambient).dot(Vec3::new(0.3, 0.5, 0.2));
        let day = ((bright - DARK) / (BRIGHT - DARK)).clamp(0.0, 1.0);
        // Light that is not finite counts as day, so nothing gets darker.
        if day.is_finite() { 1.0 - day * day * (3.0 - 2.0 * day) } else { 0.0 }
    }

    /// Returns whether it rains at all.
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

/// Computes sky and light of a region at a moment. `group` overrides the day group, if the region has that index.
///
/// Retail: `SkyDesc::GetLighting`, `SkyDesc::GetWorldFog` and `SkyDesc::GetSky`.
pub fn daylight(region: &RegionDesc, moment: &Moment, group: Option<usize>) -> Daylight {
    let Some(sky) = &region.sky else { return Daylight::plain() };
    let moment = &Moment { seconds: moment.seconds, ..Moment::new(moment.day, moment.fraction) };
    let index = group
        .filter(|index| *index < sky.day_groups.len())
        .unwrap_or_else(|| present_group(moment.day, sky.day_groups.len()));
    let Some(day_group) = sky.day_groups.get(index) else { return Daylight::plain() };
    let hours = light::Hours::around(&day_group.times, moment.fraction);
    let light = hours.map_or(light::Light::PLAIN, |hours| light::Light::between(&hours));
    Daylight::lit(Some(index), light, object::visible(&day_group.objects, hours.as_ref(), moment))
}
