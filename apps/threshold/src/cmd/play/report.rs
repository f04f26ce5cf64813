//! Pictures, and reports of defects.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context;
use threshold_land::Compass;
use threshold_land::Place;
use threshold_render::images::Image;

use super::Session;
use crate::output::{self, OutputFile, cannot_write, create_folder, lock_folder};
use crate::picture::write_png;

/// A file or folder of a name that is not taken: numbered from 1 on.
fn free(folder: &Path, name: &str, ending: &str) -> anyhow::Result<PathBuf> {
    let path = |number: u32| folder.join(format!("{name}-{number:03}{ending}"));
    (1..=9999).map(path).find(|path| !path.exists()).context("there are too many already")
}

/// Writes a picture into a folder; says where it is.
pub(super) fn picture(folder: &Path, picture: &Image) -> anyhow::Result<PathBuf> {
    create_folder(folder)?;
    // So that no other process takes the same number.
    let _lock = lock_folder(folder);
    let file = free(folder, "threshold", ".png")?;
    write_png(&file, picture)?;
    Ok(file)
}

/// What a report says of how it is run again.
struct Again<'a> {
    /// How the world was named on the command line, if it was.
    world: Option<(&'a str, &'a Path)>,
    folder: &'a Path,
}

impl Again<'_> {
    fn command(&self) -> String {
        let world = self.world.map(|(option, path)| format!(" {option} {}", quoted(path)));
        let trace = quoted(&self.folder.join("trace.jsonl"));
        format!(
            "threshold replay{} --scenarios {trace} --expect {trace} --rule unloaded=blocked",
            world.unwrap_or_default(),
        )
    }
}

/// A path as a shell takes it, from anywhere.
fn quoted(path: &Path) -> String {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:\\".contains(c);
    if whole.chars().all(is_plain) { whole } else { format!("'{}'", whole.replace('\'', r"'\''")) }
}

/// Writes a report into a folder of its own; says where that is. Where there is no picture, the report says why.
pub(super) fn report(
    folder: &Path,
    session: &Session,
    world: Option<(&str, &Path)>,
    shown: Result<&Image, String>,
) -> anyhow::Result<PathBuf> {
    create_folder(folder)?;
    let own = {
        let _lock = lock_folder(folder);
        let own = free(folder, "threshold-report", "")?;
        std::fs::create_dir(&own).map_err(|error| cannot_write(&own, &error))?;
        own
    };
    let written = fill(&own, session, world, shown);
    if written.is_err() {
        // A part of a report is none; why it could not be written is said.
        let _ = std::fs::remove_dir_all(&own);
    }
    written.map(|()| own)
}

/// Writes the files of a report into its folder.
fn fill(
    own: &Path,
    session: &Session,
    world: Option<(&str, &Path)>,
    shown: Result<&Image, String>,
) -> anyhow::Result<()> {
    let trace = own.join("trace.jsonl");
    let mut out = OutputFile::create(&trace)?;
    let courses = session.journal.write(&mut out, &session.world_name, &session.rules);
    let courses = courses.map_err(|error| cannot_write(&trace, &error))?;
    out.finish()?;
    let again = Again { world, folder: own };
    let mut text = words(session, courses, &again);
    match shown {
        Ok(picture) => write_png(&own.join("picture.png"), picture)?,
        Err(why) => text += &format!("There is no picture: {why}\n"),
    }
    output::write(&own.join("report.txt"), text.as_bytes())
}

/// Where somebody is, by which rules, and what has happened.
fn words(session: &Session, courses: usize, again: &Again<'_>) -> String {
    let mut text = format!("threshold {}\n", env!("CARGO_PKG_VERSION"));
    let world = again.world.map(|(_, path)| path.display().to_string());
    // Text is put together in memory.
    let _ = writeln!(text, "world: {}", world.unwrap_or_else(|| "the built-in one".to_owned()));
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
    text += "\nthe last step that something was in the way of:\n";
    for line in session.explain_last_stop() {
        let _ = writeln!(text, "  {line}");
    }
    let _ = write!(
        text,
        "\ntrace.jsonl has the moves of the last minute that come to the same again, in {courses} courses; docs/trace.md describes it. They are run again, and \
         compared, with:\n  {}\n",
        again.command()
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_spaces_and_quotes_is_one_word_of_a_shell() {
        assert_eq!(quoted(Path::new("/a/b-1.jsonl")), "/a/b-1.jsonl");
        assert_eq!(quoted(Path::new("/my pictures/it's")), r"'/my pictures/it'\''s'");
    }
}
