//! Events of a portal walk: why a room is visible, and why another is not.

use threshold_land::CellId;

use crate::visible_set::VisibleSet;

/// Receives the events of a portal walk, for a test, a log or a debug view. `()` ignores them at no cost.
///
/// A probe cannot change the visible set.
pub trait ViewProbe {
    /// Called for every event, in order.
    fn receive(&mut self, event: ViewEvent);
}

impl ViewProbe for () {
    fn receive(&mut self, _: ViewEvent) {}
}

/// Collects all events in order.
impl ViewProbe for Vec<ViewEvent> {
    fn receive(&mut self, event: ViewEvent) {
        self.push(event);
    }
}

/// An event of a portal walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ViewEvent {
    /// A walk starts in a cell and may enter this number of cells.
    WalkStarted(CellId, usize),
    /// A cell is visited, for the first time or for new regions.
    CellVisited(CellId),
    /// A portal was tested.
    PortalTested(PortalTest),
    /// The walk is out of budget: the cell is visible, but its portals are not tested.
    BudgetHit(CellId),
}

/// Test of one portal through one region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PortalTest {
    /// Room that has the portal.
    pub cell: CellId,
    /// Number of the portal in the list of that room.
    pub portal: u16,
    /// Cell behind the portal; `None` for the outdoors. Seen from outdoors it is the room itself.
    pub leads_to: Option<CellId>,
    /// Whether the portal was tested from outdoors.
    pub outdoors: bool,
    /// Result of the test.
    pub outcome: PortalOutcome,
}

/// Result of a portal test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum PortalOutcome {
    /// The cell behind it is visible in a new region.
    Visible,
    /// The cell behind it is visible in the whole region of the near side, because the eye is so close to the portal.
    VisibleWhole,
    /// The cell behind it is visible, and the new region was merged with another one because the cell had too many.
    Merged,
    /// The cell behind it is already visible in all of the region.
    AlreadyVisible,
    /// The eye is behind the portal.
    FacesAway,
    /// The region was entered through this portal.
    IsEntry,
    /// The portal lies in front of the portal through which the region was entered.
    BeforeEntry,
    /// No part of it is on the screen.
    OffScreen,
    /// No part of it is in the region.
    OutOfRegion,
    /// The visible part is smaller than [`MIN_SOLID_ANGLE`](crate::MIN_SOLID_ANGLE).
    TooSmall,
    /// The cell behind it is not on the stab list.
    NotListed,
    /// The cell behind it is not resident.
    NotResident,
    /// The portal of a building leads to no exit portal of a resident room.
    NoExitPortal,
    /// It would show the outdoors, but the room of the viewer lacks the flag `seen_outside`. See
    /// [`SeenOutside::Flag`](crate::rules::SeenOutside).
    RootNotSeenOutside,
    /// It would show the outdoors, but its own room lacks the flag `seen_outside`.
    RoomNotSeenOutside,
    /// It would show the outdoors, but the landscape is switched off. See
    /// [`DrawLandscape::Off`](crate::rules::DrawLandscape).
    LandscapeOff,
}

impl PortalOutcome {
    /// Whether a rule keeps the landscape out of an exit portal that would show it.
    pub(crate) fn leaves_landscape_out(self) -> bool {
        matches!(self, Self::RootNotSeenOutside | Self::RoomNotSeenOutside | Self::LandscapeOff)
    }

    /// Returns the result as the predicate of a sentence whose subject is the portal.
    pub fn text(self) -> &'static str {
        match self {
            Self::Visible => "shows the cell behind it",
            Self::VisibleWhole => {
                "shows the cell behind it in the whole region, as the eye is close to it"
            }
            Self::Merged => "shows the cell behind it, in a region that was merged with another",
            Self::AlreadyVisible => "shows nothing that is not visible already",
            Self::FacesAway => "faces away from the eye",
            Self::IsEntry => "is the portal through which the region was entered",
            Self::BeforeEntry => "lies in front of the portal through which the region was entered",
            Self::OffScreen => "is off the screen",
            Self::OutOfRegion => "is hidden by the edges of the portals before it",
            Self::TooSmall => "is too narrow from the eye",
            Self::NotListed => "leads to a room that is not on the stab list",
            Self::NotResident => "leads to a cell that is not resident",
            Self::NoExitPortal => "leads to no exit portal of a resident room",
            Self::RootNotSeenOutside => {
                "leads outdoors, but the viewer's room lacks the flag seen_outside"
            }
            Self::RoomNotSeenOutside => "leads outdoors, but its room lacks the flag seen_outside",
            Self::LandscapeOff => "leads outdoors, but the landscape is switched off",
        }
    }
}

/// Probe that keeps every portal test, to explain why a room is not visible.
#[derive(Clone, Debug, Default)]
pub struct PortalLog {
    tests: Vec<PortalTest>,
    unvisited: Vec<CellId>,
}

impl ViewProbe for PortalLog {
    fn receive(&mut self, event: ViewEvent) {
        match event {
            ViewEvent::PortalTested(test) => self.tests.push(test),
            ViewEvent::BudgetHit(cell) => self.unvisited.push(cell),
            ViewEvent::WalkStarted(..) | ViewEvent::CellVisited(_) => {}
        }
    }
}

impl PortalLog {
    /// Returns the rooms behind tested portals that are not visible, in the order of their ids, each with all tests that
    /// might have shown it. A room that no visible room leads to is not listed.
    pub fn unseen_rooms(&self, visible: &VisibleSet) -> Vec<(CellId, Vec<PortalTest>)> {
        let is_visible = |cell: CellId| visible.cell(cell).is_some();
        let tests = self.tests.iter().filter_map(|test| test.leads_to.map(|to| (to, *test)));
        let mut tests: Vec<(CellId, PortalTest)> =
            tests.filter(|(to, _)| !is_visible(*to)).collect();
        let key = |test: &PortalTest| (test.cell, test.portal, test.outdoors, test.outcome);
        tests.sort_by_key(|(to, test)| (*to, key(test)));
        tests.dedup_by(|a, b| a == b);
        let rooms = tests.chunk_by(|a, b| a.0 == b.0);
        rooms.map(|room| (room[0].0, room.iter().map(|(_, test)| *test).collect())).collect()
    }

    /// Returns the exit portals that would be visible but show no landscape, each once, in the order of their rooms, with
    /// the rule or flag that keeps the landscape out.
    pub fn landscape_left_out(&self) -> Vec<PortalTest> {
        let mut tests: Vec<PortalTest> =
            self.tests.iter().filter(|test| test.outcome.leaves_landscape_out()).copied().collect();
        tests.sort_by_key(|test| (test.cell, test.portal, test.outcome));
        tests.dedup();
        tests
    }

    /// Returns the rooms that are visible but were not visited because the walk was out of budget.
    pub fn unvisited_rooms(&self) -> &[CellId] {
        &self.unvisited
    }
}
