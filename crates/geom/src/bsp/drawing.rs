//! The tree of drawing order.

use std::ops::Range;

use threshold_land::vector::Vec3;
use threshold_land::{Plane, Sphere};

use super::{TreeError, checked, lay_out};

/// A node as passed to [`DrawingTree::build`]. Without children, polygons and portals it is a leaf.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawingNode {
    /// The cut. Ignored without children: files have any value there then.
    pub plane: Plane,
    /// Encloses all polygons below; leaves have none.
    pub sphere: Option<Sphere>,
    /// The node in front of the cut.
    pub positive: Option<u32>,
    /// The node behind the cut.
    pub negative: Option<u32>,
    /// Polygons that lie in the cut.
    pub polygons: Vec<u32>,
    /// Portals that lie in the cut.
    pub portals: Vec<DrawingPortal>,
}

/// A portal in a drawing tree. Retail: `BSPPORTAL`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawingPortal {
    /// The index of its polygon among the drawn polygons.
    pub polygon: u32,
    /// The index of the portal in its room or building.
    pub portal: u16,
}

/// Something to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawingItem {
    /// A polygon.
    Polygon(u32),
    /// A portal.
    Portal(DrawingPortal),
}

/// The polygons and portals of a room or of a part of an object, sorted for drawing.
///
/// Retail: a `BSPTREE`, the `drawing_bsp` of a `CCellStruct` or `CGfxObj`.
#[derive(Clone, Debug)]
pub struct DrawingTree {
    /// Parents before children; leaves are left out, as they hold nothing.
    nodes: Box<[Node]>,
    root: Option<u32>,
    /// The polygons of all nodes, node by node.
    polygons: Box<[u32]>,
    portals: Box<[DrawingPortal]>,
    sphere: Option<Sphere>,
}

#[derive(Clone, Debug)]
struct Node {
    plane: Plane,
    positive: Option<u32>,
    negative: Option<u32>,
    polygons: Range<usize>,
    portals: Range<usize>,
}

impl DrawingNode {
    fn children(&self) -> [Option<u32>; 2] {
        [self.positive, self.negative]
    }

    fn is_leaf(&self) -> bool {
        self.children() == [None, None] && self.polygons.is_empty() && self.portals.is_empty()
    }
}

impl DrawingTree {
    /// Builds the tree of the nodes that `root` reaches, in any order, with children as indices
    /// into `nodes`.
    ///
    /// All checks are made here, once. Linear in the nodes and lists.
    ///
    /// # Errors
    ///
    /// If a child or polygon does not exist, a node is reached twice, or the tree is deeper than
    /// [`MAX_TREE_DEPTH`](crate::MAX_TREE_DEPTH).
    pub fn build(polygon_count: u32, nodes: &[DrawingNode], root: u32) -> Result<Self, TreeError> {
        let mut order = lay_out(nodes, root, DrawingNode::children)?.order;
        order.retain(|&index| !nodes[index as usize].is_leaf());
        let mut places = vec![None; nodes.len()];
        for (place, &index) in (0..).zip(&order) {
            places[index as usize] = Some(place);
        }
        let place = |child: Option<u32>| child.and_then(|c| places[c as usize]);
        let (mut laid, mut polygons, mut portals) = (Vec::new(), Vec::new(), Vec::new());
        for &index in &order {
            let node = &nodes[index as usize];
            let starts = (polygons.len(), portals.len());
            polygons.extend(checked(index, &node.polygons, polygon_count as usize)?);
            for portal in &node.portals {
                checked(index, &[portal.polygon], polygon_count as usize)?;
                portals.push(*portal);
            }
            laid.push(Node {
                plane: node.plane,
                positive: place(node.positive),
                negative: place(node.negative),
                polygons: starts.0..polygons.len(),
                portals: starts.1..portals.len(),
            });
        }
        Ok(Self {
            nodes: laid.into(),
            root: places[root as usize],
            polygons: polygons.into(),
            portals: portals.into(),
            sphere: nodes[root as usize].sphere,
        })
    }

    /// Visits all items, those nearer to `eye` before those that they may hide. Linear in the tree.
    ///
    /// Items in the same cut do not hide each other: polygons come first, in the order of the
    /// lists.
    pub fn front_to_back(&self, eye: Vec3, mut visit: impl FnMut(DrawingItem)) {
        self.draw(self.root, &|node| node.plane.distance(eye) > 0.0, &mut visit);
    }

    /// Visits all items, those farther from `eye` before those that may hide them. Linear in the
    /// tree.
    ///
    /// Items in the same cut come in the order of the lists here, too.
    pub fn back_to_front(&self, eye: Vec3, mut visit: impl FnMut(DrawingItem)) {
        self.draw(self.root, &|node| node.plane.distance(eye) <= 0.0, &mut visit);
    }

    /// All portals: those of a node before those of its branches, positive before negative.
    pub fn portals(&self) -> impl Iterator<Item = DrawingPortal> {
        self.portals.iter().copied()
    }

    /// Returns the sphere of the root, or `None` if it has none, as leaves do.
    pub fn bounding_sphere(&self) -> Option<Sphere> {
        self.sphere
    }

    /// Bytes allocated on the heap.
    pub fn heap_size(&self) -> usize {
        size_of_val(&*self.nodes) + size_of_val(&*self.polygons) + size_of_val(&*self.portals)
    }

    fn draw(
        &self,
        at: Option<u32>,
        positive_first: &impl Fn(&Node) -> bool,
        visit: &mut impl FnMut(DrawingItem),
    ) {
        let Some(index) = at else { return };
        let node = &self.nodes[index as usize];
        let (first, second) = if positive_first(node) {
            (node.positive, node.negative)
        } else {
            (node.negative, node.positive)
        };
        self.draw(first, positive_first, visit);
        for &polygon in &self.polygons[node.polygons.clone()] {
            visit(DrawingItem::Polygon(polygon));
        }
        for &portal in &self.portals[node.portals.clone()] {
            visit(DrawingItem::Portal(portal));
        }
        self.draw(second, positive_first, visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constants::MAX_TREE_DEPTH;

    fn node(
        plane: Plane,
        [positive, negative]: [Option<u32>; 2],
        polygons: &[u32],
        portals: &[(u32, u16)],
    ) -> DrawingNode {
        let portals = portals.iter().map(|&(polygon, portal)| DrawingPortal { polygon, portal });
        let sphere = Some(Sphere::new(Vec3::ZERO, 5.0));
        let (polygons, portals) = (polygons.into(), portals.collect());
        DrawingNode { plane, sphere, positive, negative, polygons, portals }
    }

    fn across(x: f32) -> Plane {
        Plane { normal: Vec3::X, d: -x }
    }

    /// The plane of a node without children in the files.
    fn garbage() -> Plane {
        let float = f32::from_bits(0xCDCD_CDCD);
        Plane { normal: Vec3::splat(float), d: float }
    }

    /// Along x: polygon 0 at 1, polygons 1 and 2 and a portal at 2, polygon 3 at 3.
    fn row() -> Vec<DrawingNode> {
        vec![
            node(garbage(), [None, None], &[3], &[]),
            node(across(2.0), [Some(0), Some(2)], &[1, 2], &[(4, 9)]),
            node(across(1.0), [Some(3), None], &[0], &[]),
            DrawingNode { sphere: None, ..node(garbage(), [None, None], &[], &[]) },
        ]
    }

    fn short(item: DrawingItem) -> String {
        match item {
            DrawingItem::Polygon(polygon) => polygon.to_string(),
            DrawingItem::Portal(at) => format!("{}:{}", at.polygon, at.portal),
        }
    }

    #[track_caller]
    fn check_order(x: f32, forth: &str, back: &str) {
        let tree = DrawingTree::build(5, &row(), 1).unwrap();
        let eye = Vec3::new(x, 0.0, 0.0);
        let (mut near, mut far) = (Vec::new(), Vec::new());
        tree.front_to_back(eye, |item| near.push(short(item)));
        tree.back_to_front(eye, |item| far.push(short(item)));
        assert_eq!((near.join(" "), far.join(" ")), (forth.into(), back.into()), "{x}");
    }

    #[test]
    fn nearer_items_come_first_or_last() {
        check_order(0.0, "0 1 2 4:9 3", "3 1 2 4:9 0");
        check_order(1.5, "0 1 2 4:9 3", "3 1 2 4:9 0");
        check_order(9.0, "3 1 2 4:9 0", "0 1 2 4:9 3");
        check_order(2.0, "0 1 2 4:9 3", "3 1 2 4:9 0"); // in the cut: behind it
    }

    #[test]
    fn a_tree_may_be_one_leaf() {
        let leaf = row().pop().unwrap();
        let tree = DrawingTree::build(0, &[leaf], 0).unwrap();
        tree.front_to_back(Vec3::ZERO, |item| panic!("{item:?}"));
        tree.back_to_front(Vec3::ZERO, |item| panic!("{item:?}"));
        assert_eq!(tree.bounding_sphere(), None);
        assert_eq!(tree.heap_size(), 0);
    }

    #[test]
    fn portals_are_listed_from_the_root_positive_side_first() {
        let nodes = [
            node(across(0.0), [Some(2), Some(1)], &[], &[(0, 0)]),
            node(garbage(), [None, None], &[], &[(0, 3)]),
            node(garbage(), [None, None], &[], &[(0, 1), (0, 2)]),
        ];
        let tree = DrawingTree::build(1, &nodes, 0).unwrap();
        assert_eq!(tree.portals().map(|at| at.portal).collect::<Vec<_>>(), [0, 1, 2, 3]);
    }

    #[test]
    fn a_tree_holds_the_items_of_its_nodes() {
        let tree = DrawingTree::build(5, &row(), 1).unwrap();
        assert_eq!(tree.portals().collect::<Vec<_>>(), [DrawingPortal { polygon: 4, portal: 9 }]);
        assert_eq!(tree.bounding_sphere(), Some(Sphere::new(Vec3::ZERO, 5.0)));
        assert_eq!(tree.nodes.len(), 3, "leaves take no room");
        let held = 3 * size_of::<Node>() + 4 * size_of::<u32>() + size_of::<DrawingPortal>();
        assert_eq!(tree.heap_size(), held);
    }

    #[track_caller]
    fn check_error(polygon_count: u32, nodes: &[DrawingNode], root: u32, want: TreeError) {
        assert_eq!(DrawingTree::build(polygon_count, nodes, root).unwrap_err(), want);
    }

    #[test]
    fn invalid_nodes_are_refused_with_their_index() {
        check_error(5, &[], 0, TreeError::NoNode { root: 0, nodes: 0 });
        check_error(5, &row(), 4, TreeError::NoNode { root: 4, nodes: 4 });
        let polygon =
            |node, polygon, polygons| TreeError::PolygonOutOfRange { node, polygon, polygons };
        check_error(3, &row(), 1, polygon(1, 4, 3)); // the portal's
        check_error(2, &row(), 1, polygon(1, 2, 2));
        let lone = |positive, negative| [node(across(0.0), [positive, negative], &[], &[])];
        let missing = TreeError::ChildOutOfRange { node: 0, child: 1, nodes: 1 };
        check_error(5, &lone(None, Some(1)), 0, missing);
        let circle = TreeError::ReachedTwice { node: 0, parent: 0 };
        check_error(5, &lone(Some(0), None), 0, circle);
    }

    #[test]
    fn a_tree_of_the_greatest_depth_works_and_a_deeper_one_is_refused() {
        let chain = |depth: u32| -> Vec<_> {
            let next = |i| if i + 1 < depth { Some(i + 1) } else { None };
            (0..depth).map(|i| node(across(0.0), [next(i), None], &[0], &[])).collect()
        };
        let max = u32::try_from(MAX_TREE_DEPTH).unwrap();
        let tree = DrawingTree::build(1, &chain(max), 0).unwrap();
        for x in [-1.0, 1.0] {
            let mut seen = 0;
            tree.front_to_back(Vec3::new(x, 0.0, 0.0), |_| seen += 1);
            assert_eq!(seen, max);
        }
        check_error(1, &chain(max + 1), 0, TreeError::TooDeep { node: max });
    }
}
