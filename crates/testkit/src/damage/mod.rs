//! A small world with records that are damaged one at a time.
//!
//! A record is damaged, the pieces that read it are built again, movers and cameras move in them, and the sound
//! pieces are put back. Used by `crates/view/tests/mutated_worlds.rs` and by the fuzz targets `worlds` and `patches`.

mod exercise;
mod mutate;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use threshold_dat::{DatError, FileKind, RecordId, RecordKind, RecordSet, Source};
use threshold_forge::{
    self as forge, Face, Forge, MOVER, ObjectSpec, Opening, Plan, RoomSpec, SceneryKind,
};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, Frame, Position};
use threshold_motion::{Mover, MoverShape, Stance, StandResult, SweepScratch, Sweeper};
use threshold_world::{Builder, Piece, PieceId, Setup, World};

use crate::random::Random;
use exercise::Exercise;
pub use mutate::{mutate, patch};

/// The landblock with the hut.
const TOWN: BlockId = BlockId(0xA9B4);
/// The landblock with the dungeon.
const DEPTHS: BlockId = BlockId(0x0102);

/// Number of standing places in each piece.
const STANDING_PLACES: usize = 40;

/// A position at which the mover stands in the sound world, with its contact plane.
#[derive(Clone, Copy, Debug)]
pub struct StandingPlace {
    /// The position.
    pub at: Position,
    /// The stance there.
    pub stance: Stance,
}

/// A record to be damaged, and the pieces that read it.
#[derive(Debug)]
pub struct DamageTarget {
    /// The file of the record.
    pub file: FileKind,
    /// Its id.
    pub id: RecordId,
    /// Its kind.
    pub kind: RecordKind,
    /// Its sound bytes.
    pub bytes: Vec<u8>,
    /// Indices of pieces.
    pieces: Vec<usize>,
}

/// Counts of what came of the damaged variants.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VariantCounts {
    /// Variants with a piece, or a part of one, that was refused.
    pub refused: usize,
    /// Variants in which every piece was built.
    pub built: usize,
    /// Sweeps, placements and cameras that were refused because their end is not finite.
    pub not_finite: usize,
    /// Sweeps, placements, cameras and updates that were not refused.
    pub moves: usize,
    /// Portal walks with a visible region.
    pub views: usize,
    /// The largest coordinate of an end, in the frame of its landblock.
    pub farthest: f32,
}

/// The world, its records, and the sound pieces.
pub struct DamagedWorld {
    records: Arc<RecordSet>,
    pieces: Vec<(PieceId, Piece)>,
    targets: Vec<DamageTarget>,
    /// Standing places, by piece.
    standing_places: Vec<Vec<StandingPlace>>,
    mover: Arc<Setup>,
    world: World,
    exercise: Exercise,
    /// Counts of the variants so far.
    pub counts: VariantCounts,
}

impl std::fmt::Debug for DamagedWorld {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DamagedWorld").field("counts", &self.counts).finish_non_exhaustive()
    }
}

/// The records, with one of them replaced.
struct RecordOverlay {
    records: Arc<RecordSet>,
    file: FileKind,
    id: RecordId,
    bytes: Vec<u8>,
}

impl Source for RecordOverlay {
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

/// The records, with a note of each one that is read.
struct ReadRecorder {
    records: Arc<RecordSet>,
    read: Mutex<BTreeSet<(FileKind, RecordId)>>,
}

impl Source for ReadRecorder {
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

/// Makes a hut with two rooms on uneven ground with plants and objects, and a dungeon of three rooms.
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

    // The first room has a stage of 0.9 m; the last is a pit with a ledge at the door and one above it.
    let mut depths = Plan::new();
    let lows = [0.0, 0.0, -4.0];
    let stages: [&[_]; 3] = [
        &[([1.0, 0.0, 0.0], [2.0, 4.0, 0.9]), ([2.6, 0.0, 0.0], [2.65, 4.0, 0.15])],
        // Narrow faces: their area stays finite when one side becomes huge.
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

/// Returns whether records of a kind decide where something is, or what blocks it.
fn is_damaged_kind(kind: RecordKind) -> bool {
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

impl DamagedWorld {
    /// Makes the world with sound records, and finds its standing places.
    pub fn sound() -> Self {
        let records = Arc::new(records());
        let builder = Builder::shared(Arc::<RecordSet>::clone(&records));
        let mut world = World::new();
        let (mut pieces, mut reads) = (Vec::new(), Vec::new());
        // The ground of the dungeon is not needed.
        for id in builder.pieces().into_iter().filter(|id| *id != PieceId::Land(DEPTHS)) {
            let source =
                Arc::new(ReadRecorder { records: records.clone(), read: Mutex::default() });
            let built = Builder::shared(Arc::<ReadRecorder>::clone(&source)).build(id);
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
        let mut targets: Vec<DamageTarget> = Vec::new();
        for (file, id) in reads.iter().flatten().collect::<BTreeSet<_>>() {
            let kind = RecordKind::from_id(*file, *id);
            let Some(bytes) = sound(*file, *id) else { continue };
            let reading = (0..pieces.len()).filter(|piece| reads[*piece].contains(&(*file, *id)));
            let pieces = reading.collect();
            if is_damaged_kind(kind) {
                targets.push(DamageTarget { file: *file, id: *id, kind, bytes, pieces });
            }
        }
        let mover = builder.setup(MOVER).expect("it is sound");
        let bytes = sound(FileKind::Portal, MOVER).expect("it is there");
        let kind = RecordKind::Setup;
        targets.push(DamageTarget {
            file: FileKind::Portal,
            id: MOVER,
            kind,
            bytes,
            pieces: Vec::new(),
        });
        let standing_places =
            pieces.iter().map(|(id, _)| standing_places(&world, &mover, *id)).collect();
        let exercise = Exercise::new();
        let counts = VariantCounts::default();
        Self { records, pieces, targets, standing_places, mover, world, exercise, counts }
    }

    /// Returns the records that can be damaged.
    pub fn targets(&self) -> &[DamageTarget] {
        &self.targets
    }

    /// Replaces a record by damaged bytes, moves and looks in the world for a moment, and puts the sound record back.
    pub fn try_variant(&mut self, target: usize, bytes: Vec<u8>, random: &mut Random) {
        let DamageTarget { file, id, ref pieces, .. } = self.targets[target];
        let overlay = RecordOverlay { records: self.records.clone(), file, id, bytes };
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
            self.counts.refused += 1;
        } else {
            self.counts.built += 1;
        }
        let place = self.standing_place(target, random);
        self.exercise.run(&mut self.world, &setup, &place, random, &mut self.counts);
        for piece in &self.targets[target].pieces {
            self.world.adopt(self.pieces[*piece].1.clone());
        }
    }

    /// Picks a place in or beside one of the pieces of a target.
    fn standing_place(&self, target: usize, random: &mut Random) -> StandingPlace {
        let own = &self.targets[target].pieces;
        let any = own.is_empty() || random.below(4) == 0;
        let piece =
            if any { random.below(self.pieces.len()) } else { own[random.below(own.len())] };
        let places = &self.standing_places[piece];
        places[random.below(places.len())]
    }

    /// Returns the results of fixed sweeps and portal walks, as text.
    ///
    /// They are equal before and after a variant, unless the variant left something behind.
    pub fn reference(&mut self) -> String {
        let mut results = String::new();
        for places in &self.standing_places {
            results += &self.exercise.reference(&self.world, &self.mover, &places[0]);
        }
        results
    }
}

/// Finds places where the usual mover stands in a piece; on the land, around the hut.
fn standing_places(world: &World, mover: &Arc<Setup>, piece: PieceId) -> Vec<StandingPlace> {
    let mut random = Random(5);
    let mover = Mover::new(MoverShape::from_setup(mover, 1.0));
    let (sweeper, mut scratch) = (Sweeper::new(world), SweepScratch::new());
    let mut stand = |at: Position| match sweeper.can_stand(&mut scratch, &mover, &at) {
        StandResult::Stands { at, stance } => Some(StandingPlace { at, stance }),
        _ => None,
    };
    let (low, high) = extent(world, piece);
    let mut places = Vec::new();
    for _ in 0..20_000 {
        let mut pick =
            |axis: usize| random.between(f64::from(low[axis]), f64::from(high[axis])) as f32;
        let at = Vec3::new(pick(0), pick(1), pick(2));
        let cell = match piece {
            PieceId::Room(cell) => cell,
            PieceId::Land(block) => {
                let index = threshold_land::cell_index(at.truncate()).expect("it is in the block");
                block.cell(u16::try_from(index).expect("below 64") + 1)
            }
        };
        let stands = stand(Position::new(cell, at));
        places.extend(stands.filter(|place| PieceId::from_cell(place.at.cell) == piece));
        if places.len() == STANDING_PLACES {
            return places;
        }
    }
    panic!("{} places to stand in {piece}", places.len());
}

/// Returns opposite corners of the part of a piece in which movers stand.
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
