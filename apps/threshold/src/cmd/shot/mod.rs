//! `threshold shot`: a picture of a place.

pub(super) mod eye;
mod layers;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::Args;
use threshold_dat::RegionDesc;
use threshold_land::vector::DVec3;
use threshold_render::{DrawStats, Gpu, RegionMasks, RenderScene, Renderer, Style};
use threshold_view::{Lens, PortalWalk, ViewScratch, Viewer, VisibleSet};
use threshold_visuals::day::{Daylight, Moment, daylight, fraction_of, group_named};
use threshold_visuals::debug_draw::DebugOverlay;
use threshold_visuals::images::Image;

use self::eye::EyePlacement;
use crate::arguments::{parse_point, parse_size, whole_number_parser};
use crate::formatting::thousands;
use crate::layers::{Layer, LayerScene, LayerSubject, draw_layers};
use crate::png::write_png;
use crate::stderr::print_message;
use crate::surroundings::Surroundings;
use crate::world::World;

/// Draw the view from a place
///
/// At a point (0xA9B40106:132,109,41.7) the eye is there; at any other place it is at the height of a person on the ground or in the
/// middle of the room. Points are in the frame of the landblock, in metres, x to the east, y to the north, z up.
///
/// Needs a graphics driver; one that draws by software will do.
#[derive(Args)]
#[command(after_help = "Examples:
  threshold shot A9B4 --look 130,110,45 --out village.png
  threshold shot 0xA9B40106:134.5,109,41.9 --look 131,100,41.2 --out taproom.png
  threshold shot 0xA9B40106 --layers cells,portals,contact --time 21:00 --out layers.png
  threshold shot \"great hall below\" --size 1920x1080 --out hall.png")]
pub(crate) struct Shot {
    #[command(flatten)]
    world: World,
    /// Compass point, loc, landblock, cell, point, or name in the built-in world
    place: String,
    /// Look at this point (default: ahead, or north)
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_point, allow_hyphen_values = true)]
    look: Option<DVec3>,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = parse_size)]
    size: [u32; 2],
    /// Vertical field of view, in degrees
    #[arg(long, value_name = "DEG", default_value_t = 60.0, allow_negative_numbers = true)]
    fov: f64,
    /// Time of day
    #[arg(long, value_name = "HH:MM", default_value = "12:00", value_parser = parse_time)]
    time: f32,
    /// Kind of day, such as clear or rain (default: by the calendar)
    #[arg(long, value_name = "NAME", allow_negative_numbers = true)]
    weather: Option<String>,
    /// Layers to draw on top, separated by commas
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',')]
    layers: Vec<Layer>,
    /// Draw land up to N landblocks away
    #[arg(long, value_name = "N", default_value_t = 5, allow_negative_numbers = true, value_parser = whole_number_parser(1..=12_u8))]
    far: u8,
    /// File to write, .png
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl Shot {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        if !self.out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png")) {
            bail!("{}: the file must be a .png file", self.out.display());
        }
        let place = self.world.find_place(&self.place)?;
        let mut around = Surroundings::new(self.world.open_whole()?);
        let eye = EyePlacement::at(&place, &mut around);
        let eye = eye.inspect_err(|_| around.print_faults())?;
        let viewer = self.viewer(&eye)?;
        let mut scratch = ViewScratch::new();
        let walked = self.look(&mut around, &eye, &viewer, &mut scratch);
        let subject = layers::layer_subject(&self.layers, &mut around, &viewer);
        let region = around.region();
        around.print_faults();
        walked?;
        let daylight = self.daylight(region)?;
        let (picture, drawn) =
            self.draw(&around, &viewer, scratch.visible(), &subject, &daylight)?;
        write_png(&self.out, &picture)?;
        let DrawStats { regions, calls, triangles, .. } = drawn;
        writeln!(
            io::stdout(),
            "{}: {} x {} pixels from {}; {} regions, {} triangles, {} calls",
            self.out.display(),
            picture.width,
            picture.height,
            eye.describe(),
            thousands(regions),
            thousands(triangles),
            thousands(calls)
        )?;
        Ok(ExitCode::SUCCESS)
    }

    fn viewer(&self, eye: &EyePlacement) -> anyhow::Result<Viewer> {
        let [width, height] = self.size.map(f64::from);
        let lens = Lens { fov: self.fov, aspect: width / height, ..Lens::default() };
        let look = self.look.unwrap_or(eye.ahead);
        Ok(Viewer::looking_at(eye.cell, eye.at, look, lens)?)
    }

    /// Loads what may be visible, and walks the portals. Distant land is loaded only if the landscape is visible.
    fn look(
        &self,
        around: &mut Surroundings,
        eye: &EyePlacement,
        viewer: &Viewer,
        scratch: &mut ViewScratch,
    ) -> anyhow::Result<()> {
        let sees_outside = |around: &Surroundings, scratch: &mut ViewScratch| {
            let seen = PortalWalk::new(around.world()).run(scratch, &mut (), viewer);
            seen.landscape().len() > 0
        };
        if eye.cell.is_indoor() {
            around.load_rooms(eye.cell)?;
            if !sees_outside(around, scratch) {
                return Ok(());
            }
        }
        around.load_landscape(eye.cell, eye.at.as_vec3())?;
        around.load_distance(eye.cell.block(), self.far);
        sees_outside(around, scratch);
        Ok(())
    }

    /// Returns light and sky of `--time` and `--weather`.
    fn daylight(&self, region: Option<RegionDesc>) -> anyhow::Result<Daylight> {
        let group = match (&self.weather, &region) {
            (Some(name), Some(region)) => {
                let unknown = || format!("--weather {name}: {}", unknown_weather(region));
                Some(group_named(region, name).with_context(unknown)?)
            }
            _ => None,
        };
        let moment = Moment::new(0, self.time);
        Ok(region.map_or_else(Daylight::plain, |region| daylight(&region, &moment, group)))
    }

    fn draw(
        &self,
        around: &Surroundings,
        viewer: &Viewer,
        seen: &VisibleSet,
        subject: &LayerSubject,
        daylight: &Daylight,
    ) -> anyhow::Result<(Image, DrawStats)> {
        let gpu = Arc::new(Gpu::headless()?);
        // Several samples would mix the flat colours at edges.
        let is_flat = self.layers.contains(&Layer::Ids);
        let (samples, style) = if is_flat { (1, Style::Ids) } else { (4, Style::Lit) };
        let mut renderer = Renderer::headless(gpu, around.source(), samples);
        let world = around.world();
        let mut overlay = DebugOverlay::default();
        draw_layers(&mut overlay, &self.layers, &LayerScene { world, viewer, seen, subject });
        let scene = RenderScene {
            world,
            viewer,
            seen,
            daylight,
            seconds: 0.0,
            style,
            poses: &[],
            hidden: None,
            lines: &overlay.lines,
            masks: RegionMasks::default(),
            clear: daylight.fog.colour.as_dvec3().to_array(),
        };
        let shot = renderer.capture(&scene, self.size).context("the graphics device was lost");
        // The renderer reads the region as well.
        for fault in renderer.faults().filter(|fault| !around.has_fault(fault)) {
            print_message(format_args!("left out: {fault}"));
        }
        let (mut picture, drawn) = shot?;
        if !overlay.labels.is_empty() {
            layers::draw_labels(&mut picture, viewer, &overlay.labels)?;
        }
        Ok((picture, drawn))
    }
}

/// Returns the error for an unknown kind of day, with the names of all kinds.
fn unknown_weather(region: &RegionDesc) -> String {
    let groups = region.sky.as_ref().map(|sky| &sky.day_groups[..]).unwrap_or_default();
    let names: Vec<String> = groups.iter().map(|group| group.name.to_string()).collect();
    match names.is_empty() {
        true => "the world has no kinds of days".to_owned(),
        false => format!("no such kind of day; write one of {}", names.join(", ")),
    }
}

fn parse_time(text: &str) -> Result<f32, String> {
    fraction_of(text)
        .ok_or_else(|| "write a time of day from 00:00 to 24:00, such as 18:30".to_owned())
}
