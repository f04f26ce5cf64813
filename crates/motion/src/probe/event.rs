//! The events of a sweep and their parts.
//!
//! The part enums are exhaustive: `threshold-why`, which puts each case into words, does not
//! compile without all of them.

use threshold_land::vector::Vec3;
use threshold_land::{CellId, Plane, Position};
use threshold_world::{ListedCell, ObjectId, Reason, RecordId};

use crate::outcome::Insert;

/// Something that happens in a sweep. Points, offsets and normals are in the frame of the landblock
/// of the check position unless stated otherwise; distances are in metres.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum SweepEvent<'a> {
    /// A stage begins.
    StageBegan(Stage),
    /// The innermost stage that is still open ends.
    StageEnded(Ending),
    /// The move is divided into sub-steps.
    MoveDivided {
        /// The whole offset.
        offset: Vec3,
        /// Maximum length of a sub-step: the radius of the first sphere.
        radius: f32,
        /// Number of sub-steps.
        count: u32,
    },
    /// Ground and walls have limited the offset of a sub-step.
    OffsetAdjusted {
        /// The offset before.
        requested: Vec3,
        /// The offset after.
        remaining: Vec3,
        /// What limited it.
        limit: OffsetLimit,
    },
    /// The sliding normal of an earlier update leaves nothing of the first sub-step and is ignored,
    /// to find out whether the obstacle is still there (rule `sliding_normal`). An
    /// [`OffsetAdjusted`](Self::OffsetAdjusted) without it follows.
    SlidingNormalIgnored {
        /// The ignored normal.
        normal: Vec3,
    },
    /// The mover had sunk into its contact plane and is pushed up before the sub-step.
    PushedUp {
        /// Height of the push.
        height: f32,
    },
    /// A sub-step moves the check position.
    SubStepMoved {
        /// Number of the sub-step, from 0.
        number: u32,
        /// The offset that remains of it.
        offset: Vec3,
    },
    /// An insert attempt begins, from where the previous one left the check position. Counts from
    /// 0.
    Attempt(u32),
    /// A surface is met.
    SurfaceMet(SurfaceContact),
    /// The ground of a land cell is tested.
    GroundMet(GroundContact),
    /// The landblock is all water, which blocks walking.
    AllWater,
    /// The mover may not enter a cell ([`EntryRules`](threshold_world::EntryRules)).
    EntryDenied {
        /// The cell.
        cell: CellId,
        /// The object that guards it.
        object: RecordId,
    },
    /// Walkable ground is found, and the mover is moved out of it.
    GroundFound {
        /// Polygon of the innermost collision target; `None` for the top of a sphere or cylinder.
        polygon: Option<u32>,
        /// Plane of the ground.
        plane: Plane,
        /// How far the mover is moved.
        moved: Vec3,
    },
    /// The obstacle is too high for a step up to be tried.
    StepTooHigh {
        /// How far the mover would have to rise to stand on it.
        height: f32,
        /// How high the mover can step.
        max_height: f32,
    },
    /// The mover slides along a surface, or fails to.
    Slid(Slide),
    /// The ground below the mover has ended or become too steep.
    EdgeMet(EdgeResponse),
    /// A deferred hit is handled now that everything else is free. Retail: `NegPolyHit`.
    DeferredHit {
        /// The reversed normal of the polygon.
        normal: Vec3,
        /// Whether by a step up; otherwise by a slide.
        step_up: bool,
    },
    /// An object does not block the mover.
    ObjectPassed {
        /// The object.
        object: ObjectId,
        /// Why it does not block.
        reason: PassReason,
    },
    /// The cells that the mover touches were listed, and the one that contains it was picked.
    CellsListed {
        /// The cells, in order.
        cells: &'a [ListedCell],
        /// Why each of them is listed.
        reasons: &'a [Reason],
        /// The cell that contains the centre.
        picked: Option<CellId>,
        /// Centre of the first sphere.
        centre: Vec3,
    },
    /// No cell contains the mover.
    LeftCells(CellExit),
    /// A mover in placement is pushed out of a wall.
    PushedOut {
        /// Index of the sphere inside the wall.
        sphere: usize,
        /// The polygon, if one is near.
        polygon: Option<u32>,
        /// Its normal; zero without a polygon.
        normal: Vec3,
    },
    /// A camera meets the ground.
    CameraMet(CameraContact),
    /// A falling body has not moved for this many sweeps.
    StationaryFall(u8),
    /// A sub-step was accepted or taken back.
    SubStepEnded {
        /// Anything but [`Insert::Ok`] is taken back.
        answer: Insert,
        /// Where the mover is now.
        at: &'a Position,
        /// Normal of the contact plane.
        ground: Option<Vec3>,
        /// Normal of the surface that was hit.
        hit: Option<Vec3>,
    },
}

/// A part of a sweep that begins and ends, and may contain other stages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stage {
    /// A sub-step; ends with [`Ending::Insert`].
    SubStep {
        /// Number of the sub-step, from 0.
        number: u32,
        /// Its offset before ground and walls limit it.
        requested: Vec3,
    },
    /// A mover in placement is pushed out of walls; ends with [`Ending::Insert`].
    PushOut,
    /// One position of a placement is tried; ends with [`Ending::Success`].
    PlacementTry {
        /// Number of the try; 0 is the requested position.
        number: u32,
        /// Offset from the requested position.
        offset: Vec3,
    },
    /// A cell is tested for collisions; ends with [`Ending::Cell`].
    Cell(CellId),
    /// One collision target in a cell is tested; ends with [`Ending::Insert`].
    Test(CollisionTarget),
    /// A step up is tried; ends with [`Ending::Success`].
    StepUp {
        /// Normal of the obstacle.
        normal: Vec3,
        /// Maximum height, in metres.
        height: f32,
        /// Minimum z of a walkable normal.
        min_normal_z: f32,
    },
    /// Ground is searched for below; ends with [`Ending::GroundSearch`].
    GroundSearch {
        /// How far down, in metres. In a step up the obstacle lifts the mover by up to this much.
        height: f32,
        /// Minimum z of a walkable normal.
        min_normal_z: f32,
    },
    /// The position on found ground is tested for room; ends with [`Ending::Success`].
    RoomCheck,
    /// The ground is tested under the centre of the mover; ends with [`Ending::Success`].
    CentreCheck,
    /// The mover tries to stand on what it met in the air; ends with [`Ending::Success`].
    Landing,
}

/// The result of a [`Stage`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ending {
    /// Result of a cell.
    Cell(CellId, Insert),
    /// Result of an insert attempt.
    Insert(Insert),
    /// Whether the stage succeeded.
    Success(bool),
    /// Result of a ground search.
    GroundSearch(GroundSearchResult),
}

/// The result of a search for ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroundSearchResult {
    /// Walkable ground with room above it.
    Ground,
    /// The position could not be reached.
    Blocked(Insert),
    /// No ground.
    Nothing,
    /// Ground that is too steep.
    TooSteep,
    /// Ground, but not under the centre of the mover.
    OnlyEdge,
    /// Ground, but something solid occupies the position.
    NoRoom,
}

/// What is tested for a collision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollisionTarget {
    /// The ground of a land cell.
    Ground(CellId),
    /// The walls of a room.
    Walls(CellId),
    /// The shell of the building on a land cell.
    Shell(CellId),
    /// An object. Its shapes are tested in turn.
    Object(ObjectId),
    /// A part of that object with a physics tree, counted from 0 among those that have one.
    Part(usize),
    /// A sphere of that object.
    Sphere(usize),
    /// A cylinder of that object.
    Cylinder(usize),
}

/// Kind of surface that is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurfaceKind {
    /// A polygon of a physics tree, by its index there.
    Polygon(u32),
    /// The inside of solid matter, with no polygon near.
    Solid,
    /// A sphere.
    Sphere,
    /// A cylinder.
    Cylinder,
}

/// How a mover meets a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactKind {
    /// The mover runs into it while standing.
    RunsInto,
    /// The mover hits it in the air.
    FallsOn,
    /// The path of a missile or camera ends there.
    Ends,
    /// The mover touches it while moving away from it.
    Leaves,
    /// The mover overlaps it: there is no room.
    Overlaps,
}

/// A surface that is met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceContact {
    /// The surface.
    pub surface: SurfaceKind,
    /// How it is met.
    pub kind: ContactKind,
    /// Index of the mover's sphere: 0 at the feet, 1 at the head.
    pub sphere: usize,
    /// Centre of that sphere.
    pub centre: Vec3,
    /// Radius of that sphere; against spheres and cylinders the radius of the first, which counts
    /// for both.
    pub radius: f32,
    /// The cell whose landblock frame the vectors are in.
    pub cell: CellId,
    /// Normal of a polygon, or the direction in which a sphere or cylinder pushes the mover. `None`
    /// for solid matter, and for an overlap with a shape.
    pub normal: Option<Vec3>,
    /// Distance of the centre from the polygon's plane or from the sphere; negative behind it.
    /// `None` for solid matter, and for a cylinder, which counts as wider than it is at its rims.
    pub distance: Option<f32>,
    /// The point of the surface nearest to the centre, where there is a distance.
    pub point: Option<Vec3>,
}

/// What the ground does to a mover.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GroundEffect {
    /// Nothing: it is below the mover.
    Below,
    /// Carries the mover.
    Carries,
    /// Lifts the mover by this much, and carries it.
    Lifts(f32),
    /// Would lift the mover by this much, which is more than the step allows.
    TooFarUp(f32),
    /// Is too steep to stand on, and does not block yet.
    Steep,
    /// Is too steep to stand on, and blocks (rule `steep_ground`).
    SteepStops,
    /// Is present, which is all that the test asks for.
    Found,
}

/// The ground of a land cell, as a mover meets it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundContact {
    /// The land cell.
    pub cell: CellId,
    /// Plane of the triangle below the mover, in the frame of the landblock of `cell`.
    pub plane: Plane,
    /// Height of the mover's lowest point above the plane along its normal, less the depth of
    /// water.
    pub height: f32,
    /// How deep the mover may sink into water there.
    pub depth: f32,
    /// Whether the ground is walkable.
    pub walkable: bool,
    /// Centre of the mover's first sphere, in the frame of the landblock of `cell`.
    pub centre: Vec3,
    /// What the ground does.
    pub effect: GroundEffect,
    /// Whether the mover hit it from the air.
    pub hits: bool,
}

/// What limits the offset of a sub-step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OffsetLimit {
    /// Nothing: the whole offset remains.
    Free,
    /// The surface hit before, with this normal.
    Wall(Vec3),
    /// The contact plane with this normal: the part into the plane is removed.
    Ground(Vec3),
    /// The contact plane with this normal: the offset is projected onto its slope.
    Slope(Vec3),
    /// Contact plane and wall: the offset follows their crease.
    Crease {
        /// Normal of the contact plane.
        ground: Vec3,
        /// Normal of the wall.
        wall: Vec3,
    },
}

/// How a slide ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlideEnd {
    /// Along the crease of surface and ground.
    Crease,
    /// Less than 1.42 cm of the movement runs along the crease: a stop.
    Stop,
    /// Along the surface.
    Surface,
    /// The surface faces against the ground; rule `opposed_slide` decides.
    Opposed,
    /// The surface has no direction: half of the movement is undone.
    NoDirection,
}

/// A slide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slide {
    /// How it ended.
    pub end: SlideEnd,
    /// Normal of the surface.
    pub normal: Vec3,
    /// Normal of the contact plane, or of the last known one.
    pub ground: Vec3,
    /// Movement of the sphere since its last accepted position.
    pub movement: Vec3,
    /// What remains of that movement.
    pub remaining: Vec3,
}

/// What a mover does where the ground ends or becomes too steep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EdgeResponse {
    /// It walks off the edge.
    WalkOff,
    /// The ground becomes too steep: it is turned along the foot or the brink of the slope.
    CliffSlide {
        /// Normal of the slope.
        normal: Vec3,
        /// Horizontal direction away from the slope.
        away: Vec3,
        /// How far it is moved.
        moved: Vec3,
    },
    /// The edge of the polygon it stood on is searched for from its last position.
    LookBack,
    /// It has crossed an edge of the polygon it stood on, and slides along it.
    PrecipiceSlide {
        /// Horizontal normal of the edge, against the movement.
        normal: Vec3,
        /// The point of the outline nearest to the first sphere, if its centre is beyond.
        point: Option<Vec3>,
    },
    /// It stood on no polygon, or crossed none of its edges: there is nothing to slide along.
    NoEdge,
}

/// What becomes of a mover that no cell contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellExit {
    /// It was a search for ground, which finds nothing there.
    GroundSearch,
    /// It is held, because a cell that might contain it is not resident (rule `unloaded`).
    HeldUnloaded,
    /// It is held, because it would leave its room for no cell (rule `interior_exit`).
    HeldIndoors,
    /// It would be off the map.
    OffMap,
    /// It continues in the cell that contains it by a search from outdoors (rule `interior_exit`).
    Reseated,
    /// It continues without a cell: it is lost.
    Lost,
}

/// Why an object does not block a mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassReason {
    /// It is ethereal and ignores collisions.
    Ethereal,
    /// It or the mover is ethereal: the contact is reported, and the mover passes.
    Noticed,
    /// It or the mover is ethereal, and neither ground searches nor cameras report that.
    Unnoticed,
    /// It is a creature, which a camera ignores.
    CreatureForCamera,
    /// It is a creature, and the mover passes creatures.
    Creature,
    /// Both are players that do not collide with each other.
    Players,
    /// One of them is a missile that does not hit the other.
    Missile,
}

/// How a camera meets the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CameraContact {
    /// A ridge lies between its last position and the check position.
    Ridge {
        /// The land cell that found it.
        cell: CellId,
        /// Normal of the ridge.
        normal: Vec3,
    },
    /// It touches the ground or goes under it.
    Ground {
        /// The land cell.
        cell: CellId,
        /// Normal of the ground.
        normal: Vec3,
        /// Height of its eye above the plane.
        height: f32,
        /// How far it is moved back to where it touches the plane; `None` where it stays a sub-step
        /// short.
        back: Option<Vec3>,
    },
    /// It would come out of its room below the land.
    Underground {
        /// The land cell.
        cell: CellId,
        /// Normal of the ground.
        normal: Vec3,
        /// Height of its eye above the ground.
        height: f32,
    },
}
