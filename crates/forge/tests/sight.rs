//! Stab lists: nothing visible is missing, and nothing behind two corners is listed.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a test fails on unexpected values"
)]

mod built;

use std::collections::{BTreeMap, BTreeSet};

use built::{Cell, Chance};
use threshold_dat::Records;
use threshold_forge::{
    Face, Forge, MadeWorld, Opening, Plan, RoomKey, RoomSpec, StabListMode, samples,
};
use threshold_geom::{Polygon, Sides, plane_of};
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Frame};

/// The cells of a world, and lines of sight through them.
struct Rays {
    cells: Vec<Cell>,
    /// By cell and portal: the outline and its plane, in the landblock.
    portals: BTreeMap<(CellId, usize), Vec<Vec3>>,
}

/// Where a line left the last known cell.
#[derive(PartialEq)]
enum End {
    Wall,
    /// Through this portal of the last cell.
    Outdoors(usize),
}

impl Rays {
    fn of(world: &MadeWorld) -> Self {
        let cells = built::cells(world);
        let mut portals = BTreeMap::new();
        for cell in &cells {
            for index in 0..cell.record.portals.len() {
                portals.insert((cell.id, index), cell.portal_in_block(index));
            }
        }
        Self { cells, portals }
    }

    fn cell(&self, id: CellId) -> &Cell {
        self.cells.iter().find(|cell| cell.id == id).unwrap()
    }

    /// Returns the cells that a ray from a point of `cell` passes, in order.
    fn follow(&self, cell: CellId, from: Vec3, direction: Vec3) -> (Vec<CellId>, End) {
        let mut passed = vec![cell];
        loop {
            let cell = self.cell(passed[passed.len() - 1]);
            let frame = &cell.record.position;
            let local = frame.to_local(from);
            let along = frame.rotation.rows().to_local(direction);
            // Leaves through the first plane that the ray reaches from inside.
            let leaves = cell.inside.planes().iter().filter_map(|plane| {
                let approach = plane.normal.dot(along);
                (approach < -1e-6).then(|| -plane.distance(local) / approach)
            });
            let at = from + direction * leaves.fold(f32::INFINITY, f32::min);
            let through = (0..cell.record.portals.len()).find(|index| {
                let outline = &self.portals[&(cell.id, *index)];
                let plane = plane_of(outline).unwrap();
                let ahead = plane.normal.dot(direction) < -1e-4;
                ahead
                    && plane.distance(at).abs() < 1e-3
                    && Polygon::new(outline, Sides::Single).unwrap().contains(at)
            });
            let Some(index) = through else { return (passed, End::Wall) };
            match cell.record.neighbour(&cell.record.portals[index]) {
                // Near an edge: rounding decides the next cell.
                Some(next) if passed.contains(&next) => return (passed, End::Wall),
                Some(next) => passed.push(next),
                None => return (passed, End::Outdoors(index)),
            }
        }
    }

    /// Returns a point of a portal, slightly inside its edges.
    fn portal_point(&self, cell: CellId, index: usize, chance: &mut Chance) -> Vec3 {
        let outline = &self.portals[&(cell, index)];
        let middle = outline.iter().sum::<Vec3>() / outline.len() as f32;
        let weights: Vec<f32> = outline.iter().map(|_| chance.unit().powi(2)).collect();
        let total: f32 = weights.iter().sum::<f32>().max(1e-6);
        let point: Vec3 = outline.iter().zip(&weights).map(|(p, w)| *p * (w / total)).sum();
        middle + (point - middle) * 0.999
    }

    /// Returns a line through two openings of adjacent rooms, with all cells on it in both directions.
    fn line(&self, start: &Cell, chance: &mut Chance) -> Option<Line> {
        let pick = |count: usize, chance: &mut Chance| {
            ((chance.unit() * count as f32) as usize).min(count.saturating_sub(1))
        };
        let first = pick(start.record.portals.len(), chance);
        let next = start.record.neighbour(start.record.portals.get(first)?)?;
        let mut room = self.cell(next);
        // The second opening: of the next room, or of one behind it.
        let mut second = pick(room.record.portals.len(), chance);
        for _ in 0..pick(3, chance) {
            let Some(on) = room.record.neighbour(&room.record.portals[second]) else { break };
            room = self.cell(on);
            second = pick(room.record.portals.len(), chance);
        }
        let from = self.portal_point(start.id, first, chance);
        let to = self.portal_point(room.id, second, chance);
        let direction = (to - from).try_normalize()?;
        let inward = plane_of(&self.portals[&(start.id, first)])?.normal;
        if direction.dot(inward) > -1e-2 {
            return None;
        }
        let (onward, ahead) = self.follow(next, from + direction * 1e-3, direction);
        let (mut cells, behind) = self.follow(start.id, from - direction * 1e-3, -direction);
        cells.reverse();
        cells.extend(onward);
        let mut distinct = cells.clone();
        distinct.sort_unstable();
        distinct.dedup();
        (distinct.len() == cells.len()).then_some(Line { cells, ahead, behind })
    }
}

/// Cells on a line, in order, and its end.
struct Line {
    cells: Vec<CellId>,
    ahead: End,
    behind: End,
}

#[test]
fn nothing_that_can_be_seen_is_missing() {
    for (name, world) in built::worlds() {
        let rays = Rays::of(&world);
        let mut longest = 0;
        let mut chance = Chance(99);
        for cell in &rays.cells {
            for _ in 0..400 {
                let Some(line) = rays.line(cell, &mut chance) else { continue };
                longest = longest.max(line.cells.len());
                check_line(&name, &rays, &world, &line);
            }
        }
        if name.starts_with("dungeon") {
            assert!(longest >= 5, "{name}: lines through many rooms, {longest} at most");
        }
    }
}

#[track_caller]
fn check_line(name: &str, rays: &Rays, world: &MadeWorld, line: &Line) {
    for from in &line.cells {
        let cell = rays.cell(*from);
        for to in line.cells.iter().filter(|to| *to != from) {
            assert!(cell.record.visible.contains(&to.low()), "{name}: {from} sees {to}");
        }
        if line.ahead != End::Wall || line.behind != End::Wall {
            assert!(cell.record.flags.seen_outside(), "{name}: {from} sees the outdoors");
        }
    }
    let ends = [(&line.ahead, line.cells.last()), (&line.behind, line.cells.first())];
    for (end, last) in ends {
        let (End::Outdoors(index), Some(last)) = (end, last) else { continue };
        let infos = built::infos(world);
        let info = infos.iter().find(|info| info.block == last.block()).unwrap();
        let portals = info.buildings.iter().flat_map(|building| &building.portals);
        let exit = u16::try_from(*index).unwrap();
        let is_it = |portal: &&threshold_dat::BuildingPortalInfo| {
            portal.other_cell == last.low() && portal.other_portal == exit
        };
        let portal = portals.into_iter().find(is_it).unwrap();
        for cell in &line.cells {
            assert!(portal.visible.contains(&cell.low()), "{name}: {cell} from outdoors");
        }
    }
}

#[test]
fn lists_are_not_much_longer_than_the_results_of_rays() {
    let (mut listed, mut found, mut all) = (0, 0, 0);
    for seed in 0..4 {
        let world = samples::dungeon(60, seed).unwrap();
        let rays = Rays::of(&world);
        let mut seen: BTreeMap<CellId, BTreeSet<CellId>> = BTreeMap::new();
        let mut chance = Chance(seed);
        for cell in &rays.cells {
            for _ in 0..2000 {
                let Some(line) = rays.line(cell, &mut chance) else { continue };
                for from in &line.cells {
                    seen.entry(*from).or_default().extend(&line.cells);
                }
            }
        }
        listed += rays.cells.iter().map(|cell| cell.record.visible.len()).sum::<usize>();
        found += seen.values().map(|cells| cells.len() - 1).sum::<usize>();
        all += rays.cells.len() * (rays.cells.len() - 1);
    }
    println!("{listed} listed, {found} found by rays, {all} pairs");
    assert!(listed >= found);
    assert!(listed * 10 < found * 15, "{listed} listed, {found} found");
    assert!(listed * 2 < all, "{listed} of {all}");
}

/// The rooms that a room lists, by key.
#[track_caller]
fn check(world: &MadeWorld, room: RoomKey, cells: threshold_forge::RoomCells, want: &[RoomKey]) {
    let all = built::cells(world);
    let cell = all.iter().find(|cell| cell.id == cells.of(room)).unwrap();
    let want: Vec<u16> = want.iter().map(|key| cells.of(*key).low()).collect();
    assert_eq!(cell.record.visible, want, "{}", cell.id);
}

/// ```text
///   E = D = C
///           |
///   A = B = C
/// ```
#[test]
fn a_room_round_two_corners_is_not_listed() {
    let mut plan = Plan::new();
    let a = plan.room(RoomSpec::cuboid([0.0, 0.0, 0.0], [4.0, 4.0, 3.0]).named("a"));
    let b = plan.room(RoomSpec::cuboid([4.0, 1.0, 0.0], [10.0, 3.0, 3.0]).named("b"));
    let c = plan.room(RoomSpec::cuboid([10.0, 0.0, 0.0], [14.0, 10.0, 3.0]).named("c"));
    let d = plan.room(RoomSpec::cuboid([4.0, 7.0, 0.0], [10.0, 9.0, 3.0]).named("d"));
    let e = plan.room(RoomSpec::cuboid([0.0, 6.0, 0.0], [4.0, 10.0, 3.0]).named("e"));
    plan.join(b, a, Opening::whole(Face::WEST)).join(b, c, Opening::whole(Face::EAST));
    plan.join(d, c, Opening::whole(Face::EAST)).join(d, e, Opening::whole(Face::WEST));
    let mut forge = Forge::new();
    let cells = forge.block(samples::DEPTHS).dungeon(Frame::IDENTITY, plan);
    let world = forge.finish().unwrap();
    check(&world, a, cells, &[b, c]);
    check(&world, b, cells, &[a, c]);
    check(&world, c, cells, &[a, b, d, e]);
    check(&world, e, cells, &[c, d]);
}

/// ```text
///   D = C     F = G
///       |
///   A = B -> out
/// ```
#[test]
fn reach_lists_name_rooms_round_corners_but_no_unconnected_rooms() {
    let mut plan = Plan::new();
    let a = plan.room(RoomSpec::cuboid([0.0, 0.0, 0.0], [3.0, 3.0, 3.0]));
    let b = plan.room(RoomSpec::cuboid([3.0, 0.0, 0.0], [6.0, 3.0, 3.0]));
    let c = plan.room(RoomSpec::cuboid([3.0, 3.0, 0.0], [6.0, 6.0, 3.0]));
    let d = plan.room(RoomSpec::cuboid([0.0, 3.0, 0.0], [3.0, 6.0, 3.0]));
    let f = plan.room(RoomSpec::cuboid([7.0, 3.0, 0.0], [8.0, 6.0, 3.0]));
    let g = plan.room(RoomSpec::cuboid([8.0, 3.0, 0.0], [9.0, 6.0, 3.0]));
    plan.exit(b, Opening::rectangle(Face::SOUTH, [1.9, 0.0], [1.0, 2.0]));
    plan.join(a, b, Opening::rectangle(Face::EAST, [0.1, 0.0], [0.5, 2.0]));
    plan.join(b, c, Opening::rectangle(Face::NORTH, [0.1, 0.0], [0.5, 2.0]));
    plan.join(c, d, Opening::rectangle(Face::WEST, [0.1, 0.0], [0.5, 2.0]));
    plan.join(f, g, Opening::whole(Face::EAST));
    let build = |lists: StabListMode| {
        let (mut plan, mut forge) = (plan.clone(), Forge::new());
        plan.lists(lists);
        let block = forge.block(samples::TOWN);
        let cells = block.building(Frame::at(Vec3::new(80.0, 80.0, 0.0)), plan);
        (forge.finish().unwrap(), cells)
    };
    let (seen, cells) = build(StabListMode::Sight);
    check(&seen, a, cells, &[b, c]);
    let (reached, cells) = build(StabListMode::Reach);
    check(&reached, a, cells, &[b, c, d]);
    check(&reached, c, cells, &[a, b, d]);
    check(&reached, g, cells, &[f]);
    let through_the_door = |world: &MadeWorld| {
        let info: Option<threshold_dat::LandBlockInfo> =
            Records::new(world).get(samples::TOWN.cell(0xFFFE).into()).unwrap();
        info.unwrap().buildings[0].portals[0].visible.to_vec()
    };
    let low = |rooms: &[RoomKey]| -> Vec<u16> {
        rooms.iter().map(|room| cells.of(*room).low()).collect()
    };
    assert_eq!(through_the_door(&reached), low(&[a, b, c, d]));
    let seen_through = through_the_door(&seen);
    assert!(seen_through.len() < 4 && seen_through.contains(&cells.of(b).low()));
    let sees_out = |world: &MadeWorld| -> Vec<bool> {
        built::cells(world).iter().map(|cell| cell.record.flags.seen_outside()).collect()
    };
    assert_eq!(sees_out(&reached), [true, true, true, true, false, false]);
}

/// Two doors that do not line up: the third room is visible through both only between their separating planes.
#[test]
fn doors_out_of_line_hide_the_room_behind_the_second() {
    let build = |along: f32| {
        let mut plan = Plan::new();
        let a = plan.room(RoomSpec::cuboid([0.0, 0.0, 0.0], [10.0, 20.0, 3.0]));
        let b = plan.room(RoomSpec::cuboid([10.0, 0.0, 0.0], [20.0, 20.0, 3.0]));
        let c = plan.room(RoomSpec::cuboid([20.0, 0.0, 0.0], [30.0, 20.0, 3.0]));
        let d = plan.room(RoomSpec::cuboid([30.0, 0.0, 0.0], [40.0, 20.0, 3.0]));
        plan.join(a, b, Opening::door(Face::EAST).along(1.0).size(1.0, 2.0));
        plan.join(b, c, Opening::door(Face::EAST).along(4.0).size(1.0, 2.0));
        plan.join(c, d, Opening::door(Face::EAST).along(along).size(1.0, 2.0));
        let mut forge = Forge::new();
        let cells = forge.block(samples::DEPTHS).dungeon(Frame::IDENTITY, plan);
        (forge.finish().unwrap(), [a, b, c, d], cells)
    };
    // Lines through the first two doors pass the third wall between 5 and 10 m.
    let (world, [a, b, c, d], cells) = build(8.0);
    check(&world, a, cells, &[b, c, d]);
    let (world, [a, b, c, _], cells) = build(11.0);
    check(&world, a, cells, &[b, c]);
    let (world, [a, b, c, _], cells) = build(3.0);
    check(&world, a, cells, &[b, c]);
}

/// The hatch is 2 m long and its shaft 1.5 m deep: the flattest line up through it climbs 1.875 m on the
/// 2.5 m to the southern wall, where the windows end at 1.9 m. With lower windows the cellar is dark.
#[test]
fn a_cellar_sees_outside_only_where_a_line_leads_there() {
    let seen = |world: &MadeWorld| -> Vec<bool> {
        built::cells(world).iter().map(|cell| cell.record.flags.seen_outside()).collect()
    };
    // Porch, main room, west, east, shaft, cellar, loft.
    assert_eq!(seen(&built::manor(0.9)), [true, true, true, true, true, true, true]);
    assert_eq!(seen(&built::manor(0.8)), [true, true, true, true, true, false, true]);
    assert!(!seen(&samples::dungeon(30, 1).unwrap()).contains(&true));
}
