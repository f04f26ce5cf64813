//! `threshold tour`: a walk through the built-in world.

mod pictures;
mod told;
mod views;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use clap::Args;
use threshold_dat::Source;
use threshold_forge::{MOVER, SEED, tour};
use threshold_play::PlaceNames;
use threshold_render::gpu::Gpu;
use threshold_world::{Builder, World};

use self::pictures::{Maps, Pictures};
use self::told::Teller;
use self::views::Views;
use crate::arguments;
use crate::output::create_folder;
use crate::progress::Progress;
use crate::tour::{Frame, Happening, Route, Stroll};
use crate::world::built_in;

/// Takes a walk through the built-in world, and draws what is at its stations.
///
/// From the lake to the village square, into the inn, up to a window and out again, down into the cellar of a
/// cottage, into a shop on the border of a landblock, along the road and under the mountain; then up the tower. Every
/// step is a sweep as in the game. Each change from one cell to another is printed with its time.
///
/// The exit status is 0 only if every station was reached; otherwise what stopped the walk is named.
#[derive(Args)]
#[command(after_help = "Examples:
  threshold tour
  threshold tour --out pictures --gif
  threshold tour --maps --seed 3
  threshold tour --json | jq 'select(.event == \"transit\")'")]
pub(crate) struct Tour {
    /// Folder for the pictures, which is made if it is not there.
    #[arg(long, value_name = "DIR", default_value = OUT)]
    out: PathBuf,
    /// Also make an animation of the whole walk, tour.gif; by software that takes a minute or two.
    #[arg(long)]
    gif: bool,
    /// Draw maps of the stations, and not what is seen there; needs no graphics driver.
    #[arg(long, conflicts_with = "gif")]
    maps: bool,
    /// Where the land comes from: the built-in world of this number.
    #[arg(long, value_name = "N", default_value_t = SEED, allow_negative_numbers = true, value_parser = arguments::whole(0..=u64::MAX))]
    seed: u64,
    /// Print what happens as JSON, a line each.
    #[arg(long)]
    json: bool,
}

impl Tour {
    /// The tour as it is taken where there is no window.
    pub(crate) fn taken(out: Option<PathBuf>) -> Self {
        let out = out.unwrap_or_else(|| PathBuf::from(OUT));
        Self { out, gif: false, maps: false, seed: SEED, json: false }
    }

    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        create_folder(&self.out)?;
        let source: Arc<dyn Source> = Arc::new(built_in(self.seed)?);
        let builder = Builder::shared(source.clone());
        let world = resident(&builder)?;
        let setup = builder.setup(MOVER).context("nobody is there to walk")?;
        let route = Route::new(tour(self.seed));
        let walk = Walk {
            teller: Teller::new(self.json, PlaceNames::of_builtin(self.seed), &route),
            pictures: self.pictures(&source)?,
            progress: Progress::new("walking", whole(route.length())),
            stroll: Stroll::new(world, setup, route),
        };
        walk.take()?;
        Ok(ExitCode::SUCCESS)
    }
}

impl Tour {
    /// Who draws: without a graphics driver, maps are better than nothing.
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
                // Whoever does not listen does not stop the walk.
                let _ = writeln!(io::stderr(), "threshold: {error}; maps are drawn instead");
                Ok(maps())
            }
        }
    }
}

/// The folder for the pictures, if no other is named.
const OUT: &str = "tour";

/// A walk, and who has to do with it.
struct Walk {
    stroll: Stroll,
    teller: Teller,
    pictures: Pictures,
    /// In metres.
    progress: Progress,
}

impl Walk {
    /// To the end of the route, or to where something is in the way.
    fn take(mut self) -> anyhow::Result<()> {
        let walked = self.walk();
        self.progress.finish();
        let metres = walked?;
        let animation = self.pictures.finish()?;
        self.teller.end(metres, animation.as_deref())
    }

    /// Returns how many metres that are.
    fn walk(&mut self) -> anyhow::Result<u64> {
        let mut metres = 0;
        while let Some(frame) = self.stroll.frame()? {
            self.pictures.frame(self.stroll.world(), &frame)?;
            for happening in &frame.happened {
                self.tell(&frame, happening)?;
            }
            while metres < whole(self.stroll.walked()) {
                self.progress.step();
                metres += 1;
            }
        }
        Ok(metres)
    }

    /// Tells of something that happened, and draws it if it is a station.
    fn tell(&mut self, frame: &Frame, happening: &Happening) -> anyhow::Result<()> {
        let Self { stroll, teller, pictures, progress } = self;
        let picture = match happening {
            Happening::Reached(place) => Some(pictures.station(stroll.world(), frame, place)?),
            _ => None,
        };
        progress.aside(|| teller.tell(frame, happening, picture.as_deref()))
    }
}

/// Everything that the source has.
fn resident(builder: &Builder) -> anyhow::Result<World> {
    let pieces = builder.pieces();
    let mut world = World::new();
    let progress = Progress::new("loading", pieces.len() as u64);
    for piece in pieces {
        // The built-in world has no faults; a test says so.
        if let Some(built) = builder.build(piece)? {
            world.adopt(built.piece);
        }
        progress.step();
    }
    progress.finish();
    Ok(world)
}

/// Whole metres.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few kilometres")]
fn whole(metres: f32) -> u64 {
    metres.clamp(0.0, 1e6) as u64
}
