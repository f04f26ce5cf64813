//! What is written and drawn over the world: the panel, the keys, words.

use egui::{
    Button, CollapsingHeader, Color32, ComboBox, Context, FontId, Grid, Id, LayerId, Order, Panel,
    Pos2, Rect, RichText, ScrollArea, Sense, Slider, Stroke, TextEdit, Ui, Vec2, Window,
};
use threshold_land::{Compass, Place, Position};
use threshold_motion::{Stance, ViewRoot};
use threshold_play::{CameraMode, Destination};

use super::Session;
use super::keys::HELP;
use super::messages;
use super::place_box::PlaceBox;
use super::settings::Settings;
use super::stats::Stats;
use crate::layers::Layer;
use crate::show::thousands;

/// How long something that is said stays on the screen, in seconds.
const SAID: f64 = 6.0;

/// A word on the screen: where, in parts of its width and height from the upper left, and what it says.
pub(super) struct Word {
    pub(super) at: [f32; 2],
    pub(super) text: String,
}

/// What is written and drawn over the world.
#[derive(Default)]
pub(super) struct Overlay {
    pub(super) is_help_open: bool,
    pub(super) place_box: PlaceBox,
    filter: String,
    pub(super) why: Option<Vec<String>>,
    pub(super) is_frozen: bool,
    said: Vec<(f64, String)>,
}

/// What it is all about.
pub(super) struct About<'a> {
    pub(super) session: &'a mut Session,
    pub(super) settings: &'a mut Settings,
    pub(super) stats: &'a Stats,
    pub(super) words: &'a [Word],
    pub(super) device: &'a str,
    pub(super) now: f64,
    /// Whether the mouse looks around.
    pub(super) is_held: bool,
}

impl Overlay {
    /// Says something for a while.
    pub(super) fn say(&mut self, now: f64, text: String) {
        self.said.push((now + SAID, text));
    }

    /// Whether a text field has the focus.
    pub(super) fn is_field_focused(context: &Context) -> bool {
        let focused = context.memory(egui::Memory::focused);
        focused == Some(PlaceBox::id()) || context.text_edit_focused()
    }

    /// Everything.
    pub(super) fn show(&mut self, ui: &mut Ui, about: &mut About<'_>) {
        let context = ui.ctx().clone();
        let screen = context.content_rect();
        words(&context, screen, about.words);
        // The box for places has to be visible once it was asked for.
        if about.settings.panel || self.place_box.is_open {
            Panel::right("panel").default_size(300.0).show(ui, |ui| {
                ScrollArea::vertical().show(ui, |ui| self.panel(ui, about));
            });
        }
        self.help(&context);
        self.reasons(&context);
        self.bottom(&context, ui.available_rect_before_wrap(), about);
    }

    fn panel(&mut self, ui: &mut Ui, about: &mut About<'_>) {
        ui.heading("Threshold");
        section(ui, "Where", true, |ui| place_of(ui, about.session));
        ui.separator();
        ui.label(RichText::new("Go").strong());
        self.go(ui, about.session);
        ui.separator();
        section(ui, "Day", true, |ui| day(ui, about));
        section(ui, "View", true, |ui| self.view(ui, about));
        section(ui, "Frames", true, |ui| frames(ui, about));
        section(ui, "Walking", false, |ui| walking(ui, about.settings));
        ui.separator();
        if ui.button("Why was the last step stopped? (B)").clicked() {
            self.why = Some(about.session.explain_last_stop());
        }
        if ui.button("Keys (H)").clicked() {
            self.is_help_open = !self.is_help_open;
        }
    }

    /// Places to go to. Always there, so that keys typed right after T are not lost.
    fn go(&mut self, ui: &mut Ui, session: &mut Session) {
        let spots = session.destinations();
        let mut wanted = self.place_box.show(ui, &spots, &session.names);
        ui.horizontal(|ui| {
            if ui.button("Go").clicked() {
                wanted = wanted.take().or_else(|| self.place_box.enter(&spots, &session.names));
            }
            let (back, forward) = (session.history.has_back(), session.history.has_forward());
            if ui.add_enabled(back, Button::new("< Back")).clicked() {
                session.go_back();
            }
            if ui.add_enabled(forward, Button::new("Forward >")).clicked() {
                session.go_forward();
            }
        });
        if let Some((place, label)) = wanted {
            session.travel_to(place, label);
        }
        self.places(ui, session);
    }

    /// The places that are known.
    fn places(&mut self, ui: &mut Ui, session: &mut Session) {
        CollapsingHeader::new("Places").default_open(false).show(ui, |ui| {
            ui.add(TextEdit::singleline(&mut self.filter).hint_text("find"));
            ScrollArea::vertical().max_height(220.0).auto_shrink([false, true]).show(ui, |ui| {
                let wanted = self.filter.to_lowercase();
                let places = session.destinations();
                let is_wanted = |spot: &&Destination| spot.label.to_lowercase().contains(&wanted);
                for Destination { label, place } in places.iter().filter(is_wanted) {
                    let about = session.names.about(label).unwrap_or_default();
                    let button = ui.add(Button::new(label).frame(false));
                    if button.on_hover_text(about).clicked() {
                        session.travel_to(*place, label.clone());
                    }
                }
            });
        });
    }

    fn view(&mut self, ui: &mut Ui, about: &mut About<'_>) {
        let About { session, settings, .. } = about;
        ui.horizontal(|ui| {
            for (mode, name) in [
                (CameraMode::First, "first person"),
                (CameraMode::Third, "third"),
                (CameraMode::Flight, "flight"),
            ] {
                ui.radio_value(&mut session.camera.mode, mode, name);
            }
        });
        ui.horizontal(|ui| {
            ui.label("picture starts in the cell of");
            for (root, name) in [(ViewRoot::Camera, "the camera"), (ViewRoot::Player, "the player")]
            {
                ui.radio_value(&mut settings.view_root, root, name);
            }
        });
        ui.add(Slider::new(&mut settings.field_of_view, 30.0..=110.0).text("field of view"));
        ui.checkbox(&mut self.is_frozen, "freeze what is seen (G)");
        for (number, layer) in (1..).zip(Layer::ALL) {
            let mut is_on = settings.layers.contains(&layer);
            let name = format!("{number}  {}", layer.about());
            if ui.checkbox(&mut is_on, name).changed() {
                toggle(&mut settings.layers, layer);
            }
        }
    }

    fn help(&mut self, context: &Context) {
        let mut is_open = self.is_help_open;
        Window::new("Keys").open(&mut is_open).collapsible(false).show(context, |ui| {
            Grid::new("keys").striped(true).show(ui, |ui| {
                for (key, does) in HELP {
                    ui.label(RichText::new(key).strong());
                    ui.label(does);
                    ui.end_row();
                }
            });
        });
        self.is_help_open = is_open;
    }

    fn reasons(&mut self, context: &Context) {
        let Some(lines) = &self.why else { return };
        let mut is_open = true;
        let window = Window::new("Why the last step was stopped").open(&mut is_open);
        window.default_width(420.0).show(context, |ui| {
            for line in lines {
                ui.label(line);
            }
        });
        if !is_open {
            self.why = None;
        }
    }

    /// What was said, what happens, and how to begin.
    fn bottom(&mut self, context: &Context, area: Rect, about: &About<'_>) {
        self.said.retain(|(until, _)| *until > about.now);
        let mut lines: Vec<String> = self.said.iter().map(|(_, text)| text.clone()).collect();
        if let Some(place) = about.session.journey_label() {
            lines.push(format!("on the way to {place} ..."));
        }
        if self.is_frozen {
            lines.push("what is seen is frozen; G lets it go".to_owned());
        }
        if !about.is_held && about.now < 20.0 {
            lines.push("click to look around with the mouse; H shows the keys".to_owned());
        }
        messages::paint(context, area, &lines, about.session.player.jump_charge(about.now));
    }
}

/// Switches a layer on or off.
pub(super) fn toggle(layers: &mut Vec<Layer>, layer: Layer) {
    match layers.iter().position(|known| *known == layer) {
        Some(place) => {
            layers.remove(place);
        }
        None => {
            layers.push(layer);
            layers.sort_unstable();
        }
    }
}

fn section(ui: &mut Ui, name: &str, is_open: bool, contents: impl FnOnce(&mut Ui)) {
    CollapsingHeader::new(RichText::new(name).strong()).default_open(is_open).show(ui, contents);
}

/// Words where their places show.
fn words(context: &Context, screen: Rect, words: &[Word]) {
    let painter = context.layer_painter(LayerId::new(Order::Background, Id::unique("words")));
    for word in words {
        let [x, y] = word.at;
        let at = screen.min + Vec2::new(x * screen.width(), y * screen.height());
        let font = FontId::monospace(12.0);
        let galley =
            painter.layout_no_wrap(word.text.clone(), font, Color32::from_rgb(255, 246, 176));
        let corner = at - galley.size() / 2.0;
        let back = Rect::from_min_size(corner, galley.size()).expand(2.0);
        painter.rect_filled(back, 2.0, Color32::from_black_alpha(140));
        painter.galley(corner, galley, Color32::WHITE);
    }
}

/// Where somebody is.
fn place_of(ui: &mut Ui, session: &Session) {
    let Some(at) = session.position() else {
        ui.label("nowhere yet");
        return;
    };
    ui.label(RichText::new(session.names.describe(at.cell, &at)).strong());
    let line = |ui: &mut Ui, name: &str, value: String| {
        ui.label(name);
        ui.add(egui::Label::new(RichText::new(value).monospace()).wrap());
        ui.end_row();
    };
    Grid::new("where").num_columns(2).show(ui, |ui| {
        line(ui, "compass", compass_of(&at));
        line(ui, "cell", cell_of(&at));
        line(ui, "stands", stands(&session.player.body.stance));
        line(ui, "speed", format!("{:.2} m/s", session.measured_velocity().length()));
    });
    let loc = Place::Loc(at).to_string();
    ui.horizontal_wrapped(|ui| {
        ui.add(egui::Label::new(RichText::new(&loc).monospace().small()).wrap());
    });
    if ui.small_button("copy loc").clicked() {
        ui.ctx().copy_text(loc);
    }
}

fn compass_of(at: &Position) -> String {
    let compass = Compass::from_position(at).filter(|_| at.cell.is_outdoor());
    compass.map_or_else(|| "indoors".to_owned(), |compass| format!("{compass:.2}"))
}

fn cell_of(at: &Position) -> String {
    let kind = if at.cell.is_indoor() { "room" } else { "land" };
    format!("{} ({kind})", at.cell)
}

/// What somebody stands on, in words.
fn stands(stance: &Stance) -> String {
    let normal = stance.plane.normal;
    let lean = libm::acosf(normal.z.clamp(-1.0, 1.0)).to_degrees();
    match (stance.contact, stance.on_walkable) {
        (true, true) if lean < 0.5 => "on level ground".to_owned(),
        (true, true) => format!("on ground that leans {lean:.0} degrees"),
        (true, false) => format!("on a slope of {lean:.0} degrees, too steep"),
        (false, _) => "in the air".to_owned(),
    }
}

fn day(ui: &mut Ui, about: &mut About<'_>) {
    let About { session, settings, .. } = about;
    let day = &mut session.day;
    let mut fraction = day.fraction();
    let slider = Slider::new(&mut fraction, 0.0..=0.9999).show_value(false).text(day.clock());
    if ui.add(slider).changed() {
        day.set_fraction(fraction);
    }
    ui.checkbox(&mut settings.time_runs, "time goes by, a day in 24 minutes");
    let kinds = day.kinds();
    let name = |weather: Option<usize>| {
        let kind = weather.and_then(|place| kinds.get(place));
        kind.cloned().unwrap_or_else(|| "as the calendar has it".to_owned())
    };
    ComboBox::from_label("weather").selected_text(name(day.weather)).show_ui(ui, |ui| {
        for weather in std::iter::once(None).chain((0..kinds.len()).map(Some)) {
            ui.selectable_value(&mut day.weather, weather, name(weather));
        }
    });
}

fn walking(ui: &mut Ui, settings: &mut Settings) {
    ui.checkbox(&mut settings.always_run, "run, and walk while Shift is held");
    ui.add(Slider::new(&mut settings.run_rate, 1.0..=4.5).text("run rate"));
    ui.add(Slider::new(&mut settings.jump_skill, 0.0..=1000.0).text("jump skill"));
    ui.add(Slider::new(&mut settings.mouse, 0.01..=1.0).logarithmic(true).text("mouse"));
    ui.checkbox(&mut settings.mouse_up_is_down, "mouse up looks down");
    ui.add(Slider::new(&mut settings.far, 1..=8).text("landblocks to the horizon"));
}

fn frames(ui: &mut Ui, about: &About<'_>) {
    let About { stats, session, device, .. } = about;
    let parts = stats.medians();
    let rate = if parts.whole > 0.0 { 1000.0 / parts.whole } else { 0.0 };
    ui.label(format!(
        "{rate:.0} frames/s, {:.1} ms, longest {:.1} ms",
        parts.whole,
        stats.longest()
    ));
    graph(ui, stats);
    ui.label(format!(
        "world {:.2}, view {:.3}, draw {:.1} ms",
        parts.world, parts.view, parts.draw
    ));
    let outside = if stats.sees_outside { " and the landscape" } else { "" };
    ui.label(format!("{} rooms{outside} in {} regions", stats.cells, stats.drawn.regions));
    ui.label(format!(
        "{} triangles in {} calls",
        thousands(stats.drawn.triangles),
        thousands(stats.drawn.calls)
    ));
    let resident = session.world.piece_count();
    ui.label(format!(
        "{} pieces here, {} on the way",
        thousands(resident),
        session.stream.pending_count()
    ));
    ui.label(RichText::new(*device).small());
    for fault in session.stream.faults().iter().take(5) {
        ui.colored_label(Color32::LIGHT_RED, fault);
    }
}

/// The last frames as bars, up to 50 ms.
fn graph(ui: &mut Ui, stats: &Stats) {
    let size = Vec2::new(ui.available_width(), 36.0);
    let (area, _) = ui.allocate_exact_size(size, Sense::hover());
    let painter = ui.painter_at(area);
    painter.rect_filled(area, 2.0, Color32::from_black_alpha(80));
    for (place, time) in (0_u16..).zip(stats.all()) {
        let x = area.left() + f32::from(place) * area.width() / 240.0;
        let high = (time / 50.0).min(1.0) * area.height();
        let colour =
            if time > 25.0 { Color32::from_rgb(220, 130, 60) } else { Color32::LIGHT_GREEN };
        let line = [Pos2::new(x, area.bottom()), Pos2::new(x, area.bottom() - high)];
        painter.line_segment(line, Stroke::new(1.0, colour));
    }
}
