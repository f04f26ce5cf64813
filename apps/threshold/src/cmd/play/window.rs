//! The window: what happens to it, and what is shown in it.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use threshold_dat::Source;
use threshold_land::Frame;
use threshold_land::block_offset;
use threshold_render::gpu::{Actor, GpuError, Masks, Scene, Style};
use threshold_render::layers::Overlay as Lines;
use threshold_view::{Lens, Looker, Scratch, Viewer};
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::event::{
    DeviceEvent, DeviceId, ElementState, KeyEvent, MouseButton, MouseScrollDelta, WindowEvent,
};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::keyboard::PhysicalKey;
use winit::window::{CursorGrabMode, Fullscreen, WindowAttributes, WindowId};

use super::keys::{Action, Does, HeldKeys, does};
use super::panel::{About, Overlay, Word, toggle};
use super::report;
use super::screen::Screen;
use super::settings::Settings;
use super::stats::{Parts, Stats};
use crate::layers::{Layer, Stander, overlay};
use crate::play::camera::{Mode, Sight};
use crate::play::doors::Reached;
use crate::play::player::{PLAYER, Skills};
use crate::play::session::Session;

/// What is waited for until the window can show something.
pub(super) type Loading = JoinHandle<anyhow::Result<(Arc<dyn Source>, Session)>>;

/// How long a frame takes that nobody sees.
const HIDDEN: Duration = Duration::from_millis(100);

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

/// A view that was frozen.
struct Frozen {
    viewer: Viewer,
    scratch: Scratch,
}

/// What shows the world, and what happens to it.
pub(super) struct App {
    options: Options,
    settings: Settings,
    loading: Option<Loading>,
    screen: Option<Screen>,
    session: Option<Session>,
    overlay: Overlay,
    keys: HeldKeys,
    stats: Stats,
    scratch: Scratch,
    frozen: Option<Frozen>,
    parts: Vec<Frame>,
    /// Whether the mouse looks around.
    is_held: bool,
    is_hidden: bool,
    /// How far the mouse has gone since the last frame, in pixels.
    mouse: [f64; 2],
    actions: Vec<Action>,
    last: Instant,
    /// When the first picture of the world was shown, in seconds from the start.
    pub(super) first_frame: Option<f64>,
    pub(super) failure: Option<Failure>,
}

impl App {
    pub(super) fn new(options: Options, settings: Settings, loading: Loading) -> Self {
        Self {
            last: options.begun,
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
            is_held: false,
            is_hidden: false,
            mouse: [0.0; 2],
            actions: Vec::new(),
            first_frame: None,
            failure: None,
        }
    }

    /// How many frames there were, and how long one took, in milliseconds.
    pub(super) fn frames(&self) -> (u64, f32) {
        (self.stats.count, self.stats.medians().whole)
    }

    fn now(&self) -> f64 {
        self.options.begun.elapsed().as_secs_f64()
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
    fn hold_mouse(&mut self, is_held: bool) {
        let Some(screen) = &self.screen else { return };
        let window = &screen.window;
        if is_held {
            let grabbed = window.set_cursor_grab(CursorGrabMode::Locked);
            // Some platforms have the one, and some the other.
            let _ = grabbed.or_else(|_| window.set_cursor_grab(CursorGrabMode::Confined));
        } else {
            let _ = window.set_cursor_grab(CursorGrabMode::None);
        }
        window.set_cursor_visible(!is_held);
        self.is_held = is_held;
    }

    fn key(&mut self, event: &KeyEvent) {
        let PhysicalKey::Code(code) = event.physical_key else { return };
        let is_down = event.state == ElementState::Pressed;
        match does(code) {
            Some(Does::Hold(held)) => self.keys.set(held, is_down),
            Some(Does::Do(action)) if is_down && !event.repeat => self.actions.push(action),
            _ => {}
        }
    }

    /// One frame.
    fn frame(&mut self, event_loop: &ActiveEventLoop) {
        let (now, begun) = (self.now(), Instant::now());
        let whole = begun.duration_since(self.last);
        self.last = begun;
        let dt = whole.as_secs_f32().min(0.25);
        self.turn(dt);
        self.act(event_loop, now);
        let (Some(session), Some(screen)) = (&mut self.session, &mut self.screen) else { return };
        let Settings { run_rate, jump_skill, time_runs, always_run, far, .. } = self.settings;
        session.skills = Skills { run: run_rate, jump: jump_skill };
        session.day.runs = time_runs;
        session.set_far(far);
        let intent = self.keys.intent(session.camera.heading, always_run);
        let happened = session.frame(now, &intent);
        if let Some(renderer) = &mut screen.renderer {
            happened.prepared.into_iter().for_each(|prepared| renderer.take(prepared));
        }
        for transit in &happened.transits {
            let name = session.names.cell(transit.to, &transit.at);
            // Whoever does not listen does not stop the walk.
            let _ = writeln!(
                io::stdout(),
                "{:8.2}  {} -> {}  {name}",
                transit.time,
                transit.from,
                transit.to
            );
        }
        session.take_said().into_iter().for_each(|text| self.overlay.say(now, text));
        let moved = begun.elapsed();
        let sight = session.look(&intent, dt);
        let viewer = sight.and_then(|sight| viewer(&sight, screen.aspect(), &self.settings));
        if let Some(viewer) = &viewer {
            Looker::new(&session.world).look(&mut self.scratch, &mut (), viewer);
        }
        let looked = begun.elapsed();
        self.finish(sight, viewer, now);
        let drawn = begun.elapsed();
        let part = |from: Duration, to: Duration| (to - from).as_secs_f32() * 1000.0;
        self.stats.note(Parts {
            whole: whole.as_secs_f32() * 1000.0,
            world: part(Duration::ZERO, moved),
            view: part(moved, looked),
            draw: part(looked, drawn),
        });
    }

    /// Turns by the mouse and by keys.
    fn turn(&mut self, dt: f32) {
        let [x, y] = std::mem::take(&mut self.mouse);
        let Some(session) = &mut self.session else { return };
        let [right, up] = self.keys.turned(dt);
        #[allow(clippy::cast_possible_truncation, reason = "pixels")]
        let [x, y] = [x as f32, y as f32].map(|pixels| pixels * self.settings.mouse);
        let y = if self.settings.mouse_up_is_down { -y } else { y };
        session.camera.turn(right + x, up - y);
    }

    /// Does what was asked for.
    fn act(&mut self, event_loop: &ActiveEventLoop, now: f64) {
        for action in std::mem::take(&mut self.actions) {
            match action {
                Action::Quit => event_loop.exit(),
                Action::LetGo => {
                    self.overlay.is_help_open = false;
                    self.hold_mouse(false);
                }
                Action::Panel => self.settings.panel = !self.settings.panel,
                Action::Help => self.overlay.is_help_open = !self.overlay.is_help_open,
                Action::Travel => {
                    self.settings.panel = true;
                    self.hold_mouse(false);
                    self.overlay.ask_for_place();
                }
                Action::Freeze => self.overlay.is_frozen = !self.overlay.is_frozen,
                Action::Layer(layer) => toggle(&mut self.settings.layers, layer),
                Action::FullScreen => self.full_screen(),
                Action::Picture | Action::Report => self.keep(action, now),
                _ => self.act_in_world(action, now),
            }
        }
    }

    /// What has to do with who walks.
    fn act_in_world(&mut self, action: Action, now: f64) {
        let Some(session) = &mut self.session else { return };
        match action {
            Action::Door => {
                let text = match session.use_door() {
                    Reached::Nothing => "there is no door within reach",
                    Reached::Opens => "the door opens",
                    Reached::Shuts => "the door shuts",
                };
                self.overlay.say(now, text.to_owned());
            }
            Action::View => {
                session.camera.mode = match session.camera.mode {
                    Mode::First => Mode::Third,
                    Mode::Third | Mode::Flight => Mode::First,
                };
            }
            Action::Fly => {
                session.camera.mode = match session.camera.mode {
                    Mode::Flight => Mode::Third,
                    Mode::First | Mode::Third => Mode::Flight,
                };
            }
            Action::Why => self.overlay.why = Some(session.why()),
            Action::GoBack => session.go_back(false),
            Action::GoForward => session.go_back(true),
            Action::Earlier => session.day.time -= 1.0 / 24.0,
            Action::Later => session.day.time += 1.0 / 24.0,
            Action::Weather => {
                let count = session.day.kinds().len();
                let next = session.day.weather.map_or(0, |weather| weather + 1);
                session.day.weather = (next < count).then_some(next);
            }
            _ => {}
        }
    }

    fn full_screen(&self) {
        let Some(screen) = &self.screen else { return };
        let whole = screen.window.fullscreen().is_none();
        screen.window.set_fullscreen(whole.then_some(Fullscreen::Borderless(None)));
    }

    /// Draws and shows what is seen, and what is written over it.
    fn finish(&mut self, sight: Option<Sight>, viewer: Option<Viewer>, now: f64) {
        self.freeze(viewer.as_ref());
        let (Some(session), Some(screen)) = (&mut self.session, &mut self.screen) else { return };
        let lines = viewer.as_ref().map(|viewer| {
            lines(session, (viewer, &self.scratch), &self.settings.layers, self.frozen.as_ref())
        });
        let words = words(viewer.as_ref(), lines.as_ref());
        let device = screen.device().to_owned();
        let written = {
            let mut about = About {
                session,
                settings: &mut self.settings,
                stats: &self.stats,
                words: &words,
                device: &device,
                now,
                is_held: self.is_held,
            };
            let overlay = &mut self.overlay;
            screen.write(|ui| overlay.show(ui, &mut about))
        };
        session.player.pose(now, &mut self.parts);
        let daylight = session.day.light(now);
        let actor = Actor {
            body: PLAYER,
            parts: &self.parts,
            shown: Some(session.player.shown(&session.world, now)),
        };
        let scene = viewer.as_ref().zip(sight).map(|(viewer, sight)| Scene {
            world: &session.world,
            viewer,
            seen: self.frozen.as_ref().map_or(&self.scratch, |frozen| &frozen.scratch).seen(),
            daylight: &daylight,
            #[allow(clippy::cast_possible_truncation, reason = "some hours")]
            seconds: now as f32,
            style: style(&self.settings.layers),
            actors: std::slice::from_ref(&actor),
            hidden: (sight.is_own && self.frozen.is_none()).then_some(PLAYER),
            lines: lines.as_ref().map(|lines| &lines.lines[..]).unwrap_or_default(),
            masks: if self.frozen.is_some() { Masks::LeftOut } else { Masks::Drawn },
            clear: daylight.fog.colour.as_dvec3().to_array(),
        });
        if let Some(scene) = &scene {
            self.stats.cells = scene.seen.cells().len();
            self.stats.sees_outside = scene.seen.outside().len() > 0;
        }
        if let Some(drawn) = screen.draw(scene.as_ref(), written) {
            self.stats.drawn = drawn;
            if scene.is_some() && self.first_frame.is_none() {
                self.first_frame = Some(self.options.begun.elapsed().as_secs_f64());
            }
        }
    }

    /// Freezes what is seen, or lets it go, as somebody wishes.
    fn freeze(&mut self, viewer: Option<&Viewer>) {
        match (self.overlay.is_frozen, viewer) {
            (true, Some(viewer)) if self.frozen.is_none() => {
                self.frozen = Some(Frozen { viewer: *viewer, scratch: self.scratch.clone() });
            }
            (false, _) => self.frozen = None,
            _ => {}
        }
    }

    /// Writes a picture or a report, and says where.
    fn keep(&mut self, action: Action, now: f64) {
        let kept = self.try_to_keep(action, now);
        let text = match kept {
            Ok(path) => format!("written: {}", path.display()),
            Err(error) => format!("{error:#}"),
        };
        // Whoever does not listen does not stop the walk.
        let _ = writeln!(io::stdout(), "{text}");
        self.overlay.say(now, text);
    }

    fn try_to_keep(&mut self, action: Action, now: f64) -> anyhow::Result<PathBuf> {
        let (Some(session), Some(screen)) = (&mut self.session, &mut self.screen) else {
            anyhow::bail!("there is nothing to draw yet");
        };
        let sight = session.look(&self.keys.intent(session.camera.heading, false), 0.0);
        let viewer = sight.and_then(|sight| viewer(&sight, screen.aspect(), &self.settings));
        let Some((viewer, sight)) = viewer.zip(sight) else {
            anyhow::bail!("there is nothing to draw yet");
        };
        let seen = Looker::new(&session.world).look(&mut self.scratch, &mut (), &viewer);
        let daylight = session.day.light(now);
        let actor = Actor {
            body: PLAYER,
            parts: &self.parts,
            shown: Some(session.player.shown(&session.world, now)),
        };
        let picture = screen.picture(&Scene {
            world: &session.world,
            viewer: &viewer,
            seen,
            daylight: &daylight,
            #[allow(clippy::cast_possible_truncation, reason = "some hours")]
            seconds: now as f32,
            style: style(&self.settings.layers),
            actors: std::slice::from_ref(&actor),
            hidden: sight.is_own.then_some(PLAYER),
            lines: &[],
            masks: Masks::Drawn,
            clear: daylight.fog.colour.as_dvec3().to_array(),
        })?;
        let folder = &self.options.folder;
        if action == Action::Picture {
            return report::picture(folder, &picture);
        }
        let named = self.options.named.as_ref().map(|(option, path)| (*option, path.as_path()));
        report::report(folder, session, named, &picture)
    }

    /// Keeps what somebody likes for the next time.
    fn remember(&mut self) {
        if let Some(session) = &self.session {
            self.settings.view = session.camera.mode;
            self.settings.distance = session.camera.wish;
        }
        if let Some(screen) = self.screen.as_ref().filter(|it| it.window.fullscreen().is_none()) {
            self.settings.window = screen.size();
        }
        self.settings.save();
    }
}

/// Who looks.
fn viewer(sight: &Sight, aspect: f64, settings: &Settings) -> Option<Viewer> {
    let lens = Lens { fov: f64::from(settings.field_of_view), aspect, ..Lens::default() };
    let eye = sight.eye.frame.origin.as_dvec3();
    Viewer::looking_at(sight.eye.cell, eye, eye + sight.ahead.as_dvec3(), lens).ok()
}

fn style(layers: &[Layer]) -> Style {
    if layers.contains(&Layer::Ids) { Style::Ids } else { Style::Lit }
}

/// Lines and words of the layers that are shown.
fn lines(
    session: &Session,
    (viewer, scratch): (&Viewer, &Scratch),
    layers: &[Layer],
    frozen: Option<&Frozen>,
) -> Lines {
    let (viewer, scratch) =
        frozen.map_or((viewer, scratch), |frozen| (&frozen.viewer, &frozen.scratch));
    let stander = stander(session);
    let mut all = match stander {
        Some(stander) => overlay(layers, &session.world, (viewer, scratch.seen()), &stander),
        None => Lines::default(),
    };
    if frozen.is_some() {
        all.cones(scratch.seen(), viewer);
    }
    all
}

/// Who walks, as layers show it.
fn stander(session: &Session) -> Option<Stander> {
    let feet = session.at()?;
    let stance = &session.player.body.stance;
    let ground = stance.contact.then(|| {
        let mut at = feet;
        at.frame.origin += block_offset(stance.plane_cell, feet.cell);
        at.cell = stance.plane_cell;
        (at, stance.plane)
    });
    Some(Stander { feet, ground })
}

/// Words where they show on the screen.
fn words(viewer: Option<&Viewer>, lines: Option<&Lines>) -> Vec<Word> {
    let (Some(viewer), Some(lines)) = (viewer, lines) else { return Vec::new() };
    let word = |label: &threshold_render::layers::Label| {
        let offset = block_offset(viewer.cell(), label.at.cell).as_dvec3();
        let at = viewer.project(label.at.frame.origin.as_dvec3() + offset)?;
        #[allow(clippy::cast_possible_truncation, reason = "0 to 1")]
        let at = [(at.x * 0.5 + 0.5) as f32, (0.5 - at.y * 0.5) as f32];
        let is_on = at.iter().all(|part| (0.0..=1.0).contains(part));
        is_on.then(|| Word { at, text: label.text.clone() })
    };
    lines.labels.iter().filter_map(word).collect()
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
        let is_taken = screen.hear(&event);
        let is_written = screen.is_written_into();
        match &event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::Focused(false) => {
                self.keys.let_go();
                self.hold_mouse(false);
            }
            WindowEvent::Occluded(is_hidden) => self.is_hidden = *is_hidden,
            WindowEvent::KeyboardInput { event, .. } => {
                // What is let go of is let go of, whoever writes.
                let is_up = event.state == ElementState::Released;
                if !is_written || is_up {
                    self.key(event);
                }
            }
            WindowEvent::MouseInput { state: ElementState::Pressed, button, .. } => {
                if !is_taken && !screen.is_pointed_at() && *button == MouseButton::Left {
                    self.hold_mouse(true);
                }
            }
            WindowEvent::MouseWheel { delta, .. } if !is_taken => {
                let steps = match delta {
                    MouseScrollDelta::LineDelta(_, y) => *y,
                    #[allow(clippy::cast_possible_truncation, reason = "pixels")]
                    MouseScrollDelta::PixelDelta(at) => at.y as f32 / 40.0,
                };
                if let Some(session) = &mut self.session {
                    session.camera.zoom(steps);
                }
            }
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
        if self.options.seconds.is_some_and(|seconds| self.now() > seconds) {
            return event_loop.exit();
        }
        if self.is_hidden {
            let next = Instant::now() + HIDDEN;
            event_loop.set_control_flow(ControlFlow::WaitUntil(next));
        } else {
            event_loop.set_control_flow(ControlFlow::Poll);
        }
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
