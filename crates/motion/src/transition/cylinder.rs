//! Cylinders of objects in the way.

use threshold_geom::{Cylinder, CylinderNormal};
use threshold_land::glam::{Vec2, Vec3};
use threshold_land::{EPSILON, Plane, RotationMatrix, vector};

use super::Transition;
use super::sphere::collided;
use super::sweep_path::InsertType;
use crate::flags::Flags;
use crate::outcome::Insert;
use crate::probe::{SurfaceKind, SweepEvent, SweepProbe};

/// A cylinder in the way, as the mover sees it.
#[derive(Clone, Copy)]
struct CylinderContact<'a> {
    shape: &'a Cylinder,
    /// How the object is turned that it is part of.
    rows: &'a RotationMatrix,
    /// From its low point to the centres of the mover's spheres.
    displacements: [Vec3; 2],
    /// With the radius of the mover's first sphere, for its second as well.
    radius_sum: f32,
    feet: bool,
    head: bool,
}

impl<P: SweepProbe> Transition<'_, P> {
    /// Retail: `CCylSphere::intersects_sphere`.
    pub(super) fn collide_with_cylinder(
        &mut self,
        shape: &Cylinder,
        rows: &RotationMatrix,
    ) -> Insert {
        let pillar = self.cylinder_contact(shape, rows);
        let touches = pillar.feet || pillar.head;
        if P::ENABLED && touches {
            let index = usize::from(!pillar.feet);
            let normal = self.cylinder_normal(&pillar, index).normal;
            self.emit_shape_contact(SurfaceKind::Cylinder, index, normal, None);
        }
        let step = &self.path.step;
        if self.path.ethereal || self.path.insert == InsertType::Placement {
            return collided(touches);
        }
        if step.down {
            return if touches { self.step_down_on_cylinder(&pillar) } else { Insert::Ok };
        }
        if step.checking_walkable {
            return collided(touches);
        }
        if step.seeking_landing {
            return if touches { self.land_on_cylinder(&pillar) } else { Insert::Ok };
        }
        if self.flags.has_any(Flags::CONTACT | Flags::ON_WALKABLE) {
            return match (pillar.feet, pillar.head) {
                (true, _) => self.step_up_on_cylinder(&pillar),
                (false, true) => self.slide_round_cylinder(&pillar, 1),
                _ => Insert::Ok,
            };
        }
        match (pillar.feet, pillar.head) {
            (true, _) if self.flags.has(Flags::PATH_CLIPPED) => self.clip_at_cylinder(&pillar, 0),
            (true, _) => self.start_landing(self.cylinder_normal(&pillar, 0).normal),
            (false, true) if !self.flags.has(Flags::PATH_CLIPPED) => {
                self.clip_at_cylinder(&pillar, 1)
            }
            _ => Insert::Ok,
        }
    }

    fn cylinder_contact<'a>(
        &self,
        shape: &'a Cylinder,
        rows: &'a RotationMatrix,
    ) -> CylinderContact<'a> {
        let spheres = &self.path.spheres;
        let radius_sum = (shape.radius - EPSILON) + spheres[0].radius;
        let displacements = spheres.map(|sphere| sphere.centre - shape.low);
        let touches = |index: usize| {
            shape.collides_with_sphere(spheres[index].radius, displacements[index], radius_sum)
        };
        let (feet, head) = (touches(0), self.path.has_head() && touches(1));
        CylinderContact { shape, rows, displacements, radius_sum, feet, head }
    }

    fn cylinder_normal(&self, pillar: &CylinderContact<'_>, index: usize) -> CylinderNormal {
        let (radius, current) = (self.path.spheres[index].radius, self.path.curr_centres[index]);
        let displacement = pillar.displacements[index];
        pillar.shape.collision_normal(radius, displacement, pillar.radius_sum, current)
    }

    /// How far the first sphere must go up to stand on the cap.
    fn height_over(&self, pillar: &CylinderContact<'_>) -> f32 {
        pillar.shape.height + self.path.radius() - pillar.displacements[0].z
    }

    /// Retail: `CCylSphere::step_sphere_down`.
    fn step_down_on_cylinder(&mut self, pillar: &CylinderContact<'_>) -> Insert {
        let step = &self.path.step;
        let amount = step.amount * step.interpolation;
        if amount.abs() < EPSILON {
            return Insert::Collided;
        }
        let lift = self.height_over(pillar);
        let Some(left) = self.interpolation_after(lift / amount) else { return Insert::Collided };
        let foot = self.path.spheres[0];
        let top = foot.centre + Vec3::new(0.0, 0.0, lift - foot.radius);
        self.stand_on_shape(Plane::through(Vec3::Z, top), left, Vec3::new(0.0, 0.0, lift))
    }

    /// Retail: `CCylSphere::step_sphere_up`.
    fn step_up_on_cylinder(&mut self, pillar: &CylinderContact<'_>) -> Insert {
        let height = self.path.radius() + pillar.shape.height - pillar.displacements[0].z;
        let most = self.mover.shape.step_up;
        if most < height {
            emit!(self, SweepEvent::StepTooHigh { height, max_height: most });
            return self.slide_round_cylinder(pillar, 0);
        }
        let Some(normal) = vector::normalise(self.cylinder_normal(pillar, 0).normal) else {
            return Insert::Collided;
        };
        // Retail oddity: turned with the object, though it is turned already.
        if self.step_up(pillar.rows.to_global(normal)) { Insert::Ok } else { self.step_up_slide() }
    }

    /// Retail: `CCylSphere::slide_sphere`.
    fn slide_round_cylinder(&mut self, pillar: &CylinderContact<'_>, index: usize) -> Insert {
        match vector::normalise(self.cylinder_normal(pillar, index).normal) {
            Some(normal) => self.slide_sphere(index, normal),
            None => Insert::Collided,
        }
    }

    /// Retail: the branch of `CCylSphere::intersects_sphere` that lands.
    fn land_on_cylinder(&mut self, pillar: &CylinderContact<'_>) -> Insert {
        let back = -self.path.movement(0);
        if back.z.abs() < EPSILON {
            return Insert::Collided;
        }
        let part = self.height_over(pillar) / back.z;
        let offset = back * part;
        let beside = (offset + pillar.displacements[0]).truncate().length_squared();
        if pillar.radius_sum * pillar.radius_sum < beside {
            return Insert::Ok;
        }
        let Some(left) = self.interpolation_after(part) else { return Insert::Collided };
        let foot = self.path.spheres[0];
        let top = foot.centre + offset - Vec3::new(0.0, 0.0, foot.radius);
        self.stand_on_shape(Plane::through(Vec3::Z, top), left, offset)
    }

    /// Ends a clipped path. Retail: `CCylSphere::collide_with_point`.
    fn clip_at_cylinder(&mut self, pillar: &CylinderContact<'_>, index: usize) -> Insert {
        let found = self.cylinder_normal(pillar, index);
        let Some(normal) = vector::normalise(found.normal) else { return Insert::Collided };
        if !self.flags.has(Flags::PERFECT_CLIP) {
            self.contact.hit.set(normal);
            return Insert::Collided;
        }
        let sphere = self.path.spheres[index];
        // Retail oddity: from where the first sphere was, whichever it is.
        let from = self.path.curr_centres[0];
        let movement = self.path.block_offset() + (sphere.centre - from);
        let clip = CylinderClip {
            movement,
            from: from - pillar.shape.low,
            reach: pillar.radius_sum + EPSILON,
            height: pillar.shape.height,
            radius: sphere.radius,
        };
        let Some((time, normal)) = clip.meet(normal, found.definite) else {
            return Insert::Collided;
        };
        if !(0.0..=1.0).contains(&time) {
            return Insert::Collided;
        }
        self.contact.hit.set(normal);
        self.path.add_offset(from + movement * time - sphere.centre);
        Insert::Adjusted
    }
}

/// A sphere on its way to a cylinder.
struct CylinderClip {
    movement: Vec3,
    /// Where it comes from, as seen from the cylinder's low point.
    from: Vec3,
    /// The radii of both.
    reach: f32,
    height: f32,
    radius: f32,
}

impl CylinderClip {
    /// When the sphere meets the cylinder, and the normal there. `normal` is what is guessed; it is certain
    /// where `definite`.
    fn meet(&self, normal: Vec3, definite: bool) -> Option<(f32, Vec3)> {
        let rises = self.movement.z.abs() >= EPSILON;
        if definite && normal.z != 0.0 {
            return rises.then(|| (self.cap_time(), normal));
        }
        let flat = self.movement.truncate().length_squared();
        if definite {
            let time = self.side_time().filter(|_| flat >= EPSILON)?;
            return Some((time, self.radial(time)));
        }
        if !rises {
            return None;
        }
        let time = self.cap_time();
        if self.beside(time).length_squared() < self.reach * self.reach {
            let up = if self.movement.z > 0.0 { Vec3::NEG_Z } else { Vec3::Z };
            return Some((time, up));
        }
        if flat < EPSILON {
            return None;
        }
        let time = self.side_time().filter(|_| flat > EPSILON).unwrap_or(time);
        Some((time, self.radial(time)))
    }

    /// When the sphere is at the height of the cap it moves towards.
    fn cap_time(&self) -> f32 {
        let Self { movement, from, radius, .. } = self;
        if movement.z > 0.0 {
            -((from.z + radius) / movement.z)
        } else {
            (radius + self.height - from.z) / movement.z
        }
    }

    /// When the sphere is at the side.
    fn side_time(&self) -> Option<f32> {
        let (movement, from) = (self.movement.truncate(), self.from.truncate());
        let a = movement.length_squared();
        let b = -movement.dot(from);
        let discriminant = b * b - (from.length_squared() - self.reach * self.reach) * a;
        if discriminant < 0.0 {
            return None;
        }
        let root = discriminant.sqrt();
        Some(if b - root < 0.0 { (b + root) / a } else { (b - root) / a })
    }

    fn beside(&self, time: f32) -> Vec2 {
        (self.from + self.movement * time).truncate()
    }

    fn radial(&self, time: f32) -> Vec3 {
        (self.beside(time) / self.reach).extend(0.0)
    }
}
