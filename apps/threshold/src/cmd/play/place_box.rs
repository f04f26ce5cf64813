//! The box that places are typed into, with the names that match so far.

use egui::text::{CCursor, CCursorRange};
use egui::{Button, Color32, Context, EventFilter, Id, Key, Modifiers, TextEdit, Ui};

use threshold_land::Place;
use threshold_play::{Destination, PlaceNames, matching_names, read_place};

/// What stands in the empty box.
const HINT: &str = "name, compass point, loc, cell or landblock";
/// At most this many names are proposed.
const MAX_SUGGESTIONS: usize = 8;

/// The box, and what is in it.
#[derive(Debug, Default)]
pub(super) struct PlaceBox {
    text: String,
    /// What is wrong with the text that was entered last.
    wrong: Option<String>,
    /// The suggestion that arrow keys have chosen.
    chosen: Option<usize>,
    /// It was asked for, and neither used nor closed yet.
    pub(super) is_open: bool,
    /// It was used or closed since this was taken last.
    is_done: bool,
}

/// A key that acts on the box as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Command {
    Complete,
    Next,
    Previous,
}

impl PlaceBox {
    /// Its number in egui.
    pub(super) fn id() -> Id {
        Id::unique("place")
    }

    /// Whether it was used or closed since this was asked last.
    pub(super) fn take_done(&mut self) -> bool {
        std::mem::take(&mut self.is_done)
    }

    /// Shows the box, and below it what is wrong, or the names that match. Returns the place that was entered or clicked, with what to
    /// call it.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        spots: &[Destination],
        names: &PlaceNames,
    ) -> Option<(Place, String)> {
        if let Some(command) = command(ui) {
            self.obey(ui.ctx(), spots, command);
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
            (self.wrong, self.chosen) = (None, None);
        }
        let [enter, escape] =
            [Key::Enter, Key::Escape].map(|key| ui.input(|input| input.key_pressed(key)));
        let mut gone = None;
        if field.lost_focus() && enter {
            gone = self.enter(spots, names);
            if gone.is_none() {
                // To be mended.
                field.request_focus();
            }
        } else if field.lost_focus() && escape {
            self.close();
        }
        if let Some(wrong) = &self.wrong {
            ui.colored_label(Color32::LIGHT_RED, wrong);
        }
        gone.or_else(|| self.suggestions(ui, spots, names))
    }

    /// Returns the place that is typed or chosen, or keeps what is wrong with it.
    pub(super) fn enter(
        &mut self,
        spots: &[Destination],
        names: &PlaceNames,
    ) -> Option<(Place, String)> {
        let chosen = self.chosen.and_then(|chosen| self.matching(spots).get(chosen).copied());
        let found = match chosen {
            Some(spot) => Ok((spot.place, spot.label.clone())),
            None => read_place(&self.text, names),
        };
        match found {
            Ok(found) => {
                self.close();
                Some(found)
            }
            Err(wrong) => {
                self.wrong = Some(wrong);
                None
            }
        }
    }

    fn close(&mut self) {
        *self = Self { is_done: true, ..Self::default() };
    }

    fn matching<'a>(&self, spots: &'a [Destination]) -> Vec<&'a Destination> {
        let mut found = matching_names(&self.text, spots, |spot| &spot.label);
        found.truncate(MAX_SUGGESTIONS);
        found
    }

    /// Chooses among the suggestions, or takes one over into the text.
    fn obey(&mut self, context: &Context, spots: &[Destination], command: Command) {
        let found = self.matching(spots);
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
                let spot = chosen.and_then(|chosen| found.get(chosen)).or(found.first());
                if let Some(spot) = spot {
                    self.text.clone_from(&spot.label);
                    (self.chosen, self.wrong) = (None, None);
                    move_cursor_to_end(context, &self.text);
                }
            }
        }
    }

    fn suggestions(
        &mut self,
        ui: &mut Ui,
        spots: &[Destination],
        names: &PlaceNames,
    ) -> Option<(Place, String)> {
        let found = self.matching(spots);
        if found.iter().any(|spot| spot.label == self.text) && found.len() == 1 {
            return None;
        }
        let mut clicked = None;
        for (index, spot) in found.into_iter().enumerate() {
            let about = names.about(&spot.label).unwrap_or_default();
            let button = Button::selectable(self.chosen == Some(index), &spot.label);
            if ui.add(button).on_hover_text(about).clicked() {
                clicked = Some((spot.place, spot.label.clone()));
            }
        }
        if clicked.is_some() {
            self.close();
        }
        clicked
    }
}

/// The key of this pass that acts on the box, if it has the focus; the text field does not see it.
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
