//! The recorded coordinate calls of two independent implementations.
//!
//! The studies decide where they differ; every step where our answer is not that of both
//! stands in `known-differences.txt` with its reason, and an entry that no longer differs
//! fails the test.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Value, json};
use threshold_land::glam::Vec3;
use threshold_land::{CellId, Lcoord, adjust_to_outside, block_offset, outside_lcoord};

fn data(name: &str) -> String {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/conformance").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn lines(name: &str) -> Vec<Value> {
    data(name).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn cell(value: &Value) -> CellId {
    value.as_str().unwrap().parse().unwrap()
}

fn point(value: &Value) -> Vec3 {
    let at = |i: usize| value[i].as_f64().unwrap() as f32;
    Vec3::new(at(0), at(1), at(2))
}

fn integer(value: &Value) -> i32 {
    i32::try_from(value.as_i64().unwrap()).unwrap()
}

fn lcoord(answer: Option<Lcoord>) -> Value {
    answer.map_or(json!({"ok": false}), |l| json!({"ok": true, "lcoord": [l.x(), l.y()]}))
}

fn answer(call: &Value) -> Value {
    match call[0].as_str().unwrap() {
        "adjust_to_outside" => match adjust_to_outside(cell(&call[1]), point(&call[2])) {
            Some((cell, at)) => json!({"ok": true, "cell": cell.to_string(), "pos": at.to_array()}),
            None => json!({"ok": false}),
        },
        "get_outside_lcoord" => lcoord(outside_lcoord(cell(&call[1]), point(&call[2]).truncate())),
        "blockid_to_lcoord" => lcoord(cell(&call[1]).block_lcoord()),
        "gid_to_lcoord" => lcoord(cell(&call[1]).lcoord()),
        "inbound_valid_cellid" => json!({"ok": cell(&call[1]).is_valid()}),
        "lcoord_to_gid" => match Lcoord::new(integer(&call[1]), integer(&call[2])) {
            Some(lcoord) => json!({"ok": true, "cell": lcoord.cell().to_string()}),
            None => json!({"ok": false}),
        },
        "in_bounds" => json!({"ok": Lcoord::new(integer(&call[1]), integer(&call[2])).is_some()}),
        "get_block_offset" => {
            json!({"ok": true, "pos": block_offset(cell(&call[1]), cell(&call[2])).to_array()})
        }
        other => panic!("unknown call {other}"),
    }
}

/// The equality of the conformance suite for coordinate calls.
fn same(ours: &Value, theirs: &Value) -> bool {
    if ours["ok"] != theirs["ok"] || ours["ok"] == false {
        return ours["ok"] == theirs["ok"];
    }
    let both = |key: &str| {
        (!ours[key].is_null() && !theirs[key].is_null()).then(|| (&ours[key], &theirs[key]))
    };
    let exact = ["cell", "lcoord"].iter().filter_map(|key| both(key)).all(|(a, b)| a == b);
    let near = both("pos").is_none_or(|(a, b)| {
        (0..3).all(|i| (a[i].as_f64().unwrap() - b[i].as_f64().unwrap()).abs() <= 1e-3)
    });
    exact && near
}

/// `side call -> reason` lines, by side and call.
fn known_differences() -> BTreeMap<(String, String), bool> {
    let text = data("landdefs-known-differences.txt");
    let entries = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let entry = |line: &str| {
        let (case, reason) = line.split_once(" -> ").expect("a reason after ' -> '");
        assert!(!reason.trim().is_empty(), "an entry without a reason: {line}");
        let (side, call) = case.split_once(' ').expect("a side and a call");
        ((side.to_owned(), call.to_owned()), false)
    };
    entries.map(entry).collect()
}

#[test]
fn the_recorded_calls_answer_as_the_studies_say() {
    let mut known = known_differences();
    let mut unlisted = Vec::new();
    let mut compared = 0;
    for side in ["a", "b"] {
        let results = lines(&format!("results/{side}/landdefs.jsonl"));
        for (scenario, result) in lines("landdefs.jsonl").iter().zip(&results) {
            assert_eq!(scenario["id"], result["id"]);
            let calls = scenario["calls"].as_array().unwrap();
            for (call, theirs) in calls.iter().zip(result["steps"].as_array().unwrap()) {
                compared += 1;
                let ours = answer(call);
                if same(&ours, theirs) {
                    continue;
                }
                match known.get_mut(&(side.to_owned(), call.to_string())) {
                    Some(seen) => *seen = true,
                    None => unlisted.push(format!("{side} {call}: ours {ours}, theirs {theirs}")),
                }
            }
        }
    }
    assert_eq!(compared, 2 * 909);
    assert!(unlisted.is_empty(), "{} unlisted:\n{}", unlisted.len(), unlisted.join("\n"));
    let gone: Vec<_> = known.iter().filter(|(_, seen)| !**seen).map(|(case, _)| case).collect();
    assert!(gone.is_empty(), "listed as different, but the same: {gone:?}");
}
