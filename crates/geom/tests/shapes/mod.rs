//! Random shapes, and slow versions of the queries about them.

use proptest::prelude::*;
use threshold_geom::{Bounds, PhysicsNode, PhysicsTree, Polygon, PolygonSet, Sides, convex_hull};
use threshold_land::vector::Vec3;
use threshold_land::{EPSILON, Plane, Rotation, Sphere};

pub(crate) fn soaked(cases: u32) -> ProptestConfig {
    let times = if std::env::var_os("THRESHOLD_SOAK").is_some() { 20 } else { 1 };
    let cases = cases * times;
    // Cases too near a threshold are skipped; that may be every other one.
    ProptestConfig { max_global_rejects: cases, ..ProptestConfig::with_cases(cases) }
}

/// A number in a range, both ends possible.
///
/// Not a range of floats: proptest's sampler of these stops at an assertion of its own, once in
/// millions.
pub(crate) fn between(low: f32, high: f32) -> impl Strategy<Value = f32> + Clone {
    const STEPS: u32 = 1 << 24;
    (0..=STEPS).prop_map(move |step| low + (high - low) * (step as f32 / STEPS as f32))
}

/// Any float a caller could pass, often a hostile one.
pub(crate) fn any_float() -> impl Strategy<Value = f32> + Clone {
    prop_oneof![
        Just(f32::NAN),
        Just(f32::INFINITY),
        Just(f32::MAX),
        Just(0.0_f32),
        any::<u32>().prop_map(f32::from_bits),
        between(-10.0, 10.0),
        between(-10.0, 10.0),
        between(-10.0, 10.0),
    ]
}

pub(crate) fn any_point() -> impl Strategy<Value = Vec3> + Clone {
    prop::array::uniform3(any_float()).prop_map(Vec3::from)
}

pub(crate) fn point(reach: f32) -> impl Strategy<Value = Vec3> + Clone {
    prop::array::uniform3(between(-reach, reach)).prop_map(Vec3::from)
}

pub(crate) fn direction() -> impl Strategy<Value = Vec3> + Clone {
    point(1.0).prop_filter("long enough", |v| v.length() > 0.1).prop_map(Vec3::normalize)
}

pub(crate) fn lerp(a: Vec3, b: Vec3, t: f32) -> Vec3 {
    a + (b - a) * t
}

/// A convex outline, counter-clockwise seen from its front: corners on an ellipse, anywhere and
/// turned in any way.
pub(crate) fn outline() -> impl Strategy<Value = Vec<Vec3>> {
    let corners = prop::collection::vec(-40_i32..40, 3..9);
    let turn = prop::array::uniform4(between(-1.0, 1.0));
    (corners, between(0.3, 4.0), between(0.3, 4.0), turn, point(3.0)).prop_filter_map(
        "three corners",
        |(mut corners, width, height, [w, x, y, z], origin)| {
            corners.sort_unstable();
            corners.dedup();
            let rows = Rotation::new(w, x, y, z).normalised()?.rows();
            let corner = |t: i32| {
                // A fraction that runs once around the circle.
                let t = t as f32 / 10.0;
                let (cos, sin) = ((1.0 - t * t) / (1.0 + t * t), 2.0 * t / (1.0 + t * t));
                origin + rows.to_global(Vec3::new(cos * width, sin * height, 0.0))
            };
            (corners.len() >= 3).then(|| corners.into_iter().map(corner).collect())
        },
    )
}

/// A position relative to an outline that is chosen later.
#[derive(Clone, Debug)]
pub(crate) struct Near {
    from: prop::sample::Index,
    to: prop::sample::Index,
    between: f32,
    off: Vec3,
}

impl Near {
    pub(crate) fn about(&self, outline: &[Vec3]) -> Vec3 {
        let (from, to) = (self.from.get(outline), self.to.get(outline));
        lerp(*from, *to, self.between) + self.off
    }
}

/// Positions in, at the edge of, beside, above and below an outline.
pub(crate) fn overlapping() -> impl Strategy<Value = Near> {
    let corner = any::<prop::sample::Index>();
    (corner.clone(), corner, between(-0.3, 1.3), point(1.2))
        .prop_map(|(from, to, between, off)| Near { from, to, between, off })
}

/// The other body of retail's sphere test: inside all edges first, then the edges again.
///
/// Retail: `CPolygon::polygon_hits_sphere_slow_but_sure`.
pub(crate) fn slow_but_sure(polygon: &Polygon<'_>, sphere: &Sphere) -> bool {
    let distance = polygon.plane.distance(sphere.centre);
    let reach = sphere.radius - EPSILON;
    if reach < distance.abs() {
        return false;
    }
    let band = reach * reach - distance * distance;
    let contact = sphere.centre - polygon.plane.normal * distance;
    if polygon.contains(contact) {
        return true;
    }
    let count = polygon.vertices.len();
    for i in 0..count {
        let (a, b) = (polygon.vertices[(i + count - 1) % count], polygon.vertices[i]);
        let (edge, offset) = (b - a, contact - a);
        let inward = polygon.plane.normal.cross(edge);
        let depth = offset.dot(inward);
        if depth < 0.0 {
            if inward.length_squared() * band < depth * depth {
                return false;
            }
            let along = offset.dot(edge);
            if along >= 0.0 && along <= edge.length_squared() {
                return true;
            }
        }
        if offset.length_squared() <= band {
            return true;
        }
    }
    false
}

/// The distance to the nearest of many points of an outline, and their spacing.
pub(crate) fn sampled_distance(outline: &[Vec3], p: Vec3) -> (f32, f32) {
    const STEPS: u8 = 48;
    let (mut nearest, mut longest) = (f32::INFINITY, 0.0_f32);
    for i in 1..outline.len() - 1 {
        let (a, b, c) = (outline[0], outline[i], outline[i + 1]);
        for (from, to) in [(a, b), (b, c), (c, a)] {
            longest = longest.max((to - from).length());
        }
        for row in 0..=STEPS {
            for column in 0..=STEPS - row {
                let (u, v) = (f32::from(row), f32::from(column));
                let q = a + ((b - a) * u + (c - a) * v) / f32::from(STEPS);
                nearest = nearest.min((q - p).length());
            }
        }
    }
    (nearest, longest / f32::from(STEPS))
}

/// Returns the convex hull of points, counter-clockwise, without points on its sides.
pub(crate) fn hull(mut points: Vec<(i32, i32)>) -> Vec<(i32, i32)> {
    points.sort_unstable();
    points.dedup();
    let turns_left = |a: (i32, i32), b: (i32, i32), c: (i32, i32)| {
        (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0) > 0
    };
    let mut outline = Vec::new();
    convex_hull(points.iter().copied(), turns_left, &mut outline);
    outline
}

/// Polygons, and a tree over them with cuts anywhere.
pub(crate) fn furnished() -> impl Strategy<Value = (PolygonSet, PhysicsTree)> {
    let outlines = prop::collection::vec(outline(), 1..24);
    let cuts = prop::collection::vec(direction(), 1..32);
    (outlines, cuts, any::<bool>()).prop_map(|(outlines, cuts, solid)| {
        let mut polygons = PolygonSet::new();
        for outline in outlines {
            polygons.push(outline, Sides::Single);
        }
        let all = (0..polygons.len() as u32).filter(|&i| !polygons.is_degenerate(i)).collect();
        let mut builder = Builder { polygons: &polygons, cuts: &cuts, solid, nodes: Vec::new() };
        let root = builder.grow(all, 0);
        let nodes = builder.nodes;
        let tree = PhysicsTree::build(polygons.clone(), &nodes, root).unwrap();
        (polygons, tree)
    })
}

struct Builder<'a> {
    polygons: &'a PolygonSet,
    cuts: &'a [Vec3],
    solid: bool,
    nodes: Vec<PhysicsNode>,
}

impl Builder<'_> {
    /// Builds a branch over these polygons; one that crosses a cut, or nearly, goes to both sides.
    fn grow(&mut self, members: Vec<u32>, depth: usize) -> u32 {
        const MARGIN: f32 = 0.01;
        let sphere = self.around(&members);
        let node = if members.len() <= 2 || depth == 6 {
            PhysicsNode::Leaf { solid: self.solid, sphere, polygons: members }
        } else {
            let normal = self.cuts[(depth + self.nodes.len()) % self.cuts.len()];
            let through = self.polygons.get(members[members.len() / 2]).vertices[0];
            let plane = Plane::through(normal, through);
            let side = |holds: &dyn Fn(f32) -> bool| {
                let reaches = |&&i: &&u32| {
                    self.polygons.get(i).vertices.iter().any(|&v| holds(plane.distance(v)))
                };
                members.iter().filter(reaches).copied().collect::<Vec<u32>>()
            };
            let (front, back) = (side(&|d| d > -MARGIN), side(&|d| d < MARGIN));
            let positive = Some(self.grow(front, depth + 1));
            let negative = Some(self.grow(back, depth + 1));
            PhysicsNode::Split { plane, sphere, positive, negative }
        };
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    fn around(&self, members: &[u32]) -> Sphere {
        let points = || members.iter().flat_map(|&i| self.polygons.get(i).vertices).copied();
        let Some(bounds) = Bounds::from_points(points()) else {
            return Sphere::new(Vec3::ZERO, 0.0);
        };
        let centre = (bounds.min + bounds.max) / 2.0;
        let radius = points().map(|p| (p - centre).length()).fold(0.0, f32::max);
        Sphere::new(centre, radius + 1e-3)
    }
}
