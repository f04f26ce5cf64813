//! Pieces of the world, built on another thread as the player moves.

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

/// Time that one frame spends on receiving pieces. Longer is a visible stutter; shorter lets built pieces wait.
const MAX_RECEIVE_TIME: Duration = Duration::from_millis(3);

/// A piece that has been built, with what the host prepared for it.
pub(crate) struct BuiltPiece<P> {
    pub(crate) piece: Piece,
    pub(crate) prepared: P,
}

/// Reason for a piece that the source does not have.
const NO_SUCH_PIECE: &str = "there is no such place in this world";
/// Reason for all pieces once the building thread has ended.
const THREAD_FAILED: &str =
    "no more of the world can be loaded: the thread that builds it has failed";

/// Result of building a piece.
struct BuildResult<P> {
    id: PieceId,
    /// The piece, or why it cannot be built.
    built: Result<Box<BuiltPiece<P>>, String>,
    faults: Vec<String>,
}

/// Requests that the thread has not begun yet.
#[derive(Default)]
struct BuildQueue {
    /// Resident pieces to build again; these come first.
    rebuilds: VecDeque<PieceId>,
    /// From near to far.
    pieces: VecDeque<PieceId>,
    is_closed: bool,
}

/// Order in which wanted pieces are built.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoadPriority {
    /// The piece that a journey waits for.
    pub(crate) first: Option<PieceId>,
    /// Landblocks of the player and the camera: pieces near them come first.
    pub(crate) blocks: Vec<BlockId>,
}

/// Requests pieces from the building thread and receives them.
pub struct PieceStream<P = ()> {
    builder: Arc<Builder>,
    queue: Arc<(Mutex<BuildQueue>, Condvar)>,
    results: Receiver<BuildResult<P>>,
    /// Requested and not received yet.
    pending: BTreeSet<PieceId>,
    /// Pieces that cannot be built, and why.
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
    /// Starts a thread that builds pieces of a source, and calls `prepare` for each.
    pub(crate) fn new(
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
    pub(crate) fn builder(&self) -> &Builder {
        &self.builder
    }

    /// Returns the number of pieces that are requested and not received yet.
    pub fn pending_count(&self) -> usize {
        self.pending.len()
    }

    /// Returns what could not be read so far, each message once.
    pub fn faults(&self) -> &[String] {
        &self.faults
    }

    pub(crate) fn is_pending(&self, piece: PieceId) -> bool {
        self.pending.contains(&piece)
    }

    /// Returns why a piece cannot be built; `None` for a piece that has been received or may still be.
    pub(crate) fn absence_reason(&self, piece: PieceId) -> Option<&str> {
        let failed = self.has_thread_failed.then_some(THREAD_FAILED);
        self.absent.get(&piece).map(String::as_str).or(failed)
    }

    /// Replaces the queue by the pieces the world wants now, by priority. Requests that are not begun and no longer wanted are dropped.
    pub(crate) fn request_wanted(&mut self, world: &mut World, priority: &LoadPriority) {
        let mut queue = lock(&self.queue.0);
        for piece in queue.pieces.drain(..) {
            self.pending.remove(&piece);
            world.want_again(piece);
        }
        let mut wanted = world.take_wanted();
        // A piece that is being built is received even if it was released and wanted again.
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
    pub(crate) fn request_rebuild(&mut self, piece: PieceId) -> bool {
        if !self.has_thread_failed && self.pending.insert(piece) {
            lock(&self.queue.0).rebuilds.push_back(piece);
            self.queue.1.notify_one();
        }
        !self.has_thread_failed
    }

    /// Receives built pieces for up to [`MAX_RECEIVE_TIME`], at least one if there is one.
    pub(crate) fn receive(&mut self, mut adopt: impl FnMut(BuiltPiece<P>)) {
        let begun = Instant::now();
        loop {
            match self.results.try_recv() {
                Ok(result) => self.note_result(result, &mut adopt),
                Err(TryRecvError::Empty) => return,
                Err(TryRecvError::Disconnected) => return self.note_thread_failure(),
            }
            if begun.elapsed() > MAX_RECEIVE_TIME {
                return;
            }
        }
    }

    fn note_result(&mut self, result: BuildResult<P>, adopt: &mut impl FnMut(BuiltPiece<P>)) {
        self.pending.remove(&result.id);
        for fault in result.faults {
            if !self.faults.contains(&fault) {
                self.faults.push(fault);
            }
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
    /// Sorts pieces by their distance to the nearest landblock, rooms before land: a missing room stops the player, and land is wanted to
    /// be seen from afar as well.
    fn sort(&self, pieces: &mut [PieceId]) {
        pieces.sort_by_key(|piece| {
            let is_land = matches!(piece, PieceId::Land(_));
            let ring = self.blocks.iter().map(|middle| ring(*middle, piece.block())).min();
            (self.first != Some(*piece), ring, is_land)
        });
    }
}

/// Returns the distance of two landblocks, in landblocks.
fn ring(a: BlockId, b: BlockId) -> u8 {
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
                (Ok(Box::new(BuiltPiece { piece: built.piece, prepared })), faults)
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
    use threshold_dat::{FileKind, RecordId, Result};
    use threshold_forge::{SEED, builtin};
    use threshold_land::CellId;

    /// Rooms requested from far away must not delay the ground in front of the player.
    #[test]
    fn the_nearest_pieces_come_first_whenever_they_were_requested() {
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

    /// A source whose landblocks and rooms can be read once the gate is opened.
    struct Gated(Arc<dyn Source>, Arc<(Mutex<bool>, Condvar)>);

    impl Source for Gated {
        fn read<'a>(
            &'a self,
            file: FileKind,
            id: RecordId,
            buffer: &'a mut Vec<u8>,
        ) -> Result<Option<&'a [u8]>> {
            if file == FileKind::Cell {
                let (is_open, opened) = &*self.1;
                drop(opened.wait_while(is_open.lock().unwrap(), |is_open| !*is_open).unwrap());
            }
            self.0.read(file, id, buffer)
        }

        fn contains(&self, file: FileKind, id: RecordId) -> Result<bool> {
            self.0.contains(file, id)
        }

        fn ids(&self, file: FileKind) -> Vec<RecordId> {
            self.0.ids(file)
        }
    }

    #[test]
    fn pieces_without_a_holder_are_not_built() {
        let whole: Arc<dyn Source> = Arc::new(builtin(SEED).unwrap());
        let gate = Arc::new((Mutex::new(false), Condvar::new()));
        let source: Arc<dyn Source> = Arc::new(Gated(whole, Arc::clone(&gate)));
        let (mut stream, mut world) = (PieceStream::new(&source, |_| ()).unwrap(), World::new());
        world.hold(1, CellId(0xA9B4_0001));
        stream.request_wanted(&mut world, &LoadPriority::default());
        let held = stream.pending_count();
        world.release(1);
        stream.request_wanted(&mut world, &LoadPriority::default());
        let released = stream.pending_count();
        *gate.0.lock().unwrap() = true;
        gate.1.notify_all();
        // The thread waits at the gate with the one piece it has begun, if any.
        assert!(held > 100 && released <= 1, "{held}, {released}");
    }

    /// A source whose landblocks and rooms cannot be read.
    struct Broken(Arc<dyn Source>);

    impl Source for Broken {
        fn read<'a>(
            &'a self,
            file: FileKind,
            id: RecordId,
            buffer: &'a mut Vec<u8>,
        ) -> Result<Option<&'a [u8]>> {
            assert!(file != FileKind::Cell, "broken, as it should be");
            self.0.read(file, id, buffer)
        }

        fn contains(&self, file: FileKind, id: RecordId) -> Result<bool> {
            self.0.contains(file, id)
        }

        fn ids(&self, file: FileKind) -> Vec<RecordId> {
            self.0.ids(file)
        }
    }

    #[test]
    fn a_failed_thread_is_reported_once_and_nothing_stays_pending() {
        let whole: Arc<dyn Source> = Arc::new(builtin(SEED).unwrap());
        let source: Arc<dyn Source> = Arc::new(Broken(whole));
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
