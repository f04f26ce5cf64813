//! A sweep in progress: retail's `CTransition`.
//!
//! [`sweep_path`] holds where the mover was, is and tries to be; [`collision_info`] holds what it
//! has met. Every other file is one verb.

/// Sends an event to the probe. Without an enabled probe the event is not even built.
macro_rules! emit {
    ($transition:ident, $event:expr) => {
        if P::ENABLED {
            let event = $event;
            $transition.probe.on_event(event);
        }
    };
}

mod cell;
mod collision_info;
mod cylinder;
mod edge;
mod ground;
mod insert;
mod object;
mod placement;
mod push;
mod repeat;
mod slide;
mod sphere;
mod step;
mod sweep_path;
#[cfg(test)]
mod tests;
mod tree;
mod validate;
mod viewer;

use smallvec::SmallVec;
use threshold_land::vector::Vec3;
use threshold_land::{EPSILON, Position, Sphere, adjust_to_outside};
use threshold_world::{Cell, CellSearch, World};

use self::collision_info::CollisionInfo;
use self::repeat::SubStepHistory;
pub(crate) use self::step::FailedStep;
use self::sweep_path::SweepPath;
use crate::constants::{INSERT_ATTEMPTS, MAX_SPHERES, MAX_SUB_STEPS, MAX_UNCAPPED_SUB_STEPS};
use crate::flags::Flags;
use crate::mover::{Mover, Stance, Stationary, is_usable};
use crate::outcome::{Insert, Outcome, Refusal};
use crate::probe::{Ending, Stage, SweepEvent, SweepProbe};
use crate::rules::{Rules, SlidingNormal, StepCap};
use crate::sweep::{SweepScratch, Sweeper, refused_outcome};

/// A sweep in progress.
pub(crate) struct Transition<'w, P> {
    world: &'w World,
    search: CellSearch<'w>,
    rules: &'w Rules,
    mover: &'w Mover,
    /// Current flags. Retail: `OBJECTINFO::state`.
    flags: Flags,
    path: SweepPath<'w>,
    contact: CollisionInfo,
    scratch: &'w mut SweepScratch,
    probe: &'w mut P,
    /// Position of the last cell search, and the number of searches during step-ups.
    last_query: CellQuery,
    list_count: u32,
    /// Whether any cell search took place.
    searched: bool,
    held_at_edge: bool,
    /// The sliding normal of an earlier update is ignored (rule `sliding_normal`).
    ignores_sliding: bool,
    sub_steps: u32,
}

/// Input of a cell search.
#[derive(Clone, Copy, Debug, PartialEq)]
struct CellQuery {
    position: Position,
    spheres: [Sphere; MAX_SPHERES],
}

/// How a move is divided into sub-steps. Retail: the results of `calc_num_steps`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct SubStepPlan {
    offset: Vec3,
    distance: f32,
    step: Vec3,
    count: u32,
}

impl<'w, P: SweepProbe> Transition<'w, P> {
    pub(crate) fn new(
        Sweeper { world, rules }: &'w Sweeper<'w>,
        scratch: &'w mut SweepScratch,
        probe: &'w mut P,
        mover: &'w Mover,
        from: &Position,
        to: &Position,
        cell: Cell<'w>,
    ) -> Self {
        Self {
            world,
            search: CellSearch { world, rules: rules.cells() },
            rules,
            mover,
            flags: mover.sweep_flags(),
            path: SweepPath::new(&mover.shape, *from, *to, cell),
            contact: CollisionInfo::new(mover),
            scratch,
            probe,
            last_query: CellQuery { position: *from, spheres: *mover.shape.both() },
            list_count: 0,
            searched: false,
            held_at_edge: false,
            ignores_sliding: false,
            sub_steps: 0,
        }
    }

    /// Like [`new`](Self::new), for a placement: contact plane, sliding normal and flags of the
    /// mover are not used. Retail: `init_object` without flags and `init_path` without a begin.
    pub(crate) fn placing(
        sweeper: &'w Sweeper<'w>,
        scratch: &'w mut SweepScratch,
        probe: &'w mut P,
        mover: &'w Mover,
        at: &Position,
        cell: Cell<'w>,
    ) -> Self {
        let mut transition = Self::new(sweeper, scratch, probe, mover, at, at, cell);
        transition.flags = Flags::NONE;
        transition.contact = CollisionInfo::none();
        transition
    }

    /// Retail: `CTransition::find_transitional_position`.
    pub(crate) fn run(&mut self) -> Result<(), Refusal> {
        let plan = self.plan_sub_steps()?;
        let SubStepPlan { offset, count, .. } = plan;
        emit!(self, SweepEvent::MoveDivided { offset, radius: self.path.radius(), count });
        let free_rotate = self.flags.has(Flags::FREE_ROTATE);
        let end = self.path.end.frame.rotation;
        if free_rotate || plan.count == 0 {
            self.path.turn_curr(end);
        }
        self.path.set_check(self.path.curr);
        if plan.count == 0 {
            // Only the cell array is needed: the mover stays in its cell.
            let _ = self.list_cells();
            return Ok(());
        }
        self.run_sub_steps(&plan)?;
        if self.ignores_sliding && self.has_stayed() {
            return Err(Refusal::NothingLeft);
        }
        Ok(())
    }

    /// The main loop of `find_transitional_position`.
    fn run_sub_steps(&mut self, plan: &SubStepPlan) -> Result<(), Refusal> {
        let free_rotate = self.flags.has(Flags::FREE_ROTATE);
        let (begin, end) = (self.path.begin.frame.rotation, self.path.end.frame.rotation);
        let rotates = !free_rotate && begin != end;
        let repeats = self.can_repeat_sub_steps(plan, rotates);
        let mut history = repeats.then(|| SubStepHistory::new(self.path.begin.frame.origin));
        let mut number = 0;
        while number < plan.count {
            let requested = self.sub_step(plan, number);
            emit!(self, SweepEvent::StageBegan(Stage::SubStep { number, requested }));
            let mut offset = self.adjust_offset(requested);
            let is_viewer = self.flags.has(Flags::VIEWER);
            if !is_viewer && is_negligible(offset) {
                if number == 0 {
                    offset = self.adjust_without_sliding(requested);
                }
                if is_negligible(offset) {
                    emit!(self, SweepEvent::StageEnded(Ending::Insert(Insert::Collided)));
                    return if number == 0 { Err(Refusal::NothingLeft) } else { Ok(()) };
                }
            }
            emit!(self, SweepEvent::SubStepMoved { number, offset });
            if rotates {
                // Few enough to be exact.
                let part = (number + 1) as f32 / plan.count as f32;
                self.path.turn_check(begin.interpolate(end, part));
            }
            self.contact.sliding.valid = false;
            self.contact.plane.clear();
            self.path.add_offset(offset);
            self.scratch.failed.clear();
            let answer = self.transitional_insert(INSERT_ATTEMPTS);
            self.validate_transition(answer);
            emit!(self, SweepEvent::StageEnded(Ending::Insert(answer)));
            self.sub_steps += 1;
            let clipped = self.contact.hit.valid && self.flags.has(Flags::PATH_CLIPPED);
            if self.contact.stationary != 0 || clipped {
                break;
            }
            number += 1;
            if let Some(period) = history.as_mut().and_then(|history| history.note(self)) {
                let skipped = (plan.count - number) / period * period;
                number += skipped;
                self.sub_steps += skipped;
            }
        }
        Ok(())
    }

    /// Returns whether sub-steps may repeat themselves, so that they can be skipped. Those of a
    /// mover that turns all differ, and so does the last one of a camera.
    fn can_repeat_sub_steps(&self, plan: &SubStepPlan, rotates: bool) -> bool {
        let wanted = !P::ENABLED && self.scratch.shortcuts.repeated_sub_steps;
        wanted && plan.count > 2 && !rotates && !self.flags.has(Flags::VIEWER)
    }

    /// Adjusts the first sub-step without the sliding normal of an earlier update, if that normal
    /// left nothing of it and the rules ask whether the obstacle is still there. Otherwise returns
    /// zero.
    #[cold]
    fn adjust_without_sliding(&mut self, requested: Vec3) -> Vec3 {
        let keeps_normal = self.rules.sliding_normal == SlidingNormal::Kept;
        let sliding = std::mem::take(&mut self.contact.sliding);
        if keeps_normal || !sliding.valid {
            self.contact.sliding = sliding;
            return Vec3::ZERO;
        }
        emit!(self, SweepEvent::SlidingNormalIgnored { normal: sliding.normal });
        self.ignores_sliding = true;
        self.adjust_offset(requested)
    }

    /// Returns whether the mover is still where it began.
    fn has_stayed(&self) -> bool {
        is_negligible(self.path.begin.offset_to(&self.path.curr.position))
    }

    /// Retail: `CTransition::calc_num_steps`.
    fn plan_sub_steps(&self) -> Result<SubStepPlan, Refusal> {
        let offset = self.path.begin.offset_to(&self.path.end);
        let distance = offset.length();
        let rotation_valid = |at: &Position| at.frame.rotation.is_valid();
        let rotations_valid = rotation_valid(&self.path.begin) && rotation_valid(&self.path.end);
        let mover_finite = self.mover.shape.is_usable() && self.mover.stance.is_finite();
        // A valid shape may still be too far away.
        let spheres_finite = self.path.spheres.iter().all(is_usable);
        if !offset.is_finite() || !rotations_valid || !mover_finite || !spheres_finite {
            return Err(Refusal::NotFinite);
        }
        let is_viewer = self.flags.has(Flags::VIEWER);
        let steps = distance / self.path.radius();
        let (step, count) = if is_viewer {
            if distance <= EPSILON {
                (Vec3::ZERO, 0.0)
            } else {
                (offset / steps, steps.floor() + 1.0)
            }
        } else if steps > 1.0 {
            let count = steps.ceil();
            (offset / count, count)
        } else if offset != Vec3::ZERO {
            (offset, 1.0)
        } else {
            (Vec3::ZERO, 0.0)
        };
        let capped = !is_viewer && self.rules.step_cap == StepCap::Thirty;
        let max_count = if capped { MAX_SUB_STEPS } else { MAX_UNCAPPED_SUB_STEPS };
        // Few enough to be exact.
        if count > max_count as f32 {
            return Err(Refusal::TooFar);
        }
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole, 0 to 4,096"
        )]
        Ok(SubStepPlan { offset, distance, step, count: count as u32 })
    }

    /// Returns the offset of a sub-step before contact plane and sliding normal limit it. The last
    /// one of a camera is the remainder.
    fn sub_step(&self, plan: &SubStepPlan, number: u32) -> Vec3 {
        if self.flags.has(Flags::VIEWER) && number + 1 == plan.count {
            let remaining = plan.distance - self.path.radius() * (plan.count - 1) as f32;
            return plan.offset * (remaining / plan.distance);
        }
        plan.step
    }

    /// Returns the outcome. If it is not finite, the sweep is refused: such numbers must not reach
    /// the world.
    pub(crate) fn finish(self) -> Outcome {
        let (mover, begin) = (self.mover, self.path.begin);
        let outcome = self.outcome();
        if outcome.is_finite() {
            return outcome;
        }
        Outcome { cell: Some(begin.cell), ..refused_outcome(mover, &begin, Refusal::EndNotFinite) }
    }

    fn outcome(self) -> Outcome {
        let CollisionInfo { plane: contact_plane, sliding, hit, .. } = self.contact;
        let stance = Stance {
            contact: contact_plane.valid,
            on_walkable: contact_plane.valid
                && threshold_geom::is_valid_walkable(contact_plane.plane.normal),
            plane: contact_plane.plane,
            plane_cell: contact_plane.cell,
            water: contact_plane.water,
            sliding: sliding.valid,
            sliding_normal: sliding.normal,
            stationary: self.mover.stance.stationary.after(self.contact.stationary),
        };
        let mut position = self.path.curr.position;
        if self.path.curr.cell.is_none()
            && position.cell.is_outdoor()
            && let Some((cell, origin)) = adjust_to_outside(position.cell, position.frame.origin)
        {
            // A mover that continued without a cell was not reseated. Retail: `store_position`.
            (position.cell, position.frame.origin) = (cell, origin);
        }
        let array = &self.scratch.array;
        // A placement that is refused at once has made no search, and the scratch has the array of
        // an earlier sweep.
        let (cells, missed) = match self.searched {
            true => (array.entries(), array.missed()),
            false => Default::default(),
        };
        Outcome {
            refused: None,
            position,
            cell: self.path.curr.cell.map(|cell| cell.id()),
            stance,
            hit: hit.valid.then_some(hit.normal),
            hit_environment: self.contact.hit_environment,
            velocity_stopped: self.contact.velocity_stopped,
            stationary_fall: self.contact.stationary,
            objects: self.contact.objects,
            cells: SmallVec::from_slice(cells),
            missed: SmallVec::from_slice(missed),
            held_at_edge: self.held_at_edge,
            sub_steps: self.sub_steps,
        }
    }
}

/// Returns whether an offset is too short to count as a move.
fn is_negligible(offset: Vec3) -> bool {
    offset.length_squared() < EPSILON * EPSILON
}

impl Stationary {
    /// Returns the flags that a sweep with this count leaves behind.
    fn after(self, count: u8) -> Self {
        match count {
            1 => Self { fall: true, ..self },
            2 => Self { stop: true, ..self },
            _ => Self::default(),
        }
    }
}
