//! Walls with holes in them, cut into convex pieces.

use threshold_land::Plane;
use threshold_land::vector::Vec3;

use crate::tool::solid::Outline;
use crate::tool::solid::outline::{Halves, edge_planes, split};

/// The cut of a wall: planes perpendicular to it, and at the end either a piece of the wall or a hole.
#[derive(Debug)]
pub(crate) enum Cut {
    Piece(Outline),
    Hole,
    Between { plane: Plane, front: Box<Cut>, back: Box<Cut> },
}

/// Cuts a wall around its holes. The outlines of holes run like that of the wall.
///
/// Where a hole reaches the edge of the wall there is no piece to bound it, and no
/// plane is spent on it: below a door that goes down to the floor, the ground belongs to the next room.
pub(crate) fn cut(wall: &[Vec3], normal: Vec3, holes: &[Outline]) -> Cut {
    around(Some(wall.to_vec()), normal, holes.to_vec()).unwrap_or(Cut::Hole)
}

/// `None` when there is neither wall nor hole.
fn around(wall: Option<Outline>, normal: Vec3, mut holes: Vec<Outline>) -> Option<Cut> {
    if holes.is_empty() {
        return wall.map(Cut::Piece);
    }
    let hole = holes.remove(0);
    let Some(mut inner) = wall else { return Some(Cut::Hole) };
    let mut edges = Vec::new();
    for plane in edge_planes(&hole, normal) {
        let Halves { front, back } = split(&inner, &plane);
        let (mut outer_holes, mut inner_holes) = (Vec::new(), Vec::new());
        for other in &holes {
            let Halves { front, back } = split(other, &plane);
            outer_holes.extend(front);
            inner_holes.extend(back);
        }
        holes = inner_holes;
        if let Some(outer) = around(front, normal, outer_holes) {
            edges.push((plane, outer));
        }
        match back {
            Some(back) => inner = back,
            None => break,
        }
    }
    let chain =
        |back, (plane, front)| Cut::Between { plane, front: Box::new(front), back: Box::new(back) };
    Some(edges.into_iter().rev().fold(Cut::Hole, chain))
}

impl Cut {
    /// The pieces of the wall that are left.
    pub(crate) fn pieces(self) -> Vec<Outline> {
        let mut pieces = Vec::new();
        let mut pending = vec![self];
        while let Some(next) = pending.pop() {
            match next {
                Self::Piece(outline) => pieces.push(outline),
                Self::Hole => {}
                Self::Between { front, back, .. } => pending.extend([*back, *front]),
            }
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::solid::outline::{area, overlap};

    fn rectangle(x: f32, y: f32, width: f32, height: f32) -> Outline {
        let corner = |dx: f32, dy: f32| Vec3::new(x + dx, y + dy, 0.0);
        vec![corner(0.0, 0.0), corner(width, 0.0), corner(width, height), corner(0.0, height)]
    }

    /// The pieces of a wall of 10 x 3 fill what the holes leave, without overlap.
    #[track_caller]
    fn check(holes: &[Outline], pieces: usize) {
        let wall = rectangle(0.0, 0.0, 10.0, 3.0);
        let found = cut(&wall, Vec3::Z, holes).pieces();
        let area = |outlines: &[Outline]| outlines.iter().map(|o| area(o)).sum::<f32>();
        assert!((area(&found) + area(holes) - 30.0).abs() < 1e-3, "{found:?}");
        for (index, piece) in found.iter().enumerate() {
            let others = found[..index].iter().chain(holes);
            others.for_each(|other| assert!(overlap(piece, other, Vec3::Z) < 1e-4));
        }
        assert_eq!(found.len(), pieces, "{found:?}");
    }

    #[test]
    fn walls_with_doors_windows_and_odd_holes() {
        check(&[], 1);
        check(&[rectangle(0.0, 0.0, 10.0, 3.0)], 0); // all of it
        check(&[rectangle(4.0, 0.0, 2.0, 2.0)], 3); // a door
        check(&[rectangle(4.0, 1.0, 2.0, 1.0)], 4); // a window
        check(&[rectangle(1.0, 0.0, 2.0, 2.0), rectangle(6.0, 0.0, 2.0, 2.5)], 5);
        check(&[rectangle(1.0, 0.0, 2.0, 2.0), rectangle(3.0, 0.0, 2.0, 2.0)], 4); // side by side
        check(&[rectangle(4.0, 0.0, 2.0, 1.0), rectangle(3.0, 1.5, 4.0, 1.0)], 7);
        let diamond = [(5.0, 0.5), (6.0, 1.5), (5.0, 2.5), (4.0, 1.5)];
        check(&[diamond.map(|(x, y)| Vec3::new(x, y, 0.0)).to_vec()], 4);
    }
}
