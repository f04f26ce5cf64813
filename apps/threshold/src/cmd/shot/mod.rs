//! `threshold shot`: a picture of a place.

mod layers;
pub(super) mod stand;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::Args;
use threshold_dat::RegionDesc;
use threshold_land::glam::DVec3;
use threshold_render::day::{Daylight, Moment, daylight, fraction_of, group_named};
use threshold_render::gpu::{DrawStats, Gpu, RegionMasks, RenderScene, Renderer, Style};
use threshold_render::images::Image;
use threshold_view::{Lens, PortalWalk, ViewScratch, Viewer};

use self::stand::Stand;
use crate::arguments::{point, size, whole};
use crate::layers::{Layer, overlay};
use crate::picture::write_png;
use crate::show::thousands;
use crate::surroundings::Surroundings;
use crate::world::World;

/// Draws what is seen from a place.
///
/// PLACE is a compass point, loc, landblock, cell or point, or in the built-in world a name. A point (0xA9B40106:132,109,41.7) is where the eye is; anywhere
/// else somebody stands on the ground or in the middle of the room. Points are in the frame of the landblock, in
/// metres, x to the east, y to the north, z up. Needs a graphics driver; one that draws by software will do.
#[derive(Args)]
#[command(after_help = "Examples:
  threshold shot A9B4 --look 130,110,45 --out village.png
  threshold shot 0xA9B40106:134.5,109,41.9 --look 131,100,41.2 --out taproom.png
  threshold shot 0xA9B40106 --layers cells,portals,contact --time 21:00 --out layers.png
  threshold shot \"great hall below\" --size 1920x1080 --out hall.png")]
pub(crate) struct Shot {
    #[command(flatten)]
    world: World,
    /// Where: a compass point, loc, landblock, cell or point, or in the built-in world the name of a place.
    place: String,
    /// A point that is in the middle of the picture; without it somebody looks ahead, or north.
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    look: Option<DVec3>,
    /// Width and height in pixels.
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = size)]
    size: [u32; 2],
    /// From the lower to the upper edge of the picture, in degrees.
    #[arg(long, value_name = "DEG", default_value_t = 60.0, allow_negative_numbers = true)]
    fov: f64,
    /// Time of day.
    #[arg(long, value_name = "HH:MM", default_value = "12:00", value_parser = clock)]
    time: f32,
    /// Kind of day, by its name or number in the region: clear, rain ...; as the calendar has it if not given.
    #[arg(long, value_name = "NAME")]
    weather: Option<String>,
    /// What is shown on top, with commas between.
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',')]
    layers: Vec<Layer>,
    /// How many landblocks away land is still drawn.
    #[arg(long, value_name = "N", default_value_t = 5, allow_negative_numbers = true, value_parser = whole(1..=12_u8))]
    far: u8,
    /// File to write; its name ends in .png.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl Shot {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        if !self.out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png")) {
            bail!("{}: a picture is a .png file", self.out.display());
        }
        let place = self.world.find_place(&self.place)?;
        let mut around = Surroundings::new(self.world.open_whole()?);
        let stand = Stand::at(&place, &mut around);
        let stand = stand.inspect_err(|_| around.say_faults())?;
        let viewer = self.viewer(&stand)?;
        let mut scratch = ViewScratch::new();
        let seen = self.look(&mut around, &stand, &viewer, &mut scratch);
        around.say_faults();
        seen?;
        let (picture, drawn) = self.draw(&around, &viewer, &scratch)?;
        write_png(&self.out, &picture)?;
        let DrawStats { regions, calls, triangles, .. } = drawn;
        writeln!(
            io::stdout(),
            "{}: {} x {} pixels from {}; {} regions, {} triangles, {} calls",
            self.out.display(),
            picture.width,
            picture.height,
            stand.words(),
            thousands(regions),
            thousands(triangles),
            thousands(calls)
        )?;
        Ok(ExitCode::SUCCESS)
    }

    fn viewer(&self, stand: &Stand) -> anyhow::Result<Viewer> {
        let [width, height] = self.size.map(f64::from);
        let lens = Lens { fov: self.fov, aspect: width / height, ..Lens::default() };
        let look = self.look.unwrap_or(stand.ahead);
        Ok(Viewer::looking_at(stand.cell, stand.eye, look, lens)?)
    }

    /// Looks; what is far away is loaded only if the landscape is seen.
    fn look(
        &self,
        around: &mut Surroundings,
        stand: &Stand,
        viewer: &Viewer,
        scratch: &mut ViewScratch,
    ) -> anyhow::Result<()> {
        let sees_outside = |around: &Surroundings, scratch: &mut ViewScratch| {
            let seen = PortalWalk::new(around.world()).run(scratch, &mut (), viewer);
            seen.landscape().len() > 0
        };
        if stand.cell.is_indoor() {
            around.load_rooms(stand.cell)?;
            if !sees_outside(around, scratch) {
                return Ok(());
            }
        }
        around.load_landscape(stand.cell, stand.eye.as_vec3())?;
        around.load_distance(stand.cell.block(), self.far);
        sees_outside(around, scratch);
        Ok(())
    }

    /// Light and sky of the time that was asked for.
    fn daylight(&self, around: &Surroundings) -> anyhow::Result<Daylight> {
        let region = around.region();
        let group = match (&self.weather, &region) {
            (Some(name), Some(region)) => {
                let unknown = || format!("--weather {name}: {}", kinds_of_days(region));
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
        scratch: &ViewScratch,
    ) -> anyhow::Result<(Image, DrawStats)> {
        let gpu = Arc::new(Gpu::headless()?);
        // Flat colours are told apart only if they are not mixed.
        let is_flat = self.layers.contains(&Layer::Ids);
        let (samples, style) = if is_flat { (1, Style::Ids) } else { (4, Style::Lit) };
        let mut renderer = Renderer::headless(gpu, around.source(), samples);
        let daylight = self.daylight(around)?;
        let (world, source) = (around.world(), around.source());
        let stander = layers::stander(&self.layers, world, &*source, viewer);
        let overlay = overlay(&self.layers, world, (viewer, scratch.visible()), &stander);
        let scene = RenderScene {
            world,
            viewer,
            seen: scratch.visible(),
            daylight: &daylight,
            seconds: 0.0,
            style,
            poses: &[],
            hidden: None,
            lines: &overlay.lines,
            masks: RegionMasks::default(),
            clear: daylight.fog.colour.as_dvec3().to_array(),
        };
        let shot = renderer.capture(&scene, self.size).context("the graphics driver gave up");
        for fault in renderer.faults() {
            // Whoever does not listen does not stop the work.
            let _ = writeln!(io::stderr(), "threshold: left out: {fault}");
        }
        let (mut picture, drawn) = shot?;
        if !overlay.labels.is_empty() {
            layers::write(&mut picture, viewer, &overlay.labels)?;
        }
        Ok((picture, drawn))
    }
}

/// Lists the kinds of days, for a name that is none of them.
fn kinds_of_days(region: &RegionDesc) -> String {
    let groups = region.sky.as_ref().map(|sky| &sky.day_groups[..]).unwrap_or_default();
    let names: Vec<String> = groups.iter().map(|group| group.name.to_string()).collect();
    match names.is_empty() {
        true => "this world has no kinds of days".to_owned(),
        false => format!("no such kind of day; there are {}", names.join(", ")),
    }
}

fn clock(text: &str) -> Result<f32, String> {
    fraction_of(text)
        .ok_or_else(|| "write a time of day from 00:00 to 24:00, such as 18:30".to_owned())
}
