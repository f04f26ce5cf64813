//! Crossings in all eight directions, at the edges of the map too, and hostile numbers.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test may panic"
)]

use proptest::prelude::*;
use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{
    BLOCK_LENGTH, CellId, Compass, EPSILON, Frame, Lcoord, MAP_CELLS, Place, Position, Rotation,
    adjust_to_outside, block_offset_between, outside_cells, outside_lcoord,
};

/// Any float, with NaN, infinities and extremes often.
fn any_float() -> impl Strategy<Value = f32> {
    prop_oneof![
        Just(f32::NAN),
        Just(f32::INFINITY),
        Just(f32::NEG_INFINITY),
        Just(f32::MAX),
        Just(-0.0_f32),
        any::<u32>().prop_map(f32::from_bits),
        -1000.0_f32..1000.0,
        (-4000_i32..4000).prop_map(|v| v as f32 * 24.0),
    ]
}

fn land_cell() -> impl Strategy<Value = Lcoord> {
    let edge = prop_oneof![Just(0), Just(MAP_CELLS - 1), Just(7), Just(8), 0..MAP_CELLS];
    (edge.clone(), edge).prop_map(|(x, y)| Lcoord::new(x, y).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    /// A step of one cell from inside a cell ends in the neighbouring cell, in its frame.
    #[test]
    fn crossings_in_all_eight_directions(
        here in land_cell(),
        dx in -1..=1_i32,
        dy in -1..=1_i32,
        inside in (0.001_f32..23.999, 0.001_f32..23.999),
    ) {
        let cell = here.cell();
        let corner = |v: i32| (v % 8) as f32 * 24.0;
        let at = Vec3::new(
            corner(here.x()) + inside.0 + dx as f32 * 24.0,
            corner(here.y()) + inside.1 + dy as f32 * 24.0,
            -3.0,
        );
        let got = adjust_to_outside(cell, at);
        match here.step(dx, dy) {
            None => prop_assert_eq!(got, None),
            Some(there) => {
                let (id, local) = got.unwrap();
                prop_assert_eq!(id, there.cell());
                prop_assert!((0.0..BLOCK_LENGTH).contains(&local.x), "{}", local);
                prop_assert!((0.0..BLOCK_LENGTH).contains(&local.y), "{}", local);
                // The same point in the old frame.
                let back = local + block_offset_between(cell, id);
                prop_assert!((back - at).length() < 1e-4, "{} {}", back, at);
                // And back.
                let (home, _) = adjust_to_outside(id, at - block_offset_between(cell, id)).unwrap();
                prop_assert_eq!(home, id);
            }
        }
    }

    #[test]
    fn hostile_numbers_never_panic_and_never_leave_the_map(
        id in any::<u32>(), x in any_float(), y in any_float(), z in any_float(), r in any_float(),
    ) {
        let (cell, at) = (CellId(id), Vec3::new(x, y, z));
        if let Some((there, local)) = adjust_to_outside(cell, at) {
            prop_assert!(there.is_valid() && there.is_outdoor());
            prop_assert!(x.is_finite() && y.is_finite());
            // The remainder is off by up to the float spacing at x and y.
            let slack = EPSILON + x.abs().max(y.abs()) * f32::EPSILON;
            prop_assert!(local.x >= -slack && local.x <= BLOCK_LENGTH, "{}", local);
            prop_assert!(local.y >= -slack && local.y <= BLOCK_LENGTH, "{}", local);
        }
        if let Some(reached) = outside_cells(cell, at, r) {
            prop_assert!((1..=9).contains(&reached.len()));
            prop_assert!(reached.iter().all(|c| c.is_valid() && c.is_outdoor()));
            let mut unique = reached.to_vec();
            unique.sort();
            unique.dedup();
            prop_assert_eq!(unique.len(), reached.len());
        }
        let position = Position::new(cell, at);
        let _ = (position.normalised(), Compass::from_position(&position), position.to_string());
        let _ = outside_lcoord(cell, Vec2::new(x, y));
    }

    /// Compares the neighbour rule with a plain one: a cell is reached when the sphere's box
    /// crosses the border on that side.
    #[test]
    fn a_sphere_reaches_the_cells_that_its_box_reaches(
        here in land_cell(),
        at in (0.0_f32..24.0, 0.0_f32..24.0),
        radius in 0.01_f32..11.9,
    ) {
        let cell = here.cell();
        let corner = |v: i32| (v % 8) as f32 * 24.0;
        let centre = Vec3::new(corner(here.x()) + at.0, corner(here.y()) + at.1, 0.0);
        let (x, y) = (centre.x - corner(here.x()), centre.y - corner(here.y()));
        // Not near the borders, where rounding decides.
        for v in [x, y] {
            prop_assume!((v - radius).abs() > 1e-3 && (v + radius - 24.0).abs() > 1e-3);
            prop_assume!(v > 1e-3 && v < 23.999);
        }
        let span = |v: f32| if v < radius { -1..=0 } else if v + radius > 24.0 { 0..=1 } else { 0..=0 };
        let mut want: Vec<_> = span(x)
            .flat_map(|dx| span(y).filter_map(move |dy| here.step(dx, dy)))
            .map(Lcoord::cell)
            .collect();
        want.sort();
        let got = outside_cells(cell, centre, radius).unwrap();
        prop_assert_eq!(got[0], cell, "the cell under the centre comes first");
        let mut got = got.to_vec();
        got.sort();
        prop_assert_eq!(got, want);
    }

    #[test]
    fn printed_places_parse_to_the_same_value(
        here in land_cell(),
        at in prop::array::uniform3(any_float().prop_filter("finite", |v| v.is_finite())),
        rotation in prop::array::uniform4(any_float().prop_filter("finite", |v| v.is_finite())),
        compass in (-101.95_f64..102.04, -101.95_f64..102.04),
    ) {
        let mut position = Position::new(here.cell(), at.into());
        let [w, x, y, z] = rotation;
        position.frame.rotation = Rotation::new(w, x, y, z);
        let compass = Compass::new(compass.0, compass.1).unwrap();
        for place in [
            Place::Loc(position),
            Place::Point(here.cell(), at.into()),
            Place::Block(here.block()),
            Place::Cell(here.cell()),
            Place::Compass(compass),
        ] {
            prop_assert_eq!(place.to_string().parse(), Ok(place), "{}", place);
        }
    }

    /// Combined frames convert a point like one frame after the other.
    #[test]
    fn combined_frames_convert_points_like_both_in_turn(
        turns in prop::array::uniform2(prop::array::uniform4(-1.0_f32..1.0)),
        origins in prop::array::uniform3(prop::array::uniform3(-50.0_f32..50.0)),
    ) {
        let [outer, inner] = turns.map(|[w, x, y, z]| Rotation::new(w, x, y, z).normalised());
        prop_assume!(outer.is_some() && inner.is_some());
        let [at, inside, point] = origins.map(Vec3::from);
        let outer = Frame { origin: at, rotation: outer.unwrap() };
        let inner = Frame { origin: inside, rotation: inner.unwrap() };
        let once = outer.combine(&inner).to_global(point);
        let twice = outer.to_global(inner.to_global(point));
        prop_assert!((once - twice).length() < 1e-3, "{} {}", once, twice);
        let back = inner.to_local(outer.to_local(twice));
        prop_assert!((back - point).length() < 1e-3, "{} {}", back, point);
    }

    #[test]
    fn any_text_is_a_place_or_an_error(text in ".{0,60}") {
        let _ = text.parse::<Place>();
    }
}
