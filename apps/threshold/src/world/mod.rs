//! Which world a command works on.

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

/// The world to work on: the built-in one unless another is named.
#[derive(Args, Clone)]
pub(crate) struct World {
    /// Folder with client_cell_1.dat and client_portal.dat, in any letter case. Without it, and without --world, it
    /// is the built-in world.
    #[arg(long, value_name = "DIR", conflicts_with = "world")]
    dats: Option<PathBuf>,
    /// World written as text; docs/forge.md says how.
    #[arg(long, value_name = "FILE")]
    world: Option<PathBuf>,
}

/// What scenarios call the built-in world.
const BUILT_IN: &str = "builtin";

impl World {
    /// What scenarios call this world: what was given, or the name of the folder or text.
    pub(crate) fn name(&self, given: Option<&str>) -> anyhow::Result<String> {
        let own = match (&self.dats, &self.world) {
            (Some(folder), _) => folder_name(folder),
            (None, Some(text)) => {
                text.file_stem().and_then(|name| name.to_str()).map(str::to_owned)
            }
            (None, None) => Some(BUILT_IN.to_owned()),
        };
        let name = given.map(str::to_owned).or(own);
        name.with_context(|| format!("{}: give the world a --world-name", self.place()))
    }

    /// How it was named, and by what: the option and its value.
    pub(crate) fn named(&self) -> Option<(&'static str, &Path)> {
        let dats = self.dats.as_deref().map(|folder| ("--dats", folder));
        dats.or_else(|| self.world.as_deref().map(|file| ("--world", file)))
    }

    /// What people call it.
    pub(crate) fn place(&self) -> String {
        let built_in = || "the built-in world".to_owned();
        self.named().map_or_else(built_in, |(_, path)| path.display().to_string())
    }

    /// Returns the place that a text means: any form of a place, and in the built-in world also a name.
    pub(crate) fn find_place(&self, text: &str) -> anyhow::Result<Place> {
        // Names are looked for only in what is none of the other forms.
        let is_named = self.named().is_none() && text.trim().parse::<Place>().is_err();
        let names = if is_named { PlaceNames::of_builtin(SEED) } else { PlaceNames::default() };
        read_place(text, &names).map(|(place, _)| place).map_err(anyhow::Error::msg)
    }

    /// The files that it is read from.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        self.named().map(|(_, path)| files_of(path)).unwrap_or_default()
    }

    /// What can be opened; what is missing or unusable is for the command to say.
    pub(crate) fn open(&self) -> anyhow::Result<OpenedFolder> {
        match &self.dats {
            Some(folder) => DatFolder::open_usable(folder).context("cannot open the data files"),
            None => made::opened(&self.make()?, &self.place()),
        }
    }

    /// All of it, if nothing is missing.
    pub(crate) fn open_whole(&self) -> anyhow::Result<DatFolder> {
        self.open()?.complete().context("cannot open the data files")
    }

    /// The world of a text, or the built-in one.
    fn make(&self) -> anyhow::Result<MadeWorld> {
        match &self.world {
            Some(file) => text::read(file),
            None => builtin(SEED).context("cannot make the built-in world"),
        }
    }

    /// Makes those of its pieces resident that are wanted.
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

/// The built-in world for another seed than its own.
pub(crate) fn built_in(seed: u64) -> anyhow::Result<DatFolder> {
    let made = builtin(seed).with_context(|| format!("cannot make the built-in world {seed}"))?;
    let opened = made::opened(&made, &format!("the built-in world {seed}"))?;
    opened.complete().context("cannot open the built-in world")
}

/// A path such as `.` has no name of its own.
fn folder_name(folder: &Path) -> Option<String> {
    let whole = || folder.canonicalize().ok()?.file_name().map(ToOwned::to_owned);
    let name = folder.file_name().map(ToOwned::to_owned).or_else(whole);
    name.and_then(|name| name.into_string().ok())
}

/// Whether a landblock is another or one of the eight round it.
pub(crate) fn is_near(block: BlockId, other: BlockId) -> bool {
    let apart = |shift: u32| {
        (i32::from(block.0 >> shift & 0xFF) - i32::from(other.0 >> shift & 0xFF)).abs()
    };
    apart(0) <= 1 && apart(8) <= 1
}

/// A data file by its short name.
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
