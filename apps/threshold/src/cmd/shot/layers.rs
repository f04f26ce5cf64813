//! What is shown besides the world itself.

use clap::ValueEnum;
use threshold_dat::{RecordId, Records, Source};
use threshold_land::glam::{DVec3, Vec3};
use threshold_land::{Position, Sphere, block_offset};
use threshold_motion::{Mover, Rules, Scratch, Search, Shape, Sweeper};
use threshold_render::layers::{Label, Overlay};
use threshold_render::picture::Picture;
use threshold_view::{Seen, Viewer};
use threshold_world::{CellArray, CellSearch, World};

use crate::drawing::raster;

/// Something that is shown on top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Layer {
    /// The walls of the rooms that are seen, and their ids.
    Cells,
    /// Openings: ways to other rooms, and ways out.
    Portals,
    /// The regions of the screen that were looked into.
    Regions,
    /// The cells that somebody at the place of the eye touches, in their order.
    Candidates,
    /// What somebody stands on there.
    Contact,
    /// What is bumped into in the rooms that are seen.
    Physics,
    /// One flat colour for each polygon of each cell, unlit.
    Ids,
}

/// The human mover, in retail's files as in made worlds.
const HUMAN: RecordId = RecordId(0x0200_0001);
/// How high eyes are over the feet, and how wide somebody is, in metres.
const EYES: f32 = 1.7;
const WIDE: f32 = 0.48;

/// Lines and words of all layers.
pub(super) fn overlay(
    layers: &[Layer],
    world: &World,
    source: &dyn Source,
    (viewer, seen): (&Viewer, &Seen),
) -> Overlay {
    let mut overlay = Overlay::default();
    let feet = Position::new(viewer.cell(), viewer.eye().as_vec3() - Vec3::Z * EYES);
    for layer in layers {
        match layer {
            Layer::Cells => overlay.cells(world, seen),
            Layer::Portals => overlay.portals(world, seen),
            Layer::Regions => overlay.regions(seen, viewer),
            Layer::Physics => overlay.physics(world, seen),
            Layer::Candidates => {
                let spheres =
                    [WIDE, 1.35].map(|up| Sphere::new(feet.frame.origin + Vec3::Z * up, WIDE));
                let mut cells = CellArray::new();
                // Which cell contains them is known already: that of the eye.
                let _ = CellSearch::new(world).spheres(&feet, &spheres, &mut cells);
                overlay.candidates(world, cells.ids());
            }
            Layer::Contact => contact(world, source, &feet, &mut overlay),
            Layer::Ids => {}
        }
    }
    overlay
}

/// The plane that somebody stands on who is put there; nothing where nobody can stand.
fn contact(world: &World, source: &dyn Source, feet: &Position, overlay: &mut Overlay) {
    let record = Records::new(source).get::<threshold_dat::Setup>(HUMAN).ok().flatten();
    let Some(record) = record else { return };
    let mover = Mover::new(Shape::new(&record.spheres, record.step_up, record.step_down));
    let sweeper = Sweeper { world, rules: Rules::default() };
    let placed = sweeper.place(&mut Scratch::new(), &mut (), &mover, feet, Search::Around);
    if placed.is_ok() && placed.stance.contact {
        let offset = block_offset(placed.stance.plane_cell, placed.position.cell);
        let mut at = placed.position;
        (at.cell, at.frame.origin) = (placed.stance.plane_cell, at.frame.origin + offset);
        overlay.contact(&at, &placed.stance.plane);
    }
}

/// Writes words onto a picture, each where its place shows.
pub(super) fn write(
    picture: &mut Picture,
    viewer: &Viewer,
    labels: &[Label],
) -> anyhow::Result<()> {
    let Picture { width, height, .. } = *picture;
    let mut text = String::new();
    for label in labels {
        let offset = block_offset(viewer.cell(), label.at.cell).as_dvec3();
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
