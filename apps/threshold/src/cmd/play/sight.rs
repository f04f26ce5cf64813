//! Who looks, and the lines and words over what is seen.

use threshold_land::block_offset_between;
use threshold_play::Viewpoint;
use threshold_render::debug_overlay::{DebugOverlay as Lines, Label};
use threshold_render::gpu::Style;
use threshold_view::{Lens, ViewScratch, Viewer};

use super::Session;
use super::panel::Word;
use super::settings::Settings;
use crate::layers::{Layer, Stander, overlay};

/// Walls are nowhere nearer to the eye than this, in metres: a little less than the radius that cameras keep.
const CLEARANCE: f64 = 0.28;

/// A view that was frozen.
pub(super) struct Frozen {
    pub(super) viewer: Viewer,
    pub(super) scratch: ViewScratch,
}

/// Who looks.
pub(super) fn viewer(sight: &Viewpoint, aspect: f64, settings: &Settings) -> Option<Viewer> {
    let mut lens = Lens { fov: f64::from(settings.field_of_view), aspect, ..Lens::default() };
    lens.near = lens.near.min(CLEARANCE / corner(&lens));
    let eye = sight.eye.frame.origin.as_dvec3();
    Viewer::looking_at(sight.eye.cell, eye, eye + sight.ahead.as_dvec3(), lens).ok()
}

/// How far the corners of what drawing begins with are from the eye, as a multiple of how far the plane is: in wide windows they
/// would reach through walls.
fn corner(lens: &Lens) -> f64 {
    let up = libm::tan((lens.fov / 2.0).to_radians());
    (1.0 + up * up * (1.0 + lens.aspect * lens.aspect)).sqrt()
}

pub(super) fn style(layers: &[Layer]) -> Style {
    if layers.contains(&Layer::Ids) { Style::Ids } else { Style::Lit }
}

/// Lines and words of the layers that are shown.
pub(super) fn lines(
    session: &Session,
    (viewer, scratch): (&Viewer, &ViewScratch),
    layers: &[Layer],
    frozen: Option<&Frozen>,
) -> Lines {
    let (viewer, scratch) =
        frozen.map_or((viewer, scratch), |frozen| (&frozen.viewer, &frozen.scratch));
    let mut all = match stander(session) {
        Some(stander) => overlay(layers, &session.world, (viewer, scratch.visible()), &stander),
        None => Lines::default(),
    };
    if frozen.is_some() {
        all.cones(scratch.visible(), viewer);
    }
    all
}

/// Who walks, as layers show it.
fn stander(session: &Session) -> Option<Stander> {
    let feet = session.position()?;
    let stance = &session.player.body.stance;
    let ground = stance.contact.then(|| {
        let mut at = feet;
        at.frame.origin += block_offset_between(stance.plane_cell, feet.cell);
        at.cell = stance.plane_cell;
        (at, stance.plane)
    });
    Some(Stander { feet, ground })
}

/// Words where they show on the screen.
pub(super) fn words(viewer: Option<&Viewer>, lines: Option<&Lines>) -> Vec<Word> {
    let (Some(viewer), Some(lines)) = (viewer, lines) else { return Vec::new() };
    let word = |label: &Label| {
        let offset = block_offset_between(viewer.cell(), label.at.cell).as_dvec3();
        let at = viewer.project(label.at.frame.origin.as_dvec3() + offset)?;
        #[allow(clippy::cast_possible_truncation, reason = "0 to 1")]
        let at = [(at.x * 0.5 + 0.5) as f32, (0.5 - at.y * 0.5) as f32];
        let is_on = at.iter().all(|part| (0.0..=1.0).contains(part));
        is_on.then(|| Word { at, text: label.text.clone() })
    };
    lines.labels.iter().filter_map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However wide a window and a field of view: what drawing begins with stays within what cameras keep clear.
    #[test]
    fn drawing_does_not_begin_behind_a_wall_that_a_camera_touches() {
        for (fov, aspect) in [(60.0, 16.0 / 9.0), (110.0, 16.0 / 9.0), (110.0, 32.0 / 9.0)] {
            let settings = Settings { field_of_view: fov, ..Settings::default() };
            let eye = threshold_land::Position::new(
                threshold_land::CellId(0xA9B4_0001),
                threshold_land::glam::Vec3::splat(10.0),
            );
            let sight =
                Viewpoint { eye, ahead: threshold_land::glam::Vec3::Y, is_first_person: false };
            let viewer = viewer(&sight, aspect, &settings).unwrap();
            let lens = Lens { fov: f64::from(fov), aspect, near: viewer.near() };
            assert!(viewer.near() * corner(&lens) <= 0.2801, "{fov} {aspect}");
            assert!(viewer.near() > 0.03, "{fov} {aspect}: {}", viewer.near());
        }
    }
}
