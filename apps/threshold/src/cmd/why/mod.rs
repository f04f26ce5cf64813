//! `threshold why`: what happened in a move, and what stopped it.

mod recorded;
mod report;
mod step;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use threshold_land::glam::Vec3;

use crate::say::say;
use crate::world::{World, rules};

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
  threshold why --dats tests/data/holt --from 0xA9B40031:150,1,40 --to 150,-2,40 --full"
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
    #[arg(long, value_name = "N", requires = "id", conflicts_with = "from")]
    step: Option<usize>,
    /// What scenarios call this world; the name of the folder if not given.
    #[arg(long, value_name = "NAME", requires = "id", conflicts_with = "from")]
    world_name: Option<String>,
    /// Where a move of your own begins: a compass point, loc, landblock, land cell or point. Where no height is
    /// said, it stands on the ground.
    #[arg(long, value_name = "PLACE", requires = "to", conflicts_with = "scenarios")]
    from: Option<String>,
    /// Where it should end, in the frame of the landblock of PLACE.
    #[arg(
        long,
        value_name = "X,Y,Z",
        requires = "from",
        conflicts_with = "scenarios",
        value_parser = point,
        allow_hyphen_values = true
    )]
    to: Option<Vec3>,
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
        value_parser = hexadecimal
    )]
    setup: u32,
    /// How it takes part in physics, as retail's bits: it falls and slides along edges.
    #[arg(
        long,
        value_name = "BITS",
        requires = "from",
        conflicts_with = "scenarios",
        default_value = "0x00400408",
        value_parser = hexadecimal
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

impl Why {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let rules = rules(&self.rules)?;
        let report = match &self.scenarios {
            Some(file) => self.recorded(file, rules)?,
            None => self.own(rules)?,
        };
        say(self.json, &report, |out| Ok(report.print(out, self.full)?))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Beyond this many metres there is no map.
const FARTHEST: f32 = 100_000.0;

fn point(text: &str) -> Result<Vec3, String> {
    let number = |text: &str| text.trim().parse::<f32>().ok().filter(|v| v.is_finite());
    let numbers: Option<Vec<f32>> = text.split(',').map(number).collect();
    match numbers.as_deref() {
        Some(far) if far.iter().any(|v| v.abs() > FARTHEST) => {
            Err(format!("the map is not {FARTHEST} m wide; write what is on it"))
        }
        Some([x, y, z]) => Ok(Vec3::new(*x, *y, *z)),
        _ => Err("write three numbers: x,y,z".to_owned()),
    }
}

fn hexadecimal(text: &str) -> Result<u32, String> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
    let wrong = || "write hexadecimal digits, such as 0x02000001".to_owned();
    if digits.starts_with('+') {
        return Err(wrong());
    }
    u32::from_str_radix(digits, 16).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_three_numbers() {
        assert_eq!(point("1,-2.5, 3"), Ok(Vec3::new(1.0, -2.5, 3.0)));
        for bad in ["", "1,2", "1,2,3,4", "1,2,x", "1,2,nan", "1,2,inf", "1e30,0,0"] {
            assert!(point(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn ids_and_bits_are_hexadecimal() {
        assert_eq!(hexadecimal("0x02000001"), Ok(0x0200_0001));
        assert_eq!(hexadecimal("408"), Ok(0x408));
        for bad in ["", "0x", "+1", "g", "0x123456789"] {
            assert!(hexadecimal(bad).is_err(), "{bad}");
        }
    }
}
