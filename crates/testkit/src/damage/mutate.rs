//! Damage to the bytes of a record.

use crate::random::Random;

/// Values that no sound coordinate, radius or scale has, and some that are only unusual.
const NUMBERS: [f32; 24] = [
    1e20,
    -1e20,
    1e38,
    f32::MAX,
    f32::MIN,
    1e12,
    -1e10,
    1e5,
    -1e4,
    8191.0,
    -8192.0,
    900.0,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    f32::MIN_POSITIVE,
    1e-40,
    1e-20,
    1e-6,
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.002,
];

/// Sizes from which products of two or three are no longer finite.
const HUGE: [f32; 8] = [1e11, 1e15, 1e18, 1e19, 3e19, 1e20, 3e20, 1e21];

/// Counts and indices outside of any sound range.
const WORDS: [u32; 8] = [0, 1, 0xFF, 0xFFFF, 0x7FFF, 0x7FFF_FFFF, 0xFFFF_FFFF, 0x0001_0000];

/// Returns a copy with random damage after the first word, which is the id of the record.
pub fn mutate(sound: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = sound.to_vec();
    let last = bytes.len();
    if last <= 8 {
        return bytes;
    }
    let times = if random.below(8) == 0 { 1 + random.below(4) } else { 1 };
    for _ in 0..times {
        match random.below(16) {
            0..10 => change_number(&mut bytes, random),
            10..12 => {
                let at = 4 + random.below(last - 4);
                bytes[at] ^= 1 << random.below(8);
            }
            choice @ (12 | 13) => {
                let word = WORDS[random.below(WORDS.len())].to_le_bytes();
                let width = if choice == 12 { 4 } else { 2 };
                write(&mut bytes, random, &word[..width]);
            }
            14 => {
                // A byte one larger or one smaller.
                let at = 4 + random.below(last - 4);
                let by = if random.below(2) == 0 { 1 } else { u8::MAX };
                bytes[at] = bytes[at].wrapping_add(by);
            }
            _ => {
                let kept = 4 + random.below(last - 4);
                bytes.truncate(kept);
                return bytes;
            }
        }
    }
    bytes
}

fn write(bytes: &mut [u8], random: &mut Random, word: &[u8]) {
    let at = 4 + random.below(bytes.len() - 4);
    for (byte, new) in bytes[at..].iter_mut().zip(word) {
        *byte = *new;
    }
}

/// Replaces four bytes that look like a number; records have numbers at any offset.
fn change_number(bytes: &mut [u8], random: &mut Random) {
    let read = |bytes: &[u8], at: usize| {
        let word = bytes.get(at..at + 4).and_then(|word| word.try_into().ok());
        word.map(f32::from_le_bytes)
    };
    let start = 4 + random.below(bytes.len() - 4);
    let is_number = |value: f32| value == 0.0 || (1e-3..1e4).contains(&value.abs());
    let found = (start..bytes.len()).find_map(|at| {
        let value = read(bytes, at).filter(|value| is_number(*value))?;
        Some((at, value))
    });
    let Some((at, value)) = found else { return };
    let new = match random.below(4) {
        0 => {
            let by = [-1.0, 2.0, 0.5, 1.0001, 0.99, 1e3, 1e-3, 1e6, -1e15][random.below(9)];
            value * by
        }
        // Products of three values of this size are the first that overflow.
        1 => {
            let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
            sign * HUGE[random.below(HUGE.len())]
        }
        _ => NUMBERS[random.below(NUMBERS.len())],
    };
    bytes[at..at + 4].copy_from_slice(&new.to_le_bytes());
}

/// Returns a copy with bytes replaced as a fuzzer demands: each six bytes are an offset and four bytes to write there.
pub fn patch(sound: &[u8], instructions: &[u8]) -> Vec<u8> {
    let mut bytes = sound.to_vec();
    for instruction in instructions.chunks_exact(6) {
        let at = usize::from(u16::from_le_bytes([instruction[0], instruction[1]]));
        let at = 4 + at % bytes.len().max(5);
        for (byte, new) in bytes.iter_mut().skip(at).zip(&instruction[2..]) {
            *byte = *new;
        }
    }
    bytes
}
