//! Texts that do not lie on one another.

use threshold_land::glam::Vec2;

use super::flat;
use super::scene::{Anchor, Ink, Text};

/// How wide a letter of [`Face::Mono`](super::scene::Face) is, by its size.
const LETTER: f32 = 0.61;
/// How tall a capital is, by the size of the text.
const CAPITAL: f32 = 0.73;

/// A rectangle on paper: its middle and half its sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Patch {
    pub(crate) middle: Vec2,
    pub(crate) half: Vec2,
}

impl Patch {
    pub(crate) fn new(middle: Vec2, half: Vec2) -> Self {
        Self { middle, half }
    }

    /// Round a line, as far as `reach` from it.
    pub(crate) fn round(points: &[Vec2], reach: f32) -> Self {
        let low = points.iter().copied().fold(Vec2::INFINITY, Vec2::min);
        let high = points.iter().copied().fold(Vec2::NEG_INFINITY, Vec2::max);
        Self::new((low + high) / 2.0, (high - low) / 2.0 + Vec2::splat(reach))
    }

    fn overlaps(&self, other: &Self) -> bool {
        let apart = (self.middle - other.middle).abs();
        apart.cmplt(self.half + other.half).all()
    }

    fn corners(&self) -> [Vec2; 4] {
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(x, y)| self.middle + self.half * Vec2::new(x, y))
    }

    /// Whether all of it lies in a convex counter-clockwise outline, at least `margin` from its
    /// edge.
    fn within(&self, outline: &[Vec2], margin: f32) -> bool {
        self.corners().into_iter().all(|corner| flat::depth(outline, corner) >= margin)
    }
}

/// The room an id takes.
pub(crate) fn extent(text: &str, size: f32) -> Vec2 {
    Vec2::new(text.chars().count() as f32 * LETTER, CAPITAL) * size
}

/// What has been put on paper.
#[derive(Debug, Default)]
pub(crate) struct Labels {
    taken: Vec<Patch>,
    /// Where something is put only if there is no other place.
    avoided: Vec<Patch>,
    /// Nothing is put outside of this.
    frame: Option<Patch>,
}

/// An id to be placed.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub(crate) text: String,
    pub(crate) size: f32,
    pub(crate) ink: Ink,
}

impl Labels {
    /// Nothing else is put there.
    pub(crate) fn take(&mut self, patch: Patch) {
        self.taken.push(patch);
    }

    /// Nothing else is put there if it can be helped.
    pub(crate) fn avoid(&mut self, patch: Patch) {
        self.avoided.push(patch);
    }

    /// Nothing is avoided any more.
    pub(crate) fn forget_avoided(&mut self) {
        self.avoided.clear();
    }

    /// Keeps everything inside a frame.
    pub(crate) fn framed(frame: Patch) -> Self {
        Self { frame: Some(frame), ..Self::default() }
    }

    fn is_free(&self, patch: &Patch) -> bool {
        let reach = |frame: &Patch| (frame.middle - patch.middle).abs() + patch.half;
        self.frame.is_none_or(|frame| reach(&frame).cmple(frame.half).all())
            && !self.taken.iter().any(|taken| taken.overlaps(patch))
    }

    fn is_open(&self, patch: &Patch) -> bool {
        !self.avoided.iter().any(|avoided| avoided.overlaps(patch))
    }

    /// Puts an id into a convex outline on paper, lying or turned, where it is free; `None` where it does
    /// not fit. The outline runs counter-clockwise in paper's axes.
    pub(crate) fn inside(&mut self, label: &Label, outline: &[Vec2]) -> Option<Text> {
        self.put_inside(label, &candidates(outline, 8), outline, |labels, fitting| {
            let open = fitting.iter().find(|patch| labels.is_open(patch));
            open.or(fitting.first()).copied()
        })
    }

    /// The same, but only where nothing is avoided.
    pub(crate) fn inside_open(&mut self, label: &Label, outline: &[Vec2]) -> Option<Text> {
        // What lies over the outline may leave no more than its rim.
        self.put_inside(label, &candidates(outline, 24), outline, |labels, fitting| {
            fitting.iter().find(|patch| labels.is_open(patch)).copied()
        })
    }

    fn put_inside(
        &mut self,
        label: &Label,
        candidates: &[Vec2],
        outline: &[Vec2],
        choose: impl Fn(&Self, &[Patch]) -> Option<Patch>,
    ) -> Option<Text> {
        let lying = extent(&label.text, label.size) / 2.0;
        for half in [lying, Vec2::new(lying.y, lying.x)] {
            let fits =
                |patch: &Patch| patch.within(outline, label.size * 0.28) && self.is_free(patch);
            let all = candidates.iter().map(|middle| Patch::new(*middle, half));
            let fitting: Vec<Patch> = all.filter(fits).collect();
            if let Some(patch) = choose(self, &fitting) {
                self.take(patch);
                return Some(text_at(label, patch.middle, half != lying));
            }
        }
        None
    }

    /// Puts an id beside something, the first of the distances and ways that is free; `None` where
    /// all is taken.
    pub(crate) fn beside(
        &mut self,
        label: &Label,
        thing: &Patch,
        distances: &[f32],
    ) -> Option<(Text, Vec2)> {
        const WAYS: [(f32, f32); 8] = [
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
        let patch = |distance: f32, (x, y): (f32, f32)| {
            let apart = thing.half + half + Vec2::splat(distance);
            Patch::new(thing.middle + Vec2::new(x, y) * apart, half)
        };
        let all = || distances.iter().flat_map(|reach| WAYS.map(|way| patch(*reach, way)));
        let found = all().filter(|patch| self.is_open(patch)).find(|patch| self.is_free(patch));
        let found = found.or_else(|| all().find(|patch| self.is_free(patch)))?;
        self.take(found);
        Some((text_at(label, found.middle, false), found.middle))
    }
}

/// The middle of an outline first, then points all over it in so many steps a side, the nearest to the middle first.
fn candidates(outline: &[Vec2], steps: u8) -> Vec<Vec2> {
    let middle = flat::middle(outline);
    let low = outline.iter().copied().fold(Vec2::INFINITY, Vec2::min);
    let high = outline.iter().copied().fold(Vec2::NEG_INFINITY, Vec2::max);
    let part = |i: u8| f32::from(i) / f32::from(steps);
    let mut all: Vec<Vec2> = (1..steps)
        .flat_map(|x| (1..steps).map(move |y| Vec2::new(part(x), part(y))))
        .map(|at| low + (high - low) * at)
        .collect();
    all.sort_by(|a, b| a.distance_squared(middle).total_cmp(&b.distance_squared(middle)));
    all.insert(0, middle);
    all
}

fn text_at(label: &Label, middle: Vec2, upright: bool) -> Text {
    let down = label.size * CAPITAL / 2.0;
    let base = middle + if upright { Vec2::new(down, 0.0) } else { Vec2::new(0.0, down) };
    let text = Text::new(label.text.clone(), base, label.size, label.ink);
    Text { upright, ..text.mono().anchored(Anchor::Middle).haloed() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label() -> Label {
        Label { text: "0100".into(), size: 10.0, ink: Ink([0; 3]) }
    }

    fn rectangle(width: f32, height: f32) -> Vec<Vec2> {
        [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]
            .map(|(x, y)| Vec2::new(x, y))
            .to_vec()
    }

    #[test]
    fn an_id_lies_in_a_wide_room_stands_in_a_tall_one_and_leaves_a_small_one() {
        let lies = Labels::default().inside(&label(), &rectangle(40.0, 16.0)).unwrap();
        assert!(!lies.upright);
        assert!(Labels::default().inside(&label(), &rectangle(16.0, 40.0)).unwrap().upright);
        assert_eq!(Labels::default().inside(&label(), &rectangle(16.0, 16.0)), None);
    }

    #[test]
    fn a_second_id_does_not_lie_on_the_first() {
        let mut labels = Labels::default();
        let room = rectangle(60.0, 40.0);
        let (one, two) = (labels.inside(&label(), &room), labels.inside(&label(), &room));
        let apart = (one.unwrap().at - two.unwrap().at).abs();
        assert!(apart.x >= 24.0 || apart.y >= 7.0, "{apart}");
    }
}
