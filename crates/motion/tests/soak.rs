//! Random sweeps of nine kinds of movers through every world: where every cell around it is resident, no mover is lost except
//! for the causes listed here, and none at all with `interior_exit=reseat`.
//!
//! Some hundred thousand sweeps; with `THRESHOLD_SOAK` set a hundred million of each rule
//! (`THRESHOLD_SOAK=1 cargo test --release -p threshold-motion --test soak -- --nocapture`), or
//! `THRESHOLD_SOAK_SWEEPS` of them, from task `THRESHOLD_SOAK_TASK` on, so that two soaks can cover different sweeps. Every
//! loss is printed with the data that repeats it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect, and a soak prints what it finds"
)]

mod random_movers;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use threshold_testkit::{
    Random, Walk, edit_record,
    layouts::{A, row},
};

use random_movers::{MoverKind, RandomMover, TestWorld, mover_kinds, test_worlds};
use threshold_dat::EnvCell;
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Plane, Position, Sphere};
use threshold_motion::probe::OffsetLimit;
use threshold_motion::{
    Mover, Outcome, Rules, Stance, SweepEvent, SweepProbe, SweepScratch, Sweeper,
};
use threshold_why as why;
use threshold_world::Cell;

/// The land cell that the made room is on.
const LAND: CellId = CellId(0x0102_0001);
/// Most sweeps of one mover. A new one starts elsewhere after them, or once the mover is lost.
const SWEEPS_PER_MOVER: usize = 150;
/// Sweeps of one task, which runs on one thread. The number of a task is its seed.
const SWEEPS_PER_TASK: usize = 2_000;

/// A lost mover, and the data that repeats the loss.
struct Loss {
    task: usize,
    sweep: usize,
    world: usize,
    kind: usize,
    mover: Mover,
    from: Position,
    to: Position,
    outcome: Outcome,
    cause: Option<Cause>,
}

/// Totals of a run.
#[derive(Default)]
struct Tally {
    sweeps: usize,
    /// Sweeps that were not refused, blocked or not.
    moved: usize,
    /// Movers that left the resident cells; the rule `unloaded` decides about these.
    left: usize,
    /// Movers that `interior_exit=reseat` took out of a dungeon that has no resident land above it.
    landless: usize,
    losses: Vec<Loss>,
}

/// Why a mover was lost. Each cause follows the documented algorithm of retail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cause {
    /// It touched a surface too steep to stand on and moved away from it. `adjust_offset` projects such a move onto the plane
    /// of the surface, far down if that plane is nearly upright, without adding sub-steps.
    LetDown,
    /// It fell on ground that it hardly moved towards. `find_walkable` moved it back out along its movement, which is far if the
    /// movement is nearly parallel to the ground.
    BackedOut,
    /// It is in a gap of less than [`GAP`] between the cell trees of rooms; the centre of a small mover fits in there.
    Gap,
}

/// Greatest width of a gap, in metres.
const GAP: f32 = 0.05;

/// Looks for causes of a loss during sweeps, without changing them.
#[derive(Default)]
struct CauseProbe {
    radius: f32,
    found: Option<Cause>,
}

/// A probe that may look for causes.
trait LossProbe: SweepProbe {
    /// Called when a new mover starts.
    fn start(&mut self, _: &Mover) {}

    fn cause(&self) -> Option<Cause> {
        None
    }
}

impl LossProbe for () {}

impl LossProbe for CauseProbe {
    fn start(&mut self, mover: &Mover) {
        *self = Self { radius: mover.shape.spheres()[0].radius, found: None };
    }

    fn cause(&self) -> Option<Cause> {
        self.found
    }
}

impl SweepProbe for CauseProbe {
    fn on_event(&mut self, event: SweepEvent<'_>) {
        match event {
            SweepEvent::OffsetAdjusted { requested, remaining, limit: OffsetLimit::Slope(_) }
                if remaining.length() > requested.length() + self.radius =>
            {
                self.found = Some(Cause::LetDown);
            }
            SweepEvent::GroundFound { moved, .. } if moved.length() > 2.0 * self.radius => {
                self.found = Some(Cause::BackedOut);
            }
            _ => {}
        }
    }
}

/// Runs the sweeps of one task. Its number determines all random choices.
fn run_task<P: LossProbe>(
    (worlds, kinds): (&[TestWorld], &[MoverKind]),
    rules: Rules,
    task: usize,
    probe: &mut P,
) -> Tally {
    let (world_index, kind_index) = (task % worlds.len(), task / worlds.len() % kinds.len());
    let (test_world, kind) = (&worlds[world_index], &kinds[kind_index]);
    let mut random = Random(task as u64);
    let sweeper = Sweeper { world: &test_world.world, rules };
    let mut scratch = SweepScratch::new();
    let mut tally = Tally { sweeps: SWEEPS_PER_TASK, ..Tally::default() };
    let mut alive: Option<RandomMover> = None;
    for sweep in 0..SWEEPS_PER_TASK {
        let mut random_mover = match alive.take().filter(|_| sweep % SWEEPS_PER_MOVER != 0) {
            Some(random_mover) => random_mover,
            None => {
                let random_mover =
                    RandomMover::start((test_world, rules), &mut scratch, kind, &mut random);
                probe.start(&random_mover.mover);
                random_mover
            }
        };
        let (from, to) = (random_mover.at, random_mover.next(&mut random));
        let outcome = sweeper.sweep(&mut scratch, probe, &random_mover.mover, &from, &to);
        assert!(
            outcome.position.frame.origin.is_finite(),
            "task {task}, sweep {sweep}, {} in {}: {from:?} to {to:?}",
            kind.name,
            test_world.name
        );
        tally.moved += usize::from(outcome.is_ok());
        if outcome.cell.is_some() {
            random_mover.apply(&outcome, &mut random);
            alive = Some(random_mover);
        } else if outcome.missed.is_empty() {
            let (world, kind) = (world_index, kind_index);
            let (mover, cause) = (random_mover.mover, probe.cause());
            let mut loss = Loss { task, sweep, world, kind, mover, from, to, outcome, cause };
            loss.cause = cause.or_else(|| loss.is_in_gap(test_world).then_some(Cause::Gap));
            tally.losses.push(loss);
        } else if from.cell.is_indoor() && test_world.lands.is_empty() {
            tally.landless += 1;
        } else {
            tally.left += 1;
        }
    }
    tally
}

/// Returns the number in an environment variable.
fn number_of(variable: &str) -> Option<usize> {
    Some(std::env::var(variable).ok()?.parse().unwrap())
}

/// Runs a number of sweeps on all cores, and adds up the tasks in their order.
fn soak(worlds: &[TestWorld], rules: Rules, sweeps: usize) -> Tally {
    let first = number_of("THRESHOLD_SOAK_TASK");
    let (kinds, done) = (mover_kinds(), Mutex::new(BTreeMap::new()));
    let next = AtomicUsize::new(first.unwrap_or(0));
    let tasks = first.unwrap_or(0) + sweeps.div_ceil(SWEEPS_PER_TASK);
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let task = next.fetch_add(1, Ordering::Relaxed);
                    if task >= tasks {
                        return;
                    }
                    let setup = (worlds, &kinds[..]);
                    let mut tally = run_task(setup, rules, task, &mut ());
                    if !tally.losses.is_empty() {
                        // Repeated to find the causes: sweeps with a probe are much slower.
                        tally = run_task(setup, rules, task, &mut CauseProbe::default());
                    }
                    done.lock().unwrap().insert(task, tally);
                }
            });
        }
    });
    let mut all = Tally::default();
    for tally in done.into_inner().unwrap().into_values() {
        all.sweeps += tally.sweeps;
        all.moved += tally.moved;
        all.left += tally.left;
        all.landless += tally.landless;
        all.losses.extend(tally.losses);
    }
    all
}

impl Loss {
    /// Returns whether the end is in no room, but near one on some side.
    fn is_in_gap(&self, test_world: &TestWorld) -> bool {
        let at = &self.outcome.position;
        let centre = at.frame.to_global(self.mover.shape.spheres()[0].centre);
        let sides = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|axis| [axis, -axis]);
        let mut near = sides.map(|side| centre + side * GAP);
        let rooms = || test_world.world.rooms(at.cell.block());
        near.any(|point| rooms().any(|room| room.contains(point)))
    }

    /// Prints the data that repeats the sweep, and its explanation.
    fn report(&self, test_world: &TestWorld, rules: Rules) {
        let Self { task, sweep, from, to, outcome, mover, .. } = self;
        eprintln!(
            "lost, {:?}: task {task}, sweep {sweep}, {} in {}\n  from {} {:?}\n  by {:?}\n  to {} {:?}, {} sub-steps\n  {:?}",
            self.cause,
            mover_kinds()[self.kind].name,
            test_world.name,
            from.cell,
            from.frame.origin.to_array(),
            from.offset_to(to).to_array(),
            outcome.position.cell,
            outcome.position.frame.origin.to_array(),
            outcome.sub_steps,
            mover.stance,
        );
        let sweeper = Sweeper { world: &test_world.world, rules };
        let (_, explanation) = why::sweep(&sweeper, mover, from, to);
        for node in explanation.summary.iter().chain(&explanation.steps) {
            node.lines(false).iter().for_each(|(depth, text)| {
                eprintln!("  {}{text}", "  ".repeat(*depth));
            });
        }
    }
}

fn rules(text: &str) -> Rules {
    let mut rules = Rules::default();
    rules.set_text(text).unwrap();
    rules
}

/// Returns the number of sweeps with each rule.
fn sweeps() -> usize {
    let soaks = std::env::var_os("THRESHOLD_SOAK").is_some();
    let default = if soaks { 100_000_000 } else { 200_000 };
    number_of("THRESHOLD_SOAK_SWEEPS").unwrap_or(default)
}

/// Runs random sweeps by a rule, and prints the totals and every loss.
fn tally(worlds: &[TestWorld], rule: &str) -> Tally {
    let tally = soak(worlds, rules(rule), sweeps());
    let Tally { sweeps, moved, left, landless, losses } = &tally;
    eprintln!(
        "{rule}: {sweeps} sweeps, {moved} not refused, {left} left the resident cells, {landless} came out without land, {} lost",
        losses.len()
    );
    losses.iter().for_each(|loss| loss.report(&worlds[loss.world], rules(rule)));
    assert!(moved * 2 > *sweeps, "most sweeps are refused");
    tally
}

#[test]
fn every_mover_that_is_lost_among_resident_cells_is_explained() {
    let tally = tally(&test_worlds(), "interior_exit=stays");
    let mut counts = BTreeMap::new();
    tally.losses.iter().for_each(|loss| *counts.entry(loss.cause).or_insert(0) += 1);
    eprintln!("by cause: {counts:?}");
    let unexplained = counts.get(&None).copied().unwrap_or(0);
    assert_eq!(unexplained, 0, "losses without a known cause are printed above");
    // More than one in a million would be a new defect.
    assert!(tally.losses.len() <= 5 + sweeps() / 1_000_000, "{counts:?}");
}

#[test]
fn no_mover_is_lost_among_resident_cells_with_reseat() {
    let tally = tally(&test_worlds(), "interior_exit=reseat");
    assert_eq!(tally.losses.len(), 0, "printed above");
}

/// Returns a mover in a room of 4 by 4 m on the land. The east of the room is open and leads nowhere.
fn in_a_room(rule: &str, at: [f32; 3]) -> Walk {
    let mut records = row(&[4.0, 4.0], &[]);
    edit_record::<EnvCell>(&mut records, A, |room| room.portals = Vec::new());
    let mut walk = Walk::from_source(records).with_rule(rule);
    walk.put_on_ground(A.0, at);
    walk
}

/// Sweeps a mover. Returns its cell, and the cause that the probe found.
fn sweep_for_cause(walk: &mut Walk, by: [f32; 3]) -> (Option<CellId>, Option<Cause>) {
    let mut causes = CauseProbe::default();
    causes.start(&walk.body.mover(&walk.world).unwrap());
    (walk.step_with(&mut causes, by).cell, causes.cause())
}

#[test]
fn a_mover_that_leaves_a_nearly_upright_surface_is_let_down_through_the_floor() {
    for (rule, cell) in [("interior_exit=stays", None), ("interior_exit=reseat", Some(LAND))] {
        let mut walk = in_a_room(rule, [2.0, 2.0, 0.005]);
        let upright = Vec3::new(1.0, 0.0, 0.1).normalize();
        let side = Plane::through(upright, walk.at());
        walk.body.stance = Stance { on_walkable: false, ..Stance::on(side, A) };
        assert_eq!(
            sweep_for_cause(&mut walk, [0.3, 0.0, 0.0]),
            (cell, Some(Cause::LetDown)),
            "{rule}"
        );
        assert!((walk.at().z + 2.995).abs() < 1e-3, "{}", walk.at());
    }
}

/// A back-out is limited by the rest of the movement after it: the less of it is left before, the farther the mover may be
/// moved. A landing once moved a mover by four metres (`Cause::BackedOut`).
#[test]
fn a_landing_may_back_a_mover_out_far_once_little_of_its_way_is_left() {
    let walk = in_a_room("interior_exit=stays", [2.0, 2.0, 0.005]);
    let Some(Cell::Room(room)) = walk.world.cell(A) else { panic!("no room") };
    let floor = room.structure().physics.polygon(3);
    assert_eq!(floor.plane.normal, Vec3::Z);
    let back_out = |left: f32| {
        let mut sphere = Sphere::new(Vec3::new(2.0, 2.0, 0.19), 0.48);
        let (from, mut left) = (sphere.centre, left);
        let way = Vec3::new(-0.03, -0.29, -0.02);
        floor.adjust_sphere_to_plane(&mut sphere, way, &mut left).then(|| sphere.centre - from)
    };
    assert_eq!(back_out(1.0), None, "all of the movement is left");
    let moved = back_out(0.03).expect("little of the movement is left");
    assert!(moved.y > 4.0 && (moved.z - 0.29).abs() < 1e-4, "{moved}");
}
