//! `threshold see`: lists what is visible from a place.

mod json;
mod report;
mod screen;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use threshold_land::vector::DVec3;
use threshold_land::{CellId, CellKind};
use threshold_view::{Lens, PortalLog, PortalWalk, ViewRules, ViewScratch, Viewer};

use self::report::Report;
use super::shot::eye::EyePlacement;
use crate::arguments::{hexadecimal_parser, parse_point, parse_rules};
use crate::drawing_file::DrawingFormat;
use crate::stdout::print_report;
use crate::surroundings::Surroundings;
use crate::world::World;

/// List what is visible from a place, and through which portals
///
/// Lists the visible rooms from near to far, the regions of the screen in which each shows, the portal that each region shows through, and
/// where the landscape shows.
///
/// The cell is not looked up from the eye, because rooms may overlap. Points are in the frame of the landblock, in metres, x to the east, y
/// to the north, z up. The landscape is loaded only if it is visible. docs/see.md explains the output.
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
    from: ViewerArguments,
    /// The cell of the viewer; set when the place is known.
    #[arg(skip = CellId(0))]
    cell: CellId,
    /// The eye; set when the place is known.
    #[arg(skip)]
    eye: DVec3,
    /// The point looked at; set when the place is known.
    #[arg(skip)]
    look: DVec3,
    /// Vertical field of view, in degrees
    #[arg(long, value_name = "DEG", default_value_t = 60.0, allow_negative_numbers = true)]
    fov: f64,
    /// Aspect ratio of the screen, such as 16:9 or 1.5
    #[arg(long, value_name = "W:H", default_value = "16:9", value_parser = parse_aspect, allow_hyphen_values = true)]
    aspect: f64,
    /// Distance of the near plane, in metres
    #[arg(long, value_name = "M", default_value_t = 0.1, allow_negative_numbers = true)]
    near: f64,
    /// Set a rule for a disputed question; docs/rules.md lists them
    #[arg(long = "rule", value_name = "NAME=VALUE")]
    rules: Vec<String>,
    /// Explain why the rooms behind other portals are not visible
    #[arg(long)]
    why: bool,
    /// Print JSON, with all regions
    #[arg(long)]
    json: bool,
    /// Draw the screen with all regions to a file, .svg or .png
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Arguments for the viewer: a place, or a cell and an eye.
#[derive(Args)]
struct ViewerArguments {
    /// Compass point, loc, landblock, cell, point, or name in the built-in world
    ///
    /// Takes the place of --cell and --eye. The eye is at the height of a person, and looks ahead unless --look says otherwise.
    #[arg(required_unless_present = "cell", conflicts_with_all = ["cell", "eye"])]
    place: Option<String>,
    /// Cell of the viewer: a room or a land cell
    #[arg(long, value_name = "ID", value_parser = parse_cell, allow_hyphen_values = true, requires = "eye")]
    cell: Option<CellId>,
    /// Position of the eye
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_point, allow_hyphen_values = true, requires = "cell")]
    eye: Option<DVec3>,
    /// Look at this point (optional with PLACE)
    #[arg(
        long,
        value_name = "X,Y,Z",
        value_parser = parse_point,
        allow_hyphen_values = true,
        required_unless_present = "place"
    )]
    look: Option<DVec3>,
}

impl See {
    pub(crate) fn run(mut self) -> anyhow::Result<ExitCode> {
        let rules = parse_rules(&self.rules, ViewRules::set_text)?;
        let format = self.svg.as_deref().map(DrawingFormat::of).transpose()?;
        let mut around = Surroundings::new(self.world.open_whole()?);
        self.place_viewer(&mut around)?;
        let viewer = self.viewer()?;
        let (mut scratch, mut log) = (ViewScratch::new(), PortalLog::default());
        let looked = self.look(&mut around, &viewer, |world| {
            log = PortalLog::default();
            let walk = PortalWalk { world, rules };
            walk.run(&mut scratch, &mut log, &viewer).landscape().len() > 0
        });
        around.print_faults();
        looked?;
        let report = Report::new(&self, scratch.visible(), &around, &log);
        print_report(self.json, &report, |out| Ok(report.print(out)?))?;
        if let (Some(path), Some(format)) = (&self.svg, format) {
            let written = format.write(&screen::draw(&self, scratch.visible()), path)?;
            if !self.json {
                writeln!(io::stdout(), "\n{}: the screen; {written}", path.display())?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Sets cell, eye and point looked at, from the options or from the place.
    fn place_viewer(&mut self, around: &mut Surroundings) -> anyhow::Result<()> {
        let ViewerArguments { place, cell, eye, look } = &self.from;
        let Some(text) = place else {
            self.cell = cell.unwrap_or(CellId(0));
            (self.eye, self.look) = (eye.unwrap_or_default(), look.unwrap_or_default());
            return Ok(());
        };
        let place = self.world.find_place(text)?;
        let placed = EyePlacement::at(&place, around);
        let placed = placed.inspect_err(|_| around.print_faults())?;
        self.look = look.unwrap_or(placed.ahead);
        (self.cell, self.eye) = (placed.cell, placed.at);
        Ok(())
    }

    fn viewer(&self) -> anyhow::Result<Viewer> {
        let Self { cell, eye, look, fov, aspect, near, .. } = *self;
        match cell.kind() {
            _ if !cell.block().in_bounds() => bail!("--cell {cell}: not on the map"),
            Some(CellKind::Land | CellKind::Env) => {}
            Some(CellKind::Block) => bail!("--cell {cell}: a landblock; write the id of a cell"),
            None => bail!("--cell {cell}: neither a room nor a land cell"),
        }
        Ok(Viewer::looking_at(cell, eye, look, Lens { fov, aspect, near })?)
    }

    /// Returns the aspect ratio for drawing and printing.
    #[allow(clippy::cast_possible_truncation, reason = "exact enough to draw and print")]
    fn drawn_aspect(&self) -> f32 {
        self.aspect as f32
    }

    /// Walks the portals, and a second time with the landscape resident if it is visible.
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

fn parse_cell(text: &str) -> Result<CellId, String> {
    hexadecimal_parser("0xA9B40157")(text).map(CellId)
}

fn parse_aspect(text: &str) -> Result<f64, String> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|v| v.is_finite());
    let (width, height) = text.split_once([':', 'x', '/']).unwrap_or((text, "1"));
    let both = number(width).zip(number(height));
    both.map(|(width, height)| width / height)
        .ok_or_else(|| "write W:H or a number, such as 16:9".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_aspect_ratio_is_two_numbers_or_one() {
        assert_eq!(parse_aspect("16:9"), Ok(16.0 / 9.0));
        assert_eq!(parse_aspect("1.5"), Ok(1.5));
        for bad in ["", ":", "16:", "16:9:1", "wide", "inf"] {
            assert!(parse_aspect(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_cell_is_hexadecimal() {
        assert_eq!(parse_cell("0xA9B40157"), Ok(CellId(0xA9B4_0157)));
        assert!(parse_cell("inn").is_err());
    }
}
