//! What every command says about arguments and files that cannot be meant: what is wrong, and what to write instead.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A command line, its exit code, and what is said.
type Row = (&'static str, i32, &'static str);

const SECONDS: &str = "write seconds above 0, up to 86400";
const ANY_SEED: &str = "write a whole number from 0 to 18446744073709551615";
const POINT: &str = "write three numbers: x,y,z, from -100000 to 100000 metres";
const COORDINATES: &str = "write coordinates from -100000 to 100000 metres";
const SIZE: &str = "write WIDTHxHEIGHT, such as 1280x720, from 1 to 8192 pixels";
const BLOCKS: &str = "from 1 to 32 landblocks a side";
const HEX: &str = "write hexadecimal digits, such as 0x";
const PIPE: &str = "a pipe or device, not a regular file";
const FOLDER: &str = "a folder, not a regular file";
const READ_ONLY: &str = "the file is read-only; make it writable or name another";
const NOT_A_FOLDER: &str = "there is a file of that name; name a folder";
const NOT_A_FILE: &str = "it is a folder; name a file";
const NO_SUCH: &str = "No such file";
const NO_RULE: &str = "there is no rule";

/// Options whose values are any words, or whose mistakes are the matter of another test.
const ELSEWHERE: [(&str, &str); 4] = [
    ("play --at", "without a window there is nowhere to begin; tests/play.rs"),
    ("play --world", "without a window no world is read; the other commands have it"),
    ("play --dats", "without a window no world is read; the other commands have it"),
    ("shot --weather", "needs a graphics driver; tests/shot.rs"),
];

/// `HOLT` is a folder of data files. The others are made by `Desk`.
const ROWS: &[Row] = &[
    // The window.
    ("--seconds 1e300", 2, SECONDS),
    ("play --seconds 0", 2, SECONDS),
    ("play --seconds -5", 2, SECONDS),
    ("play --seconds nan", 2, SECONDS),
    ("play --seconds inf", 2, SECONDS),
    ("play --seconds 1e300", 2, SECONDS),
    ("play --seconds 86401", 2, SECONDS),
    ("play --seconds soon", 2, SECONDS),
    ("play --out text", 1, NOT_A_FOLDER),
    ("play --fly", 2, "unexpected argument '--fly'"),
    // The data files.
    ("inspect nonsense", 2, "eight hexadecimal digits"),
    ("inspect --file sound", 2, "possible values: cell, portal, highres, local"),
    ("inspect --dats missing", 1, NO_SUCH),
    ("inspect --dats text", 1, "Not a directory"),
    ("inspect --dats empty", 1, "no client_cell_1.dat"),
    ("inspect --dats piped", 1, PIPE),
    ("inspect --dats folders", 1, FOLDER),
    ("inspect --dats texts", 1, "400 bytes or more expected"),
    ("inspect --world missing", 1, NO_SUCH),
    ("check --dats missing", 1, NO_SUCH),
    ("check --dats piped", 1, PIPE),
    ("check --dats folders", 1, FOLDER),
    ("check --world pipe", 1, PIPE),
    ("check --world folder", 1, FOLDER),
    ("check --world latin1.txt", 1, "this is not text in UTF-8"),
    ("check --world long.txt", 1, "the text is longer than 4 MiB"),
    ("check --world longish.txt", 1, "longish.txt:1:1: "),
    // Maps and exports.
    ("map --out map.pdf", 1, "a picture is an .svg or a .png file"),
    ("map --dats HOLT A9B4 --out folder.svg", 1, NOT_A_FILE),
    ("map --dats HOLT A9B4 --out read-only.svg", 1, READ_ONLY),
    (
        "map --dats HOLT A9B4 --out missing/map.svg",
        1,
        "missing/map.svg: cannot be written: No such",
    ),
    ("map --dats HOLT A9B4 --out text/map.svg", 1, "cannot be written: Not a directory"),
    ("map --dats missing --out map.svg", 1, NO_SUCH),
    ("map --world pipe --out map.svg", 1, PIPE),
    ("map --dats HOLT 0102 --level nan --out map.svg", 2, "write a height from -100000 to 100000"),
    ("map --dats HOLT 0102 --level -inf --out map.svg", 2, "unexpected argument '-i'"),
    ("map --dats HOLT 0102 --level 1e30 --out map.svg", 2, "write a height from -100000 to 100000"),
    ("map --dats HOLT A9B4 --blocks 0 --out map.svg", 2, BLOCKS),
    ("map --dats HOLT A9B4 --blocks 1e300 --out map.svg", 2, BLOCKS),
    ("map --dats HOLT A9B4 --blocks nanx3 --out map.svg", 2, BLOCKS),
    ("export --dats HOLT A9B4 --out text", 1, "a .glb file"),
    ("export --dats HOLT A9B4 --out folder.glb", 1, NOT_A_FILE),
    ("export --dats HOLT A9B4 --out read-only.glb", 1, READ_ONLY),
    ("export --dats piped A9B4 --out a.glb", 1, PIPE),
    ("export --world folder A9B4 --out a.glb", 1, FOLDER),
    ("export --dats HOLT A9B4 --blocks 33 --out a.glb", 2, BLOCKS),
    // Scenarios.
    ("replay --dats HOLT --scenarios missing --out out", 1, NO_SUCH),
    ("replay --dats HOLT --scenarios pipe --out out", 1, PIPE),
    ("replay --dats HOLT --scenarios folder --out out", 1, FOLDER),
    ("replay --dats HOLT --scenarios /dev/zero --out out", 1, PIPE),
    ("replay --dats HOLT --scenarios deep.jsonl --out out", 1, "deep.jsonl:1: column "),
    ("replay --dats HOLT --scenarios latin1.jsonl --out out", 1, "latin1.jsonl:1: column "),
    ("replay --dats HOLT --scenarios long.jsonl --out out", 1, "long.jsonl:1: column "),
    ("replay --dats HOLT --scenarios nan.jsonl --out out", 1, "nan.jsonl:1: column "),
    ("replay --dats HOLT --scenarios walk.jsonl --out text", 1, NOT_A_FOLDER),
    ("replay --dats HOLT --scenarios walk.jsonl --expect missing", 1, NO_SUCH),
    ("replay --dats HOLT --scenarios walk.jsonl --expect pipe", 1, PIPE),
    ("replay --dats HOLT --scenarios walk.jsonl --expect empty", 1, "no results (*.jsonl"),
    ("replay --dats HOLT --scenarios walk.jsonl --expect trace.jsonl --known pipe", 1, PIPE),
    ("replay --dats HOLT --scenarios walk.jsonl --expect trace.jsonl --known folder", 1, FOLDER),
    (
        "replay --dats HOLT --scenarios walk.jsonl --expect trace.jsonl --known latin1.txt",
        1,
        "valid UTF-8",
    ),
    ("replay --dats HOLT --scenarios walk.jsonl --expect trace.jsonl --properties pipe", 1, PIPE),
    ("replay --dats HOLT --scenarios walk.jsonl --out out --rule a=b", 1, NO_RULE),
    ("replay --dats HOLT --scenarios walk.jsonl --versus a=b", 1, NO_RULE),
    (
        "replay --dats HOLT --scenarios walk.jsonl --expect trace.jsonl --world-name x",
        1,
        "nothing to compare",
    ),
    ("replay --dats missing --scenarios walk.jsonl --out out", 1, NO_SUCH),
    ("replay --world pipe --scenarios walk.jsonl --out out", 1, PIPE),
    ("trace --dats HOLT --scenarios pipe", 1, PIPE),
    (
        "trace --dats HOLT --scenarios walk.jsonl --id nobody",
        1,
        "no scenario of the world holt has this id",
    ),
    ("trace --dats HOLT --scenarios walk.jsonl --rule a=b", 1, NO_RULE),
    (
        "trace --dats HOLT --scenarios walk.jsonl --world-name x --id w",
        1,
        "no scenario of the world x",
    ),
    ("trace --dats HOLT --scenarios walk.jsonl --out folder", 1, NOT_A_FILE),
    ("trace --dats HOLT --scenarios walk.jsonl --out read-only.jsonl", 1, READ_ONLY),
    (
        "trace --dats HOLT --scenarios walk.jsonl --out missing/a.jsonl",
        1,
        "cannot be written: No such",
    ),
    ("trace --dats missing --scenarios walk.jsonl", 1, NO_SUCH),
    ("trace --world folder --scenarios walk.jsonl", 1, FOLDER),
    ("why --dats HOLT --scenarios pipe --id w", 1, PIPE),
    ("why --dats HOLT --scenarios walk.jsonl --id x", 1, "is \"x\""),
    (
        "why --dats HOLT --scenarios walk.jsonl --id w --step -1",
        2,
        "write a whole number from 0 to",
    ),
    (
        "why --dats HOLT --scenarios walk.jsonl --id w --step 1e300",
        2,
        "write a whole number from 0 to",
    ),
    ("why --dats HOLT --scenarios walk.jsonl --id w --step 99", 1, "99"),
    ("why --dats HOLT --scenarios walk.jsonl --id w --world-name x", 1, "and this one is \"x\""),
    ("why --dats missing --from A9B4 --to 1,1,1", 1, NO_SUCH),
    ("why --world pipe --from A9B4 --to 1,1,1", 1, PIPE),
    ("why --dats HOLT --from nowhere --to 1,1,1", 1, "nowhere"),
    ("why --dats HOLT --from A9B4 --to nan,1,1", 2, POINT),
    ("why --dats HOLT --from A9B4 --to 1,1,1e300", 2, COORDINATES),
    ("why --dats HOLT --from A9B4 --to 1,1,1 --setup human", 2, HEX),
    ("why --dats HOLT --from A9B4 --to 1,1,1 --state -1", 2, "unexpected argument '-1'"),
    ("why --dats HOLT --from A9B4 --to 1,1,1 --state=-1", 2, HEX),
    ("why --dats HOLT --from A9B4 --to 1,1,1 --rule a=b", 1, NO_RULE),
    // What is seen.
    ("see --dats HOLT --cell inn --eye 1,1,1 --look 2,2,2", 2, HEX),
    ("see --dats HOLT --cell 0xA9B40024 --eye nan,1,1 --look 2,2,2", 2, POINT),
    ("see --dats HOLT --cell 0xA9B40024 --eye 1,1,1 --look 2,2,-1e30", 2, COORDINATES),
    (
        "see --dats HOLT --cell 0xA9B40024 --eye 1,1,1 --look 2,2,2 --fov nan",
        1,
        "not between 0.1 and 179",
    ),
    (
        "see --dats HOLT --cell 0xA9B40024 --eye 1,1,1 --look 2,2,2 --aspect 1e300",
        1,
        "not between 0.01 and 100",
    ),
    (
        "see --dats HOLT --cell 0xA9B40024 --eye 1,1,1 --look 2,2,2 --aspect nan",
        2,
        "write W:H or a number, such as 16:9",
    ),
    (
        "see --dats HOLT --cell 0xA9B40024 --eye 1,1,1 --look 2,2,2 --near nan",
        1,
        "not between 0 and 1000",
    ),
    ("see --dats HOLT --cell 0xA9B40024 --eye 1,1,1 --look 2,2,2 --rule a=b", 1, NO_RULE),
    (
        "see --dats HOLT --cell 0xA9B40024 --eye 96,84,41.7 --look 120,84,41 --svg a.pdf",
        1,
        "an .svg or a .png",
    ),
    (
        "see --dats HOLT --cell 0xA9B40024 --eye 96,84,41.7 --look 120,84,41 --svg read-only.svg",
        1,
        READ_ONLY,
    ),
    ("see --dats missing --cell 0xA9B40024 --eye 1,1,1 --look 2,2,2", 1, NO_SUCH),
    ("see --world pipe --cell 0xA9B40024 --eye 1,1,1 --look 2,2,2", 1, PIPE),
    ("shot A9B4 --out shot.svg", 1, "the file must be a .png file"),
    ("shot --dats missing A9B4 --out shot.png", 1, NO_SUCH),
    ("shot --world pipe A9B4 --out shot.png", 1, PIPE),
    ("shot A9B4 --look inf,1,1 --out shot.png", 2, POINT),
    ("shot A9B4 --size 0x0 --out shot.png", 2, SIZE),
    ("shot A9B4 --size 1e300x1 --out shot.png", 2, SIZE),
    ("shot A9B4 --size=-1x5 --out shot.png", 2, SIZE),
    ("shot --dats HOLT A9B4 --fov nan --out shot.png", 1, "not between 0.1 and 179"),
    ("shot --dats HOLT A9B4 --fov -1e300 --out shot.png", 1, "not between 0.1 and 179"),
    ("shot A9B4 --time 24:01 --out shot.png", 2, "write a time of day from 00:00 to 24:00"),
    ("shot A9B4 --time nan --out shot.png", 2, "write a time of day from 00:00 to 24:00"),
    ("shot A9B4 --layers fog --out shot.png", 2, "possible values: "),
    ("shot A9B4 --far 0 --out shot.png", 2, "write a whole number from 1 to 12"),
    ("shot A9B4 --far -3 --out shot.png", 2, "write a whole number from 1 to 12"),
    ("shot A9B4 --far 1e300 --out shot.png", 2, "write a whole number from 1 to 12"),
    // Worlds that are made.
    ("forge here --seed -1", 2, ANY_SEED),
    ("forge here --seed nan", 2, ANY_SEED),
    ("forge here --seed 18446744073709551616", 2, ANY_SEED),
    ("forge here --kind tower", 2, "possible values: builtin, town, dungeon"),
    ("forge here --kind town --rooms 0", 2, "write a whole number from 1 to 60000"),
    ("forge here --kind town --rooms -1", 2, "write a whole number from 1 to 60000"),
    ("forge here --kind town --rooms 1e300", 2, "write a whole number from 1 to 60000"),
    ("forge here --rooms 5", 1, "say --kind town or dungeon"),
    ("forge here --world missing", 1, NO_SUCH),
    ("forge here --world pipe", 1, PIPE),
    ("forge here --world latin1.txt", 1, "latin1.txt:1:7: this is not text in UTF-8"),
    ("forge texts --world house.txt", 1, "--force"),
    ("forge text --world house.txt", 1, NOT_A_FOLDER),
    ("forge read-only --world house.txt --force", 1, READ_ONLY),
    ("forge folders --world house.txt --force", 1, NOT_A_FILE),
    ("tour --out text", 1, NOT_A_FOLDER),
    ("tour --seed -1", 2, ANY_SEED),
    ("tour --seed inf", 2, ANY_SEED),
    // Measurements.
    ("bench crowd --dats missing", 1, NO_SUCH),
    ("bench crowd --world pipe", 1, PIPE),
    ("bench crowd --bodies -1", 2, "write a whole number from 0 to 10000000"),
    ("bench crowd --bodies 1e300", 2, "write a whole number from 0 to 10000000"),
    ("bench crowd --threads 0", 2, "write a whole number from 1 to 1024"),
    ("bench crowd --threads nan", 2, "write a whole number from 1 to 1024"),
    ("bench crowd --ticks 0", 2, "write a whole number from 1 to 10000000"),
    ("bench crowd --ticks 10000001", 2, "write a whole number from 1 to 10000000"),
    ("bench crowd --kind trees", 2, "possible values: mixed, players, creatures"),
    ("bench crowd --setup human", 2, "write an id such as 0x02000001"),
    ("bench crowd --seed 1.5", 2, ANY_SEED),
    ("bench frame --size 8193x1", 2, SIZE),
    ("bench frame --samples 3", 2, "write 1 or 4"),
    ("bench frame --frames 0", 2, "write a whole number from 1 to 100000"),
    ("bench frame --frames inf", 2, "write a whole number from 1 to 100000"),
];

/// Files as other programs and other systems write them are read.
const READ: &[(&str, &str)] = &[
    ("check --world windows.txt", "0 errors"),
    ("replay --dats HOLT --scenarios windows.jsonl --expect trace.jsonl", "1 of 1"),
    ("replay --dats HOLT --scenarios windows-trace.jsonl --expect windows-trace.jsonl", "1 of 1"),
    (
        "replay --dats HOLT --scenarios walk.jsonl --expect trace.jsonl --known windows-known.txt",
        "1 of 1",
    ),
    (
        "replay --dats HOLT --scenarios walk.jsonl --expect trace.jsonl --properties windows-known.txt",
        "1 of 1",
    ),
    // What a field that is not known holds does not matter, however deep it is.
    ("replay --dats HOLT --scenarios deep-note.jsonl --expect trace.jsonl", "1 of 1"),
    // Blanks may be many.
    ("replay --dats HOLT --scenarios blank.jsonl --expect trace.jsonl", "1 of 1"),
];

const HOUSE: &str = "land A9B4 height 40
plan house
  room hall     -4,-6,0 to 4,0,3
  exit hall door south
building house A9B4 at 84,84 up 0.15
";

const WALK: &str = r#"{"id":"w","kind":"walk","world":"holt","mover":{"setup":"0x02000001","state":"0x00400408"},"start":{"cell":"0xA9B40031","pos":[150,3.2,40.005],"contact":true},"moves":[[0,-0.4,0]]}"#;

/// Text as some editors leave it: with a byte-order mark and carriage returns.
fn windows(text: &str) -> String {
    format!("\u{FEFF}{}", text.replace('\n', "\r\n"))
}

/// A folder with everything that can be wrong.
struct Desk(TempDir);

impl Desk {
    fn new() -> Self {
        let desk = Self(TempDir::new().unwrap());
        let million = |text: &str| text.repeat(10_000_000 / text.len());
        for folder in ["folder", "folder.svg", "folder.glb", "empty", "piped", "folders", "texts"] {
            fs::create_dir(desk.at(folder)).unwrap();
        }
        for file in ["client_cell_1.dat", "client_portal.dat"] {
            fs::create_dir(desk.at("folders").join(file)).unwrap();
            desk.put(&format!("texts/{file}"), "no data");
        }
        fs::create_dir(desk.at("read-only")).unwrap();
        for file in
            ["read-only.svg", "read-only.glb", "read-only.jsonl", "read-only/client_cell_1.dat"]
        {
            desk.put(file, "kept");
            let mut permissions = fs::metadata(desk.at(file)).unwrap().permissions();
            permissions.set_readonly(true);
            fs::set_permissions(desk.at(file), permissions).unwrap();
        }
        for pipe in ["pipe", "piped/client_cell_1.dat", "piped/client_portal.dat"] {
            let made = Command::new("mkfifo").arg(desk.at(pipe)).status().unwrap();
            assert!(made.success());
        }
        desk.put("text", "a text");
        desk.put("house.txt", HOUSE);
        desk.put("windows.txt", &windows(HOUSE));
        desk.put("long.txt", &million("# a comment\n"));
        desk.put("longish.txt", &"a".repeat(4_000_000));
        fs::write(desk.at("latin1.txt"), b"plan b\xE4r\n").unwrap();
        desk.put("walk.jsonl", &format!("{WALK}\n"));
        desk.put("windows.jsonl", &windows(&format!("{WALK}\n\n")));
        desk.put("blank.jsonl", &format!("{}{WALK}\n", million(" ")));
        desk.put("nan.jsonl", &WALK.replace("3.2", "NaN"));
        desk.put("long.jsonl", &WALK.replace("walk", &million("a")));
        desk.put("deep.jsonl", &WALK.replace("3.2", &"[".repeat(1_000_000)));
        let (open, close) = ("[".repeat(1_000_000), "]".repeat(1_000_000));
        let note = format!(",\"note\":{open}{close}}}\n");
        desk.put("deep-note.jsonl", &format!("{}{note}", &WALK[..WALK.len() - 1]));
        fs::write(desk.at("latin1.jsonl"), b"{\"id\":\"b\xE4r\"}\n").unwrap();
        desk.put("windows-known.txt", &windows("# none\n\n"));
        let traced = desk.run("trace --dats HOLT --scenarios walk.jsonl --out trace.jsonl");
        assert!(traced.status.success(), "{}", said(&traced));
        let trace = fs::read_to_string(desk.at("trace.jsonl")).unwrap();
        desk.put("windows-trace.jsonl", &windows(&trace));
        desk
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn put(&self, name: &str, text: &str) {
        fs::write(self.at(name), text).unwrap();
    }

    /// Runs a command line where there is no display; one that hangs is ended, and a failure.
    #[track_caller]
    fn run(&self, line: &str) -> Output {
        let holt = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/holt");
        let mut run = Command::new(env!("CARGO_BIN_EXE_threshold"));
        for word in line.split_whitespace() {
            match word {
                "HOLT" => run.arg(&holt),
                word => run.arg(word),
            };
        }
        run.current_dir(self.0.path()).stdin(Stdio::null());
        for name in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
            run.env_remove(name);
        }
        let child = run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let id = child.id().to_string();
        let waiting = thread::spawn(move || child.wait_with_output().unwrap());
        // Longer than any of them takes on any machine.
        let end = Instant::now() + Duration::from_secs(300);
        while !waiting.is_finished() && Instant::now() < end {
            thread::sleep(Duration::from_millis(1));
        }
        if !waiting.is_finished() {
            let _ = Command::new("kill").args(["-KILL", &id]).status();
            panic!("{line}: does not end");
        }
        waiting.join().unwrap()
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// More than this is no message, whatever a file holds, in bytes.
const LONG: usize = 4_000;

#[cfg(unix)]
#[test]
fn every_command_refuses_what_cannot_be_meant_and_says_what_can() {
    let desk = Desk::new();
    let mut wrong = Vec::new();
    for (line, code, words) in ROWS {
        let output = desk.run(line);
        let said = said(&output);
        let is_plain = !said.contains("panicked") && said.len() < LONG;
        if output.status.code() != Some(*code) || !said.contains(words) || !is_plain {
            let shown: String = said.chars().take(LONG).collect();
            wrong.push(format!("{line}: {:?}, {code} expected: {shown}", output.status.code()));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), ROWS.len(), wrong.join("\n"));
    for file in ["read-only.svg", "read-only.glb", "read-only.jsonl", "read-only/client_cell_1.dat"]
    {
        assert_eq!(fs::read_to_string(desk.at(file)).unwrap(), "kept");
    }
    // Nothing was begun for what was refused.
    for name in ["missing", "here", "map.svg", "a.glb", "a.pdf", "shot.png"] {
        assert!(!desk.at(name).exists(), "{name}");
    }
    let items = fs::read_dir(desk.0.path()).unwrap().map(|item| item.unwrap().file_name());
    assert_eq!(items.filter(|name| name.to_string_lossy().ends_with(".part")).count(), 0);
}

#[cfg(unix)]
#[test]
fn files_of_other_editors_and_systems_are_read() {
    let desk = Desk::new();
    for (line, words) in READ {
        let output = desk.run(line);
        assert!(
            output.status.success() && said(&output).contains(words),
            "{line}: {}",
            said(&output)
        );
    }
}

#[cfg(unix)]
#[test]
fn words_that_are_no_text_are_refused_and_paths_that_are_no_text_are_taken() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = TempDir::new().unwrap();
    let odd = OsStr::from_bytes(b"b\xE4r.txt");
    let run = |arguments: &[&OsStr]| {
        let mut run = Command::new(env!("CARGO_BIN_EXE_threshold"));
        run.current_dir(folder.path()).args(arguments).output().unwrap()
    };
    let output = run(&["forge".as_ref(), "here".as_ref(), "--seed".as_ref(), odd]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("invalid UTF-8"), "{}", said(&output));
    fs::write(folder.path().join(odd), HOUSE).unwrap();
    let output = run(&["forge".as_ref(), "here".as_ref(), "--world".as_ref(), odd]);
    assert!(output.status.success(), "{}", said(&output));
}

/// The words below a heading of a help page, first of their lines.
fn listed(help: &str, heading: &str) -> Vec<String> {
    let below = help.split(heading).nth(1).unwrap_or_default();
    let lines = below.lines().skip(1).take_while(|line| !line.is_empty());
    // Text that goes on is farther to the right.
    let own = lines.filter(|line| line.starts_with("  ") && !line.starts_with("    "));
    own.filter_map(|line| line.split_whitespace().next().map(str::to_owned)).collect()
}

/// The options that take a value.
fn valued(help: &str) -> Vec<String> {
    let lines = help.lines().map(str::trim).filter(|line| line.starts_with("--"));
    let options = lines.filter_map(|line| line.split_once(" <")).map(|(option, _)| option);
    options.map(str::to_owned).collect()
}

#[test]
fn every_command_and_every_option_with_a_value_has_a_row() {
    let help = |command: &str| {
        let mut run = Command::new(env!("CARGO_BIN_EXE_threshold"));
        let output = run.args(command.split_whitespace()).arg("--help").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let mut commands = Vec::new();
    for command in listed(&help(""), "Commands:") {
        let below = listed(&help(&command), "Commands:");
        let is_group = !below.is_empty();
        commands.extend(below.iter().map(|below| format!("{command} {below}")));
        commands.extend((!is_group).then_some(command));
    }
    commands.retain(|command| !command.split(' ').any(|word| word == "help"));
    assert!(commands.len() >= 14, "{commands:?}");
    let mut missing = BTreeSet::new();
    for command in &commands {
        let is_own = |line: &str| line.split(' ').zip(command.split(' ')).all(|(a, b)| a == b);
        let rows: Vec<&str> =
            ROWS.iter().map(|(line, ..)| *line).filter(|line| is_own(line)).collect();
        if rows.is_empty() {
            missing.insert(command.clone());
        }
        let options = valued(&help(command));
        assert!(!options.is_empty(), "{command}");
        for option in options {
            let names = |word: &str| word == option || word.starts_with(&format!("{option}="));
            let own = format!("{command} {option}");
            let is_elsewhere = ELSEWHERE.iter().any(|(other, _)| *other == own);
            if !is_elsewhere && !rows.iter().any(|line| line.split(' ').any(names)) {
                missing.insert(own);
            }
        }
    }
    assert!(missing.is_empty(), "without a row: {missing:?}");
}
