//! Writes the data files of a folder to another folder, record by record, and reads them back. The
//! new files have the same records, a new directory, and no gaps.
//!
//! `cargo run -p threshold-dat --example rewrite -- FROM TO`
//!
//! Without arguments it uses the sample world of this project and a temporary folder.

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use tempfile::TempPath;
use threshold_dat::{ContainerWriter, DatFile, DatFolder, Header, NewRecord};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    match arguments.as_slice() {
        [from, to] => rewrite(from, to),
        [] => {
            let to = tempfile::tempdir()?;
            let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/holt");
            rewrite(&from, to.path())
        }
        _ => Err("usage: rewrite FROM TO".into()),
    }
}

fn rewrite(from: &Path, to: &Path) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(to)?;
    for (kind, file) in DatFolder::open(from)?.files() {
        let path = to.join(kind.file_name());
        if path.exists() {
            return Err(format!("{} exists already", path.display()).into());
        }
        let mut writer = ContainerWriter::new(kind);
        let Header { data_set, data_subset, master_map, engine_version, .. } = *file.header();
        let Header { game_version, version_guid, version_minor, block_size, .. } = *file.header();
        writer.header = Header {
            block_size,
            data_set,
            data_subset,
            master_map,
            engine_version,
            game_version,
            version_guid,
            version_minor,
            ..writer.header
        };
        for entry in file.entries() {
            let entry = entry?;
            let bytes = file.read(&entry, &mut Vec::new())?.to_vec();
            writer.add(NewRecord {
                id: entry.id,
                bytes: bytes.into(),
                version: entry.version,
                iteration: entry.iteration,
                date: entry.date,
            });
        }
        // Written under another name until complete, and removed on failure.
        let part = to.join(format!(".{}.part", kind.file_name()));
        let mut out = BufWriter::new(File::create_new(&part)?);
        let part = TempPath::try_from_path(part)?;
        writer.write(&mut out)?;
        out.into_inner()?.sync_all()?;
        part.persist_noclobber(&path)?;
        let records = compare(file, &DatFile::open(&path)?)?;
        println!("{}: {records} records, read back equal", kind.file_name());
    }
    Ok(())
}

fn compare(one: &DatFile, other: &DatFile) -> Result<usize, Box<dyn Error>> {
    let mut count = 0;
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for entry in one.entries() {
        let entry = entry?;
        if other.get(entry.id, &mut right)? != Some(one.read(&entry, &mut left)?) {
            return Err(format!("record {} differs", entry.id).into());
        }
        count += 1;
    }
    Ok(count)
}
