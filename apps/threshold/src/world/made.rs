//! Made worlds as data files in memory, so that every command reads them like files.

use anyhow::Context;
use threshold_dat::{DatFile, DatFolder, FileKind, OpenedFolder};
use threshold_forge::MadeWorld;

/// The files of a made world.
const FILES: [FileKind; 2] = [FileKind::Cell, FileKind::Portal];

/// Returns the bytes of the data files of a made world.
pub(crate) fn files(world: &MadeWorld) -> anyhow::Result<[(FileKind, Vec<u8>); 2]> {
    let bytes_of = |kind: FileKind| {
        let bytes = world.records().to_dat(kind);
        bytes.with_context(|| format!("cannot make {}", kind.file_name()))
    };
    let [cell, portal] = FILES;
    Ok([(cell, bytes_of(cell)?), (portal, bytes_of(portal)?)])
}

/// Returns a made world as a folder in memory. Errors name it `place`.
pub(super) fn opened(world: &MadeWorld, place: &str) -> anyhow::Result<OpenedFolder> {
    let open = |(kind, bytes): (FileKind, Vec<u8>)| {
        let name = format!("{} of {place}", kind.file_name());
        Ok((kind, DatFile::from_bytes(&name, bytes)?))
    };
    let files = files(world)?.into_iter().map(open).collect::<anyhow::Result<_>>()?;
    let folder = DatFolder::from_files(files);
    Ok(OpenedFolder { folder, name: place.into(), missing: Vec::new(), unusable: Vec::new() })
}
