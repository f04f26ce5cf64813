//! Plans of buildings and dungeons.

use threshold_dat::RecordId;
use threshold_land::Frame;

use crate::stock::material::Material;
use crate::tool::error::RoomSite;
use crate::tool::opening::Opening;
use crate::tool::room::{FaceMaterials, RoomSpec};
use crate::tool::shape::Shape;

/// Rooms and the openings between them, in a frame of their own: what a building or a dungeon is made
/// from.
///
/// ```
/// use threshold_forge::{Face, Opening, Plan, RoomSpec};
///
/// let mut house = Plan::new();
/// let hall = house.room(RoomSpec::cuboid([-4.0, -3.0, 0.0], [4.0, 3.0, 3.0]));
/// let kitchen = house.room(RoomSpec::cuboid([-4.0, 3.0, 0.0], [4.0, 7.0, 3.0]));
/// house.exit(hall, Opening::door(Face::SOUTH));
/// house.join(hall, kitchen, Opening::door(Face::NORTH));
/// house.window(kitchen, Opening::pane(Face::EAST));
/// assert_eq!(house.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    pub(crate) rooms: Vec<RoomSpec>,
    pub(crate) openings: Vec<PlannedOpening>,
    pub(crate) objects: Vec<PlacedObject>,
    pub(crate) lists: StabListMode,
    pub(crate) outside: FaceMaterials,
    pub(crate) solids: Vec<(Shape, Material)>,
    /// Indices of the solids that are roofs.
    pub(crate) roofs: Vec<usize>,
}

impl Default for Plan {
    fn default() -> Self {
        Self::new()
    }
}

/// What the stab lists of rooms and of building portals name. Every mode names all that can be seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StabListMode {
    /// Rooms in a straight line of sight, with a small margin, so that none is missing.
    #[default]
    Sight,
    /// All rooms that can be reached through openings, round any corner. No line of sight is computed, so that a thousand rooms
    /// open to each other on all sides are made quickly.
    Reach,
}

/// A room of a [`Plan`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoomKey(pub(crate) usize);

/// An opening of a plan.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlannedOpening {
    pub(crate) room: RoomKey,
    pub(crate) opening: Opening,
    pub(crate) leads: Destination,
}

/// The far side of an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    To(RoomKey),
    Outdoors,
    /// Outdoors, for the line of sight only.
    Window,
}

/// An object in a room.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlacedObject {
    pub(crate) room: RoomKey,
    pub(crate) model: RecordId,
    pub(crate) frame: Frame,
}

impl Plan {
    /// Creates a plan without rooms.
    pub fn new() -> Self {
        Self {
            rooms: Vec::new(),
            openings: Vec::new(),
            objects: Vec::new(),
            lists: StabListMode::default(),
            outside: FaceMaterials::SHELL,
            solids: Vec::new(),
            roofs: Vec::new(),
        }
    }

    /// Adds a room. Rooms of a landblock are numbered in the order they are added, from 0x0100.
    pub fn room(&mut self, room: RoomSpec) -> RoomKey {
        self.rooms.push(room);
        RoomKey(self.rooms.len() - 1)
    }

    /// Opens the wall between two rooms. The opening lies on a face of `room`; the same polygon must
    /// lie in a face of `other`.
    pub fn join(&mut self, room: RoomKey, other: RoomKey, opening: Opening) -> &mut Self {
        self.open(room, opening, Destination::To(other))
    }

    /// Opens a wall to the outdoors, for movers and sight.
    pub fn exit(&mut self, room: RoomKey, opening: Opening) -> &mut Self {
        self.open(room, opening, Destination::Outdoors)
    }

    /// Opens a wall to the outdoors for sight only: it blocks movers.
    pub fn window(&mut self, room: RoomKey, opening: Opening) -> &mut Self {
        self.open(room, opening, Destination::Window)
    }

    /// Puts an object into a room, in the frame of the plan: the [`MOVER`](crate::MOVER), or one from
    /// [`Forge::object`](crate::Forge::object). Its origin must lie in the room, or on its floor. Retail:
    /// `Stab`.
    pub fn put(&mut self, room: RoomKey, model: RecordId, frame: Frame) -> &mut Self {
        self.objects.push(PlacedObject { room, model, frame });
        self
    }

    /// Sets the materials of a building's shell; by default plaster and slate.
    pub fn outside(&mut self, looks: FaceMaterials) -> &mut Self {
        self.outside = looks;
        self
    }

    /// Adds a solid to the shell of a building, in the frame of the plan: a spire, a chimney, a step before the
    /// door. It must leave doors and windows free. Dungeons have no shell and so no solids.
    pub fn solid(&mut self, material: Material, shape: Shape) -> &mut Self {
        self.solids.push((shape, material));
        self
    }

    /// Adds a roof to the shell of a building: a [`solid`](Self::solid) with vertical faces, such as gable ends, in
    /// the material of the walls.
    pub fn roof(&mut self, material: Material, shape: Shape) -> &mut Self {
        self.roofs.push(self.solids.len());
        self.solid(material, shape)
    }

    /// Sets what the stab lists name; by default [`StabListMode::Sight`].
    pub fn lists(&mut self, lists: StabListMode) -> &mut Self {
        self.lists = lists;
        self
    }

    /// Returns the number of rooms.
    pub fn len(&self) -> usize {
        self.rooms.len()
    }

    /// Returns whether the plan has no rooms.
    pub fn is_empty(&self) -> bool {
        self.rooms.is_empty()
    }

    pub(crate) fn site(&self, key: RoomKey) -> RoomSite {
        match self.rooms.get(key.0) {
            Some(room) => room.site(key.0),
            None => RoomSite { number: key.0, name: None },
        }
    }

    fn open(&mut self, room: RoomKey, opening: Opening, leads: Destination) -> &mut Self {
        self.openings.push(PlannedOpening { room, opening, leads });
        self
    }
}
