//! Error messages of all commands for wrong arguments and unusable files.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

#[path = "arguments/rows.rs"]
mod rows;

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use threshold_testkit::data_path;

use self::rows::{ACCEPTED, EXEMPT, REFUSED, WITHOUT_VALUES};

const HOUSE: &str = "land A9B4 height 40
plan house
  room hall     -4,-6,0 to 4,0,3
  exit hall door south
building house A9B4 at 84,84 up 0.15
";

const WALK: &str = r#"{"id":"w","kind":"walk","world":"holt","mover":{"setup":"0x02000001","state":"0x00400408"},"start":{"cell":"0xA9B40031","pos":[150,3.2,40.005],"contact":true},"moves":[[0,-0.4,0]]}"#;

/// Text as some editors on Windows write it: with a byte-order mark and carriage returns.
fn windows(text: &str) -> String {
    format!("\u{FEFF}{}", text.replace('\n', "\r\n"))
}

/// A folder with unusable files of all kinds.
struct TestFolder(TempDir);

impl TestFolder {
    fn new() -> Self {
        let files = Self(TempDir::new().unwrap());
        let million = |text: &str| text.repeat(10_000_000 / text.len());
        for folder in ["folder", "folder.svg", "folder.glb", "empty", "piped", "folders", "texts"] {
            fs::create_dir(files.at(folder)).unwrap();
        }
        for file in ["client_cell_1.dat", "client_portal.dat"] {
            fs::create_dir(files.at("folders").join(file)).unwrap();
            files.put(&format!("texts/{file}"), "no data");
        }
        fs::create_dir(files.at("read-only")).unwrap();
        for file in
            ["read-only.svg", "read-only.glb", "read-only.jsonl", "read-only/client_cell_1.dat"]
        {
            files.put(file, "kept");
            let mut permissions = fs::metadata(files.at(file)).unwrap().permissions();
            permissions.set_readonly(true);
            fs::set_permissions(files.at(file), permissions).unwrap();
        }
        for pipe in
            ["pipe", "pipe.svg", "pipe.glb", "piped/client_cell_1.dat", "piped/client_portal.dat"]
        {
            let made = Command::new("mkfifo").arg(files.at(pipe)).status().unwrap();
            assert!(made.success());
        }
        files.put("text", "a text");
        files.put("house.txt", HOUSE);
        files.put("windows.txt", &windows(HOUSE));
        files.put("long.txt", &million("# a comment\n"));
        files.put("longish.txt", &"a".repeat(4_000_000));
        fs::write(files.at("latin1.txt"), b"plan b\xE4r\n").unwrap();
        files.put("escape.txt", "\u{1b}[31m land\n");
        files.put("empty.jsonl", "");
        files.put("partly.jsonl", &format!("{WALK}\n{{\n"));
        let whole = fs::read(data_path("conformance/scenarios/holt-walks.jsonl.gz")).unwrap();
        fs::write(files.at("cut.jsonl.gz"), &whole[..whole.len() / 2]).unwrap();
        files.put("walk.jsonl", &format!("{WALK}\n"));
        files.put("windows.jsonl", &windows(&format!("{WALK}\n\n")));
        files.put("blank.jsonl", &format!("{}{WALK}\n", million(" ")));
        files.put("nan.jsonl", &WALK.replace("3.2", "NaN"));
        files.put("long.jsonl", &WALK.replace("walk", &million("a")));
        files.put("deep.jsonl", &WALK.replace("3.2", &"[".repeat(1_000_000)));
        let (open, close) = ("[".repeat(1_000_000), "]".repeat(1_000_000));
        let note = format!(",\"note\":{open}{close}}}\n");
        files.put("deep-note.jsonl", &format!("{}{note}", &WALK[..WALK.len() - 1]));
        fs::write(files.at("latin1.jsonl"), b"{\"id\":\"b\xE4r\"}\n").unwrap();
        files.put("windows-known.txt", &windows("# none\n\n"));
        let traced = files.run("trace --dats HOLT --scenarios walk.jsonl --out trace.jsonl");
        assert!(traced.status.success(), "{}", printed(&traced));
        let trace = fs::read_to_string(files.at("trace.jsonl")).unwrap();
        files.put("windows-trace.jsonl", &windows(&trace));
        files
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn put(&self, name: &str, text: &str) {
        fs::write(self.at(name), text).unwrap();
    }

    /// Runs a command line without a display. Kills one that hangs, and fails.
    #[track_caller]
    fn run(&self, line: &str) -> Output {
        let holt = data_path("holt");
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
        // Longer than any command takes on any machine.
        let end = Instant::now() + Duration::from_secs(300);
        while !waiting.is_finished() && Instant::now() < end {
            thread::sleep(Duration::from_millis(1));
        }
        if !waiting.is_finished() {
            let _ = Command::new("kill").args(["-KILL", &id]).status();
            panic!("{line}: hangs");
        }
        waiting.join().unwrap()
    }
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Longest error message, in bytes. A longer one repeats the content of a file.
const MAX_MESSAGE: usize = 4_000;

#[cfg(unix)]
#[test]
fn every_command_refuses_wrong_arguments_and_files_with_a_plain_message() {
    let files = TestFolder::new();
    let mut wrong = Vec::new();
    for (line, code, words) in REFUSED {
        let output = files.run(line);
        let text = printed(&output);
        let is_plain =
            !text.contains("panicked") && !text.contains('\u{1b}') && text.len() < MAX_MESSAGE;
        if output.status.code() != Some(*code) || !text.contains(words) || !is_plain {
            let shown: String = text.chars().take(MAX_MESSAGE).collect();
            wrong.push(format!("{line}: {:?}, {code} expected: {shown}", output.status.code()));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), REFUSED.len(), wrong.join("\n"));
    for file in ["read-only.svg", "read-only.glb", "read-only.jsonl", "read-only/client_cell_1.dat"]
    {
        assert_eq!(fs::read_to_string(files.at(file)).unwrap(), "kept");
    }
    // Refused commands write no files.
    for name in ["missing", "here", "map.svg", "a.glb", "a.pdf", "shot.png"] {
        assert!(!files.at(name).exists(), "{name}");
    }
    let items = fs::read_dir(files.0.path()).unwrap().map(|item| item.unwrap().file_name());
    assert_eq!(items.filter(|name| name.to_string_lossy().ends_with(".part")).count(), 0);
}

#[cfg(unix)]
#[test]
fn files_written_by_other_editors_and_systems_are_read() {
    let files = TestFolder::new();
    for (line, words) in ACCEPTED {
        let output = files.run(line);
        assert!(
            output.status.success() && printed(&output).contains(words),
            "{line}: {}",
            printed(&output)
        );
    }
}

#[cfg(unix)]
#[test]
fn arguments_that_are_not_utf8_are_refused_except_paths() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = TempDir::new().unwrap();
    let odd = OsStr::from_bytes(b"b\xE4r.txt");
    let run = |arguments: &[&OsStr]| {
        let mut run = Command::new(env!("CARGO_BIN_EXE_threshold"));
        run.current_dir(folder.path()).args(arguments).output().unwrap()
    };
    let output = run(&["forge".as_ref(), "here".as_ref(), "--seed".as_ref(), odd]);
    assert_eq!(output.status.code(), Some(2), "{}", printed(&output));
    assert!(printed(&output).contains("invalid UTF-8"), "{}", printed(&output));
    fs::write(folder.path().join(odd), HOUSE).unwrap();
    let output = run(&["forge".as_ref(), "here".as_ref(), "--world".as_ref(), odd]);
    assert!(output.status.success(), "{}", printed(&output));
}

/// Returns the first words of the lines below a heading of a help page.
fn listed(help: &str, heading: &str) -> Vec<String> {
    let below = help.split(heading).nth(1).unwrap_or_default();
    let lines = below.lines().skip(1).take_while(|line| !line.is_empty());
    // Continued lines are indented farther.
    let own = lines.filter(|line| line.starts_with("  ") && !line.starts_with("    "));
    own.filter_map(|line| line.split_whitespace().next().map(str::to_owned)).collect()
}

/// Returns the options that take a value.
fn valued(help: &str) -> Vec<String> {
    let lines = help.lines().map(str::trim).filter(|line| line.starts_with("--"));
    let options = lines.filter_map(|line| line.split_once(" <")).map(|(option, _)| option);
    options.map(str::to_owned).collect()
}

#[test]
fn every_command_and_every_option_with_a_value_is_tested() {
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
            REFUSED.iter().map(|(line, ..)| *line).filter(|line| is_own(line)).collect();
        if rows.is_empty() {
            missing.insert(command.clone());
        }
        let options = valued(&help(command));
        assert_eq!(options.is_empty(), WITHOUT_VALUES.contains(&command.as_str()), "{command}");
        for option in options {
            let names = |word: &str| word == option || word.starts_with(&format!("{option}="));
            let own = format!("{command} {option}");
            let is_exempt = EXEMPT.iter().any(|(other, _)| *other == own);
            if !is_exempt && !rows.iter().any(|line| line.split(' ').any(names)) {
                missing.insert(own);
            }
        }
    }
    assert!(missing.is_empty(), "not tested: {missing:?}");
}
