//! Retail's constants of movement.

use threshold_land::Sphere;
use threshold_land::glam::Vec3;

/// How far a mover that is not on walkable ground looks down or climbs, in metres. Retail: 0x3D23D70A.
pub const PROBE_HEIGHT: f32 = 0.04;

/// Sub-steps of one sweep; a move that takes more is refused (rule `step_cap`).
pub const MAX_SUB_STEPS: u32 = 30;

/// Sub-steps of one sweep where [`MAX_SUB_STEPS`] does not hold: more than a kilometre for a camera. Retail has no such
/// bound.
pub const UTMOST_SUB_STEPS: u32 = 4_096;

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

/// How often, and how closely, a perfect clip is bisected. Retail: `BSPTREE::adjust_to_plane`.
pub(crate) const CLIP_ATTEMPTS: u32 = 15;
pub(crate) const CLIP_BRACKET: f64 = 0.02;
