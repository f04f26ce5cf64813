//! How long a crowd took, and what it did.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use serde::Serialize;
use threshold_motion::rules::Unloaded;
use threshold_motion::{Body, Event, MIN_QUANTUM, Rules};

use super::town::Town;
use super::wander::Wander;
use crate::show::thousands;

/// How long everything took, and what happened.
#[derive(Default)]
pub(super) struct Measured {
    resolve: Duration,
    commit: Duration,
    ticks: Vec<Duration>,
    happened: Happened,
}

/// What happened, so that it is seen that they wander.
#[derive(Clone, Copy, Default, Serialize)]
struct Happened {
    cell_changes: u64,
    collisions: u64,
    landings: u64,
    lost: u64,
}

/// What is said about it. Times are by the clock on the wall.
#[derive(Serialize)]
pub(super) struct Report {
    bodies: usize,
    creatures: usize,
    threads: usize,
    ticks: usize,
    seed: u64,
    /// Of the state at the end.
    hash: String,
    seconds: f64,
    ticks_per_second: f64,
    body_updates_per_second: f64,
    tick_ms: Tick,
    #[serde(flatten)]
    happened: Happened,
}

/// Milliseconds a tick.
#[derive(Serialize)]
struct Tick {
    median: f64,
    p99: f64,
    /// What everybody decides to do, and where that ends: on all threads.
    resolve: f64,
    /// Making it fact: positions on all threads, lists of cells on one.
    commit: f64,
}

fn timed<T>(total: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let done = work();
    *total += start.elapsed();
    done
}

impl Measured {
    /// Lets everybody wander for a tick.
    pub(super) fn tick(&mut self, town: &mut Town, wander: Wander, tick: u64) {
        let Town { world, crowd, .. } = town;
        let mut rules = Rules::default();
        // Who comes to the end of the world stays in it.
        rules.unloaded = Unloaded::Blocked;
        let mut whole = Duration::ZERO;
        timed(&mut whole, || {
            // Few enough to be exact.
            let [before, now] = [tick, tick + 1].map(|tick| tick as f64 * MIN_QUANTUM);
            loop {
                timed(&mut self.resolve, || {
                    crowd.resolve(world, rules, now, |body| {
                        wander.decide(body, world, tick, before);
                    });
                });
                if !timed(&mut self.commit, || crowd.commit(world)) {
                    break;
                }
            }
        });
        self.ticks.push(whole);
        crowd.events().iter().for_each(|(_, event)| self.happened.add(event));
    }

    pub(super) fn report(mut self, town: &Town, threads: usize, seed: u64) -> Report {
        self.ticks.sort_unstable();
        let ticks = self.ticks.len();
        let seconds = self.ticks.iter().sum::<Duration>().as_secs_f64();
        let each = |total: Duration| total.as_secs_f64() * 1e3 / ticks.max(1) as f64;
        let at = |part: f64| {
            let index = (ticks.saturating_sub(1) as f64 * part).round();
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "whole, 0 to the last"
            )]
            self.ticks.get(index as usize).map_or(0.0, |tick| tick.as_secs_f64() * 1e3)
        };
        let rate = if seconds > 0.0 { ticks as f64 / seconds } else { 0.0 };
        let is_creature = |body: &&Body| {
            let object = town.world.body(body.id);
            object.is_some_and(|object| object.kind().player().is_none())
        };
        Report {
            bodies: town.crowd.len(),
            creatures: town.crowd.bodies().filter(is_creature).count(),
            threads,
            ticks,
            seed,
            hash: town.crowd.hash(&town.world).to_string(),
            seconds,
            ticks_per_second: rate,
            body_updates_per_second: rate * town.crowd.len() as f64,
            tick_ms: Tick {
                median: at(0.5),
                p99: at(0.99),
                resolve: each(self.resolve),
                commit: each(self.commit),
            },
            happened: self.happened,
        }
    }
}

impl Happened {
    fn add(&mut self, event: &Event) {
        let count = match event {
            Event::CellChanged { .. } => &mut self.cell_changes,
            Event::Collided(_) => &mut self.collisions,
            Event::Landed { .. } => &mut self.landings,
            Event::Lost { .. } => &mut self.lost,
            _ => return,
        };
        *count += 1;
    }
}

impl Report {
    pub(super) fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let Tick { median, p99, resolve, commit } = self.tick_ms;
        let Happened { cell_changes, collisions, landings, lost } = self.happened;
        let (bodies, creatures) = (thousands(self.bodies), thousands(self.creatures));
        writeln!(
            out,
            "{bodies} bodies ({creatures} of them creatures), threads: {}",
            self.threads
        )?;
        let (ticks, seconds, rate) = (self.ticks, self.seconds, self.ticks_per_second);
        let ticks = thousands(ticks);
        writeln!(out, "{ticks} ticks in {seconds:.2} s: {rate:.1} ticks a second")?;
        let updates = self.body_updates_per_second / 1e6;
        writeln!(out, "{updates:.3} million updates of a body a second")?;
        writeln!(out, "a tick: median {median:.2} ms, 99 % {p99:.2} ms")?;
        writeln!(out, "  resolve {resolve:8.3} ms: on all threads")?;
        writeln!(
            out,
            "  commit  {commit:8.3} ms: positions on all threads, lists of cells on one"
        )?;
        let [cells, bumps, landings, lost] =
            [cell_changes, collisions, landings, lost].map(thousands);
        writeln!(
            out,
            "changes of cell {cells}, collisions {bumps}, landings {landings}, lost {lost}"
        )?;
        writeln!(out, "hash {}", self.hash)
    }
}
