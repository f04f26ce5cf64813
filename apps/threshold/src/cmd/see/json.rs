//! The report as JSON, for programs. The names of the fields are part of the interface.

use serde::{Serialize, Serializer};
use threshold_land::CellId;
use threshold_view::{EntryPortal, PortalTest, Region, VisibleCell};

use super::report::Report;

#[derive(Serialize)]
struct JsonReport {
    root: JsonId,
    cells: Vec<JsonCell>,
    outside: Vec<JsonRegion>,
    missing: Vec<JsonId>,
    refused: Vec<JsonId>,
    budget_hit: bool,
    stats: JsonStats,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<Vec<JsonHiddenCell>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    given_up: Option<Vec<JsonId>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    landscape_left_out: Vec<JsonTrial>,
}

/// A cell id, written as in retail: `0xA9B40164`.
struct JsonId(CellId);

impl Serialize for JsonId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

#[derive(Serialize)]
struct JsonCell {
    id: JsonId,
    regions: Vec<JsonRegion>,
}

#[derive(Serialize)]
struct JsonRegion {
    planes: Vec<[f64; 3]>,
    polygon: Vec<[f64; 2]>,
    via: Option<JsonVia>,
}

#[derive(Serialize)]
struct JsonVia {
    cell: JsonId,
    portal: u16,
    region: usize,
}

/// Counters of the portal walk.
#[derive(Serialize)]
struct JsonStats {
    walks: usize,
    eligible: usize,
    visits: usize,
    openings: usize,
    doors: usize,
    doors_missing: usize,
    near: usize,
    merged: usize,
    /// Landblocks with loaded terrain.
    landblocks: usize,
}

/// A cell that is not visible, and the portals that lead to it.
#[derive(Serialize)]
struct JsonHiddenCell {
    id: JsonId,
    openings: Vec<JsonTrial>,
}

#[derive(Serialize)]
struct JsonTrial {
    cell: JsonId,
    portal: u16,
    outdoors: bool,
    reason: &'static str,
}

fn ids(cells: &[CellId]) -> Vec<JsonId> {
    cells.iter().copied().map(JsonId).collect()
}

impl From<VisibleCell<'_>> for JsonCell {
    fn from(cell: VisibleCell<'_>) -> Self {
        Self { id: JsonId(cell.id()), regions: cell.regions().map(JsonRegion::from).collect() }
    }
}

impl From<Region<'_>> for JsonRegion {
    fn from(region: Region<'_>) -> Self {
        Self {
            planes: region.planes().iter().map(|plane| plane.to_array()).collect(),
            polygon: region.corners().iter().map(|corner| corner.to_array()).collect(),
            via: region.entry().map(JsonVia::from),
        }
    }
}

impl From<EntryPortal> for JsonVia {
    fn from(EntryPortal { cell, portal, region, .. }: EntryPortal) -> Self {
        Self { cell: JsonId(cell), portal, region }
    }
}

impl JsonStats {
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

impl From<&PortalTest> for JsonTrial {
    fn from(trial: &PortalTest) -> Self {
        Self {
            cell: JsonId(trial.cell),
            portal: trial.portal,
            outdoors: trial.outdoors,
            reason: trial.outcome.text(),
        }
    }
}

impl From<&(CellId, Vec<PortalTest>)> for JsonHiddenCell {
    fn from((cell, trials): &(CellId, Vec<PortalTest>)) -> Self {
        Self { id: JsonId(*cell), openings: trials.iter().map(JsonTrial::from).collect() }
    }
}

impl Serialize for Report<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (seen, why) = (self.seen, self.why.as_ref());
        let answer = JsonReport {
            root: JsonId(seen.root()),
            cells: seen.cells().map(JsonCell::from).collect(),
            outside: seen.landscape().map(JsonRegion::from).collect(),
            missing: ids(&self.missing()),
            refused: ids(seen.unlisted()),
            budget_hit: seen.budget_hit(),
            stats: JsonStats::of(self),
            why: why.map(|why| why.not_entered.iter().map(JsonHiddenCell::from).collect()),
            given_up: why.map(|why| ids(&why.given_up)),
            landscape_left_out: self.left_out.iter().map(JsonTrial::from).collect(),
        };
        answer.serialize(serializer)
    }
}
