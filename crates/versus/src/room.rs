//! Tests for free space with plain solids, independent of both engines.

use threshold_land::Sphere;
use threshold_land::vector::Vec3;

use crate::scene::{Solid, Triangle};

/// Scale of the tested spheres: a mover that stands at a wall touches it.
const CORE: f32 = 0.96;

/// Returns whether the spheres of a mover are free, with its feet at a point.
pub(crate) fn is_clear<'s>(
    spheres: &[Sphere],
    feet: Vec3,
    mut solids: impl Iterator<Item = &'s Solid>,
) -> bool {
    let meets = |solid: &Solid, sphere: &Sphere| {
        distance(solid, feet + sphere.centre) < sphere.radius * CORE
    };
    !solids.any(|solid| spheres.iter().any(|sphere| meets(solid, sphere)))
}

/// Returns the distance of a point from a solid in metres; 0 or less inside.
fn distance(solid: &Solid, point: Vec3) -> f32 {
    match solid {
        Solid::Mesh(triangles) => {
            let distances =
                triangles.iter().map(|triangle| nearest(triangle, point).distance(point));
            distances.fold(f32::INFINITY, f32::min)
        }
        Solid::Cylinder { low, radius, height } => {
            let beside = (point - *low).truncate().length() - radius;
            let above = (point.z - low.z - height).max(low.z - point.z);
            if beside > 0.0 && above > 0.0 { beside.hypot(above) } else { beside.max(above) }
        }
        Solid::Ball(ball) => ball.centre.distance(point) - ball.radius,
    }
}

/// Returns the point of a triangle nearest to another point.
fn nearest([a, b, c]: &Triangle, point: Vec3) -> Vec3 {
    let normal = (*b - *a).cross(*c - *a);
    let edges = [(a, b), (b, c), (c, a)];
    let over = |(p, q): &(&Vec3, &Vec3)| normal.cross(**q - **p).dot(point - **p) >= 0.0;
    if edges.iter().all(over) {
        return point - normal * (normal.dot(point - *a) / normal.length_squared());
    }
    let on_edges = edges.map(|(p, q)| {
        let along = *q - *p;
        *p + along * ((point - *p).dot(along) / along.length_squared()).clamp(0.0, 1.0)
    });
    let nearer = |one: Vec3, other: Vec3| {
        if other.distance_squared(point) < one.distance_squared(point) { other } else { one }
    };
    on_edges.into_iter().fold(on_edges[0], nearer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(solid: &Solid, point: [f32; 3], want: f32) {
        let got = distance(solid, point.into());
        assert!((got - want).abs() < 1e-5, "{point:?} is {got} from {solid:?}, not {want}");
    }

    #[test]
    fn worked_examples_of_distances() {
        let floor = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]].map(Vec3::from);
        let floor = Solid::Mesh(vec![floor]);
        check(&floor, [1.0, 1.0, 2.0], 2.0); // over it
        check(&floor, [1.0, 1.0, -2.0], 2.0); // below it
        check(&floor, [1.0, -3.0, 4.0], 5.0); // beside an edge
        check(&floor, [-3.0, 0.0, 4.0], 5.0); // beside a corner
        let post = Solid::Cylinder { low: Vec3::ZERO, radius: 1.0, height: 2.0 };
        check(&post, [3.0, 0.0, 1.0], 2.0);
        check(&post, [0.0, 0.0, 3.0], 1.0);
        check(&post, [4.0, 0.0, 6.0], 5.0);
        check(&post, [0.5, 0.0, 1.0], -0.5);
        check(&Solid::Ball(Sphere::new(Vec3::Z, 1.0)), [0.0, 3.0, 1.0], 2.0);
    }

    #[test]
    fn a_mover_may_touch_a_wall_but_not_overlap_it() {
        let wall = [[0.0, -9.0, -9.0], [0.0, 9.0, -9.0], [0.0, 0.0, 9.0]].map(Vec3::from);
        let wall = Solid::Mesh(vec![wall]);
        let spheres = [Sphere::new(Vec3::Z * 0.5, 0.5), Sphere::new(Vec3::Z, 0.5)];
        for (x, want) in [(1.0, true), (0.49, true), (0.4, false), (0.0, false), (-0.6, true)] {
            assert_eq!(is_clear(&spheres, Vec3::X * x, [&wall].into_iter()), want, "at {x}");
        }
    }
}
