//! Pseudo-random numbers that are the same on every machine.

use threshold_land::vector::IVec2;

/// A sequence of numbers that depends only on its seed. The generator is splitmix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed(self.0)
    }

    /// Returns a number from 0 up to, but not including, `count`.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        let count = (count as u64).max(1);
        // Less than `count`, which was a usize.
        usize::try_from(self.next() % count).unwrap_or(0)
    }

    pub(crate) fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }
}

/// Mixes all bits of a number.
pub(crate) fn mixed(value: u64) -> u64 {
    let z = (value ^ value >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

/// Returns a number for a grid point, -1 to 1.
pub(crate) fn at(place: IVec2, seed: u64) -> f32 {
    let bits = |v: i32| u64::from(v.cast_unsigned());
    let stirred = mixed(mixed(bits(place.x) << 32 | bits(place.y)) ^ seed);
    // 24 bits are what single precision holds exactly.
    #[allow(clippy::cast_precision_loss, reason = "24 bits")]
    let part = (stirred >> 40) as f32 / (1 << 24) as f32;
    2.0 * part - 1.0
}
