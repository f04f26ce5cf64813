//! String literals of Rust files.

/// Returns the string literals of a Rust file without their quotes, escapes as written.
///
/// Comments are skipped. A literal that is not closed ends the list.
pub(crate) fn literals(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['"', '\'', '/']) {
        let (before, from) = rest.split_at(at);
        let end = match &from[..1] {
            "/" if from.starts_with("//") => from.find('\n').unwrap_or(from.len()),
            "/" => 1,
            "'" => char_length(from),
            _ => {
                let Some((literal, end)) = string(before, from) else { break };
                found.push(literal);
                end
            }
        };
        rest = &from[end..];
    }
    found
}

/// Returns the length of a character literal; of a lifetime, only of its quote.
fn char_length(from: &str) -> usize {
    let mut letters = from.char_indices().skip(1);
    match letters.next() {
        Some((_, '\\')) => {
            letters.next();
            letters.find(|(_, letter)| *letter == '\'').map_or(1, |(at, _)| at + 1)
        }
        _ => letters.next().filter(|(_, letter)| *letter == '\'').map_or(1, |(at, _)| at + 1),
    }
}

/// Returns the literal that begins at a quote, and the offset of its end. `before` is the text before the
/// quote, which tells whether the literal is raw.
fn string<'a>(before: &str, from: &'a str) -> Option<(&'a str, usize)> {
    let hashes = before.len() - before.trim_end_matches('#').len();
    if before.trim_end_matches('#').ends_with('r') {
        let close = format!("\"{}", "#".repeat(hashes));
        let length = from[1..].find(&close)?;
        return Some((&from[1..=length], 1 + length + close.len()));
    }
    let mut is_escaped = false;
    for (at, letter) in from.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return Some((&from[1..at], at + 1)),
            _ => {}
        }
    }
    None
}

/// Returns the text of a file before its module of tests.
pub(crate) fn before_tests(text: &str) -> &str {
    let marks = ["\n#[cfg(test)]\nmod ", "\n#[cfg(all(test"];
    let end = marks.iter().filter_map(|mark| text.find(mark)).min();
    end.map_or(text, |end| &text[..end])
}

/// Returns whether a path is that of a source file of a crate or program, and not of tests.
pub(crate) fn is_outside_tests(path: &str) -> bool {
    let is_test = |part: &str| {
        let name = part.strip_suffix(".rs").unwrap_or(part);
        name == "tests" || name.starts_with("tests_") || name.ends_with("_tests")
    };
    path.contains("/src/") && !path.starts_with("crates/testkit/") && !path.split('/').any(is_test)
}

#[test]
fn literals_are_found_and_comments_are_not() {
    let text = r##"
let a = "one \" two"; // "not this"
let b: &'static str = r#"raw "quoted" text"#;
let c = ['"', '\'', 'x'];
fn f<'a>(x: &'a str) -> u32 { 4 / 2 }
let d = b"bytes"; let e = "";
"##;
    assert_eq!(literals(text), ["one \\\" two", "raw \"quoted\" text", "bytes", ""]);
    let file = "fn a() {}\n\n#[cfg(test)]\nmod tests {\n}";
    assert_eq!(before_tests(file), "fn a() {}\n");
    assert!(is_outside_tests("crates/dat/src/error.rs"));
    for path in ["crates/dat/tests/a.rs", "crates/dat/src/tests.rs", "crates/play/src/tests/a.rs"] {
        assert!(!is_outside_tests(path), "{path}");
    }
}
