//! Numbers that look random and are the same everywhere.

use threshold_land::glam::IVec2;

/// A row of numbers that depends on nothing but its seed. The generator is splitmix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed(self.0)
    }

    /// 0 up to `count`, without it.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        let count = (count as u64).max(1);
        // Less than `count`, which was a usize.
        usize::try_from(self.next() % count).unwrap_or(0)
    }

    pub(crate) fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }
}

/// A number with all its bits stirred into each other.
pub(crate) fn mixed(value: u64) -> u64 {
    let z = (value ^ value >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

/// A number for a place, -1 to 1.
pub(crate) fn at(place: IVec2, seed: u64) -> f32 {
    let bits = |v: i32| u64::from(v.cast_unsigned());
    let stirred = mixed(mixed(bits(place.x) << 32 | bits(place.y)) ^ seed);
    // 24 bits are what single precision holds exactly.
    #[allow(clippy::cast_precision_loss, reason = "24 bits")]
    let part = (stirred >> 40) as f32 / (1 << 24) as f32;
    2.0 * part - 1.0
}
