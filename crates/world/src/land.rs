//! The land of a landblock: its ground, buildings and objects.

use std::collections::BTreeSet;
use std::sync::Arc;

use threshold_dat::{self as dat, RecordId};
use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{BlockId, CellId, Position, Space, Sphere};

use crate::constants::LAND_CELLS;
use crate::model::Setup;
use crate::object::Object;
use crate::room::PortalSide;
use crate::solid::Solid;
use crate::terrain::{Ground, Terrain, Water};
use crate::world::is_apart;

/// The land of a landblock. Retail: `CLandBlock`.
#[derive(Clone, Debug)]
pub struct Land {
    pub(crate) block: BlockId,
    pub(crate) terrain: Terrain,
    pub(crate) buildings: Vec<Building>,
    /// The index of each land cell's building; [`NO_BUILDING`] for none.
    pub(crate) building_at: [u8; LAND_CELLS],
    /// The rooms visible through the portals of the buildings.
    pub(crate) visible_rooms: Box<[CellId]>,
    pub(crate) restrictions: Box<[dat::Restriction]>,
    pub(crate) objects: Vec<Object>,
}

/// Greater than any index: there are at most as many buildings as land cells.
pub(crate) const NO_BUILDING: u8 = u8::MAX;

/// A building: its shell and its portals. Retail: `CBuildingObj`.
#[derive(Clone, Debug)]
pub struct Building {
    /// Its position; the cell is the land cell that it belongs to.
    pub position: Position,
    /// Its models; only the first part blocks movers.
    pub setup: Arc<Setup>,
    /// Its portals.
    pub portals: Box<[BuildingPortal]>,
    /// The rooms behind its portals, each once.
    pub(crate) entrances: Box<[CellId]>,
    /// The space of the first part.
    shell: Space,
    /// Sphere around the first part, in the landblock's frame.
    bounds: Option<Sphere>,
}

/// A portal of a building. Retail: `CBldPortal`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildingPortal {
    /// The room behind it.
    pub other: CellId,
    /// Index of the matching portal in that room's list; `None` if the file has none.
    pub other_portal: Option<u16>,
    /// The side of its plane on which the room is.
    pub side: PortalSide,
    /// The rooms visible through it. Retail: `stab_list`.
    pub stabs: Box<[CellId]>,
}

impl Building {
    pub(crate) fn new(record: &dat::BuildingInfo, position: Position, setup: Arc<Setup>) -> Self {
        let block = position.cell.block();
        let portal = |portal: &dat::BuildingPortalInfo| BuildingPortal {
            other: block.cell(portal.other_cell),
            other_portal: (portal.other_portal != u16::MAX).then_some(portal.other_portal),
            side: PortalSide::of(portal.flags),
            stabs: portal.visible.iter().map(|low| block.cell(*low)).collect(),
        };
        let portals: Box<[_]> = record.portals.iter().map(portal).collect();
        let rooms = portals.iter().filter(|portal| portal.other_portal.is_some());
        let entrances = once_each(rooms.map(|portal| portal.other)).into();
        let pose = setup.parts.first().map(|part| part.pose).unwrap_or_default();
        let shell = Position { frame: position.frame.combine(&pose), ..position };
        let shell = Space::new(&shell);
        let mut building = Self { position, setup, portals, entrances, shell, bounds: None };
        building.bounds = building.shell().and_then(|solid| {
            let sphere = solid.tree.query_sphere()?;
            let centre = shell.to_block(sphere.centre * solid.scale);
            Some(Sphere::new(centre, sphere.radius * solid.scale.abs()))
        });
        building
    }

    /// Returns whether the bounds of its shell overlap a sphere in the landblock's frame.
    #[inline]
    pub fn is_near(&self, near: Sphere) -> bool {
        self.bounds.is_none_or(|bounds| !is_apart(&bounds, &near))
    }

    /// The part that blocks movers: only the first.
    pub fn shell(&self) -> Option<Solid<'_>> {
        let part = self.setup.parts.first()?;
        let tree = part.model.physics.as_ref()?;
        Some(Solid { tree, space: &self.shell, scale: part.scale.z })
    }
}

/// Removes duplicates; keeps the first of each.
pub(crate) fn once_each<T: Ord + Copy>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = BTreeSet::new();
    items.filter(|item| seen.insert(*item)).collect()
}

impl Land {
    /// The id of the landblock.
    pub fn block(&self) -> BlockId {
        self.block
    }

    /// Its ground.
    pub fn terrain(&self) -> &Terrain {
        &self.terrain
    }

    /// Its buildings, in file order.
    pub fn buildings(&self) -> &[Building] {
        &self.buildings
    }

    /// The rooms visible through the portals of its buildings, each once, in file order. They are
    /// loaded with the landblock.
    pub fn visible_rooms(&self) -> &[CellId] {
        &self.visible_rooms
    }

    pub(crate) fn set_buildings(&mut self, buildings: Vec<Building>) {
        let portals = buildings.iter().flat_map(|building| &building.portals);
        let stabs = portals.flat_map(|portal| portal.stabs.iter().copied());
        self.visible_rooms = once_each(stabs).into();
        self.buildings = buildings;
    }

    /// Returns the land cell with an index below 64.
    pub fn cell(&self, index: usize) -> Option<LandCell<'_>> {
        (index < LAND_CELLS).then_some(LandCell { land: self, index })
    }

    /// Bytes of the land, without the shapes of buildings and objects.
    pub fn size(&self) -> usize {
        let portals = self.buildings.iter().flat_map(|building| &building.portals);
        let portals = portals.map(|portal| size_of_val(portal) + size_of_val(&portal.stabs[..]));
        size_of::<Self>()
            + self.buildings.capacity() * size_of::<Building>()
            + portals.sum::<usize>()
            + size_of_val(&self.visible_rooms[..])
            + size_of_val(&self.restrictions[..])
            + self.objects.capacity() * size_of::<Object>()
    }
}

/// One of the 64 land cells of a landblock. Retail: `CLandCell`.
#[derive(Clone, Copy, Debug)]
pub struct LandCell<'w> {
    land: &'w Land,
    index: usize,
}

impl<'w> LandCell<'w> {
    /// Its id.
    pub fn id(&self) -> CellId {
        #[allow(clippy::cast_possible_truncation, reason = "below 64")]
        self.land.block.cell(self.index as u16 + 1)
    }

    /// Its index in the landblock, `8 * x + y`.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The land of its landblock.
    pub fn land(&self) -> &'w Land {
        self.land
    }

    /// Its centre, at height 0. Retail: `CObjCell::pos` of a land cell.
    pub fn position(&self) -> Position {
        let middle = |i: usize| (2 * i + 1) as f32 * 12.0;
        let (x, y) = (middle(self.index >> 3), middle(self.index & 7));
        Position::new(self.id(), Vec3::new(x, y, 0.0))
    }

    /// Returns the triangle under a point of the landblock. Retail: `CLandCell::find_terrain_poly`.
    pub fn ground(&self, at: Vec2) -> Option<Ground> {
        self.land.terrain.ground(self.index, at)
    }

    /// Returns whether a point of the landblock is above or below the cell, at any height.
    ///
    /// Retail: `CLandCell::point_in_cell`.
    pub fn contains(&self, point: Vec3) -> bool {
        self.ground(point.truncate()).is_some()
    }

    /// How much of it is water.
    pub fn water(&self) -> Water {
        self.land.terrain.water(self.index)
    }

    /// Returns how deep a mover sinks at a point of the landblock, in metres.
    pub fn water_depth(&self, at: Vec2) -> f32 {
        self.land.terrain.water_depth(self.index, at)
    }

    /// The building that belongs to it. Retail: `CSortCell::building`.
    pub fn building(&self) -> Option<&'w Building> {
        self.land.buildings.get(usize::from(self.land.building_at[self.index]))
    }

    /// The object that guards it, if any. Retail: `restriction_obj`.
    pub fn restriction(&self) -> Option<RecordId> {
        let (own, all) = (self.id(), &self.land.restrictions);
        let first = all.partition_point(|entry| entry.cell < own);
        all.get(first).filter(|entry| entry.cell == own).map(|entry| entry.object)
    }
}
