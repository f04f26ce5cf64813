//! Movement through the cell world of Asheron's Call, as in the retail client.
//!
//! A mover is one sphere or two. A sweep moves it from one position towards another in sub-steps no
//! longer than its radius, and handles steps up and down, slides, edges, and collisions with
//! terrain, rooms, buildings and objects. **The cell is carried through the sweep.** It changes
//! only where the mover's centre crosses into another cell and the sub-step is accepted; it is
//! never looked up from a point.
//!
//! # One move
//!
//! [`Body::move_by`] moves a [`Body`] in a [`World`](threshold_world::World) by an offset and
//! returns the changes as [`Event`]s.
//!
//! ```
//! use threshold_forge::{MOVER, samples};
//! use threshold_land::vector::Vec3;
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
//! let offset = Vec3::new(0.4, 0.0, 0.0);
//! let mut context = MoveContext::new(&mut world, Rules::default(), &mut scratch);
//! let (outcome, events) = body.move_by(&mut context, offset)?;
//! assert!(events.contains(&Event::CellChanged { from: Some(west), to: Some(east) }));
//! assert!(outcome.stance.on_walkable);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Moving in time
//!
//! A [`Body`] has a velocity, a clock and, if it walks, a [`Gait`]. [`Body::update`] advances it to
//! a time in retail's quanta: gravity, friction, walking, bounces, landing. The time is an
//! argument. A [`Gate`] limits physics to thirty updates a second, and a [`Track`] interpolates
//! bodies for display.
//!
//! ```
//! use threshold_forge::{MOVER, samples};
//! use threshold_land::vector::Vec3;
//! use threshold_land::{CellId, Position};
//! use threshold_motion::{Body, Event, Gait, Jump, Rules, SweepScratch, Search, MoveContext};
//! use threshold_world::{BodyId, BodySpec, Builder, ObjectKind, State, World};
//!
//! # let builder = Builder::new(samples::two_rooms()?);
//! # let mut world = World::new();
//! # for piece in builder.pieces() {
//! #     builder.build(piece)?.into_iter().for_each(|built| world.adopt(built.piece));
//! # }
//! // Enters near a position: pushed out of walls, then placed on the ground.
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
//! let mut context = MoveContext::new(&mut world, rules, &mut scratch);
//! let (placed, _) = body.enter(&mut context, spec, Search::Around, 0.0);
//! assert!(placed.is_ok() && placed.stance.on_walkable);
//!
//! // Jumps while walking, and lands.
//! body.jump(&world, &Jump::default(), 0.0)?;
//! let mut landed = None;
//! for tick in 1..=30 {
//!     let mut context = MoveContext::new(&mut world, rules, &mut scratch);
//!     let updated = body.update(&mut context, f64::from(tick) / 30.0)?;
//!     landed = landed.or(updated.events.iter().find_map(|event| match event {
//!         Event::Landed { speed } => Some(*speed),
//!         _ => None,
//!     }));
//! }
//! assert!(landed.is_some_and(|speed| (2.0..3.5).contains(&speed)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Placement, sight, cameras, doors
//!
//! | | |
//! |---|---|
//! | [`Sweeper::place`], [`Sweeper::scatter`] | find room for a mover at or near a position; [`Body::enter`], [`Body::set_position`], [`Body::teleport`] and [`Body::leave`] commit it |
//! | [`Sweeper::can_stand`] | whether a mover can stand at a position |
//! | [`Sweeper::line_of_sight`] | whether one point can be seen from another |
//! | [`Sweeper::view`], [`Boom`] | the camera: position and cell of its eye, never behind a wall |
//! | [`ViewRoot`] | whether a frame starts in the camera's cell, as in retail, or in the player's |
//! | [`Door`] | a body with hinged parts, solid again once closed and no mover overlaps it |
//!
//! # Many bodies
//!
//! [`Sweeper::sweep`] reads the world and changes nothing, and its [`Outcome`] borrows nothing.
//! Movers can therefore be swept in parallel, each thread with its own [`SweepScratch`]; [`commit`]
//! then applies the outcomes one by one, in the order of the bodies. A commit edits lists and
//! searches nothing, except the cells of a body with a physics tree, such as a door. For bodies in
//! time the two halves are [`Body::resolve`] and [`Body::commit`].
//!
//! A [`Crowd`] does all of that, on all cores with the feature `rayon`. The result does not depend
//! on the number of threads, and [`Crowd::hash`] identifies it. Two bodies that meet within one
//! quantum may overlap until the next; retail moved them one after the other.
//!
//! A sweep cannot fail with an error. It is [`refused`](Outcome::refused) where it cannot take
//! place. A blocked mover was swept and is back where it was; if it continues against the same
//! wall, nothing is left of its move, and that is refused. Where cells are not resident the mover
//! is lost, or held at their edge, as the rule `unloaded` decides.
//!
//! Cells guarded by an object are entered as the [`EntryRules`](threshold_world::EntryRules) of the
//! world permit; without such rules every mover may enter.
//!
//! # Following a body
//!
//! [`Event::CellChanged`] is reported for every change of cell, with `None` outside the world and
//! for a lost body. A listener that receives only the events of a body always knows its cell.
//! [`Event::Lost`] is reported once, when a body becomes lost.
//!
//! # State of a mover
//!
//! A [`Mover`] holds everything that decides where a sweep ends: its [`MoverShape`], its state
//! (gravity, missile, ethereal, edge slide), its kind, and its [`Stance`], the contact plane and
//! sliding normal that one sweep leaves to the next. Retail keeps many values beside a flag and
//! reads the value even where the flag is off; such pairs are kept.
//!
//! | | retail | here |
//! |---|---|---|
//! | sweep | `CPhysicsObj::transition`, `CTransition` | [`Sweeper::sweep`] |
//! | mover | `OBJECTINFO` | [`Mover`], [`Flags`] |
//! | sweep path | `SPHEREPATH` | private |
//! | collisions | `COLLISIONINFO` | [`Outcome`], [`Stance`] |
//! | result of an insert attempt | `TransitionState` | [`Insert`] |
//! | commit | `SetPositionInternal`, `handle_all_collisions` | [`commit`] |
//! | quantum | `UpdateObjectInternal` | [`Body::resolve`], [`Body::commit`] |
//! | placement | `SetPosition` | [`Sweeper::place`] |
//! | camera | `SmartBox::update_viewer` | [`Sweeper::view`] |
//!
//! # Rules
//!
//! Where sources disagree about retail, [`Rules`] has a switch; [`RULES`] describes them all.
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
//! # Probes
//!
//! A [`SweepProbe`] receives every event of a sweep: sub-steps, tested cells and their results,
//! contacts, and cell arrays with the reason for each cell. `()` receives nothing and costs
//! nothing. The crate `threshold-why` explains in words what stopped a mover, and where.
//!
//! # Speed and exactness
//!
//! A sweep allocates nothing after warm-up and uses no hash container. It computes in single
//! precision in retail's order of operations, so the same input gives the same bits on every
//! machine. [`Shortcuts`] skip work whose result is already known; with any of them off every
//! outcome keeps its bits.
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
mod shortcuts;
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
pub use shortcuts::Shortcuts;
pub use sight::{Sight, SightExclusions};
pub use sweep::{SweepScratch, Sweeper};
pub use track::{DISPLAY_DELAY, Track};

pub use smallvec;
