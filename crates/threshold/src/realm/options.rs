//! What enters a realm, and where.

use threshold_dat::RecordId;
use threshold_forge::MOVER;
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position, Rotation};
use threshold_motion::Gait;
use threshold_world::{ObjectKind, PlayerStatus, State};

/// A body to be: its model, and how it moves.
///
/// ```
/// use threshold::{BodyOptions, world::State};
///
/// let ghost = BodyOptions { scale: 1.2, ..BodyOptions::creature() };
/// let ghost = BodyOptions { state: ghost.state.with(State::ETHEREAL, true), ..ghost };
/// assert!(ghost.holds_world);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BodyOptions {
    /// Its setup or model: the human of retail's files and of made worlds, unless another is given.
    pub setup: RecordId,
    /// Its scale; 1 is the size of the setup. Gaits grow with it.
    pub scale: f32,
    /// Its physics state.
    pub state: State,
    /// How movers treat it.
    pub kind: ObjectKind,
    /// How it moves by itself; `None` for bodies that only fall, fly and come to rest.
    pub gait: Option<Gait>,
    /// Whether the world is loaded around it. Without this it stands still, or is lost, where no other body or hold keeps its
    /// cell loaded; with it each body costs the memory of the land around it.
    pub holds_world: bool,
}

impl BodyOptions {
    /// A human player at peace: players pass through one another, as in retail.
    pub fn player() -> Self {
        Self { kind: ObjectKind::Player(PlayerStatus::Peaceful), ..Self::creature() }
    }

    /// A human creature, which blocks players and other creatures.
    pub fn creature() -> Self {
        Self {
            setup: MOVER,
            scale: 1.0,
            state: State::GRAVITY.with(State::EDGE_SLIDE, true),
            kind: ObjectKind::Creature,
            gait: Some(Gait::stand()),
            holds_world: true,
        }
    }

    /// An item of a setup or model: it falls, comes to rest and blocks nothing.
    pub fn item(setup: RecordId) -> Self {
        Self {
            setup,
            state: State::GRAVITY.with(State::ETHEREAL, true),
            kind: ObjectKind::Thing,
            gait: None,
            holds_world: false,
            ..Self::creature()
        }
    }
}

/// A place for a body: a cell, a point in the frame of its landblock, and a heading.
///
/// ```
/// use threshold::{BlockId, CellId, Position, Spot};
///
/// let bar = Spot::new(CellId(0xA9B4_0106), [132.0, 106.0, 40.2]).facing(90.0); // east
/// // Outdoors any land cell of the landblock will do.
/// let square = Spot::new(BlockId(0xA9B4).cell(1), [94.0, 78.0, 40.0]);
/// assert_eq!(Spot::from(square.position()).at, square.at);
/// assert_eq!(bar.heading, 90.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// The room, or any land cell of the landblock.
    pub cell: CellId,
    /// The point at the feet, in metres.
    pub at: Vec3,
    /// Heading in degrees to the right of north.
    pub heading: f32,
}

impl Spot {
    /// A point of a cell, facing north.
    pub fn new(cell: CellId, at: impl Into<Vec3>) -> Self {
        Self { cell, at: at.into(), heading: 0.0 }
    }

    /// The same point, facing a heading in degrees to the right of north.
    #[must_use]
    pub fn facing(self, heading: f32) -> Self {
        Self { heading, ..self }
    }

    /// Returns the spot as a position.
    pub fn position(&self) -> Position {
        let mut position = Position::new(self.cell, self.at);
        position.frame.rotation = Rotation::from_heading(self.heading);
        position
    }
}

impl From<Position> for Spot {
    fn from(position: Position) -> Self {
        let Position { cell, frame } = position;
        Self { cell, at: frame.origin, heading: frame.heading() }
    }
}
