//! BSP trees: cell trees, physics trees and drawing trees.

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

/// Why nodes do not form a tree. Nodes are identified by their index in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// The root does not exist.
    #[error("the root is node {root}, but there are {nodes} nodes")]
    NoNode {
        /// The index of the root.
        root: u32,
        /// The number of nodes.
        nodes: usize,
    },
    /// A child does not exist.
    #[error("node {node}: its child is node {child}, but there are {nodes} nodes")]
    ChildOutOfRange {
        /// The parent.
        node: u32,
        /// The index of the child.
        child: u32,
        /// The number of nodes.
        nodes: usize,
    },
    /// A node is reached twice: a cycle, or a branch with two parents.
    #[error("node {node} is reached twice, the second time from node {parent}")]
    ReachedTwice {
        /// The node.
        node: u32,
        /// The parent that reached it the second time.
        parent: u32,
    },
    /// A polygon does not exist.
    #[error("node {node}: it lists polygon {polygon}, but there are {polygons} polygons")]
    PolygonOutOfRange {
        /// The node.
        node: u32,
        /// The index of the polygon.
        polygon: u32,
        /// The number of polygons.
        polygons: usize,
    },
    /// A node is more than [`MAX_TREE_DEPTH`] nodes below the root.
    #[error("node {node} is more than {MAX_TREE_DEPTH} levels deep")]
    TooDeep {
        /// The first such node.
        node: u32,
    },
}

/// The nodes that the root of a tree reaches.
struct Layout {
    /// Parents before children, the positive branch before the negative.
    order: Vec<u32>,
    /// Number of nodes from the root to the deepest, both included.
    depth: usize,
}

/// Walks from the root over all children and checks them. Does not recurse, because the depth is
/// not known yet.
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
        // The stack returns the last child first: positive is laid out before negative.
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

/// Returns the polygons of a node after checking that all of them exist.
fn checked(node: u32, listed: &[u32], polygons: usize) -> Result<&[u32], TreeError> {
    match listed.iter().find(|&&polygon| polygon as usize >= polygons) {
        Some(&polygon) => Err(TreeError::PolygonOutOfRange { node, polygon, polygons }),
        None => Ok(listed),
    }
}
