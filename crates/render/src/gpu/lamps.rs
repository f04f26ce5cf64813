//! Lights that things carry.

use std::collections::BTreeMap;

use threshold_dat::{RecordId, Records, Setup, Source};
use threshold_land::glam::Vec3;
use threshold_world::Object;

/// Lights that shine on a place at the most: the nearest ones.
pub(super) const MOST_LAMPS: usize = 16;

/// Bytes of the lights of a place, and of where those of the next one begin.
pub(super) const LAMPS: u64 = 16 + 32 * MOST_LAMPS as u64;
pub(super) const LAMPS_STRIDE: u32 = 768;

/// A light, in the frame of a landblock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lamp {
    pub(super) at: Vec3,
    /// In metres.
    pub(super) reach: f32,
    pub(super) colour: Vec3,
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

/// The bytes of the lights that shine into a box: the nearest first, by which of them it is lit.
pub(super) fn lamps_of(lamps: impl Iterator<Item = Lamp>, bounds: [Vec3; 2]) -> Vec<u8> {
    let middle = (bounds[0] + bounds[1]) / 2.0;
    // Of those in the box, the ones in the middle first.
    let within = |lamp: Lamp| {
        let far = lamp.far_from(bounds);
        (far < 1.0).then(|| (far, lamp.at.distance(middle), lamp))
    };
    let mut near: Vec<(f32, f32, Lamp)> = lamps.filter_map(within).collect();
    near.sort_by(|(a, b, _), (c, d, _)| a.total_cmp(c).then(b.total_cmp(d)));
    // What is in two rooms shines once.
    near.dedup_by(|a, b| a.2 == b.2);
    near.truncate(MOST_LAMPS);
    let mut words = vec![u32::try_from(near.len()).unwrap_or(0), 0, 0, 0];
    for (.., Lamp { at, reach, colour }) in near {
        words.extend(at.extend(reach).to_array().map(f32::to_bits));
        words.extend(colour.extend(0.0).to_array().map(f32::to_bits));
    }
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.resize(LAMPS_STRIDE as usize, 0);
    bytes
}

/// The lights of setups that are in use, as they stand on them.
#[derive(Debug, Default)]
pub(super) struct Lamps(BTreeMap<RecordId, Vec<Lamp>>);

impl Lamps {
    /// Those of an object, where it stands.
    pub(super) fn of(&mut self, source: &dyn Source, object: &Object) -> Vec<Lamp> {
        let frame = object.position().frame;
        let lamps = self.0.entry(object.setup().id).or_insert_with_key(|id| read(source, *id));
        lamps.iter().map(|lamp| Lamp { at: frame.to_global(lamp.at), ..*lamp }).collect()
    }
}

fn read(source: &dyn Source, id: RecordId) -> Vec<Lamp> {
    // A bare model has none.
    let setup: Option<Setup> = Records::new(source).get(id).ok().flatten();
    let lights = setup.map(|setup| setup.lights).unwrap_or_default();
    let lamp = |light: &threshold_dat::Light| {
        let [b, g, r, _] = light.colour.0.to_le_bytes().map(|part| f32::from(part) / 255.0);
        let bright =
            if light.intensity.is_finite() { light.intensity.clamp(0.0, 4.0) } else { 1.0 };
        Lamp {
            at: light.frame.origin,
            reach: if light.falloff.is_finite() { light.falloff.clamp(0.5, 60.0) } else { 8.0 },
            colour: Vec3::new(r * r, g * g, b * b) * bright,
        }
    };
    lights.iter().take(MOST_LAMPS).map(lamp).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_lit_by_the_nearest_lights_that_reach_it() {
        let lamp = |x: f32| Lamp { at: Vec3::new(x, 0.0, 0.0), reach: 5.0, colour: Vec3::ONE };
        let bounds = [Vec3::splat(-1.0), Vec3::splat(1.0)];
        let xs = |bytes: &[u8]| -> Vec<f32> {
            let word = |at: usize| <[u8; 4]>::try_from(&bytes[at..at + 4]).unwrap();
            let count = u32::from_le_bytes(word(0)) as usize;
            (0..count).map(|number| f32::from_le_bytes(word(16 + 32 * number))).collect()
        };
        let few = [9.0, 5.5, -2.0].map(lamp);
        assert_eq!(xs(&lamps_of(few.into_iter(), bounds)), [-2.0, 5.5]);
        let many = (0..40_u8).map(|number| lamp(f32::from(number) / 10.0));
        assert_eq!(xs(&lamps_of(many.rev(), bounds)).len(), MOST_LAMPS);
        assert_eq!(lamps_of(std::iter::empty(), bounds).len(), LAMPS_STRIDE as usize);
    }
}
