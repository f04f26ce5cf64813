//! What a watcher is told, part by part.
//!
//! The enums are exhaustive: `threshold-why`, which puts each case into words, does not compile without all of them.

use threshold_land::glam::Vec3;
use threshold_land::{CellId, Plane};
use threshold_world::ObjectId;

use crate::outcome::Insert;

/// Something that begins and ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stage {
    /// A sub-step; it ends with [`Ending::Answer`].
    SubStep {
        /// Counts from 0.
        number: u32,
        /// Its offset before ground and walls have their say.
        wished: Vec3,
    },
    /// Something that is put somewhere is pushed out of walls; ends with [`Ending::Answer`].
    PushOut,
    /// A place is tried for something that is put there; ends with [`Ending::Whether`].
    Try {
        /// 0 is where it should be.
        number: u32,
        /// How far from there.
        offset: Vec3,
    },
    /// A cell is asked what is in the way; ends with [`Ending::Cell`].
    Cell(CellId),
    /// Something in a cell is asked; ends with [`Ending::Answer`].
    Asks(Who),
    /// A step up is tried; ends with [`Ending::Whether`].
    StepUp {
        /// The normal of what is in the way.
        normal: Vec3,
        /// How high, in metres.
        height: f32,
        /// The least z of a normal to stand on.
        steepest: f32,
    },
    /// Ground is looked for; ends with [`Ending::Below`].
    Below {
        /// How far, in metres. In a step up the obstacle lifts the mover by up to so much.
        height: f32,
        /// The least z of a normal to stand on.
        steepest: f32,
    },
    /// Whether nothing solid is where the mover would stand; ends with [`Ending::Whether`].
    Room,
    /// Whether there is ground under the middle of the mover; ends with [`Ending::Whether`].
    Middle,
    /// Something was met in the air, and the mover tries to stand on it; ends with [`Ending::Whether`].
    Landing,
}

/// How something ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ending {
    /// A cell has answered.
    Cell(CellId, Insert),
    /// With this answer.
    Answer(Insert),
    /// Well or not.
    Whether(bool),
    /// The search for ground.
    Below(Below),
}

/// What a search for ground has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Below {
    /// Ground to stand on, and room above it.
    Ground,
    /// The place could not be reached.
    Blocked(Insert),
    /// Nothing.
    Nothing,
    /// Ground that is too steep.
    TooSteep,
    /// Ground, but not under the mover's middle.
    OnlyEdge,
    /// Ground, but something solid is where the mover would stand.
    NoRoom,
}

/// Who is asked what is in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The ground of a land cell.
    Ground(CellId),
    /// The walls of a room.
    Walls(CellId),
    /// The shell of the building on a land cell.
    Shell(CellId),
    /// An object. Its shapes are asked in turn.
    Object(ObjectId),
    /// A part of that object that has a physics tree, counted from 0 among those that have.
    Part(usize),
    /// A sphere of that object.
    Ball(usize),
    /// A cylinder of that object.
    Cylinder(usize),
}

/// What sort of surface is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// A polygon of a physics tree, by its index there.
    Polygon(u32),
    /// Matter, and no polygon is near.
    Matter,
    /// A sphere.
    Ball,
    /// A cylinder.
    Cylinder,
}

/// How a surface is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// The mover runs into it as it stands.
    RunsInto,
    /// The mover comes upon it in the air.
    FallsOn,
    /// A missile or a camera ends there.
    Ends,
    /// The mover touches it as it leaves it.
    Leaves,
    /// There is no room for the mover.
    Overlaps,
}

/// A surface that is met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Met {
    /// What.
    pub surface: Surface,
    /// How.
    pub how: How,
    /// The sphere that meets it: 0 at the feet, 1 at the head.
    pub sphere: usize,
    /// Where its centre is.
    pub centre: Vec3,
    /// Its radius; where a sphere or a cylinder is met that of the first, which counts for both.
    pub radius: f32,
    /// In the frame of the landblock of this cell.
    pub cell: CellId,
    /// The normal of a polygon; of a sphere or a cylinder the direction in which it pushes the mover. `None` for matter, and for
    /// a shape that only takes the room.
    pub normal: Option<Vec3>,
    /// How far the centre is in front of the polygon's plane or of the sphere; less than 0 behind it. `None` for matter and for
    /// a cylinder, which counts as wider than it is at its rims.
    pub distance: Option<f32>,
    /// The point of the surface that is nearest to the centre, where there is a distance.
    pub point: Option<Vec3>,
}

/// What the ground does to a mover.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GroundDoes {
    /// Nothing: it is below.
    Below,
    /// Carries it.
    Carries,
    /// Lifts it by so much, and carries it.
    Lifts(f32),
    /// Would lift it by more than the step allows.
    TooFarUp(f32),
    /// It is too steep to be stood on, and passed for now.
    Steep,
    /// It is too steep to be stood on, and in the way (rule `steep_ground`).
    SteepStops,
    /// Is there, which was all that was asked.
    Found,
}

/// The ground of a land cell, as a mover meets it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundMet {
    /// The land cell.
    pub cell: CellId,
    /// The plane of the triangle below the mover, in the frame of the landblock of `cell`.
    pub plane: Plane,
    /// How high the mover's lowest point is above it, less the depth of water; along the normal.
    pub height: f32,
    /// How deep the mover may sink into water there.
    pub depth: f32,
    /// Whether it can be walked on.
    pub walkable: bool,
    /// Where the mover's first sphere is, in the frame of the landblock of `cell`.
    pub centre: Vec3,
    /// What it does.
    pub does: GroundDoes,
    /// Whether the mover has hit it, coming out of the air.
    pub hits: bool,
}

/// What leaves its mark on the offset of a sub-step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Along {
    /// Nothing: all of it is left.
    Free,
    /// What the mover has run into before, with this normal.
    Wall(Vec3),
    /// The ground it stands on, with this normal: what would go into it is taken out.
    Ground(Vec3),
    /// The ground, whose slope it is put on.
    Slope(Vec3),
    /// Both ground and wall: the line along which they meet.
    Crease {
        /// The normal of the ground.
        ground: Vec3,
        /// The normal of the wall.
        wall: Vec3,
    },
}

/// How a slide ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlideEnd {
    /// Along the line where surface and ground meet.
    Crease,
    /// Less than 1.42 cm of the way runs along that line: a stop.
    Stop,
    /// Along the surface.
    Surface,
    /// The surface faces against the ground; rule `opposed_slide` says what that means.
    Opposed,
    /// The surface has no direction: half of the way back.
    NoDirection,
}

/// A slide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slide {
    /// How it ended.
    pub end: SlideEnd,
    /// The normal of the surface.
    pub normal: Vec3,
    /// The normal of the ground, or of the last that was known.
    pub ground: Vec3,
    /// The way of the sphere since its last accepted place.
    pub way: Vec3,
    /// What is left of that way.
    pub left: Vec3,
}

/// What becomes of who has lost the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Edge {
    /// It walks on, over the edge.
    WalksOn,
    /// The ground becomes too steep: it is turned along the foot or the brink of the slope.
    Steep {
        /// The normal of the slope.
        normal: Vec3,
        /// The level direction away from it.
        away: Vec3,
        /// By how much it is moved.
        moved: Vec3,
    },
    /// The edge of the polygon that it stood on is sought from where it was.
    LooksBack,
    /// It has crossed an edge of the polygon it stood on, and slides along it.
    Crossed {
        /// The level normal of the edge, against the way.
        normal: Vec3,
        /// The point of the outline that is nearest to the first sphere, if its centre is beyond.
        point: Option<Vec3>,
    },
    /// It stood on no polygon, or crossed none of its edges: there is nothing to slide along.
    NoEdge,
}

/// What becomes of who is in no cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaving {
    /// It was a look for ground, which finds nothing there.
    Looked,
    /// It is held, as a cell that might contain it is not resident (rule `unloaded`).
    HeldUnloaded,
    /// It is held, as it would leave its room for no cell (rule `interior_exit`).
    HeldIndoors,
    /// It would be off the map.
    OffMap,
    /// It goes on in the cell that contains it by a list made outdoors (rule `interior_exit`).
    Reseated,
    /// It goes on without a cell: it is lost.
    Lost,
}

/// Why an object is not in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// It is ethereal and ignores collisions.
    Ethereal,
    /// It or the mover is ethereal: it is noticed, and passed.
    Noticed,
    /// It or the mover is ethereal, and neither looks for ground nor cameras notice that.
    Unnoticed,
    /// It is a creature, which is not there for a camera.
    CreatureForCamera,
    /// It is a creature, and the mover passes creatures.
    Creature,
    /// Both are players that have nothing to do with each other.
    Players,
    /// One of them is a missile that does not hit the other.
    Missile,
}

/// How a camera meets the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CameraMet {
    /// A ridge lies between its last place and the one that is tried.
    Ridge {
        /// The land cell that said so.
        cell: CellId,
        /// The normal of the ridge.
        normal: Vec3,
    },
    /// It touches the ground or goes under it.
    Ground {
        /// The land cell.
        cell: CellId,
        /// The normal of the ground.
        normal: Vec3,
        /// How high its eye is above the plane.
        height: f32,
        /// How far it is moved back to where it touches the plane; `None` where it stays a sub-step short.
        back: Option<Vec3>,
    },
    /// It would come out of its room below the land.
    Underground {
        /// The land cell.
        cell: CellId,
        /// The normal of the ground.
        normal: Vec3,
        /// How high its eye is above the ground.
        height: f32,
    },
}
