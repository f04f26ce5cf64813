//! The landblocks of a world, from their records alone: nothing is built, so a whole installation is listed in a minute.

use std::collections::BTreeMap;
use std::io::{self, Write};

use rayon::prelude::*;
use serde::Serialize;
use threshold_dat::{
    DatFile, DatFolder, EnvCell, FileKind, LandBlockInfo, RecordKind, Records, Result, Source,
};
use threshold_land::{BlockId, CellId};

use crate::formatting::thousands;
use crate::progress::Progress;
use crate::stderr::print_message;

/// All landblocks. Field names are keys of the JSON output.
#[derive(Serialize)]
pub(super) struct BlockList {
    landblocks: Vec<BlockDescription>,
    /// Records that cannot be read.
    #[serde(skip)]
    faults: Vec<String>,
}

/// A landblock.
#[derive(Serialize)]
struct BlockDescription {
    block: BlockId,
    /// Whether it has a terrain.
    land: bool,
    /// Whether it has rooms but no building.
    dungeon: bool,
    rooms: usize,
    /// Number of rooms from which the outdoors cannot be seen.
    enclosed_rooms: usize,
    buildings: usize,
    /// Number of objects outdoors and in rooms.
    objects: usize,
    #[serde(skip)]
    faults: Vec<String>,
}

/// The records of a landblock.
#[derive(Default)]
struct BlockRecords {
    has_land: bool,
    has_info: bool,
    rooms: Vec<CellId>,
}

impl BlockList {
    pub(super) fn of(folder: &DatFolder) -> Self {
        let mut blocks: BTreeMap<BlockId, BlockRecords> = BTreeMap::new();
        for id in folder.ids(FileKind::Cell) {
            let kind = RecordKind::from_id(FileKind::Cell, id);
            let of_block = || id.cell().block();
            match kind {
                RecordKind::LandBlock => blocks.entry(of_block()).or_default().has_land = true,
                RecordKind::LandBlockInfo => blocks.entry(of_block()).or_default().has_info = true,
                RecordKind::EnvCell => {
                    blocks.entry(of_block()).or_default().rooms.push(id.cell());
                }
                _ => {}
            }
        }
        let blocks: Vec<_> = blocks.into_iter().collect();
        let progress = Progress::new("reading", blocks.len() as u64);
        let described = blocks.par_iter().map(|(block, records)| {
            let described = BlockDescription::of(folder, *block, records);
            progress.step();
            described
        });
        let mut landblocks: Vec<BlockDescription> = described.collect();
        progress.finish();
        // The list of ids silently lacks the entries that a damaged directory has lost.
        let entries = folder.file(FileKind::Cell).into_iter().flat_map(DatFile::entries);
        let mut faults: Vec<String> =
            entries.filter_map(Result::err).map(|error| error.to_string()).collect();
        faults.extend(landblocks.iter_mut().flat_map(|block| std::mem::take(&mut block.faults)));
        Self { landblocks, faults }
    }

    pub(super) fn print_faults(&self) {
        self.faults.iter().for_each(|fault| print_message(format_args!("left out: {fault}")));
    }

    /// Returns whether every record could be read.
    pub(super) fn is_complete(&self) -> bool {
        self.faults.is_empty()
    }

    pub(super) fn print(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "block  land  dungeon    rooms  enclosed  buildings  objects")?;
        self.landblocks.iter().try_for_each(|block| block.print(out))
    }
}

impl BlockDescription {
    fn of(source: &dyn Source, block: BlockId, records: &BlockRecords) -> Self {
        let mut described = Self {
            block,
            land: records.has_land,
            dungeon: false,
            rooms: records.rooms.len(),
            enclosed_rooms: 0,
            buildings: 0,
            objects: 0,
            faults: Vec::new(),
        };
        let mut reader = Records::new(source);
        if records.has_info {
            let info = reader.get::<LandBlockInfo>(block.cell(0xFFFE).into());
            if let Some(info) = described.note(info) {
                described.buildings = info.buildings.len();
                described.objects = info.objects.len();
            }
        }
        described.dungeon = described.rooms > 0 && described.buildings == 0;
        for room in &records.rooms {
            let room = reader.get::<EnvCell>((*room).into());
            if let Some(room) = described.note(room) {
                described.enclosed_rooms += usize::from(!room.flags.seen_outside());
                described.objects += room.statics.len();
            }
        }
        described
    }

    /// Returns a record, or notes why it cannot be read.
    fn note<T>(&mut self, record: Result<Option<T>>) -> Option<T> {
        record.unwrap_or_else(|error| {
            self.faults.push(error.to_string());
            None
        })
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let [land, dungeon] = [self.land, self.dungeon].map(|is| if is { "yes" } else { "-" });
        let [rooms, enclosed, buildings, objects] =
            [self.rooms, self.enclosed_rooms, self.buildings, self.objects].map(thousands);
        let block = self.block;
        writeln!(
            out,
            "{block}   {land:4}  {dungeon:7}{rooms:>9}{enclosed:>10}{buildings:>11}{objects:>9}"
        )
    }
}
