//! ARCHITECTURE.md names paths that exist and what each crate really depends on.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::source::{files, text};
use crate::table::{code_spans, rows};

const PAGE: &str = "ARCHITECTURE.md";

fn from_root(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// Returns what the manifest in a folder depends on, with the common prefix of our crates cut off.
fn dependencies(folder: &str) -> BTreeSet<String> {
    let manifest = fs::read_to_string(from_root(folder).join("Cargo.toml")).unwrap();
    manifest
        .lines()
        .skip_while(|line| *line != "[dependencies]")
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .filter(|name| !name.is_empty() && !name.starts_with('#'))
        .map(|name| name.trim_start_matches("threshold-").to_owned())
        .collect()
}

fn add_with_dependencies(name: &str, reached: &mut BTreeSet<String>) {
    // The package of the front door is named after what it is, its folder after the library.
    let folder = format!("crates/{}", if name == "engine" { "threshold" } else { name });
    if reached.insert(name.to_owned()) && from_root(&folder).is_dir() {
        for dependency in dependencies(&folder) {
            add_with_dependencies(&dependency, reached);
        }
    }
}

#[test]
fn every_path_exists() {
    let mut wrong = Vec::new();
    for (number, line) in text(PAGE).unwrap().lines().enumerate() {
        for span in code_spans(line) {
            let exists = if span.contains('/') {
                span.contains(' ') || from_root(span).exists()
            } else {
                // A bare name is a file of the folder that its row names.
                !span.ends_with(".rs")
                    || code_spans(line)
                        .filter(|folder| folder.contains('/'))
                        .any(|folder| from_root(folder).join(span).exists())
                    || files("rs").any(|(path, _)| path.rsplit('/').next() == Some(span))
            };
            if !exists {
                wrong.push(format!("{}: {span}", number + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{PAGE} names what is not there:\n{}", wrong.join("\n"));
}

#[test]
fn dependencies_are_those_of_the_manifests() {
    let mut wrong = Vec::new();
    let mut checked = 0;
    for (line, cells) in rows(text(PAGE).unwrap()) {
        let Some(folder) = code_spans(cells[0]).next().filter(|_| cells.len() == 4) else {
            continue;
        };
        if !folder.starts_with("crates/") {
            continue;
        }
        checked += 1;
        let direct = dependencies(folder);
        let named: Vec<&str> = cells[2].split(", ").collect();
        let mut reached = BTreeSet::new();
        for name in &named {
            if !direct.iter().any(|dependency| dependency.starts_with(name)) {
                wrong.push(format!("{line}: {folder} does not depend on {name}"));
            }
            add_with_dependencies(name, &mut reached);
        }
        for dependency in &direct {
            if from_root("crates").join(dependency).is_dir() && !reached.contains(dependency) {
                wrong.push(format!("{line}: {folder} depends on {dependency}, too"));
            }
        }
    }
    let crates = fs::read_dir(from_root("crates")).unwrap().count();
    assert_eq!(checked, crates, "crates in the table and in the folder");
    assert!(wrong.is_empty(), "{PAGE}:\n{}", wrong.join("\n"));
}

#[test]
fn only_the_renderer_needs_a_graphics_interface() {
    let names = fs::read_dir(from_root("crates")).unwrap().map(|entry| entry.unwrap().file_name());
    let knows_wgpu = |name: &String| {
        let mut reached = BTreeSet::new();
        add_with_dependencies(name, &mut reached);
        reached.contains("wgpu")
    };
    let names = names.filter_map(|name| name.into_string().ok()).filter(knows_wgpu);
    assert_eq!(names.collect::<Vec<_>>(), ["render"]);
}
