//! What was not reached, and what is in the way: for whoever has to mend it.

use std::fmt::Write;

use threshold_land::{CellId, Position};
use threshold_motion::Sweeper;
use threshold_why as why;

use super::opening::{Lane, rooms};
use super::survey::Survey;
use super::{Walked, Walker};

/// More are only counted.
const TOLD: usize = 12;

impl Survey {
    /// Rooms that no sweep ended in.
    pub(crate) fn missing(&self) -> Vec<CellId> {
        let seen = &self.walker.seen;
        rooms(self.walker.world()).into_iter().filter(|id| !seen.contains(id)).collect()
    }

    /// The rooms that were not reached, and for each of them how far one gets; nothing if there are none.
    pub(crate) fn report(&mut self) -> String {
        let missing = self.missing();
        let mut text = String::new();
        for id in missing.iter().take(TOLD) {
            writeln!(text, "{id} was not reached:").unwrap();
            let into = |lane: &&Lane| lane.into == Some(*id);
            let lanes: Vec<Lane> = self.lanes.all().iter().filter(into).copied().collect();
            for lane in &lanes {
                writeln!(text, "  {}", self.attempt(lane)).unwrap();
            }
            if lanes.is_empty() {
                writeln!(text, "  no opening leads into it").unwrap();
            }
        }
        if missing.len() > TOLD {
            writeln!(text, "and {} more: {:?}", missing.len() - TOLD, &missing[TOLD..]).unwrap();
        }
        text
    }

    /// Tries once more to get through an opening, from the nearest place on this side of it, and says what stops it.
    fn attempt(&mut self, lane: &Lane) -> String {
        let far = |at: &Position| at.offset_to(&lane.before).length();
        let on_this_side = |at: &Position| match lane.from.is_indoor() {
            true => at.cell == lane.from,
            false => at.cell.is_outdoor(),
        };
        let places = self.places.iter().map(|place| &place.stood);
        let nearest = places
            .filter(|stood| on_this_side(&stood.at))
            .min_by(|a, b| far(&a.at).total_cmp(&far(&b.at)));
        let Some(nearest) = nearest.cloned() else {
            return format!("from {}, where nobody gets either", lane.from);
        };
        self.walker.resume(&nearest);
        let opening = format!("from {} at {}", lane.from, lane.before.frame.origin);
        for aim in [lane.before, lane.behind] {
            if self.walker.go(&aim) == Walked::Stopped {
                return format!("{opening}: {}", self.walker.stopped_by(&aim));
            }
        }
        let at = self.walker.at();
        format!("{opening}: it comes to stand at {} in {}", at.frame.origin, at.cell)
    }
}

impl Walker {
    /// What is in its way to a place.
    pub(crate) fn stopped_by(&self, aim: &Position) -> String {
        let from = self.at();
        let mut to = from;
        to.frame.origin += self.way(aim).normalize_or_zero() * self.stride();
        let mut mover = self.walk.body.mover(self.world()).unwrap();
        // As if it had just come there: who goes on against a wall is only told that nothing is left of its way.
        mover.stance.sliding = false;
        let sweeper = Sweeper { world: self.world(), rules: self.walk.rules };
        let (_, why) = why::sweep(&sweeper, &mover, &from, &to);
        let text: Vec<&str> = why.summary.iter().skip(1).map(|node| node.text.as_str()).collect();
        format!("it gets to {} in {}. {}", from.frame.origin, from.cell, text.join(" "))
    }
}
