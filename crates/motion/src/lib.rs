//! How it moves: sweeps through the cell world of Asheron's Call, as the retail client made them.
//!
//! A mover is one sphere or two. A sweep takes it from where it is towards where it wants to be: in sub-steps no
//! longer than its radius, along the ground, up and down steps, along walls and edges, against ground, rooms, the
//! shells of buildings and objects. **The cell is carried through the sweep.** It changes where the mover's centre
//! crosses into another cell and the step is accepted, and nowhere else; nothing ever looks a cell up from a point.
//!
//! # One move
//!
//! A [`Body`] in a [`World`](threshold_world::World) is moved by an offset; what became different comes back as
//! [`Event`]s.
//!
//! ```
//! use threshold_forge::{MOVER, samples};
//! use threshold_land::glam::Vec3;
//! use threshold_land::{CellId, Position};
//! use threshold_motion::{Body, Event, Rules, SweepScratch, Stance, MoveContext};
//! use threshold_world::{BodyId, BodySpec, Builder, ObjectKind, State, World};
//!
//! // Two rooms of a dungeon, side by side, with the wall between them open at x = 4.
//! let builder = Builder::new(samples::two_rooms()?);
//! let mut world = World::new();
//! for piece in builder.pieces() {
//!     builder.build(piece)?.into_iter().for_each(|built| world.adopt(built.piece));
//! }
//! let (west, east) = (CellId(0x0102_0100), CellId(0x0102_0101));
//!
//! let walker = BodyId(7);
//! world.insert(BodySpec {
//!     body: walker,
//!     setup: builder.setup(MOVER)?,
//!     position: Position::new(west, Vec3::new(3.8, 2.0, 0.0)),
//!     scale: 1.0,
//!     state: State::GRAVITY.with(State::EDGE_SLIDE, true),
//!     kind: ObjectKind::Creature,
//! });
//! let mut body = Body { stance: Stance::standing(), ..Body::new(walker) };
//! let mut scratch = SweepScratch::new();
//!
//! let by = Vec3::new(0.4, 0.0, 0.0);
//! let (outcome, events) = body.move_by(&mut MoveContext::new(&mut world, Rules::default(), &mut scratch), by)?;
//! assert!(events.contains(&Event::CellChanged { from: Some(west), to: Some(east) }));
//! assert!(outcome.stance.on_walkable);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Moving in time
//!
//! What moves by itself is a [`Body`] with a velocity, a [`Gait`] if it walks, and a clock. [`Body::update`] takes it to
//! a time, in retail's quanta: gravity, friction, walking, bounces, landing. The time is an argument; a [`Gate`] lets physics run
//! thirty times a second, and a [`Track`] shows bodies in between.
//!
//! ```
//! use threshold_forge::{MOVER, samples};
//! use threshold_land::glam::Vec3;
//! use threshold_land::{CellId, Position};
//! use threshold_motion::{Body, Event, Gait, Jump, Rules, SweepScratch, Search, MoveContext};
//! use threshold_world::{BodyId, BodySpec, Builder, ObjectKind, State, World};
//!
//! # let builder = Builder::new(samples::two_rooms()?);
//! # let mut world = World::new();
//! # for piece in builder.pieces() {
//! #     builder.build(piece)?.into_iter().for_each(|built| world.adopt(built.piece));
//! # }
//! // Put near a place: pushed out of walls, stood on the ground.
//! let (rules, mut scratch) = (Rules::default(), SweepScratch::new());
//! let mut body = Body { gait: Some(Gait::walk()), ..Body::new(BodyId(7)) };
//! let spec = BodySpec {
//!     body: BodyId(7),
//!     setup: builder.setup(MOVER)?,
//!     position: Position::new(CellId(0x0102_0100), Vec3::new(2.0, 1.0, 0.3)),
//!     scale: 1.0,
//!     state: State::GRAVITY.with(State::EDGE_SLIDE, true),
//!     kind: ObjectKind::Creature,
//! };
//! let (placed, _) = body.enter(&mut MoveContext::new(&mut world, rules, &mut scratch), spec, Search::Around, 0.0);
//! assert!(placed.is_ok() && placed.stance.on_walkable);
//!
//! // It jumps as it walks, and lands again.
//! body.jump(&world, &Jump::default(), 0.0)?;
//! let mut landed = None;
//! for tick in 1..=30 {
//!     let updated = body.update(&mut MoveContext::new(&mut world, rules, &mut scratch), f64::from(tick) / 30.0)?;
//!     landed = landed.or(updated.events.iter().find_map(|event| match event {
//!         Event::Landed { speed } => Some(*speed),
//!         _ => None,
//!     }));
//! }
//! assert!(landed.is_some_and(|speed| (2.0..3.5).contains(&speed)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Putting, looking, asking
//!
//! | | |
//! |---|---|
//! | [`Sweeper::place`], [`Sweeper::scatter`] | where something would be if it were put there, or why it cannot be; [`Body::enter`], [`Body::set_position`], [`Body::teleport`] and [`Body::leave`] make it so |
//! | [`Sweeper::can_stand`] | can somebody stand here? |
//! | [`Sweeper::line_of_sight`] | can this be seen from there? |
//! | [`Sweeper::view`], [`Boom`] | the camera: where its eye is, and in which cell; never behind a wall |
//! | [`ViewRoot`] | whether a picture starts in the camera's cell, as in retail, or in the player's |
//! | [`Door`] | a body whose parts turn, and that is solid again once nobody stands in it |
//!
//! # Many moves
//!
//! [`Sweeper::sweep`] is a function: it reads the world, changes nothing, and its [`Outcome`] owns what it says. So
//! many movers are swept side by side, each thread with a [`SweepScratch`] of its own, against the world as it was;
//! [`commit`] then makes the outcomes fact one after another, in the order of the bodies. It edits lists and looks for nothing (except that what has a
//! physics tree, such as a door, finds its own cells). For bodies
//! in time these are [`Body::resolve`] and [`Body::commit`].
//!
//! A [`Crowd`] does all of that, with the feature `rayon` on all cores. The result does not depend on the number of threads, and
//! [`Crowd::hash`] is a number for it. (Two bodies that meet within one tick may overlap until the next; retail moved one after the other.)
//!
//! A sweep cannot fail with an error. It is [`refused`](Outcome::refused) where there is nothing to sweep; a
//! mover that is blocked was swept, and is where it was; if it goes on against the same wall, nothing is left of its
//! move, and that is a refusal, too. What is not resident is an answer: the mover is lost or
//! held at the edge, as the rule `unloaded` says.
//!
//! TouchedCells that an object guards are entered as the [`EntryRules`](threshold_world::EntryRules) of the world permit; without rules by every mover.
//!
//! # Following a body
//!
//! [`Event::CellChanged`] is reported for every way into and out of a cell, with `None` for no cell: outside the world, or lost. A
//! listener that hears the events of a body and nothing else always knows its cell. [`Event::Lost`] is reported once, when a body becomes lost.
//!
//! # What decides where a move ends
//!
//! Everything is in the [`Mover`]: its [`MoverShape`], its state (gravity, missiles, ethereal things, edge slides), what
//! it is to others, and its [`Stance`]: what it stands on and slides along, which one sweep leaves to the next. Retail
//! kept many values beside a flag and read the value where the flag was off; such pairs are kept as pairs.
//!
//! | | retail | here |
//! |---|---|---|
//! | a sweep | `CPhysicsObj::transition`, `CTransition` | [`Sweeper::sweep`] |
//! | its mover | `OBJECTINFO` | [`Mover`], [`Flags`] |
//! | its way | `SPHEREPATH` | inside |
//! | what it met | `COLLISIONINFO` | [`Outcome`], [`Stance`] |
//! | how an attempt ended | `TransitionState` | [`Insert`] |
//! | making it fact | `SetPositionInternal`, `handle_all_collisions` | [`commit`] |
//! | a quantum | `UpdateObjectInternal` | [`Body::resolve`], [`Body::commit`] |
//! | a placement | `SetPosition` | [`Sweeper::place`] |
//! | a camera | `SmartBox::update_viewer` | [`Sweeper::view`] |
//!
//! # Rules
//!
//! Where it is disputed what retail did, [`Rules`] has a switch; [`RULES`] describes them all.
//!
//! ```
//! use threshold_motion::{Rules, Sweeper, MoveContext};
//! # let world = threshold_world::World::new();
//! let mut rules = Rules::default();
//! rules.set_text("unloaded=blocked")?;
//! let sweeper = Sweeper { world: &world, rules };
//! # let _ = sweeper;
//! # Ok::<(), threshold_motion::RuleError>(())
//! ```
//!
//! # Watching
//!
//! A [`SweepProbe`] is told everything that happens in a sweep: every sub-step, every cell that was asked and what it answered, every
//! surface that was met, every list of cells with its reasons. `()` watches nothing and costs nothing. The crate `threshold-why` puts it into
//! words: what stopped the mover, and where.
//!
//! # Speed and exactness
//!
//! A sweep allocates nothing after warm-up and hashes nothing. Single precision in retail's order of operations:
//! the same input gives the same bits on every machine. Shortcuts are taken only where the long way has the same
//! answer to the bit: cells are not listed again as long as no distance that decides can have changed its side, and
//! what is out of reach is not asked.
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod body;
mod camera;
mod constants;
mod context;
mod crowd;
mod door;
mod flags;
mod gait;
mod mover;
mod outcome;
mod place;
pub mod probe;
mod rings;
pub mod rules;
mod sight;
mod sweep;
mod track;
mod transition;

pub use body::{
    Body, CollisionRecords, Event, Events, Gate, Jump, JumpRefusal, Obstacle, Quanta, Quantum,
    UpdateReport, commit, jump_speed,
};
pub use camera::{Boom, Pivot, View, ViewRoot};
pub use constants::{
    DEFAULT_ELASTICITY, DEFAULT_FRICTION, DUMMY_SPHERE, GRAVITY, HUGE_QUANTUM, INSERT_ATTEMPTS,
    MAX_ELASTICITY, MAX_QUANTUM, MAX_SPHERES, MAX_STEP_TIME, MAX_SUB_STEPS, MAX_UNCAPPED_SUB_STEPS,
    MIN_JUMP_HEIGHT, MIN_QUANTUM, PROBE_HEIGHT, PUSH_ATTEMPTS, RUN_RATE_CAP, RUN_SKILL_CAP,
    RUN_SPEED, SIDESTEP_SPEED, SIGHT_RADIUS, SMALL_SPEED, STEP_DOWN_ATTEMPTS, TERMINAL_SPEED,
    VIEWER_RADIUS, WALK_SPEED,
};
pub use context::MoveContext;
pub use crowd::{Crowd, StateHash};
pub use door::{Door, DoorState, Hinge};
pub use flags::Flags;
pub use gait::{Gait, Pace, run_rate};
pub use mover::{Mover, MoverShape, Stance, Stationary};
pub use outcome::{
    Insert, NonResidentCells, Outcome, Refusal, TouchedCells, TouchedObject, TouchedObjects,
};
pub use place::{Scatter, Search, StandResult, adjust_position};
pub use probe::{SweepEvent, SweepProbe};
pub use rules::{RULES, Rule, RuleError, Rules};
pub use sight::{Sight, SightExclusions};
pub use sweep::{SweepScratch, Sweeper};
pub use track::{DISPLAY_DELAY, Track};

pub use smallvec;
