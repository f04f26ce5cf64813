//! Bodies that are updated quantum by quantum, on level and sloping ground.

use threshold_forge::Forge;
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, Rotation};
use threshold_motion::{Events, MoveContext, UpdateReport};
use threshold_world::State;

use crate::layouts::plain;
use crate::walk::{WALKER, Walk};

/// The landblock of the ground.
pub const BLOCK: BlockId = BlockId(0xA9B4);
/// One quantum, in seconds.
pub const TICK: f32 = 1.0 / 30.0;

/// Makes a world of level ground.
pub fn level() -> Walk {
    Walk::from_source(plain(&[BLOCK.0]).finish().unwrap())
}

/// Makes ground that rises to the east from the second column to the seventh, by `rise` heights of 2 m a cell.
pub fn slope(rise: i32) -> Forge {
    let mut forge = plain(&[]);
    forge.block(BLOCK).heights(|x, _| rise * (x - 1).clamp(0, 6));
    forge
}

/// Updates the body up to a time.
pub fn update(walk: &mut Walk, now: f64) -> UpdateReport {
    walk.body
        .update(&mut MoveContext::new(&mut walk.world, walk.rules, &mut walk.scratch), now)
        .unwrap()
}

/// Steps the body by one [`TICK`].
pub fn tick(walk: &mut Walk) -> Events {
    walk.body
        .step(&mut MoveContext::new(&mut walk.world, walk.rules, &mut walk.scratch), TICK)
        .unwrap()
}

/// Turns the body to a heading, in degrees.
pub fn face(walk: &mut Walk, heading: f32) {
    walk.world.turn(WALKER, Rotation::from_heading(heading)).unwrap();
}

/// Sets the state of the body.
pub fn set_state(walk: &mut Walk, state: State) {
    walk.world.set_state(WALKER, state).unwrap();
}

/// Checks a vector, each axis to a tolerance.
#[track_caller]
pub fn check_near(got: Vec3, want: Vec3, tolerance: f32, what: &str) {
    assert!((got - want).abs().max_element() <= tolerance, "{what}: {got} instead of {want}");
}
