//! Streaming: pieces of the world are built on a thread, in order of their distance.
//!
//! A [`Realm`](crate::Realm) made with `Realm::background` does this by itself.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::io;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use threshold_dat::Source;
use threshold_land::BlockId;
use threshold_world::{Builder, Piece, PieceId, World};

/// Time that one frame spends on receiving pieces. Longer stutters visibly; shorter keeps built pieces waiting.
const MAX_RECEIVE_TIME: Duration = Duration::from_millis(3);

/// A piece that has been built, with what the host prepared for it.
#[derive(Debug)]
pub struct PreparedPiece<P> {
    /// The piece.
    pub piece: Piece,
    /// What the host prepared.
    pub prepared: P,
}

/// Reason why a piece is absent: the source does not have it.
const NO_SUCH_PIECE: &str = "no such place in this world";
/// Reason why all pieces are absent once the building thread has panicked.
const THREAD_FAILED: &str =
    "cannot load more of the world: the building thread has failed; restart the program";

/// Result of building a piece.
struct BuildResult<P> {
    id: PieceId,
    /// The piece, or the reason why it cannot be built.
    built: Result<Box<PreparedPiece<P>>, String>,
    faults: Vec<String>,
}

/// Requests that the building thread has not started yet.
#[derive(Default)]
struct BuildQueue {
    /// Resident pieces to build again; these are built first.
    rebuilds: VecDeque<PieceId>,
    /// Other pieces, from near to far.
    pieces: VecDeque<PieceId>,
    is_closed: bool,
}

/// Order in which wanted pieces are built.
#[derive(Clone, Debug, Default)]
pub struct LoadPriority {
    /// The piece that a journey waits for.
    pub first: Option<PieceId>,
    /// Landblocks of the player and the camera: pieces near them are built first.
    pub blocks: Vec<BlockId>,
}

/// Requests pieces from the building thread and receives them.
pub struct PieceStream<P = ()> {
    builder: Arc<Builder>,
    queue: Arc<(Mutex<BuildQueue>, Condvar)>,
    results: Receiver<BuildResult<P>>,
    /// Pieces that are requested and not received yet.
    pending: BTreeSet<PieceId>,
    /// Pieces that cannot be built, with the reason.
    absent: BTreeMap<PieceId, String>,
    has_thread_failed: bool,
    faults: Vec<String>,
}

impl<P> fmt::Debug for PieceStream<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut stream = f.debug_struct("PieceStream");
        stream.field("pending", &self.pending.len()).field("faults", &self.faults);
        stream.finish_non_exhaustive()
    }
}

impl<P> Drop for PieceStream<P> {
    fn drop(&mut self) {
        lock(&self.queue.0).is_closed = true;
        self.queue.1.notify_all();
    }
}

fn lock(queue: &Mutex<BuildQueue>) -> MutexGuard<'_, BuildQueue> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<P: Send + 'static> PieceStream<P> {
    /// Starts the building thread for a source. The thread calls `prepare` for each piece.
    pub fn new(
        source: &Arc<dyn Source>,
        prepare: impl FnMut(&Piece) -> P + Send + 'static,
    ) -> io::Result<Self> {
        let builder = Arc::new(Builder::shared(Arc::clone(source)));
        let queue = Arc::new((Mutex::new(BuildQueue::default()), Condvar::new()));
        let (sender, results) = channel();
        let (thread_builder, thread_queue) = (Arc::clone(&builder), Arc::clone(&queue));
        // The thread ends when the queue is closed.
        let thread = thread::Builder::new().name("pieces".to_owned());
        thread.spawn(move || build_pieces(&thread_builder, prepare, &thread_queue, &sender))?;
        Ok(Self {
            builder,
            queue,
            results,
            pending: BTreeSet::new(),
            absent: BTreeMap::new(),
            has_thread_failed: false,
            faults: Vec::new(),
        })
    }
}

impl<P> PieceStream<P> {
    /// The builder of the thread, for setups and cached shapes.
    pub fn builder(&self) -> &Arc<Builder> {
        &self.builder
    }

    /// Returns the number of pieces that are requested and not received yet.
    pub fn pending_count(&self) -> usize {
        self.pending.len()
    }

    /// Returns an error message for each record that could not be read so far.
    pub fn faults(&self) -> &[String] {
        &self.faults
    }

    /// Adds an error message; returns false if it is listed already.
    pub fn note_fault(&mut self, fault: String) -> bool {
        let is_new = !self.faults.contains(&fault);
        if is_new {
            self.faults.push(fault);
        }
        is_new
    }

    /// Returns whether a piece is requested and not received yet.
    pub fn is_pending(&self, piece: PieceId) -> bool {
        self.pending.contains(&piece)
    }

    /// Returns the reason why a piece cannot be built; `None` for a piece that has been received or may still be.
    pub fn absence_reason(&self, piece: PieceId) -> Option<&str> {
        let failed = self.has_thread_failed.then_some(THREAD_FAILED);
        self.absent.get(&piece).map(String::as_str).or(failed)
    }

    /// Replaces the queue by the pieces the world wants now, by priority. Requests that are no longer wanted are dropped.
    pub fn request_wanted(&mut self, world: &mut World, priority: &LoadPriority) {
        let mut queue = lock(&self.queue.0);
        for piece in queue.pieces.drain(..) {
            self.pending.remove(&piece);
            world.want_again(piece);
        }
        let mut wanted = world.take_wanted();
        // A piece that is being built is received anyway, even if it was released and wanted again.
        wanted.retain(|piece| !self.has_thread_failed && !self.pending.contains(piece));
        if wanted.is_empty() {
            return;
        }
        priority.sort(&mut wanted);
        self.pending.extend(&wanted);
        queue.pieces.extend(wanted);
        drop(queue);
        self.queue.1.notify_one();
    }

    /// Requests that a resident piece is built again, before all others. Returns false if the thread has failed.
    pub fn request_rebuild(&mut self, piece: PieceId) -> bool {
        if !self.has_thread_failed && self.pending.insert(piece) {
            lock(&self.queue.0).rebuilds.push_back(piece);
            self.queue.1.notify_one();
        }
        !self.has_thread_failed
    }

    /// Receives built pieces for up to 3 milliseconds, and at least one if any is ready.
    pub fn receive(&mut self, mut adopt: impl FnMut(PreparedPiece<P>)) {
        let start = Instant::now();
        loop {
            match self.results.try_recv() {
                Ok(result) => self.note_result(result, &mut adopt),
                Err(TryRecvError::Empty) => return,
                Err(TryRecvError::Disconnected) => return self.note_thread_failure(),
            }
            if start.elapsed() > MAX_RECEIVE_TIME {
                return;
            }
        }
    }

    fn note_result(&mut self, result: BuildResult<P>, adopt: &mut impl FnMut(PreparedPiece<P>)) {
        self.pending.remove(&result.id);
        for fault in result.faults {
            self.note_fault(fault);
        }
        match result.built {
            Ok(built) => {
                self.absent.remove(&result.id);
                adopt(*built);
            }
            Err(reason) => {
                self.absent.insert(result.id, reason);
            }
        }
    }

    fn note_thread_failure(&mut self) {
        if !std::mem::replace(&mut self.has_thread_failed, true) {
            self.faults.push(THREAD_FAILED.to_owned());
        }
        self.pending.clear();
    }
}

impl LoadPriority {
    /// Sorts pieces by their distance to the nearest landblock, rooms before land: a missing room stops the player, while much of the land
    /// is only seen from afar.
    fn sort(&self, pieces: &mut [PieceId]) {
        pieces.sort_by_key(|piece| {
            let is_land = matches!(piece, PieceId::Land(_));
            let distance = |block: &BlockId| block_distance(*block, piece.block());
            (self.first != Some(*piece), self.blocks.iter().map(distance).min(), is_land)
        });
    }
}

/// Returns the distance between two landblocks, in landblocks.
fn block_distance(a: BlockId, b: BlockId) -> u8 {
    a.x().abs_diff(b.x()).max(a.y().abs_diff(b.y()))
}

/// Builds requested pieces until the queue is closed.
fn build_pieces<P>(
    builder: &Builder,
    mut prepare: impl FnMut(&Piece) -> P,
    queue: &(Mutex<BuildQueue>, Condvar),
    results: &Sender<BuildResult<P>>,
) {
    while let Some(id) = next_request(queue) {
        let (built, faults) = match builder.build(id) {
            Ok(Some(built)) => {
                let faults = built.faults.iter().map(ToString::to_string).collect();
                let prepared = prepare(&built.piece);
                (Ok(Box::new(PreparedPiece { piece: built.piece, prepared })), faults)
            }
            Ok(None) => (Err(NO_SUCH_PIECE.to_owned()), Vec::new()),
            Err(fault) => (Err(fault.to_string()), vec![fault.to_string()]),
        };
        if results.send(BuildResult { id, built, faults }).is_err() {
            return;
        }
    }
}

/// Waits for a request; `None` once the queue is closed.
fn next_request(queue: &(Mutex<BuildQueue>, Condvar)) -> Option<PieceId> {
    let mut requests = lock(&queue.0);
    loop {
        if requests.is_closed {
            return None;
        }
        if let Some(piece) = requests.rebuilds.pop_front().or_else(|| requests.pieces.pop_front()) {
            return Some(piece);
        }
        requests = queue.1.wait(requests).unwrap_or_else(PoisonError::into_inner);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_land::CellId;
    use threshold_testkit::gate::{HookedSource, ReadGate};

    /// Rooms requested from far away must not delay the land in front of the player.
    #[test]
    fn the_nearest_pieces_are_built_first_in_whatever_order_they_were_requested() {
        let land = |block: u16| PieceId::Land(BlockId(block));
        let room = |cell: u32| PieceId::Room(CellId(cell));
        let priority = LoadPriority { first: None, blocks: vec![BlockId(0xA9B4), BlockId(0x1010)] };
        let mut pieces = vec![land(0xAEB4), room(0xABB4_0100), land(0xA9B4), land(0x1011)];
        pieces.extend([room(0xA9B4_0101), land(0xA8B3), land(0x1010)]);
        priority.sort(&mut pieces);
        let mut want = vec![room(0xA9B4_0101), land(0xA9B4), land(0x1010), land(0x1011)];
        want.extend([land(0xA8B3), room(0xABB4_0100), land(0xAEB4)]);
        assert_eq!(pieces, want);
        let first = Some(land(0xAEB4));
        LoadPriority { first, ..priority }.sort(&mut pieces);
        assert_eq!(pieces[0], land(0xAEB4));
    }

    #[test]
    fn pieces_without_a_holder_are_not_built() {
        let (gate, source) = ReadGate::before_builtin(0);
        let (mut stream, mut world) = (PieceStream::new(&source, |_| ()).unwrap(), World::new());
        world.hold(1, CellId(0xA9B4_0001));
        stream.request_wanted(&mut world, &LoadPriority::default());
        let held = stream.pending_count();
        world.release(1);
        stream.request_wanted(&mut world, &LoadPriority::default());
        let released = stream.pending_count();
        gate.allow(usize::MAX);
        // The thread waits at the gate with the one piece it has started, if any.
        assert!(held > 100 && released <= 1, "{held}, {released}");
    }

    #[test]
    fn a_failed_thread_is_reported_once_and_nothing_stays_pending() {
        let source: Arc<dyn Source> = Arc::new(HookedSource::before_cells(|| {
            panic!("this test makes the building thread panic");
        }));
        let (mut stream, mut world) = (PieceStream::new(&source, |_| ()).unwrap(), World::new());
        world.hold(1, CellId(0xA9B4_0001));
        stream.request_wanted(&mut world, &LoadPriority::default());
        while stream.pending_count() > 0 {
            stream.receive(|_| {});
            thread::yield_now();
        }
        stream.receive(|_| {});
        assert_eq!(stream.faults, [THREAD_FAILED]);
        assert_eq!(stream.absence_reason(PieceId::Land(BlockId(0xA9B4))), Some(THREAD_FAILED));
        world.hold(1, CellId(0x1010_0001));
        stream.request_wanted(&mut world, &LoadPriority::default());
        assert_eq!(stream.pending_count(), 0);
        assert!(!stream.request_rebuild(PieceId::Land(BlockId(0xA9B4))));
    }
}
