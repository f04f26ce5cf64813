//! The viewer of a frame, and its layers: lines in the world and labels on the screen.

use threshold_land::block_offset_between;
use threshold_play::Viewpoint;
use threshold_render::Style;
use threshold_view::{Lens, ViewScratch, Viewer};
use threshold_visuals::debug_draw::{DebugLabel, DebugOverlay as LayerOverlay, draw_region_cones};

use super::Session;
use super::panel::ScreenLabel;
use super::settings::Settings;
use crate::layers::{Layer, LayerScene, LayerSubject, draw_layers};

/// Distance from the eye within which there are no walls, in metres: slightly less than the radius of the camera.
const CLEARANCE: f64 = 0.28;

/// A visible set that is kept while the player moves on.
pub(super) struct FrozenView {
    pub(super) viewer: Viewer,
    pub(super) scratch: ViewScratch,
}

/// Makes the viewer of a viewpoint. Its near plane stays within the clearance, so that it cuts no walls.
pub(super) fn viewer(viewpoint: &Viewpoint, aspect: f64, settings: &Settings) -> Option<Viewer> {
    let mut lens = Lens { fov: f64::from(settings.field_of_view), aspect, ..Lens::default() };
    lens.near = lens.near.min(CLEARANCE / corner_ratio(&lens));
    let eye = viewpoint.eye.frame.origin.as_dvec3();
    Viewer::looking_at(viewpoint.eye.cell, eye, eye + viewpoint.ahead.as_dvec3(), lens).ok()
}

/// Returns the distance of the corners of the near plane from the eye, as a multiple of the distance of the plane.
fn corner_ratio(lens: &Lens) -> f64 {
    let up = libm::tan((lens.fov / 2.0).to_radians());
    (1.0 + up * up * (1.0 + lens.aspect * lens.aspect)).sqrt()
}

pub(super) fn style(layers: &[Layer]) -> Style {
    if layers.contains(&Layer::Ids) { Style::Ids } else { Style::Lit }
}

/// Returns the lines and labels of the layers, and of the frozen view if there is one.
pub(super) fn layer_overlay(
    session: &Session,
    viewer: &Viewer,
    scratch: &ViewScratch,
    layers: &[Layer],
    frozen: Option<&FrozenView>,
) -> LayerOverlay {
    let (viewer, scratch) =
        frozen.map_or((viewer, scratch), |frozen| (&frozen.viewer, &frozen.scratch));
    let (world, seen) = (&session.world, scratch.visible());
    let mut drawn = LayerOverlay::default();
    if let Some(subject) = &layer_subject(session) {
        draw_layers(&mut drawn, layers, &LayerScene { world, viewer, seen, subject });
    }
    if frozen.is_some() {
        draw_region_cones(&mut drawn, seen, viewer);
    }
    drawn
}

/// Returns the player as the subject of layers.
fn layer_subject(session: &Session) -> Option<LayerSubject> {
    let feet = session.position()?;
    let stance = &session.player.body.stance;
    let ground = stance.contact.then(|| {
        let mut at = feet;
        at.frame.origin += block_offset_between(stance.plane_cell, feet.cell);
        at.cell = stance.plane_cell;
        (at, stance.plane)
    });
    Some(LayerSubject { feet, ground })
}

/// Returns the labels of layers that are on the screen.
pub(super) fn screen_labels(
    viewer: Option<&Viewer>,
    overlay: Option<&LayerOverlay>,
) -> Vec<ScreenLabel> {
    let (Some(viewer), Some(overlay)) = (viewer, overlay) else { return Vec::new() };
    let screen_label = |label: &DebugLabel| {
        let offset = block_offset_between(viewer.cell(), label.at.cell).as_dvec3();
        let at = viewer.project(label.at.frame.origin.as_dvec3() + offset)?;
        #[allow(clippy::cast_possible_truncation, reason = "0 to 1")]
        let at = [(at.x * 0.5 + 0.5) as f32, (0.5 - at.y * 0.5) as f32];
        let is_visible = at.iter().all(|part| (0.0..=1.0).contains(part));
        is_visible.then(|| ScreenLabel { at, text: label.text.clone() })
    };
    overlay.labels.iter().filter_map(screen_label).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_near_plane_stays_in_front_of_a_wall_that_the_camera_touches() {
        for (fov, aspect) in [(60.0, 16.0 / 9.0), (110.0, 16.0 / 9.0), (110.0, 32.0 / 9.0)] {
            let settings = Settings { field_of_view: fov, ..Settings::default() };
            let eye = threshold_land::Position::new(
                threshold_land::CellId(0xA9B4_0001),
                threshold_land::vector::Vec3::splat(10.0),
            );
            let viewpoint =
                Viewpoint { eye, ahead: threshold_land::vector::Vec3::Y, is_first_person: false };
            let viewer = viewer(&viewpoint, aspect, &settings).unwrap();
            let lens = Lens { fov: f64::from(fov), aspect, near: viewer.near() };
            assert!(viewer.near() * corner_ratio(&lens) <= 0.2801, "{fov} {aspect}");
            assert!(viewer.near() > 0.03, "{fov} {aspect}: {}", viewer.near());
        }
    }
}
