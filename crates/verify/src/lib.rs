//! Hashes of what Threshold computes, to be compared between machines.
//!
//! The same input gives the same bits on every machine. [`verify`] shows it: it runs the recorded
//! scenarios of the project, forges the built-in world, looks out of each of its rooms and moves a
//! crowd through it. Each section gives a hash of all bits of its results, and the hashes are
//! compared with the pinned ones of `expected.txt`.
//!
//! ```
//! use threshold_verify::{Scope, verify};
//!
//! let report = verify(Scope::Quick, &mut |progress| {
//!     eprintln!("{}: {} of {}", progress.section, progress.done, progress.total);
//! })?;
//! print!("{report}");
//! for mismatch in report.mismatches() {
//!     println!("{} differs: found {}", mismatch.name(), mismatch.found);
//! }
//! # assert_eq!(report.mismatches(), []);
//! # Ok::<(), threshold_verify::VerifyError>(())
//! ```
//!
//! The call reads no file, no clock and no environment, and starts no thread, so it runs in a
//! browser; scenarios and their worlds are part of the crate. With the feature `rayon` of
//! `threshold-motion` the crowd is moved on all cores, with the same hash.
//!
//! A hash that differs on one machine and not on another is a defect of the engine or of the
//! compiler. One that differs on all machines is a changed result: `docs/determinism.md` says how
//! to renew the pinned hashes.
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod carried;
mod crowd;
mod expected;
mod hash;
mod made;
mod random;
mod report;
mod scenarios;
mod views;

pub use expected::{Mismatch, expected};
pub use hash::ResultHash;
pub use random::SplitMix;
pub use report::{Report, Scope, Section};

use hash::ResultHasher;
use threshold_conformance::{NotRun, ParseError};
use threshold_dat::EncodeError;
use threshold_forge::ForgeError;
use threshold_view::ViewerError;
use threshold_world::{Fault, Problem};

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The section in progress.
    pub section: Section,
    /// Finished steps of its stage: scenarios of all kinds, files, rooms, or bodies and ticks.
    pub done: usize,
    /// All steps of the stage.
    pub total: usize,
}

/// Why a run could not be finished.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The carried scenarios or records cannot be unpacked.
    #[error("the carried scenarios cannot be unpacked: {0}")]
    Unpack(#[from] std::io::Error),
    /// A carried scenario cannot be read.
    #[error("a carried scenario cannot be read: {0}")]
    Parse(#[from] ParseError),
    /// A scenario cannot be run.
    #[error("scenario {0}: {1}")]
    Scenario(String, NotRun),
    /// The built-in world cannot be made.
    #[error(transparent)]
    Forge(#[from] ForgeError),
    /// Its records cannot be written.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// A piece of it cannot be built.
    #[error(transparent)]
    Build(#[from] Fault),
    /// The setup of the bodies cannot be used.
    #[error("the setup of the bodies: {0}")]
    Setup(#[from] Problem),
    /// There is no room for a body of the crowd.
    #[error("there is no room for body {0}")]
    NoRoom(u32),
    /// A viewer cannot be placed.
    #[error(transparent)]
    Viewer(#[from] ViewerError),
}

impl From<std::io::ErrorKind> for VerifyError {
    fn from(kind: std::io::ErrorKind) -> Self {
        Self::Unpack(kind.into())
    }
}

/// Computes the hashes of a scope. Takes seconds ([`Scope::Quick`]) or up to a minute.
///
/// An error means that the run itself failed; a hash that differs is not an error, but one of
/// [`Report::mismatches`].
pub fn verify(scope: Scope, progress: &mut dyn FnMut(Progress)) -> Result<Report, VerifyError> {
    let sections = hashers(scope, progress)?;
    let sections = sections.into_iter().map(|(section, hasher)| (section, hasher.finish()));
    Ok(Report { scope, sections: sections.collect() })
}

fn hashers(
    scope: Scope,
    progress: &mut dyn FnMut(Progress),
) -> Result<Vec<(Section, ResultHasher)>, VerifyError> {
    let mut sections = scenarios::run(scope, progress)?;
    let (mut scene, files) = made::run(progress)?;
    sections.extend(files);
    // Before the crowd: its bodies would stay in the world.
    sections.push((Section::Views, views::run(scope, &scene.world, progress)?));
    sections.push((Section::Crowd, crowd::run(scope, &mut scene, progress)?));
    Ok(sections)
}

#[cfg(test)]
mod tests;
