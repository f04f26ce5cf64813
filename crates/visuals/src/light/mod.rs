//! Light of places: lamps, daylight in rooms, and the light that rooms have of their own.
//!
//! Lamps belong to objects. Their light spreads from cell to cell through portals ([`WorldLights`]), so that a lamp does
//! not shine through a wall into the next room. Sun and sky are in [`day`](crate::day); near portals they reach into
//! rooms ([`Skylight`]), and everywhere else a room has its own light ([`RoomLight`]).

mod flood;
mod lamp;
mod skylight;
mod spread;

use threshold_land::vector::Vec3;

pub use self::lamp::{Lamp, SetupLamps};
pub use self::skylight::Skylight;
pub use self::spread::WorldLights;
use crate::day::Daylight;

/// Largest number of lamps of a place; the nearest are used.
pub const MAX_LAMPS: usize = 32;

/// Largest number of skylights of a place; the nearest are used.
pub const MAX_SKYLIGHTS: usize = 16;

/// Brightness of lamps in rooms, and outdoors at night.
pub const LAMP_BRIGHTNESS: f32 = 0.6;

/// Light of a room by itself, linear RGB.
pub const OWN_LIGHT: Vec3 = Vec3::new(0.085, 0.08, 0.075);

/// Part of the light of a room that sees outdoors, its own and its soft light, that is left at night. With less, a room
/// without lamps is too dark to read; with more, its nights are as bright as its days.
const LEFT_AT_NIGHT: f32 = 0.4;

/// Light of a room, apart from lamps and skylights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoomLight {
    /// Light from all sides, linear RGB.
    pub ambient: Vec3,
    /// Strength of the soft light from the eye and from above that keeps rooms readable, 0 to 1.
    pub soft: f32,
}

impl RoomLight {
    /// Returns the light of a room: a little by itself, and some of the daylight if it sees outdoors
    /// ([`Room::seen_outside`](threshold_world::Room::seen_outside)). There night reduces its own light, too; a room that
    /// does not see outdoors never changes.
    ///
    /// Retail: `Render::useSunlightSet`, without a transition at portals.
    pub fn of(daylight: &Daylight, sees_outside: bool) -> Self {
        if !sees_outside {
            return Self { ambient: OWN_LIGHT, soft: 1.0 };
        }
        let own = 1.0 - (1.0 - LEFT_AT_NIGHT) * daylight.darkness();
        let ambient = OWN_LIGHT * own + (daylight.ambient + daylight.sun * 0.35) * 0.45;
        Self { ambient, soft: own }
    }
}

/// Lamps and skylights that affect a place, in the frame of its landblock.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lights {
    /// Point lights.
    pub lamps: Vec<Lamp>,
    /// Portals around which the light of a room changes.
    pub skylights: Vec<Skylight>,
}

impl Lights {
    /// Returns the lamps that reach a box, given by its lowest and highest corner: the nearest first, at most
    /// [`MAX_LAMPS`], each once.
    pub fn lamps_near(&self, bounds: [Vec3; 2]) -> Vec<Lamp> {
        let middle = (bounds[0] + bounds[1]) / 2.0;
        // Lamps inside the box are sorted by their distance from its centre.
        let within = |lamp: &Lamp| {
            let distance = lamp.relative_distance(bounds);
            (distance < 1.0).then(|| (distance, lamp.at.distance(middle), *lamp))
        };
        let mut near: Vec<(f32, f32, Lamp)> = self.lamps.iter().filter_map(within).collect();
        let bits = |lamp: &Lamp| lamp.at.to_array().map(f32::to_bits);
        near.sort_by(|(a, b, one), (c, d, other)| {
            let order = a.total_cmp(c).then(b.total_cmp(d)).then(bits(one).cmp(&bits(other)));
            order.then(one.is_outdoors.cmp(&other.is_outdoors))
        });
        // A lamp registered in two cells shines once, as an indoor lamp if one of them is a room.
        near.dedup_by(|(.., a), (.., b)| Lamp { is_outdoors: b.is_outdoors, ..*a } == *b);
        near.truncate(MAX_LAMPS);
        near.into_iter().map(|(.., lamp)| lamp).collect()
    }

    /// Returns the skylights that reach a box: the nearest first, at most [`MAX_SKYLIGHTS`].
    pub fn skylights_near(&self, bounds: [Vec3; 2]) -> Vec<Skylight> {
        let within = |light: &Skylight| {
            let distance = light.relative_distance(bounds);
            (distance < 1.0).then_some((distance, *light))
        };
        let mut near: Vec<(f32, Skylight)> = self.skylights.iter().filter_map(within).collect();
        // The sort is stable: ties keep the order of rooms and portals.
        near.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        near.truncate(MAX_SKYLIGHTS);
        near.into_iter().map(|(_, light)| light).collect()
    }
}

#[cfg(test)]
mod tests;
