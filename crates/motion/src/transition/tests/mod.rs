//! Worked examples of movement.
//!
//! One file per subject. [`fixture`] has small worlds, a transition in progress, and a comparison
//! in which everything that an example does not name must be unchanged.

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
