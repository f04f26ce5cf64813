//! What every map has round it: a title, a scale, an arrow to the north, a legend.

use threshold_land::glam::Vec2;

use super::style::{PAPER, TEXT};
use crate::drawing::flat::Segment;
use crate::drawing::legend::{self, Entry, MARGIN, TEXT_SIZE};
use crate::drawing::scene::{Anchor, Paint, Scene, Text};

/// Where metres of a landblock's frame lie on paper.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chart {
    /// The south-west corner of what is shown, in metres.
    pub(super) origin: Vec2,
    /// Where that is on paper.
    pub(super) corner: Vec2,
    /// Paper units a metre.
    pub(super) scale: f32,
}

impl Chart {
    pub(super) fn at(&self, point: Vec2) -> Vec2 {
        let from = (point - self.origin) * self.scale;
        self.corner + Vec2::new(from.x, -from.y)
    }

    /// An outline that runs counter-clockwise in the world does so on paper, whose y points down.
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

/// What the arrow and the scale take, in front of the legend.
const TOOLS: f32 = 236.0;

/// How tall the foot of a sheet of this width is.
pub(super) fn foot_height(width: f32, legend: &[Entry]) -> f32 {
    legend::height(width - 2.0 * MARGIN - TOOLS, legend).max(3.0 * legend::ROW) + FOOT
}

/// White above the foot.
const FOOT: f32 = 16.0;

/// Title, arrow, scale and legend of a sheet whose size and title are known.
pub(super) fn furnish(scene: &mut Scene, subtitle: &str, scale: f32, entries: &[Entry]) {
    legend::head(scene, subtitle);
    let top = scene.size.y - MARGIN - foot_height(scene.size.x, entries) + FOOT;
    scene.group(Some("foot".into()), Paint::default(), |scene| {
        north_arrow(scene, Vec2::new(MARGIN + 14.0, top + 30.0));
        scale_bar(scene, Vec2::new(MARGIN + 44.0, top + 34.0), scale);
        legend::draw(scene, Vec2::new(MARGIN + TOOLS, top), entries);
    });
}

fn north_arrow(scene: &mut Scene, at: Vec2) {
    let point = |x: f32, y: f32| at + Vec2::new(x, y);
    let west = vec![point(0.0, -16.0), point(-8.0, 16.0), point(0.0, 9.0)];
    let east = vec![point(0.0, -16.0), point(8.0, 16.0), point(0.0, 9.0)];
    scene.area(west, Paint::both(TEXT, TEXT, 0.8));
    scene.area(east, Paint::both(PAPER, TEXT, 0.8));
    scene.text(Text::new("N", point(0.0, -20.0), TEXT_SIZE, TEXT).anchored(Anchor::Middle));
}

/// Metres of a scale bar: the longest round number that fits.
fn bar_length(scale: f32) -> f32 {
    const LONGEST: f32 = 150.0;
    let lengths =
        [1.0_f32, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0];
    lengths.into_iter().rev().find(|length| length * scale <= LONGEST).unwrap_or(0.5)
}

fn scale_bar(scene: &mut Scene, at: Vec2, scale: f32) {
    let length = bar_length(scale);
    let step = length * scale / 4.0;
    for part in 0..4_u8 {
        let left = at + Vec2::new(step * f32::from(part), 0.0);
        let fill = if part % 2 == 0 { TEXT } else { PAPER };
        let down = Vec2::new(0.0, 5.0);
        let across = Vec2::new(step, 0.0);
        let outline = vec![left, left + across, left + across + down, left + down];
        scene.area(outline, Paint::both(fill, TEXT, 0.8));
    }
    for (part, text) in [(0.0, "0".to_owned()), (4.0, format!("{length} m"))] {
        let place = at + Vec2::new(step * part, -5.0);
        scene.text(Text::new(text, place, 10.0, TEXT).anchored(Anchor::Middle));
    }
}

/// The dot of the place that was asked for.
pub(super) fn mark(scene: &mut Scene, at: Vec2) {
    scene.circle(at, 5.2, Paint::both(super::style::MARK, PAPER, 1.6));
}

pub(super) fn mark_entry() -> Entry {
    Entry::new("the place asked for", mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_long_as_it_says_and_fits() {
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
