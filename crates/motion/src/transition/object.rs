//! TouchedObjects in the way.

use threshold_geom::Cylinder;
use threshold_land::{Space, Sphere};
use threshold_world::{Object, ObjectId, ObjectKind, PlayerStatus, Solid, State};

use super::Transition;
use crate::flags::Flags;
use crate::outcome::Insert;
use crate::probe::{CollisionTarget, PassReason, SweepEvent, SweepProbe};

impl<'w, P: SweepProbe> Transition<'w, P> {
    /// What an object says to the mover.
    ///
    /// Retail: `CPhysicsObj::FindObjCollisions`, of the object that is in the way.
    pub(super) fn find_obstacle_collisions(&mut self, object: &'w Object) -> Insert {
        self.find_collisions_as(object, object.state())
    }

    /// The same as if the object had this state.
    pub(super) fn find_collisions_as(&mut self, object: &'w Object, state: State) -> Insert {
        let (kind, id) = (object.kind(), object.id());
        if state.has(State::ETHEREAL.with(State::IGNORE_COLLISIONS, true)) {
            return self.pass(id, PassReason::Ethereal);
        }
        if self.flags.has(Flags::VIEWER) && kind.is_creature() {
            return self.pass(id, PassReason::CreatureForCamera);
        }
        let fixed = state.has(State::STATIC);
        let mover_ethereal = self.mover.state.has(State::ETHEREAL);
        let ethereal = state.has(State::ETHEREAL) || mover_ethereal && !fixed;
        // A camera does not notice it, either: it would forget the wall behind.
        if ethereal && (self.path.step.down || self.flags.has(Flags::VIEWER)) {
            return self.pass(id, PassReason::Unnoticed);
        }
        self.path.ethereal = ethereal;
        let creature = state.has(State::MISSILE) || kind.is_creature();
        let mut answer = if passes_player(self.mover.kind, kind) {
            self.pass(id, PassReason::Players)
        } else if self.mover.ignores(object, state) {
            self.pass(id, PassReason::Missile)
        } else {
            self.find_shape_collisions(object, creature)
        };
        if answer != Insert::Ok && !self.path.step.down {
            if fixed {
                self.contact.hit_environment |= !self.flags.has(Flags::CONTACT);
            } else if ethereal || creature && self.flags.has(Flags::IGNORE_CREATURES) {
                let why = if ethereal { PassReason::Noticed } else { PassReason::Creature };
                answer = self.pass(id, why);
                self.contact.hit.valid = false;
                self.contact.add_object(id, false);
            } else {
                self.contact.add_object(id, true);
            }
        }
        self.path.ethereal = false;
        answer
    }

    /// An object is not in the way.
    fn pass(&mut self, object: ObjectId, why: PassReason) -> Insert {
        emit!(self, SweepEvent::ObjectPassed { object, reason: why });
        Insert::Ok
    }

    /// By its physics trees, or else its cylinders, or else its spheres.
    fn find_shape_collisions(&mut self, object: &'w Object, creature: bool) -> Insert {
        if object.state().has(State::HAS_PHYSICS_TREE) {
            return first_answer(object.solids(), |part, solid| {
                self.testing(CollisionTarget::Part(part), |of| of.find_part_collisions(solid))
            });
        }
        let (setup, scale) = (object.setup(), object.scale());
        if setup.cylinders.is_empty() && setup.spheres.is_empty() {
            return Insert::Ok;
        }
        let space = Space::new(object.position());
        if setup.cylinders.is_empty() {
            return first_answer(&setup.spheres, |number, ball| {
                let here = self.path.check.position.cell;
                let centre = space.to_block_of(here, ball.centre * scale);
                let placed = Sphere::new(centre, ball.radius * scale);
                self.testing(CollisionTarget::Sphere(number), |of| {
                    of.collide_with_sphere(&placed, creature)
                })
            });
        }
        first_answer(&setup.cylinders, |number, shape| {
            let here = self.path.check.position.cell;
            let low = space.to_block_of(here, shape.low * scale);
            let placed =
                Cylinder { low, radius: shape.radius * scale, height: shape.height * scale };
            self.testing(CollisionTarget::Cylinder(number), |of| {
                of.collide_with_cylinder(&placed, &space.rows)
            })
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
    mut ask: impl FnMut(usize, T) -> Insert,
) -> Insert {
    let mut answers = shapes.into_iter().enumerate().map(|(number, shape)| ask(number, shape));
    answers.find(|answer| *answer != Insert::Ok).unwrap_or(Insert::Ok)
}
