//! Polygons, spheres, cylinders and trees of Asheron's Call: what touches what, exactly as the
//! retail client decided it.
//!
//! A sweep through the world comes down to a few questions about shapes. Is this point in that room?
//! Which wall does this sphere run into? Is there ground under it, and where does a step onto it end?
//! This crate answers them for one shape or one tree at a time, in the space of that shape. It knows
//! nothing of cells that are connected, of objects, or of time; bringing a sphere into the space of a
//! tree is arithmetic on the frames of [`threshold_land`].
//!
//! # Is it in the room?
//!
//! The space of a room is a list of planes that face inwards, a [`CellTree`].
//!
//! ```
//! use threshold_geom::{CellTree, Containment};
//! use threshold_land::glam::Vec3;
//! use threshold_land::{Plane, Sphere};
//!
//! let west = Plane { normal: Vec3::X, d: 0.0 };
//! let east = Plane { normal: Vec3::NEG_X, d: 10.0 };
//! let floor = Plane { normal: Vec3::Z, d: 0.0 };
//! let room = CellTree::new([west, east, floor]);
//!
//! assert!(room.contains(Vec3::new(5.0, 0.0, 1.0)));
//! assert!(!room.contains(Vec3::new(-0.3, 0.0, 1.0)));
//! // A sphere is asked about a centimetre larger than it is.
//! let at_the_wall = Sphere::new(Vec3::new(0.485, 0.0, 1.0), 0.48);
//! assert_eq!(room.sphere_inside(&at_the_wall), Containment::Partially);
//! ```
//!
//! # Does it touch?
//!
//! A [`Polygon`] borrows its corners. A sphere overlaps it from both sides alike, but runs into it only
//! when it moves against the normal.
//!
//! ```
//! use threshold_geom::{Polygon, Sides};
//! use threshold_land::Sphere;
//! use threshold_land::glam::Vec3;
//!
//! let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]].map(Vec3::from);
//! let floor = Polygon::new(&corners, Sides::Single).unwrap();
//! let sphere = Sphere::new(Vec3::new(4.2, 2.0, 0.3), 0.5);
//!
//! let falling = floor.pos_hits_sphere(&sphere, Vec3::new(0.0, 0.0, -0.1));
//! assert!(falling.hit());
//! let rising = floor.pos_hits_sphere(&sphere, Vec3::new(0.0, 0.0, 0.1));
//! assert!(rising.touch.touches() && !rising.hit());
//! ```
//!
//! # Where does a step end?
//!
//! A [`PhysicsTree`] holds the polygons of a room or of a part of an object. It is made once, of nodes in
//! any order, and checked then; questions to it neither fail nor allocate.
//!
//! ```
//! use threshold_geom::{FLOOR_Z, PhysicsNode, PhysicsTree, PolygonSet, Sides, WalkableQuery};
//! use threshold_land::glam::Vec3;
//! use threshold_land::{Plane, Sphere};
//!
//! let mut polygons = PolygonSet::new();
//! let corners = [[-4.0, -4.0, 0.0], [4.0, -4.0, 0.0], [4.0, 4.0, 0.0], [-4.0, 4.0, 0.0]];
//! let floor = polygons.push(corners.map(Vec3::from), Sides::Single);
//! let around = Sphere::new(Vec3::ZERO, 6.0);
//! let nodes = [
//!     PhysicsNode::Split {
//!         plane: Plane { normal: Vec3::Z, d: 0.0 },
//!         sphere: around,
//!         positive: None, // open space
//!         negative: Some(1),
//!     },
//!     PhysicsNode::Leaf { solid: true, sphere: around, polygons: vec![floor] },
//! ];
//! let tree = PhysicsTree::build(polygons, &nodes, 0)?;
//!
//! // A step down of 0.4 m has taken the sphere 0.28 m into the floor.
//! let mut sphere = Sphere::new(Vec3::new(0.0, 0.0, 0.2), 0.48);
//! let step = WalkableQuery { movement: Vec3::new(0.0, 0.0, -0.4), up: Vec3::Z, allowance: FLOOR_Z };
//! let mut interpolation = 1.0;
//! assert_eq!(tree.find_walkable(&mut sphere, &step, &mut interpolation), Some(floor));
//! assert!((sphere.centre.z - 0.48).abs() < 1e-6);
//! assert!((interpolation - 0.3).abs() < 1e-6);
//! # Ok::<(), threshold_geom::TreeError>(())
//! ```
//!
//! # The questions
//!
//! Cost: *n* the corners of a polygon, *p* the planes of a cell, *v* the nodes whose spheres the query
//! reaches and the polygons in their leaves.
//!
//! | question | here | retail | cost |
//! |---|---|---|---|
//! | the plane of an outline | [`plane_of`] | `CPolygon::make_plane` | n |
//! | a point over a polygon | [`Polygon::contains`] | `point_in_polygon` | n |
//! | the same from above | [`outline_contains_2d`] | `point_in_poly2D` | n |
//! | a sphere overlaps a polygon | [`Polygon::hits_sphere`] | `polygon_hits_sphere`, `hits_sphere` | 1, n near the plane |
//! | ... moving against it | [`Polygon::pos_hits_sphere`] | `pos_hits_sphere` | as above |
//! | ... that can be walked on | [`Polygon::walkable_hits_sphere`] | `walkable_hits_sphere` | as above |
//! | a polygon under a sphere | [`Polygon::check_walkable`], [`Polygon::check_small_walkable`] | the same | n |
//! | the edge that was stepped over | [`Polygon::find_crossed_edge`] | `find_crossed_edge` | n |
//! | back out of a plane | [`Polygon::adjust_sphere_to_plane`] | `adjust_sphere_to_plane` | 1 |
//! | when a plane is touched | [`Polygon::adjust_sphere_to_poly`] | `adjust_sphere_to_poly` | 1 |
//! | out of the way when placed | [`Polygon::adjust_to_placement_poly`] | `adjust_to_placement_poly` | 1 |
//! | a ray at a polygon | [`Polygon::ray_time`] | `polygon_hits_ray` | n |
//! | spheres overlap | [`spheres_collide`] | `CSphere::collides_with_sphere` | 1 |
//! | when spheres meet | [`sphere_collision_time`] | `find_time_of_collision` | 1 |
//! | a ray at a sphere | [`sphere_ray_time`] | `sphere_intersects_ray` | 1 |
//! | a sphere at a cylinder | [`Cylinder::collides_with_sphere`] | `CCylSphere::collides_with_sphere` | 1 |
//! | ... and where it is pushed | [`Cylinder::collision_normal`] | `normal_of_collision` | 1 |
//! | a point in a cell | [`CellTree::contains`] | `point_inside_cell_bsp` | p |
//! | a sphere in a cell | [`CellTree::sphere_inside`] | `sphere_intersects_cell_bsp` | p |
//! | a box in a cell | [`CellTree::box_intersects`] | `box_intersects_cell_bsp` | p |
//! | the faces of a cell | [`CellTree::faces`] | | p squared |
//! | what a sphere runs into | [`PhysicsTree::sphere_intersects_poly`] | the same | v, to the first |
//! | a sphere in matter | [`PhysicsTree::sphere_intersects_solid`] | the same | v, to the first |
//! | ... and in the way of what | [`PhysicsTree::sphere_intersects_solid_poly`] | the same | v, to the first |
//! | where a step ends | [`PhysicsTree::find_walkable`] | the same | v |
//! | ground under a sphere | [`PhysicsTree::hits_walkable`] | the same | v, to the first |
//! | a point in matter | [`PhysicsTree::point_intersects_solid`] | the same | depth |
//! | what hides what | [`DrawingTree::front_to_back`], [`DrawingTree::back_to_front`] | | the tree |
//!
//! # Exactness
//!
//! Single precision, in the order of operations of the retail client, without fused multiply-add:
//! the same input gives the same bits on every machine. Whether a tie counts is part of the contract
//! and said at each question. Retail kept more digits in registers between steps, so where a result is
//! within about 1e-5 of a threshold it may have decided the other way.
//!
//! What looks like a mistake and is retail's stays, marked `Retail oddity` in the source, with a test
//! that fails when it is mended: the sweep was tuned around it.
//!
//! Valid data has no NaN. With NaN, infinite or absurd numbers nothing panics or loops; what is
//! answered then is not specified. Indices are checked where trees are made ([`TreeError`] names the
//! node), which also bounds the depth ([`MAX_TREE_DEPTH`]) that the walks recurse to.
//!
//! # What is not here
//!
//! Frames, planes and the bounding test of spheres are in [`threshold_land`]. What a mover does with an
//! answer (steps, slides, landing, placement) is for the sweep. There is no mending of bad geometry:
//! polygons are taken to be convex.
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod bounds;
mod bsp;
mod constants;
mod convex;
mod cylinder;
mod polygon;
mod sphere;

pub use bounds::Bounds;
pub use bsp::{
    CellTree, Containment, DrawingItem, DrawingNode, DrawingPortal, DrawingTree, PhysicsNode,
    PhysicsTree, PolygonHit, SolidPoly, TreeError, WalkableQuery,
};
pub use constants::{
    CELL_MARGIN, FLOOR_Z, LANDING_Z, MAX_TREE_DEPTH, POLYGON_INTERPOLATION_FLOOR,
    SHAPE_INTERPOLATION_FLOOR, SMALL_WALKABLE_BAND, is_valid_walkable,
};
pub use convex::{clip, clip_outline, convex_hull, square_on_plane};
pub use cylinder::{Cylinder, CylinderNormal};
pub use polygon::{
    FacingTouch, Polygon, PolygonSet, Sides, SphereTouch, Winding, outline_contains_2d, plane_of,
};
pub use sphere::{sphere_collision_time, sphere_ray_time, spheres_collide};
