//! In which order regions are drawn.
//!
//! What is seen through an opening is drawn before the near side of that opening, in its own mask and with a depth of its
//! own; then the opening is as deep as it is, and the near side is drawn round it. Masks count how deep one is in openings: a
//! region lies within the one it is seen in, whatever its outline says.
//!
//! Who looks through a house sees the landscape behind it, and other houses there. A view lists those once, past the first house;
//! here they are drawn once more, within what is seen through it.

use std::collections::BTreeMap;

use threshold_view::{Region, RegionContent};

/// A step of drawing, with the region by its place in [`VisibleSet::regions`](threshold_view::VisibleSet::regions) and how deep in openings it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Into a region: from here on nothing of what was drawn outside it counts. At a depth of 0 that is the whole screen.
    Enter { region: usize, depth: u32 },
    /// What is seen in it.
    Draw { region: usize, depth: u32 },
    /// Out of it, and its opening is closed.
    Leave { region: usize, depth: u32 },
}

/// So many houses one after the other are looked through.
const MOST_HOUSES: u32 = 3;

/// So many regions are drawn once more at the most, for each that there is.
const MOST_AGAIN: usize = 4;

/// So many openings one in the other are looked through: masks count no farther.
const DEEPEST: u32 = 255;

/// A region that is being visited.
#[derive(Clone, Copy)]
struct Visit {
    region: usize,
    depth: u32,
    /// How many houses are looked through on the way.
    houses: u32,
    /// The landscape that the first of them is seen in.
    around: Option<usize>,
    is_done: bool,
}

/// The steps of a picture. `is_beyond` says whether the opening of one region is beyond that of another.
pub(super) fn steps(
    regions: &[Region<'_>],
    is_beyond: &dyn Fn(usize, usize) -> bool,
    steps: &mut Vec<Step>,
) {
    steps.clear();
    let mut tree = Tree { regions, children: vec![Vec::new(); regions.len()], again: 0 };
    let places: BTreeMap<u32, usize> =
        regions.iter().enumerate().map(|(place, region)| (region.number(), place)).collect();
    let place = |number: u32| places.get(&number).copied();
    let mut roots = Vec::new();
    for (index, region) in regions.iter().enumerate() {
        match region.parent().and_then(place) {
            // The near side comes first in the list; what does not keep to that stands alone.
            Some(parent) if parent < index => tree.children[parent].push(index),
            _ => roots.push(index),
        }
    }
    for root in roots.into_iter().rev() {
        tree.visit(root, is_beyond, steps);
    }
}

struct Tree<'a> {
    regions: &'a [Region<'a>],
    children: Vec<Vec<usize>>,
    /// How many regions were visited once more.
    again: usize,
}

impl Tree<'_> {
    fn visit(
        &mut self,
        root: usize,
        is_beyond: &dyn Fn(usize, usize) -> bool,
        steps: &mut Vec<Step>,
    ) {
        // Openings in a row are as many as rooms: no recursion.
        let mut open =
            vec![Visit { region: root, depth: 0, houses: 0, around: None, is_done: false }];
        while let Some(visit) = open.pop() {
            let Visit { region, depth, .. } = visit;
            if visit.is_done {
                steps.extend([Step::Draw { region, depth }, Step::Leave { region, depth }]);
                continue;
            }
            steps.push(Step::Enter { region, depth });
            open.push(Visit { is_done: true, ..visit });
            // The first found is drawn last: it is pushed first.
            let is_outside = self.is_outside(region);
            let around = if is_outside { visit.around.or(Some(region)) } else { visit.around };
            let houses = visit.houses + u32::from(is_outside);
            if depth == DEEPEST {
                continue;
            }
            let inner = |region| Visit { region, depth: depth + 1, houses, around, is_done: false };
            open.extend(self.children[region].iter().copied().map(inner));
            if visit.houses > 1 {
                self.again += self.children[region].len();
            }
            if is_outside
                && let Some(around) = visit.around
                && houses <= MOST_HOUSES
            {
                let behind = self.houses_behind(region, around, is_beyond);
                open.extend(behind.into_iter().map(inner));
            }
        }
    }

    fn is_outside(&self, region: usize) -> bool {
        self.regions[region].content() == RegionContent::Landscape
    }

    /// The houses in the landscape `around` that are seen in a region of the landscape behind one of them.
    fn houses_behind(
        &mut self,
        region: usize,
        around: usize,
        is_beyond: &dyn Fn(usize, usize) -> bool,
    ) -> Vec<usize> {
        let is_seen = |house: &usize| {
            !are_apart(&self.regions[region], &self.regions[*house]) && is_beyond(*house, region)
        };
        let mut houses: Vec<usize> =
            self.children[around].iter().copied().filter(is_seen).collect();
        houses.truncate((MOST_AGAIN * self.regions.len()).saturating_sub(self.again));
        self.again += houses.len();
        houses
    }
}

/// Whether two regions have nothing in common.
fn are_apart(one: &Region<'_>, other: &Region<'_>) -> bool {
    let parts = |sides: &Region<'_>, corners: &Region<'_>| {
        sides
            .planes()
            .iter()
            .any(|side| corners.corners().iter().all(|corner| side.dot(corner.extend(1.0)) <= 0.0))
    };
    parts(one, other) || parts(other, one)
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_forge::samples;
    use threshold_land::CellId;
    use threshold_land::glam::DVec3;
    use threshold_view::{Lens, PortalWalk, ViewScratch, Viewer};
    use threshold_world::{Builder, World};

    #[test]
    fn the_far_side_of_an_opening_is_drawn_before_its_near_side() {
        let builder = Builder::new(samples::town(1, 1).unwrap());
        let mut world = World::new();
        for piece in builder.pieces() {
            world.adopt(builder.build(piece).unwrap().unwrap().piece);
        }
        let (eye, look) = (DVec3::new(12.0, 9.0, 41.7), DVec3::new(12.5, 0.0, 41.5));
        let viewer = Viewer::looking_at(CellId(0xA9B4_0100), eye, look, Lens::default()).unwrap();
        let mut scratch = ViewScratch::new();
        let seen = PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer);
        let regions: Vec<Region<'_>> = seen.regions().collect();
        let mut order = Vec::new();
        steps(&regions, &|_, _| true, &mut order);
        let (mut open, mut drawn) = (Vec::new(), Vec::new());
        for step in order {
            match step {
                Step::Enter { region, depth } => {
                    assert_eq!(open.len(), depth as usize);
                    // What it is seen in is entered already, and not drawn yet.
                    let around = open.last().copied();
                    let number = around.map(|around: usize| regions[around].number());
                    assert_eq!(regions[region].parent(), number);
                    assert!(around.is_none_or(|around| !drawn.contains(&around)));
                    open.push(region);
                }
                Step::Draw { region, .. } => drawn.push(region),
                Step::Leave { region, .. } => assert_eq!(open.pop(), Some(region)),
            }
        }
        assert!(open.is_empty());
        drawn.sort_unstable();
        assert_eq!(drawn, (0..regions.len()).collect::<Vec<_>>());
        assert!(regions.iter().any(|region| region.content() == RegionContent::Landscape));
    }
}
