//! The walk over the cell graph: which cells a query is in, and when.
//!
//! The centre of a cast is in one cell at a time and passes into another through a portal; outdoors
//! from land cell to land cell. A sphere, or a volume at rest, also reaches into the cells behind
//! every portal that it touches, for as long as it touches it.

mod carry;
mod spread;

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use threshold_land::vector::{DVec3, Vec3};
use threshold_land::{CellId, Position, block_offset_between};
use threshold_world::World;

use crate::collect::{Collector, Mode};
use crate::constants::{MARGIN, MAX_CELLS, rounded};
use crate::filter::QueryFilter;
use crate::hit::{Extent, UnknownCell};
use crate::volume::{AT_REST, Stretch, Volume};

/// Buffers of one thread. Keep them from query to query: once grown, nothing is allocated.
#[derive(Clone, Debug, Default)]
pub struct QueryScratch {
    pub(crate) visits: Vec<Visit>,
    queue: BinaryHeap<Reverse<QueuedVisit>>,
    /// The cells that the centre was carried into, in order.
    carried: Vec<(CellId, f64)>,
    pub(crate) unknown: Vec<UnknownCell>,
    pub(crate) collector: Collector,
}

impl QueryScratch {
    /// Empty buffers.
    pub fn new() -> Self {
        Self::default()
    }

    /// All cells that the last query reached and that are not resident, in the order in which it
    /// reached them. After a first hit was found, farther ones are not looked for.
    pub fn unknown(&self) -> &[UnknownCell] {
        &self.unknown
    }
}

/// A portal of a room, by its index.
pub(crate) type PortalName = (CellId, usize);

/// A cell, and the stretch of the path on which it counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visit {
    pub(crate) cell: CellId,
    pub(crate) stretch: Stretch,
    /// Whether the centre is in the cell, and not only a part of the sphere.
    pub(crate) carries: bool,
    /// The portal it came through, as that of the room behind it or before it.
    pub(crate) back: Option<PortalName>,
    /// Whether it is not known yet where the centre leaves the cell.
    pub(crate) open: bool,
}

impl Visit {
    /// A visit of the centre, which may last to the end of the path.
    fn of_centre(cell: CellId, stretch: Stretch, back: Option<PortalName>) -> Self {
        Self { cell, stretch, carries: true, back, open: true }
    }

    /// A visit of a part of the volume.
    fn of_part(cell: CellId, stretch: Stretch, back: Option<PortalName>) -> Self {
        Self { cell, stretch, carries: false, back, open: false }
    }
}

/// A visit in the queue, ordered by where it starts, then by the order of adding.
#[derive(Clone, Copy, Debug)]
struct QueuedVisit {
    from: f64,
    visit: usize,
}

impl PartialEq for QueuedVisit {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for QueuedVisit {}

impl PartialOrd for QueuedVisit {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for QueuedVisit {
    fn cmp(&self, other: &Self) -> Ordering {
        self.from.total_cmp(&other.from).then(self.visit.cmp(&other.visit))
    }
}

/// A query in progress.
pub(crate) struct Walk<'a, V> {
    pub(crate) world: &'a World,
    pub(crate) filter: &'a QueryFilter<'a>,
    /// In the frame of the landblock of `start`.
    pub(crate) volume: V,
    pub(crate) start: CellId,
    pub(crate) scratch: &'a mut QueryScratch,
}

impl<V: Volume> Walk<'_, V> {
    /// Walks from the start and collects what is met. The hits are then in the collector, sorted.
    pub(crate) fn run(&mut self, mode: Mode) -> Extent {
        let scratch = &mut *self.scratch;
        scratch.visits.clear();
        scratch.queue.clear();
        scratch.carried.clear();
        scratch.unknown.clear();
        scratch.collector.begin(mode);
        self.begin();
        while let Some(Reverse(next)) = self.scratch.queue.pop() {
            if next.from > self.scratch.collector.limit + MARGIN {
                break;
            }
            self.visit(next.visit);
        }
        self.finish()
    }

    fn begin(&mut self) {
        let stretch = self.whole();
        if self.volume.path().is_some() {
            self.push(Visit::of_centre(self.start, stretch, None));
        } else if self.start.is_indoor() {
            self.push(Visit::of_part(self.start, stretch, None));
        } else {
            self.reach_outdoors(stretch, None);
        }
    }

    /// Returns the whole path.
    pub(crate) fn whole(&self) -> Stretch {
        self.volume.path().map_or(AT_REST, |cast| cast.part)
    }

    /// Returns the vector from the origin of the first landblock to that of a cell.
    pub(crate) fn offset_to(&self, cell: CellId) -> DVec3 {
        block_offset_between(self.start, cell).as_dvec3()
    }

    /// Adds a visit, unless another one covers it or the budget is used up.
    pub(crate) fn push(&mut self, visit: Visit) {
        let visits = &mut self.scratch.visits;
        let known =
            |old: &Visit| old.cell == visit.cell && !old.open && old.stretch.covers(visit.stretch);
        if !visit.carries && visits.iter().rev().any(known) {
            return;
        }
        if visits.len() >= MAX_CELLS {
            return self.note_unknown(visit.cell, visit.stretch.from);
        }
        let queued = QueuedVisit { from: visit.stretch.from, visit: visits.len() };
        visits.push(visit);
        self.scratch.queue.push(Reverse(queued));
    }

    pub(crate) fn note_unknown(&mut self, cell: CellId, distance: f64) {
        let unknown = &mut self.scratch.unknown;
        if unknown.last().is_none_or(|last| last.cell != cell) {
            unknown.push(UnknownCell { cell, distance: rounded(distance) });
        }
    }

    fn visit(&mut self, index: usize) {
        let world = self.world;
        let mut visit = self.scratch.visits[index];
        if visit.carries {
            self.scratch.carried.push((visit.cell, visit.stretch.from));
        }
        let volume = self.volume.shifted(self.offset_to(visit.cell));
        let cell = world.cell(visit.cell);
        if cell.is_none() {
            self.note_unknown(visit.cell, visit.stretch.from);
        }
        if visit.carries {
            visit.stretch.to = self.carry(&visit, cell, volume);
            visit.open = false;
            self.scratch.visits[index] = visit;
        }
        let Some(cell) = cell else { return };
        self.meet_contents(cell, visit.stretch, volume);
        if self.spreads() {
            self.spread(&visit, cell, volume);
        }
    }

    /// Returns whether it has an extent, so that it reaches through portals that its centre does not
    /// pass.
    pub(crate) fn spreads(&self) -> bool {
        self.volume.path().is_none_or(|cast| cast.sphere.radius > 0.0)
    }

    fn finish(&mut self) -> Extent {
        let scratch = &mut *self.scratch;
        scratch.collector.finish();
        let (start, volume) = (self.start, self.volume);
        let place = |time: f64, carried: &[(CellId, f64)]| {
            // A cast keeps its cell until it has left it.
            let later = carried.partition_point(|(_, from)| *from < time);
            let cell = carried.get(later.max(1) - 1).map_or(start, |(cell, _)| *cell);
            let offset = block_offset_between(start, cell).as_dvec3();
            Position::new(cell, (volume.centre(time) - offset).as_vec3())
        };
        let moves = volume.path().is_some();
        for found in &mut scratch.collector.found {
            found.hit.centre = place(if moves { found.time } else { 0.0 }, &scratch.carried);
        }
        let first =
            scratch.collector.found.first().filter(|_| scratch.collector.is_first() && moves);
        let whole = volume.path().map_or(0.0, super::volume::Cast::length);
        let end = first.map_or_else(|| place(whole, &scratch.carried), |found| found.hit.centre);
        let nearest = scratch.unknown.iter().copied();
        let unknown = nearest.min_by(|a, b| a.distance.total_cmp(&b.distance));
        Extent { end, unknown }
    }
}

/// Returns the position of a point in the frame of the landblock of a cell.
pub(crate) fn position_in(cell: CellId, point: DVec3) -> Position {
    let point: Vec3 = point.as_vec3();
    Position::new(cell, point)
}
