//! `threshold tour`: a walk through the built-in world.

mod pictures;
mod reporter;
mod views;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use clap::Args;
use threshold_dat::Source;
use threshold_forge::{MOVER, SEED, tour};
use threshold_play::PlaceNames;
use threshold_render::Gpu;
use threshold_world::{Builder, World};

use self::pictures::{Maps, Pictures};
use self::reporter::TourReporter;
use self::views::Views;
use crate::arguments;
use crate::output::create_folder;
use crate::progress::Progress;
use crate::stderr::print_message;
use crate::tour::{Route, TourEvent, TourFrame, TourWalk};
use crate::world::built_in;

/// Walk through the built-in world and draw a picture at each station
///
/// The tour leads from the lake to the village square, through the inn, the cellar of a cottage and a shop on the border of a landblock, into
/// the dungeon under the mountain, and then up the tower. Every step is a sweep, as in the game. Each change of cell is printed with its time.
///
/// The exit status is 0 if every station was reached. Otherwise an error says what stopped the walk.
#[derive(Args)]
#[command(after_help = "Examples:
  threshold tour
  threshold tour --out pictures --gif
  threshold tour --maps --seed 3
  threshold tour --json | jq 'select(.event == \"transit\")'")]
pub(crate) struct Tour {
    /// Folder for the pictures; created if missing
    #[arg(long, value_name = "DIR", default_value = OUT)]
    out: PathBuf,
    /// Also write an animation of the whole walk, tour.gif
    #[arg(long)]
    gif: bool,
    /// Draw maps instead of views; needs no graphics driver
    #[arg(long, conflicts_with = "gif")]
    maps: bool,
    /// Random seed of the built-in world
    #[arg(long, value_name = "N", default_value_t = SEED, allow_negative_numbers = true, value_parser = arguments::whole_number_parser(0..=u64::MAX))]
    seed: u64,
    /// Print events as JSON lines
    #[arg(long)]
    json: bool,
}

impl Tour {
    /// Makes the tour that `threshold play` takes when there is no window.
    pub(crate) fn without_window(out: Option<PathBuf>) -> Self {
        let out = out.unwrap_or_else(|| PathBuf::from(OUT));
        Self { out, gif: false, maps: false, seed: SEED, json: false }
    }

    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        create_folder(&self.out)?;
        let source: Arc<dyn Source> = Arc::new(built_in(self.seed)?);
        let builder = Builder::shared(source.clone());
        let world = load_world(&builder)?;
        let setup = builder.setup(MOVER).context("cannot load the walker")?;
        let route = Route::new(tour(self.seed));
        let run = TourRun {
            reporter: TourReporter::new(self.json, PlaceNames::of_builtin(self.seed), &route),
            pictures: self.pictures(&source)?,
            progress: Progress::new("walking", whole_metres(route.length())),
            walk: TourWalk::new(world, setup, route),
        };
        run.run()?;
        Ok(ExitCode::SUCCESS)
    }

    /// Prepares to draw views, or maps if `--maps` is given or there is no graphics driver.
    fn pictures(&self, source: &Arc<dyn Source>) -> anyhow::Result<Pictures> {
        let maps = || Pictures::Maps(Box::new(Maps::new(Arc::clone(source), &self.out)));
        if self.maps {
            return Ok(maps());
        }
        match Gpu::headless() {
            Ok(gpu) => {
                let views = Views::new(gpu, source, &self.out, self.gif)?;
                Ok(Pictures::Views(Box::new(views)))
            }
            Err(error) => {
                print_message(format_args!("{error}; drawing maps instead"));
                Ok(maps())
            }
        }
    }
}

/// Default folder for the pictures.
const OUT: &str = "tour";

/// A tour in progress: the walk, its report and its pictures.
struct TourRun {
    walk: TourWalk,
    reporter: TourReporter,
    pictures: Pictures,
    /// In metres.
    progress: Progress,
}

impl TourRun {
    /// Walks to the end of the route. Fails where the walk is blocked.
    fn run(mut self) -> anyhow::Result<()> {
        let walked = self.walk_route();
        self.progress.finish();
        let metres = walked?;
        let animation = self.pictures.finish()?;
        self.reporter.finish(metres, animation.as_deref())
    }

    /// Walks the route. Returns its length in metres.
    fn walk_route(&mut self) -> anyhow::Result<u64> {
        let mut metres = 0;
        while let Some(frame) = self.walk.next_frame()? {
            self.pictures.frame(self.walk.world(), &frame)?;
            for event in &frame.events {
                self.report(&frame, event)?;
            }
            while metres < whole_metres(self.walk.walked()) {
                self.progress.step();
                metres += 1;
            }
        }
        Ok(metres)
    }

    /// Reports an event. At a station, draws a picture.
    fn report(&mut self, frame: &TourFrame, event: &TourEvent) -> anyhow::Result<()> {
        let Self { walk, reporter, pictures, progress } = self;
        let picture = match event {
            TourEvent::Reached(place) => Some(pictures.station(walk.world(), frame, place)?),
            _ => None,
        };
        progress.suspend(|| reporter.report(frame, event, picture.as_deref()))
    }
}

/// Loads all pieces of the source.
fn load_world(builder: &Builder) -> anyhow::Result<World> {
    let pieces = builder.pieces();
    let mut world = World::new();
    let progress = Progress::new("loading", pieces.len() as u64);
    for piece in pieces {
        // The built-in world has no faults, as a test checks.
        if let Some(built) = builder.build(piece)? {
            world.adopt(built.piece);
        }
        progress.step();
    }
    progress.finish();
    Ok(world)
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few kilometres")]
fn whole_metres(metres: f32) -> u64 {
    metres.clamp(0.0, 1e6) as u64
}
