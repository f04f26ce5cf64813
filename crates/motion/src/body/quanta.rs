//! Division of time into quanta.

use crate::constants::{HUGE_QUANTUM, MAX_QUANTUM, MIN_QUANTUM};

/// Tolerance in seconds for the rounding of frame times: this much early counts as on time.
const EARLY_TOLERANCE: f64 = 1e-6;

/// Minimum elapsed time in seconds; anything shorter counts as none.
const MIN_ELAPSED: f64 = 0.0002;

/// Limits physics to thirty updates a second at any frame rate: with shorter updates
/// a body creeps where it should fall.
///
/// ```
/// # use threshold_motion::Gate;
/// let mut gate = Gate::new();
/// let frames = (0..60).filter(|frame| gate.opens(f64::from(*frame) / 60.0)).count();
/// assert_eq!(frames, 30);
/// ```
///
/// Retail: the first test of `CPhysics::UseTime`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gate {
    last: Option<f64>,
}

impl Gate {
    /// A gate that opens the first time.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns whether physics runs now; if so, not again for a thirtieth of a second. A time
    /// before the last one opens it again.
    pub fn opens(&mut self, now: f64) -> bool {
        // NaN opens the gate, now and the next time.
        let is_closed = |last: f64| now >= last && now - last < MIN_QUANTUM - EARLY_TOLERANCE;
        let opens = !self.last.is_some_and(is_closed);
        if opens {
            self.last = Some(now);
        }
        opens
    }
}

/// Divides elapsed time, in seconds, into full quanta of [`MAX_QUANTUM`] and a rest. A rest after
/// full quanta of at most [`MIN_QUANTUM`] is left for the next update. A negligible time, and one
/// longer than [`HUGE_QUANTUM`], give no quanta and leave nothing.
///
/// ```
/// # use threshold_motion::Quanta;
/// let mut quanta = Quanta::of(0.25);
/// assert_eq!(quanta.by_ref().map(|q| (q * 1000.0).round()).collect::<Vec<_>>(), [200.0, 50.0]);
/// assert_eq!(quanta.remaining(), 0.0);
/// ```
///
/// Retail: the loop of `CPhysicsObj::update_object`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quanta {
    remaining: f64,
    full: bool,
}

impl Quanta {
    /// The quanta of `elapsed` seconds.
    pub fn of(elapsed: f64) -> Self {
        // NaN gives no quanta.
        let simulated = elapsed > MIN_ELAPSED && elapsed <= HUGE_QUANTUM;
        Self { remaining: if simulated { elapsed } else { 0.0 }, full: false }
    }

    /// Returns the time left for the next update, in seconds.
    pub fn remaining(&self) -> f64 {
        self.remaining
    }
}

impl Iterator for Quanta {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        if self.remaining > MAX_QUANTUM {
            self.remaining -= MAX_QUANTUM;
            self.full = true;
            return Some(MAX_QUANTUM);
        }
        let waits = self.remaining <= 0.0 || self.full && self.remaining <= MIN_QUANTUM;
        (!waits).then(|| std::mem::take(&mut self.remaining))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(elapsed: f64, want: &[f64], remaining: f64) {
        let mut quanta = Quanta::of(elapsed);
        let got: Vec<f64> = quanta.by_ref().collect();
        let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
        let same = got.len() == want.len() && got.iter().zip(want).all(near);
        assert!(
            same && near((&quanta.remaining(), &remaining)),
            "{elapsed}: {got:?}, {}",
            quanta.remaining()
        );
    }

    #[test]
    fn elapsed_times_divide_as_in_worked_examples() {
        check(0.0002, &[], 0.0);
        check(0.02, &[0.02], 0.0);
        check(0.034, &[0.034], 0.0);
        check(0.2, &[0.2], 0.0);
        check(0.21, &[0.2], 0.01);
        check(0.25, &[0.2, 0.05], 0.0);
        check(0.65, &[0.2, 0.2, 0.2, 0.05], 0.0);
        check(2.01, &[], 0.0);
        check(2.0, &[0.2; 10], 0.0);
        for none in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            check(none, &[], 0.0);
        }
    }

    /// Returns how often the gate opens in a second at this frame rate.
    fn updates_per_second(rate: u32) -> usize {
        let mut gate = Gate::new();
        (0..rate).filter(|frame| gate.opens(f64::from(*frame) / f64::from(rate))).count()
    }

    #[test]
    fn physics_runs_at_most_thirty_times_a_second() {
        assert_eq!([20, 30, 60, 120, 144, 1000].map(updates_per_second), [20, 30, 30, 30, 29, 30]);
        let mut gate = Gate::new();
        assert!([100.0, 1.0].map(|now| gate.opens(now)).into_iter().all(|opens| opens));
        assert!(!gate.opens(1.01));
        assert!([f64::NAN, 2.0].map(|now| gate.opens(now)).into_iter().all(|opens| opens));
    }
}
