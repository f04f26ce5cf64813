//! `threshold bench`: how fast it is, on this machine.

mod crowd;
mod floor;
mod frame;
mod measured;
mod town;
mod wander;

use std::process::ExitCode;

use clap::{Args, Subcommand};

/// Measures how fast it is on this machine.
#[derive(Args)]
pub(crate) struct Bench {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Crowd(crowd::Crowd),
    Frame(frame::Frame),
}

impl Bench {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self.what {
            What::Crowd(crowd) => crowd.run(),
            What::Frame(frame) => frame.run(),
        }
    }
}
