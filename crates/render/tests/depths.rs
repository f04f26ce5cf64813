//! Underground neither landscape nor sky is drawn, and none is read.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod studio;

use std::sync::Arc;
use threshold_testkit::{
    Random, random_viewer_in, room_ids, rules_with_stab_lists, sample_source, sample_world,
    soak_factor,
};

use studio::slow::Slow;
use studio::{Studio, colour, places};
use threshold_dat::{DatError, FileKind, RecordId, RecordKind, Source};
use threshold_land::CellId;
use threshold_land::vector::Vec3;
use threshold_render::Style;
use threshold_visuals::day::{Daylight, Fog};
use threshold_world::{Builder, World};

const SIZE: [u32; 2] = [96, 64];

/// A source that panics when land is read.
struct Depths<S>(S);

impl<S> Depths<S> {
    fn note(&self, file: FileKind, id: RecordId) {
        let kind = RecordKind::from_id(file, id);
        let is_land = [RecordKind::LandBlock, RecordKind::LandBlockInfo];
        assert!(!is_land.contains(&kind), "asked for {kind} {id}");
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
        self.0.read(file, id, buffer)
    }

    fn contains(&self, file: FileKind, id: RecordId) -> Result<bool, DatError> {
        self.note(file, id);
        self.0.contains(file, id)
    }

    fn ids(&self, file: FileKind) -> Vec<RecordId> {
        self.0.ids(file)
    }
}

/// Returns a day whose light and sky have one colour.
fn screaming(sky: Vec3) -> Daylight {
    let plain = Daylight::plain();
    let fog = Fog { colour: sky, ..plain.fog };
    Daylight { sun: sky, ambient: sky, fog, objects: Vec::new(), ..plain }
}

/// Checks that images from rooms that do not see the landscape are the same under any sky.
#[track_caller]
fn check(studio: &mut Studio, rooms: &[CellId]) {
    let slow = Slow::new(&studio.world, &*studio.source);
    let (lands, mut random) = (slow.geometry.land_colours(), Random(2));
    for cell in rooms {
        let viewer = random_viewer_in(&studio.world, *cell, &mut random);
        let images = [Vec3::X, Vec3::Y].map(|sky| {
            studio.daylight = screaming(sky);
            let shot = studio.draw(&viewer, Style::Lit, SIZE);
            assert_eq!(shot.seen.landscape().len(), 0, "{viewer:?}");
            let image = shot.image;
            // Rooms further on may see the landscape, and are then lit by it.
            let cells: Vec<CellId> = shot.seen.cells().map(|seen| seen.id()).collect();
            let room = |cell: &CellId| studio.world.room(*cell);
            let is_lit = cells.iter().filter_map(room).any(|room| room.seen_outside());
            (!is_lit).then_some(image)
        });
        assert!(images[0] == images[1], "the sky shows: {viewer:?}");
        let flat = studio.draw(&viewer, Style::Ids, SIZE).image;
        let land = places(&flat).find(|place| lands.contains(&colour(&flat, *place)));
        assert_eq!(land, None, "{viewer:?}");
    }
}

#[test]
fn the_dungeon_draws_neither_land_nor_sky_and_none_is_loaded() {
    let source: Arc<dyn Source> = Arc::new(Depths(sample_source("dungeon")));
    let builder = Builder::shared(source.clone());
    let rooms = room_ids(&sample_world("dungeon"));
    let mut world = World::new();
    world.hold(1, rooms[0]);
    loop {
        let wanted = world.take_wanted();
        if wanted.is_empty() {
            break;
        }
        for piece in wanted {
            world.adopt(builder.build(piece).unwrap().unwrap().piece);
        }
    }
    assert_eq!(world.lands().count(), 0);
    let mut studio = Studio::within(source, world, 1);
    studio.rules = rules_with_stab_lists();
    let held = room_ids(&studio.world);
    check(&mut studio, &held);
}

/// The land above them is resident.
#[test]
fn buried_rooms_of_the_built_in_world_draw_neither_land_nor_sky() {
    let mut studio = Studio::builtin(1);
    let mut rooms = room_ids(&studio.world);
    rooms.retain(|cell| !studio.world.room(*cell).unwrap().seen_outside());
    let step = 4 / soak_factor().min(4);
    let rooms: Vec<CellId> = rooms.into_iter().step_by(step).collect();
    assert!(rooms.len() > 20);
    check(&mut studio, &rooms);
}
