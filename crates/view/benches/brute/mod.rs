//! Brute force: everything that is resident and in the frustum.

use threshold_geom::Bounds;
use threshold_land::vector::{DVec2, DVec3};
use threshold_land::{CellId, block_offset_between};
use threshold_view::Viewer;
use threshold_world::{Room, World};

/// All resident rooms, with their bounding boxes.
pub(crate) struct Brute {
    rooms: Vec<RoomBounds>,
}

/// Bounding box of a room, and its number of triangles.
struct RoomBounds {
    cell: CellId,
    /// In the frame of the room's landblock.
    middle: DVec3,
    half: DVec3,
    triangles: usize,
}

/// Returns the number of triangles of a room without its portals.
pub(crate) fn triangles(room: &Room) -> usize {
    let drawing = &room.structure().drawing;
    let all = drawing.iter().map(|polygon| polygon.vertices.len() - 2).sum::<usize>();
    let triangles = |index| drawing.get(index).vertices.len() - 2;
    let mut portals: Vec<u32> = room.portals().iter().map(|portal| portal.polygon).collect();
    portals.sort_unstable();
    portals.dedup();
    all - portals.into_iter().map(triangles).sum::<usize>()
}

impl Brute {
    pub(crate) fn new(world: &World) -> Self {
        let mut blocks: Vec<_> = world.resident().map(|piece| piece.block()).collect();
        blocks.dedup();
        let bounds_of = |room: &Room| {
            let polygons = room.structure().drawing.iter();
            let corners = polygons.flat_map(|polygon| polygon.vertices.to_vec());
            let bounds = Bounds::from_points(corners.map(|corner| room.to_block(corner))).unwrap();
            let (min, max) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
            let (middle, half) = ((min + max) / 2.0, (max - min) / 2.0);
            RoomBounds { cell: room.id(), middle, half, triangles: triangles(room) }
        };
        let rooms = blocks.into_iter().flat_map(|block| world.rooms(block));
        Self { rooms: rooms.map(bounds_of).collect() }
    }

    /// Returns the number of rooms and triangles that are drawn.
    pub(crate) fn draw(&self, viewer: &Viewer) -> (usize, usize) {
        let corner = |x, y| viewer.direction(DVec2::new(x, y));
        let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        let inward = |side: usize| corners[(side + 1) % 4].cross(corners[side]);
        let sides = [0, 1, 2, 3].map(inward);
        let is_in_frustum = |bounds: &RoomBounds| {
            let shift = block_offset_between(viewer.cell(), bounds.cell).as_dvec3();
            let middle = bounds.middle + shift - viewer.eye();
            let reach = |side: &DVec3| side.dot(middle) + side.abs().dot(bounds.half);
            sides.iter().all(|side| reach(side) >= 0.0)
        };
        let (mut rooms, mut triangles) = (0, 0);
        for bounds in self.rooms.iter().filter(|bounds| is_in_frustum(bounds)) {
            rooms += 1;
            triangles += bounds.triangles;
        }
        (rooms, triangles)
    }
}
