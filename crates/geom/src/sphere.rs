//! Tests of a sphere against a sphere or a ray.

use threshold_land::vector::Vec3;
use threshold_land::{EPSILON, Sphere};

/// Returns whether two spheres with centres `displacement` apart collide; an exact touch does.
///
/// The caller includes the tolerance in `radius_sum`. Retail: `CSphere::collides_with_sphere`.
#[inline]
pub fn spheres_collide(displacement: Vec3, radius_sum: f32) -> bool {
    displacement.length_squared() <= radius_sum * radius_sum
}

/// Returns when a moving sphere first touches a fixed one, as a part of the movement; -1 if it does
/// not, overlaps from the start, or hardly moves.
///
/// `displacement` is the mover's centre at the start minus the other centre. A mover that moves
/// away gets a negative time, too: the farther of the two.
///
/// Retail: `CSphere::find_time_of_collision`.
pub fn sphere_collision_time(movement: Vec3, displacement: Vec3, radius_sum: f32) -> f32 {
    const NEVER: f32 = -1.0;
    let a = movement.length_squared();
    let b = -displacement.dot(movement);
    let c = displacement.length_squared() - radius_sum * radius_sum;
    let discriminant = b * b - c * a;
    if c < EPSILON || a < EPSILON || discriminant < 0.0 {
        return NEVER;
    }
    let root = discriminant.sqrt();
    if b - root < 0.0 { (b + root) / a } else { (b - root) / a }
}

/// Returns when a ray hits a sphere, in multiples of its direction: where it enters from outside,
/// where it leaves from inside, negative if the sphere lies behind. `None` if the line misses.
///
/// For picking; not used by collision. Retail: `CSphere::sphere_intersects_ray`.
pub fn sphere_ray_time(sphere: &Sphere, origin: Vec3, direction: Vec3) -> Option<f32> {
    let from = origin - sphere.centre;
    let a = direction.length_squared();
    let b = -from.dot(direction);
    let c = from.length_squared() - sphere.radius * sphere.radius;
    (a * c < b * b).then(|| {
        let root = (b * b - a * c).sqrt();
        if b <= root { (b + root) / a } else { (b - root) / a }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exact_touch_collides() {
        assert!(spheres_collide(Vec3::new(0.0, 2.0, 0.0), 2.0));
        assert!(!spheres_collide(Vec3::new(0.0, 2.0_f32.next_up(), 0.0), 2.0));
    }

    #[track_caller]
    fn check_time(movement: [f32; 3], displacement: [f32; 3], radius_sum: f32, want: f32) {
        let got = sphere_collision_time(movement.into(), displacement.into(), radius_sum);
        assert!((got - want).abs() < 1e-5, "{movement:?} {displacement:?}: {got} not {want}");
    }

    #[test]
    fn times_of_collision() {
        check_time([-1.0, 0.0, 0.0], [10.0, 0.0, 0.0], 1.0, 9.0);
        check_time([1.0, 0.0, 0.0], [10.0, 0.0, 0.0], 1.0, -9.0); // going away
        check_time([-1.0, 0.0, 0.0], [0.5, 0.0, 0.0], 1.0, -1.0); // overlapping already
        check_time([-0.6, 0.2, 0.0], [1.5, -0.3, 0.2], 0.9802, 0.912_727);
        check_time([-1.0, 0.0, 0.0], [10.0, 2.0, 0.0], 1.0, -1.0); // passing by
        check_time([-0.01, 0.0, 0.0], [10.0, 0.0, 0.0], 1.0, -1.0); // hardly moving
    }

    #[track_caller]
    fn check_ray(origin: [f32; 3], want: Option<f32>) {
        let unit = Sphere::new(Vec3::ZERO, 1.0);
        let down = Vec3::new(0.0, 0.0, -2.0);
        assert_eq!(sphere_ray_time(&unit, origin.into(), down), want, "{origin:?}");
    }

    #[test]
    fn rays_hit_from_outside_and_from_inside() {
        check_ray([0.0, 0.0, 10.0], Some(4.5));
        check_ray([0.0, 2.0, 10.0], None);
        check_ray([0.0, 0.0, 0.0], Some(0.5));
        check_ray([0.0, 1.0, 10.0], None); // a tangent passes
        check_ray([0.0, 0.0, -10.0], Some(-4.5)); // behind, by the nearer side
        assert_eq!(sphere_ray_time(&Sphere::new(Vec3::ZERO, 1.0), Vec3::ZERO, Vec3::ZERO), None);
    }
}
