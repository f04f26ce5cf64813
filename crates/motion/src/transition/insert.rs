//! Insert attempts: trying the check position until it is accepted or blocked.

use threshold_geom::{FLOOR_Z, LANDING_Z};
use threshold_land::adjust_to_outside;
use threshold_world::Cell;

use super::sweep_path::{DeferredHit, InsertType};
use super::{CellQuery, Transition};
use crate::constants::PROBE_HEIGHT;
use crate::flags::Flags;
use crate::outcome::Insert;
use crate::probe::{CellExit, Ending, Stage, SweepEvent, SweepProbe};
use crate::rules::{InteriorExit, Unloaded};

impl<'w, P: SweepProbe> Transition<'w, P> {
    /// Tries the check position up to `attempts` times, each time from where the last attempt left
    /// it.
    ///
    /// Retail: `CTransition::transitional_insert`.
    pub(super) fn transitional_insert(&mut self, attempts: u32) -> Insert {
        if self.path.check.cell.is_none() {
            return Insert::Ok;
        }
        let mut answer = Insert::Ok;
        for attempt in 0..attempts {
            emit!(self, SweepEvent::Attempt(attempt));
            answer = self.insert_into_all_cells(attempts);
            match answer {
                Insert::Collided => return answer,
                Insert::Adjusted | Insert::Slid => continue,
                Insert::Ok => {}
            }
            if self.path.step.seeking_landing {
                return self.finish_landing(attempts);
            }
            if let Some(hit) = self.path.deferred_hit
                && !self.path.step.down
                && !self.path.step.up
            {
                self.path.deferred_hit = None;
                let DeferredHit { normal, step_up } = hit;
                emit!(self, SweepEvent::DeferredHit { normal, step_up });
                answer = if hit.step_up {
                    self.step_up_or_slide(hit.normal)
                } else {
                    self.slide_sphere(0, hit.normal)
                };
                continue;
            }
            match self.find_ground() {
                NextAttempt::Done(answer) => return answer,
                NextAttempt::Retry(result) => answer = result,
            }
        }
        answer
    }

    /// Tries the cell of the check position, then the other cells that the mover touches.
    fn insert_into_all_cells(&mut self, attempts: u32) -> Insert {
        let mut answer = self.insert_into_cell(attempts);
        match answer {
            Insert::Ok => {
                answer = self.check_other_cells();
                if answer != Insert::Ok {
                    self.path.deferred_hit = None;
                }
            }
            Insert::Collided => {}
            Insert::Adjusted => self.path.deferred_hit = None,
            Insert::Slid => {
                self.contact.plane.clear();
                self.path.deferred_hit = None;
            }
        }
        answer
    }

    /// Retail: `CTransition::insert_into_cell`.
    pub(super) fn insert_into_cell(&mut self, attempts: u32) -> Insert {
        let Some(cell) = self.path.check.cell else { return Insert::Collided };
        let mut answer = Insert::Ok;
        for _ in 0..attempts {
            answer = self.find_collisions(cell);
            match answer {
                Insert::Ok | Insert::Collided => return answer,
                Insert::Slid => self.contact.plane.clear(),
                Insert::Adjusted => {}
            }
        }
        answer
    }

    /// Tests all other cells that the mover touches. If none blocks it, the check position moves
    /// into the cell that contains it.
    ///
    /// Retail: `CTransition::check_other_cells`.
    pub(super) fn check_other_cells(&mut self) -> Insert {
        let primary = self.path.check.cell.map(|cell| cell.id());
        let picked = self.list_cells();
        // Retail oddity: a step up in one of the cells searches again, and the loop continues over
        // the new array with the old pick.
        let mut next = 0;
        while let Some(entry) = self.scratch.array.entries().get(next).copied() {
            next += 1;
            if Some(entry.cell) == primary || !entry.resident {
                continue;
            }
            let Some(cell) = self.world.cell(entry.cell) else { continue };
            let answer = self.find_collisions(cell);
            if answer == Insert::Slid {
                self.contact.plane.clear();
            }
            if answer != Insert::Ok {
                return answer;
            }
        }
        match picked {
            Some(cell) if self.comes_out_underground(cell) => Insert::Collided,
            Some(cell) => {
                self.path.enter(cell);
                Insert::Ok
            }
            None => self.leave_all_cells(),
        }
    }

    /// Handles a mover that no cell contains.
    fn leave_all_cells(&mut self) -> Insert {
        self.path.check.cell = None;
        if self.path.step.down {
            emit!(self, SweepEvent::LeftCells(CellExit::GroundSearch));
            return Insert::Collided;
        }
        if self.is_held_by_missing_cells() {
            return Insert::Collided;
        }
        let indoors = self.path.check.position.cell.is_indoor();
        if self.rules.interior_exit == InteriorExit::Blocked && indoors {
            emit!(self, SweepEvent::LeftCells(CellExit::HeldIndoors));
            self.held_at_edge = true;
            return Insert::Collided;
        }
        let mut check = self.path.check;
        let position = &mut check.position;
        // A cell that is not resident may contain it; rule `unloaded` decides that case.
        let reseats = self.rules.interior_exit == InteriorExit::Reseat
            && self.scratch.array.missed().is_empty();
        let goes_outside = reseats || self.rules.interior_exit == InteriorExit::Outdoors;
        if position.cell.is_outdoor() || goes_outside {
            let Some((cell, origin)) = adjust_to_outside(position.cell, position.frame.origin)
            else {
                emit!(self, SweepEvent::LeftCells(CellExit::OffMap));
                return Insert::Collided;
            };
            (position.cell, position.frame.origin) = (cell, origin);
        }
        self.path.set_check(check);
        if reseats {
            if let Some(cell) = self.list_cells() {
                return self.reseat(cell);
            }
            if self.is_held_by_missing_cells() {
                return Insert::Collided;
            }
        }
        emit!(self, SweepEvent::LeftCells(CellExit::Lost));
        Insert::Ok
    }

    /// Returns whether the mover is held because a cell that may contain it is not resident.
    fn is_held_by_missing_cells(&mut self) -> bool {
        let held =
            self.rules.unloaded == Unloaded::Blocked && !self.scratch.array.missed().is_empty();
        if held {
            emit!(self, SweepEvent::LeftCells(CellExit::HeldUnloaded));
            self.held_at_edge = true;
        }
        held
    }

    /// Moves the mover into the cell that contains it by a search from outdoors. Obstacles there
    /// are tested from the next attempt or sub-step on, as the studies say: the position itself was
    /// free.
    fn reseat(&mut self, cell: Cell<'w>) -> Insert {
        if self.comes_out_underground(cell) {
            return Insert::Collided;
        }
        emit!(self, SweepEvent::LeftCells(CellExit::Reseated));
        self.path.enter(cell);
        Insert::Ok
    }

    /// Lists the cells that the mover touches at the check position, and returns the one that
    /// contains it.
    ///
    /// Retail: `CObjCell::find_cell_list` with `hits_interior_cell` reset before it.
    pub(super) fn list_cells(&mut self) -> Option<Cell<'w>> {
        self.list_cells_at(&CellQuery {
            position: self.path.check.position,
            spheres: self.path.spheres,
        })
    }

    /// Like [`list_cells`](Self::list_cells), at another position.
    pub(super) fn list_cells_at(&mut self, at: &CellQuery) -> Option<Cell<'w>> {
        self.searched = true;
        // Only the cache of failed steps needs the query.
        if self.path.step.up {
            self.last_query = *at;
            self.list_count += 1;
        }
        let touching = &at.spheres[self.path.indices()];
        let found = self.scratch.find::<P>(&self.search, &at.position, touching);
        self.path.hits_interior = found.hits_interior;
        let array = &self.scratch.array;
        let (cells, reasons, centre) = (array.entries(), array.reasons(), at.spheres[0].centre);
        emit!(self, SweepEvent::CellsListed { cells, reasons, picked: found.cell, centre });
        let id = found.cell?;
        match self.path.check.cell {
            Some(cell) if cell.id() == id => Some(cell),
            _ => self.world.cell(id),
        }
    }

    /// Ends the search for a landing after a hit in the air: lands on the surface that was found,
    /// if possible; otherwise returns to where the mover hit it.
    fn finish_landing(&mut self, attempts: u32) -> Insert {
        self.path.step.seeking_landing = false;
        emit!(self, SweepEvent::StageBegan(Stage::Landing));
        let mut landed = false;
        if self.contact.plane.valid && self.check_walkable(LANDING_Z) {
            landed = self.is_free(attempts);
        }
        self.path.walkable = None;
        emit!(self, SweepEvent::StageEnded(Ending::Success(landed)));
        if landed {
            return Insert::Ok;
        }
        self.path.restore();
        self.contact.plane.clear();
        if self.contact.last_plane.valid {
            self.contact.last_plane.valid = false;
            self.contact.velocity_stopped = true;
        } else {
            self.contact.hit.set(self.path.step.up_normal);
        }
        Insert::Collided
    }

    /// Returns whether the position is free of everything solid, as in a placement.
    pub(super) fn is_free(&mut self, attempts: u32) -> bool {
        emit!(self, SweepEvent::StageBegan(Stage::RoomCheck));
        let before = std::mem::replace(&mut self.path.insert, InsertType::Placement);
        let answer = self.transitional_insert(attempts);
        self.path.insert = before;
        emit!(self, SweepEvent::StageEnded(Ending::Success(answer == Insert::Ok)));
        answer == Insert::Ok
    }

    /// Searches for ground below a free position, if the mover had a contact plane.
    fn find_ground(&mut self) -> NextAttempt {
        let not_needed = self.contact.plane.valid
            || !self.flags.has(Flags::CONTACT)
            || self.path.step.down
            || self.path.check.cell.is_none()
            || self.mover.is_missile();
        if not_needed {
            return NextAttempt::Done(Insert::Ok);
        }
        let (min_normal_z, height) = if self.flags.has(Flags::ON_WALKABLE) {
            (FLOOR_Z, self.mover.shape.step_down)
        } else {
            (LANDING_Z, PROBE_HEIGHT)
        };
        self.path.step.allowance = min_normal_z;
        self.path.save();
        let (height, found) = self.step_down_by(height, min_normal_z);
        if found {
            self.path.walkable = None;
            return NextAttempt::Done(Insert::Ok);
        }
        self.edge_slide(height, min_normal_z)
    }
}

/// How a ground search continues the sub-step.
pub(super) enum NextAttempt {
    /// The sub-step ends with this result.
    Done(Insert),
    /// The position has changed and is tried again.
    Retry(Insert),
}
