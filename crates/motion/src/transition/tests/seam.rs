//! A walk across a landblock border.

use threshold_land::CellId;

use super::fixture::{check_within, flat, level, place};
use super::walker::{TraceEntry, Walker};
use crate::body::Event;
use crate::mover::Stance;
use crate::outcome::Insert;

const NORTH: CellId = CellId(0xA9B4_0031);
const SOUTH: CellId = CellId(0xA9B3_0038);

/// Trace of a sub-step that tests the cells of `before`, lists `list`, then tests the cells of
/// `after`.
fn trace(before: &[CellId], list: &[CellId], picked: CellId, after: &[CellId]) -> Vec<TraceEntry> {
    let tests =
        |cells: &[CellId]| cells.iter().map(|cell| TraceEntry::Tested(*cell, Insert::Ok)).collect();
    let mut all: Vec<TraceEntry> = tests(before);
    all.push(TraceEntry::Listed(list.to_vec(), Some(picked)));
    all.extend::<Vec<TraceEntry>>(tests(after));
    all
}

#[test]
fn a_walk_across_a_landblock_border_matches_the_worked_example() {
    let stance = Stance::on(level(0.0), NORTH);
    let start = place(NORTH, [150.0, 0.5, 0.0]);
    let mut walker = Walker::new(flat(&[0xA9B3, 0xA9B4]), start, stance);
    let step = walker.move_by([0.0, -1.0, 0.0]);

    // Single precision has steps of 1.5e-5 m near 192 m.
    let ends = step.trace.ends();
    let want = [(NORTH, 0.166_667), (SOUTH, 191.833_33), (SOUTH, 191.5)];
    assert_eq!(ends.len(), want.len(), "{ends:?}");
    for ((answer, cell, at), (want_cell, y)) in ends.into_iter().zip(want) {
        assert_eq!((answer, cell), (Insert::Ok, want_cell), "{at}");
        check_within(5e-5, at, [150.0, y, 0.0], &cell.to_string());
    }

    let without_end = |entries: &[TraceEntry]| entries[..entries.len() - 1].to_vec();
    let got: Vec<_> = step.trace.0.iter().map(|entries| without_end(entries)).collect();
    let want = [
        trace(&[NORTH], &[NORTH, SOUTH], NORTH, &[SOUTH]),
        // The old cell has no ground below it; the next one provides it.
        trace(&[NORTH], &[SOUTH, NORTH], SOUTH, &[SOUTH]),
        trace(&[SOUTH], &[SOUTH], SOUTH, &[]),
    ];
    assert_eq!(got, want);

    let outcome = &step.outcome;
    assert!(outcome.is_ok() && outcome.hit.is_none());
    assert_eq!((outcome.cell, outcome.sub_steps), (Some(SOUTH), 3));
    assert_eq!(outcome.cells.iter().map(|entry| entry.cell).collect::<Vec<_>>(), [SOUTH]);
    assert_eq!((outcome.stance.contact, outcome.stance.plane_cell), (true, SOUTH));
    check_within(5e-5, start.offset_to(&walker.position()), [0.0, -1.0, 0.0], "the whole move");
    assert_eq!(step.events[..], [Event::CellChanged { from: Some(NORTH), to: Some(SOUTH) }]);
}
