//! The camera: its sweep, and the boom that sets its distance.

use threshold_land::vector::Vec3;
use threshold_land::{Position, block_offset_between};
use threshold_world::BodyId;

use crate::constants::VIEWER_RADIUS;
use crate::mover::Mover;
use crate::place::adjust_position;
use crate::sweep::{SweepScratch, Sweeper};

/// Result of a camera sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Position of the eye, with the cell it was swept into. Retail: `viewer` and `viewer_cell`.
    pub eye: Position,
    /// Distance from the pivot, in metres.
    pub distance: f32,
    /// Normal of the surface that stopped it.
    pub stopped: Option<Vec3>,
    /// There was no cell to sweep from: the eye is at the player's feet. Retail uses the desired
    /// position if it has a cell; here the eye is never behind a wall.
    pub failed: bool,
}

/// Cell in which the portal walk of a frame starts.
///
/// Make a viewer of `threshold-view` from the position that [`eye`](Self::eye) returns. Either way
/// the cell was carried by a sweep and is never looked up from the eye.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ViewRoot {
    /// The cell the camera was swept into. The eye is inside it, so all rooms between camera and
    /// player are drawn. Retail: `SmartBox::viewer_cell`.
    #[default]
    Camera,
    /// The cell the player's body is committed to: the root is always the cell that streaming and
    /// sound use. For cameras that are not swept.
    ///
    /// The eye may be outside that cell: behind a doorway the player has just passed, or in first
    /// person above a hole in the floor. The cell then has the whole screen, and portals that face
    /// away from the eye are skipped, so rooms or landscape between eye and cell are not drawn.
    Player,
}

impl ViewRoot {
    /// Returns the eye with the cell the portal walk starts in, in the frame of that cell's
    /// landblock. `committed` is the player's last committed position.
    pub fn eye(self, view: &View, committed: &Position) -> Position {
        match self {
            Self::Camera => view.eye,
            Self::Player => {
                let mut eye = Position { cell: committed.cell, ..view.eye };
                eye.frame.origin += block_offset_between(committed.cell, view.eye.cell);
                eye
            }
        }
    }
}

/// The point that a camera turns about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pivot {
    /// Position of the player.
    pub player: Position,
    /// The player's body, which does not block the camera.
    pub body: Option<BodyId>,
    /// The player's head, which the camera looks at, in the player's own axes, in metres.
    pub head: Vec3,
}

impl Pivot {
    /// A pivot `height` metres above the player's position.
    pub fn above(player: Position, body: BodyId, height: f32) -> Self {
        Self { player, body: Some(body), head: Vec3::new(0.0, 0.0, height) }
    }
}

impl Sweeper<'_> {
    /// Sweeps a camera from the pivot by an offset in the axes of the landblock, and returns its
    /// view. Nothing about the player changes.
    ///
    /// Retail: `SmartBox::update_viewer`.
    pub fn view(&self, scratch: &mut SweepScratch, pivot: &Pivot, offset: Vec3) -> View {
        let player = pivot.player;
        let mut begin = player;
        begin.frame.origin = player.frame.to_global(pivot.head);
        let failed_view = View { eye: player, distance: 0.0, stopped: None, failed: true };
        // The head may be in another cell than the feet.
        match adjust_position(self.world, &begin, Vec3::ZERO) {
            Some(found) => begin = found,
            None => return failed_view,
        }
        let mut end = begin;
        end.frame.origin += offset;
        let mover = Mover { body: pivot.body, ..Mover::viewer(VIEWER_RADIUS) };
        let outcome = self.sweep_camera(scratch, &mut (), &mover, &begin, &end);
        if !outcome.is_ok() || outcome.cell.is_none() {
            return failed_view;
        }
        let distance = begin.offset_to(&outcome.position).length();
        if !distance.is_finite() {
            return failed_view;
        }
        View { eye: outcome.position, distance, stopped: outcome.hit, failed: false }
    }
}

/// Controls the distance between pivot and camera. It shortens at once, so that the eye is never
/// behind a wall, and lengthens smoothly, towards a desired length that may change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Boom {
    /// Current length, in metres.
    pub length: f32,
    /// Time constant of lengthening, in seconds: the difference falls to a third in this time. 0
    /// lengthens at once; a large value keeps the camera close long after the obstacle has gone.
    pub ease: f32,
}

/// Maximum length of a boom, in metres.
const MAX_BOOM_LENGTH: f32 = 1000.0;

impl Boom {
    /// A boom of this length, in metres, with a time constant of a quarter of a second.
    pub const fn new(length: f32) -> Self {
        Self { length, ease: 0.25 }
    }

    /// Points the boom in a direction, in the axes of the landblock, moves its length towards
    /// `desired_length` for `dt` seconds, and returns the camera's view. A direction of length 0
    /// leaves the eye at the pivot.
    pub fn follow(
        &mut self,
        sweeper: &Sweeper<'_>,
        scratch: &mut SweepScratch,
        pivot: &Pivot,
        direction: Vec3,
        desired_length: f32,
        dt: f32,
    ) -> View {
        let direction = direction.normalize_or_zero();
        let desired_length = usable_length(desired_length);
        self.length = usable_length(self.length);
        // The free distance must not depend on the current length; otherwise a resting camera would
        // jitter.
        let free = sweeper.view(scratch, pivot, direction * desired_length.max(self.length));
        let eased = self.eased(desired_length, dt);
        if eased >= free.distance {
            self.length = free.distance;
            return free;
        }
        let view = sweeper.view(scratch, pivot, direction * eased);
        self.length = view.distance;
        view
    }

    /// Returns the length after `dt` seconds without obstacles. A time that is NaN counts as 0.
    fn eased(&self, desired_length: f32, dt: f32) -> f32 {
        let eased_part =
            if self.ease > 0.0 { 1.0 - libm::expf(-dt.max(0.0) / self.ease) } else { 1.0 };
        self.length + (desired_length - self.length) * eased_part
    }
}

/// Limits a length to what a boom can have; NaN becomes 0.
fn usable_length(length: f32) -> f32 {
    if length.is_nan() { 0.0 } else { length.clamp(0.0, MAX_BOOM_LENGTH) }
}
