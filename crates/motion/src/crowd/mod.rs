//! Crowds: many bodies at once.

mod batch;
mod hash;
#[cfg(test)]
mod tests;

#[cfg(feature = "rayon")]
use rayon::prelude::*;
use threshold_land::Position;
use threshold_world::{BodyId, BodySlot, BodySlots, World};

use self::batch::{Batch, UpdateTime};
pub use self::hash::StateHash;
use crate::body::{Body, Event, Quanta};
use crate::rules::Rules;
use crate::shortcuts::Shortcuts;
use crate::sweep::{SweepScratch, Sweeper};

/// Bodies per batch; one thread resolves a batch. Few enough that no thread waits long for another.
const BATCH_SIZE: usize = 32;

/// Positions that one thread writes; fewer are not worth another thread.
const MIN_PARALLEL_MOVES: usize = 256;

/// Bodies that are moved together on all cores, with the same result for any number of threads.
///
/// An update has two halves. Every body is [resolved](Self::resolve) against the unchanged world,
/// which takes most of the time; with the feature `rayon` on all threads of the current pool. Then
/// the results are [committed](Self::commit): positions are written, and one thread edits the cell
/// lists that change, in the order of body ids. No thread sees the results of another, so the
/// result is the same to the bit for any number of threads, with the feature and without.
///
/// Two bodies that meet within one quantum may overlap until the next: each sees the other at its
/// old position. Retail moved them one after the other. A body that meets no other moves exactly as
/// by [`Body::update`].
///
/// ```
/// use threshold_forge::{MOVER, samples};
/// use threshold_land::vector::Vec3;
/// use threshold_land::{CellId, Position};
/// use threshold_motion::{Body, Crowd, Event, Gait, Rules, SweepScratch, Search, MoveContext};
/// use threshold_world::{BodyId, BodySpec, Builder, ObjectKind, State, World};
///
/// # let builder = Builder::new(samples::two_rooms()?);
/// # let mut world = World::new();
/// # for piece in builder.pieces() {
/// #     builder.build(piece)?.into_iter().for_each(|built| world.adopt(built.piece));
/// # }
/// let (rules, mut scratch, mut crowd) = (Rules::default(), SweepScratch::new(), Crowd::new());
/// for number in 0..4 {
///     let mut body = Body { gait: Some(Gait::walk()), ..Body::new(BodyId(number)) };
///     let spec = BodySpec {
///         body: BodyId(number),
///         setup: builder.setup(MOVER)?,
///         position: Position::new(CellId(0x0102_0100), Vec3::new(2.0, 1.0, 0.0)),
///         scale: 1.0,
///         state: State::GRAVITY.with(State::EDGE_SLIDE, true),
///         kind: ObjectKind::Creature,
///     };
///     let (placed, _) = body.enter(&mut MoveContext::new(&mut world, rules, &mut scratch), spec, Search::Around, 0.0);
///     assert!(placed.is_ok());
///     crowd.insert(body);
/// }
/// let before = crowd.hash(&world);
/// for tick in 1..=30 {
///     for (body, event) in crowd.update(&mut world, rules, f64::from(tick) / 30.0) {
///         println!("{body}: {event:?}");
///     }
/// }
/// assert_ne!(crowd.hash(&world), before);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Crowd {
    /// Sorted by id.
    members: Vec<Member>,
    /// One for each [`BATCH_SIZE`] members.
    batches: Vec<Batch>,
    /// Members sorted by slot; empty when it must be sorted again.
    slots: Vec<(BodySlot, usize)>,
    events: Vec<(BodyId, Event)>,
    stage: UpdateStage,
    shortcuts: Shortcuts,
}

/// Stage of an update.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum UpdateStage {
    /// No update is in progress.
    #[default]
    Idle,
    /// A quantum is resolved but not committed.
    Resolved,
    /// It is committed, and another quantum follows.
    Committed,
}

/// A body of a crowd.
#[derive(Debug)]
struct Member {
    body: Body,
    slot: Option<BodySlot>,
    /// Remaining quanta of the current update.
    quanta: Option<Quanta>,
    /// New position of its object, if it moved.
    moved: Option<Position>,
    scratch: SweepScratch,
}

impl Crowd {
    /// An empty crowd.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of bodies.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Returns whether there are no bodies.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Adds a body and returns the earlier one of the same id. The body need not be in the world;
    /// updates skip it until it is.
    pub fn insert(&mut self, body: Body) -> Option<Body> {
        let scratch = SweepScratch::with_shortcuts(self.shortcuts);
        let member = |body| Member { body, slot: None, quanta: None, moved: None, scratch };
        match self.index_of(body.id) {
            Ok(at) => Some(std::mem::replace(&mut self.members[at], member(body)).body),
            Err(at) => {
                self.slots.clear();
                self.members.insert(at, member(body));
                None
            }
        }
    }

    /// Sets the shortcuts that sweeps of all bodies take, including bodies inserted later.
    pub fn set_shortcuts(&mut self, shortcuts: Shortcuts) {
        self.shortcuts = shortcuts;
        self.members.iter_mut().for_each(|member| member.scratch.shortcuts = shortcuts);
    }

    /// Removes a body from the crowd. It stays in the world.
    pub fn remove(&mut self, body: BodyId) -> Option<Body> {
        let at = self.index_of(body).ok()?;
        self.slots.clear();
        Some(self.members.remove(at).body)
    }

    /// Returns a body by id.
    pub fn get(&self, body: BodyId) -> Option<&Body> {
        self.index_of(body).ok().map(|at| &self.members[at].body)
    }

    /// Returns a body by id, to control it. Its id must not change.
    pub fn get_mut(&mut self, body: BodyId) -> Option<&mut Body> {
        self.index_of(body).ok().map(|at| &mut self.members[at].body)
    }

    /// Returns all bodies, sorted by id.
    pub fn bodies(&self) -> impl ExactSizeIterator<Item = &Body> {
        self.members.iter().map(|member| &member.body)
    }

    /// Returns all bodies, sorted by id, to control them. Their ids must not change.
    pub fn bodies_mut(&mut self) -> impl ExactSizeIterator<Item = &mut Body> {
        self.members.iter_mut().map(|member| &mut member.body)
    }

    fn index_of(&self, body: BodyId) -> Result<usize, usize> {
        self.members.binary_search_by_key(&body, |member| member.body.id)
    }

    /// Advances all bodies to this time, in seconds, in the same quanta as [`Body::update`], and
    /// returns the events: quantum by quantum, in the order of the bodies. Bodies that are not in
    /// the world are skipped.
    pub fn update(&mut self, world: &mut World, rules: Rules, now: f64) -> &[(BodyId, Event)] {
        loop {
            self.resolve(world, rules, now, |_| ());
            if !self.commit(world) {
                return &self.events;
            }
        }
    }

    /// First half of an update: computes the next quantum of every body against the unchanged
    /// world. Before the first quantum `control` is called for every body in the world, on any
    /// thread, so it must not depend on calls for other bodies.
    ///
    /// The bodies then have their new state, but their objects do not: do nothing else before the
    /// [`commit`](Self::commit). A second call before it does nothing. Body ids must not change.
    pub fn resolve(
        &mut self,
        world: &World,
        rules: Rules,
        now: f64,
        control: impl Fn(&mut Body) + Sync,
    ) {
        let first = match self.stage {
            UpdateStage::Idle => true,
            UpdateStage::Committed => false,
            UpdateStage::Resolved => return,
        };
        let now = UpdateTime { time: now, first };
        if first {
            self.events.clear();
        }
        self.stage = UpdateStage::Resolved;
        self.batches.resize_with(self.members.len().div_ceil(BATCH_SIZE), Batch::default);
        #[cfg(feature = "rayon")]
        let batches = self.batches.par_iter_mut().zip(self.members.par_chunks_mut(BATCH_SIZE));
        #[cfg(not(feature = "rayon"))]
        let batches = self.batches.iter_mut().zip(self.members.chunks_mut(BATCH_SIZE));
        let sweeper = Sweeper { world, rules };
        batches.for_each(|(batch, members)| batch.resolve(members, &sweeper, now, &control));
    }

    /// Second half of an update: commits it. Returns whether another quantum is to be resolved.
    /// Without a resolved quantum it does nothing.
    pub fn commit(&mut self, world: &mut World) -> bool {
        if self.stage != UpdateStage::Resolved {
            return false;
        }
        self.sort_slots();
        move_all(world.body_slots(), &self.slots, &self.members);
        let mut more = false;
        for batch in &mut self.batches {
            more |= batch.commit(world, &mut self.events);
        }
        world.group_crowded_cells();
        self.stage = if more { UpdateStage::Committed } else { UpdateStage::Idle };
        more
    }

    /// Sorts the members by slot, if a body was added or removed or its slot changed.
    fn sort_slots(&mut self) {
        let changed = self.batches.iter().any(Batch::has_new_slots);
        if changed || self.slots.is_empty() {
            let members = self.members.iter().enumerate();
            self.slots.clear();
            self.slots
                .extend(members.filter_map(|(at, member)| member.slot.map(|slot| (slot, at))));
            self.slots.sort_unstable();
        }
    }

    /// Returns the events of the last update.
    pub fn events(&self) -> &[(BodyId, Event)] {
        &self.events
    }

    /// Returns a hash of the moving state of all bodies, their positions, and the cell lists they
    /// are in. Crowds that are equal to the bit have equal hashes. Properties that never change,
    /// such as setup, size and kind, are not included.
    pub fn hash(&self, world: &World) -> StateHash {
        let mut hash = StateHash::default();
        self.members.iter().for_each(|member| hash.body(&member.body, world.body(member.body.id)));
        hash
    }
}

/// Writes all new positions, on all threads. Nothing reads them meanwhile, and no two bodies share
/// a slot.
fn move_all(mut slots: BodySlots<'_>, order: &[(BodySlot, usize)], members: &[Member]) {
    if order.len() > MIN_PARALLEL_MOVES {
        let (low, high) = order.split_at(order.len() / 2);
        let (left, right) = slots.split(high[0].0);
        join(|| move_all(left, low, members), || move_all(right, high, members));
        return;
    }
    for (slot, number) in order {
        let Member { body, moved, .. } = &members[*number];
        if let Some(position) = moved {
            slots.move_to(*slot, body.id, *position);
        }
    }
}

fn join(one: impl FnOnce() + Send, other: impl FnOnce() + Send) {
    #[cfg(feature = "rayon")]
    rayon::join(one, other);
    #[cfg(not(feature = "rayon"))]
    {
        one();
        other();
    }
}
