//! `threshold bench crowd`: moves many bodies at once.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use threshold_conformance::Runner;
use threshold_dat::RecordId;
use threshold_motion::Rules;
use threshold_world::{BodyId, ObjectKind, PlayerStatus};

use super::crowd_world::CrowdWorld;
use super::timing::CrowdTiming;
use super::wandering::{WanderBehaviour, random_numbers};
use crate::arguments::whole_number_parser;
use crate::formatting::thousands;
use crate::progress::Progress;
use crate::stdout::print_report;
use crate::world::World;

/// Move many bodies on several threads and report the speed
///
/// The whole world is loaded. Bodies are placed at random; in a world with land, one in four starts in a room. They
/// walk, run, stand, turn and jump, and turn away from obstacles. A tick is a thirtieth of a second.
///
/// The seed determines everything: the hash of the final state is the same for any number of threads and on every
/// machine. docs/crowds.md has results.
#[derive(Args)]
#[command(after_help = "Examples:
  threshold bench crowd --bodies 10000
  threshold bench crowd --dats tests/data/dungeon --bodies 1000 --threads 1 --ticks 300 --json")]
pub(crate) struct Crowd {
    #[command(flatten)]
    world: World,
    /// Number of bodies, up to ten million
    #[arg(long, value_name = "N", default_value_t = 10_000, allow_negative_numbers = true, value_parser = whole_number_parser(0..=MAX_BODIES))]
    bodies: u32,
    /// Number of threads (default: one per core)
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = whole_number_parser(1..=MAX_THREADS))]
    threads: Option<usize>,
    /// Number of ticks, up to ten million
    #[arg(long, value_name = "N", default_value_t = 1_000, allow_negative_numbers = true, value_parser = whole_number_parser(1..=MAX_TICKS))]
    ticks: u64,
    /// Kind of bodies; players pass through each other, all bodies collide with creatures
    #[arg(long, value_enum, default_value_t = Kind::Mixed)]
    kind: Kind,
    /// Setup of the bodies
    #[arg(long, value_name = "ID", default_value_t = HUMAN, value_parser = setup)]
    setup: RecordId,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole_number_parser(0..=u64::MAX))]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Setup of the human mover, in retail's files and in made worlds.
const HUMAN: RecordId = RecordId(0x0200_0001);

/// Largest number of threads: more than machines have cores.
const MAX_THREADS: usize = 1_024;

/// Largest number of bodies: more would fill the memory of most machines.
const MAX_BODIES: u32 = 10_000_000;

/// Largest number of ticks, four days of the bodies' time. The duration of each tick is kept for the report.
const MAX_TICKS: u64 = 10_000_000;

/// One in this number of bodies of a mixed crowd is a creature.
const CREATURE_INTERVAL: u32 = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// One in eight is a creature, if there is room for it; the others are players
    Mixed,
    /// Players only
    Players,
    /// Creatures only
    Creatures,
}

fn setup(text: &str) -> Result<RecordId, String> {
    text.parse().map_err(|_| "write an id such as 0x02000001".to_owned())
}

impl Crowd {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let runner = self.world.load(Rules::default(), |_| true)?;
        for fault in runner.faults() {
            // Locked for one line only: other threads draw progress bars. A closed standard error does not end the program.
            let _ = writeln!(io::stderr(), "left out: {fault}");
        }
        let threads = self
            .threads
            .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, NonZeroUsize::get));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.with_context(|| format!("cannot start {threads} threads"))?;
        let mut crowd_world = self.place_bodies(runner)?;
        let timing = pool.install(|| self.wander(&mut crowd_world));
        let report = timing.report(&crowd_world, threads, self.seed);
        print_report(self.json, &report, |out| Ok(report.print(out)?))?;
        Ok(ExitCode::SUCCESS)
    }

    /// Places the bodies in the world.
    fn place_bodies(&self, runner: Runner) -> anyhow::Result<CrowdWorld> {
        let setup = runner.setup(self.setup)?;
        let mut crowd_world = CrowdWorld::new(runner.into_world(), setup);
        let progress = Progress::new("placing", u64::from(self.bodies));
        for number in 0..self.bodies {
            let mut random = random_numbers(!self.seed, u64::from(number));
            let kinds = self.kinds(number);
            if !kinds.iter().any(|kind| crowd_world.place(BodyId(number), *kind, &mut random)) {
                let (placed, bodies) = (thousands(number), thousands(self.bodies));
                bail!("--bodies {bodies}: there is room for {placed} only; name fewer bodies");
            }
            progress.step();
        }
        progress.finish();
        Ok(crowd_world)
    }

    /// Returns the kinds to try for a body; it gets the first one for which there is room.
    fn kinds(&self, number: u32) -> &'static [ObjectKind] {
        const PLAYER: ObjectKind = ObjectKind::Player(PlayerStatus::Peaceful);
        match self.kind {
            Kind::Mixed if number.is_multiple_of(CREATURE_INTERVAL) => {
                &[ObjectKind::Creature, PLAYER]
            }
            Kind::Mixed | Kind::Players => &[PLAYER],
            Kind::Creatures => &[ObjectKind::Creature],
        }
    }

    fn wander(&self, crowd_world: &mut CrowdWorld) -> CrowdTiming {
        let progress = Progress::new("wandering", self.ticks);
        let mut timing = CrowdTiming::default();
        for tick in 0..self.ticks {
            timing.tick(crowd_world, WanderBehaviour { seed: self.seed }, tick);
            progress.step();
        }
        progress.finish();
        timing
    }
}
