//! House rules of messages: string literals of the source outside tests.

use std::collections::BTreeMap;

use crate::allowed::check_allowed;
use crate::house::hidden_subjects;
use crate::literals::{before_tests, is_outside_tests, literals};
use crate::source::files;

/// Phrases that are read twice.
const RIDDLES: [&str; 2] = ["so many", "what is so"];

/// Returns the source files outside tests, without their modules of tests.
fn sources() -> impl Iterator<Item = (&'static str, &'static str)> {
    let sources = files("rs").filter(|(path, _)| is_outside_tests(path));
    sources.map(|(path, text)| (path, before_tests(text)))
}

/// Counts riddling phrases in a text.
fn riddles(prose: &str) -> usize {
    RIDDLES.iter().map(|phrase| prose.to_lowercase().matches(phrase).count()).sum()
}

/// Sums up the faults of the texts of each source file.
fn faults(
    texts: impl Fn(&'static str) -> Vec<&'static str>,
    count: impl Fn(&str) -> usize,
) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for (path, source) in sources() {
        let faults = texts(source).iter().map(|text| count(text)).sum::<usize>();
        if faults > 0 {
            found.insert(path.to_owned(), faults);
        }
    }
    found
}

#[test]
fn messages_name_their_subject() {
    let messages = |source| {
        let messages = literals(source).into_iter().filter(|text| text.contains(' '));
        messages.collect::<Vec<_>>()
    };
    let found = faults(messages, |text| hidden_subjects(text) + riddles(text));
    check_allowed("who, so many and the like in messages", &found, &[]);
}

#[test]
fn comments_are_no_riddles() {
    let comment = |line: &'static str| line.split_once("//").map(|(_, comment)| comment);
    let comments = |source: &'static str| source.lines().filter_map(comment).collect::<Vec<_>>();
    check_allowed("so many and the like in comments", &faults(comments, riddles), &[]);
}

#[test]
fn error_messages_begin_in_lower_case_and_end_without_a_full_stop() {
    let mut wrong = Vec::new();
    for (path, source) in sources() {
        for attribute in source.split("#[error(").skip(1) {
            if !attribute.trim_start().starts_with('"') {
                continue;
            }
            let Some(message) = literals(attribute).into_iter().next() else { continue };
            if message.starts_with(|c: char| c.is_uppercase()) || message.ends_with('.') {
                wrong.push(format!("{path}: {message}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Names of outcomes and refusals, which have words of their own. The form `:?` prints them as `NoRoom(NoRoom)`.
const OUTCOMES: [&str; 6] = ["outcome", "reason", "refusal", "refused", "result", "why"];

/// Counts outcomes that a format prints as source code.
fn raw_outcomes(format: &str) -> usize {
    OUTCOMES.iter().filter(|name| format.contains(&format!("{{{name}:?}}"))).count()
}

#[test]
fn refusals_are_printed_in_words() {
    check_allowed("outcomes printed with {:?}", &faults(literals, raw_outcomes), &[]);
    assert_eq!((raw_outcomes("no: {refusal:?}"), raw_outcomes("no: {refusal}, {name:?}")), (1, 0));
}

#[test]
fn values_of_formats_are_no_words() {
    assert_eq!(hidden_subjects("polygon {polygon} of {who}"), 0);
    assert_eq!(riddles("So many rooms"), 1);
}
