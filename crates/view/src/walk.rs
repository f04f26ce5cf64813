//! The walk from cell to cell through what shows of their openings.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::ops::Range;

use threshold_land::CellId;
use threshold_land::glam::DVec2;
use threshold_world::{Portal, Room, World};

use crate::constants::{IN_PLANE, VISITS_FOR_A_CELL, WITHIN};
use crate::merge::merge;
use crate::opening::{Beyond, Eye, OpeningView, Openings};
use crate::order::Order;
use crate::outdoors::Door;
use crate::outline::{Outline, is_within};
use crate::probe::{Fate, Probe, Told, Trial};
use crate::rules::{DrawLandscape, Rules, SeenOutside, StabList};
use crate::seen::{Entry, Listed, Node, RegionList, Seen, Target};
use crate::table::{Table, Tables};

/// Room to work in. The caller keeps it: after the first few views, looking allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(crate) seen: Seen,
    pub(crate) work: Work,
}

impl Scratch {
    /// Nothing has been looked at yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// What was seen last.
    pub fn seen(&self) -> &Seen {
        &self.seen
    }
}

/// All but the result.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work {
    pub(crate) tables: Tables,
    pub(crate) slots: Vec<Slot>,
    pub(crate) openings: Openings,
    pub(crate) doors: Vec<Door>,
    pub(crate) buffers: Buffers,
    order: Order,
    queue: BinaryHeap<Reverse<Waiting>>,
    /// Entries that were ever added to the queue.
    added: u64,
}

impl Work {
    pub(crate) fn begin(&mut self) {
        self.tables.begin_view();
        self.slots.clear();
        self.openings.clear();
        self.doors.clear();
        self.queue.clear();
        self.added = 0;
    }
}

/// Outlines to work on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buffers {
    /// What has just been cut out.
    pub(crate) region: Outline,
    pub(crate) spare: Outline,
    pub(crate) hull: Outline,
    pub(crate) points: Vec<DVec2>,
}

/// A cell that something shows of.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) cell: CellId,
    /// Its openings, once it was taken up.
    openings: Option<Range<usize>>,
    pub(crate) regions: RegionList,
    /// Its place in [`Seen::cells`], once it was taken up.
    pub(crate) listed: Option<u32>,
}

impl Slot {
    pub(crate) fn new(cell: CellId) -> Self {
        Self { cell, openings: None, regions: RegionList::default(), listed: None }
    }
}

/// A cell that waits to be taken up.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    distance: f32,
    added: u64,
    slot: u32,
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        self.distance.total_cmp(&other.distance).then(self.added.cmp(&other.added))
    }
}

/// One view in the making.
pub(crate) struct Look<'a, P> {
    pub(crate) world: &'a World,
    pub(crate) rules: Rules,
    /// False only for a viewer in a room without the flag `seen_outside`.
    pub(crate) root_sees_outside: bool,
    pub(crate) eye: Eye,
    pub(crate) seen: &'a mut Seen,
    pub(crate) work: &'a mut Work,
    pub(crate) probe: &'a mut P,
}

/// What a walk may enter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    pub(crate) table: Table,
    /// The stamp of the cells that it may enter.
    walk: u64,
    /// How many cells.
    count: usize,
}

/// A region that is looked through, and an opening in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempt {
    pub(crate) node: u32,
    pub(crate) opening: usize,
    /// The opening's number in the list of its room.
    pub(crate) portal: u16,
    /// Whether an opening right before the eye may be passed whole.
    pub(crate) near: bool,
}

impl<P: Probe> Look<'_, P> {
    /// The walk from the viewer's own room. Retail: `PView::ConstructView(CEnvCell*)`.
    pub(crate) fn walk_from_root(&mut self, room: &Room) {
        let bound = self.bound(room.id(), room.stabs());
        let slot = self.work.tables.slot(bound.table, room.id(), &mut self.work.slots);
        let node = self.seen.add_screen(Target::Cell(room.id()));
        self.work.slots[slot as usize].regions.push(node);
        self.wait(slot, 0.0);
        self.walk(bound);
    }

    /// Begins a walk in a cell, which may enter that cell and those of a list. Retail: `PView::add_views`.
    pub(crate) fn bound(&mut self, cell: CellId, stabs: &[CellId]) -> Bound {
        let tables = &mut self.work.tables;
        let table = tables.find(cell.block());
        let walk = tables.begin_walk();
        let count = match self.rules.stab_list {
            StabList::Off => self.world.room_count(cell.block()),
            StabList::On => tables.mark(table, std::iter::once(&cell).chain(stabs), walk),
        };
        self.seen.stats.walks += 1;
        self.seen.stats.eligible += count;
        self.probe.tell(Told::Begins(cell, count));
        Bound { table, walk, count }
    }

    fn may_enter(&self, bound: &Bound, cell: CellId) -> bool {
        self.rules.stab_list == StabList::Off
            || self.work.tables.is_marked(bound.table, cell, bound.walk)
    }

    /// Has a cell taken up. Retail: `PView::InsCellTodoList`.
    pub(crate) fn wait(&mut self, slot: u32, distance: f32) {
        let added = self.work.added;
        self.work.added += 1;
        self.work.queue.push(Reverse(Waiting { distance, added, slot }));
    }

    /// Takes up one cell after another, the nearest first, until none is left.
    pub(crate) fn walk(&mut self, bound: Bound) {
        let mut budget = VISITS_FOR_A_CELL * bound.count;
        let mut farthest = 0.0_f32;
        while let Some(Reverse(next)) = self.work.queue.pop() {
            let fresh = self.fresh(next.slot);
            if fresh.as_slice().is_empty() {
                continue;
            }
            farthest = farthest.max(next.distance);
            self.list(next.slot, farthest);
            if budget == 0 {
                self.seen.budget_hit = true;
                self.probe.tell(Told::GivesUp(self.work.slots[next.slot as usize].cell));
                continue;
            }
            budget -= 1;
            self.seen.stats.visits += 1;
            self.take(&bound, next.slot, fresh);
        }
    }

    /// The regions of a cell that were not looked through yet. From now on they were.
    fn fresh(&mut self, slot: u32) -> RegionList {
        let mut fresh = RegionList::default();
        for node in self.work.slots[slot as usize].regions.as_slice() {
            if !std::mem::replace(&mut self.seen.node_mut(*node).is_propagated, true) {
                fresh.push(*node);
            }
        }
        fresh
    }

    /// Puts a cell on the list of those that are seen, or nearer to its beginning.
    fn list(&mut self, slot: u32, distance: f32) {
        let slot = &mut self.work.slots[slot as usize];
        if let Some(place) = slot.listed {
            let listed = &mut self.seen.cells[place as usize];
            listed.distance = listed.distance.min(distance);
            return;
        }
        #[allow(clippy::cast_possible_truncation, reason = "there are not that many cells")]
        let number = self.seen.cells.len() as u32;
        slot.listed = Some(number);
        let regions = RegionList::default();
        self.seen.cells.push(Listed { cell: slot.cell, distance, number, regions });
    }

    /// Gives the cells of the result their regions, and their order.
    pub(crate) fn finish(self) {
        for slot in &self.work.slots {
            if let Some(place) = slot.listed {
                self.seen.cells[place as usize].regions = slot.regions;
            }
        }
        self.seen.finish();
        self.work.order.put(self.seen);
    }

    /// Looks through the openings of a cell. Retail: `PView::ClipPortals`, `PView::AddViewToPortals`.
    fn take(&mut self, bound: &Bound, slot: u32, fresh: RegionList) {
        let world = self.world;
        let cell = self.work.slots[slot as usize].cell;
        let Some(room) = world.room(cell) else { return };
        self.probe.tell(Told::Takes(cell));
        let openings = self.openings_of(slot, room);
        for ((portal, opening), number) in room.portals().iter().zip(openings).zip(0_u16..) {
            let view = self.work.openings.get(opening);
            if view.view == OpeningView::FacesAway {
                self.tell(room, number, portal.other, Fate::FacesAway);
                continue;
            }
            for node in fresh.as_slice() {
                let attempt = Attempt { node: *node, opening, portal: number, near: true };
                let fate = match self.attempt(&attempt) {
                    Ok(fate) => self.deliver(bound, room, portal, &attempt, fate),
                    Err(fate) => fate,
                };
                self.tell(room, number, portal.other, fate);
            }
        }
    }

    fn tell(&mut self, room: &Room, portal: u16, to: Option<CellId>, fate: Fate) {
        self.probe.tell(Told::Tries(Trial { cell: room.id(), portal, to, outdoors: false, fate }));
    }

    /// Retail: `PView::InitCell`.
    fn openings_of(&mut self, slot: u32, room: &Room) -> Range<usize> {
        let Work { slots, openings, .. } = &mut *self.work;
        let known = &mut slots[slot as usize].openings;
        known.get_or_insert_with(|| openings.add_all(&self.eye, room)).clone()
    }

    /// Looks at an opening through a region. What shows of it is in the buffer; or it says why nothing does.
    pub(crate) fn attempt(&mut self, attempt: &Attempt) -> Result<Fate, Fate> {
        let Look { seen, work, .. } = self;
        seen.stats.openings += 1;
        let (node, opening) = (seen.node(attempt.node), work.openings.get(attempt.opening));
        if node.back == Some(attempt.portal) {
            return Err(Fate::CameBy);
        }
        let mut crossed = None;
        if let Some(beyond) = node.beyond {
            let (least, most) = work.openings.reach(attempt.opening, &beyond);
            if most < -IN_PLANE {
                return Err(Fate::Before);
            }
            crossed = (least < -IN_PLANE).then_some(beyond);
        }
        if opening.is_near && attempt.near {
            work.buffers.region.set(seen.corners_of(node), seen.planes_of(node));
            seen.stats.near += 1;
            return Ok(Fate::SeenNear);
        }
        match opening.view {
            // The eye may be a little beyond what is near, and only of what is near.
            _ if opening.beyond.has_eye() => return Err(Fate::FacesAway),
            OpeningView::FacesAway => return Err(Fate::FacesAway),
            OpeningView::OffScreen => return Err(Fate::OffScreen),
            OpeningView::TooSmall => return Err(Fate::TooSmall),
            OpeningView::Shows if opening.bounds.is_apart(&node.bounds) => {
                return Err(Fate::OutOfRegion);
            }
            OpeningView::Shows => {}
        }
        self.cut(attempt, crossed)
    }

    /// Cuts what shows of an opening by a region, and before that by a plane that it reaches across.
    fn cut(&mut self, attempt: &Attempt, crossed: Option<Beyond>) -> Result<Fate, Fate> {
        let Look { seen, work, eye, .. } = self;
        let Buffers { region, spare, .. } = &mut work.buffers;
        match crossed {
            None => region.copy(work.openings.shape(attempt.opening)),
            Some(beyond) => {
                let (view, part) = work.openings.part_beyond(eye, attempt.opening, &beyond);
                if view != OpeningView::Shows {
                    return Err(Fate::Before);
                }
                region.copy(part);
            }
        }
        if !region.cut_by(seen.planes_of(seen.node(attempt.node)), spare) {
            return Err(Fate::OutOfRegion);
        }
        if !(region.tidy() && eye.is_large_enough(region)) {
            return Err(Fate::TooSmall);
        }
        region.limit();
        Ok(Fate::Seen)
    }

    /// Takes what shows of an opening to where it leads.
    fn deliver(
        &mut self,
        bound: &Bound,
        room: &Room,
        portal: &Portal,
        attempt: &Attempt,
        fate: Fate,
    ) -> Fate {
        let entry =
            Entry { cell: room.id(), portal: attempt.portal, node: attempt.node, outdoors: false };
        let Some(other) = portal.other else {
            return match self.landscape_left_out(room) {
                Some(reason) => reason,
                None => self.show_landscape(entry, attempt.opening, fate),
            };
        };
        if self.world.room(other).is_none() {
            let node = self.seen.add_outline(Target::Missing(other), &self.work.buffers.region);
            self.seen.node_mut(node).entry = Some(entry);
            self.seen.missing.push(node);
            return Fate::Missing;
        }
        if !self.may_enter(bound, other) {
            if !self.seen.refused.contains(&other) {
                self.seen.refused.push(other);
            }
            return Fate::Refused;
        }
        let slot = self.work.tables.slot(bound.table, other, &mut self.work.slots);
        let arrival = Arrival { entry, back: portal.other_portal, opening: attempt.opening };
        self.enter(slot, &arrival, fate, |eye| eye.distance_to(room, portal))
    }

    /// Why an opening of a room shows no landscape although it leads outdoors; `None` where it does.
    ///
    /// Retail: `draw_landscape` in `PView::ClipPortals`, and `seen_outside` of the viewer's cell in
    /// `SmartBox::RenderNormalMode`.
    fn landscape_left_out(&self, room: &Room) -> Option<Fate> {
        let by_flag = self.rules.seen_outside == SeenOutside::Flag;
        if self.rules.draw_landscape == DrawLandscape::Off {
            Some(Fate::LandscapeOff)
        } else if by_flag && !self.root_sees_outside {
            Some(Fate::RootNotSeenOutside)
        } else if by_flag && !room.seen_outside() {
            Some(Fate::RoomNotSeenOutside)
        } else {
            None
        }
    }

    /// Adds the region in the buffer to a cell, unless it shows there already, and has the cell taken up. Retail:
    /// `PView::AddToCell`.
    pub(crate) fn enter(
        &mut self,
        slot: u32,
        arrival: &Arrival,
        fate: Fate,
        distance: impl FnOnce(&Eye) -> f32,
    ) -> Fate {
        let Look { seen, work, .. } = self;
        let (cell, region) = (&mut work.slots[slot as usize], &work.buffers.region);
        let openings = &work.openings;
        // What came through a farther opening does not show what lies between that one and this.
        let shows_all = |beyond: &Beyond| openings.reach(arrival.opening, beyond).0 >= -IN_PLANE;
        let is_known = |node: &Node| {
            is_within(&region.corners, seen.planes_of(node), WITHIN)
                && node.beyond.as_ref().is_none_or(shows_all)
        };
        if cell.regions.as_slice().iter().any(|node| is_known(seen.node(*node))) {
            return Fate::Known;
        }
        let id = seen.add_outline(Target::Cell(cell.cell), region);
        let node = seen.node_mut(id);
        (node.entry, node.back) = (Some(arrival.entry), arrival.back);
        node.beyond = Some(openings.get(arrival.opening).beyond);
        let is_full = cell.regions.is_full();
        if is_full {
            merge(seen, &mut work.buffers, &mut cell.regions, id);
        } else {
            cell.regions.push(id);
        }
        let distance = distance(&self.eye);
        self.wait(slot, distance);
        if is_full { Fate::Merged } else { fate }
    }
}

/// How a region comes to a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    pub(crate) entry: Entry,
    pub(crate) back: Option<u16>,
    pub(crate) opening: usize,
}
