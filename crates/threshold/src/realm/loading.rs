//! What is loaded around bodies and holds, and how.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use threshold_dat::Source;
use threshold_land::{CellId, CellKind, Position};
use threshold_motion::MoveContext;
use threshold_world::{BodyId, Builder, BuiltPiece, Fault, Piece, PieceId};

use super::{Realm, RealmError, RealmEvent};
#[cfg(feature = "background")]
use crate::piece_stream::{LoadPriority, PieceStream};

/// Ids of holds, as holders of the world. Those of bodies are below, those of doors above.
pub(super) const HOLD_IDS: Range<u32> = 0xC000_0000..0xD000_0000;
/// Time after which pieces without a holder are dropped, in seconds. Too short and a body that walks to and fro across a border
/// has land built again and again; too long and memory grows.
const DROP_INTERVAL: f64 = 5.0;

/// A place that stays loaded until [`Realm::release`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HoldId(u32);

/// How pieces are loaded.
#[derive(Debug)]
pub(super) enum LoadMode {
    /// Everything is loaded.
    Whole,
    /// Within the call that needs them.
    Around,
    /// By the caller.
    ByCaller,
    /// By a thread.
    #[cfg(feature = "background")]
    Background(PieceStream<()>),
}

/// Makes pieces of the world from records.
#[derive(Debug)]
pub(super) struct Loader {
    builder: Arc<Builder>,
    mode: LoadMode,
    faults: Vec<Fault>,
    /// Pieces that the source does not have, or that cannot be read.
    absent: BTreeSet<PieceId>,
    next_hold: u32,
    dropped_at: f64,
}

impl Loader {
    pub(super) fn new(source: Arc<dyn Source>, mode: LoadMode) -> Self {
        Self {
            builder: Arc::new(Builder::shared(source)),
            mode,
            faults: Vec::new(),
            absent: BTreeSet::new(),
            next_hold: HOLD_IDS.start,
            dropped_at: 0.0,
        }
    }

    pub(super) fn builder(&self) -> &Arc<Builder> {
        &self.builder
    }

    pub(super) fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// Returns whether everything is loaded, so that nothing needs a holder.
    pub(super) fn is_whole(&self) -> bool {
        matches!(self.mode, LoadMode::Whole)
    }

    /// Returns whether the cell is known to be missing.
    pub(super) fn is_absent(&self, cell: CellId) -> bool {
        let piece = PieceId::from_cell(cell);
        #[cfg(feature = "background")]
        if let LoadMode::Background(stream) = &self.mode {
            return stream.absence_reason(piece).is_some();
        }
        self.is_whole() || self.absent.contains(&piece)
    }
}

impl Realm {
    /// Loads pieces on a thread of the realm. Each [`tick`](Self::tick) adopts what is ready. A place must be loaded before a body
    /// can enter it: [`hold`](Self::hold) it, and tick until it [`is_loaded`](Self::is_loaded) or [`is_missing`](Self::is_missing).
    ///
    /// Fails if the thread cannot be started.
    #[cfg(feature = "background")]
    pub fn background(source: impl Source + 'static) -> std::io::Result<Self> {
        let source: Arc<dyn Source> = Arc::new(source);
        let stream = PieceStream::new(&source, |_| ())?;
        let builder = Arc::clone(stream.builder());
        let mut realm = Self::with_loader(source, LoadMode::Background(stream));
        realm.loader.builder = builder;
        Ok(realm)
    }

    /// Keeps the land around a position loaded, also without a body there.
    pub fn hold(&mut self, at: &Position) -> Result<HoldId, RealmError> {
        if !at.frame.origin.is_finite() {
            return Err(super::bodies::not_finite("place", at.frame.origin));
        }
        if !matches!(at.cell.kind(), Some(CellKind::Land | CellKind::Env)) {
            return Err(RealmError::NoSuchCell(at.cell));
        }
        let at = super::bodies::on_land_cell(*at)?;
        let hold = HoldId(self.loader.next_hold);
        self.loader.next_hold = match self.loader.next_hold + 1 {
            next if next < HOLD_IDS.end => next,
            _ => HOLD_IDS.start,
        };
        if !self.loader.is_whole() {
            self.world.hold_at(hold.0, &at);
            self.load_wanted();
        }
        Ok(hold)
    }

    /// Ends a hold. The land is dropped within a few seconds of ticks, unless a body is near.
    pub fn release(&mut self, hold: HoldId) {
        self.world.release(hold.0);
    }

    /// Holds the land around a position for a body.
    pub(super) fn hold_around(&mut self, body: BodyId, at: &Position) {
        if !self.loader.is_whole() {
            self.world.hold_at(body.0, at);
        }
    }

    /// Returns whether a cell is loaded.
    pub fn is_loaded(&self, cell: CellId) -> bool {
        self.world.is_resident(cell)
    }

    /// Returns whether a cell is known to be missing: the source does not have it, or its record cannot be used. A loop that waits
    /// until a cell [`is_loaded`](Self::is_loaded) ends with this.
    pub fn is_missing(&self, cell: CellId) -> bool {
        !matches!(cell.kind(), Some(CellKind::Land | CellKind::Env))
            || !self.is_loaded(cell) && self.loader.is_absent(cell)
    }

    /// Takes the pieces that bodies and holds need and that are not loaded, nearest first. For [`by_caller`](Self::by_caller); other
    /// realms load them by themselves, and this returns none.
    pub fn take_wanted(&mut self) -> Vec<PieceId> {
        match self.loader.mode {
            LoadMode::ByCaller => self.world.take_wanted(),
            _ => Vec::new(),
        }
    }

    /// Adopts what [`Builder::build`] returned for a piece that [`take_wanted`](Self::take_wanted) named. Faults are added to
    /// [`faults`](Self::faults).
    pub fn adopt(&mut self, piece: PieceId, built: Result<Option<BuiltPiece>, Fault>) {
        match built {
            Ok(Some(built)) => {
                self.loader.faults.extend(built.faults);
                self.adopt_piece(built.piece);
            }
            Ok(None) => {
                self.loader.absent.insert(piece);
            }
            Err(fault) => {
                self.loader.faults.push(fault);
                self.loader.absent.insert(piece);
            }
        }
    }

    fn adopt_piece(&mut self, piece: Piece) {
        let id = piece.id();
        self.loader.absent.remove(&id);
        let context = &mut MoveContext::new(&mut self.world, self.rules, &mut self.scratch);
        self.doors.adopt(context, piece);
        self.note(RealmEvent::Loaded(id));
    }

    pub(super) fn build(&mut self, piece: PieceId) {
        let built = self.loader.builder.build(piece);
        self.adopt(piece, built);
    }

    /// Loads wanted pieces, if that is done within the call.
    pub(super) fn load_wanted(&mut self) {
        if !matches!(self.loader.mode, LoadMode::Around) {
            return;
        }
        // A new room may want others.
        loop {
            let wanted = self.world.take_wanted();
            if wanted.is_empty() {
                return;
            }
            wanted.into_iter().for_each(|piece| self.build(piece));
        }
    }

    /// Exchanges pieces with the thread that builds them, if there is one.
    #[cfg(feature = "background")]
    pub(super) fn exchange_pieces(&mut self) {
        let LoadMode::Background(stream) = &mut self.loader.mode else { return };
        let mut built = Vec::new();
        stream.receive(|piece| built.push(piece.piece));
        let blocks = self.entrants.keys().filter_map(|id| Some(self.world.body(*id)?.position()));
        let mut blocks: Vec<_> = blocks.map(|at| at.cell.block()).collect();
        blocks.sort_unstable();
        blocks.dedup();
        stream.request_wanted(&mut self.world, &LoadPriority { first: None, blocks });
        built.into_iter().for_each(|piece| self.adopt_piece(piece));
    }

    /// The building thread's messages on records that cannot be read.
    #[cfg(feature = "background")]
    pub fn background_faults(&self) -> &[String] {
        match &self.loader.mode {
            LoadMode::Background(stream) => stream.faults(),
            _ => &[],
        }
    }

    /// Drops pieces without a holder, every few seconds.
    pub(super) fn drop_unheld(&mut self) {
        let is_due = self.now - self.loader.dropped_at >= DROP_INTERVAL;
        if !is_due || self.loader.is_whole() {
            return;
        }
        self.loader.dropped_at = self.now;
        let dropped = self.world.drop_unheld();
        if dropped.is_empty() {
            return;
        }
        self.doors.remove_doors_of(&mut self.world, &dropped);
        self.loader.builder.forget_unused_shapes();
        dropped.into_iter().for_each(|piece| self.note(RealmEvent::Dropped(piece)));
    }
}
