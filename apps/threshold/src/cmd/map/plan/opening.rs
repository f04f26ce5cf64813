//! Openings of rooms seen from above.

use threshold_geom::{Polygon, plane_of};
use threshold_land::CellId;
use threshold_land::glam::{Vec2, Vec3};
use threshold_world::{Portal, Room};

use crate::drawing::flat::{self, Segment};

/// What an opening is to a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cmd::map) enum Kind {
    /// Into the next room.
    Doorway(CellId),
    /// Outdoors.
    Exit,
    /// Seen through, not walked through.
    Window,
    /// In the floor.
    Down(Option<CellId>),
    /// In the ceiling.
    Up(Option<CellId>),
}

/// An opening seen from above, in the landblock's frame.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::cmd::map) struct Opening {
    pub(in crate::cmd::map) kind: Kind,
    /// Of one in a wall.
    pub(in crate::cmd::map) segment: Segment,
    /// Of one in a floor or a ceiling; empty in a wall.
    pub(in crate::cmd::map) outline: Vec<Vec2>,
    /// Its lowest corner.
    pub(in crate::cmd::map) sill: f32,
}

/// Openings steeper than this lie in a wall.
const UPRIGHT: f32 = 0.6;

/// `None` where nothing of the opening is seen from above.
pub(in crate::cmd::map) fn seen(room: &Room, portal: &Portal) -> Option<Opening> {
    let own = room.portal_polygon(portal);
    let corners: Vec<Vec3> = own.vertices.iter().map(|corner| room.to_block(*corner)).collect();
    let sill = corners.iter().map(|corner| corner.z).fold(f32::INFINITY, f32::min);
    let normal = plane_of(&corners)?.normal;
    let above: Vec<Vec2> = corners.iter().map(|corner| corner.truncate()).collect();
    if normal.z.abs() > UPRIGHT {
        let kind = if is_below(room, portal) { Kind::Down } else { Kind::Up };
        let outline = flat::hull(above);
        let segment = [flat::middle(&outline); 2];
        let outline_seen = !outline.is_empty();
        let kind = kind(portal.other);
        return outline_seen.then_some(Opening { kind, segment, outline, sill });
    }
    let segment = spread(&above, Vec2::new(-normal.y, normal.x))?;
    let kind = match portal.other {
        _ if is_closed(room, &own) => Kind::Window,
        Some(other) => Kind::Doorway(other),
        None => Kind::Exit,
    };
    Some(Opening { kind, segment, outline: Vec::new(), sill })
}

/// The extremes of points along a direction, on the line through their mean.
pub(super) fn spread(points: &[Vec2], along: Vec2) -> Option<Segment> {
    let along = along.try_normalize()?;
    let mean = points.iter().sum::<Vec2>() / points.len() as f32;
    let places = points.iter().map(|point| along.dot(*point - mean));
    let (low, high) =
        places.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    (high - low > 0.01).then(|| [mean + along * low, mean + along * high])
}

/// Whether an opening lies in the lower half of its room.
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

/// Whether a wall to bump into fills the opening: so windows are made.
fn is_closed(room: &Room, opening: &Polygon<'_>) -> bool {
    let middle = opening.vertices.iter().sum::<Vec3>() / opening.vertices.len().max(1) as f32;
    let walls = room.structure().physics.polygons();
    let covers = |wall: Polygon<'_>| {
        wall.plane.normal != Vec3::ZERO
            && wall.plane.distance(middle).abs() < 0.02
            && wall.contains(middle)
    };
    walls.iter().any(covers)
}
