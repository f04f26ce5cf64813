//! Bodies that one thread resolves, one after another.

use std::ops::Range;

use threshold_land::{CellId, Position};
use threshold_world::{BodyId, BodySlot, ListedCell, Object, State, World};

use super::Member;
use crate::body::{Body, Event, Events, PlaceChange, Quanta, WorldChange, report_loss};
use crate::outcome::Outcome;
use crate::sweep::Sweeper;

/// What a batch works with, and what it leaves for the commit. Which bodies are in it does not depend on the threads.
#[derive(Debug, Default)]
pub(super) struct Batch {
    edits: Vec<(BodyId, WorldEdit)>,
    /// Of the edits that change lists.
    cells: Vec<ListedCell>,
    missed: Vec<CellId>,
    body_events: Events,
    events: Vec<(BodyId, Event)>,
    /// Somebody has another quantum.
    more: bool,
    /// Somebody has another slot.
    slots_changed: bool,
}

/// To when an update goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct UpdateTime {
    pub(super) time: f64,
    /// Nothing of it has been done yet.
    pub(super) first: bool,
}

/// What is to be done to the world.
#[derive(Clone, Debug)]
enum WorldEdit {
    /// It is in these cells, and asked for those.
    List {
        slot: BodySlot,
        cells: Range<usize>,
        missed: Range<usize>,
    },
    /// It is in no cell.
    Lose(Position),
    State(State),
}

impl Batch {
    /// Moves every body by its next quantum, as far as that is its own business.
    pub(super) fn resolve(
        &mut self,
        members: &mut [Member],
        sweeper: &Sweeper<'_>,
        now: UpdateTime,
        tell: &impl Fn(&mut Body),
    ) {
        let world = sweeper.world;
        self.more = false;
        self.slots_changed = false;
        for member in members {
            member.moved = None;
            let Some((slot, object)) = self.find(member, world) else { continue };
            if now.first {
                tell(&mut member.body);
                self.begin(member, world, object, now.time);
            }
            // Who has come between two quanta waits for the next update.
            let Some(mut quanta) = member.quanta.take() else { continue };
            self.step(member, &mut quanta, sweeper, (slot, object));
            if member.body.next_quantum(&mut { quanta }).is_some() {
                member.quanta = Some(quanta);
                self.more = true;
            } else {
                member.body.end_update(&quanta, now.time);
            }
        }
    }

    /// The object of a body, at the slot that it had or else has now.
    fn find<'w>(
        &mut self,
        member: &mut Member,
        world: &'w World,
    ) -> Option<(BodySlot, &'w Object)> {
        let id = member.body.id;
        let in_slot = |slot| Some((slot, world.body_in_slot(slot, id)?));
        let known = member.slot.and_then(in_slot);
        let found = known.or_else(|| in_slot(world.body_slot(id)?));
        self.slots_changed |= known.is_none();
        member.slot = found.map(|(slot, _)| slot);
        found
    }

    /// Whether anybody has another slot than the time before.
    pub(super) fn has_new_slots(&self) -> bool {
        self.slots_changed
    }

    fn begin(&mut self, member: &mut Member, world: &World, object: &Object, now: f64) {
        let (quanta, gone) = member.body.begin_update(world, object, now);
        member.quanta = Some(quanta);
        if let Some(at) = gone {
            let body = member.body.id;
            self.edits.push((body, WorldEdit::Lose(at)));
            report_loss(Some(at.cell), at.cell, &mut self.body_events);
            self.events.extend(self.body_events.drain(..).map(|event| (body, event)));
        }
    }

    fn step(
        &mut self,
        member: &mut Member,
        quanta: &mut Quanta,
        sweeper: &Sweeper<'_>,
        own: (BodySlot, &Object),
    ) {
        let Member { body, scratch, .. } = member;
        let Some(dt) = body.next_quantum(quanta) else { return };
        let quantum = body.resolve_object(sweeper, scratch, &mut (), (own.1, dt));
        if let Some(quantum) = &quantum {
            let settled = body.settle_quantum(sweeper.world, own.1, quantum, &mut self.body_events);
            member.moved = self.note(body.id, own, &settled);
        }
    }

    /// Keeps what is to be done to the lists of the world, and what is to be told. Returns where the body is, if that is
    /// new.
    fn note(
        &mut self,
        body: BodyId,
        (slot, object): (BodySlot, &Object),
        settled: &WorldChange<'_>,
    ) -> Option<Position> {
        self.events.extend(self.body_events.drain(..).map(|event| (body, event)));
        if settled.state != object.state() {
            self.edits.push((body, WorldEdit::State(settled.state)));
        }
        match settled.shift {
            PlaceChange::Turn(rotation) => {
                let mut position = *object.position();
                let turns = position.frame.rotation != rotation;
                position.frame.rotation = rotation;
                turns.then_some(position)
            }
            PlaceChange::Swept(Outcome { position, cells, missed, .. }) => {
                if !object.stays_listed(position, cells, missed) {
                    let cells = keep(&mut self.cells, cells);
                    let missed = keep(&mut self.missed, missed);
                    self.edits.push((body, WorldEdit::List { slot, cells, missed }));
                }
                Some(*position)
            }
            PlaceChange::Lost(position) => {
                self.edits.push((body, WorldEdit::Lose(position)));
                None
            }
        }
    }

    /// Makes it fact; whether there is more to do.
    pub(super) fn commit(&mut self, world: &mut World, events: &mut Vec<(BodyId, Event)>) -> bool {
        for (body, edit) in self.edits.drain(..) {
            // Who has gone since needs nothing.
            let _ = match edit {
                WorldEdit::List { slot, cells, missed } => {
                    world.register_in_slot(slot, body, &self.cells[cells], &self.missed[missed])
                }
                WorldEdit::Lose(position) => world.lose(body, position),
                WorldEdit::State(state) => world.set_state(body, state),
            };
        }
        self.cells.clear();
        self.missed.clear();
        events.append(&mut self.events);
        self.more
    }
}

/// Appends to a list, and says where.
fn keep<T: Copy>(list: &mut Vec<T>, items: &[T]) -> Range<usize> {
    let start = list.len();
    list.extend_from_slice(items);
    start..list.len()
}
