//! Numbers that are not finite are refused with a reason and never reach the world.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_forge::ObjectSpec;
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Frame, Plane, Position, Sphere, adjust_to_outside};
use threshold_motion::{
    Boom, Flags, Gait, MoveContext, Mover, MoverShape, Outcome, Pivot, Refusal, Search, Sight,
    SightExclusions, Stance, SweepScratch, Sweeper, commit,
};
use threshold_testkit::{
    WALKER, Walk,
    layouts::{A, plain, row},
};
use threshold_why as why;

const LAND: CellId = CellId(0xA9B4_0001);
const NON_FINITE: [f32; 3] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];

fn dungeon() -> Walk {
    Walk::from_source(row(&[4.0, 4.0], &[]))
}

fn standing() -> Walk {
    let mut walk = dungeon();
    walk.put_on_ground(A.0, [2.0, 2.0, 0.005]);
    walk
}

/// Checks every number of a body and of its position.
fn check_finite(walk: &Walk) {
    let position = walk.position();
    assert!(position.frame.origin.is_finite() && position.frame.rotation.is_valid());
    let body = &walk.body;
    assert!(
        body.velocity.is_finite() && body.actual_velocity.is_finite() && body.clock.is_finite()
    );
    let Stance { plane, sliding_normal, .. } = body.stance;
    assert!(plane.normal.is_finite() && plane.d.is_finite() && sliding_normal.is_finite());
}

/// The mover steps down by a finite height that is far too large: the end position overflows.
#[test]
fn a_sweep_with_an_end_that_is_not_finite_is_refused_and_changes_nothing() {
    let mut refused = 0;
    for height in [1e20, 1e30, 1e38] {
        let mut forge = plain(&[0xA9B4]);
        forge.block(LAND.block()).heights(|x, y| 3 + (x * 5 + y * 3) % 7);
        let mut walk = Walk::from_source(forge.finish().unwrap());
        for number in 0..16_u16 {
            let (x, y) = (f32::from(number) * 9.0 + 30.0, 80.0 + f32::from(number));
            let ground = walk.world.land(LAND.block()).unwrap().terrain().height([x, y].into());
            let (cell, at) =
                adjust_to_outside(LAND, Vec3::new(x, y, ground.unwrap() + 0.2)).unwrap();
            walk.put_on_ground(cell.0, at.into());
            let valid = walk.body.mover(&walk.world).unwrap();
            let shape = MoverShape::new(valid.shape.spheres(), height, height);
            let mover = Mover { shape, ..valid };
            let at = walk.position();
            let mut to = at;
            to.frame.origin += Vec3::new(0.4, 0.1, 0.0);
            let mut check = |outcome: &Outcome| {
                assert!(outcome.position.frame.origin.length().is_finite(), "{outcome:?}");
                assert!(outcome.hit.is_none_or(|normal| normal.is_finite()), "{outcome:?}");
                if outcome.refused == Some(Refusal::EndNotFinite) {
                    refused += 1;
                    assert_eq!((outcome.position, outcome.stance), (at, mover.stance));
                    assert_eq!((outcome.cell, outcome.hit), (Some(at.cell), None));
                    assert!(outcome.cells.is_empty() && outcome.objects.is_empty());
                }
            };
            let sweeper = Sweeper::new(&walk.world);
            let scratch = &mut SweepScratch::new();
            check(&sweeper.sweep(scratch, &mut (), &mover, &at, &to));
            for search in [Search::Here, Search::Around] {
                check(&sweeper.place(scratch, &mut (), &mover, &at, search));
            }
            let (outcome, why) = why::place(&sweeper, &mover, &at, Search::Here);
            if outcome.refused == Some(Refusal::EndNotFinite) {
                let texts: Vec<&str> = why.summary.iter().map(|node| &*node.text).collect();
                assert!(texts[1].contains("the end position is not finite"), "{texts:?}");
            }
            // A commit of it leaves the body as it is.
            let outcome = sweeper.place(scratch, &mut (), &mover, &at, Search::Here);
            if outcome.refused == Some(Refusal::EndNotFinite) {
                let events = commit(&mut walk.world, &mut walk.body, &outcome).unwrap();
                assert_eq!((walk.position(), events.len()), (at, 0));
                check_finite(&walk);
            }
        }
    }
    assert!(refused > 0, "nothing was refused");
}

#[test]
fn the_refusal_of_an_end_that_is_not_finite_has_a_plain_text() {
    assert_eq!(Refusal::EndNotFinite.to_string(), "the end position is not finite");
}

#[test]
fn sizes_that_are_not_finite_are_refused() {
    let walk = standing();
    let at = walk.position();
    let mut to = at;
    to.frame.origin.x += 0.3;
    let sweeper = Sweeper::new(&walk.world);
    let valid = walk.body.mover(&walk.world).unwrap();
    let check = |mover: &Mover| {
        let outcome = sweeper.sweep(&mut SweepScratch::new(), &mut (), mover, &at, &to);
        assert_eq!(outcome.refused, Some(Refusal::NotFinite), "{mover:?}");
        assert_eq!(outcome.position, at);
    };
    for bad in NON_FINITE {
        let shape = |centre: Vec3, radius: f32, [up, down]: [f32; 2]| Mover {
            shape: MoverShape::new(&[Sphere::new(centre, radius)], up, down),
            ..valid
        };
        check(&shape(Vec3::Z, 0.4, [bad, 1.5]));
        check(&shape(Vec3::Z, 0.4, [0.6, bad]));
        check(&shape(Vec3::Z, bad, [0.6, 1.5]));
        check(&shape(Vec3::splat(bad), 0.4, [0.6, 1.5]));
        let mut stance = valid.stance;
        stance.plane.d = bad;
        check(&Mover { stance, ..valid });
        let mut stance = valid.stance;
        stance.plane.normal.x = bad;
        check(&Mover { stance, ..valid });
        let mut stance = valid.stance;
        stance.sliding_normal.y = bad;
        check(&Mover { stance, ..valid });
    }
}

#[test]
fn a_sweep_with_a_velocity_that_is_not_finite_ends_finite() {
    let walk = standing();
    let at = walk.position();
    let mut to = at;
    to.frame.origin.x += 0.3;
    let valid = walk.body.mover(&walk.world).unwrap();
    for bad in NON_FINITE {
        let mover = Mover { velocity: Vec3::splat(bad), ..valid };
        let outcome =
            Sweeper::new(&walk.world).sweep(&mut SweepScratch::new(), &mut (), &mover, &at, &to);
        assert!(outcome.position.frame.origin.is_finite());
    }
}

/// A time that is not finite must not stop the clock for ever.
#[test]
fn a_body_goes_on_after_a_time_that_was_not_finite() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut walk = standing();
        walk.body.gait = Some(Gait::walk());
        let rules = walk.rules;
        for now in [0.1, bad, 0.2] {
            walk.body
                .update(&mut MoveContext::new(&mut walk.world, rules, &mut walk.scratch), now)
                .unwrap();
            check_finite(&walk);
        }
        assert!((walk.body.clock - 0.2).abs() < 1e-9, "{}", walk.body.clock);
        let actual_velocity = walk.at().y - 2.0;
        assert!((actual_velocity - 0.2 * 3.12).abs() < 1e-3, "{actual_velocity}");
        walk.body.awake = false;
        walk.body.set_velocity(Vec3::X, bad);
        assert!(walk.body.awake && walk.body.clock.is_finite());
    }
}

#[test]
fn a_step_of_invalid_duration_does_not_move_the_body() {
    for bad in NON_FINITE.into_iter().chain([f32::MAX, -f32::MAX]) {
        let mut walk = standing();
        let rules = walk.rules;
        let before = walk.position();
        // A hidden body is not moved, but its clock goes on.
        walk.body.set_hidden(&mut walk.world, true).unwrap();
        walk.body
            .step(&mut MoveContext::new(&mut walk.world, rules, &mut walk.scratch), bad)
            .unwrap();
        check_finite(&walk);
        walk.body.set_hidden(&mut walk.world, false).unwrap();
        walk.body
            .step(&mut MoveContext::new(&mut walk.world, rules, &mut walk.scratch), bad)
            .unwrap();
        check_finite(&walk);
        assert_eq!(walk.position(), before);
        assert!(walk.body.clock < 1.0, "{bad} stops the clock at {}", walk.body.clock);
    }
}

#[test]
fn a_body_with_an_elasticity_that_is_not_finite_stops_where_it_bounces() {
    for bad in NON_FINITE {
        let mut walk = dungeon();
        walk.put_in_air(A.0, [2.0, 2.0, 1.2]);
        walk.body.elasticity = bad;
        let rules = walk.rules;
        walk.body.set_velocity(Vec3::new(-6.0, 0.0, -1.0), 0.0);
        for tick in 1..40 {
            let now = f64::from(tick) * 0.05;
            walk.body
                .update(&mut MoveContext::new(&mut walk.world, rules, &mut walk.scratch), now)
                .unwrap();
            check_finite(&walk);
        }
        assert!(walk.at().z < 0.1, "it has come down: {}", walk.at());
    }
}

#[test]
fn a_camera_with_arguments_that_are_not_finite_ends_finite() {
    let walk = standing();
    let sweeper = Sweeper::new(&walk.world);
    let valid = Pivot::above(walk.position(), WALKER, 1.5);
    let back = Vec3::new(0.0, -1.0, 0.3);
    for bad in NON_FINITE.into_iter().chain([1e30, f32::MAX]) {
        let head = Pivot { head: Vec3::new(0.0, bad, 1.5), ..valid };
        for (pivot, direction, wish, dt, length) in [
            (valid, Vec3::splat(bad), 3.0, 0.1, 2.0),
            (valid, back, bad, 0.1, 2.0),
            (valid, back, 3.0, bad, 2.0),
            (valid, back, 3.0, 0.1, bad),
            (head, back, 3.0, 0.1, 2.0),
        ] {
            let mut boom = Boom::new(length);
            for _ in 0..3 {
                let view =
                    boom.follow(&sweeper, &mut SweepScratch::new(), &pivot, direction, wish, dt);
                assert!(view.eye.frame.origin.is_finite(), "{view:?}");
                assert!(view.distance.is_finite() && boom.length.is_finite(), "{view:?}");
            }
        }
        let view = sweeper.view(&mut SweepScratch::new(), &valid, Vec3::splat(bad));
        assert!(view.eye.frame.origin.is_finite() && view.distance.is_finite(), "{view:?}");
        let mut far = walk.position();
        far.frame.origin.x = bad;
        let sight = sweeper.line_of_sight(
            &mut SweepScratch::new(),
            &walk.position(),
            &far,
            SightExclusions::default(),
        );
        assert!(matches!(sight, Sight::Unknown(_)), "{sight:?}");
    }
}

/// A boom whose length is NaN starts again at the pivot.
#[test]
fn a_boom_whose_length_is_not_finite_recovers_at_once() {
    let walk = standing();
    let sweeper = Sweeper::new(&walk.world);
    let pivot = Pivot::above(walk.position(), WALKER, 1.5);
    let mut boom = Boom { length: f32::NAN, ease: 0.0 };
    let view = boom.follow(&sweeper, &mut SweepScratch::new(), &pivot, Vec3::NEG_Y, 1.0, 0.1);
    assert!(!view.failed && view.distance > 0.9, "{view:?}");
    let view = boom.follow(&sweeper, &mut SweepScratch::new(), &pivot, Vec3::NEG_Y, f32::NAN, 0.1);
    assert!(!view.failed && view.distance < 0.01, "{view:?}");
}

#[test]
fn a_start_beyond_every_map_ends_finite() {
    let mut forge = plain(&[0xA9B4]);
    let ball = forge.object(ObjectSpec::Ball { radius: 1.0 });
    forge.block(LAND.block()).put(ball, Frame::at(Vec3::new(12.0, 12.0, 0.0)));
    let walk = Walk::from_source(forge.finish().unwrap());
    let sweeper = Sweeper::new(&walk.world);
    let spec = walk.spec(LAND.0, [12.0, 12.0, 0.0]);
    let viewer = Mover::viewer(0.3);
    let mut falling = Mover::from_spec(&spec);
    let ground = Plane { normal: Vec3::Z, d: 0.0 };
    let clipped = Mover { flags: Flags::PATH_CLIPPED | Flags::PERFECT_CLIP, ..falling };
    falling.stance = Stance::on(ground, LAND);
    for far in [1e6, 1e12, 1e19, 1e30, f32::MAX] {
        for axis in 0..3 {
            let mut from = spec.position;
            from.frame.origin[axis] = far;
            let mut to = from;
            to.frame.origin[axis] *= 0.999_999;
            for mover in [&viewer, &falling, &clipped] {
                for end in [to, spec.position, Position::new(LAND, Vec3::splat(far))] {
                    let outcome =
                        sweeper.sweep(&mut SweepScratch::new(), &mut (), mover, &from, &end);
                    assert!(outcome.position.frame.origin.is_finite(), "{outcome:?}");
                    assert!(!outcome.stance.plane.d.is_nan(), "{outcome:?}");
                }
                for search in [Search::Here, Search::Around] {
                    let put =
                        sweeper.place(&mut SweepScratch::new(), &mut (), mover, &from, search);
                    assert!(put.position.frame.origin.is_finite(), "{put:?}");
                }
            }
            let pivot = Pivot::above(from, WALKER, 1.5);
            let view = sweeper.view(&mut SweepScratch::new(), &pivot, Vec3::NEG_Y);
            assert!(view.eye.frame.origin.is_finite() && view.distance.is_finite(), "{view:?}");
        }
    }
}
