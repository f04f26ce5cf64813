//! Pieces of the world that come and go as somebody walks, built on another thread.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use threshold_dat::Source;
use threshold_land::BlockId;
use threshold_render::gpu::{Memory, Prepared, Preparer};
use threshold_world::{Builder, Piece, PieceId, World};

/// For how long pieces are taken in at once: what is longer is a stutter.
const AT_ONCE: Duration = Duration::from_millis(3);

/// A piece that has come.
pub(crate) struct Come {
    pub(crate) piece: Piece,
    pub(crate) prepared: Prepared,
}

/// What is told of a piece that the source does not have.
const NOTHING: &str = "there is no such place in this world";
/// What is told once the thread has ended that builds.
const ENDED: &str = "nothing more of the world comes: the thread that builds it has failed";

/// What a thread has to say of a piece.
struct Answer {
    of: PieceId,
    /// It, or why it does not come.
    come: Result<Box<Come>, String>,
    faults: Vec<String>,
}

/// What is asked for, and not begun yet.
#[derive(Default)]
struct Asked {
    /// What is here already and is to be built once more: somebody waits for it.
    again: VecDeque<PieceId>,
    /// The nearest first.
    pieces: VecDeque<PieceId>,
    is_over: bool,
}

/// For whom pieces come: what is nearer to them comes first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Near {
    /// Without this one nothing goes on.
    pub(crate) first: Option<PieceId>,
    pub(crate) blocks: Vec<BlockId>,
}

/// Asks for pieces, and gets them.
pub(crate) struct Stream {
    builder: Arc<Builder>,
    asked: Arc<(Mutex<Asked>, Condvar)>,
    answers: Receiver<Answer>,
    memory: Memory,
    /// Asked for, and neither come nor known not to come.
    on_the_way: BTreeSet<PieceId>,
    /// What does not come, and why.
    absent: BTreeMap<PieceId, String>,
    /// The thread that builds has ended.
    has_ended: bool,
    /// What could not be read, each thing once.
    pub(crate) faults: Vec<String>,
}

impl Drop for Stream {
    fn drop(&mut self) {
        lock(&self.asked.0).is_over = true;
        self.asked.1.notify_all();
    }
}

fn lock(asked: &Mutex<Asked>) -> MutexGuard<'_, Asked> {
    asked.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Stream {
    /// Builds pieces of a source on a thread of its own.
    pub(crate) fn new(source: &Arc<dyn Source>) -> io::Result<Self> {
        let builder = Arc::new(Builder::shared(Arc::clone(source)));
        let asked = Arc::new((Mutex::new(Asked::default()), Condvar::new()));
        let (answer, answers) = channel();
        let (there, preparer) = (Arc::clone(&asked), Preparer::new(Arc::clone(source)));
        let (own, memory) = (Arc::clone(&builder), preparer.memory());
        // It ends when nobody asks any more.
        let thread = thread::Builder::new().name("pieces".to_owned());
        thread.spawn(move || work(&own, preparer, &there, &answer))?;
        Ok(Self {
            builder,
            asked,
            answers,
            memory,
            on_the_way: BTreeSet::new(),
            absent: BTreeMap::new(),
            has_ended: false,
            faults: Vec::new(),
        })
    }

    pub(crate) fn builder(&self) -> &Builder {
        &self.builder
    }

    /// What was read ahead already, for who draws it.
    pub(crate) fn memory(&self) -> Memory {
        self.memory.clone()
    }

    /// How many pieces are on their way.
    pub(crate) fn waiting(&self) -> usize {
        self.on_the_way.len()
    }

    pub(crate) fn is_on_the_way(&self, piece: PieceId) -> bool {
        self.on_the_way.contains(&piece)
    }

    /// Why a piece does not come; `None` for one that has come or may still.
    pub(crate) fn absent(&self, piece: PieceId) -> Option<&str> {
        let ended = self.has_ended.then_some(ENDED);
        self.absent.get(&piece).map(String::as_str).or(ended)
    }

    /// Asks for what the world wants by now, and no longer for what it does not; the nearest first, wherever somebody was when it
    /// came to be wanted.
    pub(crate) fn ask(&mut self, world: &mut World, near: &Near) {
        let mut asked = lock(&self.asked.0);
        for piece in asked.pieces.drain(..) {
            self.on_the_way.remove(&piece);
            world.want_again(piece);
        }
        let mut wanted = world.take_wanted();
        // What has been begun comes, too, if somebody lets go of it and wants it again.
        wanted.retain(|piece| !self.has_ended && !self.on_the_way.contains(piece));
        if wanted.is_empty() {
            return;
        }
        near.sort(&mut wanted);
        self.on_the_way.extend(&wanted);
        asked.pieces.extend(wanted);
        drop(asked);
        self.asked.1.notify_one();
    }

    /// Asks for a piece that is here already, to be had before all others; false if nothing comes any more.
    pub(crate) fn ask_again(&mut self, piece: PieceId) -> bool {
        if !self.has_ended && self.on_the_way.insert(piece) {
            lock(&self.asked.0).again.push_back(piece);
            self.asked.1.notify_one();
        }
        !self.has_ended
    }

    /// What has come, for as long as there is time; at least one piece, if there is one.
    pub(crate) fn come(&mut self, mut take: impl FnMut(Come)) {
        let begun = Instant::now();
        loop {
            match self.answers.try_recv() {
                Ok(answer) => self.hear(answer, &mut take),
                Err(TryRecvError::Empty) => return,
                Err(TryRecvError::Disconnected) => return self.end(),
            }
            if begun.elapsed() > AT_ONCE {
                return;
            }
        }
    }

    fn hear(&mut self, answer: Answer, take: &mut impl FnMut(Come)) {
        self.on_the_way.remove(&answer.of);
        for fault in answer.faults {
            if !self.faults.contains(&fault) {
                self.faults.push(fault);
            }
        }
        match answer.come {
            Ok(come) => {
                self.absent.remove(&answer.of);
                take(*come);
            }
            Err(why) => {
                self.absent.insert(answer.of, why);
            }
        }
    }

    /// Nobody answers any more.
    fn end(&mut self) {
        if !std::mem::replace(&mut self.has_ended, true) {
            self.faults.push(ENDED.to_owned());
        }
        self.on_the_way.clear();
    }
}

impl Near {
    /// By how many landblocks away from the nearest of them a piece is, rooms before the land: nobody walks in where a room is
    /// missing, and land is also there to be seen from afar.
    fn sort(&self, pieces: &mut [PieceId]) {
        pieces.sort_by_key(|piece| {
            let is_land = matches!(piece, PieceId::Land(_));
            let ring = self.blocks.iter().map(|middle| ring(*middle, piece.block())).min();
            (self.first != Some(*piece), ring, is_land)
        });
    }
}

/// How many landblocks two of them are apart.
fn ring(a: BlockId, b: BlockId) -> u8 {
    a.x().abs_diff(b.x()).max(a.y().abs_diff(b.y()))
}

/// Builds what is asked for until nobody asks any more.
fn work(
    builder: &Builder,
    mut preparer: Preparer,
    asked: &(Mutex<Asked>, Condvar),
    answers: &Sender<Answer>,
) {
    while let Some(piece) = next(asked) {
        let (come, faults) = match builder.build(piece) {
            Ok(Some(built)) => {
                let faults = built.faults.iter().map(ToString::to_string).collect();
                let prepared = preparer.prepare(&built.piece);
                (Ok(Box::new(Come { piece: built.piece, prepared })), faults)
            }
            Ok(None) => (Err(NOTHING.to_owned()), Vec::new()),
            Err(fault) => (Err(fault.to_string()), vec![fault.to_string()]),
        };
        if answers.send(Answer { of: piece, come, faults }).is_err() {
            return;
        }
    }
}

/// Waits for something to build; `None` once nobody asks any more.
fn next(asked: &(Mutex<Asked>, Condvar)) -> Option<PieceId> {
    let mut now = lock(&asked.0);
    loop {
        if now.is_over {
            return None;
        }
        if let Some(piece) = now.again.pop_front().or_else(|| now.pieces.pop_front()) {
            return Some(piece);
        }
        now = asked.1.wait(now).unwrap_or_else(PoisonError::into_inner);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_dat::{FileKind, RecordId, Result};
    use threshold_forge::SEED;
    use threshold_land::CellId;

    use crate::world::built_in;

    /// Rooms that were asked for by who stood far away must not keep back the ground before one's feet.
    #[test]
    fn what_is_nearest_now_comes_first_whoever_wanted_what_before() {
        let land = |block: u16| PieceId::Land(BlockId(block));
        let room = |cell: u32| PieceId::Room(CellId(cell));
        let near = Near { first: None, blocks: vec![BlockId(0xA9B4), BlockId(0x1010)] };
        let mut pieces = vec![land(0xAEB4), room(0xABB4_0100), land(0xA9B4), land(0x1011)];
        pieces.extend([room(0xA9B4_0101), land(0xA8B3), land(0x1010)]);
        near.sort(&mut pieces);
        let mut want = vec![room(0xA9B4_0101), land(0xA9B4), land(0x1010), land(0x1011)];
        want.extend([land(0xA8B3), room(0xABB4_0100), land(0xAEB4)]);
        assert_eq!(pieces, want);
        let first = Some(land(0xAEB4));
        Near { first, ..near }.sort(&mut pieces);
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
        let whole: Arc<dyn Source> = Arc::new(built_in(SEED).unwrap());
        let gate = Arc::new((Mutex::new(false), Condvar::new()));
        let source: Arc<dyn Source> = Arc::new(Gated(whole, Arc::clone(&gate)));
        let (mut stream, mut world) = (Stream::new(&source).unwrap(), World::new());
        world.hold(1, CellId(0xA9B4_0001));
        stream.ask(&mut world, &Near::default());
        let held = stream.waiting();
        world.release(1);
        stream.ask(&mut world, &Near::default());
        let released = stream.waiting();
        *gate.0.lock().unwrap() = true;
        gate.1.notify_all();
        // The thread stands at the gate with the one piece it has begun, if any.
        assert!(held > 100 && released <= 1, "{held}, {released}");
    }

    /// A source that cannot be asked for land.
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
    fn a_thread_that_fails_is_told_of_once_and_nothing_is_waited_for() {
        let whole: Arc<dyn Source> = Arc::new(built_in(SEED).unwrap());
        let source: Arc<dyn Source> = Arc::new(Broken(whole));
        let (mut stream, mut world) = (Stream::new(&source).unwrap(), World::new());
        world.hold(1, CellId(0xA9B4_0001));
        stream.ask(&mut world, &Near::default());
        while stream.waiting() > 0 {
            stream.come(|_| {});
            thread::yield_now();
        }
        stream.come(|_| {});
        assert_eq!(stream.faults, [ENDED]);
        assert_eq!(stream.absent(PieceId::Land(BlockId(0xA9B4))), Some(ENDED));
        world.hold(1, CellId(0x1010_0001));
        stream.ask(&mut world, &Near::default());
        assert_eq!(stream.waiting(), 0);
        assert!(!stream.ask_again(PieceId::Land(BlockId(0xA9B4))));
    }
}
