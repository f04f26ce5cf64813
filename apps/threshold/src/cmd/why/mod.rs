//! `threshold why`: explains why a move ended where it did.

mod custom_move;
mod recorded;
mod report;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use threshold_land::vector::DVec3;
use threshold_motion::Rules;

use crate::arguments::{hexadecimal_parser, parse_point, parse_rules, whole_number_parser};
use crate::stdout::print_report;
use crate::world::World;

/// Explain why a move ended where it did
///
/// Reports what stopped the mover and where, why it is in its cell, which rules decided, and what happened in each
/// sub-step. The move is a step of a recorded scenario (--scenarios), or any move between two points (--from).
///
/// Steps, polygons and portals are counted from 0, as in the records. Points are in the frame of the landblock, in
/// metres, x to the east, y to the north, z up. docs/why.md explains the output.
#[derive(Args)]
#[command(
    group(clap::ArgGroup::new("move").required(true).args(["scenarios", "from"])),
    after_help = "Examples:
  threshold why --dats tests/data/holt --scenarios tests/data/conformance/scenarios/holt-walls.jsonl.gz \\
    --id holt-wall-0000
  threshold why --from 0xA9B40106:133.5,104.5,40.2 --to 133.5,101,40.2 --full"
)]
pub(crate) struct Why {
    #[command(flatten)]
    world: World,
    /// File of scenarios, .jsonl or .jsonl.gz
    #[arg(long, value_name = "FILE")]
    scenarios: Option<PathBuf>,
    /// Id of the scenario (optional if the file has only one)
    #[arg(long, value_name = "ID", requires = "scenarios", conflicts_with = "from")]
    id: Option<String>,
    /// Number of the step (default: the first one that fails, hits something or touches several cells)
    #[arg(long, value_name = "N", requires = "scenarios", conflicts_with = "from", allow_negative_numbers = true, value_parser = whole_number_parser(0..=usize::MAX))]
    step: Option<usize>,
    /// Name of the world in scenarios (default: of the folder or text; `builtin` for the built-in world)
    #[arg(long, value_name = "NAME", requires = "scenarios", conflicts_with = "from")]
    world_name: Option<String>,
    /// Start: compass point, loc, landblock, land cell, point, or name in the built-in world
    ///
    /// A place without a height is on the ground.
    #[arg(long, value_name = "PLACE", requires = "to", conflicts_with = "scenarios")]
    from: Option<String>,
    /// End: a point in the frame of the landblock of the start, or another place
    #[arg(
        long,
        value_name = "X,Y,Z|PLACE",
        requires = "from",
        conflicts_with = "scenarios",
        value_parser = parse_end,
        allow_hyphen_values = true
    )]
    to: Option<MoveEnd>,
    /// Take X,Y,Z as an offset from the start
    #[arg(long, requires = "to", conflicts_with = "scenarios")]
    relative: bool,
    /// Setup of the mover
    #[arg(
        long,
        value_name = "ID",
        requires = "from",
        conflicts_with = "scenarios",
        default_value = "0x02000001",
        allow_negative_numbers = true,
        value_parser = hexadecimal_parser("0x02000001")
    )]
    setup: u32,
    /// Physics state of the mover, as retail's bits (the default has gravity and edge slide)
    #[arg(
        long,
        value_name = "BITS",
        requires = "from",
        conflicts_with = "scenarios",
        default_value = "0x00400408",
        allow_negative_numbers = true,
        value_parser = hexadecimal_parser("0x408")
    )]
    state: u32,
    /// Set a rule for a disputed question; docs/rules.md lists them
    #[arg(long = "rule", value_name = "NAME=VALUE")]
    rules: Vec<String>,
    /// Print every event
    #[arg(long)]
    full: bool,
    /// Print JSON, with every event
    #[arg(long)]
    json: bool,
}

/// The requested end of a move.
#[derive(Clone, Debug, PartialEq)]
enum MoveEnd {
    /// A point in the frame of the landblock of the start.
    Point(DVec3),
    /// A place, as typed.
    Place(String),
}

fn parse_end(text: &str) -> Result<MoveEnd, String> {
    // Three parts without a cell before them are meant as a point, so the error of the point is returned.
    let is_point = text.split(',').count() == 3 && !text.contains(':');
    match parse_point(text) {
        Ok(point) => Ok(MoveEnd::Point(point)),
        Err(error) if is_point || !text.contains(char::is_alphabetic) => Err(error),
        Err(_) => Ok(MoveEnd::Place(text.to_owned())),
    }
}

impl Why {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let rules = parse_rules(&self.rules, Rules::set_text)?;
        let report = match &self.scenarios {
            Some(file) => self.explain_recorded(file, rules)?,
            None => self.explain_custom_move(rules)?,
        };
        print_report(self.json, &report, |out| Ok(report.print(out, self.full)?))?;
        Ok(ExitCode::SUCCESS)
    }
}
