//! The records of made worlds: they read back, refer to existing records, and are consistent.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a test fails on unexpected values"
)]

mod built;

use std::collections::BTreeSet;

use threshold_dat::{
    AnyRecord, EnvCell, FileKind, LandBlock, RecordId, RecordKind, Records, RegionDesc, SetupRecord,
};
use threshold_forge::{Forge, MOVER, MadeWorld, ObjectSpec, RoomSpec, samples};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, Frame, Rotation};

const FILES: [FileKind; 2] = [FileKind::Cell, FileKind::Portal];

fn all(world: &MadeWorld) -> Vec<(RecordId, RecordKind, Vec<u8>)> {
    let record =
        |file, (id, bytes): (RecordId, &[u8])| (id, RecordKind::from_id(file, id), bytes.to_vec());
    FILES
        .into_iter()
        .flat_map(|file| world.records().records(file).map(move |r| record(file, r)))
        .collect()
}

#[test]
fn every_record_reads_to_its_last_byte_and_writes_the_same() {
    for (name, world) in built::worlds() {
        for (id, kind, bytes) in all(&world) {
            let record = AnyRecord::decode_exact(kind, id, &bytes)
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(record.encode().unwrap(), bytes, "{name}: {id}");
        }
    }
}

#[test]
fn every_referenced_record_exists() {
    for (name, world) in built::worlds() {
        let there = Records::new(&world);
        for (id, kind, bytes) in all(&world) {
            let record = AnyRecord::decode(kind, id, &bytes).unwrap();
            record.faults(&mut |fault| panic!("{name}: {id}: {fault}"));
            record.references(&mut |named| {
                let found = named.kinds.iter().any(|kind| there.contains(*kind, named.id).unwrap());
                assert!(found, "{name}: {id}: no {} {}", named.what, named.id);
            });
        }
    }
}

#[test]
fn the_same_world_twice_has_the_same_bytes() {
    for ((name, first), (_, second)) in built::worlds().into_iter().zip(built::worlds()) {
        for file in FILES {
            assert!(
                first.records().to_dat(file).unwrap() == second.records().to_dat(file).unwrap(),
                "{name}"
            );
        }
    }
}

#[test]
fn rooms_are_numbered_without_gaps() {
    for (name, world) in built::worlds() {
        for info in built::infos(&world) {
            let cells = built::cells(&world);
            let own = cells.iter().filter(|cell| cell.id.block() == info.block);
            let numbers: Vec<u32> = own.map(|cell| u32::from(cell.id.low())).collect();
            assert_eq!(numbers, (0x100..0x100 + info.cells).collect::<Vec<_>>(), "{name}");
        }
    }
}

#[test]
fn both_sides_of_a_portal_are_the_same_polygon() {
    for (name, world) in built::worlds() {
        let cells = built::cells(&world);
        for cell in &cells {
            for (index, portal) in cell.record.portals.iter().enumerate() {
                let Some(other_id) = cell.record.neighbour(portal) else { continue };
                let other = cells.iter().find(|cell| cell.id == other_id).unwrap();
                let other_index = usize::try_from(portal.other_portal).unwrap();
                let back = &other.record.portals[other_index];
                assert_eq!(other.record.neighbour(back), Some(cell.id), "{name} {}", cell.id);
                assert_eq!(usize::try_from(back.other_portal), Ok(index), "{name} {}", cell.id);
                let (ours, theirs) =
                    (cell.portal_in_block(index), other.portal_in_block(other_index));
                assert_eq!(ours.len(), theirs.len());
                for corner in &ours {
                    let near = |p: &Vec3| p.distance(*corner);
                    let off = theirs.iter().map(near).fold(f32::INFINITY, f32::min);
                    assert!(off < 3e-5, "{name} {} portal {index}: {off}", cell.id);
                }
            }
        }
    }
}

#[test]
fn portal_polygons_come_last_and_face_where_their_flags_say() {
    let mut sides = BTreeSet::new();
    for (name, world) in built::worlds() {
        for cell in built::cells(&world) {
            let drawing = &cell.structure.drawing;
            let portals = &cell.record.portals;
            let first = drawing.len() - portals.len();
            for (index, portal) in portals.iter().enumerate() {
                assert_eq!(usize::from(portal.polygon), first + index, "{name} {}", cell.id);
                assert_eq!(cell.structure.portals[index], portal.polygon);
                let polygon = drawing.get(first + index).unwrap();
                assert_eq!(polygon.stippling, 4);
                assert!(polygon.front_uvs.is_empty());
                assert!(portal.flags.exact_match());
                sides.insert(portal.flags.portal_side());
                let outdoors = portal.other_cell == 0xFFFF;
                assert_eq!(portal.flags.leads_outside(), outdoors);
                let plane = threshold_geom::plane_of(&cell.portal(index)).unwrap();
                let (low, high) = cell.bounds();
                assert!(plane.distance((low + high) / 2.0) > 0.1, "{name} {} {index}", cell.id);
            }
        }
    }
    assert_eq!(sides.len(), 2, "both sides occur");
}

#[test]
fn building_portals_are_the_exits_of_rooms() {
    for (name, world) in built::worlds() {
        let cells = built::cells(&world);
        for info in built::infos(&world) {
            for building in &info.buildings {
                let shell = built::model(&world, building.model);
                let mesh = shell.drawing.as_ref().unwrap();
                let first = mesh.polygons.len() - building.portals.len();
                for (index, portal) in building.portals.iter().enumerate() {
                    assert_eq!(portal.flags.0, 3);
                    let cell = info.block.cell(portal.other_cell);
                    let cell = cells.iter().find(|other| other.id == cell).unwrap();
                    let exit = usize::from(portal.other_portal);
                    assert_eq!(cell.record.portals[exit].other_cell, 0xFFFF, "{name}");
                    assert!(portal.visible.contains(&portal.other_cell), "{name}");
                    let outer = mesh.polygons.get(first + index).unwrap();
                    let outer = built::corners(&shell.vertices, &outer);
                    for corner in cell.portal_in_block(exit) {
                        let off = |p: &Vec3| building.frame.to_global(*p).distance(corner);
                        let off = outer.iter().map(off).fold(f32::INFINITY, f32::min);
                        assert!(off < 3e-5, "{name}: {off}");
                    }
                    let inner = threshold_geom::plane_of(&cell.portal_in_block(exit)).unwrap();
                    let outer = threshold_geom::plane_of(&outer).unwrap();
                    let outer = building.frame.rotation.rotate(outer.normal);
                    assert!(inner.normal.dot(outer) < -0.999, "{name}: faces outwards");
                }
            }
        }
    }
}

#[test]
fn a_world_has_a_region_and_a_mover() {
    let world = Forge::new().finish().unwrap();
    let mut records = Records::new(&world);
    let region: RegionDesc = records.get(RecordId(0x1300_0000)).unwrap().unwrap();
    assert_eq!((region.heights.len(), region.terrain.types.len()), (256, 32));
    let mover: SetupRecord = records.get(MOVER).unwrap().unwrap();
    assert_eq!(mover.spheres.len(), 2);
    let near = |a: f32, b: f32| (a - b).abs() < 1e-4;
    let [foot, head] = [mover.spheres[0], mover.spheres[1]];
    assert!(near(foot.centre.z, 0.475) && near(head.centre.z, 1.35), "{foot:?} {head:?}");
    assert!(near(foot.radius, 0.48) && near(mover.height, 1.835));
    assert!(near(mover.step_up, 0.6) && near(mover.step_down, 1.5));
}

#[test]
fn objects_have_the_ids_that_were_returned() {
    let mut forge = Forge::new();
    let pillar = forge.object(ObjectSpec::Cylinder { radius: 0.5, height: 4.0 });
    let chest = forge.object(ObjectSpec::cuboid([1.2, 1.0, 0.8]));
    let boulder = forge.object(ObjectSpec::Ball { radius: 1.0 });
    let block = forge.block(samples::TOWN);
    for id in [pillar, chest, boulder] {
        block.put(id, Frame::at(Vec3::new(10.0, 10.0, 0.0)));
    }
    let world = forge.finish().unwrap();
    let mut records = Records::new(&world);
    let pillar: SetupRecord = records.get(pillar).unwrap().unwrap();
    assert_eq!((pillar.cylinders[0].radius, pillar.cylinders[0].height), (0.5, 4.0));
    let boulder: SetupRecord = records.get(boulder).unwrap().unwrap();
    assert_eq!((boulder.spheres[0].centre, boulder.spheres[0].radius), (Vec3::Z, 1.0));
    let chest = built::model_physics(&built::model(&world, chest));
    for (at, solid) in [(0.4, true), (-0.1, false), (0.9, false)] {
        assert_eq!(chest.point_intersects_solid(Vec3::new(0.5, 0.4, at)), solid);
    }
    assert_eq!(built::infos(&world)[0].objects.len(), 3);
}

#[test]
fn objects_of_a_room_stand_in_the_landblock() {
    let mut house = samples::house();
    let attic = house.room(RoomSpec::cuboid([-4.0, -6.0, 3.0], [4.0, 0.0, 5.0]));
    house.put(attic, MOVER, Frame::at(Vec3::new(1.0, -2.0, 3.0)));
    let mut forge = Forge::new();
    let turned = Rotation::from_heading(90.0);
    let frame = Frame { origin: Vec3::new(60.0, 60.0, 10.0), rotation: turned };
    let cells = forge.block(samples::TOWN).building(frame, house);
    let world = forge.finish().unwrap();
    let cell: EnvCell = Records::new(&world).get(cells.of(attic).into()).unwrap().unwrap();
    assert_eq!(cell.statics.len(), 1);
    let at = cell.statics[0].frame.origin;
    assert!(at.distance(Vec3::new(58.0, 59.0, 13.0)) < 1e-4, "{at}");
}

#[test]
fn the_ground_is_stored_as_given() {
    let mut forge = Forge::new();
    let block = forge.block(samples::TOWN);
    block.heights(|x, y| 10 * x + y).terrain(|x, _| 3 * x).roads(|_, y| y % 4);
    assert_eq!(block.ground([24.0, 48.0]), Some(24.0));
    let world = forge.finish().unwrap();
    let id = samples::TOWN.as_cell().into();
    let ground: LandBlock = Records::new(&world).get(id).unwrap().unwrap();
    let at = LandBlock::vertex(7, 5).unwrap();
    assert_eq!(ground.heights[at], 75);
    assert_eq!((ground.terrain[at].terrain_type(), ground.terrain[at].road()), (21, 1));
    assert_eq!(ground.has_info, 0);
}

#[test]
fn equal_rooms_share_an_environment() {
    let world = samples::dungeon(60, 3).unwrap();
    let cells = built::cells(&world);
    let used: BTreeSet<u16> = cells.iter().map(|cell| cell.record.environment).collect();
    assert!(used.len() < cells.len(), "{} of {}", used.len(), cells.len());
}

#[test]
fn neighbouring_landblocks_of_a_plain_agree_on_their_border() {
    let world = samples::plain(3, 2).unwrap();
    let mut records = Records::new(&world);
    let mut block = |x: u8, y: u8| -> LandBlock {
        let id = BlockId::new(x, y);
        records.get(id.as_cell().into()).unwrap().unwrap()
    };
    let (here, east, north) = (block(0, 0), block(1, 0), block(0, 1));
    assert_eq!(here.heights[72..], east.heights[..9]);
    for x in 0..9 {
        assert_eq!(here.heights[x * 9 + 8], north.heights[x * 9]);
    }
    assert!(here.heights.iter().any(|height| *height != here.heights[0]), "it rolls");
}
