//! Faces that end at an opening, drawn a little beyond it.
//!
//! On both sides of an opening floors, walls and ceilings end in its plane, each as its own room rounds it. A device that draws
//! the far room in the opening and the near one round it may leave pixels on that line to neither. So what ends there goes on
//! for a hair: of the far room that fills them, and everywhere else the near room or the opening itself hides it.

use threshold_land::glam::{Vec2, Vec3};

use super::MeshVertex;

/// How far faces go on beyond an opening, in metres: more than a pixel is rounded by, as far as an opening can be seen.
const LIP: f32 = 0.02;

/// Edges so near to that of an opening lie on it, in metres.
const ON: f32 = 1e-3;

/// The sine of the angle that a face makes with an opening at the least; one in its plane would close it.
const ACROSS: f32 = 0.1;

/// So many openings, so many new triangles for each that there is, and so often edges of triangles held against those of openings, at
/// the most: damaged rooms must not take forever.
const MOST_OPENINGS: usize = 256;
const MOST_NEW: usize = 4;
const TRIALS: usize = 20_000_000;

/// The triangles that make faces go on beyond openings, given by their corners.
pub(super) fn overlap_triangles(
    triangles: &[MeshVertex],
    openings: &[Vec<Vec3>],
) -> Vec<MeshVertex> {
    let (mut out, mut trials) = (Vec::new(), 0);
    for opening in openings.iter().take(MOST_OPENINGS) {
        let Some(normal) = normal(opening) else { continue };
        for triangle in triangles.as_chunks::<3>().0 {
            trials += 3 * opening.len();
            if out.len() > MOST_NEW * triangles.len() || trials > TRIALS {
                return out;
            }
            for start in 0..3 {
                let turned = [0, 1, 2].map(|place| triangle[(start + place) % 3]);
                if is_on(opening, &turned) {
                    out.extend(lip(&turned, normal).into_iter().flatten());
                }
            }
        }
    }
    out
}

fn normal(outline: &[Vec3]) -> Option<Vec3> {
    let first = outline.first()?;
    let sum: Vec3 = outline.windows(2).map(|pair| (pair[0] - first).cross(pair[1] - first)).sum();
    sum.try_normalize()
}

/// Whether the first edge of a triangle lies on an edge of an outline.
fn is_on(outline: &[Vec3], [from, to, _]: &[MeshVertex; 3]) -> bool {
    let next = outline.iter().cycle().skip(1);
    let on = |a: Vec3, b: Vec3, at: Vec3| {
        let along = (b - a).normalize_or_zero();
        let far = (at - a).dot(along).clamp(0.0, (b - a).length());
        at.distance(a + along * far) <= ON
    };
    outline.iter().zip(next).any(|(a, b)| on(*a, *b, from.position) && on(*a, *b, to.position))
}

/// What goes on beyond the first edge of a triangle, if that leads across a plane with this normal.
fn lip(triangle: &[MeshVertex; 3], normal: Vec3) -> Option<[MeshVertex; 6]> {
    let [from, to, third] = triangle;
    let along = to.position - from.position;
    let facing = along.cross(third.position - from.position).try_normalize()?;
    let outward = along.cross(facing).try_normalize()?;
    let across = outward.dot(normal).abs();
    // What is not a number is no more than anything.
    if across.max(ACROSS) == ACROSS {
        return None;
    }
    let step = outward * (LIP / across);
    let beyond = |corner: &MeshVertex| -> Option<MeshVertex> {
        let position = corner.position + step;
        Some(MeshVertex { position, uv: carried_on(triangle, position)?, ..*corner })
    };
    let (from_beyond, to_beyond) = (beyond(from)?, beyond(to)?);
    Some([*to, *from, from_beyond, *to, from_beyond, to_beyond])
}

/// Where in the picture of a triangle a point of its plane is.
fn carried_on([a, b, c]: &[MeshVertex; 3], at: Vec3) -> Option<Vec2> {
    let (u, v, w) = (b.position - a.position, c.position - a.position, at - a.position);
    let (uu, uv, vv, wu, wv) = (u.dot(u), u.dot(v), v.dot(v), w.dot(u), w.dot(v));
    let whole = uu * vv - uv * uv;
    let (s, t) = ((wu * vv - wv * uv) / whole, (wv * uu - wu * uv) / whole);
    let uv = a.uv + (b.uv - a.uv) * s + (c.uv - a.uv) * t;
    uv.is_finite().then_some(uv)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corner(at: [f32; 3]) -> MeshVertex {
        let position = Vec3::from(at);
        let uv = position.truncate() * 0.5;
        MeshVertex { position, normal: Vec3::Z, uv, surface: 3, tiled: true, polygon: 7 }
    }

    /// A door in the plane y = 4, 1 to 2 along x and 2 high.
    fn door() -> Vec<Vec3> {
        [[1.0, 4.0, 0.0], [2.0, 4.0, 0.0], [2.0, 4.0, 2.0], [1.0, 4.0, 2.0]].map(Vec3::from).into()
    }

    /// A floor that ends at the door.
    fn floor() -> [MeshVertex; 3] {
        [[2.0, 4.0, 0.0], [1.0, 4.0, 0.0], [1.0, 0.0, 0.0]].map(corner)
    }

    #[test]
    fn a_floor_goes_on_beyond_a_door_with_its_picture() {
        let lips = overlap_triangles(&floor(), &[door()]);
        assert_eq!(lips.len(), 6);
        let farthest = lips.iter().map(|corner| corner.position.y).fold(0.0, f32::max);
        assert!((farthest - 4.0 - LIP).abs() < 1e-6, "{farthest}");
        for corner in &lips {
            assert!(corner.uv.distance(corner.position.truncate() * 0.5) < 1e-5, "{corner:?}");
            assert_eq!((corner.surface, corner.polygon), (3, 7));
        }
        for [a, b, c] in lips.as_chunks::<3>().0 {
            let facing = (b.position - a.position).cross(c.position - a.position);
            assert!(facing.z > 0.0 && facing.truncate().length() < 1e-6, "{facing}");
        }
    }

    #[test]
    fn nothing_closes_the_door_or_grows_elsewhere() {
        // The wall above the door, in its plane.
        let lintel = [[1.0, 4.0, 2.0], [2.0, 4.0, 2.0], [2.0, 4.0, 3.0]].map(corner);
        assert_eq!(overlap_triangles(&lintel, &[door()]), []);
        // A floor beside it.
        let aside = floor().map(|it| MeshVertex { position: it.position + Vec3::X * 1.5, ..it });
        assert_eq!(overlap_triangles(&aside, &[door()]), []);
        assert_eq!(overlap_triangles(&floor(), &[vec![Vec3::ZERO; 4], vec![]]), []);
    }

    #[test]
    fn damaged_rooms_took_forever() {
        let bent = |number: u16| {
            let x = f32::from(number) / 255.0;
            Vec3::new(x, 0.0, x * x)
        };
        let opening: Vec<Vec3> = (0..255).map(bent).collect();
        let triangles: Vec<MeshVertex> = (0..20_000).flat_map(|_| floor()).collect();
        assert_eq!(overlap_triangles(&triangles, &vec![opening.clone(); MOST_OPENINGS]), []);
        // What comes before the limit is still there.
        let openings = [vec![door()], vec![opening; MOST_OPENINGS]].concat();
        assert_eq!(overlap_triangles(&triangles, &openings).len(), 6 * 20_000);
    }
}
