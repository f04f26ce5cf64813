//! The portal walk from cell to cell.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::ops::Range;

use threshold_land::CellId;
use threshold_land::vector::DVec2;
use threshold_world::{Portal, Room, World};

use crate::constants::{IN_PLANE, MAX_VISITS_PER_CELL, WITHIN};
use crate::merge::merge;
use crate::outdoors::BuildingEntrance;
use crate::outline::{Outline, is_within};
use crate::portal::{Eye, HalfSpace, PortalVisibility, ProjectedPortals};
use crate::probe::{PortalOutcome, PortalTest, ViewEvent, ViewProbe};
use crate::region::RegionContent;
use crate::region_order::RegionOrder;
use crate::rules::{DrawLandscape, SeenOutside, StabList, ViewRules};
use crate::table::{Table, Tables};
use crate::visible_set::{Entry, ListedCell, RegionList, RegionNode, VisibleSet};

/// Buffers of one thread. Keep it from frame to frame: after the first few walks nothing is allocated.
#[derive(Clone, Debug, Default)]
pub struct ViewScratch {
    pub(crate) visible: VisibleSet,
    pub(crate) work: Work,
}

impl ViewScratch {
    /// Empty buffers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the result of the last walk.
    pub fn visible(&self) -> &VisibleSet {
        &self.visible
    }
}

/// Buffers of a walk apart from its result.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work {
    pub(crate) tables: Tables,
    pub(crate) slots: Vec<Slot>,
    pub(crate) portals: ProjectedPortals,
    pub(crate) entrances: Vec<BuildingEntrance>,
    pub(crate) buffers: Buffers,
    order: RegionOrder,
    queue: BinaryHeap<Reverse<QueuedCell>>,
    /// Number of entries ever added to the queue.
    added: u64,
}

impl Work {
    pub(crate) fn begin(&mut self) {
        self.tables.begin_view();
        self.slots.clear();
        self.portals.clear();
        self.entrances.clear();
        self.queue.clear();
        self.added = 0;
    }
}

/// Outlines to work on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buffers {
    /// Result of the last portal test that found something.
    pub(crate) region: Outline,
    pub(crate) spare: Outline,
    pub(crate) hull: Outline,
    pub(crate) points: Vec<DVec2>,
}

/// A cell that has a region.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) cell: CellId,
    /// Its projected portals, after the first visit.
    portals: Option<Range<usize>>,
    pub(crate) regions: RegionList,
    /// Its index in [`VisibleSet::cells`], after the first visit.
    pub(crate) listed: Option<u32>,
}

impl Slot {
    pub(crate) fn new(cell: CellId) -> Self {
        Self { cell, portals: None, regions: RegionList::default(), listed: None }
    }
}

/// A cell to be visited. The queue is ordered by distance, then by the order of adding.
#[derive(Clone, Copy, Debug)]
struct QueuedCell {
    distance: f32,
    added: u64,
    slot: u32,
}

impl PartialEq for QueuedCell {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for QueuedCell {}

impl PartialOrd for QueuedCell {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for QueuedCell {
    fn cmp(&self, other: &Self) -> Ordering {
        self.distance.total_cmp(&other.distance).then(self.added.cmp(&other.added))
    }
}

/// A portal walk in progress.
pub(crate) struct WalkState<'a, P> {
    pub(crate) world: &'a World,
    pub(crate) rules: ViewRules,
    /// False only for a viewer in a room without the flag `seen_outside`.
    pub(crate) root_sees_outside: bool,
    pub(crate) eye: Eye,
    pub(crate) visible: &'a mut VisibleSet,
    pub(crate) work: &'a mut Work,
    pub(crate) probe: &'a mut P,
}

/// Cells that one walk may enter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WalkLimits {
    pub(crate) table: Table,
    /// Stamp of these cells.
    walk: u64,
    /// Number of these cells.
    count: usize,
}

/// A portal, and the region through which it is tested.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PortalAttempt {
    pub(crate) node: u32,
    /// Index of the projected portal.
    pub(crate) projected: usize,
    /// Number of the portal in the list of its room.
    pub(crate) portal: u16,
    /// Whether the near-portal rule applies.
    pub(crate) near: bool,
}

/// How a region comes to a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    pub(crate) entry: Entry,
    pub(crate) back: Option<u16>,
    pub(crate) projected: usize,
}

impl<P: ViewProbe> WalkState<'_, P> {
    /// Walks from the room of the viewer. Retail: `PView::ConstructView(CEnvCell*)`.
    pub(crate) fn walk_from_root(&mut self, room: &Room) {
        let limits = self.limit(room.id(), room.stabs());
        let slot = self.work.tables.slot(limits.table, room.id(), &mut self.work.slots);
        let node = self.visible.add_screen(RegionContent::Room(room.id()));
        self.work.slots[slot as usize].regions.push(node);
        self.enqueue(slot, 0.0);
        self.walk(limits);
    }

    /// Limits a walk to its first cell and the cells of a stab list. Retail: `PView::add_views`.
    pub(crate) fn limit(&mut self, cell: CellId, stabs: &[CellId]) -> WalkLimits {
        let tables = &mut self.work.tables;
        let table = tables.find(cell.block());
        let walk = tables.begin_walk();
        let count = match self.rules.stab_list {
            StabList::Off => self.world.room_count(cell.block()),
            StabList::On => tables.mark(table, std::iter::once(&cell).chain(stabs), walk),
        };
        self.visible.stats.walks += 1;
        self.visible.stats.eligible += count;
        self.probe.receive(ViewEvent::WalkStarted(cell, count));
        WalkLimits { table, walk, count }
    }

    fn may_enter(&self, limits: &WalkLimits, cell: CellId) -> bool {
        self.rules.stab_list == StabList::Off
            || self.work.tables.is_marked(limits.table, cell, limits.walk)
    }

    /// Adds a cell to the queue of cells to visit. Retail: `PView::InsCellTodoList`.
    pub(crate) fn enqueue(&mut self, slot: u32, distance: f32) {
        let added = self.work.added;
        self.work.added += 1;
        self.work.queue.push(Reverse(QueuedCell { distance, added, slot }));
    }

    /// Visits queued cells, the nearest first, until the queue is empty.
    pub(crate) fn walk(&mut self, limits: WalkLimits) {
        let mut budget = MAX_VISITS_PER_CELL * limits.count;
        let mut farthest = 0.0_f32;
        while let Some(Reverse(next)) = self.work.queue.pop() {
            let regions = self.take_unvisited(next.slot);
            if regions.as_slice().is_empty() {
                continue;
            }
            farthest = farthest.max(next.distance);
            self.list(next.slot, farthest);
            if budget == 0 {
                self.visible.budget_hit = true;
                let cell = self.work.slots[next.slot as usize].cell;
                self.probe.receive(ViewEvent::BudgetHit(cell));
                continue;
            }
            budget -= 1;
            self.visible.stats.visits += 1;
            self.visit(&limits, next.slot, regions);
        }
    }

    /// Returns the regions of a cell that were not visited yet, and marks them as visited.
    fn take_unvisited(&mut self, slot: u32) -> RegionList {
        let mut unvisited = RegionList::default();
        for node in self.work.slots[slot as usize].regions.as_slice() {
            if !std::mem::replace(&mut self.visible.node_mut(*node).is_propagated, true) {
                unvisited.push(*node);
            }
        }
        unvisited
    }

    /// Adds a cell to the visible cells, or lowers its distance.
    fn list(&mut self, slot: u32, distance: f32) {
        let slot = &mut self.work.slots[slot as usize];
        if let Some(index) = slot.listed {
            let listed = &mut self.visible.cells[index as usize];
            listed.distance = listed.distance.min(distance);
            return;
        }
        #[allow(clippy::cast_possible_truncation, reason = "there are not that many cells")]
        let number = self.visible.cells.len() as u32;
        slot.listed = Some(number);
        let regions = RegionList::default();
        self.visible.cells.push(ListedCell { cell: slot.cell, distance, number, regions });
    }

    /// Copies the regions into the visible cells and sorts both.
    pub(crate) fn finish(self) {
        for slot in &self.work.slots {
            if let Some(index) = slot.listed {
                self.visible.cells[index as usize].regions = slot.regions;
            }
        }
        self.visible.finish();
        self.work.order.sort(self.visible);
    }

    /// Tests the portals of a cell through each of the regions. Retail: `PView::ClipPortals`, `PView::AddViewToPortals`.
    fn visit(&mut self, limits: &WalkLimits, slot: u32, regions: RegionList) {
        let world = self.world;
        let cell = self.work.slots[slot as usize].cell;
        let Some(room) = world.room(cell) else { return };
        self.probe.receive(ViewEvent::CellVisited(cell));
        let projected = self.project_portals(slot, room);
        for ((portal, projected), number) in room.portals().iter().zip(projected).zip(0_u16..) {
            let visibility = self.work.portals.get(projected).visibility;
            if visibility == PortalVisibility::FacesAway {
                self.report(room, number, portal.other, PortalOutcome::FacesAway);
                continue;
            }
            for node in regions.as_slice() {
                let attempt = PortalAttempt { node: *node, projected, portal: number, near: true };
                let outcome = match self.test_portal(&attempt) {
                    Ok(outcome) => self.propagate(limits, room, portal, &attempt, outcome),
                    Err(outcome) => outcome,
                };
                self.report(room, number, portal.other, outcome);
            }
        }
    }

    fn report(
        &mut self,
        room: &Room,
        portal: u16,
        leads_to: Option<CellId>,
        outcome: PortalOutcome,
    ) {
        let test = PortalTest { cell: room.id(), portal, leads_to, outdoors: false, outcome };
        self.probe.receive(ViewEvent::PortalTested(test));
    }

    /// Projects the portals of a cell on its first visit. Retail: `PView::InitCell`.
    fn project_portals(&mut self, slot: u32, room: &Room) -> Range<usize> {
        let Work { slots, portals, .. } = &mut *self.work;
        let known = &mut slots[slot as usize].portals;
        known.get_or_insert_with(|| portals.add_all(&self.eye, room)).clone()
    }

    /// Tests a portal through a region. `Ok` leaves the visible part in the region buffer; `Err` says why there is none.
    pub(crate) fn test_portal(
        &mut self,
        attempt: &PortalAttempt,
    ) -> Result<PortalOutcome, PortalOutcome> {
        let WalkState { visible, work, .. } = self;
        visible.stats.portals += 1;
        let (node, portal) = (visible.node(attempt.node), work.portals.get(attempt.projected));
        if node.back == Some(attempt.portal) {
            return Err(PortalOutcome::IsEntry);
        }
        let mut crossed = None;
        if let Some(beyond) = node.beyond {
            let (least, most) = work.portals.distances(attempt.projected, &beyond);
            if most < -IN_PLANE {
                return Err(PortalOutcome::BeforeEntry);
            }
            crossed = (least < -IN_PLANE).then_some(beyond);
        }
        if portal.is_near && attempt.near {
            work.buffers.region.set(visible.corners_of(node), visible.planes_of(node));
            visible.stats.whole_portals += 1;
            return Ok(PortalOutcome::VisibleWhole);
        }
        match portal.visibility {
            // The eye may be a little beyond a near portal, and only of a near portal.
            _ if portal.beyond.has_eye() => return Err(PortalOutcome::FacesAway),
            PortalVisibility::FacesAway => return Err(PortalOutcome::FacesAway),
            PortalVisibility::OffScreen => return Err(PortalOutcome::OffScreen),
            PortalVisibility::TooSmall => return Err(PortalOutcome::TooSmall),
            PortalVisibility::Visible if portal.bounds.is_apart(&node.bounds) => {
                return Err(PortalOutcome::OutOfRegion);
            }
            PortalVisibility::Visible => {}
        }
        self.clip_portal(attempt, crossed)
    }

    /// Clips a portal by a region, and before that by the plane of the entry portal if it crosses that plane.
    fn clip_portal(
        &mut self,
        attempt: &PortalAttempt,
        crossed: Option<HalfSpace>,
    ) -> Result<PortalOutcome, PortalOutcome> {
        let WalkState { visible, work, eye, .. } = self;
        let Buffers { region, spare, .. } = &mut work.buffers;
        match crossed {
            None => region.copy(work.portals.outline(attempt.projected)),
            Some(beyond) => {
                let (visibility, part) = work.portals.part_beyond(eye, attempt.projected, &beyond);
                if visibility != PortalVisibility::Visible {
                    return Err(PortalOutcome::BeforeEntry);
                }
                region.copy(part);
            }
        }
        if !region.clip_by(visible.planes_of(visible.node(attempt.node)), spare) {
            return Err(PortalOutcome::OutOfRegion);
        }
        if !(region.tidy() && eye.is_large_enough(region)) {
            return Err(PortalOutcome::TooSmall);
        }
        region.limit();
        Ok(PortalOutcome::Visible)
    }

    /// Adds the region in the buffer to the cell behind the portal.
    fn propagate(
        &mut self,
        limits: &WalkLimits,
        room: &Room,
        portal: &Portal,
        attempt: &PortalAttempt,
        outcome: PortalOutcome,
    ) -> PortalOutcome {
        let entry =
            Entry { cell: room.id(), portal: attempt.portal, node: attempt.node, outdoors: false };
        let Some(other) = portal.other else {
            return match self.landscape_left_out(room) {
                Some(reason) => reason,
                None => self.add_landscape(entry, attempt.projected, outcome),
            };
        };
        if self.world.room(other).is_none() {
            let content = RegionContent::NotResident(other);
            let node = self.visible.add_outline(content, &self.work.buffers.region);
            self.visible.node_mut(node).entry = Some(entry);
            self.visible.not_resident.push(node);
            return PortalOutcome::NotResident;
        }
        if !self.may_enter(limits, other) {
            if !self.visible.unlisted.contains(&other) {
                self.visible.unlisted.push(other);
            }
            return PortalOutcome::NotListed;
        }
        let slot = self.work.tables.slot(limits.table, other, &mut self.work.slots);
        let arrival = Arrival { entry, back: portal.other_portal, projected: attempt.projected };
        self.enter(slot, &arrival, outcome, |eye| eye.distance_to(room, portal))
    }

    /// Returns the rule that keeps the landscape out of the exit portals of a room; `None` if it shows.
    ///
    /// Retail: `draw_landscape` in `PView::ClipPortals`, and `seen_outside` of the viewer's cell in
    /// `SmartBox::RenderNormalMode`.
    fn landscape_left_out(&self, room: &Room) -> Option<PortalOutcome> {
        let by_flag = self.rules.seen_outside == SeenOutside::Flag;
        if self.rules.draw_landscape == DrawLandscape::Off {
            Some(PortalOutcome::LandscapeOff)
        } else if by_flag && !self.root_sees_outside {
            Some(PortalOutcome::RootNotSeenOutside)
        } else if by_flag && !room.seen_outside() {
            Some(PortalOutcome::RoomNotSeenOutside)
        } else {
            None
        }
    }

    /// Adds the region in the buffer to a cell and enqueues the cell, unless the cell already shows there. Retail:
    /// `PView::AddToCell`.
    pub(crate) fn enter(
        &mut self,
        slot: u32,
        arrival: &Arrival,
        outcome: PortalOutcome,
        distance: impl FnOnce(&Eye) -> f32,
    ) -> PortalOutcome {
        let WalkState { visible, work, .. } = self;
        let (cell, region) = (&mut work.slots[slot as usize], &work.buffers.region);
        let portals = &work.portals;
        // A region from a farther portal does not show what lies between that portal and this one.
        let shows_all =
            |beyond: &HalfSpace| portals.distances(arrival.projected, beyond).0 >= -IN_PLANE;
        let is_known = |node: &RegionNode| {
            is_within(&region.corners, visible.planes_of(node), WITHIN)
                && node.beyond.as_ref().is_none_or(shows_all)
        };
        if cell.regions.as_slice().iter().any(|node| is_known(visible.node(*node))) {
            return PortalOutcome::AlreadyVisible;
        }
        let id = visible.add_outline(RegionContent::Room(cell.cell), region);
        let node = visible.node_mut(id);
        (node.entry, node.back) = (Some(arrival.entry), arrival.back);
        node.beyond = Some(portals.get(arrival.projected).beyond);
        let is_full = cell.regions.is_full();
        if is_full {
            merge(visible, &mut work.buffers, &mut cell.regions, id);
        } else {
            cell.regions.push(id);
        }
        let distance = distance(&self.eye);
        self.enqueue(slot, distance);
        if is_full { PortalOutcome::Merged } else { outcome }
    }
}
