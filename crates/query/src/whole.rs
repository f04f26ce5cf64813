//! Objects as wholes: whether a volume at rest touches them, and their nearest points.

use std::cell::Cell;

use threshold_geom::{CastContact, nearest_on_cylinder, nearest_on_polygon, nearest_on_sphere};
use threshold_land::Sphere;
use threshold_land::vector::DVec3;
use threshold_world::{Object, Solid, State};

use crate::collect::Scope;
use crate::contents::{cylinders, number, spheres};
use crate::hit::{HitTarget, ObjectShape};
use crate::place::Place;
use crate::volume::{Still, Volume, nearest_contact};
use crate::walk::Walk;

/// The nearest shape of an object so far.
struct Nearest {
    contact: Option<(CastContact, ObjectShape)>,
    touched: bool,
}

impl Nearest {
    fn add(&mut self, contact: CastContact, shape: ObjectShape) {
        if self.contact.as_ref().is_none_or(|(nearest, _)| contact.time < nearest.time) {
            self.contact = Some((contact, shape));
        }
    }

    fn distance(&self) -> f64 {
        self.contact.as_ref().map_or(f64::INFINITY, |(contact, _)| contact.time)
    }
}

impl<V: Volume> Walk<'_, V> {
    /// Collects an object once, if the volume touches it. `there` is in the frame of its landblock.
    pub(crate) fn meet_whole_object(
        &mut self,
        object: &Object,
        scope: &Scope,
        offset: DVec3,
        there: V,
    ) {
        let Some(still) = there.at_rest() else { return };
        let collector = &mut self.scratch.collector;
        let id = object.id();
        if collector.tested.contains(&id) {
            return;
        }
        collector.tested.push(id);
        let nearest = nearest_shape(object, still);
        if let (true, Some((mut contact, shape))) = (nearest.touched, nearest.contact) {
            contact.point += offset;
            collector.take(scope, &contact, HitTarget::Object { id, shape });
        }
    }
}

fn nearest_shape(object: &Object, still: &Still) -> Nearest {
    let mut nearest = Nearest { contact: None, touched: false };
    let centre = still.centre(0.0);
    if object.state().has(State::HAS_PHYSICS_TREE) {
        for (part, solid) in object.solid_parts() {
            add_tree(&mut nearest, &solid, number(part), still);
        }
        return nearest;
    }
    for (index, cylinder) in cylinders(object).enumerate() {
        nearest.touched |= still.touches_cylinder(&cylinder);
        let contact = nearest_contact(centre, nearest_on_cylinder(&cylinder, centre), DVec3::Z);
        nearest.add(contact, ObjectShape::Cylinder(number(index)));
    }
    for (index, sphere) in spheres(object).enumerate() {
        nearest.touched |= still.touches_sphere(&sphere);
        let contact = nearest_contact(centre, nearest_on_sphere(&sphere, centre), DVec3::Z);
        nearest.add(contact, ObjectShape::Sphere(number(index)));
    }
    if nearest.contact.is_none() {
        let origin = Sphere::new(object.position().frame.origin, 0.0);
        nearest.touched = still.touches_sphere(&origin);
        let contact = nearest_contact(centre, origin.centre.as_dvec3(), DVec3::Z);
        nearest.add(contact, ObjectShape::Origin);
    }
    nearest
}

/// Adds the nearest point of a part, and whether the volume touches the part.
fn add_tree(nearest: &mut Nearest, solid: &Solid<'_>, part: u32, still: &Still) {
    let place = Place::new(solid.space, solid.scale);
    let (local, size) = (still.localised(&place), place.scale.abs());
    let centre = local.centre(0.0);
    let touched = Cell::new(nearest.touched);
    solid.tree.visit_near(
        &mut |sphere| !touched.get() && local.is_near(sphere),
        &mut |_, polygon| {
            touched.set(touched.get() || local.touches_polygon(&polygon));
        },
    );
    nearest.touched = touched.get();
    let best = Cell::new(nearest.distance() / size);
    solid.tree.visit_near(
        &mut |sphere| {
            let gap = sphere.centre.as_dvec3().distance(centre) - f64::from(sphere.radius);
            gap <= best.get() + crate::constants::BOUNDS_MARGIN
        },
        &mut |polygon, face| {
            let point = nearest_on_polygon(&face, centre);
            let contact = nearest_contact(centre, point, face.plane.normal.as_dvec3());
            if contact.time < best.get() {
                best.set(contact.time);
                let contact = place.contact_to_block(CastContact { initial: false, ..contact });
                let contact = CastContact { time: contact.time * size, ..contact };
                nearest.add(contact, ObjectShape::Part { part, polygon });
            }
        },
    );
}
