//! Which pieces are wanted, loaded and dropped.

#![allow(clippy::unwrap_used, reason = "a test fails on unexpected values")]

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use threshold_testkit::{edit_room, sample_builder, sample_source};

use threshold_dat::{DatError, DatFolder, EnvCellFlags, FileKind, RecordId, RecordKind, Source};
use threshold_forge::{Face, Forge, Opening, Plan, RoomSpec};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Frame, Position};
use threshold_world::{Builder, PieceId, World};

/// A source that records which records are read.
struct RecordingSource {
    source: DatFolder,
    asked: Mutex<BTreeSet<(FileKind, RecordId)>>,
}

impl RecordingSource {
    fn new(name: &str) -> Arc<Self> {
        let source = sample_source(name);
        Arc::new(Self { source, asked: Mutex::default() })
    }

    fn kinds(&self) -> BTreeSet<String> {
        let asked = self.asked.lock().unwrap();
        asked.iter().map(|(file, id)| RecordKind::from_id(*file, *id).to_string()).collect()
    }
}

impl Source for RecordingSource {
    fn read<'a>(
        &'a self,
        file: FileKind,
        id: RecordId,
        buffer: &'a mut Vec<u8>,
    ) -> Result<Option<&'a [u8]>, DatError> {
        self.asked.lock().unwrap().insert((file, id));
        self.source.read(file, id, buffer)
    }

    fn contains(&self, file: FileKind, id: RecordId) -> Result<bool, DatError> {
        self.asked.lock().unwrap().insert((file, id));
        self.source.contains(file, id)
    }

    fn ids(&self, file: FileKind) -> Vec<RecordId> {
        self.source.ids(file)
    }
}

/// Builds and adopts wanted pieces until there are none.
fn settle(world: &mut World, builder: &Builder) {
    loop {
        let wanted = world.take_wanted();
        if wanted.is_empty() {
            return;
        }
        for piece in wanted {
            if let Some(built) = builder.build(piece).unwrap() {
                world.adopt(built.piece);
            }
        }
    }
}

fn resident(world: &World) -> BTreeSet<PieceId> {
    world.resident().collect()
}

fn room_and_stabs(world: &World, cell: CellId) -> BTreeSet<PieceId> {
    let room = world.room(cell).unwrap();
    room.stabs().iter().copied().chain([cell]).map(PieceId::Room).collect()
}

#[test]
fn entering_a_dungeon_reads_no_terrain() {
    let source = RecordingSource::new("dungeon");
    let builder = Builder::shared(source.clone());
    let mut world = World::new();
    let hall = CellId(0x0102_0100);
    world.hold(1, hall);
    assert_eq!(world.take_wanted(), [PieceId::Room(hall)]);
    assert!(world.take_wanted().is_empty(), "each piece is returned once");
    world.adopt(builder.build(PieceId::Room(hall)).unwrap().unwrap().piece);
    settle(&mut world, &builder);
    assert_eq!(resident(&world), room_and_stabs(&world, hall));
    let kinds = source.kinds();
    for land in ["LandBlock", "LandBlockInfo", "Region"] {
        assert!(!kinds.iter().any(|kind| kind == land), "{kinds:?}");
    }
    assert!(kinds.len() >= 2, "{kinds:?}");
}

#[test]
fn moving_on_drops_pieces_no_longer_held() {
    let builder = sample_builder("dungeon");
    let mut world = World::new();
    let (hall, far) = (CellId(0x0102_0100), CellId(0x0102_0149));
    world.hold(1, hall);
    settle(&mut world, &builder);
    let first = resident(&world);
    world.hold(1, far);
    settle(&mut world, &builder);
    let dropped: BTreeSet<PieceId> = world.drop_unheld().into_iter().collect();
    assert_eq!(resident(&world), room_and_stabs(&world, far));
    assert_eq!(dropped, first.difference(&resident(&world)).copied().collect());
    world.release(1);
    world.drop_unheld();
    assert!(resident(&world).is_empty());
    assert_eq!(world.objects().count(), 0, "objects are dropped with their rooms");
}

#[test]
fn a_room_that_does_not_see_the_outdoors_holds_no_landscape() {
    let builder = sample_builder("holt");
    let mut world = World::new();
    let (cellar, vestibule) = (CellId(0xA9B4_0174), CellId(0xA9B4_0170));
    world.hold(1, cellar);
    settle(&mut world, &builder);
    assert_eq!(resident(&world), room_and_stabs(&world, cellar));
    assert_eq!(world.lands().count(), 0);
    world.hold(1, vestibule);
    settle(&mut world, &builder);
    assert_eq!(world.lands().count(), 12, "the whole sample is within five landblocks");
    assert!(
        world.room(CellId(0xA9B3_0100)).is_some(),
        "rooms visible through doors are loaded too"
    );
    world.hold(1, cellar);
    world.drop_unheld();
    assert_eq!(resident(&world), room_and_stabs(&world, cellar));
}

#[test]
fn a_piece_stays_resident_while_it_has_a_holder() {
    let builder = sample_builder("holt");
    let mut world = World::new();
    world.set_landscape_radius(1);
    world.hold(1, CellId(0xA9B4_0031));
    world.hold(2, CellId(0xA9B5_0001));
    settle(&mut world, &builder);
    assert_eq!(world.lands().count(), 9, "two rings that overlap");
    world.release(1);
    let dropped = world.drop_unheld();
    assert!(dropped.contains(&PieceId::Land(BlockId(0xA9B3))), "{dropped:?}");
    assert!(world.land(BlockId(0xA9B4)).is_some());
    world.set_landscape_radius(0);
    world.drop_unheld();
    assert_eq!(world.lands().map(|land| land.block().0).collect::<Vec<_>>(), [0xA9B5]);
}

#[test]
fn the_nearest_landblock_is_wanted_first() {
    let mut world = World::new();
    world.hold(1, CellId(0xA9B4_0031));
    let wanted = world.take_wanted();
    assert_eq!(wanted.len(), 121);
    assert_eq!(wanted[0], PieceId::Land(BlockId(0xA9B4)));
    let ring = |piece: &PieceId| {
        let (x, y) = (i32::from(piece.block().x()), i32::from(piece.block().y()));
        (x - 0xA9).abs().max((y - 0xB4).abs())
    };
    assert!(wanted.iter().map(ring).is_sorted());
    // At the corner of the map there are fewer.
    world.hold(1, CellId(0x0000_0001));
    assert_eq!(world.take_wanted().len(), 36);
}

#[test]
fn queries_report_what_is_not_resident() {
    let mut world = World::new();
    let cell = CellId(0xA9B4_0170);
    assert!(world.cell(cell).is_none() && world.land_cell(CellId(0xA9B4_0031)).is_none());
    assert_eq!(world.objects_in(cell).count(), 0);
    assert!(!world.drop_piece(PieceId::Room(cell)));
    for odd in [0, 0x41, 0xA9B4_FFFE, 0xA9B4_FFFF, 0xFFFF_FFFF, 0xA9B4_00FF].map(CellId) {
        assert!(world.cell(odd).is_none(), "{odd}");
    }
}

#[test]
fn the_landscape_stays_until_the_entered_room_is_loaded() {
    let builder = sample_builder("holt");
    let mut world = World::new();
    world.hold(1, CellId(0xA9B4_0031));
    settle(&mut world, &builder);
    let vestibule = PieceId::Room(CellId(0xA9B4_0170));
    assert!(world.drop_piece(vestibule));
    world.hold(1, CellId(0xA9B4_0170));
    assert_eq!(world.take_wanted(), [vestibule]);
    assert!(world.drop_unheld().is_empty(), "it is not known yet whether the room sees it");
    assert_eq!(world.lands().count(), 12);
    world.adopt(builder.build(vestibule).unwrap().unwrap().piece);
    settle(&mut world, &builder);
    // The cellar does not see the landscape, which is known once it is loaded.
    let cellar = PieceId::Room(CellId(0xA9B4_0174));
    world.drop_piece(cellar);
    world.hold(1, CellId(0xA9B4_0174));
    settle(&mut world, &builder);
    world.drop_unheld();
    assert_eq!(world.lands().count(), 0);
}

#[test]
fn a_piece_that_was_not_built_can_be_wanted_again() {
    let mut world = World::new();
    let hall = PieceId::Room(CellId(0x0102_0100));
    world.hold(1, CellId(0x0102_0100));
    assert_eq!(world.take_wanted(), [hall]);
    assert!(world.take_wanted().is_empty());
    world.want_again(hall);
    world.want_again(PieceId::Room(CellId(0x0102_0101)));
    assert_eq!(world.take_wanted(), [hall], "only what is held");
    for nonsense in [0, 0xA9B4_FFFF, 0xA9B4_FFFE, 0xFFFF_0001, 0xA9B4_0041] {
        world.hold(2, CellId(nonsense));
        assert!(world.take_wanted().is_empty(), "{nonsense:X}");
    }
}

/// A landblock with a dungeon with rooms two landblocks east and two south of its own square.
fn far_dungeon(seen_outside: bool) -> (Builder, [CellId; 2]) {
    let mut plan = Plan::new();
    let west = plan.room(RoomSpec::cuboid([0.0, 0.0, 0.0], [4.0, 4.0, 3.0]));
    let east = plan.room(RoomSpec::cuboid([4.0, 0.0, 0.0], [8.0, 4.0, 3.0]));
    plan.join(west, east, Opening::whole(Face::EAST));
    let mut forge = Forge::new();
    let cells = forge.block(HOME).dungeon(Frame::at(Vec3::new(480.0, -300.0, 0.0)), plan);
    let cells = [cells.of(west), cells.of(east)];
    // Ground everywhere around both squares.
    for x in 0xA8..=0xAC {
        for y in 0xB1..=0xB5 {
            if BlockId::new(x, y) != HOME {
                forge.block(BlockId::new(x, y));
            }
        }
    }
    let mut records = forge.finish().unwrap().into_records();
    for cell in cells {
        let flag = EnvCellFlags(u32::from(seen_outside));
        edit_room(&mut records, cell, |room| room.flags = flag);
    }
    (Builder::new(records), cells)
}

const HOME: BlockId = BlockId(0xA9B4);
/// The landblock with the rooms of the far dungeon in its square.
const BELOW: BlockId = BlockId(0xABB2);

fn in_room(cell: CellId) -> Position {
    Position::new(cell, Vec3::new(482.0, -298.0, 0.0))
}

fn lands(world: &World) -> Vec<BlockId> {
    world.lands().map(|land| land.block()).collect()
}

#[test]
fn the_landscape_is_held_around_the_land_cell_under_the_position() {
    let (builder, [west, east]) = far_dungeon(true);
    let mut world = World::new();
    world.set_landscape_radius(1);
    world.hold_at(1, &in_room(west));
    settle(&mut world, &builder);
    let ring = |middle: BlockId| {
        let near = |block: &BlockId| {
            block.x().abs_diff(middle.x()) <= 1 && block.y().abs_diff(middle.y()) <= 1
        };
        builder
            .pieces()
            .into_iter()
            .filter_map(|piece| match piece {
                PieceId::Land(block) => Some(block),
                PieceId::Room(_) => None,
            })
            .filter(near)
            .collect::<Vec<_>>()
    };
    assert_eq!((lands(&world), lands(&world).len()), (ring(BELOW), 9));
    assert!(world.room(west).is_some() && world.room(east).is_some());
    // Given only the cell, it is the landblock of the room.
    world.hold(1, west);
    settle(&mut world, &builder);
    world.drop_unheld();
    assert_eq!((lands(&world), lands(&world).len()), (ring(HOME), 9));
    // The load point follows a holder that stays in its room and crosses into the next square.
    let mut at = in_room(west);
    world.hold_at(1, &at);
    at.frame.origin.x = 383.0;
    world.hold_at(1, &at);
    settle(&mut world, &builder);
    world.drop_unheld();
    assert_eq!((lands(&world), lands(&world).len()), (ring(BlockId(0xAAB2)), 9));
}

#[test]
fn a_room_that_does_not_see_the_outdoors_releases_the_landscape_unless_kept() {
    let (builder, [west, _]) = far_dungeon(false);
    let mut world = World::new();
    world.set_landscape_radius(1);
    let above = Position::new(CellId(0xA9B4_0001), Vec3::new(1.0, 1.0, 0.0));
    world.hold_at(1, &above);
    settle(&mut world, &builder);
    let outdoors = lands(&world);
    assert_eq!(outdoors.len(), 9);

    world.set_keep_landscape_loaded(true);
    assert!(world.keep_landscape_loaded());
    world.hold_at(1, &in_room(west));
    settle(&mut world, &builder);
    world.drop_unheld();
    assert_eq!(lands(&world).len(), 9, "kept, around the new load point");
    assert!(world.land(BELOW).is_some() && world.land(HOME).is_none());

    world.set_keep_landscape_loaded(false);
    world.drop_unheld();
    assert_eq!((lands(&world), resident(&world)), (vec![], room_and_stabs(&world, west)));
    assert!(world.take_wanted().is_empty(), "released land is not wanted again");

    // Set while a holder is below ground, the landscape is held at once.
    world.set_keep_landscape_loaded(true);
    settle(&mut world, &builder);
    assert_eq!(lands(&world).len(), 9);
    world.release(1);
    world.drop_unheld();
    assert_eq!(world.resident().count(), 0, "keeping needs a holder");
}

/// Off the map, or with NaN, there is no land cell under a position.
#[test]
fn a_position_off_the_map_holds_the_landscape_of_its_own_block() {
    let (builder, [west, _]) = far_dungeon(true);
    for x in [-1e6, f32::NAN, f32::INFINITY] {
        let mut world = World::new();
        world.set_landscape_radius(0);
        world.hold_at(1, &Position::new(west, Vec3::new(x, 0.0, 0.0)));
        settle(&mut world, &builder);
        assert_eq!(lands(&world), [HOME], "{x}");
    }
}

/// Following cell changes only holds the same pieces as holding in every frame.
#[test]
fn holding_only_when_the_cell_changes_is_enough() {
    let builder = sample_builder("holt");
    let (mut by_event, mut by_frame) = (World::new(), World::new());
    let way =
        [(0xA9B4_0023, 119.0), (0xA9B4_0023, 117.0), (0xA9B4_0164, 115.0), (0xA9B4_0157, 113.0)];
    let mut last = None;
    for (cell, x) in way.iter().chain(way.iter().rev()) {
        let at = Position::new(CellId(*cell), Vec3::new(*x, 60.0, 40.2));
        if last.replace(at.cell) != Some(at.cell) {
            by_event.hold_at(1, &at);
        }
        by_frame.hold_at(1, &at);
        for world in [&mut by_event, &mut by_frame] {
            settle(world, &builder);
            world.drop_unheld();
        }
        assert_eq!(resident(&by_event), resident(&by_frame), "{cell:#X}");
    }
}
