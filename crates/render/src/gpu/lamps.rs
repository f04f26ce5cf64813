//! Lights that things carry, and what the device is told of the lights of a place.

use std::collections::BTreeMap;

use threshold_dat::{RecordId, Records, SetupRecord, Source};
use threshold_land::Position;
use threshold_land::glam::Vec3;
use threshold_world::Object;

use super::skylight::Skylight;

/// Lights that shine on a place at the most: the nearest ones. `Lamps` in `shader/common.wgsl` has as many.
pub(super) const MAX_LAMPS: usize = 32;

/// Openings that change the light of a place at the most: the nearest ones. The shader has as many.
pub(super) const MAX_SKYLIGHTS: usize = 16;

/// Bytes of the lights of a place, and of where those of the next one begin.
pub(super) const LAMPS: u64 = 16 + 32 * MAX_LAMPS as u64 + 48 * MAX_SKYLIGHTS as u64;
pub(super) const LAMPS_STRIDE: u32 = 2048;

/// A light, in the frame of a landblock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lamp {
    pub(super) at: Vec3,
    /// In metres.
    pub(super) reach: f32,
    pub(super) colour: Vec3,
    /// Whether it stands outdoors: by day it is then as good as out.
    pub(super) is_outdoors: bool,
}

impl Lamp {
    pub(super) fn moved(self, offset: Vec3) -> Self {
        Self { at: self.at + offset, ..self }
    }

    /// How far it is from a box, in parts of its reach.
    fn far_from(&self, [low, high]: [Vec3; 2]) -> f32 {
        self.at.distance(self.at.clamp(low, high)) / self.reach
    }
}

/// What lights a place.
#[derive(Clone, Debug, Default)]
pub(super) struct Lights {
    pub(super) lamps: Vec<Lamp>,
    pub(super) skylights: Vec<Skylight>,
}

impl Lights {
    /// Returns the bytes of what lights a box: the nearest first, by which of them it is lit.
    pub(super) fn words(&self, bounds: [Vec3; 2]) -> Vec<u8> {
        let (lamps, skylights) = (self.lamps_near(bounds), self.skylights_near(bounds));
        // At most a handful of each.
        let count = |count: usize| u32::try_from(count).unwrap_or(0);
        let mut words = vec![count(lamps.len()), count(skylights.len()), 0, 0];
        let mut add = |v: Vec3, w: f32| words.extend(v.extend(w).to_array().map(f32::to_bits));
        let none = Lamp { at: Vec3::ZERO, reach: 1.0, colour: Vec3::ZERO, is_outdoors: false };
        for number in 0..MAX_LAMPS {
            let Lamp { at, reach, colour, is_outdoors } = *lamps.get(number).unwrap_or(&none);
            add(at, reach);
            add(colour, f32::from(u8::from(is_outdoors)));
        }
        for Skylight { middle, axes: [right, up], half, reach, is_dark } in skylights {
            add(middle, if is_dark { -reach } else { reach });
            add(right, half.x);
            add(up, half.y);
        }
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.resize(LAMPS_STRIDE as usize, 0);
        bytes
    }

    pub(super) fn lamps_near(&self, bounds: [Vec3; 2]) -> Vec<Lamp> {
        let middle = (bounds[0] + bounds[1]) / 2.0;
        // Of those in the box, the ones in the middle first.
        let within = |lamp: &Lamp| {
            let far = lamp.far_from(bounds);
            (far < 1.0).then(|| (far, lamp.at.distance(middle), *lamp))
        };
        let mut near: Vec<(f32, f32, Lamp)> = self.lamps.iter().filter_map(within).collect();
        let place = |lamp: &Lamp| lamp.at.to_array().map(f32::to_bits);
        near.sort_by(|(a, b, one), (c, d, other)| {
            let apart = a.total_cmp(c).then(b.total_cmp(d)).then(place(one).cmp(&place(other)));
            apart.then(one.is_outdoors.cmp(&other.is_outdoors))
        });
        // What stands in two cells shines once, as indoors where one of them is a room.
        near.dedup_by(|(.., a), (.., b)| Lamp { is_outdoors: b.is_outdoors, ..*a } == *b);
        near.truncate(MAX_LAMPS);
        near.into_iter().map(|(.., lamp)| lamp).collect()
    }

    fn skylights_near(&self, bounds: [Vec3; 2]) -> Vec<Skylight> {
        let within = |light: &Skylight| {
            let far = light.far_from(bounds);
            (far < 1.0).then_some((far, *light))
        };
        let mut near: Vec<(f32, Skylight)> = self.skylights.iter().filter_map(within).collect();
        // The sort is stable: what is as near stays in the order of rooms and openings.
        near.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        near.truncate(MAX_SKYLIGHTS);
        near.into_iter().map(|(_, light)| light).collect()
    }
}

/// The lights of setups that are in use, as they stand on them.
#[derive(Debug, Default)]
pub(super) struct Lamps(BTreeMap<RecordId, Vec<Lamp>>);

impl Lamps {
    /// Those of an object, where it stands.
    pub(super) fn of(&mut self, source: &dyn Source, object: &Object) -> Vec<Lamp> {
        let Position { cell, frame } = *object.position();
        let lamps = self.0.entry(object.setup().id).or_insert_with_key(|id| read(source, *id));
        let placed = |lamp: &Lamp| Lamp {
            at: frame.to_global(lamp.at),
            is_outdoors: cell.is_outdoor(),
            ..*lamp
        };
        lamps.iter().map(placed).collect()
    }
}

fn read(source: &dyn Source, id: RecordId) -> Vec<Lamp> {
    // A bare model has none.
    let setup: Option<SetupRecord> = Records::new(source).get(id).ok().flatten();
    let lights = setup.map(|setup| setup.lights).unwrap_or_default();
    let lamp = |light: &threshold_dat::Light| {
        let [b, g, r, _] = light.colour.0.to_le_bytes().map(|part| f32::from(part) / 255.0);
        let bright =
            if light.intensity.is_finite() { light.intensity.clamp(0.0, 4.0) } else { 1.0 };
        Lamp {
            at: light.frame.origin,
            reach: if light.falloff.is_finite() { light.falloff.clamp(0.5, 60.0) } else { 8.0 },
            colour: Vec3::new(r * r, g * g, b * b) * bright,
            is_outdoors: false,
        }
    };
    lights.iter().take(MAX_LAMPS).map(lamp).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lamp(x: f32) -> Lamp {
        Lamp { at: Vec3::new(x, 0.0, 0.0), reach: 5.0, colour: Vec3::ONE, is_outdoors: false }
    }

    const BOUNDS: [Vec3; 2] = [Vec3::NEG_ONE, Vec3::ONE];

    fn near(lamps: impl Iterator<Item = Lamp>) -> Vec<f32> {
        let bytes = Lights { lamps: lamps.collect(), skylights: Vec::new() }.words(BOUNDS);
        assert_eq!(bytes.len(), LAMPS_STRIDE as usize);
        let word = |at: usize| <[u8; 4]>::try_from(&bytes[at..at + 4]).unwrap();
        let count = u32::from_le_bytes(word(0)) as usize;
        (0..count).map(|number| f32::from_le_bytes(word(16 + 32 * number))).collect()
    }

    #[test]
    fn a_place_is_lit_by_the_nearest_lights_that_reach_it() {
        assert_eq!(near([9.0, 5.5, -2.0].map(lamp).into_iter()), [-2.0, 5.5]);
        let many = (0..40_u8).map(|number| lamp(f32::from(number) / 10.0));
        assert_eq!(near(many.rev()).len(), MAX_LAMPS);
        assert_eq!(near(std::iter::empty()), [0.0; 0]);
    }

    #[test]
    fn a_lamp_in_a_room_and_on_the_land_shines_once_and_in_one_order() {
        let lamps = [lamp(2.0), Lamp { is_outdoors: true, ..lamp(2.0) }, lamp(-2.0)];
        assert_eq!(near(lamps.into_iter()), near(lamps.into_iter().rev()));
        assert_eq!(near(lamps.into_iter()).len(), 2);
        let lights = Lights { lamps: lamps.to_vec(), skylights: Vec::new() };
        assert!(lights.lamps_near(BOUNDS).iter().all(|lamp| !lamp.is_outdoors));
    }

    #[test]
    fn what_a_place_is_lit_by_fits_into_its_bytes() {
        let skylight = Skylight {
            middle: Vec3::ZERO,
            axes: [Vec3::X, Vec3::Z],
            half: threshold_land::glam::Vec2::ONE,
            reach: 3.0,
            is_dark: true,
        };
        let lights = Lights { lamps: vec![lamp(0.0); 50], skylights: vec![skylight; 50] };
        assert_eq!(lights.skylights_near(BOUNDS).len(), MAX_SKYLIGHTS);
        assert_eq!(lights.words(BOUNDS).len(), LAMPS_STRIDE as usize);
        assert!(LAMPS <= u64::from(LAMPS_STRIDE));
    }
}
