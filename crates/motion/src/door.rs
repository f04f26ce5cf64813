//! Doors: bodies with hinged parts that let movers pass while open.

use smallvec::SmallVec;
use threshold_land::vector::Vec3;
use threshold_land::{Frame, Rotation};
use threshold_world::{BodyId, PoseError, UnknownBody, World};

use crate::body::Body;
use crate::context::MoveContext;

/// A part that turns about its own vertical axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hinge {
    /// Index of the part.
    pub part: usize,
    /// Angle from closed to open, in degrees, clockwise seen from above.
    pub swing: f32,
}

/// State of a door.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DoorState {
    /// Closed and solid.
    Closed,
    /// Its leaves turn; movers pass through them.
    Opening,
    /// Movers pass through it.
    Open,
    /// Its leaves turn; movers still pass through them.
    Closing,
    /// Closed, but a mover overlaps it: it stays passable until none does. Retail:
    /// `CHECK_ETHEREAL`.
    Held,
}

/// A door: opens and closes a body of the world.
///
/// It is ethereal while open or moving, and solid again once closed and no mover overlaps it.
#[derive(Clone, Debug)]
pub struct Door {
    body: Body,
    leaves: SmallVec<[Leaf; 2]>,
    /// 0 closed, 1 open.
    openness: f32,
    /// Seconds it takes to open.
    seconds: f32,
    target_open: bool,
    solid: bool,
}

/// A hinge and the pose of its part when closed.
#[derive(Clone, Copy, Debug)]
struct Leaf {
    hinge: Hinge,
    closed_pose: Frame,
}

impl Door {
    /// Makes a door of a body that is in the world, closed. Opening takes `seconds`.
    pub fn new(
        world: &World,
        body: BodyId,
        hinges: &[Hinge],
        seconds: f32,
    ) -> Result<Self, PoseError> {
        let object = world.body(body).ok_or(UnknownBody(body))?;
        let parts = object.setup().parts.len();
        let leaf = |hinge: &Hinge| match object.part_pose(hinge.part) {
            Some(closed_pose) => Ok(Leaf { hinge: *hinge, closed_pose }),
            None => Err(PoseError::NoSuchPart { body, part: hinge.part, parts }),
        };
        let leaves = hinges.iter().map(leaf).collect::<Result<_, _>>()?;
        Ok(Self {
            body: Body::new(body),
            leaves,
            openness: 0.0,
            seconds,
            target_open: false,
            solid: true,
        })
    }

    /// The body whose parts are the leaves.
    pub fn body(&self) -> BodyId {
        self.body.id
    }

    /// Returns its state.
    pub fn state(&self) -> DoorState {
        match (self.target_open, self.openness) {
            (true, open) if open >= 1.0 => DoorState::Open,
            (true, _) => DoorState::Opening,
            (false, open) if open > 0.0 => DoorState::Closing,
            (false, _) if self.solid => DoorState::Closed,
            (false, _) => DoorState::Held,
        }
    }

    /// Returns how far it is open, 0 to 1.
    pub fn openness(&self) -> f32 {
        self.openness
    }

    /// Starts to open; the door is passable from now on.
    pub fn open(&mut self, context: &mut MoveContext<'_>) -> Result<(), UnknownBody> {
        self.target_open = true;
        self.solid = false;
        self.set_ethereal(context, true).map(|_| ())
    }

    /// Starts to close.
    pub fn close(&mut self) {
        self.target_open = false;
    }

    /// Turns the leaves for `dt` seconds, and makes the door solid once it is closed and no mover
    /// overlaps it. Returns the new state.
    pub fn update(
        &mut self,
        context: &mut MoveContext<'_>,
        dt: f32,
    ) -> Result<DoorState, PoseError> {
        let change = if self.seconds > 0.0 { dt.max(0.0) / self.seconds } else { 1.0 };
        let open = if self.target_open { self.openness + change } else { self.openness - change }
            .clamp(0.0, 1.0);
        if open != self.openness {
            self.openness = open;
            for leaf in &self.leaves {
                context.world.pose_part(self.body.id, leaf.hinge.part, leaf.pose(open))?;
            }
        }
        if self.state() == DoorState::Held {
            self.solid = self.set_ethereal(context, false)?;
        }
        Ok(self.state())
    }

    /// Sets the body ethereal or solid. The door retries by itself, so the body's clock plays no
    /// part.
    fn set_ethereal(
        &mut self,
        context: &mut MoveContext<'_>,
        ethereal: bool,
    ) -> Result<bool, UnknownBody> {
        self.body.set_ethereal(context, ethereal, 0.0)
    }
}

impl Leaf {
    fn pose(&self, open: f32) -> Frame {
        let angle = -(self.hinge.swing * open).to_radians();
        match Rotation::from_scaled_axis(Vec3::new(0.0, 0.0, angle)) {
            Some(turn) => self.closed_pose.combine(&Frame { origin: Vec3::ZERO, rotation: turn }),
            None => self.closed_pose,
        }
    }
}
