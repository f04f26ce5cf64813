//! What keys do.

use std::collections::BTreeSet;

use threshold_play::Intent;
use winit::keyboard::KeyCode;

use crate::layers::Layer;

/// What is held down to do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Held {
    Ahead,
    Back,
    Left,
    Right,
    TurnLeft,
    TurnRight,
    LookUp,
    LookDown,
    /// Walk instead of run, or the other way round.
    OtherPace,
    Jump,
    Down,
}

/// What is done once, when a key goes down.
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
    Earlier,
    Later,
    Weather,
    Report,
    Picture,
    FullScreen,
    LetGo,
    Quit,
}

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Does {
    Hold(Held),
    Do(Action),
}

/// A key, and what it does.
struct Binding {
    key: KeyCode,
    does: Does,
}

const fn hold(key: KeyCode, held: Held) -> Binding {
    Binding { key, does: Does::Hold(held) }
}

const fn act(key: KeyCode, action: Action) -> Binding {
    Binding { key, does: Does::Do(action) }
}

/// All keys, wherever they are on a keyboard.
const BINDINGS: [Binding; 45] = [
    hold(KeyCode::KeyW, Held::Ahead),
    hold(KeyCode::KeyS, Held::Back),
    hold(KeyCode::KeyA, Held::Left),
    hold(KeyCode::KeyD, Held::Right),
    hold(KeyCode::ArrowLeft, Held::TurnLeft),
    hold(KeyCode::ArrowRight, Held::TurnRight),
    hold(KeyCode::ArrowUp, Held::LookUp),
    hold(KeyCode::ArrowDown, Held::LookDown),
    hold(KeyCode::ShiftLeft, Held::OtherPace),
    hold(KeyCode::ShiftRight, Held::OtherPace),
    hold(KeyCode::Space, Held::Jump),
    hold(KeyCode::KeyC, Held::Down),
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
    act(KeyCode::Escape, Action::LetGo),
    act(KeyCode::F10, Action::Quit),
];

/// What a key does, if anything.
pub(super) fn does(key: KeyCode) -> Option<Does> {
    BINDINGS.iter().find(|binding| binding.key == key).map(|binding| binding.does)
}

/// What there is to say of keys: the keys, and what they do. `docs/play.md` has the same.
pub(super) const HELP: [(&str, &str); 24] = [
    ("W A S D", "run; when flying, fly"),
    (
        "mouse, or arrow keys",
        "look around: click into the window to hold the mouse, Esc lets it go",
    ),
    ("wheel", "over the shoulder, nearer to the walker or farther away"),
    ("Shift", "walk instead of run; when flying, faster"),
    ("Q", "run on by yourself, until W or S is pressed"),
    ("Space", "jump; the longer it is held, the higher. When flying, up"),
    ("C", "when flying, down"),
    ("E", "open or shut the door before you"),
    ("V", "through the walker's eyes, or over its shoulder"),
    ("F", "fly, and back to the view from before"),
    ("L", "when flying, land: the walker comes to where you fly"),
    ("T", "go to a place: type part of its name, Tab completes it, Enter goes there"),
    (", and .", "back to where you were, and forward again"),
    ("[ and ]", "an hour earlier, an hour later"),
    ("R", "other weather"),
    ("1 to 7", "layers: rooms, openings, regions, cells touched, ground, physics, polygons"),
    ("G", "freeze what is seen, and walk around it"),
    ("B", "why the last step was stopped"),
    ("P", "the panel"),
    ("H or F1", "these keys"),
    ("F9", "write a bug report: trace of the last minute, place, rules, picture"),
    ("F11", "the whole screen"),
    ("F12", "take a picture"),
    ("F10", "leave"),
];

/// How fast arrow keys turn, in degrees a second.
const TURN: f32 = 110.0;
const LOOK: f32 = 70.0;

/// The keys that are held down: of two that do the same, one may be let go of.
#[derive(Debug, Default)]
pub(super) struct HeldKeys {
    keys: BTreeSet<KeyCode>,
    /// Ahead without a key.
    is_autorun: bool,
}

impl HeldKeys {
    pub(super) fn set(&mut self, key: KeyCode, is_down: bool) {
        if is_down {
            self.keys.insert(key);
            let stops = [Does::Hold(Held::Ahead), Does::Hold(Held::Back)];
            self.is_autorun &= !does(key).is_some_and(|does| stops.contains(&does));
        } else {
            self.keys.remove(&key);
        }
    }

    /// Begins to go ahead without a key, or ends it.
    pub(super) fn toggle_autorun(&mut self) {
        self.is_autorun = !self.is_autorun;
    }

    pub(super) fn stop_autorun(&mut self) {
        self.is_autorun = false;
    }

    fn is_held(&self, held: Held) -> bool {
        self.keys.iter().any(|key| does(*key) == Some(Does::Hold(held)))
    }

    /// Nobody holds anything any more: the window has lost the keyboard.
    pub(super) fn let_go(&mut self) {
        self.keys.clear();
        self.is_autorun = false;
    }

    fn axis(&self, up: Held, down: Held) -> f32 {
        let part = |held| f32::from(u8::from(self.is_held(held)));
        part(up) - part(down)
    }

    /// What is wished for by who looks to a heading.
    pub(super) fn intent(&self, heading: f32, always_run: bool) -> Intent {
        Intent {
            ahead: if self.is_autorun { 1.0 } else { self.axis(Held::Ahead, Held::Back) },
            aside: self.axis(Held::Right, Held::Left),
            up: self.axis(Held::Jump, Held::Down),
            run: self.is_held(Held::OtherPace) != always_run,
            jump: self.is_held(Held::Jump),
            heading,
        }
    }

    /// How far one turns to the right and up in so many seconds, in degrees.
    pub(super) fn turned(&self, dt: f32) -> [f32; 2] {
        [
            self.axis(Held::TurnRight, Held::TurnLeft) * TURN * dt,
            self.axis(Held::LookUp, Held::LookDown) * LOOK * dt,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_does_two_things() {
        for (number, binding) in BINDINGS.iter().enumerate() {
            let other = BINDINGS[number + 1..].iter().find(|other| other.key == binding.key);
            assert!(other.is_none(), "{:?}", binding.key);
        }
    }

    #[test]
    fn every_layer_has_a_key() {
        for layer in Layer::ALL {
            let is_its = |binding: &Binding| binding.does == Does::Do(Action::Layer(layer));
            assert!(BINDINGS.iter().any(is_its), "{layer:?}");
        }
    }

    #[test]
    fn opposite_keys_cancel_and_shift_is_the_other_way_round_for_who_always_runs() {
        let mut keys = HeldKeys::default();
        for key in [KeyCode::KeyW, KeyCode::KeyS, KeyCode::KeyD, KeyCode::ShiftLeft] {
            keys.set(key, true);
        }
        let intent = keys.intent(90.0, false);
        assert_eq!((intent.ahead, intent.aside, intent.run), (0.0, 1.0, true));
        assert!(!keys.intent(90.0, true).run);
        keys.let_go();
        assert_eq!(keys.intent(0.0, false), Intent::default());
    }

    #[test]
    fn who_lets_go_of_one_of_two_keys_still_holds_the_other() {
        let mut keys = HeldKeys::default();
        keys.set(KeyCode::ShiftLeft, true);
        keys.set(KeyCode::ShiftRight, true);
        keys.set(KeyCode::ShiftLeft, false);
        assert!(keys.intent(0.0, false).run);
        keys.set(KeyCode::ShiftRight, false);
        assert!(!keys.intent(0.0, false).run);
    }

    #[test]
    fn autorun_goes_ahead_until_a_key_for_ahead_or_back_is_pressed() {
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
        assert_eq!(keys.intent(0.0, true).ahead, 1.0, "begun while W was held");
        keys.toggle_autorun();
        assert_eq!(keys.intent(0.0, true), Intent { run: true, ..Intent::default() });
    }

    /// The page about keys says what the program says.
    #[test]
    fn the_page_about_keys_is_that_of_the_program() {
        let page = include_str!("../../../../../docs/play.md");
        for (key, does) in HELP {
            assert!(page.contains(&format!("| {key} | {does} |")), "{key}: {does}");
        }
    }
}
