//! One sweep: retail's `CTransition`.
//!
//! The state is split by what it serves: [`sweep_path`] says where the mover was, is and tries to be, [`collision_info`]
//! what it has met. The verbs are one file each.

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
use threshold_land::glam::Vec3;
use threshold_land::{EPSILON, Position, Sphere, adjust_to_outside};
use threshold_world::{Cell, CellSearch, World};

use self::collision_info::CollisionInfo;
pub(crate) use self::step::FailedStep;
use self::sweep_path::SweepPath;
use crate::constants::{INSERT_ATTEMPTS, MAX_SPHERES, MAX_SUB_STEPS, MAX_UNCAPPED_SUB_STEPS};
use crate::flags::Flags;
use crate::mover::{Mover, Stance, Stationary, is_usable};
use crate::outcome::{Insert, Outcome, Refusal};
use crate::probe::{Ending, Stage, SweepEvent, SweepProbe};
use crate::rules::{Rules, SlidingNormal, StepCap};
use crate::sweep::{SweepScratch, Sweeper, refused_outcome};

/// A sweep that is under way.
pub(crate) struct Transition<'w, P> {
    world: &'w World,
    search: CellSearch<'w>,
    rules: &'w Rules,
    mover: &'w Mover,
    /// What holds now. Retail: `OBJECTINFO::state`.
    flags: Flags,
    path: SweepPath<'w>,
    contact: CollisionInfo,
    scratch: &'w mut SweepScratch,
    probe: &'w mut P,
    /// Where the cells were listed last, and how often.
    last_query: CellQuery,
    list_count: u32,
    /// Whether the cells were listed at all.
    searched: bool,
    held_at_edge: bool,
    /// The sliding normal of an earlier update was set aside (rule `sliding_normal`).
    ignores_sliding: bool,
    sub_steps: u32,
}

/// A place for which the cells are listed.
#[derive(Clone, Copy, Debug, PartialEq)]
struct CellQuery {
    position: Position,
    spheres: [Sphere; MAX_SPHERES],
}

/// How a move is cut up. Retail: the results of `calc_num_steps`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct SubStepPlan {
    whole: Vec3,
    distance: f32,
    each: Vec3,
    count: u32,
}

impl<'w, P: SweepProbe> Transition<'w, P> {
    pub(crate) fn new(
        Sweeper { world, rules }: &'w Sweeper<'w>,
        (scratch, probe): (&'w mut SweepScratch, &'w mut P),
        mover: &'w Mover,
        (from, to): (&Position, &Position),
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

    /// As [`new`](Self::new) for a mover that comes from nowhere: what it stood on and how it moves play no part.
    /// Retail: `init_object` without flags and `init_path` without a begin.
    pub(crate) fn placing(
        sweeper: &'w Sweeper<'w>,
        with: (&'w mut SweepScratch, &'w mut P),
        mover: &'w Mover,
        at: &Position,
        cell: Cell<'w>,
    ) -> Self {
        let mut transition = Self::new(sweeper, with, mover, (at, at), cell);
        transition.flags = Flags::NONE;
        transition.contact = CollisionInfo::none();
        transition
    }

    /// Retail: `CTransition::find_transitional_position`.
    pub(crate) fn run(&mut self) -> Result<(), Refusal> {
        let plan = self.plan_sub_steps()?;
        let SubStepPlan { whole, count, .. } = plan;
        emit!(self, SweepEvent::MoveDivided { whole, radius: self.path.radius(), count });
        let free_rotate = self.flags.has(Flags::FREE_ROTATE);
        let end = self.path.end.frame.rotation;
        if free_rotate || plan.count == 0 {
            self.path.turn_curr(end);
        }
        self.path.set_check(self.path.curr);
        if plan.count == 0 {
            // Only the list is wanted: the mover stays in its cell.
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
        let turns = !free_rotate && begin != end;
        for number in 0..plan.count {
            let requested = self.sub_step(plan, number);
            emit!(self, SweepEvent::StageBegan(Stage::SubStep { number, requested }));
            let mut offset = self.adjust_offset(requested);
            let viewer = self.flags.has(Flags::VIEWER);
            if !viewer && is_nothing(offset) {
                if number == 0 {
                    offset = self.adjust_without_sliding(requested);
                }
                if is_nothing(offset) {
                    emit!(self, SweepEvent::StageEnded(Ending::Insert(Insert::Collided)));
                    return if number == 0 { Err(Refusal::NothingLeft) } else { Ok(()) };
                }
            }
            emit!(self, SweepEvent::SubStepMoved { number, offset });
            if turns {
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
        }
        Ok(())
    }

    /// What is left of the first sub-step without the sliding normal of an earlier update, if that normal left nothing of
    /// it and the rules want to know whether the obstacle is still there; else nothing.
    #[cold]
    fn adjust_without_sliding(&mut self, requested: Vec3) -> Vec3 {
        let kept = self.rules.sliding_normal == SlidingNormal::Kept;
        let sliding = std::mem::take(&mut self.contact.sliding);
        if kept || !sliding.valid {
            self.contact.sliding = sliding;
            return Vec3::ZERO;
        }
        emit!(self, SweepEvent::SlidingNormalIgnored { normal: sliding.normal });
        self.ignores_sliding = true;
        self.adjust_offset(requested)
    }

    /// Whether the mover is where it began.
    fn has_stayed(&self) -> bool {
        is_nothing(self.path.begin.offset_to(&self.path.curr.position))
    }

    /// Retail: `CTransition::calc_num_steps`.
    fn plan_sub_steps(&self) -> Result<SubStepPlan, Refusal> {
        let whole = self.path.begin.offset_to(&self.path.end);
        let distance = whole.length();
        let turned = |at: &Position| at.frame.rotation.is_valid();
        let turned = turned(&self.path.begin) && turned(&self.path.end);
        let usable = self.mover.shape.is_usable() && self.mover.stance.is_finite();
        // The shape may be sound and stand too far away.
        let placed = self.path.spheres.iter().all(is_usable);
        if !whole.is_finite() || !turned || !usable || !placed {
            return Err(Refusal::NotFinite);
        }
        let viewer = self.flags.has(Flags::VIEWER);
        let steps = distance / self.path.radius();
        let (each, count) = if viewer {
            if distance <= EPSILON {
                (Vec3::ZERO, 0.0)
            } else {
                (whole / steps, steps.floor() + 1.0)
            }
        } else if steps > 1.0 {
            let count = steps.ceil();
            (whole / count, count)
        } else if whole != Vec3::ZERO {
            (whole, 1.0)
        } else {
            (Vec3::ZERO, 0.0)
        };
        let capped = !viewer && self.rules.step_cap == StepCap::Thirty;
        let most = if capped { MAX_SUB_STEPS } else { MAX_UNCAPPED_SUB_STEPS };
        // Few enough to be exact.
        if count > most as f32 {
            return Err(Refusal::TooFar);
        }
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole, 0 to 4,096"
        )]
        Ok(SubStepPlan { whole, distance, each, count: count as u32 })
    }

    /// A sub-step before the ground has its say; the last of a camera is what remains.
    fn sub_step(&self, plan: &SubStepPlan, number: u32) -> Vec3 {
        if self.flags.has(Flags::VIEWER) && number + 1 == plan.count {
            let left = plan.distance - self.path.radius() * (plan.count - 1) as f32;
            return plan.whole * (left / plan.distance);
        }
        plan.each
    }

    /// What the sweep says. Where that is not finite, nothing has happened: the world must not be told such numbers.
    pub(crate) fn finish(self) -> Outcome {
        let (mover, begin) = (self.mover, self.path.begin);
        let outcome = self.outcome();
        if outcome.is_finite() {
            return outcome;
        }
        Outcome { cell: Some(begin.cell), ..refused_outcome(mover, &begin, Refusal::EndNotFinite) }
    }

    fn outcome(self) -> Outcome {
        let CollisionInfo { plane: floor, sliding, hit, .. } = self.contact;
        let stance = Stance {
            contact: floor.valid,
            on_walkable: floor.valid && threshold_geom::is_valid_walkable(floor.plane.normal),
            plane: floor.plane,
            plane_cell: floor.cell,
            water: floor.water,
            sliding: sliding.valid,
            sliding_normal: sliding.normal,
            stationary: self.mover.stance.stationary.after(self.contact.stationary),
        };
        let mut position = self.path.curr.position;
        if self.path.curr.cell.is_none()
            && position.cell.is_outdoor()
            && let Some((cell, origin)) = adjust_to_outside(position.cell, position.frame.origin)
        {
            // Nothing has reseated what moved on without a cell. Retail: `store_position`.
            (position.cell, position.frame.origin) = (cell, origin);
        }
        let array = &self.scratch.array;
        // What is put where it is taken at once is refused before any search.
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

/// Whether an offset is too short to count as a move.
fn is_nothing(offset: Vec3) -> bool {
    offset.length_squared() < EPSILON * EPSILON
}

impl Stationary {
    /// What a sweep that counted so far leaves behind.
    fn after(self, count: u8) -> Self {
        match count {
            1 => Self { fall: true, ..self },
            2 => Self { stop: true, ..self },
            _ => Self::default(),
        }
    }
}
