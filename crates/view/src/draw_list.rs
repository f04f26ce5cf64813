//! The draw list: a visible set as a flat list of steps that a renderer executes in order.

mod mask;
mod order;
mod volume;

use std::ops::Range;

use threshold_land::vector::{DVec2, DVec3};
use threshold_world::World;

use self::mask::{MaskBuilder, MaskTarget};
use self::order::DrawOrder;
pub use self::volume::{BoxPlacement, CLIP_SLACK, PortalPlane, RegionVolume};
use self::volume::{DrawEye, EntryPlane};
use crate::outline::SCREEN_CORNERS;
use crate::region::{Region, RegionContent};
use crate::viewer::Viewer;
use crate::visible_set::VisibleSet;

/// Nearest distance in metres at which drawing may begin. Nearer, a depth buffer cannot tell surfaces apart.
pub const MIN_NEAR: f64 = 0.02;

/// One step of drawing. The crate documentation says what a renderer does for each action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawStep {
    /// What to do.
    pub action: DrawAction,
    /// Index of the region in [`DrawList::region`].
    pub region: usize,
    /// Value of the mask inside the region. 0 is the whole target, which needs no mask.
    pub level: u32,
}

/// What a draw step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawAction {
    /// Mark the region in the mask and reset the depth there.
    Enter,
    /// Draw the content of the region.
    Draw,
    /// Unmark the region and write the depth of its portal.
    Leave,
}

/// What a draw list is made for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawSettings {
    /// Width and height of the target in pixels. Masks are larger than their regions by a part of a pixel. Too small: masks
    /// cover the edges of walls, and pixels of a wall are drawn twice. Too large: rounding leaves pixels between a portal and
    /// its wall empty.
    pub size: [u32; 2],
    /// Distance in metres at which drawing begins, at least [`MIN_NEAR`]. Smaller than the renderer's: holes show beside a
    /// portal at the eye. Larger: what is behind a portal shows beside it from farther away.
    pub near: f64,
    /// Bounds of the list.
    pub budget: DrawBudget,
}

impl DrawSettings {
    /// Settings for a target of this size, with the near plane of the viewer and the default budget.
    pub fn new(viewer: &Viewer, size: [u32; 2]) -> Self {
        Self { size, near: viewer.near().max(MIN_NEAR), budget: DrawBudget::default() }
    }
}

/// Bounds of a draw list.
///
/// No bound leaves a hole: beyond it a region is drawn without a mask of its own, or the landscape shows in its place.
/// [`DrawList::unmasked`] and [`DrawList::omitted`] count both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawBudget {
    /// Greatest mask value. Default 255, for a stencil buffer of 8 bits; larger values do not fit there. A region that is
    /// nested deeper is drawn in the mask that encloses it, and only scissor, clip plane and depth keep it in its place. That
    /// is still correct where rooms do not overlap in space. Too small: rooms that overlap in space show in each other.
    pub levels: u32,
    /// Number of buildings in a row of which each shows through the one before. Default 3. Behind the last one the landscape
    /// shows without the interiors of other buildings. Too large: a row of open buildings doubles the list with each building.
    pub buildings: u32,
    /// Number of regions drawn again behind buildings, for each region of the visible set. Default 4. Beyond it, as beyond
    /// `buildings`. Too large: a frame that looks through many buildings takes long.
    pub repeats: usize,
}

impl Default for DrawBudget {
    fn default() -> Self {
        Self { levels: 255, buildings: 3, repeats: 4 }
    }
}

/// The draw steps of one frame, and the masks and clip planes of their regions. Keep it from frame to frame: after the first
/// few frames nothing is allocated.
///
/// Retail: the order of `PView::DrawCells`, and what it hands to `Render::PortalList`.
#[derive(Clone, Debug, Default)]
pub struct DrawList {
    steps: Vec<DrawStep>,
    regions: Vec<RegionRecord>,
    /// Ranges of corners, one for each convex part of a mask.
    parts: Vec<Range<usize>>,
    corners: Vec<DVec2>,
    sides: Vec<DVec3>,
    size: [u32; 2],
    order: DrawOrder,
    masks: MaskBuilder,
}

/// A region as the list stores it.
#[derive(Clone, Debug)]
struct RegionRecord {
    content: RegionContent,
    /// Lowest and highest corner on the screen.
    bounds: [DVec2; 2],
    /// Range of [`DrawList::parts`].
    parts: Range<usize>,
    /// Range of [`DrawList::sides`].
    sides: Range<usize>,
    /// `None` if the region has no entry portal, or several.
    plane: Option<EntryPlane>,
    portal: Option<PortalPlane>,
}

/// A region of a draw list.
#[derive(Clone, Copy, Debug)]
pub struct DrawRegion<'a> {
    list: &'a DrawList,
    record: &'a RegionRecord,
}

impl DrawList {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces the list by the steps that draw a visible set.
    ///
    /// `viewer` is the viewer of the visible set, and `world` holds the rooms as they were when it was made. Regions have the
    /// order of [`VisibleSet::regions`]. Linear in the regions, apart from buildings behind buildings, where each of the
    /// regions behind a building is compared with the buildings in the landscape.
    pub fn build(
        &mut self,
        world: &World,
        viewer: &Viewer,
        visible: &VisibleSet,
        settings: &DrawSettings,
    ) {
        self.clear(settings);
        let eye = DrawEye::new(viewer, settings.near);
        for region in visible.regions() {
            self.add_region(world, &eye, &region);
        }
        let Self { order, regions, steps, .. } = self;
        let is_beyond = |inner: &Region<'_>, outer: usize| {
            let plane = regions.get(outer).and_then(|record| record.plane);
            plane.is_some_and(|plane| plane.is_before(world, inner))
        };
        order.sort(visible, &settings.budget, &is_beyond, steps);
    }

    /// Replaces the list by one step for each room and one for the landscape, each on the whole target: a look at what another
    /// viewer sees, for debugging. Rooms that overlap in space show in each other.
    pub fn build_unmasked(
        &mut self,
        viewer: &Viewer,
        visible: &VisibleSet,
        settings: &DrawSettings,
    ) {
        self.clear(settings);
        let eye = DrawEye::new(viewer, settings.near);
        for region in visible.regions() {
            let content = region.content();
            let is_known = self.regions.iter().any(|record| record.content == content);
            if is_known || matches!(content, RegionContent::NotResident(_)) {
                continue;
            }
            let (first_part, first_side) = (self.parts.len(), self.sides.len());
            let (size, corners, parts) = (self.size, &mut self.corners, &mut self.parts);
            MaskTarget { size, corners, parts }.add_part(&SCREEN_CORNERS);
            self.sides.extend(eye.screen_sides());
            self.steps.push(DrawStep {
                action: DrawAction::Draw,
                region: self.regions.len(),
                level: 0,
            });
            self.regions.push(RegionRecord {
                content,
                bounds: [DVec2::NEG_INFINITY, DVec2::INFINITY],
                parts: first_part..self.parts.len(),
                sides: first_side..self.sides.len(),
                plane: None,
                portal: None,
            });
        }
    }

    /// Returns the steps in the order in which a renderer executes them.
    pub fn steps(&self) -> &[DrawStep] {
        &self.steps
    }

    /// Returns the regions; a step names one by its index.
    pub fn regions(&self) -> impl ExactSizeIterator<Item = DrawRegion<'_>> {
        self.regions.iter().map(|record| DrawRegion { list: self, record })
    }

    /// Returns the region of a step.
    ///
    /// # Panics
    ///
    /// If the list has no region of this index.
    pub fn region(&self, index: usize) -> DrawRegion<'_> {
        DrawRegion { list: self, record: &self.regions[index] }
    }

    /// Returns the number of draw steps without a mask of their own because [`DrawBudget::levels`] was reached.
    pub fn unmasked(&self) -> usize {
        self.order.unmasked
    }

    /// Returns the number of regions behind buildings that were left out because [`DrawBudget::repeats`] was reached.
    pub fn omitted(&self) -> usize {
        self.order.omitted
    }

    fn clear(&mut self, settings: &DrawSettings) {
        let Self { steps, regions, parts, corners, sides, order, .. } = self;
        steps.clear();
        regions.clear();
        parts.clear();
        corners.clear();
        sides.clear();
        (order.unmasked, order.omitted) = (0, 0);
        self.size = settings.size;
    }

    fn add_region(&mut self, world: &World, eye: &DrawEye, region: &Region<'_>) {
        let plane = EntryPlane::of(world, region);
        let (first_part, first_side) = (self.parts.len(), self.sides.len());
        let (size, corners, parts) = (self.size, &mut self.corners, &mut self.parts);
        self.masks.add(world, eye, region, plane, MaskTarget { size, corners, parts });
        self.sides.extend(eye.region_sides(region));
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for corner in region.corners() {
            (low, high) = (low.min(*corner), high.max(*corner));
        }
        self.regions.push(RegionRecord {
            content: region.content(),
            bounds: [low, high],
            parts: first_part..self.parts.len(),
            sides: first_side..self.sides.len(),
            plane,
            portal: plane.map(|entry| eye.portal_plane(entry.plane, entry.cell)),
        });
    }
}

impl<'a> DrawRegion<'a> {
    /// Returns what to draw in the region.
    pub fn content(&self) -> RegionContent {
        self.record.content
    }

    /// Returns the convex parts of the mask, as corners on the screen. They may reach a little off the screen, may overlap,
    /// and may run clockwise or counter-clockwise.
    ///
    /// A mask is the region, grown by a part of a pixel. Near a portal it is less: the portal itself, and what the near
    /// plane cuts open beside it.
    pub fn mask(&self) -> impl Iterator<Item = &'a [DVec2]> + use<'a> {
        let list = self.list;
        list.parts[self.record.parts.clone()].iter().map(|part| &list.corners[part.clone()])
    }

    /// Returns the plane of the entry portal. `None` where there is none, for the cell of the viewer, or where there are
    /// several, for merged regions.
    pub fn portal(&self) -> Option<PortalPlane> {
        self.record.portal
    }

    /// Returns the part of space that shows in the region.
    pub fn volume(&self) -> RegionVolume<'a> {
        RegionVolume::new(&self.list.sides[self.record.sides.clone()], self.record.portal)
    }

    /// Returns the columns and rows of pixels that the region may touch, row 0 at the top.
    pub fn scissor(&self) -> [Range<u32>; 2] {
        let ([low, high], [width, height]) = (self.record.bounds, self.list.size);
        [pixels(low.x, high.x, width), pixels(-high.y, -low.y, height)]
    }
}

/// Returns the pixels between two points of an axis of the screen, and one more on both sides: which of them are covered
/// depends on the rounding of the renderer.
fn pixels(low: f64, high: f64, count: u32) -> Range<u32> {
    let pixel = |at: f64| (at * 0.5 + 0.5).clamp(0.0, 1.0) * f64::from(count);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to count")]
    let (start, end) =
        ((pixel(low).floor() as u32).saturating_sub(1), pixel(high).ceil() as u32 + 1);
    start.min(count)..end.clamp(start, count)
}
