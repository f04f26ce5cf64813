//! Tests whether a move crosses a surface, with plain triangles, independent of both engines.

use threshold_geom::Bounds;
use threshold_land::vector::Vec3;

use crate::scene::{Solid, Triangle};

/// Meshes with their bounding boxes.
pub(crate) struct Surfaces<'s>(Vec<(Bounds, &'s [Triangle])>);

impl<'s> Surfaces<'s> {
    pub(crate) fn of(solids: impl IntoIterator<Item = &'s Solid>) -> Self {
        let meshes = solids.into_iter().filter_map(|solid| match solid {
            Solid::Mesh(triangles) => {
                Some((Bounds::from_points(triangles.iter().flatten().copied())?, &triangles[..]))
            }
            _ => None,
        });
        Self(meshes.collect())
    }

    /// Returns whether a segment enters any of them from the front.
    pub(crate) fn are_entered(&self, from: Vec3, to: Vec3) -> bool {
        let (low, high) = (from.min(to), from.max(to));
        let near = |bounds: &Bounds| low.cmple(bounds.max).all() && high.cmpge(bounds.min).all();
        let mut near = self.0.iter().filter(|(bounds, _)| near(bounds));
        near.any(|(_, triangles)| triangles.iter().any(|triangle| is_entered(triangle, from, to)))
    }
}

fn is_entered([a, b, c]: &Triangle, from: Vec3, to: Vec3) -> bool {
    let normal = (*b - *a).cross(*c - *a);
    let (before, after) = (normal.dot(from - *a), normal.dot(to - *a));
    if !(before > 0.0 && after <= 0.0) {
        return false;
    }
    let met = from + (to - from) * (before / (before - after));
    let is_inside = |p: &Vec3, q: &Vec3| normal.cross(*q - *p).dot(met - *p) >= 0.0;
    is_inside(a, b) && is_inside(b, c) && is_inside(c, a)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(from: [f32; 3], to: [f32; 3], want: bool) {
        let floor = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]].map(Vec3::from);
        let floor = Solid::Mesh(vec![floor]);
        let got = Surfaces::of([&floor]).are_entered(from.into(), to.into());
        assert_eq!(got, want, "from {from:?} to {to:?}");
    }

    #[test]
    fn a_surface_is_entered_from_the_front_and_inside_its_edges() {
        check([1.0, 1.0, 1.0], [1.0, 1.0, -1.0], true);
        check([1.0, 1.0, -1.0], [1.0, 1.0, 1.0], false); // from behind
        check([3.0, 3.0, 1.0], [3.0, 3.0, -1.0], false); // beside it
        check([1.0, 1.0, 3.0], [1.0, 1.0, 1.0], false); // not as far
        check([-1.0, 1.0, 1.0], [3.0, 1.0, -1.0], true); // aslant
    }
}
