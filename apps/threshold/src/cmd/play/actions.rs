//! Actions of keys and the mouse.

use threshold_play::{CameraMode, DoorAction};
use winit::event_loop::ActiveEventLoop;
use winit::window::Fullscreen;

use super::keys::Action;
use super::panel::toggle;
use super::window::App;

impl App {
    /// Turns the camera by the mouse and by keys.
    pub(super) fn turn_camera(&mut self, dt: f32) {
        let [x, y] = self.mouse.take_motion();
        let Some(session) = &mut self.session else { return };
        let [right, up] = self.keys.turn_by(dt);
        #[allow(clippy::cast_possible_truncation, reason = "pixels")]
        let [x, y] = [x as f32, y as f32].map(|pixels| pixels * self.settings.mouse);
        let y = if self.settings.mouse_up_is_down { -y } else { y };
        session.camera.turn(right + x, up - y);
    }

    /// Runs the actions of the keys that went down since the last frame.
    pub(super) fn run_actions(&mut self, event_loop: &ActiveEventLoop) {
        for action in std::mem::take(&mut self.actions) {
            match action {
                Action::Quit => event_loop.exit(),
                Action::ReleaseMouse => {
                    self.overlay.is_help_open = false;
                    self.capture_mouse(false);
                }
                Action::Autorun => self.keys.toggle_autorun(),
                Action::Panel => self.settings.panel = !self.settings.panel,
                Action::Help => self.overlay.is_help_open = !self.overlay.is_help_open,
                Action::Freeze => self.overlay.is_frozen = !self.overlay.is_frozen,
                Action::Layer(layer) => toggle(&mut self.settings.layers, layer),
                Action::FullScreen => self.toggle_full_screen(),
                // Written once the next frame has been drawn.
                Action::Picture | Action::Report => self.requested_files.push(action),
                _ => self.run_session_action(action),
            }
        }
    }

    /// Runs an action that needs a session.
    fn run_session_action(&mut self, action: Action) {
        let Some(session) = &mut self.session else { return };
        let mode = session.camera.mode;
        match action {
            Action::Door => {
                let text = match session.use_door() {
                    DoorAction::NoDoor => "no door within reach",
                    DoorAction::Opens => "the door opens",
                    DoorAction::Closes => "the door closes",
                };
                self.overlay.show_message(self.now, text.to_owned());
            }
            Action::View => {
                session.camera.mode =
                    if mode == CameraMode::First { CameraMode::Third } else { CameraMode::First };
            }
            Action::Fly => {
                session.camera.toggle_flight();
                self.keys.stop_autorun();
            }
            Action::Land => session.request_landing(),
            Action::Why => {
                let opens = self.overlay.explanation.is_none();
                self.overlay.explanation = opens.then(|| session.explain_last_stop());
            }
            Action::GoBack => session.go_back(),
            Action::GoForward => session.go_forward(),
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

    fn toggle_full_screen(&self) {
        let Some(screen) = &self.screen else { return };
        let is_windowed = screen.window.fullscreen().is_none();
        screen.window.set_fullscreen(is_windowed.then_some(Fullscreen::Borderless(None)));
    }
}
