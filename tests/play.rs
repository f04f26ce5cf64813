//! The window of `threshold play`, on a virtual display with simulated keys and mouse.

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use threshold_land::Place;

/// Longest wait for a state. The tests wait for states, never for a fixed time.
const MAX_WAIT: Duration = Duration::from_secs(600);
/// Interval at which a state is polled.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Width and height of the window, in pixels: small, because it is drawn by software.
const WINDOW: [i32; 2] = [640, 400];

/// A process that is killed when the test ends.
struct KilledOnDrop(Child);

impl Drop for KilledOnDrop {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn fail_not_installed(program: &str, error: &std::io::Error) -> ! {
    panic!("{program}: {error}; `./test` installs it, on Debian: apt-get install xvfb xdotool")
}

/// Polls until `poll` returns a value.
#[track_caller]
fn wait_for<T>(state: &str, mut poll: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + MAX_WAIT;
    loop {
        if let Some(found) = poll() {
            return found;
        }
        assert!(Instant::now() < end, "timed out waiting for {state}");
        std::thread::sleep(POLL_INTERVAL);
    }
}

/// Allows one window at a time: each is drawn by software, which uses all processors.
static DISPLAY_LOCK: Mutex<()> = Mutex::new(());

/// A virtual display.
struct Display {
    name: String,
    _server: KilledOnDrop,
    /// Released once the server has ended.
    _lock: MutexGuard<'static, ()>,
}

impl Display {
    fn open() -> Self {
        let lock = DISPLAY_LOCK.lock().unwrap_or_else(PoisonError::into_inner);
        // Two servers that choose a free number themselves may choose the same one. A server with a given number exits if it is taken.
        let first = std::process::id() % 30_000 + 100;
        let opened = (first..first + 100)
            .find_map(|number| Self::serve(number).map(|server| (format!(":{number}"), server)));
        let (name, server) = opened.expect("Xvfb starts with one of a hundred numbers");
        Self { name, _server: server, _lock: lock }
    }

    /// Starts a server with a number. Returns `None` if it exits.
    fn serve(number: u32) -> Option<KilledOnDrop> {
        let mut command = Command::new("Xvfb");
        // With -noreset the server keeps its state when the last client disconnects, as each xdotool does.
        command.arg(format!(":{number}")).args(["-displayfd", "1", "-noreset"]);
        command.args(["-screen", "0", "800x500x24", "-nolisten", "tcp"]);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut server = KilledOnDrop(
            command.spawn().unwrap_or_else(|error| fail_not_installed("Xvfb", &error)),
        );
        let mut ready = String::new();
        let out = server.0.stdout.take().unwrap();
        BufReader::new(out).read_line(&mut ready).unwrap();
        (ready.trim() == number.to_string()).then_some(server)
    }

    /// Runs xdotool on the display.
    #[track_caller]
    fn xdotool(&self, arguments: &[&str]) -> String {
        let output = self.try_xdotool(arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "xdotool {arguments:?}: {error}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn try_xdotool(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new("xdotool");
        let output = command.env("DISPLAY", &self.name).args(arguments).output();
        output.unwrap_or_else(|error| fail_not_installed("xdotool", &error))
    }

    /// Waits for the window of the program, and gives it the keyboard.
    #[track_caller]
    fn window(&self) -> String {
        let found = wait_for("a window", || {
            let found = self.try_xdotool(&["search", "--onlyvisible", "--name", "^Threshold$"]);
            String::from_utf8(found.stdout).unwrap().lines().next().map(str::to_owned)
        });
        self.xdotool(&["windowfocus", "--sync", &found]);
        found
    }

    /// Returns whether the pointer is at a point of the screen.
    fn is_pointer_at(&self, point: [i32; 2]) -> bool {
        let location = self.xdotool(&["getmouselocation", "--shell"]);
        let number = |name: &str| {
            let line = location.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
            line.unwrap().parse::<i32>().unwrap()
        };
        [number("X"), number("Y")] == point
    }
}

/// The program, in a window.
struct Play {
    program: KilledOnDrop,
    lines: Receiver<String>,
    /// All lines printed so far.
    printed: RefCell<Vec<String>>,
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
        let mut program = KilledOnDrop(command.stdout(Stdio::piped()).spawn().unwrap());
        let out = program.0.stdout.take().unwrap();
        let (line, lines) = channel();
        std::thread::spawn(move || {
            BufReader::new(out).lines().map_while(Result::ok).try_for_each(|it| line.send(it))
        });
        Self { program, lines, printed: RefCell::default(), folder }
    }

    /// Waits until the program prints a line that contains a text.
    #[track_caller]
    fn wait_for_line(&self, text: &str) -> String {
        let end = Instant::now() + MAX_WAIT;
        loop {
            let line = self.lines.recv_timeout(end.saturating_duration_since(Instant::now()));
            match line {
                Ok(line) => {
                    self.printed.borrow_mut().push(line.clone());
                    if line.contains(text) {
                        return line;
                    }
                }
                Err(error) => {
                    let ended = error == RecvTimeoutError::Disconnected;
                    let printed = self.printed.borrow();
                    panic!("{text:?} was not printed; ended: {ended}; printed {printed:#?}")
                }
            }
        }
    }

    /// Returns the last printed cell of the player, with its name.
    fn cell(&self) -> String {
        let printed = self.printed.borrow();
        let last = printed.iter().rev().find_map(|line| line.split_once(" -> ")).unwrap();
        last.1.to_owned()
    }

    /// Writes a bug report. Returns its text and folder.
    #[track_caller]
    fn report(&self, display: &Display) -> (String, PathBuf) {
        display.xdotool(&["key", "F9"]);
        let folder = written(&self.wait_for_line("written: "));
        (std::fs::read_to_string(folder.join("report.txt")).unwrap(), folder)
    }

    /// Returns the heading of the player in degrees, once it has stopped turning.
    #[track_caller]
    fn heading(&self, display: &Display) -> f32 {
        let mut before = None;
        wait_for("a steady heading", || {
            let (report, _) = self.report(display);
            // The report has no position before the player has arrived.
            let line = report.lines().find_map(|line| line.strip_prefix("position: "))?;
            let place: Place = line.parse().unwrap();
            let heading = place.position().unwrap().frame.heading();
            let stays = before.is_some_and(|before: f32| (before - heading).abs() < 0.01);
            before = Some(heading);
            stays.then_some(heading)
        })
    }

    /// Waits until the program has ended by itself.
    #[track_caller]
    fn ends(&mut self) {
        let status = wait_for("the end of the program", || self.program.0.try_wait().unwrap());
        assert!(status.success(), "{status}");
    }
}

/// Checks that a picture is not blank: it has many colours, and none covers most of it.
#[track_caller]
fn check_not_blank(file: &Path) {
    let picture = image::open(file).unwrap().to_rgb8();
    let mut colours: BTreeMap<[u8; 3], usize> = BTreeMap::new();
    picture.pixels().for_each(|pixel| *colours.entry(pixel.0).or_default() += 1);
    let (all, max) = (picture.pixels().len(), *colours.values().max().unwrap());
    assert!(colours.len() > 1000 && max * 4 < all, "{} colours, {max} of {all}", colours.len());
}

/// Returns the path in a line `written: PATH`.
fn written(line: &str) -> PathBuf {
    PathBuf::from(line.strip_prefix("written: ").unwrap())
}

/// Opens the window, walks into the inn, takes a picture, writes and replays a report, and quits.
#[test]
fn walking_into_the_inn_changes_cells_and_a_picture_and_a_report_are_written() {
    let display = Display::open();
    let mut play = Play::open(&display, &["--at", "inn door"]);
    display.window();
    display.xdotool(&["keydown", "w"]);
    play.wait_for_line("-> 0xA9B40105  inn, vestibule");
    play.wait_for_line("-> 0xA9B40106  inn, taproom");
    display.xdotool(&["keyup", "w"]);
    display.xdotool(&["key", "F12"]);
    check_not_blank(&written(&play.wait_for_line("written: ")));
    let (text, report) = play.report(&display);
    check_not_blank(&report.join("picture.png"));
    // The player may have walked on before the key went up.
    let cell = play.cell().replace("  ", ", ");
    assert!(text.contains(&format!("cell: {cell}")), "{cell}: {text}");
    let command = text.lines().find(|line| line.trim().starts_with("threshold replay")).unwrap();
    let mut replay = program(play.folder.path());
    let output = replay.args(command.trim().split(' ').skip(1)).output().unwrap();
    assert!(output.status.success(), "{command}\n{output:?}");
    // The hidden panel is saved in the settings.
    display.xdotool(&["key", "p"]);
    display.xdotool(&["key", "F10"]);
    play.ends();
    let settings = play.folder.path().join("threshold/settings.json");
    assert!(std::fs::read_to_string(settings).unwrap().contains("\"panel\": false"));
}

/// Keys typed into the place box do not move the player, and a key held since before is not typed. The keys come as fast as possible, and
/// the held one repeats between them.
#[test]
fn typing_a_place_teleports_there() {
    let display = Display::open();
    let mut play = Play::open(&display, &["--at", "village square"]);
    display.window();
    // Keys have an effect once the player has arrived.
    display.xdotool(&["keydown", "w"]);
    play.wait_for_line("->");
    display.xdotool(&["key", "t"]);
    display.xdotool(&["type", "--delay", "0", "cottage cellar"]);
    display.xdotool(&["keyup", "w"]);
    display.xdotool(&["key", "Return"]);
    play.wait_for_line("-> 0xA9B40104");
    // Part of a name, completed with Tab, all at once.
    display.xdotool(&["key", "--delay", "0", "t", "g", "a", "l", "l", "Tab", "Return"]);
    play.wait_for_line("gallery");
    display.xdotool(&["key", "F10"]);
    play.ends();
}

/// The mouse turns the camera in proportion, and is captured again after typing if it was captured before.
#[test]
fn the_mouse_turns_in_proportion_and_is_captured_again_after_typing() {
    let display = Display::open();
    let mut play = Play::open(&display, &["--at", "village square"]);
    let window = display.window();
    let middle = WINDOW.map(|side| side / 2);
    let wait_for_capture =
        || wait_for("the captured mouse", || display.is_pointer_at(middle).then_some(()));
    let before = play.heading(&display);
    // The click is not over the panel. A captured pointer is moved to the middle.
    display.xdotool(&["mousemove", "--window", &window, "100", "150", "click", "1"]);
    wait_for_capture();
    for _ in 0..10 {
        display.xdotool(&["mousemove_relative", "25", "0"]);
    }
    // 0.12 degrees per pixel.
    let turned = (play.heading(&display) - before).rem_euclid(360.0);
    assert!((turned - 30.0).abs() < 0.2, "250 pixels turned by {turned} degrees");
    for (name, end) in [("chapel", "Return"), ("farm", "Escape")] {
        display.xdotool(&["key", "t"]);
        display.xdotool(&["mousemove", "--window", &window, "20", "20"]);
        display.xdotool(&["type", "--delay", "0", name]);
        display.xdotool(&["key", end]);
        wait_for_capture();
    }
    play.wait_for_line("chapel");
    display.xdotool(&["key", "F10"]);
    play.ends();
    let printed = play.printed.borrow();
    assert!(!printed.iter().any(|line| line.contains("farm")), "Escape cancels: {printed:?}");
}

#[test]
fn with_seconds_the_window_closes_and_the_frame_rate_is_printed() {
    let display = Display::open();
    let mut play = Play::open(&display, &["--seconds", "1"]);
    play.wait_for_line("first frame after");
    play.ends();
}

/// Runs the program without a display.
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
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{error}");
    for text in wanted {
        assert!(error.contains(text), "{text}: {error}");
    }
    let files = std::fs::read_dir(folder.path().join("taken")).unwrap();
    let files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    assert_eq!(files.len(), 16, "{files:?}");
    assert!(files.iter().all(|file| file.extension().unwrap() == ending), "{files:?}");
}

#[test]
fn without_a_display_the_tour_is_taken_with_a_hint_what_to_install() {
    check_tour(None, "png", &["no display", "apt-get install", "libxkbcommon-x11-0"]);
}

#[test]
fn without_a_driver_the_tour_draws_maps_with_a_hint_what_to_install() {
    check_tour(Some("/nowhere.json"), "svg", &["apt-get install", "mesa-vulkan-drivers"]);
}

#[test]
fn without_a_display_another_world_is_refused_with_an_alternative() {
    let folder = TempDir::new().unwrap();
    let data = threshold_testkit::data_path("holt");
    let arguments = ["play", "--dats", data.to_str().unwrap()];
    let output = without_a_window(folder.path(), None, &arguments);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success());
    for text in ["no display", "apt-get install", "threshold shot"] {
        assert!(error.contains(text), "{text}: {error}");
    }
}
