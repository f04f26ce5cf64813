//! Landing: places the player on the ground below the flying camera.

use threshold_land::vector::Vec3;
use threshold_land::{Position, Rotation};
use threshold_motion::{Mover, Search, Stance, Sweeper};

use super::{FrameEvents, Session};
use crate::camera::{CameraMode, EyeSweeper};
use crate::player::EYE_HEIGHT;
use crate::standing::known_obstacle;
use crate::travel::JourneyKind;

/// Distances below the eye at which placement is tried, in metres: the height of the eyes, or less under a low ceiling or over a table.
const FEET_BELOW_EYE: [f32; 3] = [EYE_HEIGHT, 1.0, 0.4];
/// Horizontal distances from the eye at which placement is tried, in metres: under it, then clear of a wall beside it.
const DISTANCES_ASIDE: [f32; 4] = [0.0, 0.3, 0.7, 1.2];
/// Number of directions tried at each distance.
const DIRECTIONS: u8 = 8;
/// Length of one sweep down, in metres. Longer would exceed the sub-step limit of a sweep; shorter takes more sweeps.
const DROP: f32 = 4.0;
/// Most sweeps down: together they are longer than any mountain is high.
const MAX_DROPS: usize = 200;
/// Length below which a sweep down counts as at rest, in metres.
const MIN_DROP: f32 = 0.01;

impl<P> Session<P> {
    /// Lands the player below the flying camera with the next frame.
    pub fn request_landing(&mut self) {
        match self.camera.mode {
            CameraMode::Flight => self.is_landing_requested = true,
            _ => self.post_message("you are not flying; F flies".to_owned()),
        }
    }

    /// Lands if that was requested, or posts the reason why that is impossible.
    pub(super) fn land_if_requested(&mut self, frame: &mut FrameEvents) {
        if !std::mem::take(&mut self.is_landing_requested) {
            return;
        }
        let Some(eye) = self.camera.flight_position() else { return };
        let landed = self.landing_position(&eye).and_then(|mut place| {
            let from = self.position();
            place.frame.rotation = Rotation::from_heading(self.camera.heading);
            let at = self.place_player(&place, frame).map_err(|error| error.to_string())?;
            Ok((from, at))
        });
        match landed {
            Ok((from, at)) => {
                self.history.note_arrival(JourneyKind::New, from, at);
                self.camera.toggle_flight();
            }
            Err(reason) => self.post_message(format!("cannot land here: {reason}")),
        }
    }

    /// Finds the position in which the player stands after a fall straight down from an eye.
    fn landing_position(&mut self, eye: &Position) -> Result<Position, String> {
        let mover =
            self.player.body.mover(&self.world).ok_or("the player is not in the world yet")?;
        // A lost body cannot be swept. This mover starts in the cell of the eye instead.
        let mut mover =
            Mover { stance: Stance::default(), velocity: Vec3::ZERO, lost: false, ..mover };
        let sweeper = Sweeper { world: &self.world, rules: self.rules };
        let scratch = &mut self.scratch;
        let placed = offsets_aside().find_map(|offset| {
            // The eye is swept aside, so no wall lies between it and the place.
            let aside = EyeSweeper { sweeper: &sweeper, scratch }.sweep(*eye, offset)?;
            FEET_BELOW_EYE.iter().find_map(|height| {
                let mut feet = aside;
                feet.frame.origin.z -= height;
                let placed = sweeper.place(scratch, &mut (), &mover, &feet, Search::Here);
                (placed.is_ok() && placed.cell.is_some()).then_some(placed)
            })
        });
        let reason = || known_obstacle(&self.world, eye).unwrap_or("there is no room to stand");
        let placed = placed.ok_or_else(reason)?;
        let mut at = placed.position;
        mover.stance = placed.stance;
        for _ in 0..MAX_DROPS {
            if mover.stance.on_walkable {
                return Ok(at);
            }
            let mut to = at;
            to.frame.origin.z -= DROP;
            let fallen = sweeper.sweep(scratch, &mut (), &mover, &at, &to);
            if !fallen.is_ok() || fallen.cell.is_none() {
                return Err("the land below is not loaded".to_owned());
            }
            let offset = at.offset_to(&fallen.position);
            mover.stance = fallen.stance;
            at = fallen.position;
            if offset.length() < MIN_DROP && !mover.stance.on_walkable {
                return Err("the ground below is too steep to stand on".to_owned());
            }
        }
        Err("there is no ground below".to_owned())
    }
}

/// Returns the offsets from the eye at which placement is tried, the nearest first.
fn offsets_aside() -> impl Iterator<Item = Vec3> {
    DISTANCES_ASIDE.into_iter().flat_map(|distance| {
        let directions = if distance == 0.0 { 1 } else { DIRECTIONS };
        (0..directions).map(move |number| {
            let angle = std::f32::consts::TAU * f32::from(number) / f32::from(DIRECTIONS);
            Vec3::new(libm::sinf(angle), libm::cosf(angle), 0.0) * distance
        })
    })
}
