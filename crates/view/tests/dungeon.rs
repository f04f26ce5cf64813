//! V5: from anywhere in a dungeon no landscape is visible, and none is read.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod proof;
mod rays;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use threshold_testkit::{
    Random, forged, random_viewer_in, room_ids, rules_with_stab_lists, rules_without_stab_lists,
    sample_source, sample_world, soak_factor, world_from,
};

use proof::Scene;
use threshold_dat::{DatError, FileKind, RecordId, RecordKind, Source};
use threshold_forge::{MadeWorld, samples};
use threshold_land::{BlockId, CellId};
use threshold_view::{PortalWalk, ViewScratch};
use threshold_world::{Builder, World};

/// The landblock of the dungeon of the built-in world.
const MOUNTAIN: BlockId = BlockId(0xACB4);

/// A source that panics when landscape is read, and counts reads.
struct Depths<S> {
    source: S,
    asked: AtomicUsize,
}

impl<S> Depths<S> {
    fn note(&self, file: FileKind, id: RecordId) {
        let kind = RecordKind::from_id(file, id);
        let is_land = [RecordKind::LandBlock, RecordKind::LandBlockInfo, RecordKind::Region];
        assert!(!is_land.contains(&kind), "asked for {kind} {id}");
        self.asked.fetch_add(1, Ordering::Relaxed);
    }
}

impl<S: Source> Source for Depths<S> {
    fn read<'a>(
        &'a self,
        file: FileKind,
        id: RecordId,
        buffer: &'a mut Vec<u8>,
    ) -> Result<Option<&'a [u8]>, DatError> {
        self.note(file, id);
        self.source.read(file, id, buffer)
    }

    fn contains(&self, file: FileKind, id: RecordId) -> Result<bool, DatError> {
        self.note(file, id);
        self.source.contains(file, id)
    }

    fn ids(&self, file: FileKind) -> Vec<RecordId> {
        self.source.ids(file)
    }
}

/// Holds each room in turn, builds what is wanted, and walks from random viewers.
fn check(source: impl Source + 'static, rooms: &[CellId], eyes: usize) {
    let source = Arc::new(Depths { source, asked: AtomicUsize::new(0) });
    let builder = Builder::shared(source.clone());
    let (mut world, mut scratch, mut random) = (World::new(), ViewScratch::new(), Random(4));
    for cell in rooms {
        world.hold(1, *cell);
        loop {
            let wanted = world.take_wanted();
            if wanted.is_empty() {
                break;
            }
            for piece in wanted {
                world.adopt(builder.build(piece).unwrap().unwrap().piece);
            }
        }
        world.drop_unheld();
        for _ in 0..eyes {
            let viewer = random_viewer_in(&world, *cell, &mut random);
            for rules in [rules_with_stab_lists(), rules_without_stab_lists()] {
                let seen = PortalWalk { world: &world, rules }.run(&mut scratch, &mut (), &viewer);
                assert_eq!((seen.landscape().len(), seen.seals().len()), (0, 0), "{viewer:?}");
                assert_eq!(seen.root(), *cell);
                // Rooms that are not on the lists are not resident, so they are reported as missing and not as refused.
                let is_listed = world.room(*cell).unwrap().stabs();
                let unknown = seen.unlisted().iter().all(|cell| !is_listed.contains(cell));
                assert!(unknown, "{:?}", seen.unlisted());
            }
        }
    }
    assert!(source.asked.load(Ordering::Relaxed) >= rooms.len(), "it was asked for rooms");
}

/// Returns the rooms from which no exit is visible.
fn buried(world: &World) -> Vec<CellId> {
    let mut rooms = room_ids(world);
    rooms.retain(|cell| !world.room(*cell).unwrap().seen_outside());
    rooms
}

#[test]
fn from_the_dungeon_no_landscape_is_visible_or_read() {
    let source = sample_source("dungeon");
    let rooms = room_ids(&sample_world("dungeon"));
    assert_eq!(rooms.len(), 82);
    check(source, &rooms, 20 * soak_factor());
}

#[test]
fn from_a_random_dungeon_no_landscape_is_visible_or_read() {
    let source = samples::dungeon(200, 9).unwrap();
    let rooms = room_ids(&world_from(source.clone()));
    check(source, &rooms, 4 * soak_factor());
}

/// Most rooms under the mountain, and the cellars of the village.
#[test]
fn from_the_depths_of_the_built_in_world_no_landscape_is_visible_or_read() {
    for made in forged::builtins() {
        let world = made.world();
        let rooms = buried(&world);
        let deep = rooms.iter().filter(|cell| cell.block() == MOUNTAIN).count();
        assert!(deep > 100 && rooms.len() > deep, "{deep} of {}", rooms.len());
        check(MadeWorld::clone(&made.source), &rooms, 4);
        check_ways_out(&world, &rooms);
    }
}

#[test]
fn from_random_deep_dungeons_and_cellars_no_landscape_is_visible_or_read() {
    let (villages, deeps) = (forged::villages(), forged::deep_dungeons());
    for made in villages.iter().chain(&deeps) {
        let world = made.world();
        check(MadeWorld::clone(&made.source), &buried(&world), 4);
        check_ways_out(&world, &buried(&world));
    }
}

/// Checks that elsewhere the landscape shows only where a ray reaches it through an exit.
#[track_caller]
fn check_ways_out(world: &World, buried: &[CellId]) {
    let (mut scratch, mut random) = (ViewScratch::new(), Random(5));
    let (mut open, mut closed) = (0, 0);
    for cell in room_ids(world).into_iter().filter(|cell| !buried.contains(cell)) {
        for _ in 0..4 {
            let viewer = random_viewer_in(world, cell, &mut random);
            let scene = Scene { world, rules: rules_with_stab_lists(), viewer };
            scene.rarely_too_much(&mut scratch);
            match scratch.visible().landscape().len() {
                0 => closed += 1,
                _ => open += 1,
            }
        }
    }
    let has_exits = room_ids(world).len() > buried.len();
    assert_eq!(open > 10 && closed > 10, has_exits, "{open} with landscape, {closed} without");
}
