//! The ordered list of cells that a shape touches.

use threshold_land::CellId;

use super::cause::{ListingCause, Reason};
use crate::constants::MAX_LISTED_CELLS;

/// A rotation read from a file may be off unit length; it stretches no distance by more than this.
const RIGID: f32 = 0.997;

/// Bound for the rounding error of the distances that a search compares, anywhere on the map, in
/// metres.
const ROUNDING: f32 = 0.002;

/// The cells that a shape touches, each once, in the order in which they were found.
///
/// The order is part of the result: the cell that the search starts from comes first, and the first
/// room that contains the point wins. Reuse one array for many searches: once grown, it allocates
/// nothing.
///
/// Retail: `CELLARRAY`.
#[derive(Clone, Debug, Default)]
pub struct CellArray {
    entries: Vec<ListedCell>,
    missed: Vec<CellId>,
    /// Every cell that was looked up; `None` unless requested.
    pub(crate) trace: Option<Vec<CellId>>,
    /// Why each entry was added; `None` unless requested.
    reasons: Option<Vec<Reason>>,
    pub(crate) added_outside: bool,
    slack: f32,
    /// Leaves out cells that are not visible from the first cell, if that is a room. Used to
    /// register static objects, not for movement. Retail: `do_not_load_cells`.
    pub do_not_load: bool,
    /// Totals of all searches that filled this array.
    pub counters: Counters,
}

/// One cell of a [`CellArray`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListedCell {
    /// The id of the cell.
    pub cell: CellId,
    /// Whether the cell is resident; if not, it is listed by id only.
    pub resident: bool,
}

/// Counters of searches; they distinguish "found nothing" from "did not look".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Arrays filled.
    pub searches: u64,
    /// Cells added to an array.
    pub candidates: u64,
    /// Spheres tested against a room or the plane of a portal.
    pub sphere_tests: u64,
    /// Boxes tested against the volume of a room.
    pub volume_tests: u64,
    /// Parts tested against the plane of a portal.
    pub plane_tests: u64,
    /// Points tested against a cell.
    pub containment_tests: u64,
    /// Cells that were looked up and are not resident.
    pub not_resident: u64,
}

impl CellArray {
    /// An empty array.
    pub fn new() -> Self {
        Self::default()
    }

    /// The cells, in order.
    pub fn entries(&self) -> &[ListedCell] {
        &self.entries
    }

    /// The ids of the cells, in order.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = CellId> + '_ {
        self.entries.iter().map(|entry| entry.cell)
    }

    /// Why each cell was added, in order; empty unless [`keep_reasons`](Self::keep_reasons) is on.
    pub fn reasons(&self) -> &[Reason] {
        self.reasons.as_deref().unwrap_or_default()
    }

    /// Sets whether later searches record reasons.
    pub fn keep_reasons(&mut self, keep: bool) {
        if keep != self.reasons.is_some() {
            self.clear();
            self.reasons = keep.then(Vec::new);
        }
    }

    /// The number of cells.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether there are no cells.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns whether a cell is in the array.
    pub fn contains(&self, cell: CellId) -> bool {
        self.entries.iter().any(|entry| entry.cell == cell)
    }

    /// The cells that the last search looked up and that were not resident, in the array or not.
    /// The result may change when one of them is loaded.
    pub fn missed(&self) -> &[CellId] {
        &self.missed
    }

    /// How far each sphere may move from its position in the last search for spheres, in metres,
    /// before another search from the same cell may find other cells; 0 if unknown. Rounding is
    /// allowed for. Valid only while the world stays the same.
    pub fn valid_radius(&self) -> f32 {
        // Distances to cells that are not resident are unknown.
        if self.missed.is_empty() { (self.slack * RIGID - ROUNDING).max(0.0) } else { 0.0 }
    }

    /// Notes that the result may change once a sphere moves farther than `distance`.
    pub(crate) fn shrink_valid_radius(&mut self, distance: f32) {
        // NaN gives no valid distance.
        self.slack = if distance.is_nan() { 0.0 } else { self.slack.min(distance) };
    }

    /// Empties the array; counters are kept.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.missed.clear();
        self.trace.iter_mut().for_each(Vec::clear);
        self.reasons.iter_mut().for_each(Vec::clear);
        self.added_outside = false;
        self.slack = f32::INFINITY;
    }

    /// Appends a cell, unless the array contains it or holds [`MAX_LISTED_CELLS`].
    ///
    /// Retail: `CELLARRAY::add_cell`. Cost: a scan of all entries.
    pub fn add(&mut self, cell: CellId, resident: bool) {
        self.add_with_cause(cell, resident, ListingCause::Added);
    }

    /// Like [`add`](Self::add), with the cause. The first cause of a cell is kept.
    #[inline]
    pub(crate) fn add_with_cause(&mut self, cell: CellId, resident: bool, cause: ListingCause) {
        if !self.contains(cell) && self.len() < MAX_LISTED_CELLS {
            self.entries.push(ListedCell { cell, resident });
            self.counters.candidates += 1;
            if let Some(reasons) = &mut self.reasons {
                reasons.push(Reason::new(cause));
            }
        }
    }

    /// Notes whether an entry contains the point of the search.
    #[inline]
    pub(crate) fn note_containment(
        &mut self,
        index: usize,
        judge: impl FnOnce() -> (bool, Option<f32>),
    ) {
        if let Some(reason) = self.reasons.as_mut().and_then(|reasons| reasons.get_mut(index)) {
            let (contains, depth) = judge();
            (reason.contains, reason.depth) = (Some(contains), depth);
        }
    }

    /// Removes entry `index` and moves the last entry into its place. Retail:
    /// `CELLARRAY::remove_cell`.
    pub(crate) fn remove(&mut self, index: usize) {
        self.entries.swap_remove(index);
        if let Some(reasons) = &mut self.reasons {
            reasons.swap_remove(index);
        }
    }

    /// Notes that a cell was looked up.
    pub(crate) fn note_lookup(&mut self, cell: CellId, resident: bool) {
        if let Some(trace) = &mut self.trace {
            trace.push(cell);
        }
        if !resident {
            self.counters.not_resident += 1;
            if !self.missed.contains(&cell) {
                self.missed.push(cell);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_keep_the_order_of_insertion_without_duplicates() {
        let mut array = CellArray::new();
        let cells = [0xA9B4_0171, 0xA9B4_0031, 0xA9B4_0170].map(CellId);
        for cell in cells.into_iter().chain(cells) {
            array.add(cell, true);
        }
        array.add(cells[1], false);
        assert_eq!(array.ids().collect::<Vec<_>>(), cells);
        assert!(array.entries()[1].resident, "the first entry is kept");
        assert_eq!(array.counters.candidates, 3);
    }

    #[test]
    fn reasons_are_recorded_on_request_and_removed_with_their_cells() {
        let mut array = CellArray::new();
        array.add(CellId(1), true);
        assert!(array.reasons().is_empty());
        array.keep_reasons(true);
        assert!(array.is_empty(), "an array has reasons for all its cells or for none");
        for sphere in 0..3_u8 {
            let (cell, sphere) = (CellId(u32::from(sphere) + 1), usize::from(sphere));
            array.add_with_cause(cell, true, ListingCause::Reached { sphere });
            array.add_with_cause(cell, true, ListingCause::Start);
        }
        array.remove(0);
        let kept: Vec<ListingCause> = array.reasons().iter().map(|reason| reason.cause).collect();
        assert_eq!(kept, [2, 1].map(|sphere| ListingCause::Reached { sphere }));
    }

    #[test]
    fn the_last_entry_takes_the_place_of_a_removed_one() {
        let mut array = CellArray::new();
        (1..=4).for_each(|low| array.add(CellId(low), true));
        array.remove(1);
        assert_eq!(array.ids().map(|cell| cell.0).collect::<Vec<_>>(), [1, 4, 3]);
    }
}
