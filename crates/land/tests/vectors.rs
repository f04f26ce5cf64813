//! Vectors have the bits of the same arithmetic in glam, written out in scalars, whatever the components.

#![allow(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use proptest::prelude::*;
use threshold_land::vector::{DVec3, Vec2, Vec3};

/// Numbers of a world, and those at which comparisons and roundings differ.
fn component() -> impl Strategy<Value = f32> {
    prop_oneof![
        8 => -200.0_f32..200.0,
        1 => any::<f32>(),
        1 => prop::sample::select(vec![0.0, -0.0, 0.5, -2.5, 1e-30, f32::NAN, f32::INFINITY, f32::MAX]),
    ]
}

fn vector() -> impl Strategy<Value = [f32; 3]> {
    [component(), component(), component()]
}

#[track_caller]
fn same(what: &str, ours: [f32; 3], theirs: [f32; 3]) {
    for (a, b) in ours.into_iter().zip(theirs) {
        // The bits of a NaN mean nothing.
        assert!(
            a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            "{what}: {ours:?} and {theirs:?}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn vectors_of_space_have_the_bits_of_glam(one in vector(), other in vector(), s in component()) {
        let (a, b) = (Vec3::from(one), Vec3::from(other));
        let (p, q) = (glam::Vec3::from(one), glam::Vec3::from(other));
        let pairs = [
            ("sum", a + b, p + q),
            ("difference", a - b, p - q),
            ("product", a * b, p * q),
            ("quotient", a / b, p / q),
            ("scaled", a * s, p * s),
            ("scaled from the left", s * a, s * p),
            ("divided", a / s, p / s),
            ("negative", -a, -p),
            ("min", a.min(b), p.min(q)),
            ("max", a.max(b), p.max(q)),
            ("abs", a.abs(), p.abs()),
            ("floor", a.floor(), p.floor()),
            ("ceil", a.ceil(), p.ceil()),
            ("round", a.round(), p.round()),
            ("signum", a.signum(), p.signum()),
            ("cross", a.cross(b), p.cross(q)),
            ("lerp", a.lerp(b, s), p.lerp(q, s)),
            ("normalize_or_zero", a.normalize_or_zero(), p.normalize_or_zero()),
            ("as f64 and back", a.as_dvec3().as_vec3(), p.as_dvec3().as_vec3()),
        ];
        for (what, ours, theirs) in pairs {
            same(what, ours.to_array(), theirs.to_array());
        }
        let numbers = [
            ("dot", a.dot(b), p.dot(q)),
            ("length", a.length(), p.length()),
            ("distance", a.distance(b), p.distance(q)),
            ("least", a.min_element(), p.min_element()),
            ("greatest", a.max_element(), p.max_element()),
            ("sum of components", a.element_sum(), p.element_sum()),
        ];
        for (what, ours, theirs) in numbers {
            same(what, [ours; 3], [theirs; 3]);
        }
        prop_assert_eq!(a.cmple(b).all(), p.cmple(q).all());
        prop_assert_eq!(a.cmplt(b).any(), p.cmplt(q).any());
        prop_assert_eq!(a == b, p == q);
        prop_assert_eq!(a.is_finite(), p.is_finite());
        prop_assert_eq!(format!("{a:?} {a:.3}"), format!("{p:?} {p:.3}"));
    }

    #[test]
    fn vectors_of_the_plane_have_the_bits_of_glam(one in vector(), other in vector()) {
        let (a, b) = (Vec3::from(one).truncate(), Vec3::from(other).truncate());
        let (p, q) = (glam::Vec3::from(one).truncate(), glam::Vec3::from(other).truncate());
        same("perp_dot", [a.perp_dot(b); 3], [p.perp_dot(q); 3]);
        same("perp", a.perp().extend(a.length()).to_array(), p.perp().extend(p.length()).to_array());
        let remainder = a.rem_euclid(Vec2::splat(192.0)).extend(0.0);
        let theirs = p.rem_euclid(glam::Vec2::splat(192.0)).extend(0.0);
        same("remainder", remainder.to_array(), theirs.to_array());
    }
}

#[test]
fn a_component_outside_a_vector_is_refused() {
    let vector = DVec3::new(1.0, 2.0, 3.0);
    assert_eq!([vector[0], vector[1], vector[2]], vector.to_array());
    assert!(std::panic::catch_unwind(|| vector[3]).is_err());
}
