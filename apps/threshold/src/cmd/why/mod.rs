//! `threshold why`: what happened in a move, and what stopped it.

mod recorded;
mod report;
mod step;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use threshold_land::glam::DVec3;
use threshold_motion::Rules;

use crate::arguments::{parse_hexadecimal, parse_point, parse_rules, whole_number_parser};
use crate::say::say;
use crate::world::World;

/// Says why a move ended where it did: what stopped the mover and where, why it is in this cell, which rules
/// decided, and what happened sub-step by sub-step.
///
/// Either a step of a recorded scenario (a move, a tick, a candidate, a query, a camera or a call, counted from
/// 0), or a move of your own from a place to a point. Polygons and portals are counted from 0 as in the records;
/// points are in the frame of the landblock, in metres, x to the east, y to the north, z up. docs/why.md says how to
/// read it.
#[derive(Args)]
#[command(
    group(clap::ArgGroup::new("what").required(true).args(["scenarios", "from"])),
    after_help = "Examples:
  threshold why --dats tests/data/holt --scenarios tests/data/conformance/scenarios/holt-walls.jsonl.gz \\
    --id holt-wall-0000
  threshold why --from 0xA9B40106:133.5,104.5,40.2 --to 133.5,101,40.2 --full"
)]
pub(crate) struct Why {
    #[command(flatten)]
    world: World,
    /// File of scenarios, .jsonl or .jsonl.gz.
    #[arg(long, value_name = "FILE")]
    scenarios: Option<PathBuf>,
    /// Which scenario of the file.
    #[arg(long, value_name = "ID", requires = "scenarios", conflicts_with = "from")]
    id: Option<String>,
    /// Which step of it, from 0; without it the first of interest, which fails, meets something or touches
    /// several cells.
    #[arg(long, value_name = "N", requires = "id", conflicts_with = "from", allow_negative_numbers = true, value_parser = whole_number_parser(0..=usize::MAX))]
    step: Option<usize>,
    /// What scenarios call this world; the name of the folder or text if not given, `builtin` for the built-in one.
    #[arg(long, value_name = "NAME", requires = "id", conflicts_with = "from")]
    world_name: Option<String>,
    /// Where a move of your own begins: a compass point, loc, landblock, land cell or point, or in the built-in world
    /// the name of a place. Where no height is said, it stands on the ground.
    #[arg(long, value_name = "PLACE", requires = "to", conflicts_with = "scenarios")]
    from: Option<String>,
    /// Where it should end: a point in the frame of the landblock where it begins, or another place.
    #[arg(
        long,
        value_name = "X,Y,Z|PLACE",
        requires = "from",
        conflicts_with = "scenarios",
        value_parser = destination,
        allow_hyphen_values = true
    )]
    to: Option<Destination>,
    /// X,Y,Z is an offset from where it begins.
    #[arg(long, requires = "to", conflicts_with = "scenarios")]
    relative: bool,
    /// What moves: the id of a setup.
    #[arg(
        long,
        value_name = "ID",
        requires = "from",
        conflicts_with = "scenarios",
        default_value = "0x02000001",
        value_parser = parse_hexadecimal
    )]
    setup: u32,
    /// How it takes part in physics, as retail's bits: it falls and slides along edges.
    #[arg(
        long,
        value_name = "BITS",
        requires = "from",
        conflicts_with = "scenarios",
        default_value = "0x00400408",
        value_parser = parse_hexadecimal
    )]
    state: u32,
    /// Follow another rule than the default where it is disputed what the retail client did; docs/rules.md
    /// lists them.
    #[arg(long = "rule", value_name = "NAME=VALUE")]
    rules: Vec<String>,
    /// Print everything that happened, and not only what matters.
    #[arg(long)]
    full: bool,
    /// Print JSON, which has everything.
    #[arg(long)]
    json: bool,
}

/// Where a move of one's own should end.
#[derive(Clone, Debug, PartialEq)]
enum Destination {
    /// A point in the frame of the landblock where it begins.
    Point(DVec3),
    /// A place, as it was typed.
    Place(String),
}

fn destination(text: &str) -> Result<Destination, String> {
    // Three parts without a cell before them are meant as numbers, and told what is wrong with them.
    let is_point = text.split(',').count() == 3 && !text.contains(':');
    match parse_point(text) {
        Ok(point) => Ok(Destination::Point(point)),
        Err(error) if is_point || !text.contains(char::is_alphabetic) => Err(error),
        Err(_) => Ok(Destination::Place(text.to_owned())),
    }
}

impl Why {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let rules = parse_rules(&self.rules, Rules::set_text)?;
        let report = match &self.scenarios {
            Some(file) => self.recorded(file, rules)?,
            None => self.own(rules)?,
        };
        say(self.json, &report, |out| Ok(report.print(out, self.full)?))?;
        Ok(ExitCode::SUCCESS)
    }
}
