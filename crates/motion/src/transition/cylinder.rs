//! Collisions with cylinders of objects.

use threshold_geom::{Cylinder, CylinderNormal};
use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{EPSILON, Plane, RotationMatrix, vector};

use super::Transition;
use super::sphere::collided;
use super::sweep_path::InsertType;
use crate::flags::Flags;
use crate::outcome::Insert;
use crate::probe::{SurfaceKind, SweepEvent, SweepProbe};

/// A cylinder of an object, relative to the mover's spheres.
#[derive(Clone, Copy)]
struct CylinderContact<'a> {
    shape: &'a Cylinder,
    /// Rotation of the object.
    rows: &'a RotationMatrix,
    /// From its low point to the centres of the mover's spheres.
    displacements: [Vec3; 2],
    /// Sum of both radii. It uses the mover's first sphere for its second as well.
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
        let contact = self.cylinder_contact(shape, rows);
        let touches = contact.feet || contact.head;
        if P::ENABLED && touches {
            let index = usize::from(!contact.feet);
            let normal = self.cylinder_normal(&contact, index).normal;
            self.emit_shape_contact(SurfaceKind::Cylinder, index, normal, None);
        }
        let step = &self.path.step;
        if self.path.ethereal || self.path.insert == InsertType::Placement {
            return collided(touches);
        }
        if step.down {
            return if touches { self.step_down_on_cylinder(&contact) } else { Insert::Ok };
        }
        if step.checking_walkable {
            return collided(touches);
        }
        if step.seeking_landing {
            return if touches { self.land_on_cylinder(&contact) } else { Insert::Ok };
        }
        if self.flags.has_any(Flags::CONTACT | Flags::ON_WALKABLE) {
            return match (contact.feet, contact.head) {
                (true, _) => self.step_up_on_cylinder(&contact),
                (false, true) => self.slide_around_cylinder(&contact, 1),
                _ => Insert::Ok,
            };
        }
        match (contact.feet, contact.head) {
            (true, _) if self.flags.has(Flags::PATH_CLIPPED) => self.clip_at_cylinder(&contact, 0),
            (true, _) => self.start_landing(self.cylinder_normal(&contact, 0).normal),
            (false, true) if !self.flags.has(Flags::PATH_CLIPPED) => {
                self.clip_at_cylinder(&contact, 1)
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

    fn cylinder_normal(&self, contact: &CylinderContact<'_>, index: usize) -> CylinderNormal {
        let (radius, current) = (self.path.spheres[index].radius, self.path.curr_centres[index]);
        let displacement = contact.displacements[index];
        contact.shape.collision_normal(radius, displacement, contact.radius_sum, current)
    }

    /// Returns how far the first sphere must rise to stand on the cap.
    fn height_over(&self, contact: &CylinderContact<'_>) -> f32 {
        contact.shape.height + self.path.radius() - contact.displacements[0].z
    }

    /// Retail: `CCylSphere::step_sphere_down`.
    fn step_down_on_cylinder(&mut self, contact: &CylinderContact<'_>) -> Insert {
        let step = &self.path.step;
        let amount = step.amount * step.interpolation;
        if amount.abs() < EPSILON {
            return Insert::Collided;
        }
        let lift = self.height_over(contact);
        let Some(remaining) = self.interpolation_after(lift / amount) else {
            return Insert::Collided;
        };
        let foot = self.path.spheres[0];
        let top = foot.centre + Vec3::new(0.0, 0.0, lift - foot.radius);
        self.stand_on_shape(Plane::through(Vec3::Z, top), remaining, Vec3::new(0.0, 0.0, lift))
    }

    /// Retail: `CCylSphere::step_sphere_up`.
    fn step_up_on_cylinder(&mut self, contact: &CylinderContact<'_>) -> Insert {
        let height = self.path.radius() + contact.shape.height - contact.displacements[0].z;
        let max_height = self.mover.shape.step_up;
        if max_height < height {
            emit!(self, SweepEvent::StepTooHigh { height, max_height });
            return self.slide_around_cylinder(contact, 0);
        }
        let Some(normal) = vector::normalise(self.cylinder_normal(contact, 0).normal) else {
            return Insert::Collided;
        };
        // Retail oddity: rotated by the object's rotation twice.
        self.step_up_or_slide(contact.rows.to_global(normal))
    }

    /// Retail: `CCylSphere::slide_sphere`.
    fn slide_around_cylinder(&mut self, contact: &CylinderContact<'_>, index: usize) -> Insert {
        match vector::normalise(self.cylinder_normal(contact, index).normal) {
            Some(normal) => self.slide_sphere(index, normal),
            None => Insert::Collided,
        }
    }

    /// Retail: the branch of `CCylSphere::intersects_sphere` that lands.
    fn land_on_cylinder(&mut self, contact: &CylinderContact<'_>) -> Insert {
        let back = -self.path.movement(0);
        if back.z.abs() < EPSILON {
            return Insert::Collided;
        }
        let part = self.height_over(contact) / back.z;
        let offset = back * part;
        let radial_squared = (offset + contact.displacements[0]).truncate().length_squared();
        if contact.radius_sum * contact.radius_sum < radial_squared {
            return Insert::Ok;
        }
        let Some(remaining) = self.interpolation_after(part) else { return Insert::Collided };
        let foot = self.path.spheres[0];
        let top = foot.centre + offset - Vec3::new(0.0, 0.0, foot.radius);
        self.stand_on_shape(Plane::through(Vec3::Z, top), remaining, offset)
    }

    /// Ends a clipped path. Retail: `CCylSphere::collide_with_point`.
    fn clip_at_cylinder(&mut self, contact: &CylinderContact<'_>, index: usize) -> Insert {
        let found = self.cylinder_normal(contact, index);
        let Some(normal) = vector::normalise(found.normal) else { return Insert::Collided };
        if !self.flags.has(Flags::PERFECT_CLIP) {
            self.contact.hit.set(normal);
            return Insert::Collided;
        }
        let sphere = self.path.spheres[index];
        // Retail oddity: starts from the first sphere, whichever collided.
        let from = self.path.curr_centres[0];
        let movement = self.path.block_offset() + (sphere.centre - from);
        let clip = CylinderClip {
            movement,
            from: from - contact.shape.low,
            reach: contact.radius_sum + EPSILON,
            height: contact.shape.height,
            radius: sphere.radius,
        };
        let Some((time, normal)) = clip.hit_time(normal, found.definite) else {
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

/// A sphere moving towards a cylinder.
struct CylinderClip {
    movement: Vec3,
    /// Start of the sphere, relative to the cylinder's low point.
    from: Vec3,
    /// Sum of both radii.
    reach: f32,
    height: f32,
    radius: f32,
}

impl CylinderClip {
    /// Returns the time at which the sphere meets the cylinder, and the normal there. `normal` is a
    /// guess unless `definite`.
    fn hit_time(&self, normal: Vec3, definite: bool) -> Option<(f32, Vec3)> {
        let moves_vertically = self.movement.z.abs() >= EPSILON;
        if definite && normal.z != 0.0 {
            return moves_vertically.then(|| (self.cap_time(), normal));
        }
        let horizontal_squared = self.movement.truncate().length_squared();
        if definite {
            let time = self.side_time().filter(|_| horizontal_squared >= EPSILON)?;
            return Some((time, self.radial(time)));
        }
        if !moves_vertically {
            return None;
        }
        let time = self.cap_time();
        if self.radial_offset(time).length_squared() < self.reach * self.reach {
            let up = if self.movement.z > 0.0 { Vec3::NEG_Z } else { Vec3::Z };
            return Some((time, up));
        }
        if horizontal_squared < EPSILON {
            return None;
        }
        let time = self.side_time().filter(|_| horizontal_squared > EPSILON).unwrap_or(time);
        Some((time, self.radial(time)))
    }

    /// Returns the time at which the sphere is at the height of the cap it moves towards.
    fn cap_time(&self) -> f32 {
        let Self { movement, from, radius, .. } = self;
        if movement.z > 0.0 {
            -((from.z + radius) / movement.z)
        } else {
            (radius + self.height - from.z) / movement.z
        }
    }

    /// Returns the time at which the sphere touches the side.
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

    fn radial_offset(&self, time: f32) -> Vec2 {
        (self.from + self.movement * time).truncate()
    }

    fn radial(&self, time: f32) -> Vec3 {
        (self.radial_offset(time) / self.reach).extend(0.0)
    }
}
