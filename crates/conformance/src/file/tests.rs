use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::TempDir;

use super::*;
use crate::Kind;

const SCENARIO: &str = r#"{"id":"ID","kind":"cells","world":"holt","queries":[]}"#;
const RECORD: &str = r#"{"id":"ID","steps":[]}"#;

fn line(form: &str, id: &str) -> String {
    form.replace("ID", id)
}

fn compressed(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// A folder with these files.
fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

/// What is said about the one file of a folder, without the folder's name.
#[track_caller]
fn said(name: &str, bytes: &[u8]) -> String {
    let folder = folder(&[(name, bytes)]);
    let error = recorded(&folder.path().join(name), None).unwrap_err().to_string();
    let place = format!("{}/", folder.path().display());
    error.strip_prefix(&place).unwrap_or_else(|| panic!("{error} has no place")).to_owned()
}

#[test]
fn plain_and_compressed_files_hold_the_same() {
    let text = format!("{}\n\n  {}  \r\n", line(SCENARIO, "a"), line(SCENARIO, "b"));
    let mut twice = compressed(&text);
    twice.extend(compressed(&line(SCENARIO, "c")));
    let folder = folder(&[
        ("x.jsonl", text.as_bytes()),
        ("x.jsonl.gz", &compressed(&text)),
        ("two.jsonl.gz", &twice),
    ]);
    let ids = |name: &str| {
        let file = scenarios(&folder.path().join(name)).unwrap();
        assert!(file.bad.is_empty());
        file.scenarios.into_iter().map(|scenario| scenario.id).collect::<Vec<_>>().join(" ")
    };
    assert_eq!((ids("x.jsonl"), ids("x.jsonl.gz")), ("a b".to_owned(), "a b".to_owned()));
    assert_eq!(ids("two.jsonl.gz"), "a b c");
}

#[test]
fn a_bad_line_loses_only_itself_and_is_named() {
    let lines = [
        line(SCENARIO, "a"),
        "{\"id\":".to_owned(),
        line(SCENARIO, "b").replace("cells", "fly"),
        line(SCENARIO, "c").replace(",\"queries\":[]", "").replace("holt", "dungeon"),
        line(SCENARIO, "d"),
    ];
    let mut bytes = lines.join("\n").into_bytes();
    bytes.extend(b"\n\"\xFF\"\n");
    let folder = folder(&[("x.jsonl", &bytes)]);
    let file = scenarios(&folder.path().join("x.jsonl")).unwrap();
    let ids: Vec<&str> = file.scenarios.iter().map(|scenario| scenario.id.as_str()).collect();
    assert_eq!(ids, ["a", "d"]);
    assert_eq!(file.scenarios[0].kind(), Kind::Cells);
    let bad = |index: usize| {
        let bad: &BadLine = &file.bad[index];
        (bad.error.line, bad.error.to_string(), bad.world.as_deref())
    };
    let (number, said, world) = bad(0);
    assert_eq!((number, world), (Some(2), None));
    assert!(said.contains("x.jsonl:2: column 6: EOF while parsing"), "{said}");
    let (number, said, world) = bad(1);
    assert_eq!((number, world), (Some(3), Some("holt")));
    assert!(
        said.contains("x.jsonl:3: column 22: unknown variant `fly`, expected one of `walk`"),
        "{said}"
    );
    let (number, said, world) = bad(2);
    assert_eq!((number, world), (Some(4), Some("dungeon")));
    assert!(said.ends_with("x.jsonl:4: column 43: missing field `queries`"), "{said}");
    assert_eq!((bad(3).0, file.bad.len()), (Some(6), 4));
}

#[test]
fn a_damaged_file_of_results_is_an_error_that_names_it() {
    let lines: Vec<String> = (0..500).map(|n| line(RECORD, &format!("walk-{n:04}"))).collect();
    let whole = compressed(&lines.join("\n"));
    assert!(said("x.jsonl.gz", &whole[..whole.len() / 2]).starts_with("x.jsonl.gz: "));
    assert!(said("x.jsonl.gz", &whole[..whole.len() - 3]).starts_with("x.jsonl.gz: "));
    assert!(said("x.jsonl.gz", lines.join("\n").as_bytes()).starts_with("x.jsonl.gz: "));
    assert!(said("x.jsonl.gz", b"").starts_with("x.jsonl.gz: "));
    for at in 10..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x55;
        assert!(said("x.jsonl.gz", &damaged).starts_with("x.jsonl.gz"), "byte {at}");
    }
    let text = format!("{}\n{{}}\n", line(RECORD, "a"));
    assert_eq!(said("x.jsonl", text.as_bytes()), "x.jsonl:2: column 2: missing field `id`");
}

#[test]
fn a_folder_of_results_is_all_its_files_by_name() {
    let results = |id: &str, steps: &str| line(RECORD, id).replace("[]", steps).into_bytes();
    let folder = folder(&[
        ("b.jsonl", &results("b", "[{},{}]")),
        ("a.jsonl.gz", &compressed(&line(RECORD, "a"))),
        ("c.jsonl", &results("a", "[{}]")),
        ("notes.txt", b"not JSON"),
    ]);
    let recorded = recorded(folder.path(), None).unwrap().recorded;
    assert_eq!(recorded.len(), 2);
    let steps = |id| recorded.get(id).map(<[_]>::len);
    assert_eq!((steps("a"), steps("b"), steps("notes")), (Some(1), Some(2), None));
}

#[test]
fn a_folder_without_results_is_an_error() {
    let empty = TempDir::new().unwrap();
    let error = recorded(empty.path(), None).unwrap_err().to_string();
    assert!(error.ends_with(": no results (*.jsonl or *.jsonl.gz) in this folder"), "{error}");
    let nowhere = empty.path().join("nowhere");
    assert!(recorded(&nowhere, None).unwrap_err().to_string().contains("nowhere: "));
    assert!(scenarios(&nowhere).unwrap_err().to_string().contains("nowhere: "));
    assert!(scenarios(empty.path()).is_err(), "a folder is no file");
}

#[test]
fn results_are_named_after_their_scenarios() {
    let names = ["d/holt-walks.jsonl", "holt-walks.jsonl.gz", "holt-walks", "v1.2.jsonl"];
    let stems = names.map(|name| stem(Path::new(name)));
    assert_eq!(stems, ["holt-walks", "holt-walks", "holt-walks", "v1.2"].map(Some));
    assert_eq!(stem(Path::new("..")), None);
}

/// A trace of two courses of coordinate calls.
const TRACE: &str = r#"{"trace":1,"by":"a test","world":"holt"}
{"begin":"a","kind":"landdefs"}
{"step":0,"do":["in_bounds",0,0],"ok":true}
{"step":1,"do":["in_bounds",0,-1],"ok":false}
{"end":"a","steps":2}
{"begin":"b","kind":"landdefs"}
{"step":0,"do":["in_bounds",1,1],"ok":true}
{"end":"b","steps":1}
"#;

#[test]
fn a_trace_is_scenarios_and_results_in_one() {
    let other = TRACE.replace("holt", "dungeon").replace("\"a\"", "\"c\"");
    let folder = folder(&[
        ("plain.jsonl", TRACE.as_bytes()),
        ("squeezed.jsonl.gz", &compressed(&other)),
        ("old.jsonl", line(RECORD, "old").as_bytes()),
    ]);
    for (name, ids) in [("plain.jsonl", ["a", "b"]), ("squeezed.jsonl.gz", ["c", "b"])] {
        let file = scenarios(&folder.path().join(name)).unwrap();
        let read: Vec<_> = file.scenarios.iter().map(|scenario| scenario.id.as_str()).collect();
        assert_eq!(read, ids);
        let trace = file.trace.unwrap();
        assert_eq!((trace.heads.len(), trace.cuts.len(), file.bad.len()), (1, 0, 0));
    }
    let recorded = |name: &str, world| recorded(&folder.path().join(name), world).unwrap();
    let all = recorded("", None);
    assert_eq!((all.recorded.len(), all.traces.len()), (4, 2));
    let holt = recorded("", Some("holt"));
    assert_eq!((holt.recorded.len(), holt.other_worlds.get("dungeon")), (3, Some(&2)));
    assert_eq!(holt.recorded.get("a").map(<[_]>::len), Some(2));
    assert_eq!(recorded("plain.jsonl", Some("holt")).recorded.len(), 2);
    assert_eq!(recorded("old.jsonl", Some("holt")).recorded.len(), 1);
}

#[test]
fn a_trace_cut_off_at_any_byte_has_the_steps_so_far_and_says_so() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("cut.jsonl");
    let head = TRACE.find('\n').unwrap();
    for at in head..=TRACE.len() {
        let text = &TRACE[..at];
        std::fs::write(&path, text).unwrap();
        let file = scenarios(&path).unwrap();
        assert!(file.bad.is_empty(), "{text}: {:?}", file.bad);
        // A last line is whole as soon as its object is.
        let whole: Vec<&str> = text.lines().filter(|line| line.ends_with('}')).collect();
        let count = |start: &str| whole.iter().filter(|line| line.starts_with(start)).count();
        let steps: usize = file.scenarios.iter().map(|scenario| scenario.job.steps()).sum();
        assert_eq!(steps, count("{\"step\""), "{text}");
        let is_cut = count("{\"begin\"") > count("{\"end\"") || !text.trim_end().ends_with('}');
        assert_eq!(file.trace.unwrap().cuts.len(), usize::from(is_cut), "{text}");
        let recorded = recorded(&path, None).unwrap().recorded;
        assert_eq!(recorded.len(), file.scenarios.len());
    }
    // Within the head it is not known to be a trace, and is a line that cannot be read.
    for at in 1..head {
        std::fs::write(&path, &TRACE[..at]).unwrap();
        assert_eq!(scenarios(&path).unwrap().bad.len(), 1);
        assert!(recorded(&path, None).is_err());
    }
}

#[test]
fn a_compressed_trace_whose_end_is_missing_has_what_can_be_expanded() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    for line in TRACE.split_inclusive('\n') {
        encoder.write_all(line.as_bytes()).unwrap();
        encoder.flush().unwrap();
    }
    let whole = encoder.finish().unwrap();
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("cut.jsonl.gz");
    let mut most = 0;
    for at in 0..whole.len() {
        std::fs::write(&path, &whole[..at]).unwrap();
        if let Ok(file) = scenarios(&path) {
            assert!(file.bad.is_empty());
            assert!(!file.scenarios.is_empty() || !file.trace.unwrap().cuts.is_empty());
            most = most.max(file.scenarios.len());
        }
    }
    assert_eq!(most, 2, "what was flushed is there");
}

#[test]
fn a_wrong_line_of_a_trace_is_named_with_its_world() {
    let text = TRACE.replacen("\"step\":1", "\"step\":4", 1);
    let folder = folder(&[("x.jsonl", text.as_bytes())]);
    let path = folder.path().join("x.jsonl");
    let file = scenarios(&path).unwrap();
    assert_eq!((file.scenarios.len(), file.scenarios[0].id.as_str()), (1, "b"));
    let [bad] = file.bad.try_into().unwrap();
    let said = bad.error.to_string();
    assert!(said.ends_with("x.jsonl:4: step 4 found, step 1 expected"), "{said}");
    assert_eq!(bad.world.as_deref(), Some("holt"));
    assert_eq!(recorded(&path, None).unwrap_err().to_string(), said);
}

#[test]
fn a_trace_with_any_byte_changed_is_read_or_named() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("changed.jsonl");
    for at in 0..TRACE.len() {
        for byte in [b'"', b'{', b'9', b'\n', b' ', 0, 0xFF] {
            let mut bytes = TRACE.as_bytes().to_vec();
            bytes[at] = byte;
            std::fs::write(&path, &bytes).unwrap();
            let file = scenarios(&path).unwrap();
            let lines = bytes.split(|byte| *byte == b'\n').count();
            assert!(file.bad.iter().all(|bad| bad.error.line.is_some_and(|line| line <= lines)));
            // What is expected must be right from the first line to the last.
            assert_eq!(recorded(&path, None).is_err(), !file.bad.is_empty(), "byte {at}: {byte}");
        }
    }
}

#[test]
fn where_a_trace_is_cut_off_is_said_in_words() {
    let course = |steps| TraceCut::Course { id: "a".to_owned(), steps }.to_string();
    assert_eq!(
        (course(1), course(2)),
        ("a is cut off after 1 step".to_owned(), "a is cut off after 2 steps".to_owned())
    );
    assert_eq!(TraceCut::Line.to_string(), "the file is cut off within a line");
}
