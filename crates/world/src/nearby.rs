//! Objects of a cell near a mover, gathered for the tests of one sweep.

use std::ops::Range;

use threshold_land::{CellId, Sphere};

use crate::object::{Object, ObjectKind};
use crate::world::World;

/// How much wider than a mover its region is, in metres. A wider region serves more tests, and has
/// more objects.
const MARGIN: f32 = 0.4;

/// Objects of cells near a mover. A sweep tests the same cells several times, a little apart; in
/// a crowded cell most objects are far away every time. Reuse one for many sweeps: once grown, it
/// allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct NearObjects {
    regions: Vec<Region>,
    /// Places in the object lists of the cells, region by region, in order.
    places: Vec<u32>,
}

/// A region of a cell, and its part of the places.
#[derive(Clone, Debug)]
struct Region {
    cell: CellId,
    /// An upright cylinder around this sphere: height makes no difference, as movers step up and
    /// down.
    sphere: Sphere,
    places: Range<usize>,
}

impl Region {
    /// Returns whether all objects near a sphere are among those of the region.
    #[inline]
    fn contains(&self, cell: CellId, near: &Sphere) -> bool {
        let offset = (near.centre - self.sphere.centre).truncate();
        let room = self.sphere.radius - near.radius;
        self.cell == cell && room >= 0.0 && offset.length_squared() <= room * room
    }
}

impl NearObjects {
    /// Drops all regions. To be called before any object changes.
    pub fn clear(&mut self) {
        self.regions.clear();
        self.places.clear();
    }

    /// Returns places in the object list of a cell, in order: at least those of all objects with a
    /// kind that passes `matters` and bounds that overlap `near`, a sphere in the frame of the
    /// cell's landblock. `matters` must be the same since the last [`clear`](Self::clear).
    ///
    /// Cost: the first time in a region all objects of the cell, or in a
    /// [grouped](World::group_crowded_cells) cell those of the kinds.
    #[inline]
    pub fn around(
        &mut self,
        world: &World,
        cell: CellId,
        near: &Sphere,
        matters: impl Fn(ObjectKind) -> bool,
    ) -> &[u32] {
        let known = self.regions.iter().rev().find(|region| region.contains(cell, near));
        let places = match known {
            Some(region) => region.places.clone(),
            None => self.gather(world, cell, near, matters),
        };
        self.places.get(places).unwrap_or_default()
    }

    fn gather(
        &mut self,
        world: &World,
        cell: CellId,
        near: &Sphere,
        matters: impl Fn(ObjectKind) -> bool,
    ) -> Range<usize> {
        let start = self.places.len();
        let sphere = Sphere::new(near.centre, near.radius + MARGIN);
        if let Some(list) = world.object_list(cell) {
            list.places_near(&sphere, matters, &mut self.places);
            // The bounds in the list are larger than those of the objects.
            let mut left = start;
            for index in start..self.places.len() {
                let member = list.members()[self.places[index] as usize];
                if world.may_reach(cell, &member, &sphere) {
                    self.places[left] = self.places[index];
                    left += 1;
                }
            }
            self.places.truncate(left);
        }
        let places = start..self.places.len();
        self.regions.push(Region { cell, sphere, places: places.clone() });
        places
    }
}

impl World {
    /// The number of objects in a cell.
    #[inline]
    pub fn object_count(&self, cell: CellId) -> usize {
        self.members(cell).len()
    }

    /// Returns the object at a place in the object list of a cell, if its bounds overlap a sphere
    /// in the frame of the cell's landblock.
    #[inline]
    pub fn object_at(&self, cell: CellId, place: u32, near: &Sphere) -> Option<&Object> {
        let member = self.members(cell).get(place as usize)?;
        self.reaches(cell, member, near)
    }
}
