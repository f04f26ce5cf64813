//! What people call the rooms of the built-in world, and where the points of its plans lie.

use threshold_land::glam::{Vec2, Vec3};
use threshold_land::{CellId, Frame, Position, Rotation, adjust_to_outside};

use super::stock::standing;
use super::{SEED, SITES, built, place};
use crate::tool::block::{RoomCells, Standing};
use crate::tool::forge::Forge;
use crate::tool::plan::RoomKey;
use crate::tool::room::RoomSpec;
use crate::tool::shape::Shape;
use crate::tool::solid::Convex;

/// A room of the built-in world, by the names of its building and of its own.
///
/// ```
/// let rooms = threshold_forge::rooms();
/// let taproom = rooms.iter().find(|room| room.name == "taproom").expect("the inn has one");
/// assert_eq!(taproom.building, "inn");
/// assert_eq!(taproom.cell.to_string(), "0xA9B40106");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedRoom {
    /// Its cell, in every world: the seed decides the land alone.
    pub cell: CellId,
    /// The building that it belongs to; the gatehouse and everything under the mountain are the depths.
    pub building: &'static str,
    /// What it is called there; other rooms of the building may be called the same.
    pub name: String,
}

/// The names of all rooms of the built-in world, in the order of their cells.
pub fn rooms() -> Vec<NamedRoom> {
    let survey = Survey::of(SEED);
    let mut rooms: Vec<NamedRoom> = survey.rooms().collect();
    rooms.sort_by_key(|room| room.cell);
    rooms
}

/// The built-in world before it is finished, when its plans are still at hand.
pub(super) struct Survey {
    forge: Forge,
    /// Which cells the rooms of the sites became.
    cells: Vec<RoomCells>,
}

/// What lies higher over what is below it than somebody can step is no floor, in metres.
const STEP_UP: f32 = 0.6;

impl Survey {
    pub(super) fn of(seed: u64) -> Self {
        let (forge, cells) = built(seed);
        Self { forge, cells }
    }

    /// The plan of a site as it stands in its landblock, and the heading that it was given.
    fn site(&self, name: &str) -> Option<(&Standing, f32)> {
        let number = SITES.iter().position(|site| site.name == name)?;
        Some((self.forge.standing(self.cells.get(number)?)?, SITES[number].heading))
    }

    fn rooms(&self) -> impl Iterator<Item = NamedRoom> {
        let standing = |cells: &RoomCells| self.forge.standing(cells);
        let plans = SITES
            .iter()
            .zip(&self.cells)
            .filter_map(move |(site, cells)| Some((site.name, cells, standing(cells)?)));
        plans.flat_map(|(building, cells, standing)| {
            let rooms = standing.plan.rooms.iter().enumerate();
            rooms.map(move |(number, room)| NamedRoom {
                cell: cells.of(RoomKey(number)),
                building,
                name: room.name.clone().unwrap_or_default(),
            })
        })
    }

    /// On the ground, in metres from the corner of the world, facing a heading.
    pub(super) fn on_land(&self, at: [f32; 2], heading: f32) -> Option<Position> {
        let (block, at) = place(at.into());
        let ground = self.forge.ground(block, at)?;
        outdoors(block.cell(1), at.extend(ground), heading)
    }

    /// Over the ground: on what lies so high.
    pub(super) fn over_land(&self, at: [f32; 2], height: f32, heading: f32) -> Option<Position> {
        let (block, at) = place(at.into());
        outdoors(block.cell(1), at.extend(height), heading)
    }

    /// On the ground round a building, at a place of its plan, facing a heading of the plan.
    pub(super) fn before(&self, site: &str, at: [f32; 2], heading: f32) -> Option<Position> {
        let (standing, turned) = self.site(site)?;
        let at = standing.frame.to_global(Vec2::from(at).extend(0.0));
        let (cell, at) = adjust_to_outside(standing.placed.of(RoomKey(0)), at)?;
        let ground = self.forge.ground(cell.block(), at.truncate())?;
        outdoors(cell, at.with_z(ground), turned + heading)
    }

    /// On the floor of a room, at a place of its plan, facing a heading of the plan.
    pub(super) fn indoors(
        &self,
        (site, name): (&str, &str),
        at: [f32; 2],
        heading: f32,
    ) -> Option<Position> {
        let (standing, turned) = self.site(site)?;
        let mut rooms = standing.plan.rooms.iter().enumerate();
        let (number, floor) = rooms.find_map(|(number, room)| {
            let floor = floor(room, at.into()).filter(|_| room.name.as_deref() == Some(name))?;
            Some((number, floor))
        })?;
        let origin = standing.frame.to_global(Vec2::from(at).extend(floor));
        let rotation = Rotation::from_heading(turned + heading);
        Some(Position {
            cell: standing.placed.of(RoomKey(number)),
            frame: Frame { origin, rotation },
        })
    }

    /// A place of a plan, at the height of its threshold, in the frame of its landblock.
    pub(super) fn in_plan(&self, site: &str, at: [f32; 2]) -> Option<Position> {
        let (standing, _) = self.site(site)?;
        let at = standing.frame.to_global(Vec2::from(at).extend(0.0));
        Some(Position::new(standing.placed.of(RoomKey(0)), at))
    }
}

fn outdoors(cell: CellId, at: Vec3, heading: f32) -> Option<Position> {
    let (cell, origin) = adjust_to_outside(cell, at)?;
    Some(Position { cell, frame: standing(origin, heading) })
}

/// How high one stands at a place of the plan in a room: on its floor, or on the blocks that lie there. `None` outside it.
fn floor(room: &RoomSpec, at: Vec2) -> Option<f32> {
    let local = room.frame.to_local(at.extend(room.frame.origin.z)).truncate();
    let mut blocks: Vec<[f32; 2]> =
        room.blocks.iter().filter_map(|(shape, _)| span(shape, local)).collect();
    blocks.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let [low, _] = span(&room.shape, local)?;
    let top =
        blocks.into_iter().fold(
            low,
            |floor, [low, high]| {
                if low <= floor + STEP_UP { floor.max(high) } else { floor }
            },
        );
    Some(top + room.frame.origin.z)
}

/// The lowest and the highest point of a solid over a place; `None` beside it.
fn span(shape: &Shape, at: Vec2) -> Option<[f32; 2]> {
    // Shapes that are none are refused when the world is finished.
    let solid = Convex::of(shape).ok()?;
    let (mut low, mut high) = (f32::NEG_INFINITY, f32::INFINITY);
    for side in &solid.sides {
        let (normal, apart) = (side.plane.normal, side.plane.distance(at.extend(0.0)));
        if normal.z.abs() < 1e-4 {
            if apart > 0.0 {
                return None;
            }
        } else if normal.z > 0.0 {
            high = high.min(-apart / normal.z);
        } else {
            low = low.max(-apart / normal.z);
        }
    }
    (low < high).then_some([low, high])
}
