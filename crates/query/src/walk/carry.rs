//! Carries the centre of a cast from cell to cell.

use threshold_geom::{MovingSphere, Polygon, is_over_polygon};
use threshold_land::vector::{DVec2, DVec3};
use threshold_land::{CELL_LENGTH, CellId, Lcoord};
use threshold_world::{BuildingPortal, Cell, LandCell, Portal, PortalSide, Room, World};

use super::{PortalName, Visit, Walk};
use crate::constants::MARGIN;
use crate::place::Place;
use crate::volume::{Stretch, Volume};

/// Side of a land cell.
const SIDE: f64 = CELL_LENGTH as f64;

/// Direction in which a portal is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Passage {
    /// Out of its room.
    Out,
    /// Into its room.
    In,
}

/// Returns when the centre passes a portal in a direction, within a stretch of its path. If it is
/// already past at the start of the stretch, by no more than rooms reach beyond their portals, it
/// passes at once.
fn crossing(
    portal: &Portal,
    polygon: &Polygon<'_>,
    sphere: &MovingSphere,
    passage: Passage,
    stretch: Stretch,
) -> Option<f64> {
    let outwards = (portal.side == PortalSide::Front) == (passage == Passage::Out);
    let sign = if outwards { 1.0 } else { -1.0 };
    let normal = portal.plane.normal.as_dvec3() * sign;
    let approach = normal.dot(sphere.direction);
    if approach <= 0.0 {
        return None;
    }
    let before = -(normal.dot(sphere.origin) + f64::from(portal.plane.d) * sign);
    // Measured across the portal: along the path it would depend on the angle.
    let past = approach * stretch.from - before;
    if past.is_nan() || past > sphere.margin {
        return None;
    }
    let time = (before / approach).max(stretch.from);
    let passes =
        time <= stretch.to + MARGIN && is_over_polygon(polygon, sphere.at(time), sphere.margin);
    passes.then(|| time.min(stretch.to))
}

/// Returns the room behind a portal of a building, and the number of its exit portal.
pub(super) fn entrance<'w>(
    world: &'w World,
    portal: &BuildingPortal,
) -> Option<(&'w Room, usize, &'w Portal)> {
    let (room, number) = (world.room(portal.other)?, usize::from(portal.other_portal?));
    let own = room.portals().get(number)?;
    own.other.is_none().then_some((room, number, own))
}

/// Returns the land cell under a point in the frame of the landblock of `cell`.
fn land_cell_at(cell: CellId, point: DVec3) -> Option<Lcoord> {
    let first = cell.block().cell(1).lcoord()?;
    let step = |v: f64| {
        let step = (v / SIDE).floor();
        // Land cells are 2,040 in a row.
        #[allow(clippy::cast_possible_truncation, reason = "whole and below a million")]
        (step.abs() < 1e6).then_some(step as i32)
    };
    Lcoord::new(first.x() + step(point.x)?, first.y() + step(point.y)?)
}

impl<V: Volume> Walk<'_, V> {
    /// Carries the centre on from a cell, and returns where on its path it leaves the cell.
    pub(super) fn carry(&mut self, visit: &Visit, cell: Option<Cell<'_>>, volume: V) -> f64 {
        match cell {
            Some(Cell::Room(room)) => self.carry_from_room(room, visit, volume),
            Some(Cell::Land(land)) => self.carry_over_land(Some(land), visit, volume),
            None if visit.cell.is_outdoor() => self.carry_over_land(None, visit, volume),
            None => visit.stretch.to,
        }
    }

    fn carry_from_room(&mut self, room: &Room, visit: &Visit, volume: V) -> f64 {
        let local = volume.localised(&Place::new(room.space(), 1.0));
        let Some(cast) = local.path() else { return visit.stretch.to };
        let passes = |number: usize, portal: &Portal| {
            let polygon = room.portal_polygon(portal);
            let is_back = visit.back == Some((room.id(), number));
            let time = || crossing(portal, &polygon, &cast.sphere, Passage::Out, visit.stretch);
            if is_back { None } else { time() }
        };
        let portals = || room.portals().iter().enumerate();
        let times = portals().filter_map(|(number, portal)| passes(number, portal));
        let first = times.fold(f64::INFINITY, f64::min);
        if first == f64::INFINITY {
            return visit.stretch.to;
        }
        for (number, portal) in portals() {
            let Some(time) = passes(number, portal).filter(|time| *time <= first + MARGIN) else {
                continue;
            };
            let stretch = Stretch { from: time, to: self.whole().to };
            let Some(other) = portal.other else {
                self.carry_outdoors(time, (room.id(), number));
                continue;
            };
            let back = portal.other_portal.map(|back| (other, usize::from(back)));
            self.push(Visit::of_centre(other, stretch, back));
        }
        first
    }

    /// Carries the centre into the land cell that it is over at a time.
    fn carry_outdoors(&mut self, time: f64, door: PortalName) {
        let Some(land) = land_cell_at(self.start, self.volume.centre(time)) else { return };
        let stretch = Stretch { from: time, to: self.whole().to };
        self.push(Visit::of_centre(land.cell(), stretch, Some(door)));
    }

    /// Carries the centre into the building of a land cell, or over its border.
    fn carry_over_land(&mut self, land: Option<LandCell<'_>>, visit: &Visit, volume: V) -> f64 {
        let Some(place) = visit.cell.lcoord() else { return visit.stretch.to };
        let Some(cast) = volume.path() else { return visit.stretch.to };
        let (leaves, step) = leave_square(place, &cast.sphere, visit.stretch);
        let over = Stretch { from: visit.stretch.from, to: leaves };
        if let Some(land) = land
            && let Some(time) = self.carry_into_building(land, visit, over, volume)
        {
            return time;
        }
        if let Some(next) = step.and_then(|(x, y)| place.step(x, y)) {
            let stretch = Stretch { from: leaves, ..visit.stretch };
            self.push(Visit::of_centre(next.cell(), stretch, visit.back));
        }
        leaves
    }

    fn carry_into_building(
        &mut self,
        land: LandCell<'_>,
        visit: &Visit,
        over: Stretch,
        volume: V,
    ) -> Option<f64> {
        let world = self.world;
        let building = land.building()?;
        let passes = |portal: &BuildingPortal| {
            let (room, number, own) = entrance(world, portal)?;
            if visit.back == Some((room.id(), number)) {
                return None;
            }
            let local = volume.localised(&Place::new(room.space(), 1.0));
            let polygon = room.portal_polygon(own);
            let time = crossing(own, &polygon, &local.path()?.sphere, Passage::In, over)?;
            Some((time, room.id(), number))
        };
        let times = building.portals.iter().filter_map(passes).map(|(time, ..)| time);
        let first = times.fold(f64::INFINITY, f64::min);
        if first == f64::INFINITY {
            return None;
        }
        for portal in &building.portals {
            let passed = passes(portal).filter(|(time, ..)| *time <= first + MARGIN);
            let Some((time, cell, number)) = passed else { continue };
            let stretch = Stretch { from: time, to: self.whole().to };
            self.push(Visit::of_centre(cell, stretch, Some((cell, number))));
        }
        Some(first)
    }
}

/// Returns when the centre leaves a land cell, and into which neighbour; with `None` it stays to the
/// end of the stretch.
fn leave_square(
    place: Lcoord,
    sphere: &MovingSphere,
    stretch: Stretch,
) -> (f64, Option<(i32, i32)>) {
    let within = DVec2::new(f64::from(place.x() & 7), f64::from(place.y() & 7)) * SIDE;
    let mut leaves = (stretch.to, None);
    for axis in 0..2 {
        let speed = sphere.direction[axis];
        if speed == 0.0 {
            continue;
        }
        let line = if speed > 0.0 { within[axis] + SIDE } else { within[axis] };
        let time = ((line - sphere.origin[axis]) / speed).max(stretch.from);
        if time < leaves.0 {
            let side = if speed > 0.0 { 1 } else { -1 };
            leaves = (time, Some(if axis == 0 { (side, 0) } else { (0, side) }));
        }
    }
    leaves
}
