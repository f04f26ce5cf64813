//! `threshold play`: walking around in a window.

mod act;
mod frame;
mod keys;
mod messages;
mod mouse_look;
mod pace;
mod panel;
mod place_box;
mod report;
mod screen;
mod settings;
mod sight;
mod stats;
#[cfg(test)]
mod tests;
mod typing;
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
use threshold_render::gpu::{PreparedAssets, Preparer};
use winit::event_loop::EventLoop;

use self::settings::Settings;
use self::window::{App, Failure, Loaded, Loading, Options};
use super::tour::Tour;
use crate::arguments::seconds;
use crate::world::World;

/// The session of a window, which prepares meshes and textures for its renderer.
type Session = threshold_play::Session<PreparedAssets>;

/// Walks around in a world, in a window.
///
/// W, A, S and D run, the mouse looks around once it is clicked into the window, Shift walks, Space jumps, E opens doors, V looks
/// through the walker's eyes, F flies, T goes to a place, H shows all keys. Every change of cell is printed. Without a display the tour is
/// taken instead, with pictures; without a graphics driver, with maps. (It leads through the built-in world alone.)
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
    /// Where to begin: a compass point, loc, landblock, cell or point, or in the built-in world the name of a place.
    #[arg(long, value_name = "PLACE")]
    at: Option<String>,
    /// Folder for pictures and bug reports; otherwise that for pictures, or the present one.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Close the window this many seconds after the first picture, and say how fast it was.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = seconds(MAX_SECONDS))]
    seconds: Option<f64>,
}

/// Why there is no window.
enum NoWindow {
    /// What is wrong with the display.
    Display(String),
    /// What is wrong with the driver.
    Driver(String),
}

impl Play {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let begun = Instant::now();
        let no_window = match event_loop() {
            Ok(event_loop) => match self.open(event_loop, begun)? {
                None => return Ok(ExitCode::SUCCESS),
                Some(no_window) => no_window,
            },
            Err(why) => NoWindow::Display(why),
        };
        self.take_tour(&no_window)
    }

    /// Plays until the window is closed; says so if there cannot be one.
    fn open(&self, event_loop: EventLoop<()>, begun: Instant) -> anyhow::Result<Option<NoWindow>> {
        let settings = Settings::load();
        let options = Options {
            named: self.world.named().map(|(option, path)| (option, path.to_owned())),
            folder: self.folder(),
            seconds: self.seconds,
            begun,
        };
        let loading = self.load(settings.far)?;
        let mut app = App::new(options, settings, loading);
        let ran = event_loop.run_app(&mut app);
        match app.failure.take() {
            Some(Failure::Driver(error)) => return Ok(Some(NoWindow::Driver(error.to_string()))),
            Some(Failure::Other(error)) => return Err(error),
            None => ran.context("the window was lost")?,
        }
        if self.seconds.is_some() {
            let (frames, median) = app.frames();
            let Some(first) = app.first_frame.map(|seconds| seconds * 1000.0) else {
                bail!("no frame was shown in that time");
            };
            writeln!(
                io::stdout(),
                "first frame after {first:.0} ms; {frames} frames, {median:.1} ms each"
            )?;
        }
        Ok(None)
    }

    /// Makes the world and the session while the window opens.
    fn load(&self, far: u8) -> anyhow::Result<Loading> {
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
            Ok(Loaded { source, session, memory })
        }))
    }

    /// Where pictures go.
    fn folder(&self) -> PathBuf {
        let pictures = || UserDirs::new()?.picture_dir().map(PathBuf::from);
        let own = self.out.clone().or_else(|| pictures().filter(|folder| folder.is_dir()));
        own.unwrap_or_else(|| PathBuf::from("."))
    }

    /// There is no window: the built-in world is shown in another way.
    fn take_tour(&self, no_window: &NoWindow) -> anyhow::Result<ExitCode> {
        let (why, install) = match no_window {
            NoWindow::Display(why) => (why, DISPLAY),
            NoWindow::Driver(why) => (why, DRIVER),
        };
        // The tour leads through the built-in world alone.
        if self.world.named().is_some() {
            bail!(
                "{why}\n{install}\n`threshold shot` and `threshold map` draw places without a window"
            );
        }
        // Whoever does not listen does not stop the walk.
        let _ = writeln!(io::stderr(), "threshold: {why}: the tour is taken instead\n{install}");
        Tour::taken(self.out.clone()).run()
    }
}

/// A day is longer than any measurement.
const MAX_SECONDS: f64 = 86_400.0;

/// What to install for a window.
const DISPLAY: &str = "For a window: run it where there is a screen, or on Debian with\n  \
    apt-get install xvfb libx11-6 libx11-xcb1 libxcursor1 libxi6 libxkbcommon0 libxkbcommon-x11-0 mesa-vulkan-drivers\n  \
    xvfb-run -s '-screen 0 1280x720x24' threshold";
/// What to install to draw.
const DRIVER: &str = "For pictures and a window: on Debian\n  \
    apt-get install mesa-vulkan-drivers\nhas a driver that needs no graphics card.";

/// A way to windows, or why there is none.
fn event_loop() -> Result<EventLoop<()>, String> {
    let has_display = ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()));
    if cfg!(all(unix, not(target_os = "macos"))) && !has_display {
        return Err("there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set".to_owned());
    }
    // Where a library of the display is missing, the window's crate panics and says nothing else.
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let made = panic::catch_unwind(AssertUnwindSafe(EventLoop::new));
    panic::set_hook(hook);
    match made {
        Ok(Ok(event_loop)) => Ok(event_loop),
        Ok(Err(error)) => Err(format!("the display cannot be used: {error}")),
        Err(_) => Err("a library of the display is missing".to_owned()),
    }
}
