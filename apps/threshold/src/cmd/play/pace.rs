//! The time that is shown: as steady as the screen, however unsteadily a program is woken.

use std::collections::VecDeque;

/// Frames whose length is remembered, and how many it takes to know what is usual.
const KEPT: usize = 64;
const ENOUGH: usize = 16;
/// A frame so much longer or shorter than usual was woken early or late; beyond that it really took so long. As a part of the usual.
const UNSTEADY: f64 = 0.6;
/// What was gained or lost is given back by so much in a frame, as a part of the usual.
const GIVEN_BACK: f64 = 0.015;
/// No more is gained or lost than so many usual frames.
const MOST: f64 = 1.5;

/// Turns the times at which frames begin into the times that they show.
#[derive(Debug, Default)]
pub(super) struct Pace {
    real: f64,
    shown: f64,
    lengths: VecDeque<f64>,
}

impl Pace {
    /// The time that a frame shows which begins at a time, both in seconds. It never goes back.
    pub(super) fn tick(&mut self, real: f64) -> f64 {
        let length = (real - self.real).max(0.0);
        self.real = real;
        self.shown = match self.usual(length) {
            Some(usual) if (real - self.shown - usual).abs() < MOST * usual => {
                let behind = real - self.shown - usual;
                self.shown + usual + behind.clamp(-GIVEN_BACK * usual, GIVEN_BACK * usual)
            }
            _ => self.shown.max(real),
        };
        self.shown
    }

    /// How long frames are on average, if they are steady. What is far from that begins anew: the screen, or what is to be drawn, is
    /// another.
    fn usual(&mut self, length: f64) -> Option<f64> {
        let count = self.lengths.len();
        #[allow(clippy::cast_precision_loss, reason = "a few")]
        let mean = |all: &VecDeque<f64>| all.iter().sum::<f64>() / all.len() as f64;
        if count >= ENOUGH && (length / mean(&self.lengths) - 1.0).abs() > UNSTEADY {
            self.lengths.clear();
        }
        self.lengths.push_back(length);
        if self.lengths.len() > KEPT {
            self.lengths.pop_front();
        }
        (self.lengths.len() >= ENOUGH).then(|| mean(&self.lengths))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At 144 frames a second, woken up to 1.5 ms early or late, frames show steps within 5 % of each other, and the time that
    /// is shown does not stray from the real one.
    #[test]
    fn frames_that_are_woken_unsteadily_show_steady_time() {
        let (mut pace, mut random) = (Pace::default(), 12345_u32);
        let mut steps = Vec::new();
        let mut before = 0.0;
        for frame in 1..2000_u32 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let jitter = (f64::from(random >> 8) / f64::from(1 << 24) - 0.5) * 0.003;
            let real = f64::from(frame) / 144.0 + jitter;
            let shown = pace.tick(real);
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
    fn after_a_frame_that_took_long_time_is_the_real_one_and_never_goes_back() {
        let (mut pace, mut real, mut before) = (Pace::default(), 0.0, 0.0);
        for frame in 0..400 {
            real += if frame % 97 == 96 { 0.2 } else { 1.0 / 60.0 };
            let shown = pace.tick(real);
            assert!(shown >= before && (shown - real).abs() < 0.05, "{shown} at {real}");
            before = shown;
        }
    }
}
