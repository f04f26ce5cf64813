//! What every map has round it: a title, a scale, an arrow to the north, a legend.

use threshold_land::glam::Vec2;

use super::flat::Segment;
use super::scene::{Anchor, Paint, Scene, Text};
use super::style::{PAPER, QUIET, TEXT};

/// White round the sheet.
pub(super) const MARGIN: f32 = 28.0;
/// Below the title.
pub(super) const HEAD: f32 = 58.0;
/// The narrowest sheet that has room for its title.
pub(super) const NARROWEST: f32 = 620.0;

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

/// A line of the legend: what it says, and how it looks.
pub(super) struct Entry {
    text: String,
    sample: Box<Sample>,
}

/// Draws a sample round a point.
type Sample = dyn Fn(&mut Scene, Vec2);

/// Half the size of a sample.
const SAMPLE: Vec2 = Vec2::new(11.0, 6.0);

impl Entry {
    pub(super) fn new(
        text: impl Into<String>,
        sample: impl Fn(&mut Scene, Vec2) + 'static,
    ) -> Self {
        Self { text: text.into(), sample: Box::new(sample) }
    }

    pub(super) fn area(text: impl Into<String>, paint: Paint) -> Self {
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        Self::new(text, move |scene, at| {
            let outline = corners.map(|(x, y)| at + SAMPLE * Vec2::new(x, y));
            scene.area(outline.to_vec(), paint.clone());
        })
    }

    pub(super) fn line(text: impl Into<String>, paint: Paint) -> Self {
        Self::new(text, move |scene, at| {
            let reach = Vec2::new(SAMPLE.x, 0.0);
            scene.line(vec![at - reach, at + reach], paint.clone());
        })
    }

    fn width(&self) -> f32 {
        // Words of a common sans-serif, taken wide: another font may be used to show them.
        2.0 * SAMPLE.x + 7.0 + self.text.chars().count() as f32 * TEXT_SIZE * 0.56 + 18.0
    }
}

const TEXT_SIZE: f32 = 11.0;
const ROW: f32 = 22.0;
/// What the arrow and the scale take, in front of the legend.
const TOOLS: f32 = 236.0;

/// How tall the foot of a sheet of this width is.
pub(super) fn foot_height(width: f32, legend: &[Entry]) -> f32 {
    let rows = rows(width, legend).len();
    (rows as f32 * ROW).max(3.0 * ROW) + 16.0
}

/// The legend in rows that fit beside the arrow and the scale.
fn rows(width: f32, legend: &[Entry]) -> Vec<Vec<&Entry>> {
    let space = width - 2.0 * MARGIN - TOOLS;
    let column = legend.iter().map(Entry::width).fold(0.0, f32::max);
    let mut rows: Vec<Vec<&Entry>> = Vec::new();
    for entry in legend {
        match rows.last_mut() {
            Some(row) if (row.len() + 1) as f32 * column <= space => row.push(entry),
            _ => rows.push(vec![entry]),
        }
    }
    rows
}

/// Title, arrow, scale and legend of a sheet whose size and title are known.
pub(super) fn furnish(scene: &mut Scene, subtitle: &str, scale: f32, legend: &[Entry]) {
    let title = scene.title.clone();
    scene.text(Text::new(title, Vec2::new(MARGIN, 36.0), 20.0, TEXT));
    scene.text(Text::new(subtitle, Vec2::new(MARGIN, 52.0), TEXT_SIZE, QUIET));
    let top = scene.size.y - MARGIN - foot_height(scene.size.x, legend) + 16.0;
    scene.group(Some("foot".into()), Paint::default(), |scene| {
        north_arrow(scene, Vec2::new(MARGIN + 14.0, top + 30.0));
        scale_bar(scene, Vec2::new(MARGIN + 44.0, top + 34.0), scale);
        let width = scene.size.x;
        let column = legend.iter().map(Entry::width).fold(0.0, f32::max);
        for (row, entries) in rows(width, legend).iter().enumerate() {
            for (place, entry) in entries.iter().enumerate() {
                let x = MARGIN + TOOLS + place as f32 * column + SAMPLE.x;
                let at = Vec2::new(x, top + row as f32 * ROW + ROW / 2.0);
                (entry.sample)(scene, at);
                let text = at + Vec2::new(SAMPLE.x + 7.0, 4.0);
                scene.text(Text::new(entry.text.clone(), text, TEXT_SIZE, TEXT));
            }
        }
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
