//! Trees that cut space in two.

mod cell;
mod drawing;
#[cfg(test)]
mod fixtures;
mod free;
mod physics;
mod walk;

pub use cell::{CellTree, Containment};
pub use drawing::{DrawingItem, DrawingNode, DrawingPortal, DrawingTree};
pub use physics::{PhysicsNode, PhysicsTree};
pub use walk::{PolygonHit, SolidPoly, WalkableQuery};

use crate::constants::MAX_TREE_DEPTH;

/// Why nodes make no tree. Nodes are named by their index in what was handed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// There is no node to start from.
    #[error("the root is node {root}, but there are {nodes} nodes")]
    NoNode {
        /// The root that was asked for.
        root: u32,
        /// How many nodes there are.
        nodes: usize,
    },
    /// A child is not one of the nodes.
    #[error("node {node}: its child is node {child}, but there are {nodes} nodes")]
    ChildOutOfRange {
        /// The parent.
        node: u32,
        /// What it names as its child.
        child: u32,
        /// How many nodes there are.
        nodes: usize,
    },
    /// Two links lead to one node: a circle, or a branch with two parents.
    #[error("node {node} is reached twice, the second time from node {parent}")]
    ReachedTwice {
        /// The node.
        node: u32,
        /// The parent that reached it when it had been reached already.
        parent: u32,
    },
    /// A polygon is not one of the polygons.
    #[error("node {node}: it lists polygon {polygon}, but there are {polygons} polygons")]
    PolygonOutOfRange {
        /// The node.
        node: u32,
        /// The polygon it lists.
        polygon: u32,
        /// How many polygons there are.
        polygons: usize,
    },
    /// There are more than [`MAX_TREE_DEPTH`] nodes from the root to this one.
    #[error("node {node} is more than {MAX_TREE_DEPTH} levels deep")]
    TooDeep {
        /// The first node that is too deep.
        node: u32,
    },
}

/// The nodes of a tree that its root reaches.
struct Layout {
    /// Parents before children, the positive branch before the negative.
    order: Vec<u32>,
    /// Nodes from the root to the deepest, both counted.
    depth: usize,
}

/// Walks from the root over all links and checks them. Does not recurse: depth is not known yet.
fn lay_out<N>(
    nodes: &[N],
    root: u32,
    children: impl Fn(&N) -> [Option<u32>; 2],
) -> Result<Layout, TreeError> {
    if root as usize >= nodes.len() {
        return Err(TreeError::NoNode { root, nodes: nodes.len() });
    }
    let mut layout = Layout { order: Vec::new(), depth: 0 };
    let mut reached = vec![false; nodes.len()];
    reached[root as usize] = true;
    let mut waiting = vec![(root, 1)];
    while let Some((node, depth)) = waiting.pop() {
        if depth > MAX_TREE_DEPTH {
            return Err(TreeError::TooDeep { node });
        }
        layout.order.push(node);
        layout.depth = layout.depth.max(depth);
        // The last one in is the first one out: positive is laid out before negative.
        for child in children(&nodes[node as usize]).into_iter().rev().flatten() {
            let Some(reached) = reached.get_mut(child as usize) else {
                return Err(TreeError::ChildOutOfRange { node, child, nodes: nodes.len() });
            };
            if std::mem::replace(reached, true) {
                return Err(TreeError::ReachedTwice { node: child, parent: node });
            }
            waiting.push((child, depth + 1));
        }
    }
    Ok(layout)
}

/// The polygons of a node, once none is out of range.
fn checked(node: u32, listed: &[u32], polygons: usize) -> Result<&[u32], TreeError> {
    match listed.iter().find(|&&polygon| polygon as usize >= polygons) {
        Some(&polygon) => Err(TreeError::PolygonOutOfRange { node, polygon, polygons }),
        None => Ok(listed),
    }
}
