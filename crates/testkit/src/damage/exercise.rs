//! Moves, cameras and portal walks in a damaged world, and what must hold of their results.

use std::sync::Arc;

use threshold_forge::MOVER;
use threshold_land::vector::Vec3;
use threshold_land::{Plane, Position, Rotation, Sphere};
use threshold_motion::{
    Body, Boom, Flags, Gait, MoveContext, Mover, MoverShape, Outcome, Pivot, RULES, Refusal, Rules,
    Scatter, Search, Sight, SightExclusions, Stance, SweepScratch, Sweeper,
};
use threshold_view::{Lens, PortalWalk, Viewer, VisibleSet};
use threshold_world::{BodyId, BodySpec, ObjectKind, Setup, State, World};

use super::{StandingPlace, VariantCounts};
use crate::random::Random;
use crate::walk::WALKER_STATE;

/// The body that is put into the world.
const BODY: BodyId = BodyId(7);

/// Bound on the searches for cells in one variant.
///
/// A sound world takes a few hundred at most, for a placement that finds no room on any ring.
const MAX_SEARCHES: u64 = 100_000;

/// Scratch of sweeps and portal walks, kept over all variants.
pub(crate) struct Exercise {
    scratch: SweepScratch,
    walk: threshold_view::ViewScratch,
}

fn is_finite(at: &Position) -> bool {
    at.frame.origin.is_finite() && at.frame.rotation.is_valid()
}

fn is_finite_stance(stance: &Stance) -> bool {
    let Plane { normal, d } = stance.plane;
    normal.is_finite() && d.is_finite() && stance.sliding_normal.is_finite()
}

fn note_end(at: &Position, counts: &mut VariantCounts) {
    counts.farthest = counts.farthest.max(at.frame.origin.abs().max_element());
}

/// Checks that a sweep or placement with a finite start ends finite, or is refused with a reason.
fn check(outcome: &Outcome, counts: &mut VariantCounts) {
    assert!(is_finite(&outcome.position), "{outcome:?}");
    assert!(is_finite_stance(&outcome.stance), "{outcome:?}");
    assert!(outcome.hit.is_none_or(|normal| normal.is_finite()), "{outcome:?}");
    note_end(&outcome.position, counts);
    match outcome.refused {
        None => counts.moves += 1,
        Some(refusal) => {
            assert!(!refusal.to_string().is_empty());
            counts.not_finite += usize::from(refusal == Refusal::EndNotFinite);
        }
    }
}

fn check_seen(seen: &VisibleSet, counts: &mut VariantCounts) {
    for region in seen.regions() {
        assert!(region.corners().iter().all(|corner| corner.is_finite()), "{region:?}");
        assert!(region.planes().iter().all(|plane| plane.is_finite()), "{region:?}");
    }
    assert!(seen.cells().all(|cell| cell.distance() >= 0.0));
    counts.views += usize::from(seen.regions().len() > 0);
}

/// Returns the default rules, in one case of four with one of them changed.
fn rules(random: &mut Random) -> Rules {
    let mut rules = Rules::default();
    if random.below(4) == 0 {
        let rule = &RULES[random.below(RULES.len())];
        let choice = &rule.choices[random.below(rule.choices.len())];
        rules.set(rule.name, choice.value).expect("the rule is in the table");
    }
    rules
}

fn between(random: &mut Random, low: f64, high: f64) -> f32 {
    random.between(low, high) as f32
}

fn offset(random: &mut Random) -> Vec3 {
    let reach = [0.3, 1.5, 5.0][random.below(3)];
    let mut axis = |reach: f64| between(random, -reach, reach);
    Vec3::new(axis(reach), axis(reach), axis(reach * 0.5))
}

fn spec(setup: &Arc<Setup>, at: &Position, random: &mut Random) -> BodySpec {
    let kinds = [ObjectKind::Creature, ObjectKind::Thing, ObjectKind::None];
    let states =
        [WALKER_STATE, WALKER_STATE, State::MISSILE.with(State::PATH_CLIPPED, true), State(0)];
    BodySpec {
        body: BODY,
        setup: setup.clone(),
        position: *at,
        scale: [1.0, 1.0, 1.0, 0.5, 2.0][random.below(5)],
        state: states[random.below(states.len())],
        kind: kinds[random.below(kinds.len())],
    }
}

/// Returns a mover with the shape of the setup or another one, and random flags.
fn mover(spec: &BodySpec, stance: &Stance, random: &mut Random) -> Mover {
    let mut mover = Mover::from_spec(spec);
    if random.below(3) > 0 {
        mover.stance = *stance;
    }
    if random.below(4) == 0 {
        let radius = [0.05, 0.3, 1.2][random.below(3)];
        let spheres = [1.0, 2.5].map(|up| Sphere::new(Vec3::Z * (up * radius), radius));
        mover.shape =
            MoverShape::new(&spheres[..1 + random.below(2)], 0.6, [0.2, 1.5][random.below(2)]);
    }
    if random.below(8) == 0 {
        mover.flags = mover.flags | Flags::PATH_CLIPPED | Flags::PERFECT_CLIP;
    }
    mover
}

impl Exercise {
    pub(crate) fn new() -> Self {
        Self { scratch: SweepScratch::new(), walk: threshold_view::ViewScratch::new() }
    }

    /// Sweeps, places, looks and updates a body, from one place.
    pub(crate) fn run(
        &mut self,
        world: &mut World,
        setup: &Arc<Setup>,
        place: &StandingPlace,
        random: &mut Random,
        counts: &mut VariantCounts,
    ) {
        let before = self.scratch.counters().searches;
        let rules = rules(random);
        let spec = spec(setup, &place.at, random);
        self.move_about(&Sweeper { world, rules }, &spec, &place.stance, random, counts);
        self.look(&Sweeper { world, rules }, &place.at, random, counts);
        self.update(world, rules, spec, &place.stance, random, counts);
        let searches = self.scratch.counters().searches - before;
        assert!(searches < MAX_SEARCHES, "{searches} searches for cells");
    }

    fn move_about(
        &mut self,
        sweeper: &Sweeper<'_>,
        spec: &BodySpec,
        stance: &Stance,
        random: &mut Random,
        counts: &mut VariantCounts,
    ) {
        let mover = mover(spec, stance, random);
        let from = spec.position;
        for _ in 0..4 {
            let mut to = from;
            to.frame.origin += offset(random);
            if random.below(4) == 0 {
                to.frame.rotation = Rotation::from_heading(between(random, 0.0, 360.0));
            }
            let outcome = sweeper.sweep(&mut self.scratch, &mut (), &mover, &from, &to);
            check(&outcome, counts);
            assert!(outcome.is_ok() || outcome.position == from, "{outcome:?}");
        }
        let search = if random.below(8) == 0 { Search::Around } else { Search::Here };
        check(&sweeper.place(&mut self.scratch, &mut (), &mover, &from, search), counts);
        if random.below(32) == 0 {
            let scatter =
                Scatter { tries: 3, reach: [2.0, 2.0].into(), centre_first: false, search };
            let draw = || between(random, -1.0, 1.0);
            let outcome =
                sweeper.scatter(&mut self.scratch, &mut (), &mover, &from, &scatter, draw);
            assert!(is_finite(&outcome.position) && is_finite_stance(&outcome.stance));
        }
    }

    fn look(
        &mut self,
        sweeper: &Sweeper<'_>,
        at: &Position,
        random: &mut Random,
        counts: &mut VariantCounts,
    ) {
        let pivot = Pivot { player: *at, body: None, head: Vec3::Z * between(random, 0.3, 2.0) };
        let (direction, wish) = (offset(random), between(random, 0.0, 8.0));
        let view = Boom::new(wish).follow(
            sweeper,
            &mut self.scratch,
            &pivot,
            direction,
            wish,
            between(random, 0.0, 0.2),
        );
        assert!(is_finite(&view.eye) && view.distance.is_finite(), "{view:?}");
        assert!(view.stopped.is_none_or(|normal| normal.is_finite()), "{view:?}");
        note_end(&view.eye, counts);
        counts.moves += usize::from(!view.failed);
        let mut target = *at;
        target.frame.origin += offset(random);
        let sight =
            sweeper.line_of_sight(&mut self.scratch, at, &target, SightExclusions::default());
        if let Sight::Blocked { at, normal } = sight {
            assert!(is_finite(&at) && normal.is_finite(), "{at:?} {normal}");
        }
        let eye = view.eye.frame.origin;
        let to = eye + offset(random) + Vec3::splat(1e-3);
        let viewer = Viewer::looking_at(view.eye.cell, eye, to, Lens::default());
        if let Ok(viewer) = viewer {
            check_seen(
                PortalWalk::new(sweeper.world).run(&mut self.walk, &mut (), &viewer),
                counts,
            );
        }
    }

    fn update(
        &mut self,
        world: &mut World,
        rules: Rules,
        spec: BodySpec,
        stance: &Stance,
        random: &mut Random,
        counts: &mut VariantCounts,
    ) {
        let mut body = Body::new(BODY);
        body.stance = *stance;
        body.gait = (random.below(2) == 0).then(|| Gait::run(2.0));
        let scratch = &mut self.scratch;
        let (outcome, _) =
            body.enter(&mut MoveContext::new(world, rules, scratch), spec, Search::Here, 0.0);
        check(&outcome, counts);
        if world.body(BODY).is_none() {
            return;
        }
        if random.below(4) > 0 {
            // Entering the damaged world has changed the stance.
            body.stance = *stance;
        }
        body.set_velocity(offset(random) * 4.0, 0.0);
        for now in [0.1, 0.3] {
            let updated = body
                .update(&mut MoveContext::new(world, rules, scratch), now)
                .expect("the body is in the world");
            counts.moves += usize::from(updated.quanta > 0);
            let position = world.body(BODY).expect("the body is in the world").position();
            assert!(is_finite(position), "{position:?} {body:?}");
            note_end(position, counts);
            assert!(is_finite_stance(&body.stance), "{body:?}");
            assert!(body.velocity.is_finite() && body.actual_velocity.is_finite(), "{body:?}");
            assert!(body.spin.is_finite() && body.clock.is_finite(), "{body:?}");
        }
        world.remove(BODY).expect("the body is in the world");
    }

    /// Returns the results of a sweep and a portal walk from a place, exact to the bit.
    pub(crate) fn reference(
        &mut self,
        world: &World,
        setup: &Arc<Setup>,
        StandingPlace { at, stance }: &StandingPlace,
    ) -> String {
        assert_eq!(setup.id, MOVER);
        let sweeper = Sweeper::new(world);
        let mut random = Random(17);
        let spec = BodySpec { state: WALKER_STATE, ..spec(setup, at, &mut random) };
        let mover = Mover { stance: *stance, ..Mover::from_spec(&spec) };
        let mut to = *at;
        to.frame.origin += offset(&mut random);
        let outcome = sweeper.sweep(&mut self.scratch, &mut (), &mover, at, &to);
        let eye = at.frame.origin + Vec3::Z;
        let viewer = Viewer::looking_at(at.cell, eye, eye + Vec3::X, Lens::default());
        let viewer = viewer.expect("the eye is on the map");
        let seen = PortalWalk::new(world).run(&mut self.walk, &mut (), &viewer);
        format!("{outcome:?} {seen:?}")
    }
}
