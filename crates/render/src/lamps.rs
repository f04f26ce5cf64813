//! The uniform data of all lights of a place.

use threshold_land::vector::Vec3;
use threshold_visuals::light::{Lamp, Lights, MAX_LAMPS, MAX_SKYLIGHTS, Skylight};

/// Size of the lights of a place in bytes, and the offset from one place to the next. `Lamps` in `shader/common.wgsl` has
/// the same numbers of lamps and skylights.
pub(super) const LAMPS: u64 = 16 + 32 * MAX_LAMPS as u64 + 48 * MAX_SKYLIGHTS as u64;
pub(super) const LAMPS_STRIDE: u32 = 2048;

/// Returns the uniform data of the lights that reach a box, nearest first.
pub(super) fn light_words(lights: &Lights, bounds: [Vec3; 2]) -> Vec<u8> {
    let (lamps, skylights) = (lights.lamps_near(bounds), lights.skylights_near(bounds));
    // At most `MAX_LAMPS` and `MAX_SKYLIGHTS`.
    let count = |count: usize| u32::try_from(count).unwrap_or(0);
    let mut words = vec![count(lamps.len()), count(skylights.len()), 0, 0];
    let mut add = |v: Vec3, w: f32| words.extend(v.extend(w).to_array().map(f32::to_bits));
    let none = Lamp { at: Vec3::ZERO, reach: 1.0, colour: Vec3::ZERO, is_outdoors: false };
    for number in 0..MAX_LAMPS {
        let Lamp { at, reach, colour, is_outdoors } = *lamps.get(number).unwrap_or(&none);
        add(at, reach);
        add(colour, f32::from(u8::from(is_outdoors)));
    }
    for Skylight { middle, axes: [right, up], half, reach, is_dark } in skylights {
        add(middle, if is_dark { -reach } else { reach });
        add(right, half.x);
        add(up, half.y);
    }
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.resize(LAMPS_STRIDE as usize, 0);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: [Vec3; 2] = [Vec3::NEG_ONE, Vec3::ONE];

    fn lamp(x: f32) -> Lamp {
        Lamp { at: Vec3::new(x, 0.0, 0.0), reach: 5.0, colour: Vec3::ONE, is_outdoors: false }
    }

    #[test]
    fn the_words_of_a_place_begin_with_its_nearest_lamps() {
        let lamps = [9.0, 5.5, -2.0].map(lamp).to_vec();
        let bytes = light_words(&Lights { lamps, skylights: Vec::new() }, BOUNDS);
        let word = |at: usize| <[u8; 4]>::try_from(&bytes[at..at + 4]).unwrap();
        assert_eq!(u32::from_le_bytes(word(0)), 2);
        assert_eq!([16, 48].map(|at| f32::from_le_bytes(word(at))), [-2.0, 5.5]);
    }

    #[test]
    fn the_lights_of_a_place_fit_into_their_stride() {
        let skylight = Skylight {
            middle: Vec3::ZERO,
            axes: [Vec3::X, Vec3::Z],
            half: threshold_land::vector::Vec2::ONE,
            reach: 3.0,
            is_dark: true,
        };
        let lights = Lights { lamps: vec![lamp(0.0); 50], skylights: vec![skylight; 50] };
        assert_eq!(lights.skylights_near(BOUNDS).len(), MAX_SKYLIGHTS);
        assert_eq!(light_words(&lights, BOUNDS).len(), LAMPS_STRIDE as usize);
        assert!(LAMPS <= u64::from(LAMPS_STRIDE));
    }
}
