//! Transparent instances, drawn back to front.

use threshold_visuals::material::Blend;

use super::bodies::BodyPart;
use super::content::DrawnStage;
use super::frame::{DrawResources, Recorder};
use super::pass_state::PassState;
use super::plan::{PlaceKey, Plan};
use super::stage::Stage;

/// A transparent instance to draw.
#[derive(Clone, Copy, Debug)]
pub(super) struct TransparentDraw {
    /// Square of its distance.
    distance: f64,
    place: PlaceKey,
    model: usize,
    instance: u32,
    is_body: bool,
    tile: usize,
    is_cut: bool,
}

impl Recorder {
    /// Adds the transparent instances of a room or of tiles of a landblock.
    pub(super) fn add_transparent(&mut self, shown: &DrawnStage<'_>) {
        let DrawnStage { at, stage, first, last, is_cut, offset } = *shown;
        let own = stage.transparent.iter().filter(|it| (first..last).contains(&it.tile));
        self.transparent.extend(own.map(|it| TransparentDraw {
            distance: (it.middle.as_dvec3() + offset).length_squared(),
            place: at,
            model: it.model,
            instance: it.instance,
            is_body: false,
            tile: shown.lit_by(),
            is_cut,
        }));
    }

    /// Adds the transparent parts of bodies.
    pub(super) fn add_transparent_bodies(
        &mut self,
        plan: &Plan<'_>,
        region: usize,
        at: PlaceKey,
        stage: &Stage,
    ) {
        let Some(all) = plan.bodies.parts.get(&at) else { return };
        let models = &plan.resources.store.models;
        let is_transparent =
            |it: &&BodyPart| models.get(it.model).is_some_and(|model| model.is_transparent());
        let offset = plan.eye.offset(at.cell());
        self.transparent.extend(all.iter().filter(is_transparent).map(|it| TransparentDraw {
            distance: (it.at.as_dvec3() + offset).length_squared(),
            place: at,
            model: it.model,
            instance: it.instance,
            is_body: true,
            tile: stage.tile_at(it.at),
            is_cut: plan.draws.region(region).portal().is_some(),
        }));
    }

    /// Draws all transparent instances, back to front.
    pub(super) fn draw_transparent(&mut self, pass: &mut PassState<'_, '_>, plan: &Plan<'_>) {
        self.transparent.sort_by(|a, b| b.distance.total_cmp(&a.distance));
        let DrawResources { materials, store, pipelines, .. } = plan.resources;
        for transparent in &self.transparent {
            let stage = match transparent.place {
                PlaceKey::Land(block) => store.lands.get(&block),
                PlaceKey::Room(cell) => store.rooms.get(&cell),
                PlaceKey::Nowhere | PlaceKey::Sky(_) => None,
            };
            let (Some(stage), Some(model)) = (stage, store.models.get(transparent.model)) else {
                continue;
            };
            let instances =
                if transparent.is_body { &self.bodies.buffer } else { &stage.instances };
            let Some(instances) = instances else { continue };
            self.place(pass, plan, transparent.place, stage, transparent.tile);
            pass.set_vertex_buffer(0, &model.corners);
            pass.set_vertex_buffer(1, instances);
            for part in model.parts.iter().filter(|part| part.blend != Blend::Opaque) {
                let Some(textures) = materials.group(part.texture_array) else { continue };
                pass.set_bind_group(2, textures);
                pass.set_pipeline(pipelines.of(part.blend).get(transparent.is_cut));
                pass.draw(part.corners.clone(), transparent.instance..transparent.instance + 1);
            }
        }
    }
}
