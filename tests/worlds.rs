//! The world that a command works on: the built-in one, one written as text, or data files.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// A folder for the files of a test.
struct TestFolder(TempDir);

const HOUSE: &str = "land A9B4 height 40
plan house
  room hall     -4,-6,0 to 4,0,3
  room kitchen  -4,0,0 to 4,4,3
  exit hall door south
  join hall kitchen door north
building house A9B4 at 84,84 up 0.15
";

impl TestFolder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn run(&self, arguments: &str) -> Output {
        let mut run = Command::new(env!("CARGO_BIN_EXE_threshold"));
        run.current_dir(self.path()).args(arguments.split_whitespace());
        run.output().unwrap()
    }

    /// Runs with success, and returns the printed text.
    #[track_caller]
    fn succeed(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments}: {error}");
        String::from_utf8(output.stdout).unwrap()
    }

    #[track_caller]
    fn refuse(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        assert!(!output.status.success(), "{arguments}");
        String::from_utf8(output.stderr).unwrap()
    }
}

#[test]
fn the_built_in_world_is_the_default_of_every_command() {
    let folder = TestFolder::new();
    let place = "of the built-in world";
    assert!(folder.succeed("inspect").contains(place));
    assert!(folder.succeed("inspect 0xA9B4FFFF").contains(place));
    assert!(folder.succeed("check --roundtrip").contains("0 errors, 0 notes"));
    assert!(folder.succeed("map A9B4 --blocks 5 --out village.svg").contains("25 landblocks"));
    assert!(folder.succeed("map 0xACB40100 --out depths.svg").contains(" rooms on "));
    let walk = folder.succeed("why --from 0xA9B4002D:134,100,40.15 --to 0,1,0 --relative");
    assert!(walk.contains("0xA9B4"), "{walk}");
    let seen = folder.succeed("see --cell 0xA9B40025 --eye 100,100,41.7 --look 120,110,41.7");
    assert!(seen.contains("0xA9B4"), "{seen}");
    assert!(folder.succeed("bench crowd --bodies 50 --ticks 5").contains("hash"));
    let walk = r#"{"id":"w","kind":"walk","world":"builtin","mover":{"setup":"0x02000001","state":"0x00400408"},"start":{"cell":"0xA9B40024","pos":[90,90,40.005],"contact":true},"moves":[[0,-0.4,0]]}"#;
    fs::write(folder.path().join("walk.jsonl"), walk).unwrap();
    assert!(
        folder.succeed("trace --scenarios walk.jsonl --out t.jsonl").contains("the world builtin")
    );
    assert!(
        folder
            .succeed("replay --scenarios walk.jsonl --expect t.jsonl --out r")
            .contains("the world builtin")
    );
}

#[test]
fn every_command_reads_a_world_written_as_text() {
    let folder = TestFolder::new();
    fs::write(folder.path().join("house.txt"), HOUSE).unwrap();
    assert!(folder.succeed("inspect --world house.txt").contains("client_cell_1.dat of house.txt"));
    assert!(folder.succeed("check --roundtrip --world house.txt").contains("0 errors, 0 notes"));
    assert!(folder.succeed("map --world house.txt A9B4 --out a.svg").contains("1 building"));
    let eye = "--cell 0xA9B40101 --eye 84,86,41.7 --look 84,70,41.7";
    assert!(folder.succeed(&format!("see --world house.txt {eye}")).contains("0xA9B40100"));
    let walk = "--from 0xA9B40101:84,86,40.15 --to 84,80,40.15";
    assert!(folder.succeed(&format!("why --world house.txt {walk}")).contains("0xA9B40100"));
    // The same world as files.
    folder.succeed("forge dats --world house.txt");
    assert_eq!(
        folder.succeed(&format!("see --world house.txt {eye} --json")),
        folder.succeed(&format!("see --dats dats {eye} --json"))
    );
}

#[test]
fn an_error_in_a_text_has_file_line_and_column() {
    let folder = TestFolder::new();
    let wrong = HOUSE.replace("door north", "door nort");
    fs::write(folder.path().join("house.txt"), wrong).unwrap();
    assert_eq!(
        folder.refuse("check --world house.txt"),
        "threshold: house.txt:6:26: \"nort\" is not a face; did you mean \"north\"?\n  \
         \x20 join hall kitchen door nort\n                           ^\n"
    );
    fs::write(folder.path().join("house.txt"), b"plan \xFF").unwrap();
    let error = folder.refuse("map --world house.txt A9B4 --out a.svg");
    assert!(error.contains("house.txt:1:6: not UTF-8"), "{error}");
    let error = folder.refuse("inspect --world none.txt");
    assert!(error.contains("none.txt: cannot be read: "), "{error}");
    let error = folder.refuse("inspect --world house.txt --dats .");
    assert!(error.contains("cannot be used with"), "{error}");
}
