//! The report, as text.

use std::collections::BTreeSet;
use std::io::{self, Write};

use threshold_land::CellId;
use threshold_view::{
    EntryPortal, PortalLog, PortalOutcome, PortalTest, Region, RegionContent, VisibleCell,
    VisibleSet,
};
use threshold_why::words;

use super::See;
use crate::formatting::{print_table, thousands};
use crate::surroundings::Surroundings;

/// The visible cells of a viewer, and the reasons why others are not visible.
pub(super) struct Report<'a> {
    see: &'a See,
    pub(super) seen: &'a VisibleSet,
    /// Number of landblocks that were loaded for the landscape.
    pub(super) landblocks: usize,
    /// Whether the cell contains the eye.
    contains_eye: bool,
    /// Visible exit portals that show no landscape.
    pub(super) left_out: Vec<PortalTest>,
    pub(super) why: Option<HiddenCells>,
}

/// Cells that are not visible, with the reasons.
pub(super) struct HiddenCells {
    pub(super) not_entered: Vec<(CellId, Vec<PortalTest>)>,
    /// Visible cells with portals that were not tried, because a walk ended early.
    pub(super) given_up: Vec<CellId>,
}

impl<'a> Report<'a> {
    pub(super) fn new(
        see: &'a See,
        seen: &'a VisibleSet,
        around: &Surroundings,
        log: &PortalLog,
    ) -> Self {
        let why = see.why.then(|| HiddenCells {
            not_entered: log.unseen_rooms(seen),
            given_up: unique(log.unvisited_rooms().iter().copied()),
        });
        let cell = around.world().cell(see.cell);
        let contains_eye = cell.is_some_and(|cell| cell.contains(see.eye.as_vec3()));
        let left_out = log.landscape_left_out();
        Self { see, seen, landblocks: around.landblocks(), contains_eye, left_out, why }
    }

    /// Returns the rooms behind visible portals that do not exist, each once.
    pub(super) fn missing(&self) -> Vec<CellId> {
        unique(self.seen.not_resident().filter_map(|region| match region.content() {
            RegionContent::NotResident(cell) => Some(cell),
            RegionContent::Room(_) | RegionContent::Landscape => None,
        }))
    }

    pub(super) fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let See { cell, eye, look, fov, .. } = self.see;
        let (eye, look) = (words::vector(eye.as_vec3()), words::vector(look.as_vec3()));
        let aspect = words::number(self.see.drawn_aspect());
        writeln!(out, "From {eye} in {}, looking at {look};", words::cell(*cell))?;
        writeln!(out, "{fov} degrees from bottom to top, {aspect} times as wide as high.")?;
        if !self.contains_eye {
            writeln!(
                out,
                "The eye is outside this cell. The portal walk starts in the cell all the same."
            )?;
        }
        writeln!(out)?;
        self.print_seen(out)?;
        self.print_stats(out)?;
        self.why.iter().try_for_each(|why| why.print(out))
    }

    fn print_seen(&self, out: &mut impl Write) -> io::Result<()> {
        let head = ["visible", "regions", "of the screen", "distance", "first through"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        rows.extend(self.seen.cells().map(|cell| cell_row(&cell)));
        let outside: Vec<Region<'_>> = self.seen.landscape().collect();
        if !outside.is_empty() {
            rows.push(row("landscape".to_owned(), &outside, String::new()));
        }
        print_table(out, &rows)?;
        writeln!(out)?;
        if self.seen.cells().any(|cell| cell.regions().len() > 1) || outside.len() > 1 {
            writeln!(out, "Of the screen: the sum of the regions; overlaps count twice.")?;
        }
        if outside.is_empty() {
            writeln!(out, "The landscape is not visible.")?;
        }
        for PortalTest { cell, portal, outcome, .. } in &self.left_out {
            let setting = match outcome {
                PortalOutcome::LandscapeOff => "draw_landscape=on",
                _ => "seen_outside=portals",
            };
            writeln!(
                out,
                "Landscape left out: portal {portal} of {cell} {}. --rule {setting} shows it.",
                outcome.text()
            )?;
        }
        Ok(())
    }

    fn print_stats(&self, out: &mut impl Write) -> io::Result<()> {
        let (missing, refused) = (self.missing(), self.seen.unlisted());
        if !missing.is_empty() {
            writeln!(out, "Not resident, although a portal leads there: {}.", list(&missing))?;
        }
        if !refused.is_empty() {
            let refused = list(refused);
            writeln!(out, "Not entered, as no stab list names it: {refused}.")?;
        }
        if self.seen.budget_hit() {
            writeln!(out, "A walk exceeded its budget and was ended: more may be visible.")?;
        }
        let stats = self.seen.stats();
        let [walks, visits, portals, eligible] =
            [stats.walks, stats.visits, stats.portals, stats.eligible].map(thousands);
        writeln!(
            out,
            "Walks: {walks}; cells eligible: {eligible}; cells visited: {visits}; portals tried: {portals}."
        )?;
        let [doors, merged, landblocks] =
            [stats.building_portals, stats.merges, self.landblocks].map(thousands);
        writeln!(
            out,
            "Building portals on the screen: {doors}; regions merged: {merged}; landblocks loaded: {landblocks}."
        )
    }
}

/// Drops repeated cells.
fn unique(cells: impl Iterator<Item = CellId>) -> Vec<CellId> {
    let mut known = BTreeSet::new();
    cells.filter(|cell| known.insert(*cell)).collect()
}

fn list(cells: &[CellId]) -> String {
    cells.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// Returns the row of a cell.
fn cell_row(cell: &VisibleCell<'_>) -> Vec<String> {
    let regions: Vec<Region<'_>> = cell.regions().collect();
    row(cell.id().to_string(), &regions, format!("{:.2} m", cell.distance()))
}

/// Returns a row of the table.
fn row(name: String, regions: &[Region<'_>], distance: String) -> Vec<String> {
    let share: f64 = regions.iter().map(Region::coverage).sum();
    let via = regions.first().map_or(String::new(), |region| via_text(region.entry()));
    let share = format!("{:.2} %", 100.0 * share);
    vec![name, regions.len().to_string(), share, distance, via]
}

/// Describes the portal that a region shows through.
fn via_text(via: Option<EntryPortal>) -> String {
    match via {
        None => "-".to_owned(),
        Some(EntryPortal { cell, portal, outdoors: true, .. }) => {
            format!("portal {portal} of {cell}, from outdoors")
        }
        Some(EntryPortal { cell, portal, .. }) => format!("portal {portal} of {cell}"),
    }
}

impl HiddenCells {
    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "\nNot visible, although a portal that was tried leads there")?;
        if self.not_entered.is_empty() {
            writeln!(out, "  None.")?;
        }
        for (cell, trials) in &self.not_entered {
            writeln!(out, "  {cell}")?;
            for PortalTest { cell, portal, outdoors, outcome, .. } in trials {
                let from = if *outdoors { ", from outdoors," } else { "" };
                writeln!(out, "    portal {portal} of {cell}{from} {}", outcome.text())?;
            }
        }
        if !self.given_up.is_empty() {
            let cells = list(&self.given_up);
            writeln!(
                out,
                "Visible, but their portals were not tested, as a walk exceeded its budget: {cells}."
            )?;
        }
        Ok(())
    }
}
