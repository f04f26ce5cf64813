//! Keys and their functions.

use std::collections::BTreeSet;

use threshold_play::Intent;
use winit::keyboard::KeyCode;

use crate::layers::Layer;

/// An action that lasts as long as a key is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum HeldAction {
    Ahead,
    Back,
    Left,
    Right,
    TurnLeft,
    TurnRight,
    LookUp,
    LookDown,
    /// Walk instead of running, or run instead of walking.
    OtherPace,
    Jump,
    Down,
}

/// An action that happens once, when a key goes down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Door,
    View,
    Fly,
    Land,
    Autorun,
    Freeze,
    Why,
    Layer(Layer),
    Panel,
    Help,
    Travel,
    GoBack,
    GoForward,
    /// Sets the time of day back by an hour.
    Earlier,
    /// Sets the time of day forward by an hour.
    Later,
    Weather,
    Report,
    Picture,
    FullScreen,
    ReleaseMouse,
    Quit,
}

/// The function of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyFunction {
    Hold(HeldAction),
    Do(Action),
}

/// A key with its function.
struct Binding {
    key: KeyCode,
    function: KeyFunction,
}

const fn hold(key: KeyCode, held: HeldAction) -> Binding {
    Binding { key, function: KeyFunction::Hold(held) }
}

const fn act(key: KeyCode, action: Action) -> Binding {
    Binding { key, function: KeyFunction::Do(action) }
}

/// All keys, by their position on an English keyboard.
const BINDINGS: [Binding; 45] = [
    hold(KeyCode::KeyW, HeldAction::Ahead),
    hold(KeyCode::KeyS, HeldAction::Back),
    hold(KeyCode::KeyA, HeldAction::Left),
    hold(KeyCode::KeyD, HeldAction::Right),
    hold(KeyCode::ArrowLeft, HeldAction::TurnLeft),
    hold(KeyCode::ArrowRight, HeldAction::TurnRight),
    hold(KeyCode::ArrowUp, HeldAction::LookUp),
    hold(KeyCode::ArrowDown, HeldAction::LookDown),
    hold(KeyCode::ShiftLeft, HeldAction::OtherPace),
    hold(KeyCode::ShiftRight, HeldAction::OtherPace),
    hold(KeyCode::Space, HeldAction::Jump),
    hold(KeyCode::KeyC, HeldAction::Down),
    act(KeyCode::KeyE, Action::Door),
    act(KeyCode::KeyV, Action::View),
    act(KeyCode::KeyF, Action::Fly),
    act(KeyCode::KeyL, Action::Land),
    act(KeyCode::KeyQ, Action::Autorun),
    act(KeyCode::KeyG, Action::Freeze),
    act(KeyCode::KeyB, Action::Why),
    act(KeyCode::Digit1, Action::Layer(Layer::ALL[0])),
    act(KeyCode::Digit2, Action::Layer(Layer::ALL[1])),
    act(KeyCode::Digit3, Action::Layer(Layer::ALL[2])),
    act(KeyCode::Digit4, Action::Layer(Layer::ALL[3])),
    act(KeyCode::Digit5, Action::Layer(Layer::ALL[4])),
    act(KeyCode::Digit6, Action::Layer(Layer::ALL[5])),
    act(KeyCode::Digit7, Action::Layer(Layer::ALL[6])),
    act(KeyCode::KeyP, Action::Panel),
    act(KeyCode::KeyH, Action::Help),
    act(KeyCode::F1, Action::Help),
    act(KeyCode::KeyT, Action::Travel),
    act(KeyCode::Backspace, Action::GoBack),
    act(KeyCode::BrowserBack, Action::GoBack),
    act(KeyCode::Comma, Action::GoBack),
    act(KeyCode::Period, Action::GoForward),
    act(KeyCode::BrowserForward, Action::GoForward),
    act(KeyCode::BracketLeft, Action::Earlier),
    act(KeyCode::BracketRight, Action::Later),
    act(KeyCode::Minus, Action::Earlier),
    act(KeyCode::Equal, Action::Later),
    act(KeyCode::KeyR, Action::Weather),
    act(KeyCode::F9, Action::Report),
    act(KeyCode::F12, Action::Picture),
    act(KeyCode::F11, Action::FullScreen),
    act(KeyCode::Escape, Action::ReleaseMouse),
    act(KeyCode::F10, Action::Quit),
];

/// Returns the function of a key; `None` if it has none.
pub(super) fn function_of(key: KeyCode) -> Option<KeyFunction> {
    BINDINGS.iter().find(|binding| binding.key == key).map(|binding| binding.function)
}

/// The help on keys: the keys, and what they do. `docs/play.md` has the same table.
pub(super) const HELP: [(&str, &str); 24] = [
    ("W A S D", "run; in flight, fly"),
    (
        "mouse, or arrow keys",
        "look around: click into the window to capture the mouse, Esc releases it",
    ),
    ("wheel", "move the third-person camera nearer or farther away"),
    ("Shift", "walk instead of run; in flight, fly faster"),
    ("Q", "run ahead until W or S is pressed"),
    ("Space", "jump, higher the longer it is held; in flight, up"),
    ("C", "in flight, down"),
    ("E", "open or close the door in front of you"),
    ("V", "switch between first and third person"),
    ("F", "start flight, or end it"),
    ("L", "in flight, land: the player moves to the ground below the camera"),
    ("T", "go to a place: type part of its name, Tab completes it, Enter goes there"),
    (", and .", "go back to the last place, and forward again"),
    ("[ and ]", "an hour earlier, an hour later"),
    ("R", "change the weather"),
    ("1 to 7", "layers: rooms, portals, regions, cell array, contact plane, physics, polygon ids"),
    ("G", "freeze the visible set, to walk around it"),
    ("B", "explain what stopped the last move, or close the explanation"),
    ("P", "show or hide the panel"),
    ("H or F1", "show or hide this list"),
    ("F9", "write a bug report: trace of the last minute, place, rules, picture"),
    ("F11", "full screen on or off"),
    ("F12", "take a picture"),
    ("F10", "quit"),
];

/// Turning speed of the arrow keys, in degrees per second: heading and pitch.
const TURN_SPEED: f32 = 110.0;
const PITCH_SPEED: f32 = 70.0;

/// The keys that are held down. Two keys may have the same function, so keys are kept and not functions.
#[derive(Debug, Default)]
pub(super) struct HeldKeys {
    keys: BTreeSet<KeyCode>,
    /// Whether to run ahead without a key.
    is_autorun: bool,
}

impl HeldKeys {
    pub(super) fn set(&mut self, key: KeyCode, is_down: bool) {
        if is_down {
            self.keys.insert(key);
            let ends = [KeyFunction::Hold(HeldAction::Ahead), KeyFunction::Hold(HeldAction::Back)];
            self.is_autorun &= !function_of(key).is_some_and(|function| ends.contains(&function));
        } else {
            self.keys.remove(&key);
        }
    }

    /// Starts or stops running ahead without a key.
    pub(super) fn toggle_autorun(&mut self) {
        self.is_autorun = !self.is_autorun;
    }

    pub(super) fn stop_autorun(&mut self) {
        self.is_autorun = false;
    }

    fn is_held(&self, held: HeldAction) -> bool {
        self.keys.iter().any(|key| function_of(*key) == Some(KeyFunction::Hold(held)))
    }

    /// Releases all keys, as when the window loses the keyboard.
    pub(super) fn release_all(&mut self) {
        self.keys.clear();
        self.is_autorun = false;
    }

    fn axis(&self, up: HeldAction, down: HeldAction) -> f32 {
        let value = |held| f32::from(u8::from(self.is_held(held)));
        value(up) - value(down)
    }

    /// Returns the input of a frame for a camera with this heading.
    pub(super) fn intent(&self, heading: f32, always_run: bool) -> Intent {
        Intent {
            ahead: if self.is_autorun {
                1.0
            } else {
                self.axis(HeldAction::Ahead, HeldAction::Back)
            },
            aside: self.axis(HeldAction::Right, HeldAction::Left),
            up: self.axis(HeldAction::Jump, HeldAction::Down),
            run: self.is_held(HeldAction::OtherPace) != always_run,
            jump: self.is_held(HeldAction::Jump),
            heading,
        }
    }

    /// Returns the turn of the camera in `dt` seconds, in degrees to the right and up.
    pub(super) fn turn_by(&self, dt: f32) -> [f32; 2] {
        [
            self.axis(HeldAction::TurnRight, HeldAction::TurnLeft) * TURN_SPEED * dt,
            self.axis(HeldAction::LookUp, HeldAction::LookDown) * PITCH_SPEED * dt,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_has_two_functions() {
        for (number, binding) in BINDINGS.iter().enumerate() {
            let other = BINDINGS[number + 1..].iter().find(|other| other.key == binding.key);
            assert!(other.is_none(), "{:?}", binding.key);
        }
    }

    #[test]
    fn every_layer_has_a_key() {
        for layer in Layer::ALL {
            let toggles =
                |binding: &Binding| binding.function == KeyFunction::Do(Action::Layer(layer));
            assert!(BINDINGS.iter().any(toggles), "{layer:?}");
        }
    }

    #[test]
    fn opposite_keys_cancel_out_and_shift_walks_if_running_is_the_default() {
        let mut keys = HeldKeys::default();
        for key in [KeyCode::KeyW, KeyCode::KeyS, KeyCode::KeyD, KeyCode::ShiftLeft] {
            keys.set(key, true);
        }
        let intent = keys.intent(90.0, false);
        assert_eq!((intent.ahead, intent.aside, intent.run), (0.0, 1.0, true));
        assert!(!keys.intent(90.0, true).run);
        keys.release_all();
        assert_eq!(keys.intent(0.0, false), Intent::default());
    }

    #[test]
    fn releasing_one_of_two_keys_with_the_same_function_keeps_the_other() {
        let mut keys = HeldKeys::default();
        keys.set(KeyCode::ShiftLeft, true);
        keys.set(KeyCode::ShiftRight, true);
        keys.set(KeyCode::ShiftLeft, false);
        assert!(keys.intent(0.0, false).run);
        keys.set(KeyCode::ShiftRight, false);
        assert!(!keys.intent(0.0, false).run);
    }

    #[test]
    fn autorun_runs_ahead_until_a_key_for_ahead_or_back_is_pressed() {
        for stop in [KeyCode::KeyW, KeyCode::KeyS] {
            let mut keys = HeldKeys::default();
            keys.toggle_autorun();
            keys.set(KeyCode::KeyD, true);
            assert_eq!((keys.intent(0.0, true).ahead, keys.intent(0.0, true).aside), (1.0, 1.0));
            keys.set(stop, true);
            keys.set(stop, false);
            assert_eq!(keys.intent(0.0, true).ahead, 0.0);
        }
        let mut keys = HeldKeys::default();
        keys.set(KeyCode::KeyW, true);
        keys.toggle_autorun();
        keys.set(KeyCode::KeyW, false);
        assert_eq!(keys.intent(0.0, true).ahead, 1.0, "started while W was held");
        keys.toggle_autorun();
        assert_eq!(keys.intent(0.0, true), Intent { run: true, ..Intent::default() });
    }

    #[test]
    fn docs_play_has_the_key_table_of_the_program() {
        let page = include_str!("../../../../../docs/play.md");
        for (key, function) in HELP {
            assert!(page.contains(&format!("| {key} | {function} |")), "{key}: {function}");
        }
    }
}
