//! Rooms of buildings and dungeons.

use std::sync::Arc;

use threshold_dat::{self as dat, FileKind, RecordId};
use threshold_geom::{Bounds, Containment, Polygon};
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Plane, Position, Space, Sphere};

use crate::fault::Problem;
use crate::limits::{Item, check_frame};
use crate::object::Object;
use crate::structure::Structure;

/// A room. Retail: `CEnvCell`.
#[derive(Clone, Debug)]
pub struct Room {
    position: Position,
    space: Space,
    structure: Arc<Structure>,
    portals: Box<[Portal]>,
    stabs: Box<[CellId]>,
    seen_outside: bool,
    restriction: Option<RecordId>,
    pub(crate) objects: Vec<Object>,
}

/// A portal of a room. Retail: `CCellPortal`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Portal {
    /// The room behind it; `None` for an exit portal.
    pub other: Option<CellId>,
    /// Index of the matching portal in that room's list.
    pub other_portal: Option<u16>,
    /// Index of its polygon in [`Structure::drawing`].
    pub polygon: u32,
    /// Its plane, in the room's frame.
    pub plane: Plane,
    /// Which side of the plane the neighbour is on.
    pub side: PortalSide,
    /// Whether its polygon equals that of the other side.
    pub exact_match: bool,
}

/// The side of a portal's plane on which the neighbour is. Retail: `portal_side`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortalSide {
    /// In front: the portal faces away from its own room. Retail: 1.
    Front,
    /// Behind: the portal faces into its own room. Retail: 0.
    Behind,
}

impl PortalSide {
    pub(crate) fn of(flags: dat::PortalFlags) -> Self {
        if flags.portal_side() { Self::Front } else { Self::Behind }
    }

    /// Returns whether a sphere at distance `d` from the plane with radius `reach` touches the
    /// neighbour's side.
    pub(crate) fn is_reached(self, d: f32, reach: f32) -> bool {
        match self {
            Self::Front => d > -reach,
            Self::Behind => d < reach,
        }
    }
}

impl Room {
    pub(crate) fn new(
        record: &dat::EnvCell,
        structure: Arc<Structure>,
        objects: Vec<Object>,
    ) -> Result<Self, Problem> {
        let item =
            Item { file: FileKind::Cell, record: record.id.into(), what: "frame", number: 0 };
        check_frame(&record.position).map_err(|range| item.problem(range))?;
        let portals = record.portals.iter().enumerate();
        let portals = portals.map(|(index, portal)| Portal::new(record, &structure, index, portal));
        let position = Position { cell: record.id, frame: record.position };
        Ok(Self {
            position,
            space: Space::new(&position),
            portals: portals.collect::<Result<_, _>>()?,
            structure,
            stabs: record.visible_cells().collect(),
            seen_outside: record.flags.seen_outside(),
            restriction: record.restriction,
            objects,
        })
    }

    /// Returns its id.
    pub fn id(&self) -> CellId {
        self.position.cell
    }

    /// Its position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The frame of its structure, prepared for conversions.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// Its structure.
    pub fn structure(&self) -> &Structure {
        &self.structure
    }

    /// Its portals.
    pub fn portals(&self) -> &[Portal] {
        &self.portals
    }

    /// Returns the polygon of a portal, in the room's frame.
    pub fn portal_polygon(&self, portal: &Portal) -> Polygon<'_> {
        self.structure.drawing.get(portal.polygon)
    }

    /// The rooms visible from this one. Retail: `stab_list`.
    pub fn stabs(&self) -> &[CellId] {
        &self.stabs
    }

    /// Whether the landscape is visible from this room; decides whether the landscape is loaded.
    pub fn seen_outside(&self) -> bool {
        self.seen_outside
    }

    /// The object that guards the room. Retail: `restriction_obj`.
    pub fn restriction(&self) -> Option<RecordId> {
        self.restriction
    }

    /// Converts a point of the landblock to the room's frame.
    #[inline]
    pub fn to_local(&self, point: Vec3) -> Vec3 {
        self.space.to_local(point)
    }

    /// Converts a point of the room to the landblock's frame.
    pub fn to_block(&self, point: Vec3) -> Vec3 {
        self.space.to_block(point)
    }

    /// Returns whether a point of the landblock is in the room. Rooms that share a wall both
    /// contain a slab of 0.4 mm around it.
    ///
    /// Retail: `CEnvCell::point_in_cell`. Cost: one plane per wall.
    #[inline]
    pub fn contains(&self, point: Vec3) -> bool {
        self.structure.cell_tree.contains(self.to_local(point))
    }

    /// Returns the distance of a point of the landblock from the nearest wall, negative outside.
    /// See [`CellTree::depth`](threshold_geom::CellTree::depth).
    #[inline]
    pub(crate) fn depth(&self, point: Vec3, enough: f32) -> f32 {
        self.structure.cell_tree.depth(self.to_local(point), enough)
    }

    /// Tests how far a sphere of the landblock is inside the room, with a margin of 1 cm.
    ///
    /// Retail: `CCellStruct::sphere_intersects_cell`. Cost: one plane per wall.
    #[inline]
    pub fn sphere_inside(&self, sphere: &Sphere) -> Containment {
        let local = Sphere::new(self.to_local(sphere.centre), sphere.radius);
        self.structure.cell_tree.sphere_inside(&local)
    }

    /// Returns whether a box in the room's frame may reach into the room. The answer can be true
    /// for a box that just misses it.
    ///
    /// Retail: `CCellStruct::box_intersects_cell`.
    pub fn box_intersects(&self, bounds: &Bounds) -> bool {
        self.structure.cell_tree.box_intersects(bounds)
    }

    /// Bytes of the room without its structure, which rooms share.
    pub fn size(&self) -> usize {
        size_of::<Self>() + size_of_val(&self.portals[..]) + size_of_val(&self.stabs[..])
    }
}

impl Portal {
    fn new(
        record: &dat::EnvCell,
        structure: &Structure,
        index: usize,
        portal: &dat::CellPortal,
    ) -> Result<Self, Problem> {
        let refuse = |problem| Problem::Portal { record: record.id.into(), portal: index, problem };
        let polygon = structure
            .drawing_index(portal.polygon)
            .ok_or_else(|| refuse("names a polygon that is not there"))?;
        if structure.drawing.is_degenerate(polygon) {
            return Err(refuse("has a polygon without area"));
        }
        Ok(Self {
            other: record.neighbour(portal),
            other_portal: u16::try_from(portal.other_portal).ok(),
            polygon,
            plane: structure.drawing.get(polygon).plane,
            side: PortalSide::of(portal.flags),
            exact_match: portal.flags.exact_match(),
        })
    }
}
