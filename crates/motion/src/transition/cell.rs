//! What is in the way in one cell.

use threshold_geom::PhysicsTree;
use threshold_land::Space;
use threshold_world::{Building, Cell, Entrant, ObjectId, Room};

use super::Transition;
use super::object::passes_player;
use super::sweep_path::InsertType;
use crate::flags::Flags;
use crate::outcome::Insert;
use crate::probe::{CollisionTarget, Ending, Stage, SweepEvent, SweepProbe};
use crate::rules::ObjectOrder;

impl<'w, P: SweepProbe> Transition<'w, P> {
    /// Ground or walls, then the building of a land cell, then objects; the first that is in the way answers.
    ///
    /// Retail: `CObjCell::find_collisions`.
    pub(super) fn find_collisions(&mut self, cell: Cell<'w>) -> Insert {
        emit!(self, SweepEvent::StageBegan(Stage::Cell(cell.id())));
        let mut answer = match cell {
            Cell::Room(room) => {
                self.testing(CollisionTarget::Walls(room.id()), |of| of.find_wall_collisions(room))
            }
            Cell::Land(land) => {
                match self.testing(CollisionTarget::Ground(land.id()), |of| {
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

    /// Tells who is asked, and what it answers.
    #[inline]
    pub(super) fn testing(
        &mut self,
        who: CollisionTarget,
        ask: impl FnOnce(&mut Self) -> Insert,
    ) -> Insert {
        emit!(self, SweepEvent::StageBegan(Stage::Test(who)));
        let answer = ask(self);
        emit!(self, SweepEvent::StageEnded(Ending::Insert(answer)));
        answer
    }

    /// Whether the mover may be in a cell at all; a cell that it may not enter is in its way as a whole.
    ///
    /// Retail: `CObjCell::check_entry_restrictions`. Asked of every cell that the mover touches, on every try.
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
            answer = self.testing(CollisionTarget::Shell(building.position.cell), |of| {
                of.find_environment_collisions(shell.tree, shell.space, shell.scale)
            });
        }
        // Also where the shell of another building is still being asked.
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
        let asked = self.path.insert != InsertType::InitialPlacement;
        if !asked || self.world.is_alone(cell.id(), own) {
            return Insert::Ok;
        }
        // Whom it passes by what both are is not looked at, in a crowd of players.
        let kind = self.mover.kind;
        let matters = |other| P::ENABLED || !passes_player(kind, other);
        let mut objects = self.world.objects_near(cell.id());
        loop {
            // Anew for every object: one that is stepped onto moves the mover, and is not in its way.
            let near = self.path.bounds_in(cell.id());
            let next = match self.rules.object_order {
                ObjectOrder::Forward => objects.next(matters, &near),
                ObjectOrder::Backward => objects.next_back(matters, &near),
            };
            let Some(object) = next else { return Insert::Ok };
            let id = Some(object.id());
            if id == own || id == self.mover.ignored_object {
                continue;
            }
            let who = CollisionTarget::Object(object.id());
            let answer = self.testing(who, |of| of.find_obstacle_collisions(object));
            if answer != Insert::Ok {
                return answer;
            }
        }
    }
}
