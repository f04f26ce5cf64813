//! The sweep.

use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position, Sphere};
use threshold_world::{
    CellArray, CellRules, CellSearch, CellSearchResult, Counters, Edition, NearObjects, World,
};

use crate::constants::MAX_SPHERES;
use crate::mover::Mover;
use crate::outcome::{NonResidentCells, Outcome, Refusal, TouchedCells, TouchedObjects};
use crate::probe::SweepProbe;
use crate::rules::{InteriorExit, Prune, Rules, Unloaded};
use crate::shortcuts::Shortcuts;
use crate::transition::{FailedStep, Transition};

/// Sweeps movers through a world that it only reads.
#[derive(Clone, Copy, Debug)]
pub struct Sweeper<'w> {
    /// World that movers move in.
    pub world: &'w World,
    /// Choices for disputed behaviour.
    pub rules: Rules,
}

/// Buffers and caches of a sweep. Keep one per thread: after warm-up nothing is allocated, and
/// results of one sweep are reused by the next.
#[derive(Clone, Debug, Default)]
pub struct SweepScratch {
    /// Shortcuts that sweeps with this scratch take.
    pub shortcuts: Shortcuts,
    pub(crate) array: CellArray,
    /// Steps up that failed in this sub-step.
    pub(crate) failed: Vec<FailedStep>,
    /// Objects near the mover in this sweep.
    pub(crate) near_objects: NearObjects,
    /// The search that filled the array.
    cached_search: Option<CachedSearch>,
    /// World edition and rules for which the caches are valid.
    key: Option<(Edition, CellRules)>,
}

/// A cell search and its result.
#[derive(Clone, Copy, Debug)]
struct CachedSearch {
    cell: CellId,
    spheres: [Sphere; MAX_SPHERES],
    count: usize,
    /// Square of the distance the spheres may move before the result is stale.
    valid_radius_squared: f32,
    found: CellSearchResult,
}

impl CachedSearch {
    /// Returns whether this search has the result for these spheres as well.
    fn is_valid_for(&self, cell: CellId, spheres: &[Sphere]) -> bool {
        let still_valid = |(new, old): (&Sphere, &Sphere)| {
            let moved_squared = (new.centre - old.centre).length_squared();
            // The square of a tiny distance is 0, so equality is tested on the centres.
            (moved_squared < self.valid_radius_squared || new.centre == old.centre)
                && new.radius == old.radius
        };
        self.cell == cell
            && self.count == spheres.len()
            && spheres.iter().zip(&self.spheres).all(still_valid)
    }
}

impl SweepScratch {
    /// Empty buffers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Empty buffers for sweeps that take some shortcuts only.
    pub fn with_shortcuts(shortcuts: Shortcuts) -> Self {
        Self { shortcuts, ..Self::default() }
    }

    /// Returns the counters of all cell searches.
    pub fn counters(&self) -> Counters {
        self.array.counters
    }

    /// Lists the cells that the spheres touch. Without a probe, which wants the reasons, the last
    /// search is reused while its result is still valid.
    pub(crate) fn find<P: SweepProbe>(
        &mut self,
        search: &CellSearch<'_>,
        position: &Position,
        spheres: &[Sphere],
    ) -> CellSearchResult {
        let uses_cache = !P::ENABLED && self.shortcuts.cell_lists;
        if uses_cache
            && let Some(cached) = &self.cached_search
            && cached.is_valid_for(position.cell, spheres)
        {
            return cached.found;
        }
        self.array.keep_reasons(P::ENABLED);
        let found = search.spheres(position, spheres, &mut self.array);
        let mut cached_spheres = [Sphere::new(Vec3::ZERO, 0.0); MAX_SPHERES];
        cached_spheres.iter_mut().zip(spheres).for_each(|(cached, sphere)| *cached = *sphere);
        let radius = self.array.valid_radius();
        // The array has changed, so an older search is dropped even if this one is not kept.
        self.cached_search = uses_cache.then_some(CachedSearch {
            cell: position.cell,
            spheres: cached_spheres,
            count: spheres.len(),
            valid_radius_squared: radius * radius,
            found,
        });
        found
    }

    /// Drops cached results when the world edition or the rules differ.
    pub(crate) fn begin(&mut self, world: &World, rules: &Rules) {
        self.near_objects.clear();
        let (cells, do_not_load) = (rules.cells(), rules.prune == Prune::On);
        let same = self.array.do_not_load == do_not_load
            && self.key.as_ref().is_some_and(|key| key.0 == *world.edition() && key.1 == cells);
        if !same {
            self.array.clear();
            self.array.do_not_load = do_not_load;
            self.cached_search = None;
            self.key = Some((world.edition().clone(), cells));
        }
    }
}

impl<'w> Sweeper<'w> {
    /// Makes a sweeper with the default rules.
    pub fn new(world: &'w World) -> Self {
        Self { world, rules: Rules::default() }
    }

    /// Sweeps a mover from one position towards another and returns where it ends.
    ///
    /// `from.cell` is the cell the mover is in. It is carried along and changes only where the
    /// mover crosses into another cell. `to` is the target, in the frame of any landblock;
    /// `to.cell` only names that landblock.
    ///
    /// Retail: `CPhysicsObj::transition`.
    pub fn sweep<P: SweepProbe>(
        &self,
        scratch: &mut SweepScratch,
        probe: &mut P,
        mover: &Mover,
        from: &Position,
        to: &Position,
    ) -> Outcome {
        scratch.begin(self.world, &self.rules);
        let cell = self.world.cell(from.cell).filter(|_| !mover.lost);
        let Some(cell) = cell else { return refused_outcome(mover, from, Refusal::NoCell) };
        let mut transition = Transition::new(self, scratch, probe, mover, from, to, cell);
        match transition.run() {
            Ok(()) => transition.finish(),
            Err(refusal) => {
                Outcome { cell: Some(from.cell), ..refused_outcome(mover, from, refusal) }
            }
        }
    }

    /// Sweeps a camera (see [`Mover::viewer`]). A camera never leaves the resident cells under
    /// any rules: there is nothing to see outside them.
    pub fn sweep_camera<P: SweepProbe>(
        &self,
        scratch: &mut SweepScratch,
        probe: &mut P,
        camera: &Mover,
        from: &Position,
        to: &Position,
    ) -> Outcome {
        let (unloaded, interior_exit) = (Unloaded::Blocked, InteriorExit::Blocked);
        let rules = Rules { unloaded, interior_exit, ..self.rules };
        Self { rules, ..*self }.sweep(scratch, probe, camera, from, to)
    }
}

/// Returns the outcome of a sweep that did not take place: nothing has changed.
pub(crate) fn refused_outcome(mover: &Mover, from: &Position, refusal: Refusal) -> Outcome {
    Outcome {
        refused: Some(refusal),
        position: *from,
        cell: None,
        stance: mover.stance,
        hit: None,
        hit_environment: false,
        velocity_stopped: false,
        stationary_fall: mover.stance.stationary.count(),
        objects: TouchedObjects::new(),
        cells: TouchedCells::new(),
        missed: NonResidentCells::new(),
        held_at_edge: false,
        sub_steps: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distance_whose_square_is_zero_is_still_a_distance() {
        let sphere = |x: f32| Sphere::new(Vec3::new(x, 1.0, 1.0), 0.48);
        let cell = CellId(0xA9B4_0001);
        let found = CellSearchResult::default();
        let spheres = [sphere(0.0); MAX_SPHERES];
        let cached = CachedSearch { cell, spheres, count: 1, valid_radius_squared: 0.0, found };
        assert!(cached.is_valid_for(cell, &[sphere(0.0)]));
        assert!(!cached.is_valid_for(cell, &[sphere(-1e-30)]));
    }
}
