//! A damaged record affects only itself and never causes a panic.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "a test fails on unexpected values"
)]

use threshold_dat::{FileKind, RecordSet, Source};
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position, Sphere};
use threshold_testkit::{Random, sample_records};
use threshold_world::{Builder, CellArray, CellSearch, ObjectId, World};

/// Changes a few bytes of a few records, after their ids.
fn damage(set: &mut RecordSet, random: &mut Random) {
    for _ in 0..40 {
        let file = [FileKind::Cell, FileKind::Portal][random.below(2)];
        let ids = set.ids(file);
        let id = ids[random.below(ids.len())];
        let mut bytes = set.read(file, id, &mut Vec::new()).unwrap().unwrap().to_vec();
        if bytes.len() <= 8 {
            continue;
        }
        for _ in 0..=random.below(4) {
            let at = 4 + random.below(bytes.len() - 4);
            // Bytes that form zeros, ones, huge numbers and NaN.
            bytes[at] = [0x00, 0x01, 0x7F, 0x80, 0xFF, random.below(256) as u8][random.below(6)];
        }
        set.put_bytes(file, id, bytes);
    }
}

/// Loads all pieces that can be built, and queries places in and around every room.
fn load_and_query(set: RecordSet, random: &mut Random) -> usize {
    let builder = Builder::new(set);
    let mut world = World::new();
    let mut faults = 0;
    for piece in builder.pieces() {
        match builder.build(piece) {
            Ok(Some(built)) => {
                faults += built.faults.len();
                world.adopt(built.piece);
            }
            Ok(None) => {}
            Err(fault) => {
                assert!(!fault.to_string().is_empty());
                faults += 1;
            }
        }
    }
    let mut array = CellArray::new();
    let odd = [f32::NAN, f32::INFINITY, f32::MAX, -1e9];
    let cells: Vec<CellId> =
        world.objects().flat_map(|object| object.cells()).map(|entry| entry.cell).collect();
    for cell in cells.into_iter().chain([0, 0xA9B4_0170, 0x0102_0100, 0xFFFF_FFFF].map(CellId)) {
        let mut axis = || match random.below(20) {
            0 => odd[random.below(odd.len())],
            _ => random.between(-100.0, 200.0) as f32,
        };
        let at = Vec3::new(axis(), axis(), axis());
        let spheres = [Sphere::new(at, axis()), Sphere::new(at, 0.48)];
        let search = CellSearch::new(&world);
        let _ = search.spheres(&Position::new(cell, at), &spheres, &mut array);
        let lists = world.objects_in(cell).map(|object| object.id()).collect::<Vec<ObjectId>>();
        assert!(lists.is_sorted());
    }
    let resident: Vec<_> = world.resident().collect();
    resident.into_iter().for_each(|piece| assert!(world.drop_piece(piece)));
    assert_eq!(world.objects().count(), 0);
    faults
}

#[test]
fn damaged_worlds_can_be_loaded_and_queried() {
    let worlds = if std::env::var_os("THRESHOLD_SOAK").is_some() { 2000 } else { 100 };
    for name in ["holt", "dungeon"] {
        let (sound, mut random, mut faults) = (sample_records(name), Random(3), 0);
        for _ in 0..worlds {
            let mut set = sound.clone();
            damage(&mut set, &mut random);
            faults += load_and_query(set, &mut random);
        }
        assert!(faults > worlds, "{faults} faults in {worlds} worlds of {name}");
    }
}
