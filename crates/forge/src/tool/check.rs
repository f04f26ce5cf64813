//! Checks that need several rooms, plans or landblocks at once.

use std::collections::{BTreeMap, BTreeSet};

use threshold_dat::{RecordId, Stab};
use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{BlockId, CELL_LENGTH, CellId, Frame};

use crate::tool::block::{Block, PlacedPlan};
use crate::tool::error::{ForgeError, ForgeErrorKind, PlanSite};
use crate::tool::ground::CORNERS;
use crate::tool::layout::{Layout, MAX_DISTANCE, checked};
use crate::tool::opening;
use crate::tool::plan::{PlacedObject, RoomKey};
use crate::tool::solid::Convex;

/// Overlap of rooms that is accepted, in metres: rounding of neighbouring rooms.
const ROOM_OVERLAP: f32 = 1e-3;
/// How far the origin of an object may lie outside its room, in metres: something on the floor may be a
/// little below it.
const OBJECT_OUT: f32 = 0.01;

/// A checked plan in its landblock.
pub(crate) struct Draft<'a> {
    pub(crate) standing: &'a PlacedPlan,
    pub(crate) site: PlanSite,
    /// In the landblock.
    pub(crate) frame: Frame,
    pub(crate) layout: Layout,
}

/// Two solids in the same place.
pub(crate) struct Overlap {
    pub(crate) first: usize,
    pub(crate) second: usize,
    pub(crate) depth: f32,
}

/// Returns two solids that overlap, if there are any among the pairs for which `matters` is true.
pub(crate) fn overlap(
    solids: &[Convex],
    matters: impl Fn(usize, usize) -> bool,
) -> Option<Overlap> {
    let bounds: Vec<(Vec3, Vec3)> = solids.iter().map(Convex::bounds).collect();
    // From west to east: each solid can only meet those that begin before it ends.
    let mut order: Vec<usize> = (0..solids.len()).collect();
    order.sort_by(|a, b| bounds[*a].0.x.total_cmp(&bounds[*b].0.x));
    for (place, &one) in order.iter().enumerate() {
        let (low, high) = bounds[one];
        let next = order[place + 1..].iter().take_while(|other| bounds[**other].0.x < high.x);
        for &other in next {
            let (their_low, their_high) = bounds[other];
            let meet = low.cmplt(their_high).all() && their_low.cmplt(high).all();
            if !meet || !matters(one, other) {
                continue;
            }
            let depth = solids[one].overlap(&solids[other]);
            let far = high.abs().max(low.abs()).max_element();
            if depth > ROOM_OVERLAP + 4.0 * f32::EPSILON * far {
                return Some(Overlap { first: one.min(other), second: one.max(other), depth });
            }
        }
    }
    None
}

/// Refuses overlapping rooms of different plans, and rooms too far away.
pub(crate) fn plans(drafts: &[Draft<'_>]) -> Result<(), ForgeError> {
    let mut sites = Vec::new();
    let mut solids = Vec::new();
    for (plan, draft) in drafts.iter().enumerate() {
        for (number, chamber) in draft.layout.rooms.iter().enumerate() {
            let solid = chamber.space.placed(&draft.frame.combine(&chamber.frame));
            let (low, high) = solid.bounds();
            if high.max(-low).max_element() > MAX_DISTANCE {
                let room = draft.standing.plan.site(RoomKey(number));
                let error = ForgeErrorKind::TooFar("the room").here();
                return Err(error.in_plan(draft.site).in_room(room));
            }
            sites.push((plan, number));
            solids.push(solid);
        }
    }
    let other_plan = |one: usize, other: usize| sites[one].0 != sites[other].0;
    let Some(Overlap { first, second, depth }) = overlap(&solids, other_plan) else {
        return Ok(());
    };
    let [one, other] = [first, second].map(|index| {
        let (plan, number) = sites[index];
        (drafts[plan].site, drafts[plan].standing.plan.site(RoomKey(number)))
    });
    let error = ForgeErrorKind::RoomsOverlap(depth).here();
    Err(error.in_plan(one.0).in_room(one.1).and_plan(other.0).and_room(other.1))
}

impl Draft<'_> {
    /// Refuses a building that leaves its land cell.
    pub(crate) fn check_within(&self, cell: CellId) -> Result<(), ForgeError> {
        let index = cell.low() - 1;
        let low = Vec2::new(f32::from(index >> 3), f32::from(index & 7)) * CELL_LENGTH;
        let beyond = |corner: Vec3| {
            let at = self.frame.to_global(corner).truncate();
            (low - at).max(at - low - CELL_LENGTH).max_element()
        };
        for (number, chamber) in self.layout.rooms.iter().enumerate() {
            // Of a room outside the shell, only the exits matter.
            let ways_out = chamber.gates.iter().filter(|gate| gate.leads_out());
            let corners: Vec<Vec3> = match chamber.buried {
                true => ways_out.flat_map(|gate| gate.outline.iter().copied()).collect(),
                false => chamber.space.corners().collect(),
            };
            let in_plan = corners.into_iter().map(|corner| chamber.frame.to_global(corner));
            let by = in_plan.map(beyond).fold(0.0, f32::max);
            if by > opening::FIT {
                let error = ForgeErrorKind::LeavesLandCell { cell, by }.here();
                return Err(error.in_room(self.standing.plan.site(RoomKey(number))));
            }
        }
        Ok(())
    }

    /// The objects of each room, in the landblock's frame.
    pub(crate) fn statics(&self, known: &BTreeSet<RecordId>) -> Result<Vec<Vec<Stab>>, ForgeError> {
        let plan = &self.standing.plan;
        let mut statics = vec![Vec::new(); plan.len()];
        for (number, placed) in plan.objects.iter().enumerate() {
            let stab = self
                .stab(placed, known)
                .map_err(|kind| kind.here().in_room(plan.site(placed.room)).in_object(number))?;
            statics[placed.room.0].push(stab);
        }
        Ok(statics)
    }

    fn stab(
        &self,
        placed: &PlacedObject,
        known: &BTreeSet<RecordId>,
    ) -> Result<Stab, ForgeErrorKind> {
        let chamber = self.layout.rooms.get(placed.room.0).ok_or(ForgeErrorKind::NoSuchRoom)?;
        let local = checked(&placed.frame, "an object")?;
        if !known.contains(&placed.model) {
            return Err(ForgeErrorKind::UnknownObject(placed.model));
        }
        let out = chamber.space.distance(chamber.frame.to_local(local.origin));
        if out > OBJECT_OUT {
            return Err(ForgeErrorKind::ObjectOutsideRoom(out));
        }
        Ok(Stab { model: placed.model, frame: self.frame.combine(&local) })
    }
}

/// Refuses adjacent landblocks with different heights at shared corners.
pub(crate) fn borders(blocks: &BTreeMap<BlockId, Block>) -> Result<(), ForgeError> {
    const LAST: usize = CORNERS - 1;
    for block in blocks.values() {
        // Each pair once: from the western or the southern one.
        for (east, north) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            let Some(other) = neighbour(block.id, east, north).and_then(|id| blocks.get(&id))
            else {
                continue;
            };
            let shared = |step: i32| match step {
                1 => (LAST..=LAST, 0),
                -1 => (0..=0, LAST),
                _ => (0..=LAST, 0),
            };
            let ((xs, _), (ys, other_row)) = (shared(east), shared(north));
            for (x, y) in xs.flat_map(|x| ys.clone().map(move |y| (x, y))) {
                let other_x = if east == 0 { x } else { 0 };
                let other_y = if north == 0 { y } else { other_row };
                block.check_corner((x, y), other, (other_x, other_y))?;
            }
        }
    }
    Ok(())
}

fn neighbour(block: BlockId, east: i32, north: i32) -> Option<BlockId> {
    let step = |from: u8, by: i32| u8::try_from(i32::from(from) + by).ok();
    Some(BlockId::new(step(block.x(), east)?, step(block.y(), north)?))
}

impl Block {
    fn check_corner(
        &self,
        corner: (usize, usize),
        other: &Self,
        other_corner: (usize, usize),
    ) -> Result<(), ForgeError> {
        let at = |block: &Self, (x, y): (usize, usize)| block.ground.heights[x * CORNERS + y];
        let (height, other_height) = (at(self, corner), at(other, other_corner));
        if height == other_height {
            return Ok(());
        }
        let other = other.id;
        let kind =
            ForgeErrorKind::BordersDiffer { height, corner, other, other_height, other_corner };
        Err(kind.here().in_block(self.id))
    }
}
