//! The window: its events, and the state of the program behind it.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use threshold_dat::Source;
use threshold_land::Frame;
use threshold_render::{GpuError, PreparedKeys};
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
use super::frame_clock::FrameClock;
use super::keys::{Action, HeldKeys, KeyFunction, function_of};
use super::mouse_look::{MotionSource, MouseLook};
use super::panel::Overlay;
use super::screen::Screen;
use super::settings::Settings;
use super::stats::Stats;
use super::typing::{KeyChange, KeyRouter, Route};
use super::view::FrozenView;

/// A world and its session, ready to be shown.
pub(super) struct LoadedWorld {
    pub(super) source: Arc<dyn Source>,
    pub(super) session: Session,
    /// Keys of the assets prepared for the renderer so far.
    pub(super) memory: PreparedKeys,
}

/// The thread that loads the world while the window opens.
pub(super) type LoadingThread = JoinHandle<anyhow::Result<LoadedWorld>>;

/// Time between frames of a hidden window.
const HIDDEN_FRAME_TIME: Duration = Duration::from_millis(100);
/// Frames in a row that a visible window may be unable to draw, as while its size changes. After more, it counts as hidden.
const MAX_UNDRAWN_FRAMES: u32 = 5;
/// How long a window that closes by itself waits for its first frame, in seconds, in addition to the time it stays open.
const MAX_FIRST_FRAME_TIME: f64 = 120.0;
/// Source of motion while the pointer is confined. On Unix other than macOS only X11 confines it, and X11 sends raw motion twice.
const CONFINED_SOURCE: MotionSource = if cfg!(all(unix, not(target_os = "macos"))) {
    MotionSource::Pointer
} else {
    MotionSource::Raw
};
/// How often changed settings are saved.
const SAVE_INTERVAL: Duration = Duration::from_secs(5);

/// Options of the window, from the command line.
pub(super) struct Options {
    /// The option that names the world, and its value; `None` for the built-in world.
    pub(super) world: Option<(&'static str, PathBuf)>,
    /// Folder for pictures and reports.
    pub(super) folder: PathBuf,
    /// The window closes this many seconds after its first frame.
    pub(super) seconds: Option<f64>,
    /// Time at which the program started.
    pub(super) begun: Instant,
    /// Problems of the settings file, shown once the window is open.
    pub(super) problems: Vec<String>,
}

/// Error that closed the window.
pub(super) enum Failure {
    Driver(GpuError),
    Other(anyhow::Error),
}

/// The window with everything in it.
pub(super) struct App {
    pub(super) options: Options,
    pub(super) settings: Settings,
    /// The last saved settings, and the time of the last comparison with them.
    saved_settings: Settings,
    saved_at: Instant,
    loading: Option<LoadingThread>,
    pub(super) screen: Option<Screen>,
    pub(super) session: Option<Session>,
    pub(super) overlay: Overlay,
    pub(super) keys: HeldKeys,
    pub(super) router: KeyRouter,
    /// Keys that wait until the focus is known, and whether they are synthetic.
    waiting: VecDeque<(WindowEvent, bool)>,
    pub(super) stats: Stats,
    pub(super) scratch: ViewScratch,
    pub(super) frozen: Option<FrozenView>,
    /// Poses of the parts of the player's figure.
    pub(super) figure_parts: Vec<Frame>,
    pub(super) clock: FrameClock,
    /// The time that the frame shows, in seconds from the start.
    pub(super) now: f64,
    /// Whether the mouse looks around.
    pub(super) is_mouse_captured: bool,
    is_hidden: bool,
    /// Frames in a row that could not be drawn.
    pub(super) undrawn_frames: u32,
    /// Time at which a hidden window is drawn next.
    next_hidden_frame: Instant,
    pub(super) mouse: MouseLook,
    /// Whether the mouse is captured again once the place box closes.
    recaptures_mouse: bool,
    /// Actions of keys that went down since the last frame.
    pub(super) actions: Vec<Action>,
    /// Pictures and reports to write once the next frame has been drawn.
    pub(super) requested_files: Vec<Action>,
    /// Time at which the last frame began.
    pub(super) last_frame: Instant,
    /// Time at which the first frame with the world was drawn, in seconds from the start.
    pub(super) first_frame_at: Option<f64>,
    pub(super) failure: Option<Failure>,
}

impl App {
    pub(super) fn new(options: Options, settings: Settings, loading: LoadingThread) -> Self {
        Self {
            last_frame: options.begun,
            next_hidden_frame: options.begun,
            saved_settings: settings.clone(),
            saved_at: options.begun,
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
            figure_parts: Vec::new(),
            clock: FrameClock::default(),
            now: 0.0,
            is_mouse_captured: false,
            is_hidden: false,
            undrawn_frames: 0,
            mouse: MouseLook::default(),
            recaptures_mouse: false,
            actions: Vec::new(),
            requested_files: Vec::new(),
            first_frame_at: None,
            failure: None,
        }
    }

    /// Returns the number of frames, and their median time in milliseconds.
    pub(super) fn frame_stats(&self) -> (u64, f32) {
        (self.stats.count, self.stats.medians().whole)
    }

    /// Opens the window, and waits for the world.
    fn open(&mut self, event_loop: &ActiveEventLoop) -> Result<(), Failure> {
        let [width, height] = self.settings.window;
        let attributes = WindowAttributes::default()
            .with_title("Threshold")
            .with_inner_size(PhysicalSize::new(width, height));
        let window = event_loop.create_window(attributes);
        let window = window.map_err(|error| Failure::Other(error.into()))?;
        let mut screen = Screen::new(window).map_err(Failure::Driver)?;
        let loaded = self.loading.take().map(JoinHandle::join);
        let LoadedWorld { source, mut session, memory } = match loaded {
            Some(Ok(loaded)) => loaded.map_err(Failure::Other)?,
            _ => return Err(Failure::Other(anyhow::anyhow!("cannot load the world"))),
        };
        session.camera.mode = self.settings.view;
        session.camera.distance = self.settings.distance;
        screen.set_source(&source);
        if let Some(renderer) = &mut screen.renderer {
            renderer.share_prepared_keys(memory);
        }
        (self.screen, self.session) = (Some(screen), Some(session));
        let now = self.options.begun.elapsed().as_secs_f64();
        for problem in std::mem::take(&mut self.options.problems) {
            self.overlay.show_message(now, problem);
        }
        Ok(())
    }

    /// Captures the mouse to look around, or releases it.
    pub(super) fn capture_mouse(&mut self, captures: bool) {
        let Some(screen) = &mut self.screen else { return };
        let window = &screen.window;
        let grabs = |mode| window.set_cursor_grab(mode).is_ok();
        // Each platform supports only one of the two modes. Without either, the mouse stays visible.
        let source = match captures {
            true if grabs(CursorGrabMode::Locked) => MotionSource::Raw,
            true if grabs(CursorGrabMode::Confined) => CONFINED_SOURCE,
            _ => MotionSource::None,
        };
        self.is_mouse_captured = source != MotionSource::None;
        if !self.is_mouse_captured {
            let _ = window.set_cursor_grab(CursorGrabMode::None);
        }
        window.set_cursor_visible(!self.is_mouse_captured);
        screen.set_mouse_captured(self.is_mouse_captured);
        self.mouse.set_source(source);
        self.recaptures_mouse &= !self.is_mouse_captured;
        self.recentre_pointer();
    }

    /// Keeps a confined pointer away from the edges of the window.
    fn recentre_pointer(&mut self) {
        let Some(screen) = &self.screen else { return };
        let Some([x, y]) = self.mouse.recentre_target(screen.size()) else { return };
        if screen.window.set_cursor_position(PhysicalPosition::new(x, y)).is_err() {
            self.mouse.recentre_failed();
        }
    }

    /// Gives the place box the keyboard, from the next key on, and releases the mouse to click on suggestions.
    fn focus_place_box(&mut self) {
        let recaptures_mouse = self.is_mouse_captured;
        self.capture_mouse(false);
        self.recaptures_mouse = recaptures_mouse;
        self.overlay.place_box.is_open = true;
        if let Some(screen) = &mut self.screen {
            screen.focus_place_box();
        }
    }

    /// Follows the effects of typed text: routes the keys that wait, and captures the mouse again when the place box closes.
    pub(super) fn follow_typing(&mut self) {
        let Some(screen) = &self.screen else { return };
        if screen.is_text_delivered() {
            self.router.follow_focus(Overlay::is_field_focused(screen.context()));
        }
        while !self.router.is_undecided()
            && let Some((event, is_synthetic)) = self.waiting.pop_front()
        {
            self.on_key(&event, is_synthetic);
        }
        if self.overlay.place_box.take_done() && self.recaptures_mouse {
            self.capture_mouse(true);
        }
    }

    /// Handles the loss of the keyboard.
    fn on_focus_lost(&mut self) {
        self.keys.release_all();
        self.router.release_all();
        self.waiting.clear();
        self.recaptures_mouse = false;
        if let Some(session) = &mut self.session {
            session.cancel_jump();
        }
        self.capture_mouse(false);
    }

    /// Handles a key that went down or up.
    fn on_key(&mut self, window_event: &WindowEvent, is_synthetic: bool) {
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
                    screen.on_window_event(window_event);
                }
            }
            Route::FocusPlaceBox => self.focus_place_box(),
            Route::Command => self.run_key_function(change),
            Route::Ignored => {}
            Route::Later => self.waiting.push_back((window_event.clone(), is_synthetic)),
        }
    }

    fn run_key_function(&mut self, change: KeyChange) {
        let PhysicalKey::Code(code) = change.key else { return };
        match function_of(code) {
            Some(KeyFunction::Hold(_)) => self.keys.set(code, change.is_down),
            Some(KeyFunction::Do(action)) if change.is_down => self.actions.push(action),
            _ => {}
        }
    }

    /// Moves the third-person camera nearer or farther away.
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

    /// Saves the settings if they have changed.
    fn save_settings(&mut self) {
        if let Some(session) = &self.session {
            self.settings.view = session.camera.walking_mode();
            self.settings.distance = session.camera.distance;
        }
        if let Some(screen) = self.screen.as_ref().filter(|it| it.window.fullscreen().is_none()) {
            self.settings.window = screen.size();
        }
        if self.saved_settings != self.settings {
            self.saved_settings = self.settings.clone();
            self.settings.save();
        }
        self.saved_at = Instant::now();
    }

    /// Returns whether the graphics device was lost. The window then closes.
    fn has_failed(&mut self) -> bool {
        let checked = self.screen.as_ref().map_or(Ok(()), Screen::check_device);
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
            return self.on_key(&event, *is_synthetic);
        }
        let Some(screen) = &mut self.screen else { return };
        // Input methods compose text, which only text fields take.
        let is_unwanted = matches!(event, WindowEvent::Ime(_)) && !self.router.is_typing();
        if !is_unwanted {
            screen.on_window_event(&event);
        }
        let is_over_ui = screen.is_pointer_over_ui();
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::Focused(false) => self.on_focus_lost(),
            WindowEvent::Occluded(is_hidden) => self.is_hidden = is_hidden,
            WindowEvent::Resized(size) => self.is_hidden = size.width == 0 || size.height == 0,
            WindowEvent::CursorMoved { position, .. } => {
                self.mouse.on_pointer_moved([position.x, position.y]);
                self.recentre_pointer();
            }
            WindowEvent::MouseInput {
                state: ElementState::Pressed,
                button: MouseButton::Left,
                ..
            } if !is_over_ui => self.capture_mouse(true),
            WindowEvent::MouseWheel { delta, .. } if !is_over_ui => self.zoom(delta),
            WindowEvent::RedrawRequested => self.run_frame(event_loop),
            _ => {}
        }
    }

    fn device_event(&mut self, _: &ActiveEventLoop, _: DeviceId, event: DeviceEvent) {
        if let DeviceEvent::MouseMotion { delta: (x, y) } = event {
            self.mouse.on_raw_motion([x, y]);
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let now = Instant::now();
        let age = now.duration_since(self.options.begun).as_secs_f64();
        let end = |seconds: f64| match self.first_frame_at {
            Some(first) => first + seconds,
            None => MAX_FIRST_FRAME_TIME + seconds,
        };
        if self.options.seconds.is_some_and(|seconds| age > end(seconds)) || self.has_failed() {
            return event_loop.exit();
        }
        if self.session.is_some() && now.duration_since(self.saved_at) > SAVE_INTERVAL {
            self.save_settings();
        }
        // A hidden window is drawn rarely, and the processor sleeps in between.
        if self.is_hidden || self.undrawn_frames > MAX_UNDRAWN_FRAMES {
            if now < self.next_hidden_frame {
                return event_loop.set_control_flow(ControlFlow::WaitUntil(self.next_hidden_frame));
            }
            self.next_hidden_frame = now + HIDDEN_FRAME_TIME;
        }
        event_loop.set_control_flow(ControlFlow::Poll);
        if let Some(screen) = &self.screen {
            screen.window.request_redraw();
        }
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        if self.session.is_some() {
            self.save_settings();
        }
    }
}
