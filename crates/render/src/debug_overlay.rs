//! Debug layers: cells, portals, regions and collision shapes as lines and labels.
//!
//! Each method adds to a [`DebugOverlay`]. The renderer draws the lines over everything else
//! (`gpu::RenderScene::lines`); the labels are for a host that can draw text.

use threshold_land::vector::{DVec2, Vec3};
use threshold_land::{CellId, Plane, Position};
use threshold_view::{RegionContent, Viewer, VisibleSet};
use threshold_world::{Room, World};

/// A line segment, in the frame of the landblock of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Cell in whose landblock the ends are given.
    pub cell: CellId,
    /// Both ends.
    pub ends: [Vec3; 2],
    /// Linear RGB.
    pub colour: [f32; 3],
}

/// A text at a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Position of the text.
    pub at: Position,
    /// The text.
    pub text: String,
}

/// Lines and labels of the debug layers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DebugOverlay {
    /// The lines.
    pub lines: Vec<Line>,
    /// The labels.
    pub labels: Vec<Label>,
}

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

impl DebugOverlay {
    /// Adds the polygons of every visible room, and its id.
    pub fn cells(&mut self, world: &World, seen: &VisibleSet) {
        for room in seen.cells().filter_map(|cell| world.room(cell.id())) {
            self.outlines(room, CELL);
            let text = format!("{}", room.id());
            self.labels.push(Label { at: Position::new(room.id(), middle(room)), text });
        }
    }

    /// Adds the portals of every visible room; exit portals have another colour.
    pub fn portals(&mut self, world: &World, seen: &VisibleSet) {
        for room in seen.cells().filter_map(|cell| world.room(cell.id())) {
            for portal in room.portals() {
                let colour = if portal.other.is_some() { PORTAL } else { EXIT };
                let corners = room.portal_polygon(portal).vertices.iter();
                let corners: Vec<Vec3> = corners.map(|corner| room.to_block(*corner)).collect();
                self.ring(room.id(), &corners, colour);
            }
        }
    }

    /// Adds the outline of every region, right in front of the eye.
    pub fn regions(&mut self, seen: &VisibleSet, viewer: &Viewer) {
        for region in seen.regions() {
            let at = |corner: &DVec2| {
                (viewer.eye() + viewer.direction(*corner) * OUTLINE_DISTANCE).as_vec3()
            };
            let corners: Vec<Vec3> = region.corners().iter().map(at).collect();
            let colour = if region.content() == RegionContent::Landscape { EXIT } else { REGION };
            self.ring(viewer.cell(), &corners, colour);
        }
    }

    /// Adds the regions as cones from the eye through their corners, for a frozen view seen from the side.
    pub fn cones(&mut self, seen: &VisibleSet, viewer: &Viewer) {
        let at =
            |corner: &DVec2, far: f64| (viewer.eye() + viewer.direction(*corner) * far).as_vec3();
        for region in seen.regions() {
            let colour = if region.content() == RegionContent::Landscape { EXIT } else { REGION };
            for corner in region.corners() {
                self.line(viewer.cell(), [viewer.eye().as_vec3(), at(corner, CONE_LENGTH)], colour);
            }
            let far: Vec<Vec3> =
                region.corners().iter().map(|corner| at(corner, CONE_LENGTH)).collect();
            self.ring(viewer.cell(), &far, colour);
        }
    }

    /// Adds the cells of a mover's cell array, numbered in order.
    pub fn candidates(&mut self, world: &World, cells: impl IntoIterator<Item = CellId>) {
        for (number, id) in cells.into_iter().enumerate() {
            match (world.room(id), world.land_cell(id)) {
                (Some(room), _) => {
                    self.outlines(room, CANDIDATE);
                    let at = Position::new(id, middle(room));
                    self.labels.push(Label { at, text: format!("{number}: {id}") });
                }
                (None, Some(land)) => {
                    let first = 2 * land.index();
                    for triangle in [first, first + 1] {
                        let corners = land.land().terrain().triangle(triangle);
                        self.ring(id, &corners, CANDIDATE);
                    }
                }
                (None, None) => {}
            }
        }
    }

    /// Adds the contact plane of a mover at `at`, in the frame of its landblock.
    pub fn contact(&mut self, at: &Position, plane: &Plane) {
        let feet = at.frame.origin;
        let foot = feet - plane.normal * plane.distance(feet);
        let aside = plane.normal.any_orthonormal_vector();
        let along = plane.normal.cross(aside);
        let corner = |x: f32, y: f32| foot + (aside * x + along * y) * CONTACT_HALF_SIZE;
        let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        self.ring(at.cell, &corners, CONTACT);
        self.line(at.cell, [foot, foot + plane.normal], CONTACT);
    }

    /// Adds the physics polygons of every visible room.
    pub fn physics(&mut self, world: &World, seen: &VisibleSet) {
        for room in seen.cells().filter_map(|cell| world.room(cell.id())) {
            for polygon in room.structure().physics.polygons().iter() {
                let corners: Vec<Vec3> =
                    polygon.vertices.iter().map(|corner| room.to_block(*corner)).collect();
                self.ring(room.id(), &corners, PHYSICS);
            }
        }
    }

    fn outlines(&mut self, room: &Room, colour: [f32; 3]) {
        for polygon in room.structure().drawing.iter() {
            let corners: Vec<Vec3> =
                polygon.vertices.iter().map(|corner| room.to_block(*corner)).collect();
            self.ring(room.id(), &corners, colour);
        }
    }

    fn ring(&mut self, cell: CellId, corners: &[Vec3], colour: [f32; 3]) {
        for (from, to) in corners.iter().zip(corners.iter().cycle().skip(1)) {
            self.line(cell, [*from, *to], colour);
        }
    }

    fn line(&mut self, cell: CellId, ends: [Vec3; 2], colour: [f32; 3]) {
        self.lines.push(Line { cell, ends, colour });
    }
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
        assert_eq!(count(&|overlay| overlay.cells(&world, seen)), (2 * 6 * 4, 2));
        assert_eq!(count(&|overlay| overlay.portals(&world, seen)), (2 * 4, 0));
        assert_eq!(count(&|overlay| overlay.regions(seen, &viewer)), (2 * 4, 0));
        assert_eq!(count(&|overlay| overlay.physics(&world, seen)), (2 * 5 * 4, 0));
        assert_eq!(count(&|overlay| overlay.candidates(&world, rooms)), (2 * 6 * 4, 2));
        let floor = Plane { normal: Vec3::Z, d: 0.0 };
        let at = Position::new(rooms[0], Vec3::new(1.0, 2.0, 0.3));
        let mut overlay = DebugOverlay::default();
        overlay.contact(&at, &floor);
        assert_eq!(overlay.lines.len(), 5);
        assert!(overlay.lines[..4].iter().all(|line| line.ends[0].z == 0.0));
    }
}
