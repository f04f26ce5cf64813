//! The margins of a map: title, scale, north arrow, legend.

use threshold_land::vector::Vec2;

use crate::drawing::{Anchor, Drawing, Paint, TextItem};
use crate::flat::Segment;
use crate::legend::{self, LegendEntry, MARGIN, TEXT_SIZE};
use crate::style::{PAPER, TEXT};

/// Conversion from metres of a landblock's frame to paper.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chart {
    /// The south-west corner of the map, in metres.
    pub(super) origin: Vec2,
    /// The point of the paper where that lies.
    pub(super) corner: Vec2,
    /// Paper units per metre.
    pub(super) scale: f32,
}

impl Chart {
    pub(super) fn at(&self, point: Vec2) -> Vec2 {
        let offset = (point - self.origin) * self.scale;
        self.corner + Vec2::new(offset.x, -offset.y)
    }

    /// Converts an outline. It is reversed, because y points down on paper: it stays counter-clockwise.
    pub(super) fn outline(&self, outline: &[Vec2]) -> Vec<Vec2> {
        outline.iter().rev().map(|point| self.at(*point)).collect()
    }

    pub(super) fn segment(&self, segment: Segment) -> Segment {
        segment.map(|point| self.at(point))
    }

    pub(super) fn segments(&self, segments: &[Segment]) -> Vec<Segment> {
        segments.iter().map(|segment| self.segment(*segment)).collect()
    }
}

/// Width of arrow and scale, left of the legend.
const TOOLS_WIDTH: f32 = 236.0;

/// Returns the height of the space below a map of a given width.
pub(super) fn foot_height(width: f32, legend: &[LegendEntry]) -> f32 {
    legend::height(width - 2.0 * MARGIN - TOOLS_WIDTH, legend).max(3.0 * legend::ROW_HEIGHT)
        + FOOT_GAP
}

/// White space above the foot.
const FOOT_GAP: f32 = 16.0;

/// Draws title, arrow, scale and legend of a map with known size and title.
pub(super) fn draw_margins(
    drawing: &mut Drawing,
    subtitle: &str,
    scale: f32,
    entries: &[LegendEntry],
) {
    legend::draw_head(drawing, subtitle);
    let top = drawing.size.y - MARGIN - foot_height(drawing.size.x, entries) + FOOT_GAP;
    drawing.group(Some("foot".into()), Paint::default(), |drawing| {
        north_arrow(drawing, Vec2::new(MARGIN + 14.0, top + 30.0));
        scale_bar(drawing, Vec2::new(MARGIN + 44.0, top + 34.0), scale);
        legend::draw(drawing, Vec2::new(MARGIN + TOOLS_WIDTH, top), entries);
    });
}

fn north_arrow(drawing: &mut Drawing, at: Vec2) {
    let point = |x: f32, y: f32| at + Vec2::new(x, y);
    let west = vec![point(0.0, -16.0), point(-8.0, 16.0), point(0.0, 9.0)];
    let east = vec![point(0.0, -16.0), point(8.0, 16.0), point(0.0, 9.0)];
    drawing.area(west, Paint::both(TEXT, TEXT, 0.8));
    drawing.area(east, Paint::both(PAPER, TEXT, 0.8));
    drawing.text(TextItem::new("N", point(0.0, -20.0), TEXT_SIZE, TEXT).anchored(Anchor::Middle));
}

/// Returns the length of the scale bar in metres: the greatest round number that fits.
fn bar_length(scale: f32) -> f32 {
    const MAX_LENGTH: f32 = 150.0;
    let lengths =
        [1.0_f32, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0];
    lengths.into_iter().rev().find(|length| length * scale <= MAX_LENGTH).unwrap_or(0.5)
}

fn scale_bar(drawing: &mut Drawing, at: Vec2, scale: f32) {
    let length = bar_length(scale);
    let step = length * scale / 4.0;
    for part in 0..4_u8 {
        let left = at + Vec2::new(step * f32::from(part), 0.0);
        let fill = if part % 2 == 0 { TEXT } else { PAPER };
        let down = Vec2::new(0.0, 5.0);
        let across = Vec2::new(step, 0.0);
        let outline = vec![left, left + across, left + across + down, left + down];
        drawing.area(outline, Paint::both(fill, TEXT, 0.8));
    }
    for (part, text) in [(0.0, "0".to_owned()), (4.0, format!("{length} m"))] {
        let place = at + Vec2::new(step * part, -5.0);
        drawing.text(TextItem::new(text, place, 10.0, TEXT).anchored(Anchor::Middle));
    }
}

/// Draws the dot of the marked place.
pub(super) fn mark(drawing: &mut Drawing, at: Vec2) {
    drawing.circle(at, 5.2, Paint::both(crate::style::MARK, PAPER, 1.6));
}

pub(super) fn mark_entry() -> LegendEntry {
    LegendEntry::new("the place asked for", mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_bar_has_a_round_length_and_fits() {
        for (scale, length) in [(30.0, 5.0), (8.0, 10.0), (4.5, 20.0), (1.0, 100.0), (400.0, 0.5)] {
            assert_eq!(bar_length(scale), length, "{scale}");
        }
    }

    #[test]
    fn north_is_up() {
        let chart = Chart { origin: Vec2::ZERO, corner: Vec2::new(10.0, 100.0), scale: 2.0 };
        assert_eq!(chart.at(Vec2::new(5.0, 20.0)), Vec2::new(20.0, 60.0));
    }
}
