//! Positions, rotations and repeats of placed plans, rooms and things.

use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{Frame, Rotation};

use super::lexer::Place;
use super::limits;
use super::words::{TextResult, Words};

/// The options for position and rotation.
pub(super) const OPTIONS: [&str; 5] = ["at", "up", "heading", "tilt", "turn"];

/// The position and rotation given by a statement.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pose {
    at: Option<MapPoint>,
    /// Metres above `at`.
    up: f32,
    heading: Option<f32>,
    tilt: Option<f32>,
    turn: Option<Rotation>,
}

/// A point; without `z` it lies on the ground.
#[derive(Clone, Copy, Debug)]
struct MapPoint {
    level: Vec2,
    z: Option<f32>,
    place: Place,
}

impl Pose {
    /// Reads one of the [`OPTIONS`].
    pub(super) fn option(&mut self, key: &str, words: &mut Words<'_>) -> TextResult<()> {
        let place = words.here();
        match key {
            "at" => {
                let (level, z) = words.two_or_three("a position")?;
                self.at = Some(MapPoint { level: level.into(), z, place });
            }
            "up" => self.up = words.number("metres up")?,
            "heading" => self.heading = Some(words.number("a heading in degrees")?),
            "tilt" => self.tilt = Some(words.number("a tilt in degrees")?),
            _ => {
                let [w, x, y, z] = words.point::<4>("a rotation w,x,y,z")?;
                let turn = Rotation::new(w, x, y, z).normalised();
                self.turn = Some(turn.ok_or_else(|| place.error("the rotation has zero length"))?);
            }
        }
        if self.turn.is_some() && (self.heading.is_some() || self.tilt.is_some()) {
            return Err(place.error("\"turn\" cannot be combined with heading or tilt"));
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

    /// Returns the frame in a plan; by default its origin.
    pub(super) fn in_plan(&self) -> TextResult<Frame> {
        let origin = match self.at {
            None => Vec3::ZERO,
            Some(MapPoint { level, z: Some(z), .. }) => level.extend(z),
            Some(MapPoint { place, .. }) => {
                return Err(place.error("a height is missing: positions indoors are x,y,z"));
            }
        };
        Ok(Frame { origin: origin + Vec3::Z * self.up, rotation: self.rotation() })
    }

    /// Returns the frame in a landblock, moved by an offset; on the ground if no height is given. `missing` is the place for an
    /// error if no position is given.
    pub(super) fn outdoors(
        &self,
        moved: Vec3,
        missing: Place,
        ground: impl Fn(Vec2) -> Option<f32>,
    ) -> TextResult<Frame> {
        let Some(MapPoint { level, z, place }) = self.at else {
            return Err(missing.error("\"at\" and a position are missing"));
        };
        let level = level + moved.truncate();
        let height = z.or_else(|| ground(level)).ok_or_else(|| {
            let [x, y] = level.to_array();
            place.error(format!("no ground at {x},{y}: coordinates in a landblock are 0 to 192"))
        })?;
        Ok(Frame { origin: level.extend(height + self.up + moved.z), rotation: self.rotation() })
    }
}

/// The options that repeat a statement.
pub(super) const REPEAT: [&str; 2] = ["times", "step"];

/// Number of copies, and the offset from one to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Repeat {
    times: usize,
    step: Vec3,
    place: Option<Place>,
}

impl Repeat {
    pub(super) const ONCE: Self = Self { times: 1, step: Vec3::ZERO, place: None };

    /// Reads one of [`REPEAT`].
    pub(super) fn option(&mut self, key: &str, words: &mut Words<'_>) -> TextResult<()> {
        if key == "times" {
            self.place = Some(words.here());
            self.times = words.count("the number of copies", 1..=limits::TIMES)?;
        } else {
            self.step = words.place("a step x,y,z")?;
        }
        Ok(())
    }

    /// Returns the offset of each copy.
    pub(super) fn steps(&self) -> TextResult<impl Iterator<Item = Vec3> + use<>> {
        let Self { times, step, place } = *self;
        if let Some(place) = place.filter(|_| times > 1 && step == Vec3::ZERO) {
            return Err(
                place.error("\"step\" x,y,z is missing: the offset from one copy to the next")
            );
        }
        // At most a thousand: exact.
        #[allow(clippy::cast_precision_loss, reason = "a thousand at most")]
        Ok((0..times).map(move |number| step * number as f32))
    }
}
