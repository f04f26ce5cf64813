//! The files of the repository, and what is defined in them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Folders that hold nothing written by hand.
const LEFT_OUT: [&str; 3] = ["target", "pictures", "artifacts"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns all files with an extension by their path from the root, with `/` between folders.
pub(crate) fn files(extension: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    static FILES: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    let files = FILES.get_or_init(|| {
        let mut files = BTreeMap::new();
        collect(&root(), "", &mut files);
        files
    });
    files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .filter(move |(path, _)| path.rsplit('.').next() == Some(extension))
}

fn collect(folder: &Path, path: &str, files: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let is_folder = entry.file_type().unwrap().is_dir();
        if name.starts_with('.') || is_folder && LEFT_OUT.contains(&name.as_str()) {
            continue;
        }
        let path = if path.is_empty() { name } else { format!("{path}/{name}") };
        if is_folder {
            collect(&entry.path(), &path, files);
        } else if [".rs", ".md", ".toml"].iter().any(|end| path.ends_with(end)) {
            files.insert(path, fs::read_to_string(entry.path()).unwrap());
        }
    }
}

/// Returns the text of a file, or `None` if there is no such file.
pub(crate) fn text(path: &str) -> Option<&'static str> {
    files(path.rsplit('.').next()?).find(|(at, _)| *at == path).map(|(_, text)| text)
}

/// Returns whether an item, a field, a variant or a macro of this name is defined in the text of a Rust file.
pub(crate) fn defines(text: &str, name: &str) -> bool {
    text.lines().any(|line| defines_in_line(line, name))
}

fn defines_in_line(line: &str, name: &str) -> bool {
    let indent = line.len() - line.trim_start().len();
    let mut words = line.trim_start();
    if words.starts_with("//") || words.starts_with('#') {
        return false;
    }
    if let Some(rest) = words.strip_prefix("pub") {
        let rest = rest
            .strip_prefix('(')
            .and_then(|rest| rest.split_once(')'))
            .map_or(rest, |(_, rest)| rest);
        words = rest.trim_start();
    }
    let item = ["fn", "struct", "enum", "const", "static", "type", "trait", "mod", "macro_rules!"];
    let mut rest = words;
    while let Some((word, after)) = rest.split_once(' ') {
        if item.contains(&word) && starts_with_name(after, name).is_some() {
            return true;
        }
        if !["const", "async", "unsafe", "extern", "default"].contains(&word) {
            break;
        }
        rest = after;
    }
    // A field or a variant: both stand one level deep and end with a comma or a bracket.
    indent == 4
        && words.ends_with([',', '{', '('])
        && starts_with_name(words, name).is_some_and(|after| {
            after.starts_with([':', ',', '(']) || after.starts_with(" {") || after.starts_with(" =")
        })
        && !words.contains("::new(")
}

fn starts_with_name<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let after = text.strip_prefix(name)?;
    (!after.starts_with(|c: char| c.is_alphanumeric() || c == '_')).then_some(after)
}

#[test]
fn items_fields_variants_and_tests_are_found() {
    let text = "\
pub(crate) const fn walk(&self) {
    fn inner() {}
pub struct Plan {
    pub(crate) spheres: [Sphere; 2],
    Shape(Vec3),
    Empty,
const MAX_STEPS: u32 = 30;
// fn commented() {}
";
    for name in ["walk", "inner", "Plan", "spheres", "Shape", "Empty", "MAX_STEPS"] {
        assert!(defines(text, name), "{name}");
    }
    for name in ["wal", "Pla", "commented", "Vec3", "MAX", "pub"] {
        assert!(!defines(text, name), "{name}");
    }
}
