//! Drawings as SVG.

use std::fmt::Write;

use threshold_land::vector::Vec2;

use crate::drawing::{Anchor, Drawing, Item, Outline, Paint, ShapeItem, TextItem, Typeface};

/// Returns a drawing as a complete SVG document. The same drawing gives the same bytes.
pub fn to_svg(drawing: &Drawing) -> String {
    let mut out = String::new();
    let (width, height) = (ShortNumber(drawing.size.x), ShortNumber(drawing.size.y));
    // Writing into a String cannot fail.
    let _ = writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="sans-serif" stroke-linejoin="round" stroke-linecap="round">"#
    );
    let _ = writeln!(out, "<title>{}</title>", EscapedText(&drawing.title));
    let _ = writeln!(out, r##"<rect width="{width}" height="{height}" fill="#fff"/>"##);
    for item in &drawing.items {
        let _ = write_item(&mut out, item);
    }
    out.push_str("</svg>\n");
    out
}

fn write_item(out: &mut String, item: &Item) -> std::fmt::Result {
    match item {
        Item::Open { id, data, paint } => {
            out.push_str("<g");
            write_id(out, id.as_deref())?;
            for (name, value) in data {
                write!(out, r#" data-{name}="{}""#, EscapedText(value))?;
            }
            write_paint(out, paint)?;
            out.push_str(">\n");
        }
        Item::Close => out.push_str("</g>\n"),
        Item::Shape(shape) => write_shape(out, shape)?,
        Item::Text(text) => write_text(out, text)?,
    }
    Ok(())
}

fn write_id(out: &mut String, id: Option<&str>) -> std::fmt::Result {
    id.map_or(Ok(()), |id| write!(out, r#" id="{}""#, EscapedText(id)))
}

fn write_paint(out: &mut String, paint: &Paint) -> std::fmt::Result {
    match paint.fill {
        Some(Some(ink)) => write!(out, r#" fill="{}""#, HexColour(ink.0))?,
        Some(None) => out.push_str(r#" fill="none""#),
        None => {}
    }
    if let Some(ink) = paint.stroke {
        write!(out, r#" stroke="{}""#, HexColour(ink.0))?;
    }
    if let Some(width) = paint.width {
        write!(out, r#" stroke-width="{}""#, ShortNumber(width))?;
    }
    if let Some(dash) = paint.dash {
        write!(out, r#" stroke-dasharray="{dash}""#)?;
    }
    if let Some(opacity) = paint.opacity {
        write!(out, r#" opacity="{}""#, ShortNumber(opacity))?;
    }
    Ok(())
}

fn write_shape(out: &mut String, shape: &ShapeItem) -> std::fmt::Result {
    let name = match &shape.outline {
        Outline::Circle(at, radius) => {
            let (x, y, r) = (ShortNumber(at.x), ShortNumber(at.y), ShortNumber(*radius));
            write!(out, r#"<circle cx="{x}" cy="{y}" r="{r}""#)?;
            "circle"
        }
        Outline::Areas(areas) => {
            out.push_str(r#"<path d=""#);
            areas.iter().try_for_each(|area| write_path(out, area, "z"))?;
            out.push('"');
            "path"
        }
        Outline::Lines(lines) => {
            out.push_str(r#"<path d=""#);
            lines.iter().try_for_each(|line| write_path(out, line, ""))?;
            out.push('"');
            "path"
        }
    };
    write_id(out, shape.id.as_deref())?;
    write_paint(out, &shape.paint)?;
    match &shape.title {
        Some(title) => writeln!(out, "><title>{}</title></{name}>", EscapedText(title)),
        None => writeln!(out, "/>"),
    }
}

fn write_path(out: &mut String, points: &[Vec2], end: &str) -> std::fmt::Result {
    for (index, point) in points.iter().enumerate() {
        let step = if index == 0 { "M" } else { "L" };
        write!(out, "{step}{} {}", ShortNumber(point.x), ShortNumber(point.y))?;
    }
    out.push_str(end);
    Ok(())
}

fn write_text(out: &mut String, text: &TextItem) -> std::fmt::Result {
    let (x, y, size) = (ShortNumber(text.at.x), ShortNumber(text.at.y), ShortNumber(text.size));
    write!(out, r#"<text x="{x}" y="{y}" font-size="{size}" fill="{}""#, HexColour(text.ink.0))?;
    match text.anchor {
        Anchor::Start => {}
        Anchor::Middle => out.push_str(r#" text-anchor="middle""#),
        Anchor::End => out.push_str(r#" text-anchor="end""#),
    }
    if text.typeface == Typeface::Mono {
        out.push_str(r#" font-family="monospace""#);
    }
    if text.upright {
        write!(out, r#" transform="rotate(-90 {x} {y})""#)?;
    }
    if text.halo {
        let width = ShortNumber(text.size * 0.28);
        write!(out, r##" stroke="#fff" stroke-width="{width}" paint-order="stroke""##)?;
    }
    writeln!(out, ">{}</text>", EscapedText(&text.text))
}

/// Displays a number with up to two decimals.
struct ShortNumber(f32);

impl std::fmt::Display for ShortNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = format!("{:.2}", self.0);
        let short = text.trim_end_matches('0').trim_end_matches('.');
        f.write_str(if short == "-0" { "0" } else { short })
    }
}

struct HexColour([u8; 3]);

impl std::fmt::Display for HexColour {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [r, g, b] = self.0;
        if self.0.iter().all(|value| value.is_multiple_of(17)) {
            write!(f, "#{:x}{:x}{:x}", r / 17, g / 17, b / 17)
        } else {
            write!(f, "#{r:02x}{g:02x}{b:02x}")
        }
    }
}

struct EscapedText<'a>(&'a str);

impl std::fmt::Display for EscapedText<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for letter in self.0.chars() {
            match letter {
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '&' => f.write_str("&amp;")?,
                '"' => f.write_str("&quot;")?,
                // XML cannot represent control characters.
                other if other.is_control() => f.write_char(' ')?,
                other => f.write_char(other)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let all =
            [0.0, -0.001, 1.0, 1.5, -2.25, 7.12345, 100.0].map(|n| ShortNumber(n).to_string());
        assert_eq!(all, ["0", "0", "1", "1.5", "-2.25", "7.12", "100"]);
        assert_eq!(HexColour([255, 0, 17]).to_string(), "#f01");
        assert_eq!(HexColour([254, 0, 17]).to_string(), "#fe0011");
    }

    #[test]
    fn special_characters_are_escaped() {
        assert_eq!(EscapedText("a<b & \"c\"\u{7}").to_string(), "a&lt;b &amp; &quot;c&quot; ");
    }
}
