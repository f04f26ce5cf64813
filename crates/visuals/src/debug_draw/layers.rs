//! The debug layers of the program: cells, portals, regions and collision shapes.

use threshold_land::vector::{DVec2, Vec3};
use threshold_land::{CellId, Plane, Position};
use threshold_view::{RegionContent, Viewer, VisibleSet};
use threshold_world::{Room, World};

use super::DebugDraw;

/// Colours of the layers, linear RGB.
const CELL: [f32; 3] = [0.9, 0.8, 0.1];
const PORTAL: [f32; 3] = [0.1, 0.8, 1.0];
const EXIT: [f32; 3] = [0.1, 1.0, 0.2];
const REGION: [f32; 3] = [1.0, 0.3, 0.9];
const CANDIDATE: [f32; 3] = [1.0, 0.45, 0.05];
const CONTACT: [f32; 3] = [0.2, 1.0, 0.6];
const PHYSICS: [f32; 3] = [1.0, 0.1, 0.1];

/// Distance from the eye at which region outlines are drawn, in metres.
const OUTLINE_DISTANCE: f64 = 0.5;
/// Length of the region cones, in metres.
const CONE_LENGTH: f64 = 12.0;
/// Half the side of the square that shows the contact plane, in metres.
const CONTACT_HALF_SIZE: f32 = 0.6;

/// Draws the polygons of every visible room, and its id.
pub fn draw_cells(draw: &mut dyn DebugDraw, world: &World, seen: &VisibleSet) {
    draw.begin_layer("cells");
    for room in seen.cells().filter_map(|cell| world.room(cell.id())) {
        outlines(draw, room, CELL);
        let text = format!("{}", room.id());
        draw.text(room.id(), middle(room).to_array(), &text);
    }
}

/// Draws the portals of every visible room; exit portals have another colour.
pub fn draw_portals(draw: &mut dyn DebugDraw, world: &World, seen: &VisibleSet) {
    draw.begin_layer("portals");
    for room in seen.cells().filter_map(|cell| world.room(cell.id())) {
        for portal in room.portals() {
            let colour = if portal.other.is_some() { PORTAL } else { EXIT };
            let corners = room.portal_polygon(portal).vertices.iter();
            draw.ring(room.id(), &in_block(room, corners), colour);
        }
    }
}

/// Draws the outline of every region, right in front of the eye.
pub fn draw_regions(draw: &mut dyn DebugDraw, seen: &VisibleSet, viewer: &Viewer) {
    draw.begin_layer("regions");
    for region in seen.regions() {
        let at = |corner: &DVec2| {
            (viewer.eye() + viewer.direction(*corner) * OUTLINE_DISTANCE).as_vec3().to_array()
        };
        let corners: Vec<[f32; 3]> = region.corners().iter().map(at).collect();
        let colour = if region.content() == RegionContent::Landscape { EXIT } else { REGION };
        draw.ring(viewer.cell(), &corners, colour);
    }
}

/// Draws the regions as cones from the eye through their corners, for a frozen view seen from the side.
pub fn draw_region_cones(draw: &mut dyn DebugDraw, seen: &VisibleSet, viewer: &Viewer) {
    draw.begin_layer("region cones");
    let at = |corner: &DVec2, far: f64| {
        (viewer.eye() + viewer.direction(*corner) * far).as_vec3().to_array()
    };
    for region in seen.regions() {
        let colour = if region.content() == RegionContent::Landscape { EXIT } else { REGION };
        for corner in region.corners() {
            draw.line(
                viewer.cell(),
                [viewer.eye().as_vec3().to_array(), at(corner, CONE_LENGTH)],
                colour,
            );
        }
        let far: Vec<[f32; 3]> =
            region.corners().iter().map(|corner| at(corner, CONE_LENGTH)).collect();
        draw.ring(viewer.cell(), &far, colour);
    }
}

/// Draws the cells of a mover's cell array, numbered in order.
pub fn draw_candidates(
    draw: &mut dyn DebugDraw,
    world: &World,
    cells: impl IntoIterator<Item = CellId>,
) {
    draw.begin_layer("cell array");
    for (number, id) in cells.into_iter().enumerate() {
        match (world.room(id), world.land_cell(id)) {
            (Some(room), _) => {
                outlines(draw, room, CANDIDATE);
                draw.text(id, middle(room).to_array(), &format!("{number}: {id}"));
            }
            (None, Some(land)) => {
                let first = 2 * land.index();
                for triangle in [first, first + 1] {
                    let corners = land.land().terrain().triangle(triangle).map(Vec3::to_array);
                    draw.ring(id, &corners, CANDIDATE);
                }
            }
            (None, None) => {}
        }
    }
}

/// Draws the contact plane of a mover at `at`, in the frame of its landblock.
pub fn draw_contact(draw: &mut dyn DebugDraw, at: &Position, plane: &Plane) {
    draw.begin_layer("contact plane");
    let feet = at.frame.origin;
    let foot = feet - plane.normal * plane.distance(feet);
    let aside = plane.normal.any_orthonormal_vector();
    let along = plane.normal.cross(aside);
    let corner = |x: f32, y: f32| foot + (aside * x + along * y) * CONTACT_HALF_SIZE;
    let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    draw.ring(at.cell, &corners.map(Vec3::to_array), CONTACT);
    draw.line(at.cell, [foot, foot + plane.normal].map(Vec3::to_array), CONTACT);
}

/// Draws the physics polygons of every visible room.
pub fn draw_physics(draw: &mut dyn DebugDraw, world: &World, seen: &VisibleSet) {
    draw.begin_layer("physics polygons");
    for room in seen.cells().filter_map(|cell| world.room(cell.id())) {
        for polygon in room.structure().physics.polygons().iter() {
            draw.ring(room.id(), &in_block(room, polygon.vertices.iter()), PHYSICS);
        }
    }
}

fn outlines(draw: &mut dyn DebugDraw, room: &Room, colour: [f32; 3]) {
    for polygon in room.structure().drawing.iter() {
        draw.ring(room.id(), &in_block(room, polygon.vertices.iter()), colour);
    }
}

/// Returns corners of a polygon of a room, in the frame of its landblock.
fn in_block<'a>(room: &Room, corners: impl Iterator<Item = &'a Vec3>) -> Vec<[f32; 3]> {
    corners.map(|corner| room.to_block(*corner).to_array()).collect()
}

/// Returns the centre of the bounding box of a room.
fn middle(room: &Room) -> Vec3 {
    let corners = room.structure().drawing.iter().flat_map(|polygon| polygon.vertices.to_vec());
    let none = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let (low, high) = corners.fold(none, |(low, high), at| (low.min(at), high.max(at)));
    room.to_block((low + high) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::super::{DebugOverlay, DebugRecording};
    use super::*;
    use threshold_forge::samples;
    use threshold_land::vector::DVec3;
    use threshold_view::{Lens, PortalWalk, ViewScratch};
    use threshold_world::Builder;

    #[test]
    fn layers_show_rooms_portals_regions_physics_and_the_contact_plane() {
        let builder = Builder::new(samples::two_rooms().unwrap());
        let mut world = World::new();
        let rooms = [CellId(0x0102_0100), CellId(0x0102_0101)];
        for piece in builder.pieces() {
            world.adopt(builder.build(piece).unwrap().unwrap().piece);
        }
        let (eye, look) = (DVec3::new(1.0, 2.0, 1.5), DVec3::new(4.0, 2.0, 1.5));
        let viewer = Viewer::looking_at(rooms[0], eye, look, Lens::default()).unwrap();
        let mut scratch = ViewScratch::new();
        let seen = PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer);
        let count = |add: &dyn Fn(&mut DebugOverlay)| {
            let mut overlay = DebugOverlay::default();
            add(&mut overlay);
            (overlay.lines.len(), overlay.labels.len())
        };
        // Six faces of four sides each, the portal among them.
        assert_eq!(count(&|overlay| draw_cells(overlay, &world, seen)), (2 * 6 * 4, 2));
        assert_eq!(count(&|overlay| draw_portals(overlay, &world, seen)), (2 * 4, 0));
        assert_eq!(count(&|overlay| draw_regions(overlay, seen, &viewer)), (2 * 4, 0));
        assert_eq!(count(&|overlay| draw_physics(overlay, &world, seen)), (2 * 5 * 4, 0));
        assert_eq!(count(&|overlay| draw_candidates(overlay, &world, rooms)), (2 * 6 * 4, 2));
        let mut recording = DebugRecording::default();
        draw_regions(&mut recording, seen, &viewer);
        draw_candidates(&mut recording, &world, rooms);
        let names: Vec<&str> = recording.layers().iter().map(|layer| &layer.name[..]).collect();
        assert_eq!(names, ["regions", "cell array"]);
        let (mut direct, mut replayed) = (DebugOverlay::default(), DebugOverlay::default());
        draw_regions(&mut direct, seen, &viewer);
        draw_candidates(&mut direct, &world, rooms);
        recording.replay(&mut replayed);
        assert_eq!(direct, replayed);
        let floor = Plane { normal: Vec3::Z, d: 0.0 };
        let at = Position::new(rooms[0], Vec3::new(1.0, 2.0, 0.3));
        let mut overlay = DebugOverlay::default();
        draw_contact(&mut overlay, &at, &floor);
        assert_eq!(overlay.lines.len(), 5);
        assert!(overlay.lines[..4].iter().all(|line| line.ends[0].z == 0.0));
    }
}
