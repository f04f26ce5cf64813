//! Lists of cells in words.

use threshold_land::CellId;
use threshold_land::glam::Vec3;
use threshold_world::{ListedCell, Reason};

use super::account::Listing;
use super::node::Node;
use super::words;

impl Listing {
    pub(super) fn new(
        cells: &[ListedCell],
        reasons: &[Reason],
        picked: Option<CellId>,
        (centre, spheres): (Vec3, usize),
    ) -> Self {
        let reasons = reasons.iter().copied().map(Some).chain(std::iter::repeat(None));
        Self {
            cells: cells.iter().copied().zip(reasons).collect(),
            picked,
            centre,
            spheres,
            sub_step: 0,
        }
    }

    /// Land cells that contain the centre: on a border more than one does.
    fn lands_below(&self) -> impl Iterator<Item = &(ListedCell, Option<Reason>)> {
        self.cells.iter().filter(|(entry, reason)| {
            entry.cell.is_outdoor() && reason.is_some_and(|reason| reason.contains == Some(true))
        })
    }

    fn ids(&self) -> Vec<CellId> {
        self.cells.iter().map(|(entry, _)| entry.cell).collect()
    }

    /// Cells that stand before the one that was picked and do not contain the centre.
    fn passed_over(&self) -> impl Iterator<Item = &(ListedCell, Option<Reason>)> {
        let picked = self.picked;
        let before = self.cells.iter().take_while(move |(entry, _)| Some(entry.cell) != picked);
        before.filter(|(_, reason)| reason.is_some_and(|reason| reason.contains == Some(false)))
    }
}

/// A list of cells: each with the rule that brought it in, and which one contains the centre.
pub(super) fn node(listing: &Listing) -> Node {
    let ids = listing.ids();
    let names = ids.iter().map(CellId::to_string).collect::<Vec<_>>().join(", ");
    let picked = match listing.picked {
        Some(cell) => format!("{} contains its centre", words::cell(cell)),
        None => "none contains its centre".to_owned(),
    };
    let text = format!("It touches {names}; {picked}.");
    let mut node = Node::new("cells", text)
        .with("centre", listing.centre)
        .with("cells", ids)
        .with_some("picked", listing.picked);
    node.children = candidates(listing);
    node
}

fn candidate((entry, reason): &(ListedCell, Option<Reason>), spheres: usize) -> Node {
    let name = words::sentence(&words::cell(entry.cell));
    let Some(reason) = reason else {
        return Node::new("candidate", format!("{name}.")).with("cell", entry.cell);
    };
    let contains = match entry.resident {
        true => words::containment(reason),
        false => "not resident, so that it takes no part".to_owned(),
    };
    let because = words::because(&reason.cause, spheres);
    let text = format!("{name}: {because}; {contains}.");
    Node::new("candidate", text)
        .with("cell", entry.cell)
        .with("resident", entry.resident)
        .with("because", because)
        .with_some("contains", reason.contains)
        .with_some("depth", reason.depth.filter(|depth| depth.is_finite()))
}

/// Where the mover came into its cell.
pub(super) fn came_in(listing: &Listing, count: u32) -> Option<Node> {
    let (cell, sub_step) = (listing.picked?, listing.sub_step);
    let passed: Vec<String> = listing.passed_over().map(passed_over).collect();
    let passed = match passed.is_empty() {
        true => String::new(),
        false => format!(", where it left {}", passed.join(", ")),
    };
    let name = words::cell(cell);
    let text = format!("It came into {name} in sub-step {sub_step} of {count}{passed}.");
    let mut node = Node::new("crossing", text)
        .with("cell", cell)
        .with("sub_step", sub_step)
        .with("centre", listing.centre)
        .with("cells", listing.ids());
    node.children = candidates(listing);
    Some(node)
}

/// Why this cell and no other: the rule, and which cells were asked before it.
pub(super) fn why_picked(listing: &Listing) -> Node {
    let Some(cell) = listing.picked else {
        let text = "No resident cell contains its centre, so that it is in none.";
        let mut node = Node::new("cell", text).with("centre", listing.centre);
        node.children = candidates(listing);
        return node;
    };
    let first = listing.cells.first().is_some_and(|(entry, _)| entry.cell == cell);
    let lands = listing.lands_below().count();
    let rule = match (cell.is_indoor(), first) {
        (true, true) => "it comes first on the list and still contains the centre",
        (true, false) => "it is the first room on the list that contains the centre",
        (false, _) if lands > 1 => {
            "no room on the list contains the centre, and of the land cells that do the last counts"
        }
        (false, _) => "no room on the list contains the centre, and this is the land below it",
    };
    let passed: Vec<String> = listing.passed_over().map(passed_over).collect();
    let passed = match passed.is_empty() {
        true => String::new(),
        false => format!(" Passed over: {}.", passed.join(", ")),
    };
    let text = format!("It is in {}: {rule}.{passed}", words::cell(cell));
    let mut node = Node::new("cell", text)
        .with("cell", cell)
        .with("rule", rule)
        .with("centre", listing.centre)
        .with("cells", listing.ids());
    node.children = candidates(listing);
    node
}

fn passed_over((entry, reason): &(ListedCell, Option<Reason>)) -> String {
    let depth = reason.and_then(|reason| reason.depth).filter(|depth| depth.is_finite());
    match depth {
        Some(depth) => format!("{} (outside by {})", entry.cell, words::metres(-depth)),
        None => entry.cell.to_string(),
    }
}

fn candidates(listing: &Listing) -> Vec<Node> {
    listing.cells.iter().map(|cell| candidate(cell, listing.spheres)).collect()
}
