//! Text for people: serialised values, numbers and tables.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value;

/// Preferred width of a line, in columns.
const WIDTH: usize = 100;
/// Most items of a list that are shown; the others are counted.
const MAX_ITEMS: usize = 16;
/// Most plain values of a list that are shown; the others are counted.
const MAX_VALUES: usize = 256;

/// Writes a value as indented text. Long lists are cut.
pub(crate) fn write_value(
    out: &mut impl Write,
    value: &impl Serialize,
    indent: usize,
) -> anyhow::Result<()> {
    // Converted through text, so that single-precision numbers keep their short form.
    let value: Value = serde_json::from_str(&serde_json::to_string(value)?)?;
    write_fields(out, &value, indent)?;
    Ok(())
}

fn write_fields(out: &mut impl Write, value: &Value, indent: usize) -> io::Result<()> {
    match value {
        Value::Object(map) => {
            for (name, value) in map {
                write!(out, "{:indent$}{name}:", "")?;
                write_field_value(out, value, indent)?;
            }
            Ok(())
        }
        Value::Array(items) => write_list(out, items, indent),
        scalar => writeln!(out, "{:indent$}{}", "", inline(scalar)),
    }
}

/// Writes the value of a field after its name.
fn write_field_value(out: &mut impl Write, value: &Value, indent: usize) -> io::Result<()> {
    let short = inline(value);
    if is_flat(value) && short.len() + indent + 24 <= WIDTH {
        return writeln!(out, " {short}");
    }
    match value {
        Value::Array(items) => writeln!(out, " {}", items.len())?,
        _ => writeln!(out)?,
    }
    write_fields(out, value, indent + 2)
}

fn write_list(out: &mut impl Write, items: &[Value], indent: usize) -> io::Result<()> {
    if items.iter().all(|item| !item.is_object() && !item.is_array()) {
        return write_plain_values(out, items, indent);
    }
    for (index, item) in items.iter().take(MAX_ITEMS).enumerate() {
        let short = inline(item);
        if short.len() + indent + 8 <= WIDTH {
            writeln!(out, "{:indent$}{index}: {short}", "")?;
        } else {
            writeln!(out, "{:indent$}{index}:", "")?;
            write_fields(out, item, indent + 2)?;
        }
    }
    write_more(out, items.len().saturating_sub(MAX_ITEMS), indent)
}

/// Writes plain values in columns, as many per line as fit.
fn write_plain_values(out: &mut impl Write, items: &[Value], indent: usize) -> io::Result<()> {
    let words: Vec<String> = items.iter().take(MAX_VALUES).map(inline).collect();
    let column = words.iter().map(String::len).max().unwrap_or(0) + 1;
    let mut per_line = (WIDTH.saturating_sub(indent) / column).max(1);
    if per_line >= 9 && items.len() == 81 {
        // The 9 x 9 corners of a landblock.
        per_line = 9;
    }
    for line in words.chunks(per_line) {
        write!(out, "{:indent$}", "")?;
        for word in line {
            write!(out, "{word:>column$}")?;
        }
        writeln!(out)?;
    }
    write_more(out, items.len().saturating_sub(MAX_VALUES), indent)
}

fn write_more(out: &mut impl Write, count: usize, indent: usize) -> io::Result<()> {
    if count > 0 {
        writeln!(out, "{:indent$}... and {count} more (--json shows all)", "")?;
    }
    Ok(())
}

/// Returns whether a value is readable on one line: no objects in objects, no lists in lists.
fn is_flat(value: &Value) -> bool {
    let plain = |value: &Value| !value.is_object() && !value.is_array();
    let row =
        |value: &Value| value.as_array().map_or(plain(value), |items| items.iter().all(plain));
    match value {
        Value::Object(map) => map.values().all(row),
        value => row(value),
    }
}

fn inline(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::String(text) if text.is_empty() => "\"\"".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(" "))
        }
        Value::Object(map) => {
            let fields = map.iter().map(|(name, value)| format!("{name} {}", inline(value)));
            fields.collect::<Vec<_>>().join(", ")
        }
        plain => plain.to_string(),
    }
}

/// Longest line of a message, in characters. A longer one repeats the content of a file.
const MAX_LINE: usize = 2_000;

/// Makes a message printable: control characters are escaped, except line feeds and tabs, and long lines are cut.
pub(crate) fn printable(text: &str) -> String {
    let mut out = String::new();
    let mut column = 0;
    for c in text.chars() {
        column = if c == '\n' { 0 } else { column + 1 };
        match c {
            _ if column > MAX_LINE + 1 => {}
            _ if column > MAX_LINE => out.push_str(" ..."),
            '\n' | '\t' => out.push(c),
            c if c.is_control() => out.extend(c.escape_debug()),
            c => out.push(c),
        }
    }
    out
}

/// Formats a number with commas between thousands.
pub(crate) fn thousands(number: impl TryInto<u64>) -> String {
    let digits = number.try_into().map_or_else(|_| "?".to_owned(), |n: u64| n.to_string());
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Prints rows in columns: the first is aligned left, the others right.
pub(crate) fn print_table(out: &mut impl Write, rows: &[Vec<String>]) -> io::Result<()> {
    let count = rows.first().map_or(0, Vec::len);
    let width = |column| rows.iter().filter_map(|row| row.get(column)).map(String::len).max();
    let widths: Vec<usize> = (0..count).map(|column| width(column).unwrap_or(0)).collect();
    for row in rows {
        for (index, (cell, width)) in row.iter().zip(&widths).enumerate() {
            if index == 0 {
                write!(out, "{cell:width$}")?;
            } else {
                write!(out, "  {cell:>width$}")?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: &impl Serialize, want: &str) {
        let mut out = Vec::new();
        write_value(&mut out, value, 0).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), want);
    }

    #[derive(Serialize)]
    struct Example {
        height: f32,
        list: Vec<u32>,
        nested: Vec<Vec<[f32; 3]>>,
        nothing: Option<u32>,
    }

    #[test]
    fn single_precision_numbers_keep_their_short_form() {
        let example = Example { height: 0.48, list: vec![1, 2], nested: vec![], nothing: None };
        check(&example, "height: 0.48\nlist: [1 2]\nnested: []\nnothing: -\n");
    }

    #[test]
    fn long_lists_are_cut_and_counted() {
        let nested = vec![vec![[1.5; 3]; 9]; 20];
        let example = Example { height: 1.0, list: (0..300).collect(), nested, nothing: Some(3) };
        let mut out = Vec::new();
        write_value(&mut out, &example, 0).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("list: 300\n"), "{text}");
        assert!(text.contains("... and 44 more (--json shows all)"), "{text}");
        assert!(text.contains("... and 4 more (--json shows all)"), "{text}");
    }

    #[test]
    fn control_characters_are_escaped_and_long_lines_are_cut() {
        assert_eq!(printable("a\x1B[31m\0\r\u{9B}b"), r"a\u{1b}[31m\0\r\u{9b}b");
        assert_eq!(printable("one \"\u{e4}\\\"\n\ttwo"), "one \"\u{e4}\\\"\n\ttwo");
        let long = "\u{e4}".repeat(MAX_LINE);
        assert_eq!(printable(&long), long);
        assert_eq!(printable(&format!("{long}more\nnext")), format!("{long} ...\nnext"));
    }

    #[test]
    fn thousands_are_separated_by_commas() {
        let all = [0, 7, 999, 1_000, 48_640, 1_234_567].map(|n: u32| thousands(n));
        assert_eq!(all, ["0", "7", "999", "1,000", "48,640", "1,234,567"]);
    }
}
