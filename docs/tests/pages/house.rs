//! House rules of the source: sizes, names and words.

use std::collections::{BTreeMap, BTreeSet};

use crate::allowed::{LONG_FUNCTIONS, SHARED_TYPE_NAMES, check_allowed};
use crate::source::files;

/// Greatest number of lines of a source file.
const MAX_FILE_LINES: usize = 500;
/// Greatest number of lines of a function.
const MAX_FUNCTION_LINES: usize = 60;
/// Words that hide a subject: a comment names the mover, the body, the caller, the reader.
/// `whose` is not among them: it refers to things, too.
const HIDDEN_SUBJECTS: [&str; 9] =
    ["who", "whom", "somebody", "nobody", "whoever", "anybody", "everybody", "someone", "everyone"];

#[test]
fn no_source_file_is_too_long() {
    let lines = |text: &str| text.lines().count();
    let long = files("rs").filter(|(_, text)| lines(text) > MAX_FILE_LINES);
    let long = long.map(|(path, text)| (path.to_owned(), lines(text))).collect();
    check_allowed("files of more than 500 lines", &long, &[]);
}

#[test]
fn only_listed_tables_are_long_functions() {
    let mut found = BTreeMap::new();
    for (path, text) in files("rs") {
        for (name, lines) in functions(text) {
            if lines > MAX_FUNCTION_LINES {
                found.insert(format!("{path} {name}"), 1);
            }
        }
    }
    check_allowed("functions of more than 60 lines", &found, LONG_FUNCTIONS);
}

/// Returns the functions of a formatted file by name, with their numbers of lines.
fn functions(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut functions = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let Some(name) = function_name(line) else { continue };
        let indent = &line[..line.len() - line.trim_start().len()];
        let is_end = |line: &&str| line.strip_prefix(indent) == Some("}");
        let is_one_line = line.ends_with(['}', ';']);
        let end = lines[start..].iter().position(is_end).unwrap_or(0);
        functions.push((name, if is_one_line { 1 } else { end + 1 }));
    }
    functions
}

fn function_name(line: &str) -> Option<&str> {
    let mut rest = line.trim_start();
    if let Some(after) = rest.strip_prefix("pub") {
        let after = after
            .strip_prefix('(')
            .map_or(Some(after), |inside| inside.split_once(')').map(|(_, after)| after));
        rest = after?.trim_start();
    }
    while let Some(after) = ["const ", "async "].iter().find_map(|word| rest.strip_prefix(word)) {
        rest = after;
    }
    let name = rest.strip_prefix("fn ")?;
    name.split(|c: char| !(c.is_alphanumeric() || c == '_')).next()
}

#[test]
fn bounds_are_named_max_and_min() {
    let old = ["MOST", "LONGEST", "UTMOST", "LEAST", "FARTHEST"];
    let mut found = BTreeMap::new();
    for (path, text) in files("rs") {
        let names = text.lines().filter_map(|line| line.split_once("const ")?.1.split_once(':'));
        let count =
            names.filter(|(name, _)| old.contains(&name.split('_').next().unwrap())).count();
        if count > 0 {
            found.insert(path.to_owned(), count);
        }
    }
    check_allowed("constants to be named MAX_ or MIN_", &found, &[]);
}

#[test]
fn comments_and_pages_name_their_subject() {
    let mut found = BTreeMap::new();
    for (path, text) in files("rs").chain(files("md")) {
        if path.starts_with("docs/tests/") {
            continue;
        }
        let is_source = path.ends_with(".rs");
        let prose = |line: &'static str| match (is_source, line.find("//")) {
            (false, _) => line,
            (true, at) => at.map_or("", |at| &line[at..]),
        };
        let count = text.lines().map(|line| hidden_subjects(prose(line))).sum::<usize>();
        if count > 0 {
            found.insert(path.to_owned(), count);
        }
    }
    check_allowed("who, somebody, nobody and the like", &found, &[]);
}

/// Counts hidden subjects in a text. Names in braces are values of a format.
pub(crate) fn hidden_subjects(prose: &str) -> usize {
    let words = prose.split(|c: char| !(c.is_alphanumeric() || "{}_".contains(c)));
    words.filter(|word| HIDDEN_SUBJECTS.contains(&word.to_lowercase().as_str())).count()
}

#[test]
fn public_types_of_different_crates_have_different_names() {
    let mut crates: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (path, text) in files("rs") {
        let mut folders = path.split('/');
        let (Some("crates"), Some(name), Some("src")) =
            (folders.next(), folders.next(), folders.next())
        else {
            continue;
        };
        for type_name in text.lines().filter_map(public_type) {
            crates.entry(type_name).or_default().insert(name);
        }
    }
    let shared = crates.into_iter().filter(|(_, crates)| crates.len() > 1);
    let shared = shared.map(|(name, crates)| (name.to_owned(), crates.len() - 1)).collect();
    check_allowed("public types of the same name", &shared, SHARED_TYPE_NAMES);
}

fn public_type(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("pub ")?;
    let kinds = ["struct ", "enum ", "trait ", "type "];
    let name = kinds.iter().find_map(|kind| rest.strip_prefix(kind))?;
    name.split(|c: char| !c.is_alphanumeric()).next()
}

#[test]
fn no_module_is_included_from_another_crate() {
    let mut wrong = Vec::new();
    for (path, text) in files("rs") {
        for line in text.lines().filter(|line| line.trim_start().starts_with("#[path")) {
            if line.contains("\"../") || line.contains("\"/") {
                wrong.push(format!("{path}: {}", line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn functions_types_and_words_are_found() {
    let text = "\
pub(crate) const fn short(&self) -> u8 { 1 }
    fn method() {
        if true {
        }
    }
pub fn long() {
    1;
    2;
}
";
    assert_eq!(functions(text), [("short", 1), ("method", 4), ("long", 4)]);
    assert_eq!(public_type("pub struct Plan<'a> {"), Some("Plan"));
    assert_eq!(public_type("pub(crate) struct Plan;"), None);
    assert_eq!(hidden_subjects("// Who walks; the whole of it, nobody's"), 2);
}
