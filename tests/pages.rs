//! The commands of the pages for data people are run as they are written, and print what the pages show.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;

/// A fenced block of a page.
struct Block<'a> {
    /// Number of its first line.
    line: usize,
    language: &'a str,
    text: String,
    /// Name of the file that the line before tells the reader to save it as.
    file: Option<&'a str>,
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut lines = (1..).zip(page.lines());
    let mut before = "";
    while let Some((number, line)) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let inside = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```");
            let text = inside.map(|line| format!("{line}\n")).collect();
            let file = before.split_once("Save as `").and_then(|(_, rest)| rest.split('`').next());
            before = "";
            blocks.push(Block { line: number + 1, language, text, file });
        } else if !line.is_empty() {
            before = line;
        }
    }
    blocks
}

/// Returns whether printed lines are the shown ones. `...` stands for any lines, and at the end of a line for its rest.
fn is_shown(printed: &[&str], shown: &[&str]) -> bool {
    let is_same = |line: &str, shown: &str| match shown.strip_suffix("...") {
        Some(beginning) => line.starts_with(beginning),
        None => line == shown,
    };
    match (shown.split_first(), printed.split_first()) {
        (None, _) => printed.is_empty(),
        (Some((&"...", rest)), _) => {
            (0..=printed.len()).any(|skipped| is_shown(&printed[skipped..], rest))
        }
        (Some((first, rest)), Some((line, others))) => {
            is_same(line, first) && is_shown(others, rest)
        }
        (Some(_), None) => false,
    }
}

fn has_python() -> bool {
    Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Runs all commands of a page in one folder, in their order, and compares what they print with the block below them.
#[track_caller]
fn check(page: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(page);
    let text = fs::read_to_string(path).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let programs = Path::new(env!("CARGO_BIN_EXE_threshold")).parent().unwrap();
    let search = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let (blocks, has_python) = (blocks(&text), has_python());
    let (mut run, mut compared) = (0, 0);
    for (index, block) in blocks.iter().enumerate() {
        if let Some(file) = block.file {
            fs::write(folder.path().join(file), &block.text).unwrap();
        }
        if block.language != "sh" || block.text.contains("python3") && !has_python {
            continue;
        }
        let script = format!("exec 2>&1\n{}", block.text);
        let output = Command::new("sh")
            .args(["-c", &script])
            .current_dir(folder.path())
            .env("PATH", &search)
            .output()
            .unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{page}:{}:\n{}{printed}", block.line, block.text);
        run += 1;
        let Some(shown) = blocks.get(index + 1).filter(|next| next.language == "text") else {
            continue;
        };
        let lines = |text: &str| text.lines().map(|line| line.trim_end().to_owned()).collect();
        let [printed, shown]: [Vec<String>; 2] = [&printed, &shown.text].map(|text| lines(text));
        let [own, wanted] =
            [&printed, &shown].map(|lines| lines.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(
            is_shown(&own, &wanted),
            "{page}:{}: prints\n{}\nand not\n{}",
            block.line,
            printed.join("\n"),
            shown.join("\n")
        );
        compared += 1;
    }
    assert!(run > 0 && compared > 0, "{page}: {run} run, {compared} compared");
}

#[test]
fn the_commands_of_the_manual_for_data_print_what_it_shows() {
    check("data.md");
}

#[test]
fn the_commands_of_the_page_on_scenarios_print_what_it_shows() {
    check("scenarios.md");
}

#[test]
fn the_commands_of_the_page_on_ask_print_what_it_shows() {
    check("ask.md");
}

#[test]
fn dots_stand_for_any_number_of_lines() {
    assert!(is_shown(&["a", "b", "c"], &["a", "b", "c"]));
    assert!(is_shown(&["a", "b", "c"], &["a", "...", "c"]) && is_shown(&["a"], &["a", "..."]));
    assert!(is_shown(&["a", "b", "c"], &["...", "b", "..."]));
    assert!(is_shown(&["took 3 s"], &["took ..."]) && !is_shown(&["take 3 s"], &["took ..."]));
    assert!(!is_shown(&["a", "b"], &["a"]) && !is_shown(&["a"], &["...", "b"]));
    let page = "Save as `x.txt`:\n\n```json\n{}\n[]\n```\n\n```sh\nls\n```\n";
    let found = blocks(page);
    assert_eq!(
        (found[0].file, found[0].text.as_str(), found[0].line),
        (Some("x.txt"), "{}\n[]\n", 4)
    );
    assert_eq!((found[1].language, found[1].text.as_str()), ("sh", "ls\n"));
}
