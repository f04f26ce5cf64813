//! Rooms and portals that no sound world has, written straight into records.

#![allow(dead_code, reason = "every test file uses some of it")]

use threshold_dat::{
    BspLeaf, BspNode, BspSplit, BspTag, BspTree, CellPortal, CellStructure, EnvCell, EnvCellFlags,
    Environment, IndexedPolygon, PolygonSides, Polygons, PortalFlags, RecordId, RecordSet, Vertex,
    VertexArray, stippling,
};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Frame, Plane, Sphere};
use threshold_testkit::world_from;
use threshold_world::World;

/// The landblock of the graphs.
pub(crate) const BLOCK: BlockId = BlockId(0x0102);

/// Returns the cell of a room by its number.
pub(crate) fn cell(room: usize) -> CellId {
    BLOCK.cell(0x0100 + u16::try_from(room).unwrap())
}

/// Returns a rectangle across an axis, 0 to the east, 1 to the north, 2 up, at `at`. `from` and `to` are its corners on the
/// next two axes (east, north, up, east, north). It faces along the axis.
pub(crate) fn across(axis: usize, at: f32, from: [f32; 2], to: [f32; 2]) -> Vec<Vec3> {
    let corner = |u: f32, v: f32| {
        let mut corner = Vec3::ZERO;
        (corner[axis], corner[(axis + 1) % 3], corner[(axis + 2) % 3]) = (at, u, v);
        corner
    };
    let [[u, v], [end_u, end_v]] = [from, to];
    vec![corner(u, v), corner(end_u, v), corner(end_u, end_v), corner(u, end_v)]
}

/// The same polygon, facing the other way.
pub(crate) fn turned(corners: &[Vec3]) -> Vec<Vec3> {
    corners.iter().rev().copied().collect()
}

/// Where a portal leads.
#[derive(Clone, Copy, Debug)]
pub(crate) enum To {
    /// A room by its number, and the number of its portal back. Neither needs to exist.
    Room(usize, i16),
    Outdoors,
}

/// A portal of a room.
#[derive(Clone, Debug)]
struct Hole {
    /// In the frame of the landblock. The polygon faces the way that the portal leads.
    corners: Vec<Vec3>,
    to: To,
}

/// A box-shaped room with its portals.
#[derive(Clone, Debug)]
pub(crate) struct GraphRoom {
    pub(crate) low: Vec3,
    pub(crate) high: Vec3,
    holes: Vec<Hole>,
    /// Numbers of the rooms on its stab list; `None` for all rooms.
    stabs: Option<Vec<usize>>,
    /// The flag `seen_outside`; `None` sets it if a chain of portals leads outdoors.
    seen_outside: Option<bool>,
}

/// Boxes anywhere, and portals of any shape between them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    pub(crate) rooms: Vec<GraphRoom>,
}

impl Graph {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn room(&mut self, low: [f32; 3], high: [f32; 3]) -> usize {
        let (low, high) = (low.into(), high.into());
        let holes = Vec::new();
        self.rooms.push(GraphRoom { low, high, holes, stabs: None, seen_outside: None });
        self.rooms.len() - 1
    }

    /// Adds a portal to a room, on this side alone. It leads where its polygon faces.
    pub(crate) fn open(&mut self, room: usize, corners: Vec<Vec3>, to: To) -> &mut Self {
        self.rooms[room].holes.push(Hole { corners, to });
        self
    }

    /// Adds a portal from one room to another, and the portal back. It faces the second room.
    pub(crate) fn join(&mut self, a: usize, b: usize, corners: Vec<Vec3>) -> &mut Self {
        let number = |count: usize| i16::try_from(count).unwrap();
        let here = number(self.rooms[a].holes.len());
        let there = number(self.rooms[b].holes.len() + usize::from(a == b));
        let back = turned(&corners);
        self.open(a, corners, To::Room(b, there)).open(b, back, To::Room(a, here))
    }

    pub(crate) fn exit(&mut self, room: usize, corners: Vec<Vec3>) -> &mut Self {
        self.open(room, corners, To::Outdoors)
    }

    /// Sets the stab list of a room.
    pub(crate) fn sees(&mut self, room: usize, stabs: &[usize]) -> &mut Self {
        self.rooms[room].stabs = Some(stabs.to_vec());
        self
    }

    /// Sets or clears the flag `seen_outside` of a room.
    pub(crate) fn flag(&mut self, room: usize, seen_outside: bool) -> &mut Self {
        self.rooms[room].seen_outside = Some(seen_outside);
        self
    }

    /// Whether a chain of portals leads from a room outdoors.
    fn leads_outdoors(&self, room: usize) -> bool {
        let (mut reached, mut next) = (vec![room], 0);
        while let Some(room) = reached.get(next).copied() {
            next += 1;
            for hole in self.rooms.get(room).map_or(&[][..], |room| &room.holes) {
                match hole.to {
                    To::Outdoors => return true,
                    To::Room(other, _) if !reached.contains(&other) => reached.push(other),
                    To::Room(..) => {}
                }
            }
        }
        false
    }

    /// Returns the world with everything resident.
    pub(crate) fn world(&self) -> World {
        world_from(self.records())
    }

    pub(crate) fn records(&self) -> RecordSet {
        let mut records = RecordSet::new();
        for (number, room) in self.rooms.iter().enumerate() {
            let environment = u16::try_from(number + 1).unwrap();
            let id = RecordId(0x0D00_0000 | u32::from(environment));
            let shape = Environment { id, structures: vec![room.structure()] };
            records.put(id, &shape).unwrap();
            let mut record = room.record(cell(number), environment, self.rooms.len());
            let flag = room.seen_outside.unwrap_or_else(|| self.leads_outdoors(number));
            record.flags = EnvCellFlags(u32::from(flag));
            records.put(cell(number).into(), &record).unwrap();
        }
        records
    }
}

impl GraphRoom {
    fn record(&self, id: CellId, environment: u16, rooms: usize) -> EnvCell {
        let low = |room: usize| cell(room).low();
        let all: Vec<usize> = (0..rooms).collect();
        let stabs = self.stabs.as_ref().unwrap_or(&all);
        let portal = |(number, hole): (usize, &Hole)| {
            // Both encodings of the side of the neighbour are used.
            let side = if is_written_turned(number) { 2 } else { 0 };
            let (outdoors, other_cell, other_portal) = match hole.to {
                To::Room(room, back) => (0, low(room), back),
                To::Outdoors => (4, 0xFFFF, -1),
            };
            let flags = PortalFlags(1 | side | outdoors);
            let polygon = u16::try_from(number).unwrap();
            CellPortal { flags, polygon, other_cell, other_portal }
        };
        EnvCell {
            id,
            flags: EnvCellFlags(0),
            surfaces: Vec::new(),
            environment,
            structure: 0,
            position: Frame::IDENTITY,
            portals: self.holes.iter().enumerate().map(portal).collect(),
            visible: stabs.iter().map(|room| low(*room)).filter(|low| *low != id.low()).collect(),
            statics: Vec::new(),
            restriction: None,
        }
    }

    fn structure(&self) -> CellStructure {
        let (mut vertices, mut drawing) = (VertexArray::default(), Polygons::default());
        for (number, hole) in self.holes.iter().enumerate() {
            let corners = match is_written_turned(number) {
                true => turned(&hole.corners),
                false => hole.corners.clone(),
            };
            let mut vertex_ids = Vec::new();
            for position in corners {
                let id = u16::try_from(vertices.len()).unwrap();
                vertices.push(Vertex { id, position, normal: Vec3::Z, uvs: &[] }).unwrap();
                vertex_ids.push(id);
            }
            let polygon = IndexedPolygon {
                id: u16::try_from(number).unwrap(),
                stippling: stippling::NO_FRONT_UVS,
                sides: PolygonSides::SINGLE,
                front_surface: 0,
                back_surface: -1,
                vertex_ids: &vertex_ids,
                front_uvs: &[],
                back_uvs: &[],
            };
            drawing.push(polygon).unwrap();
        }
        CellStructure {
            id: 0,
            vertices,
            portals: (0..u16::try_from(drawing.len()).unwrap()).collect(),
            drawing,
            cell_tree: self.cell_tree(),
            physics: Polygons::default(),
            physics_tree: leaf(Some(Sphere::new(Vec3::ZERO, 0.0))).0,
            drawing_tree: None,
        }
    }

    fn cell_tree(&self) -> BspTree {
        let (mut tree, mut below) = leaf(None);
        for axis in 0..3 {
            for (sign, at) in [(1.0, self.low[axis]), (-1.0, self.high[axis])] {
                let mut normal = Vec3::ZERO;
                normal[axis] = sign;
                below = tree.push(BspNode::Split(BspSplit {
                    tag: BspTag::split(true, false, false),
                    plane: Plane { normal, d: -sign * at },
                    positive: Some(below),
                    negative: None,
                    sphere: None,
                    polygons: &[],
                    portals: &[],
                }));
            }
        }
        tree.set_root(below);
        tree
    }
}

/// Writes every second polygon facing back, and marks it so in the record.
fn is_written_turned(number: usize) -> bool {
    number % 2 == 1
}

fn leaf(sphere: Option<Sphere>) -> (BspTree, u32) {
    let mut tree = BspTree::default();
    let leaf = BspLeaf { index: 0, solid: 0, sphere, polygons: &[] };
    let index = tree.push(BspNode::Leaf(leaf));
    (tree, index)
}
