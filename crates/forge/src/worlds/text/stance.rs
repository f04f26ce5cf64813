//! Where something stands, and how it is turned.

use threshold_land::glam::{Vec2, Vec3};
use threshold_land::{Frame, Rotation};

use super::lexer::Place;
use super::limits;
use super::words::{Text, Words};

/// The options that say where something stands.
pub(super) const OPTIONS: [&str; 5] = ["at", "up", "heading", "tilt", "turn"];

/// What was said of where something stands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stance {
    at: Option<At>,
    /// Metres over that.
    up: f32,
    heading: Option<f32>,
    tilt: Option<f32>,
    turn: Option<Rotation>,
}

/// A place of which the height may be that of the ground.
#[derive(Clone, Copy, Debug)]
struct At {
    level: Vec2,
    z: Option<f32>,
    said: Place,
}

impl Stance {
    /// Reads one of the [`OPTIONS`].
    pub(super) fn option(&mut self, key: &str, words: &mut Words<'_>) -> Text<()> {
        let said = words.here();
        match key {
            "at" => {
                let (level, z) = words.two_or_three("a place")?;
                self.at = Some(At { level: level.into(), z, said });
            }
            "up" => self.up = words.number("metres up")?,
            "heading" => self.heading = Some(words.number("a heading in degrees")?),
            "tilt" => self.tilt = Some(words.number("a tilt in degrees")?),
            _ => {
                let [w, x, y, z] = words.point::<4>("a rotation w,x,y,z")?;
                let turn = Rotation::new(w, x, y, z).normalised();
                self.turn = Some(turn.ok_or_else(|| said.error("this rotation turns nowhere"))?);
            }
        }
        if self.turn.is_some() && (self.heading.is_some() || self.tilt.is_some()) {
            return Err(said.error("\"turn\" is a whole rotation: no heading or tilt beside it"));
        }
        Ok(())
    }

    fn rotation(&self) -> Rotation {
        if let Some(turn) = self.turn {
            return turn;
        }
        let heading = self.heading.map(Rotation::from_heading);
        let tilt = self
            .tilt
            .and_then(|degrees| Rotation::from_scaled_axis(Vec3::X * degrees.to_radians()));
        match (heading, tilt) {
            (heading, None) => heading.unwrap_or(Rotation::IDENTITY),
            (None, Some(tilt)) => tilt,
            (Some(heading), Some(tilt)) => heading.product(tilt),
        }
    }

    /// In a plan: at its origin unless it was said.
    pub(super) fn in_plan(&self) -> Text<Frame> {
        let origin = match self.at {
            None => Vec3::ZERO,
            Some(At { level, z: Some(z), .. }) => level.extend(z),
            Some(At { said, .. }) => {
                return Err(said.error("a height is missing: places indoors are x,y,z"));
            }
        };
        Ok(Frame { origin: origin + Vec3::Z * self.up, rotation: self.rotation() })
    }

    /// In a landblock, moved so far; on the ground where no height was said. `missing` is where the place should have been said.
    pub(super) fn outdoors(
        &self,
        moved: Vec3,
        missing: Place,
        ground: impl Fn(Vec2) -> Option<f32>,
    ) -> Text<Frame> {
        let Some(At { level, z, said }) = self.at else {
            return Err(missing.error("\"at\" and a place are missing"));
        };
        let level = level + moved.truncate();
        let height = z.or_else(|| ground(level)).ok_or_else(|| {
            let [x, y] = level.to_array();
            said.error(format!("there is no ground at {x},{y}: both are 0 to 192 in a landblock"))
        })?;
        Ok(Frame { origin: level.extend(height + self.up + moved.z), rotation: self.rotation() })
    }
}

/// The options that repeat a statement.
pub(super) const REPEAT: [&str; 2] = ["times", "step"];

/// How often something is made, and how far each is from the one before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Repeat {
    times: usize,
    step: Vec3,
    said: Option<Place>,
}

impl Repeat {
    pub(super) const ONCE: Self = Self { times: 1, step: Vec3::ZERO, said: None };

    /// Reads one of [`REPEAT`].
    pub(super) fn option(&mut self, key: &str, words: &mut Words<'_>) -> Text<()> {
        if key == "times" {
            self.said = Some(words.here());
            self.times = words.count("how often it is repeated", 1..=limits::TIMES)?;
        } else {
            self.step = words.place("a step x,y,z")?;
        }
        Ok(())
    }

    /// How far each is from where the statement says.
    pub(super) fn steps(&self) -> Text<impl Iterator<Item = Vec3> + use<>> {
        let Self { times, step, said } = *self;
        if let Some(place) = said.filter(|_| times > 1 && step == Vec3::ZERO) {
            return Err(
                place.error("\"step\" x,y,z is missing: how far each is from the one before")
            );
        }
        // At most a thousand: exact.
        #[allow(clippy::cast_precision_loss, reason = "a thousand at most")]
        Ok((0..times).map(move |number| step * number as f32))
    }
}
