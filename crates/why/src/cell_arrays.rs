//! Sentences for cell arrays.

use threshold_land::CellId;
use threshold_land::vector::Vec3;
use threshold_world::{ListedCell, Reason};

use super::node::Node;
use super::record::CellArrayRecord;
use super::words;

impl CellArrayRecord {
    pub(super) fn new(
        cells: &[ListedCell],
        reasons: &[Reason],
        picked: Option<CellId>,
        centre: Vec3,
        spheres: usize,
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

    /// Land cells that contain the centre: on a border, more than one.
    fn land_cells_below(&self) -> impl Iterator<Item = &(ListedCell, Option<Reason>)> {
        self.cells.iter().filter(|(entry, reason)| {
            entry.cell.is_outdoor() && reason.is_some_and(|reason| reason.contains == Some(true))
        })
    }

    fn ids(&self) -> Vec<CellId> {
        self.cells.iter().map(|(entry, _)| entry.cell).collect()
    }

    /// Cells before the picked one that do not contain the centre.
    fn passed_over(&self) -> impl Iterator<Item = &(ListedCell, Option<Reason>)> {
        let picked = self.picked;
        let before = self.cells.iter().take_while(move |(entry, _)| Some(entry.cell) != picked);
        before.filter(|(_, reason)| reason.is_some_and(|reason| reason.contains == Some(false)))
    }
}

/// The cells of an array, each with the reason for its entry, and the one that contains the centre.
pub(super) fn node(array: &CellArrayRecord) -> Node {
    let ids = array.ids();
    let names = ids.iter().map(CellId::to_string).collect::<Vec<_>>().join(", ");
    let picked = match array.picked {
        Some(cell) => format!("{} contains its centre", words::cell(cell)),
        None => "none contains its centre".to_owned(),
    };
    let text = format!("It touches {names}; {picked}.");
    let mut node = Node::new("cells", text)
        .with("centre", array.centre)
        .with("cells", ids)
        .with_some("picked", array.picked);
    node.children = candidates(array);
    node
}

fn candidate((entry, reason): &(ListedCell, Option<Reason>), spheres: usize) -> Node {
    let name = words::sentence(&words::cell(entry.cell));
    let Some(reason) = reason else {
        return Node::new("candidate", format!("{name}.")).with("cell", entry.cell);
    };
    let contains = match entry.resident {
        true => words::containment(reason),
        false => "not resident, so it is skipped".to_owned(),
    };
    let cause = words::cause(&reason.cause, spheres);
    let text = format!("{name}: {cause}; {contains}.");
    Node::new("candidate", text)
        .with("cell", entry.cell)
        .with("resident", entry.resident)
        .with("because", cause)
        .with_some("contains", reason.contains)
        .with_some("depth", reason.depth.filter(|depth| depth.is_finite()))
}

/// The sub-step in which the mover entered its cell.
pub(super) fn crossing(array: &CellArrayRecord, count: u32) -> Option<Node> {
    let (cell, sub_step) = (array.picked?, array.sub_step);
    let passed: Vec<String> = array.passed_over().map(passed_over).collect();
    let passed = match passed.is_empty() {
        true => String::new(),
        false => format!(", leaving {}", passed.join(", ")),
    };
    let name = words::cell(cell);
    let text = format!("It entered {name} in sub-step {sub_step} of {count}{passed}.");
    let mut node = Node::new("crossing", text)
        .with("cell", cell)
        .with("sub_step", sub_step)
        .with("centre", array.centre)
        .with("cells", array.ids());
    node.children = candidates(array);
    Some(node)
}

/// Why this cell was picked: the rule, and the cells tested before it.
pub(super) fn why_picked(array: &CellArrayRecord) -> Node {
    let Some(cell) = array.picked else {
        let text = "No resident cell contains its centre, so it is in none.";
        let mut node = Node::new("cell", text).with("centre", array.centre);
        node.children = candidates(array);
        return node;
    };
    let first = array.cells.first().is_some_and(|(entry, _)| entry.cell == cell);
    let land_cells = array.land_cells_below().count();
    let rule = match (cell.is_indoor(), first) {
        (true, true) => "it is the first cell of the array and still contains the centre",
        (true, false) => "it is the first room of the array that contains the centre",
        (false, _) if land_cells > 1 => {
            "no room of the array contains the centre, and it is the last land cell that does"
        }
        (false, _) => {
            "no room of the array contains the centre, and it is the land cell below the centre"
        }
    };
    let passed: Vec<String> = array.passed_over().map(passed_over).collect();
    let passed = match passed.is_empty() {
        true => String::new(),
        false => format!(" Passed over: {}.", passed.join(", ")),
    };
    let text = format!("It is in {}: {rule}.{passed}", words::cell(cell));
    let mut node = Node::new("cell", text)
        .with("cell", cell)
        .with("rule", rule)
        .with("centre", array.centre)
        .with("cells", array.ids());
    node.children = candidates(array);
    node
}

fn passed_over((entry, reason): &(ListedCell, Option<Reason>)) -> String {
    let depth = reason.and_then(|reason| reason.depth).filter(|depth| depth.is_finite());
    match depth {
        Some(depth) => format!("{} (outside by {})", entry.cell, words::metres(-depth)),
        None => entry.cell.to_string(),
    }
}

fn candidates(array: &CellArrayRecord) -> Vec<Node> {
    array.cells.iter().map(|cell| candidate(cell, array.spheres)).collect()
}
