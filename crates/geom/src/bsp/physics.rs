//! The collision tree: its nodes and how it is built.

use threshold_land::{EPSILON, Plane, Sphere};

use super::free::FreeSpace;
use super::{TreeError, checked, lay_out};
use crate::polygon::{Polygon, PolygonSet};

/// A node as passed to [`PhysicsTree::build`].
#[derive(Clone, Debug, PartialEq)]
pub enum PhysicsNode {
    /// A part of space that is not divided further.
    Leaf {
        /// Whether it is solid.
        solid: bool,
        /// Encloses its polygons.
        sphere: Sphere,
        /// The polygons in it, in the order in which they are tested. Without any, queries skip the
        /// leaf, whatever `solid` says.
        polygons: Vec<u32>,
    },
    /// A part of space divided by a plane.
    Split {
        /// The dividing plane, called the cut.
        plane: Plane,
        /// Encloses all polygons below.
        sphere: Sphere,
        /// The node in front of the cut; `None` is an empty leaf.
        positive: Option<u32>,
        /// The node behind the cut; `None` is an empty leaf.
        negative: Option<u32>,
    },
}

/// The polygons of a room or of a part of an object, sorted for collision.
///
/// Built and checked once; queries neither fail nor allocate. Their results, and the order in which
/// polygons are tested, are retail's. A query costs the nodes with spheres that it touches and the
/// polygons of their leaves.
///
/// Retail: a `BSPTREE`, the `physics_bsp` of a `CCellStruct` or `CGfxObj`.
#[derive(Clone, Debug)]
pub struct PhysicsTree {
    pub(super) polygons: PolygonSet,
    pub(super) root: Child,
    pub(super) splits: Box<[Split]>,
    pub(super) leaves: Box<[Leaf]>,
    /// The polygons of all leaves, leaf by leaf.
    pub(super) lists: Box<[LeafPolygon]>,
    pub(super) free: FreeSpace,
    sphere: Sphere,
    depth: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Child {
    /// A leaf without polygons, or a missing node: queries treat both alike.
    Empty,
    Leaf(u32),
    Split(u32),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Split {
    pub(super) plane: Plane,
    pub(super) sphere: Sphere,
    pub(super) positive: Child,
    pub(super) negative: Child,
}

/// A polygon of a leaf with a copy of its plane, which rules out most polygons.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeafPolygon {
    pub(super) plane: Plane,
    pub(super) polygon: u32,
}

impl LeafPolygon {
    /// Returns whether a sphere reaches the plane. If not, it does not touch the polygon.
    #[inline]
    pub(super) fn is_reached(&self, sphere: &Sphere) -> bool {
        self.plane.distance(sphere.centre).abs() <= sphere.radius - EPSILON
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    pub(super) sphere: Sphere,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) solid: bool,
}

impl PhysicsNode {
    fn children(&self) -> [Option<u32>; 2] {
        match *self {
            Self::Leaf { .. } => [None, None],
            Self::Split { positive, negative, .. } => [positive, negative],
        }
    }

    fn sphere(&self) -> Sphere {
        match *self {
            Self::Leaf { sphere, .. } | Self::Split { sphere, .. } => sphere,
        }
    }
}

impl PhysicsTree {
    /// Builds the tree of the nodes that `root` reaches, in any order, with children as indices
    /// into `nodes`.
    ///
    /// All checks are made here, once. Polygons without area are left out, but a leaf that lists
    /// only such still counts as one with polygons. Linear in the nodes and lists.
    ///
    /// # Errors
    ///
    /// If a child or polygon does not exist, a node is reached twice, or the tree is deeper than
    /// [`MAX_TREE_DEPTH`](crate::MAX_TREE_DEPTH).
    pub fn build(
        mut polygons: PolygonSet,
        nodes: &[PhysicsNode],
        root: u32,
    ) -> Result<Self, TreeError> {
        let layout = lay_out(nodes, root, PhysicsNode::children)?;
        polygons.shrink();
        let places = places(nodes, &layout.order);
        let place = |child: Option<u32>| child.map_or(Child::Empty, |c| places[c as usize]);
        let (mut splits, mut leaves, mut lists) = (Vec::new(), Vec::new(), Vec::new());
        for &index in &layout.order {
            match nodes[index as usize] {
                PhysicsNode::Leaf { polygons: ref listed, .. } if listed.is_empty() => {}
                PhysicsNode::Leaf { solid, sphere, polygons: ref listed } => {
                    let start = lists.len();
                    let listed = checked(index, listed, polygons.len())?.iter();
                    let listed = listed.filter(|&&i| !polygons.is_degenerate(i));
                    lists.extend(listed.map(|&polygon| LeafPolygon {
                        plane: polygons.get(polygon).plane,
                        polygon,
                    }));
                    leaves.push(Leaf { sphere, start, end: lists.len(), solid });
                }
                PhysicsNode::Split { plane, sphere, positive, negative } => {
                    let (positive, negative) = (place(positive), place(negative));
                    splits.push(Split { plane, sphere, positive, negative });
                }
            }
        }
        let mut tree = Self {
            polygons,
            root: places[root as usize],
            splits: splits.into(),
            leaves: leaves.into(),
            lists: lists.into(),
            free: FreeSpace::default(),
            sphere: nodes[root as usize].sphere(),
            depth: layout.depth,
        };
        tree.free = FreeSpace::of(&tree);
        Ok(tree)
    }

    /// All polygons, including those that no leaf lists.
    pub fn polygons(&self) -> &PolygonSet {
        &self.polygons
    }

    /// Returns a polygon by the index that a query returned.
    ///
    /// # Panics
    ///
    /// If there is no polygon with that index; queries return none such.
    pub fn polygon(&self, i: u32) -> Polygon<'_> {
        self.polygons.get(i)
    }

    /// The sphere of the root, which encloses everything that a query can find. Meaningless if
    /// [`is_empty`](Self::is_empty).
    pub fn bounding_sphere(&self) -> Sphere {
        self.sphere
    }

    /// The sphere outside which every query finds nothing. `None` if a query tests something before
    /// this sphere, as in a tree of one leaf.
    pub fn query_sphere(&self) -> Option<Sphere> {
        matches!(self.root, Child::Split(_)).then_some(self.sphere)
    }

    /// Returns whether the root is an empty leaf, so that every query finds nothing.
    pub fn is_empty(&self) -> bool {
        self.root == Child::Empty
    }

    /// Number of nodes from the root to the deepest, both included.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Bytes allocated on the heap.
    pub fn heap_size(&self) -> usize {
        self.polygons.heap_size()
            + size_of_val(&*self.splits)
            + size_of_val(&*self.leaves)
            + size_of_val(&*self.lists)
            + self.free.heap_size()
    }

    /// The polygons of a leaf with planes that a sphere reaches; it overlaps no others.
    #[inline]
    pub(super) fn reached(
        &self,
        leaf: &Leaf,
        sphere: &Sphere,
    ) -> impl Iterator<Item = (u32, Polygon<'_>)> {
        let listed = self.lists[leaf.start..leaf.end].iter();
        let reached = listed.filter(|listed| listed.is_reached(sphere));
        reached.map(|listed| (listed.polygon, self.polygons.get(listed.polygon)))
    }
}

/// Returns the index of each node in the array of its kind.
fn places(nodes: &[PhysicsNode], order: &[u32]) -> Vec<Child> {
    let (mut splits, mut leaves) = (0, 0);
    let mut places = vec![Child::Empty; nodes.len()];
    for &index in order {
        let index = index as usize;
        match &nodes[index] {
            PhysicsNode::Leaf { polygons, .. } if polygons.is_empty() => {}
            PhysicsNode::Leaf { .. } => {
                places[index] = Child::Leaf(leaves);
                leaves += 1;
            }
            PhysicsNode::Split { .. } => {
                places[index] = Child::Split(splits);
                splits += 1;
            }
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use threshold_land::vector::Vec3;

    use super::super::fixtures::{FLOOR, GROUND, WALL, ball, leaf, polygons, split, t1, t2};
    use super::super::{PolygonHit, SolidPoly, WalkableQuery};
    use super::*;
    use crate::constants::{FLOOR_Z, MAX_TREE_DEPTH};
    use crate::polygon::Sides;

    #[track_caller]
    fn check_error(nodes: &[PhysicsNode], root: u32, want: TreeError, text: &str) {
        let got = PhysicsTree::build(polygons(), nodes, root).unwrap_err();
        assert_eq!(got, want);
        assert_eq!(got.to_string(), text);
    }

    #[test]
    fn invalid_nodes_are_refused_with_their_index() {
        check_error(
            &[],
            0,
            TreeError::NoNode { root: 0, nodes: 0 },
            "the root is node 0, but there are 0 nodes",
        );
        check_error(
            &[leaf(false, &[])],
            u32::MAX,
            TreeError::NoNode { root: u32::MAX, nodes: 1 },
            "the root is node 4294967295, but there are 1 nodes",
        );
        check_error(
            &[leaf(false, &[]), split(GROUND, 0, 7)],
            1,
            TreeError::ChildOutOfRange { node: 1, child: 7, nodes: 2 },
            "node 1: its child is node 7, but there are 2 nodes",
        );
        check_error(
            &[leaf(true, &[FLOOR]), split(GROUND, None, 2), leaf(true, &[WALL, 2])],
            1,
            TreeError::PolygonOutOfRange { node: 2, polygon: 2, polygons: 2 },
            "node 2: it lists polygon 2, but there are 2 polygons",
        );
    }

    #[test]
    fn cycles_and_shared_branches_are_refused() {
        let twice = |node, parent| TreeError::ReachedTwice { node, parent };
        check_error(
            &[split(GROUND, 0, None)],
            0,
            twice(0, 0),
            "node 0 is reached twice, the second time from node 0",
        );
        check_error(
            &[split(GROUND, 1, None), split(GROUND, None, 0)],
            0,
            twice(0, 1),
            "node 0 is reached twice, the second time from node 1",
        );
        check_error(
            &[split(GROUND, 1, 1), leaf(false, &[])],
            0,
            twice(1, 0),
            "node 1 is reached twice, the second time from node 0",
        );
    }

    /// A chain of `depth` nodes, with a sphere at the origin across every cut.
    fn chain(depth: usize, negative: bool) -> Vec<PhysicsNode> {
        let last = u32::try_from(depth - 1).unwrap();
        let mut nodes: Vec<_> = (1..=last)
            .map(
                |next| {
                    if negative { split(GROUND, None, next) } else { split(GROUND, next, None) }
                },
            )
            .collect();
        nodes.push(leaf(true, &[FLOOR]));
        nodes
    }

    #[test]
    fn a_tree_of_the_greatest_depth_works_and_a_deeper_one_is_refused() {
        for negative in [false, true] {
            let nodes = chain(MAX_TREE_DEPTH, negative);
            let tree = PhysicsTree::build(polygons(), &nodes, 0).unwrap();
            assert_eq!(tree.depth(), MAX_TREE_DEPTH);
            let mut sphere = ball([0.0, 0.0, 0.1]);
            assert!(tree.sphere_intersects_poly(&sphere, Vec3::NEG_Z, &mut PolygonHit::default()));
            assert!(tree.sphere_intersects_solid(&sphere, true));
            let mut found = SolidPoly::default();
            tree.sphere_intersects_solid_poly(&sphere, 0.48, false, &mut found);
            assert_eq!(found.polygon, Some(FLOOR));
            assert!(tree.hits_walkable(&sphere, Vec3::Z, FLOOR_Z));
            let walk = WalkableQuery { movement: Vec3::NEG_Z, up: Vec3::Z, allowance: FLOOR_Z };
            assert_eq!(tree.find_walkable(&mut sphere, &walk, &mut 1.0), Some(FLOOR));

            let nodes = chain(MAX_TREE_DEPTH + 1, negative);
            let node = u32::try_from(MAX_TREE_DEPTH).unwrap();
            let text = "node 2000 is more than 2000 levels deep";
            check_error(&nodes, 0, TreeError::TooDeep { node }, text);
        }
    }

    #[test]
    fn a_million_levels_are_refused_without_recursion() {
        let error = PhysicsTree::build(polygons(), &chain(1_000_000, false), 0).unwrap_err();
        assert!(matches!(error, TreeError::TooDeep { .. }), "{error}");
    }

    #[test]
    fn nodes_may_come_in_any_order_and_unreachable_ones_are_dropped() {
        // The last node is invalid, but not part of the tree.
        let nodes = [leaf(true, &[FLOOR]), leaf(false, &[]), split(GROUND, 1, 0), leaf(true, &[9])];
        let tree = PhysicsTree::build(polygons(), &nodes, 2).unwrap();
        assert_eq!((tree.splits.len(), tree.leaves.len()), (1, 1));
        assert!(tree.sphere_intersects_solid(&ball([0.0, 0.0, 0.3]), false));
        assert_eq!(tree.depth(), 2);
    }

    #[test]
    fn a_missing_child_is_an_empty_leaf() {
        let nodes = [split(GROUND, None, 1), leaf(true, &[FLOOR])];
        let missing = PhysicsTree::build(polygons(), &nodes, 0).unwrap();
        for z in [-2.0, -0.3, 0.3, 2.0] {
            let sphere = ball([0.0, 0.0, z]);
            for check in [false, true] {
                let want = t1().sphere_intersects_solid(&sphere, check);
                assert_eq!(missing.sphere_intersects_solid(&sphere, check), want, "{z} {check}");
            }
        }
    }

    #[test]
    fn polygons_without_area_are_never_tested_but_their_leaf_stays_solid() {
        let mut set = PolygonSet::new();
        let speck = set.push([Vec3::ZERO; 3], Sides::Single);
        let tree = PhysicsTree::build(set, &[leaf(true, &[speck])], 0).unwrap();
        assert!(tree.lists.is_empty());
        let sphere = ball([0.0; 3]);
        assert!(!tree.sphere_intersects_solid(&sphere, false));
        assert!(tree.sphere_intersects_solid(&sphere, true));
        assert!(tree.point_intersects_solid(Vec3::ZERO));
        assert!(!tree.is_empty());
    }

    #[test]
    fn a_tree_reports_its_bounds_polygons_and_size() {
        let tree = t2();
        assert_eq!(tree.bounding_sphere(), Sphere::new(Vec3::ZERO, 12.0));
        assert_eq!(tree.polygons().len(), 2);
        assert_eq!(tree.polygon(WALL).plane.normal, Vec3::NEG_X);
        assert_eq!(tree.depth(), 3);
        let nodes = 2 * size_of::<Split>() + 2 * size_of::<Leaf>() + 2 * size_of::<LeafPolygon>();
        let all = tree.polygons().heap_size() + nodes + tree.free.heap_size();
        assert_eq!(tree.heap_size(), all);
    }
}
