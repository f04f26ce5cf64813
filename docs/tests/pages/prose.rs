//! House rules of the pages: width of lines and length of paragraphs.

use crate::source::files;

/// Greatest number of columns of a line of prose.
const MAX_COLUMNS: usize = 100;
/// Greatest number of lines of a paragraph or an item of a list.
const MAX_PARAGRAPH: usize = 6;

/// A line of a page, by what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineKind {
    /// A line of a paragraph.
    Prose,
    /// The first line of an item of a list.
    Item,
    /// Heading, table, code or an empty line: ends a paragraph.
    Other,
}

/// Returns the kinds of the lines of a page.
fn kinds(page: &str) -> Vec<LineKind> {
    let mut in_code = false;
    let kind = |line: &str| {
        let text = line.trim_start();
        if text.starts_with("```") {
            in_code = !in_code;
            return LineKind::Other;
        }
        if in_code || text.is_empty() || text.starts_with(['|', '#', '<']) {
            return LineKind::Other;
        }
        let after_number = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_numbered = after_number.len() < text.len() && after_number.starts_with(". ");
        if is_numbered || text.starts_with("- ") { LineKind::Item } else { LineKind::Prose }
    };
    page.lines().map(kind).collect()
}

#[test]
fn lines_of_prose_are_not_too_wide() {
    let mut wrong = Vec::new();
    for (path, page) in files("md") {
        for ((number, line), kind) in page.lines().enumerate().zip(kinds(page)) {
            let columns = line.chars().count();
            let has_link = line.contains("](") || line.contains("://");
            if kind != LineKind::Other && columns > MAX_COLUMNS && !has_link {
                wrong.push(format!("{path}:{}: {columns} columns", number + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "wider than {MAX_COLUMNS}:\n{}", wrong.join("\n"));
}

#[test]
fn paragraphs_are_short() {
    let mut wrong = Vec::new();
    for (path, page) in files("md") {
        let mut lines = 0;
        for (number, kind) in kinds(page).into_iter().enumerate() {
            lines = match kind {
                LineKind::Prose => lines + 1,
                LineKind::Item => 1,
                LineKind::Other => 0,
            };
            if lines == MAX_PARAGRAPH + 1 {
                wrong.push(format!("{path}:{}", number + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "more than {MAX_PARAGRAPH} lines:\n{}", wrong.join("\n"));
}

#[test]
fn prose_is_told_from_code_and_tables() {
    use LineKind::{Item, Other, Prose};
    let page = "# Head\nText\nmore\n\n- item\n  more\n1. one\n| a |\n```\ncode\n```\n3.5 m";
    let want = [Other, Prose, Prose, Other, Item, Prose, Item, Other, Other, Other, Other, Prose];
    assert_eq!(kinds(page), want);
}
