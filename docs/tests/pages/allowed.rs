//! Exceptions from the house rules, each with its greatest number and its reason.

use std::collections::BTreeMap;

/// What may break a rule, how often at most, and why.
pub(crate) type Exception = (&'static str, usize, &'static str);

/// Functions that may be long: tables, read from top to bottom.
pub(crate) const LONG_FUNCTIONS: &[Exception] =
    &[("crates/dat/tests/layouts.rs region", 1, "the layout of a record, field by field")];

/// Public types whose name several crates use: none.
pub(crate) const SHARED_TYPE_NAMES: &[Exception] = &[];

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
