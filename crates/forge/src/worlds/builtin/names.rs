//! Names of the rooms of the built-in world, and positions of points of its plans.

use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{CellId, Frame, Position, Rotation, adjust_to_outside};

use super::stock::standing;
use super::{SEED, SITES, built, place};
use crate::tool::block::{PlacedPlan, RoomCells};
use crate::tool::forge::Forge;
use crate::tool::plan::RoomKey;
use crate::tool::room::RoomSpec;
use crate::tool::shape::Shape;
use crate::tool::solid::Convex;

/// A room of the built-in world, with the names of its building and of its own.
///
/// ```
/// let rooms = threshold_forge::rooms();
/// let taproom = rooms.iter().find(|room| room.name == "taproom").expect("the inn has one");
/// assert_eq!(taproom.building, "inn");
/// assert_eq!(taproom.cell.to_string(), "0xA9B40106");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedRoom {
    /// Its cell, for every seed: the seed affects only the land.
    pub cell: CellId,
    /// The building that contains it; the gatehouse and everything under the mountain are the depths.
    pub building: &'static str,
    /// Its name; other rooms of the building may have the same.
    pub name: String,
}

/// Returns the names of all rooms of the built-in world, in the order of their cells.
pub fn rooms() -> Vec<NamedRoom> {
    let survey = Survey::of(SEED);
    let mut rooms: Vec<NamedRoom> = survey.rooms().collect();
    rooms.sort_by_key(|room| room.cell);
    rooms
}

/// The built-in world before it is finished, with its plans.
pub(super) struct Survey {
    forge: Forge,
    /// The cells of the sites' rooms.
    cells: Vec<RoomCells>,
}

/// Maximum height of a block that counts as floor over the next one below, in metres: a step.
const STEP_UP: f32 = 0.6;

impl Survey {
    pub(super) fn of(seed: u64) -> Self {
        let (forge, cells) = built(seed);
        Self { forge, cells }
    }

    /// Returns the plan of a site as placed in its landblock, and its heading.
    fn site(&self, name: &str) -> Option<(&PlacedPlan, f32)> {
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

    /// Returns a position on the ground, in metres from the corner of the world, with a heading.
    pub(super) fn on_land(&self, at: [f32; 2], heading: f32) -> Option<Position> {
        let (block, at) = place(at.into());
        let ground = self.forge.ground(block, at)?;
        outdoors(block.cell(1), at.extend(ground), heading)
    }

    /// Returns a position above the ground, at a height.
    pub(super) fn over_land(&self, at: [f32; 2], height: f32, heading: f32) -> Option<Position> {
        let (block, at) = place(at.into());
        outdoors(block.cell(1), at.extend(height), heading)
    }

    /// Returns a position on the ground around a building, at a point and with a heading of the plan.
    pub(super) fn before(&self, site: &str, at: [f32; 2], heading: f32) -> Option<Position> {
        let (standing, turned) = self.site(site)?;
        let at = standing.frame.to_global(Vec2::from(at).extend(0.0));
        let (cell, at) = adjust_to_outside(standing.placed.of(RoomKey(0)), at)?;
        let ground = self.forge.ground(cell.block(), at.truncate())?;
        outdoors(cell, at.with_z(ground), turned + heading)
    }

    /// Returns a position on the floor of a room, at a point and with a heading of the plan.
    pub(super) fn indoors(
        &self,
        site: &str,
        name: &str,
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

    /// Returns a point of a plan, at the height of its threshold, in the frame of its landblock.
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

/// Returns the floor height at a point of the plan in a room: of the floor, or of the blocks on it. `None` outside the room.
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

/// Returns the lowest and the highest point of a solid over a point; `None` beside it.
fn span(shape: &Shape, at: Vec2) -> Option<[f32; 2]> {
    // Invalid shapes are refused when the world is finished.
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
