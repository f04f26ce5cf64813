//! Routes home: from every place to where the walk began, first on the map of places and links, then on foot in one go.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use threshold_land::CellId;
use threshold_land::vector::Vec3;

use super::lane::rooms;
use super::survey::{LinkKind, Survey};
use super::{StandingState, WalkResult};

/// Most detours on one walk home before the explorer counts as stuck.
const MAX_DETOURS: usize = 200;

/// The next step home from each place; `None` where no route is known.
pub(crate) struct HomewardRoutes {
    steps: Vec<Option<Step>>,
}

#[derive(Clone, Copy)]
struct Step {
    to: usize,
    kind: LinkKind,
    /// Number of steps home.
    distance: usize,
}

impl Survey {
    /// Returns the shortest routes home.
    pub(crate) fn homeward_routes(&self) -> HomewardRoutes {
        let mut back: Vec<Vec<(usize, LinkKind)>> = vec![Vec::new(); self.places.len()];
        for (from, place) in self.places.iter().enumerate() {
            for link in &place.links {
                back[link.to].push((from, link.kind));
            }
        }
        let mut steps: Vec<Option<Step>> = vec![None; self.places.len()];
        let mut next = VecDeque::from([(0, 0)]);
        while let Some((to, distance)) = next.pop_front() {
            for (from, kind) in &back[to] {
                if *from != 0 && steps[*from].is_none() {
                    steps[*from] = Some(Step { to, kind: *kind, distance: distance + 1 });
                    next.push_back((*from, distance + 1));
                }
            }
        }
        HomewardRoutes { steps }
    }

    /// Looks for more links from places without a route home, until no more are found.
    pub(crate) fn find_routes_home(&mut self) -> HomewardRoutes {
        let mut left = usize::MAX;
        loop {
            let homeward = self.homeward_routes();
            let stranded = homeward.stranded();
            if stranded.is_empty() || stranded.len() >= left {
                return homeward;
            }
            left = stranded.len();
            let known = self.places.len();
            stranded.into_iter().for_each(|place| self.explore_from(place, true));
            self.explore_all(known);
        }
    }

    /// Describes the cells with places from which no route leads home, with one such place each. Empty if there are none.
    pub(crate) fn traps(&self, homeward: &HomewardRoutes) -> String {
        let mut traps = BTreeMap::new();
        for place in homeward.stranded() {
            let at = self.places[place].state.at;
            traps.entry(at.cell).or_insert(at.frame.origin);
        }
        let trap =
            |(cell, at): (CellId, Vec3)| format!("no route leads home from {cell} at {at}\n");
        traps.into_iter().map(trap).collect()
    }

    /// Returns rooms in which the explorer never stood: it only falls through them.
    pub(crate) fn never_stood_in(&self) -> Vec<CellId> {
        let entered: BTreeSet<CellId> =
            self.places.iter().map(|place| place.state.at.cell).collect();
        rooms(self.explorer.world()).into_iter().filter(|room| !entered.contains(room)).collect()
    }

    /// Returns the place of each room that is farthest from home.
    pub(crate) fn deepest(&self, homeward: &HomewardRoutes) -> BTreeMap<CellId, usize> {
        let mut deepest: BTreeMap<CellId, usize> = BTreeMap::new();
        for (number, place) in self.places.iter().enumerate() {
            if place.state.at.cell.is_indoor() {
                let best = deepest.entry(place.state.at.cell).or_insert(number);
                if homeward.distance(number) > homeward.distance(*best) {
                    *best = number;
                }
            }
        }
        deepest
    }

    /// Walks home from a place in one go, without resuming on the way. The error says what stops the explorer.
    pub(crate) fn walk_home(
        &mut self,
        homeward: &HomewardRoutes,
        from: usize,
    ) -> Result<(), String> {
        let state: StandingState = self.places[from].state.clone();
        self.explorer.resume(&state);
        let (mut here, mut detours) = (from, 0);
        while here != 0 {
            let Some(step) = homeward.steps[here] else {
                return Err(format!("no route leads on from {:?}", self.explorer.at()));
            };
            let next = self.take_step(homeward, (here, step), &mut detours);
            let Some(next) = next.filter(|_| detours < MAX_DETOURS) else {
                let aim = self.places[step.to].state.at;
                return Err(self.explorer.stopped_by(&aim));
            };
            here = next;
        }
        Ok(())
    }

    /// Takes a step home, and returns the place where it ends. The explorer does not stand exactly where the link was found. If
    /// the link fails, it goes there first, steps aside or leaps (it may be on a table): another detour each time, and on from
    /// wherever that leads.
    fn take_step(
        &mut self,
        homeward: &HomewardRoutes,
        (here, step): (usize, Step),
        detours: &mut usize,
    ) -> Option<usize> {
        if self.follow(step.kind) == WalkResult::Lost {
            return None;
        }
        let is_nearer = |place: &usize| homeward.distance(*place) < homeward.distance(here);
        let mut next = self.place_here().filter(is_nearer);
        while next.is_none() && *detours < MAX_DETOURS {
            let at = self.explorer.at();
            let aims = [self.places[here].state.at].into_iter().chain(self.around(&at));
            let detour_links: Vec<LinkKind> =
                aims.map(LinkKind::Straight).chain(self.leaps(&at)).collect();
            if self.follow(detour_links[*detours % detour_links.len()]) == WalkResult::Lost {
                return None;
            }
            *detours += 1;
            next = self.place_here().filter(|place| homeward.distance(*place) < usize::MAX);
        }
        next
    }
}

impl HomewardRoutes {
    /// Returns the places from which no route leads home.
    pub(crate) fn stranded(&self) -> Vec<usize> {
        (1..self.steps.len()).filter(|place| self.steps[*place].is_none()).collect()
    }

    /// Returns the number of steps home.
    fn distance(&self, place: usize) -> usize {
        match (place, self.steps.get(place)) {
            (0, _) => 0,
            (_, Some(Some(step))) => step.distance,
            _ => usize::MAX,
        }
    }
}
