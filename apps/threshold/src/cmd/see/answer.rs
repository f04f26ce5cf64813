//! What is seen as JSON, for programs.

use serde::{Serialize, Serializer};
use threshold_land::CellId;
use threshold_view::{EntryPortal, PortalTest, Region, VisibleCell};

use super::report::Report;

#[derive(Serialize)]
struct Answer {
    root: Id,
    cells: Vec<Cell>,
    outside: Vec<Part>,
    missing: Vec<Id>,
    refused: Vec<Id>,
    budget_hit: bool,
    stats: Work,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<Vec<Unseen>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    given_up: Option<Vec<Id>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    landscape_left_out: Vec<Tried>,
}

struct Id(CellId);

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

#[derive(Serialize)]
struct Cell {
    id: Id,
    regions: Vec<Part>,
}

/// A region.
#[derive(Serialize)]
struct Part {
    planes: Vec<[f64; 3]>,
    polygon: Vec<[f64; 2]>,
    via: Option<Through>,
}

#[derive(Serialize)]
struct Through {
    cell: Id,
    portal: u16,
    region: usize,
}

/// How much work it was.
#[derive(Serialize)]
struct Work {
    walks: usize,
    eligible: usize,
    visits: usize,
    openings: usize,
    doors: usize,
    doors_missing: usize,
    near: usize,
    merged: usize,
    /// Landblocks of terrain that were loaded.
    landblocks: usize,
}

/// A cell that is not seen, and the openings that lead there.
#[derive(Serialize)]
struct Unseen {
    id: Id,
    openings: Vec<Tried>,
}

#[derive(Serialize)]
struct Tried {
    cell: Id,
    portal: u16,
    outdoors: bool,
    reason: &'static str,
}

fn ids(cells: &[CellId]) -> Vec<Id> {
    cells.iter().copied().map(Id).collect()
}

impl From<VisibleCell<'_>> for Cell {
    fn from(cell: VisibleCell<'_>) -> Self {
        Self { id: Id(cell.id()), regions: cell.regions().map(Part::from).collect() }
    }
}

impl From<Region<'_>> for Part {
    fn from(region: Region<'_>) -> Self {
        Self {
            planes: region.planes().iter().map(|plane| plane.to_array()).collect(),
            polygon: region.corners().iter().map(|corner| corner.to_array()).collect(),
            via: region.entry().map(Through::from),
        }
    }
}

impl From<EntryPortal> for Through {
    fn from(EntryPortal { cell, portal, region, .. }: EntryPortal) -> Self {
        Self { cell: Id(cell), portal, region }
    }
}

impl Work {
    fn of(report: &Report<'_>) -> Self {
        let stats = report.seen.stats();
        Self {
            walks: stats.walks,
            eligible: stats.eligible,
            visits: stats.visits,
            openings: stats.portals,
            doors: stats.building_portals,
            doors_missing: stats.unusable_building_portals,
            near: stats.whole_portals,
            merged: stats.merges,
            landblocks: report.landblocks,
        }
    }
}

impl From<&PortalTest> for Tried {
    fn from(trial: &PortalTest) -> Self {
        Self {
            cell: Id(trial.cell),
            portal: trial.portal,
            outdoors: trial.outdoors,
            reason: trial.outcome.text(),
        }
    }
}

impl From<&(CellId, Vec<PortalTest>)> for Unseen {
    fn from((cell, trials): &(CellId, Vec<PortalTest>)) -> Self {
        Self { id: Id(*cell), openings: trials.iter().map(Tried::from).collect() }
    }
}

impl Serialize for Report<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (seen, why) = (self.seen, self.why.as_ref());
        let answer = Answer {
            root: Id(seen.root()),
            cells: seen.cells().map(Cell::from).collect(),
            outside: seen.landscape().map(Part::from).collect(),
            missing: ids(&self.missing()),
            refused: ids(seen.unlisted()),
            budget_hit: seen.budget_hit(),
            stats: Work::of(self),
            why: why.map(|why| why.not_entered.iter().map(Unseen::from).collect()),
            given_up: why.map(|why| ids(&why.given_up)),
            landscape_left_out: self.left_out.iter().map(Tried::from).collect(),
        };
        answer.serialize(serializer)
    }
}
