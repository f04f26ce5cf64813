//! Collisions with objects.

use threshold_geom::Cylinder;
use threshold_land::{Space, Sphere};
use threshold_world::{Object, ObjectId, ObjectKind, PlayerStatus, Solid, State};

use super::Transition;
use crate::flags::Flags;
use crate::outcome::Insert;
use crate::probe::{CollisionTarget, PassReason, SweepEvent, SweepProbe};

impl<'w, P: SweepProbe> Transition<'w, P> {
    /// Tests the mover against an object.
    ///
    /// Retail: `CPhysicsObj::FindObjCollisions`, of the obstacle.
    pub(super) fn find_obstacle_collisions(&mut self, object: &'w Object) -> Insert {
        self.find_collisions_as(object, object.state())
    }

    /// Like [`find_obstacle_collisions`](Self::find_obstacle_collisions), with the given state in
    /// place of the object's own.
    pub(super) fn find_collisions_as(&mut self, object: &'w Object, state: State) -> Insert {
        let (kind, id) = (object.kind(), object.id());
        if state.has(State::ETHEREAL.with(State::IGNORE_COLLISIONS, true)) {
            return self.pass(id, PassReason::Ethereal);
        }
        if self.flags.has(Flags::VIEWER) && kind.is_creature() {
            return self.pass(id, PassReason::CreatureForCamera);
        }
        let is_static = state.has(State::STATIC);
        let mover_ethereal = self.mover.state.has(State::ETHEREAL);
        let ethereal = state.has(State::ETHEREAL) || mover_ethereal && !is_static;
        // A camera does not report it either: that would clear the hit of the wall behind it.
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
            if is_static {
                self.contact.hit_environment |= !self.flags.has(Flags::CONTACT);
            } else if ethereal || creature && self.flags.has(Flags::IGNORE_CREATURES) {
                let reason = if ethereal { PassReason::Noticed } else { PassReason::Creature };
                answer = self.pass(id, reason);
                self.contact.hit.valid = false;
                self.contact.add_object(id, false);
            } else {
                self.contact.add_object(id, true);
            }
        }
        self.path.ethereal = false;
        answer
    }

    /// Reports that an object does not block the mover.
    fn pass(&mut self, object: ObjectId, reason: PassReason) -> Insert {
        emit!(self, SweepEvent::ObjectPassed { object, reason });
        Insert::Ok
    }

    /// Tests the physics trees of an object or, without any, its cylinders, or else its spheres.
    fn find_shape_collisions(&mut self, object: &'w Object, creature: bool) -> Insert {
        if object.state().has(State::HAS_PHYSICS_TREE) {
            return first_hit(object.solids(), |part, solid| {
                self.run_test(CollisionTarget::Part(part), |transition| {
                    transition.find_part_collisions(solid)
                })
            });
        }
        let (setup, scale) = (object.setup(), object.scale());
        if setup.cylinders.is_empty() && setup.spheres.is_empty() {
            return Insert::Ok;
        }
        let space = Space::new(object.position());
        if setup.cylinders.is_empty() {
            return first_hit(&setup.spheres, |number, sphere| {
                let here = self.path.check.position.cell;
                let centre = space.to_block_of(here, sphere.centre * scale);
                let placed = Sphere::new(centre, sphere.radius * scale);
                self.run_test(CollisionTarget::Sphere(number), |transition| {
                    transition.collide_with_sphere(&placed, creature)
                })
            });
        }
        first_hit(&setup.cylinders, |number, shape| {
            let here = self.path.check.position.cell;
            let low = space.to_block_of(here, shape.low * scale);
            let placed =
                Cylinder { low, radius: shape.radius * scale, height: shape.height * scale };
            self.run_test(CollisionTarget::Cylinder(number), |transition| {
                transition.collide_with_cylinder(&placed, &space.rows)
            })
        })
    }

    /// Tests a part if any of the mover's spheres is near it.
    fn find_part_collisions(&mut self, part: Solid<'w>) -> Insert {
        if !self.is_near(&part) {
            return Insert::Ok;
        }
        self.find_tree_collisions(part.tree, part.space, part.scale)
    }
}

/// Returns whether both are players that do not collide with each other.
pub(super) fn passes_player(own: ObjectKind, other: ObjectKind) -> bool {
    let (Some(own), Some(other)) = (own.player(), other.player()) else { return false };
    let free = own == PlayerStatus::Free || other == PlayerStatus::Free;
    !free && (own != other || own == PlayerStatus::Peaceful)
}

/// Returns the first result that is not [`Insert::Ok`].
fn first_hit<T>(
    shapes: impl IntoIterator<Item = T>,
    mut test: impl FnMut(usize, T) -> Insert,
) -> Insert {
    let mut results = shapes.into_iter().enumerate().map(|(number, shape)| test(number, shape));
    results.find(|result| *result != Insert::Ok).unwrap_or(Insert::Ok)
}
