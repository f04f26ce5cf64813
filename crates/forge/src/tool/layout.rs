//! A checked plan, with every opening located in its walls.

use threshold_land::Frame;
use threshold_land::vector::Vec3;

use crate::stock::thing::Card;
use crate::tool::check;
use crate::tool::error::{ForgeError, ForgeErrorKind, PlanSite};
use crate::tool::form::boards;
use crate::tool::opening::{self, FittedOpening};
use crate::tool::plan::{Destination, Plan, PlannedOpening, RoomKey};
use crate::tool::room::{FaceMaterials, RoomSpec};
use crate::tool::shape::{Boards, Shape};
use crate::tool::solid::union::{self, SurfacePiece};
use crate::tool::solid::{Convex, Outline, ShapeFault, Side, outline};
use crate::tool::tree::drawing::DrawnPolygon;

/// Maximum distance from the origin, in metres. Single precision resolves a millimetre there.
pub(crate) const MAX_DISTANCE: f32 = 10_000.0;

/// Minimum downward part of the normal of a ceiling: the same limit as for walkable floors.
const CEILING: f32 = 0.664;

/// The checked form of a plan.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) rooms: Vec<Chamber>,
}

/// A checked room, in its own frame.
#[derive(Debug)]
pub(crate) struct Chamber {
    pub(crate) space: Convex,
    pub(crate) blocks: Vec<Convex>,
    /// Faces of blocks that bound free space.
    pub(crate) surface: Vec<DrawnPolygon>,
    pub(crate) looks: FaceMaterials,
    /// Whether the room is left out of the shell.
    pub(crate) buried: bool,
    /// In the order of the portals in its record.
    pub(crate) gates: Vec<Gate>,
    /// Ceilings covered by the floor of another room, with a hatch to it.
    pub(crate) under_floors: Vec<usize>,
    /// Position of the room in the plan.
    pub(crate) frame: Frame,
}

/// An opening of one room.
#[derive(Clone, Debug)]
pub(crate) struct Gate {
    /// In the room's frame, counter-clockwise seen from inside.
    pub(crate) outline: Outline,
    /// The side of the room that contains it.
    pub(crate) face: usize,
    pub(crate) beyond: FarSide,
    /// Whether the polygon of the record faces into the room. The far side of a join keeps the polygon of
    /// the near side and so faces out.
    pub(crate) faces_in: bool,
    /// Its index among the openings of the plan.
    pub(crate) opening: usize,
}

/// The space behind an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FarSide {
    /// A room, and the index of its gate to this one.
    Room {
        room: usize,
        gate: usize,
    },
    Outdoors,
    Window,
}

impl Gate {
    /// Whether a mover can pass.
    pub(crate) fn is_passable(&self) -> bool {
        self.beyond != FarSide::Window
    }

    /// The polygon of the record.
    pub(crate) fn polygon(&self) -> Outline {
        if self.faces_in { self.outline.clone() } else { outline::reversed(&self.outline) }
    }

    /// Returns whether it leads out of the building.
    pub(crate) fn leads_out(&self) -> bool {
        !matches!(self.beyond, FarSide::Room { .. })
    }
}

impl Chamber {
    /// Returns the outline of a gate in the frame of the plan.
    pub(crate) fn gate_in_plan(&self, gate: &Gate) -> Outline {
        gate.outline.iter().map(|corner| self.frame.to_global(*corner)).collect()
    }
}

impl Layout {
    pub(crate) fn of(plan: &Plan, site: PlanSite) -> Result<Self, ForgeError> {
        let mut rooms = Vec::with_capacity(plan.len());
        for (number, room) in plan.rooms.iter().enumerate() {
            let chamber = Chamber::of(room).map_err(|kind| kind.here().in_room(room.site(number)));
            rooms.push(chamber?);
        }
        let mut layout = Self { rooms };
        layout.check_apart(plan)?;
        for (number, planned) in plan.openings.iter().enumerate() {
            let opened = layout.open(plan, number, planned, site);
            opened.map_err(|error| error.in_room(plan.site(planned.room)).in_opening(number))?;
        }
        for (number, chamber) in layout.rooms.iter().enumerate() {
            let here = |error: ForgeError| error.in_room(plan.site(RoomKey(number)));
            if chamber.gates.len() > usize::from(u8::MAX) {
                return Err(here(ForgeErrorKind::TooManyOpenings(chamber.gates.len()).here()));
            }
            chamber.check_openings_clear().map_err(here)?;
        }
        for number in 0..layout.rooms.len() {
            layout.rooms[number].under_floors = layout.under_floors(number);
        }
        Ok(layout)
    }

    /// Returns the ceilings of a room with a hatch to a floor above, other than a shaft as wide as the hatch.
    fn under_floors(&self, room: usize) -> Vec<usize> {
        let below = &self.rooms[room];
        let rows = below.frame.rotation.rows();
        let lies_under = |gate: &&Gate| {
            let FarSide::Room { room, gate: other } = gate.beyond else { return false };
            let above = &self.rooms[room];
            let floor = &above.space.sides[above.gates[other].face].outline;
            let up = rows.to_global(below.space.sides[gate.face].plane.normal).z;
            up > CEILING && outline::area(floor) > 1.01 * outline::area(&gate.outline)
        };
        below.gates.iter().filter(lies_under).map(|gate| gate.face).collect()
    }

    /// Refuses overlapping rooms.
    fn check_apart(&self, plan: &Plan) -> Result<(), ForgeError> {
        let placed: Vec<Convex> =
            self.rooms.iter().map(|room| room.space.placed(&room.frame)).collect();
        let Some(overlap) = check::overlap(&placed, |_, _| true) else { return Ok(()) };
        let site = |number| plan.site(RoomKey(number));
        let error = ForgeErrorKind::RoomsOverlap(overlap.depth).here();
        Err(error.in_room(site(overlap.first)).and_room(site(overlap.second)))
    }

    fn open(
        &mut self,
        plan: &Plan,
        number: usize,
        planned: &PlannedOpening,
        site: PlanSite,
    ) -> Result<(), ForgeError> {
        let key = planned.room.0;
        let chamber = self.rooms.get(key).ok_or(ForgeErrorKind::NoSuchRoom)?;
        let shared = planned.opening.outline(&chamber.space, &chamber.frame)?;
        let own = opening::fit(&shared, &chamber.space, &chamber.frame)?;
        let beyond = match planned.leads {
            Destination::To(other) => {
                let name_both = |error: ForgeError| error.and_room(plan.site(other));
                let gate = self.open_other(number, planned.room, other, &shared);
                let gate = gate.map_err(name_both)?;
                FarSide::Room { room: other.0, gate }
            }
            _ if matches!(site, PlanSite::Dungeon(_)) => {
                return Err(ForgeErrorKind::ExitOfDungeon.here());
            }
            Destination::Outdoors => FarSide::Outdoors,
            Destination::Window => FarSide::Window,
        };
        let FittedOpening { outline, face } = own;
        let gate = Gate { outline, face, beyond, faces_in: true, opening: number };
        self.rooms[key].add(gate)?;
        Ok(())
    }

    /// Opens the far side of a join and returns its gate.
    fn open_other(
        &mut self,
        number: usize,
        room: RoomKey,
        other: RoomKey,
        shared: &[Vec3],
    ) -> Result<usize, ForgeError> {
        if room == other {
            return Err(ForgeErrorKind::JoinedToItself.here());
        }
        let gate = self.rooms[room.0].gates.len();
        let inward = facing(&self.rooms[room.0], shared);
        let chamber = self.rooms.get_mut(other.0).ok_or(ForgeErrorKind::NoSuchRoom)?;
        let mismatch = |kind| ForgeErrorKind::JoinMismatch(Box::new(kind));
        let fitted = opening::fit(shared, &chamber.space, &chamber.frame).map_err(mismatch)?;
        if facing(chamber, shared).dot(inward) > 0.0 {
            // Both rooms on the same side of the opening would overlap.
            return Err(mismatch(ForgeErrorKind::OpeningOffWall(0.0)).here());
        }
        let FittedOpening { outline, face } = fitted;
        let beyond = FarSide::Room { room: room.0, gate };
        chamber.add(Gate { outline, face, beyond, faces_in: false, opening: number })
    }
}

/// Returns the direction from an opening to the middle of a room, in the frame of the plan.
fn facing(chamber: &Chamber, shared: &[Vec3]) -> Vec3 {
    let normal = threshold_geom::plane_of(shared).map_or(Vec3::ZERO, |plane| plane.normal);
    let inward = chamber.frame.to_global(chamber.space.middle()) - outline::middle(shared);
    normal * normal.dot(inward).signum()
}

impl Chamber {
    fn of(room: &RoomSpec) -> Result<Self, ForgeErrorKind> {
        let frame = checked(&room.frame, "the room's frame")?;
        let space = solid(&room.shape, "the room")?;
        let mut blocks = Vec::with_capacity(room.blocks.len());
        for (shape, _) in &room.blocks {
            let block = solid(shape, "a block")?;
            let out = block.corners().map(|corner| space.distance(corner)).fold(0.0, f32::max);
            if out > outline::ON {
                return Err(ForgeErrorKind::BlockOutsideRoom(out));
            }
            blocks.push(block);
        }
        // A face against a wall has no free space before it.
        let pieces =
            union::surface(&blocks)?.into_iter().filter(|piece| space.is_open(&piece.side));
        let laid: Vec<Boards> = room.blocks.iter().map(|(shape, _)| boards(shape)).collect();
        let drawn = |piece: SurfacePiece| {
            let material = room.blocks[piece.solid].1;
            let card = Card::with_grain(material, piece.side.plane.normal, laid[piece.solid]);
            DrawnPolygon { side: piece.side, material, card }
        };
        let surface: Vec<DrawnPolygon> = pieces.map(drawn).collect();
        if surface.is_empty() && !blocks.is_empty() {
            return Err(ForgeErrorKind::RoomFull);
        }
        let (looks, buried) = (room.looks, room.buried);
        let (gates, under_floors) = (Vec::new(), Vec::new());
        Ok(Self { space, blocks, surface, looks, buried, gates, under_floors, frame })
    }

    /// Refuses blocks flush with an opening. Their faces in the wall are left out, as the wall
    /// covers them; where the wall is open, solid space would begin without a polygon.
    fn check_openings_clear(&self) -> Result<(), ForgeError> {
        for gate in &self.gates {
            let wall = &self.space.sides[gate.face].plane;
            let stands_in = |block: &Convex| {
                let flush = |side: &&Side| {
                    let (low, high) = outline::reach(&side.outline, wall);
                    let same = side.plane.normal.dot(wall.normal) > 0.0;
                    same && low > -2.0 * outline::ON && high < 2.0 * outline::ON
                };
                let face = |side: &Side| outline::reversed(&side.outline);
                let mut faces = block.sides.iter().filter(flush).map(face);
                faces
                    .any(|face| outline::overlap(&face, &gate.outline, -wall.normal) > opening::FIT)
            };
            if let Some(block) = self.blocks.iter().position(stands_in) {
                return Err(ForgeErrorKind::BlockInOpening(block).here().in_opening(gate.opening));
            }
        }
        Ok(())
    }

    /// Adds a gate and returns its index.
    fn add(&mut self, gate: Gate) -> Result<usize, ForgeError> {
        let normal = self.space.sides[gate.face].plane.normal;
        for other in self.gates.iter().filter(|other| other.face == gate.face) {
            // Seen from inside, outlines run clockwise about the outward normal.
            let depth = outline::overlap(&other.outline, &gate.outline, -normal);
            if depth > opening::FIT {
                return Err(ForgeErrorKind::OpeningsOverlap { other: other.opening, depth }.here());
            }
        }
        self.gates.push(gate);
        Ok(self.gates.len() - 1)
    }
}

/// Returns the solid of a shape, or why it is none.
pub(crate) fn solid(shape: &Shape, what: &'static str) -> Result<Convex, ForgeErrorKind> {
    Convex::of(shape).map_err(|fault| match fault {
        ShapeFault::Infinite => ForgeErrorKind::NotFinite(what),
        ShapeFault::Far => ForgeErrorKind::TooFar(what),
        ShapeFault::Large => ForgeErrorKind::TooLarge(what),
        ShapeFault::Thin => ForgeErrorKind::TooThin(what),
        ShapeFault::DoubledCorner => ForgeErrorKind::DoubledCorner(what),
        ShapeFault::NoArea => ForgeErrorKind::FaceWithoutArea(what),
        ShapeFault::Concave => ForgeErrorKind::NotConvex(what),
        ShapeFault::Open => ForgeErrorKind::NotClosed(what),
    })
}

/// Returns a frame with a rotation of unit length, or the error.
pub(crate) fn checked(frame: &Frame, what: &'static str) -> Result<Frame, ForgeErrorKind> {
    if !frame.origin.is_finite() || !frame.rotation.to_array().iter().all(|v| v.is_finite()) {
        return Err(ForgeErrorKind::NotFinite(what));
    }
    if frame.origin.abs().max_element() > MAX_DISTANCE {
        return Err(ForgeErrorKind::TooFar(what));
    }
    match frame.rotation.normalised() {
        Some(rotation) if frame.rotation.is_valid() => Ok(Frame { rotation, ..*frame }),
        _ => Err(ForgeErrorKind::BadRotation(what)),
    }
}
