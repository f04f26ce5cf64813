//! The place box: a text field for a place, with suggestions below it.

use egui::text::{CCursor, CCursorRange};
use egui::{Button, Color32, Context, EventFilter, Id, Key, Modifiers, TextEdit, Ui};

use threshold_land::Place;
use threshold_play::{Destination, PlaceNames, matching_names, read_place};

/// Text in the empty box.
const HINT: &str = "name, compass point, loc, cell or landblock";
/// Largest number of suggestions.
const MAX_SUGGESTIONS: usize = 8;

/// State of the place box.
#[derive(Debug, Default)]
pub(super) struct PlaceBox {
    text: String,
    /// Error of the text that was entered last.
    error: Option<String>,
    /// Index of the suggestion chosen with arrow keys.
    chosen: Option<usize>,
    /// T was pressed, and the box is neither used nor closed yet.
    pub(super) is_open: bool,
    /// The box was used or closed since the last [`take_done`](Self::take_done).
    is_done: bool,
}

/// A key that acts on the whole box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Command {
    Complete,
    Next,
    Previous,
}

impl PlaceBox {
    /// Returns the id of the text field in egui.
    pub(super) fn id() -> Id {
        Id::unique("place")
    }

    /// Returns whether the box was used or closed since the last call.
    pub(super) fn take_done(&mut self) -> bool {
        std::mem::take(&mut self.is_done)
    }

    /// Lays out the box, and below it an error or suggestions. Returns the place that was entered or clicked, with its name.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        destinations: &[Destination],
        names: &PlaceNames,
    ) -> Option<(Place, String)> {
        if let Some(command) = command(ui) {
            self.run_command(ui.ctx(), destinations, command);
        }
        let before = self.text.clone();
        let own_keys = EventFilter {
            tab: true,
            horizontal_arrows: true,
            vertical_arrows: true,
            escape: false,
        };
        let field = TextEdit::singleline(&mut self.text).id(Self::id()).event_filter(own_keys);
        let field = ui.add(field.hint_text(HINT).desired_width(f32::INFINITY));
        if self.text != before {
            (self.error, self.chosen) = (None, None);
        }
        let [enter, escape] =
            [Key::Enter, Key::Escape].map(|key| ui.input(|input| input.key_pressed(key)));
        let mut entered = None;
        if field.lost_focus() && enter {
            entered = self.enter(destinations, names);
            if entered.is_none() {
                // The text stays in the box to be corrected.
                field.request_focus();
            }
        } else if field.lost_focus() && escape {
            self.close();
        }
        if let Some(error) = &self.error {
            ui.colored_label(Color32::LIGHT_RED, error);
        }
        entered.or_else(|| self.suggestions(ui, destinations, names))
    }

    /// Returns the place that is typed or chosen. If there is no such place, keeps the error.
    pub(super) fn enter(
        &mut self,
        destinations: &[Destination],
        names: &PlaceNames,
    ) -> Option<(Place, String)> {
        let matching = self.matching(destinations);
        let chosen = self.chosen.and_then(|chosen| matching.get(chosen).copied());
        let found = match chosen {
            Some(destination) => Ok((destination.place, destination.label.clone())),
            None => read_place(&self.text, names),
        };
        match found {
            Ok(found) => {
                self.close();
                Some(found)
            }
            Err(error) => {
                self.error = Some(error);
                None
            }
        }
    }

    fn close(&mut self) {
        *self = Self { is_done: true, ..Self::default() };
    }

    fn matching<'a>(&self, destinations: &'a [Destination]) -> Vec<&'a Destination> {
        let mut found = matching_names(&self.text, destinations, |place| &place.label);
        found.truncate(MAX_SUGGESTIONS);
        found
    }

    /// Chooses one of the suggestions, or completes the text with it.
    fn run_command(&mut self, context: &Context, destinations: &[Destination], command: Command) {
        let found = self.matching(destinations);
        if found.is_empty() {
            return;
        }
        let last = found.len() - 1;
        match (command, self.chosen) {
            (Command::Next, None) => self.chosen = Some(0),
            (Command::Next, Some(chosen)) => {
                self.chosen = Some(if chosen >= last { 0 } else { chosen + 1 });
            }
            (Command::Previous, None | Some(0)) => self.chosen = Some(last),
            (Command::Previous, Some(chosen)) => self.chosen = Some((chosen - 1).min(last)),
            (Command::Complete, chosen) => {
                let destination = chosen.and_then(|chosen| found.get(chosen)).or(found.first());
                if let Some(destination) = destination {
                    self.text.clone_from(&destination.label);
                    (self.chosen, self.error) = (None, None);
                    move_cursor_to_end(context, &self.text);
                }
            }
        }
    }

    /// Lays out the suggestions. Returns the place that was clicked.
    fn suggestions(
        &mut self,
        ui: &mut Ui,
        destinations: &[Destination],
        names: &PlaceNames,
    ) -> Option<(Place, String)> {
        let found = self.matching(destinations);
        if found.iter().any(|destination| destination.label == self.text) && found.len() == 1 {
            return None;
        }
        let mut clicked = None;
        for (index, destination) in found.into_iter().enumerate() {
            let about = names.about(&destination.label).unwrap_or_default();
            let button = Button::selectable(self.chosen == Some(index), &destination.label);
            if ui.add(button).on_hover_text(about).clicked() {
                clicked = Some((destination.place, destination.label.clone()));
            }
        }
        if clicked.is_some() {
            self.close();
        }
        clicked
    }
}

/// Takes the key of this pass that acts on the box, if the box has the focus. The text field does not receive it.
fn command(ui: &mut Ui) -> Option<Command> {
    if !ui.memory(|memory| memory.has_focus(PlaceBox::id())) {
        return None;
    }
    let keys = [
        (Key::Tab, Command::Complete),
        (Key::ArrowDown, Command::Next),
        (Key::ArrowUp, Command::Previous),
    ];
    let pressed = |ui: &mut Ui, key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    keys.into_iter().find_map(|(key, command)| pressed(ui, key).then_some(command))
}

fn move_cursor_to_end(context: &Context, text: &str) {
    let Some(mut state) = egui::text_edit::TextEditState::load(context, PlaceBox::id()) else {
        return;
    };
    let end = CCursorRange::one(CCursor::new(text.chars().count()));
    state.cursor.set_char_range(Some(end));
    state.store(context, PlaceBox::id());
}
