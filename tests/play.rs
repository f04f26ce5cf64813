//! The program's window, as a person uses it: on a virtual display, with simulated keys.

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// So long anything may take on a machine that has much else to do.
const PATIENCE: Duration = Duration::from_secs(120);

/// What ends with the test, whatever happens.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn installed(program: &str, error: &std::io::Error) -> ! {
    panic!("{program}: {error}; `./test` installs it, on Debian: apt-get install xvfb xdotool")
}

/// One display at a time: two that are opened at once may come to have the same number, and then hands reach for the other's window.
static TURN: Mutex<()> = Mutex::new(());

/// A display that nobody sees.
struct Display {
    name: String,
    _server: Ended,
    /// Given up once the server has ended.
    _turn: MutexGuard<'static, ()>,
}

impl Display {
    fn open() -> Self {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let mut command = Command::new("Xvfb");
        command.args(["-displayfd", "1", "-screen", "0", "800x500x24", "-nolisten", "tcp"]);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut server = Ended(command.spawn().unwrap_or_else(|error| installed("Xvfb", &error)));
        let mut number = String::new();
        let said = server.0.stdout.take().unwrap();
        BufReader::new(said).read_line(&mut number).unwrap();
        assert!(number.trim().parse::<u32>().is_ok(), "Xvfb did not start: {number:?}");
        Self { name: format!(":{}", number.trim()), _server: server, _turn: turn }
    }

    /// Does something to the display, as hands would.
    fn hands(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("xdotool");
        let output = command.env("DISPLAY", &self.name).args(arguments).output();
        let output = output.unwrap_or_else(|error| installed("xdotool", &error));
        String::from_utf8(output.stdout).unwrap()
    }
}

/// The program, in a window.
struct Play {
    program: Ended,
    lines: Receiver<String>,
    folder: TempDir,
}

fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
    for name in ["XDG_CONFIG_HOME", "HOME", "XDG_RUNTIME_DIR"] {
        command.env(name, folder);
    }
    command.env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET").current_dir(folder);
    command
}

impl Play {
    fn open(display: &Display, arguments: &[&str]) -> Self {
        let folder = TempDir::new().unwrap();
        let mut command = program(folder.path());
        command.env("DISPLAY", &display.name).arg("play").args(arguments);
        command.arg("--out").arg(folder.path().join("kept"));
        let mut program = Ended(command.stdout(Stdio::piped()).spawn().unwrap());
        let said = program.0.stdout.take().unwrap();
        let (line, lines) = channel();
        std::thread::spawn(move || {
            BufReader::new(said).lines().map_while(Result::ok).try_for_each(|it| line.send(it))
        });
        Self { program, lines, folder }
    }

    /// Waits until the program prints a line with such words in it.
    #[track_caller]
    fn says(&self, words: &str) -> String {
        let (end, mut said) = (Instant::now() + PATIENCE, Vec::new());
        loop {
            match self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(line) if line.contains(words) => return line,
                Ok(line) => said.push(line),
                Err(_) => panic!("it never said {words:?}; it said {said:?}"),
            }
        }
    }

    /// Waits until it has ended by itself.
    #[track_caller]
    fn ends(&mut self) {
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            if let Some(status) = self.program.0.try_wait().unwrap() {
                assert!(status.success(), "{status}");
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("it never ended");
    }
}

/// The window of the program, once there is one; the keyboard is its own.
#[track_caller]
fn window(display: &Display) -> String {
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        let found = display.hands(&["search", "--onlyvisible", "--name", "^Threshold$"]);
        if let Some(id) = found.lines().next() {
            display.hands(&["windowfocus", "--sync", id]);
            return id.to_owned();
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("no window was opened");
}

/// A picture in which something is to be seen: no colour has most of it.
#[track_caller]
fn check_not_blank(file: &Path) {
    let picture = image::open(file).unwrap().to_rgb8();
    let mut colours: BTreeMap<[u8; 3], usize> = BTreeMap::new();
    picture.pixels().for_each(|pixel| *colours.entry(pixel.0).or_default() += 1);
    let (all, most) = (picture.pixels().len(), *colours.values().max().unwrap());
    assert!(colours.len() > 1000 && most * 4 < all, "{} colours, {most} of {all}", colours.len());
}

/// The path that a line says something was written to.
fn written(line: &str) -> PathBuf {
    PathBuf::from(line.strip_prefix("written: ").unwrap())
}

/// The whole of it: it opens, somebody walks in, the cell changes, a picture is taken, a report runs again, and it is closed.
#[test]
fn somebody_walks_through_the_inns_door_by_keys_and_keeps_a_picture_and_a_report() {
    let display = Display::open();
    let mut play = Play::open(&display, &["--at", "inn door"]);
    window(&display);
    display.hands(&["keydown", "w"]);
    play.says("-> 0xA9B40105  inn, vestibule");
    play.says("-> 0xA9B40106  inn, taproom");
    display.hands(&["keyup", "w"]);
    display.hands(&["key", "F12"]);
    check_not_blank(&written(&play.says("written: ")));
    display.hands(&["key", "F9"]);
    let report = written(&play.says("written: "));
    check_not_blank(&report.join("picture.png"));
    let words = std::fs::read_to_string(report.join("report.txt")).unwrap();
    assert!(words.contains("0xA9B40106, inn, taproom"), "{words}");
    let again = words.lines().find(|line| line.trim().starts_with("threshold replay")).unwrap();
    let mut replay = program(play.folder.path());
    let output = replay.args(again.trim().split(' ').skip(1)).output().unwrap();
    assert!(output.status.success(), "{again}\n{output:?}");
    // Without the panel, which is remembered.
    display.hands(&["key", "p"]);
    display.hands(&["key", "F10"]);
    play.ends();
    let settings = play.folder.path().join("threshold/settings.json");
    assert!(std::fs::read_to_string(settings).unwrap().contains("\"panel\": false"));
}

/// What is written into the box for places is no way to walk; one goes where it says.
#[test]
fn somebody_writes_a_place_and_is_there() {
    let display = Display::open();
    let mut play = Play::open(&display, &["--at", "village square"]);
    window(&display);
    // Keys count once there is somebody to do it.
    display.hands(&["keydown", "w"]);
    play.says("->");
    display.hands(&["keyup", "w"]);
    display.hands(&["key", "t"]);
    display.hands(&["type", "--delay", "20", "cottage cellar"]);
    display.hands(&["key", "Return"]);
    play.says("-> 0xA9B40104");
    display.hands(&["key", "F10"]);
    play.ends();
}

#[test]
fn a_window_closes_after_so_many_seconds_and_says_how_fast_it_was() {
    let display = Display::open();
    let mut play = Play::open(&display, &["--seconds", "15"]);
    play.says("first frame after");
    play.ends();
}

/// Without a display.
fn without_a_window(folder: &Path, driver: Option<&str>, arguments: &[&str]) -> Output {
    let mut command = program(folder);
    command.env_remove("DISPLAY").args(arguments);
    if let Some(driver) = driver {
        command.env("VK_DRIVER_FILES", driver).env("VK_ICD_FILENAMES", driver);
    }
    command.output().unwrap()
}

#[track_caller]
fn check_tour(driver: Option<&str>, ending: &str, wanted: &[&str]) {
    let folder = TempDir::new().unwrap();
    let output = without_a_window(folder.path(), driver, &["--out", "taken"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{said}");
    for words in wanted {
        assert!(said.contains(words), "{words}: {said}");
    }
    let files = std::fs::read_dir(folder.path().join("taken")).unwrap();
    let files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    assert_eq!(files.len(), 16, "{files:?}");
    assert!(files.iter().all(|file| file.extension().unwrap() == ending), "{files:?}");
}

#[test]
fn without_a_display_the_tour_is_taken_and_it_is_said_what_to_install() {
    check_tour(None, "png", &["no display", "apt-get install", "libxkbcommon-x11-0"]);
}

#[test]
fn without_a_driver_the_tour_is_taken_with_maps_and_it_is_said_what_to_install() {
    check_tour(Some("/nowhere.json"), "svg", &["apt-get install", "mesa-vulkan-drivers"]);
}

#[test]
fn without_a_display_another_world_is_refused_with_what_to_do_instead() {
    let folder = TempDir::new().unwrap();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/holt");
    let arguments = ["play", "--dats", data.to_str().unwrap()];
    let output = without_a_window(folder.path(), None, &arguments);
    let mut said = String::new();
    output.stderr.as_slice().read_to_string(&mut said).unwrap();
    assert!(!output.status.success());
    for words in ["no display", "apt-get install", "threshold shot"] {
        assert!(said.contains(words), "{words}: {said}");
    }
}
