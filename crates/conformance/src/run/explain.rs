//! Explains why a step of a scenario ended as it did.

use threshold_land::vector::Vec3;
use threshold_land::{Position, Sphere};
use threshold_motion::{Mover, Search, Sweeper, commit};
use threshold_why::{self as why, Explanation};
use threshold_world::UnknownBody;

use super::answer::answer;
use super::earlier::EarlierHit;
use super::mover::MOVER;
use super::{NotRun, Runner, ScenarioMover, landdefs, place};
use crate::record::Step;
use crate::scenario::{CellsJob, Job, PlaceJob, Scenario, SimJob, ViewerJob, WalkJob};

/// A step of a scenario with its explanation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ExplainedStep {
    /// The step as in a record.
    pub step: Step,
    /// Why it ended as it did.
    pub explanation: Explanation,
}

impl Runner {
    /// Runs a scenario up to a step, counted from 0, and explains why that step ended as it did.
    pub fn explain(&mut self, scenario: &Scenario, step: usize) -> Result<ExplainedStep, NotRun> {
        let count = scenario.steps();
        if step >= count {
            return Err(NotRun::NoSuchStep { step, count });
        }
        let (step, explanation) = match &scenario.job {
            Job::Walk(job) => self.explain_walk(job, step)?,
            Job::Sim(job) => self.explain_sim(job, step)?,
            Job::Place(job) => self.explain_place(job, step)?,
            Job::Cells(job) => self.explain_cells(job, step),
            Job::Viewer(job) => self.explain_viewer(job)?,
            Job::Landdefs(job) => landdefs::explain(&job.calls[step]),
        };
        Ok(ExplainedStep { step, explanation })
    }

    /// Returns the most interesting step: the first that fails or hits something, else the first that
    /// lands, else the first that touches several cells.
    pub fn first_of_interest(&mut self, scenario: &Scenario) -> Result<Option<usize>, NotRun> {
        let steps = self.run(scenario)?.steps;
        let meets = |step: &Step| !step.is_ok() || step.hit.value().is_some();
        let touches = |step: &Step| step.cells.value().is_some_and(|cells| cells.len() > 1);
        let thrown = matches!(scenario.job, Job::Sim(_));
        let lands = |step: &Step| thrown && step.contact.value() == Some(&true);
        let first = |is: &dyn Fn(&Step) -> bool| steps.iter().position(is);
        Ok(first(&meets).or_else(|| first(&lands)).or_else(|| first(&touches)))
    }

    fn explain_walk(&mut self, job: &WalkJob, step: usize) -> Result<(Step, Explanation), NotRun> {
        let mut mover = self.enter(job)?;
        let explained = mover.explain_move(self, job, step);
        mover.leave(self);
        Ok(explained?)
    }

    fn explain_sim(&mut self, job: &SimJob, step: usize) -> Result<(Step, Explanation), NotRun> {
        let mut mover = self.throw(job)?;
        let explained = mover.explain_tick(self, job, step);
        mover.leave(self);
        Ok(explained?)
    }

    fn explain_place(
        &mut self,
        job: &PlaceJob,
        step: usize,
    ) -> Result<(Step, Explanation), NotRun> {
        let point = &job.candidates[step];
        let at = Position::new(point.cell, point.pos);
        let spec = self.mover(&job.mover, at)?;
        let objects = self.put(&job.objects)?;
        let sweeper = Sweeper { world: &self.world, rules: self.rules };
        let mover = Mover::from_spec(&spec);
        let (_, explanation) = why::place(&sweeper, &mover, &at, Search::Around);
        let step = place::put(self, spec, &mut |_| ());
        self.take_out(objects);
        Ok((step, explanation))
    }

    fn explain_cells(&self, job: &CellsJob, step: usize) -> (Step, Explanation) {
        let query = &job.queries[step];
        let position = Position::new(query.cell, query.pos);
        let sphere = Sphere::new(query.pos, query.radius);
        let sweeper = Sweeper { world: &self.world, rules: self.rules };
        let (found, cells, explanation) = why::cells(&sweeper, &position, &[sphere]);
        let step = Step {
            ok: true.into(),
            cell: found.cell.into(),
            cells: cells.into(),
            ..Step::default()
        };
        (step, explanation)
    }

    fn explain_viewer(&self, job: &ViewerJob) -> Result<(Step, Explanation), NotRun> {
        self.require(job.from.cell)?;
        let from = Position::new(job.from.cell, job.from.pos);
        let to = Position::new(job.from.cell, job.to);
        let sweeper = Sweeper { world: &self.world, rules: self.rules };
        let (outcome, explanation) = why::camera(&sweeper, &Mover::viewer(job.radius), &from, &to);
        Ok((answer(&outcome.position, &outcome.stance, Some(&outcome)), explanation))
    }
}

impl ScenarioMover {
    fn explain_move(
        &mut self,
        runner: &mut Runner,
        job: &WalkJob,
        step: usize,
    ) -> Result<(Step, Explanation), UnknownBody> {
        let mut earlier = EarlierHit::default();
        for (number, by) in job.moves[..step].iter().enumerate() {
            let made = self.would_move(runner, *by)?;
            let (outcome, _) = self.advance(runner, *by)?;
            earlier.note(number, Some(&outcome), Some(made));
        }
        let (mover, from, to) = self.would_move(runner, job.moves[step])?;
        let sweeper = Sweeper { world: &runner.world, rules: runner.rules };
        let (outcome, mut explanation) = why::sweep(&sweeper, &mover, &from, &to);
        earlier.name("move", &sweeper, &mut explanation);
        commit(&mut runner.world, &mut self.body, &outcome)?;
        Ok((self.answer(runner, Some(&outcome))?, explanation))
    }

    /// Returns the mover of the next move, its start and its end.
    fn would_move(
        &self,
        runner: &Runner,
        by: Vec3,
    ) -> Result<(Mover, Position, Position), UnknownBody> {
        let object = runner.world.body(MOVER).ok_or(UnknownBody(MOVER))?;
        let from = *object.position();
        let mut to = from;
        to.frame.origin += by;
        let mover = self.body.mover(&runner.world).ok_or(UnknownBody(MOVER))?;
        Ok((mover, from, to))
    }

    fn explain_tick(
        &mut self,
        runner: &mut Runner,
        job: &SimJob,
        step: usize,
    ) -> Result<(Step, Explanation), UnknownBody> {
        let mut earlier = EarlierHit::default();
        for number in 0..step {
            let outcome = self.update(runner, job.dt)?;
            earlier.note(number, outcome.as_ref(), None);
        }
        let sweeper = Sweeper { world: &runner.world, rules: runner.rules };
        let (quantum, mut explanation) = why::quantum(&self.body, &sweeper, job.dt)?;
        earlier.name("tick", &sweeper, &mut explanation);
        let mut outcome = None;
        if let Some(quantum) = quantum {
            self.body.commit(&mut runner.world, &quantum)?;
            explanation.summary.push(why::velocity_after(quantum.velocity, self.velocity()));
            outcome = quantum.outcome;
        }
        let answer = self.answer(runner, outcome.as_ref())?;
        Ok((Step { vel: self.velocity().into(), ..answer }, explanation))
    }
}
