//! Every query compared with a slow and obvious version of itself, and tests with hostile numbers.
//!
//! `THRESHOLD_SOAK=1` runs twenty times as many cases.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "a test fails on unexpected values"
)]

mod shapes;

use proptest::prelude::*;
use shapes::{
    any_float, any_point, between, direction, furnished, hull, lerp, outline, overlapping, point,
    sampled_distance, slow_but_sure, soaked,
};
use threshold_geom::{
    Bounds, CellTree, Containment, Cylinder, DrawingItem, DrawingNode, DrawingTree, FLOOR_Z,
    POLYGON_INTERPOLATION_FLOOR, PhysicsNode, PhysicsTree, Polygon, PolygonHit, PolygonSet, Sides,
    SolidPoly, SphereTouch, WalkableQuery, Winding, plane_of, sphere_collision_time,
    sphere_ray_time,
};
use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{EPSILON, Plane, Side, Sphere};

/// Rounding may decide within this; far more than it can amount to here.
const SLACK: f32 = 1e-4;

fn planes() -> impl Strategy<Value = Vec<Plane>> {
    let plane = (direction(), between(-4.0, 8.0)).prop_map(|(normal, d)| Plane { normal, d });
    prop::collection::vec(plane, 0..9)
}

/// Signed distance, in double precision.
fn exact(plane: &Plane, p: Vec3) -> f32 {
    let product = |a: f32, b: f32| f64::from(a) * f64::from(b);
    let n = plane.normal;
    (product(n.x, p.x) + product(n.y, p.y) + product(n.z, p.z) + f64::from(plane.d)) as f32
}

proptest! {
    #![proptest_config(soaked(4096))]

    #[test]
    fn a_cell_contains_the_points_in_all_its_half_spaces(planes in planes(), p in point(6.0)) {
        prop_assume!(planes.iter().all(|plane| (exact(plane, p) + EPSILON).abs() > SLACK));
        let inside = planes.iter().all(|plane| exact(plane, p) > -EPSILON);
        prop_assert_eq!(CellTree::new(planes).contains(p), inside);
    }

    #[test]
    fn a_sphere_is_as_far_inside_as_its_nearest_plane_says(
        planes in planes(), centre in point(6.0), radius in between(0.1, 2.0),
    ) {
        let reach = radius + 0.01;
        let nearest = planes.iter().map(|p| exact(p, centre)).fold(f32::INFINITY, f32::min);
        prop_assume!((nearest.abs() - reach).abs() > SLACK);
        let want = if nearest < -reach {
            Containment::Outside
        } else if nearest < reach {
            Containment::Partially
        } else {
            Containment::Entirely
        };
        let tree = CellTree::new(planes);
        prop_assert_eq!(tree.sphere_inside(&Sphere::new(centre, radius)), want);
    }

    /// Exact to the bit: the farthest corner stands for all eight.
    #[test]
    fn a_box_is_out_when_all_its_corners_are_behind_one_plane(
        planes in planes(), a in point(6.0), b in point(6.0),
    ) {
        let bounds = Bounds::from_points([a, b]).unwrap();
        let behind = |plane: &Plane| {
            bounds.corners().iter().all(|&corner| plane.side(corner, EPSILON) == Side::Negative)
        };
        let want = !planes.iter().any(behind);
        prop_assert_eq!(CellTree::new(planes).box_intersects(&bounds), want);
    }

    #[test]
    fn a_box_with_a_point_inside_is_never_out(
        planes in planes(),
        a in point(6.0),
        b in point(6.0),
        at in prop::collection::vec(prop::array::uniform3(between(0.0, 1.0)), 64),
    ) {
        let bounds = Bounds::from_points([a, b]).unwrap();
        let tree = CellTree::new(planes);
        let within = |t: [f32; 3]| {
            let p = bounds.min + (bounds.max - bounds.min) * Vec3::from(t);
            p.clamp(bounds.min, bounds.max)
        };
        let inside = at.into_iter().map(within).find(|&p| tree.contains(p));
        if let Some(p) = inside {
            prop_assert!(tree.box_intersects(&bounds), "{} is inside", p);
        }
    }

    #[test]
    fn both_retail_bodies_of_the_sphere_test_agree(
        outline in outline(), at in overlapping(), radius in between(0.01, 2.0),
    ) {
        let Some(polygon) = Polygon::new(&outline, Sides::Single) else { return Ok(()) };
        let sphere = Sphere::new(at.about(&outline), radius);
        let touch = polygon.hits_sphere(&sphere);
        prop_assert_eq!(touch.touches(), slow_but_sure(&polygon, &sphere));
        prop_assert_eq!(touch == SphereTouch::Apart, touch.contact().is_none());
    }

    /// Whole coordinates, so that ties on edges and corners are exact.
    #[test]
    fn seen_from_above_a_level_polygon_contains_the_same_points(
        corners in prop::collection::vec((-8_i32..8, -8_i32..8), 3..12),
        p in (-20_i32..20, -20_i32..20),
        z in -4_i32..4,
    ) {
        let vertices: Vec<Vec3> = hull(corners).into_iter()
            .map(|(x, y)| Vec3::new(x as f32, y as f32, z as f32))
            .collect();
        let Some(polygon) = Polygon::new(&vertices, Sides::Single) else { return Ok(()) };
        let p = Vec2::new(p.0 as f32 / 2.0, p.1 as f32 / 2.0);
        let want = polygon.contains(p.extend(7.0));
        prop_assert_eq!(polygon.contains_2d(p, Winding::Positive), want);
        let reversed: Vec<Vec3> = vertices.iter().rev().copied().collect();
        let reversed = Polygon::new(&reversed, Sides::Single).unwrap();
        prop_assert_eq!(reversed.contains_2d(p, Winding::Negative), want);
    }

    #[test]
    fn a_sphere_backed_out_against_the_normal_is_tangent(
        outline in outline(), at in overlapping(), movement in point(1.0), before in between(0.1, 1.0),
    ) {
        let Some(polygon) = Polygon::new(&outline, Sides::Single) else { return Ok(()) };
        let start = Sphere::new(at.about(&outline), 0.5);
        let (mut sphere, mut left) = (start, before);
        if polygon.adjust_sphere_to_plane(&mut sphere, movement, &mut left) {
            prop_assert!(left < before && left >= POLYGON_INTERPOLATION_FLOOR);
            prop_assume!(movement.dot(polygon.plane.normal) < 0.0);
            let distance = exact(&polygon.plane, sphere.centre).abs();
            // The way back is long if the movement is almost along the plane.
            let way = (sphere.centre - start.centre).length();
            prop_assert!((distance - 0.5).abs() < SLACK * (1.0 + way), "{}", distance);
        } else {
            prop_assert_eq!((sphere, left), (start, before));
        }
    }

    #[test]
    fn a_moving_sphere_touches_at_the_time_of_collision(
        movement in point(4.0), displacement in point(6.0), radius_sum in between(0.2, 2.0),
    ) {
        let time = sphere_collision_time(movement, displacement, radius_sum);
        if time != -1.0 {
            let then = (displacement + movement * time).length();
            let way = (movement * time).length();
            prop_assert!((then - radius_sum).abs() < 1e-3 * (1.0 + way), "{} at {}", then, time);
        }
    }

    #[test]
    fn a_ray_ends_on_the_sphere(origin in point(6.0), direction in point(4.0), r in between(0.2, 3.0)) {
        let sphere = Sphere::new(Vec3::ONE, r);
        prop_assume!(direction.length() > 0.1);
        let nearest = {
            let from = origin - sphere.centre;
            (from - direction * (from.dot(direction) / direction.length_squared())).length()
        };
        prop_assume!((nearest - r).abs() > 0.01);
        let time = sphere_ray_time(&sphere, origin, direction);
        prop_assert_eq!(time.is_some(), nearest < r);
        if let Some(time) = time {
            let end = (origin + direction * time - sphere.centre).length();
            prop_assert!((end - r).abs() < 1e-3, "{}", end);
        }
    }
}

proptest! {
    #![proptest_config(soaked(512))]

    #[test]
    fn a_sphere_overlaps_a_polygon_when_a_point_of_it_is_near_enough(
        outline in outline(), at in overlapping(), radius in between(0.1, 2.0),
    ) {
        let Some(polygon) = Polygon::new(&outline, Sides::Double) else { return Ok(()) };
        let sphere = Sphere::new(at.about(&outline), radius);
        let (distance, spacing) = sampled_distance(&outline, sphere.centre);
        let reach = radius - EPSILON;
        // The nearest point of the polygon is nearer than the nearest sample, by at most one
        // spacing.
        prop_assume!(distance < reach - SLACK || distance > reach + spacing + SLACK);
        prop_assert_eq!(polygon.hits_sphere(&sphere).touches(), distance < reach);
    }

    #[test]
    fn a_tree_finds_the_same_as_a_test_of_every_polygon(
        (polygons, tree) in furnished(),
        queries in prop::collection::vec((overlapping(), any::<prop::sample::Index>()), 16),
        radius in between(0.05, 2.0),
        movement in point(1.0),
    ) {
        for (at, which) in queries {
            let which = which.index(polygons.len()) as u32;
            let sphere = Sphere::new(at.about(polygons.get(which).vertices), radius);
            let overlaps = polygons.iter().any(|p| p.hits_sphere(&sphere).touches());

            let mut struck = PolygonHit::default();
            let hit = tree.sphere_intersects_poly(&sphere, movement, &mut struck);
            let want = polygons.iter().any(|p| p.pos_hits_sphere(&sphere, movement).hit());
            prop_assert_eq!(hit, want);
            prop_assert_eq!(struck.polygon.is_some(), overlaps);
            if let Some(i) = struck.polygon {
                let met = tree.polygon(i).pos_hits_sphere(&sphere, movement);
                prop_assert!(met.touch.touches() && met.hit() == hit);
            }

            prop_assert_eq!(tree.sphere_intersects_solid(&sphere, false), overlaps);
            let mut found = SolidPoly::default();
            tree.sphere_intersects_solid_poly(&sphere, radius, true, &mut found);
            prop_assert_eq!(found.polygon.is_some(), overlaps);

            let walkable = |p: Polygon<'_>| {
                p.walkable_hits_sphere(&sphere, Vec3::Z, FLOOR_Z)
                    && p.check_small_walkable(&sphere, Vec3::Z)
            };
            let want = polygons.iter().any(walkable);
            prop_assert_eq!(tree.hits_walkable(&sphere, Vec3::Z, FLOOR_Z), want);

            let walk = WalkableQuery { movement, up: Vec3::Z, allowance: FLOOR_Z };
            let (mut moved, mut left) = (sphere, 1.0);
            match tree.find_walkable(&mut moved, &walk, &mut left) {
                Some(i) => {
                    prop_assert!((POLYGON_INTERPOLATION_FLOOR..1.0).contains(&left), "{}", left);
                    prop_assert!(tree.polygon(i).plane.normal.z > FLOOR_Z);
                }
                None => prop_assert_eq!((moved, left), (sphere, 1.0)),
            }
        }
    }

    /// Polygons across the x axis, each the cut of a node: from the eye outwards they come nearest
    /// first on either side, or farthest first in the other order.
    #[test]
    fn a_drawing_tree_sorts_by_distance_on_either_side_of_the_eye(
        places in prop::collection::vec(-50_i32..50, 1..60), eye in -50_i32..50,
    ) {
        let nodes = row(&places);
        let tree = DrawingTree::build(places.len() as u32, &nodes, 0).unwrap();
        let from = Vec3::new(eye as f32 + 0.5, 0.0, 0.0);
        let (mut near, mut far) = (Vec::new(), Vec::new());
        let x = |item| match item {
            DrawingItem::Polygon(i) => places[i as usize],
            DrawingItem::Portal(portal) => unreachable!("{portal:?}"),
        };
        tree.front_to_back(from, |item| near.push(x(item)));
        tree.back_to_front(from, |item| far.push(x(item)));
        far.reverse();
        for order in [near, far] {
            prop_assert_eq!(order.len(), places.len());
            let (east, west): (Vec<i32>, Vec<i32>) = order.into_iter().partition(|&x| x > eye);
            prop_assert!(east.is_sorted());
            prop_assert!(west.is_sorted_by_key(|x| -x));
        }
    }
}

/// An unbalanced tree: each position is inserted at the first free child.
fn row(places: &[i32]) -> Vec<DrawingNode> {
    let node = |i: u32| DrawingNode {
        plane: Plane { normal: Vec3::X, d: -places[i as usize] as f32 },
        sphere: None,
        positive: None,
        negative: None,
        polygons: vec![i],
        portals: vec![],
    };
    let mut nodes = vec![node(0)];
    for (i, &x) in (0..).zip(places).skip(1) {
        let mut at = 0_usize;
        loop {
            let side =
                if x > places[at] { &mut nodes[at].positive } else { &mut nodes[at].negative };
            match *side {
                Some(child) => at = child as usize,
                None => break *side = Some(i),
            }
        }
        nodes.push(node(i));
    }
    nodes
}

/// Nodes with links that are sometimes valid.
fn any_node() -> impl Strategy<Value = PhysicsNode> {
    let sphere = (any_point(), any_float()).prop_map(|(centre, radius)| Sphere { centre, radius });
    let plane = (any_point(), any_float()).prop_map(|(normal, d)| Plane { normal, d });
    let link = prop::option::of(0..12_u32);
    prop_oneof![
        (any::<bool>(), sphere.clone(), prop::collection::vec(0..4_u32, 0..3))
            .prop_map(|(solid, sphere, polygons)| PhysicsNode::Leaf { solid, sphere, polygons }),
        (plane, sphere, link.clone(), link).prop_map(|(plane, sphere, positive, negative)| {
            PhysicsNode::Split { plane, sphere, positive, negative }
        }),
    ]
}

proptest! {
    #![proptest_config(soaked(4096))]

    #[test]
    fn hostile_trees_are_refused_or_answer(
        mut nodes in prop::collection::vec(any_node(), 0..12),
        outlines in prop::collection::vec(prop::collection::vec(any_point(), 0..5), 0..5),
        straight in any::<bool>(),
        (a, b, r) in (any_point(), any_point(), any_float()),
    ) {
        if straight {
            // A chain, so that more nodes can be walked.
            for (next, node) in (1..).zip(&mut nodes) {
                if let PhysicsNode::Split { positive, negative, .. } = node {
                    (*positive, *negative) = (Some(next), None);
                }
            }
        }
        let mut polygons = PolygonSet::new();
        for outline in outlines {
            polygons.push(outline, Sides::Single);
        }
        let Ok(tree) = PhysicsTree::build(polygons, &nodes, 0) else { return Ok(()) };
        let mut sphere = Sphere::new(a, r);
        let _ = tree.sphere_intersects_poly(&sphere, b, &mut PolygonHit::default());
        let _ = tree.sphere_intersects_solid(&sphere, true);
        let _ = tree.sphere_intersects_solid_poly(&sphere, r, true, &mut SolidPoly::default());
        let _ = tree.hits_walkable(&sphere, b, r);
        let walk = WalkableQuery { movement: b, up: a, allowance: r };
        let _ = tree.find_walkable(&mut sphere, &walk, &mut 1.0);
        let _ = (tree.point_intersects_solid(b), tree.heap_size());
    }

    #[test]
    fn hostile_numbers_never_panic(
        vertices in prop::collection::vec(any_point(), 0..6),
        (a, b, r, s) in (any_point(), any_point(), any_float(), any_float()),
    ) {
        if let Some(plane) = plane_of(&vertices) {
            prop_assert!((plane.normal.length() - 1.0).abs() < 1e-5 && plane.d.is_finite());
        }
        let polygon = Polygon { vertices: &vertices, plane: Plane { normal: b, d: s }, sides: Sides::Single };
        let mut sphere = Sphere::new(a, r);
        let _ = polygon.pos_hits_sphere(&sphere, b);
        let _ = (polygon.check_walkable(&sphere, b), polygon.find_crossed_edge(&sphere, b));
        let _ = (polygon.ray_time(a, b), polygon.contains_2d(a.truncate(), Winding::Positive));
        let _ = polygon.adjust_sphere_to_poly(r, a, b);
        let _ = polygon.adjust_sphere_to_plane(&mut sphere, b, &mut 1.0);
        let pillar = Cylinder { low: b, radius: r, height: s };
        let _ = (pillar.collides_with_sphere(r, a, s), pillar.collision_normal(r, a, s, b));
        let _ = (sphere_collision_time(a, b, r), sphere_ray_time(&sphere, a, b));
        let cell = CellTree::new(vec![Plane { normal: a, d: r }]);
        let bounds = Bounds { min: a, max: b };
        let _ = (cell.contains(b), cell.sphere_inside(&sphere), cell.box_intersects(&bounds));
        let _ = (Bounds::from_points(vertices.iter().copied()), bounds.mapped(|v| v * r));
    }

    #[test]
    fn points_between_two_points_are_in_their_box(a in point(9.0), b in point(9.0), t in between(0.0, 1.0)) {
        let bounds = Bounds::from_points([a, b]).unwrap();
        let corner = Bounds { min: a, max: a };
        prop_assert_eq!(bounds.union(&corner), bounds);
        let p = lerp(a, b, t);
        prop_assert!(bounds.contains(p.clamp(bounds.min, bounds.max)));
        let turned = bounds.mapped(|v| Vec3::new(-v.y, v.x, v.z));
        prop_assert!(turned.contains(Vec3::new(-a.y, a.x, a.z)));
    }
}
