//! Scenarios and their worlds, as this crate carries them.
//!
//! They are copies of `tests/data` of the repository, because a published package cannot read files
//! beside it, and a browser none at all. `examples/pack.rs` makes them; a test compares.

use std::io::{self, Read};

use flate2::read::GzDecoder;
use threshold_conformance::Scenario;
use threshold_dat::{FileKind, RecordId, RecordSet};

use crate::VerifyError;

const SCENARIOS: &[u8] = include_bytes!("../data/scenarios.jsonl.gz");
const HOLT: &[u8] = include_bytes!("../data/holt.records.gz");
const DUNGEON: &[u8] = include_bytes!("../data/dungeon.records.gz");

/// The worlds of the scenarios, with their records.
pub(crate) const WORLDS: [(&str, &[u8]); 2] = [("holt", HOLT), ("dungeon", DUNGEON)];

/// Returns all scenarios, in the order of the files they come from.
pub(crate) fn scenarios() -> Result<Vec<Scenario>, VerifyError> {
    let text = unpacked(SCENARIOS)?;
    let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| Ok(Scenario::parse(line)?)).collect()
}

/// Unpacks the records of a world: for each its file, its id, its length and its bytes, numbers in
/// little-endian order.
pub(crate) fn records(packed: &[u8]) -> Result<RecordSet, VerifyError> {
    let bytes = unpacked(packed)?;
    let (mut rest, mut records) = (bytes.as_slice(), RecordSet::new());
    while !rest.is_empty() {
        let (file, id, length) = (word(&mut rest)?, word(&mut rest)?, word(&mut rest)?);
        let file = usize::try_from(file).ok().and_then(|at| FileKind::ALL.get(at)).ok_or(CUT)?;
        let length = usize::try_from(length).map_err(|_| CUT)?;
        let (bytes, after) = rest.split_at_checked(length).ok_or(CUT)?;
        records.put_bytes(*file, RecordId(id), bytes.to_vec());
        rest = after;
    }
    Ok(records)
}

const CUT: io::ErrorKind = io::ErrorKind::UnexpectedEof;

fn word(bytes: &mut &[u8]) -> Result<u32, io::ErrorKind> {
    let (word, after) = bytes.split_first_chunk().ok_or(CUT)?;
    *bytes = after;
    Ok(u32::from_le_bytes(*word))
}

fn unpacked(packed: &[u8]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    GzDecoder::new(packed).read_to_end(&mut bytes)?;
    Ok(bytes)
}
