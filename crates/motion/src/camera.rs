//! The camera: a sweep of its own, and a boom that it rides on.

use threshold_land::glam::Vec3;
use threshold_land::{Position, block_offset_between};
use threshold_world::BodyId;

use crate::constants::VIEWER_RADIUS;
use crate::mover::Mover;
use crate::place::adjust_position;
use crate::sweep::{SweepScratch, Sweeper};

/// From where a camera looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Where its eye is, with the cell that it was carried into. Retail: `viewer` and `viewer_cell`.
    pub eye: Position,
    /// How far that is from the pivot, in metres.
    pub distance: f32,
    /// The normal of what stopped it.
    pub stopped: Option<Vec3>,
    /// There was nothing to sweep from: the eye is at the player's feet. Retail goes where it wished to be, if there
    /// is a cell; here it never looks from behind a wall.
    pub failed: bool,
}

/// Which cell the portal walk of a frame starts in.
///
/// A viewer of `threshold-view` is made of the position that [`eye`](Self::eye) returns. Either way the cell was carried
/// by a sweep, and is never looked up from the eye.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ViewRoot {
    /// The cell the camera was swept into. The eye is inside it, so that all rooms between the camera and the player
    /// are seen. Retail: `SmartBox::viewer_cell`.
    #[default]
    Camera,
    /// The cell the player's body is committed to: the root of the picture never differs from the cell that streaming and
    /// sound follow. For cameras that are not swept.
    ///
    /// The eye may be outside that cell: behind a doorway the player has just gone through, or in first person above an
    /// opening of the floor. The cell then has the whole screen, and openings that the eye is behind are not looked
    /// through, so the rooms or the landscape between the eye and the cell are missing from the picture.
    Player,
}

impl ViewRoot {
    /// Returns the eye of a view with the cell the portal walk starts in, in the frame of that cell's landblock.
    /// `committed` is where the player's body stands by its last commit.
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

/// Whose camera it is, and what it turns about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pivot {
    /// Where the player stands.
    pub player: Position,
    /// Its body, which does not stop the camera.
    pub body: Option<BodyId>,
    /// What the camera looks at and swings round, in the player's own axes, in metres: its head.
    pub head: Vec3,
}

impl Pivot {
    /// A position of the player, and a head so high above it.
    pub fn above(player: Position, body: BodyId, height: f32) -> Self {
        Self { player, body: Some(body), head: Vec3::new(0.0, 0.0, height) }
    }
}

impl Sweeper<'_> {
    /// Moves a camera from the pivot by an offset in the axes of the landblock, as far as nothing is in its way,
    /// and says from where it looks. Nothing about the player changes.
    ///
    /// Retail: `SmartBox::update_viewer`.
    pub fn view(&self, scratch: &mut SweepScratch, pivot: &Pivot, offset: Vec3) -> View {
        let player = pivot.player;
        let mut begin = player;
        begin.frame.origin = player.frame.to_global(pivot.head);
        let nowhere = View { eye: player, distance: 0.0, stopped: None, failed: true };
        // The head may be in another cell than the feet.
        match adjust_position(self.world, &begin, Vec3::ZERO) {
            Some(found) => begin = found,
            None => return nowhere,
        }
        let mut end = begin;
        end.frame.origin += offset;
        let mover = Mover { body: pivot.body, ..Mover::viewer(VIEWER_RADIUS) };
        let outcome = self.sweep_camera(scratch, &mut (), &mover, &begin, &end);
        if !outcome.is_ok() || outcome.cell.is_none() {
            return nowhere;
        }
        let distance = begin.offset_to(&outcome.position).length();
        if !distance.is_finite() {
            return nowhere;
        }
        View { eye: outcome.position, distance, stopped: outcome.hit, failed: false }
    }
}

/// What a camera rides on: as long as is wished for, or as there is room for. It shortens at once, so that the eye is
/// never behind a wall, and grows back smoothly; so it also follows a wish that changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Boom {
    /// How long it is, in metres.
    pub length: f32,
    /// In how many seconds all but a third of a difference is made up for; 0 at once.
    pub ease: f32,
}

/// No camera sees anything from farther away, in metres.
const MAX_BOOM_LENGTH: f32 = 1000.0;

impl Boom {
    /// So long, in metres, and easing within a quarter of a second.
    pub const fn new(length: f32) -> Self {
        Self { length, ease: 0.25 }
    }

    /// Swings the camera to where the boom points, in the axes of the landblock, and lets it grow or shorten for so
    /// many seconds. A direction of no length looks from the pivot.
    pub fn follow(
        &mut self,
        sweeper: &Sweeper<'_>,
        scratch: &mut SweepScratch,
        pivot: &Pivot,
        direction: Vec3,
        wish: f32,
        dt: f32,
    ) -> View {
        let direction = direction.normalize_or_zero();
        let wish = usable_length(wish);
        self.length = usable_length(self.length);
        // How much room there is does not depend on how long the boom is: so what stands still looks still.
        let free = sweeper.view(scratch, pivot, direction * wish.max(self.length));
        let eased = self.eased(wish, dt);
        if eased >= free.distance {
            self.length = free.distance;
            return free;
        }
        let view = sweeper.view(scratch, pivot, direction * eased);
        self.length = view.distance;
        view
    }

    /// Returns its length after `dt` seconds where there is room. A time that is not a number counts as none.
    fn eased(&self, wish: f32, dt: f32) -> f32 {
        let made_up =
            if self.ease > 0.0 { 1.0 - libm::expf(-dt.max(0.0) / self.ease) } else { 1.0 };
        self.length + (wish - self.length) * made_up
    }
}

/// A length that a boom can have; what is no number has none.
fn usable_length(length: f32) -> f32 {
    if length.is_nan() { 0.0 } else { length.clamp(0.0, MAX_BOOM_LENGTH) }
}
