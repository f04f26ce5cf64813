//! Movement constants of the retail client.

use threshold_land::Sphere;
use threshold_land::vector::Vec3;

/// Step height of a mover that is not on walkable ground, up and down, in metres. Retail:
/// 0x3D23D70A.
pub const PROBE_HEIGHT: f32 = 0.04;

/// Maximum sub-steps of one sweep; a longer move is refused (rule `step_cap`).
pub const MAX_SUB_STEPS: u32 = 30;

/// Maximum sub-steps of one sweep where [`MAX_SUB_STEPS`] does not hold: more than a kilometre for
/// a camera. Retail has no such bound.
pub const MAX_UNCAPPED_SUB_STEPS: u32 = 4_096;

/// Insert attempts per sub-step. Retail: the argument of `transitional_insert`.
pub const INSERT_ATTEMPTS: u32 = 3;

/// Insert attempts of a step down.
pub const STEP_DOWN_ATTEMPTS: u32 = 5;

/// Sphere of a mover whose setup has none. Retail: `dummy_sphere`.
pub const DUMMY_SPHERE: Sphere = Sphere::new(Vec3::new(0.0, 0.0, 0.1), 0.1);

/// Maximum spheres of a mover: one at the feet, one at the head.
pub const MAX_SPHERES: usize = 2;

/// Part of the speed into a surface that is reflected, 0 to 1. Retail: `DEFAULT_ELASTICITY`.
pub const DEFAULT_ELASTICITY: f32 = 0.05;

/// Maximum elasticity that retail allows.
pub const MAX_ELASTICITY: f32 = 0.1;

/// Part of the speed along the ground that is lost per second, 0 to 1.
pub const DEFAULT_FRICTION: f32 = 0.95;

/// Gravity, in metres per second squared.
pub const GRAVITY: f32 = -9.8;

/// Maximum speed of any body, in metres per second.
pub const TERMINAL_SPEED: f32 = 50.0;

/// Speed below which a body stops, in metres per second.
pub const SMALL_SPEED: f32 = 0.25;

/// Speed of walking forward, in metres per second.
pub const WALK_SPEED: f32 = 3.12;

/// Speed of running forward at run rate 1, in metres per second.
pub const RUN_SPEED: f32 = 4.0;

/// Run skill from which the run rate is [`RUN_RATE_CAP`].
pub const RUN_SKILL_CAP: f32 = 800.0;

/// Maximum run rate.
pub const RUN_RATE_CAP: f32 = 4.5;

/// Speed of sidestepping, in metres per second.
pub const SIDESTEP_SPEED: f32 = 1.25;

/// Minimum jump height, in metres.
pub const MIN_JUMP_HEIGHT: f32 = 0.35;

/// Minimum time between two updates, in seconds.
pub const MIN_QUANTUM: f64 = 1.0 / 30.0;

/// Maximum quantum, in seconds; a longer time is divided (O1).
pub const MAX_QUANTUM: f64 = 0.2;

/// Time from which an update is skipped instead of simulated, in seconds.
pub const HUGE_QUANTUM: f64 = 2.0;

/// Maximum time step of a body, in seconds: a day. A longer one is refused, since the body's clock
/// would then be ahead of every later time.
pub const MAX_STEP_TIME: f32 = 86_400.0;

/// Radius of the camera sphere, in metres. Retail: `viewer_sphere`.
pub const VIEWER_RADIUS: f32 = 0.3;

/// Radius of the sphere swept along a line of sight, in metres.
pub const SIGHT_RADIUS: f32 = 0.1;

/// Jump speed of a body without a jump skill, in metres per second.
pub(crate) const DEFAULT_JUMP_SPEED: f32 = 10.0;

/// Speed away from the ground from which friction does not apply, in metres per second.
pub(crate) const LEAVING_SPEED: f32 = 0.25;

/// Sled friction (O5). A sled slower than `SLED_SLOW` sticks. One faster than `SLED_FAST`, on
/// ground steeper than `SLED_SLOPE`, has friction `SLED_FRICTION`. Speeds in metres per second; the
/// slope is the cosine of 10 degrees.
pub(crate) const SLED_SLOW: f32 = 1.25;
pub(crate) const SLED_FAST: f32 = 2.5;
pub(crate) const SLED_SLOPE: f32 = 0.984_808;
pub(crate) const SLED_FRICTION: f32 = 0.2;

/// Attempts to push a placed mover out of walls. Retail: `BSPTREE::placement_insert`.
pub const PUSH_ATTEMPTS: u32 = 20;

/// Attempts and precision of the bisection of a perfect clip. Retail: `BSPTREE::adjust_to_plane`.
pub(crate) const CLIP_ATTEMPTS: u32 = 15;
pub(crate) const CLIP_BRACKET: f64 = 0.02;
