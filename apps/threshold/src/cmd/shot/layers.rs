//! The subject of layers at the eye, and labels on a picture.

use threshold_dat::{Records, Result, SetupRecord, Source};
use threshold_forge::MOVER;
use threshold_land::vector::{DVec3, Vec3};
use threshold_land::{Plane, Position, block_offset_between};
use threshold_map::raster;
use threshold_motion::{Mover, MoverShape, Rules, Search, SweepScratch, Sweeper};
use threshold_view::Viewer;
use threshold_visuals::debug_draw::DebugLabel;
use threshold_visuals::images::Image;
use threshold_world::World;

use super::eye::EYE_HEIGHT;
use crate::layers::{Layer, LayerSubject};
use crate::surroundings::Surroundings;

/// Returns a human with its eye at the viewer, with its contact plane if a layer shows that. A setup that cannot be read is noted.
pub(super) fn layer_subject(
    layers: &[Layer],
    around: &mut Surroundings,
    viewer: &Viewer,
) -> LayerSubject {
    let feet = Position::new(viewer.cell(), viewer.eye().as_vec3() - Vec3::Z * EYE_HEIGHT);
    if !layers.contains(&Layer::Contact) {
        return LayerSubject { feet, ground: None };
    }
    let mover = human(&*around.source()).unwrap_or_else(|error| {
        around.note_fault(error);
        None
    });
    let ground = mover.and_then(|mover| contact_plane(around.world(), &mover, &feet));
    LayerSubject { feet, ground }
}

/// Makes a human mover; `None` in a world without the setup of a human.
pub(super) fn human(source: &dyn Source) -> Result<Option<Mover>> {
    let setup = Records::new(source).get::<SetupRecord>(MOVER)?;
    let shape =
        |setup: SetupRecord| MoverShape::new(&setup.spheres, setup.step_up, setup.step_down);
    Ok(setup.map(|setup| Mover::new(shape(setup))))
}

/// Returns the contact plane of a mover placed near a position, and a point on it; `None` if there is no room or no ground.
fn contact_plane(world: &World, mover: &Mover, feet: &Position) -> Option<(Position, Plane)> {
    let sweeper = Sweeper { world, rules: Rules::default() };
    let placed = sweeper.place(&mut SweepScratch::new(), &mut (), mover, feet, Search::Around);
    let stance = &placed.stance;
    (placed.is_ok() && stance.contact).then(|| {
        let offset = block_offset_between(stance.plane_cell, placed.position.cell);
        let mut at = placed.position;
        (at.cell, at.frame.origin) = (stance.plane_cell, at.frame.origin + offset);
        (at, stance.plane)
    })
}

/// Draws labels onto a picture, each at its place if that is on the screen.
pub(super) fn draw_labels(
    picture: &mut Image,
    viewer: &Viewer,
    labels: &[DebugLabel],
) -> anyhow::Result<()> {
    let Image { width, height, .. } = *picture;
    let mut text = String::new();
    for label in labels {
        let offset = block_offset_between(viewer.cell(), label.at.cell).as_dvec3();
        let at: DVec3 = label.at.frame.origin.as_dvec3() + offset;
        let Some(at) = viewer.project(at).filter(|at| at.abs().max_element() < 1.0) else {
            continue;
        };
        let x = (at.x * 0.5 + 0.5) * f64::from(width);
        let y = (0.5 - at.y * 0.5) * f64::from(height);
        text += &format!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" font-family=\"monospace\" font-size=\"15\" \
             fill=\"#fff6b0\" stroke=\"#201800\" stroke-width=\"3\" paint-order=\"stroke\">{}</text>",
            label.text
        );
    }
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">{text}</svg>"
    );
    let png = raster::to_png(&svg)?;
    let text = image::load_from_memory(&png.bytes)?.to_rgba8();
    let text = image::imageops::thumbnail(&text, width, height);
    for (pixel, new) in picture.pixels.iter_mut().zip(text.pixels()) {
        let [r, g, b, a] = new.0.map(u32::from);
        for (own, new) in pixel.iter_mut().zip([r, g, b]) {
            let mixed = (u32::from(*own) * (255 - a) + new * a) / 255;
            *own = u8::try_from(mixed).unwrap_or(u8::MAX);
        }
    }
    Ok(())
}
