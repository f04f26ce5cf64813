//! One frame: advance the session, update the view, lay out the panel, draw.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use egui::FullOutput;
use threshold_play::{CameraMode, CellTransit, Intent, PLAYER, PlayerSkills, Viewpoint};
use threshold_render::{BodyPose, DrawStats, RegionMasks, RenderScene};
use threshold_view::{PortalWalk, Viewer};
use threshold_visuals::debug_draw::DebugOverlay as LayerOverlay;
use threshold_visuals::images::Image;
use winit::event_loop::ActiveEventLoop;

use super::Session;
use super::keys::Action;
use super::panel::PanelData;
use super::report;
use super::settings::Settings;
use super::stats::FrameTimes;
use super::view::{FrozenView, layer_overlay, screen_labels, style, viewer};
use super::window::App;

/// Longest time step of the camera and of turning by keys, in seconds. A longer frame would turn the view by an unexpected amount.
const MAX_STEP: f64 = 0.25;

/// The view of a frame.
struct FrameView {
    viewpoint: Viewpoint,
    viewer: Viewer,
}

impl App {
    /// Runs one frame.
    pub(super) fn run_frame(&mut self, event_loop: &ActiveEventLoop) {
        let begun = Instant::now();
        let whole = begun.duration_since(self.last_frame);
        self.last_frame = begun;
        let before = self.now;
        self.now = self.clock.tick(begun.duration_since(self.options.begun).as_secs_f64());
        #[allow(clippy::cast_possible_truncation, reason = "a part of a second")]
        let dt = (self.now - before).min(MAX_STEP) as f32;
        self.turn_camera(dt);
        self.run_actions(event_loop);
        let intent = self.advance();
        let advanced = begun.elapsed();
        let view = self.update_view(&intent, dt);
        let viewed = begun.elapsed();
        self.present(view.as_ref());
        self.follow_typing();
        let drawn = begun.elapsed();
        let part = |from: Duration, to: Duration| (to - from).as_secs_f32() * 1000.0;
        self.stats.add(FrameTimes {
            whole: whole.as_secs_f32() * 1000.0,
            world: part(Duration::ZERO, advanced),
            view: part(advanced, viewed),
            draw: part(viewed, drawn),
        });
    }

    /// Advances the session to the time of the frame. Returns the input it was given.
    fn advance(&mut self) -> Intent {
        let (Some(session), Some(screen)) = (&mut self.session, &mut self.screen) else {
            return Intent::default();
        };
        let Settings { run_rate, jump_skill, time_runs, always_run, far, .. } = self.settings;
        session.skills = PlayerSkills { run: run_rate, jump: jump_skill };
        session.day.runs = time_runs;
        session.camera.root = self.settings.view_root;
        session.set_landscape_radius(far);
        // In flight Shift means fast, whether or not the player runs by default.
        let always_run = always_run && session.camera.mode != CameraMode::Flight;
        let intent = self.keys.intent(session.camera.heading, always_run);
        let events = session.advance(self.now, &intent);
        if let Some(renderer) = &mut screen.renderer {
            session
                .take_prepared()
                .into_iter()
                .for_each(|prepared| renderer.add_prepared(prepared));
        }
        events.transits.iter().for_each(|transit| print_transit(session, transit));
        // After an arrival the frozen view is far away.
        self.overlay.is_frozen &= !events.arrived;
        if events.arrived {
            self.keys.stop_autorun();
        }
        for text in session.take_messages() {
            self.overlay.show_message(self.now, text);
        }
        intent
    }

    /// Moves the camera and walks the portals from it. Returns `None` before the first arrival.
    fn update_view(&mut self, intent: &Intent, dt: f32) -> Option<FrameView> {
        let (session, screen) = (self.session.as_mut()?, self.screen.as_ref()?);
        let viewpoint = session.update_camera(intent, dt)?;
        let viewpoint = Viewpoint { eye: session.root_eye(&viewpoint), ..viewpoint };
        let viewer = viewer(&viewpoint, screen.aspect(), &self.settings)?;
        PortalWalk::new(&session.world).run(&mut self.scratch, &mut (), &viewer);
        self.update_frozen_view(&viewer);
        Some(FrameView { viewpoint, viewer })
    }

    /// Keeps or drops the frozen view, as the overlay says.
    fn update_frozen_view(&mut self, viewer: &Viewer) {
        let Some(session) = &mut self.session else { return };
        if !self.overlay.is_frozen {
            self.frozen = None;
        } else if self.frozen.is_none() {
            self.frozen = Some(FrozenView { viewer: *viewer, scratch: self.scratch.clone() });
        }
        session.hold_frozen_view(self.frozen.as_ref().map(|frozen| frozen.viewer.cell()));
    }

    /// Lays out the panel, draws the frame, and writes the files that were requested of it.
    fn present(&mut self, view: Option<&FrameView>) {
        let viewer = view.map(|view| &view.viewer);
        let overlay = viewer.zip(self.session.as_ref()).map(|(viewer, session)| {
            let frozen = self.frozen.as_ref();
            layer_overlay(session, viewer, &self.scratch, &self.settings.layers, frozen)
        });
        let Some(ui) = self.layout_ui(viewer, overlay.as_ref()) else { return };
        let requested = std::mem::take(&mut self.requested_files);
        let (drawn, picture) = self.draw(view, overlay.as_ref(), ui, !requested.is_empty());
        self.undrawn_frames =
            if drawn.is_some() { 0 } else { self.undrawn_frames.saturating_add(1) };
        if let Some(drawn) = drawn {
            self.stats.drawn = drawn;
            if view.is_some() && self.first_frame_at.is_none() {
                self.first_frame_at = Some(self.options.begun.elapsed().as_secs_f64());
            }
        }
        for action in requested {
            self.write_file(action, picture.as_ref());
        }
    }

    /// Lays out everything that egui draws over the world.
    fn layout_ui(
        &mut self,
        viewer: Option<&Viewer>,
        overlay: Option<&LayerOverlay>,
    ) -> Option<FullOutput> {
        let (session, screen) = (self.session.as_mut()?, self.screen.as_mut()?);
        let device = screen.device_name().to_owned();
        let mut data = PanelData {
            labels: &screen_labels(viewer, overlay),
            device: &device,
            settings: &mut self.settings,
            stats: &self.stats,
            session,
            now: self.now,
            is_mouse_captured: self.is_mouse_captured,
        };
        let overlay = &mut self.overlay;
        Some(screen.layout_ui(|ui| overlay.layout(ui, &mut data)))
    }

    /// Draws the frame into the window, and a second time as a picture if `wants_picture`.
    fn draw(
        &mut self,
        view: Option<&FrameView>,
        overlay: Option<&LayerOverlay>,
        ui: FullOutput,
        wants_picture: bool,
    ) -> (Option<DrawStats>, Option<anyhow::Result<Image>>) {
        let (Some(session), Some(screen)) = (&mut self.session, &mut self.screen) else {
            return (None, None);
        };
        let now = self.now;
        session.player.pose(now, &mut self.figure_parts);
        let daylight = session.day.light(now);
        let shown = Some(session.shown_position());
        let poses = [BodyPose { body: PLAYER, parts: &self.figure_parts, shown }];
        let frozen = self.frozen.as_ref();
        let scene = view.map(|FrameView { viewpoint, viewer }| RenderScene {
            world: &session.world,
            viewer,
            seen: frozen.map_or(&self.scratch, |frozen| &frozen.scratch).visible(),
            daylight: &daylight,
            #[allow(clippy::cast_possible_truncation, reason = "some hours")]
            seconds: now as f32,
            style: style(&self.settings.layers),
            poses: &poses,
            hidden: (viewpoint.is_first_person && frozen.is_none()).then_some(PLAYER),
            lines: overlay.map(|overlay| &overlay.lines[..]).unwrap_or_default(),
            masks: if frozen.is_some() { RegionMasks::Ignored } else { RegionMasks::Applied },
            clear: daylight.fog.colour.as_dvec3().to_array(),
        });
        if let Some(scene) = &scene {
            self.stats.count_visible(scene.seen);
        }
        let drawn = screen.draw(scene.as_ref(), ui);
        let picture = scene.filter(|_| wants_picture).map(|scene| screen.picture(&scene));
        (drawn, picture)
    }

    /// Writes a picture or a report, and reports the path or the error.
    fn write_file(&mut self, action: Action, picture: Option<&anyhow::Result<Image>>) {
        let text = match self.try_write_file(action, picture) {
            Ok(path) => format!("written: {}", path.display()),
            Err(error) => format!("{error:#}"),
        };
        // A closed standard output does not end the program.
        let _ = writeln!(io::stdout(), "{text}");
        self.overlay.show_message(self.now, text);
    }

    fn try_write_file(
        &self,
        action: Action,
        picture: Option<&anyhow::Result<Image>>,
    ) -> anyhow::Result<PathBuf> {
        let Some(session) = &self.session else { anyhow::bail!("the world is not loaded yet") };
        let folder = &self.options.folder;
        let picture = match picture {
            Some(Ok(picture)) => Ok(picture),
            Some(Err(error)) => Err(format!("{error:#}")),
            None => Err("nothing was drawn yet".to_owned()),
        };
        if action == Action::Picture {
            return report::write_picture(folder, picture.map_err(anyhow::Error::msg)?);
        }
        let world = self.options.world.as_ref().map(|(option, path)| (*option, path.as_path()));
        report::write_report(folder, session, world, picture)
    }
}

/// Prints a change of cell.
fn print_transit(session: &Session, transit: &CellTransit) {
    let (time, change) = (transit.time, transit.describe(&session.names));
    // A closed standard output does not end the program.
    let _ = writeln!(io::stdout(), "{time:8.2}  {change}");
}
