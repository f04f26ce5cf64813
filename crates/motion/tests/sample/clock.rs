//! A body that goes through time.

use threshold_forge::Forge;
use threshold_land::glam::Vec3;
use threshold_land::{BlockId, Rotation};
use threshold_motion::{Events, UpdateReport};
use threshold_world::State;

use super::made::plain;
use super::{WALKING, Walk};

pub(crate) const BLOCK: BlockId = BlockId(0xA9B4);
/// A quantum.
pub(crate) const TICK: f32 = 1.0 / 30.0;

/// Level ground.
pub(crate) fn level() -> Walk {
    Walk::made(plain(&[BLOCK.0]).finish().unwrap())
}

/// Ground that rises to the east, so many heights of 2 m a cell, from the second column on to the seventh.
pub(crate) fn slope(rise: i32) -> Forge {
    let mut forge = plain(&[]);
    forge.block(BLOCK).heights(|x, _| rise * (x - 1).clamp(0, 6));
    forge
}

pub(crate) fn update(walk: &mut Walk, now: f64) -> UpdateReport {
    walk.body.update(&mut walk.world, walk.rules, &mut walk.scratch, now).unwrap()
}

/// A quantum of a thirtieth of a second.
pub(crate) fn tick(walk: &mut Walk) -> Events {
    walk.body.step(&mut walk.world, walk.rules, &mut walk.scratch, TICK).unwrap()
}

/// Turns it to a heading, in degrees.
pub(crate) fn face(walk: &mut Walk, heading: f32) {
    walk.world.turn(WALKING, Rotation::from_heading(heading)).unwrap();
}

pub(crate) fn set_state(walk: &mut Walk, state: State) {
    walk.world.set_state(WALKING, state).unwrap();
}

#[track_caller]
pub(crate) fn check_near(got: Vec3, want: Vec3, tolerance: f32, what: &str) {
    assert!((got - want).abs().max_element() <= tolerance, "{what}: {got} instead of {want}");
}
