//! Point lights of objects.

use std::collections::{BTreeMap, BTreeSet};

use threshold_dat::{FileKind, RecordId, RecordKind, SetupRecord, Source};
use threshold_land::Position;
use threshold_land::vector::Vec3;
use threshold_world::Object;

use super::MAX_LAMPS;
use crate::asset::read_or_fault;

/// A point light, in the frame of a landblock. Its light fades to nothing at its reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lamp {
    /// Position.
    pub at: Vec3,
    /// In metres.
    pub reach: f32,
    /// Colour times brightness, linear RGB.
    pub colour: Vec3,
    /// Whether it is outdoors, where lamps fade by day.
    pub is_outdoors: bool,
}

impl Lamp {
    /// Returns the lamp at another place: `offset` leads from the frame of its landblock to that of another one.
    #[must_use]
    pub fn moved(self, offset: impl Into<Vec3>) -> Self {
        Self { at: self.at + offset.into(), ..self }
    }

    /// Returns its distance from a box, divided by its reach.
    pub(super) fn relative_distance(&self, [low, high]: [Vec3; 2]) -> f32 {
        self.at.distance(self.at.clamp(low, high)) / self.reach
    }
}

/// Lamps of setups, each read once.
#[derive(Debug, Default)]
pub struct SetupLamps(BTreeMap<RecordId, Vec<Lamp>>);

impl SetupLamps {
    /// Returns the lamps of an object, in the frame of its landblock. A setup that cannot be read has none and is a fault.
    pub fn of_object(
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
