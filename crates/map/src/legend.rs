//! Title and legend of a drawing.

use std::fmt;

use threshold_land::vector::Vec2;

use crate::drawing::{Drawing, Paint, TextItem};
use crate::palette::{QUIET, TEXT};

/// Width of the white margin.
pub const MARGIN: f32 = 28.0;
/// Height of title and subtitle, with the margin above.
pub const HEAD_HEIGHT: f32 = 58.0;
/// Least width of a drawing, which leaves space for its title.
pub const MIN_WIDTH: f32 = 620.0;
/// Size of the letters of a legend.
pub(crate) const TEXT_SIZE: f32 = 11.0;
/// Height of a row of a legend.
pub(crate) const ROW_HEIGHT: f32 = 22.0;

/// An entry of a legend: a text and a sample.
pub struct LegendEntry {
    text: String,
    sample: Box<Sample>,
}

/// Draws a sample around a point.
type Sample = dyn Fn(&mut Drawing, Vec2);

/// Half of width and height of a sample.
const HALF_SAMPLE: Vec2 = Vec2::new(11.0, 6.0);

impl LegendEntry {
    /// Makes an entry with a sample that is drawn around a point.
    pub fn new(text: impl Into<String>, sample: impl Fn(&mut Drawing, Vec2) + 'static) -> Self {
        Self { text: text.into(), sample: Box::new(sample) }
    }

    /// Makes an entry with a rectangle.
    pub fn area(text: impl Into<String>, paint: Paint) -> Self {
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        Self::new(text, move |drawing, at| {
            let outline = corners.map(|(x, y)| at + HALF_SAMPLE * Vec2::new(x, y));
            drawing.area(outline.to_vec(), paint.clone());
        })
    }

    /// Makes an entry with a line.
    pub fn line(text: impl Into<String>, paint: Paint) -> Self {
        Self::new(text, move |drawing, at| {
            let reach = Vec2::new(HALF_SAMPLE.x, 0.0);
            drawing.line(vec![at - reach, at + reach], paint.clone());
        })
    }

    fn width(&self) -> f32 {
        // Letters of a common sans-serif font, with a reserve: the viewer may use another one.
        2.0 * HALF_SAMPLE.x + 7.0 + self.text.chars().count() as f32 * TEXT_SIZE * 0.56 + 18.0
    }
}

/// Draws the title, and a line below it.
pub fn draw_head(drawing: &mut Drawing, subtitle: &str) {
    let title = drawing.title.clone();
    drawing.text(TextItem::new(title, Vec2::new(MARGIN, 36.0), 20.0, TEXT));
    drawing.text(TextItem::new(subtitle, Vec2::new(MARGIN, 52.0), TEXT_SIZE, QUIET));
}

impl fmt::Debug for LegendEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LegendEntry").field("text", &self.text).finish_non_exhaustive()
    }
}

/// Returns the height of a legend of a given width.
pub fn height(width: f32, legend: &[LegendEntry]) -> f32 {
    rows(width, legend).len() as f32 * ROW_HEIGHT
}

/// Distributes the entries over rows.
fn rows(width: f32, legend: &[LegendEntry]) -> Vec<Vec<&LegendEntry>> {
    let column = column(legend);
    let mut rows: Vec<Vec<&LegendEntry>> = Vec::new();
    for entry in legend {
        match rows.last_mut() {
            Some(row) if (row.len() + 1) as f32 * column <= width => row.push(entry),
            _ => rows.push(vec![entry]),
        }
    }
    rows
}

fn column(legend: &[LegendEntry]) -> f32 {
    legend.iter().map(LegendEntry::width).fold(0.0, f32::max)
}

/// Draws a legend with its upper left corner at a point, as wide as the drawing allows.
pub fn draw(drawing: &mut Drawing, corner: Vec2, legend: &[LegendEntry]) {
    let (width, column) = (drawing.size.x - MARGIN - corner.x, column(legend));
    for (row, entries) in rows(width, legend).iter().enumerate() {
        for (place, entry) in entries.iter().enumerate() {
            let offset = Vec2::new(
                place as f32 * column + HALF_SAMPLE.x,
                row as f32 * ROW_HEIGHT + ROW_HEIGHT / 2.0,
            );
            let at = corner + offset;
            (entry.sample)(drawing, at);
            let text = at + Vec2::new(HALF_SAMPLE.x + 7.0, 4.0);
            drawing.text(TextItem::new(entry.text.clone(), text, TEXT_SIZE, TEXT));
        }
    }
}
