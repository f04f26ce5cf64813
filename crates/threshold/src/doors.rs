//! Doors in the records of a world.
//!
//! In the records doors are static objects that stand open: a setup of one part, with a motion for open and one for closed.
//! [`DoorSetups`] says which setups are doors, finds the door in front of a body, and makes a body of a door, so that it can
//! swing. A [`Realm`](crate::Realm) does all this by itself.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use threshold_dat::{RecordId, Records, Source};
use threshold_land::vector::Vec3;
use threshold_land::{Frame, Position};
use threshold_motion::{Door, Hinge, MoveContext};
use threshold_pose::{Animator, Figure, Interpolation, MotionCommand};
use threshold_world::{BodyId, BodySpec, Object, ObjectId, ObjectKind, PoseError, State, World};

/// Largest horizontal distance of a door that can be used, in metres.
const MAX_REACH: f32 = 2.8;
/// Largest vertical distance of a door that can be used, in metres.
const MAX_RISE: f32 = 2.5;
/// Horizontal distance within which a door can be used in any direction, in metres.
const NEAR_REACH: f32 = 0.8;
/// Cosine of the largest angle between the view and a door that can be used.
const MIN_COSINE: f32 = 0.2;
/// Height over the feet from which a door is looked for, in metres.
const HAND_HEIGHT: f32 = 1.65 * 0.6;

/// How a door swings.
#[derive(Clone, Copy, Debug)]
struct Swing {
    /// Pose of the leaf when closed.
    closed: Frame,
    /// Angle when open, in degrees to the right seen from above.
    degrees: f32,
    seconds: f32,
}

/// Which setups of a source are doors, and how they swing.
pub struct DoorSetups {
    source: Arc<dyn Source>,
    /// Swing of each setup read so far; `None` for setups that are not doors.
    swings: BTreeMap<RecordId, Option<Swing>>,
    /// Errors of records that cannot be read or used, not yet reported.
    faults: Vec<String>,
}

impl fmt::Debug for DoorSetups {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DoorSetups").field("swings", &self.swings).finish_non_exhaustive()
    }
}

impl DoorSetups {
    /// Reads setups from a source, each when it is first asked for.
    pub fn new(source: &Arc<dyn Source>) -> Self {
        Self { source: Arc::clone(source), swings: BTreeMap::new(), faults: Vec::new() }
    }

    /// Takes the errors of records that could not be read since the last call.
    pub fn take_faults(&mut self) -> Vec<String> {
        std::mem::take(&mut self.faults)
    }

    /// Returns whether a setup is a door. One that cannot be read is none, and its error is kept for
    /// [`take_faults`](Self::take_faults).
    pub fn is_door(&mut self, setup: RecordId) -> bool {
        self.swing(setup).is_some()
    }

    /// Returns the nearest door, static or a body, within reach of a body at a position that looks in a direction.
    pub fn nearest(&mut self, world: &World, from: &Position, ahead: Vec3) -> Option<ObjectId> {
        let mut hand = *from;
        hand.frame.origin += Vec3::Z * HAND_HEIGHT;
        let mut found: Option<(f32, ObjectId)> = None;
        let level_ahead = ahead.truncate().normalize_or_zero();
        for object in world.objects() {
            let offset = hand.offset_to(object.position());
            let (level, distance) = (offset.truncate(), offset.truncate().length());
            let is_far = distance > MAX_REACH || offset.z.abs() > MAX_RISE;
            if is_far || !self.is_door(object.setup().id) {
                continue;
            }
            let cosine = level.normalize_or_zero().dot(level_ahead);
            let is_in_front = distance < NEAR_REACH || cosine > MIN_COSINE;
            if is_in_front && found.is_none_or(|(nearest, _)| distance < nearest) {
                found = Some((distance, object.id()));
            }
        }
        found.map(|(_, object)| object)
    }

    /// Makes a body of a door that was taken out of its piece ([`Piece::take_objects`](threshold_world::Piece::take_objects)), and
    /// inserts it into the world, open as in the records. `None` for an object that is no door, or cannot turn; then
    /// [`take_faults`](Self::take_faults) has the reason.
    pub fn insert_door(
        &mut self,
        context: &mut MoveContext<'_>,
        object: &Object,
        body: BodyId,
    ) -> Option<Door> {
        let swing = self.swing(object.setup().id)?;
        context.world.insert(BodySpec {
            body,
            setup: Arc::new(object.setup().clone()),
            position: *object.position(),
            scale: object.scale(),
            state: State::default(),
            kind: ObjectKind::Thing,
        });
        let door = swing.open_door(context, body);
        door.map_err(|error| {
            self.faults.push(format!("{}: {error}", object.setup().id));
            // Cannot fail: the body was inserted just now.
            let _ = context.world.remove(body);
        })
        .ok()
    }

    fn swing(&mut self, setup: RecordId) -> Option<Swing> {
        let Self { source, swings, faults, .. } = self;
        let read = || {
            let figure = Figure::load(&mut Records::new(&**source), setup);
            let figure = figure.unwrap_or_else(|error| {
                faults.push(error.to_string());
                None
            });
            let figure = figure?;
            faults.extend(figure.faults().iter().map(ToString::to_string));
            swing_of(figure)
        };
        *swings.entry(setup).or_insert_with(read)
    }
}

impl Swing {
    /// Makes an open door of a body; fails if the body has no part that turns, or its pose is not valid.
    fn open_door(&self, context: &mut MoveContext<'_>, body: BodyId) -> Result<Door, PoseError> {
        context.world.pose_part(body, 0, self.closed)?;
        let hinge = Hinge { part: 0, swing: self.degrees };
        let mut door = Door::new(context.world, body, &[hinge], self.seconds)?;
        door.open(context)?;
        door.update(context, self.seconds)?;
        Ok(door)
    }
}

/// Returns how a figure swings, if it is a door: one part with an open and a closed pose.
fn swing_of(figure: Figure) -> Option<Swing> {
    if figure.parts() != 1
        || !figure.has_motion(MotionCommand::ON)
        || !figure.has_motion(MotionCommand::OFF)
    {
        return None;
    }
    let pose = |command: MotionCommand| {
        let mut parts = Vec::new();
        figure.pose(command, 1.0, 0.0, Interpolation::Smooth, &mut parts);
        parts.first().copied()
    };
    let (closed, open) = (pose(MotionCommand::OFF)?, pose(MotionCommand::ON)?);
    let turn = (open.heading() - closed.heading() + 540.0).rem_euclid(360.0) - 180.0;
    let mut animator = Animator::starting_in(Arc::new(figure), MotionCommand::OFF, 0.0);
    animator.change(MotionCommand::ON, 0.0);
    #[allow(clippy::cast_possible_truncation, reason = "a second or two")]
    let seconds = animator.arrival() as f32;
    Some(Swing { closed, degrees: turn, seconds })
}
