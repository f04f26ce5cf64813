//! Physics trees: free space, solid space, and the polygons between them.

use threshold_dat::{BspLeaf, BspNode, BspSplit, BspTag, BspTree};
use threshold_land::vector::Vec3;
use threshold_land::{Plane, Sphere};

use super::wall::{self, Cut};
use super::{enclosing, solid};
use crate::tool::layout::Chamber;
use crate::tool::solid::outline::{self, opposite, reversed};
use crate::tool::solid::{Outline, Side};

/// A tree before it is written.
#[derive(Debug)]
pub(crate) enum Node {
    /// Free space.
    Free,
    /// Solid space and the polygons that bound it; at least one.
    Solid(Vec<u16>),
    /// A cut.
    Split { plane: Plane, positive: Box<Node>, negative: Box<Node> },
}

impl Node {
    pub(crate) fn split(plane: Plane, positive: Self, negative: Self) -> Self {
        Self::Split { plane, positive: Box::new(positive), negative: Box::new(negative) }
    }
}

/// The space behind a hole: as wide as the hole, without end.
struct Shaft {
    outline: Outline,
    /// The plane of the hole; it faces into the room.
    plane: Plane,
}

/// Thickness of solid space between a room and the floor right over it, in metres: far less than the width of any mover.
const BOARD: f32 = 0.05;

/// Maximum distance behind an opening, in metres, of a body that still touches the room.
const BODY_REACH: f32 = 2.0;

impl Shaft {
    /// Returns whether the shaft soon lies behind another wall, as it does if the two meet at more than
    /// a right angle.
    fn runs_behind(&self, wall: &Plane) -> bool {
        let nears = self.plane.normal.dot(wall.normal);
        let (near, _) = outline::reach(&self.outline, wall);
        nears > 1e-3 && near < BODY_REACH * nears
    }
}

impl Node {
    /// Returns the same tree with a shaft of free space through all its solid space.
    fn pierced(self, shaft: &Shaft) -> Self {
        match self {
            Self::Free => Self::Free,
            Self::Split { plane, positive, negative } => {
                Self::split(plane, positive.pierced(shaft), negative.pierced(shaft))
            }
            Self::Solid(polygons) => {
                let solid = || Self::Solid(polygons.clone());
                let edges = outline::edge_planes(&shaft.outline, shaft.plane.normal);
                let inner =
                    edges.rev().fold(Self::Free, |inner, edge| Self::split(edge, solid(), inner));
                Self::split(shaft.plane, solid(), inner)
            }
        }
    }
}

/// Polygons that face into free space, and the tree over them.
#[derive(Debug)]
pub(crate) struct Physics {
    pub(crate) polygons: Vec<Outline>,
    pub(crate) root: Node,
}

impl Physics {
    /// Adds the walls and blocks of a room, with holes where a mover can pass.
    ///
    /// Walls with holes come first, so that the space behind a hole is free where closed walls would continue
    /// behind it; and before them ceilings under floors, so that the room above is free where walls would continue into
    /// it. A mover on that floor touches the room below, and must not be in the solid space behind its ceiling.
    pub(crate) fn of_room(chamber: &Chamber) -> Self {
        let mut out = Self { polygons: Vec::new(), root: Node::Free };
        let walls = &chamber.space.sides;
        let holes = |face: usize| -> Vec<Outline> {
            let gates = chamber.gates.iter().filter(|gate| gate.face == face);
            gates.filter(|gate| gate.is_passable()).map(|gate| gate.outline.clone()).collect()
        };
        let (mut open, closed): (Vec<usize>, Vec<usize>) =
            (0..walls.len()).partition(|face| !holes(*face).is_empty());
        open.sort_by_key(|face| !chamber.under_floors.contains(face));
        let mut chain = Vec::new();
        for (index, &face) in open.iter().chain(&closed).enumerate() {
            let plane = opposite(&walls[face].plane);
            let cut = wall::cut(&reversed(&walls[face].outline), plane.normal, &holes(face));
            let mut behind = out.behind(cut);
            for &other in open.iter().skip(index + 1).take_while(|_| index < open.len()) {
                let other_plane = opposite(&walls[other].plane);
                let shafts =
                    holes(other).into_iter().map(|outline| Shaft { outline, plane: other_plane });
                let near = shafts.filter(|shaft| shaft.runs_behind(&plane));
                behind = near.fold(behind, |node, shaft| node.pierced(&shaft));
            }
            if chamber.under_floors.contains(&face) {
                let top = Plane { normal: plane.normal, d: plane.d + BOARD };
                behind = Node::split(top, behind, Node::Free);
            }
            chain.push((plane, behind));
        }
        let inner = out.blocks(chamber);
        let link = |inside, (plane, behind)| Node::split(plane, inside, behind);
        out.root = chain.into_iter().rev().fold(inner, link);
        out
    }

    /// Adds the union of solids; `surface` are the polygons around it, and `doors` the holes in it, which
    /// have no polygon although there is solid space behind them.
    pub(crate) fn of_solids(
        surface: &[Side],
        doors: &[Side],
        is_solid: impl Fn(Vec3) -> bool,
        bounds: &[Plane],
    ) -> Self {
        let mut out = Self { polygons: Vec::new(), root: Node::Free };
        let mut pieces = out.add(surface.iter());
        pieces.extend(doors.iter().map(|door| solid::Piece { side: door.clone(), polygon: None }));
        out.root = solid::tree(pieces, &out.polygons, bounds.to_vec(), &is_solid);
        out
    }

    fn behind(&mut self, cut: Cut) -> Node {
        match cut {
            Cut::Piece(outline) => {
                self.polygons.push(outline);
                Node::Solid(vec![last(&self.polygons)])
            }
            Cut::Hole => Node::Free,
            Cut::Between { plane, front, back } => {
                let front = self.behind(*front);
                Node::split(plane, front, self.behind(*back))
            }
        }
    }

    /// Returns the content of a room: free space and blocks.
    fn blocks(&mut self, chamber: &Chamber) -> Node {
        let walls: Vec<Plane> = chamber.space.sides.iter().map(|side| side.plane).collect();
        let pieces = self.add(chamber.surface.iter().map(|drawn| &drawn.side));
        let is_solid = |at: Vec3| chamber.blocks.iter().any(|block| block.distance(at) < 0.0);
        solid::tree(pieces, &self.polygons, walls, &is_solid)
    }

    fn add<'a>(&mut self, surface: impl Iterator<Item = &'a Side>) -> Vec<solid::Piece> {
        let mut pieces = Vec::new();
        for side in surface {
            self.polygons.push(side.outline.clone());
            let polygon = Some(last(&self.polygons));
            pieces.push(solid::Piece { side: side.clone(), polygon });
        }
        pieces
    }

    /// Returns the tree in record form.
    pub(crate) fn tree(&self) -> BspTree {
        let mut writer = Writer { tree: BspTree::default(), polygons: &self.polygons, leaves: 0 };
        let root = writer.write(&self.root).index;
        writer.tree.set_root(root);
        writer.tree
    }
}

/// Returns the index of the last entry. Lists longer than 65,536 are refused when they are written as records.
fn last(polygons: &[Outline]) -> u16 {
    u16::try_from(polygons.len().saturating_sub(1)).unwrap_or(u16::MAX)
}

struct Writer<'a> {
    tree: BspTree,
    polygons: &'a [Outline],
    leaves: i32,
}

/// A node that was written, and all polygons below it.
struct WrittenNode {
    index: u32,
    polygons: Vec<u16>,
}

/// Retail has this in leaves without polygons.
const NO_SPHERE: Sphere = Sphere::new(Vec3::ZERO, 0.0);

impl Writer<'_> {
    fn write(&mut self, node: &Node) -> WrittenNode {
        match node {
            Node::Free => self.leaf(0, &[]),
            Node::Solid(polygons) => self.leaf(1, polygons),
            Node::Split { plane, positive, negative } => {
                let positive = self.write(positive);
                let negative = self.write(negative);
                let mut polygons = positive.polygons;
                polygons.extend(negative.polygons);
                polygons.sort_unstable();
                polygons.dedup();
                let index = self.tree.push(BspNode::Split(BspSplit {
                    tag: BspTag::split(true, true, false),
                    plane: *plane,
                    positive: Some(positive.index),
                    negative: Some(negative.index),
                    sphere: Some(self.sphere(&polygons)),
                    polygons: &[],
                    portals: &[],
                }));
                WrittenNode { index, polygons }
            }
        }
    }

    fn leaf(&mut self, solid: i32, polygons: &[u16]) -> WrittenNode {
        let sphere = Some(self.sphere(polygons));
        let leaf = BspLeaf { index: self.leaves, solid, sphere, polygons };
        self.leaves += 1;
        WrittenNode { index: self.tree.push(BspNode::Leaf(leaf)), polygons: polygons.to_vec() }
    }

    fn sphere(&self, polygons: &[u16]) -> Sphere {
        let corners = polygons.iter().filter_map(|index| self.polygons.get(usize::from(*index)));
        enclosing(corners.flatten().copied()).unwrap_or(NO_SPHERE)
    }
}
