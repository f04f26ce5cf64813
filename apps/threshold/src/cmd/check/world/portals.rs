//! The check of portals: each must match its other side.

use std::collections::BTreeMap;

use threshold_land::CellId;
use threshold_land::glam::Vec3;
use threshold_world::{Portal, PortalSide};

use super::outline::{apart, middle, overlap};
use super::{Chamber, Findings, Severity};

/// How far the polygons of the two sides may be apart where they should be the same, in metres.
const EXACT: f32 = 5e-3;
/// From here on it is worth a note.
const ROUNDING: f32 = 1e-3;
/// How far they may be apart where they need not be the same, across their plane.
const LOOSE: f32 = 2e-2;
/// The cell that a portal names where it leads outdoors.
const OUTDOORS: u16 = 0xFFFF;

/// The side of a portal's plane that its room lies on; `None` where it cannot be told.
fn room_side(chamber: &Chamber, portal: &Portal) -> Option<PortalSide> {
    let plane = portal.plane;
    let centre = middle(chamber.room.portal_polygon(portal).vertices);
    let beside_all_points = || {
        let mut points = chamber.space.points.iter().map(|point| plane.distance(*point));
        let first = points.next().filter(|distance| distance.abs() > 0.01)?;
        points.all(|distance| distance * first > 0.0).then_some(first > 0.0)
    };
    let front = chamber.is_before(centre, plane.normal).or_else(beside_all_points)?;
    Some(if front { PortalSide::Front } else { PortalSide::Behind })
}

/// The outline of a portal in the landblock.
pub(super) fn in_block(chamber: &Chamber, portal: &Portal) -> Vec<Vec3> {
    let polygon = chamber.room.portal_polygon(portal);
    polygon.vertices.iter().map(|corner| chamber.room.to_block(*corner)).collect()
}

/// Where the neighbour is, seen from a portal, in the landblock.
fn onward(chamber: &Chamber, portal: &Portal) -> Vec3 {
    let normal = chamber.turned(portal.plane.normal);
    match portal.side {
        PortalSide::Front => normal,
        PortalSide::Behind => -normal,
    }
}

/// A portal that must have its like on the other side.
struct Pair<'a> {
    here: &'a Chamber,
    portal: &'a Portal,
    there: &'a Chamber,
    back: &'a Portal,
}

/// Checks the portals of a room.
pub(super) fn check(rooms: &BTreeMap<CellId, Chamber>, here: &Chamber, found: &mut Findings) {
    let id = here.room.id();
    for (index, portal) in here.room.portals().iter().enumerate() {
        let polygon = here.room.portal_polygon(portal);
        let at = here.place(middle(polygon.vertices));
        if room_side(here, portal) == Some(portal.side) {
            let problem = "has its room on the side that its flags give to the neighbour";
            found.error(id, at, format!("portal {index} {problem}"));
        }
        if let Some((severity, problem)) = exit_marks(rooms, here, index) {
            found.add(severity, id.into(), at, format!("portal {index} {problem}"));
        }
        // What is not there, and a number beyond its portals, is a fault of the record.
        let (Some(other), Some(number)) = (portal.other, portal.other_portal) else { continue };
        let Some(there) = rooms.get(&other) else { continue };
        let Some(back) = there.room.portals().get(usize::from(number)) else { continue };
        if back.other != Some(id) || back.other_portal.map(usize::from) != Some(index) {
            let problem = format!("leads to portal {number} of {other}, which leads");
            let message = format!("portal {index} {problem} {}", destination(back));
            found.error(id, at, message);
            continue;
        }
        let pair = Pair { here, portal, there, back };
        if let Some((severity, problem)) = pair.mismatch() {
            let message = format!("portal {index} and portal {number} of {other}: {problem}");
            found.add(severity, id.into(), at, message);
        } else if pair.overlaps() {
            let message = format!("portal {index} has {other} on the same side as this room");
            found.error(id, at, message);
        }
    }
}

/// What is wrong with the two marks of a portal that leads outdoors. Either is enough; where the room
/// that it names leads back here, the two sides contradict each other.
fn exit_marks(
    rooms: &BTreeMap<CellId, Chamber>,
    here: &Chamber,
    index: usize,
) -> Option<(Severity, String)> {
    let (id, mark) = (here.room.id(), here.record.portals.get(index)?);
    match (mark.flags.leads_outside(), mark.other_cell) {
        (false, OUTDOORS) => Some((
            Severity::Note,
            "leads outdoors by its cell 0xFFFF; its flags do not say so".to_owned(),
        )),
        (false, _) | (true, OUTDOORS) => None,
        (true, low) => {
            let named = id.block().cell(low);
            let back = |portal: &Portal| {
                portal.other == Some(id) && portal.other_portal.map(usize::from) == Some(index)
            };
            let leads_back =
                rooms.get(&named).is_some_and(|other| other.room.portals().iter().any(back));
            let severity = if leads_back { Severity::Error } else { Severity::Note };
            let which = if leads_back { "which leads back here" } else { "to no effect" };
            Some((severity, format!("leads outdoors by its flags, but names {named}, {which}")))
        }
    }
}

fn destination(portal: &Portal) -> String {
    match (portal.other, portal.other_portal) {
        (Some(room), Some(number)) => format!("to portal {number} of {room}"),
        (Some(room), None) => format!("to {room}"),
        (None, _) => "outdoors".to_owned(),
    }
}

impl Pair<'_> {
    /// How the polygons of the two sides differ, and how bad that is.
    fn mismatch(&self) -> Option<(Severity, String)> {
        let (here, there) = (in_block(self.here, self.portal), in_block(self.there, self.back));
        let exact = self.portal.exact_match || self.back.exact_match;
        difference(&here, &there, exact)
    }

    /// Whether both rooms lie on one side, though each is right about its own.
    fn overlaps(&self) -> bool {
        let right = |chamber, portal: &Portal| {
            room_side(chamber, portal).is_some_and(|side| side != portal.side)
        };
        onward(self.here, self.portal).dot(onward(self.there, self.back)) > 0.0
            && right(self.here, self.portal)
            && right(self.there, self.back)
    }
}

/// How two outlines that should be one differ, and how bad that is. Without `exact` they only have
/// to overlap.
pub(super) fn difference(one: &[Vec3], other: &[Vec3], exact: bool) -> Option<(Severity, String)> {
    let distance = apart(one, other);
    let severity = match exact {
        true if distance > EXACT => Severity::Error,
        true if distance > ROUNDING => Severity::Note,
        false if distance > LOOSE && overlap(one, other, LOOSE) => Severity::Note,
        false if distance > LOOSE => Severity::Error,
        _ => return None,
    };
    Some((severity, format!("their polygons are {distance:.3} m apart")))
}
