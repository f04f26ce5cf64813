//! `threshold play`: a window to walk around in.

mod actions;
mod frame;
mod frame_clock;
mod keys;
mod messages;
mod mouse_look;
mod panel;
mod place_box;
mod report;
mod screen;
mod settings;
mod stats;
mod typing;
#[cfg(test)]
mod typing_tests;
mod view;
mod window;

use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;
use directories::UserDirs;
use threshold_dat::Source;
use threshold_forge::SEED;
use threshold_play::{PlaceNames, SessionOptions};
use threshold_render::{PreparedAssets, Preparer};
use winit::event_loop::EventLoop;

use self::settings::Settings;
use self::window::{App, Failure, LoadedWorld, LoadingThread, Options};
use super::tour::Tour;
use crate::arguments::seconds_parser;
use crate::stderr::print_message;
use crate::world::World;

/// The session of a window, which prepares meshes and textures for its renderer.
type Session = threshold_play::Session<PreparedAssets>;

/// Walk around in a world, in a window
///
/// W, A, S and D run, Shift walks, Space jumps, E opens doors, V switches between first and third person, F flies, T goes to a place, H
/// lists all keys. Click into the window to look around with the mouse. Every change of cell is printed.
///
/// Without a display, the tour of the built-in world is taken instead (see `threshold tour`), with pictures; without a graphics driver,
/// with maps.
#[derive(Args)]
#[command(after_help = "Examples:
  threshold
  threshold play --at \"great hall below\"
  threshold play --at inn
  threshold play --dats DIR --at \"42.1N, 33.6E\"
  threshold play --world house.txt --at 0xA9B40100")]
pub(crate) struct Play {
    #[command(flatten)]
    world: World,
    /// Start at this place
    ///
    /// Compass point, loc, landblock, cell, point, or name in the built-in world.
    #[arg(long, value_name = "PLACE")]
    at: Option<String>,
    /// Folder for pictures and bug reports (default: your pictures folder)
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Close the window N seconds after the first frame and print the frame rate
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = seconds_parser(MAX_SECONDS))]
    seconds: Option<f64>,
}

/// Reason why no window can be opened.
enum WindowError {
    /// The display cannot be used.
    Display(String),
    /// The graphics driver cannot be used.
    Driver(String),
}

impl Play {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let begun = Instant::now();
        let error = match new_event_loop() {
            Ok(event_loop) => match self.play(event_loop, begun)? {
                None => return Ok(ExitCode::SUCCESS),
                Some(error) => error,
            },
            Err(reason) => WindowError::Display(reason),
        };
        self.take_tour(&error)
    }

    /// Plays until the window is closed. Returns an error if there cannot be a window.
    fn play(
        &self,
        event_loop: EventLoop<()>,
        begun: Instant,
    ) -> anyhow::Result<Option<WindowError>> {
        let (settings, problems) = Settings::load();
        for problem in &problems {
            print_message(problem);
        }
        let options = Options {
            world: self.world.named().map(|(option, path)| (option, path.to_owned())),
            folder: self.folder(),
            seconds: self.seconds,
            begun,
            problems,
        };
        let loading = self.load(settings.far)?;
        let mut app = App::new(options, settings, loading);
        let ran = event_loop.run_app(&mut app);
        match app.failure.take() {
            Some(Failure::Driver(error)) => {
                return Ok(Some(WindowError::Driver(error.to_string())));
            }
            Some(Failure::Other(error)) => return Err(error),
            None => ran.context("the window was lost")?,
        }
        if self.seconds.is_some() {
            let (frames, median) = app.frame_stats();
            let Some(first) = app.first_frame_at.map(|seconds| seconds * 1000.0) else {
                bail!("--seconds: no frame was drawn");
            };
            writeln!(
                io::stdout(),
                "first frame after {first:.0} ms; {frames} frames, {median:.1} ms each"
            )?;
        }
        Ok(None)
    }

    /// Loads the world and starts the session on a thread, while the window opens.
    fn load(&self, far: u8) -> anyhow::Result<LoadingThread> {
        let is_built_in = self.world.named().is_none();
        let (world, name) = (self.world.clone(), self.world.name(None)?);
        let at = self.at.clone();
        Ok(std::thread::spawn(move || {
            let source: Arc<dyn Source> = Arc::new(world.open_whole()?);
            let names =
                if is_built_in { PlaceNames::of_builtin(SEED) } else { PlaceNames::default() };
            let mut preparer = Preparer::new(Arc::clone(&source));
            let memory = preparer.prepared_keys();
            let options = SessionOptions {
                world_name: name,
                names,
                start: at.as_deref(),
                landscape_radius: far,
            };
            let session = Session::new(&source, options, move |piece| preparer.prepare(piece))?;
            Ok(LoadedWorld { source, session, memory })
        }))
    }

    /// Returns the folder for pictures and reports.
    fn folder(&self) -> PathBuf {
        let pictures = || UserDirs::new()?.picture_dir().map(PathBuf::from);
        let folder = self.out.clone().or_else(|| pictures().filter(|folder| folder.is_dir()));
        folder.unwrap_or_else(|| PathBuf::from("."))
    }

    /// Takes the tour of the built-in world, as there is no window. Fails for any other world, which has no tour.
    fn take_tour(&self, error: &WindowError) -> anyhow::Result<ExitCode> {
        let (reason, install) = match error {
            WindowError::Display(reason) => (reason, INSTALL_DISPLAY),
            WindowError::Driver(reason) => (reason, INSTALL_DRIVER),
        };
        if self.world.named().is_some() {
            bail!(
                "{reason}\n{install}\n`threshold shot` and `threshold map` draw places without a window"
            );
        }
        print_message(format_args!("{reason}; taking the tour instead\n{install}"));
        Tour::without_window(self.out.clone()).run()
    }
}

/// Longest time for `--seconds`: a day.
const MAX_SECONDS: f64 = 86_400.0;

/// What to install for a window.
const INSTALL_DISPLAY: &str = "To open a window, run it where there is a screen, or on Debian with\n  \
    apt-get install xvfb libx11-6 libx11-xcb1 libxcursor1 libxi6 libxkbcommon0 libxkbcommon-x11-0 mesa-vulkan-drivers\n  \
    xvfb-run -s '-screen 0 1280x720x24' threshold";
/// What to install to draw.
const INSTALL_DRIVER: &str = "To draw, install a graphics driver. On Debian,\n  \
    apt-get install mesa-vulkan-drivers\ninstalls one that needs no graphics card.";

/// Connects to the display. An error is the reason why that is impossible.
fn new_event_loop() -> Result<EventLoop<()>, String> {
    let has_display = ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()));
    if cfg!(all(unix, not(target_os = "macos"))) && !has_display {
        return Err("no display: neither DISPLAY nor WAYLAND_DISPLAY is set".to_owned());
    }
    // If a library of the display is missing, winit panics instead of returning an error.
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let made = panic::catch_unwind(AssertUnwindSafe(EventLoop::new));
    panic::set_hook(hook);
    match made {
        Ok(Ok(event_loop)) => Ok(event_loop),
        Ok(Err(error)) => Err(format!("cannot use the display: {error}")),
        Err(_) => Err("a library of the display is missing".to_owned()),
    }
}
