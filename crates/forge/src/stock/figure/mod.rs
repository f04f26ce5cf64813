//! A human that walks: a body of fifteen parts, a skeleton that moves them, and the motions of a mover.
//!
//! ```text
//!  gait, air: Pose (where pelvis and feet are, how arms and head turn)
//!      --> skeleton: angles of the joints --> a frame for each part --> table: animations and their commands
//! ```

mod air;
mod body;
mod gait;
mod pose;
mod skeleton;
mod table;
#[cfg(test)]
mod tests;

use threshold_dat::{Location, Placement};
use threshold_land::Frame;
use threshold_land::vector::Vec3;

use crate::tool::error::ForgeError;
use crate::tool::model::{
    Assembly, MotionRecords, ObjectRecords, ObjectSpec, creature, thing_model,
};

/// Hand positions for held objects: the palms of the right and the left hand. Retail: `PARENT_LOCATION`.
fn holding() -> Vec<Location> {
    let palm = Frame::at(Vec3::new(0.0, 0.03, -0.09));
    [(1, 8), (2, 5)].map(|(key, part)| Location { key, part, frame: palm }).into()
}

/// Returns the figure, with the collision shapes of the mover.
pub(crate) fn make() -> Result<ObjectRecords, ForgeError> {
    let mut models = Vec::new();
    for thing in body::models() {
        models.push(thing_model(&thing)?.0);
    }
    let ObjectSpec::Creature { radius, height, step_up, step_down } = ObjectSpec::MOVER else {
        unreachable!("the mover is a creature")
    };
    let mut setup = creature(radius, height, [step_up, step_down]);
    let standing = skeleton::frames(&gait::standing(0.0));
    setup.placements = vec![Placement { key: 0, frames: standing.into(), hooks: [].into() }];
    setup.holding_locations = holding();
    let moves = Some(MotionRecords { animations: table::animations(), table: table::table() });
    let parts = skeleton::PARTS.map(body::model_of).to_vec();
    Ok(ObjectRecords { models, setup: Some(Assembly { setup, parts, moves }) })
}
