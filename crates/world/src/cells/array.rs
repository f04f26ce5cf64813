//! The ordered list of cells that something touches.

use threshold_land::CellId;

use super::cause::{ListingCause, Reason};
use crate::constants::MAX_LISTED_CELLS;

/// A frame whose rotation is not quite of unit length, as files may have it, stretches no distance by more than this.
const RIGID: f32 = 0.997;

/// More than the distances that a search compares are off by rounding, anywhere on the map.
const ROUNDING: f32 = 0.002;

/// The cells that something touches, each once, in the order in which they were found.
///
/// The order is meaning: the cell that something is in stands first, and the first room that
/// contains it wins. Scratch that is used again and again: after warm-up it allocates nothing.
///
/// Retail: `CELLARRAY`.
#[derive(Clone, Debug, Default)]
pub struct CellArray {
    entries: Vec<ListedCell>,
    missed: Vec<CellId>,
    /// Every cell that was asked for, where somebody wants to know.
    pub(crate) trace: Option<Vec<CellId>>,
    /// Why each entry is there, where somebody wants to know.
    reasons: Option<Vec<Reason>>,
    pub(crate) added_outside: bool,
    slack: f32,
    /// Leave out what cannot be seen from the room at the head of the list. The registration of
    /// what never moves does so; ordinary movement does not. Retail: `do_not_load_cells`.
    pub do_not_load: bool,
    /// What the searches that filled this list did, all together.
    pub counters: Counters,
}

/// One cell of a [`CellArray`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListedCell {
    /// The cell.
    pub cell: CellId,
    /// Whether it is there; what is not is named and takes no part in anything.
    pub resident: bool,
}

/// What searches did: "found nothing" is told from "did not look".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Lists built.
    pub searches: u64,
    /// Cells put on a list.
    pub candidates: u64,
    /// Spheres tested against a room or the plane of a portal.
    pub sphere_tests: u64,
    /// Boxes tested against the volume of a room.
    pub volume_tests: u64,
    /// Parts tested against the plane of a portal.
    pub plane_tests: u64,
    /// Points tested against a cell.
    pub containment_tests: u64,
    /// Cells that were asked for and are not resident, so that nothing was looked at.
    pub not_resident: u64,
}

impl CellArray {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// The cells, in order.
    pub fn entries(&self) -> &[ListedCell] {
        &self.entries
    }

    /// Their ids, in order.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = CellId> + '_ {
        self.entries.iter().map(|entry| entry.cell)
    }

    /// Why each of them is there, in order; empty where that is not kept.
    pub fn reasons(&self) -> &[Reason] {
        self.reasons.as_deref().unwrap_or_default()
    }

    /// Keeps reasons from the next search on, or no longer.
    pub fn keep_reasons(&mut self, keep: bool) {
        if keep != self.reasons.is_some() {
            self.clear();
            self.reasons = keep.then(Vec::new);
        }
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether the cell is on the list.
    pub fn contains(&self, cell: CellId) -> bool {
        self.entries.iter().any(|entry| entry.cell == cell)
    }

    /// Cells that the last search asked for and did not find resident, on the list or not. The
    /// answer may change when one of them comes.
    pub fn missed(&self) -> &[CellId] {
        &self.missed
    }

    /// How far each sphere may be from where the last search for spheres found it, in metres, so that another
    /// search from the same cell still finds the same; 0 where that is not known. Rounding is allowed for. It
    /// does not hold for longer than the world stays as it is.
    pub fn valid_radius(&self) -> f32 {
        // What was not resident is not measured.
        if self.missed.is_empty() { (self.slack * RIGID - ROUNDING).max(0.0) } else { 0.0 }
    }

    /// The answer would be another if a sphere moved farther than this.
    pub(crate) fn shrink_valid_radius(&mut self, distance: f32) {
        // What cannot be compared holds for no distance.
        self.slack = if distance.is_nan() { 0.0 } else { self.slack.min(distance) };
    }

    /// Empties the list; the counters stay.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.missed.clear();
        self.trace.iter_mut().for_each(Vec::clear);
        self.reasons.iter_mut().for_each(Vec::clear);
        self.added_outside = false;
        self.slack = f32::INFINITY;
    }

    /// Appends a cell, unless it is there already, or the list holds [`MAX_LISTED_CELLS`].
    ///
    /// Retail: `CELLARRAY::add_cell`. Cost: a look at every entry.
    pub fn add(&mut self, cell: CellId, resident: bool) {
        self.add_with_cause(cell, resident, ListingCause::Added);
    }

    /// The same for a reason. The first is kept.
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

    /// Notes whether an entry contains what is looked for.
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

    /// Puts the last entry in the place of entry `index`. Retail: `CELLARRAY::remove_cell`.
    pub(crate) fn remove(&mut self, index: usize) {
        self.entries.swap_remove(index);
        if let Some(reasons) = &mut self.reasons {
            reasons.swap_remove(index);
        }
    }

    /// Notes that a cell was asked for.
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
    fn cells_stay_in_the_order_in_which_they_came_and_come_once() {
        let mut array = CellArray::new();
        let cells = [0xA9B4_0171, 0xA9B4_0031, 0xA9B4_0170].map(CellId);
        for cell in cells.into_iter().chain(cells) {
            array.add(cell, true);
        }
        array.add(cells[1], false);
        assert_eq!(array.ids().collect::<Vec<_>>(), cells);
        assert!(array.entries()[1].resident, "the first to come is kept");
        assert_eq!(array.counters.candidates, 3);
    }

    #[test]
    fn reasons_are_kept_where_they_are_wanted_and_go_with_their_cells() {
        let mut array = CellArray::new();
        array.add(CellId(1), true);
        assert!(array.reasons().is_empty());
        array.keep_reasons(true);
        assert!(array.is_empty(), "no list with half of its reasons");
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
