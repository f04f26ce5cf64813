//! Ids of rooms.

use super::Interior;
use super::level::Level;
use super::room::RoomPlan;
use crate::drawing::{Drawing, Ink, Paint};
use crate::labels::{LabelLayout, LabelText, PaperRect};
use crate::sheet::Chart;
use crate::style::{QUIET, TEXT};

/// Sizes that are tried in this order; the last one only if all ids are shown.
const SIZES: [f32; 4] = [10.0, 8.5, 7.0, 6.0];

/// Writes ids into rooms where they fit, and if all are shown, the others beside their rooms.
pub(super) fn draw(
    drawing: &mut Drawing,
    all: &Interior,
    level: &Level,
    chart: &Chart,
    labels: &mut LabelLayout,
) {
    let mut unplaced = Vec::new();
    let sizes = if all.ids { &SIZES[..] } else { &SIZES[..3] };
    drawing.group(None, Paint::default(), |drawing| {
        for plan in level.rooms.iter().map(|index| &all.plans[*index]) {
            if !draw_inside(drawing, plan, chart, labels, TEXT, sizes) {
                unplaced.push(plan);
            }
        }
        for plan in level.arriving.iter().map(|index| &all.plans[*index]) {
            draw_inside(drawing, plan, chart, labels, QUIET, &SIZES[..3]);
        }
        if all.ids {
            let shown = level.rooms.iter().chain(&level.arriving);
            for plan in shown.map(|index| &all.plans[*index]) {
                labels.avoid(PaperRect::around(&chart.outline(&plan.outline), 0.0));
            }
            unplaced.into_iter().for_each(|plan| draw_beside(drawing, plan, chart, labels));
        }
    });
}

fn label(plan: &RoomPlan, size: f32, ink: Ink) -> LabelText {
    LabelText { text: format!("{:04X}", plan.id.low()), size, ink }
}

/// Draws the id in the first of these sizes that fits; returns whether one did.
fn draw_inside(
    drawing: &mut Drawing,
    plan: &RoomPlan,
    chart: &Chart,
    labels: &mut LabelLayout,
    ink: Ink,
    sizes: &[f32],
) -> bool {
    let outline = chart.outline(&plan.outline);
    let text = sizes.iter().find_map(|size| labels.inside(&label(plan, *size, ink), &outline));
    let found = text.is_some();
    text.into_iter().for_each(|text| drawing.text(text));
    found
}

/// Draws the id beside the room, with a line that leads to it.
fn draw_beside(drawing: &mut Drawing, plan: &RoomPlan, chart: &Chart, labels: &mut LabelLayout) {
    let room = PaperRect::around(&chart.outline(&plan.outline), 0.0);
    let label = label(plan, 7.0, TEXT);
    if let Some((text, at)) = labels.beside(&label, &room, &[3.0, 9.0, 16.0, 26.0, 40.0]) {
        drawing.line(vec![room.centre, at], Paint::line(QUIET, 0.6));
        drawing.circle(room.centre, 1.2, Paint::fill(QUIET));
        drawing.text(text);
    }
}
