//! `threshold bench crowd`: many wanderers at once.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use threshold_conformance::Runner;
use threshold_dat::RecordId;
use threshold_motion::Rules;
use threshold_world::{BodyId, ObjectKind, PlayerStatus};

use super::measured::Measured;
use super::town::Town;
use super::wander::{Chance, Wander};
use crate::arguments::whole_number_parser;
use crate::progress::Progress;
use crate::say::say;
use crate::show::thousands;
use crate::world::World;

/// Lets many bodies wander about at once, on several threads, and says how fast that is.
///
/// Everything of the world is made resident. Bodies are put wherever there is room, by chance: one in four in a room
/// where there is land as well. They walk, run, stand, turn and jump; who does not get on turns away. They are moved
/// thirty times a second of their time.
///
/// Everything follows from the seed: the hash of the state at the end is the same for any number of threads, on every
/// machine. docs/crowds.md has figures.
#[derive(Args)]
#[command(after_help = "Examples:
  threshold bench crowd --bodies 10000
  threshold bench crowd --dats tests/data/dungeon --bodies 1000 --threads 1 --ticks 300 --json")]
pub(crate) struct Crowd {
    #[command(flatten)]
    world: World,
    /// How many bodies, up to ten million.
    #[arg(long, value_name = "N", default_value_t = 10_000, allow_negative_numbers = true, value_parser = whole_number_parser(0..=MAX_BODIES))]
    bodies: u32,
    /// On how many threads; on all cores if not given.
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = whole_number_parser(1..=MAX_THREADS))]
    threads: Option<usize>,
    /// For how many ticks, of a thirtieth of a second each, up to ten million.
    #[arg(long, value_name = "N", default_value_t = 1_000, allow_negative_numbers = true, value_parser = whole_number_parser(1..=MAX_TICKS))]
    ticks: u64,
    /// What they are: players pass through one another, everybody bumps into creatures.
    #[arg(long, value_enum, default_value_t = Kind::Mixed)]
    kind: Kind,
    /// What they are made of.
    #[arg(long, value_name = "ID", default_value_t = HUMAN, value_parser = setup)]
    setup: RecordId,
    /// Where the chances come from.
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole_number_parser(0..=u64::MAX))]
    seed: u64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// The human mover, in retail's files as in the sample worlds.
const HUMAN: RecordId = RecordId(0x0200_0001);

/// More threads than any machine has cores are a slip of the pen.
const MAX_THREADS: usize = 1_024;

/// More bodies than memory is made for are one, too.
const MAX_BODIES: u32 = 10_000_000;

/// Four days of their time; the time of each tick is kept for the report.
const MAX_TICKS: u64 = 10_000_000;

/// Of a mixed crowd, one in so many is a creature.
const CREATURES: u32 = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// One in eight is a creature, as far as there is room for them; the others are players.
    Mixed,
    /// Players only.
    Players,
    /// Creatures only.
    Creatures,
}

fn setup(text: &str) -> Result<RecordId, String> {
    text.parse().map_err(|_| "write an id such as 0x02000001".to_owned())
}

impl Crowd {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let runner = self.world.load(Rules::default(), |_| true)?;
        for fault in runner.faults() {
            // Not locked for longer than a line: other threads draw bars there. It may be closed.
            let _ = writeln!(io::stderr(), "left out: {fault}");
        }
        let threads = self
            .threads
            .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, NonZeroUsize::get));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.with_context(|| format!("cannot start {threads} threads"))?;
        let mut town = self.people(runner)?;
        let measured = pool.install(|| self.wander(&mut town));
        let report = measured.report(&town, threads, self.seed);
        say(self.json, &report, |out| Ok(report.print(out)?))?;
        Ok(ExitCode::SUCCESS)
    }

    /// Puts the bodies into the world.
    fn people(&self, runner: Runner) -> anyhow::Result<Town> {
        let setup = runner.setup(self.setup)?;
        let mut town = Town::new(runner.into_world(), setup);
        let progress = Progress::new("placing", u64::from(self.bodies));
        for number in 0..self.bodies {
            let mut chance = Chance::new(!self.seed, u64::from(number));
            let kinds = self.kinds(number);
            if !kinds.iter().any(|kind| town.place(BodyId(number), *kind, &mut chance)) {
                let (found, wanted) = (thousands(number), thousands(self.bodies));
                bail!("there is room for {found} bodies, and not for {wanted}");
            }
            progress.step();
        }
        progress.finish();
        Ok(town)
    }

    /// What a body may be, the first for which there is room.
    fn kinds(&self, number: u32) -> &'static [ObjectKind] {
        const PLAYER: ObjectKind = ObjectKind::Player(PlayerStatus::Peaceful);
        match self.kind {
            Kind::Mixed if number.is_multiple_of(CREATURES) => &[ObjectKind::Creature, PLAYER],
            Kind::Mixed | Kind::Players => &[PLAYER],
            Kind::Creatures => &[ObjectKind::Creature],
        }
    }

    fn wander(&self, town: &mut Town) -> Measured {
        let progress = Progress::new("wandering", self.ticks);
        let mut measured = Measured::default();
        for tick in 0..self.ticks {
            measured.tick(town, Wander { seed: self.seed }, tick);
            progress.step();
        }
        progress.finish();
        measured
    }
}
