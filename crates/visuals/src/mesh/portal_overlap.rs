//! Extends faces that end at a portal slightly beyond it.
//!
//! Floors, walls and ceilings of both rooms end in the plane of their portal, each rounded in the frame of its own room.
//! A renderer that draws the far room inside the portal and the near room around it may leave pixels on that line to
//! neither. The overlap of the far room fills them; everywhere else the near room or the sealed portal hides it.

use threshold_land::vector::{Vec2, Vec3};

use super::MeshVertex;

/// Length of the overlap beyond a portal, in metres. Too small, and pixels at distant portals stay open; too large, and
/// it shows behind thin walls.
const OVERLAP: f32 = 0.02;

/// Distance in metres up to which an edge lies on the edge of a portal.
const EDGE_TOLERANCE: f32 = 1e-3;

/// Smallest sine of the angle between a face and a portal; the extension of a face in the portal plane would cover the
/// portal.
const MIN_SINE: f32 = 0.1;

/// Bounds against damaged rooms that would take forever: portals, new vertices per existing one, and comparisons of
/// edges.
const MAX_PORTALS: usize = 256;
const MAX_GROWTH: usize = 4;
const MAX_COMPARISONS: usize = 20_000_000;

/// Returns triangles that extend the faces beyond portals, which are given by their corners.
pub(super) fn overlap_triangles(
    triangles: &[MeshVertex],
    portals: &[Vec<Vec3>],
) -> Vec<MeshVertex> {
    let (mut out, mut comparisons) = (Vec::new(), 0);
    for portal in portals.iter().take(MAX_PORTALS) {
        let Some(normal) = normal(portal) else { continue };
        for triangle in triangles.as_chunks::<3>().0 {
            comparisons += 3 * portal.len();
            if out.len() > MAX_GROWTH * triangles.len() || comparisons > MAX_COMPARISONS {
                return out;
            }
            for start in 0..3 {
                let rotated = [0, 1, 2].map(|index| triangle[(start + index) % 3]);
                if starts_on(portal, &rotated) {
                    out.extend(overlap(&rotated, normal).into_iter().flatten());
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

/// Returns whether the first edge of a triangle lies on an edge of an outline.
fn starts_on(outline: &[Vec3], [from, to, _]: &[MeshVertex; 3]) -> bool {
    let next = outline.iter().cycle().skip(1);
    let on = |a: Vec3, b: Vec3, at: Vec3| {
        let along = (b - a).normalize_or_zero();
        let distance = (at - a).dot(along).clamp(0.0, (b - a).length());
        at.distance(a + along * distance) <= EDGE_TOLERANCE
    };
    outline.iter().zip(next).any(|(a, b)| on(*a, *b, from.position) && on(*a, *b, to.position))
}

/// Returns the extension of a triangle beyond its first edge; `None` if it is nearly parallel to the portal with this
/// normal.
fn overlap(triangle: &[MeshVertex; 3], normal: Vec3) -> Option<[MeshVertex; 6]> {
    let [from, to, third] = triangle;
    let along = to.position - from.position;
    let facing = along.cross(third.position - from.position).try_normalize()?;
    let outward = along.cross(facing).try_normalize()?;
    let across = outward.dot(normal).abs();
    // Also true for NaN.
    if across.max(MIN_SINE) == MIN_SINE {
        return None;
    }
    let step = outward * (OVERLAP / across);
    let beyond = |corner: &MeshVertex| -> Option<MeshVertex> {
        let position = corner.position + step;
        Some(MeshVertex { position, uv: extrapolated_uv(triangle, position)?, ..*corner })
    };
    let (from_beyond, to_beyond) = (beyond(from)?, beyond(to)?);
    Some([*to, *from, from_beyond, *to, from_beyond, to_beyond])
}

/// Returns the texture coordinates of a point in the plane of a triangle.
fn extrapolated_uv([a, b, c]: &[MeshVertex; 3], at: Vec3) -> Option<Vec2> {
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
    fn a_floor_extends_beyond_a_door_with_its_texture() {
        let added = overlap_triangles(&floor(), &[door()]);
        assert_eq!(added.len(), 6);
        let farthest = added.iter().map(|corner| corner.position.y).fold(0.0, f32::max);
        assert!((farthest - 4.0 - OVERLAP).abs() < 1e-6, "{farthest}");
        for corner in &added {
            assert!(corner.uv.distance(corner.position.truncate() * 0.5) < 1e-5, "{corner:?}");
            assert_eq!((corner.surface, corner.polygon), (3, 7));
        }
        for [a, b, c] in added.as_chunks::<3>().0 {
            let facing = (b.position - a.position).cross(c.position - a.position);
            assert!(facing.z > 0.0 && facing.truncate().length() < 1e-6, "{facing}");
        }
    }

    #[test]
    fn the_door_stays_open_and_other_faces_do_not_grow() {
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
        let portal: Vec<Vec3> = (0..255).map(bent).collect();
        let triangles: Vec<MeshVertex> = (0..20_000).flat_map(|_| floor()).collect();
        assert_eq!(overlap_triangles(&triangles, &vec![portal.clone(); MAX_PORTALS]), []);
        // Portals before the limit still have their overlap.
        let portals = [vec![door()], vec![portal; MAX_PORTALS]].concat();
        assert_eq!(overlap_triangles(&triangles, &portals).len(), 6 * 20_000);
    }
}
