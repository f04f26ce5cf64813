//! Watching a sweep.
//!
//! A [`Probe`] is [`Told`] everything that happens, in order. What has a beginning and an end, as the question to a cell or
//! a step up, is told as [`Told::Begins`] and [`Told::Ends`]; they nest, so that a watcher can build a tree of them.
//! The crate `threshold-why` does, and puts it into words.

mod told;

use threshold_land::glam::Vec3;
use threshold_land::{CellId, Plane, Position};
use threshold_world::{ListedCell, ObjectId, Reason, RecordId};

use crate::outcome::Insert;

pub use told::{
    Along, Below, CameraMet, Edge, Ending, GroundDoes, GroundMet, How, Leaving, Met, Passing,
    Slide, SlideEnd, Stage, Surface, Who,
};

/// Watches a sweep, for a test, a log or a debug view. `()` watches nothing and costs nothing.
///
/// Where a sweep ends does not depend on who watches it.
pub trait Probe {
    /// Whether it wants to see everything. What is known without looking again is not seen.
    const WATCHES: bool = true;

    /// Something has happened.
    fn tell(&mut self, told: Told<'_>);
}

impl Probe for () {
    const WATCHES: bool = false;

    fn tell(&mut self, _: Told<'_>) {}
}

/// Every cell that was asked, with its answer.
impl Probe for Vec<(CellId, Insert)> {
    fn tell(&mut self, told: Told<'_>) {
        if let Told::Ends(Ending::Cell(cell, answer)) = told {
            self.push((cell, answer));
        }
    }
}

/// Something that happens in a sweep. Points, offsets and normals are in the frame of the landblock of the place that is
/// tried, unless something else is said; distances in metres.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Told<'a> {
    /// Something begins that has an end.
    Begins(Stage),
    /// What began last, and has not ended yet, ends.
    Ends(Ending),
    /// The move is cut into sub-steps.
    Cut {
        /// The whole of it.
        whole: Vec3,
        /// No sub-step is longer than this: the radius of the first sphere.
        radius: f32,
        /// How many sub-steps.
        count: u32,
    },
    /// What ground and walls leave of the offset of a sub-step.
    Adjusted {
        /// What was wished for.
        wished: Vec3,
        /// What is left.
        left: Vec3,
        /// Why.
        along: Along,
    },
    /// The sliding normal of an earlier update leaves nothing of the first sub-step and is set aside, to find out whether
    /// anything is in the way now (rule `sliding_normal`). The offset is [`Adjusted`](Self::Adjusted) again after that.
    SetsSlidingAside {
        /// That normal.
        normal: Vec3,
    },
    /// The mover had sunk into the ground it stands on and is pushed up before it goes.
    PushedUp {
        /// By so much.
        by: f32,
    },
    /// A sub-step goes: the number counts from 0, the offset is what is left of it.
    Goes {
        /// Which one.
        number: u32,
        /// By how much.
        offset: Vec3,
    },
    /// The place is tried, for the first time or again from where the last try has left it. Counts from 0.
    Attempt(u32),
    /// A surface is met.
    Meets(Met),
    /// The ground of a land cell is asked, and near.
    Ground(GroundMet),
    /// The landblock is all water, where nobody walks.
    Sea,
    /// The mover may not enter a cell ([`EntryRules`](threshold_world::EntryRules)).
    Restricted {
        /// The cell.
        cell: CellId,
        /// The object that guards it.
        object: RecordId,
    },
    /// Something to stand on is found, and the mover is moved out of it.
    StandsOn {
        /// Which polygon of who is asked; `None` for a round or capped top.
        polygon: Option<u32>,
        /// Its plane.
        plane: Plane,
        /// By how much the mover is moved.
        moved: Vec3,
    },
    /// What is in the way is too high for a step up to be tried.
    TooHigh {
        /// How far the mover would have to rise to stand on it.
        height: f32,
        /// How high the mover steps.
        most: f32,
    },
    /// The mover is moved along a surface, or cannot be.
    Slides(Slide),
    /// What becomes of who has lost the ground.
    Edge(Edge),
    /// A surface that was touched while moving away from it is answered now that all else is free.
    Behind {
        /// The normal, turned round.
        normal: Vec3,
        /// By a step up, or else by a slide.
        step_up: bool,
    },
    /// An object is not in the way.
    Passes {
        /// Which one.
        object: ObjectId,
        /// Why.
        why: Passing,
    },
    /// The cells that the mover touches were listed, and one was picked as containing it.
    Listed {
        /// In order.
        cells: &'a [ListedCell],
        /// Why each of them is there.
        reasons: &'a [Reason],
        /// The one that contains the centre.
        picked: Option<CellId>,
        /// The centre of the first sphere.
        centre: Vec3,
    },
    /// No cell contains the mover.
    Leaves(Leaving),
    /// Something that is put somewhere is pushed out of a wall.
    Pushed {
        /// The sphere that is in it.
        sphere: usize,
        /// The polygon, if one is near.
        polygon: Option<u32>,
        /// Its normal.
        normal: Vec3,
    },
    /// A camera meets the ground.
    Camera(CameraMet),
    /// A body that falls has not moved, for so many sweeps.
    Stationary(u8),
    /// A sub-step ended with this answer, and the mover is where it says.
    Validated {
        /// Anything but [`Insert::Ok`] is taken back.
        answer: Insert,
        /// Where the mover is.
        at: &'a Position,
        /// The normal of what it stands on.
        ground: Option<Vec3>,
        /// The normal of what it has run into.
        hit: Option<Vec3>,
    },
}
