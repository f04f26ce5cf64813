//! Batches of bodies; one thread resolves a batch.

use std::ops::Range;

use threshold_land::{CellId, Position};
use threshold_world::{BodyId, BodySlot, ListedCell, Object, State, World};

use super::Member;
use crate::body::{Body, Event, Events, PlaceChange, Quanta, WorldChange, report_loss};
use crate::outcome::Outcome;
use crate::sweep::Sweeper;

/// Buffers and results of a batch. Which bodies belong to it does not depend on the threads.
#[derive(Debug, Default)]
pub(super) struct Batch {
    edits: Vec<(BodyId, WorldEdit)>,
    /// Cells of the edits that change lists.
    cells: Vec<ListedCell>,
    missed: Vec<CellId>,
    body_events: Events,
    events: Vec<(BodyId, Event)>,
    /// Some body has another quantum.
    more: bool,
    /// Some body has a new slot.
    slots_changed: bool,
}

/// Target time of an update.
#[derive(Clone, Copy, Debug)]
pub(super) struct UpdateTime {
    pub(super) time: f64,
    /// This is the first quantum of the update.
    pub(super) first: bool,
}

/// An edit of the world.
#[derive(Clone, Debug)]
enum WorldEdit {
    /// Registers a body in these cells; `missed` are the cells that were looked up and are not
    /// resident.
    List {
        slot: BodySlot,
        cells: Range<usize>,
        missed: Range<usize>,
    },
    /// Makes a body lost.
    Lose(Position),
    State(State),
}

impl Batch {
    /// Resolves the next quantum of every body and applies it to the body, not to the world.
    pub(super) fn resolve(
        &mut self,
        members: &mut [Member],
        sweeper: &Sweeper<'_>,
        now: UpdateTime,
        control: &impl Fn(&mut Body),
    ) {
        let world = sweeper.world;
        self.more = false;
        self.slots_changed = false;
        for member in members {
            member.moved = None;
            let Some((slot, object)) = self.find(member, world) else { continue };
            if now.first {
                control(&mut member.body);
                self.begin(member, world, object, now.time);
            }
            // A body added between two quanta waits for the next update.
            let Some(mut quanta) = member.quanta.take() else { continue };
            self.step(member, &mut quanta, sweeper, slot, object);
            if member.body.next_quantum(&mut { quanta }).is_some() {
                member.quanta = Some(quanta);
                self.more = true;
            } else {
                member.body.end_update(&quanta, now.time);
            }
        }
    }

    /// Finds the object of a body at its known slot, or looks the slot up.
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

    /// Returns whether any body has a new slot.
    pub(super) fn has_new_slots(&self) -> bool {
        self.slots_changed
    }

    fn begin(&mut self, member: &mut Member, world: &World, object: &Object, now: f64) {
        let (quanta, lost_at) = member.body.begin_update(world, object, now);
        member.quanta = Some(quanta);
        if let Some(at) = lost_at {
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
        slot: BodySlot,
        object: &Object,
    ) {
        let Member { body, scratch, .. } = member;
        let Some(dt) = body.next_quantum(quanta) else { return };
        let quantum = body.resolve_object(sweeper, scratch, &mut (), object, dt);
        if let Some(quantum) = &quantum {
            let change = body.settle_quantum(sweeper.world, object, quantum, &mut self.body_events);
            member.moved = self.collect(body.id, slot, object, &change);
        }
    }

    /// Stores the edits of the world and the events of a body. Returns its new position, if it
    /// changed.
    fn collect(
        &mut self,
        body: BodyId,
        slot: BodySlot,
        object: &Object,
        change: &WorldChange<'_>,
    ) -> Option<Position> {
        self.events.extend(self.body_events.drain(..).map(|event| (body, event)));
        if change.state != object.state() {
            self.edits.push((body, WorldEdit::State(change.state)));
        }
        match change.place {
            PlaceChange::Turn(rotation) => {
                let mut position = *object.position();
                let turned = position.frame.rotation != rotation;
                position.frame.rotation = rotation;
                turned.then_some(position)
            }
            PlaceChange::Swept(Outcome { position, cells, missed, .. }) => {
                if !object.stays_listed(position, cells, missed) {
                    let cells = append(&mut self.cells, cells);
                    let missed = append(&mut self.missed, missed);
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

    /// Applies the edits. Returns whether another quantum follows.
    pub(super) fn commit(&mut self, world: &mut World, events: &mut Vec<(BodyId, Event)>) -> bool {
        for (body, edit) in self.edits.drain(..) {
            // A body removed since needs no edit.
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

/// Appends items to a list and returns their range.
fn append<T: Copy>(list: &mut Vec<T>, items: &[T]) -> Range<usize> {
    let start = list.len();
    list.extend_from_slice(items);
    start..list.len()
}
