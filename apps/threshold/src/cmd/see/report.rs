//! What is seen as text.

use std::collections::BTreeSet;
use std::io::{self, Write};

use threshold_land::CellId;
use threshold_view::{
    EntryPortal, PortalLog, PortalOutcome, PortalTest, Region, RegionContent, VisibleCell,
    VisibleSet,
};
use threshold_why::words;

use super::See;
use crate::show::{print_table, thousands};
use crate::surroundings::Surroundings;

/// What is said.
pub(super) struct Report<'a> {
    see: &'a See,
    pub(super) seen: &'a VisibleSet,
    /// Landblocks of the landscape that were loaded.
    pub(super) landblocks: usize,
    /// Whether the eye is in its cell.
    contains_eye: bool,
    /// Openings that lead outdoors and would be seen, and show no landscape.
    pub(super) left_out: Vec<PortalTest>,
    pub(super) why: Option<Why>,
}

/// What is not seen, and why.
pub(super) struct Why {
    pub(super) not_entered: Vec<(CellId, Vec<PortalTest>)>,
    pub(super) given_up: Vec<CellId>,
}

impl<'a> Report<'a> {
    pub(super) fn new(
        see: &'a See,
        seen: &'a VisibleSet,
        around: &Surroundings,
        reasons: &PortalLog,
    ) -> Self {
        let why = see.why.then(|| Why {
            not_entered: reasons.unseen_rooms(seen),
            given_up: once_each(reasons.unvisited_rooms().iter().copied()),
        });
        let cell = around.world().cell(see.cell);
        let contains_eye = cell.is_some_and(|cell| cell.contains(see.eye.as_vec3()));
        let left_out = reasons.landscape_left_out();
        Self { see, seen, landblocks: around.landblocks(), contains_eye, left_out, why }
    }

    /// Rooms that are not resident, each once.
    pub(super) fn missing(&self) -> Vec<CellId> {
        once_each(self.seen.not_resident().filter_map(|region| match region.content() {
            RegionContent::NotResident(cell) => Some(cell),
            RegionContent::Room(_) | RegionContent::Landscape => None,
        }))
    }

    pub(super) fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let See { cell, eye, look, fov, .. } = self.see;
        let (eye, look) = (words::vector(eye.as_vec3()), words::vector(look.as_vec3()));
        let aspect = words::number(self.see.shape());
        writeln!(out, "From {eye} in {}, looking at {look};", words::cell(*cell))?;
        writeln!(out, "{fov} degrees from bottom to top, {aspect} times as wide as high.")?;
        if !self.contains_eye {
            writeln!(
                out,
                "The eye is not in this cell. The cell counts: the viewer was carried there."
            )?;
        }
        writeln!(out)?;
        self.print_seen(out)?;
        self.print_rest(out)?;
        self.why.iter().try_for_each(|why| why.print(out))
    }

    fn print_seen(&self, out: &mut impl Write) -> io::Result<()> {
        let head = ["seen", "regions", "of the screen", "distance", "first seen through"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        rows.extend(self.seen.cells().map(|cell| row_of(&cell)));
        let outside: Vec<Region<'_>> = self.seen.landscape().collect();
        if !outside.is_empty() {
            rows.push(row("landscape".to_owned(), &outside, String::new()));
        }
        print_table(out, &rows)?;
        writeln!(out)?;
        if self.seen.cells().any(|cell| cell.regions().len() > 1) || outside.len() > 1 {
            writeln!(out, "Of the screen: the sum of the regions. What overlaps counts twice.")?;
        }
        if outside.is_empty() {
            writeln!(out, "The landscape is not seen.")?;
        }
        for PortalTest { cell, portal, outcome, .. } in &self.left_out {
            let setting = match outcome {
                PortalOutcome::LandscapeOff => "draw_landscape=on",
                _ => "seen_outside=portals",
            };
            writeln!(
                out,
                "Landscape left out: opening {portal} of {cell} {}. --rule {setting} shows it.",
                outcome.text()
            )?;
        }
        Ok(())
    }

    fn print_rest(&self, out: &mut impl Write) -> io::Result<()> {
        let (missing, refused) = (self.missing(), self.seen.unlisted());
        if !missing.is_empty() {
            writeln!(out, "Not there, though an opening leads to it: {}.", list(&missing))?;
        }
        if !refused.is_empty() {
            let refused = list(refused);
            writeln!(out, "Refused, as no list of visible cells names it: {refused}.")?;
        }
        if self.seen.budget_hit() {
            writeln!(out, "A walk was ended because it took too long: there may be more to see.")?;
        }
        let stats = self.seen.stats();
        let [walks, visits, openings, eligible] =
            [stats.walks, stats.visits, stats.portals, stats.eligible].map(thousands);
        writeln!(
            out,
            "Walks: {walks}, which might have entered {eligible} cells and took up {visits}; openings tried: \
             {openings}."
        )?;
        let [doors, merged, landblocks] =
            [stats.building_portals, stats.merges, self.landblocks].map(thousands);
        writeln!(
            out,
            "Openings of buildings on the screen: {doors}; regions merged: {merged}; landblocks of terrain loaded: \
             {landblocks}."
        )
    }
}

/// Each thing once, in the order of its first.
fn once_each(cells: impl Iterator<Item = CellId>) -> Vec<CellId> {
    let mut known = BTreeSet::new();
    cells.filter(|cell| known.insert(*cell)).collect()
}

fn list(cells: &[CellId]) -> String {
    cells.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn row_of(cell: &VisibleCell<'_>) -> Vec<String> {
    let regions: Vec<Region<'_>> = cell.regions().collect();
    row(cell.id().to_string(), &regions, format!("{:.2} m", cell.distance()))
}

/// A line of the table.
fn row(name: String, regions: &[Region<'_>], distance: String) -> Vec<String> {
    let share: f64 = regions.iter().map(Region::coverage).sum();
    let via = regions.first().map_or(String::new(), |region| through(region.entry()));
    let share = format!("{:.2} %", 100.0 * share);
    vec![name, regions.len().to_string(), share, distance, via]
}

/// The opening of a region, in words.
pub(super) fn through(via: Option<EntryPortal>) -> String {
    match via {
        None => "-".to_owned(),
        Some(EntryPortal { cell, portal, outdoors: true, .. }) => {
            format!("opening {portal} of {cell}, from outdoors")
        }
        Some(EntryPortal { cell, portal, .. }) => format!("opening {portal} of {cell}"),
    }
}

impl Why {
    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "\nNot seen, though an opening that was looked at leads there")?;
        if self.not_entered.is_empty() {
            writeln!(out, "  Nothing.")?;
        }
        for (cell, trials) in &self.not_entered {
            writeln!(out, "  {cell}")?;
            for PortalTest { cell, portal, outdoors, outcome, .. } in trials {
                let from = if *outdoors { ", from outdoors," } else { "" };
                writeln!(out, "    opening {portal} of {cell}{from} {}", outcome.text())?;
            }
        }
        if !self.given_up.is_empty() {
            let cells = list(&self.given_up);
            writeln!(out, "Seen, but not looked through, as a walk took too long: {cells}.")?;
        }
        Ok(())
    }
}
