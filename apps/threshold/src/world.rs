//! Which world a command works on.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};
use threshold_conformance::Runner;
use threshold_dat::{DatFolder, FileKind, Opened};
use threshold_land::BlockId;
use threshold_motion::Rules;
use threshold_world::PieceId;

use crate::progress::Progress;

/// The world to work on.
#[derive(Args)]
pub(crate) struct World {
    /// Folder with client_cell_1.dat and client_portal.dat, in any letter case.
    #[arg(long, value_name = "DIR")]
    pub(crate) dats: PathBuf,
}

impl World {
    /// What scenarios call this world: what was given, or the name of the folder.
    pub(crate) fn name(&self, given: Option<&str>) -> anyhow::Result<String> {
        if let Some(name) = given {
            return Ok(name.to_owned());
        }
        // A path such as `.` has no name of its own.
        let whole = || self.dats.canonicalize().ok()?.file_name().map(ToOwned::to_owned);
        let name = self.dats.file_name().map(ToOwned::to_owned).or_else(whole);
        let name = name.and_then(|name| name.into_string().ok());
        name.with_context(|| format!("{}: give the world a --world-name", self.dats.display()))
    }

    /// What can be opened; what is missing or unusable is for the command to say.
    pub(crate) fn open(&self) -> anyhow::Result<Opened> {
        DatFolder::open_usable(&self.dats).context("cannot open the data files")
    }

    /// Makes those of its pieces resident that are wanted.
    pub(crate) fn load(
        &self,
        rules: Rules,
        is_wanted: impl Fn(&PieceId) -> bool,
    ) -> anyhow::Result<Runner> {
        let folder = self.open()?.complete().context("cannot open the data files")?;
        let mut runner = Runner::empty(folder, rules);
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
