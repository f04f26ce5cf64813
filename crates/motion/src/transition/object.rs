//! Objects in the way.

use threshold_geom::Cylinder;
use threshold_land::{Space, Sphere};
use threshold_world::{Object, ObjectKind, PlayerStatus, Solid, State};

use super::Transition;
use crate::flags::Flags;
use crate::outcome::Insert;
use crate::probe::Probe;

impl<'w, P: Probe> Transition<'w, P> {
    /// What an object says to the mover.
    ///
    /// Retail: `CPhysicsObj::FindObjCollisions`, of the object that is in the way.
    pub(super) fn find_obstacle_collisions(&mut self, object: &'w Object) -> Insert {
        self.find_collisions_as(object, object.state())
    }

    /// The same as if the object had this state.
    pub(super) fn find_collisions_as(&mut self, object: &'w Object, state: State) -> Insert {
        let kind = object.kind();
        if state.has(State::ETHEREAL.with(State::IGNORE_COLLISIONS, true)) {
            return Insert::Ok;
        }
        if self.flags.has(Flags::VIEWER) && kind.is_creature() {
            return Insert::Ok;
        }
        let fixed = state.has(State::STATIC);
        let mover_ethereal = self.mover.state.has(State::ETHEREAL);
        let ethereal = state.has(State::ETHEREAL) || mover_ethereal && !fixed;
        // A camera does not notice it, either: it would forget the wall behind.
        if ethereal && (self.path.step.down || self.flags.has(Flags::VIEWER)) {
            return Insert::Ok;
        }
        self.path.ethereal = ethereal;
        let creature = state.has(State::MISSILE) || kind.is_creature();
        let mut answer = Insert::Ok;
        if !passes_player(self.mover.kind, kind) && !self.mover.ignores(object, state) {
            answer = self.find_shape_collisions(object, creature);
        }
        if answer != Insert::Ok && !self.path.step.down {
            if fixed {
                self.contact.environment |= !self.flags.has(Flags::CONTACT);
            } else if ethereal || creature && self.flags.has(Flags::IGNORE_CREATURES) {
                answer = Insert::Ok;
                self.contact.hit.valid = false;
                self.contact.touch(object.id(), false);
            } else {
                self.contact.touch(object.id(), true);
            }
        }
        self.path.ethereal = false;
        answer
    }

    /// By its physics trees, or else its cylinders, or else its spheres.
    fn find_shape_collisions(&mut self, object: &'w Object, creature: bool) -> Insert {
        if object.state().has(State::HAS_PHYSICS_TREE) {
            return first_answer(object.solids(), |solid| self.find_part_collisions(solid));
        }
        let (setup, scale) = (object.setup(), object.scale());
        if setup.cylinders.is_empty() && setup.spheres.is_empty() {
            return Insert::Ok;
        }
        let space = Space::new(object.position());
        if setup.cylinders.is_empty() {
            return first_answer(&setup.spheres, |ball| {
                let here = self.path.check.position.cell;
                let centre = space.to_block_of(here, ball.centre * scale);
                self.meet_ball(&Sphere::new(centre, ball.radius * scale), creature)
            });
        }
        first_answer(&setup.cylinders, |shape| {
            let here = self.path.check.position.cell;
            let low = space.to_block_of(here, shape.low * scale);
            let placed =
                Cylinder { low, radius: shape.radius * scale, height: shape.height * scale };
            self.meet_cylinder(&placed, &space.rows)
        })
    }

    /// A part is asked if any of the mover's spheres is near it.
    fn find_part_collisions(&mut self, part: Solid<'w>) -> Insert {
        if !self.is_near(&part) {
            return Insert::Ok;
        }
        self.find_tree_collisions(part.tree, part.space, part.scale)
    }
}

/// Whether both are players that have nothing to do with each other.
pub(super) fn passes_player(own: ObjectKind, other: ObjectKind) -> bool {
    let (Some(own), Some(other)) = (own.player(), other.player()) else { return false };
    let free = own == PlayerStatus::Free || other == PlayerStatus::Free;
    !free && (own != other || own == PlayerStatus::Peaceful)
}

/// The first answer that is not "free".
fn first_answer<T>(
    shapes: impl IntoIterator<Item = T>,
    mut ask: impl FnMut(T) -> Insert,
) -> Insert {
    shapes.into_iter().map(&mut ask).find(|answer| *answer != Insert::Ok).unwrap_or(Insert::Ok)
}
