//! Collisions with physics trees: walls, shells of buildings, and parts of objects.

use threshold_geom::{LANDING_Z, PhysicsTree, Polygon, PolygonHit, SolidPoly, WalkableQuery};
use threshold_land::vector::Vec3;
use threshold_land::{Space, Sphere};
use threshold_world::Solid;

use super::Transition;
use super::sphere::collided;
use super::sweep_path::{DeferredHit, InsertType, SweepPath, Walkable};
use crate::constants::{CLIP_ATTEMPTS, CLIP_BRACKET};
use crate::flags::Flags;
use crate::outcome::Insert;
use crate::probe::{ContactKind, SurfaceContact, SurfaceKind, SweepEvent, SweepProbe};
use crate::rules::MissileHead;

/// Conversion between the space of a tree and that of the mover. Retail: `cache_localspace_sphere`;
/// here each value is computed when it is needed.
#[derive(Clone, Copy)]
pub(super) struct TreeSpace<'w> {
    pub(super) tree: &'w PhysicsTree,
    space: &'w Space,
    scale: f32,
    inverse: f32,
    /// Whether the boxes of free space are tested before the tree is walked.
    free_boxes: bool,
}

impl<'w> TreeSpace<'w> {
    fn new(tree: &'w PhysicsTree, space: &'w Space, scale: f32, free_boxes: bool) -> Self {
        Self { tree, space, scale, inverse: 1.0 / scale, free_boxes }
    }

    /// Returns a sphere of the mover at the check position. Retail: `localspace_sphere`.
    #[inline]
    pub(super) fn sphere(&self, path: &SweepPath<'_>, index: usize) -> Sphere {
        let centre = path.check.local_centre(self.space, index) * self.inverse;
        Sphere::new(centre, path.spheres[index].radius * self.inverse)
    }

    /// Returns the centre of the first sphere at the current position. Retail:
    /// `localspace_curr_center`.
    #[inline]
    fn current(&self, path: &SweepPath<'_>) -> Vec3 {
        path.curr.local_centre(self.space, 0) * self.inverse
    }

    /// Retail: `localspace_z`.
    fn up(&self) -> Vec3 {
        self.space.rows.to_local(Vec3::Z)
    }

    /// Converts a direction to the landblock's frame.
    pub(super) fn global(&self, v: Vec3) -> Vec3 {
        self.space.rows.to_global(v)
    }

    pub(super) fn polygon(&self, index: u32) -> Polygon<'w> {
        self.tree.polygon(index)
    }

    /// Returns the normal of a polygon in the landblock's frame.
    pub(super) fn normal(&self, index: u32) -> Vec3 {
        self.global(self.polygon(index).plane.normal)
    }

    /// Tests a sphere against the polygons. Returns whether it runs into one, and the polygon it
    /// runs into or otherwise overlaps.
    fn hit_polygon(&self, sphere: &Sphere, movement: Vec3) -> (bool, Option<u32>) {
        let mut polygon_hit = PolygonHit::default();
        let hit = self.intersects_poly(sphere, movement, &mut polygon_hit);
        (hit, polygon_hit.polygon)
    }

    /// Returns whether a sphere is known to touch nothing, so that no query need walk the tree.
    #[inline]
    fn is_free(&self, sphere: &Sphere) -> bool {
        self.free_boxes && self.tree.is_in_free_box(sphere)
    }

    fn intersects_poly(&self, sphere: &Sphere, movement: Vec3, found: &mut PolygonHit) -> bool {
        !self.is_free(sphere) && self.tree.sphere_intersects_poly(sphere, movement, found)
    }
}

impl<'w, P: SweepProbe> Transition<'w, P> {
    /// Tests the mover against a BSP tree in the way its current step requires.
    ///
    /// Retail: `BSPTREE::find_collisions`.
    pub(super) fn find_tree_collisions(
        &mut self,
        tree: &'w PhysicsTree,
        space: &'w Space,
        scale: f32,
    ) -> Insert {
        let free_boxes = !P::ENABLED && self.scratch.shortcuts.free_boxes;
        let local = TreeSpace::new(tree, space, scale, free_boxes);
        let step = &self.path.step;
        if self.path.insert == InsertType::InitialPlacement {
            return self.push_out(&local);
        }
        if self.path.insert == InsertType::Placement || self.path.ethereal {
            return self.check_solid(&local);
        }
        let feet = local.sphere(&self.path, 0);
        if step.checking_walkable {
            let free = local.is_free(&feet);
            return collided(!free && tree.hits_walkable(&feet, local.up(), step.allowance));
        }
        if step.down {
            let depth = -(step.amount * step.interpolation) * local.inverse;
            return self.stand_on_walkable(&local, feet, local.up() * depth);
        }
        let movement = feet.centre - local.current(&self.path);
        if step.seeking_landing {
            self.stand_on_walkable(&local, feet, movement)
        } else if self.flags.has(Flags::CONTACT) {
            self.collide_standing(&local, &feet, movement)
        } else {
            self.collide_airborne(&local, &feet, movement)
        }
    }

    /// Returns whether any of the mover's spheres touches the bounding sphere of a tree.
    pub(super) fn is_near(&self, solid: &Solid<'w>) -> bool {
        let bounds = solid.tree.bounding_sphere();
        let local = TreeSpace::new(solid.tree, solid.space, solid.scale, false);
        self.path.indices().any(|index| bounds.intersects(&local.sphere(&self.path, index)))
    }

    /// Tests whether any mover sphere is inside solid space.
    fn check_solid(&mut self, local: &TreeSpace<'_>) -> Insert {
        let centre_check = self.path.checks_centre();
        let hit = self.path.indices().find(|index| {
            let sphere = local.sphere(&self.path, *index);
            !local.is_free(&sphere) && local.tree.sphere_intersects_solid(&sphere, centre_check)
        });
        if P::ENABLED
            && let Some(index) = hit
        {
            let polygon = polygon_of_solid(local, &local.sphere(&self.path, index), centre_check);
            self.emit_surface_contact(local, index, polygon, ContactKind::Overlaps);
        }
        collided(hit.is_some())
    }

    /// Reports contact of a sphere with a polygon.
    fn emit_surface_contact(
        &mut self,
        local: &TreeSpace<'_>,
        sphere: usize,
        polygon: Option<u32>,
        kind: ContactKind,
    ) {
        if !P::ENABLED {
            return;
        }
        let Sphere { centre, radius } = local.sphere(&self.path, sphere);
        let (cell, radius) = (self.path.check.position.cell, radius * local.scale);
        let surface = polygon.map_or(SurfaceKind::Solid, SurfaceKind::Polygon);
        let normal = polygon.map(|index| local.normal(index));
        let polygon = polygon.map(|index| local.polygon(index));
        let distance = polygon.map(|polygon| polygon.plane.distance(centre) * local.scale);
        let point = polygon.map(|polygon| {
            local.space.to_block_of(cell, polygon.nearest_point(centre) * local.scale)
        });
        let centre = self.path.check.centre(sphere);
        let contact =
            SurfaceContact { surface, kind, sphere, centre, radius, cell, normal, distance, point };
        emit!(self, SweepEvent::SurfaceMet(contact));
    }

    /// Moves the mover out of a walkable polygon and sets its contact plane.
    ///
    /// Retail: `BSPTREE::step_sphere_down`, and the branch of `find_collisions` that lands.
    fn stand_on_walkable(&mut self, local: &TreeSpace<'w>, feet: Sphere, movement: Vec3) -> Insert {
        if local.is_free(&feet) {
            return Insert::Ok;
        }
        let TreeSpace { tree, space, scale, .. } = *local;
        let up = local.up();
        let mut sphere = feet;
        let walk = WalkableQuery { movement, up, allowance: self.path.step.allowance };
        let found = tree.find_walkable(&mut sphere, &walk, &mut self.path.step.interpolation);
        let Some(index) = found else { return Insert::Ok };
        let moved = local.global(sphere.centre - feet.centre) * scale;
        self.path.add_offset(moved);
        let polygon = local.polygon(index);
        let cell = self.path.check.position.cell;
        let mut plane = space.plane_in(cell, &polygon.plane);
        // Retail oddity: correct only for objects at the origin of their landblock, or not scaled.
        plane.d *= scale;
        emit!(self, SweepEvent::GroundFound { polygon: Some(index), plane, moved });
        self.contact.set_contact_plane(plane, cell, false);
        self.path.walkable = Some(Walkable { polygon, sphere, up, space, scale });
        Insert::Adjusted
    }

    /// Steps up onto what the feet run into, slides along what the head runs into, and stores a
    /// deferred hit for a polygon touched while moving away.
    fn collide_standing(&mut self, local: &TreeSpace<'_>, feet: &Sphere, movement: Vec3) -> Insert {
        let (hit, feet) = local.hit_polygon(feet, movement);
        if let (true, Some(index)) = (hit, feet) {
            self.emit_surface_contact(local, 0, feet, ContactKind::RunsInto);
            return self.step_up_or_slide(local.normal(index));
        }
        if !self.path.has_head() {
            return Insert::Ok;
        }
        let (hit, head) = local.hit_polygon(&local.sphere(&self.path, 1), movement);
        if let (true, Some(index)) = (hit, head) {
            self.emit_surface_contact(local, 1, head, ContactKind::RunsInto);
            // The feet slide, though the head collided.
            return self.slide_sphere(0, local.normal(index));
        }
        if let Some(index) = head.or(feet) {
            let step_up = head.is_none();
            self.emit_surface_contact(
                local,
                usize::from(!step_up),
                Some(index),
                ContactKind::Leaves,
            );
            self.path.deferred_hit = Some(DeferredHit { step_up, normal: -local.normal(index) });
        }
        Insert::Ok
    }

    fn collide_airborne(&mut self, local: &TreeSpace<'_>, feet: &Sphere, movement: Vec3) -> Insert {
        let (_, polygon_hit) = local.hit_polygon(feet, movement);
        if let Some(index) = polygon_hit {
            if self.flags.has(Flags::PATH_CLIPPED) {
                return self.clip(local, feet, movement, index);
            }
            self.emit_surface_contact(local, 0, polygon_hit, ContactKind::FallsOn);
            self.path.seek_landing(local.normal(index), LANDING_Z);
            return Insert::Adjusted;
        }
        if self.path.has_head()
            && self.head_collides()
            && let (_, Some(index)) = local.hit_polygon(&local.sphere(&self.path, 1), movement)
        {
            self.emit_surface_contact(local, 1, Some(index), ContactKind::FallsOn);
            self.contact.hit.set(local.normal(index));
            return Insert::Collided;
        }
        Insert::Ok
    }

    /// Returns whether the second sphere of an airborne mover collides; rule `missile_head` decides
    /// for missiles.
    fn head_collides(&self) -> bool {
        !self.flags.has(Flags::PATH_CLIPPED) || self.rules.missile_head == MissileHead::Stops
    }

    /// Ends a clipped path. Retail: `BSPTREE::collide_with_pt`.
    fn clip(&mut self, local: &TreeSpace<'_>, feet: &Sphere, movement: Vec3, index: u32) -> Insert {
        self.emit_surface_contact(local, 0, Some(index), ContactKind::Ends);
        if !self.flags.has(Flags::PERFECT_CLIP) {
            self.contact.hit.set(local.normal(index));
            return Insert::Collided;
        }
        let from = local.current(&self.path);
        let Some(free) = last_free_centre(local, from, movement, feet.radius, index) else {
            return Insert::Collided;
        };
        self.contact.hit.set(local.normal(index));
        self.path.add_offset(local.global(free - feet.centre) * local.scale);
        Insert::Adjusted
    }
}

/// Returns a polygon of the solid space that a sphere is in, for the probe, searching with growing
/// radius.
fn polygon_of_solid(local: &TreeSpace<'_>, sphere: &Sphere, centre_check: bool) -> Option<u32> {
    [1.0, 2.0, 4.0, 8.0].into_iter().find_map(|times| {
        let mut found = SolidPoly { centre_solid: false, polygon: None };
        let radius = sphere.radius * times;
        // Only the polygon is needed; the overlap is known.
        let _ = local.tree.sphere_intersects_solid_poly(sphere, radius, centre_check, &mut found);
        found.polygon
    })
}

/// Returns the last centre on the first sphere's path at which it is free of the tree.
///
/// Retail: `BSPTREE::adjust_to_plane`. Both loops share one attempt count, and the time is not
/// clamped.
fn last_free_centre(
    local: &TreeSpace<'_>,
    from: Vec3,
    movement: Vec3,
    radius: f32,
    index: u32,
) -> Option<Vec3> {
    #[allow(clippy::cast_possible_truncation, reason = "rounded to single precision")]
    let at = |t: f64| {
        let along = |from: f32, movement: f32| (f64::from(from) + f64::from(movement) * t) as f32;
        let m = movement;
        Vec3::new(along(from.x, m.x), along(from.y, m.y), along(from.z, m.z))
    };
    let mut polygon_hit = PolygonHit { polygon: Some(index), contact: None };
    let hits = |t: f64, polygon_hit: &mut PolygonHit| {
        let sphere = Sphere::new(at(t), radius);
        local.intersects_poly(&sphere, movement, polygon_hit)
    };
    let (mut low, mut high, mut attempts) = (0.0, 1.0, 0);
    loop {
        let polygon = local.polygon(polygon_hit.polygon.unwrap_or(index));
        let time = polygon.adjust_sphere_to_poly(radius, from, movement);
        // Already at the plane: bisect the whole path.
        if time == 1.0 {
            break;
        }
        if !hits(time, &mut polygon_hit) {
            low = time;
            break;
        }
        high = time;
        attempts += 1;
        if attempts >= CLIP_ATTEMPTS {
            return None;
        }
    }
    while attempts < CLIP_ATTEMPTS {
        let middle = (low + high) / 2.0;
        if hits(middle, &mut polygon_hit) {
            high = middle;
        } else {
            low = middle;
        }
        if high - low < CLIP_BRACKET {
            break;
        }
        attempts += 1;
    }
    Some(at(low))
}
