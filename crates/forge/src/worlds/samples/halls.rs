//! Rooms without space between them.

use threshold_land::Frame;
use threshold_land::vector::Vec3;

use crate::tool::opening::{Face, Opening};
use crate::tool::plan::{Plan, RoomKey, StabListMode};
use crate::tool::random::Random;
use crate::tool::room::RoomSpec;

/// Column and row size, and storey height, of an open grid, in metres.
const GRID: [f32; 3] = [6.0, 6.0, 4.0];
/// Column and row sizes, and storey heights, of halls, in metres.
const WIDTHS: [f32; 4] = [5.0, 6.0, 7.0, 9.0];
const HEIGHTS: [f32; 3] = [3.0, 3.5, 4.0];
/// Door widths, in metres. Two of them fit into the narrowest wall.
const DOORS: [f32; 4] = [0.8, 1.2, 1.8, 2.2];
const DOOR_HEIGHTS: [f32; 3] = [2.0, 2.3, 2.6];
/// The sides of a hatch, in metres.
const HATCHES: [f32; 3] = [1.0, 1.6, 2.2];

/// The face of a room towards the east, the north and up.
const ONWARD: [Face; 3] = [Face::EAST, Face::NORTH, Face::Ceiling];

/// Columns, rows and storeys, by their sizes.
struct Lattice {
    sizes: [Vec<f32>; 3],
}

/// A room of a lattice.
struct Site {
    key: RoomKey,
    /// Its indices to the east, to the north and up.
    at: [usize; 3],
}

/// Opens every wall completely.
pub(super) fn grid(size: [usize; 3]) -> Plan {
    let sizes = [0, 1, 2].map(|axis| vec![GRID[axis]; size[axis]]);
    let mut plan = Plan::new();
    Lattice { sizes }.fill(&mut plan, |plan, room, other, axis, _| {
        plan.join(room, other, Opening::whole(ONWARD[axis]));
    });
    plan
}

/// Adds one or two doors per wall.
pub(super) fn halls(size: [usize; 3], seed: u64) -> Plan {
    let mut random = Random(seed);
    let sizes = [&WIDTHS[..], &WIDTHS, &HEIGHTS];
    let sizes = [0, 1, 2].map(|axis| (0..size[axis]).map(|_| random.pick(sizes[axis])).collect());
    let mut plan = Plan::new();
    Lattice { sizes }.fill(&mut plan, |plan, room, other, axis, extent| match axis {
        2 => {
            if random.below(4) == 0 {
                plan.join(room, other, hatch(&mut random, extent));
            }
        }
        _ => {
            let length = extent[1 - axis];
            let doors = 1 + random.below(2);
            for number in 0..doors {
                #[allow(clippy::cast_precision_loss, reason = "one or two")]
                let (part, start) = (length / doors as f32, number as f32 * length / doors as f32);
                plan.join(room, other, door(&mut random, ONWARD[axis], start, part));
            }
        }
    });
    plan
}

/// Adds a door at a random position in a part of a wall.
fn door(random: &mut Random, face: Face, start: f32, length: f32) -> Opening {
    let (width, height) = (random.pick(&DOORS), random.pick(&DOOR_HEIGHTS));
    Opening::door(face).size(width, height).along(start + somewhere(random, length - width))
}

fn hatch(random: &mut Random, extent: Vec3) -> Opening {
    let side = random.pick(&HATCHES);
    let at = [extent.x, extent.y].map(|length| somewhere(random, length - side));
    Opening::rectangle(Face::Ceiling, at, [side, side])
}

/// Returns a random part of a length, from a tenth to nine tenths.
fn somewhere(random: &mut Random, length: f32) -> f32 {
    length * random.pick(&[0.1, 0.3, 0.5, 0.7, 0.9])
}

impl Lattice {
    /// Adds all rooms, and calls `open` to join each with its neighbour along an axis, with the size of the room.
    fn fill(
        &self,
        plan: &mut Plan,
        mut open: impl FnMut(&mut Plan, RoomKey, RoomKey, usize, Vec3),
    ) {
        plan.lists(StabListMode::Reach);
        let [east, north, up] = [0, 1, 2].map(|axis| self.sizes[axis].len());
        let mut sites = Vec::with_capacity(east * north * up);
        for at in
            (0..up).flat_map(|z| (0..north).flat_map(move |y| (0..east).map(move |x| [x, y, z])))
        {
            let room = RoomSpec::cuboid(Vec3::ZERO, self.extent(at)).at(Frame::at(self.corner(at)));
            sites.push(Site { key: plan.room(room), at });
        }
        let step = [1, east, east * north];
        for (number, site) in sites.iter().enumerate() {
            for axis in 0..3 {
                if site.at[axis] + 1 < self.sizes[axis].len() {
                    let other = &sites[number + step[axis]];
                    open(plan, site.key, other.key, axis, self.extent(site.at));
                }
            }
        }
    }

    fn extent(&self, at: [usize; 3]) -> Vec3 {
        Vec3::from([0, 1, 2].map(|axis| self.sizes[axis][at[axis]]))
    }

    /// Returns the south-western corner of a room, at its floor.
    fn corner(&self, at: [usize; 3]) -> Vec3 {
        Vec3::from([0, 1, 2].map(|axis| self.sizes[axis][..at[axis]].iter().sum::<f32>()))
    }
}
