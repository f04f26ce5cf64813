//! `threshold bench`: measures speed on this machine.

mod crowd;
mod crowd_world;
mod frame;
mod spawn_area;
mod timing;
mod wandering;

use std::process::ExitCode;

use clap::{Args, Subcommand};

/// Measure speed on this machine
#[derive(Args)]
pub(crate) struct Bench {
    #[command(subcommand)]
    benchmark: Benchmark,
}

#[derive(Subcommand)]
enum Benchmark {
    Crowd(crowd::Crowd),
    Frame(frame::Frame),
}

impl Bench {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self.benchmark {
            Benchmark::Crowd(crowd) => crowd.run(),
            Benchmark::Frame(frame) => frame.run(),
        }
    }
}
