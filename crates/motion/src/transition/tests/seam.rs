//! A walk across a landblock border.

use threshold_land::CellId;

use super::fixture::{check_within, flat, level, place};
use super::walker::{TraceEntry, Walker};
use crate::body::Event;
use crate::mover::Stance;
use crate::outcome::Insert;

const NORTH: CellId = CellId(0xA9B4_0031);
const SOUTH: CellId = CellId(0xA9B3_0038);

/// What was said in a sub-step that asks these cells, before and after it lists these.
fn asks(before: &[CellId], list: &[CellId], picked: CellId, after: &[CellId]) -> Vec<TraceEntry> {
    let asked =
        |cells: &[CellId]| cells.iter().map(|cell| TraceEntry::Asked(*cell, Insert::Ok)).collect();
    let mut all: Vec<TraceEntry> = asked(before);
    all.push(TraceEntry::Listed(list.to_vec(), Some(picked)));
    all.extend::<Vec<TraceEntry>>(asked(after));
    all
}

#[test]
fn worked_example_of_a_walk_across_a_landblock_border() {
    let stance = Stance::on(level(0.0), NORTH);
    let start = place(NORTH, [150.0, 0.5, 0.0]);
    let mut walker = Walker::new(flat(&[0xA9B3, 0xA9B4]), start, stance);
    let step = walker.go([0.0, -1.0, 0.0]);

    // Single precision has steps of 1.5e-5 m near 192 m.
    let ends = step.trace.ends();
    let want = [(NORTH, 0.166_667), (SOUTH, 191.833_33), (SOUTH, 191.5)];
    assert_eq!(ends.len(), want.len(), "{ends:?}");
    for ((answer, cell, at), (want_cell, y)) in ends.into_iter().zip(want) {
        assert_eq!((answer, cell), (Insert::Ok, want_cell), "{at}");
        check_within(5e-5, at, [150.0, y, 0.0], &cell.to_string());
    }

    let without_end = |said: &[TraceEntry]| said[..said.len() - 1].to_vec();
    let said: Vec<_> = step.trace.0.iter().map(|said| without_end(said)).collect();
    let want = [
        asks(&[NORTH], &[NORTH, SOUTH], NORTH, &[SOUTH]),
        // The cell it comes from has no ground under it; the next one gives it.
        asks(&[NORTH], &[SOUTH, NORTH], SOUTH, &[SOUTH]),
        asks(&[SOUTH], &[SOUTH], SOUTH, &[]),
    ];
    assert_eq!(said, want);

    let outcome = &step.outcome;
    assert!(outcome.is_ok() && outcome.hit.is_none());
    assert_eq!((outcome.cell, outcome.sub_steps), (Some(SOUTH), 3));
    assert_eq!(outcome.cells.iter().map(|entry| entry.cell).collect::<Vec<_>>(), [SOUTH]);
    assert_eq!((outcome.stance.contact, outcome.stance.plane_cell), (true, SOUTH));
    check_within(5e-5, start.offset_to(&walker.position()), [0.0, -1.0, 0.0], "the whole way");
    assert_eq!(step.events[..], [Event::CellChanged { from: Some(NORTH), to: Some(SOUTH) }]);
}
