//! Slides: the part of a movement that remains along a surface.

use threshold_land::vector::Vec3;
use threshold_land::{EPSILON, vector};

use super::Transition;
use crate::outcome::Insert;
use crate::probe::{Slide, SlideEnd, SweepEvent, SweepProbe};
use crate::rules::OpposedSlide;

impl<P: SweepProbe> Transition<'_, P> {
    /// Moves the mover so that a sphere slides along a surface and the contact plane.
    ///
    /// Retail: `CSphere::slide_sphere`, the form for walls and ground.
    pub(super) fn slide_sphere(&mut self, index: usize, normal: Vec3) -> Insert {
        let (current, target) = (self.path.curr_centres[index], self.path.spheres[index].centre);
        if normal == Vec3::ZERO {
            let half = (current - target) * 0.5;
            let (end, movement) = (SlideEnd::NoDirection, target - current);
            emit!(
                self,
                SweepEvent::Slid(Slide {
                    end,
                    normal,
                    ground: normal,
                    movement,
                    remaining: movement + half
                })
            );
            self.path.add_offset(half);
            return Insert::Adjusted;
        }
        self.contact.hit.set(normal);
        let movement = self.path.movement(index);
        let ground = self.contact.ground_normal();
        if let Some(answer) = self.slide_along_crease(normal, ground, movement) {
            return answer;
        }
        if normal.dot(ground) >= 0.0 {
            return self.slide_along_surface(normal, ground, movement);
        }
        let end = SlideEnd::Opposed;
        emit!(self, SweepEvent::Slid(Slide { end, normal, ground, movement, remaining: movement }));
        if vector::normalise(-movement).is_some() {
            self.contact.hit.set(-movement);
        }
        match self.rules.opposed_slide {
            OpposedSlide::Passes => Insert::Ok,
            OpposedSlide::Stops => Insert::Collided,
        }
    }

    /// Keeps the part of the movement along the crease of surface and ground. Returns `None` if
    /// they are parallel; less than 1.42 cm of movement is a stop.
    fn slide_along_crease(&mut self, normal: Vec3, ground: Vec3, movement: Vec3) -> Option<Insert> {
        let crease = normal.cross(ground);
        let length_squared = crease.length_squared();
        if length_squared < EPSILON {
            return None;
        }
        let along = crease * crease.dot(movement) * (1.0 / length_squared);
        let stops = along.length_squared() < EPSILON;
        let end = if stops { SlideEnd::Stop } else { SlideEnd::Crease };
        emit!(self, SweepEvent::Slid(Slide { end, normal, ground, movement, remaining: along }));
        if stops {
            return Some(Insert::Collided);
        }
        self.path.add_offset(along - movement);
        Some(Insert::Slid)
    }

    /// Removes the part of the movement that goes into the surface.
    fn slide_along_surface(&mut self, normal: Vec3, ground: Vec3, movement: Vec3) -> Insert {
        let offset = -normal * normal.dot(movement);
        let end = SlideEnd::Surface;
        emit!(
            self,
            SweepEvent::Slid(Slide { end, normal, ground, movement, remaining: movement + offset })
        );
        self.path.add_offset(offset);
        Insert::Slid
    }

    /// Slides along the tangent plane facing the centre of an obstacle.
    pub(super) fn slide_by_centres(&mut self, obstacle: Vec3, index: usize) -> Insert {
        match vector::normalise(self.path.curr_centres[index] - obstacle) {
            Some(normal) => self.slide_sphere(index, normal),
            None => Insert::Collided,
        }
    }

    /// Slides around an obstacle that is too high to step onto. `displacement` leads from the
    /// centre of the obstacle to the sphere.
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
        self.slide_along_surface(normal, ground, movement)
    }
}
