//! What a picture is made of: shapes and texts on paper, before any file format.

use threshold_land::glam::Vec2;

use super::flat::Segment;

/// A colour on paper: red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ink(pub(crate) [u8; 3]);

impl Ink {
    /// `0x00RRGGBB`; what is above is not looked at.
    pub(crate) const fn hex(rgb: u32) -> Self {
        let [_, r, g, b] = rgb.to_be_bytes();
        Self([r, g, b])
    }

    /// A part of the way to another colour, 0 to 1.
    pub(crate) fn towards(self, other: Self, part: f32) -> Self {
        let mix = |i: usize| {
            let (a, b) = (f32::from(self.0[i]), f32::from(other.0[i]));
            channel(a + (b - a) * part)
        };
        Self([mix(0), mix(1), mix(2)])
    }

    /// The mean of some colours; white of none.
    pub(crate) fn mean(inks: &[Self]) -> Self {
        if inks.is_empty() {
            return Self([255; 3]);
        }
        let count = inks.len() as f32;
        let mean = |i: usize| inks.iter().map(|ink| f32::from(ink.0[i])).sum::<f32>() / count;
        Self([0, 1, 2].map(|i| channel(mean(i))))
    }

    /// Darker below 1, lighter above.
    pub(crate) fn lit(self, light: f32) -> Self {
        Self(self.0.map(|value| channel(f32::from(value) * light)))
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
fn channel(value: f32) -> u8 {
    value.round().clamp(0.0, 255.0) as u8
}

/// How something is painted. What is `None` is taken from the group round it, `Some(None)` is
/// nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Paint {
    pub(crate) fill: Option<Option<Ink>>,
    pub(crate) stroke: Option<Ink>,
    /// In paper units.
    pub(crate) width: Option<f32>,
    /// Lengths of dashes and gaps, as SVG writes them.
    pub(crate) dash: Option<&'static str>,
    pub(crate) opacity: Option<f32>,
}

impl Paint {
    /// Filled, without a line.
    pub(crate) fn fill(ink: Ink) -> Self {
        Self { fill: Some(Some(ink)), ..Self::default() }
    }

    /// A line, not filled.
    pub(crate) fn line(ink: Ink, width: f32) -> Self {
        Self { fill: Some(None), stroke: Some(ink), width: Some(width), ..Self::default() }
    }

    /// Filled, with a line round it.
    pub(crate) fn both(fill: Ink, stroke: Ink, width: f32) -> Self {
        Self { fill: Some(Some(fill)), ..Self::line(stroke, width) }
    }

    pub(crate) fn dashed(self, dash: &'static str) -> Self {
        Self { dash: Some(dash), ..self }
    }

    pub(crate) fn faint(self, opacity: f32) -> Self {
        Self { opacity: Some(opacity), ..self }
    }
}

/// Something on paper; x grows to the right and y down.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Item {
    /// What follows up to [`Item::Close`] belongs together.
    Open {
        id: Option<String>,
        /// Further attributes, for whoever reads the picture with a program.
        data: Vec<(&'static str, String)>,
        paint: Paint,
    },
    Close,
    Shape(Shape),
    Text(Text),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shape {
    pub(crate) outline: Outline,
    pub(crate) paint: Paint,
    pub(crate) id: Option<String>,
    /// Shown by a browser when the pointer rests on it.
    pub(crate) title: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outline {
    /// Closed outlines.
    Areas(Vec<Vec<Vec2>>),
    /// Open lines, drawn as one.
    Lines(Vec<Vec<Vec2>>),
    Circle(Vec2, f32),
}

/// Where a text begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// Which letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Face {
    /// For words.
    Sans,
    /// For ids and numbers: all letters are equally wide.
    Mono,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Text {
    pub(crate) text: String,
    /// On its base line.
    pub(crate) at: Vec2,
    pub(crate) size: f32,
    pub(crate) ink: Ink,
    pub(crate) anchor: Anchor,
    pub(crate) face: Face,
    /// Turned by a quarter, to be read from the right.
    pub(crate) upright: bool,
    /// A rim in the colour of paper, for a text over lines.
    pub(crate) halo: bool,
}

impl Text {
    pub(crate) fn new(text: impl Into<String>, at: Vec2, size: f32, ink: Ink) -> Self {
        Self {
            text: text.into(),
            at,
            size,
            ink,
            anchor: Anchor::Start,
            face: Face::Sans,
            upright: false,
            halo: false,
        }
    }

    pub(crate) fn anchored(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }

    pub(crate) fn mono(self) -> Self {
        Self { face: Face::Mono, ..self }
    }

    pub(crate) fn haloed(self) -> Self {
        Self { halo: true, ..self }
    }
}

/// Everything on one sheet of paper.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scene {
    pub(crate) size: Vec2,
    pub(crate) title: String,
    pub(crate) items: Vec<Item>,
}

impl Scene {
    /// Draws together what `draw` adds.
    pub(crate) fn group(&mut self, id: Option<String>, paint: Paint, draw: impl FnOnce(&mut Self)) {
        self.group_with(id, Vec::new(), paint, draw);
    }

    pub(crate) fn group_with(
        &mut self,
        id: Option<String>,
        data: Vec<(&'static str, String)>,
        paint: Paint,
        draw: impl FnOnce(&mut Self),
    ) {
        let before = self.items.len();
        self.items.push(Item::Open { id, data, paint });
        draw(self);
        if self.items.len() == before + 1 {
            self.items.pop();
        } else {
            self.items.push(Item::Close);
        }
    }

    pub(crate) fn shape(&mut self, outline: Outline, paint: Paint) {
        self.items.push(Item::Shape(Shape { outline, paint, id: None, title: None }));
    }

    pub(crate) fn area(&mut self, outline: Vec<Vec2>, paint: Paint) {
        self.shape(Outline::Areas(vec![outline]), paint);
    }

    pub(crate) fn line(&mut self, points: Vec<Vec2>, paint: Paint) {
        self.shape(Outline::Lines(vec![points]), paint);
    }

    /// Separate segments as one shape; nothing without segments.
    pub(crate) fn segments(&mut self, segments: &[Segment], paint: Paint) {
        if !segments.is_empty() {
            let lines = segments.iter().map(|segment| segment.to_vec()).collect();
            self.shape(Outline::Lines(lines), paint);
        }
    }

    pub(crate) fn circle(&mut self, at: Vec2, radius: f32, paint: Paint) {
        self.shape(Outline::Circle(at, radius), paint);
    }

    pub(crate) fn text(&mut self, text: Text) {
        self.items.push(Item::Text(text));
    }
}
