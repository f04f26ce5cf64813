//! Many bodies at once.

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
use crate::sweep::{SweepScratch, Sweeper};

/// So many bodies are resolved one after another by one thread. Few enough that no thread waits long for another.
const BATCH_SIZE: usize = 32;

/// So many positions are written by one thread: fewer are not worth another.
const MIN_PARALLEL_MOVES: usize = 256;

/// Bodies that are moved together: side by side on all cores, with one and the same result.
///
/// An update has two halves. Every body is [resolved](Self::resolve) against the world as it was, which takes all the
/// time and changes nothing of the world; with the feature `rayon` on as many threads as the pool has in which it is
/// called. Then what came of it is [committed](Self::commit): positions are written, and one thread edits those lists of cells that
/// change, in the order of the bodies' numbers. No thread sees what another has done, so the result is the same to the
/// bit for any number of threads, with the feature and without.
///
/// Two bodies that meet within one quantum may overlap until the next: each sees the other where it was. Retail moved
/// one after the other. A body that meets nobody moves exactly as by [`Body::update`].
///
/// ```
/// use threshold_forge::{MOVER, samples};
/// use threshold_land::glam::Vec3;
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
    /// By number.
    members: Vec<Member>,
    /// For so many members each.
    batches: Vec<Batch>,
    /// Members by their slots; without any, to be sorted anew.
    slots: Vec<(BodySlot, usize)>,
    events: Vec<(BodyId, Event)>,
    stage: UpdateStage,
}

/// How far an update has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum UpdateStage {
    /// Nothing of it is done.
    #[default]
    Idle,
    /// A quantum is resolved, and not fact yet.
    Resolved,
    /// It is fact, and there is another.
    Committed,
}

/// A body of a crowd.
#[derive(Debug)]
struct Member {
    body: Body,
    slot: Option<BodySlot>,
    /// What is left of an update that it takes part in.
    quanta: Option<Quanta>,
    /// Where its object is to be, if it moved.
    moved: Option<Position>,
    scratch: SweepScratch,
}

impl Crowd {
    /// Nobody.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Takes a body in, in place of an earlier one of its number, which comes back. Whether it is in the world is not its
    /// business: who is not is passed over by updates.
    pub fn insert(&mut self, body: Body) -> Option<Body> {
        let member = |body| Member {
            body,
            slot: None,
            quanta: None,
            moved: None,
            scratch: SweepScratch::new(),
        };
        match self.place_of(body.id) {
            Ok(at) => Some(std::mem::replace(&mut self.members[at], member(body)).body),
            Err(at) => {
                self.slots.clear();
                self.members.insert(at, member(body));
                None
            }
        }
    }

    /// Lets a body go. It stays in the world.
    pub fn remove(&mut self, body: BodyId) -> Option<Body> {
        let at = self.place_of(body).ok()?;
        self.slots.clear();
        Some(self.members.remove(at).body)
    }

    /// A body by its number.
    pub fn get(&self, body: BodyId) -> Option<&Body> {
        self.place_of(body).ok().map(|at| &self.members[at].body)
    }

    /// A body by its number, to be told what to do. Its number must stay.
    pub fn get_mut(&mut self, body: BodyId) -> Option<&mut Body> {
        self.place_of(body).ok().map(|at| &mut self.members[at].body)
    }

    /// All bodies, by number.
    pub fn bodies(&self) -> impl ExactSizeIterator<Item = &Body> {
        self.members.iter().map(|member| &member.body)
    }

    /// All bodies, by number, to be told what to do. Their numbers must stay.
    pub fn bodies_mut(&mut self) -> impl ExactSizeIterator<Item = &mut Body> {
        self.members.iter_mut().map(|member| &mut member.body)
    }

    fn place_of(&self, body: BodyId) -> Result<usize, usize> {
        self.members.binary_search_by_key(&body, |member| member.body.id)
    }

    /// Moves everybody to this time, in seconds, by as many quanta as [`Body::update`] would, and says what became
    /// different: quantum by quantum, in the order of the bodies.
    ///
    /// Who is not in the world is passed over.
    pub fn update(&mut self, world: &mut World, rules: Rules, now: f64) -> &[(BodyId, Event)] {
        loop {
            self.resolve(world, rules, now, |_| ());
            if !self.commit(world) {
                return &self.events;
            }
        }
    }

    /// The first half of an update: what the next quantum makes of everybody, in the world as it is. Before the first
    /// quantum everybody in the world is told what to do; on which thread that happens is not known, so that it
    /// must not depend on what another was told.
    ///
    /// Bodies are then what they will be, their objects in the world are not: nothing else should be done before the
    /// [`commit`](Self::commit). Once resolved, it is not resolved again until then. Numbers of bodies must stay.
    pub fn resolve(
        &mut self,
        world: &World,
        rules: Rules,
        now: f64,
        tell: impl Fn(&mut Body) + Sync,
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
        batches.for_each(|(batch, members)| batch.resolve(members, &sweeper, now, &tell));
    }

    /// The second half of an update: makes it fact. Returns whether there is another quantum to resolve. Where nothing is
    /// resolved it does nothing.
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
        self.stage = if more { UpdateStage::Committed } else { UpdateStage::Idle };
        more
    }

    /// Sorts the members by their slots, if anybody has come, gone or changed slots.
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

    /// What became different in the last update.
    pub fn events(&self) -> &[(BodyId, Event)] {
        &self.events
    }

    /// A number for what moves of everybody, and for where they are in the world and in which lists. Two crowds that are
    /// the same to the bit have the same. (What a body is made of, its size and its kind never change, and are not in it.)
    pub fn hash(&self, world: &World) -> StateHash {
        let mut hash = StateHash::default();
        self.members.iter().for_each(|member| hash.body(&member.body, world.body(member.body.id)));
        hash
    }
}

/// Writes where everybody is, on all threads: nobody looks, and no two have the same slot.
fn move_all(mut slots: BodySlots<'_>, order: &[(BodySlot, usize)], members: &[Member]) {
    if order.len() > MIN_PARALLEL_MOVES {
        let (low, high) = order.split_at(order.len() / 2);
        let (left, right) = slots.split(high[0].0);
        both(|| move_all(left, low, members), || move_all(right, high, members));
        return;
    }
    for (slot, number) in order {
        let Member { body, moved, .. } = &members[*number];
        if let Some(position) = moved {
            slots.move_to(*slot, body.id, *position);
        }
    }
}

fn both(one: impl FnOnce() + Send, other: impl FnOnce() + Send) {
    #[cfg(feature = "rayon")]
    rayon::join(one, other);
    #[cfg(not(feature = "rayon"))]
    {
        one();
        other();
    }
}
