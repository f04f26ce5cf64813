//! How fast movers move: every recorded walk of both sample worlds, and a made doorway.
//!
//! One thread; a transition is a sweep and its commit. Rates are by the CPU time of the thread, so that a busy
//! machine does not show; the distribution is by the clock, and it does.
//!
//! `cargo bench --package threshold-conformance --bench sweep [-- ROUNDS]`

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a benchmark prints, and stops at what it does not expect"
)]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use threshold_conformance::scenario::{Job, Walk};
use threshold_conformance::{Runner, Scenario, file};
use threshold_dat::DatFolder;
use threshold_forge::{Forge, MOVER, Opening, Plan, Room, samples};
use threshold_land::Frame;
use threshold_land::glam::Vec3;
use threshold_motion::Scratch;

/// What was done in what time.
#[derive(Default)]
struct Measured {
    transitions: u64,
    sub_steps: u64,
    time: Duration,
    /// Of single transitions, by the clock.
    each: Vec<Duration>,
}

impl Measured {
    fn walk(&mut self, runner: &mut Runner, scratch: &mut Scratch, walk: &Walk) {
        let mut walker = runner.enter(walk).unwrap();
        let start = ThreadTime::now();
        for by in &walk.moves {
            let (outcome, _) = walker.advance(runner, scratch, *by).unwrap();
            self.sub_steps += u64::from(outcome.sub_steps);
        }
        self.time += start.elapsed();
        self.transitions += walk.moves.len() as u64;
        walker.leave(runner);
    }

    fn walk_one_by_one(&mut self, runner: &mut Runner, scratch: &mut Scratch, walk: &Walk) {
        let mut walker = runner.enter(walk).unwrap();
        for by in &walk.moves {
            let start = Instant::now();
            let _ = walker.advance(runner, scratch, *by).unwrap();
            self.each.push(start.elapsed());
        }
        walker.leave(runner);
    }

    fn add(&mut self, other: Self) {
        self.transitions += other.transitions;
        self.sub_steps += other.sub_steps;
        self.time += other.time;
        self.each.extend(other.each);
    }

    fn print(&mut self, name: &str) {
        let each = self.time.as_secs_f64() / self.transitions as f64;
        self.each.sort_unstable();
        let at = |part: f64| self.each[((self.each.len() - 1) as f64 * part) as usize].as_nanos();
        println!(
            "{name:24} {:8.3} million/s {:7.0} ns {:5.2} sub-steps   median {:5} ns, 99 % {:6} ns",
            1e-6 / each,
            each * 1e9,
            self.sub_steps as f64 / self.transitions as f64,
            at(0.5),
            at(0.99),
        );
    }
}

fn measure(runner: &mut Runner, walks: &[Walk], rounds: usize) -> Measured {
    let (mut measured, mut scratch) = (Measured::default(), Scratch::new());
    // The first round warms up.
    for round in 0..=rounds {
        let mut whole = Measured::default();
        for walk in walks {
            whole.walk(runner, &mut scratch, walk);
        }
        if round > 0 {
            measured.add(whole);
        }
    }
    for walk in walks {
        measured.walk_one_by_one(runner, &mut scratch, walk);
    }
    measured
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(name)
}

fn walks(world: &str) -> Vec<Walk> {
    let folder = std::fs::read_dir(data("conformance/scenarios")).unwrap();
    let mut paths: Vec<PathBuf> = folder.map(|item| item.unwrap().path()).collect();
    paths.sort();
    let scenarios = paths.iter().flat_map(|path| file::scenarios(path).unwrap().scenarios);
    let walks = scenarios.filter_map(|scenario: Scenario| match scenario.job {
        Job::Walk(walk) if scenario.world == world => Some(walk),
        _ => None,
    });
    walks.collect()
}

/// A doorway two metres deep that is cut into slabs of 16 cm, so that a mover in it touches seven cells.
fn doorway() -> (Runner, Walk) {
    let (slab, slabs) = (0.16, 13);
    let room = |from: f32, to: f32, half: f32| Room::cuboid([from, -half, 0.0], [to, half, 3.0]);
    let opening = |x: f32| {
        let corners = [[-0.8, 0.0], [0.8, 0.0], [0.8, 3.0], [-0.8, 3.0]];
        Opening::polygon(corners.map(|[y, z]| [x, y, z]))
    };
    let mut plan = Plan::new();
    let mut last = plan.room(room(-4.0, 0.0, 2.0));
    for number in 0..slabs {
        let from = number as f32 * slab;
        let next = plan.room(room(from, from + slab, 0.8));
        plan.join(last, next, opening(from));
        last = next;
    }
    let end = slabs as f32 * slab;
    let store = plan.room(room(end, end + 4.0, 2.0));
    plan.join(last, store, opening(end));
    let mut forge = Forge::new();
    forge.block(samples::DEPTHS).dungeon(Frame::IDENTITY, plan);
    let runner = Runner::new(forge.finish().unwrap());
    // About the middle of the slab in the middle, 4 cm to and fro.
    let moves = (0..400).map(|n| Vec3::new(if n % 2 == 0 { 0.04 } else { -0.04 }, 0.0, 0.0));
    let start = slabs as f32 / 2.0 * slab - 0.02;
    let line = format!(
        r#"{{"id":"doorway","kind":"walk","world":"made","mover":{{"setup":"{MOVER}","state":"0x00400408"}},
            "start":{{"cell":"0x{:08X}","pos":[{start},0,0],"contact":true}},"moves":[]}}"#,
        0x0102_0100 + 1 + slabs / 2,
    );
    let Job::Walk(walk) = Scenario::parse(line.as_bytes()).unwrap().job else { unreachable!() };
    (runner, Walk { moves: moves.collect(), ..walk })
}

fn main() {
    let rounds = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(30);
    let mut all = Measured::default();
    for world in ["holt", "dungeon"] {
        let mut runner = Runner::new(DatFolder::open(&data(world)).unwrap());
        let mut measured = measure(&mut runner, &walks(world), rounds);
        measured.print(&format!("walks in {world}"));
        all.add(measured);
    }
    all.print("all walks");
    let (mut runner, walk) = doorway();
    let mut walker = runner.enter(&walk).unwrap();
    let (outcome, _) = walker.advance(&mut runner, &mut Scratch::new(), walk.moves[0]).unwrap();
    assert_eq!(outcome.cells.len(), 7, "{outcome:?}");
    walker.leave(&mut runner);
    measure(&mut runner, &[walk], rounds * 10).print("doorway of seven cells");
}
