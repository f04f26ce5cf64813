//! Collisions within one cell.

use threshold_geom::PhysicsTree;
use threshold_land::{CellId, Space};
use threshold_world::{Building, Cell, Entrant, Object, ObjectId, Room};

use super::Transition;
use super::object::passes_player;
use super::sweep_path::InsertType;
use crate::flags::Flags;
use crate::outcome::Insert;
use crate::probe::{CollisionTarget, Ending, Stage, SweepEvent, SweepProbe};
use crate::rules::ObjectOrder;

/// Number of objects of a cell that are gone through faster than gathered.
const MAX_SCANNED_OBJECTS: usize = 24;

impl<'w, P: SweepProbe> Transition<'w, P> {
    /// Tests ground or walls, then the building of a land cell, then objects; returns the first
    /// result that is not [`Insert::Ok`].
    ///
    /// Retail: `CObjCell::find_collisions`.
    pub(super) fn find_collisions(&mut self, cell: Cell<'w>) -> Insert {
        emit!(self, SweepEvent::StageBegan(Stage::Cell(cell.id())));
        let mut answer = match cell {
            Cell::Room(room) => self.run_test(CollisionTarget::Walls(room.id()), |transition| {
                transition.find_wall_collisions(room)
            }),
            Cell::Land(land) => {
                match self.run_test(CollisionTarget::Ground(land.id()), |of| {
                    of.find_ground_collisions(land)
                }) {
                    Insert::Ok => match land.building() {
                        Some(building) => self.find_shell_collisions(building),
                        None => Insert::Ok,
                    },
                    other => other,
                }
            }
        };
        if answer == Insert::Ok {
            answer = self.find_object_collisions(cell);
        }
        emit!(self, SweepEvent::StageEnded(Ending::Cell(cell.id(), answer)));
        answer
    }

    /// Runs a test and reports its target and result to the probe.
    #[inline]
    pub(super) fn run_test(
        &mut self,
        target: CollisionTarget,
        test: impl FnOnce(&mut Self) -> Insert,
    ) -> Insert {
        emit!(self, SweepEvent::StageBegan(Stage::Test(target)));
        let answer = test(self);
        emit!(self, SweepEvent::StageEnded(Ending::Insert(answer)));
        answer
    }

    /// Tests whether the mover may enter a cell. A cell it may not enter blocks it as a whole.
    ///
    /// Retail: `CObjCell::check_entry_restrictions`, called for every cell that the mover touches,
    /// in every attempt.
    pub(super) fn check_entry_restrictions(&mut self, cell: Cell<'_>) -> Insert {
        let entrant = Entrant::new(self.mover.body, self.mover.kind);
        let Some(object) = self.world.entry_restriction(cell, &entrant) else { return Insert::Ok };
        emit!(self, SweepEvent::EntryDenied { cell: cell.id(), object });
        Insert::Collided
    }

    /// Retail: `CEnvCell::find_env_collisions`.
    fn find_wall_collisions(&mut self, room: &'w Room) -> Insert {
        let entry = self.check_entry_restrictions(Cell::Room(room));
        if entry != Insert::Ok {
            return entry;
        }
        self.path.ethereal = false;
        let tree = &room.structure().physics;
        if tree.is_empty() {
            return Insert::Ok;
        }
        self.find_environment_collisions(tree, room.space(), 1.0)
    }

    /// Retail: `CBuildingObj::find_building_collisions`.
    fn find_shell_collisions(&mut self, building: &'w Building) -> Insert {
        let near = building.is_near(self.path.bounds_in(building.position.cell));
        let mut answer = Insert::Ok;
        if let Some(shell) = building.shell().filter(|_| near) {
            self.path.building = true;
            answer = self.run_test(CollisionTarget::Shell(building.position.cell), |of| {
                of.find_environment_collisions(shell.tree, shell.space, shell.scale)
            });
        }
        // Cleared even while the shell of another building is being tested.
        self.path.building = false;
        answer
    }

    fn find_environment_collisions(
        &mut self,
        tree: &'w PhysicsTree,
        space: &'w Space,
        scale: f32,
    ) -> Insert {
        let answer = self.find_tree_collisions(tree, space, scale);
        if answer != Insert::Ok && !self.flags.has(Flags::CONTACT) {
            self.contact.hit_environment = true;
        }
        answer
    }

    /// Retail: `CObjCell::find_obj_collisions`.
    fn find_object_collisions(&mut self, cell: Cell<'w>) -> Insert {
        let own = self.mover.body.map(ObjectId::body);
        let tests_objects = self.path.insert != InsertType::InitialPlacement;
        if !tests_objects || self.world.is_alone(cell.id(), own) {
            return Insert::Ok;
        }
        let is_crowded = self.world.object_count(cell.id()) > MAX_SCANNED_OBJECTS;
        if !P::ENABLED && self.scratch.shortcuts.near_objects && is_crowded {
            return self.find_near_object_collisions(cell.id(), own);
        }
        let kind = self.mover.kind;
        let can_block = |other| P::ENABLED || !passes_player(kind, other);
        let mut objects = self.world.objects_near(cell.id());
        loop {
            // Recomputed for every object: stepping onto one moves the mover without blocking it.
            let near = self.path.bounds_in(cell.id());
            let next = match self.rules.object_order {
                ObjectOrder::Forward => objects.next(can_block, &near),
                ObjectOrder::Backward => objects.next_back(can_block, &near),
            };
            let Some(object) = next else { return Insert::Ok };
            let answer = self.find_other_collisions(object, own);
            if answer != Insert::Ok {
                return answer;
            }
        }
    }

    /// Tests the same objects in the same order, without going through all objects of the cell.
    fn find_near_object_collisions(&mut self, cell: CellId, own: Option<ObjectId>) -> Insert {
        let mut last = None;
        // Searched for again after every object: stepping onto one moves the mover without blocking
        // it.
        while let Some((place, object)) = self.next_near_object(cell, last) {
            last = Some(place);
            let answer = self.find_other_collisions(object, own);
            if answer != Insert::Ok {
                return answer;
            }
        }
        Insert::Ok
    }

    /// Returns the first object near the mover after a place in the list of a cell, and its place.
    #[inline]
    fn next_near_object(&mut self, cell: CellId, last: Option<u32>) -> Option<(u32, &'w Object)> {
        let (world, kind, near) = (self.world, self.mover.kind, self.path.bounds_in(cell));
        // In a crowd of players, those that the mover passes are skipped early.
        let can_block = |other| !passes_player(kind, other);
        let mut places = self.scratch.near_objects.around(world, cell, &near, can_block).iter();
        let find = |place: &u32| Some((*place, world.object_at(cell, *place, &near)?));
        match self.rules.object_order {
            ObjectOrder::Forward => {
                places.filter(|place| last.is_none_or(|last| **place > last)).find_map(find)
            }
            ObjectOrder::Backward => {
                let places = places.by_ref().rev();
                places.filter(|place| last.is_none_or(|last| **place < last)).find_map(find)
            }
        }
    }

    /// Tests the mover against an object, unless that is the mover itself or ignored.
    fn find_other_collisions(&mut self, object: &'w Object, own: Option<ObjectId>) -> Insert {
        let id = Some(object.id());
        if id == own || id == self.mover.ignored_object {
            return Insert::Ok;
        }
        let target = CollisionTarget::Object(object.id());
        self.run_test(target, |transition| transition.find_obstacle_collisions(object))
    }
}
