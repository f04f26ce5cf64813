//! `threshold export`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

#[path = "export/glb.rs"]
mod glb;

use std::path::Path;
use std::process::{Command, Output};

use glam::Vec3;
use serde_json::Value;
use tempfile::TempDir;
use threshold_dat::{EnvCell, Environment, GfxObj, RecordId, Records};
use threshold_testkit::{data_path, sample_source, write_damaged_world};
use threshold_visuals::mesh::{Mesh, PortalPolygons};

use self::glb::{Corner, Glb, index, transform};

/// Runs `threshold export ARGUMENTS --out FILE`, in a world of the test data or in the built-in one.
fn export_to(file: &Path, world: Option<&Path>, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
    command.arg("export");
    if let Some(folder) = world {
        command.arg("--dats").arg(folder);
    }
    command.args(arguments).arg("--out").arg(file).output().unwrap()
}

/// The bytes of the file, and the printed text.
#[track_caller]
fn export(world: &str, arguments: &[&str]) -> (Vec<u8>, String) {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("out.glb");
    let dats = (world != "built-in").then(|| data_path(world));
    let output = export_to(&file, dats.as_deref(), arguments);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && errors.is_empty(), "{arguments:?}: {errors}");
    (std::fs::read(file).unwrap(), String::from_utf8(output.stdout).unwrap())
}

#[track_caller]
fn glb(world: &str, arguments: &[&str]) -> Glb {
    Glb::checked(&export(world, arguments).0)
}

#[test]
fn files_are_valid_open_in_another_reader_and_are_always_the_same() {
    for (world, arguments, what) in [
        ("built-in", &["A9B4"][..], "1 landblock, 10 buildings, 44 rooms, 115 objects, 18 lights;"),
        ("built-in", &["0xACB40100"], "113 rooms"),
        ("holt", &["A9B4"], "1 landblock, 30 buildings, 118 rooms, 29 objects;"),
        ("holt", &["42.1N, 33.6E", "--blocks", "2x3"], "6 landblocks"),
        ("dungeon", &["0102"], "82 rooms"),
        ("dungeon", &[], "82 rooms"),
    ] {
        let (bytes, printed) = export(world, arguments);
        assert!(printed.contains(what), "{printed}");
        assert!(printed.trim_end().ends_with(" bytes"), "{printed}");
        Glb::checked(&bytes);
        let (document, buffers, images) = gltf::import_slice(&bytes).unwrap();
        assert_eq!((document.scenes().len(), buffers.len()), (1, 1));
        assert_eq!(document.images().len(), images.len());
        assert!(images.iter().all(|image| image.width > 0 && image.height > 0));
        assert!(export(world, arguments).0 == bytes, "{world} {arguments:?}");
    }
}

#[test]
fn the_report_as_json_counts_what_is_in_the_file() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("out.glb");
    let output = export_to(&file, None, &["A9B5", "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let glb = Glb::checked(&std::fs::read(&file).unwrap());
    let lights = glb.list("nodes").iter().filter(|node| !node["extensions"].is_null()).count();
    for (name, count) in [
        ("buildings", glb.kind("building").count()),
        ("rooms", glb.kind("room").count()),
        ("objects", glb.kind("object").count()),
        ("scenery", glb.kind("scenery").count()),
        ("landblocks", glb.kind("landblock").count()),
        ("lights", lights),
        ("nodes", glb.list("nodes").len()),
        ("materials", glb.list("materials").len()),
        ("images", glb.list("images").len()),
    ] {
        assert_eq!(index(&report[name]), count, "{name}");
    }
    assert!(glb.kind("scenery").count() > 0);
    assert_eq!(report["left_out"], Value::Array(Vec::new()));
    let used = glb.list("nodes").iter().filter(|node| !node["mesh"].is_null());
    let used: usize = used.map(|node| glb.triangles(index(&node["mesh"])).len()).sum();
    assert_eq!(index(&report["triangles"]), used);
}

/// The number of triangles of a node's record.
fn expected(records: &mut Records<'_>, node: &Value) -> usize {
    let id = |name: &str| node["extras"][name].as_str().unwrap().parse::<RecordId>().unwrap();
    let mesh = match node["extras"]["kind"].as_str().unwrap() {
        "room" => {
            let room: EnvCell = records.get(id("cell")).unwrap().unwrap();
            let shapes: Environment = records.get(room.environment_id()).unwrap().unwrap();
            Mesh::of_room(&room, shapes.structure(room.structure.into()).unwrap())
        }
        kind => {
            let model: GfxObj = records.get(id("model")).unwrap().unwrap();
            let is_building = kind == "building";
            Mesh::of_model(
                &model,
                if is_building { PortalPolygons::Omitted } else { PortalPolygons::Kept },
            )
        }
    };
    mesh.vertices.len() / 3
}

#[test]
fn every_triangle_of_the_records_is_in_the_file() {
    for (world, place) in [("holt", "A9B4"), ("dungeon", "0102")] {
        let folder = sample_source(world);
        let mut records = Records::new(&folder);
        let glb = glb(world, &[place]);
        let is_bare = |node: &&Value| {
            let model = node["extras"]["model"].as_str();
            !node["mesh"].is_null() && model.is_none_or(|model| model.starts_with("0x01"))
        };
        let kinds = ["room", "building", "object"];
        let nodes: Vec<_> = kinds.iter().flat_map(|kind| glb.kind(kind)).filter(is_bare).collect();
        assert!(nodes.len() > 80, "{}", nodes.len());
        for node in nodes {
            let found = glb.triangles(index(&node["mesh"])).len();
            assert_eq!(found, expected(&mut records, node), "{}", node["name"]);
        }
    }
    let village = glb("built-in", &["A9B4"]);
    let ground = village.node("landblock 0xA9B4FFFF");
    assert_eq!(village.triangles(index(&ground["mesh"])).len(), 128);
}

/// The distance of a point from the plane of a triangle; infinity if it projects outside the triangle.
fn distance([a, b, c]: [Vec3; 3], point: Vec3) -> f32 {
    let normal = (b - a).cross(c - a).normalize_or_zero();
    let is_outside = |from: Vec3, to: Vec3| (to - from).cross(point - from).dot(normal) < 0.0;
    if normal == Vec3::ZERO || is_outside(a, b) || is_outside(b, c) || is_outside(c, a) {
        return f32::INFINITY;
    }
    (point - a).dot(normal).abs()
}

/// Converts a point of the world, with z up, to the file, with y up.
fn y_up(point: Vec3) -> Vec3 {
    Vec3::new(point.x, point.z, -point.y)
}

/// The centres of a room's portals in room space, with y up, and whether they lead outdoors.
fn portals(records: &mut Records<'_>, room: &EnvCell) -> Vec<(Vec3, bool)> {
    let shapes: Environment = records.get(room.environment_id()).unwrap().unwrap();
    let shape = shapes.structure(room.structure.into()).unwrap();
    let middle = |polygon: u16| {
        let polygon = shape.drawing.by_id(polygon).unwrap();
        let corners = polygon.vertex_ids.iter().map(|id| shape.vertices.by_id(*id).unwrap());
        let count = u16::try_from(polygon.vertex_ids.len()).unwrap();
        corners.map(|corner| Vec3::from(corner.position.to_array())).sum::<Vec3>()
            / f32::from(count)
    };
    let all = room.portals.iter();
    all.map(|portal| (y_up(middle(portal.polygon)), portal.neighbour().is_none())).collect()
}

#[test]
fn portals_are_not_closed_by_triangles() {
    for (world, place) in [("holt", "A9B4"), ("dungeon", "0102")] {
        let folder = sample_source(world);
        let mut records = Records::new(&folder);
        let glb = glb(world, &[place]);
        let shape = |node: &Value| {
            let corners = glb.triangles(index(&node["mesh"]));
            corners.into_iter().map(|triangle| triangle.map(|corner: Corner| corner.position))
        };
        let mut shells = Vec::new();
        for building in glb.kind("building") {
            let stands = transform(building);
            let points = shape(building);
            shells.extend(points.map(|all| all.map(|point| stands.transform_point3(point))));
        }
        let (mut inner, mut outer) = (0, 0);
        for node in glb.kind("room") {
            let id = node["extras"]["cell"].as_str().unwrap().parse().unwrap();
            let room: EnvCell = records.get(id).unwrap().unwrap();
            let walls: Vec<_> = shape(node).collect();
            for (middle, leads_outside) in portals(&mut records, &room) {
                let free = |all: &[[Vec3; 3]], point| {
                    all.iter().all(|triangle| distance(*triangle, point) > 1e-3)
                };
                assert!(free(&walls, middle), "a portal of {id}");
                inner += 1;
                if leads_outside {
                    let point = transform(node).transform_point3(middle);
                    assert!(free(&shells, point), "the shell at a portal of {id}");
                    outer += 1;
                }
            }
        }
        assert!(inner > 80 && (outer > 0 || world == "dungeon"), "{inner} {outer}");
    }
}

#[test]
fn the_ground_is_at_its_height_minus_a_centimetre() {
    let glb = glb("holt", &["A9B4"]);
    let ground = glb.node("landblock 0xA9B4FFFF");
    let corners = glb.triangles(index(&ground["mesh"]));
    let corners: Vec<Corner> = corners.into_iter().flatten().collect();
    // A floor at height 40 lies on ground of height 40.
    let level = corners.iter().find(|corner| (corner.position.y - 39.99).abs() < 1e-4);
    assert!(level.is_some(), "the ground is drawn 0.01 m lower");
    for Corner { position, normal, uv } in corners {
        assert!(normal.y > 0.0, "{normal}");
        let on_texture = Vec3::new(uv.x * 192.0, position.y, (uv.y - 1.0) * 192.0);
        assert!((position - on_texture).length() < 1e-3, "north is the top of the texture");
    }
}

#[test]
fn normals_are_continuous_across_landblocks() {
    let glb = glb("built-in", &["A9B4", "--blocks", "3", "--no-interiors", "--no-scenery"]);
    let mut seen: std::collections::BTreeMap<[i32; 2], Vec3> = std::collections::BTreeMap::new();
    let mut shared = 0;
    for node in glb.kind("landblock") {
        let stands = transform(node);
        for corner in glb.triangles(index(&node["mesh"])).into_iter().flatten() {
            let point = stands.transform_point3(corner.position);
            #[allow(clippy::cast_possible_truncation, reason = "corners are whole metres apart")]
            let key = [point.x.round() as i32, point.z.round() as i32];
            let first = *seen.entry(key).or_insert(corner.normal);
            assert!((first - corner.normal).length() < 1e-5, "{key:?}");
            shared += 1;
        }
    }
    assert_eq!((seen.len(), shared), (25 * 25, 9 * 128 * 3));
}

#[test]
fn objects_of_a_room_are_its_children_at_their_positions() {
    let folder = sample_source("holt");
    let mut records = Records::new(&folder);
    let glb = glb("holt", &["A9B4"]);
    let mut count = 0;
    for node in glb.kind("room") {
        let id = node["extras"]["cell"].as_str().unwrap().parse().unwrap();
        let room: EnvCell = records.get(id).unwrap().unwrap();
        let children = node["children"].as_array().map_or(&[][..], Vec::as_slice);
        assert_eq!(children.len(), room.statics.len(), "{id}");
        for (child, stab) in children.iter().zip(&room.statics) {
            let child = &glb.list("nodes")[index(child)];
            assert_eq!(child["extras"]["cell"], id.to_string());
            let stands = (transform(node) * transform(child)).transform_point3(Vec3::ZERO);
            let expected = y_up(stab.frame.origin.to_array().into());
            assert!((stands - expected).length() < 1e-3, "{stands} instead of {expected}");
            count += 1;
        }
    }
    assert!(count > 5, "{count}");
}

#[test]
fn options_leave_out_rooms_and_scenery() {
    let all = glb("built-in", &["A9B5"]);
    let bare = glb("built-in", &["A9B5", "--no-interiors", "--no-scenery"]);
    assert!(all.kind("room").count() > 0 && all.kind("scenery").count() > 0);
    assert_eq!((bare.kind("room").count(), bare.kind("scenery").count()), (0, 0));
    assert_eq!(all.kind("building").count(), bare.kind("building").count());
    let joined = glb("holt", &["0xA9B40164"]);
    assert_eq!(joined.kind("room").count(), 9);
    assert!(joined.node("landblock 0xA9B4FFFF")["mesh"].is_null(), "rooms come without land");
    joined.node("room 0xA9B40157");
}

#[test]
fn wrong_arguments_are_refused_with_a_reason() {
    let folder = TempDir::new().unwrap();
    let (good, holt) = (folder.path().join("out.glb"), data_path("holt"));
    for (file, arguments, message) in [
        (folder.path().join("out.gltf"), &["A9B4"][..], "the file must be a .glb file"),
        (folder.path().join("no/out.glb"), &["A9B4"], "cannot be written"),
        (good.clone(), &["0000"], "landblock 0000 has neither land nor rooms"),
        (good.clone(), &["0xA9B4FFF0"], "room 0xA9B4FFF0 does not exist"),
        (good.clone(), &["0xA9B40164", "--blocks", "2"], "--blocks: 0xA9B40164 is a room"),
        (good.clone(), &["0xA9B40164", "--no-interiors"], "--no-interiors: 0xA9B40164 is a room"),
    ] {
        let output = export_to(&file, Some(&holt), arguments);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && errors.contains(message), "{errors}");
        assert!(!file.exists(), "{arguments:?}");
    }
}

#[test]
fn damaged_records_are_left_out_and_listed() {
    let whole = glb("holt", &["A9B4"]);
    let images = |glb: &Glb| glb.list("images").len();
    let rooms = |glb: &Glb| glb.kind("room").count();
    for (id, named, rooms_less, images_less) in [
        (0xA9B4_0157, "room 0xA9B40157: ", 1, 0),
        (0x0800_010D, "0x0800010D: ", 0, 1),
        (0x0600_0100, "image of surface 0x08000100: ", 0, 1),
        (0x0600_0201, "terrain texture: ", 0, 0),
        (0x0600_0234, "terrain texture: ", 0, 0),
    ] {
        let folder = TempDir::new().unwrap();
        write_damaged_world("holt", folder.path(), id);
        let file = folder.path().join("out.glb");
        let output = export_to(&file, Some(folder.path()), &["A9B4"]);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{errors}");
        assert!(errors.starts_with("threshold: left out: ") && errors.contains(named), "{errors}");
        let glb = Glb::checked(&std::fs::read(&file).unwrap());
        assert_eq!(rooms(&glb), rooms(&whole) - rooms_less, "{named}");
        assert_eq!(images(&glb), images(&whole) - images_less, "{named}");
    }
}
