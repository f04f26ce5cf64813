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
    /// Its body; of a camera or a line of sight the body of the onlooker, if it has one.
    pub body: Option<BodyId>,
    /// What it is to others; [`ObjectKind::None`] for a camera or a line of sight. Retail restricts players alone.
    pub kind: ObjectKind,
}

impl Entrant {
    /// A mover by its body and kind.
    pub fn new(body: Option<BodyId>, kind: ObjectKind) -> Self {
        Self { body, kind }
    }
}

/// Decides which movers may enter guarded cells. Records say which object guards a cell ([`Cell::restriction`]); what that object
/// permits, for instance who owns the house, is known to the host alone.
///
/// A sweep asks each time it tests a guarded cell, from several threads at once in a crowd. For the result to be the same on any
/// number of threads the answer must depend on the arguments and on nothing that changes during an update. Closures are rules, too.
///
/// Retail: `can_move_into` of the restriction object.
pub trait EntryRules: Send + Sync {
    /// Whether the mover may enter a cell that this object guards.
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

/// The rules of a world; without any every mover may enter every cell.
#[derive(Clone, Default)]
pub(crate) struct Gate(Option<Arc<dyn EntryRules>>);

impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Gate(rules)" } else { "Gate(open)" })
    }
}

impl World {
    /// Sets which movers may enter guarded cells; with `None`, the default, all may enter all cells. Bodies stay where they are:
    /// one that is in a cell it may not enter cannot move until it is put elsewhere, as in retail.
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

    /// The object that keeps a mover out of a cell; `None` where it may enter. Costs nothing without rules.
    ///
    /// Retail: `CObjCell::check_entry_restrictions`.
    #[inline]
    pub fn entry_restriction(&self, cell: Cell<'_>, entrant: &Entrant) -> Option<RecordId> {
        let rules = self.gate.0.as_deref()?;
        cell.restriction().filter(|object| !rules.may_enter(cell.id(), *object, entrant))
    }
}
