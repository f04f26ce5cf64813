//! The window: what happens to it.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use threshold_dat::Source;
use threshold_land::Frame;
use threshold_render::gpu::{GpuError, PreparedKeys};
use threshold_view::ViewScratch;
use winit::application::ApplicationHandler;
use winit::dpi::{PhysicalPosition, PhysicalSize};
use winit::event::{
    DeviceEvent, DeviceId, ElementState, MouseButton, MouseScrollDelta, WindowEvent,
};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::keyboard::PhysicalKey;
use winit::window::{CursorGrabMode, WindowAttributes, WindowId};

use super::Session;
use super::keys::{Action, Does, HeldKeys, does};
use super::mouse_look::{MouseLook, Source as Motion};
use super::pace::Pace;
use super::panel::Overlay;
use super::screen::Screen;
use super::settings::Settings;
use super::sight::Frozen;
use super::stats::Stats;
use super::typing::{KeyChange, KeyRouter, Route};

/// A world and its session, ready to be shown.
pub(super) struct Loaded {
    pub(super) source: Arc<dyn Source>,
    pub(super) session: Session,
    /// What was prepared for the renderer so far.
    pub(super) memory: PreparedKeys,
}

/// The thread that loads the world while the window opens.
pub(super) type Loading = JoinHandle<anyhow::Result<Loaded>>;

/// How long a frame takes that nobody sees.
const HIDDEN: Duration = Duration::from_millis(100);
/// So many frames in a row there may be nothing to draw into although the window is seen, as while its size changes.
const FEW: u32 = 5;
/// How long a window that closes by itself waits for its first picture, in seconds, beside the time it stays open.
const FIRST_PICTURE: f64 = 120.0;
/// How a confined pointer is read: free Unixes confine it on X11 alone, which sends its raw motion twice.
const CONFINED: Motion =
    if cfg!(all(unix, not(target_os = "macos"))) { Motion::Pointer } else { Motion::Raw };
/// How often settings that have changed are written down.
const KEEP: Duration = Duration::from_secs(5);

/// What the window is for.
pub(super) struct Options {
    /// How the world was named on the command line, if it was.
    pub(super) named: Option<(&'static str, PathBuf)>,
    /// Where pictures and reports are written.
    pub(super) folder: PathBuf,
    /// It closes by itself this many seconds after its first picture.
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
    pub(super) router: KeyRouter,
    /// Keys that wait until the focus is known, and whether the window system made them up.
    waiting: VecDeque<(WindowEvent, bool)>,
    pub(super) stats: Stats,
    pub(super) scratch: ViewScratch,
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
    pub(super) mouse: MouseLook,
    /// The mouse was held when a place was asked for, and is held again afterwards.
    holds_again: bool,
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
            router: KeyRouter::default(),
            waiting: VecDeque::new(),
            stats: Stats::default(),
            scratch: ViewScratch::new(),
            frozen: None,
            parts: Vec::new(),
            pace: Pace::default(),
            now: 0.0,
            is_held: false,
            is_hidden: false,
            unshown: 0,
            mouse: MouseLook::default(),
            holds_again: false,
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
        let Loaded { source, mut session, memory } = match loaded {
            Some(Ok(loaded)) => loaded.map_err(Failure::Other)?,
            _ => return Err(Failure::Other(anyhow::anyhow!("the world was not made"))),
        };
        session.camera.mode = self.settings.view;
        session.camera.distance = self.settings.distance;
        screen.show(&source);
        if let Some(renderer) = &mut screen.renderer {
            renderer.share_prepared_keys(memory);
        }
        (self.screen, self.session) = (Some(screen), Some(session));
        Ok(())
    }

    /// Lets the mouse look around, or point at things again.
    pub(super) fn hold_mouse(&mut self, is_held: bool) {
        let Some(screen) = &mut self.screen else { return };
        let window = &screen.window;
        let grabs = |mode| window.set_cursor_grab(mode).is_ok();
        // Some platforms have the one, and some the other. A mouse that goes where it likes is not hidden.
        let motion = match is_held {
            true if grabs(CursorGrabMode::Locked) => Motion::Raw,
            true if grabs(CursorGrabMode::Confined) => CONFINED,
            _ => Motion::None,
        };
        self.is_held = motion != Motion::None;
        if !self.is_held {
            let _ = window.set_cursor_grab(CursorGrabMode::None);
        }
        window.set_cursor_visible(!self.is_held);
        screen.set_held(self.is_held);
        self.mouse.read_from(motion);
        self.holds_again &= !self.is_held;
        self.put_pointer_back();
    }

    /// Keeps a pointer that is followed away from the edges of the window.
    fn put_pointer_back(&mut self) {
        let Some(screen) = &self.screen else { return };
        let Some([x, y]) = self.mouse.put_back(screen.size()) else { return };
        if screen.window.set_cursor_position(PhysicalPosition::new(x, y)).is_err() {
            self.mouse.not_put();
        }
    }

    /// Gives the box for places the keyboard, from the next key on, and lets the mouse point at names.
    fn ask_for_place(&mut self) {
        let holds_again = self.is_held;
        self.hold_mouse(false);
        self.holds_again = holds_again;
        self.overlay.place_box.is_open = true;
        if let Some(screen) = &mut self.screen {
            screen.ask_for_place();
        }
    }

    /// Follows what became of typed text: whether keys are text from now on, and whether the mouse is held again.
    pub(super) fn follow_typing(&mut self) {
        let Some(screen) = &self.screen else { return };
        if screen.has_taken_text() {
            self.router.follow_focus(Overlay::is_field_focused(screen.context()));
        }
        while !self.router.is_undecided()
            && let Some((event, is_synthetic)) = self.waiting.pop_front()
        {
            self.key(&event, is_synthetic);
        }
        if self.overlay.place_box.take_done() && self.holds_again {
            self.hold_mouse(true);
        }
    }

    /// The window has lost the keyboard.
    fn lose_focus(&mut self) {
        self.keys.let_go();
        self.router.let_go();
        self.waiting.clear();
        self.holds_again = false;
        if let Some(session) = &mut self.session {
            session.cancel_jump();
        }
        self.hold_mouse(false);
    }

    /// A key went down or up: it is a command, or text.
    fn key(&mut self, window_event: &WindowEvent, is_synthetic: bool) {
        let WindowEvent::KeyboardInput { event, .. } = window_event else { return };
        let change = KeyChange {
            key: event.physical_key,
            is_down: event.state == ElementState::Pressed,
            is_repeat: event.repeat,
            is_synthetic,
        };
        match self.router.route(change) {
            Route::Text => {
                if let Some(screen) = &mut self.screen {
                    screen.hear(window_event);
                }
            }
            Route::AskForPlace => self.ask_for_place(),
            Route::Command => self.command(change),
            Route::Nowhere => {}
            Route::Later => self.waiting.push_back((window_event.clone(), is_synthetic)),
        }
    }

    fn command(&mut self, change: KeyChange) {
        let PhysicalKey::Code(code) = change.key else { return };
        match does(code) {
            Some(Does::Hold(_)) => self.keys.set(code, change.is_down),
            Some(Does::Do(action)) if change.is_down => self.actions.push(action),
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
            self.settings.view = session.camera.walking_mode();
            self.settings.distance = session.camera.distance;
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
        if let WindowEvent::KeyboardInput { is_synthetic, .. } = &event {
            return self.key(&event, *is_synthetic);
        }
        let Some(screen) = &mut self.screen else { return };
        // What an input method composes is text, too.
        let is_kept = matches!(event, WindowEvent::Ime(_)) && !self.router.is_typing();
        if !is_kept {
            screen.hear(&event);
        }
        let is_elsewhere = screen.is_pointed_at();
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::Focused(false) => self.lose_focus(),
            WindowEvent::Occluded(is_hidden) => self.is_hidden = is_hidden,
            WindowEvent::Resized(size) => self.is_hidden = size.width == 0 || size.height == 0,
            WindowEvent::CursorMoved { position, .. } => {
                self.mouse.pointer_at([position.x, position.y]);
                self.put_pointer_back();
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
        if let DeviceEvent::MouseMotion { delta: (x, y) } = event {
            self.mouse.raw_motion([x, y]);
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let now = Instant::now();
        let age = now.duration_since(self.options.begun).as_secs_f64();
        let end = |seconds: f64| match self.first_frame {
            Some(first) => first + seconds,
            None => FIRST_PICTURE + seconds,
        };
        if self.options.seconds.is_some_and(|seconds| age > end(seconds)) || self.has_failed() {
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
