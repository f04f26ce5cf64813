//! `threshold map`: a map to print.

mod choice;
mod land;
mod plan;
mod sheet;
mod style;
mod things;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

pub(crate) use self::choice::Choice;
use crate::drawing::file::Format;
use crate::drawing::scene::Scene;
use crate::pieces::Pieces;
use crate::world::World;

/// Draws a map: the landscape round a place, or the floor plan of a building or dungeon.
///
/// A compass point, a landblock or a land cell gives the landscape of its landblock. A room gives
/// the plan of all rooms joined to it; a landblock without a landscape, the plan of its dungeon. Rooms are
/// drawn by level, each once; stairs are shown again where they arrive. What is damaged is left out
/// and named, and the exit status is then 1.
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
    /// A compass point, loc, landblock, cell or point, or in the built-in world the name of a place. Without it the whole landscape is drawn, or the dungeon of a
    /// world that has none.
    place: Option<String>,
    /// File to write; its name ends in .svg or .png.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    choice: Choice,
}

/// A map, and what is on it in words.
pub(crate) struct Drawn {
    pub(crate) scene: Scene,
    what: String,
}

impl Map {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let format = Format::of(&self.out)?;
        let find = |text| self.world.find_place(text);
        let place = self.place.as_deref().map(find).transpose()?;
        let mut pieces = Pieces::new(self.world.open_whole()?);
        let drawn = match &place {
            Some(place) => self.choice.draw(&mut pieces, place),
            None => self.choice.whole(&mut pieces),
        };
        pieces.say_faults();
        let drawn = drawn?;
        let written = format.write(&drawn.scene, &self.out)?;
        writeln!(io::stdout(), "{}: {}; {written}", self.out.display(), drawn.what)?;
        Ok(if pieces.faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}
