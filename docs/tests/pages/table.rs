//! Tables in Markdown.

/// Returns the rows of all tables of a page, heads and rules left out: line number and cells.
pub(crate) fn rows(page: &str) -> Vec<(usize, Vec<&str>)> {
    let lines: Vec<&str> = page.lines().collect();
    let is_rule = |line: &str| line.starts_with("|---");
    let mut rows = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let is_head = lines.get(index + 1).is_some_and(|next| is_rule(next));
        if let Some(row) = line.strip_prefix("| ")
            && !is_head
            && !is_rule(line)
        {
            let cells = row.trim_end().trim_end_matches('|').split(" | ").map(str::trim).collect();
            rows.push((index + 1, cells));
        }
    }
    rows
}

/// Returns what stands between backquotes.
pub(crate) fn code_spans(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn a_table_has_rows_of_cells() {
    let page = "Text\n\n| a | b |\n|---|---|\n| `x` | y |\n| z | `v`, `w` |\n";
    assert_eq!(rows(page), [(5, vec!["`x`", "y"]), (6, vec!["z", "`v`, `w`"])]);
    assert_eq!(code_spans("`v`, `w`").collect::<Vec<_>>(), ["v", "w"]);
}
