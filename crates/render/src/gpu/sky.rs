//! The sky, celestial objects and weather.

use threshold_land::Frame;
use threshold_land::glam::Vec3;

use super::Style;
use super::frame::{DrawResources, Recorder};
use super::instance_transform::{InstanceTransform, stance};
use super::materials::Blend;
use super::pass_state::PassState;
use super::plan::{Plan, Where};
use crate::day::{CelestialObject, SkyProperties};

/// Part of the sky by drawing order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sky {
    /// Celestial objects behind the landscape.
    Behind,
    /// Weather in front of it.
    Before,
}

impl Recorder {
    /// Draws the sky gradient where nothing else was drawn; only its depth with [`Style::Ids`].
    pub(super) fn backdrop(&self, pen: &mut PassState<'_, '_>, plan: &Plan<'_>) {
        let Some(places) = &self.places_group else { return };
        pen.group_at(1, places, 0);
        pen.pipeline(match plan.scene.style {
            Style::Lit => &plan.on.pipelines.backdrop,
            Style::Ids => &plan.on.pipelines.backdrop_depth,
        });
        pen.draw(0..3, 0..1);
    }

    /// Draws the celestial objects, or the weather.
    pub(super) fn sky(&self, pen: &mut PassState<'_, '_>, plan: &Plan<'_>, which: Sky) {
        let DrawResources { pipelines, materials, store, .. } = plan.on;
        let (Some(places), Some(stances)) = (&self.places_group, &self.sky.buffer) else { return };
        if plan.scene.style == Style::Ids {
            return;
        }
        let mut stance = 0;
        for (number, thing) in plan.scene.daylight.objects.iter().enumerate() {
            for (model, _) in store.assembly(thing.model) {
                stance += 1;
                if thing.properties.contains(SkyProperties::AFTER_LAND) != (which == Sky::Before) {
                    continue;
                }
                let Some(model) = store.models.get(*model) else { continue };
                pen.group_at(1, places, plan.place_of(Where::Sky(number)));
                pen.buffer(0, &model.corners);
                pen.buffer(1, stances);
                for part in &model.parts {
                    let Some(pictures) = materials.group(part.binder) else { continue };
                    pen.group(2, pictures);
                    pen.pipeline(match (which, part.blend) {
                        (Sky::Behind, Blend::Additive) => &pipelines.sky_added,
                        (Sky::Behind, _) => &pipelines.sky,
                        (Sky::Before, Blend::Additive) => &pipelines.veil_added,
                        (Sky::Before, _) => &pipelines.veil,
                    });
                    pen.draw(part.corners.clone(), stance - 1..stance);
                }
            }
        }
    }
}

/// Returns the transforms of all parts of celestial objects.
pub(super) fn sky_stances(plan: &Plan<'_>) -> Vec<InstanceTransform> {
    let height = plan.scene.viewer.eye().as_vec3().z;
    let of = |thing: &CelestialObject| {
        let stands = sky_frame(thing, height);
        let parts = plan.on.store.assembly(thing.model).iter();
        parts.map(move |(_, part)| stance(&stands.combine(part), Vec3::ONE))
    };
    plan.scene.daylight.objects.iter().flat_map(of).collect()
}

/// Returns the frame of a celestial object relative to an eye of this height.
fn sky_frame(thing: &CelestialObject, eye: f32) -> Frame {
    let is_at_fixed_height = thing.properties.contains(SkyProperties::WEATHER)
        && !thing.properties.contains(SkyProperties::AT_VIEWER);
    let up = if is_at_fixed_height { SkyProperties::WEATHER_HEIGHT - eye } else { 0.0 };
    Frame { origin: Vec3::Z * up, rotation: thing.rotation() }
}
