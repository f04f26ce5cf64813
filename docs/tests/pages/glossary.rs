//! docs/glossary.md names modules and items that exist.

use crate::source::{defines, files, text};
use crate::table::{code_spans, rows};

const PAGE: &str = "docs/glossary.md";

/// The folder of a crate, by its name without the prefix.
fn folder(name: &str) -> String {
    format!("crates/{name}")
}

/// Returns the texts of a module written as `crate::module::module`: of its file, or of the folder with its files.
fn module(path: &str) -> Vec<&'static str> {
    let mut parts = path.split("::");
    let base = format!("{}/src", folder(parts.next().unwrap()));
    let inner: Vec<&str> = parts.collect();
    if inner.is_empty() {
        return text(&format!("{base}/lib.rs")).into_iter().collect();
    }
    let base = format!("{base}/{}", inner.join("/"));
    let file = text(&format!("{base}.rs"));
    let in_folder =
        files("rs").filter(|(path, _)| path.starts_with(&format!("{base}/"))).map(|(_, text)| text);
    file.into_iter().chain(in_folder).collect()
}

#[test]
fn every_module_and_item_in_the_last_column_exists() {
    let mut wrong = Vec::new();
    let rows = rows(text(PAGE).unwrap());
    assert!(rows.len() > 60, "{} rows", rows.len());
    for (line, cells) in rows {
        let last = cells.last().unwrap();
        let mut texts = Vec::new();
        for span in code_spans(last) {
            if span.contains("::") {
                texts = module(span);
                if texts.is_empty() {
                    wrong.push(format!("{line}: no module {span}"));
                }
            } else if !texts.is_empty() && !texts.iter().any(|text| defines(text, span)) {
                wrong.push(format!("{line}: no `{span}` in {last}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{PAGE}:\n{}", wrong.join("\n"));
}
