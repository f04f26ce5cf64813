//! Solid trees: space cut along the surface of solids until every part is free or solid.

use threshold_land::Plane;
use threshold_land::vector::Vec3;

use super::physics::Node;
use crate::tool::solid::outline::{self, Ball, Halves, Outline, OutlineSide, classify, split};
use crate::tool::solid::{Convex, Side};

/// A piece of the surface, and its polygon; `None` in a doorway.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) side: Side,
    pub(crate) polygon: Option<u16>,
}

/// Cost of cutting a piece, compared with an imbalance of one.
const CUT_COST: usize = 4;

/// Returns the tree of the space behind the `bounds`; `is_solid` decides where there is no piece of the surface.
pub(crate) fn tree(
    pieces: Vec<Piece>,
    polygons: &[Outline],
    bounds: Vec<Plane>,
    is_solid: &dyn Fn(Vec3) -> bool,
) -> Node {
    let corners: Vec<Vec3> = polygons.iter().flatten().copied().collect();
    let around = Ball::around(&corners);
    Builder { polygons, around, is_solid, region: bounds }.build(pieces, Vec::new())
}

struct Builder<'a> {
    polygons: &'a [Outline],
    /// Around all polygons.
    around: Ball,
    is_solid: &'a dyn Fn(Vec3) -> bool,
    /// Planes that bound the present part of space from the front.
    region: Vec<Plane>,
}

impl Builder<'_> {
    /// `pending` still cut the present part of space; `settled` bound it, with solid space on its side.
    fn build(&mut self, pending: Vec<Piece>, settled: Vec<Piece>) -> Node {
        let Some(best) = choose(&pending) else { return self.leaf(&settled) };
        let plane = pending[best].side.plane;
        let (mut front, mut back) = (Vec::new(), Vec::new());
        let (mut front_settled, mut back_settled) = (Vec::new(), Vec::new());
        for (index, piece) in pending.into_iter().enumerate() {
            if index == best || classify(&piece.side.outline, &plane) == OutlineSide::In {
                // Solid space is behind the piece.
                let same = piece.side.plane.normal.dot(plane.normal) > 0.0;
                if same { &mut back_settled } else { &mut front_settled }.push(piece);
            } else {
                divide(piece, &plane, &mut front, &mut back);
            }
        }
        for piece in settled {
            divide(piece, &plane, &mut front_settled, &mut back_settled);
        }
        self.region.push(outline::opposite(&plane));
        let positive = self.build(front, front_settled);
        self.region.pop();
        self.region.push(plane);
        let negative = self.build(back, back_settled);
        self.region.pop();
        Node::split(plane, positive, negative)
    }

    fn leaf(&self, settled: &[Piece]) -> Node {
        let mut polygons: Vec<u16> = settled.iter().filter_map(|piece| piece.polygon).collect();
        polygons.sort_unstable();
        polygons.dedup();
        if polygons.is_empty() {
            return self.bare_leaf(settled);
        }
        Node::Solid(polygons)
    }

    /// A part of space without polygons. Solid space needs one: queries skip a leaf
    /// without polygons even if it is marked solid, so it gets the nearest one.
    fn bare_leaf(&self, settled: &[Piece]) -> Node {
        let behind_a_door = settled.first().map(|piece| {
            let side = &piece.side;
            outline::middle(&side.outline) - side.plane.normal * outline::ON
        });
        let Some(inside) = behind_a_door.or_else(|| self.inside()) else { return Node::Free };
        if !(self.is_solid)(inside) {
            return Node::Free;
        }
        let distance = |index: &u16| {
            let corners = self.polygons[usize::from(*index)].iter();
            corners.map(|corner| corner.distance_squared(inside)).fold(f32::INFINITY, f32::min)
        };
        let all = 0..u16::try_from(self.polygons.len()).unwrap_or(u16::MAX);
        let nearest = all.min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.map_or(Node::Free, |polygon| Node::Solid(vec![polygon]))
    }

    /// Returns a point of the present part of space; `None` if the part is too thin.
    fn inside(&self) -> Option<Vec3> {
        Convex::behind(&self.region, self.around.centre, 4.0 * self.around.radius.max(1.0))
            .map(|part| part.middle())
    }
}

fn divide(piece: Piece, plane: &Plane, front: &mut Vec<Piece>, back: &mut Vec<Piece>) {
    let Piece { side, polygon } = piece;
    let part = |outline| Piece { side: Side { outline, plane: side.plane }, polygon };
    let Halves { front: ahead, back: behind } = split(&side.outline, plane);
    front.extend(ahead.map(part));
    back.extend(behind.map(part));
}

/// Returns the piece with the plane that cuts the fewest others and leaves the halves in balance.
fn choose(pieces: &[Piece]) -> Option<usize> {
    let balls: Vec<Ball> = pieces.iter().map(|piece| Ball::around(&piece.side.outline)).collect();
    let mut best: Option<(usize, usize)> = None;
    for index in outline::first_of_planes(pieces.iter().map(|piece| &piece.side.plane)) {
        let limit = best.map_or(usize::MAX, |(cost, _)| cost);
        if let Some(cost) = cost(&pieces[index].side.plane, pieces, &balls, limit) {
            best = Some((cost, index));
        }
    }
    best.map(|(_, index)| index)
}

/// Returns the cost of a cut; `None` unless it is less than `limit`.
fn cost(plane: &Plane, pieces: &[Piece], balls: &[Ball], limit: usize) -> Option<usize> {
    let (mut front, mut back, mut cuts) = (0_usize, 0_usize, 0_usize);
    for (piece, ball) in pieces.iter().zip(balls) {
        match ball.classify(&piece.side.outline, plane) {
            OutlineSide::Front => front += 1,
            OutlineSide::Back => back += 1,
            OutlineSide::Across => cuts += 1,
            OutlineSide::In => {}
        }
        // Stop counting.
        if cuts * CUT_COST >= limit {
            return None;
        }
    }
    Some(cuts * CUT_COST + front.abs_diff(back)).filter(|cost| *cost < limit)
}
