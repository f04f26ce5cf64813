//! Slides: what is left of a move along a surface.

use threshold_land::glam::Vec3;
use threshold_land::{EPSILON, vector};

use super::Transition;
use crate::outcome::Insert;
use crate::probe::Probe;
use crate::rules::OpposedSlide;

impl<P: Probe> Transition<'_, P> {
    /// Moves the mover so that a sphere goes along a surface and along the ground.
    ///
    /// Retail: `CSphere::slide_sphere`, the form for walls and ground.
    pub(super) fn slide_sphere(&mut self, index: usize, normal: Vec3) -> Insert {
        let (current, there) = (self.path.curr_centres[index], self.path.spheres[index].centre);
        if normal == Vec3::ZERO {
            self.path.add_offset((current - there) * 0.5);
            return Insert::Adjusted;
        }
        self.contact.hit.set(normal);
        let movement = self.path.movement(index);
        let ground = self.contact.ground_normal();
        if let Some(answer) = self.slide_along_crease(normal, ground, movement) {
            return answer;
        }
        if normal.dot(ground) >= 0.0 {
            self.path.add_offset(-normal * normal.dot(movement));
            return Insert::Slid;
        }
        if vector::normalise(-movement).is_some() {
            self.contact.hit.set(-movement);
        }
        match self.rules.opposed_slide {
            OpposedSlide::Passes => Insert::Ok,
            OpposedSlide::Stops => Insert::Collided,
        }
    }

    /// Keeps of a move what runs along both surface and ground, if that is a direction at all. Less than
    /// 1.42 cm of it is a stop.
    fn slide_along_crease(&mut self, normal: Vec3, ground: Vec3, movement: Vec3) -> Option<Insert> {
        let crease = normal.cross(ground);
        let length_squared = crease.length_squared();
        if length_squared < EPSILON {
            return None;
        }
        let along = crease * crease.dot(movement) * (1.0 / length_squared);
        if along.length_squared() < EPSILON {
            return Some(Insert::Collided);
        }
        self.path.add_offset(along - movement);
        Some(Insert::Slid)
    }

    /// Slides away from the middle of an obstacle.
    pub(super) fn slide_by_centres(&mut self, obstacle: Vec3, index: usize) -> Insert {
        match vector::normalise(self.path.curr_centres[index] - obstacle) {
            Some(normal) => self.slide_sphere(index, normal),
            None => Insert::Collided,
        }
    }

    /// Slides round an obstacle that is too high to step on. `displacement` is the sphere's, from the middle of
    /// the obstacle.
    ///
    /// Retail: `CSphere::slide_sphere`, the form for objects.
    pub(super) fn slide_skid(
        &mut self,
        obstacle: Vec3,
        displacement: Vec3,
        index: usize,
    ) -> Insert {
        let Some(normal) = vector::normalise(self.path.curr_centres[index] - obstacle) else {
            return Insert::Collided;
        };
        self.contact.hit.set(normal);
        let movement = self.path.movement(index);
        let ground = self.contact.ground_normal();
        if let Some(answer) = self.slide_along_crease(normal, ground, movement) {
            return answer;
        }
        if ground.dot(displacement) < 0.0 {
            return Insert::Collided;
        }
        self.path.add_offset(-normal * normal.dot(movement));
        Insert::Slid
    }
}
