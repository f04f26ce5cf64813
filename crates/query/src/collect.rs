//! Collects contacts as hits.

use threshold_geom::CastContact;
use threshold_land::CellId;
use threshold_world::ObjectId;

use crate::constants::{MARGIN, rounded};
use crate::hit::{Hit, HitTarget};
use crate::volume::Stretch;
use crate::walk::position_in;

/// What is collected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mode {
    /// The nearest surface.
    #[default]
    First,
    /// Every polygon and shape, each once.
    All,
    /// Every object once, with its nearest point.
    Objects,
}

/// A hit, and its distance before rounding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) time: f64,
    pub(crate) hit: Hit,
}

/// The hits of a query.
#[derive(Clone, Debug)]
pub(crate) struct Collector {
    pub(crate) found: Vec<Found>,
    /// Objects that were tested, if each is tested once.
    pub(crate) tested: Vec<ObjectId>,
    mode: Mode,
    /// Distance of the first hit, beyond which nothing is looked for; else infinite.
    pub(crate) limit: f64,
}

impl Default for Collector {
    fn default() -> Self {
        let (found, tested) = (Vec::new(), Vec::new());
        Self { found, tested, mode: Mode::First, limit: f64::INFINITY }
    }
}

/// Where and when a contact is looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope {
    /// The cell; contacts are in the frame of its landblock.
    pub(crate) cell: CellId,
    /// When the cell counts.
    pub(crate) stretch: Stretch,
    /// The length of a cast; `None` for a volume at rest.
    pub(crate) length: Option<f64>,
}

impl Scope {
    /// Returns whether a contact at this time counts.
    fn accepts(&self, time: f64) -> bool {
        let Some(length) = self.length else { return true };
        time <= length && time >= self.stretch.from - MARGIN && time <= self.stretch.to + MARGIN
    }
}

impl Collector {
    pub(crate) fn begin(&mut self, mode: Mode) {
        self.found.clear();
        self.tested.clear();
        self.mode = mode;
        self.limit = f64::INFINITY;
    }

    pub(crate) fn is_first(&self) -> bool {
        self.mode == Mode::First
    }

    pub(crate) fn mode(&self) -> Mode {
        self.mode
    }

    /// Takes a contact in the frame of the landblock of the cell, if it counts.
    pub(crate) fn take(&mut self, scope: &Scope, contact: &CastContact, target: HitTarget) {
        // A body of scale 0 has no finite shape.
        let is_finite = contact.time.is_finite() && contact.point.is_finite();
        if !(is_finite && scope.accepts(contact.time)) {
            return;
        }
        let position = position_in(scope.cell, contact.point);
        let hit = Hit {
            position,
            centre: position,
            distance: rounded(contact.time),
            normal: contact.normal.as_vec3(),
            target,
            initial: contact.initial,
        };
        let found = Found { time: contact.time, hit };
        if self.mode != Mode::First {
            return self.found.push(found);
        }
        match self.found.first_mut() {
            Some(first) if order(first, &found).is_le() => return,
            Some(first) => *first = found,
            None => self.found.push(found),
        }
        // At rest, cells are not visited in the order of distance.
        if scope.length.is_some() {
            self.limit = contact.time;
        }
    }

    /// Sorts the hits by distance, and keeps one for each surface.
    pub(crate) fn finish(&mut self) {
        if self.mode == Mode::First {
            return;
        }
        let found = &mut self.found;
        found.sort_unstable_by(|a, b| {
            a.hit.target.cmp(&b.hit.target).then(a.time.total_cmp(&b.time))
        });
        found.dedup_by(|later, first| later.hit.target == first.hit.target);
        found.sort_unstable_by(order);
    }
}

/// The order of hits: by distance, then by what was hit.
fn order(a: &Found, b: &Found) -> std::cmp::Ordering {
    a.time.total_cmp(&b.time).then(a.hit.target.cmp(&b.hit.target))
}
