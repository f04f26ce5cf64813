//! Spheres of objects in the way.

use threshold_geom::{
    LANDING_Z, SHAPE_INTERPOLATION_FLOOR, sphere_collision_time, spheres_collide,
};
use threshold_land::glam::Vec3;
use threshold_land::{EPSILON, Plane, Sphere, vector};

use super::Transition;
use super::sweep_path::InsertType;
use crate::flags::Flags;
use crate::outcome::Insert;
use crate::probe::{ContactKind, SurfaceContact, SurfaceKind, SweepEvent, SweepProbe};

/// A sphere in the way, as the mover's first sphere sees it.
#[derive(Clone, Copy)]
struct SphereContact {
    centre: Vec3,
    radius: f32,
    /// From its centre to that of the mover's first sphere.
    displacement: Vec3,
    /// Retail oddity: with the radius of the mover's first sphere, for its second as well.
    radius_sum: f32,
    feet: bool,
    head: bool,
}

impl<P: SweepProbe> Transition<'_, P> {
    /// Retail: `CSphere::intersects_sphere`.
    pub(super) fn collide_with_sphere(&mut self, sphere: &Sphere, creature: bool) -> Insert {
        let ball = self.sphere_contact(sphere);
        let touches = ball.feet || ball.head;
        if P::ENABLED && touches {
            let index = usize::from(!ball.feet);
            let away = self.path.spheres[index].centre - ball.centre;
            let distance = away.length() - ball.radius;
            let point = ball.centre + away.normalize_or_zero() * ball.radius;
            let push = self.path.curr_centres[index] - ball.centre;
            self.emit_shape_contact(SurfaceKind::Sphere, index, push, Some((distance, point)));
        }
        let step = &self.path.step;
        if self.path.ethereal || self.path.insert == InsertType::Placement {
            return collided(touches);
        }
        if step.down {
            return if creature { Insert::Ok } else { self.step_down_on_sphere(&ball) };
        }
        if step.checking_walkable {
            return collided(touches);
        }
        if step.seeking_landing {
            return if creature || !touches { Insert::Ok } else { self.land_on_sphere(&ball) };
        }
        if self.flags.has_any(Flags::CONTACT | Flags::ON_WALKABLE) {
            return match (ball.feet, ball.head) {
                (true, _) => self.step_up_on_sphere(&ball),
                (false, true) => self.slide_by_centres(ball.centre, 1),
                _ => Insert::Ok,
            };
        }
        match (ball.feet, ball.head) {
            (true, _) if self.flags.has(Flags::PATH_CLIPPED) => self.clip_at_sphere(&ball, 0),
            (true, _) => self.start_landing(self.path.curr_centres[0] - ball.centre),
            (false, true) if !self.flags.has(Flags::PATH_CLIPPED) => self.clip_at_sphere(&ball, 1),
            _ => Insert::Ok,
        }
    }

    /// Tells that a sphere of the mover meets a sphere or a cylinder that pushes it into a direction: how far its surface is, and
    /// the nearest point of it.
    pub(super) fn emit_shape_contact(
        &mut self,
        surface: SurfaceKind,
        sphere: usize,
        push: Vec3,
        nearest: Option<(f32, Vec3)>,
    ) {
        // Retail oddity: the first radius counts for both.
        let (centre, radius) = (self.path.spheres[sphere].centre, self.path.radius());
        let how = if self.path.ethereal || self.path.insert == InsertType::Placement {
            ContactKind::Overlaps
        } else if self.flags.has_any(Flags::CONTACT | Flags::ON_WALKABLE) {
            ContactKind::RunsInto
        } else if self.flags.has(Flags::PATH_CLIPPED) {
            ContactKind::Ends
        } else {
            ContactKind::FallsOn
        };
        let (cell, (distance, point)) = (self.path.check.position.cell, nearest.unzip());
        // What only takes the room pushes nowhere.
        let normal = push.try_normalize().filter(|_| how != ContactKind::Overlaps);
        let met = SurfaceContact {
            surface,
            kind: how,
            sphere,
            centre,
            radius,
            cell,
            normal,
            distance,
            point,
        };
        emit!(self, SweepEvent::SurfaceMet(met));
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
    fn step_up_on_sphere(&mut self, ball: &SphereContact) -> Insert {
        let reach = ball.radius_sum + EPSILON;
        let (height, most) = (reach - ball.displacement.z, self.mover.shape.step_up);
        if most < height {
            emit!(self, SweepEvent::StepTooHigh { height, max_height: most });
            return self.slide_skid(ball.centre, ball.displacement, 0);
        }
        // Retail oddity: not of unit length.
        if self.step_up(self.path.curr_centres[0] - ball.centre) {
            Insert::Ok
        } else {
            self.step_up_slide()
        }
    }

    /// Retail: `CSphere::step_sphere_down`.
    fn step_down_on_sphere(&mut self, ball: &SphereContact) -> Insert {
        if !ball.feet && !ball.head {
            return Insert::Ok;
        }
        let (step, displacement) = (&self.path.step, ball.displacement);
        let amount = step.amount * step.interpolation;
        if amount.abs() < EPSILON {
            return Insert::Collided;
        }
        let reach = ball.radius_sum + EPSILON;
        let height_squared =
            reach * reach - (displacement.x * displacement.x + displacement.y * displacement.y);
        if height_squared < 0.0 {
            return Insert::Collided;
        }
        let part = (height_squared.sqrt() - displacement.z) / amount;
        let Some(left) = self.interpolation_after(part) else { return Insert::Collided };
        let lift = Vec3::new(0.0, 0.0, amount * part);
        let normal = (displacement + lift) / reach;
        if normal.z <= self.path.step.allowance {
            return Insert::Ok;
        }
        let plane = Plane::through(normal, ball.centre + normal * ball.radius);
        self.stand_on_shape(plane, left, lift)
    }

    /// What is left of the way after a part of it was taken back; `None` where that is too much or nothing.
    pub(super) fn interpolation_after(&self, part: f32) -> Option<f32> {
        let before = self.path.step.interpolation;
        let left = (1.0 - part) * before;
        (left < before && left >= SHAPE_INTERPOLATION_FLOOR).then_some(left)
    }

    /// Stands on a round or capped top. The plane counts as water: it holds only where the mover is, and must
    /// not push it up elsewhere.
    pub(super) fn stand_on_shape(&mut self, plane: Plane, left: f32, offset: Vec3) -> Insert {
        let told = SweepEvent::GroundFound { polygon: None, plane, moved: offset };
        emit!(self, told);
        self.contact.set_contact_plane(plane, self.path.check.position.cell, true);
        self.path.step.interpolation = left;
        self.path.add_offset(offset);
        Insert::Adjusted
    }

    /// Meets something in the air: what can be landed on is looked for next. Retail: `land_on_sphere` and
    /// `land_on_cylinder`.
    pub(super) fn start_landing(&mut self, normal: Vec3) -> Insert {
        let Some(normal) = vector::normalise(normal) else { return Insert::Collided };
        self.path.seek_landing(normal, LANDING_Z);
        Insert::Adjusted
    }

    /// Ends a clipped path. Retail: `CSphere::collide_with_point`.
    fn clip_at_sphere(&mut self, ball: &SphereContact, index: usize) -> Insert {
        let away = self.path.curr_centres[index] - ball.centre;
        if !self.flags.has(Flags::PERFECT_CLIP) {
            if vector::normalise(away).is_some() {
                self.contact.hit.set(away);
            }
            return Insert::Collided;
        }
        let movement = self.path.movement(index);
        let time = sphere_collision_time(movement, away, ball.radius_sum + EPSILON);
        if !(EPSILON..=1.0).contains(&time) {
            return Insert::Collided;
        }
        let offset = movement * time - movement;
        let there = self.path.spheres[index].centre;
        self.contact.hit.set((offset + there - ball.centre) / ball.radius_sum);
        self.path.add_offset(offset);
        Insert::Adjusted
    }

    /// Retail: the branch of `CSphere::intersects_sphere` that lands.
    fn land_on_sphere(&mut self, ball: &SphereContact) -> Insert {
        let (displacement, back) = (ball.displacement, -self.path.movement(0));
        let reach = ball.radius_sum + EPSILON;
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
        // Retail oddity: compared before it is divided by the length.
        if time > 1.0 {
            time = 2.0 * b - time;
        }
        time /= length_squared;
        let Some(left) = self.interpolation_after(time) else { return Insert::Collided };
        let normal = (displacement + back * time) / reach;
        if normal.z.is_nan() || normal.z <= self.path.step.allowance {
            return Insert::Ok;
        }
        // Retail oddity: of the sphere before it is moved.
        let foot = &self.path.spheres[0];
        let plane = Plane::through(normal, foot.centre - normal * foot.radius);
        self.stand_on_shape(plane, left, back * time)
    }
}

/// Whether something is in the way, and nothing else.
pub(super) fn collided(touches: bool) -> Insert {
    if touches { Insert::Collided } else { Insert::Ok }
}
