//! Pushing a mover that is put somewhere out of matter.

use threshold_geom::SolidPoly;
use threshold_land::Sphere;
use threshold_land::glam::Vec3;

use super::Transition;
use super::tree::TreeSpace;
use crate::constants::PUSH_ATTEMPTS;
use crate::outcome::Insert;
use crate::probe::{SweepEvent, SweepProbe};

/// The mover's spheres on their way out of a tree.
struct Pushed {
    spheres: [Sphere; 2],
    count: usize,
    /// How near a cut is crossed, and how far out the push goes; the spheres stay as they are.
    radius: f32,
    /// Retail oddity: the polygon is found once and never forgotten, so that the push follows the first ones.
    polygon: Option<u32>,
}

impl Pushed {
    /// What of the spheres is in matter: the index of the first that is, and whether its centre is.
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
    /// Moves the mover out of the walls it is in, if that can be done in few steps.
    ///
    /// Retail: `BSPTREE::placement_insert`.
    pub(super) fn push_out(&mut self, local: &TreeSpace<'_>) -> Insert {
        let feet = local.sphere(&self.path, 0);
        let centre_check = self.path.checks_centre();
        let mut pushed = Pushed {
            spheres: [feet, local.sphere(&self.path, 1)],
            count: self.path.indices().len(),
            radius: feet.radius,
            polygon: None,
        };
        for attempt in 0..PUSH_ATTEMPTS {
            let Some((index, centre_solid)) = pushed.solid(local, centre_check) else {
                if attempt == 0 {
                    return Insert::Ok;
                }
                // Retail oddity: not scaled.
                self.path.add_offset(local.global(pushed.spheres[0].centre - feet.centre));
                return Insert::Adjusted;
            };
            if P::ENABLED {
                let normal = pushed.polygon.map_or(Vec3::ZERO, |polygon| local.normal(polygon));
                emit!(
                    self,
                    SweepEvent::PushedOut { sphere: index, polygon: pushed.polygon, normal }
                );
            }
            let Some(polygon) = pushed.polygon else {
                // In matter, and no wall near: one is looked for farther out.
                pushed.radius *= 2.0;
                continue;
            };
            let polygon = local.polygon(polygon);
            let [first, second] = &mut pushed.spheres;
            let (struck, other) = if index == 0 { (first, second) } else { (second, first) };
            let radius = pushed.radius;
            polygon.adjust_to_placement_poly(struck, other, radius, centre_solid, centre_check);
        }
        Insert::Collided
    }
}
