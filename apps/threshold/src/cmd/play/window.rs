//! The window: what happens to it.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use threshold_dat::Source;
use threshold_land::Frame;
use threshold_render::gpu::GpuError;
use threshold_view::Scratch;
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::event::{
    DeviceEvent, DeviceId, ElementState, KeyEvent, MouseButton, MouseScrollDelta, WindowEvent,
};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::keyboard::PhysicalKey;
use winit::window::{CursorGrabMode, WindowAttributes, WindowId};

use super::keys::{Action, Does, HeldKeys, does};
use super::pace::Pace;
use super::panel::Overlay;
use super::screen::Screen;
use super::settings::Settings;
use super::sight::Frozen;
use super::stats::Stats;
use crate::play::session::Session;

/// What is waited for until the window can show something.
pub(super) type Loading = JoinHandle<anyhow::Result<(Arc<dyn Source>, Session)>>;

/// How long a frame takes that nobody sees.
const HIDDEN: Duration = Duration::from_millis(100);
/// So many frames in a row there may be nothing to draw into although the window is seen, as while its size changes.
const FEW: u32 = 5;
/// How often settings that have changed are written down.
const KEEP: Duration = Duration::from_secs(5);

/// What the window is for.
pub(super) struct Options {
    /// How the world was named on the command line, if it was.
    pub(super) named: Option<(&'static str, PathBuf)>,
    /// Where pictures and reports are written.
    pub(super) folder: PathBuf,
    /// After so many seconds it closes by itself.
    pub(super) seconds: Option<f64>,
    pub(super) begun: Instant,
}

/// Why the window did not stay open.
pub(super) enum Failure {
    Driver(GpuError),
    Other(anyhow::Error),
}

/// What shows the world, and what happens to it.
pub(super) struct App {
    pub(super) options: Options,
    pub(super) settings: Settings,
    /// As they are written down, and since when.
    kept: (Settings, Instant),
    loading: Option<Loading>,
    pub(super) screen: Option<Screen>,
    pub(super) session: Option<Session>,
    pub(super) overlay: Overlay,
    pub(super) keys: HeldKeys,
    pub(super) stats: Stats,
    pub(super) scratch: Scratch,
    pub(super) frozen: Option<Frozen>,
    pub(super) parts: Vec<Frame>,
    pub(super) pace: Pace,
    /// The time that is shown, in seconds from the start.
    pub(super) now: f64,
    /// Whether the mouse looks around.
    pub(super) is_held: bool,
    is_hidden: bool,
    /// How many frames in a row there was nothing to draw into.
    pub(super) unshown: u32,
    /// When a window that nobody sees is drawn again.
    again: Instant,
    /// How far the mouse has gone since the last frame, in pixels.
    pub(super) mouse: [f64; 2],
    pub(super) actions: Vec<Action>,
    /// What is to be kept of what is shown next.
    pub(super) wanted: Vec<Action>,
    pub(super) last: Instant,
    /// When the first picture of the world was shown, in seconds from the start.
    pub(super) first_frame: Option<f64>,
    pub(super) failure: Option<Failure>,
}

impl App {
    pub(super) fn new(options: Options, settings: Settings, loading: Loading) -> Self {
        Self {
            last: options.begun,
            again: options.begun,
            kept: (settings.clone(), options.begun),
            options,
            settings,
            loading: Some(loading),
            screen: None,
            session: None,
            overlay: Overlay::default(),
            keys: HeldKeys::default(),
            stats: Stats::default(),
            scratch: Scratch::new(),
            frozen: None,
            parts: Vec::new(),
            pace: Pace::default(),
            now: 0.0,
            is_held: false,
            is_hidden: false,
            unshown: 0,
            mouse: [0.0; 2],
            actions: Vec::new(),
            wanted: Vec::new(),
            first_frame: None,
            failure: None,
        }
    }

    /// How many frames there were, and how long one took, in milliseconds.
    pub(super) fn frames(&self) -> (u64, f32) {
        (self.stats.count, self.stats.medians().whole)
    }

    fn open(&mut self, event_loop: &ActiveEventLoop) -> Result<(), Failure> {
        let [width, height] = self.settings.window;
        let attributes = WindowAttributes::default()
            .with_title("Threshold")
            .with_inner_size(PhysicalSize::new(width, height));
        let window = event_loop.create_window(attributes);
        let window = window.map_err(|error| Failure::Other(error.into()))?;
        let mut screen = Screen::new(window).map_err(Failure::Driver)?;
        let loaded = self.loading.take().map(JoinHandle::join);
        let (source, mut session) = match loaded {
            Some(Ok(loaded)) => loaded.map_err(Failure::Other)?,
            _ => return Err(Failure::Other(anyhow::anyhow!("the world was not made"))),
        };
        session.camera.mode = self.settings.view;
        session.camera.wish = self.settings.distance;
        screen.show(&source);
        if let Some(renderer) = &mut screen.renderer {
            renderer.remind(session.stream.memory());
        }
        (self.screen, self.session) = (Some(screen), Some(session));
        Ok(())
    }

    /// Lets the mouse look around, or point at things again.
    pub(super) fn hold_mouse(&mut self, is_held: bool) {
        let Some(screen) = &mut self.screen else { return };
        let window = &screen.window;
        // Some platforms have the one, and some the other. A mouse that goes where it likes is not hidden.
        self.is_held = is_held
            && (window.set_cursor_grab(CursorGrabMode::Locked).is_ok()
                || window.set_cursor_grab(CursorGrabMode::Confined).is_ok());
        if !self.is_held {
            let _ = window.set_cursor_grab(CursorGrabMode::None);
        }
        window.set_cursor_visible(!self.is_held);
        screen.set_held(self.is_held);
    }

    /// The window has lost the keyboard.
    fn lose_focus(&mut self) {
        self.keys.let_go();
        if let Some(session) = &mut self.session {
            session.forget_jump();
        }
        self.hold_mouse(false);
    }

    fn key(&mut self, event: &KeyEvent) {
        let PhysicalKey::Code(code) = event.physical_key else { return };
        let is_down = event.state == ElementState::Pressed;
        match does(code) {
            Some(Does::Hold(_)) => self.keys.set(code, is_down),
            Some(Does::Do(action)) if is_down && !event.repeat => self.actions.push(action),
            _ => {}
        }
    }

    /// Nearer to the walker, or farther away.
    fn zoom(&mut self, delta: MouseScrollDelta) {
        let steps = match delta {
            MouseScrollDelta::LineDelta(_, y) => y,
            #[allow(clippy::cast_possible_truncation, reason = "pixels")]
            MouseScrollDelta::PixelDelta(at) => at.y as f32 / 40.0,
        };
        if let Some(session) = &mut self.session {
            session.camera.zoom(steps);
        }
    }

    /// Keeps what somebody likes for the next time, if it has changed.
    fn remember(&mut self) {
        if let Some(session) = &self.session {
            self.settings.view = session.camera.mode;
            self.settings.distance = session.camera.wish;
        }
        if let Some(screen) = self.screen.as_ref().filter(|it| it.window.fullscreen().is_none()) {
            self.settings.window = screen.size();
        }
        if self.kept.0 != self.settings {
            self.kept.0 = self.settings.clone();
            self.settings.save();
        }
        self.kept.1 = Instant::now();
    }

    /// Whether the device has given up; the window closes then.
    fn has_failed(&mut self) -> bool {
        let checked = self.screen.as_ref().map_or(Ok(()), Screen::check);
        if let Err(error) = checked {
            self.failure = Some(Failure::Other(error.into()));
        }
        self.failure.is_some()
    }
}

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.screen.is_none()
            && let Err(failure) = self.open(event_loop)
        {
            self.failure = Some(failure);
            event_loop.exit();
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(screen) = &mut self.screen else { return };
        let is_written = Overlay::is_written_into(screen.context());
        if !is_written && is_asking(&event) {
            // The letter itself is not written.
            return self.ask_for_place();
        }
        let is_taken = screen.hear(&event);
        let is_elsewhere = is_taken || screen.is_pointed_at();
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::Focused(false) => self.lose_focus(),
            WindowEvent::Occluded(is_hidden) => self.is_hidden = is_hidden,
            WindowEvent::Resized(size) => self.is_hidden = size.width == 0 || size.height == 0,
            // What is let go of is let go of, whoever writes; who comes back presses nothing by that.
            WindowEvent::KeyboardInput { event, is_synthetic, .. }
                if event.state == ElementState::Released || !(is_written || is_synthetic) =>
            {
                self.key(&event);
            }
            WindowEvent::MouseInput {
                state: ElementState::Pressed,
                button: MouseButton::Left,
                ..
            } if !is_elsewhere => self.hold_mouse(true),
            WindowEvent::MouseWheel { delta, .. } if !is_elsewhere => self.zoom(delta),
            WindowEvent::RedrawRequested => self.frame(event_loop),
            _ => {}
        }
    }

    fn device_event(&mut self, _: &ActiveEventLoop, _: DeviceId, event: DeviceEvent) {
        if let (DeviceEvent::MouseMotion { delta: (x, y) }, true) = (event, self.is_held) {
            self.mouse = [self.mouse[0] + x, self.mouse[1] + y];
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let now = Instant::now();
        let age = now.duration_since(self.options.begun).as_secs_f64();
        if self.options.seconds.is_some_and(|seconds| age > seconds) || self.has_failed() {
            return event_loop.exit();
        }
        if self.session.is_some() && now.duration_since(self.kept.1) > KEEP {
            self.remember();
        }
        // A window that nobody sees is drawn now and then, and the processor sleeps in between.
        if self.is_hidden || self.unshown > FEW {
            if now < self.again {
                return event_loop.set_control_flow(ControlFlow::WaitUntil(self.again));
            }
            self.again = now + HIDDEN;
        }
        event_loop.set_control_flow(ControlFlow::Poll);
        if let Some(screen) = &self.screen {
            screen.window.request_redraw();
        }
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        if self.session.is_some() {
            self.remember();
        }
    }
}

/// Whether somebody wants to write a place.
fn is_asking(event: &WindowEvent) -> bool {
    let WindowEvent::KeyboardInput { event, is_synthetic: false, .. } = event else { return false };
    let PhysicalKey::Code(code) = event.physical_key else { return false };
    event.state == ElementState::Pressed && does(code) == Some(Does::Do(Action::Travel))
}
