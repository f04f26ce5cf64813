//! docs/retail.md names files and items that exist, and each retail name once.

use std::collections::BTreeMap;

use crate::source::{defines, text};
use crate::table::{code_spans, rows};

const PAGE: &str = "docs/retail.md";

/// Names that readers missed before; each is on the page.
const WANTED: [&str; 34] = [
    "CellManager",
    "CellManager::ChangePosition",
    "CellManager::PreFetchCells",
    "keep_lscape_loaded",
    "LScape::release_all",
    "LScape::update_loadpoint",
    "check_entry_restrictions",
    "enter_cell",
    "leave_cell",
    "change_cell",
    "find_valid_position",
    "SetOtherSeen",
    "PView::remove_views",
    "max_indist",
    "master_timestamp",
    "cell_view_done",
    "draw_landscape",
    "DrawPortalPolyInternal",
    "DefaultStepHeight",
    "IsDungeon",
    "check_other_cells",
    "CEnvCell::grab_visible_cells",
    "step_sphere_down",
    "calc_num_steps",
    "check_building_transit",
    "SmartBox",
    "ObjCellID",
    "portal_idx",
    "skid_dir",
    "step_down_amount",
    "out_containing",
    "CellTransitFindCellSetTests",
    "TransitionCheckOtherCellsTests",
    "FindEnvCollisionsMultiCellTests",
];

/// Checks the last cell of a row: files with items of theirs, or the reason why there is none.
fn check_reference(line: usize, cell: &str) -> Vec<String> {
    if let Some(reason) = cell.strip_prefix("none: ") {
        let is_reason = reason.split(' ').count() > 2 || reason.contains('`');
        return if is_reason { Vec::new() } else { vec![format!("{line}: no reason: {cell}")] };
    }
    let mut wrong = Vec::new();
    let mut file = None;
    for span in code_spans(cell) {
        if span.ends_with(".rs") {
            file = text(span);
            if file.is_none() {
                wrong.push(format!("{line}: no file {span}"));
            }
        } else if let Some(file) = file
            && !defines(file, span)
        {
            wrong.push(format!("{line}: no `{span}` in {cell}"));
        }
    }
    if code_spans(cell).next().is_none_or(|first| !first.ends_with(".rs")) {
        wrong.push(format!("{line}: neither a file nor a reason: {cell}"));
    }
    wrong
}

#[test]
fn every_file_and_item_on_the_page_exists() {
    let rows = rows(text(PAGE).unwrap());
    assert!(rows.len() > 250, "{} rows", rows.len());
    let wrong: Vec<String> = rows
        .iter()
        .flat_map(|(line, cells)| check_reference(*line, cells.last().unwrap()))
        .collect();
    assert!(wrong.is_empty(), "{PAGE}:\n{}", wrong.join("\n"));
}

#[test]
fn every_name_is_listed_once() {
    let mut lines: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (line, cells) in rows(text(PAGE).unwrap()) {
        // Rows of three cells list names; rows of two list tests.
        if cells.len() == 3 {
            for name in code_spans(cells[0]) {
                lines.entry(name).or_default().push(line);
            }
        }
    }
    lines.retain(|_, at| at.len() > 1);
    assert!(lines.is_empty(), "{PAGE}: named more than once: {lines:?}");
}

#[test]
fn names_that_were_missed_once_are_on_the_page() {
    let page = text(PAGE).unwrap();
    for name in WANTED {
        assert!(page.contains(&format!("`{name}`")), "{PAGE} lacks {name}");
    }
}
