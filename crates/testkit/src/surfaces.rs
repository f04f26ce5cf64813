//! All surfaces of a world as plain polygons, cylinders and spheres in one frame, found without the trees of the engine.

use threshold_geom::Cylinder;
use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{BlockId, CellId, Lcoord, Position, Space, Sphere, block_offset_between};
use threshold_world::{Solid, State, World};

/// What a surface belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A room.
    Room(CellId),
    /// The shell of a building.
    Shell,
    /// An object that is in cells.
    Object,
    /// The terrain.
    Ground,
}

/// A flat face, solid from its front.
#[derive(Clone, Debug)]
pub struct SurfaceFace {
    /// What it belongs to.
    pub owner: Owner,
    /// Its corners.
    pub vertices: Vec<Vec3>,
    /// Its unit normal, out of the front.
    pub normal: Vec3,
    bounds: Sphere,
}

/// All surfaces that block movers, in the frame of one landblock.
#[derive(Debug)]
pub struct Surfaces {
    /// A cell of that landblock.
    pub origin: CellId,
    /// Flat faces.
    pub faces: Vec<SurfaceFace>,
    /// Upright cylinders of objects.
    pub cylinders: Vec<Cylinder>,
    /// Spheres of objects.
    pub balls: Vec<Sphere>,
    /// Indices of faces by squares of the map.
    grid: std::collections::BTreeMap<(i32, i32), Vec<u32>>,
}

/// Side of a square of the grid, in metres.
const SQUARE: f32 = 8.0;

fn square(at: Vec2) -> (i32, i32) {
    ((at.x / SQUARE).floor() as i32, (at.y / SQUARE).floor() as i32)
}

impl SurfaceFace {
    fn new(owner: Owner, vertices: Vec<Vec3>) -> Option<Self> {
        let middle = vertices.iter().sum::<Vec3>() / vertices.len() as f32;
        let radius = vertices.iter().map(|v| (*v - middle).length()).fold(0.0, f32::max);
        // The sum over all corners does not depend on which of them lie on a line.
        let corners = vertices.iter().zip(vertices.iter().cycle().skip(1));
        let normal = corners.map(|(a, b)| (*a - middle).cross(*b - middle)).sum::<Vec3>();
        let normal = normal.try_normalize()?;
        Some(Self { owner, vertices, normal, bounds: Sphere::new(middle, radius) })
    }

    fn distance(&self, point: Vec3) -> f32 {
        self.normal.dot(point - self.vertices[0])
    }

    /// Distance of a point of its plane to its outline; below 0 outside.
    fn depth_inside(&self, point: Vec3) -> f32 {
        let edges = self.vertices.iter().zip(self.vertices.iter().cycle().skip(1));
        let depth = |(a, b): (&Vec3, &Vec3)| {
            self.normal.cross((*b - *a).normalize_or_zero()).dot(point - *a)
        };
        edges.map(depth).fold(f32::INFINITY, f32::min)
    }

    /// Returns whether a segment crosses it from its front, by more than a millimetre.
    pub fn is_crossed(&self, from: Vec3, to: Vec3) -> bool {
        let (before, after) = (self.distance(from), self.distance(to));
        if before < 0.0 || after > -1e-3 {
            return false;
        }
        let at = from + (to - from) * (before / (before - after));
        self.depth_inside(at) > 1e-3
    }

    /// Returns the distance of a point to it.
    pub fn distance_to(&self, point: Vec3) -> f32 {
        let flat = self.distance(point);
        if self.depth_inside(point - self.normal * flat) >= 0.0 {
            return flat.abs();
        }
        let edges = self.vertices.iter().zip(self.vertices.iter().cycle().skip(1));
        edges.map(|(a, b)| distance_to_segment(point, *a, *b)).fold(f32::INFINITY, f32::min)
    }
}

fn distance_to_segment(point: Vec3, a: Vec3, b: Vec3) -> f32 {
    let along = b - a;
    let part = ((point - a).dot(along) / along.length_squared().max(1e-12)).clamp(0.0, 1.0);
    (a + along * part - point).length()
}

impl Surfaces {
    /// Collects the surfaces of a world, in the frame of the landblock of `origin`.
    pub fn of(world: &World, origin: CellId) -> Self {
        let mut all = Self {
            origin,
            faces: Vec::new(),
            cylinders: Vec::new(),
            balls: Vec::new(),
            grid: std::collections::BTreeMap::new(),
        };
        for block in (0..=u16::MAX).map(BlockId) {
            for room in world.rooms(block) {
                let tree = &room.structure().physics;
                let solid = Solid { tree, space: room.space(), scale: 1.0 };
                all.add_solid(Owner::Room(room.id()), &solid);
            }
            let Some(land) = world.land(block) else { continue };
            for building in land.buildings() {
                building.shell().iter().for_each(|shell| all.add_solid(Owner::Shell, shell));
            }
            all.add_ground(world, block);
        }
        all.add_objects(world);
        for (index, face) in all.faces.iter().enumerate() {
            let reach = Vec2::splat(face.bounds.radius + 1.5);
            let middle = face.bounds.centre.truncate();
            let (low, high) = (square(middle - reach), square(middle + reach));
            for x in low.0..=high.0 {
                for y in low.1..=high.1 {
                    all.grid.entry((x, y)).or_default().push(index as u32);
                }
            }
        }
        all
    }

    fn add_solid(&mut self, owner: Owner, solid: &Solid<'_>) {
        for polygon in solid.tree.polygons().iter() {
            let there = |v: &Vec3| solid.space.to_block_of(self.origin, *v * solid.scale);
            self.faces
                .extend(SurfaceFace::new(owner, polygon.vertices.iter().map(there).collect()));
        }
    }

    fn add_ground(&mut self, world: &World, block: BlockId) {
        let Some(terrain) = world.land(block).map(|land| land.terrain()) else { return };
        let offset = block_offset_between(self.origin, block.as_cell());
        let corner = |x: i32, y: i32| {
            let at = Vec2::new(x as f32, y as f32) * 24.0;
            let inside = at.clamp(Vec2::splat(0.001), Vec2::splat(191.999));
            at.extend(terrain.height(inside).unwrap()) + offset
        };
        let first = block.cell(1).lcoord().unwrap();
        for (x, y) in (0..8).flat_map(|x| (0..8).map(move |y| (x, y))) {
            let corners = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(i, j)| corner(x + i, y + j));
            let cut = Lcoord::new(first.x() + x, first.y() + y).unwrap().cut();
            for triangle in cut.triangles(corners) {
                let face = SurfaceFace::new(Owner::Ground, triangle.to_vec()).unwrap();
                let up = face.normal.z > 0.0;
                let turned = || triangle.iter().rev().copied().collect();
                self.faces.extend(if up {
                    Some(face)
                } else {
                    SurfaceFace::new(Owner::Ground, turned())
                });
            }
        }
    }

    fn add_objects(&mut self, world: &World) {
        for object in world.objects().filter(|object| !object.state().has(State::ETHEREAL)) {
            if object.state().has(State::HAS_PHYSICS_TREE) {
                object.solids().for_each(|solid| self.add_solid(Owner::Object, &solid));
                continue;
            }
            let (space, scale) = (Space::new(object.position()), object.scale());
            let setup = object.setup();
            if setup.cylinders.is_empty() {
                self.balls.extend(setup.spheres.iter().map(|ball| {
                    let centre = space.to_block_of(self.origin, ball.centre * scale);
                    Sphere::new(centre, ball.radius * scale)
                }));
            }
            self.cylinders.extend(setup.cylinders.iter().map(|shape| Cylinder {
                low: space.to_block_of(self.origin, shape.low * scale),
                radius: shape.radius * scale,
                height: shape.height * scale,
            }));
        }
    }

    /// Returns a position in the common frame.
    pub fn to_common_frame(&self, at: &Position) -> Vec3 {
        at.frame.origin + block_offset_between(self.origin, at.cell)
    }

    /// Returns the faces within a metre and a half of a point.
    pub fn faces_near(&self, at: Vec3) -> impl Iterator<Item = &SurfaceFace> {
        let list = self.grid.get(&square(at.truncate()));
        list.into_iter()
            .flatten()
            .map(|index| &self.faces[*index as usize])
            .filter(move |face| (face.bounds.centre - at).length() < face.bounds.radius + 1.5)
    }

    /// Returns the distance of a point to the nearest cylinder or sphere, or face that counts within a metre and a half.
    pub fn nearest_distance(&self, at: Vec3, counts: impl Fn(&SurfaceFace) -> bool) -> f32 {
        let faces =
            self.faces_near(at).filter(|face| counts(face)).map(|face| face.distance_to(at));
        let balls = self.balls.iter().map(|ball| (at - ball.centre).length() - ball.radius);
        let cylinders = self.cylinders.iter().map(|cylinder| {
            let off = at - cylinder.low;
            let side = off.truncate().length() - cylinder.radius;
            let top = (off.z - cylinder.height).max(-off.z);
            // At its rim a cylinder counts as a box.
            side.max(top)
        });
        faces.chain(balls).chain(cylinders).fold(f32::INFINITY, f32::min)
    }
}
