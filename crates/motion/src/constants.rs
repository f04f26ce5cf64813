//! Retail's constants of movement.

use threshold_land::Sphere;
use threshold_land::glam::Vec3;

/// How far a mover that is not on walkable ground looks down or climbs, in metres. Retail: 0x3D23D70A.
pub const PROBE_HEIGHT: f32 = 0.04;

/// Sub-steps of one sweep; a move that takes more is refused (rule `step_cap`).
pub const MAX_SUB_STEPS: u32 = 30;

/// Sub-steps of one sweep where [`MAX_SUB_STEPS`] does not hold: more than a kilometre for a camera. Retail has no such
/// bound.
pub const MAX_UNCAPPED_SUB_STEPS: u32 = 4_096;

/// How often a sub-step tries to find a place. Retail: the argument of `transitional_insert`.
pub const INSERT_ATTEMPTS: u32 = 3;

/// The same while looking for ground below.
pub const STEP_DOWN_ATTEMPTS: u32 = 5;

/// What moves and has no sphere of its own moves with this one. Retail: `dummy_sphere`.
pub const DUMMY_SPHERE: Sphere = Sphere::new(Vec3::new(0.0, 0.0, 0.1), 0.1);

/// A mover has at most so many spheres: one at the feet, one at the head.
pub const MAX_SPHERES: usize = 2;

/// How much of the speed into a surface comes back out of it. Retail: `DEFAULT_ELASTICITY`.
pub const DEFAULT_ELASTICITY: f32 = 0.05;

/// The largest elasticity that retail allows.
pub const MAX_ELASTICITY: f32 = 0.1;

/// How much of the speed along the ground is lost in a second.
pub const DEFAULT_FRICTION: f32 = 0.95;

/// What pulls down, in metres a second squared.
pub const GRAVITY: f32 = -9.8;

/// Nothing goes faster, in metres a second.
pub const TERMINAL_SPEED: f32 = 50.0;

/// What is no faster does not move at all, in metres a second.
pub const SMALL_SPEED: f32 = 0.25;

/// Walking ahead, in metres a second.
pub const WALK_SPEED: f32 = 3.12;

/// Running ahead at rate 1, in metres a second.
pub const RUN_SPEED: f32 = 4.0;

/// From this run skill on the rate is [`RUN_RATE_CAP`].
pub const RUN_SKILL_CAP: f32 = 800.0;

/// The highest run rate.
pub const RUN_RATE_CAP: f32 = 4.5;

/// Walking sideways, in metres a second.
pub const SIDESTEP_SPEED: f32 = 1.25;

/// The lowest jump, in metres.
pub const MIN_JUMP_HEIGHT: f32 = 0.35;

/// The shortest time between two updates, in seconds.
pub const MIN_QUANTUM: f64 = 1.0 / 30.0;

/// The longest quantum, in seconds; more time takes several. (O1).
pub const MAX_QUANTUM: f64 = 0.2;

/// A longer hitch is not made up for, in seconds.
pub const HUGE_QUANTUM: f64 = 2.0;

/// The longest step a body takes at once, in seconds: a day. A longer one is refused, since the clock of the body would be
/// ahead of every time that comes.
pub const MAX_STEP_TIME: f32 = 86_400.0;

/// The camera, as a sphere round its eye. Retail: `viewer_sphere`.
pub const VIEWER_RADIUS: f32 = 0.3;

/// How thick a line of sight is: the radius of what is swept along it, in metres.
pub const SIGHT_RADIUS: f32 = 0.1;

/// How fast what nobody is asked about jumps up, in metres a second.
pub(crate) const DEFAULT_JUMP_SPEED: f32 = 10.0;

/// What leaves the ground as fast, in metres a second, is not rubbed by it.
pub(crate) const LEAVING_SPEED: f32 = 0.25;

/// A sled that is slower sticks; one that is faster, on ground as steep, is hardly rubbed (O5). In metres a second,
/// the cosine of 10 degrees, and the friction then.
pub(crate) const SLED_SLOW: f32 = 1.25;
pub(crate) const SLED_FAST: f32 = 2.5;
pub(crate) const SLED_SLOPE: f32 = 0.984_808;
pub(crate) const SLED_FRICTION: f32 = 0.2;

/// How often a mover that is put somewhere is pushed out of walls. Retail: `BSPTREE::placement_insert`.
pub const PUSH_ATTEMPTS: u32 = 20;

/// How often, and how closely, a perfect clip is bisected. Retail: `BSPTREE::adjust_to_plane`.
pub(crate) const CLIP_ATTEMPTS: u32 = 15;
pub(crate) const CLIP_BRACKET: f64 = 0.02;
