//! Ways back: from everywhere to where the walk began, first on the map of ways, then on foot and in one go.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use threshold_land::CellId;
use threshold_land::glam::Vec3;

use super::opening::rooms;
use super::survey::{Over, Survey};
use super::{Stood, Walked};

/// Ways aside on one walk home before it counts as stuck.
const MOST_DETOURS: usize = 200;

/// The next step home from each place: where to, and how; `None` from where no way is known.
pub(crate) struct Homeward {
    steps: Vec<Option<Step>>,
}

#[derive(Clone, Copy)]
struct Step {
    to: usize,
    over: Over,
    /// How many steps it is.
    far: usize,
}

impl Survey {
    /// The shortest ways home.
    pub(crate) fn homeward(&self) -> Homeward {
        let mut back: Vec<Vec<(usize, Over)>> = vec![Vec::new(); self.places.len()];
        for (from, place) in self.places.iter().enumerate() {
            for way in &place.ways {
                back[way.to].push((from, way.over));
            }
        }
        let mut steps: Vec<Option<Step>> = vec![None; self.places.len()];
        let mut next = VecDeque::from([(0, 0)]);
        while let Some((to, far)) = next.pop_front() {
            for (from, over) in &back[to] {
                if *from != 0 && steps[*from].is_none() {
                    steps[*from] = Some(Step { to, over: *over, far: far + 1 });
                    next.push_back((*from, far + 1));
                }
            }
        }
        Homeward { steps }
    }

    /// Looks for more ways from where none leads home, until none is found.
    pub(crate) fn look_for_ways_home(&mut self) -> Homeward {
        let mut left = usize::MAX;
        loop {
            let homeward = self.homeward();
            let stranded = homeward.stranded();
            if stranded.is_empty() || stranded.len() >= left {
                return homeward;
            }
            left = stranded.len();
            let known = self.places.len();
            stranded.into_iter().for_each(|place| self.look_around(place, true));
            self.go_everywhere(known);
        }
    }

    /// The cells with places from which no way leads home, and one such place of each; nothing if there are none.
    pub(crate) fn traps(&self, homeward: &Homeward) -> String {
        let mut traps = BTreeMap::new();
        for place in homeward.stranded() {
            let at = self.places[place].stood.at;
            traps.entry(at.cell).or_insert(at.frame.origin);
        }
        let trap = |(cell, at): (CellId, Vec3)| format!("no way leads home from {cell} at {at}\n");
        traps.into_iter().map(trap).collect()
    }

    /// Rooms in which nobody stood: one only falls through them.
    pub(crate) fn never_stood_in(&self) -> Vec<CellId> {
        let stood: BTreeSet<CellId> = self.places.iter().map(|place| place.stood.at.cell).collect();
        rooms(self.walker.world()).into_iter().filter(|room| !stood.contains(room)).collect()
    }

    /// The place of each room that is farthest from home.
    pub(crate) fn deepest(&self, homeward: &Homeward) -> BTreeMap<CellId, usize> {
        let mut deepest: BTreeMap<CellId, usize> = BTreeMap::new();
        for (number, place) in self.places.iter().enumerate() {
            if place.stood.at.cell.is_indoor() {
                let best = deepest.entry(place.stood.at.cell).or_insert(number);
                if homeward.far(number) > homeward.far(*best) {
                    *best = number;
                }
            }
        }
        deepest
    }

    /// Walks home from a place in one go: nothing is remembered on the way. Says what stops it.
    pub(crate) fn walk_home(&mut self, homeward: &Homeward, from: usize) -> Result<(), String> {
        let stood: Stood = self.places[from].stood.clone();
        self.walker.resume(&stood);
        let (mut here, mut detours) = (from, 0);
        while here != 0 {
            let Some(step) = homeward.steps[here] else {
                return Err(format!("no way leads on from {:?}", self.walker.at()));
            };
            let on = self.get_on(homeward, (here, step), &mut detours);
            let Some(next) = on.filter(|_| detours < MOST_DETOURS) else {
                let aim = self.places[step.to].stood.at;
                return Err(self.walker.stopped_by(&aim));
            };
            here = next;
        }
        Ok(())
    }

    /// Takes a step home, and says where it is then. It does not stand exactly where the way was found; if that fails it goes
    /// there first, or a step aside, or leaps, as it may have got onto a table: each time another way, and on from wherever
    /// it leads.
    fn get_on(
        &mut self,
        homeward: &Homeward,
        (here, step): (usize, Step),
        detours: &mut usize,
    ) -> Option<usize> {
        if self.follow(step.over) == Walked::Lost {
            return None;
        }
        let nearer = |place: &usize| homeward.far(*place) < homeward.far(here);
        let mut next = self.place_here().filter(nearer);
        while next.is_none() && *detours < MOST_DETOURS {
            let at = self.walker.at();
            let aims = [self.places[here].stood.at].into_iter().chain(self.around(&at));
            let ways: Vec<Over> = aims.map(Over::Straight).chain(self.leaps(&at)).collect();
            if self.follow(ways[*detours % ways.len()]) == Walked::Lost {
                return None;
            }
            *detours += 1;
            next = self.place_here().filter(|place| homeward.far(*place) < usize::MAX);
        }
        next
    }
}

impl Homeward {
    /// The places from which no way leads home.
    pub(crate) fn stranded(&self) -> Vec<usize> {
        (1..self.steps.len()).filter(|place| self.steps[*place].is_none()).collect()
    }

    /// How many steps it is home.
    fn far(&self, place: usize) -> usize {
        match (place, self.steps.get(place)) {
            (0, _) => 0,
            (_, Some(Some(step))) => step.far,
            _ => usize::MAX,
        }
    }
}
