//! The program's window, as a person uses it: on a virtual display, with simulated keys.

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use threshold_land::Place;

/// Nothing here waits for a time, but for a state. Whatever has not come after this long will not come.
const PATIENCE: Duration = Duration::from_secs(600);
/// How often a state is looked at that nothing tells of.
const GLANCE: Duration = Duration::from_millis(50);
/// Width and height of the window, in pixels: small, as it is drawn by software.
const WINDOW: [i32; 2] = [640, 400];

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

/// Looks again and again until there is something.
#[track_caller]
fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "it never came to this: {what}");
        std::thread::sleep(GLANCE);
    }
}

/// One window at a time: each is drawn by software, which takes all processors.
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
        // Servers that look for a free number by themselves may find the same one. A server that is given a number ends where it is taken.
        let first = std::process::id() % 30_000 + 100;
        let opened = (first..first + 100)
            .find_map(|number| Self::serve(number).map(|server| (format!(":{number}"), server)));
        let (name, server) = opened.expect("Xvfb starts with one of a hundred numbers");
        Self { name, _server: server, _turn: turn }
    }

    /// A server with this number, once it is ready; `None` if it ends instead.
    fn serve(number: u32) -> Option<Ended> {
        let mut command = Command::new("Xvfb");
        // With -noreset it stays as it is when the last client leaves: hands come and go.
        command.arg(format!(":{number}")).args(["-displayfd", "1", "-noreset"]);
        command.args(["-screen", "0", "800x500x24", "-nolisten", "tcp"]);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut server = Ended(command.spawn().unwrap_or_else(|error| installed("Xvfb", &error)));
        let mut ready = String::new();
        let said = server.0.stdout.take().unwrap();
        BufReader::new(said).read_line(&mut ready).unwrap();
        (ready.trim() == number.to_string()).then_some(server)
    }

    /// Does something to the display, as hands would.
    #[track_caller]
    fn hands(&self, arguments: &[&str]) -> String {
        let output = self.try_hands(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "xdotool {arguments:?}: {said}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn try_hands(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new("xdotool");
        let output = command.env("DISPLAY", &self.name).args(arguments).output();
        output.unwrap_or_else(|error| installed("xdotool", &error))
    }

    /// The window of the program, once there is one; the keyboard is its own.
    #[track_caller]
    fn window(&self) -> String {
        let found = wait_for("a window", || {
            let found = self.try_hands(&["search", "--onlyvisible", "--name", "^Threshold$"]);
            String::from_utf8(found.stdout).unwrap().lines().next().map(str::to_owned)
        });
        self.hands(&["windowfocus", "--sync", &found]);
        found
    }

    /// Whether the pointer is at a point of the screen.
    fn is_pointer_at(&self, point: [i32; 2]) -> bool {
        let said = self.hands(&["getmouselocation", "--shell"]);
        let number = |name: &str| {
            let line = said.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
            line.unwrap().parse::<i32>().unwrap()
        };
        [number("X"), number("Y")] == point
    }
}

/// The program, in a window.
struct Play {
    program: Ended,
    lines: Receiver<String>,
    /// All that it has said so far.
    said: RefCell<Vec<String>>,
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
        let settings = folder.path().join("threshold");
        std::fs::create_dir(&settings).unwrap();
        std::fs::write(settings.join("settings.json"), format!(r#"{{"window": {WINDOW:?}}}"#))
            .unwrap();
        let mut command = program(folder.path());
        command.env("DISPLAY", &display.name).arg("play").args(arguments);
        command.arg("--out").arg(folder.path().join("kept"));
        let mut program = Ended(command.stdout(Stdio::piped()).spawn().unwrap());
        let out = program.0.stdout.take().unwrap();
        let (line, lines) = channel();
        std::thread::spawn(move || {
            BufReader::new(out).lines().map_while(Result::ok).try_for_each(|it| line.send(it))
        });
        Self { program, lines, said: RefCell::default(), folder }
    }

    /// Waits until the program prints a line with such words in it.
    #[track_caller]
    fn says(&self, words: &str) -> String {
        let end = Instant::now() + PATIENCE;
        loop {
            let line = self.lines.recv_timeout(end.saturating_duration_since(Instant::now()));
            match line {
                Ok(line) => {
                    self.said.borrow_mut().push(line.clone());
                    if line.contains(words) {
                        return line;
                    }
                }
                Err(error) => {
                    let ended = error == RecvTimeoutError::Disconnected;
                    let said = self.said.borrow();
                    panic!("it never said {words:?}; it has ended: {ended}; it said {said:#?}")
                }
            }
        }
    }

    /// The cell that the program has said the walker is in, and what it calls it.
    fn cell(&self) -> String {
        let said = self.said.borrow();
        let last = said.iter().rev().find_map(|line| line.split_once(" -> ")).unwrap();
        last.1.to_owned()
    }

    /// A report of how things are, and where it is.
    #[track_caller]
    fn report(&self, display: &Display) -> (String, PathBuf) {
        display.hands(&["key", "F9"]);
        let folder = written(&self.says("written: "));
        (std::fs::read_to_string(folder.join("report.txt")).unwrap(), folder)
    }

    /// The heading of the walker, in degrees, once it turns no more.
    #[track_caller]
    fn heading(&self, display: &Display) -> f32 {
        let mut before = None;
        wait_for("a heading that stays", || {
            let (report, _) = self.report(display);
            // There is none before the walker has arrived.
            let line = report.lines().find_map(|line| line.strip_prefix("position: "))?;
            let place: Place = line.parse().unwrap();
            let heading = place.position().unwrap().frame.heading();
            let stays = before.is_some_and(|before: f32| (before - heading).abs() < 0.01);
            before = Some(heading);
            stays.then_some(heading)
        })
    }

    /// Waits until it has ended by itself.
    #[track_caller]
    fn ends(&mut self) {
        let status = wait_for("its end", || self.program.0.try_wait().unwrap());
        assert!(status.success(), "{status}");
    }
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
fn walking_through_the_inns_door_by_keys_and_keeping_a_picture_and_a_report() {
    let display = Display::open();
    let mut play = Play::open(&display, &["--at", "inn door"]);
    display.window();
    display.hands(&["keydown", "w"]);
    play.says("-> 0xA9B40105  inn, vestibule");
    play.says("-> 0xA9B40106  inn, taproom");
    display.hands(&["keyup", "w"]);
    display.hands(&["key", "F12"]);
    check_not_blank(&written(&play.says("written: ")));
    let (words, report) = play.report(&display);
    check_not_blank(&report.join("picture.png"));
    // However far it came before the key was up.
    let cell = play.cell().replace("  ", ", ");
    assert!(words.contains(&format!("cell: {cell}")), "{cell}: {words}");
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

/// What is typed into the box for places is no way to walk, and what is held before it is not typed. The keys come as fast as they can,
/// and a held one repeats between them.
#[test]
fn typing_a_place_teleports_there() {
    let display = Display::open();
    let mut play = Play::open(&display, &["--at", "village square"]);
    display.window();
    // Keys count once there is a walker to follow them.
    display.hands(&["keydown", "w"]);
    play.says("->");
    display.hands(&["key", "t"]);
    display.hands(&["type", "--delay", "0", "cottage cellar"]);
    display.hands(&["keyup", "w"]);
    display.hands(&["key", "Return"]);
    play.says("-> 0xA9B40104");
    // Part of a name, completed; all at once.
    display.hands(&["key", "--delay", "0", "t", "g", "a", "l", "l", "Tab", "Return"]);
    play.says("gallery");
    display.hands(&["key", "F10"]);
    play.ends();
}

/// The mouse turns as far as it is moved, and is held again after a place was typed if it was held before.
#[test]
fn the_mouse_turns_as_far_as_it_is_moved_and_is_held_again_after_typing() {
    let display = Display::open();
    let mut play = Play::open(&display, &["--at", "village square"]);
    let window = display.window();
    let middle = WINDOW.map(|side| side / 2);
    let is_held =
        || wait_for("a mouse that is held", || display.is_pointer_at(middle).then_some(()));
    let before = play.heading(&display);
    // Not over the panel. A mouse that is held is put into the middle.
    display.hands(&["mousemove", "--window", &window, "100", "150", "click", "1"]);
    is_held();
    for _ in 0..10 {
        display.hands(&["mousemove_relative", "25", "0"]);
    }
    // 0.12 degrees a pixel.
    let turned = (play.heading(&display) - before).rem_euclid(360.0);
    assert!((turned - 30.0).abs() < 0.2, "250 pixels turned by {turned} degrees");
    for (name, end) in [("chapel", "Return"), ("farm", "Escape")] {
        display.hands(&["key", "t"]);
        display.hands(&["mousemove", "--window", &window, "20", "20"]);
        display.hands(&["type", "--delay", "0", name]);
        display.hands(&["key", end]);
        is_held();
    }
    play.says("chapel");
    display.hands(&["key", "F10"]);
    play.ends();
    let said = play.said.borrow();
    assert!(!said.iter().any(|line| line.contains("farm")), "Escape goes nowhere: {said:?}");
}

#[test]
fn a_window_closes_so_long_after_its_first_picture_and_says_how_fast_it_was() {
    let display = Display::open();
    let mut play = Play::open(&display, &["--seconds", "1"]);
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
