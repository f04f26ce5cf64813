//! The header of a data file.

use serde::Serialize;

use crate::error::{ByteOffset, DatError};
use crate::reader::Result;
use crate::record::{FileKind, RecordId};

/// Offset of the header.
pub(crate) const HEADER_AT: usize = 0x140;
/// End of the header; no block lies before it.
pub(crate) const HEADER_END: usize = 0x190;
/// Offset of the first block of a file written here.
pub(crate) const FIRST_BLOCK: u32 = 0x400;
/// Offset of the journal slot, which describes an interrupted change.
pub(crate) const JOURNAL_AT: usize = 0x100;
/// The journal slot of a file without an interrupted change: zero, then the magic number.
pub(crate) const JOURNAL_AT_REST: [u8; 5] = [0x00, 0x50, 0x4C, 0x00, 0x00];

const MAGIC: u32 = 0x5442;
/// Offset of the magic number in files from before 2005.
const OLD_MAGIC_AT: usize = 0x12C;

/// The header of a data file. Retail: `DiskFileInfo_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Header {
    /// Bytes per block, including its link: 256 in the cell file, 1024 in the others.
    pub block_size: u32,
    /// Length of the file according to itself.
    pub file_size: u32,
    /// 1 portal and large images, 2 cell, 3 local.
    pub data_set: u32,
    /// Region of a cell file, language of a local one, `HiFi` for large images.
    pub data_subset: u32,
    /// First free block, 0 if there is none.
    pub free_head: u32,
    /// Last free block.
    pub free_tail: u32,
    /// Number of free blocks.
    pub free_count: u32,
    /// Root node of the directory, 0 if there is none.
    pub root: u32,
    /// On-disk cache, never used.
    pub lru_new: u32,
    /// On-disk cache, never used.
    pub lru_old: u32,
    /// On-disk cache in use.
    pub lru_in_use: bool,
    /// Portal: its map from enums to ids.
    pub master_map: RecordId,
    /// Version of the engine.
    pub engine_version: u32,
    /// Version of the game; 0.
    pub game_version: u32,
    /// The same in all files of an installation.
    pub version_guid: [u8; 16],
    /// The same in all files of an installation.
    pub version_minor: u32,
}

impl Header {
    /// The values for a new file of this kind; the writer sets sizes and offsets.
    pub fn fresh(kind: FileKind) -> Self {
        let (block_size, data_set, data_subset, engine_version) = match kind {
            FileKind::Cell => (256, 2, 1, 22),
            FileKind::Portal => (1024, 1, 0, 110),
            FileKind::HighRes => (1024, 1, u32::from_be_bytes(*b"iFiH"), 110),
            FileKind::Local => (1024, 3, 1, 110),
        };
        Self {
            block_size,
            file_size: 0,
            data_set,
            data_subset,
            free_head: 0,
            free_tail: 0,
            free_count: 0,
            root: 0,
            lru_new: 0,
            lru_old: 0,
            lru_in_use: false,
            master_map: RecordId::NONE,
            engine_version,
            game_version: 0,
            version_guid: [0; 16],
            version_minor: 0,
        }
    }

    /// Bytes of a block without its link.
    pub fn payload(&self) -> usize {
        self.block_size as usize - 4
    }

    /// The kind of file according to the header; `None` for an unknown data set.
    pub fn file_kind(&self) -> Option<FileKind> {
        match self.data_set {
            1 if self.data_subset == Self::fresh(FileKind::HighRes).data_subset => {
                Some(FileKind::HighRes)
            }
            1 => Some(FileKind::Portal),
            2 => Some(FileKind::Cell),
            3 => Some(FileKind::Local),
            _ => None,
        }
    }

    pub(crate) fn read(file: &[u8]) -> Result<Self> {
        let words = file.get(HEADER_AT..HEADER_END).and_then(|bytes| bytes.first_chunk::<80>());
        let Some(bytes) = words else {
            let short = DatError::value("file length", "400 bytes or more", file.len() as u64);
            return Err(short.at(ByteOffset::File(file.len() as u64)));
        };
        let (words, _) = bytes.as_chunks::<4>();
        let word =
            |at: usize| words.get((at - HEADER_AT) / 4).map_or(0, |word| u32::from_le_bytes(*word));
        check_magic(file, word(0x140))?;
        let mut version_guid = [0; 16];
        version_guid.copy_from_slice(&bytes[0x17C - HEADER_AT..0x18C - HEADER_AT]);
        let header = Self {
            block_size: word(0x144),
            file_size: word(0x148),
            data_set: word(0x14C),
            data_subset: word(0x150),
            free_head: word(0x154),
            free_tail: word(0x158),
            free_count: word(0x15C),
            root: word(0x160),
            lru_new: word(0x164),
            lru_old: word(0x168),
            // The other three bytes are garbage in retail's files.
            lru_in_use: word(0x16C) & 0xFF != 0,
            master_map: RecordId(word(0x170)),
            engine_version: word(0x174),
            game_version: word(0x178),
            version_guid,
            version_minor: word(0x18C),
        };
        if !block_size_is_valid(header.block_size) {
            let expected = "a multiple of 4 in 64..=65536";
            return Err(DatError::value("block size", expected, header.block_size)
                .at(ByteOffset::File(0x144)));
        }
        Ok(header)
    }

    pub(crate) fn write(&self) -> [u8; 80] {
        let head = [
            MAGIC,
            self.block_size,
            self.file_size,
            self.data_set,
            self.data_subset,
            self.free_head,
            self.free_tail,
            self.free_count,
            self.root,
            self.lru_new,
            self.lru_old,
            u32::from(self.lru_in_use),
            self.master_map.0,
            self.engine_version,
            self.game_version,
        ];
        let mut out = [0; 80];
        let (words, rest) = out.split_at_mut(60);
        words.copy_from_slice(head.map(u32::to_le_bytes).as_flattened());
        rest[..16].copy_from_slice(&self.version_guid);
        rest[16..].copy_from_slice(&self.version_minor.to_le_bytes());
        out
    }
}

pub(crate) fn block_size_is_valid(size: u32) -> bool {
    (64..=65536).contains(&size) && size.is_multiple_of(4)
}

fn check_magic(file: &[u8], found: u32) -> Result<()> {
    if found == MAGIC {
        return Ok(());
    }
    let old = file.get(OLD_MAGIC_AT..OLD_MAGIC_AT + 4) == Some(&MAGIC.to_le_bytes()[..]);
    let expected =
        if old { "0x5442 (this is a file from before 2005, an older layout)" } else { "0x5442" };
    Err(DatError::value("magic number", expected, found).at(ByteOffset::File(HEADER_AT as u64)))
}
