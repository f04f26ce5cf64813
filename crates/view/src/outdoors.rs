//! The portal walk from outdoors: portals of buildings, and the rooms behind them.

use threshold_land::CellId;
use threshold_world::{Building, BuildingPortal, Portal, Room, World};

use crate::constants::WITHIN;
use crate::outline::is_within;
use crate::portal::PortalVisibility;
use crate::probe::{PortalOutcome, PortalTest, ViewEvent, ViewProbe};
use crate::region::RegionContent;
use crate::visible_set::{Entry, Seal};
use crate::walk::{Arrival, PortalAttempt, WalkState};

/// A portal of a building that is on the screen and faces the eye.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BuildingEntrance {
    distance: f32,
    land_cell: CellId,
    /// Index of the building in its landblock, and of the portal in the building.
    building: usize,
    portal: usize,
    /// Index of the projected portal.
    projected: usize,
}

impl<P: ViewProbe> WalkState<'_, P> {
    /// Walks into buildings through each landscape region found so far.
    ///
    /// Landscape regions that this adds, behind buildings, are not walked from. Nothing outdoors hides anything in a walk, so
    /// what shows in them was found directly, past the building.
    pub(crate) fn walk_buildings(&mut self) {
        if self.visible.landscape.is_empty() {
            return;
        }
        self.find_entrances();
        for index in 0..self.visible.landscape.len() {
            self.walk_from_landscape(self.visible.landscape[index]);
        }
    }

    /// Adds the region in the buffer as a landscape region behind an exit portal.
    pub(crate) fn add_landscape(
        &mut self,
        entry: Entry,
        projected: usize,
        outcome: PortalOutcome,
    ) -> PortalOutcome {
        let WalkState { visible, work, .. } = self;
        let (portal, region) = (work.portals.get_mut(projected), &work.buffers.region);
        let mut earlier = portal.landscape;
        while let Some(node) = earlier.map(|node| visible.node(node)) {
            if is_within(&region.corners, visible.planes_of(node), WITHIN) {
                return PortalOutcome::AlreadyVisible;
            }
            earlier = node.earlier;
        }
        let id = visible.add_outline(RegionContent::Landscape, region);
        let node = visible.node_mut(id);
        (node.entry, node.beyond) = (Some(entry), Some(portal.beyond));
        node.earlier = portal.landscape;
        if portal.landscape.replace(id).is_none() {
            visible.seals.push(Seal { cell: entry.cell, portal: entry.portal });
        }
        visible.landscape.push(id);
        outcome
    }

    /// Finds the portals of buildings that face the eye and are on the screen, the nearest first.
    fn find_entrances(&mut self) {
        let world = self.world;
        for land in world.blocks_with_buildings() {
            for (building, number) in land.buildings().iter().zip(0..) {
                for portal in 0..building.portals.len() {
                    self.find_entrance(building, number, portal);
                }
            }
        }
        self.work.entrances.sort_unstable_by(|a, b| {
            let order = |it: &BuildingEntrance| (it.land_cell, it.building, it.portal);
            a.distance.total_cmp(&b.distance).then_with(|| order(a).cmp(&order(b)))
        });
        self.visible.stats.building_portals = self.work.entrances.len();
    }

    /// Adds a portal of a building by its index; `number` is the index of the building in its landblock.
    fn find_entrance(&mut self, building: &Building, number: usize, index: usize) {
        let building_portal = &building.portals[index];
        let Some((room, portal)) = exit_of(self.world, building_portal) else {
            self.visible.stats.unusable_building_portals += 1;
            return self.report_building(building_portal, PortalOutcome::NoExitPortal);
        };
        let projected = self.work.portals.add_from_outside(&self.eye, room, portal);
        let view = self.work.portals.get(projected);
        if view.visibility != PortalVisibility::Visible && !view.is_near {
            let outcome = match view.visibility {
                PortalVisibility::FacesAway => PortalOutcome::FacesAway,
                PortalVisibility::TooSmall => PortalOutcome::TooSmall,
                PortalVisibility::OffScreen | PortalVisibility::Visible => PortalOutcome::OffScreen,
            };
            self.work.portals.remove_last();
            return self.report_building(building_portal, outcome);
        }
        self.work.entrances.push(BuildingEntrance {
            distance: self.eye.distance_to(room, portal),
            land_cell: building.position.cell,
            building: number,
            portal: index,
            projected,
        });
    }

    fn report_building(&mut self, portal: &BuildingPortal, outcome: PortalOutcome) {
        let (cell, number) = (portal.other, portal.other_portal.unwrap_or(u16::MAX));
        let leads_to = Some(cell);
        let test = PortalTest { cell, portal: number, leads_to, outdoors: true, outcome };
        self.probe.receive(ViewEvent::PortalTested(test));
    }

    /// Walks into buildings through one landscape region. Retail: `PView::ConstructView(CBldPortal*)`.
    fn walk_from_landscape(&mut self, landscape: u32) {
        let world = self.world;
        for index in 0..self.work.entrances.len() {
            let BuildingEntrance { distance, land_cell, building, portal, projected } =
                self.work.entrances[index];
            let land = world.land(land_cell.block());
            let portal = land.and_then(|land| land.buildings().get(building)?.portals.get(portal));
            let Some((portal, number)) =
                portal.and_then(|portal| Some((portal, portal.other_portal?)))
            else {
                continue;
            };
            let entered = self.visible.node(landscape).entry;
            let is_same = |entry: Entry| (entry.cell, entry.portal) == (portal.other, number);
            let outcome = match entered.is_some_and(is_same) {
                true => PortalOutcome::IsEntry,
                false => {
                    let near = entered.is_none();
                    let attempt =
                        PortalAttempt { node: landscape, projected, portal: number, near };
                    match self.test_portal(&attempt) {
                        Ok(outcome) => self.enter_building(&attempt, portal, distance, outcome),
                        Err(outcome) => outcome,
                    }
                }
            };
            self.report_building(portal, outcome);
        }
    }

    /// Walks through a building from the room behind one of its portals.
    fn enter_building(
        &mut self,
        attempt: &PortalAttempt,
        building_portal: &BuildingPortal,
        distance: f32,
        outcome: PortalOutcome,
    ) -> PortalOutcome {
        let PortalAttempt { node, portal, projected, .. } = *attempt;
        let cell = building_portal.other;
        let table = self.work.tables.find(cell.block());
        let slot = self.work.tables.slot(table, cell, &mut self.work.slots);
        let entry = Entry { cell, portal, node, outdoors: true };
        let arrival = Arrival { entry, back: Some(portal), projected };
        let outcome = self.enter(slot, &arrival, outcome, |_| distance);
        if outcome != PortalOutcome::AlreadyVisible {
            let limits = self.limit(cell, &building_portal.stabs);
            self.walk(limits);
        }
        outcome
    }
}

/// Returns the room behind a portal of a building, and the exit portal of that room.
fn exit_of<'w>(world: &'w World, portal: &BuildingPortal) -> Option<(&'w Room, &'w Portal)> {
    let (room, number) = (world.room(portal.other)?, portal.other_portal?);
    let portal = room.portals().get(usize::from(number))?;
    portal.other.is_none().then_some((room, portal))
}
