//! The position in which a player stands at a place.

use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{BLOCK_LENGTH, CELL_LENGTH, CellId, CellKind, Place, Position};
use threshold_world::{PieceId, Room, Water, World};

/// Points of the grid across a cell at which a player is tried, on each side.
const GRID: u8 = 5;
/// Distance between the heights at which a player is tried in a room, in metres: less than a step up, so no floor is missed.
const HEIGHT_STEP: f32 = 0.5;

/// Returns the piece that must be resident before a player can stand at a place; `None` if the place has no cell.
pub(crate) fn required_piece(place: &Place) -> Option<PieceId> {
    let Some(named) = place.cell() else { return Some(PieceId::Land(place.block())) };
    // A point outdoors may be in another landblock than the one that the place names.
    let cell = match place.position().filter(|at| at.cell.is_outdoor()) {
        Some(at) => at.normalised()?.cell,
        None => named,
    };
    match cell.kind()? {
        CellKind::Land => Some(PieceId::Land(cell.block())),
        CellKind::Env => Some(PieceId::Room(cell)),
        CellKind::Block => None,
    }
}

/// Returns the position of a player's feet at a place; `None` if the place is not resident, or off the map.
///
/// A placement there may still move the player to where there is room.
pub fn standing_position(world: &World, place: &Place) -> Option<Position> {
    match *place {
        Place::Loc(position) => Some(position),
        Place::Point(cell, at) => Some(Position::new(cell, at)),
        Place::Compass(compass) => {
            let (cell, at) = compass.place();
            on_ground(world, cell, at.truncate())
        }
        Place::Block(block) => on_ground(world, block.cell(1), Vec2::splat(BLOCK_LENGTH / 2.0)),
        Place::Cell(cell) if cell.is_outdoor() => on_ground(world, cell, middle(cell)),
        Place::Cell(cell) => {
            let [low, high] = room_extent(world.room(cell)?)?;
            Some(Position::new(cell, ((low + high) / 2.0).with_z(low.z)))
        }
    }
    .and_then(|at| if at.cell.is_outdoor() { at.normalised() } else { Some(at) })
}

/// Returns the positions at which a player is tried at a place, the best first.
///
/// A place that names a whole cell or landblock has more than one, because a house or a table may fill its middle.
pub(crate) fn standing_candidates(world: &World, place: &Place) -> Vec<Position> {
    let first = standing_position(world, place);
    let others = match *place {
        Place::Block(block) => {
            let cells = (1..=64).map(|cell| block.cell(cell));
            cells.filter_map(|cell| on_ground(world, cell, middle(cell))).collect()
        }
        Place::Cell(cell) if cell.is_outdoor() => {
            let corner = middle(cell) - Vec2::splat(CELL_LENGTH / 2.0);
            let points = grid(corner, corner + Vec2::splat(CELL_LENGTH));
            points.filter_map(|at| on_ground(world, cell, at)).collect()
        }
        Place::Cell(cell) => world.room(cell).map(positions_in_room).unwrap_or_default(),
        Place::Loc(_) | Place::Point(..) | Place::Compass(_) => Vec::new(),
    };
    let mut positions: Vec<Position> = others;
    if let Some(first) = first {
        let distance = |at: &Position| first.offset_to(at).length_squared();
        positions.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        positions.insert(0, first);
    }
    positions
}

/// Returns the positions inside a room at which a player is tried.
fn positions_in_room(room: &Room) -> Vec<Position> {
    let Some([low, high]) = room_extent(room) else { return Vec::new() };
    let heights = (0_u8..).map(|step| low.z + HEIGHT_STEP * f32::from(step));
    let heights = heights.take_while(|height| *height < high.z);
    let points = heights
        .flat_map(|height| grid(low.truncate(), high.truncate()).map(move |at| at.extend(height)));
    let inside = points.filter(|feet| room.contains(*feet + Vec3::Z * HEIGHT_STEP));
    inside.map(|feet| Position::new(room.id(), feet)).collect()
}

/// Returns the points of a grid between two corners, none on the border.
fn grid(low: Vec2, high: Vec2) -> impl Iterator<Item = Vec2> {
    let points = (0..GRID).flat_map(|x| (0..GRID).map(move |y| [x, y]));
    points.map(move |point| {
        let part = Vec2::from(point.map(f32::from)) + 0.5;
        low + (high - low) * part / f32::from(GRID)
    })
}

/// Returns why no player can stand at a position, if the reason is known.
pub(crate) fn known_obstacle(world: &World, at: &Position) -> Option<&'static str> {
    let land = world.land(at.cell.block()).filter(|_| at.cell.is_outdoor())?;
    let is_sea = land.terrain().block_water() == Water::Entire;
    is_sea.then_some("the whole landblock is sea")
}

/// Distance from the walls, floor and ceiling of a room up to which a point is taken for one of the room, in metres:
/// as far as a placement moves a body.
const MAX_DISTANCE_FROM_ROOM: f32 = 4.0;

/// Returns whether a position names a room that is far away from its point.
pub(crate) fn is_far_outside(world: &World, at: &Position) -> bool {
    world.room(at.cell).and_then(room_extent).is_some_and(|[low, high]| {
        let point = at.frame.origin;
        (point - point.clamp(low, high)).length() > MAX_DISTANCE_FROM_ROOM
    })
}

/// Returns a position on the ground of a cell's landblock.
fn on_ground(world: &World, cell: CellId, at: Vec2) -> Option<Position> {
    let height = world.land(cell.block())?.terrain().height(at)?;
    Some(Position::new(cell, at.extend(height)))
}

/// Returns the lowest and highest corner of a room, in the frame of its landblock.
pub fn room_extent(room: &Room) -> Option<[Vec3; 2]> {
    let corners = room.structure().drawing.iter().flat_map(|polygon| polygon.vertices.to_vec());
    let corners = corners.map(|corner| room.to_block(corner));
    let both = corners.map(|corner| [corner, corner]);
    both.reduce(|[low, high], [a, b]| [low.min(a), high.max(b)])
}

/// Returns the middle of a land cell.
fn middle(cell: CellId) -> Vec2 {
    let index = (cell.0 & 0xFFFF).saturating_sub(1);
    let [x, y] = [index >> 3, index & 7].map(|v| f32::from(u8::try_from(v).unwrap_or(0)));
    (Vec2::new(x, y) + 0.5) * CELL_LENGTH
}
