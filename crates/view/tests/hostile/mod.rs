//! A small world whose records are damaged one at a time, and what is done in it then.
//!
//! Shared by `mutated_worlds.rs` and by the fuzz targets `worlds` and `patches`: a record is damaged, the pieces that read it are built
//! again, movers and cameras go about in them, and the sound pieces are put back.

#![allow(dead_code, reason = "tests and fuzz targets each use a part")]

mod exercise;
mod mutate;
#[path = "../../../world/tests/sample/random.rs"]
mod random;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use threshold_dat::{DatError, FileKind, RecordId, RecordKind, RecordSet, Source};
use threshold_forge::{
    self as forge, Face, Forge, MOVER, ObjectSpec, Opening, Plan, RoomSpec, SceneryKind,
};
use threshold_land::glam::Vec3;
use threshold_land::{BlockId, Frame, Position};
use threshold_motion::{Mover, MoverShape, Stance, StandResult, SweepScratch, Sweeper};
use threshold_world::{Builder, Piece, PieceId, Setup, World};

use exercise::Exercise;
pub(crate) use mutate::mutate;
#[allow(unused_imports, reason = "only the fuzz targets use it")]
pub(crate) use mutate::patch;
pub(crate) use random::Random;

/// The landblock with the hut.
const TOWN: BlockId = BlockId(0xA9B4);
/// The landblock with the dungeon.
const DEPTHS: BlockId = BlockId(0x0102);

/// How many places to stand there are in a piece.
const STATIONS: usize = 40;

/// Where something stands in the sound world, and on what.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Station {
    pub(crate) at: Position,
    pub(crate) stance: Stance,
}

/// A record that is damaged, and the pieces that are built of it.
pub(crate) struct RegionContent {
    pub(crate) file: FileKind,
    pub(crate) id: RecordId,
    pub(crate) kind: RecordKind,
    pub(crate) bytes: Vec<u8>,
    pieces: Vec<usize>,
}

/// What came of the variants.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Tally {
    /// Variants of which a piece or a part of one was refused.
    pub(crate) refused: usize,
    /// Variants of which everything was built.
    pub(crate) built: usize,
    /// Sweeps, placements and cameras that were refused because their end would not be finite.
    pub(crate) not_finite: usize,
    /// Sweeps, placements, cameras and updates that took place.
    pub(crate) moves: usize,
    /// Views that showed something.
    pub(crate) views: usize,
    /// How far from the origin of its landblock something ended, along one axis.
    pub(crate) farthest: f32,
}

/// The world, and what is needed to damage it.
pub(crate) struct Hostile {
    records: Arc<RecordSet>,
    pieces: Vec<(PieceId, Piece)>,
    targets: Vec<RegionContent>,
    /// Where something can stand, by piece.
    stations: Vec<Vec<Station>>,
    mover: Arc<Setup>,
    world: World,
    exercise: Exercise,
    pub(crate) tally: Tally,
}

/// The records with one of them replaced.
struct Overlay {
    records: Arc<RecordSet>,
    file: FileKind,
    id: RecordId,
    bytes: Vec<u8>,
}

impl Source for Overlay {
    fn read<'a>(
        &'a self,
        file: FileKind,
        id: RecordId,
        buffer: &'a mut Vec<u8>,
    ) -> Result<Option<&'a [u8]>, DatError> {
        match (file, id) == (self.file, self.id) {
            true => Ok(Some(&self.bytes)),
            false => self.records.read(file, id, buffer),
        }
    }

    fn contains(&self, file: FileKind, id: RecordId) -> Result<bool, DatError> {
        self.records.contains(file, id)
    }

    fn ids(&self, file: FileKind) -> Vec<RecordId> {
        self.records.ids(file)
    }
}

/// Notes which records are read.
struct Recording {
    records: Arc<RecordSet>,
    read: Mutex<BTreeSet<(FileKind, RecordId)>>,
}

impl Source for Recording {
    fn read<'a>(
        &'a self,
        file: FileKind,
        id: RecordId,
        buffer: &'a mut Vec<u8>,
    ) -> Result<Option<&'a [u8]>, DatError> {
        self.read.lock().expect("nothing panics with it").insert((file, id));
        self.records.read(file, id, buffer)
    }

    fn contains(&self, file: FileKind, id: RecordId) -> Result<bool, DatError> {
        self.records.contains(file, id)
    }

    fn ids(&self, file: FileKind) -> Vec<RecordId> {
        self.records.ids(file)
    }
}

/// A hut with two rooms on uneven ground with plants and objects, and a dungeon of three rooms.
fn records() -> RecordSet {
    let mut forge = Forge::new();
    let ball = forge.object(ObjectSpec::Ball { radius: 0.6 });
    let pillar = forge.object(ObjectSpec::Cylinder { radius: 0.4, height: 1.2 });
    let crate_ = forge.object(ObjectSpec::cuboid([1.0, 1.0, 0.8]));
    let growth = SceneryKind {
        object: crate_,
        share: 0.2,
        spread: [6.0, 6.0],
        scale: [0.7, 1.4],
        steepest: 0.2,
    };
    let slot = i32::from(forge.scene(vec![growth]));

    let mut hut = Plan::new();
    let hall = hut.room(RoomSpec::cuboid([-2.0, -2.0, 0.1], [2.0, 2.0, 3.1]));
    let closet = hut.room(RoomSpec::cuboid([-4.0, -2.0, 0.1], [-2.0, 2.0, 3.1]));
    hut.exit(hall, Opening::whole(Face::EAST));
    hut.join(hall, closet, Opening::whole(Face::WEST));
    hut.put(closet, ball, Frame::at(Vec3::new(-3.0, 0.0, 0.1)));

    // A stage of half a man's height in the first room; the last is a pit with a ledge at the door and one above it.
    let mut depths = Plan::new();
    let lows = [0.0, 0.0, -4.0];
    let stages: [&[_]; 3] = [
        &[([1.0, 0.0, 0.0], [2.0, 4.0, 0.9]), ([2.6, 0.0, 0.0], [2.65, 4.0, 0.15])],
        // Narrow faces: an area with one huge side is still finite there.
        &[([4.5, 1.0, 0.0], [4.8, 3.0, 0.1]), ([4.8, 1.0, 0.0], [5.1, 3.0, 0.2])],
        &[([8.0, 0.0, -4.0], [9.5, 4.0, 0.0]), ([11.0, 1.0, -4.0], [12.0, 4.0, -1.0])],
    ];
    let rooms = [0, 1, 2].map(|index: usize| {
        let (x, low) = ([0.0, 4.0, 8.0][index], lows[index]);
        let room = RoomSpec::cuboid([x, 0.0, low], [x + 4.0, 4.0, 3.0]);
        depths.room(
            stages[index]
                .iter()
                .fold(room, |room, (low, high)| room.block(forge::Shape::cuboid(*low, *high))),
        )
    });
    let door =
        |x: f32| Opening::polygon([[x, 1.0, 0.0], [x, 3.0, 0.0], [x, 3.0, 2.5], [x, 1.0, 2.5]]);
    depths.join(rooms[0], rooms[1], Opening::whole(Face::EAST));
    depths.join(rooms[1], rooms[2], door(8.0));
    depths.put(rooms[1], pillar, Frame::at(Vec3::new(6.0, 1.0, 0.0)));
    depths.put(rooms[2], crate_, Frame::at(Vec3::new(10.2, 2.0, -4.0)));

    let town = forge.block(TOWN);
    // Level under the hut, in the cell from 72 to 96 m; uneven elsewhere.
    let level = |v: i32| (3..=4).contains(&v);
    town.heights(|x, y| if level(x) && level(y) { 3 } else { 3 + (x * 5 + y * 3) % 7 });
    town.scenes(|_, _| slot);
    town.building(Frame::at(Vec3::new(84.0, 84.0, 6.0)), hut);
    for (model, at) in [(ball, [90.0, 84.0, 6.0]), (pillar, [90.0, 88.0, 6.0])] {
        town.put(model, Frame::at(at.into()));
    }
    town.put(crate_, Frame::at(Vec3::new(91.0, 80.0, 6.0)));
    forge.block(DEPTHS).dungeon(Frame::IDENTITY, depths);
    forge.finish().expect("the plan is sound").into_records()
}

/// The kinds of records that say where something is or what it is bumped into.
fn matters(kind: RecordKind) -> bool {
    matches!(
        kind,
        RecordKind::LandBlock
            | RecordKind::LandBlockInfo
            | RecordKind::EnvCell
            | RecordKind::Environment
            | RecordKind::GfxObj
            | RecordKind::Setup
            | RecordKind::DegradeInfo
            | RecordKind::Scene
            | RecordKind::Region
    )
}

impl Hostile {
    pub(crate) fn new() -> Self {
        let records = Arc::new(records());
        let builder = Builder::shared(Arc::<RecordSet>::clone(&records));
        let mut world = World::new();
        let (mut pieces, mut reads) = (Vec::new(), Vec::new());
        // The ground of the dungeon is not needed.
        for id in builder.pieces().into_iter().filter(|id| *id != PieceId::Land(DEPTHS)) {
            let source = Arc::new(Recording { records: records.clone(), read: Mutex::default() });
            let built = Builder::shared(Arc::<Recording>::clone(&source)).build(id);
            let built = built.expect("it is sound").expect("it is there");
            assert!(built.faults.is_empty(), "{:?}", built.faults);
            world.adopt(built.piece.clone());
            pieces.push((id, built.piece));
            reads.push(std::mem::take(&mut *source.read.lock().expect("nothing panics with it")));
        }
        let sound = |file, id| {
            let mut buffer = Vec::new();
            let bytes = records.read(file, id, &mut buffer).expect("it can be read");
            bytes.map(<[u8]>::to_vec)
        };
        let mut targets: Vec<RegionContent> = Vec::new();
        for (file, id) in reads.iter().flatten().collect::<BTreeSet<_>>() {
            let kind = RecordKind::from_id(*file, *id);
            let Some(bytes) = sound(*file, *id) else { continue };
            let reading = (0..pieces.len()).filter(|piece| reads[*piece].contains(&(*file, *id)));
            let pieces = reading.collect();
            if matters(kind) {
                targets.push(RegionContent { file: *file, id: *id, kind, bytes, pieces });
            }
        }
        let mover = builder.setup(MOVER).expect("it is sound");
        let bytes = sound(FileKind::Portal, MOVER).expect("it is there");
        let kind = RecordKind::Setup;
        targets.push(RegionContent {
            file: FileKind::Portal,
            id: MOVER,
            kind,
            bytes,
            pieces: Vec::new(),
        });
        let stations = pieces.iter().map(|(id, _)| stations(&world, &mover, *id)).collect();
        let exercise = Exercise::new();
        Self { records, pieces, targets, stations, mover, world, exercise, tally: Tally::default() }
    }

    pub(crate) fn targets(&self) -> &[RegionContent] {
        &self.targets
    }

    /// Puts damaged bytes in the place of a record, lives in the world for a moment, and puts the sound record back.
    pub(crate) fn try_variant(&mut self, target: usize, bytes: Vec<u8>, random: &mut Random) {
        let RegionContent { file, id, ref pieces, .. } = self.targets[target];
        let overlay = Overlay { records: self.records.clone(), file, id, bytes };
        let builder = Builder::new(overlay);
        let mut faults = 0;
        for piece in pieces {
            let id = self.pieces[*piece].0;
            match builder.build(id) {
                Ok(Some(built)) => {
                    faults += built.faults.len();
                    self.world.adopt(built.piece);
                }
                Ok(None) => drop(self.world.drop_piece(id)),
                Err(fault) => {
                    assert!(!fault.to_string().is_empty());
                    faults += 1;
                    self.world.drop_piece(id);
                }
            }
        }
        let is_shape = [RecordKind::Setup, RecordKind::GfxObj].contains(&self.targets[target].kind);
        let setup = is_shape.then(|| builder.setup(id));
        faults += usize::from(matches!(setup, Some(Err(_))));
        let setup = setup.and_then(Result::ok).unwrap_or_else(|| self.mover.clone());
        if faults > 0 {
            self.tally.refused += 1;
        } else {
            self.tally.built += 1;
        }
        let station = self.station(target, random);
        self.exercise.run(&mut self.world, &setup, &station, random, &mut self.tally);
        for piece in &self.targets[target].pieces {
            self.world.adopt(self.pieces[*piece].1.clone());
        }
    }

    /// A place in or beside one of the pieces of a target.
    fn station(&self, target: usize, random: &mut Random) -> Station {
        let own = &self.targets[target].pieces;
        let any = own.is_empty() || random.below(4) == 0;
        let piece =
            if any { random.below(self.pieces.len()) } else { own[random.below(own.len())] };
        let stations = &self.stations[piece];
        stations[random.below(stations.len())]
    }

    /// A fixed sweep and what it says, to be compared: nothing of a variant is left behind.
    pub(crate) fn reference(&mut self) -> String {
        let mut said = String::new();
        for index in 0..self.stations.len() {
            let station = self.stations[index][0];
            said += &self.exercise.reference(&self.world, &self.mover, &station);
        }
        said
    }
}

/// Places where the usual mover stands in a piece, and on what; on the land, round the hut.
fn stations(world: &World, mover: &Arc<Setup>, piece: PieceId) -> Vec<Station> {
    let mut random = Random(5);
    let mover = Mover::new(MoverShape::of(mover, 1.0));
    let (sweeper, mut scratch) = (Sweeper::new(world), SweepScratch::new());
    let mut stand = |at: Position| match sweeper.can_stand(&mut scratch, &mover, &at) {
        StandResult::Stands { at, stance } => Some(Station { at, stance }),
        _ => None,
    };
    let (low, high) = extent(world, piece);
    let mut stations = Vec::new();
    for _ in 0..20_000 {
        let mut pick = |axis: usize| {
            #[allow(clippy::cast_possible_truncation, reason = "any number will do")]
            let picked = random.between(f64::from(low[axis]), f64::from(high[axis])) as f32;
            picked
        };
        let at = Vec3::new(pick(0), pick(1), pick(2));
        let cell = match piece {
            PieceId::Room(cell) => cell,
            PieceId::Land(block) => {
                let index = threshold_land::cell_index(at.truncate()).expect("it is in the block");
                block.cell(u16::try_from(index).expect("below 64") + 1)
            }
        };
        let stands = stand(Position::new(cell, at));
        stations.extend(stands.filter(|station| PieceId::from_cell(station.at.cell) == piece));
        if stations.len() == STATIONS {
            return stations;
        }
    }
    panic!("{} places to stand in {piece}", stations.len());
}

/// What of a piece is lived in.
fn extent(world: &World, piece: PieceId) -> (Vec3, Vec3) {
    let PieceId::Room(cell) = piece else {
        return (Vec3::new(70.0, 70.0, 4.0), Vec3::new(98.0, 98.0, 14.0));
    };
    let room = world.room(cell).expect("it is resident");
    let corners = room.structure().drawing.iter().flat_map(|polygon| polygon.vertices);
    let corners: Vec<Vec3> = corners.map(|at| room.to_block(*at)).collect();
    let low = corners.iter().copied().fold(Vec3::INFINITY, Vec3::min);
    (low, corners.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max))
}
