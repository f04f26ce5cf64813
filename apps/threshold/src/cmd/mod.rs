//! The subcommands.

mod bench;
mod check;
mod forge;
mod inspect;
mod map;
mod replay;
mod see;
mod trace;
mod why;

use std::process::ExitCode;

use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum Command {
    Inspect(inspect::Inspect),
    Check(check::Check),
    Map(map::Map),
    Replay(replay::Replay),
    Why(why::Why),
    See(see::See),
    Trace(trace::Trace),
    Forge(forge::Forge),
    Bench(bench::Bench),
}

impl Command {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Self::Inspect(inspect) => inspect.run(),
            Self::Check(check) => check.run(),
            Self::Map(map) => map.run(),
            Self::Replay(replay) => replay.run(),
            Self::Why(why) => why.run(),
            Self::See(see) => see.run(),
            Self::Trace(trace) => trace.run(),
            Self::Forge(forge) => forge.run(),
            Self::Bench(bench) => bench.run(),
        }
    }
}
