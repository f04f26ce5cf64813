//! Regions of the screen.

use threshold_land::CellId;
use threshold_land::vector::{DVec2, DVec3};

use crate::visible_set::{RegionNode, VisibleSet};

/// A convex region of the screen and what shows in it; in space a cone with its apex in the eye.
///
/// Retail: an entry of `view_type`.
#[derive(Clone, Copy, Debug)]
pub struct Region<'a> {
    visible: &'a VisibleSet,
    node: u32,
}

/// What shows in a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionContent {
    /// A room.
    Room(CellId),
    /// The landscape.
    Landscape,
    /// A room that is not resident; a renderer may draw fog.
    NotResident(CellId),
}

/// Portal that a region was entered through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryPortal {
    /// Room that has the portal: the one on the near side, or for a building seen from outdoors the room that was entered.
    pub cell: CellId,
    /// Number of the portal in the list of that room.
    pub portal: u16,
    /// Index of the region on the near side: among those of the room, or among [`VisibleSet::landscape`].
    pub region: usize,
    /// Whether the near side is the landscape.
    pub outdoors: bool,
}

/// The same region of the same visible set.
impl PartialEq for Region<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.visible, other.visible) && self.node == other.node
    }
}

impl<'a> Region<'a> {
    pub(crate) fn new(visible: &'a VisibleSet, node: u32) -> Self {
        Self { visible, node }
    }

    fn node(&self) -> &'a RegionNode {
        self.visible.node(self.node)
    }

    /// Returns what shows in the region.
    pub fn content(&self) -> RegionContent {
        self.node().content
    }

    /// Returns a number that no other region of the visible set has.
    pub fn number(&self) -> u32 {
        self.node
    }

    /// Returns the number of the region on the near side of the first entry portal. `None` for the cell of the viewer.
    pub fn parent(&self) -> Option<u32> {
        self.visible.parent(self.node)
    }

    /// Returns the half-planes `(a, b, c)` of the sides: a point `(x, y)` of the screen lies in the region where
    /// `a x + b y + c >= 0` for all of them. `(a, b)` has unit length, so the value is a distance on a screen from -1 to 1.
    pub fn planes(&self) -> &'a [DVec3] {
        self.visible.planes_of(self.node())
    }

    /// Returns the corners on the screen, counter-clockwise, x to the right and y up. The side from a corner to the next one
    /// borders the half-plane of the same index.
    pub fn corners(&self) -> &'a [DVec2] {
        self.visible.corners_of(self.node())
    }

    /// Returns the portal that the region was entered through; `None` for the cell of the viewer. A merged region has several:
    /// this is the one that was found first.
    pub fn entry(&self) -> Option<EntryPortal> {
        self.node().entry.map(|entry| self.visible.entry_portal(&entry))
    }

    /// Returns all portals that the region was entered through, those found last first. Only merged regions have several.
    pub fn entries(&self) -> impl Iterator<Item = EntryPortal> + use<'a> {
        let visible = self.visible;
        visible.entries(self.node).map(|entry| visible.entry_portal(&entry))
    }

    /// Whether a point of the screen is in the region or on its border.
    pub fn contains(&self, at: DVec2) -> bool {
        self.planes().iter().all(|plane| plane.dot(at.extend(1.0)) >= 0.0)
    }

    /// Returns the covered part of the screen, 0 to 1.
    pub fn coverage(&self) -> f64 {
        let corners = self.corners();
        let mut area = 0.0;
        for (index, corner) in corners.iter().enumerate() {
            area += corner.perp_dot(corners[(index + 1) % corners.len()]);
        }
        area / 8.0
    }
}
