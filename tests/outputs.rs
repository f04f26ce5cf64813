//! Output files are complete or absent: after a write error, an interrupt, or with two processes at once, there is either
//! the old file or the new one, and no temporary file.

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
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;
use threshold_testkit::data_path;

const PROGRAM: &str = env!("CARGO_BIN_EXE_threshold");

fn walk(id: &str) -> String {
    format!(
        r#"{{"id":"{id}","kind":"walk","world":"holt","mover":{{"setup":"0x02000001","state":"0x00400408"}},"start":{{"cell":"0xA9B40031","pos":[150,3.2,40.005],"contact":true}},"moves":[[0,-0.4,0],[0,-0.4,0],[0,-0.4,0]]}}"#
    )
}

/// A folder for output files, and a folder with scenarios.
struct TestFolders {
    folder: TempDir,
    inputs: TempDir,
}

/// Content of the existing file that is overwritten.
const OLD: &str = "the old one";

impl TestFolders {
    fn new() -> Self {
        let folders = Self { folder: TempDir::new().unwrap(), inputs: TempDir::new().unwrap() };
        folders.scenarios(200);
        folders
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a number of walks to w.jsonl.
    fn scenarios(&self, count: usize) {
        let mut text = String::new();
        (0..count).for_each(|number| writeln!(text, "{}", walk(&format!("w{number}"))).unwrap());
        fs::write(self.inputs.path().join("w.jsonl"), text).unwrap();
    }

    /// Splits a command line, with paths for `HOLT` and `WALKS`.
    fn arguments(&self, line: &str) -> Vec<String> {
        let place = |word: &str| match word {
            "HOLT" => data_path("holt").display().to_string(),
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
        assert!(output.status.success(), "{line}: {}", printed(&output));
    }

    /// Runs a command line with a file size limit of 2 KiB (1 KiB in some shells). `trap` sets what the signal at the limit does.
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

    /// Returns all files below the folder, with their content.
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

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Command lines, each with the files that it writes. All are longer than 2 KiB.
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
fn a_failed_write_leaves_only_the_old_file() {
    for (line, files) in WRITERS {
        let folders = TestFolders::new();
        files.iter().for_each(|file| folders.put(file, OLD));
        let before = folders.all();
        // The signal is ignored, so that the write itself fails, as on a full disk.
        let output = folders.limited("trap '' XFSZ;", line);
        assert_eq!(output.status.code(), Some(1), "{line}: {}", printed(&output));
        assert!(
            printed(&output).contains(": cannot be written: File too large"),
            "{}",
            printed(&output)
        );
        assert!(folders.all() == before, "{line}: {:?}", folders.names());
        // Without an old file there is no file.
        let fresh = TestFolders::new();
        assert_eq!(fresh.limited("trap '' XFSZ;", line).status.code(), Some(1));
        assert_eq!(fresh.names(), Vec::<String>::new(), "{line}");
    }
}

#[test]
fn a_process_killed_during_a_write_leaves_the_old_file_and_the_next_one_cleans_up() {
    for (line, files) in WRITERS {
        let folders = TestFolders::new();
        files.iter().for_each(|file| folders.put(file, OLD));
        // The system kills the process at the write that exceeds the limit.
        let output = folders.limited("", line);
        assert!(
            output.status.signal().is_some(),
            "{line}: {:?} {}",
            output.status,
            printed(&output)
        );
        for file in files {
            assert_eq!(fs::read_to_string(folders.path().join(file)).unwrap(), OLD, "{line}");
        }
        folders.run(line);
        assert_eq!(folders.names(), files.to_vec(), "{line}");
        for (name, content) in folders.all() {
            assert!(content.len() > 2048, "{line}: {name} has {} bytes", content.len());
        }
    }
}

#[test]
fn an_interrupted_trace_leaves_the_old_file() {
    let folders = TestFolders::new();
    folders.put("a.jsonl", OLD);
    let line = "trace --dats HOLT --scenarios WALKS --out a.jsonl";
    // More scenarios than run before the interrupt. If the machine is too fast, the number is doubled.
    let mut count = 20_000;
    loop {
        folders.scenarios(count);
        let mut child = folders.command(line).stdout(Stdio::null()).spawn().unwrap();
        let has_started = || {
            let items = fs::read_dir(folders.path()).unwrap().map(|item| item.unwrap());
            let mut parts = items.filter(|item| item.file_name() != "a.jsonl");
            // Temporary files of other processes come and go.
            parts.any(|item| item.metadata().is_ok_and(|metadata| metadata.len() > 0))
        };
        while !has_started() && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        child.kill().unwrap();
        if child.wait().unwrap().signal().is_some() {
            break;
        }
        folders.put("a.jsonl", OLD);
        count *= 2;
    }
    assert_eq!(fs::read_to_string(folders.path().join("a.jsonl")).unwrap(), OLD);
    folders.scenarios(1);
    folders.run(line);
    assert_eq!(folders.names(), ["a.jsonl"]);
    assert!(fs::read_to_string(folders.path().join("a.jsonl")).unwrap().contains(r#"{"end":"w0""#));
}

#[test]
fn a_trace_can_be_written_to_the_standard_output_through_a_pipe() {
    let folders = TestFolders::new();
    folders.scenarios(1);
    std::os::unix::fs::symlink("/dev/stdout", folders.path().join("link")).unwrap();
    for out in ["/dev/stdout", "/dev/fd/1", "link"] {
        let line = format!("trace --dats HOLT --scenarios WALKS --out {out}");
        let output = folders.command(&line).output().unwrap();
        let text = printed(&output);
        assert!(output.status.success() && text.contains(r#"{"end":"w0""#), "{out}: {text}");
    }
}

fn forge(seed: u64, force: &str) -> String {
    format!("forge here --kind town --rooms 5 --seed {seed} {force}")
}

#[test]
fn two_processes_that_forge_into_one_folder_leave_the_world_of_one_of_them() {
    let files_of = |seed| {
        let folders = TestFolders::new();
        folders.run(&forge(seed, ""));
        folders.all()
    };
    let worlds = [1, 2].map(files_of);
    assert!(worlds[0] != worlds[1]);
    let folders = TestFolders::new();
    let start = |seed, force| {
        let mut command = folders.command(&forge(seed, force));
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    for force in ["", "--force", "--force", "--force"] {
        let both = [1, 2].map(|seed| start(seed, force));
        let outputs = both.map(|child| child.wait_with_output().unwrap());
        let succeeded = outputs.iter().filter(|output| output.status.success()).count();
        if force.is_empty() {
            // Without --force, the second process does not overwrite the files of the first.
            let refused = outputs.iter().find(|output| !output.status.success()).map(printed);
            assert_eq!(succeeded, 1, "{outputs:?}");
            assert!(refused.unwrap().contains("--force"));
        } else {
            assert_eq!(succeeded, 2, "{outputs:?}");
        }
        let all = folders.all();
        assert!(worlds.contains(&all), "{:?}", folders.names());
    }
}

#[test]
fn two_processes_that_write_one_drawing_leave_one_of_them_complete() {
    let lines = [
        "map --dats HOLT A9B4 --out a.svg",
        "see --dats HOLT --cell 0xA9B40024 --eye 96,84,41.7 --look 120,84,41 --svg a.svg",
    ];
    let files_of = |line| {
        let folders = TestFolders::new();
        folders.run(line);
        folders.all()
    };
    let drawings = lines.map(files_of);
    let folders = TestFolders::new();
    for _ in 0..5 {
        let both = lines.map(|line| folders.command(line).stdout(Stdio::null()).spawn().unwrap());
        for mut child in both {
            assert!(child.wait().unwrap().success());
        }
        assert!(drawings.contains(&folders.all()), "{:?}", folders.names());
    }
}
