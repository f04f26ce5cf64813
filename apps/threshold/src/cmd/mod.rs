//! The subcommands.

mod check;
mod inspect;

use std::process::ExitCode;

use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum Command {
    Inspect(inspect::Inspect),
    Check(check::Check),
}

impl Command {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Self::Inspect(inspect) => inspect.run(),
            Self::Check(check) => check.run(),
        }
    }
}
