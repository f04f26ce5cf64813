//! Runs scenarios.

mod answer;
mod cells;
mod earlier;
mod explain;
mod landdefs;
mod mover;
mod place;
mod sim;
mod viewer;
mod walk;

pub use self::explain::ExplainedStep;
pub use self::mover::ScenarioMover;

use std::sync::Arc;

use threshold_dat::{RecordId, Source};
use threshold_land::CellId;
use threshold_motion::{Outcome, Rules, Shortcuts, SweepScratch};
use threshold_world::{Builder, CellArray, Fault, PieceId, Problem, Setup, UnknownBody, World};

use crate::record::ScenarioResult;
use crate::scenario::{Job, Scenario};

/// Runs scenarios in one world, which is wholly resident.
///
/// Every scenario starts with the world as in its records; earlier ones leave no trace.
#[derive(Debug)]
pub struct Runner {
    world: World,
    builder: Builder,
    faults: Vec<Fault>,
    rules: Rules,
    array: CellArray,
    scratch: SweepScratch,
}

/// Why a scenario was not run.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotRun {
    /// The setup of a mover or object is missing or cannot be used.
    #[error("{}", of_setup(*setup, problem))]
    Setup {
        /// The setup.
        setup: RecordId,
        /// What is wrong.
        problem: Problem,
    },
    /// Its mover left the world during the run.
    #[error(transparent)]
    Gone(#[from] UnknownBody),
    /// It starts in a cell that is not in this world.
    #[error("there is no cell {0}")]
    NoCell(CellId),
    /// It has no step with that number.
    #[error("there is no step {step}: its last is {}", count.saturating_sub(1))]
    NoSuchStep {
        /// The requested step.
        step: usize,
        /// Number of steps.
        count: usize,
    },
}

/// Describes a problem with a setup, naming the setup once.
fn of_setup(setup: RecordId, problem: &impl std::fmt::Display) -> String {
    let problem = problem.to_string();
    match problem.contains(&setup.to_string()) {
        true => problem,
        false => format!("setup {setup}: {problem}"),
    }
}

impl Runner {
    /// Loads everything of a source, with the default rules. Parts that cannot be built are left out and
    /// listed in [`faults`](Self::faults).
    pub fn new(source: impl Source + 'static) -> Self {
        let mut runner = Self::empty(source, Rules::default());
        runner.pieces().into_iter().for_each(|piece| runner.load(piece));
        runner
    }

    /// Makes a runner with nothing resident, so that a caller can show the progress of
    /// [`load`](Self::load)ing.
    pub fn empty(source: impl Source + 'static, rules: Rules) -> Self {
        Self {
            world: World::with_rules(rules.cells()),
            builder: Builder::new(source),
            faults: Vec::new(),
            rules,
            array: CellArray::new(),
            scratch: SweepScratch::new(),
        }
    }

    /// Returns all pieces of the source.
    pub fn pieces(&self) -> Vec<PieceId> {
        self.builder.pieces()
    }

    /// Makes a piece resident.
    pub fn load(&mut self, piece: PieceId) {
        match self.builder.build(piece) {
            Ok(Some(built)) => {
                self.faults.extend(built.faults);
                self.world.adopt(built.piece);
            }
            Ok(None) => {}
            Err(fault) => self.faults.push(fault),
        }
    }

    /// Parts that had to be left out of the world.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// The world that scenarios run in.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Takes the world out of the runner.
    pub fn into_world(self) -> World {
        self.world
    }

    /// Returns the setup of a mover or object.
    pub fn setup(&self, id: RecordId) -> Result<Arc<Setup>, NotRun> {
        self.builder.setup(id).map_err(|problem| NotRun::Setup { setup: id, problem })
    }

    /// Fails if a cell is not resident.
    pub fn require(&self, cell: CellId) -> Result<(), NotRun> {
        if self.world.is_resident(cell) { Ok(()) } else { Err(NotRun::NoCell(cell)) }
    }

    /// Sets the shortcuts that sweeps take. They change no result.
    pub fn set_shortcuts(&mut self, shortcuts: Shortcuts) {
        self.scratch.shortcuts = shortcuts;
    }

    /// Runs a scenario.
    pub fn run(&mut self, scenario: &Scenario) -> Result<ScenarioResult, NotRun> {
        self.run_observed(scenario, &mut |_| ())
    }

    /// Runs a scenario and calls `observe` with the outcome of each sweep, of which a record has a
    /// part.
    pub fn run_observed(
        &mut self,
        scenario: &Scenario,
        observe: &mut dyn FnMut(&Outcome),
    ) -> Result<ScenarioResult, NotRun> {
        let steps = match &scenario.job {
            Job::Walk(job) => walk::walk(self, job, observe)?,
            Job::Sim(job) => sim::sim(self, job, observe)?,
            Job::Place(job) => place::place(self, job, observe)?,
            Job::Cells(job) => cells::cells(self, job),
            Job::Viewer(job) => viewer::viewer(self, job, observe)?,
            Job::Landdefs(job) => landdefs::landdefs(job),
        };
        Ok(ScenarioResult { id: scenario.id.clone(), steps })
    }

    /// Runs a scenario with other rules. The world stays as it was loaded: if [`Rules::cells`] differ, its
    /// objects are registered by the old rules, and a new runner is needed.
    pub fn run_by(&mut self, rules: Rules, scenario: &Scenario) -> Result<ScenarioResult, NotRun> {
        let own = std::mem::replace(&mut self.rules, rules);
        let record = self.run(scenario);
        self.rules = own;
        record
    }
}

#[cfg(test)]
mod tests;
