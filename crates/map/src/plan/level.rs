//! Levels: rooms that are drawn together.

use super::room::RoomPlan;
use crate::flat;

/// Least height difference of two levels in metres; less is a step in a floor.
const MIN_STOREY: f32 = 2.2;
/// Height difference in metres below which floors count as level.
const SAME_HEIGHT: f32 = 0.3;
/// Greatest part of the smaller of two rooms on one level that both share.
const MAX_SHARED: f32 = 0.1;

/// Rooms side by side.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Level {
    /// The height of most of its floors, in metres.
    pub(super) height: f32,
    /// Indices of its rooms, ascending.
    pub(super) rooms: Vec<usize>,
    /// Indices of stairs and ramps that arrive from a lower level.
    pub(super) arriving: Vec<usize>,
}

/// Groups rooms into levels, the highest first; each room is in exactly one.
///
/// The heights with the largest floors become levels if they are a storey apart. A room joins the nearest level where
/// it has space, or starts a new one.
pub(super) fn levels(plans: &[RoomPlan]) -> Vec<Level> {
    let mut levels: Vec<Level> = base_heights(plans).into_iter().map(Level::at).collect();
    let mut order: Vec<usize> = (0..plans.len()).collect();
    // Large rooms first: they define a level.
    order.sort_by(|a, b| flat::area(&plans[*b].outline).total_cmp(&flat::area(&plans[*a].outline)));
    for index in order {
        let floor = plans[index].floor;
        let fits = |level: &&mut Level| {
            (level.height - floor).abs() <= 1.2 * MIN_STOREY && level.has_space(plans, index)
        };
        let distance = |level: &&mut Level| (level.height - floor).abs();
        let near = levels.iter_mut().filter(fits);
        match near.min_by(|a, b| distance(a).total_cmp(&distance(b))) {
            Some(level) => level.rooms.push(index),
            None => levels.push(Level { rooms: vec![index], ..Level::at(floor) }),
        }
    }
    levels.retain(|level| !level.rooms.is_empty());
    levels.sort_by(|a, b| b.height.total_cmp(&a.height));
    levels.iter_mut().for_each(|level| level.rooms.sort_unstable());
    add_arriving_stairs(plans, &mut levels);
    levels
}

/// Returns the index of the level nearest to a height.
pub(super) fn nearest(levels: &[Level], height: f32) -> Option<usize> {
    let distance = |index: &usize| (levels[*index].height - height).abs();
    (0..levels.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

impl Level {
    fn at(height: f32) -> Self {
        Self { height, rooms: Vec::new(), arriving: Vec::new() }
    }

    /// Returns whether a room overlaps no other room of the level.
    fn has_space(&self, plans: &[RoomPlan], index: usize) -> bool {
        let own = &plans[index].outline;
        !self.rooms.iter().map(|other| &plans[*other].outline).any(|other| {
            let smaller = flat::area(own).min(flat::area(other));
            flat::shared_area(own, other) > MAX_SHARED * smaller
        })
    }
}

/// Returns heights a storey apart, those with the largest floors first.
fn base_heights(plans: &[RoomPlan]) -> Vec<f32> {
    let mut floors: Vec<(f32, f32)> =
        plans.iter().map(|plan| (plan.floor, flat::area(&plan.outline))).collect();
    floors.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut heights: Vec<(f32, f32)> = Vec::new();
    for (height, area) in floors {
        match heights.last_mut() {
            Some(last) if height - last.0 < SAME_HEIGHT => last.1 += area,
            _ => heights.push((height, area)),
        }
    }
    heights.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.total_cmp(&b.0)));
    let mut bases: Vec<f32> = Vec::new();
    for (height, _) in heights {
        if bases.iter().all(|base| (base - height).abs() >= MIN_STOREY) {
            bases.push(height);
        }
    }
    bases
}

/// Adds each staircase to the level of its upper end.
fn add_arriving_stairs(plans: &[RoomPlan], levels: &mut [Level]) {
    for (index, plan) in plans.iter().enumerate() {
        let own = levels.iter().position(|level| level.rooms.contains(&index));
        let upper = nearest(levels, plan.top);
        let climbs = plan.top - plan.floor > 0.5;
        if let (Some(own), Some(upper), true) = (own, upper, climbs)
            && own != upper
        {
            levels[upper].arriving.push(index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_land::CellId;
    use threshold_land::vector::Vec2;

    /// A square room with side 10 at x; its lowest and highest door lie at these heights.
    fn plan(low: u32, x: f32, floor: f32, top: f32) -> RoomPlan {
        let corner = |dx: f32, dy: f32| Vec2::new(x + dx, dy);
        RoomPlan {
            id: CellId(0x0102_0000 + low),
            outline: vec![
                corner(0.0, 0.0),
                corner(10.0, 0.0),
                corner(10.0, 10.0),
                corner(0.0, 10.0),
            ],
            floor,
            top,
            walls: vec![],
            edges: vec![],
            slopes: vec![],
            portals: vec![],
            up: None,
        }
    }

    #[track_caller]
    fn check(plans: &[RoomPlan], want: &[(f32, &[usize], &[usize])]) {
        let got = levels(plans);
        let got: Vec<(f32, &[usize], &[usize])> =
            got.iter().map(|one| (one.height, &one.rooms[..], &one.arriving[..])).collect();
        assert_eq!(got, want);
    }

    #[test]
    fn two_storeys_and_the_stairs_between_them() {
        let plans = [
            plan(0x100, 0.0, 0.0, 0.0),
            plan(0x101, 10.0, 0.0, 3.0),
            plan(0x102, 20.0, 3.0, 3.0),
            plan(0x103, 0.0, 3.0, 3.0),
        ];
        check(&plans, &[(3.0, &[2, 3], &[1]), (0.0, &[0, 1], &[])]);
    }

    #[test]
    fn a_step_in_the_floor_starts_no_level() {
        let plans = [plan(0x100, 0.0, 0.0, 0.0), plan(0x101, 10.0, 1.0, 1.0)];
        check(&plans, &[(0.0, &[0, 1], &[])]);
    }

    #[test]
    fn rooms_above_each_other_are_on_different_levels() {
        let plans = [plan(0x100, 0.0, 0.0, 0.0), plan(0x101, 2.0, 1.5, 1.5)];
        check(&plans, &[(1.5, &[1], &[]), (0.0, &[0], &[])]);
    }

    #[test]
    fn the_nearest_level_is_found() {
        let plans = [plan(0x100, 0.0, 0.0, 0.0), plan(0x101, 0.0, 3.0, 3.0)];
        let levels = levels(&plans);
        assert_eq!(nearest(&levels, 100.0), Some(0));
        assert_eq!(nearest(&levels, 1.0), Some(1));
        assert_eq!(nearest(&[], 1.0), None);
    }
}
