//! Where in the world a record's finding belongs.

use threshold_dat::{AnyRecord, EnvCell, LandBlockInfo, Reference};
use threshold_land::glam::Vec3;
use threshold_land::{BlockId, CellId, adjust_to_outside};

use super::record::Shapes;

/// A cell, and a point in the frame of its landblock where there is one.
pub(super) type Spot = (CellId, Option<Vec3>);

/// Where a record as a whole is; what concerns a whole landblock is at no point of it.
pub(super) fn of(record: &AnyRecord) -> Option<Spot> {
    match record {
        AnyRecord::EnvCell(cell) => Some((cell.id, Some(cell.position.origin))),
        AnyRecord::LandBlock(land) => Some((land.block.as_cell(), None)),
        AnyRecord::LandBlockInfo(info) => Some((info.block.as_cell(), None)),
        _ => None,
    }
}

/// Where something is that a record names.
pub(super) fn of_reference(
    record: &AnyRecord,
    reference: &Reference,
    shapes: &Shapes,
) -> Option<Spot> {
    match record {
        AnyRecord::EnvCell(cell) => in_room(cell, reference, shapes).or_else(|| of(record)),
        AnyRecord::LandBlockInfo(info) => on_land(info, reference).or_else(|| of(record)),
        _ => of(record),
    }
}

/// Where a portal of a room is; the origin of the room where its shape does not tell.
pub(super) fn of_portal(cell: &EnvCell, index: usize, shapes: &Shapes) -> Spot {
    let portal = cell.portals.get(index);
    let centre = portal.and_then(|portal| shapes.centre(cell, portal.polygon));
    let point = centre.map(|centre| cell.position.to_global(centre));
    (cell.id, Some(point.unwrap_or(cell.position.origin)))
}

/// Where a building is; `None` where there is no ground below it.
pub(super) fn of_building(info: &LandBlockInfo, index: usize) -> Option<Spot> {
    outdoors(info.block, info.buildings.get(index)?.frame.origin)
}

fn in_room(cell: &EnvCell, reference: &Reference, shapes: &Shapes) -> Option<Spot> {
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

fn on_land(info: &LandBlockInfo, reference: &Reference) -> Option<Spot> {
    let is_it = |low: u16| reference.id == info.block.cell(low).into();
    let buildings = || info.buildings.iter();
    let origin = match reference.what {
        "cell" => return Some((reference.id.cell(), None)),
        "object" => info.objects.iter().find(|object| object.model == reference.id)?.frame.origin,
        "building" => buildings().find(|b| b.model == reference.id)?.frame.origin,
        "cell behind a building portal" => {
            buildings().find(|b| b.portals.iter().any(|p| is_it(p.other_cell)))?.frame.origin
        }
        "cell seen through a building portal" => {
            let sees =
                |p: &threshold_dat::BuildingPortalInfo| p.visible.iter().any(|low| is_it(*low));
            buildings().find(|b| b.portals.iter().any(sees))?.frame.origin
        }
        _ => return None,
    };
    outdoors(info.block, origin)
}

/// In the frame of the landblock whose record it is, even where the point is beyond it.
fn outdoors(block: BlockId, origin: Vec3) -> Option<Spot> {
    let (cell, _) = adjust_to_outside(block.as_cell(), origin)?;
    let cell = if cell.block() == block { cell } else { block.as_cell() };
    Some((cell, Some(origin)))
}
