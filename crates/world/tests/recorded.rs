//! The ground, compared with the records of two independent implementations.
//! (`threshold-conformance` compares cell arrays and containing cells.)

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test fails on unexpected values"
)]

use serde_json::Value;
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Plane};
use threshold_testkit::{data_path, sample_world};

fn lines(name: &str) -> Vec<Value> {
    let path = data_path("conformance").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn cell(value: &Value) -> CellId {
    value.as_str().unwrap().parse().unwrap()
}

fn float(value: &Value) -> f32 {
    value.as_f64().unwrap() as f32
}

fn point(value: &Value) -> Vec3 {
    Vec3::new(float(&value[0]), float(&value[1]), float(&value[2]))
}

/// The listed planes that are not ground planes, without their reasons.
fn not_ground() -> Vec<String> {
    let path = data_path("conformance").join("holt-land-planes-not-ground.txt");
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| line.split(" : ").next().unwrap().to_owned()).collect()
}

/// Contact planes in a land cell belong to the ground or to an object on it. The latter
/// are listed; a listed plane that is the ground's after all fails.
#[test]
fn recorded_contact_planes_on_land() {
    let world = sample_world("holt");
    let (mut listed, mut steps) = (not_ground(), 0);
    for line in lines("holt-land-planes.jsonl") {
        let want = Plane { normal: point(&line["plane"]), d: float(&line["plane"][3]) };
        let land = world.land_cell(cell(&line["cell"])).unwrap();
        let is_it = |number: usize| {
            let plane = land.land().terrain().plane(number);
            (plane.normal - want.normal).abs().max_element() < 1e-6
                && (plane.d - want.d).abs() < 1e-6 * want.d.abs().max(1.0)
        };
        let name = format!("{} {}", line["cell"].as_str().unwrap(), line["plane"]);
        if let Some(at) = listed.iter().position(|known| *known == name) {
            listed.remove(at);
            let at = point(&line["pos"]).truncate();
            let ground = land.land().terrain().height(at).unwrap();
            let slopes =
                |number| (land.land().terrain().plane(number).normal - want.normal).length() < 0.01;
            if want.normal.z == 1.0 {
                let height = want.height(at.x, at.y).unwrap();
                assert!(
                    height > ground + 0.004,
                    "{name}: {height} lies at most 4 mm above {ground}"
                );
            } else {
                let slope = slopes(2 * land.index()) || slopes(2 * land.index() + 1);
                assert!(!slope, "{name} slopes as the ground does");
            }
        } else {
            let found = [2 * land.index(), 2 * land.index() + 1].into_iter().any(is_it);
            assert!(found, "{name} is not a ground plane");
            steps += line["steps"].as_u64().unwrap();
        }
    }
    assert!(listed.is_empty(), "listed, but not recorded: {listed:?}");
    assert!(steps > 10_000, "{steps} steps on the ground");
}
