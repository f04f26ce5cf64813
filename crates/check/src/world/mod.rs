//! The check of the world that the records make: rooms, portals, buildings, objects and ground.
//!
//! Each landblock is built, checked and dropped by itself: only the heights of neighbouring ground cross its border.

mod buildings;
mod cell_tree;
mod closed;
mod facing;
mod faults;
mod ground;
mod objects;
mod outline;
mod portals;
mod rooms;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use threshold_dat::{
    DatFolder, DirectoryEntry, EnvCell, FileKind, LandBlock, LandBlockInfo, RecordId, RecordKind,
    Records, RegionDesc, Source,
};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Position};
use threshold_world::{Builder, HeightTable, Piece, PieceId, REGION, Room};

use self::closed::ShapeReport;
use self::faults::Faults;
use crate::progress::Steps;
use crate::record::Shapes;
use crate::{CheckStage, Finding, OnProgress, Severity, parallel};

/// Checks the world of a folder.
pub(crate) struct WorldCheck<'a> {
    folder: &'a Arc<DatFolder>,
    shapes: &'a Shapes,
    builder: Builder,
    heights: Option<HeightTable>,
    /// Results by environment and structure, which rooms share.
    shape_reports: Mutex<BTreeMap<(RecordId, u32), Arc<ShapeReport>>>,
}

/// Records of a landblock.
#[derive(Default)]
struct BlockRecords {
    has_ground: bool,
    rooms: Vec<CellId>,
}

/// The check of one landblock.
struct BlockCheck<'a> {
    check: &'a WorldCheck<'a>,
    block: BlockId,
    rooms: BTreeMap<CellId, CheckedRoom>,
    /// Origins of rooms that cannot be used; the check of records reports them.
    unusable: BTreeMap<CellId, Vec3>,
    info: Option<LandBlockInfo>,
    findings: Findings,
}

/// A room with its record and the check of its structure.
struct CheckedRoom {
    record: EnvCell,
    room: Box<Room>,
    shape: Arc<ShapeReport>,
}

/// Collects the findings about one landblock.
struct Findings {
    file: String,
    out: Vec<Finding>,
}

impl Findings {
    fn error(&mut self, record: impl Into<RecordId>, at: Position, message: String) {
        self.add(Severity::Error, record.into(), at, message);
    }

    fn note(&mut self, record: impl Into<RecordId>, at: Position, message: String) {
        self.add(Severity::Note, record.into(), at, message);
    }

    fn add(&mut self, severity: Severity, record: RecordId, at: Position, message: String) {
        let finding = Finding {
            severity,
            record: Some(record),
            kind: Some(RecordKind::from_id(FileKind::Cell, record)),
            message,
            ..Finding::new(&self.file)
        };
        self.out.push(finding.at(at.cell, at.frame.origin));
    }
}

impl<'a> WorldCheck<'a> {
    pub(crate) fn new(folder: &'a Arc<DatFolder>, shapes: &'a Shapes) -> Self {
        // The check of records reports a region that cannot be read or lacks heights.
        let region = Records::new(&**folder).get::<RegionDesc>(REGION).ok().flatten();
        Self {
            folder,
            shapes,
            builder: Builder::shared(Arc::<DatFolder>::clone(folder)),
            heights: region.and_then(|region| HeightTable::new(&region.heights).ok()),
            shape_reports: Mutex::default(),
        }
    }

    /// Checks the landblocks of `entries`; returns findings in the order of landblocks.
    pub(crate) fn run(
        &self,
        entries: &[DirectoryEntry],
        on_progress: OnProgress<'_>,
    ) -> Vec<Finding> {
        let blocks = records_by_block(entries);
        let steps = Steps::new(CheckStage::World, blocks.len(), on_progress);
        let results = parallel::map(&blocks, |(block, records)| {
            let result = self.check_block(*block, records);
            steps.advance();
            result
        });
        let mut findings = Vec::new();
        let mut reported = BTreeSet::new();
        for (of_block, faults) in results {
            findings.extend(faults.into_findings(self.folder, &mut reported));
            findings.extend(of_block);
        }
        findings
    }

    fn check_block(&self, block: BlockId, listed: &BlockRecords) -> (Vec<Finding>, Faults) {
        let mut records = Records::new(&**self.folder);
        let info = records.get::<LandBlockInfo>(block.cell(0xFFFE).into());
        let info_damaged = info.is_err();
        let mut faults = Faults::default();
        let land =
            listed.has_ground.then(|| self.build(PieceId::Land(block), &mut faults)).flatten();
        let mut check = self.block_check(block, listed, &mut faults);
        // The ground may say that there is no info record; the check of records reports that.
        let ground = records.get::<LandBlock>(block.as_cell().into());
        let denied = matches!(ground, Ok(Some(LandBlock { has_info: 0, .. })));
        // The check of records reports an info record that cannot be read.
        check.info = info.ok().flatten().filter(|_| !denied);
        faults.locate(&check);
        if listed.has_ground {
            check.check_ground(&mut records);
        }
        if let Some(Piece::Land(land)) = &land {
            check.check_outdoor_objects(land);
        }
        check.check_buildings(&mut records);
        if !info_damaged {
            check.check_exits();
        }
        check.check_rooms(info_damaged);
        (check.findings.out, faults)
    }

    /// Builds the rooms of a landblock.
    fn block_check(
        &self,
        block: BlockId,
        listed: &BlockRecords,
        faults: &mut Faults,
    ) -> BlockCheck<'_> {
        let file = self.folder.name(FileKind::Cell).to_string();
        let mut block_check = BlockCheck {
            check: self,
            block,
            rooms: BTreeMap::new(),
            unusable: BTreeMap::new(),
            info: None,
            findings: Findings { file, out: Vec::new() },
        };
        let rooms = parallel::map(&listed.rooms, |cell| (*cell, self.checked_room(*cell)));
        for (cell, (room, of_room)) in rooms {
            faults.0.extend(of_room.0);
            match room {
                Ok(room) => {
                    block_check.rooms.insert(cell, room);
                }
                Err(origin) => {
                    block_check.unusable.insert(cell, origin);
                }
            }
        }
        block_check
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

    /// Builds a room; returns its origin if it cannot be used.
    fn checked_room(&self, cell: CellId) -> (Result<CheckedRoom, Vec3>, Faults) {
        let mut faults = Faults::default();
        // The build below reads the record, too, and reports an error.
        let record = Records::new(&**self.folder).get::<EnvCell>(cell.into()).ok().flatten();
        let room = match (self.build(PieceId::Room(cell), &mut faults), record) {
            (Some(Piece::Room(room)), Some(record)) => {
                let shape = self.shape_report(&record, &room);
                Ok(CheckedRoom { record, room, shape })
            }
            (_, record) => Err(record.map_or(Vec3::ZERO, |record| record.position.origin)),
        };
        (room, faults)
    }

    /// Returns the check of a room's structure, which is made once for all rooms that share it.
    fn shape_report(&self, record: &EnvCell, room: &Room) -> Arc<ShapeReport> {
        let key = (record.environment_id(), u32::from(record.structure));
        let lock = || self.shape_reports.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&key) {
            return Arc::clone(known);
        }
        let portals = self.shapes.portal_polygons(key.0, key.1);
        let report = ShapeReport::new(room.structure(), portals);
        Arc::clone(lock().entry(key).or_insert(Arc::new(report)))
    }
}

fn records_by_block(entries: &[DirectoryEntry]) -> Vec<(BlockId, BlockRecords)> {
    let mut blocks: BTreeMap<BlockId, BlockRecords> = BTreeMap::new();
    for entry in entries {
        let cell = entry.id.cell();
        match RecordKind::from_id(FileKind::Cell, entry.id) {
            RecordKind::LandBlock => blocks.entry(cell.block()).or_default().has_ground = true,
            RecordKind::EnvCell => blocks.entry(cell.block()).or_default().rooms.push(cell),
            RecordKind::LandBlockInfo => {
                blocks.entry(cell.block()).or_default();
            }
            _ => {}
        }
    }
    blocks.into_iter().collect()
}
