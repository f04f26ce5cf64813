//! Exceptions from the house rules, each with its greatest number and its reason.

use std::collections::BTreeMap;

/// What may break a rule, how often at most, and why.
pub(crate) type Exception = (&'static str, usize, &'static str);

/// Functions that may be long: tables, read from top to bottom.
pub(crate) const LONG_FUNCTIONS: &[Exception] =
    &[("crates/dat/tests/layouts.rs region", 1, "the layout of a record, field by field")];

/// Public types whose name several crates use.
pub(crate) const SHARED_TYPE_NAMES: &[Exception] = &[
    ("Cut", 1, "of trace lines, used with its module"),
    ("Face", 1, "a face of a solid; in test support, a polygon with its owner"),
    ("Mover", 1, "the JSON form in scenarios"),
    ("Object", 1, "the JSON form in scenarios"),
    ("Outcome", 1, "a comparison result in conformance, as in the glossary"),
    ("Place", 1, "the JSON form in scenarios"),
    ("Problem", 1, "of scenario files, used with its module"),
    ("Reader", 1, "of traces, used with its module"),
    ("Side", 1, "of a comparison, used with its module"),
    ("Viewer", 1, "the JSON form in scenarios"),
    ("Walk", 1, "the JSON form in scenarios; a walking body in test support"),
    ("Writer", 1, "of traces, used with its module"),
];

/// Fails for what is found and not allowed, and for exceptions that are no longer needed.
#[track_caller]
pub(crate) fn check_allowed(rule: &str, found: &BTreeMap<String, usize>, allowed: &[Exception]) {
    let mut wrong = Vec::new();
    for (name, count) in found {
        let exception = allowed.iter().find(|(allowed, ..)| allowed == name);
        let max = exception.map_or(0, |(_, max, _)| *max);
        if *count > max {
            wrong.push(format!("{name}: {count}, allowed {max}"));
        }
    }
    for (name, _, reason) in allowed {
        assert!(!reason.is_empty(), "{name}: an exception needs a reason");
        if !found.contains_key(*name) {
            wrong.push(format!("{name}: the exception is no longer needed"));
        }
    }
    assert!(wrong.is_empty(), "{rule}:\n{}", wrong.join("\n"));
}
