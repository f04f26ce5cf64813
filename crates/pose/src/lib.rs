//! Animation of figures: the pose of each part at a moment of a motion.
//!
//! ```
//! use std::sync::Arc;
//! use threshold_dat::Records;
//! use threshold_forge::{Forge, MOVER};
//! use threshold_pose::{Animator, Figure, MotionCommand};
//!
//! let world = Forge::dressed(1).finish()?;
//! let figure = Figure::load(&mut Records::new(&world), MOVER)?.unwrap();
//! let mut animator = Animator::new(Arc::new(figure), 0.0);
//! animator.change(MotionCommand::WALK_FORWARD, 1.0);
//! let mut frames = Vec::new();
//! animator.pose(1.5, &mut frames);
//! assert_eq!(frames.len(), 15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Figure`] holds the motions of a setup, loaded once and shared; an [`Animator`] plays them for one object. Frames are
//! in the object's space before scaling; the world frame of a part is `object.combine_scaled(&frame, scale)`.
//!
//! A missing or invalid record costs only the motion that needs it: the nearest frame of the animation, the default motion
//! of the figure, or its static pose is shown instead.
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod animator;
mod clip;
mod figure;
mod motion_command;
#[cfg(test)]
mod tests;

pub use self::animator::Animator;
pub use self::figure::Figure;
pub use self::motion_command::MotionCommand;

/// Display between two frames of an animation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// Interpolates, with a short cross-fade where a motion does not begin in the pose of the last one. Retail does neither.
    #[default]
    Smooth,
    /// Shows the earlier frame, as in retail.
    Stepped,
}
