//! The check of rooms: closed, reached, and loaded with what can be seen from them.

use std::collections::{BTreeMap, BTreeSet};

use threshold_land::CellId;
use threshold_land::glam::Vec3;

use super::closed::{Flaw, Leak};
use super::{Chamber, Findings, Site};

/// How far before and behind an opening its room is looked for, in metres.
const PROBES: [f32; 3] = [0.05, 0.01, 0.3];

impl Chamber {
    /// A point of its shape, as findings name it.
    pub(super) fn place(&self, point: Vec3) -> (CellId, Vec3) {
        (self.room.id(), self.room.to_block(point))
    }

    /// A direction of its shape, in the landblock.
    pub(super) fn turned(&self, direction: Vec3) -> Vec3 {
        self.record.position.rotation.rotate(direction)
    }

    /// Whether it lies before an opening of that middle and normal, both in its own frame; `None`
    /// where it cannot be told.
    pub(super) fn is_before(&self, middle: Vec3, normal: Vec3) -> Option<bool> {
        let tree = &self.room.structure().cell_tree;
        PROBES.into_iter().find_map(|distance| {
            let inside = |side: f32| tree.contains(middle + normal * (side * distance));
            let (front, behind) = (inside(1.0), inside(-1.0));
            (front != behind).then_some(front)
        })
    }

    /// Where it can be found: a point in it, or the origin of its shape.
    fn somewhere(&self) -> (CellId, Vec3) {
        self.place(self.space.points.first().copied().unwrap_or_default())
    }
}

impl Site<'_> {
    /// `info_damaged`: what stands on the landblock is not known.
    pub(super) fn check_rooms(&mut self, info_damaged: bool) {
        let reached = self.reached();
        let (rooms, found) = (&self.rooms, &mut self.found);
        for (cell, chamber) in rooms {
            check_space(chamber, found);
            super::portals::check(rooms, chamber, found);
            check_sight(rooms, chamber, found);
            check_flag(rooms, chamber, found);
            super::objects::check(rooms, &self.check.builder, chamber, found);
            // Who cannot be read may lead here.
            let neighbours = || chamber.room.portals().iter().map(|portal| portal.other);
            let doubtful = neighbours().any(|other| match other {
                Some(other) => self.unusable.contains_key(&other),
                None => info_damaged,
            });
            if !reached.contains(cell) && !doubtful {
                let message = "no portal of another room and no building leads here".to_owned();
                found.note(*cell, chamber.somewhere(), message);
            }
        }
    }

    /// Rooms that a portal of another room or a building leads to.
    fn reached(&self) -> BTreeSet<CellId> {
        let mut reached = BTreeSet::new();
        for (cell, chamber) in &self.rooms {
            let others = chamber.room.portals().iter().filter_map(|portal| portal.other);
            reached.extend(others.filter(|other| other != cell));
        }
        let buildings = self.info.iter().flat_map(|info| &info.buildings);
        let portals = buildings.flat_map(|building| &building.portals);
        reached.extend(portals.map(|portal| self.block.cell(portal.other_cell)));
        reached
    }
}

fn check_space(chamber: &Chamber, found: &mut Findings) {
    let id = chamber.room.id();
    if let Some(Leak { from, towards, at, rays: (out, of) }) = chamber.space.leak {
        let (_, from) = chamber.place(from);
        let towards = chamber.turned(towards);
        let message = format!(
            "not closed: from {:.3},{:.3},{:.3} towards {:.3},{:.3},{:.3} no polygon is met \
             ({out} of {of} rays)",
            from.x, from.y, from.z, towards.x, towards.y, towards.z
        );
        found.error(id, chamber.place(at), message);
    }
    for Flaw { severity, at, message } in &chamber.space.flaws {
        found.add(*severity, id.into(), chamber.place(*at), message.clone());
    }
    if chamber.space.points.is_empty() {
        let message = "its cell tree holds no point before its polygons".to_owned();
        found.error(id, chamber.somewhere(), message);
    }
}

/// What must be loaded with a room is in its list, and the landscape where a portal leads outdoors.
fn check_sight(rooms: &BTreeMap<CellId, Chamber>, chamber: &Chamber, found: &mut Findings) {
    let (room, mut missed) = (&chamber.room, BTreeSet::new());
    let stabs: BTreeSet<CellId> = room.stabs().iter().copied().collect();
    // What is not there is a fault of the record; each of the others is missed once.
    let mut there = |id: &CellId| *id != room.id() && rooms.contains_key(id) && missed.insert(*id);
    for (index, portal) in room.portals().iter().enumerate() {
        let at = || chamber.place(super::outline::middle(room.portal_polygon(portal).vertices));
        match portal.other {
            Some(other) if !stabs.contains(&other) && there(&other) => {
                let message = format!("portal {index}: {other} is not in the stab list");
                found.error(room.id(), at(), message);
            }
            None if !room.seen_outside() => {
                let message = format!(
                    "portal {index} leads outdoors, but the room does not see outside: the flag \
                     seen_outside is not set, so the landscape is neither held nor shown"
                );
                found.error(room.id(), at(), message);
            }
            _ => {}
        }
    }
}

/// The flag `seen_outside` without any chain of portals outdoors: harmless, but the landscape is held for nothing. That a
/// room has the flag and no exit of its own is usual: it looks out through other rooms.
fn check_flag(rooms: &BTreeMap<CellId, Chamber>, chamber: &Chamber, found: &mut Findings) {
    let room = &chamber.room;
    if !room.seen_outside() {
        return;
    }
    let (mut reached, mut waiting) = (BTreeSet::from([room.id()]), vec![room.id()]);
    while let Some(cell) = waiting.pop() {
        // Where a room that is missing or cannot be used leads to is not known.
        let Some(chamber) = rooms.get(&cell) else { return };
        for portal in chamber.room.portals() {
            match portal.other {
                None => return,
                Some(other) if reached.insert(other) => waiting.push(other),
                Some(_) => {}
            }
        }
    }
    let message = "the flag seen_outside is set, but no chain of portals leads outdoors".to_owned();
    found.note(room.id(), chamber.somewhere(), message);
}
