//! Which rooms contain a point, compared with the descriptions that come with the sample worlds.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "a test fails on unexpected values"
)]

use serde_json::Value;
use threshold_land::CellId;
use threshold_land::vector::Vec3;
use threshold_testkit::{Random, data_path, sample_world};

/// A room as a prism over its floor, which may slope.
struct Prism {
    id: CellId,
    floor: Vec<[f64; 3]>,
    height: f64,
}

impl Prism {
    fn new(cell: &Value) -> Self {
        let corner = |v: &Value| [0, 1, 2].map(|axis| v[axis].as_f64().unwrap());
        Self {
            id: cell["id"].as_str().unwrap().parse().unwrap(),
            floor: cell["floor"].as_array().unwrap().iter().map(corner).collect(),
            height: cell["height"].as_f64().unwrap(),
        }
    }

    /// Returns the distance to the nearest face, negative outside.
    fn depth(&self, [x, y, z]: [f64; 3]) -> f64 {
        let [a, b, c] = [self.floor[0], self.floor[1], self.floor[2]];
        let (u, v) = ([0, 1, 2].map(|i| b[i] - a[i]), [0, 1, 2].map(|i| c[i] - a[i]));
        let normal =
            [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        let length = normal.iter().map(|n| n * n).sum::<f64>().sqrt();
        let slope = normal[2] / length;
        let above =
            (normal[0] * (x - a[0]) + normal[1] * (y - a[1]) + normal[2] * (z - a[2])) / length;
        let mut depth = above.min(self.height * slope - above);
        for (index, a) in self.floor.iter().enumerate() {
            let b = self.floor[(index + 1) % self.floor.len()];
            let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
            depth = depth.min((dx * (y - a[1]) - dy * (x - a[0])) / dx.hypot(dy));
        }
        depth
    }

    fn bounds(&self) -> [(f64, f64); 3] {
        [0, 1, 2].map(|axis| {
            let values = self.floor.iter().map(|corner| corner[axis]);
            let fold = |pick: fn(f64, f64) -> f64, start| values.clone().fold(start, pick);
            let extra = if axis == 2 { self.height } else { 0.0 };
            (fold(f64::min, f64::INFINITY), fold(f64::max, f64::NEG_INFINITY) + extra)
        })
    }
}

/// Tests every room of the world with random points in and around random rooms.
fn check(name: &str) {
    let world = sample_world(name);
    let description = std::fs::read_to_string(data_path(name).join("world.json")).unwrap();
    let description: Value = serde_json::from_str(&description).unwrap();
    let prisms: Vec<Prism> =
        description["cells"].as_array().unwrap().iter().map(Prism::new).collect();
    let (mut random, mut asked, mut inside) = (Random(7), 0, 0);
    while asked < 100_000 {
        let home = &prisms[random.below(prisms.len())];
        let [x, y, z] = home
            .bounds()
            .map(|(low, high)| f64::from(random.between(low - 0.5, high + 0.5) as f32));
        let point = [x, y, z];
        let local = || prisms.iter().filter(|other| other.id.block() == home.id.block());
        if local().any(|prism| prism.depth(point).abs() < 0.001) {
            continue;
        }
        asked += 1;
        for prism in local() {
            let want = prism.depth(point) > 0.0;
            let point = Vec3::new(x as f32, y as f32, z as f32);
            let got = world.room(prism.id).unwrap().contains(point);
            assert_eq!(got, want, "{} {point}", prism.id);
            inside += usize::from(want);
        }
    }
    assert!(inside > 30_000, "{inside} points in rooms");
}

#[test]
fn containment_in_the_rooms_of_holt_matches_their_description() {
    check("holt");
}

#[test]
fn containment_in_the_rooms_of_the_dungeon_matches_their_description() {
    check("dungeon");
}
