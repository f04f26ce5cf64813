//! Sources of records.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::container::{ContainerWriter, DatFile, DirectoryEntry, NewRecord};
use crate::error::{DatError, DatErrorKind, EncodeError};
use crate::reader::Result;
use crate::record::{FileKind, Record, RecordId, RecordKind};

/// Gives records by kind and id. Implemented by a folder of data files and by a made world.
///
/// Shared between threads; the caller provides the buffer. [`Records`] is the convenient way to
/// read typed records from any source.
pub trait Source: Send + Sync {
    /// Returns the bytes of a record, borrowed or gathered into `buffer`, or `None` if there is
    /// none.
    fn read<'a>(
        &'a self,
        file: FileKind,
        id: RecordId,
        buffer: &'a mut Vec<u8>,
    ) -> Result<Option<&'a [u8]>>;

    /// Returns whether a record exists. Costs a look-up.
    fn contains(&self, file: FileKind, id: RecordId) -> Result<bool>;

    /// Returns the ids of all records of a file, ascending. Damaged parts of a directory are left
    /// out.
    fn ids(&self, file: FileKind) -> Vec<RecordId>;

    /// The name of a file in errors.
    fn name(&self, file: FileKind) -> Arc<str> {
        file.file_name().into()
    }
}

/// Reads typed records from a source, with a reused buffer.
///
/// ```
/// use threshold_dat::{LandBlock, Record, RecordSet, Records, RecordId};
/// use threshold_land::BlockId;
///
/// let mut world = RecordSet::new();
/// world.put(RecordId(0xA9B4_FFFF), &LandBlock::flat(BlockId(0xA9B4)))?;
///
/// let mut records = Records::new(&world);
/// let ground: Option<LandBlock> = records.get(RecordId(0xA9B4_FFFF))?;
/// assert_eq!(ground.unwrap().heights[0], 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Records<'s> {
    source: &'s dyn Source,
    buffer: Vec<u8>,
}

impl<'s> Records<'s> {
    /// Creates a reader of `source`.
    pub fn new(source: &'s dyn Source) -> Self {
        Self { source, buffer: Vec::new() }
    }

    /// Reads record `id` as the requested kind, or returns `None` if there is none.
    pub fn get<R: Record>(&mut self, id: RecordId) -> Result<Option<R>> {
        let mut failed = None;
        for file in R::KIND.files() {
            match self.source.read(*file, id, &mut self.buffer) {
                Ok(Some(bytes)) => {
                    let record = R::decode(id, bytes).map(Some);
                    return record.map_err(|error| error.in_file(&self.source.name(*file)));
                }
                Ok(None) => {}
                // A damaged directory of one file does not hide the record in another.
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        failed.map_or(Ok(None), Err)
    }

    /// Returns whether the source has a record of this kind and id.
    pub fn contains(&self, kind: RecordKind, id: RecordId) -> Result<bool> {
        let mut failed = None;
        for file in kind.files().iter().filter(|file| RecordKind::from_id(**file, id) == kind) {
            match self.source.contains(*file, id) {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        failed.map_or(Ok(false), Err)
    }
}

impl std::fmt::Debug for Records<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Records").finish_non_exhaustive()
    }
}

/// A folder of data files.
#[derive(Debug)]
pub struct DatFolder {
    files: Vec<(FileKind, DatFile)>,
}

impl DatFolder {
    /// Opens the data files of a folder; upper and lower case in names do not matter. The cell and
    /// portal files must exist; the other two are optional.
    pub fn open(folder: &Path) -> Result<Self> {
        Self::open_usable(folder)?.complete()
    }

    /// Opens the files that can be opened. Fails only if the folder cannot be read.
    pub fn open_usable(folder: &Path) -> Result<OpenedFolder> {
        let name: Arc<str> = folder.display().to_string().into();
        let io = |error| DatError::new(DatErrorKind::Io(error)).in_file(&name);
        let mut listing = Vec::new();
        for item in std::fs::read_dir(folder).map_err(io)? {
            listing.push(item.map_err(io)?.path());
        }
        // If two names differ only in case, the choice must not depend on the file system.
        listing.sort();
        let (mut files, mut missing, mut unusable) = (Vec::new(), Vec::new(), Vec::new());
        for kind in FileKind::ALL {
            let wanted = kind.file_name();
            let is_it = |path: &&std::path::PathBuf| {
                path.file_name().is_some_and(|name| name.eq_ignore_ascii_case(wanted))
            };
            // A folder or pipe with that name is reported if there is no regular file.
            let regular = listing.iter().filter(is_it).find(|path| path.is_file());
            let path = regular.or_else(|| listing.iter().find(is_it));
            match path.map(|path| DatFile::open(path)) {
                Some(Ok(file)) => files.push((kind, file)),
                Some(Err(error)) => unusable.push((kind, error)),
                None if matches!(kind, FileKind::Cell | FileKind::Portal) => missing.push(kind),
                None => {}
            }
        }
        Ok(OpenedFolder { folder: Self { files }, name, missing, unusable })
    }

    /// Creates a folder from open files.
    pub fn from_files(files: Vec<(FileKind, DatFile)>) -> Self {
        Self { files }
    }

    /// The file of a kind, if there is one.
    pub fn file(&self, kind: FileKind) -> Option<&DatFile> {
        self.files.iter().find(|(own, _)| *own == kind).map(|(_, file)| file)
    }

    /// All files.
    pub fn files(&self) -> impl Iterator<Item = (FileKind, &DatFile)> {
        self.files.iter().map(|(kind, file)| (*kind, file))
    }
}

/// The result of [`DatFolder::open_usable`].
#[derive(Debug)]
pub struct OpenedFolder {
    /// The files that can be used.
    pub folder: DatFolder,
    /// The path of the folder.
    pub name: Arc<str>,
    /// Required files that do not exist.
    pub missing: Vec<FileKind>,
    /// Files that cannot be used, with the reasons.
    pub unusable: Vec<(FileKind, DatError)>,
}

impl OpenedFolder {
    /// Returns the folder if no file is missing or unusable.
    pub fn complete(self) -> Result<DatFolder> {
        if !self.missing.is_empty() {
            let names = self.missing.iter().map(|kind| kind.file_name()).collect();
            return Err(DatError::new(DatErrorKind::MissingFiles(names)).in_file(&self.name));
        }
        self.unusable.into_iter().next().map_or(Ok(self.folder), |(_, error)| Err(error))
    }
}

impl Source for DatFolder {
    fn read<'a>(
        &'a self,
        file: FileKind,
        id: RecordId,
        buffer: &'a mut Vec<u8>,
    ) -> Result<Option<&'a [u8]>> {
        match self.file(file) {
            Some(file) => file.get(id, buffer),
            None => Ok(None),
        }
    }

    fn contains(&self, file: FileKind, id: RecordId) -> Result<bool> {
        match self.file(file) {
            Some(file) => file.find(id).map(|entry| entry.is_some()),
            None => Ok(false),
        }
    }

    fn ids(&self, file: FileKind) -> Vec<RecordId> {
        // Entries below a damaged node are lost here; `DatFile::verify` reports it.
        let entries = self.file(file).into_iter().flat_map(DatFile::entries);
        entries.filter_map(Result::ok).map(|entry: DirectoryEntry| entry.id).collect()
    }

    fn name(&self, file: FileKind) -> Arc<str> {
        self.file(file).map_or_else(|| file.file_name().into(), |file| file.name().clone())
    }
}

/// Records in memory, such as a made world.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordSet {
    records: BTreeMap<(FileKind, RecordId), Vec<u8>>,
}

impl RecordSet {
    /// An empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a record to the file of its kind, replacing one with the same id. Images go to the
    /// portal file.
    pub fn put<R: Record>(&mut self, id: RecordId, record: &R) -> Result<(), EncodeError> {
        let file = R::KIND.files().last().copied().unwrap_or(FileKind::Portal);
        self.put_bytes(file, id, record.encode()?);
        Ok(())
    }

    /// Adds the bytes of a record to a file.
    pub fn put_bytes(&mut self, file: FileKind, id: RecordId, bytes: Vec<u8>) {
        self.records.insert((file, id), bytes);
    }

    /// All records of a file, sorted by id.
    pub fn records(&self, file: FileKind) -> impl Iterator<Item = (RecordId, &[u8])> {
        let all = (file, RecordId(0))..=(file, RecordId(u32::MAX));
        self.records.range(all).map(|((_, id), bytes)| (*id, bytes.as_slice()))
    }

    /// Writes these records as a data file.
    pub fn to_dat(&self, file: FileKind) -> Result<Vec<u8>, EncodeError> {
        let mut writer = ContainerWriter::new(file);
        self.records(file).for_each(|(id, bytes)| writer.add(NewRecord::new(id, bytes)));
        writer.to_bytes()
    }
}

impl Source for RecordSet {
    fn read<'a>(
        &'a self,
        file: FileKind,
        id: RecordId,
        _buffer: &'a mut Vec<u8>,
    ) -> Result<Option<&'a [u8]>> {
        Ok(self.records.get(&(file, id)).map(Vec::as_slice))
    }

    fn contains(&self, file: FileKind, id: RecordId) -> Result<bool> {
        Ok(self.records.contains_key(&(file, id)))
    }

    fn ids(&self, file: FileKind) -> Vec<RecordId> {
        self.records(file).map(|(id, _)| id).collect()
    }
}
