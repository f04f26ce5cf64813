//! The ids of rooms.

use super::Interior;
use super::level::Level;
use super::room::Plan;
use crate::cmd::map::sheet::Chart;
use crate::cmd::map::style::{QUIET, TEXT};
use crate::drawing::label::{Label, Labels, Patch};
use crate::drawing::scene::{Ink, Paint, Scene};

/// Sizes that are tried, the most readable first; the last only when all ids are asked for.
const SIZES: [f32; 4] = [10.0, 8.5, 7.0, 6.0];

/// Writes ids into rooms where they fit; with `--ids` the others beside their rooms.
pub(super) fn draw(
    scene: &mut Scene,
    all: &Interior,
    level: &Level,
    chart: &Chart,
    labels: &mut Labels,
) {
    let mut homeless = Vec::new();
    let sizes = if all.ids { &SIZES[..] } else { &SIZES[..3] };
    scene.group(None, Paint::default(), |scene| {
        for plan in level.rooms.iter().map(|index| &all.plans[*index]) {
            if !put_inside(scene, plan, chart, labels, (TEXT, sizes)) {
                homeless.push(plan);
            }
        }
        for plan in level.arriving.iter().map(|index| &all.plans[*index]) {
            put_inside(scene, plan, chart, labels, (QUIET, &SIZES[..3]));
        }
        if all.ids {
            let shown = level.rooms.iter().chain(&level.arriving);
            for plan in shown.map(|index| &all.plans[*index]) {
                labels.avoid(Patch::round(&chart.outline(&plan.outline), 0.0));
            }
            homeless.into_iter().for_each(|plan| put_beside(scene, plan, chart, labels));
        }
    });
}

fn label(plan: &Plan, size: f32, ink: Ink) -> Label {
    Label { text: format!("{:04X}", plan.id.low()), size, ink }
}

/// Whether the id found a place; in this colour, in the first of these sizes that fits.
fn put_inside(
    scene: &mut Scene,
    plan: &Plan,
    chart: &Chart,
    labels: &mut Labels,
    (ink, sizes): (Ink, &[f32]),
) -> bool {
    let outline = chart.outline(&plan.outline);
    let text = sizes.iter().find_map(|size| labels.inside(&label(plan, *size, ink), &outline));
    let found = text.is_some();
    text.into_iter().for_each(|text| scene.text(text));
    found
}

/// Beside the room, with a line that says which.
fn put_beside(scene: &mut Scene, plan: &Plan, chart: &Chart, labels: &mut Labels) {
    let room = Patch::round(&chart.outline(&plan.outline), 0.0);
    let label = label(plan, 7.0, TEXT);
    if let Some((text, at)) = labels.beside(&label, &room, &[3.0, 9.0, 16.0, 26.0, 40.0]) {
        scene.line(vec![room.middle, at], Paint::line(QUIET, 0.6));
        scene.circle(room.middle, 1.2, Paint::fill(QUIET));
        scene.text(text);
    }
}
