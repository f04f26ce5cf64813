//! The user interface over the world: panel, windows, messages and labels.

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
use super::stats::{MAX_FRAMES, Stats};
use crate::formatting::thousands;
use crate::layers::Layer;

/// Time for which a message is shown, in seconds.
const MESSAGE_TIME: f64 = 6.0;
/// Time after the start until which the hint about the mouse is shown, in seconds.
const HINT_TIME: f64 = 20.0;

/// A label on the screen. Its position is in parts of the width and height, from the upper left corner.
pub(super) struct ScreenLabel {
    pub(super) at: [f32; 2],
    pub(super) text: String,
}

/// State of the user interface.
#[derive(Default)]
pub(super) struct Overlay {
    pub(super) is_help_open: bool,
    pub(super) place_box: PlaceBox,
    place_filter: String,
    /// Explanation of the last stopped move, while its window is open.
    pub(super) explanation: Option<Vec<String>>,
    pub(super) is_frozen: bool,
    /// Messages, each with the time at which it disappears.
    messages: Vec<(f64, String)>,
}

/// Height of the screen that the list of keys leaves to its title and margins, in points.
const KEYS_MARGIN: f32 = 70.0;

/// Data that the panel shows and changes in one frame.
pub(super) struct PanelData<'a> {
    pub(super) session: &'a mut Session,
    pub(super) settings: &'a mut Settings,
    pub(super) stats: &'a Stats,
    pub(super) labels: &'a [ScreenLabel],
    /// Name of the graphics device.
    pub(super) device: &'a str,
    pub(super) now: f64,
    pub(super) is_mouse_captured: bool,
}

impl Overlay {
    /// Shows a message for a few seconds.
    pub(super) fn show_message(&mut self, now: f64, text: String) {
        self.messages.push((now + MESSAGE_TIME, text));
    }

    /// Returns whether a text field has the focus.
    pub(super) fn is_field_focused(context: &Context) -> bool {
        let focused = context.memory(egui::Memory::focused);
        focused == Some(PlaceBox::id()) || context.text_edit_focused()
    }

    /// Lays out everything.
    pub(super) fn layout(&mut self, ui: &mut Ui, data: &mut PanelData<'_>) {
        let context = ui.ctx().clone();
        let screen = context.content_rect();
        paint_labels(&context, screen, data.labels);
        // The place box is in the panel, so the panel is visible while the box is open.
        if data.settings.panel || self.place_box.is_open {
            Panel::right("panel").default_size(300.0).show(ui, |ui| {
                ScrollArea::vertical().show(ui, |ui| self.panel(ui, data));
            });
        }
        self.key_window(&context);
        self.explanation_window(&context);
        self.message_lines(&context, ui.available_rect_before_wrap(), data);
    }

    fn panel(&mut self, ui: &mut Ui, data: &mut PanelData<'_>) {
        ui.heading("Threshold");
        section(ui, "Position", true, |ui| position_section(ui, data.session));
        ui.separator();
        ui.label(RichText::new("Travel").strong());
        self.travel_section(ui, data.session);
        ui.separator();
        section(ui, "Time and weather", true, |ui| day_section(ui, data));
        section(ui, "View", true, |ui| self.view_section(ui, data));
        section(ui, "Statistics", true, |ui| stats_section(ui, data));
        section(ui, "Controls", false, |ui| controls_section(ui, data.settings));
        ui.separator();
        if ui.button("Explain the last stopped move (B)").clicked() {
            self.explanation = Some(data.session.explain_last_stop());
        }
        if ui.button("Keys (H)").clicked() {
            self.is_help_open = !self.is_help_open;
        }
    }

    /// Lays out the place box and the list of places. Never collapsed, so that keys typed right after T are not lost.
    fn travel_section(&mut self, ui: &mut Ui, session: &mut Session) {
        let destinations = session.destinations();
        let mut chosen = self.place_box.show(ui, &destinations, &session.names);
        ui.horizontal(|ui| {
            if ui.button("Go").clicked() {
                let entered = || self.place_box.enter(&destinations, &session.names);
                chosen = chosen.take().or_else(entered);
            }
            let (back, forward) = (session.history.has_back(), session.history.has_forward());
            if ui.add_enabled(back, Button::new("< Back")).clicked() {
                session.go_back();
            }
            if ui.add_enabled(forward, Button::new("Forward >")).clicked() {
                session.go_forward();
            }
        });
        if let Some((place, label)) = chosen {
            session.travel_to(place, label);
        }
        self.place_list(ui, session);
    }

    /// Lists the places worth a visit.
    fn place_list(&mut self, ui: &mut Ui, session: &mut Session) {
        CollapsingHeader::new("Places").default_open(false).show(ui, |ui| {
            ui.add(TextEdit::singleline(&mut self.place_filter).hint_text("filter"));
            ScrollArea::vertical().max_height(220.0).auto_shrink([false, true]).show(ui, |ui| {
                let filter = self.place_filter.to_lowercase();
                let places = session.destinations();
                let matches = |place: &&Destination| place.label.to_lowercase().contains(&filter);
                for Destination { label, place } in places.iter().filter(matches) {
                    let about = session.names.about(label).unwrap_or_default();
                    let button = ui.add(Button::new(label).frame(false));
                    if button.on_hover_text(about).clicked() {
                        session.travel_to(*place, label.clone());
                    }
                }
            });
        });
    }

    fn view_section(&mut self, ui: &mut Ui, data: &mut PanelData<'_>) {
        let PanelData { session, settings, .. } = data;
        ui.horizontal(|ui| {
            for (mode, name) in [
                (CameraMode::First, "first person"),
                (CameraMode::Third, "third person"),
                (CameraMode::Flight, "flight"),
            ] {
                ui.radio_value(&mut session.camera.mode, mode, name);
            }
        });
        ui.horizontal(|ui| {
            ui.label("portal walk root:");
            for (root, name) in [(ViewRoot::Camera, "camera"), (ViewRoot::Player, "player")] {
                ui.radio_value(&mut settings.view_root, root, name);
            }
        });
        ui.add(Slider::new(&mut settings.field_of_view, 30.0..=110.0).text("field of view"));
        ui.checkbox(&mut self.is_frozen, "freeze visible set (G)");
        for (number, layer) in (1..).zip(Layer::ALL) {
            let mut is_on = settings.layers.contains(&layer);
            let name = format!("{number}  {}", layer.name());
            if ui.checkbox(&mut is_on, name).changed() {
                toggle(&mut settings.layers, layer);
            }
        }
    }

    fn key_window(&mut self, context: &Context) {
        let mut is_open = self.is_help_open;
        let window = Window::new("Keys").open(&mut is_open).collapsible(false).auto_sized();
        // A list higher than the screen scrolls.
        let max_height = context.content_rect().height() - KEYS_MARGIN;
        window.show(context, |ui| {
            ScrollArea::vertical().max_height(max_height).show(ui, |ui| {
                Grid::new("keys").striped(true).show(ui, |ui| {
                    for (key, function) in HELP {
                        ui.label(RichText::new(key).strong());
                        ui.label(function);
                        ui.end_row();
                    }
                });
            });
        });
        self.is_help_open = is_open;
    }

    fn explanation_window(&mut self, context: &Context) {
        let Some(lines) = &self.explanation else { return };
        let mut is_open = true;
        let window = Window::new("Last stopped move").open(&mut is_open);
        window.default_width(420.0).show(context, |ui| {
            for line in lines {
                ui.label(line);
            }
        });
        if !is_open {
            self.explanation = None;
        }
    }

    /// Paints messages, the state of a journey and of the frozen view, and a hint at the start.
    fn message_lines(&mut self, context: &Context, area: Rect, data: &PanelData<'_>) {
        self.messages.retain(|(until, _)| *until > data.now);
        let mut lines: Vec<String> = self.messages.iter().map(|(_, text)| text.clone()).collect();
        if let Some(place) = data.session.journey_label() {
            lines.push(format!("travelling to {place} ..."));
        }
        if self.is_frozen {
            lines.push("the visible set is frozen; G releases it".to_owned());
        }
        if !data.is_mouse_captured && data.now < HINT_TIME {
            lines.push("click to look around with the mouse; H lists the keys".to_owned());
        }
        messages::paint(context, area, &lines, data.session.player.jump_charge(data.now));
    }
}

/// Switches a layer on or off.
pub(super) fn toggle(layers: &mut Vec<Layer>, layer: Layer) {
    match layers.iter().position(|other| *other == layer) {
        Some(index) => {
            layers.remove(index);
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

/// Paints the labels of layers.
fn paint_labels(context: &Context, screen: Rect, labels: &[ScreenLabel]) {
    let painter = context.layer_painter(LayerId::new(Order::Background, Id::unique("labels")));
    for label in labels {
        let [x, y] = label.at;
        let at = screen.min + Vec2::new(x * screen.width(), y * screen.height());
        let font = FontId::monospace(12.0);
        let galley =
            painter.layout_no_wrap(label.text.clone(), font, Color32::from_rgb(255, 246, 176));
        let corner = at - galley.size() / 2.0;
        let back = Rect::from_min_size(corner, galley.size()).expand(2.0);
        painter.rect_filled(back, 2.0, Color32::from_black_alpha(140));
        painter.galley(corner, galley, Color32::WHITE);
    }
}

fn position_section(ui: &mut Ui, session: &Session) {
    let Some(at) = session.position() else {
        ui.label("loading");
        return;
    };
    ui.label(RichText::new(session.names.describe(at.cell, &at)).strong());
    let line = |ui: &mut Ui, name: &str, value: String| {
        ui.label(name);
        ui.add(egui::Label::new(RichText::new(value).monospace()).wrap());
        ui.end_row();
    };
    Grid::new("where").num_columns(2).show(ui, |ui| {
        line(ui, "compass", compass_text(&at));
        line(ui, "cell", cell_text(&at));
        line(ui, "contact plane", contact_text(&session.player.body.stance));
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

fn compass_text(at: &Position) -> String {
    let compass = Compass::from_position(at).filter(|_| at.cell.is_outdoor());
    compass.map_or_else(|| "indoors".to_owned(), |compass| format!("{compass:.2}"))
}

fn cell_text(at: &Position) -> String {
    let kind = if at.cell.is_indoor() { "room" } else { "land" };
    format!("{} ({kind})", at.cell)
}

/// Describes the contact plane.
fn contact_text(stance: &Stance) -> String {
    let normal = stance.plane.normal;
    let slope = libm::acosf(normal.z.clamp(-1.0, 1.0)).to_degrees();
    match (stance.contact, stance.on_walkable) {
        (true, true) if slope < 0.5 => "level".to_owned(),
        (true, true) => format!("slope {slope:.0} degrees"),
        (true, false) => format!("slope {slope:.0} degrees, too steep"),
        (false, _) => "none".to_owned(),
    }
}

fn day_section(ui: &mut Ui, data: &mut PanelData<'_>) {
    let PanelData { session, settings, .. } = data;
    let day = &mut session.day;
    let mut fraction = day.fraction();
    let slider = Slider::new(&mut fraction, 0.0..=0.9999).show_value(false).text(day.clock());
    if ui.add(slider).changed() {
        day.set_fraction(fraction);
    }
    ui.checkbox(&mut settings.time_runs, "time passes, a day in 24 minutes");
    let kinds = day.kinds();
    let name = |weather: Option<usize>| {
        let kind = weather.and_then(|index| kinds.get(index));
        kind.cloned().unwrap_or_else(|| "by the calendar".to_owned())
    };
    ComboBox::from_label("weather").selected_text(name(day.weather)).show_ui(ui, |ui| {
        for weather in std::iter::once(None).chain((0..kinds.len()).map(Some)) {
            ui.selectable_value(&mut day.weather, weather, name(weather));
        }
    });
}

fn controls_section(ui: &mut Ui, settings: &mut Settings) {
    ui.checkbox(&mut settings.always_run, "always run (Shift walks)");
    ui.add(Slider::new(&mut settings.run_rate, 1.0..=4.5).text("run rate"));
    ui.add(Slider::new(&mut settings.jump_skill, 0.0..=1000.0).text("jump skill"));
    ui.add(Slider::new(&mut settings.mouse, 0.01..=1.0).logarithmic(true).text("mouse speed"));
    ui.checkbox(&mut settings.mouse_up_is_down, "invert mouse");
    ui.add(Slider::new(&mut settings.far, 1..=8).text("view distance, landblocks"));
}

fn stats_section(ui: &mut Ui, data: &PanelData<'_>) {
    let PanelData { stats, session, device, .. } = data;
    let times = stats.medians();
    let rate = if times.whole > 0.0 { 1000.0 / times.whole } else { 0.0 };
    ui.label(format!(
        "{rate:.0} frames/s, {:.1} ms, longest {:.1} ms",
        times.whole,
        stats.longest()
    ));
    frame_graph(ui, stats);
    ui.label(format!(
        "world {:.2}, view {:.3}, draw {:.1} ms",
        times.world, times.view, times.draw
    ));
    let landscape = if stats.sees_outside { " and the landscape" } else { "" };
    ui.label(format!("{} rooms{landscape} in {} regions", stats.cells, stats.drawn.regions));
    ui.label(format!(
        "{} triangles in {} draw calls",
        thousands(stats.drawn.triangles),
        thousands(stats.drawn.calls)
    ));
    let resident = session.world.piece_count();
    ui.label(format!(
        "{} pieces resident, {} loading",
        thousands(resident),
        session.stream.pending_count()
    ));
    ui.label(RichText::new(*device).small());
    for fault in session.stream.faults().iter().take(5) {
        ui.colored_label(Color32::LIGHT_RED, fault);
    }
}

/// Draws the times of the last frames as bars, cut off at 50 ms.
fn frame_graph(ui: &mut Ui, stats: &Stats) {
    let size = Vec2::new(ui.available_width(), 36.0);
    let (area, _) = ui.allocate_exact_size(size, Sense::hover());
    let painter = ui.painter_at(area);
    painter.rect_filled(area, 2.0, Color32::from_black_alpha(80));
    for (index, time) in (0_u16..).zip(stats.frame_times()) {
        let x = area.left() + f32::from(index) * area.width() / f32::from(MAX_FRAMES);
        let height = (time / 50.0).min(1.0) * area.height();
        let colour =
            if time > 25.0 { Color32::from_rgb(220, 130, 60) } else { Color32::LIGHT_GREEN };
        let line = [Pos2::new(x, area.bottom()), Pos2::new(x, area.bottom() - height)];
        painter.line_segment(line, Stroke::new(1.0, colour));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the lowest point at which text of the window of keys is drawn.
    fn lowest_text(size: [f32; 2]) -> f32 {
        let context = Context::default();
        let mut overlay = Overlay { is_help_open: true, ..Overlay::default() };
        let screen_rect = Some(Rect::from_min_size(egui::Pos2::ZERO, size.into()));
        let mut output = egui::FullOutput::default();
        // A window has its size in the second frame.
        for _ in 0..3 {
            let input = egui::RawInput { screen_rect, ..egui::RawInput::default() };
            output = context.run_ui(input, |ui| overlay.key_window(&ui.ctx().clone()));
            output.textures_delta.clear();
        }
        let visible = output.shapes.iter().filter_map(|clipped| match &clipped.shape {
            egui::Shape::Text(text) if clipped.clip_rect.contains(text.pos) => {
                Some(text.pos.y + text.galley.size().y)
            }
            _ => None,
        });
        let texts = visible.clone().count();
        // Each row has a key and what it does; the title is one more.
        assert_eq!(texts, 2 * HELP.len() + 1, "at {size:?}");
        visible.fold(0.0, f32::max)
    }

    #[test]
    fn all_keys_are_listed_without_scrolling() {
        for size in [[1280.0, 720.0], [1920.0, 1080.0]] {
            assert!(lowest_text(size) <= size[1], "at {size:?}");
        }
    }
}
