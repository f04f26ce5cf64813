//! Which world a command works on.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};
use threshold_dat::{DatFolder, FileKind, Opened};
use threshold_world::Builder;

use crate::progress::Progress;

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

/// A world of which everything is resident, and what can be made in it.
pub(crate) struct Resident {
    pub(crate) world: threshold_world::World,
    pub(crate) builder: Builder,
}

impl World {
    /// Makes everything resident. What cannot be built is left out, and said on standard error.
    pub(crate) fn load(&self) -> anyhow::Result<Resident> {
        let folder = self.open()?.complete().context("cannot open the data files")?;
        let builder = Builder::new(folder);
        let mut world = threshold_world::World::new();
        let pieces = builder.pieces();
        let progress = Progress::new("loading", pieces.len() as u64);
        let mut faults = Vec::new();
        for piece in pieces {
            match builder.build(piece) {
                Ok(Some(built)) => {
                    faults.extend(built.faults);
                    world.adopt(built.piece);
                }
                Ok(None) => {}
                Err(fault) => faults.push(fault),
            }
            progress.step();
        }
        progress.finish();
        let mut out = std::io::stderr().lock();
        faults.iter().try_for_each(|fault| writeln!(out, "left out: {fault}"))?;
        Ok(Resident { world, builder })
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
