//! Which world a command works on.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};
use threshold_dat::{DatFolder, FileKind, Opened};

/// The world to work on.
#[derive(Args)]
pub(crate) struct World {
    /// Folder with client_cell_1.dat and client_portal.dat, in any letter case.
    #[arg(long, value_name = "DIR")]
    pub(crate) dats: PathBuf,
}

impl World {
    /// What can be opened; what is missing or unusable is for the command to say.
    pub(crate) fn open(&self) -> anyhow::Result<Opened> {
        DatFolder::open_usable(&self.dats).context("cannot open the data files")
    }
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
