//! `threshold see`: what is seen from a place, and through what.

mod answer;
mod report;
mod screen;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use threshold_land::glam::DVec3;
use threshold_land::{CellId, CellKind};
use threshold_view::{Lens, PortalLog, PortalWalk, ViewRules, ViewScratch, Viewer};

use self::report::Report;
use super::shot::stand::Stand;
use crate::arguments::{hexadecimal, point, rules};
use crate::drawing::file::Format;
use crate::say::say;
use crate::surroundings::Surroundings;
use crate::world::World;

/// Says what is seen from a place: the rooms near to far, the regions of the screen that each shows in, the
/// opening that each region is seen through, and where the landscape shows.
///
/// The cell is the one that the viewer was carried into; it is not looked up from the eye. Points are in the frame
/// of its landblock, in metres, x to the east, y to the north, z up. The landscape is loaded only if it is seen.
/// docs/see.md says how to read it.
#[derive(Args)]
#[command(after_help = "Examples:
  threshold see taproom --svg taproom.svg
  threshold see --cell 0xA9B40106 --eye 132,109,41.7 --look 132,100,41.4 --svg inn.svg
  threshold see --dats tests/data/holt --cell 0xA9B40024 --eye 96,84,41.7 --look 120,84,41 --fov 90 --aspect 4:3
  threshold see --dats tests/data/dungeon --cell 0x01020100 --eye 66,-70,1.7 --look 71,-62,1.7 --why")]
pub(crate) struct See {
    #[command(flatten)]
    world: World,
    #[command(flatten)]
    standpoint: Standpoint,
    /// The cell that the viewer is in, once it is known.
    #[arg(skip = CellId(0))]
    cell: CellId,
    /// Where the eye is, once it is known.
    #[arg(skip)]
    eye: DVec3,
    /// The point in the middle of the screen, once it is known.
    #[arg(skip)]
    look: DVec3,
    /// From the lower to the upper edge of the screen, in degrees.
    #[arg(long, value_name = "DEG", default_value_t = 60.0, allow_negative_numbers = true)]
    fov: f64,
    /// Width of the screen by its height: 16:9, or a number.
    #[arg(long, value_name = "W:H", default_value = "16:9", value_parser = aspect, allow_hyphen_values = true)]
    aspect: f64,
    /// How far before the eye drawing begins, in metres.
    #[arg(long, value_name = "M", default_value_t = 0.1, allow_negative_numbers = true)]
    near: f64,
    /// Follow another rule than the default where it is disputed what the retail client did; docs/rules.md
    /// lists them.
    #[arg(long = "rule", value_name = "NAME=VALUE")]
    rules: Vec<String>,
    /// Say of each room that an opening leads to and that is not seen why it is not.
    #[arg(long)]
    why: bool,
    /// Print JSON, which has all regions.
    #[arg(long)]
    json: bool,
    /// Draw the screen with all regions; the name of the file ends in .svg or .png.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Where the viewer is: at a place, or at a point of a cell.
#[derive(Args)]
struct Standpoint {
    /// A place to stand at: a compass point, loc, landblock, cell or point, or in the built-in world a name. In place of --cell and
    /// --eye; the eye is as high as that of a person.
    #[arg(required_unless_present = "cell", conflicts_with_all = ["cell", "eye"])]
    place: Option<String>,
    /// The cell that the viewer is in: a room or a land cell.
    #[arg(long, value_name = "ID", value_parser = cell, allow_hyphen_values = true, requires = "eye")]
    cell: Option<CellId>,
    /// Where the eye is.
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true, requires = "cell")]
    eye: Option<DVec3>,
    /// A point that is in the middle of the screen; at a place it may be left out.
    #[arg(
        long,
        value_name = "X,Y,Z",
        value_parser = point,
        allow_hyphen_values = true,
        required_unless_present = "place"
    )]
    look: Option<DVec3>,
}

impl See {
    pub(crate) fn run(mut self) -> anyhow::Result<ExitCode> {
        let rules = rules(&self.rules, ViewRules::set_text)?;
        let format = self.svg.as_deref().map(Format::of).transpose()?;
        let mut around = Surroundings::new(self.world.open_whole()?);
        self.stand(&mut around)?;
        let viewer = self.viewer()?;
        let (mut scratch, mut reasons) = (ViewScratch::new(), PortalLog::default());
        let looked = self.look(&mut around, &viewer, |world| {
            reasons = PortalLog::default();
            let walk = PortalWalk { world, rules };
            walk.run(&mut scratch, &mut reasons, &viewer).landscape().len() > 0
        });
        around.say_faults();
        looked?;
        let report = Report::new(&self, scratch.visible(), &around, &reasons);
        say(self.json, &report, |out| Ok(report.print(out)?))?;
        if let (Some(path), Some(format)) = (&self.svg, format) {
            let written = format.write(&screen::draw(&self, scratch.visible()), path)?;
            if !self.json {
                writeln!(io::stdout(), "\n{}: the screen; {written}", path.display())?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Takes the viewer to its cell and point, or to where a person would stand at its place.
    fn stand(&mut self, around: &mut Surroundings) -> anyhow::Result<()> {
        let Standpoint { place, cell, eye, look } = &self.standpoint;
        let Some(text) = place else {
            self.cell = cell.unwrap_or(CellId(0));
            (self.eye, self.look) = (eye.unwrap_or_default(), look.unwrap_or_default());
            return Ok(());
        };
        let place = self.world.find_place(text)?;
        let stand = Stand::at(&place, around);
        let stand = stand.inspect_err(|_| around.say_faults())?;
        self.look = look.unwrap_or(stand.ahead);
        (self.cell, self.eye) = (stand.cell, stand.eye);
        Ok(())
    }

    fn viewer(&self) -> anyhow::Result<Viewer> {
        let Self { cell, eye, look, fov, aspect, near, .. } = *self;
        match cell.kind() {
            _ if !cell.block().in_bounds() => bail!("--cell {cell}: not on the map"),
            Some(CellKind::Land | CellKind::Env) => {}
            Some(CellKind::Block) => bail!("--cell {cell}: a landblock, and not a cell of it"),
            None => bail!("--cell {cell}: neither a room nor a land cell"),
        }
        Ok(Viewer::looking_at(cell, eye, look, Lens { fov, aspect, near })?)
    }

    /// Width by height, as precise as paper is.
    #[allow(clippy::cast_possible_truncation, reason = "nobody sees the difference")]
    fn shape(&self) -> f32 {
        self.aspect as f32
    }

    /// Looks, and once more with the landscape resident if it is seen.
    fn look(
        &self,
        around: &mut Surroundings,
        viewer: &Viewer,
        mut sees_outside: impl FnMut(&threshold_world::World) -> bool,
    ) -> anyhow::Result<()> {
        if self.cell.is_indoor() {
            around.load_rooms(self.cell)?;
            if !sees_outside(around.world()) {
                return Ok(());
            }
        }
        around.load_landscape(self.cell, viewer.eye().as_vec3())?;
        sees_outside(around.world());
        Ok(())
    }
}

fn cell(text: &str) -> Result<CellId, String> {
    let wrong = |_| "write hexadecimal digits, such as 0xA9B40157".to_owned();
    hexadecimal(text).map(CellId).map_err(wrong)
}

fn aspect(text: &str) -> Result<f64, String> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|v| v.is_finite());
    let (width, height) = text.split_once([':', 'x', '/']).unwrap_or((text, "1"));
    let both = number(width).zip(number(height));
    both.map(|(width, height)| width / height).ok_or_else(|| "write 16:9, or a number".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_screen_is_as_wide_as_is_said() {
        assert_eq!(aspect("16:9"), Ok(16.0 / 9.0));
        assert_eq!(aspect("1.5"), Ok(1.5));
        for bad in ["", ":", "16:", "16:9:1", "wide", "inf"] {
            assert!(aspect(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_cell_is_hexadecimal() {
        assert_eq!(cell("0xA9B40157"), Ok(CellId(0xA9B4_0157)));
        assert!(cell("inn").is_err());
    }
}
