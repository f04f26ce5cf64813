//! Durations and event counts of a crowd, and the report.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use serde::Serialize;
use threshold_motion::rules::Unloaded;
use threshold_motion::{Body, Event, MIN_QUANTUM, Rules};

use super::crowd_world::CrowdWorld;
use super::wandering::WanderBehaviour;
use crate::formatting::thousands;

/// Durations and event counts so far.
#[derive(Default)]
pub(super) struct CrowdTiming {
    resolve: Duration,
    commit: Duration,
    ticks: Vec<Duration>,
    events: EventCounts,
}

/// Number of events. They show that the bodies really move.
#[derive(Clone, Copy, Default, Serialize)]
struct EventCounts {
    cell_changes: u64,
    collisions: u64,
    landings: u64,
    lost: u64,
}

/// The report. Durations are real time. Field names are keys of the JSON output.
#[derive(Serialize)]
pub(super) struct CrowdReport {
    bodies: usize,
    creatures: usize,
    threads: usize,
    ticks: usize,
    seed: u64,
    /// Hash of the final state.
    hash: String,
    seconds: f64,
    ticks_per_second: f64,
    body_updates_per_second: f64,
    tick_ms: TickTimes,
    #[serde(flatten)]
    events: EventCounts,
}

/// Durations of a tick, in milliseconds.
#[derive(Serialize)]
struct TickTimes {
    median: f64,
    p99: f64,
    /// Mean time to choose gaits and sweep, on all threads.
    resolve: f64,
    /// Mean time to commit: positions on all threads, object lists of cells on one.
    commit: f64,
}

/// Calls `work` and adds its duration to `total`.
fn timed<T>(total: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    *total += start.elapsed();
    result
}

impl CrowdTiming {
    /// Moves all bodies for a tick.
    pub(super) fn tick(
        &mut self,
        crowd_world: &mut CrowdWorld,
        wandering: WanderBehaviour,
        tick: u64,
    ) {
        let CrowdWorld { world, crowd, .. } = crowd_world;
        let mut rules = Rules::default();
        // Bodies stop at the edge of the world.
        rules.unloaded = Unloaded::Blocked;
        let mut whole = Duration::ZERO;
        timed(&mut whole, || {
            // There are few enough ticks that the conversion is exact.
            let [before, now] = [tick, tick + 1].map(|tick| tick as f64 * MIN_QUANTUM);
            loop {
                timed(&mut self.resolve, || {
                    crowd.resolve(world, rules, now, |body| {
                        wandering.decide(body, world, tick, before);
                    });
                });
                if !timed(&mut self.commit, || crowd.commit(world)) {
                    break;
                }
            }
        });
        self.ticks.push(whole);
        crowd.events().iter().for_each(|(_, event)| self.events.add(event));
    }

    pub(super) fn report(
        mut self,
        crowd_world: &CrowdWorld,
        threads: usize,
        seed: u64,
    ) -> CrowdReport {
        let CrowdWorld { world, crowd, .. } = crowd_world;
        self.ticks.sort_unstable();
        let ticks = self.ticks.len();
        let seconds = self.ticks.iter().sum::<Duration>().as_secs_f64();
        let mean = |total: Duration| total.as_secs_f64() * 1e3 / ticks.max(1) as f64;
        let quantile = |part: f64| {
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
            let object = world.body(body.id);
            object.is_some_and(|object| object.kind().player().is_none())
        };
        CrowdReport {
            bodies: crowd.len(),
            creatures: crowd.bodies().filter(is_creature).count(),
            threads,
            ticks,
            seed,
            hash: crowd.hash(world).to_string(),
            seconds,
            ticks_per_second: rate,
            body_updates_per_second: rate * crowd.len() as f64,
            tick_ms: TickTimes {
                median: quantile(0.5),
                p99: quantile(0.99),
                resolve: mean(self.resolve),
                commit: mean(self.commit),
            },
            events: self.events,
        }
    }
}

impl EventCounts {
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

impl CrowdReport {
    pub(super) fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let TickTimes { median, p99, resolve, commit } = self.tick_ms;
        let EventCounts { cell_changes, collisions, landings, lost } = self.events;
        let (bodies, creatures) = (thousands(self.bodies), thousands(self.creatures));
        let plural = if self.threads == 1 { "" } else { "s" };
        writeln!(
            out,
            "{bodies} bodies ({creatures} creatures) on {} thread{plural}",
            self.threads
        )?;
        let (ticks, seconds, rate) = (self.ticks, self.seconds, self.ticks_per_second);
        let ticks = thousands(ticks);
        writeln!(out, "{ticks} ticks in {seconds:.2} s: {rate:.1} ticks per second")?;
        let updates = self.body_updates_per_second / 1e6;
        writeln!(out, "{updates:.3} million body updates per second")?;
        writeln!(out, "time per tick: median {median:.2} ms, 99th percentile {p99:.2} ms")?;
        writeln!(out, "  resolve {resolve:8.3} ms on all threads")?;
        writeln!(
            out,
            "  commit  {commit:8.3} ms, positions on all threads, object lists of cells on one"
        )?;
        let [cells, collisions, landings, lost] =
            [cell_changes, collisions, landings, lost].map(thousands);
        writeln!(
            out,
            "cell changes {cells}, collisions {collisions}, landings {landings}, lost {lost}"
        )?;
        writeln!(out, "hash {}", self.hash)
    }
}
