//! A crowd in the built-in world.

use std::sync::Arc;

use threshold_forge::MOVER;
use threshold_land::Position;
use threshold_land::vector::Vec3;
use threshold_motion::{Body, Crowd, Gait, Jump, MoveContext, Rules, Search, SweepScratch};
use threshold_world::{BodyId, BodySpec, ObjectKind, PlayerStatus, Setup, State, World};

use crate::hash::ResultHasher;
use crate::made::MadeScene;
use crate::random::SplitMix;
use crate::{Progress, Scope, Section, VerifyError};

/// Number of bodies.
const BODIES: u32 = 1_500;

/// Ticks a second.
const TICK_RATE: u32 = 30;

/// One in this number of bodies is a creature, which others collide with.
const CREATURE_INTERVAL: u32 = 8;

/// Random positions tried before a body counts as having no room.
const MAX_TRIES: u32 = 200;

/// Height above the surface at which bodies are placed, in metres.
const SPAWN_HEIGHT: f32 = 0.02;

/// Upward part of the normal below which a surface is too steep to place a body on.
const MIN_UPWARD: f32 = 0.7;

/// Speed below which a walking body counts as stuck, in metres per second.
const STUCK_SPEED: f32 = 0.5;

impl Scope {
    /// Duration of the crowd's walk, in ticks.
    const fn ticks(self) -> u32 {
        match self {
            Self::Quick => TICK_RATE,
            Self::Full => 30 * TICK_RATE,
        }
    }
}

/// A triangle to place bodies on.
struct SpawnTriangle {
    /// First corner, with the cell.
    corner: Position,
    /// Offsets of the other corners from the first.
    edges: [Vec3; 2],
}

/// Moves the crowd and hashes its state after each tick.
pub(crate) fn run(
    scope: Scope,
    scene: &mut MadeScene,
    progress: &mut dyn FnMut(Progress),
) -> Result<ResultHasher, VerifyError> {
    let total = (BODIES + scope.ticks()) as usize;
    let mut report = |done: u32| {
        progress(Progress { section: Section::Crowd, done: done as usize, total });
    };
    let mut hasher = ResultHasher::default();
    let mut crowd = place_bodies(scene, &mut report)?;
    hasher.long(crowd.hash(&scene.world).0);
    for tick in 0..scope.ticks() {
        for body in crowd.bodies_mut() {
            decide(body, &scene.world, tick);
        }
        let now = f64::from(tick + 1) / f64::from(TICK_RATE);
        let events = crowd.update(&mut scene.world, Rules::default(), now);
        hasher.count(events.len());
        events.iter().for_each(|(body, _)| hasher.word(body.0));
        hasher.long(crowd.hash(&scene.world).0);
        report(BODIES + tick + 1);
    }
    add_positions(&mut hasher, &scene.world);
    Ok(hasher)
}

/// Adds the final positions as they are: the state hash of a crowd has 64 bits only.
fn add_positions(hasher: &mut ResultHasher, world: &World) {
    for object in world.bodies() {
        let Position { cell, frame } = object.position();
        hasher.cell(*cell);
        hasher.floats(frame.origin.to_array());
        hasher.floats(frame.rotation.to_array());
    }
}

fn place_bodies(scene: &mut MadeScene, report: &mut dyn FnMut(u32)) -> Result<Crowd, VerifyError> {
    let (rooms, streets) = (floors(&scene.world), streets(&scene.world));
    let setup = scene.setup(MOVER)?;
    let (mut crowd, mut scratch) = (Crowd::new(), SweepScratch::new());
    for number in 0..BODIES {
        let mut random = SplitMix::of_body(number, u32::MAX);
        let triangles = if number % 2 == 0 { &rooms } else { &streets };
        let mut context = MoveContext::new(&mut scene.world, Rules::default(), &mut scratch);
        let body = (0..MAX_TRIES).find_map(|_| {
            let position = random_position(triangles, &mut random)?;
            enter(&mut context, &setup, number, position)
        });
        crowd.insert(body.ok_or(VerifyError::NoRoom(number))?);
        report(number + 1);
    }
    Ok(crowd)
}

/// Returns the triangles of the floors of all rooms.
fn floors(world: &World) -> Vec<SpawnTriangle> {
    let mut triangles = Vec::new();
    for room in world.lands().flat_map(|land| world.rooms(land.block())) {
        for polygon in room.structure().physics.polygons().iter() {
            let corners: Vec<Vec3> =
                polygon.vertices.iter().map(|corner| room.to_block(*corner)).collect();
            let Some((first, rest)) = corners.split_first() else { continue };
            let corner = Position::new(room.id(), *first);
            let edges = rest.windows(2).map(|pair| [pair[0] - *first, pair[1] - *first]);
            triangles.extend(edges.filter_map(|edges| SpawnTriangle::flat(corner, edges)));
        }
    }
    triangles
}

/// Returns the triangles of the ground of landblocks with buildings, where bodies meet.
fn streets(world: &World) -> Vec<SpawnTriangle> {
    let mut triangles = Vec::new();
    for land in world.blocks_with_buildings() {
        for cell in (0..).map_while(|index| land.cell(index)) {
            for half in [0, 1] {
                let [a, b, c] = land.terrain().triangle(2 * cell.index() + half);
                let corner = Position::new(cell.id(), a);
                triangles.extend(SpawnTriangle::flat(corner, [b - a, c - a]));
            }
        }
    }
    triangles
}

impl SpawnTriangle {
    /// Makes a triangle, unless it is steep or empty.
    fn flat(corner: Position, edges: [Vec3; 2]) -> Option<Self> {
        let normal = edges[0].cross(edges[1]);
        let is_flat = normal.z > MIN_UPWARD * normal.length();
        is_flat.then_some(Self { corner, edges })
    }
}

fn random_position(triangles: &[SpawnTriangle], random: &mut SplitMix) -> Option<Position> {
    let index = random.below(u32::try_from(triangles.len()).ok().filter(|count| *count > 0)?);
    let SpawnTriangle { corner, edges: [a, b] } = &triangles[index as usize];
    let (mut u, mut v) = (random.fraction(), random.fraction());
    if u + v > 1.0 {
        (u, v) = (1.0 - u, 1.0 - v);
    }
    let mut position = *corner;
    position.frame.origin += *a * u + *b * v + Vec3::new(0.0, 0.0, SPAWN_HEIGHT);
    position.frame.rotation = random.rotation();
    Some(position)
}

/// Places a body. Returns `None`, and leaves the world as it was, where it cannot stand.
fn enter(
    context: &mut MoveContext<'_>,
    setup: &Arc<Setup>,
    number: u32,
    position: Position,
) -> Option<Body> {
    let kind = match number.is_multiple_of(CREATURE_INTERVAL) {
        true => ObjectKind::Creature,
        false => ObjectKind::Player(PlayerStatus::Peaceful),
    };
    let state = State::GRAVITY.with(State::EDGE_SLIDE, true);
    let id = BodyId(number);
    let spec = BodySpec { body: id, setup: setup.clone(), position, scale: 1.0, state, kind };
    let mut body = Body::new(id);
    let (outcome, _) = body.enter(context, spec, Search::Here, 0.0);
    let stands = outcome.is_ok() && outcome.cell.is_some() && body.stance.on_walkable;
    if !stands {
        // A body in the air is in the world; one without room is not.
        let _ = context.world.remove(id);
    }
    stands.then_some(body)
}

/// Sets the gait of a body at the start of a tick: it walks, runs, sidesteps and jumps, and turns
/// when it is stuck.
fn decide(body: &mut Body, world: &World, tick: u32) {
    let mut habit = SplitMix::of_body(body.id.0, u32::MAX - 1);
    let (period, phase) = (20 + habit.below(50), habit.below(70));
    let mut random = SplitMix::of_body(body.id.0, tick);
    if tick == 0 || (tick + phase).is_multiple_of(period) {
        let turn = random.between(-60.0, 60.0);
        let gait = match random.below(10) {
            0 => Gait { sideways: random.between(-1.0, 1.0), ..Gait::walk() },
            1..=3 => Gait::run(random.between(1.0, 2.5)),
            _ => Gait::walk(),
        };
        body.gait = Some(Gait { turn, ..gait });
        if random.below(8) == 0 {
            let jump = Jump { extent: random.fraction(), skill: 100.0, ..Jump::default() };
            // Fails in the air.
            let _ = body.jump(world, &jump, f64::from(tick) / f64::from(TICK_RATE));
        }
    } else if (tick + phase).is_multiple_of(8) && is_stuck(body) {
        body.gait = Some(Gait { turn: random.between(90.0, 240.0), ..Gait::stand() });
    }
}

fn is_stuck(body: &Body) -> bool {
    let is_walking = body.gait.is_some_and(|gait| gait.forward != 0.0 || gait.sideways != 0.0);
    is_walking && body.actual_velocity.length_squared() < STUCK_SPEED * STUCK_SPEED
}
