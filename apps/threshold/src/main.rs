//! The program `threshold`: each subcommand is a file or folder in `cmd`.
#![forbid(unsafe_code)]

mod arguments;
mod building;
mod cmd;
mod drawing_file;
mod extent;
mod faults;
mod formatting;
mod layers;
mod output;
mod png;
mod progress;
mod run;
mod stderr;
mod stdout;
mod surroundings;
mod tour;
mod world;

use std::process::ExitCode;

use clap::Parser;

use self::formatting::printable;

/// Walk around in the cell world of Asheron's Call, and inspect it
///
/// Without a command, opens a window to walk around in. Commands work on a built-in world unless --dats names a folder of data files or
/// --world a world written as text.
#[derive(Parser)]
#[command(name = "threshold", version, about, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<cmd::Command>,
    #[command(flatten)]
    play: cmd::Play,
}

fn main() -> ExitCode {
    let Arguments { command, play } = parse_arguments();
    match command.map_or_else(|| play.run(), cmd::Command::run) {
        Ok(code) => code,
        Err(error) if stdout::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            stderr::print_message(format_args!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// Parses the arguments, or ends the program with a message.
fn parse_arguments() -> Arguments {
    Arguments::try_parse().unwrap_or_else(|error| {
        // The message quotes arguments, so it is made again from printable ones.
        let shown = std::env::args_os().map(|argument| match argument.to_str() {
            Some(text) => printable(text).into(),
            None => argument,
        });
        Arguments::try_parse_from(shown).err().unwrap_or(error).exit()
    })
}
