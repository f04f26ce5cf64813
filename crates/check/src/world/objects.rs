//! The check of objects: those of a room must be in it, those outdoors not deep in the ground.

use std::collections::BTreeMap;

use threshold_dat::Stab;
use threshold_geom::{Bounds, CELL_MARGIN, Containment, Cylinder};
use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{BlockId, CellId, Frame, Plane, Position, Sphere, adjust_to_outside};
use threshold_world::{Builder, Land, Room, Setup};

use super::{BlockCheck, CheckedRoom, Findings};

/// Depth in metres of the top of an object below the ground from which it is a note. Roots and foundations are less
/// deep.
const MIN_BURIED_DEPTH: f32 = 2.0;

/// Checks the objects of a room.
pub(super) fn check(
    rooms: &BTreeMap<CellId, CheckedRoom>,
    builder: &Builder,
    checked: &CheckedRoom,
    findings: &mut Findings,
) {
    let id = checked.room.id();
    for (index, object) in checked.record.statics.iter().enumerate() {
        let origin = object.frame.origin;
        if checked.room.contains(origin) {
            continue;
        }
        let object_name = format!("static object {index} ({})", object.model);
        let container = rooms.values().find(|other| other.room.contains(origin));
        let container = container.map_or_else(
            || "in no room of its landblock".into(),
            |other| format!("in {}", other.room.id()),
        );
        match builder.setup(object.model).map(|setup| reach(&checked.room, &setup, object)) {
            Ok(Reach::Apart) => findings.error(
                id,
                Position::new(id, origin),
                format!("{object_name} is nowhere near its room; its origin is {container}"),
            ),
            // An object without a readable shape blocks no mover.
            Ok(Reach::Touching | Reach::Shapeless) | Err(_) => {
                findings.note(
                    id,
                    Position::new(id, origin),
                    format!("{object_name} has its origin {container}"),
                );
            }
        }
    }
}

impl BlockCheck<'_> {
    /// Notes objects that can be neither seen nor touched because they are below the ground.
    pub(super) fn check_outdoor_objects(&mut self, land: &Land) {
        let Some(info) = &self.info else { return };
        for (index, object) in info.objects.iter().enumerate() {
            // Objects outside the landblock and unreadable shapes are errors of their own.
            let Some(cell) = land_cell(self.block, object.frame.origin) else { continue };
            let Ok(setup) = self.check.builder.setup(object.model) else { continue };
            let Some(depth) = depth(land, &setup, &object.frame) else { continue };
            if depth > MIN_BURIED_DEPTH {
                let message =
                    format!("object {index} ({}) is {depth:.3} m below the ground", object.model);
                let record = self.block.cell(0xFFFE);
                self.findings.note(record, Position::new(cell, object.frame.origin), message);
            }
        }
    }
}

/// Returns the land cell above or below a point, if it is in the landblock.
fn land_cell(block: BlockId, point: Vec3) -> Option<CellId> {
    let (cell, _) = adjust_to_outside(block.as_cell(), point)?;
    (cell.block() == block).then_some(cell)
}

/// Returns how far the top of an object is below the lowest ground around it. A wide object can stick out of a slope
/// far from its origin.
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

/// Relation of an object's shape to a room.
enum Reach {
    Touching,
    Apart,
    Shapeless,
}

fn reach(room: &Room, setup: &Setup, object: &Stab) -> Reach {
    let frame = &object.frame;
    let box_touches = |part: &threshold_world::SetupPart| {
        let part_frame = frame.combine(&part.pose);
        let to_room = |corner| room.to_local(part_frame.to_global(corner * part.scale));
        room.box_intersects(&part.model.bounds.mapped(to_room))
    };
    let sphere_touches = |sphere: Sphere| {
        let placed = Sphere::new(frame.to_global(sphere.centre), sphere.radius);
        room.sphere_inside(&placed) != Containment::Outside
    };
    // As for boxes and spheres: a shape is outside if all of it is behind one plane.
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

/// Returns the ends of a cylinder's axis.
fn ends(cylinder: &Cylinder) -> [Vec3; 2] {
    [cylinder.low, cylinder.low + Vec3::Z * cylinder.height]
}

/// Returns a box around the shape of an object at `frame`; `None` without a shape.
fn extent(setup: &Setup, frame: &Frame) -> Option<Bounds> {
    let parts = setup.parts.iter().map(|part| {
        let part_frame = frame.combine(&part.pose);
        part.model.bounds.mapped(|corner| part_frame.to_global(corner * part.scale))
    });
    let ball = |centre: Vec3, radius: f32| {
        let centre = frame.to_global(centre);
        Bounds { min: centre - radius, max: centre + radius }
    };
    let spheres = setup.spheres.iter().map(|sphere| ball(sphere.centre, sphere.radius));
    let cylinders = setup
        .cylinders
        .iter()
        .flat_map(|cylinder| ends(cylinder).map(|end| ball(end, cylinder.radius)));
    parts.chain(spheres).chain(cylinders).reduce(|one, other| one.union(&other))
}
