//! The camera: first person, third person, and flight.

use serde::{Deserialize, Serialize};
use threshold_land::vector::Vec3;
use threshold_land::{Position, Rotation};
use threshold_motion::{Boom, Pivot, SweepScratch, Sweeper, View, ViewRoot};

use crate::intent::Intent;
use crate::player::{EYE_HEIGHT, PLAYER};

/// How the camera follows the player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CameraMode {
    /// Through the player's eyes.
    First,
    /// Over the player's shoulder.
    #[default]
    Third,
    /// Anywhere, while the player's body stays where it is.
    Flight,
}

/// Speeds of flight, in metres per second: slow and fast.
const FLIGHT_SPEEDS: [f32; 2] = [6.0, 30.0];
/// Largest pitch up or down, in degrees.
const MAX_PITCH: f32 = 88.0;
/// Shortest and longest distance of the third-person camera, in metres.
const DISTANCES: [f32; 2] = [0.8, 12.0];
/// An eye nearer to the head than this would see the inside of the player's figure, in metres.
const MIN_FIGURE_DISTANCE: f32 = 0.7;

/// A camera with its settings.
#[derive(Debug)]
pub struct Camera {
    /// How it follows the player.
    pub mode: CameraMode,
    /// The last mode that was not flight: a flight ends in it.
    walking: CameraMode,
    /// Degrees to the right of north.
    pub heading: f32,
    /// Degrees up.
    pub pitch: f32,
    /// Preferred distance behind the head, in metres; walls may bring the camera nearer.
    pub distance: f32,
    /// Cell in which the portal walk starts, while not flying.
    pub root: ViewRoot,
    boom: Boom,
    /// Position of the eye in flight.
    flight: Option<Position>,
    /// The last viewpoint of a mode that is not flight.
    last: Option<Viewpoint>,
}

/// State of the player that the camera follows.
#[derive(Clone, Copy, Debug)]
pub struct CameraTarget<'a> {
    /// Position of the body, with the cell that its moves have carried it into.
    pub position: Position,
    /// Position at which the body is drawn, between two moves.
    pub shown: Position,
    /// Offset of the centre of the lowest sphere from the feet, in metres. The cell of the body contains this point.
    pub centre: Vec3,
    /// Input of the frame; it moves the camera in flight.
    pub intent: &'a Intent,
}

/// An eye and its direction.
#[derive(Clone, Copy, Debug)]
pub struct Viewpoint {
    /// The eye, with the cell it is in.
    pub eye: Position,
    /// Direction, of unit length.
    pub ahead: Vec3,
    /// Whether the eye is so near to the player's head that the figure is not drawn.
    pub is_first_person: bool,
}

impl Camera {
    /// Makes a camera that faces north.
    pub fn new(mode: CameraMode) -> Self {
        Self {
            mode,
            walking: if mode == CameraMode::Flight { CameraMode::default() } else { mode },
            heading: 0.0,
            pitch: 0.0,
            distance: 3.2,
            root: ViewRoot::default(),
            boom: Boom::new(0.0),
            flight: None,
            last: None,
        }
    }

    /// Returns the current mode, or in flight the one that the flight ends in.
    pub fn walking_mode(&self) -> CameraMode {
        if self.mode == CameraMode::Flight { self.walking } else { self.mode }
    }

    /// Starts a flight, or ends it in the mode from before.
    pub fn toggle_flight(&mut self) {
        let walking = self.walking_mode();
        self.mode = if self.mode == CameraMode::Flight { walking } else { CameraMode::Flight };
        self.walking = walking;
    }

    /// Returns the position of the eye in flight; `None` in other modes.
    pub(crate) fn flight_position(&self) -> Option<Position> {
        self.flight.filter(|_| self.mode == CameraMode::Flight)
    }

    /// Turns to the right and up, in degrees.
    pub fn turn(&mut self, right: f32, up: f32) {
        self.heading = (self.heading + right).rem_euclid(360.0);
        self.pitch = (self.pitch + up).clamp(-MAX_PITCH, MAX_PITCH);
    }

    /// Turns to the heading of a position and forgets the eye, as after a teleport.
    pub fn face(&mut self, at: &Position) {
        (self.heading, self.pitch) = (at.frame.heading(), 0.0);
        self.boom.length = 0.0;
        (self.flight, self.last) = (None, None);
    }

    /// Moves the third-person camera nearer (positive) or farther away; other modes ignore it.
    pub fn zoom(&mut self, steps: f32) {
        if self.mode != CameraMode::Third {
            return;
        }
        let [min, max] = DISTANCES;
        self.distance = (self.distance * libm::powf(0.88, steps)).clamp(min, max);
    }

    /// Returns the eye with the root cell of the portal walk.
    ///
    /// `committed` is the position of the player's body, if it is in a cell. In flight the root is always the cell of the eye: the player
    /// may be anywhere.
    pub fn root_eye(&self, viewpoint: &Viewpoint, committed: Option<Position>) -> Position {
        let view = View { eye: viewpoint.eye, distance: 0.0, stopped: None, failed: false };
        match committed {
            Some(committed) if self.mode != CameraMode::Flight => self.root.eye(&view, &committed),
            _ => viewpoint.eye,
        }
    }

    /// Returns the direction of the view, of unit length.
    pub fn direction(&self) -> Vec3 {
        let [(sin, cos), (up, level)] = [self.heading, self.pitch]
            .map(|angle| (libm::sinf(angle.to_radians()), libm::cosf(angle.to_radians())));
        Vec3::new(sin * level, cos * level, up)
    }

    /// Moves the camera for a frame of `dt` seconds. Returns `None` until the player's head has been in a cell once.
    pub fn update(
        &mut self,
        sweeper: &Sweeper<'_>,
        scratch: &mut SweepScratch,
        target: &CameraTarget<'_>,
        dt: f32,
    ) -> Option<Viewpoint> {
        let ahead = self.direction();
        let mut eyes = EyeSweeper { sweeper, scratch };
        if self.mode == CameraMode::Flight {
            let from = self.flight.or(self.last.map(|last| last.eye));
            let from = from.or_else(|| eyes.head(target))?;
            let eye = eyes.slide(from, self.flight_velocity(target.intent) * dt);
            self.flight = Some(eye);
            return Some(Viewpoint { eye, ahead, is_first_person: false });
        }
        self.walking = self.mode;
        self.flight = None;
        match self.follow(&mut eyes, target, dt) {
            Some(viewpoint) => self.last = Some(viewpoint),
            // Without a cell around the head the eye stays where it was.
            None => self.last = self.last.map(|last| Viewpoint { ahead, ..last }),
        }
        self.last
    }

    /// Returns the viewpoint in first or third person. The sweep of the eye starts in the cell of the body.
    fn follow(
        &mut self,
        eyes: &mut EyeSweeper<'_, '_>,
        target: &CameraTarget<'_>,
        dt: f32,
    ) -> Option<Viewpoint> {
        let ahead = self.direction();
        let head = eyes.head(target)?;
        if self.mode == CameraMode::First {
            self.boom.length = 0.0;
            return Some(Viewpoint { eye: head, ahead, is_first_person: true });
        }
        let length = self.boom.length;
        let EyeSweeper { sweeper, scratch } = eyes;
        let view = self.boom.follow(sweeper, scratch, &pivot(head), -ahead, self.distance, dt);
        if view.failed {
            self.boom.length = length;
            return None;
        }
        let is_first_person = view.distance < MIN_FIGURE_DISTANCE;
        Some(Viewpoint { eye: view.eye, ahead, is_first_person })
    }

    fn flight_velocity(&self, intent: &Intent) -> Vec3 {
        let ahead = self.direction();
        let right = ahead.cross(Vec3::Z).normalize_or_zero();
        let direction = ahead * intent.ahead + right * intent.aside + Vec3::Z * intent.up;
        let [slow, fast] = FLIGHT_SPEEDS;
        direction.normalize_or_zero() * if intent.run { fast } else { slow }
    }
}

/// Returns a pivot at a position with a known cell.
fn pivot(position: Position) -> Pivot {
    let mut player = position;
    player.frame.rotation = Rotation::IDENTITY;
    Pivot { player, body: Some(PLAYER), head: Vec3::ZERO }
}

/// Sweeps eyes, so that each eye carries its cell. A cell looked up from a point would confuse rooms that overlap.
pub(crate) struct EyeSweeper<'a, 'w> {
    pub(crate) sweeper: &'a Sweeper<'w>,
    pub(crate) scratch: &'a mut SweepScratch,
}

impl EyeSweeper<'_, '_> {
    /// Returns the head of the drawn player with its cell; `None` if the body is in no cell.
    ///
    /// The sweep goes from the lowest sphere up to the head, then by the offset between the body and where it is drawn.
    fn head(&mut self, target: &CameraTarget<'_>) -> Option<Position> {
        let CameraTarget { position, shown, centre, .. } = *target;
        let mut middle = position;
        middle.frame.origin += centre;
        let head = self.sweep(middle, Vec3::Z * EYE_HEIGHT - centre)?;
        self.sweep(head, position.offset_to(&shown)).or(Some(head))
    }

    /// Sweeps an eye by an offset, up to the first obstacle.
    pub(crate) fn sweep(&mut self, from: Position, offset: Vec3) -> Option<Position> {
        let view = self.sweeper.view(self.scratch, &pivot(from), offset);
        (!view.failed).then_some(view.eye)
    }

    /// Sweeps an eye by an offset, and slides it along obstacles.
    fn slide(&mut self, from: Position, offset: Vec3) -> Position {
        if offset == Vec3::ZERO {
            return from;
        }
        let mut eye = from;
        let mut left = offset;
        // Two walls lead into a corner, where the third sweep ends.
        for _ in 0..3 {
            let view = self.sweeper.view(self.scratch, &pivot(eye), left);
            if view.failed {
                break;
            }
            left -= eye.offset_to(&view.eye);
            eye = view.eye;
            match view.stopped {
                Some(normal) => left -= normal * left.dot(normal).min(0.0),
                None => break,
            }
        }
        eye
    }
}
