//! Tests of typing a place, however the keys fall into frames.

use std::collections::VecDeque;

use egui::{Context, Event, Key, Modifiers, RawInput, Rect};
use threshold_forge::SEED;
use threshold_play::{Destination, PlaceNames, destinations};
use winit::keyboard::{KeyCode, PhysicalKey};

use super::panel::Overlay;
use super::place_box::PlaceBox;
use super::typing::{KeyChange, KeyRouter, Route, TextQueue};

/// An event of the keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stroke {
    Down(KeyCode),
    /// Repeat of a key that is held.
    Repeat(KeyCode),
    Up(KeyCode),
    /// Down and up again.
    Tap(KeyCode),
}

use Stroke::{Down, Repeat, Tap, Up};

/// The place box, with all stages that keys pass through.
struct TypingHarness {
    context: Context,
    router: KeyRouter,
    queue: TextQueue,
    place_box: PlaceBox,
    names: PlaceNames,
    destinations: Vec<Destination>,
    /// Names of the places that were entered.
    entered: Vec<String>,
    /// How often the box was used or closed.
    done: usize,
    /// Keys that were commands, and whether they went down.
    commands: Vec<(KeyCode, bool)>,
    /// Keys that wait until the focus is known.
    waiting: VecDeque<(KeyCode, bool, bool)>,
}

fn key_of(code: KeyCode) -> (Key, Option<String>) {
    let letter = match code {
        KeyCode::Enter => return (Key::Enter, None),
        KeyCode::Escape => return (Key::Escape, None),
        KeyCode::Tab => return (Key::Tab, None),
        KeyCode::ArrowDown => return (Key::ArrowDown, None),
        KeyCode::ArrowUp => return (Key::ArrowUp, None),
        KeyCode::Space => return (Key::Space, Some(" ".to_owned())),
        letter => format!("{letter:?}").trim_start_matches("Key").to_owned(),
    };
    (Key::from_name(&letter).unwrap(), Some(letter.to_lowercase()))
}

impl TypingHarness {
    fn new(context: &Context) -> Self {
        // A new context takes as long as a hundred frames, since it rasterizes its fonts.
        context.memory_mut(|memory| *memory = egui::Memory::default());
        let names = PlaceNames::of_builtin(SEED);
        let destinations = destinations(names.places(), Vec::new);
        Self {
            context: context.clone(),
            router: KeyRouter::default(),
            queue: TextQueue::default(),
            place_box: PlaceBox::default(),
            names,
            destinations,
            entered: Vec::new(),
            done: 0,
            commands: Vec::new(),
            waiting: VecDeque::new(),
        }
    }

    /// Handles a key as the window does.
    fn key(&mut self, code: KeyCode, is_down: bool, is_repeat: bool) {
        let key = PhysicalKey::Code(code);
        match self.router.route(KeyChange { key, is_down, is_repeat, is_synthetic: false }) {
            Route::Command => self.commands.push((code, is_down)),
            Route::FocusPlaceBox => self.queue.focus_place_box(),
            Route::Ignored => {}
            Route::Later => self.waiting.push_back((code, is_down, is_repeat)),
            Route::Text => {
                let (key, text) = key_of(code);
                let modifiers = Modifiers::NONE;
                let repeat = false;
                let physical_key = Some(key);
                let event = Event::Key { key, physical_key, pressed: is_down, repeat, modifiers };
                self.queue.push([event]);
                self.queue.push(text.filter(|_| is_down).map(Event::Text));
            }
        }
    }

    fn stroke(&mut self, stroke: Stroke) {
        match stroke {
            Down(code) => self.key(code, true, false),
            Repeat(code) => self.key(code, true, true),
            Up(code) => self.key(code, false, false),
            Tap(code) => {
                self.key(code, true, false);
                self.key(code, false, false);
            }
        }
    }

    /// Runs a frame as the window does.
    fn frame(&mut self) {
        let pass = self.queue.next_pass();
        if pass.focuses_place_box {
            self.context.memory_mut(|memory| memory.request_focus(PlaceBox::id()));
        }
        let screen = Rect::from_min_size(egui::Pos2::ZERO, egui::Vec2::new(600.0, 400.0));
        let input =
            RawInput { screen_rect: Some(screen), events: pass.events, ..RawInput::default() };
        let Self { context, place_box, names, destinations, entered, .. } = self;
        let context = context.clone();
        let mut output = context.run_ui(input, |ui| {
            entered.extend(place_box.show(ui, destinations, names).map(|(_, label)| label));
            // Other widgets that could get the focus.
            let _ = ui.button("Go");
            ui.text_edit_singleline(&mut String::new());
        });
        output.textures_delta.clear();
        if self.queue.is_empty() {
            self.router.follow_focus(Overlay::is_field_focused(&self.context));
        }
        while !self.router.is_undecided()
            && let Some((code, is_down, is_repeat)) = self.waiting.pop_front()
        {
            self.key(code, is_down, is_repeat);
        }
        self.done += usize::from(self.place_box.take_done());
    }

    /// Runs frames until everything that was typed is delivered, and one more.
    fn settle(&mut self) {
        while !self.queue.is_empty() || !self.waiting.is_empty() {
            self.frame();
        }
        self.frame();
    }
}

/// Makes all strokes, with frames between them in every possible way, and checks the result each time.
#[track_caller]
fn check_every_timing(strokes: &[Stroke], check: impl Fn(&TypingHarness) -> bool) {
    let (gaps, context) = (strokes.len() - 1, Context::default());
    for frames in 0_u32..1 << gaps {
        let mut harness = TypingHarness::new(&context);
        harness.frame();
        for (index, stroke) in strokes.iter().enumerate() {
            harness.stroke(*stroke);
            if frames >> index & 1 == 1 {
                harness.frame();
            }
        }
        harness.settle();
        let TypingHarness { entered, commands, done, .. } = &harness;
        assert!(check(&harness), "frames {frames:b}: {entered:?}, {commands:?}, done {done}");
    }
}

#[test]
fn keys_held_since_before_the_box_has_the_focus_are_not_typed_into_it() {
    let (w, t, i, n) = (KeyCode::KeyW, KeyCode::KeyT, KeyCode::KeyI, KeyCode::KeyN);
    let strokes = [
        Down(w),
        Repeat(w),
        Down(t),
        Repeat(w),
        Tap(i),
        Up(t),
        Tap(n),
        Up(w),
        Tap(n),
        Tap(KeyCode::Enter),
        Down(w),
    ];
    check_every_timing(&strokes, |harness| {
        let walked = harness.commands.iter().filter(|(code, _)| *code == w);
        let walked: Vec<bool> = walked.map(|(_, is_down)| *is_down).collect();
        harness.entered == ["inn door"] && walked == [true, false, true] && harness.done == 1
    });
}

#[test]
fn enter_is_not_lost_when_all_keys_come_between_two_frames() {
    let keys = [KeyCode::KeyT, KeyCode::KeyI, KeyCode::KeyN, KeyCode::KeyN, KeyCode::Enter];
    let mut harness = TypingHarness::new(&Context::default());
    harness.frame();
    keys.into_iter().for_each(|code| harness.stroke(Tap(code)));
    harness.settle();
    assert_eq!(harness.entered, ["inn door"]);
    assert!(!harness.router.is_typing());
}

#[test]
fn two_places_typed_one_after_the_other_are_both_entered() {
    let mut strokes = Vec::new();
    for name in [&[KeyCode::KeyI, KeyCode::KeyN][..], &[KeyCode::KeyC, KeyCode::KeyH]] {
        strokes.push(Tap(KeyCode::KeyT));
        strokes.extend(name.iter().map(|code| Tap(*code)));
        strokes.push(Tap(KeyCode::Enter));
    }
    check_every_timing(&strokes, |harness| {
        harness.entered == ["inn door", "chapel"] && harness.done == 2
    });
}

#[test]
fn tab_completes_the_name_and_keeps_the_focus() {
    let keys = [KeyCode::KeyT, KeyCode::KeyC, KeyCode::KeyE, KeyCode::KeyL, KeyCode::Tab];
    let mut strokes: Vec<Stroke> = keys.into_iter().map(Tap).collect();
    strokes.push(Tap(KeyCode::Enter));
    check_every_timing(&strokes, |harness| harness.entered == ["cottage cellar"]);
    // Text typed after the completion is appended.
    let keys = [KeyCode::KeyT, KeyCode::KeyG, KeyCode::KeyR, KeyCode::Tab, KeyCode::Space];
    let mut strokes: Vec<Stroke> = keys.into_iter().map(Tap).collect();
    strokes.extend([Tap(KeyCode::KeyB), Tap(KeyCode::KeyE), Tap(KeyCode::Enter)]);
    check_every_timing(&strokes, |harness| harness.entered == ["great hall below"]);
}

#[test]
fn arrow_keys_choose_among_the_names_that_match() {
    let keys = [KeyCode::KeyT, KeyCode::KeyI, KeyCode::KeyN, KeyCode::ArrowDown];
    let mut strokes: Vec<Stroke> = keys.into_iter().map(Tap).collect();
    strokes.extend([Tap(KeyCode::ArrowDown), Tap(KeyCode::Enter)]);
    check_every_timing(&strokes, |harness| harness.entered == ["inn vestibule"]);
}

#[test]
fn an_unknown_name_stays_in_the_box_until_escape_closes_it() {
    let keys = [KeyCode::KeyT, KeyCode::KeyQ, KeyCode::KeyQ, KeyCode::Enter];
    let mut strokes: Vec<Stroke> = keys.into_iter().map(Tap).collect();
    check_every_timing(&strokes, |harness| {
        harness.entered.is_empty() && harness.done == 0 && harness.router.is_typing()
    });
    strokes.pop();
    strokes.push(Tap(KeyCode::Escape));
    check_every_timing(&strokes, |harness| {
        harness.entered.is_empty() && harness.done == 1 && !harness.router.is_typing()
    });
}

#[test]
fn keys_after_the_enter_of_a_refused_name_are_text() {
    let (q, h, enter) = (KeyCode::KeyQ, KeyCode::KeyH, KeyCode::Enter);
    // As a command H would open the list of keys. The second name is unknown, too.
    let strokes = [Tap(KeyCode::KeyT), Tap(q), Tap(q), Tap(enter), Tap(h), Tap(q), Tap(enter)];
    check_every_timing(&strokes, |harness| {
        let is_only_t = harness.commands.iter().all(|(code, _)| *code == KeyCode::KeyT);
        is_only_t && harness.entered.is_empty() && harness.done == 0 && harness.router.is_typing()
    });
}

#[test]
fn a_suggestion_can_be_clicked() {
    let mut harness = TypingHarness::new(&Context::default());
    harness.frame();
    for code in [KeyCode::KeyT, KeyCode::KeyI, KeyCode::KeyN] {
        harness.stroke(Tap(code));
    }
    harness.settle();
    // The first suggestion is right below the box.
    let at = egui::Pos2::new(30.0, 40.0);
    let button = |pressed| Event::PointerButton {
        pos: at,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    for event in [Event::PointerMoved(at), button(true), button(false)] {
        harness.queue.push([event]);
        harness.settle();
    }
    assert_eq!(harness.entered, ["inn door"]);
}
