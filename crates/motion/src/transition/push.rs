//! Pushes a placed mover out of solid space.

use threshold_geom::SolidPoly;
use threshold_land::Sphere;
use threshold_land::vector::Vec3;

use super::Transition;
use super::tree::TreeSpace;
use crate::constants::PUSH_ATTEMPTS;
use crate::outcome::Insert;
use crate::probe::{SweepEvent, SweepProbe};

/// The mover's spheres while they are pushed out of a tree.
struct PushState {
    spheres: [Sphere; 2],
    count: usize,
    /// Search radius and push distance; the spheres keep their own radii.
    radius: f32,
    /// Retail oddity: the polygon is never forgotten, so the push keeps following the first ones.
    polygon: Option<u32>,
}

impl PushState {
    /// Returns the index of the first sphere inside solid space, and whether its centre is.
    fn solid(&mut self, local: &TreeSpace<'_>, centre_check: bool) -> Option<(usize, bool)> {
        let mut found = SolidPoly { centre_solid: false, polygon: self.polygon };
        let hit = (0..self.count).find(|index| {
            let sphere = &self.spheres[*index];
            local.tree.sphere_intersects_solid_poly(sphere, self.radius, centre_check, &mut found)
        });
        self.polygon = found.polygon;
        hit.map(|index| (index, found.centre_solid))
    }
}

impl<P: SweepProbe> Transition<'_, P> {
    /// Moves the mover out of walls it overlaps, within [`PUSH_ATTEMPTS`] attempts.
    ///
    /// Retail: `BSPTREE::placement_insert`.
    pub(super) fn push_out(&mut self, local: &TreeSpace<'_>) -> Insert {
        let feet = local.sphere(&self.path, 0);
        let centre_check = self.path.checks_centre();
        let mut state = PushState {
            spheres: [feet, local.sphere(&self.path, 1)],
            count: self.path.indices().len(),
            radius: feet.radius,
            polygon: None,
        };
        for attempt in 0..PUSH_ATTEMPTS {
            let Some((index, centre_solid)) = state.solid(local, centre_check) else {
                if attempt == 0 {
                    return Insert::Ok;
                }
                // Retail oddity: the offset is not scaled.
                self.path.add_offset(local.global(state.spheres[0].centre - feet.centre));
                return Insert::Adjusted;
            };
            if P::ENABLED {
                let normal = state.polygon.map_or(Vec3::ZERO, |polygon| local.normal(polygon));
                emit!(
                    self,
                    SweepEvent::PushedOut { sphere: index, polygon: state.polygon, normal }
                );
            }
            let Some(polygon) = state.polygon else {
                // Inside solid space with no wall near: search farther out.
                state.radius *= 2.0;
                continue;
            };
            let polygon = local.polygon(polygon);
            let [first, second] = &mut state.spheres;
            let (struck, other) = if index == 0 { (first, second) } else { (second, first) };
            let radius = state.radius;
            polygon.adjust_to_placement_poly(struck, other, radius, centre_solid, centre_check);
        }
        Insert::Collided
    }
}
