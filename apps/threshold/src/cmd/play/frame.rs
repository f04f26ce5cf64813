//! One frame: time goes on, and what is seen is drawn and shown.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use egui::FullOutput;
use threshold_play::{CameraMode, CellTransit, Intent, PLAYER, PlayerSkills, Viewpoint};
use threshold_render::debug_overlay::DebugOverlay as Lines;
use threshold_render::gpu::{BodyPose, DrawStats, RegionMasks, RenderScene};
use threshold_render::images::Image;
use threshold_view::{PortalWalk, Viewer};
use winit::event_loop::ActiveEventLoop;

use super::Session;
use super::keys::Action;
use super::panel::About;
use super::report;
use super::settings::Settings;
use super::sight::{Frozen, lines, style, viewer, words};
use super::stats::Parts;
use super::window::App;

/// Longer than this nobody turns in one frame, in seconds.
const LONGEST: f64 = 0.25;

impl App {
    /// One frame.
    pub(super) fn frame(&mut self, event_loop: &ActiveEventLoop) {
        let begun = Instant::now();
        let whole = begun.duration_since(self.last);
        self.last = begun;
        let before = self.now;
        self.now = self.pace.tick(begun.duration_since(self.options.begun).as_secs_f64());
        #[allow(clippy::cast_possible_truncation, reason = "a part of a second")]
        let dt = (self.now - before).min(LONGEST) as f32;
        self.turn(dt);
        self.act(event_loop);
        let intent = self.live();
        let moved = begun.elapsed();
        let sight = self.look(&intent, dt);
        let looked = begun.elapsed();
        self.finish(sight);
        self.follow_typing();
        let drawn = begun.elapsed();
        let part = |from: Duration, to: Duration| (to - from).as_secs_f32() * 1000.0;
        self.stats.note(Parts {
            whole: whole.as_secs_f32() * 1000.0,
            world: part(Duration::ZERO, moved),
            view: part(moved, looked),
            draw: part(looked, drawn),
        });
    }

    /// Lets time go on in the world; says what was wished for.
    fn live(&mut self) -> Intent {
        let (Some(session), Some(screen)) = (&mut self.session, &mut self.screen) else {
            return Intent::default();
        };
        let Settings { run_rate, jump_skill, time_runs, always_run, far, .. } = self.settings;
        session.skills = PlayerSkills { run: run_rate, jump: jump_skill };
        session.day.runs = time_runs;
        session.camera.root = self.settings.view_root;
        session.set_landscape_radius(far);
        // In flight the key means haste, whatever the usual pace is.
        let always_run = always_run && session.camera.mode != CameraMode::Flight;
        let intent = self.keys.intent(session.camera.heading, always_run);
        let happened = session.advance(self.now, &intent);
        if let Some(renderer) = &mut screen.renderer {
            session
                .take_prepared()
                .into_iter()
                .for_each(|prepared| renderer.add_prepared(prepared));
        }
        happened.transits.iter().for_each(|transit| print(session, transit));
        // What was frozen is far away then.
        self.overlay.is_frozen &= !happened.arrived;
        if happened.arrived {
            self.keys.stop_autorun();
        }
        for text in session.take_messages() {
            self.overlay.say(self.now, text);
        }
        intent
    }

    /// What is seen by now, and from where.
    fn look(&mut self, intent: &Intent, dt: f32) -> Option<(Viewpoint, Viewer)> {
        let (session, screen) = (self.session.as_mut()?, self.screen.as_ref()?);
        let sight = session.update_camera(intent, dt)?;
        let sight = Viewpoint { eye: session.picture_eye(&sight), ..sight };
        let viewer = viewer(&sight, screen.aspect(), &self.settings)?;
        PortalWalk::new(&session.world).run(&mut self.scratch, &mut (), &viewer);
        self.freeze(&viewer);
        Some((sight, viewer))
    }

    /// Freezes what is seen, or lets it go, as somebody wishes.
    fn freeze(&mut self, viewer: &Viewer) {
        let Some(session) = &mut self.session else { return };
        if !self.overlay.is_frozen {
            self.frozen = None;
        } else if self.frozen.is_none() {
            self.frozen = Some(Frozen { viewer: *viewer, scratch: self.scratch.clone() });
        }
        session.hold_frozen_view(self.frozen.as_ref().map(|frozen| frozen.viewer.cell()));
    }

    /// Draws and shows what is seen, and what is written over it.
    fn finish(&mut self, looked: Option<(Viewpoint, Viewer)>) {
        let viewer = looked.as_ref().map(|(_, viewer)| viewer);
        let lines = viewer.zip(self.session.as_ref()).map(|(viewer, session)| {
            lines(session, (viewer, &self.scratch), &self.settings.layers, self.frozen.as_ref())
        });
        let Some(written) = self.write(viewer, lines.as_ref()) else { return };
        let wanted = std::mem::take(&mut self.wanted);
        let (drawn, picture) =
            self.draw(looked.as_ref(), lines.as_ref(), written, !wanted.is_empty());
        self.unshown = if drawn.is_some() { 0 } else { self.unshown.saturating_add(1) };
        if let Some(drawn) = drawn {
            self.stats.drawn = drawn;
            if looked.is_some() && self.first_frame.is_none() {
                self.first_frame = Some(self.options.begun.elapsed().as_secs_f64());
            }
        }
        for action in wanted {
            self.keep(action, picture.as_ref());
        }
    }

    /// Lays out what is written over the world.
    fn write(&mut self, viewer: Option<&Viewer>, lines: Option<&Lines>) -> Option<FullOutput> {
        let (session, screen) = (self.session.as_mut()?, self.screen.as_mut()?);
        let device = screen.device().to_owned();
        let mut about = About {
            words: &words(viewer, lines),
            device: &device,
            settings: &mut self.settings,
            stats: &self.stats,
            session,
            now: self.now,
            is_held: self.is_held,
        };
        let overlay = &mut self.overlay;
        Some(screen.write(|ui| overlay.show(ui, &mut about)))
    }

    /// Draws what is seen into the window, and if that is wanted once more as a picture.
    fn draw(
        &mut self,
        looked: Option<&(Viewpoint, Viewer)>,
        lines: Option<&Lines>,
        written: FullOutput,
        is_picture_wanted: bool,
    ) -> (Option<DrawStats>, Option<anyhow::Result<Image>>) {
        let (Some(session), Some(screen)) = (&mut self.session, &mut self.screen) else {
            return (None, None);
        };
        let now = self.now;
        session.player.pose(now, &mut self.parts);
        let daylight = session.day.light(now);
        let shown = Some(session.player.shown_position(&session.world, now));
        let poses = [BodyPose { body: PLAYER, parts: &self.parts, shown }];
        let frozen = self.frozen.as_ref();
        let scene = looked.map(|(sight, viewer)| RenderScene {
            world: &session.world,
            viewer,
            seen: frozen.map_or(&self.scratch, |frozen| &frozen.scratch).visible(),
            daylight: &daylight,
            #[allow(clippy::cast_possible_truncation, reason = "some hours")]
            seconds: now as f32,
            style: style(&self.settings.layers),
            poses: &poses,
            hidden: (sight.is_first_person && frozen.is_none()).then_some(PLAYER),
            lines: lines.map(|lines| &lines.lines[..]).unwrap_or_default(),
            masks: if frozen.is_some() { RegionMasks::Ignored } else { RegionMasks::Applied },
            clear: daylight.fog.colour.as_dvec3().to_array(),
        });
        if let Some(scene) = &scene {
            self.stats.note_seen(scene.seen);
        }
        let drawn = screen.draw(scene.as_ref(), written);
        let picture = scene.filter(|_| is_picture_wanted).map(|scene| screen.picture(&scene));
        (drawn, picture)
    }

    /// Writes a picture or a report, and says where.
    fn keep(&mut self, action: Action, picture: Option<&anyhow::Result<Image>>) {
        let text = match self.try_to_keep(action, picture) {
            Ok(path) => format!("written: {}", path.display()),
            Err(error) => format!("{error:#}"),
        };
        // Whoever does not listen does not stop the walk.
        let _ = writeln!(io::stdout(), "{text}");
        self.overlay.say(self.now, text);
    }

    fn try_to_keep(
        &self,
        action: Action,
        picture: Option<&anyhow::Result<Image>>,
    ) -> anyhow::Result<PathBuf> {
        let Some(session) = &self.session else { anyhow::bail!("there is no world yet") };
        let folder = &self.options.folder;
        let picture = match picture {
            Some(Ok(picture)) => Ok(picture),
            Some(Err(error)) => Err(format!("{error:#}")),
            None => Err("there is nothing to draw yet".to_owned()),
        };
        if action == Action::Picture {
            return report::picture(folder, picture.map_err(anyhow::Error::msg)?);
        }
        let named = self.options.named.as_ref().map(|(option, path)| (*option, path.as_path()));
        report::report(folder, session, named, picture)
    }
}

/// Prints a change of cell.
fn print(session: &Session, transit: &CellTransit) {
    let (time, change) = (transit.time, transit.describe(&session.names));
    // A closed output does not stop the walk.
    let _ = writeln!(io::stdout(), "{time:8.2}  {change}");
}
