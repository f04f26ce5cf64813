//! Placement of texts without overlaps.

use threshold_land::vector::Vec2;

use crate::drawing::{Anchor, Ink, TextItem};
use crate::flat;

/// Width of a letter of [`Typeface::Mono`](crate::drawing::Typeface), relative to its size.
const LETTER_WIDTH: f32 = 0.61;
/// Height of a capital letter, relative to its size.
const CAPITAL_HEIGHT: f32 = 0.73;

/// A rectangle on paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PaperRect {
    /// Centre.
    pub centre: Vec2,
    /// Half of width and height.
    pub half: Vec2,
}

impl PaperRect {
    /// Makes a rectangle from its centre and half of its width and height.
    pub fn new(centre: Vec2, half: Vec2) -> Self {
        Self { centre, half }
    }

    /// Returns the bounding rectangle of points, grown by `margin`.
    pub fn around(points: &[Vec2], margin: f32) -> Self {
        let low = points.iter().copied().fold(Vec2::INFINITY, Vec2::min);
        let high = points.iter().copied().fold(Vec2::NEG_INFINITY, Vec2::max);
        Self::new((low + high) / 2.0, (high - low) / 2.0 + Vec2::splat(margin))
    }

    fn overlaps(&self, other: &Self) -> bool {
        let offset = (self.centre - other.centre).abs();
        offset.cmplt(self.half + other.half).all()
    }

    fn corners(&self) -> [Vec2; 4] {
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(x, y)| self.centre + self.half * Vec2::new(x, y))
    }

    /// Returns whether all of it lies in a convex counter-clockwise outline, `margin` or more from its edge.
    fn is_within(&self, outline: &[Vec2], margin: f32) -> bool {
        self.corners().into_iter().all(|corner| flat::depth(outline, corner) >= margin)
    }
}

/// Returns width and height of a text in letters of equal width.
pub fn extent(text: &str, size: f32) -> Vec2 {
    Vec2::new(text.chars().count() as f32 * LETTER_WIDTH, CAPITAL_HEIGHT) * size
}

/// The space that is taken on paper.
#[derive(Clone, Debug, Default)]
pub struct LabelLayout {
    taken: Vec<PaperRect>,
    /// Space that is used only if no other is free.
    avoided: Vec<PaperRect>,
    /// Nothing is placed outside of it.
    frame: Option<PaperRect>,
}

/// A text to be placed.
#[derive(Clone, Debug)]
pub struct LabelText {
    /// The text.
    pub text: String,
    /// Height of the letters in paper units.
    pub size: f32,
    /// Colour.
    pub ink: Ink,
}

impl LabelLayout {
    /// Marks space as taken.
    pub fn take(&mut self, rect: PaperRect) {
        self.taken.push(rect);
    }

    /// Marks space as used only if no other is free.
    pub fn avoid(&mut self, rect: PaperRect) {
        self.avoided.push(rect);
    }

    /// Clears all marks of [`avoid`](Self::avoid).
    pub fn forget_avoided(&mut self) {
        self.avoided.clear();
    }

    /// Starts with nothing taken inside a frame, and everything outside.
    pub fn framed(frame: PaperRect) -> Self {
        Self { frame: Some(frame), ..Self::default() }
    }

    fn is_free(&self, rect: &PaperRect) -> bool {
        let extent = |frame: &PaperRect| (frame.centre - rect.centre).abs() + rect.half;
        self.frame.is_none_or(|frame| extent(&frame).cmple(frame.half).all())
            && !self.taken.iter().any(|taken| taken.overlaps(rect))
    }

    fn is_unavoided(&self, rect: &PaperRect) -> bool {
        !self.avoided.iter().any(|avoided| avoided.overlaps(rect))
    }

    /// Places a text in free space inside a convex outline, level or upright; `None` if it does not fit.
    ///
    /// The outline is counter-clockwise in the axes of the paper.
    pub fn inside(&mut self, label: &LabelText, outline: &[Vec2]) -> Option<TextItem> {
        self.put_inside(label, &candidates(outline, 8), outline, |labels, fitting| {
            let unavoided = fitting.iter().find(|rect| labels.is_unavoided(rect));
            unavoided.or(fitting.first()).copied()
        })
    }

    /// Like [`inside`](Self::inside), without the space that is avoided.
    pub fn inside_unavoided(&mut self, label: &LabelText, outline: &[Vec2]) -> Option<TextItem> {
        // Other outlines may cover all but the rim of this one, so the grid is finer.
        self.put_inside(label, &candidates(outline, 24), outline, |labels, fitting| {
            fitting.iter().find(|rect| labels.is_unavoided(rect)).copied()
        })
    }

    fn put_inside(
        &mut self,
        label: &LabelText,
        candidates: &[Vec2],
        outline: &[Vec2],
        choose: impl Fn(&Self, &[PaperRect]) -> Option<PaperRect>,
    ) -> Option<TextItem> {
        let level = extent(&label.text, label.size) / 2.0;
        for half in [level, Vec2::new(level.y, level.x)] {
            let fits =
                |rect: &PaperRect| rect.is_within(outline, label.size * 0.28) && self.is_free(rect);
            let all = candidates.iter().map(|centre| PaperRect::new(*centre, half));
            let fitting: Vec<PaperRect> = all.filter(fits).collect();
            if let Some(rect) = choose(self, &fitting) {
                self.take(rect);
                return Some(text_at(label, rect.centre, half != level));
            }
        }
        None
    }

    /// Places a text beside a rectangle, at the first free distance and direction; `None` if all are taken.
    ///
    /// Also returns the centre of the text.
    pub fn beside(
        &mut self,
        label: &LabelText,
        subject: &PaperRect,
        distances: &[f32],
    ) -> Option<(TextItem, Vec2)> {
        const DIRECTIONS: [(f32, f32); 8] = [
            (1.0, 0.0),
            (-1.0, 0.0),
            (0.0, -1.0),
            (0.0, 1.0),
            (1.0, -1.0),
            (1.0, 1.0),
            (-1.0, -1.0),
            (-1.0, 1.0),
        ];
        let half = extent(&label.text, label.size) / 2.0 + Vec2::splat(label.size * 0.1);
        let rect = |distance: f32, (x, y): (f32, f32)| {
            let offset = subject.half + half + Vec2::splat(distance);
            PaperRect::new(subject.centre + Vec2::new(x, y) * offset, half)
        };
        let all = || {
            distances
                .iter()
                .flat_map(|distance| DIRECTIONS.map(|direction| rect(*distance, direction)))
        };
        let found = all().filter(|rect| self.is_unavoided(rect)).find(|rect| self.is_free(rect));
        let found = found.or_else(|| all().find(|rect| self.is_free(rect)))?;
        self.take(found);
        Some((text_at(label, found.centre, false), found.centre))
    }
}

/// Returns the centre of an outline, then the points of a grid with `steps` steps a side, nearest to the centre first.
fn candidates(outline: &[Vec2], steps: u8) -> Vec<Vec2> {
    let centre = flat::centroid(outline);
    let low = outline.iter().copied().fold(Vec2::INFINITY, Vec2::min);
    let high = outline.iter().copied().fold(Vec2::NEG_INFINITY, Vec2::max);
    let part = |i: u8| f32::from(i) / f32::from(steps);
    let mut all: Vec<Vec2> = (1..steps)
        .flat_map(|x| (1..steps).map(move |y| Vec2::new(part(x), part(y))))
        .map(|at| low + (high - low) * at)
        .collect();
    all.sort_by(|a, b| a.distance_squared(centre).total_cmp(&b.distance_squared(centre)));
    all.insert(0, centre);
    all
}

fn text_at(label: &LabelText, centre: Vec2, upright: bool) -> TextItem {
    let down = label.size * CAPITAL_HEIGHT / 2.0;
    let base = centre + if upright { Vec2::new(down, 0.0) } else { Vec2::new(0.0, down) };
    let text = TextItem::new(label.text.clone(), base, label.size, label.ink);
    TextItem { upright, ..text.mono().anchored(Anchor::Middle).haloed() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label() -> LabelText {
        LabelText { text: "0100".into(), size: 10.0, ink: Ink([0; 3]) }
    }

    fn rectangle(width: f32, height: f32) -> Vec<Vec2> {
        [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]
            .map(|(x, y)| Vec2::new(x, y))
            .to_vec()
    }

    #[test]
    fn a_text_is_level_in_a_wide_room_and_upright_in_a_tall_one() {
        let wide = LabelLayout::default().inside(&label(), &rectangle(40.0, 16.0)).unwrap();
        assert!(!wide.upright);
        assert!(LabelLayout::default().inside(&label(), &rectangle(16.0, 40.0)).unwrap().upright);
        assert_eq!(LabelLayout::default().inside(&label(), &rectangle(16.0, 16.0)), None);
    }

    #[test]
    fn two_texts_do_not_overlap() {
        let mut labels = LabelLayout::default();
        let room = rectangle(60.0, 40.0);
        let (one, two) = (labels.inside(&label(), &room), labels.inside(&label(), &room));
        let offset = (one.unwrap().at - two.unwrap().at).abs();
        assert!(offset.x >= 24.0 || offset.y >= 7.0, "{offset}");
    }
}
