//! Worlds made in memory, as data files: every command then reads them as it reads files.

use anyhow::Context;
use threshold_dat::{DatFile, DatFolder, FileKind, OpenedFolder};
use threshold_forge::MadeWorld;

/// The files that a made world has.
const FILES: [FileKind; 2] = [FileKind::Cell, FileKind::Portal];

/// The bytes of its data files.
pub(crate) fn files(world: &MadeWorld) -> anyhow::Result<[(FileKind, Vec<u8>); 2]> {
    let bytes = |kind: FileKind| {
        let bytes = world.records().to_dat(kind);
        bytes.with_context(|| format!("{}: cannot be made", kind.file_name()))
    };
    let [cell, portal] = FILES;
    Ok([(cell, bytes(cell)?), (portal, bytes(portal)?)])
}

/// The same as a folder in memory; errors call it by its place.
pub(super) fn opened(world: &MadeWorld, place: &str) -> anyhow::Result<OpenedFolder> {
    let open = |(kind, bytes): (FileKind, Vec<u8>)| {
        let name = format!("{} of {place}", kind.file_name());
        Ok((kind, DatFile::from_bytes(&name, bytes)?))
    };
    let files = files(world)?.into_iter().map(open).collect::<anyhow::Result<_>>()?;
    let folder = DatFolder::from_files(files);
    Ok(OpenedFolder { folder, name: place.into(), missing: Vec::new(), unusable: Vec::new() })
}
