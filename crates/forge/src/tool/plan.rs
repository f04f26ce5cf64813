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
    pub(crate) openings: Vec<Planned>,
    pub(crate) objects: Vec<Placed>,
    pub(crate) lists: StabListMode,
    pub(crate) outside: FaceMaterials,
    pub(crate) solids: Vec<(Shape, Material)>,
    /// The numbers of those that are roofs.
    pub(crate) roofs: Vec<usize>,
}

impl Default for Plan {
    fn default() -> Self {
        Self::new()
    }
}

/// What the stab lists of rooms and of building portals name. Both name everything that can be seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StabListMode {
    /// What can be seen along straight lines, a hair more and never less.
    #[default]
    Sight,
    /// Everything that can be reached through openings, round any corner. No line is followed, so that a thousand rooms
    /// that are open to each other on all sides are made at once.
    Reach,
}

/// A room of a [`Plan`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoomKey(pub(crate) usize);

/// An opening of a plan.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Planned {
    pub(crate) room: RoomKey,
    pub(crate) opening: Opening,
    pub(crate) leads: Leads,
}

/// Where an opening leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leads {
    To(RoomKey),
    Outdoors,
    /// Outdoors for the eye alone.
    Window,
}

/// An object in a room.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Placed {
    pub(crate) room: RoomKey,
    pub(crate) model: RecordId,
    pub(crate) frame: Frame,
}

impl Plan {
    /// No rooms yet.
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

    /// Opens the wall between two rooms. The opening is given on a face of `room`; the same polygon must
    /// lie in a face of `other`.
    pub fn join(&mut self, room: RoomKey, other: RoomKey, opening: Opening) -> &mut Self {
        self.open(room, opening, Leads::To(other))
    }

    /// Opens a wall to the outdoors.
    pub fn exit(&mut self, room: RoomKey, opening: Opening) -> &mut Self {
        self.open(room, opening, Leads::Outdoors)
    }

    /// Opens a wall to the outdoors for the eye alone: the wall stays closed to movers.
    pub fn window(&mut self, room: RoomKey, opening: Opening) -> &mut Self {
        self.open(room, opening, Leads::Window)
    }

    /// Puts an object into a room, in the frame of the plan: the [`MOVER`](crate::MOVER), or one that
    /// [`Forge::object`](crate::Forge::object) made. Its origin must lie in the room, or on its floor. Retail:
    /// `Stab`.
    pub fn put(&mut self, room: RoomKey, model: RecordId, frame: Frame) -> &mut Self {
        self.objects.push(Placed { room, model, frame });
        self
    }

    /// Says what the shell of a building is made of; plaster and slate unless it was said.
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

    /// Adds a roof to the shell of a building: a [`solid`](Self::solid) whose upright faces, as the ends of a gable are, are
    /// made of what the walls are.
    pub fn roof(&mut self, material: Material, shape: Shape) -> &mut Self {
        self.roofs.push(self.solids.len());
        self.solid(material, shape)
    }

    /// Says what the lists of visible rooms name; [`StabListMode::Sight`] unless it was said.
    pub fn lists(&mut self, lists: StabListMode) -> &mut Self {
        self.lists = lists;
        self
    }

    /// How many rooms.
    pub fn len(&self) -> usize {
        self.rooms.len()
    }

    /// Whether there is no room.
    pub fn is_empty(&self) -> bool {
        self.rooms.is_empty()
    }

    pub(crate) fn site(&self, key: RoomKey) -> RoomSite {
        match self.rooms.get(key.0) {
            Some(room) => room.site(key.0),
            None => RoomSite { number: key.0, name: None },
        }
    }

    fn open(&mut self, room: RoomKey, opening: Opening, leads: Leads) -> &mut Self {
        self.openings.push(Planned { room, opening, leads });
        self
    }
}
