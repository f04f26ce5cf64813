//! The check of portals between rooms: each must match its other side.

use std::collections::BTreeMap;

use threshold_land::CellId;
use threshold_land::vector::Vec3;
use threshold_world::{Portal, PortalSide};

use super::outline::{centre, outline_distance, overlap};
use super::{CheckedRoom, Findings, Severity};

/// Greatest distance in metres between the polygons of both sides of an exact match; more is an error.
const MAX_EXACT: f32 = 5e-3;
/// Distance in metres between them that is explained by rounding; more is a note.
const MAX_ROUNDING: f32 = 1e-3;
/// Greatest distance in metres between polygons that need not match exactly, across their plane.
const MAX_LOOSE: f32 = 2e-2;
/// Low word of the cell behind an exit portal.
const OUTDOORS: u16 = 0xFFFF;

/// Returns the side of a portal's plane on which its room lies; `None` if that is ambiguous.
fn room_side(checked: &CheckedRoom, portal: &Portal) -> Option<PortalSide> {
    let plane = portal.plane;
    let centre = centre(checked.room.portal_polygon(portal).vertices);
    let side_of_inner_points = || {
        let mut points = checked.shape.inner_points.iter().map(|point| plane.distance(*point));
        let first = points.next().filter(|distance| distance.abs() > 0.01)?;
        points.all(|distance| distance * first > 0.0).then_some(first > 0.0)
    };
    let front = checked.is_in_front(centre, plane.normal).or_else(side_of_inner_points)?;
    Some(if front { PortalSide::Front } else { PortalSide::Behind })
}

/// Returns the outline of a portal in the frame of the landblock.
pub(super) fn outline_in_block(checked: &CheckedRoom, portal: &Portal) -> Vec<Vec3> {
    let polygon = checked.room.portal_polygon(portal);
    polygon.vertices.iter().map(|corner| checked.room.to_block(*corner)).collect()
}

/// Returns the direction from a portal to the neighbour, in the frame of the landblock.
fn outward(checked: &CheckedRoom, portal: &Portal) -> Vec3 {
    let normal = checked.direction_in_block(portal.plane.normal);
    match portal.side {
        PortalSide::Front => normal,
        PortalSide::Behind => -normal,
    }
}

/// A portal and the portal that leads back.
struct PortalPair<'a> {
    here: &'a CheckedRoom,
    portal: &'a Portal,
    there: &'a CheckedRoom,
    back: &'a Portal,
}

/// Checks the portals of a room.
pub(super) fn check(
    rooms: &BTreeMap<CellId, CheckedRoom>,
    here: &CheckedRoom,
    findings: &mut Findings,
) {
    let id = here.room.id();
    for (index, portal) in here.room.portals().iter().enumerate() {
        let polygon = here.room.portal_polygon(portal);
        let at = here.position_of(centre(polygon.vertices));
        if room_side(here, portal) == Some(portal.side) {
            let problem = "has its room on the side that its flags give to the neighbour";
            findings.error(id, at, format!("portal {index} {problem}"));
        }
        if let Some((severity, problem)) = exit_marks(rooms, here, index) {
            findings.add(severity, id.into(), at, format!("portal {index} {problem}"));
        }
        // A missing room or portal is reported by the check of records.
        let (Some(other), Some(number)) = (portal.other, portal.other_portal) else { continue };
        let Some(there) = rooms.get(&other) else { continue };
        let Some(back) = there.room.portals().get(usize::from(number)) else { continue };
        if back.other != Some(id) || back.other_portal.map(usize::from) != Some(index) {
            let problem = format!("leads to portal {number} of {other}, which leads");
            let message = format!("portal {index} {problem} {}", destination(back));
            findings.error(id, at, message);
            continue;
        }
        let pair = PortalPair { here, portal, there, back };
        if let Some((severity, problem)) = pair.mismatch() {
            let message = format!("portal {index} and portal {number} of {other}: {problem}");
            findings.add(severity, id.into(), at, message);
        } else if pair.overlaps() {
            let message = format!("portal {index} has {other} on the same side as this room");
            findings.error(id, at, message);
        }
    }
}

/// Reports an exit portal of which only the flag or only the cell says that it leads outdoors.
///
/// Either is enough. It is an error if the named room leads back here: then both sides contradict each other.
fn exit_marks(
    rooms: &BTreeMap<CellId, CheckedRoom>,
    here: &CheckedRoom,
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

impl PortalPair<'_> {
    /// Describes the difference between the polygons of both sides, if there is one.
    fn mismatch(&self) -> Option<(Severity, String)> {
        let (here, there) =
            (outline_in_block(self.here, self.portal), outline_in_block(self.there, self.back));
        let exact = self.portal.exact_match || self.back.exact_match;
        difference(&here, &there, exact)
    }

    /// Returns whether both rooms lie on the same side, although the flags of each are right.
    fn overlaps(&self) -> bool {
        let flags_are_right = |checked, portal: &Portal| {
            room_side(checked, portal).is_some_and(|side| side != portal.side)
        };
        outward(self.here, self.portal).dot(outward(self.there, self.back)) > 0.0
            && flags_are_right(self.here, self.portal)
            && flags_are_right(self.there, self.back)
    }
}

/// Describes the difference between two outlines that should be the same. Without `exact` they only have to overlap.
pub(super) fn difference(one: &[Vec3], other: &[Vec3], exact: bool) -> Option<(Severity, String)> {
    let distance = outline_distance(one, other);
    let severity = match exact {
        true if distance > MAX_EXACT => Severity::Error,
        true if distance > MAX_ROUNDING => Severity::Note,
        false if distance > MAX_LOOSE && overlap(one, other, MAX_LOOSE) => Severity::Note,
        false if distance > MAX_LOOSE => Severity::Error,
        _ => return None,
    };
    Some((severity, format!("their polygons are {distance:.3} m apart")))
}
