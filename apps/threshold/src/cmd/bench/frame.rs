//! `threshold bench frame`: measures how fast frames are drawn.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Args;
use serde::Serialize;
use threshold_dat::Source;
use threshold_forge::{NamedPlace, SEED, places};
use threshold_land::vector::Vec3;
use threshold_render::{Canvas, Gpu, RegionMasks, RenderScene, Renderer, Style};
use threshold_view::{Lens, PortalWalk, ViewScratch, Viewer};
use threshold_visuals::day::Daylight;
use threshold_world::{Builder, World};

use crate::arguments::{parse_size, whole_number_parser};
use crate::formatting::thousands;
use crate::progress::Progress;
use crate::stdout::print_report;
use crate::world::built_in;

/// Draw the built-in world from its named places and report the times
///
/// The times are medians: view is the portal walk on the processor, record the recording of commands for the graphics
/// device, and draw the time until the device has finished. The column "of all" is the share of the triangles of the
/// whole world that is drawn.
#[derive(Args)]
#[command(after_help = "Examples:
  threshold bench frame
  threshold bench frame --size 1920x1080 --samples 4 --json")]
pub(crate) struct Frame {
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = parse_size)]
    size: [u32; 2],
    /// Samples per pixel, 1 or 4
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = samples)]
    samples: u32,
    /// Frames drawn from each place
    #[arg(long, value_name = "N", default_value_t = 20, allow_negative_numbers = true, value_parser = whole_number_parser(1..=100_000_u32))]
    frames: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn samples(text: &str) -> Result<u32, String> {
    text.parse().ok().filter(|n| [1, 4].contains(n)).ok_or_else(|| "write 1 or 4".to_owned())
}

/// The report. Field names are keys of the JSON output.
#[derive(Serialize)]
struct FrameReport {
    device: String,
    size: [u32; 2],
    samples: u32,
    /// Number of resident rooms.
    rooms: usize,
    /// Number of triangles of the whole world.
    triangles: u64,
    places: Vec<PlaceTiming>,
}

/// Measurements from one place: median times in microseconds, and counts of one frame.
#[derive(Serialize)]
struct PlaceTiming {
    place: &'static str,
    view: f64,
    record: f64,
    draw: f64,
    frames_a_second: f64,
    cells: usize,
    triangles: u64,
    calls: usize,
}

impl Frame {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let source: Arc<dyn Source> = Arc::new(built_in(SEED)?);
        let builder = Builder::shared(Arc::clone(&source));
        let mut world = World::new();
        for piece in builder.pieces() {
            builder.build(piece)?.into_iter().for_each(|built| world.adopt(built.piece));
        }
        let gpu = Arc::new(Gpu::headless()?);
        let mut renderer = Renderer::headless(Arc::clone(&gpu), source, self.samples);
        renderer.refresh(&world);
        let canvas = renderer.canvas(self.size);
        let places = places(SEED);
        let progress = Progress::new("drawing", places.len() as u64);
        let mut timings = Vec::new();
        for place in &places {
            timings.push(self.measure(&gpu, &mut renderer, &world, &canvas, place)?);
            progress.step();
        }
        progress.finish();
        let report = FrameReport {
            device: gpu.name.clone(),
            size: self.size,
            samples: self.samples,
            rooms: world.lands().map(|land| world.room_count(land.block())).sum(),
            triangles: renderer.triangles(),
            places: timings,
        };
        print_report(self.json, &report, |out| Ok(report.print(out)?))?;
        Ok(ExitCode::SUCCESS)
    }

    fn measure(
        &self,
        gpu: &Gpu,
        renderer: &mut Renderer,
        world: &World,
        canvas: &Canvas,
        place: &NamedPlace,
    ) -> anyhow::Result<PlaceTiming> {
        let [width, height] = self.size.map(f64::from);
        let lens = Lens { aspect: width / height, ..Lens::default() };
        let mut at = place.position;
        at.frame.origin += Vec3::Z * EYE_HEIGHT;
        let viewer = Viewer::at(&at, lens)?;
        let (mut scratch, daylight) = (ViewScratch::new(), Daylight::plain());
        let mut times: [Vec<Duration>; 3] = Default::default();
        let (mut drawn, mut cells) = (Default::default(), 0);
        // The first frame, which fills caches, is not counted.
        for _ in 0..=self.frames {
            let start = Instant::now();
            let seen = PortalWalk::new(world).run(&mut scratch, &mut (), &viewer);
            let viewed = Instant::now();
            let scene = RenderScene {
                world,
                viewer: &viewer,
                seen,
                daylight: &daylight,
                seconds: 0.0,
                style: Style::Lit,
                poses: &[],
                hidden: None,
                lines: &[],
                masks: RegionMasks::default(),
                clear: [0.0; 3],
            };
            drawn = renderer.draw(&scene, canvas.view(), self.size);
            let recorded = Instant::now();
            gpu.wait().context("the graphics device was lost")?;
            cells = seen.cells().len();
            let parts = [viewed - start, recorded - viewed, recorded.elapsed()];
            times.iter_mut().zip(parts).for_each(|(times, part)| times.push(part));
        }
        let [view, record, draw] = times.map(median);
        let frames_a_second = 1e6 / (view + record + draw);
        let (triangles, calls) = (drawn.triangles, drawn.calls);
        let place = place.name;
        Ok(PlaceTiming { place, view, record, draw, frames_a_second, cells, triangles, calls })
    }
}

/// Height of the eyes over the feet, in metres.
const EYE_HEIGHT: f32 = 1.7;

/// Returns the median in microseconds, without the first time.
fn median(mut times: Vec<Duration>) -> f64 {
    times.remove(0);
    times.sort_unstable();
    times.get(times.len() / 2).map_or(0.0, |time| time.as_secs_f64() * 1e6)
}

impl FrameReport {
    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let [width, height] = self.size;
        writeln!(
            out,
            "{}, {width} x {height}, {} sample{} per pixel; {} rooms and {} triangles are resident",
            self.device,
            self.samples,
            if self.samples == 1 { "" } else { "s" },
            thousands(self.rooms),
            thousands(self.triangles)
        )?;
        writeln!(
            out,
            "\n{:22}{:>10}{:>10}{:>10}{:>12}{:>8}{:>12}{:>10}{:>8}",
            "place",
            "view us",
            "record us",
            "draw us",
            "frames/s",
            "cells",
            "triangles",
            "of all",
            "calls"
        )?;
        for timing in &self.places {
            #[allow(clippy::cast_precision_loss, reason = "a rounded percentage")]
            let share = timing.triangles as f64 / self.triangles.max(1) as f64 * 100.0;
            writeln!(
                out,
                "{:22}{:>10.1}{:>10.1}{:>10.1}{:>12.1}{:>8}{:>12}{:>8.1} %{:>8}",
                timing.place,
                timing.view,
                timing.record,
                timing.draw,
                timing.frames_a_second,
                timing.cells,
                thousands(timing.triangles),
                share,
                timing.calls
            )?;
        }
        Ok(())
    }
}
