//! Worlds that can be read and are wrong.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

mod broken;

use threshold_dat::{
    BspNode, BspTree, BuildingInfo, CellStructure, DatFolder, EnvCell, EnvCellFlags, Environment,
    GfxObj, LandBlock, LandBlockInfo, Polygons, RecordId, Records, SetupRecord, Stab, VertexArray,
};
use threshold_land::vector::Vec3;
use threshold_land::{Frame, Plane};

use self::broken::{BrokenWorld, data};

/// The environment of the inn's vestibule `0xA9B40164`, which alone uses structure 8 of it.
const INN: u32 = 0x0D00_0002;

fn vestibule(environment: &mut Environment) -> &mut CellStructure {
    environment.structures.iter_mut().find(|structure| structure.id == 8).unwrap()
}

/// The second portal of the vestibule leads into the main room `0xA9B40157`, the first outdoors.
fn changed_vestibule(change: impl FnOnce(&mut EnvCell)) -> BrokenWorld {
    BrokenWorld::new("holt").change(0xA9B4_0164, change)
}

/// The inn is building 26.
fn changed_inn(change: impl FnOnce(&mut BuildingInfo)) -> BrokenWorld {
    let inn = |info: &mut LandBlockInfo| change(&mut info.buildings[26]);
    BrokenWorld::new("holt").change(0xA9B4_FFFE, inn)
}

/// The hall has four objects; the first is a pillar at (62.5, -65, 0).
fn moved_pillar(offset: Vec3) -> BrokenWorld {
    let change = |room: &mut EnvCell| room.statics[0].frame.origin += offset;
    BrokenWorld::new("dungeon").change(0x0102_0100, change)
}

fn corners_of(structure: &CellStructure, polygon: u16) -> Vec<u16> {
    structure.drawing.by_id(polygon).unwrap().vertex_ids.to_vec()
}

/// Moves the corners of the vestibule's portal into the main room, and all polygons that share them.
fn moved_portal(offset: Vec3) -> BrokenWorld {
    BrokenWorld::new("holt").change(INN, |environment: &mut Environment| {
        let structure = vestibule(environment);
        let corners = corners_of(structure, structure.portals[1]);
        let mut moved = VertexArray::default();
        for mut vertex in structure.vertices.iter() {
            if corners.contains(&vertex.id) {
                vertex.position += offset;
            }
            moved.push(vertex).unwrap();
        }
        structure.vertices = moved;
    })
}

/// Changes the planes of the vestibule's cell tree; the closure gets the number of each.
fn changed_cell_tree(change: impl Fn(usize, &mut Plane)) -> BrokenWorld {
    BrokenWorld::new("holt").change(INN, |environment: &mut Environment| {
        let structure = vestibule(environment);
        let mut tree = BspTree::default();
        for (index, node) in structure.cell_tree.iter().enumerate() {
            tree.push(match node {
                BspNode::Split(mut split) => {
                    change(index, &mut split.plane);
                    BspNode::Split(split)
                }
                leaf => leaf,
            });
        }
        tree.set_root(structure.cell_tree.root());
        structure.cell_tree = tree;
    })
}

/// Reverses the winding of some polygons.
fn reversed(polygons: &Polygons, ids: &[u16]) -> Polygons {
    let mut out = Polygons::default();
    for mut polygon in polygons.iter() {
        let corners: Vec<u16> = polygon.vertex_ids.iter().rev().copied().collect();
        if ids.contains(&polygon.id) {
            polygon.vertex_ids = &corners;
        }
        out.push(polygon).unwrap();
    }
    out
}

#[test]
fn the_sample_worlds_are_sound() {
    for world in ["holt", "dungeon"] {
        BrokenWorld::new(world).finds(&[]);
    }
}

#[test]
fn every_wall_that_is_missing_is_a_leak() {
    let folder = DatFolder::open(&data("holt")).unwrap();
    let mut shape: Environment = Records::new(&folder).get(RecordId(INN)).unwrap().unwrap();
    let ids: Vec<u16> = vestibule(&mut shape).drawing.iter().map(|polygon| polygon.id).collect();
    for wall in ids {
        let is_portal = vestibule(&mut shape).portals.contains(&wall);
        let broken = BrokenWorld::new("holt").change(INN, |environment: &mut Environment| {
            let structure = vestibule(environment);
            let mut rest = Polygons::default();
            let others = structure.drawing.iter().filter(|polygon| polygon.id != wall);
            others.for_each(|polygon| rest.push(polygon).unwrap());
            structure.drawing = rest;
            structure.drawing_tree = None;
        });
        // Without its portal polygon the room is unusable, and the finding is about its record.
        let found = broken.findings();
        let want =
            if is_portal { "portal list: no drawing polygon" } else { " not closed: from 11" };
        assert!(found.iter().any(|line| line.contains(want)), "polygon {wall}: {found:?}");
        if !is_portal {
            assert_eq!(found.len(), 1, "polygon {wall}: {found:?}");
            assert!(found[0].starts_with("error 0xA9B40164:11"), "polygon {wall}: {found:?}");
        }
    }
}

#[test]
fn a_cell_tree_that_holds_nothing_is_an_error() {
    let broken = changed_cell_tree(|_, plane| {
        plane.normal *= -1.0;
        plane.d *= -1.0;
    });
    broken.finds(&["error 0xA9B40164:115.0,60.0,40.2 its cell tree holds no point"]);
}

#[test]
fn a_cell_tree_must_agree_with_the_walls() {
    // Floor, ceiling, and the four walls: the first corner there, and the first of an opening.
    let places = [
        ["114.0,61.2,40.2", "116.0,58.8,40.2"],
        ["116.0,61.2,42.8", "116.0,58.8,42.8"],
        ["116.0,61.2,40.2", "116.0,58.8,40.2"],
        ["114.0,61.2,40.2", "116.0,61.2,42.8"],
        ["114.0,61.2,40.2", "114.0,58.8,40.2"],
        ["116.0,58.8,40.2", "116.0,58.8,40.2"],
    ];
    let moved = |wall: usize, by: f32| {
        changed_cell_tree(move |index, plane| plane.d += if index == wall { by } else { 0.0 })
    };
    for (wall, [at, opening]) in places.into_iter().enumerate() {
        let small = format!("0xA9B40164:{opening} a corner of a portal is");
        moved(wall, -0.3).finds(&[&format!("error {small} 0.300 m outside the cell tree")]);
        moved(wall, -0.03).finds(&[&format!("note {small} 0.030 m outside the cell tree")]);
        let large = format!("0xA9B40164:{at} a plane of the cell tree is");
        moved(wall, 0.3).finds(&[&format!("error {large} 0.300 m beyond every polygon")]);
        moved(wall, 0.03).finds(&[&format!("note {large} 0.030 m beyond every polygon")]);
        moved(wall, 0.01).finds(&[]);
        moved(wall, -0.01).finds(&[]);
    }
    // Without the plane of the opening into the main room.
    let open = changed_cell_tree(|index, plane| {
        if index == 4 {
            *plane = Plane { normal: Vec3::Z, d: 0.0 };
        }
    });
    let found = open.findings();
    let want = "error 0xA9B40164:114.0,";
    let open =
        |line: &String| line.starts_with(want) && line.contains("the cell tree is open here");
    assert!(found.iter().any(open), "{found:?}");
}

#[test]
fn a_wall_must_face_its_room() {
    let back = |change: fn(&mut CellStructure)| {
        let change = move |environment: &mut Environment| change(vestibule(environment));
        BrokenWorld::new("holt").change(INN, change)
    };
    // The north wall, then the floor and the ceiling.
    back(|shape| shape.drawing = reversed(&shape.drawing, &[0])).finds(&[
        "error 0xA9B40164:115.0,61.2,41.5 a wall faces away from the room: it is seen from behind; 1 ",
    ]);
    back(|shape| shape.drawing = reversed(&shape.drawing, &[0, 1, 2, 3])).finds(&[
        "error 0xA9B40164:115.0,61.2,41.5 a wall faces away from the room: it is seen from behind; 4 ",
    ]);
    back(|shape| shape.physics = reversed(&shape.physics, &[0]))
        .finds(&["error 0xA9B40164:115.0,61.2,41.5 what stops movers faces away from the room"]);
}

#[test]
fn flag_and_cell_of_an_exit_portal_must_agree() {
    changed_vestibule(|room| room.portals[0].flags.0 &= !4).finds(&[
        "note 0xA9B40164:116.0,60.0,41.5 portal 0 leads outdoors by its cell 0xFFFF; its flags",
    ]);
    changed_vestibule(|room| room.portals[0].other_cell = 0x157).finds(&[
        "note 0xA9B40164:116.0,60.0,41.5 portal 0 leads outdoors by its flags, but names 0xA9B40157",
    ]);
    let found = changed_vestibule(|room| room.portals[1].flags.0 |= 4).findings();
    let want = "error 0xA9B40164:114.0,60.0,41.5 portal 1 leads outdoors by its flags, but names \
                0xA9B40157, which leads back here";
    assert!(found.iter().any(|line| line == want), "{found:?}");
}

#[test]
fn ground_without_a_region_is_an_error() {
    let none = "nowhere: no region (0x13000000): no";
    BrokenWorld::new("holt").without(0x1300_0000).finds(&[&format!("error {none} landblock")]);
    let mut nothing = BrokenWorld::new("dungeon").without(0x1300_0000);
    let found = nothing.findings();
    assert!(found.contains(&format!("error {none} landblock can be built")), "{found:?}");
    nothing = nothing.without(0x0102_FFFF);
    let found = nothing.findings();
    assert!(found.contains(&format!("note {none} table of heights")), "{found:?}");
}

#[test]
fn a_finding_without_a_position_has_its_cell() {
    let more = |info: &mut LandBlockInfo| info.cells += 1;
    BrokenWorld::new("dungeon")
        .change(0x0102_FFFE, more)
        .finds(&["error 0x01020152: cell 0x01020152 does not exist"]);
    let found = BrokenWorld::new("dungeon").without(0x0102_FFFF).findings();
    assert_eq!(found, ["error 0x0102FFFF: landblock 0x0102FFFF does not exist"]);
    let mut unread = BrokenWorld::new("dungeon");
    unread.records.push((RecordId(0x0102_0114), vec![0; 3]));
    let found = unread.findings();
    assert!(found.iter().any(|line| line.starts_with("error 0x01020114: ")), "{found:?}");
}

#[test]
fn the_other_side_of_a_portal_must_lead_back() {
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
        "error 0xA9B40164:114.1,60.0,41.5 portal 1 and portal 0 of 0xA9B40157: their polygons are",
    ]);
    // The walls share its corners and stay closed; the cell tree stays below them.
    moved_portal(Vec3::Z * 0.04).finds(&[
        "note 0xA9B40164:114.0,61.2,42.8 a corner of a portal is 0.040 m outside the cell tree",
        "error 0xA9B40157:114.0,60.0,41.5 portal 0 and portal 1 of 0xA9B40164: their polygons are",
        "error 0xA9B40164:114.0,60.0,41.5 portal 1 and portal 0 of 0xA9B40157: their polygons are",
    ]);
    moved_portal(Vec3::Z * 0.002).finds(&["note 0xA9B40157", "note 0xA9B40164"]);
    moved_portal(Vec3::Z * 1e-4).finds(&[]);
}

#[test]
fn a_portal_must_have_its_room_on_its_own_side() {
    changed_vestibule(|room| room.portals[1].flags.0 ^= 2)
        .finds(&["error 0xA9B40164:114.0,60.0,41.5 portal 1 has its room on the side"]);
    changed_vestibule(|room| room.portals[0].flags.0 ^= 2)
        .finds(&["error 0xA9B40164:116.0,60.0,41.5 portal 0 has its room on the side"]);
    changed_inn(|inn| inn.portals[0].flags.0 ^= 2).finds(&[
        "error 0xA9B40023:116.0,60.0,41.5 building 26, portal 0: its flags state the wrong side for 0xA9B40164",
    ]);
}

#[test]
fn the_stab_list_must_have_the_neighbours() {
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
fn a_flag_that_disagrees_with_the_exits_is_found_both_ways() {
    // A room of the dungeon, where nothing leads outdoors.
    let flagged = |room: &mut EnvCell| room.flags.0 |= 1;
    BrokenWorld::new("dungeon").change(0x0102_0113, flagged).finds(&["note 0x01020113:"]);
    let found = BrokenWorld::new("dungeon").change(0x0102_0113, flagged).findings();
    let want = "the flag seen_outside is set, but no chain of portals leads outdoors";
    assert!(found[0].ends_with(want), "{found:?}");
    // The hall of the inn has no exit of its own; without the flag it is as sound as a cellar, as far as portals tell.
    let hall = |room: &mut EnvCell| room.flags = EnvCellFlags(room.flags.0 & !1);
    BrokenWorld::new("holt").change(0xA9B4_0157, hall).finds(&[]);
    // A cellar that looks out through other rooms may have the flag.
    BrokenWorld::new("holt").change(0xA9B4_0174, flagged).finds(&[]);
    let found = changed_vestibule(hall).findings();
    assert!(found[0].ends_with("so the landscape is neither held nor shown"), "{found:?}");
}

#[test]
fn a_room_that_nothing_leads_to_is_a_note() {
    // The triangle at the end of 0x01020113; its only portal is the second one there.
    let cut_off = BrokenWorld::new("dungeon")
        .change(0x0102_0113, |room: &mut EnvCell| room.portals.truncate(1))
        .change(0x0102_0114, |room: &mut EnvCell| room.portals.clear());
    let found = cut_off.findings();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("note 0x01020114:"), "{found:?}");
    assert!(found[0].ends_with("no portal of another room and no building leads here"));
    // With its own portal kept, that portal has no other side.
    let one_way = BrokenWorld::new("dungeon")
        .change(0x0102_0113, |room: &mut EnvCell| room.portals.truncate(1));
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
    let missing = BrokenWorld::new("holt").without(0xA9B4_0164).findings();
    let want = "error 0xA9B40023:108.0,60.0,40.0 cell behind a building portal 0xA9B40164";
    assert!(missing.iter().any(|line| line.starts_with(want)), "{missing:?}");
}

#[test]
fn a_building_must_stand_around_its_rooms() {
    let found = changed_inn(|inn| inn.frame.origin.y += 1.0).findings();
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found.iter().all(|line| line.contains("their polygons are 1.000 m apart")));
    changed_inn(|inn| inn.frame.origin.x += 1000.0).finds(&[
        "error 0xA9B4FFFF:1108.0,60.0,40.0 building 26 (0x01000205) is outside its landblock",
    ]);
    // The shell still has an opening for the last portal.
    let found = changed_inn(|inn| drop(inn.portals.pop())).findings();
    let opening =
        "building 26: its shell has a polygon for portal 2, but the building has 2 portals";
    assert!(found.iter().any(|line| line.contains(opening)), "{found:?}");
    let two = BrokenWorld::new("holt").change(0xA9B4_FFFE, |info: &mut LandBlockInfo| {
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
    let outdoors = BrokenWorld::new("holt").change(0xA9B4_FFFE, |info: &mut LandBlockInfo| {
        info.objects[0].frame.origin.x = -1.0;
    });
    outdoors.finds(&["error 0xA9B4FFFF:-1.0,90.0,40.0 object 0 (0x02000010) is outside"]);
}

#[test]
fn a_tall_cylinder_reaches_every_room_it_passes_through() {
    // A trunk of 8 m without parts, through the floor and the ceiling of a passage of 3 m.
    let trunk = |z: f32| {
        let frame = Frame { origin: Vec3::new(84.0, -70.0, z), ..Frame::IDENTITY };
        let stab = Stab { model: RecordId(0x0200_0013), frame };
        let bare = |setup: &mut SetupRecord| {
            setup.parts.clear();
            setup.placements.clear();
        };
        BrokenWorld::new("dungeon")
            .change(0x0200_0013, bare)
            .change(0x0102_0101, move |room: &mut EnvCell| room.statics.push(stab))
    };
    for (z, place) in [(-0.5, "-0.5"), (-2.5, "-2.5"), (-7.9, "-7.9")] {
        trunk(z).finds(&[&format!(
            "note 0x01020101:84.0,-70.0,{place} static object 0 (0x02000013) has its origin in no"
        )]);
    }
    trunk(-9.0).finds(&[
        "error 0x01020101:84.0,-70.0,-9.0 static object 0 (0x02000013) is nowhere near its room",
    ]);
}

#[test]
fn an_object_below_the_ground_is_a_note() {
    let sunk = |by: f32| {
        let change = move |info: &mut LandBlockInfo| info.objects[0].frame.origin.z -= by;
        BrokenWorld::new("holt").change(0xA9B4_FFFE, change)
    };
    sunk(10.0).finds(&["note 0xA9B4001C:90.0,90.0,30.0 object 0 (0x02000010) is 5.500 m below"]);
    // It is four and a half metres high.
    sunk(6.0).finds(&[]);
}

#[test]
fn a_building_that_blocks_no_mover_is_a_note() {
    BrokenWorld::new("holt").change(0x0100_0205, |shell: &mut GfxObj| shell.physics = None).finds(&[
        "note 0xA9B40023:108.0,60.0,40.0 building 26: its shell can be walked through everywhere",
    ]);
}

#[test]
fn ground_that_does_not_fit_its_neighbours_is_a_note() {
    let raised = |corner: usize| {
        let change = |land: &mut LandBlock| land.heights[corner] = 99;
        BrokenWorld::new("holt").change(0xA9B4_FFFF, change)
    };
    raised(4).finds(&[
        "note 0xA8B4003D:192.0,96.0,44.0 the edge in the east is 44 m high here and 198 m in A9B4",
    ]);
    raised(80).finds(&[
        "note 0xA9B40040:192.0,192.0,198.0 the edge in the east is 198 m high here and 40 m in AAB4",
        "note 0xA9B40040:192.0,192.0,198.0 the edge in the north is 198 m high here and 40 m in A9B5",
    ]);
    raised(10).finds(&[]);
}

#[test]
fn the_text_names_cell_and_position() {
    let report = changed_vestibule(|room| room.visible.clear()).report();
    let text = report.findings[0].to_string();
    let want = "EnvCell 0xA9B40164: 0xA9B40164:114,60,41.5: portal 1: 0xA9B40157 is not in";
    assert!(text.contains(want), "{text}");
    assert_eq!((report.errors, report.notes), (1, 0));
}

#[cfg(feature = "rayon")]
#[test]
fn the_report_is_the_same_for_any_number_of_threads() {
    let broken =
        BrokenWorld::new("dungeon").change(0x0D00_0001, |environment: &mut Environment| {
            environment.structures.iter_mut().for_each(|structure| {
                structure.drawing = Polygons::default();
                structure.drawing_tree = None;
            });
        });
    let report = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| broken.report())
    };
    assert!(report(1).errors > 0);
    assert_eq!(report(1), report(4));
}

#[test]
fn a_record_with_impossible_numbers_is_named() {
    let far = changed_cell_tree(|index, plane| plane.d = if index == 0 { 1e20 } else { plane.d });
    let text: Vec<String> = far.report().findings.iter().map(ToString::to_string).collect();
    let want = "plane of the cell tree 0: distance from zero 100000000000000000000 is not between";
    let line = text.iter().find(|line| line.contains(want));
    let line = line.unwrap_or_else(|| panic!("{text:?}"));
    assert!(line.contains("0x0D000002"), "{line}");
    // The other rooms of the environment stay usable: nothing but the vestibule is missing.
    let findings = far.findings();
    assert_eq!(findings.iter().filter(|line| line.contains(" is not between ")).count(), 1);
}
