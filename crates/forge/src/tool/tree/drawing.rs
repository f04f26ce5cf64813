//! Drawing trees: every polygon once, in the plane of a node; openings in `PORT` nodes.

use threshold_dat::{BspLeaf, BspNode, BspSplit, BspTag, BspTree, PortalPolygon};
use threshold_land::vector::Vec3;
use threshold_land::{Plane, Sphere};

use super::{enclosing, wall};
use crate::stock::material::Material;
use crate::stock::thing::Card;
use crate::tool::layout::Chamber;
use crate::tool::room::LEVEL;
use crate::tool::solid::outline::{
    self, Ball, Halves, OutlineSide, classify, opposite, reversed, split,
};
use crate::tool::solid::{Outline, Side};

/// Maximum number of polygons in a record, which names them by 16 bits.
const MAX_POLYGONS: usize = 0x1_0000;

/// A polygon to be drawn.
#[derive(Clone, Debug)]
pub(crate) struct DrawnPolygon {
    pub(crate) side: Side,
    pub(crate) material: Material,
    /// The texture position, unless it follows from the plane.
    pub(crate) card: Option<Card>,
}

/// An opening, and its index in the portal list.
#[derive(Clone, Debug)]
pub(crate) struct PortalOpening {
    pub(crate) side: Side,
    pub(crate) portal: u16,
}

#[derive(Debug)]
enum Node {
    Leaf,
    Split {
        plane: Plane,
        polygons: Vec<u16>,
        /// Indices in the portal list.
        ports: Vec<u16>,
        positive: Box<Node>,
        negative: Option<Box<Node>>,
    },
}

/// Polygons and the tree over them. Openings come after all others, in the order of the portals.
#[derive(Debug)]
pub(crate) struct Drawing {
    pub(crate) polygons: Vec<DrawnPolygon>,
    pub(crate) ports: Vec<PortalOpening>,
    root: Node,
    /// Whether polygons are cut where the plane of a node runs through them.
    cuts: bool,
}

/// The tree in record form.
pub(crate) struct Tree {
    pub(crate) tree: BspTree,
    pub(crate) leaves: u32,
}

impl Drawing {
    /// Adds the walls of a room seen from inside, its blocks, and all its openings.
    pub(crate) fn of_room(chamber: &Chamber) -> Self {
        let mut out = Self::empty();
        let mut chain = Vec::new();
        for (face, side) in chamber.space.sides.iter().enumerate() {
            let plane = opposite(&side.plane);
            let gates = chamber.gates.iter().enumerate().filter(|(_, gate)| gate.face == face);
            let (mut holes, mut ports) = (Vec::new(), Vec::new());
            for (portal, gate) in gates {
                let portal = u16::try_from(portal).unwrap_or(u16::MAX);
                let side = Side { outline: gate.polygon(), plane };
                holes.push(gate.outline.clone());
                ports.push(PortalOpening { side, portal });
            }
            let pieces = wall::cut(&reversed(&side.outline), plane.normal, &holes).pieces();
            let material = chamber.looks.facing(plane.normal, LEVEL);
            let drawn =
                |outline| DrawnPolygon { side: Side { outline, plane }, material, card: None };
            chain.push((plane, pieces.into_iter().map(drawn).collect::<Vec<_>>(), ports));
        }
        let chain: Vec<_> = chain
            .into_iter()
            .map(|(plane, drawn, ports)| (plane, out.place(drawn), out.place_ports(ports)))
            .collect();
        let blocks = chamber.surface.clone();
        let inner = out.build(blocks, Vec::new());
        out.root = chain.into_iter().rev().fold(inner, |positive, (plane, polygons, ports)| {
            let negative = (!ports.is_empty()).then(|| Box::new(Node::Leaf));
            Node::Split { plane, polygons, ports, positive: Box::new(positive), negative }
        });
        out
    }

    /// Adds polygons that face away from solids, and openings between them.
    pub(crate) fn of_surface(polygons: Vec<DrawnPolygon>, ports: Vec<PortalOpening>) -> Self {
        let mut out = Self::empty();
        out.root = out.build(polygons, ports);
        out
    }

    /// Adds polygons of a thing, which may intersect. They stay whole, because a crown of leaves would fall into
    /// splinters; the drawing order is then only nearly right.
    pub(crate) fn of_thing(polygons: Vec<DrawnPolygon>) -> Self {
        let mut out = Self { cuts: false, ..Self::empty() };
        out.root = out.build(polygons, Vec::new());
        out
    }

    fn empty() -> Self {
        Self { polygons: Vec::new(), ports: Vec::new(), root: Node::Leaf, cuts: true }
    }

    fn place(&mut self, drawn: Vec<DrawnPolygon>) -> Vec<u16> {
        let first = self.polygons.len();
        self.polygons.extend(drawn);
        // Lists longer than 65,536 are refused when they are written as records.
        let index = |index: usize| u16::try_from(index).unwrap_or(u16::MAX);
        (first..self.polygons.len()).map(index).collect()
    }

    fn place_ports(&mut self, ports: Vec<PortalOpening>) -> Vec<u16> {
        let portals = ports.iter().map(|port| port.portal).collect();
        self.ports.extend(ports);
        self.ports.sort_by_key(|port| port.portal);
        portals
    }

    fn build(&mut self, drawn: Vec<DrawnPolygon>, ports: Vec<PortalOpening>) -> Node {
        if self.polygons.len() + drawn.len() > MAX_POLYGONS {
            // They are refused when written; until then further cuts are useless.
            self.place(drawn);
            self.place_ports(ports);
            return Node::Leaf;
        }
        let Some((plane, best)) = choose(&drawn, &ports) else { return Node::Leaf };
        let (mut own, mut front, mut back) = (Vec::new(), Vec::new(), Vec::new());
        for (index, drawn) in drawn.into_iter().enumerate() {
            if best == CutPlane::DrawnPolygon(index)
                || classify(&drawn.side.outline, &plane) == OutlineSide::In
            {
                own.push(drawn);
                continue;
            }
            let DrawnPolygon { side, .. } = &drawn;
            if !self.cuts {
                let ahead = plane.distance(outline::middle(&side.outline)) > 0.0;
                if ahead { &mut front } else { &mut back }.push(drawn);
                continue;
            }
            let part =
                |outline| DrawnPolygon { side: Side { outline, plane: side.plane }, ..drawn };
            let Halves { front: ahead, back: behind } = split(&side.outline, &plane);
            front.extend(ahead.map(part));
            back.extend(behind.map(part));
        }
        let (mut own_ports, mut front_ports, mut back_ports) = (Vec::new(), Vec::new(), Vec::new());
        for (index, port) in ports.into_iter().enumerate() {
            let middle = plane.distance(outline::middle(&port.side.outline));
            match classify(&port.side.outline, &plane) {
                _ if best == CutPlane::PortalOpening(index) => &mut own_ports,
                OutlineSide::In => &mut own_ports,
                // An opening is not cut. Where planes of openings cross each other, the drawing order
                // around them is only nearly right.
                _ if middle > 0.0 => &mut front_ports,
                _ => &mut back_ports,
            }
            .push(port);
        }
        let (polygons, ports) = (self.place(own), self.place_ports(own_ports));
        let positive = Box::new(self.build(front, front_ports));
        let more = !ports.is_empty() || !back.is_empty() || !back_ports.is_empty();
        let negative = more.then(|| Box::new(self.build(back, back_ports)));
        Node::Split { plane, polygons, ports, positive, negative }
    }

    /// Returns the tree in record form.
    pub(crate) fn tree(&self) -> Tree {
        let mut writer = Writer { tree: BspTree::default(), drawing: self, leaves: 0 };
        let root = writer.write(&self.root).0;
        writer.tree.set_root(root);
        Tree { tree: writer.tree, leaves: writer.leaves }
    }
}

/// The owner of the plane that cuts space.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CutPlane {
    DrawnPolygon(usize),
    PortalOpening(usize),
}

/// Returns the plane that cuts the fewest polygons; openings first, so that they are not cut.
fn choose(drawn: &[DrawnPolygon], ports: &[PortalOpening]) -> Option<(Plane, CutPlane)> {
    let ball = |drawn: &DrawnPolygon| Ball::around(&drawn.side.outline);
    let balls: Vec<Ball> = drawn.iter().map(ball).collect();
    let cut_drawn = |plane: &Plane, limit: usize| {
        let all = drawn.iter().zip(&balls);
        let cut = all.filter(|(drawn, ball)| {
            ball.classify(&drawn.side.outline, plane) == OutlineSide::Across
        });
        cut.take(limit).count()
    };
    let mut fewest = (usize::MAX, usize::MAX);
    let mut best = None;
    for (index, port) in ports.iter().enumerate() {
        let plane = port.side.plane;
        let across =
            |port: &&PortalOpening| classify(&port.side.outline, &plane) == OutlineSide::Across;
        let cut_ports = ports.iter().filter(across).count();
        if cut_ports <= fewest.0 {
            let cost = (cut_ports, cut_drawn(&plane, usize::MAX));
            if cost < fewest {
                (fewest, best) = (cost, Some((plane, CutPlane::PortalOpening(index))));
            }
        }
    }
    if best.is_some() {
        return best;
    }
    // Stop counting once a plane cuts as many as the best one.
    let mut fewest = usize::MAX;
    for index in outline::first_of_planes(drawn.iter().map(|drawn| &drawn.side.plane)) {
        if fewest == 0 {
            break;
        }
        let plane = drawn[index].side.plane;
        let cuts = cut_drawn(&plane, fewest);
        if cuts < fewest {
            (fewest, best) = (cuts, Some((plane, CutPlane::DrawnPolygon(index))));
        }
    }
    best
}

struct Writer<'a> {
    tree: BspTree,
    drawing: &'a Drawing,
    leaves: u32,
}

impl Writer<'_> {
    /// Writes a node; returns its index and the corners of everything below it.
    fn write(&mut self, node: &Node) -> (u32, Vec<Vec3>) {
        let Node::Split { plane, polygons, ports, positive, negative } = node else {
            let index = i32::try_from(self.leaves).unwrap_or(i32::MAX);
            self.leaves += 1;
            let leaf = BspLeaf { index, solid: 0, sphere: None, polygons: &[] };
            return (self.tree.push(BspNode::Leaf(leaf)), Vec::new());
        };
        let (positive, mut corners) = self.write(positive);
        let negative = negative.as_ref().map(|negative| self.write(negative));
        corners.extend(negative.iter().flat_map(|(_, corners)| corners));
        corners.extend(self.own_corners(polygons, ports));
        let listed: Vec<PortalPolygon> =
            ports.iter().map(|portal| self.portal_polygon(*portal)).collect();
        let tag = match ports.is_empty() {
            true => BspTag::split(true, negative.is_some(), !polygons.is_empty()),
            false => BspTag::PORT,
        };
        let index = self.tree.push(BspNode::Split(BspSplit {
            tag,
            plane: *plane,
            positive: Some(positive),
            negative: negative.map(|(index, _)| index),
            sphere: Some(enclosing(corners.iter().copied()).unwrap_or(NO_SPHERE)),
            polygons,
            portals: &listed,
        }));
        (index, corners)
    }

    fn own_corners(&self, polygons: &[u16], ports: &[u16]) -> Vec<Vec3> {
        let outlines =
            polygons.iter().map(|index| &self.drawing.polygons[usize::from(*index)].side);
        let port_sides = self.drawing.ports.iter().filter(|port| ports.contains(&port.portal));
        let sides = outlines.chain(port_sides.map(|port| &port.side));
        sides.flat_map(|side: &Side| side.outline.iter().copied()).collect::<Outline>()
    }

    /// Openings are numbered after all polygons.
    fn portal_polygon(&self, portal: u16) -> PortalPolygon {
        let first = u16::try_from(self.drawing.polygons.len()).unwrap_or(u16::MAX);
        PortalPolygon { polygon: first.saturating_add(portal), portal }
    }
}

const NO_SPHERE: Sphere = Sphere::new(Vec3::ZERO, 0.0);
