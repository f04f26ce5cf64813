//! Worked examples of movement.
//!
//! A file a subject. [`fixture`] has what they share: small worlds, a transition under way, and a comparison that
//! holds everything that an example does not name to what it was.

mod cylinder;
mod fixture;
mod ground;
mod object;
mod place;
mod placement;
mod seam;
mod setters;
mod slide;
mod sphere;
mod steps;
mod trace;
mod tree;
mod trees;
mod validate;
mod walker;
