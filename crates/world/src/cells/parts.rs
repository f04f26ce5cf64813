//! Finds the cells that the boxes of an object's parts touch.

use threshold_geom::Bounds;
use threshold_land::vector::Vec3;
use threshold_land::{
    BoxSide, CELL_LENGTH, CellId, EPSILON, Frame, Lcoord, RotationMatrix, Sphere,
    adjust_to_outside, block_offset_between,
};

use super::array::CellArray;
use super::search::CellSearch;
use crate::constants::MAX_REACH;
use crate::land::LandCell;
use crate::model::Model;
use crate::room::{Portal, PortalSide, Room};
use crate::world::Cell;

/// A part of an object at its position. The search uses it unscaled, as retail does.
#[derive(Clone, Copy, Debug)]
pub struct PlacedPart {
    frame: Frame,
    rows: RotationMatrix,
    bounds: Bounds,
    sphere: Option<Sphere>,
    always_2d: bool,
    /// Whether all numbers are finite; other parts are skipped.
    finite: bool,
}

impl PlacedPart {
    /// Places a model at a frame of a landblock.
    pub fn new(frame: Frame, model: &Model) -> Self {
        let Model { bounds, sphere, always_2d, .. } = *model;
        let round = sphere.is_none_or(|s| s.centre.is_finite() && s.radius.is_finite());
        let finite = bounds.min.is_finite() && bounds.max.is_finite() && frame.origin.is_finite();
        let rows = frame.rotation.rows();
        Self { frame, rows, bounds, sphere, always_2d, finite: finite && round }
    }

    fn to_block(self, point: Vec3) -> Vec3 {
        self.frame.origin + self.rows.to_global(point)
    }

    /// Returns its box in a room's frame; `offset` converts from its landblock to the room's.
    fn box_in(&self, room: &Room, offset: Vec3) -> Bounds {
        self.bounds.mapped(|corner| room.to_local(self.to_block(corner) - offset))
    }

    /// Returns its box in the frame of its landblock. For a model that always turns to the viewer
    /// the box surrounds its origin.
    fn box_in_block(&self) -> Bounds {
        if let (true, Some(sphere)) = (self.always_2d, self.sphere) {
            let (centre, reach) = (self.frame.origin, Vec3::splat(sphere.radius));
            return Bounds { min: centre - reach, max: centre + reach };
        }
        self.bounds.mapped(|corner| self.to_block(corner))
    }
}

/// The arguments of a search.
#[derive(Clone, Copy)]
struct Query<'q> {
    from: CellId,
    parts: &'q [PlacedPart],
}

impl<'q> Query<'q> {
    fn parts(&self) -> impl Iterator<Item = &'q PlacedPart> + use<'q> {
        self.parts.iter().filter(|part| part.finite)
    }
}

/// Range of land cells around one of them, east and north, ends included. Retail oddity: it always
/// includes the cell itself, and grows from part to part.
#[derive(Clone, Copy, Default, PartialEq)]
struct Rectangle {
    min: (i32, i32),
    max: (i32, i32),
}

impl CellSearch<'_> {
    /// Fills `array` with the cells that the boxes of an object's parts touch, starting from its
    /// own cell. The parts are in the frame of that cell's landblock.
    ///
    /// Retail: the list of `CPhysicsObj::calc_cross_cells` for objects with a physics tree. Cost:
    /// for each cell found, each of its portals against each part.
    pub fn parts(&self, from: CellId, parts: &[PlacedPart], array: &mut CellArray) {
        array.clear();
        array.counters.searches += 1;
        self.add(from, array);
        let query = Query { from, parts };
        let mut next = 0;
        while let Some(entry) = array.entries().get(next) {
            match self.world.cell(entry.cell) {
                Some(Cell::Room(room)) => self.room_part_transit(room, query, array),
                Some(Cell::Land(cell)) => self.land_part_transit(cell, query, array),
                None => {}
            }
            next += 1;
        }
    }

    /// Retail: `CLandCell::add_all_outside_cells` for parts.
    fn add_all_outside_parts(&self, query: Query<'_>, array: &mut CellArray) {
        if array.added_outside {
            return;
        }
        array.added_outside = true;
        // Joining all boxes before they are moved and rounded down gives the same result as one by
        // one.
        let boxes = query.parts().map(PlacedPart::box_in_block);
        let Some(whole) = boxes.reduce(|a, b| a.union(&b)) else { return };
        let (mut reach, mut last) = (Rectangle::default(), None);
        for part in query.parts() {
            let Some((id, _)) = adjust_to_outside(query.from, part.frame.origin) else { continue };
            let Some(place) = id.lcoord().filter(|_| self.look_up(id, array)) else { continue };
            let offset = block_offset_between(query.from, id);
            let there = Bounds { min: whole.min - offset, max: whole.max - offset };
            reach.include(place, &there);
            if last.replace((place, reach)) != Some((place, reach)) {
                self.add_rectangle(place, reach, array);
            }
        }
    }

    fn add_rectangle(&self, place: Lcoord, reach: Rectangle, array: &mut CellArray) {
        for x in reach.min.0..=reach.max.0 {
            for y in reach.min.1..=reach.max.1 {
                if let Some(cell) = place.step(x, y) {
                    self.add(cell.cell(), array);
                }
            }
        }
    }

    /// Retail: `CLandCell::find_transit_cells` for parts.
    fn land_part_transit(&self, cell: LandCell<'_>, query: Query<'_>, array: &mut CellArray) {
        self.add_all_outside_parts(query, array);
        let portals = cell.building().map_or(&[][..], |building| &building.portals);
        for portal in portals {
            let Some(number) = portal.other_portal else { continue };
            let Some(room) = self.room(portal.other, array) else { continue };
            let own = room.portals().get(usize::from(number));
            if own.is_some_and(|own| self.part_enters_through(room, own, query, array)) {
                array.add(room.id(), true);
                // Retail expands the room at once, before the next portal.
                self.room_part_transit(room, query, array);
            }
        }
    }

    /// Returns whether some part reaches into the room through a portal from outside.
    ///
    /// Retail: `CEnvCell::check_building_transit` for parts.
    fn part_enters_through(
        &self,
        room: &Room,
        portal: &Portal,
        query: Query<'_>,
        array: &mut CellArray,
    ) -> bool {
        let offset = self.offset(query.from, room.id());
        query.parts().any(|part| {
            let Some((d, reach)) = part_distance(part, room, portal, offset) else { return false };
            array.counters.plane_tests += 1;
            let beyond = match portal.side {
                PortalSide::Front => d > reach,
                PortalSide::Behind => d < -reach,
            };
            let bounds = part.box_in(room, offset);
            let side = portal.plane.box_side(bounds.min, bounds.max);
            if beyond || side != BoxSide::Crossing && side != own_side(portal.side) {
                return false;
            }
            array.counters.volume_tests += 1;
            room.box_intersects(&bounds)
        })
    }

    /// Retail: `CEnvCell::find_transit_cells` for parts.
    fn room_part_transit(&self, room: &Room, query: Query<'_>, array: &mut CellArray) {
        let mut leaves = false;
        for portal in room.portals() {
            match portal.other {
                None => leaves |= self.part_leaves_through(room, portal, query, array, |_, _| true),
                Some(other) => match self.room(other, array) {
                    Some(neighbour) => {
                        let offset = self.offset(query.from, other);
                        let reaches = |part: &PlacedPart, array: &mut CellArray| {
                            array.counters.volume_tests += 1;
                            neighbour.box_intersects(&part.box_in(neighbour, offset))
                        };
                        if self.part_leaves_through(room, portal, query, array, reaches) {
                            array.add(other, true);
                        }
                    }
                    None => {
                        if self.part_leaves_through(room, portal, query, array, |_, _| true) {
                            array.add(other, false);
                        }
                    }
                },
            }
        }
        if leaves {
            self.add_all_outside_parts(query, array);
        }
    }

    /// Returns whether some part that reaches the far side of a portal also passes `reaches`.
    fn part_leaves_through(
        &self,
        room: &Room,
        portal: &Portal,
        query: Query<'_>,
        array: &mut CellArray,
        reaches: impl Fn(&PlacedPart, &mut CellArray) -> bool,
    ) -> bool {
        let offset = self.offset(query.from, room.id());
        query.parts().any(|part| {
            let Some((d, reach)) = part_distance(part, room, portal, offset) else { return false };
            array.counters.plane_tests += 1;
            let short = match portal.side {
                PortalSide::Front => d < -reach,
                PortalSide::Behind => d > reach,
            };
            if short {
                return false;
            }
            let bounds = part.box_in(room, offset);
            if portal.plane.box_side(bounds.min, bounds.max) == own_side(portal.side) {
                return false;
            }
            reaches(part, array)
        })
    }
}

/// The side of a portal's plane on which its own room is.
fn own_side(side: PortalSide) -> BoxSide {
    match side {
        PortalSide::Front => BoxSide::Negative,
        PortalSide::Behind => BoxSide::Positive,
    }
}

/// Returns the distance of a part's sphere from a portal's plane, and the reach of the sphere;
/// `None` for a part without a sphere, which is skipped.
fn part_distance(
    part: &PlacedPart,
    room: &Room,
    portal: &Portal,
    offset: Vec3,
) -> Option<(f32, f32)> {
    let sphere = part.sphere?;
    let centre = room.to_local(part.to_block(sphere.centre) - offset);
    Some((portal.plane.distance(centre), sphere.radius + EPSILON))
}

impl Rectangle {
    /// Extends the range by a box in the landblock of the cell at `place`.
    fn include(&mut self, place: Lcoord, bounds: &Bounds) {
        let within = |lcoord: i32| lcoord & 7;
        let steps = |v: f32, own: i32| {
            let step = (v / CELL_LENGTH).floor().clamp(-1e6, 1e6);
            #[allow(clippy::cast_possible_truncation, reason = "whole and below a million")]
            let step = step as i32 - within(own);
            step.clamp(-MAX_REACH, MAX_REACH)
        };
        self.min.0 = self.min.0.min(steps(bounds.min.x, place.x()));
        self.min.1 = self.min.1.min(steps(bounds.min.y, place.y()));
        self.max.0 = self.max.0.max(steps(bounds.max.x, place.x()));
        self.max.1 = self.max.1.max(steps(bounds.max.y, place.y()));
    }
}
