//! How fast an engine walks.
//!
//! Rates are by the CPU time of the thread, so that a busy machine does not show; the distribution is by the clock,
//! and it does, and so does the clock itself, which takes some twenty nanoseconds to read.

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

use crate::course::Way;
use crate::engine::Engine;

/// What was done in what time.
#[derive(Default)]
pub(crate) struct Measured {
    moves: usize,
    time: Duration,
    /// Of single moves.
    each: Vec<Duration>,
}

impl Measured {
    /// Takes all ways twice: at a stretch, and move by move.
    pub(crate) fn round(&mut self, engine: &mut impl Engine, ways: &[Way]) -> anyhow::Result<()> {
        ways.iter().try_for_each(|way| self.at_a_stretch(engine, way))?;
        ways.iter().try_for_each(|way| self.move_by_move(engine, way))
    }

    fn at_a_stretch(&mut self, engine: &mut impl Engine, way: &Way) -> anyhow::Result<()> {
        let mut walker = engine.enter(way)?;
        let start = ThreadTime::now();
        for by in &way.walk.moves {
            engine.advance(&mut walker, *by)?;
        }
        self.time += start.elapsed();
        self.moves += way.walk.moves.len();
        engine.leave(walker);
        Ok(())
    }

    fn move_by_move(&mut self, engine: &mut impl Engine, way: &Way) -> anyhow::Result<()> {
        let mut walker = engine.enter(way)?;
        for by in &way.walk.moves {
            let start = Instant::now();
            engine.advance(&mut walker, *by)?;
            self.each.push(start.elapsed());
        }
        engine.leave(walker);
        Ok(())
    }

    /// Moves a second; 0 where there are none.
    pub(crate) fn rate(&self) -> f64 {
        if self.moves == 0 { 0.0 } else { self.moves as f64 / self.time.as_secs_f64() }
    }

    /// The time that so many percent of the moves do not take longer than, in microseconds; 0 where there are none.
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
        let mut measured = Measured { moves: 101, time: Duration::from_millis(2), each };
        assert_eq!(
            [0, 50, 99, 100].map(|part| measured.percentile(part).round()),
            [1.0, 51.0, 100.0, 101.0]
        );
        assert_eq!(measured.rate().round(), 50_500.0);
        let nothing = &mut Measured::default();
        assert_eq!((nothing.rate(), nothing.percentile(99)), (0.0, 0.0));
    }
}
