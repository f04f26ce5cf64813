//! What is seen: the result of a portal walk.

use threshold_land::CellId;
use threshold_land::glam::{DVec2, DVec3};

use crate::constants::MOST_REGIONS;
use crate::opening::{Beyond, Bounds};
use crate::outline::{Outline, SCREEN, SCREEN_CORNERS};

/// What a viewer sees: the cells, and for each the regions of the screen that it shows in.
///
/// Retail: what `PView::ConstructView` leaves in `cell_draw_list`, `portal_view` and `outside_view`.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    pub(crate) root: CellId,
    pub(crate) cells: Vec<Listed>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) corners: Vec<DVec2>,
    pub(crate) planes: Vec<DVec3>,
    pub(crate) outside: Vec<u32>,
    pub(crate) missing: Vec<u32>,
    pub(crate) refused: Vec<CellId>,
    pub(crate) seals: Vec<Seal>,
    /// All regions that were not merged into others, the near side of an opening before what is seen through it.
    pub(crate) order: Vec<u32>,
    pub(crate) budget_hit: bool,
    pub(crate) stats: Stats,
}

/// How much work a view was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Walks: one from a room, one for every opening of a building that is looked into.
    pub walks: usize,
    /// Cells that all walks together might have entered.
    pub eligible: usize,
    /// Times that a cell was taken up.
    pub visits: usize,
    /// Openings of rooms and of buildings that were tried, once for each region they were tried with.
    pub openings: usize,
    /// Openings of buildings on the screen, counted once.
    pub doors: usize,
    /// Openings of buildings whose room is not resident, or that are no opening of it outdoors, wherever they are.
    pub doors_missing: usize,
    /// Openings that were passed whole because the eye is so near.
    pub near: usize,
    /// Regions that were merged because a cell had too many.
    pub merged: usize,
}

/// An opening outdoors that something is seen through: its depth is written before anything nearer is drawn.
///
/// Retail: the portals that `PView::DrawCells` draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seal {
    /// The room it is an opening of.
    pub cell: CellId,
    /// Its number in the room's list.
    pub portal: u16,
}

/// The opening that a region came through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Via {
    /// The room on the near side of the opening; for a room that is looked into from outdoors the room itself.
    pub cell: CellId,
    /// The number of the opening in the list of that room.
    pub portal: u16,
    /// Which region of the near side it is seen in: one of that room, or from outdoors one of [`Seen::outside`].
    pub region: usize,
    /// Whether the near side is the landscape.
    pub outdoors: bool,
}

/// What is seen in a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A room.
    Cell(CellId),
    /// The landscape.
    Outside,
    /// A room that is not resident; a viewer may draw fog.
    Missing(CellId),
}

/// The near side of an opening, and the region by its place in the list of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) cell: CellId,
    pub(crate) portal: u16,
    pub(crate) node: u32,
    pub(crate) outdoors: bool,
}

/// A region, with what the walk has to know of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub(crate) target: Target,
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) bounds: Bounds,
    pub(crate) entry: Option<Entry>,
    /// The opening of the target that it came in by.
    pub(crate) back: Option<u16>,
    /// What is seen in it lies beyond this; `None` where there is nothing to be beyond of.
    pub(crate) beyond: Option<Beyond>,
    /// The two it was merged from, the older one first.
    pub(crate) parts: Option<[u32; 2]>,
    /// What it was merged into.
    pub(crate) merged: Option<u32>,
    /// The region of the landscape that was found through the same opening before.
    pub(crate) earlier: Option<u32>,
    pub(crate) is_propagated: bool,
}

/// A cell that is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Listed {
    pub(crate) cell: CellId,
    /// By this cells are ordered; see [`Seen::cells`].
    pub(crate) distance: f32,
    /// In the order in which they were taken up.
    pub(crate) number: u32,
    pub(crate) regions: RegionList,
}

/// The regions of a cell, in the order in which they were found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct RegionList {
    nodes: [u32; MOST_REGIONS],
    count: u8,
}

impl RegionList {
    pub(crate) fn as_slice(&self) -> &[u32] {
        &self.nodes[..usize::from(self.count)]
    }

    pub(crate) fn is_full(&self) -> bool {
        usize::from(self.count) == MOST_REGIONS
    }

    pub(crate) fn push(&mut self, node: u32) {
        self.nodes[usize::from(self.count)] = node;
        self.count += 1;
    }

    pub(crate) fn remove(&mut self, place: usize) {
        self.nodes.copy_within(place + 1..usize::from(self.count), place);
        self.count -= 1;
    }
}

/// A cell that is seen. Retail: an entry of `cell_draw_list`.
#[derive(Clone, Copy, Debug)]
pub struct VisibleCell<'a> {
    seen: &'a Seen,
    listed: &'a Listed,
}

/// A convex region of the screen, and what is seen in it: a cone with its apex in the eye.
///
/// Retail: an entry of `view_type`.
#[derive(Clone, Copy, Debug)]
pub struct Region<'a> {
    seen: &'a Seen,
    node: u32,
}

impl Default for Seen {
    fn default() -> Self {
        Self {
            root: CellId(0),
            cells: Vec::new(),
            nodes: Vec::new(),
            corners: Vec::new(),
            planes: Vec::new(),
            outside: Vec::new(),
            missing: Vec::new(),
            refused: Vec::new(),
            seals: Vec::new(),
            order: Vec::new(),
            budget_hit: false,
            stats: Stats::default(),
        }
    }
}

impl Seen {
    /// The cell of the viewer.
    pub fn root(&self) -> CellId {
        self.root
    }

    /// The rooms that are seen, near to far, each once; the viewer's own first.
    ///
    /// Near and far is how far away the nearest opening is through which they were found, or the farthest opening on the way
    /// there if one of them is farther.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = VisibleCell<'_>> {
        self.cells.iter().map(|listed| VisibleCell { seen: self, listed })
    }

    /// A room, if it is seen. Linear in the rooms.
    pub fn cell(&self, id: CellId) -> Option<VisibleCell<'_>> {
        self.cells().find(|cell| cell.id() == id)
    }

    /// The regions that the landscape shows in. Where there are none, it is not drawn at all. For a viewer outdoors the first
    /// is the whole screen.
    pub fn outside(&self) -> impl ExactSizeIterator<Item = Region<'_>> {
        self.outside.iter().map(|node| Region { seen: self, node: *node })
    }

    /// The regions behind which there is a room that is not resident.
    pub fn missing(&self) -> impl ExactSizeIterator<Item = Region<'_>> {
        self.missing.iter().map(|node| Region { seen: self, node: *node })
    }

    /// Rooms that can be seen but are in no list of what can be, each once, in the order in which they were refused. With
    /// [`StabList::Off`](crate::rules::StabList) there are none.
    pub fn refused(&self) -> &[CellId] {
        &self.refused
    }

    /// Openings outdoors that the landscape is seen through.
    pub fn seals(&self) -> &[Seal] {
        &self.seals
    }

    /// Whether a walk was ended because it took too long. What it had found by then is in the result.
    pub fn budget_hit(&self) -> bool {
        self.budget_hit
    }

    /// How much work it was.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// Every region, of rooms, of the landscape and of what is missing, the near side of an opening before what is seen through
    /// it, and else in the order in which they were found. To be drawn, they are taken in the reverse order.
    ///
    /// Only where regions were merged in a circle of rooms, one may come before the near side of an opening that is not its first.
    pub fn regions(&self) -> impl ExactSizeIterator<Item = Region<'_>> {
        self.order.iter().map(|node| Region { seen: self, node: *node })
    }

    pub(crate) fn begin(&mut self, root: CellId) {
        let Self { cells, nodes, corners, planes, outside, missing, refused, seals, order, .. } =
            self;
        cells.clear();
        nodes.clear();
        corners.clear();
        planes.clear();
        outside.clear();
        missing.clear();
        refused.clear();
        seals.clear();
        order.clear();
        (self.root, self.budget_hit, self.stats) = (root, false, Stats::default());
    }

    pub(crate) fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    pub(crate) fn node_mut(&mut self, node: u32) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    pub(crate) fn corners_of(&self, node: &Node) -> &[DVec2] {
        &self.corners[node.start as usize..node.end as usize]
    }

    pub(crate) fn planes_of(&self, node: &Node) -> &[DVec3] {
        &self.planes[node.start as usize..node.end as usize]
    }

    /// Adds a region that covers the whole screen.
    pub(crate) fn add_screen(&mut self, target: Target) -> u32 {
        let start = self.start();
        self.corners.extend(SCREEN_CORNERS);
        self.planes.extend(SCREEN);
        self.add(target, start, Bounds::SCREEN)
    }

    /// Adds a region with this outline.
    pub(crate) fn add_outline(&mut self, target: Target, outline: &Outline) -> u32 {
        let start = self.start();
        self.corners.extend(outline.corners.iter().map(|corner| corner.truncate()));
        self.planes.extend_from_slice(&outline.planes);
        self.add(target, start, Bounds::of(&outline.corners))
    }

    #[allow(clippy::cast_possible_truncation, reason = "bounded by the budgets of the walks")]
    fn start(&self) -> u32 {
        self.corners.len() as u32
    }

    #[allow(clippy::cast_possible_truncation, reason = "bounded by the budgets of the walks")]
    fn add(&mut self, target: Target, start: u32, bounds: Bounds) -> u32 {
        let node = self.nodes.len() as u32;
        self.nodes.push(Node {
            target,
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

    /// Puts the cells in order.
    pub(crate) fn finish(&mut self) {
        let root = self.root;
        self.cells.sort_unstable_by(|a, b| {
            let first = (b.cell == root).cmp(&(a.cell == root));
            first.then(a.distance.total_cmp(&b.distance)).then(a.number.cmp(&b.number))
        });
    }

    /// What a region was merged into, or itself.
    pub(crate) fn current(&self, mut node: u32) -> u32 {
        while let Some(merged) = self.node(node).merged {
            node = merged;
        }
        node
    }

    /// The region on the near side of the first opening of a region.
    pub(crate) fn near_side(&self, node: u32) -> Option<u32> {
        self.node(node).entry.map(|entry| self.current(entry.node))
    }

    /// Where a region came from: the part that was merged last first.
    pub(crate) fn entries(&self, node: u32) -> impl Iterator<Item = Entry> + use<'_> {
        let mut next = Some(self.node(node));
        let entries = std::iter::from_fn(move || {
            let node = next?;
            // What is merged into an older one was never merged before.
            let (entry, older) = match node.parts {
                Some([older, newer]) => (self.node(newer).entry, Some(self.node(older))),
                None => (node.entry, None),
            };
            next = older;
            Some(entry)
        });
        entries.flatten()
    }

    fn via(&self, entry: &Entry) -> Via {
        let node = self.current(entry.node);
        let Entry { cell, portal, outdoors, .. } = *entry;
        let place = |nodes: &[u32]| nodes.iter().position(|other| *other == node);
        let region = match outdoors {
            true => place(&self.outside),
            false => self.cell(cell).and_then(|cell| place(cell.listed.regions.as_slice())),
        };
        Via { cell, portal, region: region.unwrap_or_default(), outdoors }
    }
}

impl<'a> VisibleCell<'a> {
    /// Which one.
    pub fn id(&self) -> CellId {
        self.listed.cell
    }

    /// How far away it is, in metres, as [`Seen::cells`] reckons it; 0 for the viewer's own.
    pub fn distance(&self) -> f32 {
        self.listed.distance
    }

    /// The regions it shows in, in the order in which they were found; at most [`MOST_REGIONS`].
    pub fn regions(&self) -> impl ExactSizeIterator<Item = Region<'a>> + use<'a> {
        let seen = self.seen;
        self.listed.regions.as_slice().iter().map(move |node| Region { seen, node: *node })
    }
}

/// The same region of the same result.
impl PartialEq for Region<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.seen, other.seen) && self.node == other.node
    }
}

impl<'a> Region<'a> {
    fn node(&self) -> &'a Node {
        self.seen.node(self.node)
    }

    /// What is seen in it.
    pub fn target(&self) -> Target {
        self.node().target
    }

    /// A number that no other region of the result has.
    pub fn number(&self) -> u32 {
        self.node
    }

    /// The number of the region that it is seen in: that on the near side of the opening it came through first. `None` for
    /// the viewer's own cell.
    pub fn seen_in(&self) -> Option<u32> {
        self.seen.near_side(self.node)
    }

    /// Its half-planes `(a, b, c)`: a point `(x, y)` of the screen lies in the region where `a x + b y + c >= 0` for all of
    /// them. `(a, b)` is of unit length, so that this is a distance on a screen from -1 to 1.
    pub fn planes(&self) -> &'a [DVec3] {
        self.seen.planes_of(self.node())
    }

    /// Its corners on the screen, x to the right and y up, counter-clockwise. The side from a corner to the next is the border
    /// of the half-plane of the same number.
    pub fn corners(&self) -> &'a [DVec2] {
        self.seen.corners_of(self.node())
    }

    /// The opening it came through; `None` for the viewer's own cell. A region that was merged has several; this is the first
    /// one that was found.
    pub fn via(&self) -> Option<Via> {
        self.node().entry.map(|entry| self.seen.via(&entry))
    }

    /// All openings it came through, those found last first. More than one where regions were merged.
    pub fn openings(&self) -> impl Iterator<Item = Via> + use<'a> {
        let seen = self.seen;
        seen.entries(self.node).map(|entry| seen.via(&entry))
    }

    /// Whether a point of the screen is in it, or on its border.
    pub fn contains(&self, at: DVec2) -> bool {
        self.planes().iter().all(|plane| plane.dot(at.extend(1.0)) >= 0.0)
    }

    /// How much of the screen it covers, 0 to 1.
    pub fn share(&self) -> f64 {
        let corners = self.corners();
        let mut area = 0.0;
        for (index, corner) in corners.iter().enumerate() {
            area += corner.perp_dot(corners[(index + 1) % corners.len()]);
        }
        area / 8.0
    }
}
