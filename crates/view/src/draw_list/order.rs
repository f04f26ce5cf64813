//! Order of the draw steps.
//!
//! What shows through a portal is drawn before the near side of the portal, in a mask and with a depth of its own. Masks nest
//! as regions do: the value counts the portals on the way.
//!
//! A visible set lists each building once, in the landscape around the first building that is looked through. Here buildings
//! that show behind another building are visited again, within the region behind that building.

use crate::draw_list::{DrawAction, DrawBudget, DrawStep};
use crate::region::{Region, RegionContent};
use crate::visible_set::VisibleSet;

/// Marks the end of a list of regions.
const NONE: u32 = u32::MAX;

/// Buffers for ordering the regions of a frame.
#[derive(Clone, Debug, Default)]
pub(super) struct DrawOrder {
    /// By node: the index of its region.
    indices: Vec<u32>,
    links: Vec<Links>,
    stack: Vec<Visit>,
    /// Number of regions visited again so far.
    repeated: usize,
    pub(super) unmasked: usize,
    pub(super) omitted: usize,
}

/// A region in the tree of regions.
#[derive(Clone, Copy, Debug)]
struct Links {
    node: u32,
    first_child: u32,
    next_sibling: u32,
    is_root: bool,
    is_landscape: bool,
}

/// A region that is being visited.
#[derive(Clone, Copy, Debug)]
struct Visit {
    region: u32,
    level: u32,
    /// Whether it has a mask of its own.
    is_masked: bool,
    /// Number of landscape regions on the way to it.
    buildings: u32,
    /// The landscape region around the first of them.
    around: Option<u32>,
    /// Whether its children were visited.
    is_done: bool,
}

impl Visit {
    const ROOT: Self =
        Self { region: 0, level: 0, is_masked: true, buildings: 0, around: None, is_done: false };
}

/// What a sort reads.
struct Input<'a> {
    visible: &'a VisibleSet,
    budget: &'a DrawBudget,
    is_beyond: &'a dyn Fn(&Region<'_>, usize) -> bool,
}

impl DrawOrder {
    /// Writes the steps that draw a visible set. `is_beyond` returns whether the entry portal of a region lies beyond that of
    /// the region with an index.
    pub(super) fn sort(
        &mut self,
        visible: &VisibleSet,
        budget: &DrawBudget,
        is_beyond: &dyn Fn(&Region<'_>, usize) -> bool,
        steps: &mut Vec<DrawStep>,
    ) {
        self.link(visible);
        (self.repeated, self.unmasked, self.omitted) = (0, 0, 0);
        let input = Input { visible, budget, is_beyond };
        let root = |region| Visit { region, ..Visit::ROOT };
        let roots = (0..).zip(&self.links).filter(|(_, links)| links.is_root);
        self.stack.extend(roots.map(|(region, _)| root(region)));
        // A row of portals is as long as there are rooms: no recursion.
        while let Some(visit) = self.stack.pop() {
            self.visit(&input, visit, steps);
        }
    }

    /// Makes the tree of regions, children in the order of the visible set.
    fn link(&mut self, visible: &VisibleSet) {
        let Self { indices, links, .. } = self;
        links.clear();
        indices.clear();
        indices.resize(visible.nodes.len(), NONE);
        for region in visible.regions() {
            #[allow(clippy::cast_possible_truncation, reason = "nodes are counted in 32 bits")]
            let index = links.len() as u32;
            indices[region.number() as usize] = index;
            links.push(Links {
                node: region.number(),
                first_child: NONE,
                next_sibling: NONE,
                is_root: true,
                is_landscape: region.content() == RegionContent::Landscape,
            });
        }
        for index in (0..links.len()).rev() {
            let parent = visible.parent(links[index].node).map(|node| indices[node as usize]);
            // A region that comes before its parent, as may happen in a circle of merged regions, is drawn by itself.
            let Some(parent) = parent.map(|it| it as usize).filter(|parent| *parent < index) else {
                continue;
            };
            links[index].is_root = false;
            links[index].next_sibling = links[parent].first_child;
            #[allow(clippy::cast_possible_truncation, reason = "nodes are counted in 32 bits")]
            let child = index as u32;
            links[parent].first_child = child;
        }
    }

    fn visit(&mut self, input: &Input<'_>, visit: Visit, steps: &mut Vec<DrawStep>) {
        let (region, level) = (visit.region as usize, visit.level);
        let mut add = |action| steps.push(DrawStep { action, region, level });
        if visit.is_done {
            add(DrawAction::Draw);
            if visit.is_masked {
                add(DrawAction::Leave);
            } else {
                self.unmasked += 1;
            }
            return;
        }
        if visit.is_masked {
            add(DrawAction::Enter);
        }
        self.stack.push(Visit { is_done: true, ..visit });
        let is_landscape = self.links[region].is_landscape;
        let around = visit.around.or(is_landscape.then_some(visit.region));
        let buildings = visit.buildings + u32::from(is_landscape);
        let is_masked = level < input.budget.levels;
        let level = if is_masked { level + 1 } else { level };
        let inner = |region| Visit { region, level, is_masked, buildings, around, is_done: false };
        // The stack turns the order round: what was found first is drawn last.
        let mut child = self.links[region].first_child;
        while let Some(links) = self.links.get(child as usize) {
            self.stack.push(inner(child));
            self.repeated += usize::from(visit.buildings > 1);
            child = links.next_sibling;
        }
        if is_landscape
            && let Some(around) = visit.around
            && buildings <= input.budget.buildings
        {
            self.visit_buildings_behind(input, visit.region, around, inner);
        }
    }

    /// Visits the buildings in the landscape `around` that show in a landscape region behind one of them.
    fn visit_buildings_behind(
        &mut self,
        input: &Input<'_>,
        region: u32,
        around: u32,
        inner: impl Fn(u32) -> Visit,
    ) {
        let Input { visible, budget, is_beyond } = input;
        let limit = budget.repeats * self.links.len();
        let behind = Region::new(visible, self.links[region as usize].node);
        let mut child = self.links[around as usize].first_child;
        while let Some(links) = self.links.get(child as usize) {
            let building = Region::new(visible, links.node);
            if !are_apart(&behind, &building) && is_beyond(&building, region as usize) {
                if self.repeated < limit {
                    self.stack.push(inner(child));
                    self.repeated += 1;
                } else {
                    self.omitted += 1;
                }
            }
            child = links.next_sibling;
        }
    }
}

/// Whether two regions have no point in common.
fn are_apart(one: &Region<'_>, other: &Region<'_>) -> bool {
    let is_outside_a_side = |sides: &Region<'_>, corners: &Region<'_>| {
        sides
            .planes()
            .iter()
            .any(|side| corners.corners().iter().all(|corner| side.dot(corner.extend(1.0)) <= 0.0))
    };
    is_outside_a_side(one, other) || is_outside_a_side(other, one)
}
