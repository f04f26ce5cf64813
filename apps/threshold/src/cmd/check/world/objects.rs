//! The check of objects: each must be in its room, or not deep in the ground.

use std::collections::BTreeMap;

use threshold_dat::Stab;
use threshold_geom::{Bounds, CELL_MARGIN, Containment, Cylinder};
use threshold_land::glam::{Vec2, Vec3};
use threshold_land::{BlockId, CellId, Frame, Plane, Sphere, adjust_to_outside};
use threshold_world::{Builder, Land, Room, Setup};

use super::{Chamber, Findings, Site};

/// How far below the ground all of an object is before that is worth a note, in metres: roots and
/// foundations are below it too.
const BURIED: f32 = 2.0;

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

impl Site<'_> {
    /// Objects that nobody can see or bump into because the ground is above them.
    pub(super) fn check_outdoor_objects(&mut self, land: &Land) {
        let Some(info) = &self.info else { return };
        for (index, object) in info.objects.iter().enumerate() {
            // One that stands outside has had its error, as has one whose shape cannot be read.
            let Some(cell) = land_cell(self.block, object.frame.origin) else { continue };
            let Ok(setup) = self.check.builder.setup(object.model) else { continue };
            let Some(depth) = depth(land, &setup, &object.frame) else { continue };
            if depth > BURIED {
                let message =
                    format!("object {index} ({}) is {depth:.3} m below the ground", object.model);
                let record = self.block.cell(0xFFFE);
                self.found.note(record, (cell, object.frame.origin), message);
            }
        }
    }
}

/// The land cell of a landblock that a point is above or below.
fn land_cell(block: BlockId, point: Vec3) -> Option<CellId> {
    let (cell, _) = adjust_to_outside(block.as_cell(), point)?;
    (cell.block() == block).then_some(cell)
}

/// How far the top of an object is below the lowest ground round it; what is wide may stick out of a
/// slope far from its origin.
fn depth(land: &Land, setup: &Setup, frame: &Frame) -> Option<f32> {
    let Bounds { min, max } = extent(setup, frame)?;
    let height = |at: Vec2| {
        let cell = land_cell(land.block(), at.extend(0.0))?;
        let index = usize::from(cell.low().checked_sub(1)?);
        land.cell(index)?.ground(at)?.plane.height(at.x, at.y)
    };
    let sides = [(min.x, min.y), (min.x, max.y), (max.x, min.y), (max.x, max.y)];
    let corners = sides.map(|(x, y)| Vec2::new(x, y)).into_iter();
    let ground = corners.chain([frame.origin.truncate()]).filter_map(height).reduce(f32::min)?;
    Some(ground - max.z)
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
        room.sphere_inside(&there) != Containment::Outside
    };
    // As for boxes and spheres: outside is what is behind one plane with all of its axis.
    let cylinder_touches = |cylinder: &Cylinder| {
        let [low, high] = ends(cylinder).map(|end| room.to_local(frame.to_global(end)));
        let behind = |plane: &Plane| {
            plane.distance(low).max(plane.distance(high)) <= -(cylinder.radius + CELL_MARGIN)
        };
        !room.structure().cell_tree.planes().iter().any(behind)
    };
    let touching = setup.parts.iter().any(box_touches)
        || setup.spheres.iter().copied().any(sphere_touches)
        || setup.cylinders.iter().any(cylinder_touches);
    match extent(setup, frame) {
        _ if touching => Reach::Touching,
        Some(_) => Reach::Apart,
        None => Reach::Shapeless,
    }
}

/// The ends of a cylinder's axis.
fn ends(cylinder: &Cylinder) -> [Vec3; 2] {
    [cylinder.low, cylinder.low + Vec3::Z * cylinder.height]
}

/// A box round the shape of an object that stands at `frame`; `None` without a shape.
fn extent(setup: &Setup, frame: &Frame) -> Option<Bounds> {
    let parts = setup.parts.iter().map(|part| {
        let part_frame = frame.combine(&part.pose);
        part.model.bounds.mapped(|corner| part_frame.to_global(corner * part.scale))
    });
    let round = |centre: Vec3, radius: f32| {
        let centre = frame.to_global(centre);
        Bounds { min: centre - radius, max: centre + radius }
    };
    let spheres = setup.spheres.iter().map(|sphere| round(sphere.centre, sphere.radius));
    let cylinders = setup
        .cylinders
        .iter()
        .flat_map(|cylinder| ends(cylinder).map(|end| round(end, cylinder.radius)));
    parts.chain(spheres).chain(cylinders).reduce(|one, other| one.union(&other))
}
