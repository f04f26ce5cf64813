//! In which order regions are drawn.

use crate::seen::Seen;

/// Room to put regions in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Order {
    marks: Vec<Mark>,
    waiting: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    New,
    /// What it is seen through comes first.
    Waits,
    Done,
}

impl Order {
    /// Lists all regions, the near side of every opening before what is seen through it, and else in the order in which they
    /// were found.
    ///
    /// A region that was merged is found after what was seen through its parts, and is before that all the same. Where
    /// merging has closed a circle, the first opening of every region counts.
    pub(crate) fn put(&mut self, seen: &mut Seen) {
        if seen.stats.merged == 0 {
            // What is seen through a region is found after it.
            seen.order.extend((0..).zip(&seen.nodes).map(|(id, _)| id));
            return;
        }
        let Self { marks, waiting } = self;
        marks.clear();
        marks.resize(seen.nodes.len(), Mark::New);
        let mut order = std::mem::take(&mut seen.order);
        for (id, node) in (0..).zip(&seen.nodes) {
            if node.merged.is_none() {
                waiting.push(id);
            }
            while let Some(&next) = waiting.last() {
                match std::mem::replace(&mut marks[next as usize], Mark::Done) {
                    Mark::New => {
                        marks[next as usize] = Mark::Waits;
                        let first = seen.near_side(next);
                        let near = seen.entries(next).map(|entry| seen.current(entry.node));
                        let can_come = |near: &u32| {
                            marks[*near as usize] == Mark::New
                                && (first == Some(*near) || !waits_for(seen, marks, *near))
                        };
                        waiting.extend(near.filter(can_come));
                    }
                    Mark::Waits => {
                        waiting.pop();
                        order.push(next);
                    }
                    Mark::Done => {
                        waiting.pop();
                    }
                }
            }
        }
        seen.order = order;
    }
}

/// Whether a region is seen through one that waits itself.
fn waits_for(seen: &Seen, marks: &[Mark], node: u32) -> bool {
    let mut nearer = std::iter::successors(seen.near_side(node), |node| seen.near_side(*node));
    nearer.any(|node| marks[node as usize] == Mark::Waits)
}

#[cfg(test)]
mod tests {
    use threshold_land::CellId;

    use super::*;
    use crate::seen::{Entry, Target};

    /// The order of all regions.
    fn order(seen: &mut Seen) -> &[u32] {
        Order::default().put(seen);
        &seen.order
    }

    /// A region of a cell that is seen through another one.
    fn add(seen: &mut Seen, cell: u32, through: Option<u32>) -> u32 {
        let id = seen.add_screen(Target::Cell(CellId(cell)));
        let entry = |node| Entry { cell: CellId(cell), portal: 0, node, outdoors: false };
        seen.node_mut(id).entry = through.map(entry);
        id
    }

    fn merge(seen: &mut Seen, older: u32, newer: u32) -> u32 {
        let merged = add(seen, 0, None);
        let entry = seen.node(older).entry;
        let node = seen.node_mut(merged);
        (node.entry, node.parts) = (entry, Some([older, newer]));
        seen.node_mut(older).merged = Some(merged);
        seen.node_mut(newer).merged = Some(merged);
        seen.stats.merged += 1;
        merged
    }

    #[test]
    fn what_is_merged_comes_after_all_near_sides_and_before_what_is_seen_through_it() {
        let mut seen = Seen::default();
        let root = add(&mut seen, 1, None);
        let older = add(&mut seen, 2, Some(root));
        let behind = add(&mut seen, 3, Some(older));
        let detour = add(&mut seen, 4, Some(root));
        let newer = add(&mut seen, 2, Some(detour));
        let merged = merge(&mut seen, older, newer);
        assert_eq!(order(&mut seen), [root, detour, merged, behind]);
    }

    /// A room is seen through what is seen through it: of the circle, the first opening of each counts.
    #[test]
    fn in_a_circle_first_openings_count() {
        let mut seen = Seen::default();
        let root = add(&mut seen, 1, None);
        let older = add(&mut seen, 2, Some(root));
        let aside = add(&mut seen, 3, Some(older));
        let behind = add(&mut seen, 4, Some(older));
        let newer = add(&mut seen, 2, Some(behind));
        let merged = merge(&mut seen, older, newer);
        assert_eq!(order(&mut seen), [root, merged, aside, behind]);
    }
}
