//! Bodies, drawn in each room that they touch, and once with the landscape.

use std::collections::BTreeMap;

use threshold_land::CellId;
use threshold_land::vector::Vec3;
use threshold_visuals::drawn::{MeshInstance, drawn_land_cell};
use threshold_world::{Object, State};

use super::instance_transform::{InstanceTransform, billboard_transform, instance_transform};
use super::plan::PlaceKey;
use super::store::Store;
use super::{BodyPose, RenderScene};

/// A part of a body in a room or landblock.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyPart {
    pub(super) model: usize,
    pub(super) instance: u32,
    /// In the frame of the landblock.
    pub(super) at: Vec3,
}

/// The parts of all bodies of a frame, by where they are drawn.
#[derive(Debug, Default)]
pub(super) struct Bodies {
    pub(super) parts: BTreeMap<PlaceKey, Vec<BodyPart>>,
    pub(super) instances: Vec<InstanceTransform>,
}

impl Bodies {
    pub(super) fn new(scene: &RenderScene<'_>, store: &Store) -> Self {
        let mut bodies = Self::default();
        for object in scene.world.bodies() {
            let Some(body) = object.id().as_body() else { continue };
            if scene.hidden == Some(body) || object.state().has(State::HIDDEN) {
                continue;
            }
            let pose = scene.poses.iter().find(|pose| pose.body == body);
            let rooms = object.cells().iter().map(|registered| registered.cell);
            let rooms = rooms.filter(|cell| cell.is_indoor()).map(PlaceKey::Room);
            let land = drawn_land_cell(object).map(|cell| PlaceKey::Land(cell.block()));
            for place in rooms.chain(land) {
                bodies.add(store, object, pose, place);
            }
        }
        bodies
    }

    fn add(
        &mut self,
        store: &Store,
        object: &Object,
        body: Option<&BodyPose<'_>>,
        place: PlaceKey,
    ) {
        let shown = body.and_then(|body| body.shown).unwrap_or(*object.position());
        let pose = body.map(|body| body.parts).unwrap_or_default();
        for part in MeshInstance::of_body(object, pose, &shown, place.cell().block()) {
            let Some(model) = store.models.known(&part.key) else { continue };
            let body_part = BodyPart {
                model,
                // A few hundred parts.
                instance: u32::try_from(self.instances.len()).unwrap_or(0),
                at: part.frame.origin,
            };
            let front = store.models.get(model).map(|model| model.front);
            self.instances.push(match front.filter(|_| part.is_billboard) {
                Some(front) => billboard_transform(&part.frame, part.scale, front),
                None => instance_transform(&part.frame, part.scale),
            });
            self.parts.entry(place).or_default().push(body_part);
        }
    }
}

impl PlaceKey {
    /// Returns a cell of its landblock; `CellId(0)` for the sky.
    pub(super) fn cell(self) -> CellId {
        match self {
            Self::Land(block) => block.as_cell(),
            Self::Room(room) => room,
            Self::Nowhere | Self::Sky(_) => CellId(0),
        }
    }
}
