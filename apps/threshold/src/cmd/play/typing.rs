//! Decides which keys are text and which are commands, key by key and not frame by frame.
//!
//! Any number of keys may come between two frames. [`KeyRouter`] routes them one after another: from the key that opens the place box to the
//! Enter or Escape that closes it, keys are text; a key held since before stays a command until it is released. Whether Enter closes the box
//! depends on the text, so the keys after it wait until the field has received it. [`TextQueue`] passes the text to egui in passes in which
//! at most one key changes the focus, so that the result does not depend on how keys fall into frames.

use std::collections::VecDeque;

use egui::{Event, Key};
use winit::keyboard::{KeyCode, PhysicalKey};

use super::keys::{Action, KeyFunction, function_of};

/// Destination of a key event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Route {
    /// To its function as a command.
    Command,
    /// To the text field with the focus.
    Text,
    /// The key opens the place box.
    FocusPlaceBox,
    /// Ignored: the event is a repeat, or a press that the window system made up.
    Ignored,
    /// Undecided: the caller keeps the key, and routes it again once the focus is known.
    Later,
}

/// A key that went down or up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KeyChange {
    pub(super) key: PhysicalKey,
    pub(super) is_down: bool,
    /// The key was down already.
    pub(super) is_repeat: bool,
    /// The window system reports a change from while the window had no focus.
    pub(super) is_synthetic: bool,
}

/// Routes keys.
#[derive(Debug, Default)]
pub(super) struct KeyRouter {
    is_typing: bool,
    /// Enter was typed, and the field may keep the focus.
    is_undecided: bool,
    /// Keys that went down as commands and are still down.
    commands: Vec<PhysicalKey>,
}

impl KeyRouter {
    /// Returns whether keys that go down now are text.
    pub(super) fn is_typing(&self) -> bool {
        self.is_typing
    }

    /// Returns whether keys have to wait until the focus is known.
    pub(super) fn is_undecided(&self) -> bool {
        self.is_undecided
    }

    /// Decides where a key goes.
    pub(super) fn route(&mut self, change: KeyChange) -> Route {
        let KeyChange { key, is_down, is_repeat, is_synthetic } = change;
        if self.is_undecided && !is_function_key(key) {
            return Route::Later;
        }
        let held = self.commands.iter().position(|command| *command == key);
        if !is_down {
            // A text field also receives the release of a key that went down while it had the focus.
            let route = if held.is_some() { Route::Command } else { Route::Text };
            if let Some(held) = held {
                self.commands.swap_remove(held);
            }
            return route;
        }
        if is_synthetic || held.is_some() {
            return Route::Ignored;
        }
        if self.is_typing && !is_function_key(key) {
            self.is_typing = key != PhysicalKey::Code(KeyCode::Escape);
            self.is_undecided = is_enter(key);
            return Route::Text;
        }
        if is_repeat {
            return Route::Ignored;
        }
        self.commands.push(key);
        if opens_place_box(key) {
            self.is_typing = true;
            return Route::FocusPlaceBox;
        }
        Route::Command
    }

    /// Follows the focus once all text is delivered: a field may have been clicked, or have kept the focus after Enter.
    pub(super) fn follow_focus(&mut self, is_field_focused: bool) {
        (self.is_typing, self.is_undecided) = (is_field_focused, false);
    }

    /// Releases all keys, as when the window loses the keyboard.
    pub(super) fn release_all(&mut self) {
        self.commands.clear();
    }
}

fn opens_place_box(key: PhysicalKey) -> bool {
    matches!(key, PhysicalKey::Code(code) if function_of(code) == Some(KeyFunction::Do(Action::Travel)))
}

fn is_enter(key: PhysicalKey) -> bool {
    matches!(key, PhysicalKey::Code(KeyCode::Enter | KeyCode::NumpadEnter))
}

/// Returns whether a key is a function key. These mean nothing to text fields and are always commands.
fn is_function_key(key: PhysicalKey) -> bool {
    use KeyCode::{F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, F11, F12};
    let all = [F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, F11, F12];
    matches!(key, PhysicalKey::Code(code) if all.contains(&code))
}

/// An input for egui.
#[derive(Debug)]
enum Input {
    /// The place box gets the focus.
    FocusPlaceBox,
    Event(Event),
}

/// The inputs of one pass of egui.
#[derive(Debug, Default)]
pub(super) struct Pass {
    /// The place box gets the focus before the events.
    pub(super) focuses_place_box: bool,
    pub(super) events: Vec<Event>,
}

/// Inputs that egui has not received yet, in order.
#[derive(Debug, Default)]
pub(super) struct TextQueue {
    inputs: VecDeque<Input>,
}

impl TextQueue {
    pub(super) fn push(&mut self, events: impl IntoIterator<Item = Event>) {
        self.inputs.extend(events.into_iter().map(Input::Event));
    }

    pub(super) fn focus_place_box(&mut self) {
        self.inputs.push_back(Input::FocusPlaceBox);
    }

    /// Returns whether egui has received everything.
    pub(super) fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }

    /// Takes the inputs of the next pass. A key that moves the focus, or acts on the whole text, is alone in its pass.
    pub(super) fn next_pass(&mut self) -> Pass {
        let mut pass = Pass::default();
        while let Some(next) = self.inputs.front() {
            let is_special = matches!(next, Input::Event(event) if is_special(event));
            let is_request = matches!(next, Input::FocusPlaceBox);
            let is_begun = !pass.events.is_empty();
            // A field declares in its first pass which keys it takes.
            if is_begun && (is_special || is_request) || pass.focuses_place_box && is_special {
                break;
            }
            match self.inputs.pop_front() {
                Some(Input::Event(event)) => pass.events.push(event),
                Some(Input::FocusPlaceBox) => pass.focuses_place_box = true,
                None => break,
            }
            if is_special {
                break;
            }
        }
        pass
    }
}

fn is_special(event: &Event) -> bool {
    let keys = [Key::Enter, Key::Escape, Key::Tab, Key::ArrowUp, Key::ArrowDown];
    matches!(event, Event::Key { key, pressed: true, .. } if keys.contains(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn change(code: KeyCode, is_down: bool, is_repeat: bool) -> KeyChange {
        KeyChange { key: PhysicalKey::Code(code), is_down, is_repeat, is_synthetic: false }
    }

    const fn press(code: KeyCode) -> KeyChange {
        change(code, true, false)
    }

    const fn release(code: KeyCode) -> KeyChange {
        change(code, false, false)
    }

    #[test]
    fn keys_before_the_box_has_the_focus_are_not_text() {
        let mut router = KeyRouter::default();
        assert_eq!(router.route(press(KeyCode::KeyW)), Route::Command);
        assert_eq!(router.route(change(KeyCode::KeyW, true, true)), Route::Ignored);
        assert_eq!(router.route(press(KeyCode::KeyT)), Route::FocusPlaceBox);
        assert_eq!(router.route(change(KeyCode::KeyT, true, true)), Route::Ignored);
        // Held since before, whether the window system calls it a repeat or not.
        assert_eq!(router.route(change(KeyCode::KeyW, true, true)), Route::Ignored);
        assert_eq!(router.route(press(KeyCode::KeyW)), Route::Ignored);
        assert_eq!(router.route(release(KeyCode::KeyW)), Route::Command);
        assert_eq!(router.route(press(KeyCode::KeyW)), Route::Text);
        assert_eq!(router.route(change(KeyCode::KeyW, true, true)), Route::Text);
        assert_eq!(router.route(release(KeyCode::KeyW)), Route::Text);
    }

    #[test]
    fn keys_after_escape_are_commands_before_the_next_frame() {
        let mut router = KeyRouter::default();
        router.route(press(KeyCode::KeyT));
        router.route(release(KeyCode::KeyT));
        assert_eq!(router.route(press(KeyCode::KeyA)), Route::Text);
        assert_eq!(router.route(press(KeyCode::Escape)), Route::Text);
        assert!(!router.is_typing());
        assert_eq!(router.route(press(KeyCode::KeyW)), Route::Command);
        // A letter that is still held from typing does not start to walk.
        assert_eq!(router.route(change(KeyCode::KeyA, true, true)), Route::Ignored);
    }

    #[test]
    fn keys_after_enter_wait_until_the_focus_is_known() {
        for (end, keeps_focus) in [(KeyCode::Enter, false), (KeyCode::NumpadEnter, true)] {
            let mut router = KeyRouter::default();
            router.route(press(KeyCode::KeyT));
            router.route(press(KeyCode::KeyA));
            assert_eq!(router.route(press(end)), Route::Text);
            assert_eq!(router.route(press(KeyCode::KeyW)), Route::Later);
            assert_eq!(router.route(press(KeyCode::F12)), Route::Command);
            router.follow_focus(keeps_focus);
            let held = if keeps_focus { Route::Text } else { Route::Ignored };
            assert_eq!(router.route(change(KeyCode::KeyA, true, true)), held);
            let pressed = if keeps_focus { Route::Text } else { Route::Command };
            assert_eq!(router.route(press(KeyCode::KeyW)), pressed);
        }
    }

    #[test]
    fn function_keys_are_commands_in_a_text_field_too() {
        let mut router = KeyRouter::default();
        router.follow_focus(true);
        assert_eq!(router.route(press(KeyCode::F12)), Route::Command);
        assert_eq!(router.route(press(KeyCode::KeyP)), Route::Text);
        assert!(router.is_typing());
    }

    #[test]
    fn synthetic_presses_do_nothing_and_synthetic_releases_count() {
        let mut router = KeyRouter::default();
        let pressed = KeyChange { is_synthetic: true, ..press(KeyCode::KeyW) };
        assert_eq!(router.route(pressed), Route::Ignored);
        router.route(press(KeyCode::KeyW));
        let released = KeyChange { is_synthetic: true, ..release(KeyCode::KeyW) };
        assert_eq!(router.route(released), Route::Command);
    }

    #[test]
    fn a_pass_has_at_most_one_key_that_moves_the_focus() {
        let key = |key| Event::Key {
            key,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: egui::Modifiers::NONE,
        };
        let text = |text: &str| Event::Text(text.to_owned());
        let mut queue = TextQueue::default();
        queue.focus_place_box();
        queue.push([text("a"), text("b"), key(Key::Tab), text("c"), key(Key::Enter)]);
        queue.focus_place_box();
        queue.push([text("d")]);
        let mut passes = Vec::new();
        while !queue.is_empty() {
            let Pass { focuses_place_box, events } = queue.next_pass();
            passes.push((focuses_place_box, events.len()));
        }
        assert_eq!(passes, [(true, 2), (false, 1), (false, 1), (false, 1), (true, 1)]);
    }
}
