//! Rooms that may overlap in space, written straight into records.

use threshold_dat::{
    BspLeaf, BspNode, BspSplit, BspTag, BspTree, CellPortal, CellStructure, EnvCell, EnvCellFlags,
    Environment, IndexedPolygon, PolygonSides, Polygons, PortalFlags, RecordId, RecordSet, Vertex,
    VertexArray, stippling,
};
use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{BlockId, CellId, Frame, Plane, Sphere};

const BLOCK: BlockId = BlockId(0x0102);

/// Returns the cell of a room by its number.
pub(crate) fn cell(room: usize) -> CellId {
    BLOCK.cell(0x0100 + u16::try_from(room).unwrap())
}

/// A wall of a box: across an axis (0 to the east, 1 to the north, 2 up), the one at its lower or its upper end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wall {
    pub(crate) axis: usize,
    pub(crate) is_upper: bool,
}

impl Wall {
    fn opposite(self) -> Self {
        Self { is_upper: !self.is_upper, ..self }
    }
}

/// Low and high corner on the two axes that follow the wall's own.
type Rectangle = [[f32; 2]; 2];

#[derive(Clone, Debug)]
struct Hole {
    wall: Wall,
    rectangle: Rectangle,
    to: usize,
    back: i16,
}

#[derive(Clone, Debug)]
struct Room {
    low: Vec3,
    high: Vec3,
    holes: Vec<Hole>,
    /// Free-standing boards, inside or outside of the box.
    boards: Vec<[[f32; 3]; 4]>,
}

/// Boxes, and portals in their walls.
#[derive(Clone, Debug, Default)]
pub(crate) struct Boxes {
    rooms: Vec<Room>,
}

impl Boxes {
    pub(crate) fn room(&mut self, low: [f32; 3], high: [f32; 3]) -> usize {
        let (holes, boards) = (Vec::new(), Vec::new());
        self.rooms.push(Room { low: low.into(), high: high.into(), holes, boards });
        self.rooms.len() - 1
    }

    /// Adds a free-standing board to a room.
    pub(crate) fn board(&mut self, room: usize, corners: [[f32; 3]; 4]) {
        self.rooms[room].boards.push(corners);
    }

    /// Adds a portal between a wall of one room and the opposite wall of another, which lie in one plane.
    pub(crate) fn join(&mut self, a: usize, wall: Wall, b: usize, rectangle: Rectangle) {
        let number = |count: usize| i16::try_from(count).unwrap();
        let (here, there) = (number(self.rooms[a].holes.len()), number(self.rooms[b].holes.len()));
        self.rooms[a].holes.push(Hole { wall, rectangle, to: b, back: there });
        self.rooms[b].holes.push(Hole { wall: wall.opposite(), rectangle, to: a, back: here });
    }

    pub(crate) fn cells(&self) -> Vec<CellId> {
        (0..self.rooms.len()).map(cell).collect()
    }

    pub(crate) fn records(&self) -> RecordSet {
        let mut records = RecordSet::new();
        for (number, room) in self.rooms.iter().enumerate() {
            let environment = u16::try_from(number + 1).unwrap();
            let id = RecordId(0x0D00_0000 | u32::from(environment));
            let shape = Environment { id, structures: vec![room.structure()] };
            records.put(id, &shape).unwrap();
            let record = room.record(cell(number), environment, self.rooms.len());
            records.put(cell(number).into(), &record).unwrap();
        }
        records
    }
}

impl Room {
    fn record(&self, id: CellId, environment: u16, rooms: usize) -> EnvCell {
        let portal = |(number, hole): (usize, &Hole)| CellPortal {
            flags: PortalFlags(1),
            polygon: u16::try_from(number).unwrap(),
            other_cell: cell(hole.to).low(),
            other_portal: hole.back,
        };
        EnvCell {
            id,
            flags: EnvCellFlags(0),
            surfaces: vec![1],
            environment,
            structure: 0,
            position: Frame::IDENTITY,
            portals: self.holes.iter().enumerate().map(portal).collect(),
            visible: (0..rooms)
                .map(|room| cell(room).low())
                .filter(|low| *low != id.low())
                .collect(),
            statics: Vec::new(),
            restriction: None,
        }
    }

    /// Returns the coordinate of a wall on its axis.
    fn place(&self, wall: Wall) -> f32 {
        if wall.is_upper { self.high[wall.axis] } else { self.low[wall.axis] }
    }

    /// Returns the parts of a wall around its portals.
    fn parts(&self, wall: Wall) -> Vec<Rectangle> {
        let [u, v] = [(wall.axis + 1) % 3, (wall.axis + 2) % 3];
        let holes = || self.holes.iter().filter(|hole| hole.wall == wall).map(|it| it.rectangle);
        let cuts = |place: usize, axis: usize| {
            let ends = holes().flat_map(|[from, to]| [from[place], to[place]]);
            let mut cuts: Vec<f32> = ends.chain([self.low[axis], self.high[axis]]).collect();
            cuts.sort_by(f32::total_cmp);
            cuts.dedup();
            cuts
        };
        let (us, vs) = (cuts(0, u), cuts(1, v));
        let mut parts = Vec::new();
        for u in us.windows(2) {
            for v in vs.windows(2) {
                let is_open = |[from, to]: Rectangle| {
                    from[0] <= u[0] && u[1] <= to[0] && from[1] <= v[0] && v[1] <= to[1]
                };
                if !holes().any(is_open) {
                    parts.push([[u[0], v[0]], [u[1], v[1]]]);
                }
            }
        }
        parts
    }

    fn structure(&self) -> CellStructure {
        let mut shape = Shape::default();
        for hole in &self.holes {
            // A portal faces out of its room.
            shape.add(across(hole.wall, self.place(hole.wall), hole.rectangle), true);
        }
        let portals = (0..u16::try_from(self.holes.len()).unwrap()).collect();
        for axis in 0..3 {
            for is_upper in [false, true] {
                let wall = Wall { axis, is_upper };
                for part in self.parts(wall) {
                    let mut corners = across(wall, self.place(wall), part);
                    corners.reverse();
                    shape.add(corners, false);
                }
            }
        }
        for board in &self.boards {
            shape.add(board.map(Vec3::from).to_vec(), false);
        }
        CellStructure {
            id: 0,
            vertices: shape.vertices,
            portals,
            drawing: shape.drawing,
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

#[derive(Default)]
struct Shape {
    vertices: VertexArray,
    drawing: Polygons,
}

impl Shape {
    fn add(&mut self, corners: Vec<Vec3>, is_opening: bool) {
        let mut vertex_ids = Vec::new();
        for position in corners {
            let id = u16::try_from(self.vertices.len()).unwrap();
            let vertex = Vertex { id, position, normal: Vec3::Z, uvs: &[Vec2::ZERO] };
            self.vertices.push(vertex).unwrap();
            vertex_ids.push(id);
        }
        let polygon = IndexedPolygon {
            id: u16::try_from(self.drawing.len()).unwrap(),
            stippling: if is_opening { stippling::NO_FRONT_UVS } else { 0 },
            sides: PolygonSides::SINGLE,
            front_surface: 0,
            back_surface: -1,
            vertex_ids: &vertex_ids,
            front_uvs: if is_opening { &[] } else { &[0; 4] },
            back_uvs: &[],
        };
        self.drawing.push(polygon).unwrap();
    }
}

/// Returns a rectangle in a wall, facing out of the box.
fn across(wall: Wall, at: f32, [from, to]: Rectangle) -> Vec<Vec3> {
    let corner = |u: f32, v: f32| {
        let mut corner = Vec3::ZERO;
        (corner[wall.axis], corner[(wall.axis + 1) % 3], corner[(wall.axis + 2) % 3]) = (at, u, v);
        corner
    };
    let [[u, v], [end_u, end_v]] = [from, to];
    let mut corners = vec![corner(u, v), corner(end_u, v), corner(end_u, end_v), corner(u, end_v)];
    if !wall.is_upper {
        corners.reverse();
    }
    corners
}

fn leaf(sphere: Option<Sphere>) -> (BspTree, u32) {
    let mut tree = BspTree::default();
    let leaf = BspLeaf { index: 0, solid: 0, sphere, polygons: &[] };
    let index = tree.push(BspNode::Leaf(leaf));
    (tree, index)
}

const EAST: Wall = Wall { axis: 0, is_upper: true };
const NORTH: Wall = Wall { axis: 1, is_upper: true };
const UP: Wall = Wall { axis: 2, is_upper: true };

/// A closet whose four doors lead to halls that are larger than the space around the closet, so that they overlap. A fifth
/// hall is behind all of them.
pub(crate) fn larger_inside() -> Boxes {
    let mut boxes = Boxes::default();
    let closet = boxes.room([0.0, 0.0, 0.0], [4.0, 4.0, 3.0]);
    let east = boxes.room([4.0, -10.0, -2.0], [24.0, 14.0, 8.0]);
    let north = boxes.room([-10.0, 4.0, -2.0], [14.0, 24.0, 8.0]);
    let west = boxes.room([-20.0, -10.0, -2.0], [0.0, 14.0, 8.0]);
    let south = boxes.room([-10.0, -20.0, -2.0], [14.0, 0.0, 8.0]);
    boxes.join(closet, EAST, east, [[1.0, 0.0], [3.0, 2.0]]);
    boxes.join(closet, NORTH, north, [[0.0, 1.0], [2.0, 3.0]]);
    boxes.join(closet, EAST.opposite(), west, [[1.0, 0.0], [3.0, 2.0]]);
    boxes.join(closet, NORTH.opposite(), south, [[0.0, 1.0], [2.0, 3.0]]);
    let attic = boxes.room([-20.0, -20.0, 8.0], [24.0, 24.0, 12.0]);
    for (hall, at) in [(east, [16.0, 2.0]), (north, [2.0, 16.0]), (west, [-16.0, 2.0])] {
        boxes.join(hall, UP, attic, [at, [at[0] + 4.0, at[1] + 4.0]]);
    }
    boxes
}

/// Two halls in the same space, each with a door into one corridor, and portals into a cellar that overlaps both.
pub(crate) fn one_place() -> Boxes {
    let mut boxes = Boxes::default();
    let corridor = boxes.room([0.0, 0.0, 0.0], [4.0, 20.0, 3.0]);
    let first = boxes.room([4.0, 0.0, 0.0], [24.0, 20.0, 6.0]);
    let second = boxes.room([4.0, 0.0, 0.0], [24.0, 20.0, 6.0]);
    boxes.join(corridor, EAST, first, [[2.0, 0.0], [6.0, 2.5]]);
    boxes.join(corridor, EAST, second, [[12.0, 0.0], [16.0, 2.5]]);
    let beyond = boxes.room([24.0, 0.0, 0.0], [30.0, 20.0, 3.0]);
    boxes.join(first, EAST, beyond, [[8.0, 0.5], [12.0, 2.5]]);
    boxes.join(second, EAST, beyond, [[3.0, 0.5], [6.0, 2.5]]);
    let cellar = boxes.room([6.0, 2.0, -4.0], [22.0, 18.0, 0.0]);
    boxes.join(first, UP.opposite(), cellar, [[8.0, 4.0], [12.0, 8.0]]);
    boxes.join(second, UP.opposite(), cellar, [[14.0, 10.0], [18.0, 14.0]]);
    boxes
}

/// Two rooms, and a board of the second that hangs in front of the portal between them: it does not show in the first room.
pub(crate) fn board_before_an_opening() -> Boxes {
    let mut boxes = Boxes::default();
    let near = boxes.room([0.0, 0.0, 0.0], [6.0, 6.0, 3.0]);
    let far = boxes.room([6.0, 0.0, 0.0], [12.0, 6.0, 3.0]);
    boxes.join(near, EAST, far, [[1.0, 0.0], [5.0, 2.5]]);
    let [low, high] = [0.4, 1.8];
    boxes.board(far, [[4.0, 2.0, low], [4.0, 2.0, high], [4.0, 4.0, high], [4.0, 4.0, low]]);
    boxes.board(far, [[8.0, 3.0, low], [8.0, 3.0, high], [8.0, 4.5, high], [8.0, 4.5, low]]);
    boxes
}
