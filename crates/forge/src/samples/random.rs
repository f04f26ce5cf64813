//! Numbers that look random and are the same everywhere.

/// A row of numbers that depends on nothing but its seed. The generator is splitmix64.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed(self.0)
    }

    /// 0 up to `count`, without it.
    pub(super) fn below(&mut self, count: usize) -> usize {
        let count = (count as u64).max(1);
        // Less than `count`, which was a usize.
        usize::try_from(self.next() % count).unwrap_or(0)
    }

    pub(super) fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }
}

/// A number with all its bits stirred into each other.
pub(super) fn mixed(value: u64) -> u64 {
    let z = (value ^ value >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}
