//! Finds the cells that spheres touch.

use std::f32::consts::FRAC_1_SQRT_2;

use threshold_geom::{CELL_MARGIN, Cylinder};
use threshold_land::vector::Vec3;
use threshold_land::{
    CELL_LENGTH, CellId, EPSILON, Position, Sphere, block_offset_between, outside_cells,
};

use super::array::CellArray;
use super::cause::ListingCause;
use crate::constants::MAX_LISTED_CYLINDERS;
use crate::land::LandCell;
use crate::room::{Portal, Room};
use crate::world::{Cell, World};

/// Finds the cells that a shape touches, and the one that contains its centre.
#[derive(Clone, Copy, Debug)]
pub struct CellSearch<'w> {
    /// The world to search.
    pub world: &'w World,
    /// The rules for disputed questions.
    pub rules: CellRules,
}

/// Disputed behaviour of the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CellRules {
    /// Whether a sphere is converted to the landblock of a room before it is compared with the room
    /// (C7).
    pub room_offset: RoomOffset,
}

/// See [`CellRules::room_offset`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RoomOffset {
    /// Converted: a door on a landblock border can be entered from the other side.
    #[default]
    Applied,
    /// Not converted, as in the two recorded implementations: rooms of a neighbouring landblock are
    /// tested in the wrong place.
    Missing,
}

/// The result of a search besides its array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct CellSearchResult {
    /// The cell that contains the centre of the first sphere: the first such room in the array,
    /// else the last such land cell. `None` if no resident cell does.
    pub cell: Option<CellId>,
    /// Whether an interior is involved: the position is indoors, a sphere reaches through a portal
    /// of a building, or a room contains the centre. Used by the tests of building shells.
    ///
    /// Retail: `SPHEREPATH::hits_interior_cell`.
    pub hits_interior: bool,
}

/// The arguments of a search.
#[derive(Clone, Copy)]
struct Query<'q> {
    from: CellId,
    spheres: &'q [Sphere],
}

impl Query<'_> {
    /// Returns the first sphere that passes a test. The test also returns how far the sphere is
    /// from the opposite result.
    #[inline]
    fn find(&self, array: &mut CellArray, test: impl Fn(&Sphere) -> (bool, f32)) -> Option<usize> {
        let mut min = f32::INFINITY;
        for (index, sphere) in self.spheres.iter().enumerate() {
            array.counters.sphere_tests += 1;
            let (holds, by) = test(sphere);
            if holds {
                array.shrink_valid_radius(by.abs());
                return Some(index);
            }
            min = min.min(by.abs());
        }
        array.shrink_valid_radius(min);
        None
    }
}

/// A point farther behind a wall than [`EPSILON`] is outside.
const OUTSIDE: f32 = (-EPSILON).next_down();

/// Distance from the last line of land cells. Exact up to rounding; an exact remainder would be
/// slow.
fn into_cell(v: f32) -> f32 {
    v - (v / CELL_LENGTH).floor() * CELL_LENGTH
}

/// Returns how far a point may move before a sphere around it reaches other land cells.
fn to_lines(at: Vec3, radius: f32) -> f32 {
    let axis = |v: f32| {
        let within = into_cell(v);
        let edge = within.min(CELL_LENGTH - within);
        edge.min((within - radius).abs()).min((CELL_LENGTH - radius - within).abs())
    };
    axis(at.x).min(axis(at.y))
}

/// Returns a lower bound for the distance of a point from the diagonals of land cells.
fn to_diagonals(at: Vec3) -> f32 {
    let to_line = |v: f32| {
        let within = into_cell(v);
        within.min(CELL_LENGTH - within)
    };
    to_line(at.x - at.y).min(to_line(at.x + at.y)) * FRAC_1_SQRT_2
}

impl<'w> CellSearch<'w> {
    /// Creates a search of a world by that world's own rules.
    pub fn new(world: &'w World) -> Self {
        Self { world, rules: world.rules() }
    }

    /// Fills `array` with the cells that spheres touch, and picks the one that contains the first
    /// sphere.
    ///
    /// The spheres are in the frame of the landblock of `position`, the last known position: its
    /// cell comes first and wins as long as it contains the centre. Without spheres the origin of
    /// `position` is used, and no cell is picked.
    ///
    /// Retail: `CObjCell::find_cell_list`. Cost: for each cell found, one look at its portals and a
    /// test of the spheres against the walls of each neighbour.
    pub fn spheres(
        &self,
        position: &Position,
        spheres: &[Sphere],
        array: &mut CellArray,
    ) -> CellSearchResult {
        let (seed, mut found) = self.list(position, spheres, array);
        if let (true, Some(first)) = (seed, spheres.first()) {
            self.pick(position.cell, first.centre, array, &mut found);
        }
        self.prune(position.cell, array);
        found
    }

    /// Fills `array` with the cells that spheres touch, without picking one.
    pub fn touched(&self, position: &Position, spheres: &[Sphere], array: &mut CellArray) {
        // The seed is of use only for picking a cell.
        let _ = self.list(position, spheres, array);
        self.prune(position.cell, array);
    }

    /// Fills `array` with the cells that the cylinders of an object touch, judged by the spheres at
    /// their lower ends, at natural size; only the first ten count. They are in the object's frame.
    ///
    /// Retail: `CObjCell::find_cell_list` for `CCylSphere`.
    pub fn cylinders(&self, position: &Position, shapes: &[Cylinder], array: &mut CellArray) {
        let mut spheres = [Sphere::new(Vec3::ZERO, 0.0); MAX_LISTED_CYLINDERS];
        let count = shapes.len().min(MAX_LISTED_CYLINDERS);
        for (sphere, shape) in spheres.iter_mut().zip(shapes) {
            *sphere = Sphere::new(position.frame.to_global(shape.low), shape.radius);
        }
        self.touched(position, &spheres[..count], array);
    }

    /// Starts the array and expands it. Returns whether the cell of `position` is resident.
    fn list(
        &self,
        position: &Position,
        spheres: &[Sphere],
        array: &mut CellArray,
    ) -> (bool, CellSearchResult) {
        array.clear();
        array.counters.searches += 1;
        let (from, indoor) = (position.cell, position.cell.is_indoor());
        let mut found = CellSearchResult { cell: None, hits_interior: indoor };
        let seed = self.look_up(from, array);
        // A sphere with NaN or infinities touches no other cell.
        let finite = |s: &Sphere| s.centre.is_finite() && s.radius.is_finite();
        let somewhere = spheres.iter().all(finite);
        let query = Query { from, spheres };
        if indoor {
            array.add_with_cause(from, seed, ListingCause::Start);
        } else if !somewhere {
            return (false, found);
        } else if spheres.is_empty() {
            let origin = Sphere::new(position.frame.origin, 0.0);
            self.add_outside(from, &origin, ListingCause::Reached { sphere: 0 }, array);
            array.added_outside = true;
        } else {
            self.add_all_outside(query, None, array);
        }
        if seed && somewhere && !spheres.is_empty() {
            self.expand(query, array, &mut found);
        }
        (seed && somewhere, found)
    }

    /// Adds the neighbours of every resident cell, including those of cells added on the way.
    fn expand(&self, query: Query<'_>, array: &mut CellArray, found: &mut CellSearchResult) {
        let mut next = 0;
        while let Some(entry) = array.entries().get(next) {
            match self.world.cell(entry.cell) {
                Some(Cell::Room(room)) => self.room_transit(room, query, array),
                Some(Cell::Land(cell)) => self.land_transit(cell, query, array, found),
                None => {}
            }
            next += 1;
        }
    }

    /// Picks the containing cell: the first room that contains the point, or else the last land
    /// cell.
    fn pick(
        &self,
        from: CellId,
        centre: Vec3,
        array: &mut CellArray,
        found: &mut CellSearchResult,
    ) {
        for index in 0..array.len() {
            let id = array.entries()[index].cell;
            let Some(cell) = self.world.cell(id) else { continue };
            array.counters.containment_tests += 1;
            let at = centre - block_offset_between(from, id);
            match cell {
                Cell::Room(room) => {
                    let depth = room.depth(at, OUTSIDE);
                    array.shrink_valid_radius(
                        (depth + EPSILON).abs() / room.structure().cell_tree.steepness(),
                    );
                    array.note_containment(index, || {
                        (depth > OUTSIDE, Some(room.depth(at, f32::NEG_INFINITY)))
                    });
                    if depth > OUTSIDE {
                        found.cell = Some(id);
                        found.hits_interior = true;
                        return;
                    }
                }
                Cell::Land(land) => {
                    array.shrink_valid_radius(to_diagonals(at));
                    let contains = land.contains(at);
                    array.note_containment(index, || (contains, None));
                    if contains {
                        found.cell = Some(id);
                    }
                }
            }
        }
    }

    /// Removes the cells that are not visible from the room `from`, if the array requests that.
    fn prune(&self, from: CellId, array: &mut CellArray) {
        let Some(room) = self.world.room(from).filter(|_| array.do_not_load) else { return };
        let mut index = 0;
        while let Some(entry) = array.entries().get(index) {
            if entry.cell == from || room.stabs().contains(&entry.cell) {
                index += 1;
            } else {
                // The entry that moved here is tested next.
                array.remove(index);
            }
        }
    }

    /// From a room, `exit` is the portal that the sphere leaves by.
    ///
    /// Retail: `CLandCell::add_all_outside_cells` for spheres.
    fn add_all_outside(
        &self,
        query: Query<'_>,
        through: Option<(CellId, usize)>,
        array: &mut CellArray,
    ) {
        if array.added_outside {
            return;
        }
        array.added_outside = true;
        for (sphere, reaching) in query.spheres.iter().enumerate() {
            let cause = match through {
                Some((room, portal)) => ListingCause::Exit { room, portal, sphere },
                None => ListingCause::Reached { sphere },
            };
            // Retail oddity: a sphere off the map ends the loop instead of being skipped.
            if !self.add_outside(query.from, reaching, cause, array) {
                break;
            }
        }
    }

    /// Adds the land cells that one sphere reaches. Returns false if the sphere is off the map.
    fn add_outside(
        &self,
        from: CellId,
        sphere: &Sphere,
        cause: ListingCause,
        array: &mut CellArray,
    ) -> bool {
        let Some(reached) = outside_cells(from, sphere.centre, sphere.radius) else {
            array.shrink_valid_radius(0.0);
            return false;
        };
        array.shrink_valid_radius(to_lines(sphere.centre, sphere.radius));
        for cell in reached.iter() {
            let resident = self.look_up(*cell, array);
            array.add_with_cause(*cell, resident, cause);
        }
        true
    }

    /// Adds a cell, resident or not. Land cells are not filtered by landblock.
    ///
    /// Retail: `CLandCell::add_outside_cell`.
    pub(super) fn add(&self, cell: CellId, array: &mut CellArray) {
        let resident = self.look_up(cell, array);
        array.add(cell, resident);
    }

    /// Returns whether a cell is resident, and notes the look-up.
    pub(super) fn look_up(&self, cell: CellId, array: &mut CellArray) -> bool {
        let resident = self.world.is_resident(cell);
        array.note_lookup(cell, resident);
        resident
    }

    /// Returns a resident room, and notes the look-up.
    pub(super) fn room(&self, cell: CellId, array: &mut CellArray) -> Option<&'w Room> {
        let room = self.world.room(cell);
        array.note_lookup(cell, room.is_some());
        room
    }

    /// Returns the offset from the landblock of `from` to that of `to`, as the rules apply it to
    /// rooms.
    pub(super) fn offset(&self, from: CellId, to: CellId) -> Vec3 {
        if from.block() == to.block() || self.rules.room_offset == RoomOffset::Missing {
            return Vec3::ZERO;
        }
        block_offset_between(from, to)
    }

    /// Returns the first sphere that reaches into the room. Retail:
    /// `CCellStruct::sphere_intersects_cell`.
    fn first_inside(&self, query: Query<'_>, room: &Room, array: &mut CellArray) -> Option<usize> {
        let offset = self.offset(query.from, room.id());
        let steepness = room.structure().cell_tree.steepness();
        query.find(array, |sphere| {
            let reach = sphere.radius + CELL_MARGIN;
            let depth = room.depth(sphere.centre - offset, -reach);
            // NaN counts as inside.
            (depth.is_nan() || depth > -reach, (depth + reach) / steepness)
        })
    }

    /// Adds the neighbours behind portals that a sphere reaches into, then land cells if a sphere
    /// touches the plane of an exit portal.
    ///
    /// Retail: `CEnvCell::find_transit_cells` for spheres.
    fn room_transit(&self, room: &Room, query: Query<'_>, array: &mut CellArray) {
        let offset = self.offset(query.from, room.id());
        let distance = |portal: &Portal, sphere: &Sphere| {
            portal.plane.distance(room.to_local(sphere.centre - offset))
        };
        let mut leaves = None;
        for (index, portal) in room.portals().iter().enumerate() {
            let Some(other) = portal.other else {
                let at_exit = query.find(array, |sphere| {
                    let beyond = distance(portal, sphere).abs() - (sphere.radius + EPSILON);
                    (beyond < 0.0, beyond)
                });
                leaves = leaves.or(at_exit.map(|_| index));
                continue;
            };
            if let Some(neighbour) = self.room(other, array) {
                if !array.contains(other)
                    && let Some(sphere) = self.first_inside(query, neighbour, array)
                {
                    let cause = ListingCause::Portal { room: room.id(), portal: index, sphere };
                    array.add_with_cause(other, true, cause);
                }
                continue;
            }
            let reached = query.find(array, |sphere| {
                let reach = sphere.radius + EPSILON;
                // With a missing cell the valid radius is 0 anyway.
                (portal.side.is_reached(distance(portal, sphere), reach), 0.0)
            });
            if reached.is_some() {
                let cause = ListingCause::Unloaded { room: room.id(), portal: index };
                array.add_with_cause(other, false, cause);
            }
        }
        if let Some(portal) = leaves {
            self.add_all_outside(query, Some((room.id(), portal)), array);
        }
    }

    /// Adds neighbouring land cells, and the rooms behind the portals of the cell's building.
    ///
    /// Retail: `CLandCell::find_transit_cells`, `CBuildingObj::find_building_transit_cells` and
    /// `CEnvCell::check_building_transit` for spheres.
    fn land_transit(
        &self,
        cell: LandCell<'_>,
        query: Query<'_>,
        array: &mut CellArray,
        found: &mut CellSearchResult,
    ) {
        self.add_all_outside(query, None, array);
        let rooms = cell.building().map_or(&[][..], |building| &building.entrances);
        for id in rooms {
            let room = self.room(*id, array);
            if let Some(sphere) = room.and_then(|room| self.first_inside(query, room, array)) {
                found.hits_interior = true;
                array.add_with_cause(*id, true, ListingCause::Building { land: cell.id(), sphere });
            }
        }
    }
}
