//! Openings: where they are cut into the faces of a room.

use std::fmt;

use threshold_land::Frame;
use threshold_land::vector::Vec3;

use crate::tool::error::ForgeErrorKind;
use crate::tool::solid::outline::{self, Outline};
use crate::tool::solid::{Convex, Side};

/// Maximum distance of an opening from its wall, and beyond its edge, in metres.
pub(crate) const FIT: f32 = 5e-4;

/// The smallest side and width of an opening, in metres.
const MIN_SIZE: f32 = 0.01;

/// A face of a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// A wall by its index: the edges of the floor, counter-clockwise. For a shape made from faces,
    /// the order in which they were given.
    Wall(usize),
    /// The face with the most upward normal.
    Floor,
    /// The face with the most downward normal.
    Ceiling,
}

impl Face {
    /// The south wall of a box, at the smallest y.
    pub const SOUTH: Self = Self::Wall(0);
    /// The east wall of a box, at the largest x.
    pub const EAST: Self = Self::Wall(1);
    /// The north wall of a box, at the largest y.
    pub const NORTH: Self = Self::Wall(2);
    /// The west wall of a box, at the smallest x.
    pub const WEST: Self = Self::Wall(3);
}

impl fmt::Display for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wall(number) => write!(f, "wall {number}"),
            Self::Floor => f.write_str("floor"),
            Self::Ceiling => f.write_str("ceiling"),
        }
    }
}

/// An opening in a wall of a room. Retail: `CCellPortal`, `CBldPortal`.
///
/// A rectangle is measured on the face: `along` from the start of the wall, counter-clockwise round the
/// room as the corners of its floor are (from west to east on a south wall), and `sill` from its lower edge.
/// On a floor or ceiling `along` runs east and `sill` north, from the smallest x and y.
///
/// ```
/// use threshold_forge::{Face, Opening};
///
/// let door = Opening::door(Face::SOUTH);                      // 1.8 x 2.3, in the middle, down to the floor
/// let narrow = Opening::door(Face::SOUTH).size(1.1, 2.0).along(0.4);
/// let hatch = Opening::rectangle(Face::Floor, [1.5, 1.5], [1.0, 1.0]);
/// # let _ = (door, narrow, hatch);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    form: Form,
}

#[derive(Clone, Debug, PartialEq)]
enum Form {
    Rectangle { face: Face, along: Option<f32>, sill: f32, size: [f32; 2] },
    Whole(Face),
    Polygon(Outline),
}

impl Opening {
    /// A doorway: 1.8 m wide, 2.3 m high, in the middle of the wall and down to its lower edge.
    pub fn door(face: Face) -> Self {
        Self { form: Form::Rectangle { face, along: None, sill: 0.0, size: [1.8, 2.3] } }
    }

    /// A window hole: 1.2 m wide, 1 m high, in the middle of the wall, 0.9 m over its lower edge.
    pub fn pane(face: Face) -> Self {
        Self { form: Form::Rectangle { face, along: None, sill: 0.9, size: [1.2, 1.0] } }
    }

    /// A rectangle, from its first corner on the face, `[along, sill]`, and its size. No
    /// opening may be smaller than a centimetre in any of its sides.
    pub fn rectangle(face: Face, [along, sill]: [f32; 2], size: [f32; 2]) -> Self {
        Self { form: Form::Rectangle { face, along: Some(along), sill, size } }
    }

    /// A whole face.
    pub fn whole(face: Face) -> Self {
        Self { form: Form::Whole(face) }
    }

    /// A convex polygon in the frame of the plan, wound either way. It must lie in a face of the room.
    pub fn polygon(corners: impl IntoIterator<Item = impl Into<Vec3>>) -> Self {
        Self { form: Form::Polygon(corners.into_iter().map(Into::into).collect()) }
    }

    /// Sets the distance from the start of the wall. Rectangles only.
    #[must_use]
    pub fn along(mut self, metres: f32) -> Self {
        if let Form::Rectangle { along, .. } = &mut self.form {
            *along = Some(metres);
        }
        self
    }

    /// Sets the height over the lower edge of the face. Rectangles only.
    #[must_use]
    pub fn sill(mut self, metres: f32) -> Self {
        if let Form::Rectangle { sill, .. } = &mut self.form {
            *sill = metres;
        }
        self
    }

    /// Sets the size. Rectangles only.
    #[must_use]
    pub fn size(mut self, width: f32, height: f32) -> Self {
        if let Form::Rectangle { size, .. } = &mut self.form {
            *size = [width, height];
        }
        self
    }

    /// Returns the outline in the frame of the plan, for the room to which it was added.
    pub(crate) fn outline(&self, room: &Convex, frame: &Frame) -> Result<Outline, ForgeErrorKind> {
        let (face, local) = match &self.form {
            Form::Polygon(corners) => return Ok(corners.clone()),
            Form::Whole(face) => (side(room, *face)?, None),
            Form::Rectangle { face, along, sill, size } => {
                check_size("a side", size[0].min(size[1]))?;
                (side(room, *face)?, Some((*along, *sill, *size)))
            }
        };
        let local = match local {
            None => face.outline.clone(),
            Some((along, sill, size)) => rectangle(face, along, sill, size),
        };
        Ok(local.into_iter().map(|corner| frame.to_global(corner)).collect())
    }
}

fn side(room: &Convex, face: Face) -> Result<&Side, ForgeErrorKind> {
    let by_height = |a: &&Side, b: &&Side| a.plane.normal.z.total_cmp(&b.plane.normal.z);
    let found = match face {
        Face::Wall(index) => room.sides.get(index),
        Face::Floor => room.sides.iter().min_by(by_height),
        Face::Ceiling => room.sides.iter().max_by(by_height),
    };
    found.ok_or(ForgeErrorKind::NoSuchFace(face))
}

/// Returns a rectangle on a face, counter-clockwise seen from inside the room.
fn rectangle(side: &Side, along: Option<f32>, sill: f32, [width, height]: [f32; 2]) -> Outline {
    let (along_axis, up) = axes(-side.plane.normal);
    let extent = |axis: Vec3| {
        let at = side.outline.iter().map(|corner| corner.dot(axis));
        at.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
    };
    let ((start, end), (low, _)) = (extent(along_axis), extent(up));
    let from = along.map_or((start + end - width) / 2.0, |along| start + along);
    let low = low + sill;
    let off = side.plane.normal * -side.plane.d;
    let corner = |x: f32, y: f32| off + along_axis * x + up * y;
    let corners =
        [(from, low), (from + width, low), (from + width, low + height), (from, low + height)];
    let outline: Outline = corners.map(|(x, y)| corner(x, y)).into();
    let turns = (outline[1] - outline[0]).cross(outline[2] - outline[1]).dot(side.plane.normal);
    if turns < 0.0 { outline } else { outline::reversed(&outline) }
}

/// Returns the directions along and up on a face; east and north on a level one.
fn axes(inward: Vec3) -> (Vec3, Vec3) {
    match inward.cross(Vec3::Z).try_normalize() {
        // Steeper than a hundredth of a degree: "up" is defined.
        Some(along) if inward.z.abs() < 1.0 - 1e-7 => (along, along.cross(inward)),
        _ => (Vec3::X, Vec3::Y),
    }
}

/// Refuses openings that are too small; the smallest size itself may be slightly off by rounding.
fn check_size(what: &'static str, metres: f32) -> Result<(), ForgeErrorKind> {
    let too_small = metres < MIN_SIZE - outline::ON;
    if too_small { Err(ForgeErrorKind::OpeningTooSmall { what, metres }) } else { Ok(()) }
}

/// An outline in the local frame of a room, and the face that contains it.
pub(crate) struct FittedOpening {
    /// Counter-clockwise seen from inside the room.
    pub(crate) outline: Outline,
    pub(crate) face: usize,
}

/// Finds the face of a room that contains an outline.
pub(crate) fn fit(
    outline: &[Vec3],
    room: &Convex,
    frame: &Frame,
) -> Result<FittedOpening, ForgeErrorKind> {
    if !outline.iter().all(|corner| corner.is_finite()) {
        return Err(ForgeErrorKind::NotFinite("an opening"));
    }
    let local: Outline = outline.iter().map(|corner| frame.to_local(*corner)).collect();
    let plane = threshold_geom::plane_of(&local).ok_or(ForgeErrorKind::OpeningNotConvex)?;
    if !outline::is_convex(&local, &plane, FIT) {
        return Err(ForgeErrorKind::OpeningNotConvex);
    }
    let sides = (0..local.len()).map(|at| local[at].distance(local[(at + 1) % local.len()]));
    check_size("a side", sides.fold(f32::INFINITY, f32::min))?;
    let widths = outline::edge_planes(&local, plane.normal).map(|edge| {
        let (low, high) = outline::reach(&local, &edge);
        high - low
    });
    check_size("the width", widths.fold(f32::INFINITY, f32::min))?;
    let off = |side: &Side| {
        let (low, high) = outline::reach(&local, &side.plane);
        low.abs().max(high.abs())
    };
    let nearest = room.sides.iter().enumerate().min_by(|a, b| off(a.1).total_cmp(&off(b.1)));
    let Some((face, side)) = nearest else {
        return Err(ForgeErrorKind::OpeningOffWall(f32::INFINITY));
    };
    if off(side) > FIT {
        return Err(ForgeErrorKind::OpeningOffWall(off(side)));
    }
    let edges = outline::edge_planes(&side.outline, side.plane.normal);
    let beyond = edges.map(|edge| outline::reach(&local, &edge).1).fold(0.0, f32::max);
    if beyond > FIT {
        return Err(ForgeErrorKind::OpeningOutsideWall(beyond));
    }
    let inward = plane.normal.dot(side.plane.normal) < 0.0;
    Ok(FittedOpening { outline: if inward { local } else { outline::reversed(&local) }, face })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::shape::Shape;

    #[track_caller]
    fn check(opening: Opening, want: [[f32; 3]; 4]) {
        let room = Convex::of(&Shape::cuboid([0.0, 0.0, 1.0], [4.0, 6.0, 4.0])).unwrap();
        let outline = opening.outline(&room, &Frame::IDENTITY).unwrap();
        let fitted = fit(&outline, &room, &Frame::IDENTITY).unwrap();
        let near = |start: usize| {
            let turned = (0..4).map(|index| Vec3::from(want[(index + start) % 4]));
            outline.iter().zip(turned).all(|(a, b)| a.distance(b) < 1e-5)
        };
        assert!((0..4).any(near), "{opening:?}: {outline:?}");
        assert_eq!(fitted.outline, outline, "rectangles face into the room");
    }

    #[test]
    fn rectangles_are_measured_from_where_the_wall_begins() {
        let door = |face| Opening::door(face).size(1.0, 2.0).along(0.5);
        check(
            door(Face::SOUTH),
            [[0.5, 0.0, 1.0], [0.5, 0.0, 3.0], [1.5, 0.0, 3.0], [1.5, 0.0, 1.0]],
        );
        check(
            door(Face::EAST),
            [[4.0, 0.5, 1.0], [4.0, 0.5, 3.0], [4.0, 1.5, 3.0], [4.0, 1.5, 1.0]],
        );
    }
}
