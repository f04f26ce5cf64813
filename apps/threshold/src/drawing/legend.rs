//! What every sheet has above and below the picture: a title, and a legend.

use threshold_land::glam::Vec2;

use super::scene::{Paint, Scene, Text};
use super::style::{QUIET, TEXT};

/// White round the sheet.
pub(crate) const MARGIN: f32 = 28.0;
/// Below the title.
pub(crate) const HEAD: f32 = 58.0;
/// The narrowest sheet that has room for its title.
pub(crate) const NARROWEST: f32 = 620.0;
/// The letters of a legend.
pub(crate) const TEXT_SIZE: f32 = 11.0;
/// From one line of a legend to the next.
pub(crate) const ROW: f32 = 22.0;

/// A line of the legend: what it says, and how it looks.
pub(crate) struct Entry {
    text: String,
    sample: Box<Sample>,
}

/// Draws a sample round a point.
type Sample = dyn Fn(&mut Scene, Vec2);

/// Half the size of a sample.
const SAMPLE: Vec2 = Vec2::new(11.0, 6.0);

impl Entry {
    pub(crate) fn new(
        text: impl Into<String>,
        sample: impl Fn(&mut Scene, Vec2) + 'static,
    ) -> Self {
        Self { text: text.into(), sample: Box::new(sample) }
    }

    pub(crate) fn area(text: impl Into<String>, paint: Paint) -> Self {
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        Self::new(text, move |scene, at| {
            let outline = corners.map(|(x, y)| at + SAMPLE * Vec2::new(x, y));
            scene.area(outline.to_vec(), paint.clone());
        })
    }

    pub(crate) fn line(text: impl Into<String>, paint: Paint) -> Self {
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

/// The title of a sheet, and a line below it.
pub(crate) fn head(scene: &mut Scene, subtitle: &str) {
    let title = scene.title.clone();
    scene.text(Text::new(title, Vec2::new(MARGIN, 36.0), 20.0, TEXT));
    scene.text(Text::new(subtitle, Vec2::new(MARGIN, 52.0), TEXT_SIZE, QUIET));
}

/// How tall a legend is that may be so wide.
pub(crate) fn height(width: f32, legend: &[Entry]) -> f32 {
    rows(width, legend).len() as f32 * ROW
}

/// The legend in rows that fit.
fn rows(width: f32, legend: &[Entry]) -> Vec<Vec<&Entry>> {
    let column = column(legend);
    let mut rows: Vec<Vec<&Entry>> = Vec::new();
    for entry in legend {
        match rows.last_mut() {
            Some(row) if (row.len() + 1) as f32 * column <= width => row.push(entry),
            _ => rows.push(vec![entry]),
        }
    }
    rows
}

fn column(legend: &[Entry]) -> f32 {
    legend.iter().map(Entry::width).fold(0.0, f32::max)
}

/// The legend, its left upper corner at a point, as wide as the sheet has room.
pub(crate) fn draw(scene: &mut Scene, corner: Vec2, legend: &[Entry]) {
    let (width, column) = (scene.size.x - MARGIN - corner.x, column(legend));
    for (row, entries) in rows(width, legend).iter().enumerate() {
        for (place, entry) in entries.iter().enumerate() {
            let aside = Vec2::new(place as f32 * column + SAMPLE.x, row as f32 * ROW + ROW / 2.0);
            let at = corner + aside;
            (entry.sample)(scene, at);
            let text = at + Vec2::new(SAMPLE.x + 7.0, 4.0);
            scene.text(Text::new(entry.text.clone(), text, TEXT_SIZE, TEXT));
        }
    }
}
