//! `threshold bench frame`: how fast pictures are drawn.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Args;
use serde::Serialize;
use threshold_dat::Source;
use threshold_forge::{NamedPlace, SEED, places};
use threshold_land::glam::Vec3;
use threshold_render::day::Daylight;
use threshold_render::gpu::{Canvas, Gpu, RegionMasks, RenderScene, Renderer, Style};
use threshold_view::{Lens, PortalWalk, ViewScratch, Viewer};
use threshold_world::{Builder, World};

use crate::arguments::{parse_size, whole_number_parser};
use crate::progress::Progress;
use crate::say::say;
use crate::show::thousands;
use crate::world::built_in;

/// Draws the built-in world from its places again and again, and says how long each part takes.
///
/// View is the portal walk on the processor, record what the device is told, draw what it then does with it, until it
/// is done. Brute force would draw every triangle of everything that is resident.
#[derive(Args)]
#[command(after_help = "Examples:
  threshold bench frame
  threshold bench frame --size 1920x1080 --samples 4 --json")]
pub(crate) struct Frame {
    /// Width and height in pixels.
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = parse_size)]
    size: [u32; 2],
    /// Samples a pixel, 1 or 4.
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = samples)]
    samples: u32,
    /// Pictures from each place.
    #[arg(long, value_name = "N", default_value_t = 20, allow_negative_numbers = true, value_parser = whole_number_parser(1..=100_000_u32))]
    frames: u32,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

fn samples(text: &str) -> Result<u32, String> {
    text.parse().ok().filter(|n| [1, 4].contains(n)).ok_or_else(|| "write 1 or 4".to_owned())
}

/// What was measured.
#[derive(Serialize)]
struct Report {
    device: String,
    size: [u32; 2],
    samples: u32,
    /// Everything that is resident.
    rooms: usize,
    triangles: u64,
    places: Vec<Measured>,
}

/// Of one place: medians in microseconds, and what was drawn.
#[derive(Serialize)]
struct Measured {
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
        let mut measured = Vec::new();
        for place in &places {
            measured.push(self.measure(&gpu, &mut renderer, (&world, &canvas), place)?);
            progress.step();
        }
        progress.finish();
        let report = Report {
            device: gpu.name.clone(),
            size: self.size,
            samples: self.samples,
            rooms: world.lands().map(|land| world.room_count(land.block())).sum(),
            triangles: renderer.triangles(),
            places: measured,
        };
        say(self.json, &report, |out| Ok(report.print(out)?))?;
        Ok(ExitCode::SUCCESS)
    }

    fn measure(
        &self,
        gpu: &Gpu,
        renderer: &mut Renderer,
        (world, canvas): (&World, &Canvas),
        place: &NamedPlace,
    ) -> anyhow::Result<Measured> {
        let [width, height] = self.size.map(f64::from);
        let lens = Lens { aspect: width / height, ..Lens::default() };
        let mut at = place.position;
        at.frame.origin += Vec3::Z * EYES;
        let viewer = Viewer::at(&at, lens)?;
        let (mut scratch, daylight) = (ViewScratch::new(), Daylight::plain());
        let mut times: [Vec<Duration>; 3] = Default::default();
        let (mut drawn, mut cells) = (Default::default(), 0);
        // One more, to get warm.
        for _ in 0..=self.frames {
            let begun = Instant::now();
            let seen = PortalWalk::new(world).run(&mut scratch, &mut (), &viewer);
            let looked = Instant::now();
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
            gpu.wait().context("the graphics driver gave up")?;
            cells = seen.cells().len();
            let parts = [looked - begun, recorded - looked, recorded.elapsed()];
            times.iter_mut().zip(parts).for_each(|(times, part)| times.push(part));
        }
        let [view, record, draw] = times.map(median);
        let frames_a_second = 1e6 / (view + record + draw);
        let (triangles, calls) = (drawn.triangles, drawn.calls);
        let place = place.name;
        Ok(Measured { place, view, record, draw, frames_a_second, cells, triangles, calls })
    }
}

/// How high eyes are over the ground, in metres.
const EYES: f32 = 1.7;

/// In microseconds, without the first.
fn median(mut times: Vec<Duration>) -> f64 {
    times.remove(0);
    times.sort_unstable();
    times.get(times.len() / 2).map_or(0.0, |time| time.as_secs_f64() * 1e6)
}

impl Report {
    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let [width, height] = self.size;
        writeln!(
            out,
            "{}, {width} x {height}, {} sample{} a pixel; {} rooms and {} triangles are resident",
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
        for one in &self.places {
            #[allow(clippy::cast_precision_loss, reason = "for a reader")]
            let share = one.triangles as f64 / self.triangles.max(1) as f64 * 100.0;
            writeln!(
                out,
                "{:22}{:>10.1}{:>10.1}{:>10.1}{:>12.1}{:>8}{:>12}{:>8.1} %{:>8}",
                one.place,
                one.view,
                one.record,
                one.draw,
                one.frames_a_second,
                one.cells,
                thousands(one.triangles),
                share,
                one.calls
            )?;
        }
        Ok(())
    }
}
