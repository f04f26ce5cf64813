//! Doors: bodies whose parts turn, and that let others pass while they are open.

use smallvec::SmallVec;
use threshold_land::glam::Vec3;
use threshold_land::{Frame, Rotation};
use threshold_world::{BodyId, PoseError, UnknownBody, World};

use crate::body::Body;
use crate::context::MoveContext;

/// A part that turns about its own upright axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hinge {
    /// The part.
    pub part: usize,
    /// How far it turns to open, in degrees: to the right seen from above.
    pub swing: f32,
}

/// How a door is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DoorState {
    /// Shut and solid.
    Closed,
    /// Its leaves turn; others pass.
    Opening,
    /// Others pass.
    Open,
    /// Its leaves turn; others still pass.
    Closing,
    /// Shut, but somebody stands in it: others pass until nobody does. Retail: `CHECK_ETHEREAL`.
    Held,
}

/// A door: opens and closes a body of the world.
///
/// While it is open or moves others pass through it; once it is shut it is solid, as soon as nobody stands in it.
#[derive(Clone, Debug)]
pub struct Door {
    body: Body,
    leaves: SmallVec<[Leaf; 2]>,
    /// How far it is open, 0 to 1.
    open: f32,
    /// In how many seconds it opens.
    seconds: f32,
    opens: bool,
    solid: bool,
}

/// A hinge, and how its part stands when shut.
#[derive(Clone, Copy, Debug)]
struct Leaf {
    hinge: Hinge,
    shut: Frame,
}

impl Door {
    /// Makes a door of a body that stands in the world, shut. It takes so many seconds to open.
    pub fn new(
        world: &World,
        body: BodyId,
        hinges: &[Hinge],
        seconds: f32,
    ) -> Result<Self, PoseError> {
        let object = world.body(body).ok_or(UnknownBody(body))?;
        let parts = object.setup().parts.len();
        let leaf = |hinge: &Hinge| match object.part_pose(hinge.part) {
            Some(shut) => Ok(Leaf { hinge: *hinge, shut }),
            None => Err(PoseError::NoSuchPart { body, part: hinge.part, parts }),
        };
        let leaves = hinges.iter().map(leaf).collect::<Result<_, _>>()?;
        Ok(Self { body: Body::new(body), leaves, open: 0.0, seconds, opens: false, solid: true })
    }

    /// The body that is its leaves.
    pub fn body(&self) -> BodyId {
        self.body.id
    }

    /// How it is.
    pub fn state(&self) -> DoorState {
        match (self.opens, self.open) {
            (true, open) if open >= 1.0 => DoorState::Open,
            (true, _) => DoorState::Opening,
            (false, open) if open > 0.0 => DoorState::Closing,
            (false, _) if self.solid => DoorState::Closed,
            (false, _) => DoorState::Held,
        }
    }

    /// How far it is open, 0 to 1.
    pub fn openness(&self) -> f32 {
        self.open
    }

    /// Begins to open; from now on others pass.
    pub fn open(&mut self, context: &mut MoveContext<'_>) -> Result<(), UnknownBody> {
        self.opens = true;
        self.solid = false;
        self.switch(context, true).map(|_| ())
    }

    /// Begins to close.
    pub fn close(&mut self) {
        self.opens = false;
    }

    /// Turns the leaves for so many seconds, and is solid again once it is shut and nobody stands in it. Returns
    /// how it is then.
    pub fn update(
        &mut self,
        context: &mut MoveContext<'_>,
        dt: f32,
    ) -> Result<DoorState, PoseError> {
        let way = if self.seconds > 0.0 { dt.max(0.0) / self.seconds } else { 1.0 };
        let open = if self.opens { self.open + way } else { self.open - way }.clamp(0.0, 1.0);
        if open != self.open {
            self.open = open;
            for leaf in &self.leaves {
                context.world.pose_part(self.body.id, leaf.hinge.part, leaf.turned(open))?;
            }
        }
        if self.state() == DoorState::Held {
            self.solid = self.switch(context, false)?;
        }
        Ok(self.state())
    }

    /// The door asks again itself: the body's own time plays no part.
    fn switch(
        &mut self,
        context: &mut MoveContext<'_>,
        ethereal: bool,
    ) -> Result<bool, UnknownBody> {
        self.body.set_ethereal(context, ethereal, 0.0)
    }
}

impl Leaf {
    fn turned(&self, open: f32) -> Frame {
        let angle = -(self.hinge.swing * open).to_radians();
        match Rotation::from_scaled_axis(Vec3::new(0.0, 0.0, angle)) {
            Some(turn) => self.shut.combine(&Frame { origin: Vec3::ZERO, rotation: turn }),
            None => self.shut,
        }
    }
}
