//! How fast bodies live: every recorded fall of both sample worlds, crowds that stand, walk, fall and sleep, and cameras.
//!
//! One thread; an update moves a body by a thirtieth of a second, with its sweep and its commit, if it goes anywhere.
//!
//! `cargo bench --package threshold-conformance --bench update [-- ROUNDS]`

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a benchmark prints, and stops at what it does not expect"
)]

mod measure;

use threshold_conformance::scenario::{Job, SimJob};
use threshold_conformance::{Runner, ScenarioMover};
use threshold_forge::MOVER;
use threshold_land::Position;
use threshold_land::vector::Vec3;
use threshold_motion::{
    Body, Boom, Gait, MoveContext, Pivot, Rules, Search, SweepScratch, Sweeper,
};
use threshold_world::{BodyId, BodySpec, Builder, ObjectKind, PlayerStatus, State, World};

use self::measure::{Course, StepMeasurement, jobs, records, rounds, runner};

/// Seconds an update.
const TICK: f64 = 1.0 / 30.0;
/// Updates of each body in a round: as many as it falls for.
const TICKS: usize = 120;
/// How high above the ground it begins to fall, in metres.
const HIGH: f32 = 100.0;
/// Bodies of a crowd, at most.
const CROWD: usize = 100;
/// How high above its feet a player's camera turns, and how far away it is, in metres.
const HEAD: f32 = 1.5;
const AWAY: f32 = 5.0;

impl Course for SimJob {
    fn begin(&self, runner: &mut Runner) -> ScenarioMover {
        runner.throw(self).unwrap()
    }

    fn steps(&self) -> usize {
        self.ticks as usize
    }

    /// The additional count is 1 if the step made a sweep.
    fn step(&self, _number: usize, mover: &mut ScenarioMover, runner: &mut Runner) -> u64 {
        u64::from(mover.update(runner, self.dt).unwrap().is_some())
    }
}

/// What a crowd does.
#[derive(Clone, Copy, PartialEq)]
enum CrowdActivity {
    Standing,
    Walking,
    Falling,
    Sleeping,
}

/// A world, and where the recorded walks in it begin.
struct Place {
    world: World,
    builder: Builder,
    starts: Vec<Position>,
    scratch: SweepScratch,
    now: f64,
}

impl Place {
    fn open(name: &str) -> Self {
        let builder = Builder::new(records(name));
        let mut world = World::new();
        for piece in builder.pieces() {
            builder.build(piece).unwrap().into_iter().for_each(|built| world.adopt(built.piece));
        }
        let start = |job| match job {
            Job::Walk(walk) if walk.start.contact => Some(walk.start.position()),
            _ => None,
        };
        let starts = jobs(name).filter_map(start).collect();
        Self { world, builder, starts, scratch: SweepScratch::new(), now: 0.0 }
    }

    /// A crowd, spread over where walks begin.
    fn crowd(&mut self, activity: CrowdActivity) -> Vec<Body> {
        let falls = activity == CrowdActivity::Falling;
        let starts = self.starts.iter().filter(|at| !falls || at.cell.is_outdoor());
        let starts: Vec<Position> = starts.copied().collect();
        let every = starts.len().div_ceil(CROWD);
        let numbered = starts.into_iter().step_by(every).zip(0..);
        let mut bodies: Vec<Body> =
            numbered.filter_map(|(at, number)| self.body(at, number, activity)).collect();
        assert!(bodies.len() > CROWD / 2, "{} bodies", bodies.len());
        // Time to come to rest, to gain speed or to fall asleep.
        let _ = self.tick(&mut bodies);
        let _ = self.tick(&mut bodies);
        bodies
    }

    /// A player; `None` where there is no room for it.
    fn body(&mut self, mut at: Position, number: u32, activity: CrowdActivity) -> Option<Body> {
        if activity == CrowdActivity::Falling {
            at.frame.origin.z += HIGH;
        }
        let spec = BodySpec {
            body: BodyId(number),
            setup: self.builder.setup(MOVER).unwrap(),
            position: at,
            scale: 1.0,
            state: State::GRAVITY.with(State::EDGE_SLIDE, true),
            kind: ObjectKind::Player(PlayerStatus::Peaceful),
        };
        // Straight on, and in circles of all sizes either way.
        let turn = 20.0 * ((number % 9) as f32 - 4.0);
        let mut body = Body::new(spec.body);
        body.clock = self.now;
        body.gait = match activity {
            CrowdActivity::Standing => Some(Gait::stand()),
            CrowdActivity::Walking => Some(Gait { turn, ..Gait::walk() }),
            CrowdActivity::Falling | CrowdActivity::Sleeping => None,
        };
        let Self { world, scratch, .. } = self;
        let (outcome, _) = body.enter(
            &mut MoveContext::new(world, Rules::default(), scratch),
            spec,
            Search::Around,
            0.0,
        );
        (outcome.is_ok() && outcome.cell.is_some()).then_some(body)
    }

    /// Updates all of them once; how many that is.
    fn tick(&mut self, bodies: &mut [Body]) -> u64 {
        self.now += TICK;
        for body in bodies.iter_mut() {
            let Self { world, scratch, now, .. } = self;
            body.update(&mut MoveContext::new(world, Rules::default(), scratch), *now).unwrap();
        }
        bodies.len() as u64
    }

    fn tick_one_by_one(&mut self, bodies: &mut [Body], measurement: &mut StepMeasurement) {
        self.now += TICK;
        for body in bodies {
            let Self { world, scratch, now, .. } = self;
            measurement.one(|| {
                body.update(&mut MoveContext::new(world, Rules::default(), scratch), *now).unwrap()
            });
        }
    }

    /// Asserts that the crowd did its activity, and removes it.
    fn disperse(&mut self, bodies: Vec<Body>, activity: CrowdActivity) {
        let is_active = |body: &&Body| match activity {
            CrowdActivity::Standing => body.awake && body.stance.on_walkable,
            CrowdActivity::Walking => body.awake && body.actual_velocity.length() > 1.0,
            CrowdActivity::Falling => body.awake && !body.stance.contact,
            CrowdActivity::Sleeping => !body.awake && body.stance.on_walkable,
        };
        let (active, all) = (bodies.iter().filter(is_active).count(), bodies.len());
        // Walking bodies run into walls at times.
        let wanted = if activity == CrowdActivity::Walking { all / 2 } else { all };
        assert!(active >= wanted, "{active} of {all}");
        for mut body in bodies {
            body.leave(&mut self.world).unwrap();
        }
    }

    fn measure(&mut self, name: &str, activity: CrowdActivity, rounds: usize) {
        let mut measurement = StepMeasurement::default();
        for _ in 0..rounds {
            let mut bodies = self.crowd(activity);
            measurement.all(|| (2..TICKS).map(|_| self.tick(&mut bodies)).sum());
            self.disperse(bodies, activity);
        }
        let mut bodies = self.crowd(activity);
        (2..TICKS).for_each(|_| self.tick_one_by_one(&mut bodies, &mut measurement));
        self.disperse(bodies, activity);
        measurement.print(name, None);
    }

    /// Returns the paths of walking players.
    fn ways(&mut self) -> Vec<Vec<Pivot>> {
        let mut bodies = self.crowd(CrowdActivity::Walking);
        let mut ways = vec![Vec::with_capacity(TICKS); bodies.len()];
        for _ in 2..TICKS {
            self.tick(&mut bodies);
            for (body, way) in bodies.iter().zip(&mut ways) {
                let at = *self.world.body(body.id).unwrap().position();
                way.push(Pivot::above(at, body.id, HEAD));
            }
        }
        self.disperse(bodies, CrowdActivity::Walking);
        ways
    }

    /// Measures cameras behind players on their paths.
    fn measure_cameras(&mut self, name: &str, camera: impl Camera, rounds: usize) {
        let (ways, mut measurement) = (self.ways(), StepMeasurement::default());
        for _ in 0..rounds {
            for way in &ways {
                let mut camera = camera;
                measurement.all(|| {
                    way.iter().for_each(|pivot| camera.look(self, pivot));
                    way.len() as u64
                });
            }
        }
        for way in &ways {
            let mut camera = camera;
            for pivot in way {
                measurement.one(|| camera.look(self, pivot));
            }
        }
        measurement.print(name, None);
    }
}

/// Behind a player and a little above.
fn behind(pivot: &Pivot) -> Vec3 {
    pivot.player.frame.rotation.rotate(Vec3::new(0.0, -1.0, 0.25))
}

/// A camera that follows a player.
trait Camera: Copy {
    fn look(&mut self, place: &mut Place, pivot: &Pivot);
}

/// Looks from as far behind as there is room.
#[derive(Clone, Copy)]
struct Direct;

impl Camera for Direct {
    fn look(&mut self, place: &mut Place, pivot: &Pivot) {
        let sweeper = Sweeper::new(&place.world);
        let view = sweeper.view(&mut place.scratch, pivot, behind(pivot).normalize() * AWAY);
        assert!(!view.failed, "{view:?}");
    }
}

impl Camera for Boom {
    fn look(&mut self, place: &mut Place, pivot: &Pivot) {
        let sweeper = Sweeper::new(&place.world);
        let (direction, dt) = (behind(pivot), TICK as f32);
        let view = self.follow(&sweeper, &mut place.scratch, pivot, direction, AWAY, dt);
        assert!(!view.failed, "{view:?}");
    }
}

fn sims(world: &str) -> Vec<SimJob> {
    let sim = |job| if let Job::Sim(sim) = job { Some(sim) } else { None };
    jobs(world).filter_map(sim).collect()
}

fn main() {
    let rounds = rounds(20);
    let mut all = StepMeasurement::default();
    for world in ["holt", "dungeon"] {
        let mut measurement = StepMeasurement::of(&mut runner(world), &sims(world), rounds);
        measurement.print(&format!("falls in {world}"), Some("sweeps"));
        all.add(measurement);
    }
    all.print("all falls", Some("sweeps"));
    let (mut town, mut dungeon) = (Place::open("holt"), Place::open("dungeon"));
    town.measure("standing in the town", CrowdActivity::Standing, rounds);
    town.measure("walking in the town", CrowdActivity::Walking, rounds);
    dungeon.measure("walking in the dungeon", CrowdActivity::Walking, rounds);
    town.measure("falling over the town", CrowdActivity::Falling, rounds);
    town.measure("asleep in the town", CrowdActivity::Sleeping, rounds);
    town.measure_cameras("a camera in the town", Direct, rounds);
    dungeon.measure_cameras("a camera in the dungeon", Direct, rounds);
    town.measure_cameras("on a boom in the town", Boom::new(AWAY), rounds);
    dungeon.measure_cameras("on a boom in the dungeon", Boom::new(AWAY), rounds);
}
