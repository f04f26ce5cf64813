//! Cell and point that a finding about a record refers to.

use threshold_dat::{AnyRecord, EnvCell, LandBlockInfo, Reference};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, adjust_to_outside};

use super::Shapes;

/// A cell, and a point in the frame of its landblock if one is known.
pub(super) type Location = (CellId, Option<Vec3>);

/// Location of a record as a whole. A record about a landblock has no point.
pub(super) fn of_record(record: &AnyRecord) -> Option<Location> {
    match record {
        AnyRecord::EnvCell(cell) => Some((cell.id, Some(cell.position.origin))),
        AnyRecord::LandBlock(land) => Some((land.block.as_cell(), None)),
        AnyRecord::LandBlockInfo(info) => Some((info.block.as_cell(), None)),
        _ => None,
    }
}

/// Location of the item that holds a reference.
pub(super) fn of_reference(
    record: &AnyRecord,
    reference: &Reference,
    shapes: &Shapes,
) -> Option<Location> {
    match record {
        AnyRecord::EnvCell(cell) => in_room(cell, reference, shapes).or_else(|| of_record(record)),
        AnyRecord::LandBlockInfo(info) => on_land(info, reference).or_else(|| of_record(record)),
        _ => of_record(record),
    }
}

/// Location of a portal of a room: its centre, or the origin of the room if its polygon is unknown.
pub(super) fn of_portal(cell: &EnvCell, index: usize, shapes: &Shapes) -> Location {
    let portal = cell.portals.get(index);
    let centre = portal.and_then(|portal| shapes.portal_centre(cell, portal.polygon));
    let point = centre.map(|centre| cell.position.to_global(centre));
    (cell.id, Some(point.unwrap_or(cell.position.origin)))
}

/// Location of a building; `None` beyond the map.
pub(super) fn of_building(info: &LandBlockInfo, index: usize) -> Option<Location> {
    outdoors(info.block, info.buildings.get(index)?.frame.origin)
}

fn in_room(cell: &EnvCell, reference: &Reference, shapes: &Shapes) -> Option<Location> {
    match reference.what {
        "neighbour behind a portal" => {
            let leads_there =
                |portal| cell.neighbour(portal).is_some_and(|id| reference.id == id.into());
            let index = cell.portals.iter().position(leads_there)?;
            Some(of_portal(cell, index, shapes))
        }
        "static object" => {
            let object = cell.statics.iter().find(|object| object.model == reference.id)?;
            Some((cell.id, Some(object.frame.origin)))
        }
        _ => None,
    }
}

fn on_land(info: &LandBlockInfo, reference: &Reference) -> Option<Location> {
    let names = |low: u16| reference.id == info.block.cell(low).into();
    let origin = match reference.what {
        "cell" => return Some((reference.id.cell(), None)),
        "object" => info.objects.iter().find(|object| object.model == reference.id)?.frame.origin,
        "building" => info.buildings.iter().find(|b| b.model == reference.id)?.frame.origin,
        "cell behind a building portal" => {
            info.buildings
                .iter()
                .find(|b| b.portals.iter().any(|p| names(p.other_cell)))?
                .frame
                .origin
        }
        "cell seen through a building portal" => {
            let sees =
                |p: &threshold_dat::BuildingPortalInfo| p.visible.iter().any(|low| names(*low));
            info.buildings.iter().find(|b| b.portals.iter().any(sees))?.frame.origin
        }
        _ => return None,
    };
    outdoors(info.block, origin)
}

/// The land cell of a point. The frame is that of `block`, even if the point lies beyond it.
fn outdoors(block: BlockId, origin: Vec3) -> Option<Location> {
    let (cell, _) = adjust_to_outside(block.as_cell(), origin)?;
    let cell = if cell.block() == block { cell } else { block.as_cell() };
    Some((cell, Some(origin)))
}
