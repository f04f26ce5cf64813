//! docs/rulings.md explains every ruling that is cited, and nothing cites what is not here.

use std::collections::BTreeSet;

use crate::source::{files, text};
use crate::table::rows;

const PAGE: &str = "docs/rulings.md";

/// Letters of rulings and facts.
const LETTERS: &str = "CDBGPORMVF";

/// The part of a line of Rust that may cite a ruling: its comment, or the string of a rule that names it.
fn citing_part<'a>(path: &str, line: &'a str) -> &'a str {
    if path.ends_with("src/rules.rs") && line.starts_with("    ") && line.contains(", \"") {
        return line;
    }
    line.find("//").map_or("", |at| &line[at..])
}

/// Returns what looks like the number of a ruling: one of the letters and one or two digits.
fn citations(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '_')).filter_map(|word| {
        let word = word.trim_end_matches('.');
        let digits = word.strip_prefix(|c| LETTERS.contains(c))?;
        let (number, part) = digits.split_once('.').unwrap_or((digits, "0"));
        let is_number =
            |text: &str| (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        (is_number(number) && is_number(part)).then_some(word)
    })
}

fn entries() -> BTreeSet<&'static str> {
    rows(text(PAGE).unwrap())
        .into_iter()
        .filter(|(_, cells)| cells.len() == 3)
        .map(|(_, cells)| cells[0])
        .collect()
}

#[test]
fn every_citation_has_an_entry() {
    let entries = entries();
    let mut missing = Vec::new();
    for (path, text) in files("rs") {
        for (number, line) in text.lines().enumerate() {
            for cited in citations(citing_part(path, line)).filter(|cited| !entries.contains(cited))
            {
                missing.push(format!("{path}:{}: {cited}", number + 1));
            }
        }
    }
    for (path, text) in files("md").filter(|(path, _)| *path != PAGE) {
        for (number, line) in text.lines().enumerate() {
            // On pages, F and a number is a key of the keyboard.
            let is_key = |cited: &str| cited.starts_with('F');
            for cited in citations(line).filter(|cited| !is_key(cited) && !entries.contains(cited))
            {
                missing.push(format!("{path}:{}: {cited}", number + 1));
            }
        }
    }
    assert!(missing.is_empty(), "cited, and not in {PAGE}:\n{}", missing.join("\n"));
}

#[test]
fn every_citation_of_a_rule_has_an_entry() {
    let sections = ["transition", "cells", "bsp", "primitives", "visibility", "rendering"];
    let entries = entries();
    let page = text("docs/rules.md").unwrap();
    for line in page.lines().filter_map(|line| line.strip_prefix("Ruling: ")) {
        for part in
            line.trim_end_matches('.').split([';', ',']).flat_map(|part| part.split(" and "))
        {
            let part = part.trim();
            let is_decision = part.starts_with("residency (");
            let is_known = sections.contains(&part) || entries.contains(part) || is_decision;
            let is_listed_with =
                entries.iter().any(|entry| entry.split(" and ").any(|one| one == part));
            assert!(is_known || is_listed_with, "docs/rules.md cites {part:?} in {line:?}");
        }
    }
}

#[test]
fn every_entry_is_short_and_says_what_is_done() {
    for (line, cells) in rows(text(PAGE).unwrap()) {
        if let [number, question, choice] = cells[..] {
            let sentences = choice.matches(". ").count() + 1;
            assert!(sentences <= 2, "{PAGE}:{line}: {number} has {sentences} sentences: {choice}");
            assert!(choice.ends_with('.'), "{PAGE}:{line}: {number} ends in no sentence");
            assert!(question.ends_with(['?', '.']), "{PAGE}:{line}: {number} asks nothing");
        }
    }
}

/// What would send a reader to a text that is not in this repository.
const NOT_HERE: [&str; 7] =
    ["the specification", "the documents", "design.md", "voice.md", "seeds/", "spec/", "the issue"];

#[test]
fn nothing_cites_a_text_that_is_not_here() {
    let mut wrong = Vec::new();
    for (path, text) in files("rs").chain(files("md")) {
        if path.starts_with("docs/tests/") {
            continue;
        }
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for (number, line) in text.lines().enumerate() {
            let prose = if path.ends_with(".rs") { citing_part(path, line) } else { line };
            if let Some(phrase) = NOT_HERE.iter().find(|phrase| prose.contains(**phrase)) {
                wrong.push(format!("{path}:{}: {phrase}", number + 1));
            }
            for page in pages_named(prose).filter(|page| !is_here(folder, page)) {
                wrong.push(format!("{path}:{}: {page}", number + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn pages_named(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !(c.is_ascii_alphanumeric() || "./_-".contains(c)))
        .map(|word| word.trim_end_matches('.'))
        .filter(|word| word.ends_with(".md") && word.len() > ".md".len() && !word.contains("//"))
}

/// Whether there is such a page beside the file, in docs or at the root.
fn is_here(folder: &str, page: &str) -> bool {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in page.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." => {}
            part => parts.push(part),
        }
    }
    let name = page.trim_start_matches("../");
    [parts.join("/"), format!("docs/{name}"), name.to_owned()]
        .iter()
        .any(|path| text(path).is_some())
}

#[test]
fn citations_are_letters_with_a_number() {
    let found: Vec<&str> =
        citations("(D7). See D14.5 and transition, D11; R1: P8x, X11, D100, B10").collect();
    assert_eq!(found, ["D7", "D14.5", "D11", "R1", "B10"]);
}
