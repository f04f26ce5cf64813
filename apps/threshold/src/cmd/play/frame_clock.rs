//! The time that frames show: as steady as the screen, even if the program is woken early or late.

use std::collections::VecDeque;

/// Frame lengths that are averaged, and how many are needed for an average.
const MAX_LENGTHS: usize = 64;
const MIN_LENGTHS: usize = 16;
/// Largest deviation of a frame from the average that counts as an early or late wake-up, as a part of the average. A larger deviation
/// is a real change of the frame rate.
const MAX_DEVIATION: f64 = 0.6;
/// Correction of a lead or lag in each frame, as a part of the average. Larger shows as uneven motion; smaller lets the shown time lag.
const CORRECTION: f64 = 0.015;
/// Largest lead or lag before the shown time jumps to the real time, in average frames.
const MAX_LAG: f64 = 1.5;

/// Smooths the times at which frames begin into the times that they show.
#[derive(Debug, Default)]
pub(super) struct FrameClock {
    /// When the last frame began, in seconds.
    real: f64,
    /// The time that the last frame showed, in seconds.
    shown: f64,
    lengths: VecDeque<f64>,
}

impl FrameClock {
    /// Returns the time to show in a frame that begins at `real`, both in seconds. It never decreases.
    pub(super) fn tick(&mut self, real: f64) -> f64 {
        let length = (real - self.real).max(0.0);
        self.real = real;
        self.shown = match self.average(length) {
            Some(average) if (real - self.shown - average).abs() < MAX_LAG * average => {
                let lag = real - self.shown - average;
                self.shown + average + lag.clamp(-CORRECTION * average, CORRECTION * average)
            }
            _ => self.shown.max(real),
        };
        self.shown
    }

    /// Adds a frame length and returns the average; `None` until there are enough. A length far from the average starts a new one, as
    /// when the window moves to another screen.
    fn average(&mut self, length: f64) -> Option<f64> {
        let count = self.lengths.len();
        #[allow(clippy::cast_precision_loss, reason = "a few")]
        let mean = |all: &VecDeque<f64>| all.iter().sum::<f64>() / all.len() as f64;
        if count >= MIN_LENGTHS && (length / mean(&self.lengths) - 1.0).abs() > MAX_DEVIATION {
            self.lengths.clear();
        }
        self.lengths.push_back(length);
        if self.lengths.len() > MAX_LENGTHS {
            self.lengths.pop_front();
        }
        (self.lengths.len() >= MIN_LENGTHS).then(|| mean(&self.lengths))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At 144 frames per second, woken up to 1.5 ms early or late, steps between frames are within 5 % of each other, and the shown
    /// time stays near the real time.
    #[test]
    fn frames_woken_early_or_late_show_even_steps_of_time() {
        let (mut clock, mut random) = (FrameClock::default(), 12345_u32);
        let mut steps = Vec::new();
        let mut before = 0.0;
        for frame in 1..2000_u32 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let jitter = (f64::from(random >> 8) / f64::from(1 << 24) - 0.5) * 0.003;
            let real = f64::from(frame) / 144.0 + jitter;
            let shown = clock.tick(real);
            assert!((shown - real).abs() < 0.015, "{shown} at {real}");
            if frame > 100 {
                steps.push((shown - before) * 144.0);
            }
            before = shown;
        }
        for step in steps {
            assert!((step - 1.0).abs() < 0.05, "{step} of a frame");
        }
    }

    #[test]
    fn after_a_long_frame_the_shown_time_catches_up_and_never_decreases() {
        let (mut clock, mut real, mut before) = (FrameClock::default(), 0.0, 0.0);
        for frame in 0..400 {
            real += if frame % 97 == 96 { 0.2 } else { 1.0 / 60.0 };
            let shown = clock.tick(real);
            assert!(shown >= before && (shown - real).abs() < 0.05, "{shown} at {real}");
            before = shown;
        }
    }
}
