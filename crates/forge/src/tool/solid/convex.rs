//! Convex solids.

use threshold_geom::{plane_of, square_on_plane};
use threshold_land::vector::Vec3;
use threshold_land::{Frame, Plane};

use super::outline::{self, Outline};
use crate::tool::layout::MAX_DISTANCE;
use crate::tool::shape::Shape;

/// Maximum distance of corners from the plane of their face, in metres.
const SLACK: f32 = 2e-4;
/// Minimum thickness of a solid, in metres: well over the rounding of two faces.
const MIN_THICKNESS: f32 = 1e-3;

/// A face of a solid, seen from outside.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub(crate) outline: Outline,
    pub(crate) plane: Plane,
}

/// A convex solid, its faces in the order they were given in.
#[derive(Clone, Debug)]
pub(crate) struct Convex {
    pub(crate) sides: Vec<Side>,
}

/// Reason why a shape is not a convex solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShapeFault {
    Infinite,
    Far,
    Large,
    Thin,
    DoubledCorner,
    NoArea,
    Concave,
    Open,
}

impl Convex {
    /// Returns the solid of a shape, whichever way its faces were wound.
    pub(crate) fn of(shape: &Shape) -> Result<Self, ShapeFault> {
        let corners: Vec<Vec3> = shape.faces().iter().flatten().copied().collect();
        if !corners.iter().all(|corner| corner.is_finite()) {
            return Err(ShapeFault::Infinite);
        }
        check_measures(shape, &corners)?;
        let inside = outline::middle(&corners);
        let sides: Option<Vec<Side>> =
            shape.faces().iter().map(|face| outward(face, inside)).collect();
        let solid = Self { sides: sides.ok_or(ShapeFault::Concave)? };
        let convex = solid.sides.iter().all(|side| {
            outline::is_convex(&side.outline, &side.plane, SLACK)
                && outline::reach(&corners, &side.plane).1 <= SLACK
        });
        match (convex, solid.is_closed()) {
            (false, _) => Err(ShapeFault::Concave),
            (true, false) => Err(ShapeFault::Open),
            (true, true) => Ok(solid),
        }
    }

    /// Returns the intersection of the half-spaces behind all planes, within `reach` of the point `near`; `None` if empty.
    pub(crate) fn behind(planes: &[Plane], near: Vec3, reach: f32) -> Option<Self> {
        let sides: Vec<Side> = planes
            .iter()
            .enumerate()
            .filter_map(|(own, plane)| {
                let others = planes.iter().enumerate().filter(|(index, _)| *index != own);
                let whole = Some(square_on_plane(plane, near, reach));
                let outline = others.fold(whole, |left, (_, other)| {
                    outline::clip(&left?, &outline::opposite(other), 0.0)
                })?;
                Some(Side { outline, plane: *plane })
            })
            .collect();
        (sides.len() >= 4).then_some(Self { sides })
    }

    /// Returns the solid in the space that contains `frame`.
    pub(crate) fn placed(&self, frame: &Frame) -> Self {
        let rows = frame.rotation.rows();
        let place = |side: &Side| {
            let outline: Outline =
                side.outline.iter().map(|corner| frame.to_global(*corner)).collect();
            let normal = rows.to_global(side.plane.normal);
            let plane = plane_of(&outline).unwrap_or(Plane::through(normal, outline[0]));
            Side { outline, plane }
        };
        Self { sides: self.sides.iter().map(place).collect() }
    }

    /// Returns the solid with each face moved outwards.
    pub(crate) fn grown(&self, by: impl Fn(&Side) -> f32) -> Option<Self> {
        let grow = |side: &Side| Plane { d: side.plane.d - by(side), ..side.plane };
        let planes: Vec<Plane> = self.sides.iter().map(grow).collect();
        let middle = self.middle();
        let max = self.sides.iter().map(&by).fold(0.0, f32::max);
        let radius = self.corners().map(|corner| corner.distance(middle)).fold(0.0, f32::max);
        Self::behind(&planes, middle, 4.0 * (radius + max))
    }

    pub(crate) fn corners(&self) -> impl Iterator<Item = Vec3> + '_ {
        self.sides.iter().flat_map(|side| side.outline.iter().copied())
    }

    /// Returns a point well inside.
    pub(crate) fn middle(&self) -> Vec3 {
        outline::middle(&self.corners().collect::<Vec<_>>())
    }

    /// Returns the distance of the point from the solid; negative inside.
    pub(crate) fn distance(&self, point: Vec3) -> f32 {
        let planes = self.sides.iter().map(|side| side.plane.distance(point));
        planes.fold(f32::NEG_INFINITY, f32::max)
    }

    /// Returns whether the solid has space in front of a piece, so that the piece does not lie against one of the sides.
    pub(crate) fn is_open(&self, piece: &Side) -> bool {
        !self
            .sides
            .iter()
            .any(|side| outline::same_plane(&piece.plane, &side.plane, &piece.outline))
    }

    /// Returns the smallest and largest corner of the bounding box.
    pub(crate) fn bounds(&self) -> (Vec3, Vec3) {
        self.corners().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), corner| {
            (low.min(corner), high.max(corner))
        })
    }

    /// Returns the separating distance of two solids, in metres; 0 or less if they do not overlap.
    pub(crate) fn overlap(&self, other: &Self) -> f32 {
        let axes = self.sides.iter().chain(&other.sides).map(|side| side.plane.normal);
        let crossed = self.directions().into_iter().flat_map(|own| {
            let crosses = move |theirs: Vec3| own.cross(theirs).try_normalize();
            other.directions().into_iter().filter_map(crosses)
        });
        let overlap = |axis: Vec3| {
            let (low, high) = self.extent(axis);
            let (their_low, their_high) = other.extent(axis);
            (high - their_low).min(their_high - low)
        };
        axes.chain(crossed).map(overlap).fold(f32::INFINITY, f32::min)
    }

    fn extent(&self, axis: Vec3) -> (f32, f32) {
        outline::reach(&self.corners().collect::<Vec<_>>(), &Plane { normal: axis, d: 0.0 })
    }

    /// Returns the directions of the edges, each once.
    fn directions(&self) -> Vec<Vec3> {
        let mut found: Vec<Vec3> = Vec::new();
        for side in &self.sides {
            for (index, from) in side.outline.iter().enumerate() {
                let to = side.outline[(index + 1) % side.outline.len()];
                let Some(direction) = (to - *from).try_normalize() else { continue };
                // Parallel within half a degree: the same axis.
                if !found.iter().any(|known| known.cross(direction).length_squared() < 1e-8) {
                    found.push(direction);
                }
            }
        }
        found
    }

    /// Returns whether every edge is an edge of another face in the opposite direction.
    fn is_closed(&self) -> bool {
        let edges = |side: &Side| -> Vec<(Vec3, Vec3)> {
            let next = side.outline.iter().cycle().skip(1);
            side.outline.iter().copied().zip(next.copied()).collect()
        };
        let all: Vec<(Vec3, Vec3)> = self.sides.iter().flat_map(edges).collect();
        let near = |a: Vec3, b: Vec3| a.distance(b) <= SLACK;
        let matched = |(from, to): &(Vec3, Vec3)| {
            all.iter().any(|(start, end)| near(*start, *to) && near(*end, *from))
        };
        self.sides.len() >= 4 && all.iter().all(matched)
    }
}

/// Refuses empty extents, so that the error does not say "not convex".
fn check_measures(shape: &Shape, corners: &[Vec3]) -> Result<(), ShapeFault> {
    let (low, high) =
        corners.iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), at| {
            (low.min(*at), high.max(*at))
        });
    if (high - low).max_element() > 2.0 * MAX_DISTANCE {
        return Err(ShapeFault::Large);
    }
    if high.max(-low).max_element() > MAX_DISTANCE {
        return Err(ShapeFault::Far);
    }
    let across = |plane: Plane| {
        let (nearest, farthest) = outline::reach(corners, &plane);
        farthest - nearest
    };
    let planes = || shape.faces().iter().map(|face| plane_of(face));
    if planes().flatten().any(|plane| across(plane) < MIN_THICKNESS) {
        return Err(ShapeFault::Thin);
    }
    let doubled = |face: &Vec<Vec3>| {
        let next = face.iter().cycle().skip(1);
        face.iter().zip(next).any(|(from, to)| from.distance(*to) <= SLACK)
    };
    if shape.faces().iter().any(doubled) {
        return Err(ShapeFault::DoubledCorner);
    }
    if planes().any(|plane| plane.is_none()) { Err(ShapeFault::NoArea) } else { Ok(()) }
}

/// Returns a face as a side that faces away from a point inside.
fn outward(face: &[Vec3], inside: Vec3) -> Option<Side> {
    let plane = plane_of(face)?;
    let distance = plane.distance(inside);
    if distance.abs() <= SLACK {
        return None;
    }
    if distance < 0.0 {
        return Some(Side { outline: face.to_vec(), plane });
    }
    let outline = outline::reversed(face);
    let plane = plane_of(&outline)?;
    Some(Side { outline, plane })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(at: f32) -> Convex {
        Convex::of(&Shape::cuboid([at, 0.0, 0.0], [at + 2.0, 2.0, 2.0])).unwrap()
    }

    #[test]
    fn overlap_is_how_far_to_move_them_apart() {
        assert!((cube(0.0).overlap(&cube(1.5)) - 0.5).abs() < 1e-5);
        assert!(cube(0.0).overlap(&cube(2.0)).abs() < 1e-6);
        assert!((cube(0.0).overlap(&cube(3.0)) + 1.0).abs() < 1e-5);
    }

    #[test]
    fn a_turned_cube_in_the_corner_between_the_axes_is_apart() {
        let frame = Frame {
            origin: Vec3::new(2.9, 2.9, 0.0),
            rotation: threshold_land::Rotation::from_heading(45.0),
        };
        let turned = Convex::of(&Shape::cuboid([-1.0, -1.0, 0.0], [1.0, 1.0, 2.0])).unwrap();
        assert!(cube(0.0).overlap(&turned.placed(&frame)) < -0.2);
    }

    #[test]
    fn a_grown_cube_has_its_faces_where_they_were_moved_to() {
        let grown = cube(0.0).grown(|side| if side.plane.normal.z > 0.5 { 1.0 } else { 0.25 });
        let (low, high) = grown.unwrap().bounds();
        assert!((low - Vec3::splat(-0.25)).length() < 1e-5, "{low}");
        assert!((high - Vec3::new(2.25, 2.25, 3.0)).length() < 1e-5, "{high}");
    }

    #[track_caller]
    fn check_fault(faces: Vec<Vec<Vec3>>, want: ShapeFault) {
        assert_eq!(Convex::of(&Shape::from_faces(faces)).unwrap_err(), want);
    }

    #[test]
    fn shapes_that_are_no_convex_solid() {
        let faces = Shape::cuboid([0.0; 3], [1.0; 3]).faces().to_vec();
        check_fault(faces[1..].to_vec(), ShapeFault::Open);
        let mut bent = faces.clone();
        bent[0][0] = Vec3::new(0.3, 0.3, 0.3);
        check_fault(bent, ShapeFault::Concave);
        let mut lost = faces;
        lost[0][0].x = f32::NAN;
        check_fault(lost, ShapeFault::Infinite);
        check_fault(Vec::new(), ShapeFault::Open);
    }
}
