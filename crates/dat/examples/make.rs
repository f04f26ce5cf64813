//! Makes a landblock with a hill, writes it as a data file in memory and reads it back.
//!
//! `cargo run -p threshold-dat --example make`

use threshold_dat::{DatFile, EncodeError, FileKind, LandBlock, RecordId, RecordSet, Records};
use threshold_land::BlockId;

const BLOCK: BlockId = BlockId(0xA9B4);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let world = make()?;
    let bytes = world.to_dat(FileKind::Cell)?;
    println!("{} bytes of {}", bytes.len(), FileKind::Cell.file_name());

    let file = DatFile::from_bytes(FileKind::Cell.file_name(), bytes)?;
    for entry in file.entries() {
        let entry = entry?;
        println!("{}: {} bytes at 0x{:X}", entry.id, entry.size, entry.offset);
    }

    let ground: Option<LandBlock> = Records::new(&world).get(BLOCK.as_cell().into())?;
    for row in ground.iter().flat_map(|block| block.heights.chunks(9)) {
        println!("{}", row.iter().map(|height| format!("{height:3}")).collect::<String>());
    }
    Ok(())
}

fn make() -> Result<RecordSet, EncodeError> {
    let mut hill = LandBlock::flat(BLOCK);
    for (index, height) in hill.heights.iter_mut().enumerate() {
        let (x, y) = (index / 9, index % 9);
        let steps = x.abs_diff(4).max(y.abs_diff(4));
        *height = u8::try_from(20 - 4 * steps).unwrap_or(0);
    }
    let mut world = RecordSet::new();
    world.put(RecordId::from(BLOCK.as_cell()), &hill)?;
    Ok(world)
}
