//! Image files and bug reports.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context;
use threshold_land::Compass;
use threshold_land::Place;
use threshold_motion::Rules;
use threshold_visuals::images::Image;

use super::Session;
use crate::output::{self, OutputFile, cannot_write, create_folder, lock_folder};
use crate::png::write_png;

/// Largest number in the name of a file or folder.
const MAX_NUMBER: u32 = 9999;

/// Returns the first path `NAME-001ENDING`, `NAME-002ENDING` and so on that does not exist.
fn unused_path(folder: &Path, name: &str, ending: &str) -> anyhow::Result<PathBuf> {
    let path = |number: u32| folder.join(format!("{name}-{number:03}{ending}"));
    let unused = (1..=MAX_NUMBER).map(path).find(|path| !path.exists());
    let last = || format!("{}: exists; remove old files", path(MAX_NUMBER).display());
    unused.with_context(last)
}

/// Writes a picture into a folder, under an unused name. Returns its path.
pub(super) fn write_picture(folder: &Path, picture: &Image) -> anyhow::Result<PathBuf> {
    create_folder(folder)?;
    // No other process can take the same number.
    let _lock = lock_folder(folder);
    let file = unused_path(folder, "threshold", ".png")?;
    write_png(&file, picture)?;
    Ok(file)
}

/// The world of a report, as named on the command line: the option and its value. `None` is the built-in world.
type NamedWorld<'a> = Option<(&'a str, &'a Path)>;

/// Returns the command that replays the trace of a report, by the rules that differ from the defaults.
fn replay_command(world: NamedWorld<'_>, folder: &Path, rules: &Rules) -> String {
    let world = world.map(|(option, path)| format!(" {option} {}", quoted_path(path)));
    let trace = quoted_path(&folder.join("trace.jsonl"));
    let mut command = format!(
        "threshold replay{} --scenarios {trace} --expect {trace}",
        world.unwrap_or_default(),
    );
    let defaults = Rules::default();
    for ((rule, value), (_, default)) in rules.values().zip(defaults.values()) {
        if value != default {
            command += &format!(" --rule {}={value}", rule.name);
        }
    }
    command
}

/// Returns a path as one word of a shell, valid in any working directory.
fn quoted_path(path: &Path) -> String {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:\\".contains(c);
    if whole.chars().all(is_plain) { whole } else { format!("'{}'", whole.replace('\'', r"'\''")) }
}

/// Writes a report into a new folder. Returns its path. Without a picture, the report states the reason.
pub(super) fn write_report(
    folder: &Path,
    session: &Session,
    world: NamedWorld<'_>,
    picture: Result<&Image, String>,
) -> anyhow::Result<PathBuf> {
    create_folder(folder)?;
    let own = {
        let _lock = lock_folder(folder);
        let own = unused_path(folder, "threshold-report", "")?;
        std::fs::create_dir(&own).map_err(|error| cannot_write(&own, &error))?;
        own
    };
    let written = write_files(&own, session, world, picture);
    if written.is_err() {
        // An incomplete report is of no use. The caller reports the error.
        let _ = std::fs::remove_dir_all(&own);
    }
    written.map(|()| own)
}

/// Writes the files of a report into its folder.
fn write_files(
    folder: &Path,
    session: &Session,
    world: NamedWorld<'_>,
    picture: Result<&Image, String>,
) -> anyhow::Result<()> {
    let trace = folder.join("trace.jsonl");
    let mut out = OutputFile::create(&trace)?;
    let courses = session.journal.write(&mut out, &session.world_name, &session.rules);
    let courses = courses.map_err(|error| cannot_write(&trace, &error))?;
    out.finish()?;
    let mut text = report_text(session, courses, world);
    let command = replay_command(world, folder, &session.rules);
    text += &format!("Replay and compare them with:\n  {command}\n");
    match picture {
        Ok(picture) => write_png(&folder.join("picture.png"), picture)?,
        Err(reason) => text += &format!("No picture: {reason}\n"),
    }
    output::write(&folder.join("report.txt"), text.as_bytes())
}

/// Describes the position of the player, the rules, and the last minute.
fn report_text(session: &Session, courses: usize, world: NamedWorld<'_>) -> String {
    let mut text = format!("threshold {}\n", env!("CARGO_PKG_VERSION"));
    let world = world.map(|(_, path)| path.display().to_string());
    // Writing into a String cannot fail.
    let _ = writeln!(text, "world: {}", world.unwrap_or_else(|| "built-in".to_owned()));
    if let Some(at) = session.position() {
        let _ = writeln!(text, "position: {}", Place::Loc(at));
        if let Some(compass) = Compass::from_position(&at).filter(|_| at.cell.is_outdoor()) {
            let _ = writeln!(text, "compass: {compass:.3}");
        }
        let _ = writeln!(text, "cell: {}, {}", at.cell, session.names.describe(at.cell, &at));
    }
    let stance = &session.player.body.stance;
    let _ = writeln!(
        text,
        "contact: {}, walkable: {}, velocity: {}",
        stance.contact, stance.on_walkable, session.player.body.velocity
    );
    text += "\nrules:\n";
    for (rule, value) in session.rules.values() {
        let _ = writeln!(text, "  {}={value}", rule.name);
    }
    text += "\nchanges of cell in the last minute, in seconds since the start:\n";
    for transit in session.journal.transits() {
        let _ = writeln!(text, "  {:9.2}  {}", transit.time, transit.describe(&session.names));
    }
    text += "\nlast stopped move:\n";
    for line in session.explain_last_stop() {
        let _ = writeln!(text, "  {line}");
    }
    let _ = write!(
        text,
        "\ntrace.jsonl has the reproducible moves of the last minute, courses: {courses}; docs/trace.md describes its \
         format. "
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_motion::rules::{SlidingNormal, Unloaded};

    #[test]
    fn the_replay_command_names_every_rule_that_is_not_the_default() {
        let mut rules = Rules::default();
        let command = |rules: &Rules| replay_command(None, Path::new("/a"), rules);
        assert!(!command(&rules).contains("--rule"));
        rules.unloaded = Unloaded::Blocked;
        rules.sliding_normal = SlidingNormal::Checked;
        let command = command(&rules);
        assert!(command.contains(" --rule unloaded=blocked"), "{command}");
        assert!(command.contains(" --rule sliding_normal=checked"), "{command}");
    }

    #[test]
    fn a_path_with_spaces_and_quotes_is_one_word_of_a_shell() {
        assert_eq!(quoted_path(Path::new("/a/b-1.jsonl")), "/a/b-1.jsonl");
        assert_eq!(quoted_path(Path::new("/my pictures/it's")), r"'/my pictures/it'\''s'");
    }
}
