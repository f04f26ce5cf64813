//! The surfaces around a camera sweep as plain polygons, spheres and cylinders. They use none of the
//! engine's trees and sweeps, so that they can check them.

use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Space, Sphere, block_offset_between};
use threshold_world::{Object, Solid, State, World};

/// A polygon that blocks movement from its front.
#[derive(Clone, Debug)]
pub(super) struct Face {
    vertices: Vec<Vec3>,
    normal: Vec3,
    /// Whether it is ground or the shell of a building, which a camera in a room ignores.
    outdoors: bool,
}

/// An upright cylinder by the middle of its base.
#[derive(Clone, Copy, Debug)]
struct Column {
    base: Vec3,
    radius: f32,
    height: f32,
}

/// All surfaces of some landblocks, in the frame of one of them.
#[derive(Debug)]
pub(super) struct Surfaces<'w> {
    world: &'w World,
    /// A cell of the landblock whose frame is used.
    frame: CellId,
    faces: Vec<Face>,
    balls: Vec<Sphere>,
    columns: Vec<Column>,
}

impl Face {
    /// `None` for a polygon without an area.
    fn new(vertices: Vec<Vec3>, outdoors: bool) -> Option<Self> {
        let first = *vertices.first()?;
        let corners = vertices.windows(2).map(|pair| (pair[0] - first).cross(pair[1] - first));
        let normal = corners.sum::<Vec3>().try_normalize()?;
        Some(Self { vertices, normal, outdoors })
    }

    fn distance(&self, point: Vec3) -> f32 {
        self.vertices.first().map_or(f32::INFINITY, |first| self.normal.dot(point - *first))
    }

    fn edges(&self) -> impl Iterator<Item = (Vec3, Vec3)> + '_ {
        self.vertices.iter().copied().zip(self.vertices.iter().copied().cycle().skip(1))
    }

    /// Returns how far inside its outline a point of its plane is; negative outside.
    fn inside(&self, point: Vec3) -> f32 {
        let depth =
            |(a, b): (Vec3, Vec3)| self.normal.cross((b - a).normalize_or_zero()).dot(point - a);
        self.edges().map(depth).fold(f32::INFINITY, f32::min)
    }

    /// Returns where a straight line crosses it from its front by more than a millimetre.
    fn crossing(&self, from: Vec3, to: Vec3) -> Option<Vec3> {
        let (before, after) = (self.distance(from), self.distance(to));
        if before < 0.0 || after > -1e-3 {
            return None;
        }
        let at = from + (to - from) * (before / (before - after));
        (self.inside(at) > 1e-3).then_some(at)
    }

    /// Returns the distance of a point.
    fn apart(&self, point: Vec3) -> f32 {
        let height = self.distance(point);
        if self.inside(point - self.normal * height) >= 0.0 {
            return height.abs();
        }
        let to_edge = |(a, b): (Vec3, Vec3)| {
            let along = b - a;
            let part = (point - a).dot(along) / along.length_squared().max(1e-12);
            (a + along * part.clamp(0.0, 1.0) - point).length()
        };
        self.edges().map(to_edge).fold(f32::INFINITY, f32::min)
    }
}

impl Column {
    /// Returns the distance of a point, with the rims of a box.
    fn apart(&self, point: Vec3) -> f32 {
        let off = point - self.base;
        let side = off.truncate().length() - self.radius;
        side.max((off.z - self.height).max(-off.z))
    }
}

impl<'w> Surfaces<'w> {
    /// Collects the surfaces of a cell's landblock and its eight neighbours.
    pub(super) fn about(world: &'w World, cell: CellId) -> Self {
        let (faces, balls, columns) = (Vec::new(), Vec::new(), Vec::new());
        let mut all = Self { world, frame: cell, faces, balls, columns };
        let middle = cell.block();
        let near = |a: u8, b: u8| a.abs_diff(b) <= 1;
        let blocks = world.lands().map(|land| land.block()).chain([middle]);
        let mut blocks: Vec<BlockId> =
            blocks.filter(|at| near(at.x(), middle.x()) && near(at.y(), middle.y())).collect();
        blocks.sort_unstable();
        blocks.dedup();
        for block in &blocks {
            all.add_rooms(*block);
            all.add_land(*block);
        }
        let stands = |object: &&Object| blocks.contains(&object.position().cell.block());
        world.objects().filter(stands).for_each(|object| all.add_object(object));
        all
    }

    fn add_solid(&mut self, solid: &Solid<'_>, outdoors: bool) {
        let frame = self.frame;
        let there = |v: &Vec3| solid.space.to_block_of(frame, *v * solid.scale);
        let polygons = solid.tree.polygons().iter();
        self.faces.extend(polygons.filter_map(|polygon| {
            Face::new(polygon.vertices.iter().map(there).collect(), outdoors)
        }));
    }

    fn add_rooms(&mut self, block: BlockId) {
        for room in self.world.rooms(block) {
            let tree = &room.structure().physics;
            self.add_solid(&Solid { tree, space: room.space(), scale: 1.0 }, false);
        }
    }

    fn add_land(&mut self, block: BlockId) {
        let Some(land) = self.world.land(block) else { return };
        for building in land.buildings() {
            building.shell().iter().for_each(|shell| self.add_solid(shell, true));
        }
        let offset = block_offset_between(self.frame, block.as_cell());
        for triangle in (0..128).map(|number| land.terrain().triangle(number)) {
            let corners = triangle.iter().map(|corner| *corner + offset).collect();
            self.faces.extend(Face::new(corners, true));
        }
    }

    fn add_object(&mut self, object: &Object) {
        if object.state().has(State::ETHEREAL) {
            return;
        }
        if object.state().has(State::HAS_PHYSICS_TREE) {
            object.solids().for_each(|solid| self.add_solid(&solid, false));
            return;
        }
        let (space, scale, setup) = (Space::new(object.position()), object.scale(), object.setup());
        let frame = self.frame;
        if setup.cylinders.is_empty() {
            self.balls.extend(setup.spheres.iter().map(|ball| {
                let centre = space.to_block_of(frame, ball.centre * scale);
                Sphere::new(centre, ball.radius * scale)
            }));
        }
        self.columns.extend(setup.cylinders.iter().map(|shape| Column {
            base: space.to_block_of(frame, shape.low * scale),
            radius: shape.radius * scale,
            height: shape.height * scale,
        }));
    }

    /// Returns where a straight line first crosses a polygon from its front.
    pub(super) fn crossing(&self, from: Vec3, to: Vec3) -> Option<Vec3> {
        let counts = |face: &Face, at: Vec3| !(face.outdoors && self.is_in_a_room(at));
        let crossings = self
            .faces
            .iter()
            .filter_map(|face| face.crossing(from, to).filter(|at| counts(face, *at)));
        crossings.min_by(|a, b| a.distance(from).total_cmp(&b.distance(from)))
    }

    fn is_in_a_room(&self, point: Vec3) -> bool {
        let block = self.frame.block();
        self.world.rooms(block).any(|room| room.contains(point))
    }

    /// Returns the distance of a point from the nearest surface that faces against a direction; infinite
    /// without one.
    pub(super) fn nearest_against(&self, point: Vec3, direction: Vec3) -> f32 {
        let is_in_a_room = self.is_in_a_room(point);
        let counts =
            |face: &&Face| !(face.outdoors && is_in_a_room) && face.normal.dot(direction) < 0.0;
        let faces = self.faces.iter().filter(counts).map(|face| face.apart(point));
        let balls = self.balls.iter().map(|ball| (point - ball.centre).length() - ball.radius);
        let columns = self.columns.iter().map(|column| column.apart(point));
        faces.chain(balls).chain(columns).fold(f32::INFINITY, f32::min)
    }
}
