//! The question: what is seen?

use threshold_land::CellKind;
use threshold_world::{Room, World};

use crate::opening::Eye;
use crate::probe::Probe;
use crate::rules::Rules;
use crate::seen::{Seen, Target};
use crate::viewer::Viewer;
use crate::walk::{Look, Scratch};

/// Says what is seen in a world.
#[derive(Clone, Copy, Debug)]
pub struct Looker<'w> {
    /// What there is to see.
    pub world: &'w World,
    /// How disputed questions are answered.
    pub rules: Rules,
}

impl<'w> Looker<'w> {
    /// Looks by the default rules.
    pub fn new(world: &'w World) -> Self {
        Self { world, rules: Rules::default() }
    }

    /// What a viewer sees. The result stays in the scratch until the next look.
    ///
    /// A room that is not resident is an answer: the viewer's own too. Terrain is not looked at.
    ///
    /// The eye need not be in the viewer's cell (see `threshold_motion::ViewRoot::Player`): the walk starts in the cell all
    /// the same. The cell has the whole screen, openings that the eye is behind are not looked through, and so rooms
    /// between the eye and the cell are not in the result.
    ///
    /// Retail: the decision of `SmartBox::RenderNormalMode`, and `PView::DrawInside` or `LScape::draw` up to where drawing begins.
    pub fn look<'s, P: Probe>(
        &self,
        scratch: &'s mut Scratch,
        probe: &mut P,
        viewer: &Viewer,
    ) -> &'s Seen {
        let Scratch { seen, work } = scratch;
        let root = viewer.cell();
        seen.begin(root);
        work.begin();
        let eye = Eye::new(viewer);
        let (world, rules) = (self.world, self.rules);
        let root_sees_outside = world.room(root).is_none_or(Room::seen_outside);
        let mut look = Look { world, rules, root_sees_outside, eye, seen, work, probe };
        if root.kind() == Some(CellKind::Land) {
            let screen = look.seen.add_screen(Target::Outside);
            look.seen.outside.push(screen);
        } else if let Some(room) = world.room(root) {
            look.walk_from_root(room);
        } else {
            let screen = look.seen.add_screen(Target::Missing(root));
            look.seen.missing.push(screen);
        }
        look.look_outdoors();
        look.finish();
        seen
    }
}
