//! The parts of a figure at a moment of a motion.
//!
//! ```
//! use std::sync::Arc;
//! use threshold_dat::Records;
//! use threshold_forge::{Forge, MOVER};
//! use threshold_render::pose::{Animator, MotionCommand, Figure};
//!
//! let world = Forge::dressed(1).finish()?;
//! let figure = Figure::load(&mut Records::new(&world), MOVER)?.unwrap();
//! let mut acting = Animator::new(Arc::new(figure), 0.0);
//! acting.change(MotionCommand::WALK_FORWARD, 1.0);
//! let mut frames = Vec::new();
//! acting.pose(1.5, &mut frames);
//! assert_eq!(frames.len(), 15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Figure`] is what the records say, loaded once and shared; [`Animator`] is what one figure does. Frames are in the object's
//! space, before its scale: where a part stands in the world is `object.combine_scaled(&frame, scale)`.
//!
//! Records that are not there or make no sense cost the motion that needs them: another frame of the animation, the motion
//! that the figure rests in, or its static pose is shown instead.

mod animator;
mod clip;
mod figure;
mod motion_command;
#[cfg(test)]
mod tests;

pub use self::animator::Animator;
pub use self::figure::Figure;
pub use self::motion_command::MotionCommand;

/// What is shown between two frames of an animation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// Something between them, and a short passage where one motion does not begin as the other ended. Retail does neither.
    #[default]
    Smooth,
    /// The earlier one, as in retail.
    Stepped,
}
