//! Slides: what is left of a move along a surface.

use threshold_land::glam::Vec3;
use threshold_land::{EPSILON, vector};

use super::Transition;
use crate::outcome::Insert;
use crate::probe::{Slide, SlideEnd, SweepEvent, SweepProbe};
use crate::rules::OpposedSlide;

impl<P: SweepProbe> Transition<'_, P> {
    /// Moves the mover so that a sphere goes along a surface and along the ground.
    ///
    /// Retail: `CSphere::slide_sphere`, the form for walls and ground.
    pub(super) fn slide_sphere(&mut self, index: usize, normal: Vec3) -> Insert {
        let (current, there) = (self.path.curr_centres[index], self.path.spheres[index].centre);
        if normal == Vec3::ZERO {
            let half = (current - there) * 0.5;
            let (end, way) = (SlideEnd::NoDirection, there - current);
            emit!(
                self,
                SweepEvent::Slid(Slide {
                    end,
                    normal,
                    ground: normal,
                    movement: way,
                    remaining: way + half
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
        let (end, way) = (SlideEnd::Opposed, movement);
        emit!(self, SweepEvent::Slid(Slide { end, normal, ground, movement: way, remaining: way }));
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
        let stops = along.length_squared() < EPSILON;
        let (end, way) = (if stops { SlideEnd::Stop } else { SlideEnd::Crease }, movement);
        emit!(
            self,
            SweepEvent::Slid(Slide { end, normal, ground, movement: way, remaining: along })
        );
        if stops {
            return Some(Insert::Collided);
        }
        self.path.add_offset(along - movement);
        Some(Insert::Slid)
    }

    /// Takes out of a move what goes into the surface.
    fn slide_along_surface(&mut self, normal: Vec3, ground: Vec3, movement: Vec3) -> Insert {
        let offset = -normal * normal.dot(movement);
        let (end, way) = (SlideEnd::Surface, movement);
        emit!(
            self,
            SweepEvent::Slid(Slide { end, normal, ground, movement: way, remaining: way + offset })
        );
        self.path.add_offset(offset);
        Insert::Slid
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
        self.slide_along_surface(normal, ground, movement)
    }
}
