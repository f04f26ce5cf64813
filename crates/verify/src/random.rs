//! Random numbers, the same for the same seed on every machine.

use threshold_land::Rotation;

/// The generator SplitMix64.
#[derive(Clone, Copy, Debug)]
pub struct SplitMix(u64);

impl SplitMix {
    /// Starts in a state. The first number is skipped, because it shows what states have in common.
    pub fn new(state: u64) -> Self {
        let mut random = Self(state);
        random.draw();
        random
    }

    /// Returns the numbers of a body at a tick. They do not depend on those of other bodies.
    pub(crate) fn of_body(number: u32, tick: u32) -> Self {
        Self::new(u64::from(number) << 32 | u64::from(tick))
    }

    /// Returns the next number of 64 bits.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 up to, but not including, 1.
    pub fn fraction(&mut self) -> f32 {
        // 24 bits are exact in single precision.
        (self.draw() >> 40) as f32 / (1_u32 << 24) as f32
    }

    /// Returns a number between two bounds.
    pub fn between(&mut self, min: f32, max: f32) -> f32 {
        min + (max - min) * self.fraction()
    }

    /// Returns a number below `count`, which is above 0.
    pub(crate) fn below(&mut self, count: u32) -> u32 {
        // Of 32 bits, so that a `usize` does not matter; the product has 64.
        let scaled = (self.draw() >> 32) * u64::from(count);
        u32::try_from(scaled >> 32).unwrap_or_default()
    }

    /// Returns an upright rotation to any heading.
    pub fn rotation(&mut self) -> Rotation {
        Rotation::from_heading(self.between(0.0, 360.0))
    }
}
