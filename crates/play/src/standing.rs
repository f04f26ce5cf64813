//! The position in which a player stands at a place.

use threshold_land::glam::{Vec2, Vec3};
use threshold_land::{BLOCK_LENGTH, CELL_LENGTH, CellId, CellKind, Place, Position};
use threshold_world::{PieceId, Room, World};

/// Returns the piece that must be resident before a player can stand at a place; `None` if the place has no cell.
pub fn required_piece(place: &Place) -> Option<PieceId> {
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
