//! Point lights of objects, and the uniform data of all lights of a place.

use std::collections::{BTreeMap, BTreeSet};

use threshold_dat::{FileKind, RecordId, RecordKind, SetupRecord, Source};
use threshold_land::Position;
use threshold_land::vector::Vec3;
use threshold_world::Object;

use super::skylight::Skylight;
use super::store::read_or_fault;

/// Largest number of lamps per place; the nearest are used. `Lamps` in `shader/common.wgsl` has the same size.
pub(super) const MAX_LAMPS: usize = 32;

/// Largest number of skylights per place; the nearest are used. The shader has the same size.
pub(super) const MAX_SKYLIGHTS: usize = 16;

/// Size of the lights of a place in bytes, and the offset from one place to the next.
pub(super) const LAMPS: u64 = 16 + 32 * MAX_LAMPS as u64 + 48 * MAX_SKYLIGHTS as u64;
pub(super) const LAMPS_STRIDE: u32 = 2048;

/// A point light, in the frame of a landblock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lamp {
    pub(super) at: Vec3,
    /// In metres.
    pub(super) reach: f32,
    pub(super) colour: Vec3,
    /// Whether it is outdoors, where lamps fade by day.
    pub(super) is_outdoors: bool,
}

impl Lamp {
    pub(super) fn moved(self, offset: Vec3) -> Self {
        Self { at: self.at + offset, ..self }
    }

    /// Returns its distance from a box, divided by its reach.
    fn relative_distance(&self, [low, high]: [Vec3; 2]) -> f32 {
        self.at.distance(self.at.clamp(low, high)) / self.reach
    }
}

/// Lights that affect a place.
#[derive(Clone, Debug, Default)]
pub(super) struct Lights {
    pub(super) lamps: Vec<Lamp>,
    pub(super) skylights: Vec<Skylight>,
}

impl Lights {
    /// Returns the uniform data of the lights that reach a box, nearest first.
    pub(super) fn words(&self, bounds: [Vec3; 2]) -> Vec<u8> {
        let (lamps, skylights) = (self.lamps_near(bounds), self.skylights_near(bounds));
        // At most `MAX_LAMPS` and `MAX_SKYLIGHTS`.
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

    fn skylights_near(&self, bounds: [Vec3; 2]) -> Vec<Skylight> {
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

/// Lamps of setups, in object space.
#[derive(Debug, Default)]
pub(super) struct Lamps(BTreeMap<RecordId, Vec<Lamp>>);

impl Lamps {
    /// Returns the lamps of an object. A setup that cannot be read has none and is a fault.
    pub(super) fn of(
        &mut self,
        source: &dyn Source,
        object: &Object,
        faults: &mut BTreeSet<String>,
    ) -> Vec<Lamp> {
        let Position { cell, frame } = *object.position();
        let setup = object.setup().id;
        let lamps = self.0.entry(setup).or_insert_with(|| read(source, setup, faults));
        let placed = |lamp: &Lamp| Lamp {
            at: frame.to_global(lamp.at),
            is_outdoors: cell.is_outdoor(),
            ..*lamp
        };
        lamps.iter().map(placed).collect()
    }
}

fn read(source: &dyn Source, id: RecordId, faults: &mut BTreeSet<String>) -> Vec<Lamp> {
    // An object may also be a model without a setup, which has no lights.
    if RecordKind::from_id(FileKind::Portal, id) != RecordKind::Setup {
        return Vec::new();
    }
    let setup: Option<SetupRecord> = read_or_fault(source, "setup", id, faults);
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
    fn a_place_is_lit_by_the_nearest_lamps_that_reach_it() {
        assert_eq!(near([9.0, 5.5, -2.0].map(lamp).into_iter()), [-2.0, 5.5]);
        let many = (0..40_u8).map(|number| lamp(f32::from(number) / 10.0));
        assert_eq!(near(many.rev()).len(), MAX_LAMPS);
        assert_eq!(near(std::iter::empty()), [0.0; 0]);
    }

    #[test]
    fn a_lamp_registered_indoors_and_outdoors_shines_once_in_any_order() {
        let lamps = [lamp(2.0), Lamp { is_outdoors: true, ..lamp(2.0) }, lamp(-2.0)];
        assert_eq!(near(lamps.into_iter()), near(lamps.into_iter().rev()));
        assert_eq!(near(lamps.into_iter()).len(), 2);
        let lights = Lights { lamps: lamps.to_vec(), skylights: Vec::new() };
        assert!(lights.lamps_near(BOUNDS).iter().all(|lamp| !lamp.is_outdoors));
    }

    #[test]
    fn the_lights_of_a_place_fit_into_their_stride() {
        let skylight = Skylight {
            middle: Vec3::ZERO,
            axes: [Vec3::X, Vec3::Z],
            half: threshold_land::vector::Vec2::ONE,
            reach: 3.0,
            is_dark: true,
        };
        let lights = Lights { lamps: vec![lamp(0.0); 50], skylights: vec![skylight; 50] };
        assert_eq!(lights.skylights_near(BOUNDS).len(), MAX_SKYLIGHTS);
        assert_eq!(lights.words(BOUNDS).len(), LAMPS_STRIDE as usize);
        assert!(LAMPS <= u64::from(LAMPS_STRIDE));
    }
}
