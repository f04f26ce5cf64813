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
