//! Convex outlines cut by planes: how cells and solids get their faces.

use threshold_land::Plane;
use threshold_land::glam::Vec3;

/// The part of a convex outline in front of a plane; corners up to `slack` behind it stay as they
/// are. Fewer than three corners where nothing is left.
///
/// Linear in the corners; allocates.
pub fn clip(outline: &[Vec3], plane: &Plane, slack: f32) -> Vec<Vec3> {
    let mut kept = Vec::with_capacity(outline.len() + 1);
    for (index, &from) in outline.iter().enumerate() {
        let to = outline[(index + 1) % outline.len()];
        let (start, end) = (plane.distance(from), plane.distance(to));
        if start >= -slack {
            kept.push(from);
        }
        let crosses = (start > slack && end < -slack) || (start < -slack && end > slack);
        if crosses {
            kept.push(crossing(from, start, to, end));
        }
    }
    kept
}

/// Where an edge meets a plane: from its front end, so that both neighbours of an edge agree.
fn crossing(from: Vec3, start: f32, to: Vec3, end: f32) -> Vec3 {
    let (front, ahead, back, behind) =
        if start > end { (from, start, to, end) } else { (to, end, from, start) };
    front + (back - front) * (ahead / (ahead - behind))
}

/// A square of the plane, `reach` to each side of the point nearest to `near`, counter-clockwise seen
/// from the front. The normal must be of unit length.
pub fn sheet(plane: &Plane, near: Vec3, reach: f32) -> Vec<Vec3> {
    let centre = near - plane.normal * plane.distance(near);
    let (across, along) = plane.normal.any_orthonormal_pair();
    let corner = |x: f32, y: f32| centre + across * (x * reach) + along * (y * reach);
    let mut square =
        vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    if (square[1] - square[0]).cross(square[2] - square[0]).dot(plane.normal) <= 0.0 {
        square.reverse();
    }
    square
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plane_of;

    #[test]
    fn a_sheet_lies_in_its_plane_and_faces_as_it_does() {
        for normal in [Vec3::Z, -Vec3::X, Vec3::new(0.6, 0.0, -0.8), Vec3::new(0.0, 0.6, 0.8)] {
            let plane = Plane { normal, d: 3.0 };
            let sheet = sheet(&plane, Vec3::new(1.0, 2.0, 3.0), 5.0);
            assert!(sheet.iter().all(|corner| plane.distance(*corner).abs() < 1e-4));
            assert!(plane_of(&sheet).unwrap().normal.distance(normal) < 1e-5);
        }
    }

    #[test]
    fn what_is_in_front_is_kept_and_slack_moves_no_corner() {
        let square = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y];
        let cut = |d: f32, slack| clip(&square, &Plane { normal: Vec3::X, d }, slack);
        assert_eq!(cut(0.0, 0.0), square);
        assert_eq!(cut(-0.01, 0.02), square, "corners a little behind stay as they are");
        let half = cut(-0.5, 0.0);
        assert_eq!(half.len(), 4);
        assert!(half.iter().all(|corner| corner.x >= 0.5));
        assert!(cut(-2.0, 0.0).is_empty());
        assert!(clip(&[], &Plane { normal: Vec3::X, d: 0.0 }, 0.0).is_empty());
    }
}
