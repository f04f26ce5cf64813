//! Placement: pushes a mover out of walls, finds room around it, and looks for ground below.

use threshold_geom::LANDING_Z;
use threshold_land::EPSILON;
use threshold_land::vector::Vec3;
use threshold_world::{Object, State};

use super::Transition;
use super::sweep_path::InsertType;
use crate::constants::INSERT_ATTEMPTS;
use crate::outcome::{Insert, Refusal};
use crate::probe::{Ending, Stage, SweepEvent, SweepProbe};
use crate::rings::PlacementRings;

impl<'w, P: SweepProbe> Transition<'w, P> {
    /// Retail: `CTransition::find_placement_position`.
    pub(crate) fn place(&mut self, slides: bool) -> Result<(), Refusal> {
        self.path.set_check(self.path.curr);
        self.path.insert = InsertType::InitialPlacement;
        emit!(self, SweepEvent::StageBegan(Stage::PushOut));
        let answer = self.placement_insert();
        let answer = self.validate_placement(answer, true);
        emit!(self, SweepEvent::StageEnded(Ending::Insert(answer)));
        if answer != Insert::Ok {
            return Err(Refusal::NoRoom);
        }
        self.path.insert = InsertType::Placement;
        if !self.find_place(slides) {
            return Err(Refusal::NoRoom);
        }
        if !self.mover.is_missile() {
            self.find_ground_below();
        }
        match self.validate_placement(Insert::Ok, true) {
            Insert::Ok => Ok(()),
            _ => Err(Refusal::NoRoom),
        }
    }

    /// Returns whether the mover overlaps an object in the given state. Retail:
    /// `CTransition::check_collisions`.
    pub(crate) fn overlaps(&mut self, object: &'w Object, state: State) -> bool {
        self.path.insert = InsertType::Placement;
        self.find_collisions_as(object, state) != Insert::Ok
    }

    /// Retail: `CTransition::placement_insert`.
    fn placement_insert(&mut self) -> Insert {
        match self.insert_into_cell(INSERT_ATTEMPTS) {
            Insert::Ok => self.check_other_cells(),
            other => other,
        }
    }

    /// Accepts the check position, or tries once more from where the mover was pushed.
    ///
    /// Retail: `CTransition::validate_placement`.
    fn validate_placement(&mut self, answer: Insert, again: bool) -> Insert {
        if self.path.check.cell.is_none() {
            return Insert::Collided;
        }
        match answer {
            Insert::Ok => self.path.accept(),
            Insert::Adjusted | Insert::Slid if again => {
                let answer = self.placement_insert();
                return self.validate_placement(answer, false);
            }
            _ => {}
        }
        answer
    }

    /// Tries the position itself, then the rings around it, nearest first.
    ///
    /// Retail: `CTransition::find_placement_pos`.
    fn find_place(&mut self, slides: bool) -> bool {
        let centre = self.path.curr;
        self.path.set_check(centre);
        emit!(self, SweepEvent::StageBegan(Stage::PlacementTry { number: 0, offset: Vec3::ZERO }));
        if self.try_place(slides) {
            return true;
        }
        if !slides {
            return false;
        }
        for (offset, number) in PlacementRings::new(self.path.radius()).zip(1..) {
            self.path.set_check(centre);
            emit!(self, SweepEvent::StageBegan(Stage::PlacementTry { number, offset }));
            let offset = self.adjust_offset(offset);
            if offset.length() < EPSILON {
                emit!(self, SweepEvent::StageEnded(Ending::Success(false)));
                continue;
            }
            self.path.add_offset(offset);
            if self.try_place(slides) {
                return true;
            }
        }
        false
    }

    /// Retail: `CTransition::validate_placement_transition` after a sub-step.
    fn try_place(&mut self, slides: bool) -> bool {
        self.contact.sliding.valid = false;
        self.contact.plane.clear();
        let answer = self.transitional_insert(INSERT_ATTEMPTS);
        self.sub_steps += 1;
        let placed = answer == Insert::Ok && self.path.check.cell.is_some();
        if placed {
            self.path.accept();
        } else if slides && self.path.check.cell.is_some() {
            self.contact.reset();
        }
        let (ground, hit) = (self.contact.contact_normal(), self.contact.hit_normal());
        emit!(self, SweepEvent::SubStepEnded { answer, at: &self.path.curr.position, ground, hit });
        emit!(self, SweepEvent::StageEnded(Ending::Success(placed)));
        placed
    }

    /// Moves the mover onto the ground below, if there is any.
    fn find_ground_below(&mut self) {
        self.path.step.allowance = LANDING_Z;
        self.path.save();
        self.path.insert = InsertType::Transition;
        let (_, found) = self.step_down_by(self.mover.shape.step_down, LANDING_Z);
        if !found {
            // Retail oddity: the cell array keeps the cells that were touched below.
            self.path.restore();
            self.contact.plane.clear();
        }
        self.path.insert = InsertType::Placement;
        self.path.walkable = None;
    }
}
