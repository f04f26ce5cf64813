//! Packs scenarios and worlds of `tests/data` into the files that this crate carries.
//!
//! `cargo run --package threshold-verify --example pack`, in the repository, when they changed.

use std::error::Error;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use threshold_dat::{DatFolder, FileKind, Source};

fn main() -> Result<(), Box<dyn Error>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tests = here.join("../../tests/data");
    let data = here.join("data");
    write_packed(&data.join("scenarios.jsonl.gz"), &scenarios(&tests)?)?;
    for world in ["holt", "dungeon"] {
        let records = records(&DatFolder::open(&tests.join(world))?)?;
        write_packed(&data.join(format!("{world}.records.gz")), &records)?;
    }
    Ok(())
}

/// Returns the lines of all files of scenarios, by name.
fn scenarios(tests: &Path) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut lines = Vec::new();
    let files = fs::read_dir(tests.join("conformance/scenarios"))?;
    let mut files =
        files.map(|file| Ok(file?.path())).collect::<Result<Vec<_>, Box<dyn Error>>>()?;
    files.sort();
    for file in files {
        GzDecoder::new(File::open(file)?).read_to_end(&mut lines)?;
    }
    Ok(lines)
}

/// Returns all records: for each the number of its file, its id, its length and its bytes.
fn records(folder: &DatFolder) -> Result<Vec<u8>, Box<dyn Error>> {
    let (mut all, mut buffer) = (Vec::new(), Vec::new());
    for (number, file) in (0_u32..).zip(FileKind::ALL) {
        for id in folder.ids(file) {
            let bytes = folder.read(file, id, &mut buffer)?.ok_or("a record is missing")?;
            for word in [number, id.0, u32::try_from(bytes.len())?] {
                all.extend(word.to_le_bytes());
            }
            all.extend(bytes);
        }
    }
    Ok(all)
}

fn write_packed(path: &Path, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    let mut packer = GzEncoder::new(File::create(path)?, Compression::best());
    packer.write_all(bytes)?;
    packer.finish()?;
    Ok(())
}
