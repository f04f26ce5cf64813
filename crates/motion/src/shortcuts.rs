//! Shortcuts of a sweep that change its speed and never its outcome.

/// Shortcuts that a sweep takes.
///
/// Each skips work whose result is already known, so every outcome has the same bits with any
/// combination of them. Switch them off to measure them, or to rule them out while looking for the
/// cause of a result. While a probe is attached none is taken, because a probe sees every test.
///
/// Set them in [`SweepScratch::shortcuts`](crate::SweepScratch::shortcuts), at any time between two
/// sweeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortcuts {
    /// Keeps the cell array of the last search while no sphere has left its valid radius. Off:
    /// cells are searched for on every attempt.
    pub cell_lists: bool,
    /// Tests spheres against a few boxes of free space before it walks a physics tree. Off: every
    /// query walks the tree.
    pub free_boxes: bool,
    /// Repeats the result of a step up that failed earlier in the same sub-step. Off: a wedged
    /// mover tries the same step again and again.
    pub failed_steps: bool,
    /// Gathers the objects near the mover once for several tests of a cell. Off: every test goes
    /// through all objects of the cell.
    pub near_objects: bool,
    /// Skips sub-steps that repeat earlier ones. Off: a stuck mover tries every sub-step.
    pub repeated_sub_steps: bool,
}

impl Shortcuts {
    /// All shortcuts; the default.
    pub const ALL: Self = Self::each(true);

    /// No shortcuts.
    pub const NONE: Self = Self::each(false);

    const fn each(on: bool) -> Self {
        Self {
            cell_lists: on,
            free_boxes: on,
            failed_steps: on,
            near_objects: on,
            repeated_sub_steps: on,
        }
    }
}

impl Default for Shortcuts {
    fn default() -> Self {
        Self::ALL
    }
}
