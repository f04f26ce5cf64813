//! Edges: where ground ends or becomes too steep.

use threshold_land::vector::Vec3;
use threshold_land::{Plane, Sphere, vector};

use super::Transition;
use super::insert::NextAttempt;
use super::sweep_path::Walkable;
use crate::flags::Flags;
use crate::outcome::Insert;
use crate::probe::{EdgeResponse, SweepEvent, SweepProbe};

impl<P: SweepProbe> Transition<'_, P> {
    /// Handles missing ground below: with `EDGE_SLIDE` the mover slides along the edge, otherwise
    /// it walks off.
    ///
    /// The check position is restored before the slide, which would otherwise be lost (D15).
    ///
    /// Retail: `CTransition::edge_slide`.
    pub(super) fn edge_slide(&mut self, height: f32, min_normal_z: f32) -> NextAttempt {
        let contact_plane = self.contact.plane;
        if !self.flags.has(Flags::ON_WALKABLE | Flags::EDGE_SLIDE) {
            return self.walk_off();
        }
        if contact_plane.valid && contact_plane.plane.normal.z < min_normal_z {
            self.path.walkable = None;
            self.path.restore();
            let answer = self.cliff_slide(&contact_plane.plane);
            self.contact.plane.clear();
            return NextAttempt::Retry(answer);
        }
        if self.path.walkable.is_some() {
            self.path.restore();
            self.contact.plane.clear();
            return self.precipice_slide();
        }
        if contact_plane.valid {
            return self.walk_off();
        }
        self.slide_along_last_ground(height, min_normal_z)
    }

    /// Accepts the position without a contact plane.
    fn walk_off(&mut self) -> NextAttempt {
        emit!(self, SweepEvent::EdgeMet(EdgeResponse::WalkOff));
        self.path.walkable = None;
        self.path.restore();
        self.contact.plane.clear();
        NextAttempt::Done(Insert::Ok)
    }

    /// Searches for the polygon that the mover stood on before the sub-step, and slides along its
    /// edge.
    fn slide_along_last_ground(&mut self, height: f32, min_normal_z: f32) -> NextAttempt {
        emit!(self, SweepEvent::EdgeMet(EdgeResponse::LookBack));
        self.path.add_offset(self.path.curr_centres[0] - self.path.spheres[0].centre);
        // Only the polygon it finds is needed.
        let _ = self.step_down(height, min_normal_z);
        self.contact.plane.clear();
        self.path.restore();
        let Some(walkable) = self.path.walkable else {
            emit!(self, SweepEvent::EdgeMet(EdgeResponse::NoEdge));
            return NextAttempt::Done(Insert::Collided);
        };
        let centre = self.path.check.local_centre(walkable.space, 0) * (1.0 / walkable.scale);
        let sphere = Sphere::new(centre, self.path.radius() * (1.0 / walkable.scale));
        self.path.walkable = Some(Walkable { sphere, ..walkable });
        self.precipice_slide()
    }

    /// Slides along the polygon edge that the mover has crossed.
    ///
    /// Retail: `CTransition::precipice_slide`.
    fn precipice_slide(&mut self) -> NextAttempt {
        let walkable = self.path.walkable.take();
        let crossed = walkable.and_then(|walkable| {
            let edge = walkable.polygon.find_crossed_edge(&walkable.sphere, walkable.up)?;
            Some(walkable.space.rows.to_global(edge))
        });
        let Some(mut normal) = crossed else {
            emit!(self, SweepEvent::EdgeMet(EdgeResponse::NoEdge));
            return NextAttempt::Done(Insert::Collided);
        };
        self.path.step.up = false;
        if normal.dot(self.path.movement(0)) > 0.0 {
            normal = -normal;
        }
        if P::ENABLED {
            let cell = self.path.check.position.cell;
            let beyond = walkable.filter(|it| !it.polygon.contains(it.sphere.centre));
            let point = beyond.map(|Walkable { polygon, sphere, space, scale, .. }| {
                space.to_block_of(cell, polygon.nearest_point(sphere.centre) * scale)
            });
            emit!(self, SweepEvent::EdgeMet(EdgeResponse::PrecipiceSlide { normal, point }));
        }
        match self.slide_sphere(0, normal) {
            Insert::Collided => NextAttempt::Done(Insert::Collided),
            other => NextAttempt::Retry(other),
        }
    }

    /// Moves the mover along the line where the ground becomes too steep.
    ///
    /// Retail: `CTransition::cliff_slide`.
    fn cliff_slide(&mut self, steep: &Plane) -> Insert {
        let along = steep.normal.cross(self.contact.last_plane.plane.normal);
        let Some(away) = vector::normalise(Vec3::new(-along.y, along.x, 0.0)) else {
            return Insert::Ok;
        };
        let depth = away.dot(self.path.movement(0));
        // Retail oddity: where the movement goes against the slope this doubles the intrusion; the
        // sub-step then fails, and the sliding normal works the next time (D16).
        let (away, moved) =
            if depth <= 0.0 { (away, away * depth) } else { (-away, -away * depth) };
        emit!(
            self,
            SweepEvent::EdgeMet(EdgeResponse::CliffSlide { normal: steep.normal, away, moved })
        );
        self.path.add_offset(moved);
        self.contact.hit.set(away);
        Insert::Adjusted
    }
}
