//! How time is cut up.

use crate::constants::{HUGE_QUANTUM, MAX_QUANTUM, MIN_QUANTUM};

/// What is left unsaid of a frame's time, in seconds: so much earlier counts as on time.
const EARLY_TOLERANCE: f64 = 1e-6;

/// No longer than this is no time at all, in seconds.
const MIN_ELAPSED: f64 = 0.0002;

/// Lets physics run at most thirty times a second, however many frames there are: a body that is moved by less at
/// a time creeps where it should fall.
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
    /// It opens the first time.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether physics runs now; then not again for a thirtieth of a second. A time before the last one opens it
    /// anew.
    pub fn opens(&mut self, now: f64) -> bool {
        // Written so that a time that is no number opens it, and the next one again.
        let shut = |last: f64| now >= last && now - last < MIN_QUANTUM - EARLY_TOLERANCE;
        let opens = !self.last.is_some_and(shut);
        if opens {
            self.last = Some(now);
        }
        opens
    }
}

/// The quanta of the time that has gone by, in seconds: full ones of [`MAX_QUANTUM`], then the rest. A rest after
/// full ones that is no longer than [`MIN_QUANTUM`] is left for the next time. No time at all, and a hitch longer
/// than [`HUGE_QUANTUM`], have none and leave nothing.
///
/// ```
/// # use threshold_motion::Quanta;
/// let mut quanta = Quanta::of(0.25);
/// assert_eq!(quanta.by_ref().map(|q| (q * 1000.0).round()).collect::<Vec<_>>(), [200.0, 50.0]);
/// assert_eq!(quanta.left(), 0.0);
/// ```
///
/// Retail: the loop of `CPhysicsObj::update_object`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quanta {
    left: f64,
    full: bool,
}

impl Quanta {
    /// Of so many seconds.
    pub fn of(elapsed: f64) -> Self {
        // What is no number has no quanta, either.
        let simulated = elapsed > MIN_ELAPSED && elapsed <= HUGE_QUANTUM;
        Self { left: if simulated { elapsed } else { 0.0 }, full: false }
    }

    /// What is left for the next time, in seconds.
    pub fn left(&self) -> f64 {
        self.left
    }
}

impl Iterator for Quanta {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        if self.left > MAX_QUANTUM {
            self.left -= MAX_QUANTUM;
            self.full = true;
            return Some(MAX_QUANTUM);
        }
        let waits = self.left <= 0.0 || self.full && self.left <= MIN_QUANTUM;
        (!waits).then(|| std::mem::take(&mut self.left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(elapsed: f64, want: &[f64], left: f64) {
        let mut quanta = Quanta::of(elapsed);
        let got: Vec<f64> = quanta.by_ref().collect();
        let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
        let same = got.len() == want.len() && got.iter().zip(want).all(near);
        assert!(same && near((&quanta.left(), &left)), "{elapsed}: {got:?}, {}", quanta.left());
    }

    #[test]
    fn worked_examples() {
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

    /// At how many of so many frames a second physics runs.
    fn runs(rate: u32) -> usize {
        let mut gate = Gate::new();
        (0..rate).filter(|frame| gate.opens(f64::from(*frame) / f64::from(rate))).count()
    }

    #[test]
    fn physics_runs_at_most_thirty_times_a_second() {
        assert_eq!([20, 30, 60, 120, 144, 1000].map(runs), [20, 30, 30, 30, 29, 30]);
        let mut gate = Gate::new();
        assert!([100.0, 1.0].map(|now| gate.opens(now)).into_iter().all(|opens| opens));
        assert!(!gate.opens(1.01));
        assert!([f64::NAN, 2.0].map(|now| gate.opens(now)).into_iter().all(|opens| opens));
    }
}
