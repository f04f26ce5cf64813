//! Lights that things carry.

use std::collections::BTreeMap;

use threshold_dat::{RecordId, Records, Setup, Source};
use threshold_land::glam::Vec3;
use threshold_world::Object;

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

    /// Whether it shines into a box.
    pub(super) fn reaches(&self, low: Vec3, high: Vec3) -> bool {
        self.at.distance(self.at.clamp(low, high)) < self.reach
    }
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
    lights.iter().map(lamp).collect()
}
