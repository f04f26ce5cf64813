//! Shared by the benchmarks of recorded scenarios: the scenarios, the clock, and the printed line.
//!
//! Rates use the CPU time of the thread, which the load of the machine hardly changes. The distribution uses the wall
//! clock, which it does change; reading that clock takes about twenty nanoseconds.

#![allow(dead_code, reason = "each benchmark uses its part")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use threshold_conformance::scenario::Job;
use threshold_conformance::{Runner, ScenarioMover, file};
use threshold_dat::DatFolder;

/// Counts and times of one measurement.
#[derive(Default)]
pub(crate) struct StepMeasurement {
    count: u64,
    /// Total of the additional count.
    besides: u64,
    time: Duration,
    /// Wall-clock time of each step.
    each: Vec<Duration>,
}

/// A recorded scenario of many steps.
pub(crate) trait Course {
    fn begin(&self, runner: &mut Runner) -> ScenarioMover;
    fn steps(&self) -> usize;
    /// Takes a step; returns its additional count.
    fn step(&self, number: usize, mover: &mut ScenarioMover, runner: &mut Runner) -> u64;
}

impl StepMeasurement {
    /// Measures the steps of all courses for a number of rounds, and once one by one.
    pub(crate) fn of(runner: &mut Runner, courses: &[impl Course], rounds: usize) -> Self {
        let mut measurement = Self::default();
        // The first round warms up.
        for round in 0..=rounds {
            let mut whole = Self::default();
            courses.iter().for_each(|course| whole.run(runner, course));
            if round > 0 {
                measurement.add(whole);
            }
        }
        courses.iter().for_each(|course| measurement.run_one_by_one(runner, course));
        measurement
    }

    /// CPU time of the steps of all courses, once.
    pub(crate) fn time_of(runner: &mut Runner, courses: &[impl Course]) -> Duration {
        let mut measurement = Self::default();
        courses.iter().for_each(|course| measurement.run(runner, course));
        measurement.time
    }

    fn run(&mut self, runner: &mut Runner, course: &impl Course) {
        let (mut mover, steps) = (course.begin(runner), course.steps());
        let mut besides = 0;
        self.all(|| {
            for number in 0..steps {
                besides += course.step(number, &mut mover, runner);
            }
            steps as u64
        });
        self.besides += besides;
        mover.leave(runner);
    }

    fn run_one_by_one(&mut self, runner: &mut Runner, course: &impl Course) {
        let mut mover = course.begin(runner);
        for number in 0..course.steps() {
            self.one(|| course.step(number, &mut mover, runner));
        }
        mover.leave(runner);
    }

    /// Measures many steps at once; `work` returns their number.
    pub(crate) fn all(&mut self, work: impl FnOnce() -> u64) {
        let start = ThreadTime::now();
        let count = work();
        self.time += start.elapsed();
        self.count += count;
    }

    /// Measures one step, for the distribution.
    pub(crate) fn one<T>(&mut self, work: impl FnOnce() -> T) {
        let start = Instant::now();
        let _ = work();
        self.each.push(start.elapsed());
    }

    /// Adds a step that was measured by itself.
    pub(crate) fn add_step(&mut self, time: Duration, besides: u64) {
        self.count += 1;
        self.besides += besides;
        self.time += time;
        self.each.push(time);
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.count += other.count;
        self.besides += other.besides;
        self.time += other.time;
        self.each.extend(other.each);
    }

    /// Prints one line; `besides` names the additional count, if there is one.
    pub(crate) fn print(&mut self, name: &str, besides: Option<&str>) {
        let each = self.time.as_secs_f64() / self.count as f64;
        let (rate, nanoseconds) = (1e-6 / each, each * 1e9);
        let share = self.besides as f64 / self.count as f64;
        let besides = besides.map(|name| format!("{share:5.2} {name}")).unwrap_or_default();
        self.each.sort_unstable();
        let at = |part: f64| self.each[((self.each.len() - 1) as f64 * part) as usize].as_nanos();
        let (median, high) = (at(0.5), at(0.99));
        println!(
            "{name:24} {rate:8.3} million/s {nanoseconds:7.0} ns {besides:15}  median {median:5} ns, 99 % {high:6} ns"
        );
    }
}

/// Number of rounds: the first number among the arguments.
pub(crate) fn rounds(default: usize) -> usize {
    std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(default)
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(name)
}

/// The records of a sample world.
pub(crate) fn records(world: &str) -> DatFolder {
    DatFolder::open(&data(world)).unwrap()
}

/// A sample world, wholly resident.
pub(crate) fn runner(world: &str) -> Runner {
    Runner::new(records(world))
}

/// All jobs of a sample world.
pub(crate) fn jobs(world: &str) -> impl Iterator<Item = Job> {
    let folder = std::fs::read_dir(data("conformance/scenarios")).unwrap();
    let mut paths: Vec<PathBuf> = folder.map(|item| item.unwrap().path()).collect();
    paths.sort();
    let scenarios = paths.into_iter().flat_map(|path| file::scenarios(&path).unwrap().scenarios);
    scenarios.filter(move |scenario| scenario.world == world).map(|scenario| scenario.job)
}
