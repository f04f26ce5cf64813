//! Order of all regions: each after the region it is seen through.

use crate::visible_set::VisibleSet;

/// Buffers for sorting regions.
#[derive(Clone, Debug, Default)]
pub(crate) struct RegionOrder {
    marks: Vec<Mark>,
    stack: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Unvisited,
    /// On the stack, after its parents.
    Open,
    Done,
}

impl RegionOrder {
    /// Lists all regions, each after its parent, otherwise in the order in which they were found.
    ///
    /// A merged region comes before the regions that show through its parts, although it is found after them. Where merging
    /// has closed a circle, only the first entry of each region counts.
    pub(crate) fn sort(&mut self, visible: &mut VisibleSet) {
        if visible.stats.merges == 0 {
            // Without merges a region is found after its parent.
            visible.order.extend((0..).zip(&visible.nodes).map(|(id, _)| id));
            return;
        }
        let Self { marks, stack } = self;
        marks.clear();
        marks.resize(visible.nodes.len(), Mark::Unvisited);
        let mut order = std::mem::take(&mut visible.order);
        for (id, node) in (0..).zip(&visible.nodes) {
            if node.merged.is_none() {
                stack.push(id);
            }
            while let Some(&next) = stack.last() {
                match std::mem::replace(&mut marks[next as usize], Mark::Done) {
                    Mark::Unvisited => {
                        marks[next as usize] = Mark::Open;
                        let first = visible.parent(next);
                        let near = visible.entries(next).map(|entry| visible.current(entry.node));
                        let may_precede = |near: &u32| {
                            marks[*near as usize] == Mark::Unvisited
                                && (first == Some(*near) || !has_open_parent(visible, marks, *near))
                        };
                        stack.extend(near.filter(may_precede));
                    }
                    Mark::Open => {
                        stack.pop();
                        order.push(next);
                    }
                    Mark::Done => {
                        stack.pop();
                    }
                }
            }
        }
        visible.order = order;
    }
}

/// Whether a region is seen through one that is open.
fn has_open_parent(visible: &VisibleSet, marks: &[Mark], node: u32) -> bool {
    let mut parents = std::iter::successors(visible.parent(node), |node| visible.parent(*node));
    parents.any(|node| marks[node as usize] == Mark::Open)
}

#[cfg(test)]
mod tests {
    use threshold_land::CellId;

    use super::*;
    use crate::region::RegionContent;
    use crate::visible_set::Entry;

    fn order(visible: &mut VisibleSet) -> &[u32] {
        RegionOrder::default().sort(visible);
        &visible.order
    }

    /// Adds a region of a cell, seen through another region.
    fn add(visible: &mut VisibleSet, cell: u32, through: Option<u32>) -> u32 {
        let id = visible.add_screen(RegionContent::Room(CellId(cell)));
        let entry = |node| Entry { cell: CellId(cell), portal: 0, node, outdoors: false };
        visible.node_mut(id).entry = through.map(entry);
        id
    }

    fn merge(visible: &mut VisibleSet, older: u32, newer: u32) -> u32 {
        let merged = add(visible, 0, None);
        let entry = visible.node(older).entry;
        let node = visible.node_mut(merged);
        (node.entry, node.parts) = (entry, Some([older, newer]));
        visible.node_mut(older).merged = Some(merged);
        visible.node_mut(newer).merged = Some(merged);
        visible.stats.merges += 1;
        merged
    }

    #[test]
    fn a_merged_region_comes_after_all_its_near_sides_and_before_its_children() {
        let mut visible = VisibleSet::default();
        let root = add(&mut visible, 1, None);
        let older = add(&mut visible, 2, Some(root));
        let behind = add(&mut visible, 3, Some(older));
        let detour = add(&mut visible, 4, Some(root));
        let newer = add(&mut visible, 2, Some(detour));
        let merged = merge(&mut visible, older, newer);
        assert_eq!(order(&mut visible), [root, detour, merged, behind]);
    }

    #[test]
    fn in_a_circle_only_first_entries_count() {
        let mut visible = VisibleSet::default();
        let root = add(&mut visible, 1, None);
        let older = add(&mut visible, 2, Some(root));
        let aside = add(&mut visible, 3, Some(older));
        let behind = add(&mut visible, 4, Some(older));
        let newer = add(&mut visible, 2, Some(behind));
        let merged = merge(&mut visible, older, newer);
        assert_eq!(order(&mut visible), [root, merged, aside, behind]);
    }
}
