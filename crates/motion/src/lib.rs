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
//! use threshold_motion::{Body, Event, Rules, Scratch, Stance};
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
//! let mut scratch = Scratch::new();
//!
//! let by = Vec3::new(0.4, 0.0, 0.0);
//! let (outcome, events) = body.move_by(&mut world, Rules::default(), &mut scratch, by)?;
//! assert!(events.contains(&Event::CellChanged { from: west, to: east }));
//! assert!(outcome.stance.on_walkable);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Many moves
//!
//! [`Sweeper::sweep`] is a function: it reads the world, changes nothing, and its [`Outcome`] owns what it says. So
//! many movers are swept side by side, each thread with a [`Scratch`] of its own, against the world as it was;
//! [`commit`] then makes the outcomes fact one after another, in the order of the bodies. It edits lists and looks for nothing. The
//! result does not depend on the number of threads. (Two bodies that meet within one tick may overlap until the
//! next; retail moved one after the other.)
//!
//! A sweep cannot fail with an error. It is [`refused`](Outcome::refused) where there is nothing to sweep; a
//! mover that is blocked was swept, and is where it was; if it goes on against the same wall, nothing is left of its
//! move, and that is a refusal, too. What is not resident is an answer: the mover is lost or
//! held at the edge, as the rule `unloaded` says.
//!
//! # What decides where a move ends
//!
//! Everything is in the [`Mover`]: its [`Shape`], its state (gravity, missiles, ethereal things, edge slides), what
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
//!
//! # Rules
//!
//! Where it is disputed what retail did, [`Rules`] has a switch; [`RULES`] describes them all.
//!
//! ```
//! use threshold_motion::{Rules, Sweeper};
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
//! A [`Probe`] is told every sub-step, every cell that was asked and what it answered, and every list of cells. `()`
//! watches nothing and costs nothing.
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
mod constants;
mod flags;
mod mover;
mod outcome;
mod probe;
pub mod rules;
mod sweep;
mod transition;

pub use body::{Body, Event, Events, Obstacle, commit};
pub use constants::*;
pub use flags::Flags;
pub use mover::{Mover, Shape, Stance, Stationary};
pub use outcome::{Cells, Insert, Missed, Objects, Outcome, Refusal, Touched};
pub use probe::Probe;
pub use rules::{RULES, Rule, RuleError, Rules};
pub use sweep::{Scratch, Sweeper};

pub use smallvec;

/// The example of the README must keep working.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
