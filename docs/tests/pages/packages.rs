//! The manifests of published packages have everything that a registry shows.

use std::path::Path;

use crate::source::files;

/// Lines that every published manifest has.
const LINES: [&str; 7] = [
    "version.workspace = true",
    "license.workspace = true",
    "repository.workspace = true",
    "rust-version.workspace = true",
    "readme = \"README.md\"",
    "[package.metadata.docs.rs]",
    "all-features = true",
];
/// Greatest number of keywords, and of categories, that a registry accepts.
const MAX_WORDS: usize = 5;
/// Greatest length of a keyword.
const MAX_KEYWORD: usize = 20;
/// Greatest length of a description: registries cut longer ones.
const MAX_DESCRIPTION: usize = 120;

/// Returns the problems of a manifest.
fn problems(manifest: &str) -> Vec<String> {
    let has = |wanted: &&str| manifest.lines().any(|line| line == *wanted);
    let missing = LINES.iter().filter(|wanted| !has(wanted));
    let mut problems: Vec<String> = missing.map(|line| format!("no line `{line}`")).collect();
    match value(manifest, "description") {
        None => problems.push("no description".to_owned()),
        Some(text) => {
            let length = text.trim_matches('"').chars().count();
            if length > MAX_DESCRIPTION || text.ends_with(".\"") {
                problems.push(format!("description of {length} characters, or with a full stop"));
            }
        }
    }
    if value(manifest, "documentation").is_none_or(|at| !at.starts_with("\"https://docs.rs/")) {
        problems.push("no documentation on docs.rs".to_owned());
    }
    for key in ["keywords", "categories"] {
        let words: Vec<&str> = value(manifest, key).map_or_else(Vec::new, words);
        if words.is_empty() || words.len() > MAX_WORDS {
            problems.push(format!("{} {key}, 1 to {MAX_WORDS} expected", words.len()));
        }
        let long = words.iter().filter(|word| key == "keywords" && word.len() > MAX_KEYWORD);
        problems.extend(long.map(|word| format!("keyword {word} is too long")));
    }
    problems
}

/// Returns the value of a key of the first table, `package`.
fn value<'a>(manifest: &'a str, key: &str) -> Option<&'a str> {
    let package = manifest.split("\n[").next()?;
    package.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "))
}

/// Returns the texts of a list on one line.
fn words(list: &str) -> Vec<&str> {
    list.split('"').skip(1).step_by(2).collect()
}

#[test]
fn published_packages_describe_themselves() {
    let is_package = |path: &str| {
        let parts: Vec<&str> = path.split('/').collect();
        matches!(parts[..], ["crates" | "apps", _, "Cargo.toml"])
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (path, manifest) in files("toml").filter(|(path, _)| is_package(path)) {
        if manifest.lines().any(|line| line == "publish = false") {
            continue;
        }
        count += 1;
        let folder = path.strip_suffix("Cargo.toml").unwrap();
        wrong.extend(problems(manifest).into_iter().map(|problem| format!("{path}: {problem}")));
        for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
            if !root.join(folder).join(file).exists() {
                wrong.push(format!("{folder}{file} is missing"));
            }
        }
    }
    assert!(count >= 14, "{count} published packages");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_incomplete_manifest_has_problems() {
    let manifest = "[package]\nname = \"x\"\nkeywords = [\"a-keyword-of-many-letters\"]\n";
    let found = problems(manifest);
    assert_eq!(found.len(), LINES.len() + 4, "{found:?}");
}
