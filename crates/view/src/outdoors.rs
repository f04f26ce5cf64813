//! Looking at the landscape: the openings of buildings, and the rooms behind them.

use threshold_land::CellId;
use threshold_world::{Building, BuildingPortal, Portal, Room, World};

use crate::constants::WITHIN;
use crate::opening::OpeningView;
use crate::outline::is_within;
use crate::probe::{Fate, Probe, Told, Trial};
use crate::seen::{Entry, Seal, Target};
use crate::walk::{Arrival, Attempt, Look};

/// An opening of a building that is on the screen and faces the eye.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Door {
    distance: f32,
    land_cell: CellId,
    /// Places in the lists of the landblock and of the building.
    building: usize,
    portal: usize,
    opening: usize,
}

impl<P: Probe> Look<'_, P> {
    /// Looks into buildings through every region of the landscape that the viewer's own cell shows.
    ///
    /// Those that turn up behind a building show nothing else: the building was seen in one of these, nothing outdoors hides
    /// anything, and so whatever is seen in them is seen in that one, past the building.
    pub(crate) fn look_outdoors(&mut self) {
        if self.seen.outside.is_empty() {
            return;
        }
        self.find_doors();
        for index in 0..self.seen.outside.len() {
            self.look_through(self.seen.outside[index]);
        }
    }

    /// Shows the landscape in the region in the buffer, through an opening outdoors.
    pub(crate) fn show_landscape(&mut self, entry: Entry, opening: usize, fate: Fate) -> Fate {
        let Look { seen, work, .. } = self;
        let (opening, region) = (work.openings.get_mut(opening), &work.buffers.region);
        let mut earlier = opening.landscape;
        while let Some(node) = earlier.map(|node| seen.node(node)) {
            if is_within(&region.corners, seen.planes_of(node), WITHIN) {
                return Fate::Known;
            }
            earlier = node.earlier;
        }
        let id = seen.add_outline(Target::Outside, region);
        let node = seen.node_mut(id);
        (node.entry, node.beyond) = (Some(entry), Some(opening.beyond));
        node.earlier = opening.landscape;
        if opening.landscape.replace(id).is_none() {
            seen.seals.push(Seal { cell: entry.cell, portal: entry.portal });
        }
        seen.outside.push(id);
        fate
    }

    /// Finds the openings of buildings that face the eye and are on the screen, the nearest first.
    fn find_doors(&mut self) {
        let world = self.world;
        for land in world.blocks_with_buildings() {
            for (building, number) in land.buildings().iter().zip(0..) {
                for (portal, index) in building.portals.iter().zip(0..) {
                    self.find_door(building, portal, (number, index));
                }
            }
        }
        self.work.doors.sort_unstable_by(|a, b| {
            let order = |door: &Door| (door.land_cell, door.building, door.portal);
            a.distance.total_cmp(&b.distance).then_with(|| order(a).cmp(&order(b)))
        });
        self.seen.stats.doors = self.work.doors.len();
    }

    fn find_door(&mut self, building: &Building, door: &BuildingPortal, place: (usize, usize)) {
        let Some((room, portal)) = exit_of(self.world, door) else {
            self.seen.stats.doors_missing += 1;
            return self.tell_door(door, Fate::NoOpening);
        };
        let opening = self.work.openings.add_door(&self.eye, room, portal);
        let view = self.work.openings.get(opening);
        if view.view != OpeningView::Shows && !view.is_near {
            let fate = match view.view {
                OpeningView::FacesAway => Fate::FacesAway,
                OpeningView::TooSmall => Fate::TooSmall,
                OpeningView::OffScreen | OpeningView::Shows => Fate::OffScreen,
            };
            self.work.openings.take_back();
            return self.tell_door(door, fate);
        }
        self.work.doors.push(Door {
            distance: self.eye.distance_to(room, portal),
            land_cell: building.position.cell,
            building: place.0,
            portal: place.1,
            opening,
        });
    }

    fn tell_door(&mut self, door: &BuildingPortal, fate: Fate) {
        let (cell, portal) = (door.other, door.other_portal.unwrap_or(u16::MAX));
        self.probe.tell(Told::Tries(Trial { cell, portal, to: Some(cell), outdoors: true, fate }));
    }

    /// Looks into buildings through a region of the landscape. Retail: `PView::ConstructView(CBldPortal*)`.
    fn look_through(&mut self, outside: u32) {
        let world = self.world;
        for index in 0..self.work.doors.len() {
            let Door { distance, land_cell, building, portal, opening } = self.work.doors[index];
            let land = world.land(land_cell.block());
            let door = land.and_then(|land| land.buildings().get(building)?.portals.get(portal));
            let Some((door, number)) = door.and_then(|door| Some((door, door.other_portal?)))
            else {
                continue;
            };
            let entered = self.seen.node(outside).entry;
            let is_same = |entry: Entry| (entry.cell, entry.portal) == (door.other, number);
            let fate = match entered.is_some_and(is_same) {
                true => Fate::CameBy,
                false => {
                    let near = entered.is_none();
                    let attempt = Attempt { node: outside, opening, portal: number, near };
                    match self.attempt(&attempt) {
                        Ok(fate) => self.enter_building(&attempt, door, distance, fate),
                        Err(fate) => fate,
                    }
                }
            };
            self.tell_door(door, fate);
        }
    }

    /// Walks through a building from the room behind one of its openings.
    fn enter_building(
        &mut self,
        attempt: &Attempt,
        door: &BuildingPortal,
        distance: f32,
        fate: Fate,
    ) -> Fate {
        let Attempt { node, portal, opening, .. } = *attempt;
        let table = self.work.tables.find(door.other.block());
        let slot = self.work.tables.slot(table, door.other, &mut self.work.slots);
        let arrival = Arrival {
            entry: Entry { cell: door.other, portal, node, outdoors: true },
            back: Some(portal),
            opening,
        };
        let fate = self.enter(slot, &arrival, fate, |_| distance);
        if fate != Fate::Known {
            let bound = self.bound(door.other, &door.stabs);
            self.walk(bound);
        }
        fate
    }
}

/// The room behind an opening of a building, and the room's own opening outdoors.
fn exit_of<'w>(world: &'w World, door: &BuildingPortal) -> Option<(&'w Room, &'w Portal)> {
    let (room, number) = (world.room(door.other)?, door.other_portal?);
    let portal = room.portals().get(usize::from(number))?;
    portal.other.is_none().then_some((room, portal))
}
