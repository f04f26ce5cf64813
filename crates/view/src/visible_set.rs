//! The visible set: the result of a portal walk.

use threshold_land::CellId;
use threshold_land::vector::{DVec2, DVec3};

use crate::constants::MAX_REGIONS;
use crate::outline::{Outline, SCREEN, SCREEN_CORNERS};
use crate::portal::{Bounds, HalfSpace};
use crate::region::{EntryPortal, Region, RegionContent};

/// Visible cells, near to far, each with the regions of the screen in which it shows.
///
/// Retail: what `PView::ConstructView` leaves in `cell_draw_list`, `portal_view` and `outside_view`.
#[derive(Clone, Debug, PartialEq)]
pub struct VisibleSet {
    pub(crate) root: CellId,
    pub(crate) cells: Vec<ListedCell>,
    pub(crate) nodes: Vec<RegionNode>,
    pub(crate) corners: Vec<DVec2>,
    pub(crate) planes: Vec<DVec3>,
    pub(crate) landscape: Vec<u32>,
    pub(crate) not_resident: Vec<u32>,
    pub(crate) unlisted: Vec<CellId>,
    pub(crate) seals: Vec<Seal>,
    /// All regions that were not merged into others, each after its parent.
    pub(crate) order: Vec<u32>,
    pub(crate) budget_hit: bool,
    pub(crate) stats: WalkStats,
}

/// Amount of work that a visible set took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WalkStats {
    /// Walks: one from a room, and one for each portal of a building that was entered.
    pub walks: usize,
    /// Cells that all walks together may have entered.
    pub eligible: usize,
    /// Visits of cells.
    pub visits: usize,
    /// Tests of portals of rooms and buildings, one for each region.
    pub portals: usize,
    /// Portals of buildings on the screen, each once.
    pub building_portals: usize,
    /// Portals of buildings that lead to no exit portal of a resident room, on the screen or not.
    pub unusable_building_portals: usize,
    /// Portals so close to the eye that they show the whole region.
    pub whole_portals: usize,
    /// Merges of two regions because a cell had too many.
    pub merges: usize,
}

/// Exit portal that shows the landscape. Its depth is written before anything nearer is drawn.
///
/// Retail: the portals that `PView::DrawCells` draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seal {
    /// Room that has the portal.
    pub cell: CellId,
    /// Number of the portal in the list of that room.
    pub portal: u16,
}

/// Portal that a region was entered through, and the region on its near side by node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) cell: CellId,
    pub(crate) portal: u16,
    pub(crate) node: u32,
    pub(crate) outdoors: bool,
}

/// A region with the bookkeeping of the walk.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RegionNode {
    pub(crate) content: RegionContent,
    /// Range of its corners and planes.
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) bounds: Bounds,
    pub(crate) entry: Option<Entry>,
    /// Number of the same portal in the list of the room that was entered.
    pub(crate) back: Option<u16>,
    /// What shows in the region lies in this half-space; `None` if there is no such bound.
    pub(crate) beyond: Option<HalfSpace>,
    /// The two nodes that this one was merged from, the older first.
    pub(crate) parts: Option<[u32; 2]>,
    /// The node that this one was merged into.
    pub(crate) merged: Option<u32>,
    /// The previous landscape region found through the same portal.
    pub(crate) earlier: Option<u32>,
    pub(crate) is_propagated: bool,
}

/// A visible room as the visible set stores it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ListedCell {
    pub(crate) cell: CellId,
    /// Sort key; see [`VisibleSet::cells`].
    pub(crate) distance: f32,
    /// Order of the first visit.
    pub(crate) number: u32,
    pub(crate) regions: RegionList,
}

/// Nodes of the regions of one cell, in the order in which they were found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct RegionList {
    nodes: [u32; MAX_REGIONS],
    count: u8,
}

impl RegionList {
    pub(crate) fn as_slice(&self) -> &[u32] {
        &self.nodes[..usize::from(self.count)]
    }

    pub(crate) fn is_full(&self) -> bool {
        usize::from(self.count) == MAX_REGIONS
    }

    pub(crate) fn push(&mut self, node: u32) {
        self.nodes[usize::from(self.count)] = node;
        self.count += 1;
    }

    pub(crate) fn remove(&mut self, index: usize) {
        self.nodes.copy_within(index + 1..usize::from(self.count), index);
        self.count -= 1;
    }
}

/// A visible room. Retail: an entry of `cell_draw_list`.
#[derive(Clone, Copy, Debug)]
pub struct VisibleCell<'a> {
    visible: &'a VisibleSet,
    listed: &'a ListedCell,
}

impl Default for VisibleSet {
    fn default() -> Self {
        Self {
            root: CellId(0),
            cells: Vec::new(),
            nodes: Vec::new(),
            corners: Vec::new(),
            planes: Vec::new(),
            landscape: Vec::new(),
            not_resident: Vec::new(),
            unlisted: Vec::new(),
            seals: Vec::new(),
            order: Vec::new(),
            budget_hit: false,
            stats: WalkStats::default(),
        }
    }
}

impl VisibleSet {
    /// Returns the cell of the viewer.
    pub fn root(&self) -> CellId {
        self.root
    }

    /// Returns the visible rooms near to far, each once, the room of the viewer first.
    ///
    /// The sort key is the distance of the nearest portal that a room was found through, or of the farthest portal on the
    /// way to it if that is more.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = VisibleCell<'_>> {
        self.cells.iter().map(|listed| VisibleCell { visible: self, listed })
    }

    /// Returns a room if it is visible. Linear in the number of rooms.
    pub fn cell(&self, id: CellId) -> Option<VisibleCell<'_>> {
        self.cells().find(|cell| cell.id() == id)
    }

    /// Returns the regions in which the landscape shows; without one it is not drawn at all. For a viewer outdoors the first
    /// is the whole screen.
    pub fn landscape(&self) -> impl ExactSizeIterator<Item = Region<'_>> {
        self.landscape.iter().map(|node| Region::new(self, *node))
    }

    /// Returns the regions whose room is not resident.
    pub fn not_resident(&self) -> impl ExactSizeIterator<Item = Region<'_>> {
        self.not_resident.iter().map(|node| Region::new(self, *node))
    }

    /// Returns the rooms that would be visible but are on no stab list, each once, in the order in which they were found.
    /// Empty with [`StabList::Off`](crate::rules::StabList).
    pub fn unlisted(&self) -> &[CellId] {
        &self.unlisted
    }

    /// Returns the exit portals that show the landscape.
    pub fn seals(&self) -> &[Seal] {
        &self.seals
    }

    /// Whether a walk ended because it was out of budget. The set has what was found by then.
    pub fn budget_hit(&self) -> bool {
        self.budget_hit
    }

    /// Returns the amount of work that the set took.
    pub fn stats(&self) -> WalkStats {
        self.stats
    }

    /// Returns all regions, each after its [parent](Region::parent), otherwise in the order in which they were found.
    ///
    /// Only where regions were merged in a circle of rooms, a region may come before the near side of one of its portals that
    /// is not its first.
    pub fn regions(&self) -> impl ExactSizeIterator<Item = Region<'_>> {
        self.order.iter().map(|node| Region::new(self, *node))
    }

    pub(crate) fn begin(&mut self, root: CellId) {
        let Self { cells, nodes, corners, planes, landscape, not_resident, .. } = self;
        cells.clear();
        nodes.clear();
        corners.clear();
        planes.clear();
        landscape.clear();
        not_resident.clear();
        let Self { unlisted, seals, order, .. } = self;
        unlisted.clear();
        seals.clear();
        order.clear();
        (self.root, self.budget_hit, self.stats) = (root, false, WalkStats::default());
    }

    pub(crate) fn node(&self, node: u32) -> &RegionNode {
        &self.nodes[node as usize]
    }

    pub(crate) fn node_mut(&mut self, node: u32) -> &mut RegionNode {
        &mut self.nodes[node as usize]
    }

    pub(crate) fn corners_of(&self, node: &RegionNode) -> &[DVec2] {
        &self.corners[node.start as usize..node.end as usize]
    }

    pub(crate) fn planes_of(&self, node: &RegionNode) -> &[DVec3] {
        &self.planes[node.start as usize..node.end as usize]
    }

    /// Adds a region that covers the whole screen.
    pub(crate) fn add_screen(&mut self, content: RegionContent) -> u32 {
        let start = self.start();
        self.corners.extend(SCREEN_CORNERS);
        self.planes.extend(SCREEN);
        self.add(content, start, Bounds::SCREEN)
    }

    /// Adds a region with this outline.
    pub(crate) fn add_outline(&mut self, content: RegionContent, outline: &Outline) -> u32 {
        let start = self.start();
        self.corners.extend(outline.corners.iter().map(|corner| corner.truncate()));
        self.planes.extend_from_slice(&outline.planes);
        self.add(content, start, Bounds::of(&outline.corners))
    }

    #[allow(clippy::cast_possible_truncation, reason = "bounded by the budgets of the walks")]
    fn start(&self) -> u32 {
        self.corners.len() as u32
    }

    #[allow(clippy::cast_possible_truncation, reason = "bounded by the budgets of the walks")]
    fn add(&mut self, content: RegionContent, start: u32, bounds: Bounds) -> u32 {
        let node = self.nodes.len() as u32;
        self.nodes.push(RegionNode {
            content,
            start,
            end: self.start(),
            bounds,
            entry: None,
            back: None,
            beyond: None,
            parts: None,
            merged: None,
            earlier: None,
            is_propagated: false,
        });
        node
    }

    /// Sorts the cells near to far.
    pub(crate) fn finish(&mut self) {
        let root = self.root;
        self.cells.sort_unstable_by(|a, b| {
            let first = (b.cell == root).cmp(&(a.cell == root));
            first.then(a.distance.total_cmp(&b.distance)).then(a.number.cmp(&b.number))
        });
    }

    /// Returns the node that a node was merged into, or the node itself.
    pub(crate) fn current(&self, mut node: u32) -> u32 {
        while let Some(merged) = self.node(node).merged {
            node = merged;
        }
        node
    }

    /// Returns the region on the near side of the first entry portal of a region.
    pub(crate) fn parent(&self, node: u32) -> Option<u32> {
        self.node(node).entry.map(|entry| self.current(entry.node))
    }

    /// Returns the entries of a region, those of the part that was merged last first.
    pub(crate) fn entries(&self, node: u32) -> impl Iterator<Item = Entry> + use<'_> {
        let mut next = Some(self.node(node));
        let entries = std::iter::from_fn(move || {
            let node = next?;
            // The newer part of a merge is never a merge itself.
            let (entry, older) = match node.parts {
                Some([older, newer]) => (self.node(newer).entry, Some(self.node(older))),
                None => (node.entry, None),
            };
            next = older;
            Some(entry)
        });
        entries.flatten()
    }

    pub(crate) fn entry_portal(&self, entry: &Entry) -> EntryPortal {
        let node = self.current(entry.node);
        let Entry { cell, portal, outdoors, .. } = *entry;
        let index = |nodes: &[u32]| nodes.iter().position(|other| *other == node);
        let region = match outdoors {
            true => index(&self.landscape),
            false => self.cell(cell).and_then(|cell| index(cell.listed.regions.as_slice())),
        };
        EntryPortal { cell, portal, region: region.unwrap_or_default(), outdoors }
    }
}

impl<'a> VisibleCell<'a> {
    /// Returns the id of the room.
    pub fn id(&self) -> CellId {
        self.listed.cell
    }

    /// Returns the distance in metres by which [`VisibleSet::cells`] sorts; 0 for the room of the viewer.
    pub fn distance(&self) -> f32 {
        self.listed.distance
    }

    /// Returns the regions in which the room shows, in the order in which they were found; at most [`MAX_REGIONS`].
    pub fn regions(&self) -> impl ExactSizeIterator<Item = Region<'a>> + use<'a> {
        let visible = self.visible;
        self.listed.regions.as_slice().iter().map(move |node| Region::new(visible, *node))
    }
}
