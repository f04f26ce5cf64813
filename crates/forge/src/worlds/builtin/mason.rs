//! Builds plans from axis-aligned boxes and finds where they meet.

use threshold_land::vector::Vec3;

use super::stock::Stock;
use crate::stock::material::Material;
use crate::tool::opening::{Face, Opening};
use crate::tool::passage::Flight;
use crate::tool::plan::{Plan, RoomKey};
use crate::tool::room::{FaceMaterials, RoomSpec};
use crate::tool::shape::{Ridge, Shape};

/// A box of a plan.
#[derive(Clone, Copy)]
pub(super) struct Chamber {
    pub(super) key: RoomKey,
    low: Vec3,
    high: Vec3,
}

/// Rectangle where two boxes meet, or a part of it.
struct SharedFace {
    low: Vec3,
    high: Vec3,
    /// The axis perpendicular to it.
    across: usize,
}

/// Direction in which a flight of steps leads up.
#[derive(Clone, Copy)]
pub(super) enum StairDirection {
    North,
    West,
    South,
}

/// Builder of a plan from boxes.
pub(super) struct Mason {
    pub(super) plan: Plan,
    /// Materials of the rooms to come.
    pub(super) looks: FaceMaterials,
    /// Whether the rooms to come are underground.
    pub(super) buried: bool,
}

/// Distance of a door leaf from the outer side of the wall, in metres.
const LEAF: f32 = 0.1;

impl Mason {
    pub(super) fn new(looks: FaceMaterials) -> Self {
        Self { plan: Plan::new(), looks, buried: false }
    }

    /// Adds a box between two corners.
    pub(super) fn room(&mut self, name: &str, low: [f32; 3], high: [f32; 3]) -> Chamber {
        self.add(RoomSpec::cuboid(low, high).named(name), low, high)
    }

    /// Adds a box with blocks in it.
    pub(super) fn room_with(
        &mut self,
        name: &str,
        [low, high]: [[f32; 3]; 2],
        blocks: &[(Material, [f32; 3], [f32; 3])],
    ) -> Chamber {
        let room = RoomSpec::cuboid(low, high).named(name);
        let block = |room: RoomSpec, (material, low, high): &(Material, [f32; 3], [f32; 3])| {
            room.block_of(*material, Shape::cuboid(*low, *high))
        };
        self.add(blocks.iter().fold(room, block), low, high)
    }

    /// Adds a box with steps from its floor up to `top`, over its whole width: level for `landings` metres at the foot and
    /// at the head.
    pub(super) fn stairs(
        &mut self,
        name: &str,
        [low, high]: [[f32; 3]; 2],
        up: StairDirection,
        top: f32,
        landings: [f32; 2],
    ) -> Chamber {
        let (l, h) = (Vec3::from(low), Vec3::from(high));
        let middle = (l + h) / 2.0;
        let at = |axis: usize, value: f32, z: f32| {
            let mut place = middle;
            (place[axis], place.z) = (value, z);
            place
        };
        let [foot, head] = landings;
        let (axis, from, to, end) = match up {
            StairDirection::North => (1, l.y + foot, h.y - head, h.y),
            StairDirection::West => (0, h.x - foot, l.x + head, l.x),
            StairDirection::South => (1, h.y - foot, l.y + head, l.y),
        };
        let width = (h - l)[1 - axis];
        let flight = Flight::new(at(axis, from, l.z), at(axis, to, top), width);
        let mut room =
            RoomSpec::cuboid(low, high).named(name).stairs(flight.material(self.looks.up));
        if head > 0.0 {
            let mut corners = [l, h];
            (corners[0][axis], corners[1][axis]) = (to.min(end), to.max(end));
            (corners[0].z, corners[1].z) = (l.z, top);
            let mut edge = [Vec3::from(low), Vec3::from(high)];
            edge.iter_mut().for_each(|end| (end[axis], end.z) = (to, top));
            let landing = Shape::cuboid(corners[0], corners[1]).boarded(edge);
            room = room.block_of(self.looks.up, landing);
        }
        self.add(room, low, high)
    }

    fn add(&mut self, room: RoomSpec, low: [f32; 3], high: [f32; 3]) -> Chamber {
        let room = room.materials(self.looks);
        let room = if self.buried { room.buried() } else { room };
        Chamber { key: self.plan.room(room), low: low.into(), high: high.into() }
    }

    /// Adds a door in the middle of the shared wall of two boxes, at the higher of their floors.
    pub(super) fn door(&mut self, one: Chamber, other: Chamber, size: [f32; 2]) {
        let face = one.meets(other);
        self.door_at(one, other, ((face.low + face.high) / 2.0)[1 - face.across], size);
    }

    /// Adds a door with its middle at a coordinate: x in a wall to the south or north, else y. It is at most as wide as the
    /// shared wall.
    pub(super) fn door_at(&mut self, one: Chamber, other: Chamber, at: f32, size: [f32; 2]) {
        let SharedFace { mut low, mut high, across } = one.meets(other);
        let along = 1 - across;
        let half = (size[0] / 2.0).min((high - low)[along] / 2.0);
        (low[along], high[along]) = (at - half, at + half);
        high.z = high.z.min(low.z + size[1]);
        self.hole(one, other, SharedFace { low, high, across });
    }

    /// Opens the whole shared wall or floor of two boxes.
    pub(super) fn open(&mut self, one: Chamber, other: Chamber) {
        self.hole(one, other, one.meets(other));
    }

    fn hole(&mut self, one: Chamber, other: Chamber, face: SharedFace) {
        let SharedFace { low, high, across } = face;
        let corner = |first: f32, second: f32| match across {
            0 => Vec3::new(low.x, first, second),
            1 => Vec3::new(first, low.y, second),
            _ => Vec3::new(first, second, low.z),
        };
        let [a, b] = match across {
            0 => [[low.y, high.y], [low.z, high.z]],
            1 => [[low.x, high.x], [low.z, high.z]],
            _ => [[low.x, high.x], [low.y, high.y]],
        };
        let outline =
            [corner(a[0], b[0]), corner(a[1], b[0]), corner(a[1], b[1]), corner(a[0], b[1])];
        self.plan.join(one.key, other.key, Opening::polygon(outline));
    }

    /// Adds an exit.
    pub(super) fn exit(&mut self, room: Chamber, face: Face, size: [f32; 2]) {
        self.plan.exit(room.key, Opening::door(face).size(size[0], size[1]));
    }

    /// Adds an exit with an open door leaf, in the middle of a wall to the south, east, north or west.
    pub(super) fn front_door(&mut self, stock: &mut Stock<'_>, room: Chamber, face: Face) {
        self.plan.exit(room.key, Opening::door(face));
        let [low, high] = room.corners();
        let middle = (low + high) / 2.0;
        let (x, y, heading) = match face {
            Face::EAST => (high.x - LEAF, middle.y, 270.0),
            Face::NORTH => (middle.x, high.y - LEAF, 180.0),
            Face::WEST => (low.x + LEAF, middle.y, 90.0),
            _ => (middle.x, low.y + LEAF, 0.0),
        };
        stock.furnish(&mut self.plan, room, &[("door", [x, y, low.z], heading)]);
    }

    /// Adds windows to a wall, starting at these distances along it.
    pub(super) fn windows(&mut self, room: Chamber, face: Face, places: &[f32]) {
        for along in places {
            self.plan.window(room.key, Opening::pane(face).along(*along));
        }
    }
}

impl Chamber {
    /// Returns its smallest and its largest corner.
    pub(super) fn corners(self) -> [Vec3; 2] {
        [self.low, self.high]
    }

    /// Returns the rectangle where two boxes meet.
    fn meets(self, other: Self) -> SharedFace {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        let extent = high - low;
        // Flat along one axis; if the boxes do not meet, the plan is refused.
        let across = (0..3).min_by(|a, b| extent[*a].total_cmp(&extent[*b])).unwrap_or(0);
        SharedFace { low, high, across }
    }
}

/// Returns a saddle roof over a rectangle, from its eaves up to its ridge, which runs along the longer side.
pub(super) fn gable(low: [f32; 2], high: [f32; 2], heights: [f32; 2]) -> Shape {
    let lies_east = high[0] - low[0] >= high[1] - low[1];
    Shape::gable(low, high, heights, if lies_east { Ridge::East } else { Ridge::North })
}
