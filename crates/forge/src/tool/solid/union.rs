//! The common surface of several solids.

use threshold_land::Plane;
use threshold_land::vector::Vec3;

use super::outline::{self, Halves, Outline, OutlineSide, split};
use super::{Convex, Side};
use crate::tool::error::ForgeErrorKind;
use crate::tool::opening::FIT;

/// A piece of a surface.
#[derive(Clone, Debug)]
pub(crate) struct SurfacePiece {
    pub(crate) side: Side,
    /// The solid that it belongs to.
    pub(crate) solid: usize,
}

/// Maximum number of pieces of one surface. The cost of trees grows faster than it, and a mesh holds 65,536 polygons.
const MAX_PIECES: usize = 20_000;

/// Returns the outer surface of the solids: convex pieces that face away from solid space. No piece lies inside or
/// between two solids; of coincident faces one is left.
pub(crate) fn surface(solids: &[Convex]) -> Result<Vec<SurfacePiece>, ForgeErrorKind> {
    let bounds: Vec<(Vec3, Vec3)> = solids.iter().map(Convex::bounds).collect();
    let mut pieces = Vec::new();
    for (index, solid) in solids.iter().enumerate() {
        for side in &solid.sides {
            let near = near(&side.outline, &bounds).filter(|other| *other != index);
            let mut left = vec![side.outline.clone()];
            for other in near {
                // Of two faces that coincide, the one of the earlier solid stays.
                let coinciding =
                    if other < index { FaceVisibility::Hidden } else { FaceVisibility::Shown };
                left = left
                    .into_iter()
                    .flat_map(|piece| outside(piece, &side.plane, &solids[other], coinciding))
                    .collect();
                if pieces.len() + left.len() > MAX_PIECES {
                    return Err(ForgeErrorKind::SurfaceTooFine(MAX_PIECES));
                }
            }
            let owned =
                |outline| SurfacePiece { side: Side { outline, plane: side.plane }, solid: index };
            pieces.extend(left.into_iter().map(owned));
        }
    }
    Ok(pieces)
}

/// Returns the solids with boxes near an outline.
fn near(outline: &[Vec3], bounds: &[(Vec3, Vec3)]) -> impl Iterator<Item = usize> {
    let slack = Vec3::splat(2.0 * outline::ON);
    let low = outline.iter().copied().fold(Vec3::INFINITY, Vec3::min) - slack;
    let high = outline.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max) + slack;
    let meets = move |(_, (their_low, their_high)): &(usize, &(Vec3, Vec3))| {
        low.cmple(*their_high).all() && their_low.cmple(high).all()
    };
    bounds.iter().enumerate().filter(meets).map(|(index, _)| index)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FaceVisibility {
    Shown,
    Hidden,
}

/// Returns the parts of a piece outside a solid.
fn outside(
    piece: Outline,
    facing: &Plane,
    solid: &Convex,
    coinciding: FaceVisibility,
) -> Vec<Outline> {
    let mut kept = Vec::new();
    let mut inner = piece.clone();
    for side in &solid.sides {
        if outline::classify(&inner, &side.plane) == OutlineSide::In {
            let same = facing.normal.dot(side.plane.normal) > 0.0;
            if same && coinciding == FaceVisibility::Shown {
                return vec![piece];
            }
            // Hidden behind a coincident face, or between two solids: continue to find out.
            continue;
        }
        let Halves { front, back } = split(&inner, &side.plane);
        kept.extend(front);
        let Some(back) = back else {
            // Wholly outside: keep the whole piece instead of its parts.
            return vec![piece];
        };
        inner = back;
    }
    kept
}

/// Removes an opening from the pieces; also returns the area removed, in square
/// metres. Only pieces in the plane of the opening, facing as it does, are touched.
pub(crate) fn carve(
    pieces: Vec<SurfacePiece>,
    hole: &[Vec3],
    facing: Vec3,
) -> (Vec<SurfacePiece>, f32) {
    let mut left = Vec::new();
    let mut taken = 0.0;
    for SurfacePiece { side, solid } in pieces {
        let (low, high) = outline::reach(hole, &side.plane);
        let in_plane = low > -FIT && high < FIT && side.plane.normal.dot(facing) > 0.0;
        if !in_plane {
            left.push(SurfacePiece { side, solid });
            continue;
        }
        let mut inner = Some(side.outline.clone());
        let mut around = Vec::new();
        for edge in outline::edge_planes(hole, facing) {
            let Some(rest) = inner.take() else { break };
            let Halves { front, back } = split(&rest, &edge);
            around.extend(front);
            inner = back;
        }
        match inner {
            Some(inner) => {
                taken += outline::area(&inner);
                let piece =
                    |outline| SurfacePiece { side: Side { outline, plane: side.plane }, solid };
                left.extend(around.into_iter().map(piece));
            }
            None => left.push(SurfacePiece { side, solid }),
        }
    }
    (left, taken)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::shape::Shape;

    fn boxes(boxes: &[([f32; 3], [f32; 3])]) -> Vec<Convex> {
        let make = |(low, high): &([f32; 3], [f32; 3])| Convex::of(&Shape::cuboid(*low, *high));
        boxes.iter().map(|corners| make(corners).unwrap()).collect()
    }

    #[track_caller]
    fn check_area(solids: &[([f32; 3], [f32; 3])], want: f32) {
        let pieces = surface(&boxes(solids)).unwrap();
        let area: f32 = pieces.iter().map(|piece| outline::area(&piece.side.outline)).sum();
        assert!((area - want).abs() < 1e-3, "{area} instead of {want}");
    }

    #[test]
    fn the_surface_of_several_boxes() {
        let unit = ([0.0; 3], [1.0; 3]);
        check_area(&[unit], 6.0);
        check_area(&[unit, ([3.0; 3], [4.0; 3])], 12.0); // apart
        check_area(&[unit, ([1.0, 0.0, 0.0], [2.0, 1.0, 1.0])], 10.0); // side by side
        check_area(&[unit, unit], 6.0); // the same twice
        check_area(&[unit, ([0.5, 0.0, 0.0], [1.5, 1.0, 1.0])], 8.0); // pushed together
        check_area(&[unit, ([0.25; 3], [0.75; 3])], 6.0); // one in the other
        check_area(&[unit, ([0.25, 0.25, 1.0], [0.75, 0.75, 2.0])], 8.0); // on top
    }
}
