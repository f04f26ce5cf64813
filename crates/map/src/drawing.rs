//! Drawings: shapes and texts on paper, independent of a file format. x grows to the right, y down.

use threshold_land::vector::Vec2;

use crate::flat::Segment;

/// A colour on paper: red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ink(pub [u8; 3]);

impl Ink {
    /// Makes a colour from `0x00RRGGBB`; the highest byte is ignored.
    pub const fn hex(rgb: u32) -> Self {
        let [_, r, g, b] = rgb.to_be_bytes();
        Self([r, g, b])
    }

    /// Mixes with another colour; `part` of it, from 0 to 1.
    pub fn towards(self, other: Self, part: f32) -> Self {
        let mix = |i: usize| {
            let (a, b) = (f32::from(self.0[i]), f32::from(other.0[i]));
            channel(a + (b - a) * part)
        };
        Self([mix(0), mix(1), mix(2)])
    }

    /// Returns the mean of some colours; white without any.
    pub fn mean(inks: &[Self]) -> Self {
        if inks.is_empty() {
            return Self([255; 3]);
        }
        let count = inks.len() as f32;
        let mean = |i: usize| inks.iter().map(|ink| f32::from(ink.0[i])).sum::<f32>() / count;
        Self([0, 1, 2].map(|i| channel(mean(i))))
    }

    /// Scales the brightness: darker below 1, lighter above.
    pub fn lit(self, light: f32) -> Self {
        Self(self.0.map(|value| channel(f32::from(value) * light)))
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
fn channel(value: f32) -> u8 {
    value.round().clamp(0.0, 255.0) as u8
}

/// Fill and line of an item. `None` inherits from the enclosing group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Paint {
    /// Colour of the area; `Some(None)` leaves it empty.
    pub fill: Option<Option<Ink>>,
    /// Colour of the line.
    pub stroke: Option<Ink>,
    /// Width of the line in paper units.
    pub width: Option<f32>,
    /// Lengths of dashes and gaps, as SVG writes them.
    pub dash: Option<&'static str>,
    /// From 0 to 1.
    pub opacity: Option<f32>,
}

impl Paint {
    /// Filled, without a line.
    pub fn fill(ink: Ink) -> Self {
        Self { fill: Some(Some(ink)), ..Self::default() }
    }

    /// A line, not filled.
    pub fn line(ink: Ink, width: f32) -> Self {
        Self { fill: Some(None), stroke: Some(ink), width: Some(width), ..Self::default() }
    }

    /// Filled, with a line around it.
    pub fn both(fill: Ink, stroke: Ink, width: f32) -> Self {
        Self { fill: Some(Some(fill)), ..Self::line(stroke, width) }
    }

    /// Sets lengths of dashes and gaps, as SVG writes them.
    pub fn dashed(self, dash: &'static str) -> Self {
        Self { dash: Some(dash), ..self }
    }

    /// Sets the opacity, from 0 to 1.
    pub fn faint(self, opacity: f32) -> Self {
        Self { opacity: Some(opacity), ..self }
    }
}

/// A part of a drawing.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// Begins a group, which ends with [`Item::Close`].
    Open {
        /// Id in the document.
        id: Option<String>,
        /// `data-` attributes, for programs that read the drawing.
        data: Vec<(&'static str, String)>,
        /// Paint that the items of the group inherit.
        paint: Paint,
    },
    /// Ends a group.
    Close,
    /// An area, lines or a circle.
    Shape(ShapeItem),
    /// A line of text.
    Text(TextItem),
}

/// An area, lines or a circle.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeItem {
    /// Geometry.
    pub outline: Outline,
    /// Fill and line.
    pub paint: Paint,
    /// Id in the document.
    pub id: Option<String>,
    /// Shown by a browser when the pointer rests on it.
    pub title: Option<String>,
}

/// Geometry of a shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Outline {
    /// Closed outlines.
    Areas(Vec<Vec<Vec2>>),
    /// Open lines, drawn as one.
    Lines(Vec<Vec<Vec2>>),
    /// Centre and radius.
    Circle(Vec2, f32),
}

/// The point of a text that lies at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The left end.
    Start,
    /// The centre.
    Middle,
    /// The right end.
    End,
}

/// A kind of letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typeface {
    /// For words.
    Sans,
    /// For ids and numbers: all letters are equally wide.
    Mono,
}

/// A line of text.
#[derive(Clone, Debug, PartialEq)]
pub struct TextItem {
    /// The text.
    pub text: String,
    /// Position of the anchor, on the base line.
    pub at: Vec2,
    /// Height of the letters in paper units.
    pub size: f32,
    /// Colour.
    pub ink: Ink,
    /// The point of the text that lies at `at`.
    pub anchor: Anchor,
    /// Kind of letters.
    pub typeface: Typeface,
    /// Whether the text runs upwards.
    pub upright: bool,
    /// Whether the letters have a rim in the colour of paper, which keeps them readable over lines.
    pub halo: bool,
}

impl TextItem {
    /// Makes a text that starts at a point.
    pub fn new(text: impl Into<String>, at: Vec2, size: f32, ink: Ink) -> Self {
        Self {
            text: text.into(),
            at,
            size,
            ink,
            anchor: Anchor::Start,
            typeface: Typeface::Sans,
            upright: false,
            halo: false,
        }
    }

    /// Sets the anchor.
    pub(crate) fn anchored(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }

    /// Sets letters of equal width.
    pub(crate) fn mono(self) -> Self {
        Self { typeface: Typeface::Mono, ..self }
    }

    /// Adds a rim.
    pub(crate) fn haloed(self) -> Self {
        Self { halo: true, ..self }
    }
}

/// A sheet of paper with everything on it.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// Width and height in paper units.
    pub size: Vec2,
    /// Title of the document.
    pub title: String,
    /// The contents, from back to front.
    pub items: Vec<Item>,
}

impl Drawing {
    /// Adds a group with everything that `draw` adds; nothing if that is empty.
    pub fn group(&mut self, id: Option<String>, paint: Paint, draw: impl FnOnce(&mut Self)) {
        self.group_with(id, Vec::new(), paint, draw);
    }

    /// Like [`group`](Self::group), with `data-` attributes.
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

    /// Adds a shape.
    pub fn shape(&mut self, outline: Outline, paint: Paint) {
        self.items.push(Item::Shape(ShapeItem { outline, paint, id: None, title: None }));
    }

    /// Adds a closed outline.
    pub fn area(&mut self, outline: Vec<Vec2>, paint: Paint) {
        self.shape(Outline::Areas(vec![outline]), paint);
    }

    /// Adds an open line.
    pub fn line(&mut self, points: Vec<Vec2>, paint: Paint) {
        self.shape(Outline::Lines(vec![points]), paint);
    }

    /// Adds separate segments as one shape; nothing without segments.
    pub fn segments(&mut self, segments: &[Segment], paint: Paint) {
        if !segments.is_empty() {
            let lines = segments.iter().map(|segment| segment.to_vec()).collect();
            self.shape(Outline::Lines(lines), paint);
        }
    }

    /// Adds a circle.
    pub fn circle(&mut self, at: Vec2, radius: f32, paint: Paint) {
        self.shape(Outline::Circle(at, radius), paint);
    }

    /// Adds a text.
    pub fn text(&mut self, text: TextItem) {
        self.items.push(Item::Text(text));
    }
}
