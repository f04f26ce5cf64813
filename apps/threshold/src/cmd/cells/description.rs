//! Descriptions of cells. Field names are keys of the JSON output.

use std::collections::BTreeSet;

use serde::Serialize;
use threshold_dat::RecordId;
use threshold_geom::FLOOR_Z;
use threshold_land::CellId;
use threshold_land::vector::Vec3;
use threshold_play::standing::room_extent;
use threshold_world::{BuildingPortal, LandCell, Object, Portal, PortalSide, Room, Water, World};

use crate::building::building_of;

/// A cell.
#[derive(Serialize)]
pub(super) struct CellDescription {
    pub(super) cell: CellId,
    kind: CellSort,
    /// Lowest and highest corner.
    bounds: Option<[Vec3; 2]>,
    floors: Vec<Floor>,
    portals: Vec<PortalDescription>,
    /// Cells that a mover can enter directly: rooms behind the portals, and the land cells around a land cell.
    neighbours: Vec<CellId>,
    /// Rooms on the stab list of a room; rooms seen through the portals of a land cell's building.
    stab_list: Vec<CellId>,
    seen_outside: bool,
    water: Option<&'static str>,
    /// Object that guards the cell.
    restriction: Option<RecordId>,
    objects: Vec<ObjectDescription>,
    /// Model of the building that stands in a land cell, or has a room.
    building: Option<RecordId>,
}

/// Kind of a cell.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum CellSort {
    Land,
    Room,
}

/// A polygon that movers can stand on.
#[derive(Serialize)]
struct Floor {
    /// Number of the physics polygon of a room, or of the triangle of a landblock.
    polygon: usize,
    low: f32,
    high: f32,
    normal: Vec3,
    corners: Vec<Vec3>,
}

/// A portal of a room, or of a building.
#[derive(Serialize)]
struct PortalDescription {
    /// The room behind it; `null` leads outdoors.
    to: Option<CellId>,
    /// Its number in the list of that room.
    other_portal: Option<u16>,
    /// Side of its plane on which the other room is.
    side: &'static str,
    /// Whether its polygon equals that of the other side; `null` for a portal of a building.
    exact_match: Option<bool>,
    /// Its corners; empty for a portal of a building, whose room has them.
    corners: Vec<Vec3>,
}

/// An object that touches a cell.
#[derive(Serialize)]
struct ObjectDescription {
    id: String,
    model: RecordId,
    position: String,
}

impl CellDescription {
    pub(super) fn of_room(world: &World, room: &Room) -> Self {
        let physics = &room.structure().physics;
        let outline = |number: usize| {
            let polygon = physics.polygon(u32::try_from(number).unwrap_or(u32::MAX));
            polygon.vertices.iter().map(|corner| room.to_block(*corner)).collect::<Vec<_>>()
        };
        let normal = |number: usize| {
            let polygon = physics.polygon(u32::try_from(number).unwrap_or(u32::MAX));
            room.position().frame.rotation.rotate(polygon.plane.normal)
        };
        let numbers = 0..physics.polygons().len();
        Self {
            cell: room.id(),
            kind: CellSort::Room,
            bounds: room_extent(room),
            floors: numbers.filter_map(|at| Floor::of(at, &outline(at), normal(at))).collect(),
            portals: room.portals().iter().map(|at| PortalDescription::of_room(room, at)).collect(),
            neighbours: once_each(room.portals().iter().filter_map(|portal| portal.other.as_ref())),
            stab_list: room.stabs().to_vec(),
            seen_outside: room.seen_outside(),
            water: None,
            restriction: room.restriction(),
            objects: objects(world, room.id()),
            building: building_of(world, room.id()).map(|building| building.setup.id),
        }
    }

    pub(super) fn of_land(world: &World, cell: LandCell<'_>) -> Self {
        let terrain = cell.land().terrain();
        let triangles = [0, 1].map(|half| 2 * cell.index() + half);
        let corners: Vec<Vec3> = triangles.iter().flat_map(|at| terrain.triangle(*at)).collect();
        let bounds = corners.iter().map(|at| [*at, *at]);
        let building = cell.building();
        let portals = building.map(|building| &building.portals[..]).unwrap_or_default();
        Self {
            cell: cell.id(),
            kind: CellSort::Land,
            bounds: bounds.reduce(|[low, high], [a, b]| [low.min(a), high.max(b)]),
            floors: triangles
                .into_iter()
                .filter_map(|at| Floor::of(at, &terrain.triangle(at), terrain.plane(at).normal))
                .collect(),
            portals: portals.iter().map(PortalDescription::of_building).collect(),
            neighbours: {
                let rooms = portals.iter().map(|portal| &portal.other);
                once_each(land_around(world, cell.id()).iter().chain(rooms))
            },
            stab_list: once_each(portals.iter().flat_map(|portal| &portal.stabs)),
            seen_outside: true,
            water: Some(match cell.water() {
                Water::None => "none",
                Water::Partial => "partial",
                Water::Entire => "entire",
            }),
            restriction: cell.restriction(),
            objects: objects(world, cell.id()),
            building: building.map(|building| building.setup.id),
        }
    }
}

impl Floor {
    /// Describes a polygon; `None` if it is too steep to stand on.
    fn of(polygon: usize, corners: &[Vec3], normal: Vec3) -> Option<Self> {
        let heights = || corners.iter().map(|corner| corner.z);
        let (low, high) =
            (heights().fold(f32::INFINITY, f32::min), heights().fold(f32::NEG_INFINITY, f32::max));
        let corners = corners.to_vec();
        (normal.z >= FLOOR_Z).then_some(Self { polygon, low, high, normal, corners })
    }
}

impl PortalDescription {
    fn of_room(room: &Room, portal: &Portal) -> Self {
        let corners = room.portal_polygon(portal).vertices;
        Self {
            to: portal.other,
            other_portal: portal.other_portal,
            side: side_name(portal.side),
            exact_match: Some(portal.exact_match),
            corners: corners.iter().map(|corner| room.to_block(*corner)).collect(),
        }
    }

    fn of_building(portal: &BuildingPortal) -> Self {
        Self {
            to: Some(portal.other),
            other_portal: portal.other_portal,
            side: side_name(portal.side),
            exact_match: None,
            corners: Vec::new(),
        }
    }
}

fn side_name(side: PortalSide) -> &'static str {
    match side {
        PortalSide::Front => "front",
        PortalSide::Behind => "behind",
    }
}

/// Returns the land cells around a land cell that are there, from the south-west on; also those of other landblocks.
fn land_around(world: &World, cell: CellId) -> Vec<CellId> {
    let steps = (-1..=1).flat_map(|y| (-1..=1).map(move |x| (x, y))).filter(|at| *at != (0, 0));
    let cells = steps.filter_map(|(x, y)| Some(cell.lcoord()?.step(x, y)?.cell()));
    cells.filter(|cell| world.is_resident(*cell)).collect()
}

/// Removes duplicates; keeps the first of each.
fn once_each<'a>(cells: impl Iterator<Item = &'a CellId>) -> Vec<CellId> {
    let mut seen = BTreeSet::new();
    cells.copied().filter(|cell| seen.insert(*cell)).collect()
}

/// Describes the objects that touch a cell.
fn objects(world: &World, cell: CellId) -> Vec<ObjectDescription> {
    let describe = |object: &Object| ObjectDescription {
        id: object.id().to_string(),
        model: object.model(),
        position: object.position().to_string(),
    };
    world.objects_in(cell).map(describe).collect()
}
