//! Transparent instances, drawn back to front.

use super::bodies::Moving;
use super::content::Shown;
use super::frame::{DrawResources, Recorder};
use super::materials::Blend;
use super::pass_state::PassState;
use super::plan::{Plan, Where};
use super::stage::Stage;

/// A transparent instance to draw.
#[derive(Clone, Copy, Debug)]
pub(super) struct TransparentDraw {
    /// Square of its distance.
    distance: f64,
    place: Where,
    model: usize,
    stance: u32,
    is_body: bool,
    tile: usize,
    is_cut: bool,
}

impl Recorder {
    /// Adds the transparent instances of a room or of tiles of a landblock.
    pub(super) fn add_sheer(&mut self, shown: &Shown<'_>) {
        let Shown { at, stage, first, last, is_cut, offset } = *shown;
        let own = stage.sheer.iter().filter(|it| (first..last).contains(&it.tile));
        self.sheer.extend(own.map(|it| TransparentDraw {
            distance: (it.middle.as_dvec3() + offset).length_squared(),
            place: at,
            model: it.model,
            stance: it.stance,
            is_body: false,
            tile: shown.lit_by(),
            is_cut,
        }));
    }

    /// Adds the transparent parts of bodies.
    pub(super) fn add_moving_sheer(
        &mut self,
        plan: &Plan<'_>,
        region: usize,
        (at, stage): (Where, &Stage),
    ) {
        let Some(all) = plan.bodies.parts.get(&at) else { return };
        let models = &plan.on.store.models;
        let is_sheer = |it: &&Moving| models.get(it.model).is_some_and(|model| model.is_sheer());
        let offset = plan.eye.offset(at.cell());
        self.sheer.extend(all.iter().filter(is_sheer).map(|it| TransparentDraw {
            distance: (it.at.as_dvec3() + offset).length_squared(),
            place: at,
            model: it.model,
            stance: it.stance,
            is_body: true,
            tile: stage.tile_at(it.at),
            is_cut: plan.draws.region(region).portal().is_some(),
        }));
    }

    /// Draws all transparent instances, back to front.
    pub(super) fn draw_sheer(&mut self, pen: &mut PassState<'_, '_>, plan: &Plan<'_>) {
        self.sheer.sort_by(|a, b| b.distance.total_cmp(&a.distance));
        let DrawResources { materials, store, pipelines, .. } = plan.on;
        for sheer in &self.sheer {
            let stage = match sheer.place {
                Where::Land(block) => store.lands.get(&block),
                Where::Room(cell) => store.rooms.get(&cell),
                Where::Nowhere | Where::Sky(_) => None,
            };
            let (Some(stage), Some(model)) = (stage, store.models.get(sheer.model)) else {
                continue;
            };
            let stances = if sheer.is_body { &self.bodies.buffer } else { &stage.stances };
            let Some(stances) = stances else { continue };
            self.place(pen, plan, (sheer.place, stage), sheer.tile);
            pen.buffer(0, &model.corners);
            pen.buffer(1, stances);
            for part in model.parts.iter().filter(|part| part.blend != Blend::Opaque) {
                let Some(pictures) = materials.group(part.binder) else { continue };
                pen.group(2, pictures);
                pen.pipeline(pipelines.of(part.blend).get(sheer.is_cut));
                pen.draw(part.corners.clone(), sheer.stance..sheer.stance + 1);
            }
        }
    }
}
