//! `docs/scenarios.schema.json` accepts what the reader of scenarios and results accepts, and refuses what it refuses.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use boon::{Compiler, SchemaIndex, Schemas};
use flate2::read::MultiGzDecoder;
use serde_json::Value;
use threshold_conformance::{Scenario, ScenarioResult};

fn from_root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

fn schema_text() -> Value {
    let text = fs::read_to_string(from_root("docs/scenarios.schema.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The schema, ready to check lines.
struct Validator {
    schemas: Schemas,
    root: SchemaIndex,
}

fn schema() -> Validator {
    const NAME: &str = "https://example.org/scenarios.schema.json";
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    compiler.add_resource(NAME, schema_text()).unwrap();
    // Also checks that the schema is a schema of its draft.
    let root = compiler.compile(NAME, &mut schemas).unwrap();
    Validator { schemas, root }
}

/// Returns the lines of all compressed files in a folder, with their places.
fn lines(folder: &str) -> Vec<(String, String)> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(from_root(folder)).unwrap().map(|item| item.unwrap().path()).collect();
    paths.sort();
    let mut lines = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let text = BufReader::new(MultiGzDecoder::new(File::open(&path).unwrap()));
        for (line, number) in text.lines().map(Result::unwrap).zip(1..) {
            lines.push((format!("{folder}/{name}:{number}"), line));
        }
    }
    assert!(lines.len() > 1000, "{folder}: {} lines", lines.len());
    lines
}

/// Returns why a schema refuses a line; `None` if it accepts it.
fn refusal(schema: &Validator, line: &str) -> Option<String> {
    match serde_json::from_str(line) {
        Ok(value) => {
            let refused = schema.schemas.validate(&value, schema.root).err();
            refused.map(|error| error.to_string())
        }
        Err(error) => Some(error.to_string()),
    }
}

#[test]
fn every_recorded_scenario_and_what_is_written_of_it_fits_the_schema() {
    let schema = schema();
    for (place, line) in lines("tests/data/conformance/scenarios") {
        let scenario = Scenario::parse(line.as_bytes()).unwrap();
        for line in [line, scenario.to_line().unwrap()] {
            assert_eq!(refusal(&schema, &line), None, "{place}: {line}");
        }
    }
}

#[test]
fn every_recorded_result_and_what_is_written_of_it_fits_the_schema() {
    let schema = schema();
    for set in ["a", "b"] {
        for (place, line) in lines(&format!("tests/data/conformance/results/{set}")) {
            let result = ScenarioResult::parse(line.as_bytes()).unwrap();
            for line in [line, result.to_line().unwrap()] {
                assert_eq!(refusal(&schema, &line), None, "{place}: {line}");
            }
        }
    }
}

const WALK: &str = r#"{"id":"w","kind":"walk","world":"holt","mover":{"setup":"0x02000001","state":"0x00400408"},"start":{"cell":"0xA9B40164","pos":[1,2,3]},"objects":[{"setup":"0x02000021","cell":"0xA9B40164","pos":[4,5,6],"state":"0x00000001"}],"moves":[[0,0.5,0]]}"#;
const SIM: &str = r#"{"id":"s","kind":"sim","world":"holt","mover":{"setup":"0x02000001","state":"0x00400408"},"start":{"cell":"0xA9B40164","pos":[1,2,3]},"velocity":[0,1,2],"dt":0.0333333333,"ticks":42}"#;
const PLACE: &str = r#"{"id":"p","kind":"place","world":"holt","mover":{"setup":"0x02000001","state":"0x00400408"},"candidates":[{"cell":"0xA9B40164","pos":[1,2,3]}]}"#;
const CELLS: &str = r#"{"id":"c","kind":"cells","world":"holt","queries":[{"cell":"0xA9B40164","pos":[1,2,3],"radius":0.48}]}"#;
const VIEWER: &str = r#"{"id":"v","kind":"viewer","world":"holt","mover":{"setup":"0x02000001","state":"0x00400408"},"from":{"cell":"0xA9B40164","pos":[1,2,3]},"to":[4,5,6],"radius":0.3}"#;
const LANDDEFS: &str =
    r#"{"id":"l","kind":"landdefs","world":"holt","calls":[["in_bounds",3,-1]]}"#;
const RESULT: &str = r#"{"id":"r","steps":[{"ok":true,"cell":"0xA9B40164","pos":[1,2,3],"hit":null,"cells":["0xA9B40164"]}]}"#;

/// A line, a part of it, and what takes its place.
type Change = (&'static str, &'static str, &'static str);

/// Changes that schema and reader accept.
const ACCEPTED: &[Change] = &[
    (WALK, "\"objects\"", "\"things\""),
    (WALK, "\"0xA9B40164\",\"pos\":[1,2,3]}", "\"a9b40164\",\"pos\":[1,2,3],\"contact\":true}"),
    (WALK, "[1,2,3]}", "[1,2,3],\"rot\":[0.6,0,0,0.8]}"),
    (WALK, "\"0x00400408\"}", "\"0x408\",\"scale\":1.5,\"player\":true,\"hat\":1}"),
    (WALK, "[[0,0.5,0]]", "[]"),
    (SIM, "42", "1000000"),
    (SIM, "0.0333333333", "0"),
    (PLACE, "\"candidates\"", "\"objects\":[],\"note\":\"more\",\"candidates\""),
    (CELLS, "0.48", "-1"),
    (VIEWER, "[4,5,6]", "[4e4,-5.5,6E-3]"),
    (LANDDEFS, "[\"in_bounds\",3,-1]", "[\"adjust_to_outside\",\"0xA9B40031\",[150,-1,0]]"),
    (LANDDEFS, "[\"in_bounds\",3,-1]", "[\"get_outside_lcoord\",\"0xA9B40031\",[150,-1,0]]"),
    (LANDDEFS, "[\"in_bounds\",3,-1]", "[\"blockid_to_lcoord\",\"0xA9B40031\"]"),
    (LANDDEFS, "[\"in_bounds\",3,-1]", "[\"gid_to_lcoord\",\"0xA9B40031\"]"),
    (LANDDEFS, "[\"in_bounds\",3,-1]", "[\"inbound_valid_cellid\",\"0xA9B40031\"]"),
    (LANDDEFS, "[\"in_bounds\",3,-1]", "[\"lcoord_to_gid\",1358,1440]"),
    (LANDDEFS, "[\"in_bounds\",3,-1]", "[\"get_block_offset\",\"0xA9B40031\",\"0xA9B30038\"]"),
    (RESULT, "[1,2,3]", "[null,2,3]"),
    (RESULT, "\"hit\":null", "\"hit\":[0,0,1],\"lcoord\":[1352,1440],\"mood\":\"good\""),
    (RESULT, "\"ok\":true,", ""),
];

/// Mistakes that schema and reader refuse.
const REFUSED: &[Change] = &[
    // Every scenario.
    (WALK, "\"id\":\"w\",", ""),
    (WALK, "\"id\":\"w\"", "\"id\":7"),
    (WALK, "\"world\":\"holt\",", ""),
    (WALK, "\"holt\"", "null"),
    (WALK, "\"walk\"", "\"fly\""),
    (WALK, "\"walk\"", "\"Walk\""),
    (WALK, "\"kind\":\"walk\",", ""),
    (WALK, "}],", "}]"),
    // Movers.
    (WALK, "\"mover\"", "\"walker\""),
    (WALK, "\"setup\":\"0x02000001\",", ""),
    (WALK, "\"0x02000001\"", "33554433"),
    (WALK, "\"0x02000001\"", "\"0x2000001\""),
    (WALK, ",\"state\":\"0x00400408\"", ""),
    (WALK, "\"0x00400408\"", "\"walking\""),
    (WALK, "\"0x00400408\"", "\"00400408\""),
    (WALK, "\"0x00400408\"", "\"0x\""),
    (WALK, "\"0x00400408\"", "\"0x+408\""),
    (WALK, "\"0x00400408\"", "\"0x100000000\""),
    (WALK, "\"0x00400408\"}", "\"0x408\",\"scale\":\"big\"}"),
    (WALK, "\"0x00400408\"}", "\"0x408\",\"scale\":null}"),
    (WALK, "\"0x00400408\"}", "\"0x408\",\"scale\":1e39}"),
    (WALK, "\"0x00400408\"}", "\"0x408\",\"player\":1}"),
    // Starts and objects.
    (WALK, "\"start\"", "\"begin\""),
    (WALK, "\"0xA9B40164\",\"pos\":[1", "\"0xA9B4\",\"pos\":[1"),
    (WALK, "\"0xA9B40164\",\"pos\":[1", "\" 0xA9B40164\",\"pos\":[1"),
    (WALK, "\"0xA9B40164\",\"pos\":[1", "\"0xA9B4016G\",\"pos\":[1"),
    (WALK, ",\"pos\":[1,2,3]", ""),
    (WALK, "[1,2,3]", "[1,2]"),
    (WALK, "[1,2,3]", "[1,2,3,4]"),
    (WALK, "[1,2,3]", "[1,2,null]"),
    (WALK, "[1,2,3]", "[1,2,\"3\"]"),
    (WALK, "[1,2,3]", "[1,2,-1e39]"),
    (WALK, "[1,2,3]", "{\"x\":1,\"y\":2,\"z\":3}"),
    (WALK, "[1,2,3]}", "[1,2,3],\"rot\":[1,0,0]}"),
    (WALK, "[1,2,3]}", "[1,2,3],\"contact\":\"yes\"}"),
    (WALK, ",\"state\":\"0x00000001\"", ""),
    (WALK, "[4,5,6]", "[4,5]"),
    (WALK, "\"objects\":[", "\"objects\":[3,"),
    // The jobs.
    (WALK, "\"moves\"", "\"steps\""),
    (WALK, "[0,0.5,0]", "0.5"),
    (WALK, "[[0,0.5,0]]", "null"),
    (SIM, "[0,1,2]", "[0,1]"),
    (SIM, "\"velocity\"", "\"speed\""),
    (SIM, "0.0333333333", "-0.1"),
    (SIM, "0.0333333333", "1e39"),
    (SIM, ",\"ticks\":42", ""),
    (SIM, "42", "-1"),
    (SIM, "42", "1.5"),
    (SIM, "42", "1000001"),
    (PLACE, "\"candidates\"", "\"places\""),
    (PLACE, "{\"cell\":\"0xA9B40164\",\"pos\":[1,2,3]}", "[1,2,3]"),
    (CELLS, ",\"radius\":0.48", ""),
    (CELLS, "0.48", "\"0.48\""),
    (CELLS, "\"queries\"", "\"calls\""),
    (VIEWER, "\"from\"", "\"eye\""),
    (VIEWER, "[4,5,6]", "{\"cell\":\"0xA9B40164\",\"pos\":[4,5,6]}"),
    (VIEWER, "0.3", "-0.3"),
    (VIEWER, ",\"radius\":0.3", ""),
    (LANDDEFS, "in_bounds", "out_of_bounds"),
    (LANDDEFS, "3,-1", "3"),
    (LANDDEFS, "3,-1", "3,-1,0"),
    (LANDDEFS, "3,-1", "3,0.5"),
    (LANDDEFS, "3,-1", "3,4294967296"),
    (LANDDEFS, "[\"in_bounds\",3,-1]", "[]"),
    (LANDDEFS, "[\"in_bounds\",3,-1]", "{\"in_bounds\":[3,-1]}"),
    (LANDDEFS, "[\"in_bounds\",3,-1]", "[\"gid_to_lcoord\",1358]"),
    (LANDDEFS, "[\"in_bounds\",3,-1]", "[\"adjust_to_outside\",\"0xA9B40031\",[150,-1]]"),
    // Results.
    (RESULT, "\"id\":\"r\",", ""),
    (RESULT, "\"steps\"", "\"moves\""),
    (RESULT, "[{\"ok\"", "[7,{\"ok\""),
    (RESULT, "true", "\"yes\""),
    (RESULT, "\"0xA9B40164\",\"pos\"", "\"lost\",\"pos\""),
    (RESULT, "[1,2,3]", "[1,2]"),
    (RESULT, "[1,2,3]", "\"1 2 3\""),
    (RESULT, "[\"0xA9B40164\"]", "\"0xA9B40164\""),
    (RESULT, "[\"0xA9B40164\"]", "[null]"),
    (RESULT, "\"hit\":null", "\"lcoord\":[1352]"),
    (RESULT, "\"hit\":null", "\"plane\":[0,0,1]"),
];

/// Returns why the reader refuses a line; `None` if it accepts it.
fn reader_refusal(original: &str, line: &str) -> Option<String> {
    let refused = match original == RESULT {
        true => ScenarioResult::parse(line.as_bytes()).err(),
        false => Scenario::parse(line.as_bytes()).err(),
    };
    refused.map(|error| error.to_string())
}

#[test]
fn schema_and_reader_accept_the_same_lines() {
    let schema = schema();
    for line in [WALK, SIM, PLACE, CELLS, VIEWER, LANDDEFS, RESULT] {
        assert_eq!((refusal(&schema, line), reader_refusal(line, line)), (None, None), "{line}");
    }
    for (original, part, other) in ACCEPTED {
        assert!(original.contains(part), "{part} is not in {original}");
        let line = original.replacen(part, other, 1);
        let refusals = (refusal(&schema, &line), reader_refusal(original, &line));
        assert_eq!(refusals, (None, None), "{line}");
    }
}

#[test]
fn schema_and_reader_refuse_the_same_mistakes() {
    let schema = schema();
    for (original, part, other) in REFUSED {
        assert!(original.contains(part), "{part} is not in {original}");
        let line = original.replacen(part, other, 1);
        assert!(refusal(&schema, &line).is_some(), "the schema accepts {line}");
        assert!(reader_refusal(original, &line).is_some(), "the reader accepts {line}");
    }
}

/// Collects the names of properties and the constants of a schema.
fn collect_names<'a>(schema: &'a Value, names: &mut BTreeSet<&'a str>) {
    let Some(schema) = schema.as_object() else {
        let items = schema.as_array().into_iter().flatten();
        return items.for_each(|item| collect_names(item, names));
    };
    for (key, value) in schema {
        match (key.as_str(), value) {
            ("properties", Value::Object(properties)) => {
                names.extend(properties.keys().map(String::as_str));
            }
            ("const", Value::String(name)) => drop(names.insert(name)),
            _ => {}
        }
        collect_names(value, names);
    }
}

#[test]
fn the_page_has_every_name_of_the_schema_and_its_examples_fit() {
    let (text, page) = (schema_text(), fs::read_to_string(from_root("docs/scenarios.md")).unwrap());
    let mut names = BTreeSet::new();
    collect_names(&text, &mut names);
    assert!(names.contains("ticks") && names.contains("in_bounds"), "{names:?}");
    let missing: Vec<_> = names
        .into_iter()
        .filter(|name| {
            !page.contains(&format!("`{name}`")) && !page.contains(&format!("[\"{name}\","))
        })
        .collect();
    assert!(missing.is_empty(), "not on the page: {missing:?}");
    let schema = schema();
    let mut count = 0;
    for block in page.split("```json\n").skip(1) {
        for line in block.split("\n```").next().unwrap().lines() {
            assert_eq!(refusal(&schema, line), None, "{line}");
            count += 1;
        }
    }
    assert!(count >= 7, "{count} examples: one of each kind, and a result");
}
