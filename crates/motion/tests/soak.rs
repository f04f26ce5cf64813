//! Random sweeps of nine kinds of movers through every world: none is lost where every cell around it is resident, but for
//! the losses that are explained here, and none at all with `interior_exit=reseat`.
//!
//! Some hundred thousand sweeps; with `THRESHOLD_SOAK` set a hundred million of each rule
//! (`THRESHOLD_SOAK=1 cargo test --release -p threshold-motion --test soak -- --nocapture`), or as many as
//! `THRESHOLD_SOAK_SWEEPS` says, from the task `THRESHOLD_SOAK_TASK` on, so that no two soaks need to sweep the same. Every loss
//! is printed with what repeats it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect, and a soak prints what it finds"
)]

mod lives;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use threshold_testkit::{
    Random, Walk, edit_record,
    layouts::{A, row},
};

use lives::{Kind, Life, Place, kinds, places};
use threshold_dat::EnvCell;
use threshold_land::glam::Vec3;
use threshold_land::{CellId, Plane, Position, Sphere};
use threshold_motion::probe::OffsetLimit;
use threshold_motion::{
    Mover, Outcome, Rules, Stance, SweepEvent, SweepProbe, SweepScratch, Sweeper,
};
use threshold_why as why;
use threshold_world::Cell;

/// The land cell that the made room is on.
const LAND: CellId = CellId(0x0102_0001);
/// Sweeps of one life: after so many, or once it is lost, a mover begins anew elsewhere.
const LIFE: usize = 150;
/// Sweeps of one task, which one thread does; tasks are numbered, and the number is the seed.
const TASK: usize = 2_000;

/// A mover that no cell contains any more, and what it takes to lose it again.
struct Loss {
    task: usize,
    sweep: usize,
    place: usize,
    kind: usize,
    mover: Mover,
    from: Position,
    to: Position,
    outcome: Outcome,
    cause: Option<Cause>,
}

/// What a run comes to.
#[derive(Default)]
struct Tally {
    sweeps: usize,
    /// Sweeps that took place, blocked or not.
    went: usize,
    /// Movers that left what is resident, which the rule `unloaded` is for.
    left: usize,
    /// Movers that `interior_exit=reseat` has taken out of a dungeon under no resident land.
    landless: usize,
    losses: Vec<Loss>,
}

/// Why a mover came to be where no cell is. Each is by the letter of the studies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cause {
    /// It touched what is too steep to stand on and moved away from it: such a move is put onto the plane it touches
    /// (`adjust_offset`), which is far below where that plane is nearly upright, and no sub-step is longer for that.
    LetDown,
    /// It fell on ground that it hardly moved towards, and was moved back out of it along its way (`find_walkable`), which is
    /// far where the way runs along the ground.
    BackedOut,
    /// It is in a gap of less than [`GAP`] between the cell trees of rooms, which a small mover can get its middle into.
    Gap,
}

/// In metres.
const GAP: f32 = 0.05;

/// Looks for causes while a mover lives. Nothing changes by it.
#[derive(Default)]
struct Causes {
    radius: f32,
    seen: Option<Cause>,
}

/// A probe that is told when a mover begins.
trait Watcher: SweepProbe {
    fn begin(&mut self, _: &Mover) {}

    fn cause(&self) -> Option<Cause> {
        None
    }
}

impl Watcher for () {}

impl Watcher for Causes {
    fn begin(&mut self, mover: &Mover) {
        *self = Self { radius: mover.shape.spheres()[0].radius, seen: None };
    }

    fn cause(&self) -> Option<Cause> {
        self.seen
    }
}

impl SweepProbe for Causes {
    fn on_event(&mut self, event: SweepEvent<'_>) {
        match event {
            SweepEvent::OffsetAdjusted { requested, remaining, limit: OffsetLimit::Slope(_) }
                if remaining.length() > requested.length() + self.radius =>
            {
                self.seen = Some(Cause::LetDown);
            }
            SweepEvent::GroundFound { moved, .. } if moved.length() > 2.0 * self.radius => {
                self.seen = Some(Cause::BackedOut);
            }
            _ => {}
        }
    }
}

/// The sweeps of one task. Its number decides everything.
fn run_task<W: Watcher>(
    (places, kinds): (&[Place], &[Kind]),
    rules: Rules,
    task: usize,
    watcher: &mut W,
) -> Tally {
    let (place_at, kind_at) = (task % places.len(), task / places.len() % kinds.len());
    let (place, kind) = (&places[place_at], &kinds[kind_at]);
    let mut random = Random(task as u64);
    let sweeper = Sweeper { world: &place.world, rules };
    let mut scratch = SweepScratch::new();
    let mut tally = Tally { sweeps: TASK, ..Tally::default() };
    let mut alive: Option<Life> = None;
    for sweep in 0..TASK {
        let mut life = match alive.take().filter(|_| sweep % LIFE != 0) {
            Some(life) => life,
            None => {
                let life = Life::begin((place, rules), &mut scratch, kind, &mut random);
                watcher.begin(&life.mover);
                life
            }
        };
        let (from, to) = (life.at, life.next(&mut random));
        let outcome = sweeper.sweep(&mut scratch, watcher, &life.mover, &from, &to);
        assert!(
            outcome.position.frame.origin.is_finite(),
            "task {task}, sweep {sweep}, {} in {}: {from:?} to {to:?}",
            kind.name,
            place.name
        );
        tally.went += usize::from(outcome.is_ok());
        if outcome.cell.is_some() {
            life.take(&outcome, &mut random);
            alive = Some(life);
        } else if outcome.missed.is_empty() {
            let (kind, mover, cause) = (kind_at, life.mover, watcher.cause());
            let mut loss =
                Loss { task, sweep, place: place_at, kind, mover, from, to, outcome, cause };
            loss.cause = cause.or_else(|| loss.is_in_gap(place).then_some(Cause::Gap));
            tally.losses.push(loss);
        } else if from.cell.is_indoor() && place.lands.is_empty() {
            tally.landless += 1;
        } else {
            tally.left += 1;
        }
    }
    tally
}

/// The number that a variable of the environment is set to.
fn number_of(variable: &str) -> Option<usize> {
    Some(std::env::var(variable).ok()?.parse().unwrap())
}

/// Runs this many sweeps, on all cores, and adds them up in the order of the tasks.
fn soak(places: &[Place], rules: Rules, sweeps: usize) -> Tally {
    let first = number_of("THRESHOLD_SOAK_TASK");
    let (kinds, done) = (kinds(), Mutex::new(BTreeMap::new()));
    let next = AtomicUsize::new(first.unwrap_or(0));
    let tasks = first.unwrap_or(0) + sweeps.div_ceil(TASK);
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let task = next.fetch_add(1, Ordering::Relaxed);
                    if task >= tasks {
                        return;
                    }
                    let what = (places, &kinds[..]);
                    let mut tally = run_task(what, rules, task, &mut ());
                    if !tally.losses.is_empty() {
                        // Again, to see why: what is watched is much slower.
                        tally = run_task(what, rules, task, &mut Causes::default());
                    }
                    done.lock().unwrap().insert(task, tally);
                }
            });
        }
    });
    let mut all = Tally::default();
    for tally in done.into_inner().unwrap().into_values() {
        all.sweeps += tally.sweeps;
        all.went += tally.went;
        all.left += tally.left;
        all.landless += tally.landless;
        all.losses.extend(tally.losses);
    }
    all
}

impl Loss {
    /// Whether it is near a room on some side, and in none.
    fn is_in_gap(&self, place: &Place) -> bool {
        let at = &self.outcome.position;
        let centre = at.frame.to_global(self.mover.shape.spheres()[0].centre);
        let sides = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|axis| [axis, -axis]);
        let mut near = sides.map(|side| centre + side * GAP);
        let rooms = || place.world.rooms(at.cell.block());
        near.any(|point| rooms().any(|room| room.contains(point)))
    }

    /// Everything that it takes to make the sweep again, and what is said about it.
    fn report(&self, place: &Place, rules: Rules) {
        let Self { task, sweep, from, to, outcome, mover, .. } = self;
        eprintln!(
            "lost, {:?}: task {task}, sweep {sweep}, {} in {}\n  from {} {:?}\n  by {:?}\n  to {} {:?}, {} sub-steps\n  {:?}",
            self.cause,
            kinds()[self.kind].name,
            place.name,
            from.cell,
            from.frame.origin.to_array(),
            from.offset_to(to).to_array(),
            outcome.position.cell,
            outcome.position.frame.origin.to_array(),
            outcome.sub_steps,
            mover.stance,
        );
        let sweeper = Sweeper { world: &place.world, rules };
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

/// How many sweeps of each rule.
fn sweeps() -> usize {
    let soaks = std::env::var_os("THRESHOLD_SOAK").is_some();
    let usual = if soaks { 100_000_000 } else { 200_000 };
    number_of("THRESHOLD_SOAK_SWEEPS").unwrap_or(usual)
}

/// Sweeps at random by some rules, and says what came of it.
fn tally(places: &[Place], by: &str) -> Tally {
    let tally = soak(places, rules(by), sweeps());
    let Tally { sweeps, went, left, landless, losses } = &tally;
    eprintln!(
        "{by}: {sweeps} sweeps, {went} went somewhere, {left} left what is resident, {landless} came out under no land, {} lost",
        losses.len()
    );
    losses.iter().for_each(|loss| loss.report(&places[loss.place], rules(by)));
    assert!(went * 2 > *sweeps, "hardly anything moves");
    tally
}

#[test]
fn every_mover_that_is_lost_among_resident_cells_is_explained() {
    let tally = tally(&places(), "interior_exit=stays");
    let mut counts = BTreeMap::new();
    tally.losses.iter().for_each(|loss| *counts.entry(loss.cause).or_insert(0) += 1);
    eprintln!("by cause: {counts:?}");
    let unexplained = counts.get(&None).copied().unwrap_or(0);
    assert_eq!(unexplained, 0, "losses without a known cause are printed above");
    // More than one in a million would be something new.
    assert!(tally.losses.len() <= 5 + sweeps() / 1_000_000, "{counts:?}");
}

#[test]
fn no_mover_is_lost_among_resident_cells_with_reseat() {
    let tally = tally(&places(), "interior_exit=reseat");
    assert_eq!(tally.losses.len(), 0, "printed above");
}

/// A room of 4 by 4 m that stands on the land, and a mover in it. Its east is open and leads nowhere.
fn in_a_room(by: &str, at: [f32; 3]) -> Walk {
    let mut records = row(&[4.0, 4.0], &[]);
    edit_record::<EnvCell>(&mut records, A, |room| room.portals = Vec::new());
    let mut walk = Walk::from_source(records).with_rule(by);
    walk.put_on_ground(A.0, at);
    walk
}

/// Sweeps, and says what the cause is by the probe.
fn caused(walk: &mut Walk, by: [f32; 3]) -> (Option<CellId>, Option<Cause>) {
    let mut causes = Causes::default();
    causes.begin(&walk.body.mover(&walk.world).unwrap());
    (walk.step_with(&mut causes, by).cell, causes.cause())
}

#[test]
fn a_mover_that_leaves_a_nearly_upright_surface_is_let_down_through_the_floor() {
    for (by, cell) in [("interior_exit=stays", None), ("interior_exit=reseat", Some(LAND))] {
        let mut walk = in_a_room(by, [2.0, 2.0, 0.005]);
        let upright = Vec3::new(1.0, 0.0, 0.1).normalize();
        let side = Plane::through(upright, walk.at());
        walk.body.stance = Stance { on_walkable: false, ..Stance::on(side, A) };
        assert_eq!(caused(&mut walk, [0.3, 0.0, 0.0]), (cell, Some(Cause::LetDown)), "{by}");
        assert!((walk.at().z + 2.995).abs() < 1e-3, "{}", walk.at());
    }
}

/// The bound of a back-out is on what is left of the way after it, and the less is left before it, the farther it may go:
/// how a landing moved a mover by four metres (`Cause::BackedOut`).
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
    assert_eq!(back_out(1.0), None, "all of the way is left");
    let moved = back_out(0.03).expect("little is left");
    assert!(moved.y > 4.0 && (moved.z - 0.29).abs() < 1e-4, "{moved}");
}
