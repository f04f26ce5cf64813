//! Messages in the lower left corner of the view.

use std::sync::Arc;

use egui::{Color32, Context, FontId, Galley, Id, LayerId, Order, Pos2, Rect, Vec2};

/// Distance of messages from the edges, and from one another, in points.
const MARGIN: f32 = 12.0;
const GAP: f32 = 3.0;
/// Size of the bar that shows the charge of a jump, in points.
const BAR: Vec2 = Vec2::new(160.0, 18.0);

/// Places lines from the lower left corner up, the last one lowest. A line is as wide as its text, and wraps only at the edge of the area.
pub(super) fn layout(context: &Context, area: Rect, lines: &[String]) -> Vec<(Pos2, Arc<Galley>)> {
    let width = (area.width() - 2.0 * MARGIN).max(1.0);
    let font = FontId::proportional(14.0);
    let mut bottom = area.bottom() - MARGIN;
    let mut placed = Vec::new();
    for line in lines.iter().rev() {
        let galley = context
            .fonts_mut(|fonts| fonts.layout(line.clone(), font.clone(), Color32::WHITE, width));
        bottom -= galley.size().y;
        placed.push((Pos2::new(area.left() + MARGIN, bottom), galley));
        bottom -= GAP;
    }
    placed.reverse();
    placed
}

/// Paints lines, and below them the charge of a held jump, 0 to 1.
pub(super) fn paint(context: &Context, area: Rect, lines: &[String], charge: Option<f32>) {
    let painter = context.layer_painter(LayerId::new(Order::Middle, Id::unique("messages")));
    let mut free = area;
    if let Some(charge) = charge {
        let corner = Pos2::new(area.left() + MARGIN, area.bottom() - MARGIN - BAR.y);
        let whole = Rect::from_min_size(corner, BAR);
        let full = Rect::from_min_size(corner, Vec2::new(BAR.x * charge.clamp(0.0, 1.0), BAR.y));
        painter.rect_filled(whole, 3.0, Color32::from_black_alpha(150));
        painter.rect_filled(full, 3.0, Color32::from_rgb(90, 140, 220));
        free.set_bottom(corner.y);
    }
    for (at, galley) in layout(context, free, lines) {
        let back = Rect::from_min_size(at, galley.size()).expand(2.0);
        painter.rect_filled(back, 2.0, Color32::from_black_alpha(150));
        painter.galley(at, galley, Color32::WHITE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{RawInput, Shape};

    /// Returns the texts that are painted in a frame, each with its number of rows.
    fn rows(context: &Context, lines: &[&str]) -> Vec<(String, usize)> {
        let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        let screen = Rect::from_min_size(Pos2::ZERO, Vec2::new(1000.0, 600.0));
        let input = RawInput { screen_rect: Some(screen), ..RawInput::default() };
        let mut output = context.run_ui(input, |ui| paint(ui.ctx(), screen, &lines, None));
        output.textures_delta.clear();
        let text = |shape: &Shape| match shape {
            Shape::Text(text) => {
                assert!(screen.contains_rect(text.visual_bounding_rect()), "{text:?}");
                Some((text.galley.text().to_owned(), text.galley.rows.len()))
            }
            _ => None,
        };
        output.shapes.iter().filter_map(|clipped| text(&clipped.shape)).collect()
    }

    #[test]
    fn a_message_after_frames_without_any_has_one_row() {
        let context = Context::default();
        let hint = "click to look around with the mouse; H shows the keys";
        for _ in 0..3 {
            assert_eq!(rows(&context, &[hint]), [(hint.to_owned(), 1)]);
        }
        for _ in 0..3 {
            assert!(rows(&context, &[]).is_empty());
        }
        let both = ["the door opens", "a picture was written to /somewhere/threshold-001.png"];
        let want = both.map(|line| (line.to_owned(), 1));
        for _ in 0..3 {
            assert_eq!(rows(&context, &both), want);
        }
    }

    #[test]
    fn a_message_wider_than_the_view_wraps_at_its_edge() {
        let context = Context::default();
        let long = "word ".repeat(80);
        let painted = rows(&context, &[&long]);
        assert!((2..8).contains(&painted[0].1), "{painted:?}");
    }
}
