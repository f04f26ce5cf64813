//! `threshold map`: draws a map for print.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::anyhow;
use clap::Args;
use threshold_map::{MapError, MapOptions, Pieces, draw_place, draw_whole};

use crate::drawing_file::DrawingFormat;
use crate::extent::blocks;
use crate::faults::print_faults;
use crate::world::World;

/// Draw a map of a landscape, or the floor plan of a building or dungeon
///
/// A compass point, landblock or land cell selects the landscape of its landblock. A room selects the floor plan of all
/// rooms connected to it by portals; a landblock without a landscape, the plan of its dungeon. Without PLACE, the whole
/// landscape is drawn, or the dungeon of a world without one. A plan shows each room once, on its level, and stairs also
/// on the level where they arrive.
///
/// Damaged records are left out and listed, and the exit status is then 1.
#[derive(Args)]
#[command(after_help = "Examples:
  threshold map --out world.svg
  threshold map A9B4 --out village.svg
  threshold map cavern --out depths.svg
  threshold map --dats tests/data/holt \"42.1N, 33.6E\" --blocks 3x4 --ids --out holt.png
  threshold map --dats tests/data/holt 0xA9B40164 --out inn.svg
  threshold map --dats tests/data/dungeon 0102 --level -7 --out level.png")]
pub(crate) struct Map {
    #[command(flatten)]
    world: World,
    /// Compass point, loc, landblock, cell, point, or name in the built-in world
    place: Option<String>,
    /// File to write, .svg or .png
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    selection: MapArguments,
}

/// The options of a map.
#[derive(Args, Debug)]
struct MapArguments {
    /// Draw only the level of a floor plan nearest to this height, in metres
    #[arg(long, value_name = "Z", allow_negative_numbers = true, value_parser = level)]
    level: Option<f32>,
    /// Landblocks of the landscape: 3 for 3 x 3, 3x4 for 3 wide and 4 tall; up to 32
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = blocks, requires = "place")]
    blocks: Option<(u8, u8)>,
    /// Draw ids of rooms, or of land cells, buildings and objects
    ///
    /// In a landscape, ids are drawn where there is space. A building has the id of the first room behind its doors, and
    /// an object its number in the landblock.
    #[arg(long)]
    ids: bool,
}

/// Largest absolute height, in metres.
const MAX_HEIGHT: f32 = 1e5;

fn level(text: &str) -> Result<f32, String> {
    let height = text.parse::<f32>().ok().filter(|height| height.abs() <= MAX_HEIGHT);
    height.ok_or_else(|| format!("write a height from -{MAX_HEIGHT} to {MAX_HEIGHT} metres"))
}

impl Map {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let format = DrawingFormat::of(&self.out)?;
        let find = |text| self.world.find_place(text);
        let place = self.place.as_deref().map(find).transpose()?;
        let mut pieces = Pieces::new(self.world.open_whole()?);
        let MapArguments { level, blocks, ids } = self.selection;
        let options = MapOptions { level, blocks, ids, title: None };
        let drawn = match &place {
            Some(place) => draw_place(&mut pieces, place, &options),
            None => draw_whole(&mut pieces, &options),
        };
        print_faults(&pieces);
        let drawn = drawn.map_err(name_option)?;
        let written = format.write(&drawn.drawing, &self.out)?;
        writeln!(io::stdout(), "{}: {}; {written}", self.out.display(), drawn.summary)?;
        Ok(if pieces.faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// Adds the option that does not suit the map.
fn name_option(error: MapError) -> anyhow::Error {
    match error {
        MapError::BlocksOfRoom(_) => anyhow!("--blocks: {error}"),
        MapError::LevelOfLandscape(_) => anyhow!("--level: {error}"),
        error => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_a_height() {
        assert_eq!(level("-7"), Ok(-7.0));
        assert_eq!(level("-1e5"), Ok(-MAX_HEIGHT));
        for bad in ["nan", "-1e30", "inf", "-inf", "", "deep"] {
            assert!(level(bad).is_err(), "{bad}");
        }
    }
}
