//! Portals of rooms from above.

use threshold_geom::{Polygon, plane_of};
use threshold_land::CellId;
use threshold_land::vector::{Vec2, Vec3};
use threshold_world::{Portal, Room};

use crate::flat::{self, Segment};

/// The use of a portal to a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PortalKind {
    /// Leads into another room.
    Doorway(CellId),
    /// Leads outdoors.
    Exit,
    /// Open to the eye, closed to movers.
    Window,
    /// Lies in the floor.
    Down(Option<CellId>),
    /// Lies in the ceiling.
    Up(Option<CellId>),
}

/// A portal from above, in the frame of the landblock.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlanPortal {
    pub(crate) kind: PortalKind,
    /// Line of a portal in a wall.
    pub(crate) segment: Segment,
    /// Outline of a portal in a floor or a ceiling; empty in a wall.
    pub(crate) outline: Vec<Vec2>,
    /// Height of its lowest corner.
    pub(crate) sill: f32,
}

/// Least vertical part of the normal of a portal in a floor or a ceiling.
const MIN_LEVEL_NORMAL: f32 = 0.6;

/// Returns a portal from above; `None` if it has no extent there.
pub(crate) fn from_above(room: &Room, portal: &Portal) -> Option<PlanPortal> {
    let polygon = room.portal_polygon(portal);
    let corners: Vec<Vec3> = polygon.vertices.iter().map(|corner| room.to_block(*corner)).collect();
    let sill = corners.iter().map(|corner| corner.z).fold(f32::INFINITY, f32::min);
    let normal = plane_of(&corners)?.normal;
    let above: Vec<Vec2> = corners.iter().map(|corner| corner.truncate()).collect();
    if normal.z.abs() > MIN_LEVEL_NORMAL {
        let kind = if is_below(room, portal) { PortalKind::Down } else { PortalKind::Up };
        let outline = flat::hull(above);
        let segment = [flat::centroid(&outline); 2];
        let has_area = !outline.is_empty();
        let kind = kind(portal.other);
        return has_area.then_some(PlanPortal { kind, segment, outline, sill });
    }
    let segment = extent_along(&above, Vec2::new(-normal.y, normal.x))?;
    let kind = match portal.other {
        _ if is_closed(room, &polygon) => PortalKind::Window,
        Some(other) => PortalKind::Doorway(other),
        None => PortalKind::Exit,
    };
    Some(PlanPortal { kind, segment, outline: Vec::new(), sill })
}

/// Returns the line through the mean of points along a direction, as long as the points extend.
pub(super) fn extent_along(points: &[Vec2], along: Vec2) -> Option<Segment> {
    let along = along.try_normalize()?;
    let mean = points.iter().sum::<Vec2>() / points.len() as f32;
    let distances = points.iter().map(|point| along.dot(*point - mean));
    let (low, high) = distances
        .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    (high - low > 0.01).then(|| [mean + along * low, mean + along * high])
}

/// Returns whether a portal lies in the lower half of its room.
fn is_below(room: &Room, portal: &Portal) -> bool {
    let height = |corner: &Vec3| room.to_block(*corner).z;
    let own = room.portal_polygon(portal);
    let mean = own.vertices.iter().map(height).sum::<f32>() / own.vertices.len().max(1) as f32;
    let all = room.structure().drawing.iter().flat_map(|polygon| polygon.vertices);
    let (low, high) = all
        .map(height)
        .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), z| (low.min(z), high.max(z)));
    mean < (low + high) / 2.0
}

/// Returns whether a physics polygon fills the portal, as in a window.
fn is_closed(room: &Room, portal: &Polygon<'_>) -> bool {
    let centre = portal.vertices.iter().sum::<Vec3>() / portal.vertices.len().max(1) as f32;
    let walls = room.structure().physics.polygons();
    let covers = |wall: Polygon<'_>| {
        wall.plane.normal != Vec3::ZERO
            && wall.plane.distance(centre).abs() < 0.02
            && wall.contains(centre)
    };
    walls.iter().any(covers)
}
