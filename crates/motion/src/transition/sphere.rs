//! Collisions with spheres of objects.

use threshold_geom::{
    LANDING_Z, SHAPE_INTERPOLATION_FLOOR, sphere_collision_time, spheres_collide,
};
use threshold_land::vector::Vec3;
use threshold_land::{EPSILON, Plane, Sphere, vector};

use super::Transition;
use super::sweep_path::InsertType;
use crate::flags::Flags;
use crate::outcome::Insert;
use crate::probe::{ContactKind, SurfaceContact, SurfaceKind, SweepEvent, SweepProbe};

/// A sphere of an object, relative to the mover's spheres.
#[derive(Clone, Copy)]
struct SphereContact {
    centre: Vec3,
    radius: f32,
    /// From its centre to that of the mover's first sphere.
    displacement: Vec3,
    /// Sum of both radii. Retail oddity: uses the mover's first sphere for its second as well.
    radius_sum: f32,
    feet: bool,
    head: bool,
}

impl<P: SweepProbe> Transition<'_, P> {
    /// Retail: `CSphere::intersects_sphere`.
    pub(super) fn collide_with_sphere(&mut self, sphere: &Sphere, creature: bool) -> Insert {
        let contact = self.sphere_contact(sphere);
        let touches = contact.feet || contact.head;
        if P::ENABLED && touches {
            let index = usize::from(!contact.feet);
            let away = self.path.spheres[index].centre - contact.centre;
            let distance = away.length() - contact.radius;
            let point = contact.centre + away.normalize_or_zero() * contact.radius;
            let push = self.path.curr_centres[index] - contact.centre;
            self.emit_shape_contact(SurfaceKind::Sphere, index, push, Some((distance, point)));
        }
        let step = &self.path.step;
        if self.path.ethereal || self.path.insert == InsertType::Placement {
            return collided(touches);
        }
        if step.down {
            return if creature { Insert::Ok } else { self.step_down_on_sphere(&contact) };
        }
        if step.checking_walkable {
            return collided(touches);
        }
        if step.seeking_landing {
            return if creature || !touches { Insert::Ok } else { self.land_on_sphere(&contact) };
        }
        if self.flags.has_any(Flags::CONTACT | Flags::ON_WALKABLE) {
            return match (contact.feet, contact.head) {
                (true, _) => self.step_up_on_sphere(&contact),
                (false, true) => self.slide_by_centres(contact.centre, 1),
                _ => Insert::Ok,
            };
        }
        match (contact.feet, contact.head) {
            (true, _) if self.flags.has(Flags::PATH_CLIPPED) => self.clip_at_sphere(&contact, 0),
            (true, _) => self.start_landing(self.path.curr_centres[0] - contact.centre),
            (false, true) if !self.flags.has(Flags::PATH_CLIPPED) => {
                self.clip_at_sphere(&contact, 1)
            }
            _ => Insert::Ok,
        }
    }

    /// Reports contact of a mover sphere with a sphere or cylinder that pushes in direction `push`.
    /// `nearest` is the distance of its surface and its nearest point.
    pub(super) fn emit_shape_contact(
        &mut self,
        surface: SurfaceKind,
        sphere: usize,
        push: Vec3,
        nearest: Option<(f32, Vec3)>,
    ) {
        // Retail oddity: the first radius counts for both.
        let (centre, radius) = (self.path.spheres[sphere].centre, self.path.radius());
        let kind = if self.path.ethereal || self.path.insert == InsertType::Placement {
            ContactKind::Overlaps
        } else if self.flags.has_any(Flags::CONTACT | Flags::ON_WALKABLE) {
            ContactKind::RunsInto
        } else if self.flags.has(Flags::PATH_CLIPPED) {
            ContactKind::Ends
        } else {
            ContactKind::FallsOn
        };
        let (cell, (distance, point)) = (self.path.check.position.cell, nearest.unzip());
        // An overlap pushes nowhere.
        let normal = push.try_normalize().filter(|_| kind != ContactKind::Overlaps);
        let contact =
            SurfaceContact { surface, kind, sphere, centre, radius, cell, normal, distance, point };
        emit!(self, SweepEvent::SurfaceMet(contact));
    }

    fn sphere_contact(&self, sphere: &Sphere) -> SphereContact {
        let spheres = &self.path.spheres;
        let radius_sum = sphere.radius + spheres[0].radius - EPSILON;
        let displacement = spheres[0].centre - sphere.centre;
        SphereContact {
            centre: sphere.centre,
            radius: sphere.radius,
            displacement,
            radius_sum,
            feet: spheres_collide(displacement, radius_sum),
            head: self.path.has_head()
                && spheres_collide(spheres[1].centre - sphere.centre, radius_sum),
        }
    }

    /// Retail: `CSphere::step_sphere_up`.
    fn step_up_on_sphere(&mut self, contact: &SphereContact) -> Insert {
        let reach = contact.radius_sum + EPSILON;
        let (height, max_height) = (reach - contact.displacement.z, self.mover.shape.step_up);
        if max_height < height {
            emit!(self, SweepEvent::StepTooHigh { height, max_height });
            return self.slide_skid(contact.centre, contact.displacement, 0);
        }
        // Retail oddity: the normal is not of unit length.
        self.step_up_or_slide(self.path.curr_centres[0] - contact.centre)
    }

    /// Retail: `CSphere::step_sphere_down`.
    fn step_down_on_sphere(&mut self, contact: &SphereContact) -> Insert {
        if !contact.feet && !contact.head {
            return Insert::Ok;
        }
        let (step, displacement) = (&self.path.step, contact.displacement);
        let amount = step.amount * step.interpolation;
        if amount.abs() < EPSILON {
            return Insert::Collided;
        }
        let reach = contact.radius_sum + EPSILON;
        let height_squared =
            reach * reach - (displacement.x * displacement.x + displacement.y * displacement.y);
        if height_squared < 0.0 {
            return Insert::Collided;
        }
        let part = (height_squared.sqrt() - displacement.z) / amount;
        let Some(remaining) = self.interpolation_after(part) else { return Insert::Collided };
        let lift = Vec3::new(0.0, 0.0, amount * part);
        let normal = (displacement + lift) / reach;
        if normal.z <= self.path.step.allowance {
            return Insert::Ok;
        }
        let plane = Plane::through(normal, contact.centre + normal * contact.radius);
        self.stand_on_shape(plane, remaining, lift)
    }

    /// Returns the rest of the step down after `part` of it was taken back; `None` if that is too
    /// much or nothing.
    pub(super) fn interpolation_after(&self, part: f32) -> Option<f32> {
        let before = self.path.step.interpolation;
        let remaining = (1.0 - part) * before;
        (remaining < before && remaining >= SHAPE_INTERPOLATION_FLOOR).then_some(remaining)
    }

    /// Sets the contact plane on top of a sphere or cylinder. The plane counts as water: it is
    /// valid only at this position and must not push the mover up elsewhere.
    pub(super) fn stand_on_shape(&mut self, plane: Plane, remaining: f32, offset: Vec3) -> Insert {
        emit!(self, SweepEvent::GroundFound { polygon: None, plane, moved: offset });
        self.contact.set_contact_plane(plane, self.path.check.position.cell, true);
        self.path.step.interpolation = remaining;
        self.path.add_offset(offset);
        Insert::Adjusted
    }

    /// Starts the search for a landing after a hit in the air. Retail: `land_on_sphere` and
    /// `land_on_cylinder`.
    pub(super) fn start_landing(&mut self, normal: Vec3) -> Insert {
        let Some(normal) = vector::normalise(normal) else { return Insert::Collided };
        self.path.seek_landing(normal, LANDING_Z);
        Insert::Adjusted
    }

    /// Ends a clipped path. Retail: `CSphere::collide_with_point`.
    fn clip_at_sphere(&mut self, contact: &SphereContact, index: usize) -> Insert {
        let away = self.path.curr_centres[index] - contact.centre;
        if !self.flags.has(Flags::PERFECT_CLIP) {
            if vector::normalise(away).is_some() {
                self.contact.hit.set(away);
            }
            return Insert::Collided;
        }
        let movement = self.path.movement(index);
        let time = sphere_collision_time(movement, away, contact.radius_sum + EPSILON);
        if !(EPSILON..=1.0).contains(&time) {
            return Insert::Collided;
        }
        let offset = movement * time - movement;
        let target = self.path.spheres[index].centre;
        self.contact.hit.set((offset + target - contact.centre) / contact.radius_sum);
        self.path.add_offset(offset);
        Insert::Adjusted
    }

    /// Retail: the branch of `CSphere::intersects_sphere` that lands.
    fn land_on_sphere(&mut self, contact: &SphereContact) -> Insert {
        let (displacement, back) = (contact.displacement, -self.path.movement(0));
        let reach = contact.radius_sum + EPSILON;
        let length_squared = back.length_squared();
        if length_squared < EPSILON {
            return Insert::Collided;
        }
        let b = -back.dot(displacement);
        let outside = displacement.length_squared() - reach * reach;
        let discriminant = b * b - outside * length_squared;
        if discriminant < 0.0 {
            return Insert::Ok;
        }
        let mut time = b + discriminant.sqrt();
        // Retail oddity: compared before the division.
        if time > 1.0 {
            time = 2.0 * b - time;
        }
        time /= length_squared;
        let Some(remaining) = self.interpolation_after(time) else { return Insert::Collided };
        let normal = (displacement + back * time) / reach;
        if normal.z.is_nan() || normal.z <= self.path.step.allowance {
            return Insert::Ok;
        }
        // Retail oddity: uses the sphere before it is moved.
        let foot = &self.path.spheres[0];
        let plane = Plane::through(normal, foot.centre - normal * foot.radius);
        self.stand_on_shape(plane, remaining, back * time)
    }
}

/// Returns `Collided` for a contact, otherwise `Ok`.
pub(super) fn collided(touches: bool) -> Insert {
    if touches { Insert::Collided } else { Insert::Ok }
}
