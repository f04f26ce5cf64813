//! Rooms that were not reached and what is in the way: a report for the reader of a failed test.

use std::fmt::Write;

use threshold_land::{CellId, Position};
use threshold_motion::Sweeper;
use threshold_why as why;

use super::lane::{Lane, rooms};
use super::survey::Survey;
use super::{Explorer, WalkResult};

/// Rooms that are described; more are only listed.
const MAX_DESCRIBED: usize = 12;

impl Survey {
    /// Returns the rooms in which no sweep ended.
    pub(crate) fn missing(&self) -> Vec<CellId> {
        let visited = &self.explorer.visited;
        rooms(self.explorer.world()).into_iter().filter(|id| !visited.contains(id)).collect()
    }

    /// Describes the rooms that were not reached, and how far the explorer gets towards each. Empty if there are none.
    pub(crate) fn report(&mut self) -> String {
        let missing = self.missing();
        let mut text = String::new();
        for id in missing.iter().take(MAX_DESCRIBED) {
            writeln!(text, "{id} was not reached:").unwrap();
            let into = |lane: &&Lane| lane.into == Some(*id);
            let lanes: Vec<Lane> = self.lanes.all().iter().filter(into).copied().collect();
            for lane in &lanes {
                writeln!(text, "  {}", self.attempt(lane)).unwrap();
            }
            if lanes.is_empty() {
                writeln!(text, "  no portal leads into it").unwrap();
            }
        }
        if missing.len() > MAX_DESCRIBED {
            writeln!(
                text,
                "and {} more: {:?}",
                missing.len() - MAX_DESCRIBED,
                &missing[MAX_DESCRIBED..]
            )
            .unwrap();
        }
        text
    }

    /// Walks a lane again from the nearest place on its side, and describes what stops the explorer.
    fn attempt(&mut self, lane: &Lane) -> String {
        let distance = |at: &Position| at.offset_to(&lane.before).length();
        let on_this_side = |at: &Position| match lane.from.is_indoor() {
            true => at.cell == lane.from,
            false => at.cell.is_outdoor(),
        };
        let places = self.places.iter().map(|place| &place.state);
        let nearest = places
            .filter(|state| on_this_side(&state.at))
            .min_by(|a, b| distance(&a.at).total_cmp(&distance(&b.at)));
        let Some(nearest) = nearest.cloned() else {
            return format!("from {}, which was not reached either", lane.from);
        };
        self.explorer.resume(&nearest);
        let start = format!("from {} at {}", lane.from, lane.before.frame.origin);
        for aim in [lane.before, lane.behind] {
            if self.explorer.walk_to(&aim) == WalkResult::Stopped {
                return format!("{start}: {}", self.explorer.stopped_by(&aim));
            }
        }
        let at = self.explorer.at();
        format!("{start}: the explorer ends at {} in {}", at.frame.origin, at.cell)
    }
}

impl Explorer {
    /// Describes what stops the explorer on its way to a position.
    pub(crate) fn stopped_by(&self, aim: &Position) -> String {
        let from = self.at();
        let mut to = from;
        to.frame.origin += self.level_offset(aim).normalize_or_zero() * self.stride();
        let mut mover = self.walk.body.mover(self.world()).unwrap();
        // As if it had just come there: with the sliding normal of a wall, the sweep only reports that nothing is left of it.
        mover.stance.sliding = false;
        let sweeper = Sweeper { world: self.world(), rules: self.walk.rules };
        let (_, why) = why::sweep(&sweeper, &mover, &from, &to);
        let text: Vec<&str> = why.summary.iter().skip(1).map(|node| node.text.as_str()).collect();
        format!("the explorer gets to {} in {}. {}", from.frame.origin, from.cell, text.join(" "))
    }
}
