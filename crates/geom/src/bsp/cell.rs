//! The tree that says what is inside a room.

use threshold_land::vector::Vec3;
use threshold_land::{EPSILON, Plane, Sphere};

use crate::bounds::Bounds;
use crate::constants::CELL_MARGIN;
use crate::convex::{clip, square_on_plane};

/// The inside of a room: the points behind none of its planes.
///
/// Retail stores a tree in which every node has only a positive child; that is a list, and stored
/// as one here. Without planes it is all of space. Queries are linear in the planes and take points
/// in the frame of the room.
///
/// Retail: a `BSPTREE`, the `cell_bsp` of a `CCellStruct`.
#[derive(Clone, Debug, Default)]
pub struct CellTree {
    planes: Box<[Plane]>,
    longest: f32,
}

/// How much of a sphere is inside a room. Retail: `BoundingType`.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Containment {
    /// None of it.
    Outside,
    /// A part of it, or none: near an edge of the room, a sphere may cross two planes and still miss
    /// the space between them.
    Partially,
    /// All of it.
    Entirely,
}

impl CellTree {
    /// Creates a tree from the planes of the chain, the root's first.
    pub fn new(planes: impl Into<Box<[Plane]>>) -> Self {
        let planes = planes.into();
        let longest = planes.iter().map(|plane| plane.normal.length()).fold(1.0, f32::max);
        Self { planes, longest }
    }

    /// The planes of the chain, the root's first.
    pub fn planes(&self) -> &[Plane] {
        &self.planes
    }

    /// Returns whether a point is inside, or behind a plane by at most [`EPSILON`].
    ///
    /// Retail: `BSPNODE::point_inside_cell_bsp`.
    #[inline]
    pub fn contains(&self, p: Vec3) -> bool {
        self.planes.iter().all(|plane| plane.distance(p) >= -EPSILON)
    }

    /// Returns by how much [`depth`](Self::depth) can change when a point moves by one: 1 if all
    /// normals have unit length.
    pub fn steepness(&self) -> f32 {
        self.longest
    }

    /// Returns the distance of a point from the plane it is least in front of; negative behind a
    /// plane, infinite without planes. The search ends early at the first plane with a distance of
    /// at most `enough`.
    #[inline]
    pub fn depth(&self, p: Vec3, enough: f32) -> f32 {
        let mut min = f32::INFINITY;
        for plane in &self.planes {
            let distance = plane.distance(p);
            // NaN ends the search, too.
            if distance.is_nan() || distance <= enough {
                return distance;
            }
            if distance < min {
                min = distance;
            }
        }
        min
    }

    /// Tests how much of a sphere, enlarged by [`CELL_MARGIN`], is inside.
    ///
    /// Retail: `BSPNODE::sphere_intersects_cell_bsp`.
    #[inline]
    pub fn sphere_inside(&self, sphere: &Sphere) -> Containment {
        let reach = sphere.radius + CELL_MARGIN;
        let mut inside = Containment::Entirely;
        for plane in &self.planes {
            let distance = plane.distance(sphere.centre);
            if distance <= -reach {
                return Containment::Outside;
            }
            if distance < reach {
                inside = Containment::Partially;
            }
        }
        inside
    }

    /// Returns whether a box may be partly inside: `false` if all of it is behind one plane.
    ///
    /// Conservative: a box outside the corner of two planes can be behind neither.
    ///
    /// Retail: `BSPNODE::box_intersects_cell_bsp`, which tests all eight corners. The corner
    /// farthest in front decides, and since rounding preserves order, taking the larger product
    /// along each axis gives its distance to the bit.
    pub fn box_intersects(&self, bounds: &Bounds) -> bool {
        // Negated, so that NaN is not behind: such a box is kept.
        !self.planes.iter().any(|plane| {
            let (low, high) = (plane.normal * bounds.min, plane.normal * bounds.max);
            let front = low.max(high);
            front.x + front.y + front.z + plane.d < -EPSILON
        })
    }

    /// Returns for each plane the part of it that bounds the room, counter-clockwise seen from
    /// inside; empty if the other planes leave none. A room that is open, or extends farther than
    /// `reach` from `near`, is cut off there. Planes within a hundred-thousandth of `reach` count
    /// as one; a plane without direction bounds nothing.
    ///
    /// For maps and checks: quadratic in the planes, and allocates.
    pub fn faces(&self, near: Vec3, reach: f32) -> Vec<Vec<Vec3>> {
        // Relative to `near` and normalised, so that one slack fits all planes.
        let moved = |plane: &Plane| {
            let (length, d) = (plane.normal.length(), plane.distance(near));
            let usable = length > 0.0 && length.is_finite() && d.is_finite();
            usable.then(|| Plane { normal: plane.normal / length, d: d / length })
        };
        let planes: Vec<Option<Plane>> = self.planes.iter().map(moved).collect();
        let face = |own: usize| {
            let Some(plane) = &planes[own] else { return Vec::new() };
            let others = planes.iter().enumerate().filter(|(index, _)| *index != own);
            let others = others.filter_map(|(_, other)| other.as_ref());
            let whole = square_on_plane(plane, Vec3::ZERO, reach);
            let left = others.fold(whole, |left, other| clip(&left, other, reach * 1e-5));
            left.into_iter().map(|corner| corner + near).collect()
        };
        (0..planes.len()).map(face).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plane([x, y, z, d]: [f32; 4]) -> Plane {
        Plane { normal: Vec3::new(x, y, z), d }
    }

    /// Ten by ten metres, five high.
    fn room() -> CellTree {
        let planes = [
            [1.0, 0.0, 0.0, 0.0],
            [-1.0, 0.0, 0.0, 10.0],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, -1.0, 0.0, 10.0],
            [0.0, 0.0, 1.0, 0.0],
            [0.0, 0.0, -1.0, 5.0],
        ];
        CellTree::new(planes.map(plane))
    }

    #[test]
    fn a_room_has_a_face_for_each_plane_that_bounds_it() {
        let mut planes = room().planes().to_vec();
        planes.push(plane([1.0, 0.0, 0.0, 4.0])); // beyond the first
        planes.push(plane([0.0, 0.0, 2.0, 0.0])); // the fifth again, twice as long
        planes.push(plane([0.0, 0.0, 0.0, 1.0]));
        planes.push(plane([f32::NAN, 0.0, 1.0, 1.0]));
        let faces = CellTree::new(planes).faces(Vec3::new(5.0, 5.0, 2.5), 100.0);
        let sizes: Vec<usize> = faces.iter().map(Vec::len).collect();
        assert_eq!(sizes, [4, 4, 4, 4, 4, 4, 0, 4, 0, 0]);
        for corner in faces.iter().flatten() {
            let on = |v: f32, high: f32| v.abs() < 1e-3 || (v - high).abs() < 1e-3;
            assert!(on(corner.x, 10.0) && on(corner.y, 10.0) && on(corner.z, 5.0), "{corner}");
        }
        // Without its ceiling it is cut off.
        let open = CellTree::new(&room().planes()[..5]).faces(Vec3::new(5.0, 5.0, 2.5), 100.0);
        assert!(open.iter().flatten().any(|corner| corner.z > 50.0));
    }

    #[test]
    fn points_a_hair_behind_a_plane_are_inside() {
        for (p, want) in [
            ([5.0, 5.0, 2.0], true),
            ([0.0, 0.0, 0.0], true),
            ([-0.0001, 5.0, 2.0], true),
            ([5.0, 5.0, 5.0001], true),
            ([-0.0003, 5.0, 2.0], false),
            ([5.0, 5.0, 5.0003], false),
            ([-EPSILON, 5.0, 2.0], true), // a tie is inside
            ([(-EPSILON).next_down(), 5.0, 2.0], false),
            ([f32::NAN, 5.0, 2.0], false),
        ] {
            assert_eq!(room().contains(p.into()), want, "{p:?}");
        }
    }

    #[test]
    fn spheres_inside_across_and_outside() {
        use Containment::{Entirely, Outside, Partially};
        for (centre, want) in [
            ([5.0, 5.0, 2.5], Entirely),
            ([0.495, 5.0, 2.5], Entirely),
            ([0.485, 5.0, 2.5], Partially),
            ([0.2, 5.0, 2.5], Partially),
            ([-0.485, 5.0, 2.5], Partially),
            ([-0.4, -0.4, 2.5], Partially),
            ([-0.495, 5.0, 2.5], Outside),
            ([0.2, 5.0, 6.0], Outside), // whatever the planes before say
        ] {
            let got = room().sphere_inside(&Sphere::new(centre.into(), 0.48));
            assert_eq!(got, want, "{centre:?}");
        }
    }

    #[test]
    fn a_sphere_exactly_at_its_reach_is_entirely_in_or_out() {
        let reach = 0.48 + CELL_MARGIN;
        for (x, want) in [
            (reach, Containment::Entirely),
            (reach.next_down(), Containment::Partially),
            ((-reach).next_up(), Containment::Partially),
            (-reach, Containment::Outside),
        ] {
            let got = room().sphere_inside(&Sphere::new(Vec3::new(x, 5.0, 2.5), 0.48));
            assert_eq!(got, want, "{x}");
        }
    }

    #[track_caller]
    fn check_box(tree: &CellTree, min: [f32; 3], max: [f32; 3], want: bool) {
        let bounds = Bounds { min: min.into(), max: max.into() };
        assert_eq!(tree.box_intersects(&bounds), want, "{bounds:?}");
    }

    #[test]
    fn a_box_is_out_when_one_plane_has_all_of_it_behind() {
        check_box(&room(), [-2.0, 1.0, 1.0], [-1.0, 2.0, 2.0], false);
        check_box(&room(), [-3.0, 4.0, 7.0], [13.0, 6.0, 9.0], false);
        check_box(&room(), [-1.0, 1.0, 1.0], [1.0, 2.0, 2.0], true);
        check_box(&room(), [-1.0, -1.0, 1.0], [-0.0001, 2.0, 2.0], true);
        check_box(&room(), [-1.0, -1.0, 1.0], [-0.0003, 2.0, 2.0], false);
    }

    #[test]
    fn a_box_can_miss_the_room_without_being_behind_a_plane() {
        let half = 0.5_f32.sqrt();
        let wedge = CellTree::new([[half, half, 0.0, 0.0], [-half, half, 0.0, 0.0]].map(plane));
        check_box(&wedge, [-1.5, -0.6, 0.0], [1.5, -0.5, 1.0], true);
    }

    #[test]
    fn without_planes_everything_is_inside() {
        let all = CellTree::default();
        assert!(all.planes().is_empty());
        assert!(all.contains(Vec3::splat(1e9)));
        assert_eq!(all.sphere_inside(&Sphere::new(Vec3::ZERO, 1.0)), Containment::Entirely);
        check_box(&all, [0.0; 3], [1.0; 3], true);
    }
}
