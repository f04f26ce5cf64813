//! V5: from anywhere in a dungeon no landscape is seen, and none is asked for.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod sample;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use sample::random::Random;
use threshold_dat::{DatError, DatFolder, FileKind, RecordId, RecordKind, Source};
use threshold_forge::samples;
use threshold_land::CellId;
use threshold_view::{Looker, Scratch};
use threshold_world::{Builder, World};

/// A source that has no landscape to give, and counts what it gives.
struct Depths<S> {
    source: S,
    asked: AtomicUsize,
}

impl<S> Depths<S> {
    fn note(&self, file: FileKind, id: RecordId) {
        let kind = RecordKind::of(file, id);
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

/// Goes from room to room, has what is wanted built, and looks about.
fn check(source: impl Source + 'static, rooms: &[CellId], eyes: usize) {
    let source = Arc::new(Depths { source, asked: AtomicUsize::new(0) });
    let builder = Builder::shared(source.clone());
    let (mut world, mut scratch, mut random) = (World::new(), Scratch::new(), Random(4));
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
            let viewer = sample::viewer_in(&world, *cell, &mut random);
            for rules in [sample::by_lists(), sample::without_lists()] {
                let seen = Looker { world: &world, rules }.look(&mut scratch, &mut (), &viewer);
                assert_eq!((seen.outside().len(), seen.seals().len()), (0, 0), "{viewer:?}");
                assert_eq!(seen.root(), *cell);
                // What the lists leave out is not resident, and so an answer of another kind.
                let is_listed = world.room(*cell).unwrap().stabs();
                let unknown = seen.refused().iter().all(|cell| !is_listed.contains(cell));
                assert!(unknown, "{:?}", seen.refused());
            }
        }
    }
    assert!(source.asked.load(Ordering::Relaxed) >= rooms.len(), "it was asked for rooms");
}

#[test]
fn from_the_dungeon_no_landscape_is_seen_or_asked_for() {
    let source = DatFolder::open(&sample::data("dungeon")).unwrap();
    let rooms = sample::rooms(&sample::world("dungeon"));
    assert_eq!(rooms.len(), 82);
    check(source, &rooms, 20 * sample::times());
}

#[test]
fn from_a_dungeon_by_chance_no_landscape_is_seen_or_asked_for() {
    let source = samples::dungeon(200, 9).unwrap();
    let rooms = sample::rooms(&sample::made(source.clone()));
    check(source, &rooms, 4 * sample::times());
}
