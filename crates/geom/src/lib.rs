//! Collision geometry of Asheron's Call: polygons, spheres, cylinders and BSP trees, with exactly
//! the results of the retail client.
//!
//! A sweep through the world comes down to a few queries on shapes: is this point in that room,
//! which wall does this sphere run into, is there ground under it, and where does a step onto it
//! end? This crate answers them for one shape or one tree at a time, in the space of that shape. It
//! has no connected cells, no objects and no time; [`threshold_land`] converts a sphere to the
//! space of a tree.
//!
//! # Is a point in the room?
//!
//! The inside of a room is a list of planes that face inwards, a [`CellTree`].
//!
//! ```
//! use threshold_geom::{CellTree, Containment};
//! use threshold_land::vector::Vec3;
//! use threshold_land::{Plane, Sphere};
//!
//! let west = Plane { normal: Vec3::X, d: 0.0 };
//! let east = Plane { normal: Vec3::NEG_X, d: 10.0 };
//! let floor = Plane { normal: Vec3::Z, d: 0.0 };
//! let room = CellTree::new([west, east, floor]);
//!
//! assert!(room.contains(Vec3::new(5.0, 0.0, 1.0)));
//! assert!(!room.contains(Vec3::new(-0.3, 0.0, 1.0)));
//! // The radius is enlarged by a centimetre for this test.
//! let at_the_wall = Sphere::new(Vec3::new(0.485, 0.0, 1.0), 0.48);
//! assert_eq!(room.sphere_inside(&at_the_wall), Containment::Partially);
//! ```
//!
//! # Does a sphere touch a polygon?
//!
//! A [`Polygon`] borrows its corners. A sphere overlaps it from either side, but collides only when
//! it moves against the normal.
//!
//! ```
//! use threshold_geom::{Polygon, Sides};
//! use threshold_land::Sphere;
//! use threshold_land::vector::Vec3;
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
//! A [`PhysicsTree`] holds the polygons of a room or of a part of an object. It is built once, from
//! nodes in any order, and checked then; queries neither fail nor allocate.
//!
//! ```
//! use threshold_geom::{FLOOR_Z, PhysicsNode, PhysicsTree, PolygonSet, Sides, WalkableQuery};
//! use threshold_land::vector::Vec3;
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
//! # The queries
//!
//! Cost: *n* is the number of corners of a polygon, *p* of planes of a cell, *v* of nodes with
//! spheres that the query reaches and of polygons in their leaves.
//!
//! | query | here | retail | cost |
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
//! | a point in a room | [`CellTree::contains`] | `point_inside_cell_bsp` | p |
//! | a sphere in a room | [`CellTree::sphere_inside`] | `sphere_intersects_cell_bsp` | p |
//! | a box in a room | [`CellTree::box_intersects`] | `box_intersects_cell_bsp` | p |
//! | the faces of a room | [`CellTree::faces`] | | p squared |
//! | the polygon that a sphere hits | [`PhysicsTree::sphere_intersects_poly`] | the same | v, to the first |
//! | a sphere in solid space | [`PhysicsTree::sphere_intersects_solid`] | the same | v, to the first |
//! | ... with the polygon | [`PhysicsTree::sphere_intersects_solid_poly`] | the same | v, to the first |
//! | where a step ends | [`PhysicsTree::find_walkable`] | the same | v |
//! | ground under a sphere | [`PhysicsTree::hits_walkable`] | the same | v, to the first |
//! | a point in solid space | [`PhysicsTree::point_intersects_solid`] | the same | depth |
//! | polygons near something | [`PhysicsTree::visit_near`] | | v |
//! | a ray or sphere cast at a shape | [`MovingSphere::hit_polygon`], [`hit_sphere`](MovingSphere::hit_sphere), [`hit_cylinder`](MovingSphere::hit_cylinder) | | n, 1, 1 |
//! | a box or cone touches a shape | [`OrientedBox`], [`Sector`] | | n squared, n |
//! | the nearest point of a shape | [`nearest_on_polygon`], [`nearest_on_sphere`], [`nearest_on_cylinder`] | | n, 1, 1 |
//! | drawing order | [`DrawingTree::front_to_back`], [`DrawingTree::back_to_front`] | | the tree |
//!
//! # Exactness
//!
//! Single precision, in the order of operations of the retail client, without fused multiply-add:
//! the same input gives the same bits on every machine. Whether a tie counts is part of the
//! contract and stated for each query. Retail kept more digits in registers between steps, so a
//! result within about 1e-5 of a threshold may have been decided the other way. Casts and volumes
//! are not retail's; they compute in f64, with the same bits everywhere, too.
//!
//! Retail behaviour that looks like a mistake is kept, marked `Retail oddity` in the source, with a
//! test that fails when it is corrected: the sweep was tuned around it.
//!
//! Valid data has no NaN. With NaN, infinite or extreme numbers nothing panics or loops, but the
//! results are unspecified. Indices are checked when trees are built ([`TreeError`] names the
//! node), as is the depth ([`MAX_TREE_DEPTH`]) to which walks recurse.
//!
//! # What is not here
//!
//! Frames, planes and the bounding test of spheres are in [`threshold_land`]. How a mover reacts to
//! a result (steps, slides, landing, placement) is up to the sweep. Bad geometry is not repaired:
//! polygons are assumed to be convex.
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod bounds;
mod bsp;
mod cast;
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
pub use cast::{
    CastContact, MovingSphere, OrientedBox, Sector, TOUCHING_GAP, is_over_polygon,
    nearest_on_cylinder, nearest_on_polygon, nearest_on_sphere,
};
pub use constants::{
    CELL_MARGIN, FLOOR_Z, LANDING_Z, MAX_TREE_DEPTH, POLYGON_INTERPOLATION_FLOOR,
    SHAPE_INTERPOLATION_FLOOR, is_valid_walkable,
};
pub use convex::{clip, clip_outline, convex_hull, square_on_plane};
pub use cylinder::{Cylinder, CylinderNormal};
pub use polygon::{
    FacingTouch, Polygon, PolygonSet, Sides, SphereTouch, Winding, outline_contains_2d, plane_of,
};
pub use sphere::{sphere_collision_time, sphere_ray_time, spheres_collide};
