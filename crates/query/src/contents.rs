//! What is in a cell: ground, walls, the shell of a building, objects.

use threshold_geom::{CastContact, Cylinder, Polygon, Sides};
use threshold_land::vector::DVec3;
use threshold_land::{Space, Sphere, block_offset_between};
use threshold_world::{Cell, LandCell, Object, Room, Solid, State};

use crate::collect::{Collector, Mode, Scope};
use crate::constants::rounded;
use crate::filter::ObjectKinds;
use crate::hit::{HitTarget, ObjectShape};
use crate::place::Place;
use crate::volume::{Stretch, Volume};
use crate::walk::Walk;

/// How far the corner of a square lies outside of its circle, as a part of the radius; rounded up.
const RIM_REACH: f64 = 0.415;

impl<V: Volume> Walk<'_, V> {
    /// Collects what the volume meets in a cell, on the stretch of its path on which the cell counts.
    pub(crate) fn meet_contents(&mut self, cell: Cell<'_>, stretch: Stretch, volume: V) {
        let length = volume.path().map(crate::volume::Cast::length);
        let scope = Scope { cell: cell.id(), stretch, length };
        let to = stretch.to.min(self.scratch.collector.limit);
        let near = volume.clipped(Stretch { to, ..stretch });
        let surfaces = self.scratch.collector.mode() != Mode::Objects;
        match cell {
            Cell::Land(land) => {
                if surfaces && self.filter.ground {
                    self.meet_ground(land, &scope, volume);
                }
                if let Some(building) = land.building() {
                    self.note_unknown_rooms(building, stretch, near);
                    if let Some(shell) = building.shell().filter(|_| surfaces && self.filter.shells)
                    {
                        let cell = building.position.cell;
                        self.meet_solid(&shell, &scope, near, |polygon| HitTarget::Shell {
                            cell,
                            polygon,
                        });
                    }
                }
            }
            Cell::Room(room) if surfaces && self.filter.rooms => {
                self.meet_walls(room, &scope, near);
            }
            Cell::Room(_) => {}
        }
        if self.filter.kinds != ObjectKinds::NONE {
            self.meet_objects(&scope, near);
        }
    }

    fn meet_ground(&mut self, land: LandCell<'_>, scope: &Scope, volume: V) {
        let terrain = land.land().terrain();
        for number in [2 * land.index(), 2 * land.index() + 1] {
            let (vertices, plane) = (terrain.triangle(number), terrain.plane(number));
            let polygon = Polygon { vertices: &vertices, plane, sides: Sides::Single };
            if let Some(contact) = volume.meet_polygon(&polygon, self.filter.both_sides) {
                let (cell, triangle) = (land.id(), u32::try_from(number).unwrap_or(u32::MAX));
                let target = HitTarget::Ground { cell, triangle };
                self.scratch.collector.take(scope, &contact, target);
            }
        }
    }

    fn meet_walls(&mut self, room: &Room, scope: &Scope, near: V) {
        let (tree, space) = (&room.structure().physics, room.space());
        let solid = Solid { tree, space, scale: 1.0 };
        let cell = room.id();
        self.meet_solid(&solid, scope, near, |polygon| HitTarget::Room { cell, polygon });
    }

    /// Collects polygons of a tree in the landblock of the cell.
    fn meet_solid(
        &mut self,
        solid: &Solid<'_>,
        scope: &Scope,
        near: V,
        target: impl Fn(u32) -> HitTarget,
    ) {
        let both = self.filter.both_sides;
        meet_tree(&mut self.scratch.collector, solid, scope, (near, both, DVec3::ZERO), target);
    }

    fn meet_objects(&mut self, scope: &Scope, near: V) {
        let (world, filter) = (self.world, self.filter);
        let (centre, radius) = near.bounds();
        // The rim of a cylinder is met as that of a box, whose corner lies outside of the sum of the
        // bounding spheres.
        let corner = near.path().map_or(0.0, |cast| cast.sphere.radius * RIM_REACH);
        let around = Sphere::new(centre.as_vec3(), rounded(radius + corner) + 0.1);
        let mut objects = world.objects_near(scope.cell);
        while let Some(object) = objects.next(|_| true, &around) {
            if !filter.accepts(object) {
                continue;
            }
            let offset = block_offset_between(scope.cell, object.position().cell).as_dvec3();
            let there = near.shifted(offset);
            let bounds = object.bounds();
            if !there.is_near(&Sphere::new(bounds.centre, bounds.radius + rounded(corner))) {
                continue;
            }
            if self.scratch.collector.mode() == Mode::Objects {
                self.meet_whole_object(object, scope, offset, there);
            } else {
                self.meet_shapes(object, scope, offset, there);
            }
        }
    }

    /// Collects the shapes of an object, as movers meet them: its trees, or else its cylinders, or
    /// else its spheres. `there` is in the frame of its landblock.
    fn meet_shapes(&mut self, object: &Object, scope: &Scope, offset: DVec3, there: V) {
        let (id, both) = (object.id(), self.filter.both_sides);
        let collector = &mut self.scratch.collector;
        if object.state().has(State::HAS_PHYSICS_TREE) {
            for (part, solid) in object.solid_parts() {
                let part = number(part);
                meet_tree(collector, &solid, scope, (there, both, offset), |polygon| {
                    HitTarget::Object { id, shape: ObjectShape::Part { part, polygon } }
                });
            }
            return;
        }
        let mut take = |contact: Option<CastContact>, shape| {
            if let Some(mut contact) = contact {
                contact.point += offset;
                collector.take(scope, &contact, HitTarget::Object { id, shape });
            }
        };
        for (index, cylinder) in cylinders(object).enumerate() {
            take(there.meet_cylinder(&cylinder), ObjectShape::Cylinder(number(index)));
        }
        for (index, sphere) in spheres(object).enumerate() {
            take(there.meet_sphere(&sphere), ObjectShape::Sphere(number(index)));
        }
    }
}

/// Collects polygons of a tree that the volume meets, from both sides if so asked. `offset` leads
/// from the landblock of the cell to that of the tree.
fn meet_tree<V: Volume>(
    collector: &mut Collector,
    solid: &Solid<'_>,
    scope: &Scope,
    (volume, both_sides, offset): (V, bool, DVec3),
    target: impl Fn(u32) -> HitTarget,
) {
    let place = Place::new(solid.space, solid.scale);
    let local = volume.localised(&place);
    let at_rest = volume.at_rest().is_some();
    solid.tree.visit_near(&mut |sphere| local.is_near(sphere), &mut |index, polygon| {
        let Some(contact) = local.meet_polygon(&polygon, both_sides) else { return };
        let mut contact = place.contact_to_block(contact);
        contact.point += offset;
        if at_rest {
            contact.time *= place.scale.abs();
        }
        collector.take(scope, &contact, target(index));
    });
}

/// A number of parts or shapes; no record has more than fit.
pub(crate) fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// The collision cylinders of an object without a physics tree, in the frame of its landblock.
pub(crate) fn cylinders(object: &Object) -> impl Iterator<Item = Cylinder> + '_ {
    let (space, scale) = (Space::new(object.position()), object.scale());
    object.setup().cylinders.iter().map(move |shape| Cylinder {
        low: space.to_block(shape.low * scale),
        radius: shape.radius * scale.abs(),
        height: shape.height * scale.abs(),
    })
}

/// The collision spheres of an object without a physics tree and cylinders.
pub(crate) fn spheres(object: &Object) -> impl Iterator<Item = Sphere> + '_ {
    let (space, scale) = (Space::new(object.position()), object.scale());
    let none = !object.setup().cylinders.is_empty();
    let shapes = if none { &[][..] } else { &object.setup().spheres };
    shapes.iter().map(move |shape| {
        Sphere::new(space.to_block(shape.centre * scale), shape.radius * scale.abs())
    })
}
