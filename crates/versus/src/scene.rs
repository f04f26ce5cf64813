//! Collision solids of a world in one frame, without cells, for any engine.

use threshold_geom::PhysicsTree;
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Position, Space, Sphere, block_offset_between};
use threshold_world::{Land, Object, State, TRIANGLES, World};

/// Corners, counter-clockwise seen from the front.
pub(crate) type Triangle = [Vec3; 3];

/// The common frame: that of a landblock in the middle of the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin(CellId);

/// A static solid.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Solid {
    /// A surface seen from outside; of a room, from inside.
    Mesh(Vec<Triangle>),
    /// An upright cylinder.
    Cylinder {
        /// Centre of its bottom.
        low: Vec3,
        /// In metres.
        radius: f32,
        /// In metres.
        height: f32,
    },
    /// A sphere.
    Ball(Sphere),
}

impl Origin {
    /// Returns the frame in the middle of a world's landblocks; `None` if it has none.
    pub(crate) fn of(world: &World) -> Option<Self> {
        let blocks = blocks(world);
        Some(Self(blocks.get(blocks.len() / 2)?.cell(1)))
    }

    /// Returns a position in the common frame.
    pub(crate) fn place(self, position: &Position) -> Vec3 {
        position.frame.origin + block_offset_between(self.0, position.cell)
    }

    /// Returns all resident static solids: a mesh for each landblock's ground, shell of a building, room and part
    /// of an object.
    pub(crate) fn scene(self, world: &World) -> Vec<Solid> {
        let grounds = world.lands().map(|land| self.ground(land));
        let shells = world.lands().flat_map(Land::buildings).filter_map(|house| house.shell());
        let shells = shells.map(|shell| self.mesh(shell.tree, shell.space, shell.scale));
        let rooms = blocks(world).into_iter().flat_map(|block| world.rooms(block));
        let rooms = rooms.map(|room| self.mesh(&room.structure().physics, room.space(), 1.0));
        let objects = world.objects().filter(|object| object.id().as_body().is_none());
        let objects = objects.flat_map(|object| self.object(object));
        let all = grounds.chain(shells).chain(rooms).chain(objects);
        all.filter(|solid| !matches!(solid, Solid::Mesh(triangles) if triangles.is_empty()))
            .collect()
    }

    fn ground(self, land: &Land) -> Solid {
        let offset = block_offset_between(self.0, land.block().cell(1));
        let triangle = |number| land.terrain().triangle(number).map(|corner| corner + offset);
        Solid::Mesh((0..TRIANGLES).map(triangle).collect())
    }

    /// Returns the collision shapes of an object: its physics trees, else its cylinders, else its spheres.
    pub(crate) fn object(self, object: &Object) -> Vec<Solid> {
        let (setup, scale, state) = (object.setup(), object.scale(), object.state());
        // Walking movers do not collide with these.
        if state.has(State::ETHEREAL) || state.has(State::MISSILE) {
            return Vec::new();
        }
        if state.has(State::HAS_PHYSICS_TREE) {
            return object
                .solids()
                .map(|part| self.mesh(part.tree, part.space, part.scale))
                .collect();
        }
        let space = Space::new(object.position());
        let at = |point: Vec3| space.to_block_of(self.0, point * scale);
        if setup.cylinders.is_empty() {
            let ball = |ball: &Sphere| Sphere::new(at(ball.centre), ball.radius * scale);
            return setup.spheres.iter().map(|sphere| Solid::Ball(ball(sphere))).collect();
        }
        let cylinders = setup.cylinders.iter().map(|shape| Solid::Cylinder {
            low: at(shape.low),
            radius: shape.radius * scale,
            height: shape.height * scale,
        });
        cylinders.collect()
    }

    /// Returns the polygons of a tree, each as a fan of triangles.
    fn mesh(self, tree: &PhysicsTree, space: &Space, scale: f32) -> Solid {
        let mut triangles = Vec::new();
        for polygon in tree.polygons().iter().filter(|polygon| polygon.plane.normal != Vec3::ZERO) {
            let corners = polygon.vertices.iter();
            let mut corners = corners.map(|corner| space.to_block_of(self.0, *corner * scale));
            let (Some(first), Some(mut last)) = (corners.next(), corners.next()) else { continue };
            for corner in corners {
                triangles.push([first, last, corner]);
                last = corner;
            }
        }
        Solid::Mesh(triangles)
    }
}

/// Returns all landblocks with a resident piece.
fn blocks(world: &World) -> Vec<BlockId> {
    let mut blocks: Vec<BlockId> = world.resident().map(|piece| piece.block()).collect();
    blocks.dedup();
    blocks
}

#[cfg(test)]
mod tests;
