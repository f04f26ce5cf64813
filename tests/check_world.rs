//! `threshold check` on worlds that can be read and are wrong.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;
use threshold_dat::{
    BspNode, BspTree, Building, CellStructure, ContainerWriter, DatFolder, EnvCell, EnvCellFlags,
    Environment, LandBlock, LandBlockInfo, NewRecord, Polygons, Record, RecordId, Records,
    VertexArray,
};
use threshold_land::glam::Vec3;

fn data(world: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(world)
}

fn run(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
    let output = command.args(["check", "--dats"]).arg(folder).args(arguments).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// A sample world with some records changed. Their bytes are decoded, changed and encoded.
struct Broken {
    world: &'static str,
    records: Vec<(RecordId, Vec<u8>)>,
    gone: Vec<RecordId>,
}

impl Broken {
    fn new(world: &'static str) -> Self {
        Self { world, records: Vec::new(), gone: Vec::new() }
    }

    fn change<R: Record>(mut self, id: u32, change: impl FnOnce(&mut R)) -> Self {
        let (id, folder) = (RecordId(id), DatFolder::open(&data(self.world)).unwrap());
        let mut record = Records::new(&folder).get::<R>(id).unwrap().unwrap();
        change(&mut record);
        self.records.push((id, record.encode().unwrap()));
        self
    }

    fn without(mut self, id: u32) -> Self {
        self.gone.push(RecordId(id));
        self
    }

    fn write(&self) -> TempDir {
        let folder = TempDir::new().unwrap();
        for (kind, file) in DatFolder::open(&data(self.world)).unwrap().files() {
            let mut writer = ContainerWriter::new(kind);
            for entry in file.entries().map(Result::unwrap) {
                let new = self.records.iter().find(|(id, _)| *id == entry.id);
                let bytes = match new {
                    Some((_, bytes)) => bytes.clone(),
                    None => file.read(&entry, &mut Vec::new()).unwrap().to_vec(),
                };
                if !self.gone.contains(&entry.id) {
                    writer.add(NewRecord::new(entry.id, bytes));
                }
            }
            std::fs::write(folder.path().join(kind.file_name()), writer.to_bytes().unwrap())
                .unwrap();
        }
        folder
    }

    /// The findings, each as `error 0xA9B40164:1,2,3 message`, with the place to a decimetre.
    fn findings(&self) -> Vec<String> {
        let text = run(self.write().path(), &["--json"]);
        let report: Value = serde_json::from_str(&text).unwrap();
        let line = |finding: &Value| {
            let place = finding["position"].as_array().map(|at| {
                let decimetre = |v: &Value| format!("{:.1}", v.as_f64().unwrap());
                at.iter().map(decimetre).collect::<Vec<_>>().join(",")
            });
            format!(
                "{} {}:{} {}",
                finding["severity"].as_str().unwrap(),
                finding["cell"].as_str().unwrap_or("nowhere"),
                place.unwrap_or_default(),
                finding["message"].as_str().unwrap()
            )
        };
        report["findings"].as_array().unwrap().iter().map(line).collect()
    }

    /// Exactly these findings; each begins as given.
    #[track_caller]
    fn finds(self, want: &[&str]) {
        let found = self.findings();
        let matched = found.len() == want.len()
            && want.iter().all(|want| found.iter().any(|line| line.starts_with(want)));
        assert!(matched, "wanted\n  {}\nfound\n  {}", want.join("\n  "), found.join("\n  "));
    }
}

/// The environment of the inn's vestibule `0xA9B40164`, which alone uses structure 8 of it.
const INN: u32 = 0x0D00_0002;

fn vestibule(environment: &mut Environment) -> &mut CellStructure {
    environment.structures.iter_mut().find(|structure| structure.id == 8).unwrap()
}

/// The second portal of the vestibule leads into the main room `0xA9B40157`, the first outdoors.
fn changed_vestibule(change: impl FnOnce(&mut EnvCell)) -> Broken {
    Broken::new("holt").change(0xA9B4_0164, change)
}

/// The inn is building 26.
fn changed_inn(change: impl FnOnce(&mut Building)) -> Broken {
    let inn = |info: &mut LandBlockInfo| change(&mut info.buildings[26]);
    Broken::new("holt").change(0xA9B4_FFFE, inn)
}

/// The hall has four objects; the first is a pillar at (62.5, -65, 0).
fn moved_pillar(by: Vec3) -> Broken {
    let change = |room: &mut EnvCell| room.statics[0].frame.origin += by;
    Broken::new("dungeon").change(0x0102_0100, change)
}

fn corners_of(structure: &CellStructure, polygon: u16) -> Vec<u16> {
    structure.drawing.by_id(polygon).unwrap().vertex_ids.to_vec()
}

/// Moves the corners of the vestibule's opening into the main room, and what else has them.
fn moved_opening(by: Vec3) -> Broken {
    Broken::new("holt").change(INN, |environment: &mut Environment| {
        let structure = vestibule(environment);
        let corners = corners_of(structure, structure.portals[1]);
        let mut moved = VertexArray::default();
        for mut vertex in structure.vertices.iter() {
            if corners.contains(&vertex.id) {
                vertex.position += by;
            }
            moved.push(vertex).unwrap();
        }
        structure.vertices = moved;
    })
}

#[test]
fn the_sample_worlds_are_sound() {
    for world in ["holt", "dungeon"] {
        Broken::new(world).finds(&[]);
    }
}

#[test]
fn every_wall_that_is_missing_is_a_leak() {
    let folder = DatFolder::open(&data("holt")).unwrap();
    let mut shape: Environment = Records::new(&folder).get(RecordId(INN)).unwrap().unwrap();
    let ids: Vec<u16> = vestibule(&mut shape).drawing.iter().map(|polygon| polygon.id).collect();
    for wall in ids {
        let opening = vestibule(&mut shape).portals.contains(&wall);
        let broken = Broken::new("holt").change(INN, |environment: &mut Environment| {
            let structure = vestibule(environment);
            let mut rest = Polygons::default();
            let others = structure.drawing.iter().filter(|polygon| polygon.id != wall);
            others.for_each(|polygon| rest.push(polygon).unwrap());
            structure.drawing = rest;
            structure.drawing_tree = None;
        });
        // Without its opening the room is of no use at all, and the record says why.
        let found = broken.findings();
        let want = if opening { "portal list: no drawing polygon" } else { " not closed: from 11" };
        assert!(found.iter().any(|line| line.contains(want)), "polygon {wall}: {found:?}");
        if !opening {
            assert_eq!(found.len(), 1, "polygon {wall}: {found:?}");
            assert!(found[0].starts_with("error 0xA9B40164:11"), "polygon {wall}: {found:?}");
        }
    }
}

#[test]
fn a_cell_tree_that_holds_nothing_is_an_error() {
    let broken = Broken::new("holt").change(INN, |environment: &mut Environment| {
        let structure = vestibule(environment);
        let mut tree = BspTree::default();
        for node in structure.cell_tree.iter() {
            tree.push(match node {
                BspNode::Split(mut split) => {
                    split.plane.normal *= -1.0;
                    split.plane.d *= -1.0;
                    BspNode::Split(split)
                }
                leaf => leaf,
            });
        }
        tree.set_root(structure.cell_tree.root());
        structure.cell_tree = tree;
    });
    broken.finds(&["error 0xA9B40164:115.0,60.0,40.2 its cell tree holds no point"]);
}

#[test]
fn a_portal_must_be_led_back_by_its_other_side() {
    let back = "error 0xA9B40157:114.0,60.0,41.5 portal 0 leads to portal 1 of 0xA9B40164, which";
    changed_vestibule(|room| room.portals[1].other_cell = 0x158).finds(&[
        &format!("{back} leads to portal 0 of 0xA9B40158"),
        "error 0xA9B40164:114.0,60.0,41.5 portal 1 leads to portal 0 of 0xA9B40158, which leads to \
         portal 1 of 0xA9B40157",
    ]);
    changed_vestibule(|room| room.portals[1].other_cell = 0xFFF).finds(&[
        "error 0xA9B40164:114.0,60.0,41.5 neighbour behind a portal 0xA9B40FFF does not exist",
        &format!("{back} leads to portal 0 of 0xA9B40FFF"),
    ]);
    changed_vestibule(|room| room.portals[1].other_portal = 1).finds(&[
        &format!("{back} leads to portal 1 of 0xA9B40157"),
        "error 0xA9B40164:114.0,60.0,41.5 portal 1 leads to portal 1 of 0xA9B40157, which leads to \
         portal 0 of 0xA9B40158",
    ]);
    changed_vestibule(|room| room.portals[1].other_portal = 77).finds(&[
        "error 0xA9B40164:114.0,60.0,41.5 portal 1: 0xA9B40157 has 4 portals, none number 77",
        &format!("{back} leads to portal 77 of 0xA9B40157"),
    ]);
}

#[test]
fn the_polygons_of_both_sides_must_be_the_same() {
    changed_vestibule(|room| room.position.origin.x += 0.05).finds(&[
        "error 0xA9B40023:116.0,60.0,41.5 building 26, portal 0: with portal 0 of 0xA9B40164, their \
         polygons are 0.050 m apart",
        "error 0xA9B40157:114.0,60.0,41.5 portal 0 and portal 1 of 0xA9B40164: their polygons are",
        "error 0xA9B40164:114.0,60.0,41.5 portal 1 and portal 0 of 0xA9B40157: their polygons are",
    ]);
    // The walls share its corners and stay closed.
    moved_opening(Vec3::Z * 0.04).finds(&[
        "error 0xA9B40157:114.0,60.0,41.5 portal 0 and portal 1 of 0xA9B40164: their polygons are",
        "error 0xA9B40164:114.0,60.0,41.5 portal 1 and portal 0 of 0xA9B40157: their polygons are",
    ]);
    moved_opening(Vec3::Z * 0.002).finds(&["note 0xA9B40157", "note 0xA9B40164"]);
    moved_opening(Vec3::Z * 1e-4).finds(&[]);
}

#[test]
fn a_portal_must_have_its_room_on_its_own_side() {
    changed_vestibule(|room| room.portals[1].flags.0 ^= 2)
        .finds(&["error 0xA9B40164:114.0,60.0,41.5 portal 1 has its room on the side"]);
    changed_vestibule(|room| room.portals[0].flags.0 ^= 2)
        .finds(&["error 0xA9B40164:116.0,60.0,41.5 portal 0 has its room on the side"]);
    changed_inn(|inn| inn.portals[0].flags.0 ^= 2).finds(&[
        "error 0xA9B40023:116.0,60.0,41.5 building 26, portal 0: 0xA9B40164 is not on the side",
    ]);
}

#[test]
fn what_must_be_loaded_with_a_room_is_listed() {
    changed_vestibule(|room| room.visible.clear())
        .finds(&["error 0xA9B40164:114.0,60.0,41.5 portal 1: 0xA9B40157 is not in the stab list"]);
    changed_vestibule(|room| room.flags = EnvCellFlags(0)).finds(&[
        "error 0xA9B40164:116.0,60.0,41.5 portal 0 leads outdoors, but the room does not",
    ]);
    changed_inn(|inn| inn.portals[0].visible = Box::default()).finds(&[
        "error 0xA9B40023:116.0,60.0,41.5 building 26, portal 0: 0xA9B40164 is not in its stab list",
    ]);
}

#[test]
fn a_room_that_nothing_leads_to_is_a_note() {
    // The triangle at the end of 0x01020113; its only portal is the second one there.
    let cut_off = Broken::new("dungeon")
        .change(0x0102_0113, |room: &mut EnvCell| room.portals.truncate(1))
        .change(0x0102_0114, |room: &mut EnvCell| room.portals.clear());
    let found = cut_off.findings();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("note 0x01020114:"), "{found:?}");
    assert!(found[0].ends_with("no portal of another room and no building leads here"));
    // Left alone, its own portal misses its other side.
    let one_way =
        Broken::new("dungeon").change(0x0102_0113, |room: &mut EnvCell| room.portals.truncate(1));
    let found = one_way.findings();
    assert!(found.iter().any(|line| line.starts_with("error 0x01020114:")), "{found:?}");
    assert!(found.iter().any(|line| line.starts_with("note 0x01020114:")), "{found:?}");
}

#[test]
fn a_building_must_lead_into_a_room_that_leads_out() {
    let no_way_in = "note 0xA9B40164:116.0,60.0,41.5 portal 0 leads outdoors, and no building";
    changed_inn(|inn| inn.portals[0].other_cell = 0xFFF).finds(&[
        "error 0xA9B40023:108.0,60.0,40.0 cell behind a building portal 0xA9B40FFF does not exist",
        no_way_in,
    ]);
    changed_inn(|inn| inn.portals[0].other_portal = 1).finds(&[
        "error 0xA9B40023:116.0,60.0,41.5 building 26, portal 0: portal 1 of 0xA9B40164 leads to \
         0xA9B40157, not outdoors",
        no_way_in,
    ]);
    let missing = Broken::new("holt").without(0xA9B4_0164).findings();
    let want = "error 0xA9B40023:108.0,60.0,40.0 cell behind a building portal 0xA9B40164";
    assert!(missing.iter().any(|line| line.starts_with(want)), "{missing:?}");
}

#[test]
fn a_building_must_stand_round_its_rooms() {
    let found = changed_inn(|inn| inn.frame.origin.y += 1.0).findings();
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found.iter().all(|line| line.contains("their polygons are 1.000 m apart")));
    changed_inn(|inn| inn.frame.origin.x += 1000.0).finds(&[
        "error 0xA9B4FFFF:1108.0,60.0,40.0 building 26 (0x01000205) stands outside its landblock",
    ]);
    // The shell still has an opening for the last portal.
    let found = changed_inn(|inn| drop(inn.portals.pop())).findings();
    let opening = "building 26: its shell has an opening for portal 2, of 2";
    assert!(found.iter().any(|line| line.contains(opening)), "{found:?}");
    let two = Broken::new("holt").change(0xA9B4_FFFE, |info: &mut LandBlockInfo| {
        info.buildings[25].frame.origin = info.buildings[26].frame.origin;
    });
    let found = two.findings();
    let second = "error 0xA9B40023:108.0,60.0,40.0 building 26 stands in land cell 0xA9B40023";
    assert!(found.iter().any(|line| line.starts_with(second)), "{found:?}");
}

#[test]
fn an_object_must_be_in_its_cell() {
    moved_pillar(Vec3::Z * -30.0).finds(&[
        "error 0x01020100:62.5,-65.0,-30.0 static object 0 (0x02000010) is nowhere near its room",
    ]);
    // It stands in the floor.
    moved_pillar(Vec3::Z * -0.3).finds(&[
        "note 0x01020100:62.5,-65.0,-0.3 static object 0 (0x02000010) has its origin in no",
    ]);
    moved_pillar(Vec3::X * 0.5).finds(&[]);
    let outdoors = Broken::new("holt").change(0xA9B4_FFFE, |info: &mut LandBlockInfo| {
        info.objects[0].frame.origin.x = -1.0;
    });
    outdoors.finds(&["error 0xA9B4FFFF:-1.0,90.0,40.0 object 0 (0x02000010) stands outside"]);
}

#[test]
fn ground_that_does_not_fit_its_neighbours_is_a_note() {
    let raised = |corner: usize| {
        let change = |land: &mut LandBlock| land.heights[corner] = 99;
        Broken::new("holt").change(0xA9B4_FFFF, change)
    };
    raised(4).finds(&[
        "note 0xA8B4003D:192.0,96.0,44.0 the edge in the east is 44 m high here and 198 m in A9B4",
    ]);
    raised(80).finds(&[
        "note 0xA9B40040:192.0,192.0,198.0 the edge in the east is 198 m high here and 40 m in AAB4",
        "note 0xA9B40040:192.0,192.0,198.0 the edge in the north is 198 m high here and 40 m in A9B5",
    ]);
    raised(40).finds(&[]);
}

#[test]
fn the_text_names_cell_and_place() {
    let folder = changed_vestibule(|room| room.visible.clear()).write();
    let text = run(folder.path(), &[]);
    let want = "EnvCell 0xA9B40164: 0xA9B40164:114,60,41.5: portal 1: 0xA9B40157 is not in";
    assert!(text.contains(want), "{text}");
    assert!(text.ends_with("1 errors, 0 notes\n"), "{text}");
}

#[test]
fn the_report_is_the_same_whatever_the_number_of_threads() {
    let broken = Broken::new("dungeon").change(0x0D00_0001, |environment: &mut Environment| {
        environment.structures.iter_mut().for_each(|structure| {
            structure.drawing = Polygons::default();
            structure.drawing_tree = None;
        });
    });
    let folder = broken.write();
    let report = |threads: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
        command.env("RAYON_NUM_THREADS", threads).args(["check", "--json", "--dats"]);
        command.arg(folder.path()).output().unwrap().stdout
    };
    assert_eq!(report("1"), report("4"));
}
