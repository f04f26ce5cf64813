//! Landing: the player comes to where the camera flies.

use threshold_land::glam::Vec3;
use threshold_land::{Position, Rotation};
use threshold_motion::{Mover, Search, Stance, Sweeper};

use super::camera::Mode;
use super::player::EYES;
use super::session::{Happened, Session};
use super::travel::Way;

/// How far below the eye room for the feet is looked for, in metres: a person's height, or less under a low ceiling or over a table.
const BELOW_EYE: [f32; 3] = [EYES, 1.0, 0.4];
/// The ground is looked for in steps of this length, in metres; a sweep takes no more than thirty sub-steps.
const DROP: f32 = 4.0;
/// The ground is looked for in this many steps at most: higher than any mountain over the sea.
const MAX_DROPS: usize = 200;
/// Whatever comes down by less than this in a step rests, in metres.
const RESTS: f32 = 0.01;

impl Session {
    /// Has the player land where the camera flies, with the next frame.
    pub(crate) fn ask_to_land(&mut self) {
        match self.camera.mode {
            Mode::Flight => self.lands = true,
            _ => self.say("you are not flying; F flies".to_owned()),
        }
    }

    /// Lands, if that was asked for; where that is impossible it says why.
    pub(super) fn land(&mut self, happened: &mut Happened) {
        if !std::mem::take(&mut self.lands) {
            return;
        }
        let Some(eye) = self.camera.flies_at() else { return };
        let landed = self.landing_place(&eye).and_then(|mut place| {
            let from = self.at();
            place.frame.rotation = Rotation::from_heading(self.camera.heading);
            let at = self.put_player(&place, happened).map_err(|error| error.to_string())?;
            Ok((from, at))
        });
        match landed {
            Ok((from, at)) => {
                self.history.arrive(Way::New, from, at);
                self.camera.toggle_flight();
            }
            Err(why) => self.say(format!("you cannot land here: {why}")),
        }
    }

    /// Where the player stands that comes straight down from an eye.
    fn landing_place(&mut self, eye: &Position) -> Result<Position, String> {
        let mover =
            self.player.body.mover(&self.world).ok_or("the walker is not in the world yet")?;
        // A lost body cannot be swept. The probe starts in the cell of the eye, whatever became of the body.
        let mut mover =
            Mover { stance: Stance::default(), velocity: Vec3::ZERO, lost: false, ..mover };
        let sweeper = Sweeper { world: &self.world, rules: self.rules };
        let scratch = &mut self.scratch;
        let placed = BELOW_EYE.iter().find_map(|height| {
            let mut feet = *eye;
            feet.frame.origin.z -= height;
            let placed = sweeper.place(scratch, &mut (), &mover, &feet, Search::Here);
            (placed.is_ok() && placed.cell.is_some()).then_some(placed)
        });
        let placed = placed.ok_or("there is no room to stand")?;
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
                return Err("nothing is known of what is below".to_owned());
            }
            let by = at.offset_to(&fallen.position);
            mover.stance = fallen.stance;
            at = fallen.position;
            if by.length() < RESTS && !mover.stance.on_walkable {
                return Err("what is below is too steep to stand on".to_owned());
            }
        }
        Err("there is no ground below".to_owned())
    }
}
