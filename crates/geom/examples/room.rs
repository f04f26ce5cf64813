//! Builds a room of ten by eight metres with a step along one wall by hand, queries its cell tree
//! and physics tree like a mover, and prints the results.
//!
//! `cargo run -p threshold-geom --example room`

use threshold_geom::{
    Bounds, CellTree, Containment, FLOOR_Z, PhysicsNode, PhysicsTree, PolygonHit, PolygonSet,
    Sides, TreeError, WalkableQuery, plane_of,
};
use threshold_land::vector::Vec3;
use threshold_land::{Plane, Sphere};

const ROOM: Bounds = Bounds { min: Vec3::ZERO, max: Vec3::new(10.0, 8.0, 3.0) };
/// Where the step begins, and how high it is.
const STEP_X: f32 = 7.0;
const STEP_Z: f32 = 0.4;
const NAMES: [&str; 7] = [
    "the lower floor",
    "the step",
    "its riser",
    "the west wall",
    "the east wall",
    "the south wall",
    "the north wall",
];

fn main() -> Result<(), TreeError> {
    let polygons = polygons();
    let cell = cell();
    let tree = tree(polygons)?;

    println!(
        "The room: {:?} to {:?}, a step of {STEP_Z} m from x = {STEP_X}.\n",
        ROOM.min, ROOM.max
    );
    println!("Containment? (the cell tree: {} planes)", cell.planes().len());
    for at in [[5.0, 4.0, 1.0], [0.2, 4.0, 1.0], [-0.3, 4.0, 1.0], [-2.0, 4.0, 1.0]] {
        inside(&cell, at);
    }
    println!(
        "\nTouches? (the physics tree: {} polygons, {} levels)",
        tree.polygons().len(),
        tree.depth()
    );
    for (at, movement) in [
        ([5.0, 4.0, 1.0], [0.3, 0.0, 0.0]),
        ([6.7, 4.0, 0.6], [0.3, 0.0, 0.0]),
        ([6.7, 4.0, 0.6], [-0.3, 0.0, 0.0]),
        ([9.7, 4.0, 1.5], [0.3, 0.0, 0.0]),
        ([5.0, 0.3, 1.5], [0.0, -0.3, 0.0]),
    ] {
        touches(&tree, at, movement);
    }
    println!("\nWalkable? (a step down of 0.4 m ends where?)");
    for at in [[5.0, 4.0, 0.3], [8.0, 4.0, 0.7], [5.0, 4.0, 1.5]] {
        walkable(&tree, at);
    }
    Ok(())
}

fn ball(at: [f32; 3]) -> Sphere {
    Sphere::new(at.into(), 0.48)
}

fn inside(cell: &CellTree, at: [f32; 3]) {
    let point = if cell.contains(at.into()) { "inside" } else { "outside" };
    let sphere = match cell.sphere_inside(&ball(at)) {
        Containment::Outside => "outside",
        Containment::Partially => "partly inside",
        Containment::Entirely => "all of it inside",
    };
    println!("  {at:?}: the point is {point}, a sphere of 0.48 m is {sphere}");
}

fn touches(tree: &PhysicsTree, at: [f32; 3], movement: [f32; 3]) {
    let mut struck = PolygonHit::default();
    let hit = tree.sphere_intersects_poly(&ball(at), movement.into(), &mut struck);
    let answer = match (hit, struck.polygon) {
        (true, Some(polygon)) => format!("runs into {}", NAMES[polygon as usize]),
        (false, Some(polygon)) => {
            format!("overlaps {}, but is leaving it", NAMES[polygon as usize])
        }
        (_, None) => "is free".to_owned(),
    };
    println!("  {at:?} moving {movement:?}: {answer}");
}

fn walkable(tree: &PhysicsTree, at: [f32; 3]) {
    let walk =
        WalkableQuery { movement: Vec3::new(0.0, 0.0, -0.4), up: Vec3::Z, allowance: FLOOR_Z };
    let (mut sphere, mut left) = (ball(at), 1.0);
    match tree.find_walkable(&mut sphere, &walk, &mut left) {
        Some(polygon) => println!(
            "  {at:?}: on {}, the centre at z = {:.2}, {:.0}% of the step done",
            NAMES[polygon as usize],
            sphere.centre.z,
            left * 100.0
        ),
        None => println!("  {at:?}: no ground"),
    }
}

/// A rectangle from its corner and two sides, facing `u x v`.
fn rectangle(corner: [f32; 3], u: [f32; 3], v: [f32; 3]) -> [Vec3; 4] {
    let [corner, u, v] = [corner, u, v].map(Vec3::from);
    [corner, corner + u, corner + u + v, corner + v]
}

/// In the order of [`NAMES`], all facing into the room.
fn polygons() -> PolygonSet {
    let [width, depth, height] = ROOM.max.to_array();
    let mut polygons = PolygonSet::new();
    for outline in [
        rectangle([0.0; 3], [STEP_X, 0.0, 0.0], [0.0, depth, 0.0]),
        rectangle([STEP_X, 0.0, STEP_Z], [width - STEP_X, 0.0, 0.0], [0.0, depth, 0.0]),
        rectangle([STEP_X, depth, 0.0], [0.0, -depth, 0.0], [0.0, 0.0, STEP_Z]),
        rectangle([0.0; 3], [0.0, depth, 0.0], [0.0, 0.0, height]),
        rectangle([width, depth, 0.0], [0.0, -depth, 0.0], [0.0, 0.0, height]),
        rectangle([width, 0.0, 0.0], [-width, 0.0, 0.0], [0.0, 0.0, height]),
        rectangle([0.0, depth, 0.0], [width, 0.0, 0.0], [0.0, 0.0, height]),
    ] {
        polygons.push(outline, Sides::Single);
    }
    polygons
}

/// The space between the walls, the lower floor and the ceiling.
fn cell() -> CellTree {
    let [width, depth, height] = ROOM.max.to_array();
    let walls = polygons();
    let mut planes: Vec<Plane> = [0, 3, 4, 5, 6].map(|i| walls.get(i).plane).into();
    planes.extend(plane_of(&rectangle([0.0, 0.0, height], [0.0, depth, 0.0], [width, 0.0, 0.0])));
    CellTree::new(planes)
}

/// Each wall is the cut of a node, with solid space behind it and the rest of the room in front;
/// the step divides what remains.
fn tree(polygons: PolygonSet) -> Result<PhysicsTree, TreeError> {
    let sphere = Sphere::new((ROOM.min + ROOM.max) / 2.0, 8.0);
    let cut = |polygon: u32, positive: Option<u32>, negative: u32| PhysicsNode::Split {
        plane: polygons.get(polygon).plane,
        sphere,
        positive,
        negative: Some(negative),
    };
    let matter =
        |polygons: &[u32]| PhysicsNode::Leaf { solid: true, sphere, polygons: polygons.to_vec() };
    let nodes = [
        cut(0, Some(1), 7),
        cut(3, Some(2), 8),
        cut(4, Some(3), 9),
        cut(5, Some(4), 10),
        cut(6, Some(5), 11),
        cut(2, None, 6),  // nothing over the lower floor ...
        cut(1, None, 12), // ... and nothing over the step
        matter(&[0]),
        matter(&[3]),
        matter(&[4]),
        matter(&[5]),
        matter(&[6]),
        matter(&[1, 2]),
    ];
    PhysicsTree::build(polygons, &nodes, 0)
}
