//! Which world a command works on: the built-in one, one written as text, or data files.

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

/// A folder to work in.
struct Desk(TempDir);

const HOUSE: &str = "land A9B4 height 40
plan house
  room hall     -4,-6,0 to 4,0,3
  room kitchen  -4,0,0 to 4,4,3
  exit hall door south
  join hall kitchen door north
building house A9B4 at 84,84 up 0.15
";

impl Desk {
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

    /// What is said on success.
    #[track_caller]
    fn say(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments}: {complaint}");
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
    let desk = Desk::new();
    let place = "of the built-in world";
    assert!(desk.say("inspect").contains(place));
    assert!(desk.say("inspect 0xA9B4FFFF").contains(place));
    assert!(desk.say("check --roundtrip").contains("0 errors, 0 notes"));
    assert!(desk.say("map A9B4 --blocks 5 --out village.svg").contains("25 landblocks"));
    assert!(desk.say("map 0xACB40100 --out depths.svg").contains(" rooms on "));
    let walk = desk.say("why --from 0xA9B4002D:134,100,40.15 --to 0,1,0 --relative");
    assert!(walk.contains("0xA9B4"), "{walk}");
    let seen = desk.say("see --cell 0xA9B40025 --eye 100,100,41.7 --look 120,110,41.7");
    assert!(seen.contains("0xA9B4"), "{seen}");
    assert!(desk.say("bench crowd --bodies 50 --ticks 5").contains("hash"));
    let walk = r#"{"id":"w","kind":"walk","world":"builtin","mover":{"setup":"0x02000001","state":"0x00400408"},"start":{"cell":"0xA9B40024","pos":[90,90,40.005],"contact":true},"moves":[[0,-0.4,0]]}"#;
    fs::write(desk.path().join("walk.jsonl"), walk).unwrap();
    assert!(desk.say("trace --scenarios walk.jsonl --out t.jsonl").contains("the world builtin"));
    assert!(
        desk.say("replay --scenarios walk.jsonl --expect t.jsonl --out r")
            .contains("the world builtin")
    );
}

#[test]
fn a_world_written_as_text_is_read_wherever_a_world_is() {
    let desk = Desk::new();
    fs::write(desk.path().join("house.txt"), HOUSE).unwrap();
    assert!(desk.say("inspect --world house.txt").contains("client_cell_1.dat of house.txt"));
    assert!(desk.say("check --roundtrip --world house.txt").contains("0 errors, 0 notes"));
    assert!(desk.say("map --world house.txt A9B4 --out a.svg").contains("1 building"));
    let eye = "--cell 0xA9B40101 --eye 84,86,41.7 --look 84,70,41.7";
    assert!(desk.say(&format!("see --world house.txt {eye}")).contains("0xA9B40100"));
    let walk = "--from 0xA9B40101:84,86,40.15 --to 84,80,40.15";
    assert!(desk.say(&format!("why --world house.txt {walk}")).contains("0xA9B40100"));
    // The same world as files.
    desk.say("forge dats --world house.txt");
    assert_eq!(
        desk.say(&format!("see --world house.txt {eye} --json")),
        desk.say(&format!("see --dats dats {eye} --json"))
    );
}

#[test]
fn a_mistake_in_a_text_is_named_with_file_line_and_column() {
    let desk = Desk::new();
    let wrong = HOUSE.replace("door north", "door nort");
    fs::write(desk.path().join("house.txt"), wrong).unwrap();
    assert_eq!(
        desk.refuse("check --world house.txt"),
        "threshold: house.txt:6:26: \"nort\" is not a face; did you mean \"north\"?\n  \
         \x20 join hall kitchen door nort\n                           ^\n"
    );
    fs::write(desk.path().join("house.txt"), b"plan \xFF").unwrap();
    let said = desk.refuse("map --world house.txt A9B4 --out a.svg");
    assert!(said.contains("house.txt:1:6: this is not text in UTF-8"), "{said}");
    let said = desk.refuse("inspect --world none.txt");
    assert!(said.contains("none.txt: cannot be read: "), "{said}");
    let said = desk.refuse("inspect --world house.txt --dats .");
    assert!(said.contains("cannot be used with"), "{said}");
}
