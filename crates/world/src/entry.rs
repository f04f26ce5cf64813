//! Entry restrictions: which movers may enter a guarded cell.

use std::fmt;
use std::sync::Arc;

use threshold_dat::RecordId;
use threshold_land::CellId;

use crate::object::{BodyId, ObjectKind};
use crate::world::{Cell, World};

/// A mover that asks to enter a guarded cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entrant {
    /// Its body; for a camera or a line of sight the body of the viewer, if any.
    pub body: Option<BodyId>,
    /// How movers treat it; [`ObjectKind::None`] for a camera or a line of sight. Retail restricts
    /// only players.
    pub kind: ObjectKind,
}

impl Entrant {
    /// Creates an entrant from its body and kind.
    pub fn new(body: Option<BodyId>, kind: ObjectKind) -> Self {
        Self { body, kind }
    }
}

/// Decides which movers may enter guarded cells. Records say which object guards a cell
/// ([`Cell::restriction`]); only the host knows what that object permits, for instance which player
/// owns the house.
///
/// A sweep calls it each time it tests a guarded cell; in a crowd several threads call it at once.
/// The answer must depend only on the arguments and on nothing that changes during an update, or
/// results differ with the number of threads. Closures implement it.
///
/// Retail: `can_move_into` of the restriction object.
pub trait EntryRules: Send + Sync {
    /// Returns whether the mover may enter a cell guarded by this object.
    fn may_enter(&self, cell: CellId, restriction: RecordId, entrant: &Entrant) -> bool;
}

impl<F> EntryRules for F
where
    F: Fn(CellId, RecordId, &Entrant) -> bool + Send + Sync,
{
    fn may_enter(&self, cell: CellId, restriction: RecordId, entrant: &Entrant) -> bool {
        self(cell, restriction, entrant)
    }
}

/// The entry rules of a world; without any, every mover may enter every cell.
#[derive(Clone, Default)]
pub(crate) struct Gate(Option<Arc<dyn EntryRules>>);

impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Gate(rules)" } else { "Gate(open)" })
    }
}

impl World {
    /// Sets the entry rules; with `None`, the default, every mover may enter every cell. Bodies
    /// stay where they are: a body in a cell that it may not enter cannot move until it is placed
    /// elsewhere, as in retail.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use threshold_land::CellId;
    /// use threshold_world::{BodyId, Entrant, RecordId, World};
    ///
    /// let mut world = World::new();
    /// let owner = BodyId(7);
    /// world.set_entry_rules(Some(Arc::new(move |_: CellId, _: RecordId, entrant: &Entrant| {
    ///     entrant.body.is_none_or(|body| body == owner)
    /// })));
    /// ```
    pub fn set_entry_rules(&mut self, rules: Option<Arc<dyn EntryRules>>) {
        self.gate = Gate(rules);
    }

    /// Returns the object that keeps a mover out of a cell, or `None` if it may enter. Cost: none
    /// without rules.
    ///
    /// Retail: `CObjCell::check_entry_restrictions`.
    #[inline]
    pub fn entry_restriction(&self, cell: Cell<'_>, entrant: &Entrant) -> Option<RecordId> {
        let rules = self.gate.0.as_deref()?;
        cell.restriction().filter(|object| !rules.may_enter(cell.id(), *object, entrant))
    }
}
