//! The check of objects: each must be in its room.

use std::collections::BTreeMap;

use threshold_dat::Stab;
use threshold_geom::Inside;
use threshold_land::{CellId, Sphere};
use threshold_world::{Builder, Room, Setup};

use super::{Chamber, Findings};

/// Checks the objects of a room.
pub(super) fn check(
    rooms: &BTreeMap<CellId, Chamber>,
    builder: &Builder,
    chamber: &Chamber,
    found: &mut Findings,
) {
    let id = chamber.room.id();
    for (index, object) in chamber.record.statics.iter().enumerate() {
        let origin = object.frame.origin;
        if chamber.room.contains(origin) {
            continue;
        }
        let what = format!("static object {index} ({})", object.model);
        let holder = rooms.values().find(|other| other.room.contains(origin));
        let place = holder.map_or_else(
            || "in no room of its landblock".into(),
            |it| format!("in {}", it.room.id()),
        );
        match builder.setup(object.model).map(|setup| reach(&chamber.room, &setup, object)) {
            Ok(Reach::Apart) => found.error(
                id,
                (id, origin),
                format!("{what} is nowhere near its room; its origin is {place}"),
            ),
            // What has no shape, or one that cannot be read, is in nobody's way.
            Ok(Reach::Touching | Reach::Shapeless) | Err(_) => {
                found.note(id, (id, origin), format!("{what} has its origin {place}"));
            }
        }
    }
}

/// How the shape of an object lies to a room.
enum Reach {
    Touching,
    Apart,
    Shapeless,
}

fn reach(room: &Room, setup: &Setup, object: &Stab) -> Reach {
    let frame = &object.frame;
    let box_touches = |part: &threshold_world::SetupPart| {
        let part_frame = frame.combine(&part.pose);
        let place = |corner| room.to_local(part_frame.to_global(corner * part.scale));
        room.box_intersects(&part.model.bounds.mapped(place))
    };
    let sphere_touches = |sphere: Sphere| {
        let there = Sphere::new(frame.to_global(sphere.centre), sphere.radius);
        room.sphere_inside(&there) != Inside::Outside
    };
    // A sphere round either half of a cylinder is enough to tell.
    let cylinders = setup.cylinders.iter().flat_map(|cylinder| {
        let up = threshold_land::glam::Vec3::Z * cylinder.height;
        [cylinder.low, cylinder.low + up * 0.5, cylinder.low + up]
            .map(|centre| Sphere::new(centre, cylinder.radius))
    });
    let mut spheres = setup.spheres.iter().copied().chain(cylinders);
    if setup.parts.iter().any(box_touches) || spheres.any(sphere_touches) {
        return Reach::Touching;
    }
    let bare = setup.parts.is_empty() && setup.spheres.is_empty() && setup.cylinders.is_empty();
    if bare { Reach::Shapeless } else { Reach::Apart }
}
