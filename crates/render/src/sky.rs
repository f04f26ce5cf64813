//! The sky, celestial objects and weather.

use threshold_land::vector::Vec3;
use threshold_visuals::day::{CelestialObject, SkyProperties};
use threshold_visuals::material::Blend;

use super::Style;
use super::frame::{DrawResources, Recorder};
use super::instance_transform::{InstanceTransform, instance_transform};
use super::pass_state::PassState;
use super::plan::{PlaceKey, Plan};

/// Part of the sky by drawing order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SkyLayer {
    /// Celestial objects behind the landscape.
    Behind,
    /// Weather in front of it.
    Front,
}

impl Recorder {
    /// Draws the sky gradient where nothing else was drawn; only its depth with [`Style::Ids`].
    pub(super) fn backdrop(&self, pass: &mut PassState<'_, '_>, plan: &Plan<'_>) {
        let Some(places) = &self.places_group else { return };
        pass.set_bind_group_at(1, places, 0);
        pass.set_pipeline(match plan.scene.style {
            Style::Lit => &plan.resources.pipelines.backdrop,
            Style::Ids => &plan.resources.pipelines.backdrop_depth,
        });
        pass.draw(0..3, 0..1);
    }

    /// Draws the celestial objects, or the weather.
    pub(super) fn sky(&self, pass: &mut PassState<'_, '_>, plan: &Plan<'_>, layer: SkyLayer) {
        let DrawResources { pipelines, materials, store, .. } = plan.resources;
        let (Some(places), Some(instances)) = (&self.places_group, &self.sky.buffer) else {
            return;
        };
        if plan.scene.style == Style::Ids {
            return;
        }
        let mut instance = 0;
        for (number, thing) in plan.scene.daylight.objects.iter().enumerate() {
            for (model, _) in store.assembly(thing.model) {
                instance += 1;
                if thing.properties.contains(SkyProperties::AFTER_LAND)
                    != (layer == SkyLayer::Front)
                {
                    continue;
                }
                let Some(model) = store.models.get(*model) else { continue };
                pass.set_bind_group_at(1, places, plan.place_of(PlaceKey::Sky(number)));
                pass.set_vertex_buffer(0, &model.corners);
                pass.set_vertex_buffer(1, instances);
                for part in &model.parts {
                    let Some(textures) = materials.group(part.texture_array) else { continue };
                    pass.set_bind_group(2, textures);
                    pass.set_pipeline(match (layer, part.blend) {
                        (SkyLayer::Behind, Blend::Additive) => &pipelines.sky_added,
                        (SkyLayer::Behind, _) => &pipelines.sky,
                        (SkyLayer::Front, Blend::Additive) => &pipelines.veil_added,
                        (SkyLayer::Front, _) => &pipelines.veil,
                    });
                    pass.draw(part.corners.clone(), instance - 1..instance);
                }
            }
        }
    }
}

/// Returns the transforms of all parts of celestial objects.
pub(super) fn sky_transforms(plan: &Plan<'_>) -> Vec<InstanceTransform> {
    let height = plan.scene.viewer.eye().as_vec3().z;
    let of = |thing: &CelestialObject| {
        let stands = thing.frame(height);
        let parts = plan.resources.store.assembly(thing.model).iter();
        parts.map(move |(_, part)| instance_transform(&stands.combine(part), Vec3::ONE))
    };
    plan.scene.daylight.objects.iter().flat_map(of).collect()
}
