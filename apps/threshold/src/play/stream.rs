//! Pieces of the world that come and go as somebody walks, built on another thread.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use threshold_dat::Source;
use threshold_render::gpu::{Memory, Prepared, Preparer};
use threshold_world::{Builder, Piece, PieceId, World};

/// For how long pieces are taken in at once: what is longer is a stutter.
const AT_ONCE: Duration = Duration::from_millis(3);

/// A piece that has come.
pub(crate) struct Come {
    pub(crate) piece: Piece,
    pub(crate) prepared: Prepared,
}

/// What a thread has to say of a piece.
struct Answer {
    come: Option<Come>,
    faults: Vec<String>,
}

/// What is asked for, the nearest first.
#[derive(Default)]
struct Asked {
    pieces: VecDeque<PieceId>,
    /// Being built.
    busy: usize,
    is_over: bool,
}

/// Asks for pieces, and gets them.
pub(crate) struct Stream {
    builder: Arc<Builder>,
    asked: Arc<(Mutex<Asked>, Condvar)>,
    answers: Receiver<Answer>,
    memory: Memory,
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
    pub(crate) fn new(source: &Arc<dyn Source>) -> Self {
        let builder = Arc::new(Builder::shared(Arc::clone(source)));
        let asked = Arc::new((Mutex::new(Asked::default()), Condvar::new()));
        let (answer, answers) = channel();
        let (there, preparer) = (Arc::clone(&asked), Preparer::new(Arc::clone(source)));
        let (own, memory) = (Arc::clone(&builder), preparer.memory());
        // It ends when nobody asks any more.
        std::thread::spawn(move || work(&own, preparer, &there, &answer));
        Self { builder, asked, answers, memory, faults: Vec::new() }
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
        let asked = lock(&self.asked.0);
        asked.pieces.len() + asked.busy
    }

    /// Asks for what the world has come to want.
    pub(crate) fn ask(&self, world: &mut World) {
        let wanted = world.take_wanted();
        if !wanted.is_empty() {
            lock(&self.asked.0).pieces.extend(wanted);
            self.asked.1.notify_one();
        }
    }

    /// What was asked for is not so near any more: it is asked for again after what is wanted now.
    pub(crate) fn put_off(&self, world: &mut World) {
        let late: Vec<PieceId> = lock(&self.asked.0).pieces.drain(..).collect();
        late.into_iter().for_each(|piece| world.want_again(piece));
    }

    /// What has come, for as long as there is time; at least one piece, if there is one.
    pub(crate) fn come(&mut self, mut take: impl FnMut(Come)) {
        let begun = Instant::now();
        while let Ok(answer) = self.answers.try_recv() {
            for fault in answer.faults {
                if !self.faults.contains(&fault) {
                    self.faults.push(fault);
                }
            }
            answer.come.into_iter().for_each(&mut take);
            if begun.elapsed() > AT_ONCE {
                break;
            }
        }
    }

    /// Builds a piece here and now.
    pub(crate) fn build(&self, piece: PieceId) -> Option<Piece> {
        self.builder.build(piece).ok().flatten().map(|built| built.piece)
    }
}

/// Builds what is asked for until nobody asks any more.
fn work(
    builder: &Builder,
    mut preparer: Preparer,
    asked: &(Mutex<Asked>, Condvar),
    answers: &Sender<Answer>,
) {
    loop {
        let mut now = lock(&asked.0);
        let piece = loop {
            if now.is_over {
                return;
            }
            match now.pieces.pop_front() {
                Some(piece) => break piece,
                None => now = asked.1.wait(now).unwrap_or_else(PoisonError::into_inner),
            }
        };
        now.busy = 1;
        drop(now);
        let answer = match builder.build(piece) {
            Ok(Some(built)) => {
                let faults = built.faults.iter().map(ToString::to_string).collect();
                let prepared = preparer.prepare(&built.piece);
                Answer { come: Some(Come { piece: built.piece, prepared }), faults }
            }
            Ok(None) => Answer { come: None, faults: Vec::new() },
            Err(fault) => Answer { come: None, faults: vec![fault.to_string()] },
        };
        let is_heard = answers.send(answer).is_ok();
        lock(&asked.0).busy = 0;
        if !is_heard {
            return;
        }
    }
}
