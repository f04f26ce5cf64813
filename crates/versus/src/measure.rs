//! Measures the speed of an engine.
//!
//! Rates use the CPU time of the thread, so other load has little effect. The distribution uses wall-clock time, so
//! it includes other load and the cost of reading the clock, about twenty nanoseconds.

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

use crate::course::CourseWalk;
use crate::engine::Engine;

/// Number of moves, and their times.
#[derive(Default)]
pub(crate) struct SpeedMeasurement {
    moves: usize,
    time: Duration,
    /// Times of single moves.
    each: Vec<Duration>,
}

impl SpeedMeasurement {
    /// Runs all walks twice: without interruption, and timed move by move.
    pub(crate) fn round(
        &mut self,
        engine: &mut impl Engine,
        walks: &[CourseWalk],
    ) -> anyhow::Result<()> {
        walks.iter().try_for_each(|walk| self.uninterrupted(engine, walk))?;
        walks.iter().try_for_each(|walk| self.move_by_move(engine, walk))
    }

    fn uninterrupted(&mut self, engine: &mut impl Engine, walk: &CourseWalk) -> anyhow::Result<()> {
        let mut walker = engine.enter(walk)?;
        let start = ThreadTime::now();
        for by in &walk.recorded.moves {
            engine.advance(&mut walker, *by)?;
        }
        self.time += start.elapsed();
        self.moves += walk.recorded.moves.len();
        engine.leave(walker);
        Ok(())
    }

    fn move_by_move(&mut self, engine: &mut impl Engine, walk: &CourseWalk) -> anyhow::Result<()> {
        let mut walker = engine.enter(walk)?;
        for by in &walk.recorded.moves {
            let start = Instant::now();
            engine.advance(&mut walker, *by)?;
            self.each.push(start.elapsed());
        }
        engine.leave(walker);
        Ok(())
    }

    /// Returns moves per second; 0 if there are none.
    pub(crate) fn rate(&self) -> f64 {
        if self.moves == 0 { 0.0 } else { self.moves as f64 / self.time.as_secs_f64() }
    }

    /// Returns a percentile of the times of single moves, in microseconds; 0 if there are none.
    pub(crate) fn percentile(&mut self, percent: usize) -> f64 {
        self.each.sort_unstable();
        let last = self.each.len().saturating_sub(1);
        self.each.get(last * percent / 100).map_or(0.0, |time| time.as_secs_f64() * 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_the_time_that_most_moves_do_not_exceed() {
        let each = (1..=101).rev().map(Duration::from_micros).collect();
        let mut measurement = SpeedMeasurement { moves: 101, time: Duration::from_millis(2), each };
        assert_eq!(
            [0, 50, 99, 100].map(|part| measurement.percentile(part).round()),
            [1.0, 51.0, 100.0, 101.0]
        );
        assert_eq!(measurement.rate().round(), 50_500.0);
        let nothing = &mut SpeedMeasurement::default();
        assert_eq!((nothing.rate(), nothing.percentile(99)), (0.0, 0.0));
    }
}
