//! What happened, kept so that it can be asked who stopped the mover.

use threshold_land::glam::Vec3;
use threshold_land::{CellId, Position};
use threshold_world::{Entry, Reason};

use crate::outcome::Insert;
use crate::probe::{
    Along, Below, CameraMet, Edge, GroundDoes, GroundMet, How, Leaving, Met, Slide, Stage, Surface,
    Who,
};

/// A list of cells, with the reasons and the pick.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Listing {
    pub(super) cells: Vec<(Entry, Option<Reason>)>,
    pub(super) picked: Option<CellId>,
    pub(super) centre: Vec3,
    /// How many spheres were asked for.
    pub(super) spheres: usize,
}

/// Something that happened in a sub-step itself, and not in a step up or a look for ground.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    Met(Met),
    Ground(GroundMet),
    Sea,
    /// What was touched on leaving it is answered now.
    Behind,
    TooHigh {
        height: f32,
        most: f32,
    },
    StepUp(StepUp),
    /// Ground was looked for, and what was where the mover would have stood.
    Looked(Below, Option<Meeting>),
    Landing(bool),
    Slides(Slide),
    /// With what it belongs to.
    Edge(Edge, Option<Floor>),
    Leaves(Leaving),
    Camera(CameraMet),
    /// What is put somewhere is pushed out of this.
    Pushed {
        polygon: Option<u32>,
        normal: Vec3,
    },
}

/// A step up that was tried.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StepUp {
    pub(super) height: f32,
    pub(super) stepped: bool,
    /// What the look for ground said last.
    pub(super) below: Option<Below>,
    /// What was where the mover would have stood.
    pub(super) taken: Option<Meeting>,
}

/// A surface that was met, and of what it is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Meeting {
    pub(super) met: Met,
    pub(super) who: Vec<Who>,
}

/// Something that can be stood on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Floor {
    pub(super) who: Vec<Who>,
    pub(super) polygon: Option<u32>,
    pub(super) normal: Vec3,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Happening {
    pub(super) who: Vec<Who>,
    pub(super) what: What,
}

/// A sub-step, or a place that was tried for something that is put there.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Chapter {
    pub(super) stage: Stage,
    pub(super) wished: Vec3,
    pub(super) left: Option<(Vec3, Along)>,
    /// Nothing was left of it.
    pub(super) went: bool,
    pub(super) happenings: Vec<Happening>,
    pub(super) answer: Option<Insert>,
    pub(super) ended: Option<Position>,
    pub(super) hit: Option<Vec3>,
}

/// Everything that happened.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Account {
    pub(super) cut: Option<(Vec3, f32, u32)>,
    pub(super) chapters: Vec<Chapter>,
    /// The last list of cells with each pick, the very last at the end.
    pub(super) listings: Vec<Listing>,
    /// The last list that picked another cell than the one before.
    pub(super) crossing: Option<Listing>,
    pub(super) stationary: u8,
    /// What was found to stand on, in order.
    pub(super) floors: Vec<Floor>,
}

impl Chapter {
    pub(super) fn new(stage: Stage, wished: Vec3) -> Self {
        Self {
            stage,
            wished,
            left: None,
            went: false,
            happenings: Vec::new(),
            answer: None,
            ended: None,
            hit: None,
        }
    }

    /// Whether the mover was not let through.
    pub(super) fn is_stopped(&self) -> bool {
        self.answer.is_some_and(|answer| answer != Insert::Ok)
    }

    /// The index of the last thing that was in the way. Who found ground but no room on it was not stopped by an edge.
    pub(super) fn obstacle(&self) -> Option<usize> {
        let index = self.last_obstacle()?;
        if !matches!(self.happenings[index].what, What::Edge(Edge::NoEdge, _)) {
            return Some(index);
        }
        let taken = self.look_before(index).filter(|look| {
            let what = &self.happenings[*look].what;
            matches!(what, What::Looked(Below::NoRoom, Some(_)))
        });
        taken.or(Some(index))
    }

    /// Of an edge, the look for ground that came before it, and before it was looked back for the polygon that it stood on.
    pub(super) fn look_before(&self, edge: usize) -> Option<usize> {
        if !matches!(self.happenings.get(edge)?.what, What::Edge(..)) {
            return None;
        }
        let is_back = |what: &What| matches!(what, What::Edge(Edge::LooksBack, _));
        let is_look = |what: &What| matches!(what, What::Looked(..));
        let before = |end: usize, is: &dyn Fn(&What) -> bool| {
            self.happenings[..end].iter().rposition(|happening| is(&happening.what))
        };
        let looks = self.happenings[..edge].iter().rev();
        // A look back belongs to this edge only if nothing but looks lie between.
        let between = looks.take_while(|happening| is_look(&happening.what)).count();
        let back = before(edge, &is_back).filter(|back| *back + between + 1 == edge);
        before(back.unwrap_or(edge), &is_look)
    }

    fn last_obstacle(&self) -> Option<usize> {
        let mut behind = false;
        (0..self.happenings.len()).rev().find(|index| match &self.happenings[*index].what {
            What::Met(met) => match met.how {
                How::Leaves => behind,
                _ => !self.is_landed(*index) && !self.is_stepped_on(*index),
            },
            What::Ground(ground) => {
                matches!(ground.does, GroundDoes::SteepStops | GroundDoes::TooFarUp(_))
                    || ground.hits && !ground.walkable
            }
            What::Sea => true,
            What::Behind => {
                behind = true;
                false
            }
            What::Leaves(leaving) => !matches!(leaving, Leaving::Looked | Leaving::Lost),
            What::Camera(_) => true,
            What::Edge(edge, _) => {
                matches!(edge, Edge::Steep { .. } | Edge::Crossed { .. } | Edge::NoEdge)
            }
            What::TooHigh { .. }
            | What::Looked(..)
            | What::StepUp(_)
            | What::Landing(_)
            | What::Slides(_) => false,
            What::Pushed { .. } => true,
        })
    }

    /// The index of the last thing that it came down on or stepped onto.
    pub(super) fn footing(&self) -> Option<usize> {
        (0..self.happenings.len()).rev().find(|index| match &self.happenings[*index].what {
            What::Met(met) => {
                met.how != How::Leaves && (self.is_landed(*index) || self.is_stepped_on(*index))
            }
            What::Ground(ground) => ground.hits && ground.walkable,
            _ => false,
        })
    }

    /// What came of it: everything after an index, up to the next thing that is met.
    pub(super) fn after(&self, index: usize) -> impl Iterator<Item = &What> {
        let rest = self.happenings.get(index + 1..).unwrap_or_default();
        let goes_on = |happening: &&Happening| !matches!(happening.what, What::Met(_));
        rest.iter().take_while(goes_on).map(|happening| &happening.what)
    }

    pub(super) fn is_stepped_on(&self, index: usize) -> bool {
        self.after(index).any(|what| matches!(what, What::StepUp(step) if step.stepped))
    }

    /// Whether what was met in the air could be stood on.
    pub(super) fn is_landed(&self, index: usize) -> bool {
        let after = self.happenings.get(index + 1..).unwrap_or_default();
        after.iter().any(|happening| matches!(happening.what, What::Landing(true)))
    }

    /// Whether a slide left something of the way.
    pub(super) fn slid(&self, index: usize) -> Option<&Slide> {
        self.after(index).find_map(|what| match what {
            What::Slides(slide) => Some(slide),
            _ => None,
        })
    }
}

impl Account {
    /// Sub-steps and tries in which something was in the way, with where in them.
    pub(super) fn obstacles(&self) -> impl DoubleEndedIterator<Item = (&Chapter, usize)> {
        self.chapters.iter().filter_map(|chapter| Some((chapter, chapter.obstacle()?)))
    }

    /// What decided where the mover is: what took back the last sub-step, else what it slid along last.
    pub(super) fn stopper(&self) -> Option<(&Chapter, usize)> {
        let put = self.chapters.iter().any(|chapter| matches!(chapter.stage, Stage::PushOut));
        // Of something that is put somewhere, what is in the way where it should be.
        if put {
            let first = |(chapter, _): &(&Chapter, usize)| match chapter.stage {
                Stage::PushOut => true,
                Stage::Try { number, .. } => number == 0 && chapter.is_stopped(),
                _ => false,
            };
            let lifted = || Some((self.chapters.first()?, self.chapters.first()?.footing()?));
            return self.obstacles().rfind(first).or_else(lifted);
        }
        let stopped = self.obstacles().rev().find(|(chapter, _)| chapter.is_stopped());
        let turned = || self.obstacles().next_back();
        let footings = self.chapters.iter().rev();
        stopped
            .or_else(turned)
            .or_else(|| footings.filter_map(|chapter| Some((chapter, chapter.footing()?))).next())
    }
}

/// A surface that is as good as another: the same polygon of the same thing.
pub(super) fn is_same(a: &Happening, b: &Happening) -> bool {
    let surface = |happening: &Happening| match &happening.what {
        What::Met(met) => Some(met.surface),
        _ => None,
    };
    let same_sort = std::mem::discriminant(&a.what) == std::mem::discriminant(&b.what);
    let surfaces: [Option<Surface>; 2] = [surface(a), surface(b)];
    a.who == b.who && same_sort && surfaces[0] == surfaces[1]
}
