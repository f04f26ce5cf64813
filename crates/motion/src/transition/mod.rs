//! One sweep: retail's `CTransition`.
//!
//! The state is split by what it serves: [`path`] says where the mover was, is and tries to be, [`contact`]
//! what it has met. The verbs are one file each.

/// Tells the probe something. Where nobody watches it is not even put together.
macro_rules! tell {
    ($transition:ident, $told:expr) => {
        if P::WATCHES {
            let told = $told;
            $transition.probe.tell(told);
        }
    };
}

mod ball;
mod cell;
mod contact;
mod cylinder;
mod edge;
mod ground;
mod insert;
mod object;
mod path;
mod placement;
mod push;
mod slide;
mod step;
#[cfg(test)]
mod tests;
mod tree;
mod validate;
mod viewer;

use smallvec::SmallVec;
use threshold_land::glam::Vec3;
use threshold_land::{EPSILON, Position, Sphere, adjust_to_outside};
use threshold_world::{Cell, CellSearch, World};

use self::contact::Contact;
use self::path::Path;
pub(crate) use self::step::FailedStep;
use crate::constants::{INSERT_ATTEMPTS, MAX_SPHERES, MAX_SUB_STEPS, UTMOST_SUB_STEPS};
use crate::flags::Flags;
use crate::mover::{Mover, Stance, Stationary, is_usable};
use crate::outcome::{Insert, Outcome, Refusal};
use crate::probe::{Ending, Probe, Stage, Told};
use crate::rules::{Rules, SlidingNormal, StepCap};
use crate::sweep::{Scratch, Sweeper, refused};

/// A sweep that is under way.
pub(crate) struct Transition<'w, P> {
    world: &'w World,
    search: CellSearch<'w>,
    rules: &'w Rules,
    mover: &'w Mover,
    /// What holds now. Retail: `OBJECTINFO::state`.
    flags: Flags,
    path: Path<'w>,
    contact: Contact,
    scratch: &'w mut Scratch,
    probe: &'w mut P,
    /// Where the cells were listed last, and how often.
    listed: Listed,
    lists: u32,
    /// Whether the cells were listed at all.
    searched: bool,
    held_at_edge: bool,
    /// The sliding normal of an earlier update was set aside (rule `sliding_normal`).
    ignores_sliding: bool,
    sub_steps: u32,
}

/// A place for which the cells are listed.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Listed {
    position: Position,
    spheres: [Sphere; MAX_SPHERES],
}

/// How a move is cut up. Retail: the results of `calc_num_steps`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cut {
    whole: Vec3,
    distance: f32,
    each: Vec3,
    count: u32,
}

impl<'w, P: Probe> Transition<'w, P> {
    pub(crate) fn new(
        Sweeper { world, rules }: &'w Sweeper<'w>,
        (scratch, probe): (&'w mut Scratch, &'w mut P),
        mover: &'w Mover,
        (from, to): (&Position, &Position),
        cell: Cell<'w>,
    ) -> Self {
        Self {
            world,
            search: CellSearch { world, rules: rules.cells() },
            rules,
            mover,
            flags: mover.object_info(),
            path: Path::new(&mover.shape, *from, *to, cell),
            contact: Contact::new(mover),
            scratch,
            probe,
            listed: Listed { position: *from, spheres: *mover.shape.both() },
            lists: 0,
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
        with: (&'w mut Scratch, &'w mut P),
        mover: &'w Mover,
        at: &Position,
        cell: Cell<'w>,
    ) -> Self {
        let mut transition = Self::new(sweeper, with, mover, (at, at), cell);
        transition.flags = Flags::NONE;
        transition.contact = Contact::none();
        transition
    }

    /// Retail: `CTransition::find_transitional_position`.
    pub(crate) fn run(&mut self) -> Result<(), Refusal> {
        let cut = self.cut()?;
        let Cut { whole, count, .. } = cut;
        tell!(self, Told::Cut { whole, radius: self.path.radius(), count });
        let free_rotate = self.flags.has(Flags::FREE_ROTATE);
        let end = self.path.end.frame.rotation;
        if free_rotate || cut.count == 0 {
            self.path.turn_curr(end);
        }
        self.path.set_check(self.path.curr);
        if cut.count == 0 {
            // Only the list is wanted: the mover stays in its cell.
            let _ = self.list_cells();
            return Ok(());
        }
        self.run_sub_steps(&cut)?;
        if self.ignores_sliding && self.has_stayed() {
            return Err(Refusal::NothingLeft);
        }
        Ok(())
    }

    /// The main loop of `find_transitional_position`.
    fn run_sub_steps(&mut self, cut: &Cut) -> Result<(), Refusal> {
        let free_rotate = self.flags.has(Flags::FREE_ROTATE);
        let (begin, end) = (self.path.begin.frame.rotation, self.path.end.frame.rotation);
        let turns = !free_rotate && begin != end;
        for number in 0..cut.count {
            let wished = self.sub_step(cut, number);
            tell!(self, Told::Begins(Stage::SubStep { number, wished }));
            let mut offset = self.adjust_offset(wished);
            let viewer = self.flags.has(Flags::VIEWER);
            if !viewer && is_nothing(offset) {
                if number == 0 {
                    offset = self.adjust_without_sliding(wished);
                }
                if is_nothing(offset) {
                    tell!(self, Told::Ends(Ending::Answer(Insert::Collided)));
                    return if number == 0 { Err(Refusal::NothingLeft) } else { Ok(()) };
                }
            }
            tell!(self, Told::Goes { number, offset });
            if turns {
                // Few enough to be exact.
                let part = (number + 1) as f32 / cut.count as f32;
                self.path.turn_check(begin.interpolate(end, part));
            }
            self.contact.sliding.valid = false;
            self.contact.floor.clear();
            self.path.add_offset(offset);
            self.scratch.failed.clear();
            let answer = self.transitional_insert(INSERT_ATTEMPTS);
            self.validate_transition(answer);
            tell!(self, Told::Ends(Ending::Answer(answer)));
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
    fn adjust_without_sliding(&mut self, wished: Vec3) -> Vec3 {
        let kept = self.rules.sliding_normal == SlidingNormal::Kept;
        let sliding = std::mem::take(&mut self.contact.sliding);
        if kept || !sliding.valid {
            self.contact.sliding = sliding;
            return Vec3::ZERO;
        }
        tell!(self, Told::SetsSlidingAside { normal: sliding.normal });
        self.ignores_sliding = true;
        self.adjust_offset(wished)
    }

    /// Whether the mover is where it began.
    fn has_stayed(&self) -> bool {
        is_nothing(self.path.begin.offset_to(&self.path.curr.position))
    }

    /// Retail: `CTransition::calc_num_steps`.
    fn cut(&self) -> Result<Cut, Refusal> {
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
        let most = if capped { MAX_SUB_STEPS } else { UTMOST_SUB_STEPS };
        // Few enough to be exact.
        if count > most as f32 {
            return Err(Refusal::TooFar);
        }
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole, 0 to 4,096"
        )]
        Ok(Cut { whole, distance, each, count: count as u32 })
    }

    /// A sub-step before the ground has its say; the last of a camera is what remains.
    fn sub_step(&self, cut: &Cut, number: u32) -> Vec3 {
        if self.flags.has(Flags::VIEWER) && number + 1 == cut.count {
            let left = cut.distance - self.path.radius() * (cut.count - 1) as f32;
            return cut.whole * (left / cut.distance);
        }
        cut.each
    }

    /// What the sweep says. Where that is not finite, nothing has happened: the world must not be told such numbers.
    pub(crate) fn finish(self) -> Outcome {
        let (mover, begin) = (self.mover, self.path.begin);
        let outcome = self.outcome();
        if outcome.is_finite() {
            return outcome;
        }
        Outcome { cell: Some(begin.cell), ..refused(mover, &begin, Refusal::EndNotFinite) }
    }

    fn outcome(self) -> Outcome {
        let Contact { floor, sliding, hit, .. } = self.contact;
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
            environment: self.contact.environment,
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
