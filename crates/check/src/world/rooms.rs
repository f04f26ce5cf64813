//! The check of rooms: each must be closed, reachable, and list the cells visible from it.

use std::collections::{BTreeMap, BTreeSet};

use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position};

use super::closed::{Flaw, Leak};
use super::outline::centre;
use super::{BlockCheck, CheckedRoom, Findings, objects, portals};

/// Distances in metres before and behind a portal at which its room is searched, in this order.
const PROBE_DISTANCES: [f32; 3] = [0.05, 0.01, 0.3];

impl CheckedRoom {
    /// Returns the position of a point of the structure.
    pub(super) fn position_of(&self, point: Vec3) -> Position {
        Position::new(self.room.id(), self.room.to_block(point))
    }

    /// Converts a direction from the structure to the landblock.
    pub(super) fn direction_in_block(&self, direction: Vec3) -> Vec3 {
        self.record.position.rotation.rotate(direction)
    }

    /// Returns whether the room lies in front of a portal, given in the room's frame; `None` if that is ambiguous.
    pub(super) fn is_in_front(&self, centre: Vec3, normal: Vec3) -> Option<bool> {
        let tree = &self.room.structure().cell_tree;
        PROBE_DISTANCES.into_iter().find_map(|distance| {
            let inside = |side: f32| tree.contains(centre + normal * (side * distance));
            let (front, behind) = (inside(1.0), inside(-1.0));
            (front != behind).then_some(front)
        })
    }

    /// Returns the position of an inner point, or of the origin.
    fn any_position(&self) -> Position {
        self.position_of(self.shape.inner_points.first().copied().unwrap_or_default())
    }
}

impl BlockCheck<'_> {
    /// Checks all rooms. With `info_damaged` the buildings that could lead to them are unknown.
    pub(super) fn check_rooms(&mut self, info_damaged: bool) {
        let reached = self.reached();
        let (rooms, findings) = (&self.rooms, &mut self.findings);
        for (cell, checked) in rooms {
            check_shape(checked, findings);
            portals::check(rooms, checked, findings);
            check_stabs(rooms, checked, findings);
            check_flag(rooms, checked, findings);
            objects::check(rooms, &self.check.builder, checked, findings);
            // A neighbour that cannot be read may lead here.
            let neighbours = || checked.room.portals().iter().map(|portal| portal.other);
            let may_be_reached = neighbours().any(|other| match other {
                Some(other) => self.unusable.contains_key(&other),
                None => info_damaged,
            });
            if !reached.contains(cell) && !may_be_reached {
                let message = "no portal of another room and no building leads here".to_owned();
                findings.note(*cell, checked.any_position(), message);
            }
        }
    }

    /// Returns the rooms to which a portal of another room or of a building leads.
    fn reached(&self) -> BTreeSet<CellId> {
        let mut reached = BTreeSet::new();
        for (cell, checked) in &self.rooms {
            let others = checked.room.portals().iter().filter_map(|portal| portal.other);
            reached.extend(others.filter(|other| other != cell));
        }
        let buildings = self.info.iter().flat_map(|info| &info.buildings);
        let portals = buildings.flat_map(|building| &building.portals);
        reached.extend(portals.map(|portal| self.block.cell(portal.other_cell)));
        reached
    }
}

fn check_shape(checked: &CheckedRoom, findings: &mut Findings) {
    let id = checked.room.id();
    if let Some(Leak { from, direction, at, escaped, cast }) = checked.shape.leak {
        let from = checked.position_of(from).frame.origin;
        let direction = checked.direction_in_block(direction);
        let message = format!(
            "not closed: from {:.3},{:.3},{:.3} towards {:.3},{:.3},{:.3} no polygon is met \
             ({escaped} of {cast} rays)",
            from.x, from.y, from.z, direction.x, direction.y, direction.z
        );
        findings.error(id, checked.position_of(at), message);
    }
    for Flaw { severity, at, message } in &checked.shape.flaws {
        findings.add(*severity, id.into(), checked.position_of(*at), message.clone());
    }
    if checked.shape.inner_points.is_empty() {
        let message = "its cell tree holds no point before its polygons".to_owned();
        findings.error(id, checked.any_position(), message);
    }
}

/// Checks that the stab list has all neighbours, and that a room with an exit portal sees outside.
fn check_stabs(
    rooms: &BTreeMap<CellId, CheckedRoom>,
    checked: &CheckedRoom,
    findings: &mut Findings,
) {
    let (room, mut reported) = (&checked.room, BTreeSet::new());
    let stabs: BTreeSet<CellId> = room.stabs().iter().copied().collect();
    // Rooms that do not exist are reported by the check of records; each of the others is reported once.
    let mut is_new =
        |id: &CellId| *id != room.id() && rooms.contains_key(id) && reported.insert(*id);
    for (index, portal) in room.portals().iter().enumerate() {
        let at = || checked.position_of(centre(room.portal_polygon(portal).vertices));
        match portal.other {
            Some(other) if !stabs.contains(&other) && is_new(&other) => {
                let message = format!("portal {index}: {other} is not in the stab list");
                findings.error(room.id(), at(), message);
            }
            None if !room.seen_outside() => {
                let message = format!(
                    "portal {index} leads outdoors, but the room does not see outside: the flag \
                     seen_outside is not set, so the landscape is neither held nor shown"
                );
                findings.error(room.id(), at(), message);
            }
            _ => {}
        }
    }
}

/// Notes the flag `seen_outside` without any chain of portals outdoors: the landscape is then held for nothing.
///
/// A room with the flag and without an exit portal is usual; it sees outside through other rooms.
fn check_flag(
    rooms: &BTreeMap<CellId, CheckedRoom>,
    checked: &CheckedRoom,
    findings: &mut Findings,
) {
    let room = &checked.room;
    if !room.seen_outside() {
        return;
    }
    let (mut reached, mut queue) = (BTreeSet::from([room.id()]), vec![room.id()]);
    while let Some(cell) = queue.pop() {
        // A room that is missing or unusable may lead outdoors.
        let Some(checked) = rooms.get(&cell) else { return };
        for portal in checked.room.portals() {
            match portal.other {
                None => return,
                Some(other) if reached.insert(other) => queue.push(other),
                Some(_) => {}
            }
        }
    }
    let message = "the flag seen_outside is set, but no chain of portals leads outdoors".to_owned();
    findings.note(room.id(), checked.any_position(), message);
}
