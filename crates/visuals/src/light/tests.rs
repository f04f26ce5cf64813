use super::*;

fn lamp(x: f32) -> Lamp {
    Lamp { at: Vec3::new(x, 0.0, 0.0), reach: 5.0, colour: Vec3::ONE, is_outdoors: false }
}

const BOUNDS: [Vec3; 2] = [Vec3::NEG_ONE, Vec3::ONE];

fn near(lamps: impl Iterator<Item = Lamp>) -> Vec<f32> {
    let lights = Lights { lamps: lamps.collect(), skylights: Vec::new() };
    lights.lamps_near(BOUNDS).iter().map(|lamp| lamp.at.x).collect()
}

#[test]
fn a_place_is_lit_by_the_nearest_lamps_that_reach_it() {
    assert_eq!(near([9.0, 5.5, -2.0].map(lamp).into_iter()), [-2.0, 5.5]);
    let many = (0..40_u8).map(|number| lamp(f32::from(number) / 10.0));
    assert_eq!(near(many.rev()).len(), MAX_LAMPS);
    assert_eq!(near(std::iter::empty()), [0.0; 0]);
}

#[test]
fn a_lamp_registered_indoors_and_outdoors_shines_once_in_any_order() {
    let lamps = [lamp(2.0), Lamp { is_outdoors: true, ..lamp(2.0) }, lamp(-2.0)];
    assert_eq!(near(lamps.into_iter()), near(lamps.into_iter().rev()));
    assert_eq!(near(lamps.into_iter()).len(), 2);
    let lights = Lights { lamps: lamps.to_vec(), skylights: Vec::new() };
    assert!(lights.lamps_near(BOUNDS).iter().all(|lamp| !lamp.is_outdoors));
}

#[test]
fn a_room_without_a_view_of_the_landscape_never_changes() {
    let noon = Daylight::plain();
    let night = Daylight { sun: Vec3::ZERO, ambient: Vec3::splat(0.05), ..noon.clone() };
    assert_eq!(RoomLight::of(&noon, false), RoomLight::of(&night, false));
    let [bright, dark] = [&noon, &night].map(|day| RoomLight::of(day, true));
    assert!(bright.ambient.length() > 2.0 * dark.ambient.length());
    assert!(bright.soft == 1.0 && (dark.soft - LEFT_AT_NIGHT).abs() < 1e-6, "{dark:?}");
}
