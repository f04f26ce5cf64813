//! Bodies: what moves, drawn in every cell that it is in.

use std::collections::BTreeMap;

use threshold_dat::RecordId;
use threshold_land::{CellId, Position, block_offset};
use threshold_world::Object;

use super::plan::Where;
use super::store::rows;
use super::{Actor, Scene};

/// The parts of bodies in a picture: where each is drawn, its model, and which stance it has.
#[derive(Debug, Default)]
pub(super) struct Bodies {
    pub(super) parts: BTreeMap<Where, Vec<(RecordId, u32)>>,
    pub(super) stances: Vec<[[f32; 4]; 3]>,
}

impl Bodies {
    pub(super) fn new(scene: &Scene<'_>) -> Self {
        let mut bodies = Self::default();
        for object in scene.world.objects() {
            let Some(body) = object.id().as_body().filter(|body| scene.hidden != Some(*body))
            else {
                continue;
            };
            let actor = scene.actors.iter().find(|actor| actor.body == body);
            let mut places: Vec<Where> =
                object.cells().iter().map(|registered| Where::of(registered.cell)).collect();
            places.sort_unstable();
            places.dedup();
            for place in places {
                bodies.add(object, actor, place);
            }
        }
        bodies
    }

    fn add(&mut self, object: &Object, actor: Option<&Actor<'_>>, place: Where) {
        let shown = actor.and_then(|actor| actor.shown).unwrap_or(*object.position());
        for (number, part) in object.setup().parts.iter().enumerate() {
            let pose = actor.and_then(|actor| actor.parts.get(number));
            let pose = pose.copied().or_else(|| object.part_pose(number));
            let (Some(pose), Some(scale)) = (pose, object.part_scale(number)) else { continue };
            let Position { cell, frame } = shown;
            let mut frame =
                frame.combine_scaled(&pose, threshold_land::glam::Vec3::splat(object.scale()));
            frame.origin += block_offset(place.cell(), cell);
            // Some hundred parts.
            let stance = u32::try_from(self.stances.len()).unwrap_or(0);
            self.stances.push(rows(&frame, scale));
            self.parts.entry(place).or_default().push((part.model.id, stance));
        }
    }
}

impl Where {
    /// The place that a cell is drawn with.
    fn of(cell: CellId) -> Self {
        if cell.is_indoor() { Self::Room(cell) } else { Self::Land(cell.block()) }
    }
}
