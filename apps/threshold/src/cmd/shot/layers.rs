//! Who would stand at the place of the eye, and words on a picture.

use threshold_dat::{Records, Source};
use threshold_forge::MOVER;
use threshold_land::glam::{DVec3, Vec3};
use threshold_land::{Plane, Position, block_offset_between};
use threshold_motion::{Mover, MoverShape, Rules, Search, SweepScratch, Sweeper};
use threshold_render::debug_overlay::Label;
use threshold_render::images::Image;
use threshold_view::Viewer;
use threshold_world::World;

use super::stand::EYES;
use crate::drawing::raster;
use crate::layers::{Layer, Stander};

/// Somebody whose eye this is, and if layers show it what they stand on.
pub(super) fn stander(
    layers: &[Layer],
    world: &World,
    source: &dyn Source,
    viewer: &Viewer,
) -> Stander {
    let feet = Position::new(viewer.cell(), viewer.eye().as_vec3() - Vec3::Z * EYES);
    let is_shown = layers.contains(&Layer::Contact);
    Stander { feet, ground: is_shown.then(|| ground(world, source, &feet)).flatten() }
}

/// Somebody to be put somewhere; nobody in a world without the record of a human.
pub(super) fn human<'a>(world: &'a World, source: &dyn Source) -> Option<(Mover, Sweeper<'a>)> {
    let record = Records::new(source).get::<threshold_dat::SetupRecord>(MOVER).ok().flatten()?;
    let mover = Mover::new(MoverShape::new(&record.spheres, record.step_up, record.step_down));
    Some((mover, Sweeper { world, rules: Rules::default() }))
}

/// The plane that somebody stands on who is put there; none where nobody can stand.
fn ground(world: &World, source: &dyn Source, feet: &Position) -> Option<(Position, Plane)> {
    let (mover, sweeper) = human(world, source)?;
    let placed = sweeper.place(&mut SweepScratch::new(), &mut (), &mover, feet, Search::Around);
    let stance = &placed.stance;
    (placed.is_ok() && stance.contact).then(|| {
        let offset = block_offset_between(stance.plane_cell, placed.position.cell);
        let mut at = placed.position;
        (at.cell, at.frame.origin) = (stance.plane_cell, at.frame.origin + offset);
        (at, stance.plane)
    })
}

/// Writes words onto a picture, each where its place shows.
pub(super) fn write(picture: &mut Image, viewer: &Viewer, labels: &[Label]) -> anyhow::Result<()> {
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
    let (png, _) = raster::png(&svg)?;
    let words = image::load_from_memory(&png)?.to_rgba8();
    let words = image::imageops::thumbnail(&words, width, height);
    for (pixel, word) in picture.pixels.iter_mut().zip(words.pixels()) {
        let [r, g, b, a] = word.0.map(u32::from);
        for (own, new) in pixel.iter_mut().zip([r, g, b]) {
            let mixed = (u32::from(*own) * (255 - a) + new * a) / 255;
            *own = u8::try_from(mixed).unwrap_or(u8::MAX);
        }
    }
    Ok(())
}
