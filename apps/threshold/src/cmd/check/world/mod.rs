//! The check of the world that the records make: rooms, portals, buildings, objects and ground.
//!
//! Nothing but the heights of neighbouring ground crosses the border of a landblock, so each is
//! built, checked and dropped by itself.

mod buildings;
mod closed;
mod facing;
mod fault;
mod land;
mod objects;
mod outline;
mod portals;
mod rooms;
mod tree;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use threshold_dat::{
    DatFolder, DirectoryEntry, EnvCell, FileKind, LandBlock, LandBlockInfo, RecordId, RecordKind,
    Records, RegionDesc, Source,
};
use threshold_land::glam::Vec3;
use threshold_land::{BlockId, CellId};
use threshold_world::{Builder, HeightTable, Piece, PieceId, REGION, Room};

use self::closed::Space;
use self::fault::Faults;
use super::record::Shapes;
use super::{Finding, Severity};
use crate::progress::Progress;

/// Checks the world of a folder.
pub(super) struct WorldCheck<'a> {
    folder: &'a Arc<DatFolder>,
    shapes: &'a Shapes,
    builder: Builder,
    heights: Option<HeightTable>,
    /// By environment and structure, which rooms share.
    spaces: Mutex<BTreeMap<(RecordId, u32), Arc<Space>>>,
}

/// What there is of a landblock, by id.
#[derive(Default)]
struct Pieces {
    land: bool,
    rooms: Vec<CellId>,
}

/// A landblock while it is checked.
struct Site<'a> {
    check: &'a WorldCheck<'a>,
    block: BlockId,
    rooms: BTreeMap<CellId, Chamber>,
    /// Rooms that are in the file and cannot be used, which is said elsewhere, and where they are.
    unusable: BTreeMap<CellId, Vec3>,
    info: Option<LandBlockInfo>,
    found: Findings,
}

/// A room with what it was made of.
struct Chamber {
    record: EnvCell,
    room: Box<Room>,
    space: Arc<Space>,
}

/// Collects what is found in one landblock.
struct Findings {
    file: String,
    out: Vec<Finding>,
}

impl Findings {
    fn error(&mut self, record: impl Into<RecordId>, at: (CellId, Vec3), message: String) {
        self.add(Severity::Error, record.into(), at, message);
    }

    fn note(&mut self, record: impl Into<RecordId>, at: (CellId, Vec3), message: String) {
        self.add(Severity::Note, record.into(), at, message);
    }

    fn add(&mut self, severity: Severity, record: RecordId, at: (CellId, Vec3), message: String) {
        let finding = Finding {
            severity,
            record: Some(record),
            kind: Some(RecordKind::from_id(FileKind::Cell, record)),
            message,
            ..Finding::about(&self.file)
        };
        self.out.push(finding.at(at.0, at.1));
    }
}

impl<'a> WorldCheck<'a> {
    pub(super) fn new(folder: &'a Arc<DatFolder>, shapes: &'a Shapes) -> Self {
        let region = Records::new(&**folder).get::<RegionDesc>(REGION).ok().flatten();
        Self {
            folder,
            shapes,
            builder: Builder::shared(Arc::<DatFolder>::clone(folder)),
            heights: region.and_then(|region| HeightTable::new(&region.heights).ok()),
            spaces: Mutex::default(),
        }
    }

    /// Checks the landblocks whose records are among `entries`, in parallel; what is found comes in
    /// the order of their ids.
    pub(super) fn run(&self, entries: &[DirectoryEntry]) -> Vec<Finding> {
        let pieces = pieces(entries);
        let progress = Progress::new("checking the world", pieces.len() as u64);
        let each = |(block, pieces): &(BlockId, Pieces)| {
            let done = self.block(*block, pieces);
            progress.step();
            done
        };
        let done: Vec<(Vec<Finding>, Faults)> = pieces.par_iter().map(each).collect();
        progress.finish();
        let mut findings = Vec::new();
        let mut said = BTreeSet::new();
        for (of_block, faults) in done {
            findings.extend(faults.into_findings(self.folder, &mut said));
            findings.extend(of_block);
        }
        findings
    }

    fn block(&self, block: BlockId, pieces: &Pieces) -> (Vec<Finding>, Faults) {
        let mut records = Records::new(&**self.folder);
        let info = records.get::<LandBlockInfo>(block.cell(0xFFFE).into());
        let info_damaged = info.is_err();
        let mut faults = Faults::default();
        let land = pieces.land.then(|| self.build(PieceId::Land(block), &mut faults)).flatten();
        let mut site = self.site(block, pieces, &mut faults);
        // Ground that denies its info has none; that is said of its record.
        let ground = records.get::<LandBlock>(block.as_cell().into());
        let denied = matches!(ground, Ok(Some(LandBlock { has_info: 0, .. })));
        site.info = info.ok().flatten().filter(|_| !denied);
        faults.locate(&site);
        if pieces.land {
            site.check_ground(&mut records);
        }
        if let Some(Piece::Land(land)) = &land {
            site.check_outdoor_objects(land);
        }
        site.check_buildings(&mut records);
        if !info_damaged {
            site.check_exits();
        }
        site.check_rooms(info_damaged);
        (site.found.out, faults)
    }

    /// A landblock with its rooms.
    fn site(&self, block: BlockId, pieces: &Pieces, faults: &mut Faults) -> Site<'_> {
        let file = self.folder.name(FileKind::Cell).to_string();
        let mut site = Site {
            check: self,
            block,
            rooms: BTreeMap::new(),
            unusable: BTreeMap::new(),
            info: None,
            found: Findings { file, out: Vec::new() },
        };
        let chamber = |cell: &CellId| (*cell, self.chamber(*cell));
        let chambers: Vec<_> = pieces.rooms.par_iter().map(chamber).collect();
        for (cell, (chamber, of_room)) in chambers {
            faults.0.extend(of_room.0);
            match chamber {
                Ok(chamber) => {
                    site.rooms.insert(cell, chamber);
                }
                Err(origin) => {
                    site.unusable.insert(cell, origin);
                }
            }
        }
        site
    }

    fn build(&self, id: PieceId, faults: &mut Faults) -> Option<Piece> {
        match self.builder.build(id) {
            Ok(Some(built)) => {
                faults.0.extend(built.faults.into_iter().map(Into::into));
                Some(built.piece)
            }
            Ok(None) => None,
            Err(fault) => {
                faults.0.push(fault.into());
                None
            }
        }
    }

    /// A room; where it stands if it cannot be used.
    fn chamber(&self, cell: CellId) -> (Result<Chamber, Vec3>, Faults) {
        let mut faults = Faults::default();
        let record = Records::new(&**self.folder).get::<EnvCell>(cell.into()).ok().flatten();
        let chamber = match (self.build(PieceId::Room(cell), &mut faults), record) {
            (Some(Piece::Room(room)), Some(record)) => {
                let space = self.space(&record, &room);
                Ok(Chamber { record, room, space })
            }
            (_, record) => Err(record.map_or(Vec3::ZERO, |record| record.position.origin)),
        };
        (chamber, faults)
    }

    /// The space of a room's shape; looked at once for all rooms that share it.
    fn space(&self, record: &EnvCell, room: &Room) -> Arc<Space> {
        let key = (record.environment_id(), u32::from(record.structure));
        let lock = || self.spaces.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&key) {
            return Arc::clone(known);
        }
        let space = Space::of(room.structure(), self.shapes.openings(key.0, key.1));
        Arc::clone(lock().entry(key).or_insert(Arc::new(space)))
    }
}

/// What there is, by landblock.
fn pieces(entries: &[DirectoryEntry]) -> Vec<(BlockId, Pieces)> {
    let mut blocks: BTreeMap<BlockId, Pieces> = BTreeMap::new();
    for entry in entries {
        let cell = entry.id.cell();
        match RecordKind::from_id(FileKind::Cell, entry.id) {
            RecordKind::LandBlock => blocks.entry(cell.block()).or_default().land = true,
            RecordKind::EnvCell => blocks.entry(cell.block()).or_default().rooms.push(cell),
            RecordKind::LandBlockInfo => {
                blocks.entry(cell.block()).or_default();
            }
            _ => {}
        }
    }
    blocks.into_iter().collect()
}
