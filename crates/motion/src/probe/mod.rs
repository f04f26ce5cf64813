//! Observing a sweep: the probe and the events it receives.
//!
//! A [`SweepProbe`] receives every [`SweepEvent`] in order. Stages such as the test of a cell or a
//! step up begin with [`SweepEvent::StageBegan`] and end with [`SweepEvent::StageEnded`]. They
//! nest, so a probe can build a tree of them; the crate `threshold-why` does, and puts it into
//! words.

mod event;

use threshold_land::CellId;

pub use self::event::{
    CameraContact, CellExit, CollisionTarget, ContactKind, EdgeResponse, Ending, GroundContact,
    GroundEffect, GroundSearchResult, OffsetLimit, PassReason, Slide, SlideEnd, Stage,
    SurfaceContact, SurfaceKind, SweepEvent,
};
use crate::outcome::Insert;

/// Receives the events of a sweep, for a test, a log or a debug view. `()` receives nothing and
/// costs nothing.
///
/// A probe never changes where a sweep ends.
pub trait SweepProbe {
    /// Whether events are built and delivered at all. While `true`, shortcuts that would skip
    /// events are not taken.
    const ENABLED: bool = true;

    /// Receives one event.
    fn on_event(&mut self, event: SweepEvent<'_>);
}

impl SweepProbe for () {
    const ENABLED: bool = false;

    fn on_event(&mut self, _: SweepEvent<'_>) {}
}

/// Records every tested cell with its result.
impl SweepProbe for Vec<(CellId, Insert)> {
    fn on_event(&mut self, event: SweepEvent<'_>) {
        if let SweepEvent::StageEnded(Ending::Cell(cell, answer)) = event {
            self.push((cell, answer));
        }
    }
}
