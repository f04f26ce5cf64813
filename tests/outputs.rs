//! What the program writes is whole or not there: after an error in the middle, an interrupt, and with two processes
//! at once, the earlier file is as it was or the new one is there, and nothing else is left in the folder.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

use std::fmt::Write as _;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_threshold");

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(name)
}

fn walk(id: &str) -> String {
    format!(
        r#"{{"id":"{id}","kind":"walk","world":"holt","mover":{{"setup":"0x02000001","state":"0x00400408"}},"start":{{"cell":"0xA9B40031","pos":[150,3.2,40.005],"contact":true}},"moves":[[0,-0.4,0],[0,-0.4,0],[0,-0.4,0]]}}"#
    )
}

/// A folder with an earlier file in place of each output, and one of scenarios beside it.
struct Desk {
    folder: TempDir,
    inputs: TempDir,
}

/// What stands where the new file goes.
const OLD: &str = "the old one";

impl Desk {
    fn new() -> Self {
        let desk = Self { folder: TempDir::new().unwrap(), inputs: TempDir::new().unwrap() };
        desk.scenarios(200);
        desk
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// So many walks, in w.jsonl.
    fn scenarios(&self, count: usize) {
        let mut text = String::new();
        (0..count).for_each(|number| writeln!(text, "{}", walk(&format!("w{number}"))).unwrap());
        fs::write(self.inputs.path().join("w.jsonl"), text).unwrap();
    }

    /// The arguments with `HOLT` and `WALKS` in place.
    fn arguments(&self, line: &str) -> Vec<String> {
        let place = |word: &str| match word {
            "HOLT" => data("holt").display().to_string(),
            "WALKS" => self.inputs.path().join("w.jsonl").display().to_string(),
            word => word.to_owned(),
        };
        line.split_whitespace().map(place).collect()
    }

    fn command(&self, line: &str) -> Command {
        let mut run = Command::new(PROGRAM);
        run.current_dir(self.path()).args(self.arguments(line));
        run
    }

    #[track_caller]
    fn run(&self, line: &str) {
        let output = self.command(line).output().unwrap();
        assert!(output.status.success(), "{line}: {}", said(&output));
    }

    /// Runs it where no file may grow beyond 2 KiB (1 KiB in some shells); `trap` says what becomes of the process that tries.
    fn limited(&self, trap: &str, line: &str) -> Output {
        let script = format!("{trap} ulimit -f 2; exec \"$0\" \"$@\"");
        let mut run = Command::new("sh");
        run.args(["-c", &script, PROGRAM]).args(self.arguments(line));
        run.current_dir(self.path()).output().unwrap()
    }

    fn put(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// All files of the folder and those below, with their content.
    fn all(&self) -> Vec<(String, Vec<u8>)> {
        let (mut files, mut folders) = (Vec::new(), vec![self.path().to_owned()]);
        while let Some(folder) = folders.pop() {
            for path in fs::read_dir(folder).unwrap().map(|item| item.unwrap().path()) {
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(self.path()).unwrap().display().to_string();
                    files.push((name, fs::read(path).unwrap()));
                }
            }
        }
        files.sort();
        files
    }

    fn names(&self) -> Vec<String> {
        self.all().into_iter().map(|(name, _)| name).collect()
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// A command line and the files that it writes, each longer than 2 KiB.
const WRITERS: [(&str, &[&str]); 7] = [
    (
        "forge here --kind town --rooms 5 --force",
        &["here/client_cell_1.dat", "here/client_portal.dat"],
    ),
    ("export --dats HOLT A9B4 --out a.glb", &["a.glb"]),
    ("map --dats HOLT A9B4 --out a.svg", &["a.svg"]),
    ("map --dats HOLT A9B4 --out a.png", &["a.png"]),
    ("trace --dats HOLT --scenarios WALKS --out a.jsonl", &["a.jsonl"]),
    ("replay --dats HOLT --scenarios WALKS --out results", &["results/w.jsonl"]),
    ("see --dats HOLT --cell 0xA9B40024 --eye 96,84,41.7 --look 120,84,41 --svg a.svg", &["a.svg"]),
];

#[test]
fn a_write_that_fails_midway_leaves_the_old_file_and_nothing_else() {
    for (line, files) in WRITERS {
        let desk = Desk::new();
        files.iter().for_each(|file| desk.put(file, OLD));
        let before = desk.all();
        // The signal is ignored, so that the write itself fails, as on a full disk.
        let output = desk.limited("trap '' XFSZ;", line);
        assert_eq!(output.status.code(), Some(1), "{line}: {}", said(&output));
        assert!(said(&output).contains(": cannot be written: File too large"), "{}", said(&output));
        assert!(desk.all() == before, "{line}: {:?}", desk.names());
        // Where there was none, there is none.
        let fresh = Desk::new();
        assert_eq!(fresh.limited("trap '' XFSZ;", line).status.code(), Some(1));
        assert_eq!(fresh.names(), Vec::<String>::new(), "{line}");
    }
}

#[test]
fn a_process_that_is_ended_within_a_write_leaves_the_old_file_and_the_next_one_tidies_up() {
    for (line, files) in WRITERS {
        let desk = Desk::new();
        files.iter().for_each(|file| desk.put(file, OLD));
        // The system ends the process at the very write that goes beyond the limit.
        let output = desk.limited("", line);
        assert!(output.status.signal().is_some(), "{line}: {:?} {}", output.status, said(&output));
        for file in files {
            assert_eq!(fs::read_to_string(desk.path().join(file)).unwrap(), OLD, "{line}");
        }
        desk.run(line);
        assert_eq!(desk.names(), files.to_vec(), "{line}");
        for (name, content) in desk.all() {
            assert!(content.len() > 2048, "{line}: {name} has {} bytes", content.len());
        }
    }
}

#[test]
fn a_trace_that_is_interrupted_leaves_the_old_one() {
    let desk = Desk::new();
    desk.put("a.jsonl", OLD);
    let line = "trace --dats HOLT --scenarios WALKS --out a.jsonl";
    // More than it can run before it is noticed; and more again should a machine be that busy.
    let mut count = 20_000;
    loop {
        desk.scenarios(count);
        let mut child = desk.command(line).stdout(Stdio::null()).spawn().unwrap();
        let is_begun = || {
            let items = fs::read_dir(desk.path()).unwrap().map(|item| item.unwrap());
            let mut parts = items.filter(|item| item.file_name() != "a.jsonl");
            // Others come and go with their processes.
            parts.any(|item| item.metadata().is_ok_and(|metadata| metadata.len() > 0))
        };
        while !is_begun() && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        child.kill().unwrap();
        if child.wait().unwrap().signal().is_some() {
            break;
        }
        desk.put("a.jsonl", OLD);
        count *= 2;
    }
    assert_eq!(fs::read_to_string(desk.path().join("a.jsonl")).unwrap(), OLD);
    desk.scenarios(1);
    desk.run(line);
    assert_eq!(desk.names(), ["a.jsonl"]);
    assert!(fs::read_to_string(desk.path().join("a.jsonl")).unwrap().contains(r#"{"end":"w0""#));
}

fn forge(seed: u64, force: &str) -> String {
    format!("forge here --kind town --rooms 5 --seed {seed} {force}")
}

#[test]
fn two_processes_that_forge_into_one_folder_at_once_leave_the_world_of_one_of_them() {
    let of = |seed| {
        let desk = Desk::new();
        desk.run(&forge(seed, ""));
        desk.all()
    };
    let worlds = [1, 2].map(of);
    assert!(worlds[0] != worlds[1]);
    let desk = Desk::new();
    let start = |seed, force| {
        let mut command = desk.command(&forge(seed, force));
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    for force in ["", "--force", "--force", "--force"] {
        let both = [1, 2].map(|seed| start(seed, force));
        let outputs = both.map(|child| child.wait_with_output().unwrap());
        let succeeded = outputs.iter().filter(|output| output.status.success()).count();
        if force.is_empty() {
            // Nothing that the other wrote is replaced without being told to.
            let refused = outputs.iter().find(|output| !output.status.success()).map(said);
            assert_eq!(succeeded, 1, "{outputs:?}");
            assert!(refused.unwrap().contains("--force"));
        } else {
            assert_eq!(succeeded, 2, "{outputs:?}");
        }
        let all = desk.all();
        assert!(worlds.contains(&all), "{:?}", desk.names());
    }
}

#[test]
fn two_processes_that_write_one_picture_at_once_leave_one_of_them_whole() {
    let lines = [
        "map --dats HOLT A9B4 --out a.svg",
        "see --dats HOLT --cell 0xA9B40024 --eye 96,84,41.7 --look 120,84,41 --svg a.svg",
    ];
    let of = |line| {
        let desk = Desk::new();
        desk.run(line);
        desk.all()
    };
    let pictures = lines.map(of);
    let desk = Desk::new();
    for _ in 0..5 {
        let both = lines.map(|line| desk.command(line).stdout(Stdio::null()).spawn().unwrap());
        for mut child in both {
            assert!(child.wait().unwrap().success());
        }
        assert!(pictures.contains(&desk.all()), "{:?}", desk.names());
    }
}
