//! Watching a walk: why a cell is seen, and why another is not.

use threshold_land::CellId;

use crate::seen::Seen;

/// Watches a walk, for a test, a log or a debug view. `()` watches nothing and costs nothing.
///
/// What is seen does not depend on who watches.
pub trait Probe {
    /// Something has happened.
    fn tell(&mut self, told: Told);
}

impl Probe for () {
    fn tell(&mut self, _: Told) {}
}

/// Everything, in order.
impl Probe for Vec<Told> {
    fn tell(&mut self, told: Told) {
        self.push(told);
    }
}

/// Something that happens in a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Told {
    /// A walk begins in a cell, which may enter so many.
    Begins(CellId, usize),
    /// A cell is taken up, for the first time or for new regions.
    Takes(CellId),
    /// An opening was tried.
    Tries(Trial),
    /// A walk ends because it took too long; the cell was seen and not looked through.
    GivesUp(CellId),
}

/// An opening that was tried, and what became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Trial {
    /// The room whose opening it is.
    pub cell: CellId,
    /// Its number in the room's list.
    pub portal: u16,
    /// What it leads to; `None` outdoors. From outdoors this is the room itself.
    pub to: Option<CellId>,
    /// Whether it was looked into from outdoors.
    pub outdoors: bool,
    /// What became of it.
    pub fate: Fate,
}

/// What becomes of an opening that is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Fate {
    /// What is beyond it is seen in a new region.
    Seen,
    /// So it is, whole, because the eye is so near.
    SeenNear,
    /// What is beyond it is seen, and the region was merged with another: there were too many.
    Merged,
    /// What is beyond it was seen there before.
    Known,
    /// The eye is behind it.
    FacesAway,
    /// One has just come in by it.
    CameBy,
    /// It lies before the opening that is looked through.
    Before,
    /// Nothing of it is on the screen.
    OffScreen,
    /// Nothing of it is in the region that is looked through.
    OutOfRegion,
    /// Too little of it is to be seen.
    TooSmall,
    /// The list of what can be seen does not name what is beyond it.
    Refused,
    /// What is beyond it is not resident.
    Missing,
    /// It is no opening to the outdoors of a room that is resident.
    NoOpening,
    /// It leads outdoors and would be seen, but the viewer's own room lacks the flag `seen_outside`. See
    /// [`SeenOutside::Flag`](crate::rules::SeenOutside).
    RootNotSeenOutside,
    /// It leads outdoors and would be seen, but the room it belongs to lacks the flag `seen_outside`.
    RoomNotSeenOutside,
    /// It leads outdoors and would be seen, but the landscape is switched off. See
    /// [`DrawLandscape::Off`](crate::rules::DrawLandscape).
    LandscapeOff,
}

impl Fate {
    /// Whether the opening leads outdoors and would be seen, and a rule keeps the landscape out of it.
    pub fn leaves_landscape_out(self) -> bool {
        matches!(self, Self::RootNotSeenOutside | Self::RoomNotSeenOutside | Self::LandscapeOff)
    }

    /// As part of a sentence: "the opening ...".
    pub fn text(self) -> &'static str {
        match self {
            Self::Seen => "is looked through",
            Self::SeenNear => "is so near that it is looked through whole",
            Self::Merged => "is looked through, in a region that was merged with another",
            Self::Known => "shows nothing that was not seen before",
            Self::FacesAway => "faces away from the eye",
            Self::CameBy => "is the one that is looked in by",
            Self::Before => "lies before the opening that is looked through",
            Self::OffScreen => "is not on the screen",
            Self::OutOfRegion => "is hidden by the edges of the openings before it",
            Self::TooSmall => "is too narrow from here",
            Self::Refused => "leads to what the list of visible cells does not name",
            Self::Missing => "leads to what is not resident",
            Self::NoOpening => "has no room behind it that is resident",
            Self::RootNotSeenOutside => {
                "leads outdoors, but the viewer's room has not the flag seen_outside"
            }
            Self::RoomNotSeenOutside => {
                "leads outdoors, but its room has not the flag seen_outside"
            }
            Self::LandscapeOff => "leads outdoors, but the landscape is switched off",
        }
    }
}

/// Keeps every opening that was tried, to say why a cell is not seen.
#[derive(Clone, Debug, Default)]
pub struct Reasons {
    trials: Vec<Trial>,
    given_up: Vec<CellId>,
}

impl Probe for Reasons {
    fn tell(&mut self, told: Told) {
        match told {
            Told::Tries(trial) => self.trials.push(trial),
            Told::GivesUp(cell) => self.given_up.push(cell),
            Told::Begins(..) | Told::Takes(_) => {}
        }
    }
}

impl Reasons {
    /// The cells beyond openings of what is seen that are not seen themselves, in the order of their ids, with every
    /// opening that might have shown them. A cell with no such opening is not named: nothing that is seen leads there.
    pub fn not_entered(&self, seen: &Seen) -> Vec<(CellId, Vec<Trial>)> {
        let is_seen = |cell: CellId| seen.cell(cell).is_some();
        let unseen = self.trials.iter().filter_map(|trial| trial.to.map(|to| (to, *trial)));
        let mut unseen: Vec<(CellId, Trial)> = unseen.filter(|(to, _)| !is_seen(*to)).collect();
        let place = |trial: &Trial| (trial.cell, trial.portal, trial.outdoors, trial.fate);
        unseen.sort_by_key(|(to, trial)| (*to, place(trial)));
        unseen.dedup_by(|a, b| a == b);
        let cells = unseen.chunk_by(|a, b| a.0 == b.0);
        cells.map(|cell| (cell[0].0, cell.iter().map(|(_, trial)| *trial).collect())).collect()
    }

    /// The openings outdoors that would be seen and show no landscape, each once, in the order of their rooms, with the
    /// rule or the flag that keeps the landscape out.
    pub fn landscape_left_out(&self) -> Vec<Trial> {
        let mut trials: Vec<Trial> =
            self.trials.iter().filter(|trial| trial.fate.leaves_landscape_out()).copied().collect();
        trials.sort_by_key(|trial| (trial.cell, trial.portal, trial.fate));
        trials.dedup();
        trials
    }

    /// The cells that were seen but not looked through when a walk took too long.
    pub fn given_up(&self) -> &[CellId] {
        &self.given_up
    }
}
