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

use threshold_dat::Placement;

use crate::error::ForgeError;
use crate::model::{Assembly, Made, Moves, Object, creature, thing_model};

/// The figure, with the shapes of the mover to bump into.
pub(crate) fn make() -> Result<Made, ForgeError> {
    let mut models = Vec::new();
    for thing in body::models() {
        models.push(thing_model(&thing)?.0);
    }
    let Object::Creature { radius, height, step_up, step_down } = Object::MOVER else {
        unreachable!("the mover is a creature")
    };
    let mut setup = creature(radius, height, [step_up, step_down]);
    let standing = skeleton::frames(&gait::standing(0.0));
    setup.placements = vec![Placement { key: 0, frames: standing.into(), hooks: [].into() }];
    let moves = Some(Moves { animations: table::animations(), table: table::table() });
    let parts = skeleton::PARTS.map(body::model_of).to_vec();
    Ok(Made { models, setup: Some(Assembly { setup, parts, moves }) })
}
