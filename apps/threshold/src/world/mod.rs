//! The world that a command works on.

pub(crate) mod made;
pub(crate) mod text;

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, ValueEnum};
use threshold_conformance::Runner;
use threshold_dat::{DatFolder, FileKind, OpenedFolder};
use threshold_forge::{MadeWorld, SEED, builtin};
use threshold_land::{BlockId, Place};
use threshold_motion::Rules;
use threshold_play::{PlaceNames, read_place};
use threshold_world::PieceId;

use crate::progress::Progress;
use crate::run::files_of;

/// Options that select the world; the default is the built-in world.
#[derive(Args, Clone)]
pub(crate) struct World {
    /// Folder with client_cell_1.dat and client_portal.dat (default: the built-in world)
    ///
    /// The file names may be in any letter case.
    #[arg(long, value_name = "DIR", conflicts_with = "world")]
    dats: Option<PathBuf>,
    /// World written as text; docs/forge.md describes the format
    #[arg(long, value_name = "FILE")]
    world: Option<PathBuf>,
}

/// Name of the built-in world in scenarios.
const BUILT_IN: &str = "builtin";

impl World {
    /// Returns the name of this world in scenarios: the given one, or the name of the folder or text file.
    pub(crate) fn name(&self, given: Option<&str>) -> anyhow::Result<String> {
        let default = match (&self.dats, &self.world) {
            (Some(folder), _) => folder_name(folder),
            (None, Some(text)) => {
                text.file_stem().and_then(|name| name.to_str()).map(str::to_owned)
            }
            (None, None) => Some(BUILT_IN.to_owned()),
        };
        let name = given.map(str::to_owned).or(default);
        name.with_context(|| format!("{}: has no name; add --world-name", self.place()))
    }

    /// Returns the option that selects this world, with its value; `None` for the built-in world.
    pub(crate) fn named(&self) -> Option<(&'static str, &Path)> {
        let dats = self.dats.as_deref().map(|folder| ("--dats", folder));
        dats.or_else(|| self.world.as_deref().map(|file| ("--world", file)))
    }

    /// Returns the name of this world in messages.
    pub(crate) fn place(&self) -> String {
        let built_in = || "the built-in world".to_owned();
        self.named().map_or_else(built_in, |(_, path)| path.display().to_string())
    }

    /// Returns the place that a text denotes: any form of a place, and in the built-in world also a name.
    pub(crate) fn find_place(&self, text: &str) -> anyhow::Result<Place> {
        // Names are searched only if the text has no other form.
        let is_named = self.named().is_none() && text.trim().parse::<Place>().is_err();
        let names = if is_named { PlaceNames::of_builtin(SEED) } else { PlaceNames::default() };
        read_place(text, &names).map(|(place, _)| place).map_err(anyhow::Error::msg)
    }

    /// Returns the files that this world is read from.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        self.named().map(|(_, path)| files_of(path)).unwrap_or_default()
    }

    /// Opens the usable files. The result lists missing and unusable ones, for the command to report.
    pub(crate) fn open(&self) -> anyhow::Result<OpenedFolder> {
        match &self.dats {
            Some(folder) => DatFolder::open_usable(folder).context("cannot open the data files"),
            None => made::opened(&self.make()?, &self.place()),
        }
    }

    /// Opens all files, or fails if any is missing or unusable.
    pub(crate) fn open_whole(&self) -> anyhow::Result<DatFolder> {
        self.open()?.complete().context("cannot open the data files")
    }

    /// Makes the world of a text, or the built-in one.
    fn make(&self) -> anyhow::Result<MadeWorld> {
        match &self.world {
            Some(file) => text::read(file),
            None => builtin(SEED).context("cannot make the built-in world"),
        }
    }

    /// Loads the pieces for which `is_wanted` returns true.
    pub(crate) fn load(
        &self,
        rules: Rules,
        is_wanted: impl Fn(&PieceId) -> bool,
    ) -> anyhow::Result<Runner> {
        let mut runner = Runner::empty(self.open_whole()?, rules);
        let mut pieces = runner.pieces();
        pieces.retain(is_wanted);
        let progress = Progress::new("loading", pieces.len() as u64);
        for piece in pieces {
            runner.load(piece);
            progress.step();
        }
        progress.finish();
        Ok(runner)
    }
}

/// Opens the built-in world of a seed.
pub(crate) fn built_in(seed: u64) -> anyhow::Result<DatFolder> {
    let made =
        builtin(seed).with_context(|| format!("cannot make the built-in world, seed {seed}"))?;
    let opened = made::opened(&made, &format!("the built-in world, seed {seed}"))?;
    opened.complete().context("cannot open the built-in world")
}

/// Returns the name of a folder. A path such as `.` gets the name of the folder it leads to.
fn folder_name(folder: &Path) -> Option<String> {
    let whole = || folder.canonicalize().ok()?.file_name().map(ToOwned::to_owned);
    let name = folder.file_name().map(ToOwned::to_owned).or_else(whole);
    name.and_then(|name| name.into_string().ok())
}

/// Returns whether two landblocks are the same or neighbours.
pub(crate) fn is_near(block: BlockId, other: BlockId) -> bool {
    let apart = |shift: u32| {
        (i32::from(block.0 >> shift & 0xFF) - i32::from(other.0 >> shift & 0xFF)).abs()
    };
    apart(0) <= 1 && apart(8) <= 1
}

/// Short name of a data file.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum FileArgument {
    /// client_cell_1.dat
    Cell,
    /// client_portal.dat
    Portal,
    /// client_highres.dat
    Highres,
    /// client_local_English.dat
    Local,
}

impl From<FileArgument> for FileKind {
    fn from(file: FileArgument) -> Self {
        match file {
            FileArgument::Cell => Self::Cell,
            FileArgument::Portal => Self::Portal,
            FileArgument::Highres => Self::HighRes,
            FileArgument::Local => Self::Local,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_landblock_has_eight_neighbours() {
        let near = |other| is_near(BlockId(0xA9B4), BlockId(other));
        assert!([0xA9B4, 0xA8B3, 0xAAB5, 0xA9B5].into_iter().all(near));
        assert!(![0xA9B6, 0xA7B4, 0xB4A9, 0x0000].into_iter().any(near));
    }
}
