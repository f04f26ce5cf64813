//! The subcommands of the program.

mod ask;
mod bench;
mod cells;
mod check;
mod export;
mod forge;
mod inspect;
mod map;
mod play;
mod replay;
mod see;
mod shot;
mod tour;
mod trace;
mod verify;
mod why;

use std::process::ExitCode;

use clap::Subcommand;

pub(crate) use self::play::Play;

#[derive(Subcommand)]
pub(crate) enum Command {
    Play(play::Play),
    Inspect(inspect::Inspect),
    Check(check::Check),
    Verify(verify::Verify),
    Cells(cells::Cells),
    Ask(ask::Ask),
    Map(map::Map),
    Export(export::Export),
    Replay(replay::Replay),
    Why(why::Why),
    See(see::See),
    Shot(shot::Shot),
    Trace(trace::Trace),
    Forge(forge::Forge),
    Tour(tour::Tour),
    Bench(bench::Bench),
}

impl Command {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Self::Play(play) => play.run(),
            Self::Inspect(inspect) => inspect.run(),
            Self::Check(check) => check.run(),
            Self::Verify(verify) => verify.run(),
            Self::Cells(cells) => cells.run(),
            Self::Ask(ask) => ask.run(),
            Self::Map(map) => map.run(),
            Self::Export(export) => export.run(),
            Self::Replay(replay) => replay.run(),
            Self::Why(why) => why.run(),
            Self::See(see) => see.run(),
            Self::Shot(shot) => shot.run(),
            Self::Trace(trace) => trace.run(),
            Self::Forge(forge) => forge.run(),
            Self::Tour(tour) => tour.run(),
            Self::Bench(bench) => bench.run(),
        }
    }
}
