//! The building that a cell belongs to.

use threshold_land::CellId;
use threshold_world::{Building, World};

/// Returns the building that stands in a land cell, or that a room can be entered or seen through.
pub(crate) fn building_of(world: &World, cell: CellId) -> Option<&Building> {
    if cell.is_outdoor() {
        return world.land_cell(cell)?.building();
    }
    let has_room = |building: &&Building| {
        building.portals.iter().any(|portal| portal.other == cell || portal.stabs.contains(&cell))
    };
    world.land(cell.block())?.buildings().iter().find(has_room)
}
