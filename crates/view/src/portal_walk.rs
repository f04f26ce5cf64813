//! The entry point: from a world and a viewer to a visible set.

use threshold_land::CellKind;
use threshold_world::{Room, World};

use crate::portal::Eye;
use crate::probe::ViewProbe;
use crate::region::RegionContent;
use crate::rules::ViewRules;
use crate::viewer::Viewer;
use crate::visible_set::VisibleSet;
use crate::walk::{ViewScratch, WalkState};

/// Finds what a viewer sees of a world.
#[derive(Clone, Copy, Debug)]
pub struct PortalWalk<'w> {
    /// World to look at.
    pub world: &'w World,
    /// Answers to disputed questions.
    pub rules: ViewRules,
}

impl<'w> PortalWalk<'w> {
    /// A walk with the default rules.
    pub fn new(world: &'w World) -> Self {
        Self { world, rules: ViewRules::default() }
    }

    /// Returns what the viewer sees. The result stays in the scratch until the next run.
    ///
    /// It cannot fail: rooms that are not resident are part of the result, the room of the viewer included. Terrain is not
    /// read.
    ///
    /// The eye need not be in the cell of the viewer (see `threshold_motion::ViewRoot::Player`). The walk starts in that
    /// cell all the same: the cell has the whole screen, portals that the eye is behind show nothing, and rooms between the
    /// eye and the cell are not in the result.
    ///
    /// Retail: the decision of `SmartBox::RenderNormalMode`, and `PView::DrawInside` or `LScape::draw` up to where drawing
    /// begins.
    pub fn run<'s, P: ViewProbe>(
        &self,
        scratch: &'s mut ViewScratch,
        probe: &mut P,
        viewer: &Viewer,
    ) -> &'s VisibleSet {
        let ViewScratch { visible, work } = scratch;
        let root = viewer.cell();
        visible.begin(root);
        work.begin();
        let eye = Eye::new(viewer);
        let (world, rules) = (self.world, self.rules);
        let root_sees_outside = world.room(root).is_none_or(Room::seen_outside);
        let mut walk = WalkState { world, rules, root_sees_outside, eye, visible, work, probe };
        if root.kind() == Some(CellKind::Land) {
            let screen = walk.visible.add_screen(RegionContent::Landscape);
            walk.visible.landscape.push(screen);
        } else if let Some(room) = world.room(root) {
            walk.walk_from_root(room);
        } else {
            let screen = walk.visible.add_screen(RegionContent::NotResident(root));
            walk.visible.not_resident.push(screen);
        }
        walk.walk_buildings();
        walk.finish();
        visible
    }
}
