//! What happened, kept so that it can be asked who stopped the mover.

use threshold_land::glam::Vec3;
use threshold_land::{CellId, Plane, Position};
use threshold_motion::Insert;
use threshold_motion::probe::{
    CameraContact, CellExit, CollisionTarget, ContactKind, EdgeResponse, GroundContact,
    GroundEffect, GroundSearchResult, OffsetLimit, Slide, SlideEnd, Stage, SurfaceContact,
    SurfaceKind,
};
use threshold_world::{ListedCell, Reason, RecordId};

/// A list of cells, with the reasons and the pick.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Listing {
    pub(super) cells: Vec<(ListedCell, Option<Reason>)>,
    pub(super) picked: Option<CellId>,
    pub(super) centre: Vec3,
    /// How many spheres were asked for.
    pub(super) spheres: usize,
    /// In which sub-step, from 1; 0 outside of any.
    pub(super) sub_step: usize,
}

/// Something that happened in a sub-step itself, and not in a step up or a look for ground.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    Met(SurfaceContact),
    Ground(GroundContact),
    Sea,
    /// The mover may not enter the cell, which this object guards.
    Restricted {
        cell: CellId,
        object: RecordId,
    },
    /// What was touched on leaving it is answered now, as if it faced the other way.
    Behind {
        touched: Option<Meeting>,
        normal: Vec3,
    },
    TooHigh {
        height: f32,
        most: f32,
    },
    StepUp(StepUp),
    Looked(Look),
    Landing(bool),
    Slides(Slide),
    /// With what it belongs to.
    Edge(EdgeResponse, Option<Floor>),
    Leaves(CellExit),
    Camera(CameraContact),
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
    pub(super) look: Option<Look>,
    /// What it stands on then, and how far up.
    pub(super) onto: Option<(Floor, f32)>,
}

/// A look for ground.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Look {
    pub(super) found: GroundSearchResult,
    /// How far it went.
    pub(super) height: f32,
    /// What was where the mover would have stood.
    pub(super) taken: Option<Meeting>,
    /// No cell was there.
    pub(super) nowhere: bool,
    /// Ground was there that would have lifted the mover too much.
    pub(super) too_high: Option<f32>,
}

/// A surface that was met, and of what it is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Meeting {
    pub(super) met: SurfaceContact,
    pub(super) who: Vec<CollisionTarget>,
}

/// Something that can be stood on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Floor {
    pub(super) who: Vec<CollisionTarget>,
    pub(super) polygon: Option<u32>,
    pub(super) plane: Plane,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Happening {
    pub(super) who: Vec<CollisionTarget>,
    pub(super) what: What,
}

/// A sub-step, or a place that was tried for something that is put there.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Chapter {
    pub(super) stage: Stage,
    pub(super) wished: Vec3,
    pub(super) left: Option<(Vec3, OffsetLimit)>,
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
    /// Every list of cells, in order.
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

    /// Whether something was in the way: it changed the way of the mover, or took it back.
    pub(super) fn is_obstacle(&self, index: usize) -> bool {
        match &self.happenings[index].what {
            What::Met(met) => {
                met.kind != ContactKind::Leaves
                    && !self.is_landed(index)
                    && !self.is_stepped_on(index)
                    && !self.is_brushed(index)
            }
            What::Behind { .. } => !self.is_stepped_on(index) && !self.is_brushed(index),
            What::Ground(ground) => {
                matches!(ground.effect, GroundEffect::SteepStops | GroundEffect::TooFarUp(_))
                    || ground.hits && !ground.walkable
            }
            What::Leaves(leaving) => {
                !matches!(leaving, CellExit::GroundSearch | CellExit::Reseated | CellExit::Lost)
            }
            What::Sea | What::Restricted { .. } | What::Camera(_) | What::Pushed { .. } => true,
            What::Edge(edge, _) => {
                let is_last =
                    matches!(edge, EdgeResponse::NoEdge) && self.is_without_room(index).is_none();
                is_last
                    || matches!(
                        edge,
                        EdgeResponse::CliffSlide { .. } | EdgeResponse::PrecipiceSlide { .. }
                    )
            }
            // Who found ground but no room on it was not stopped by an edge.
            What::Looked(look) => look.taken.is_some() && self.leaves_no_room(index),
            What::TooHigh { .. } | What::StepUp(_) | What::Landing(_) | What::Slides(_) => false,
        }
    }

    /// Whether something was run into that faces against the ground, and did not change the way.
    pub(super) fn is_brushed(&self, index: usize) -> bool {
        let opposed = |slide: &Slide| slide.end == SlideEnd::Opposed;
        !self.is_stopped() && self.slid(index).is_some_and(opposed)
    }

    /// Of the lack of an edge, the look that found ground without room.
    fn is_without_room(&self, edge: usize) -> Option<usize> {
        self.look_before(edge).filter(|look| {
            let what = &self.happenings[*look].what;
            matches!(
                what,
                What::Looked(Look { found: GroundSearchResult::NoRoom, taken: Some(_), .. })
            )
        })
    }

    fn leaves_no_room(&self, look: usize) -> bool {
        let ends = |what: &What| matches!(what, What::Edge(EdgeResponse::NoEdge, _));
        let edges = (look..self.happenings.len()).filter(|i| ends(&self.happenings[*i].what));
        edges.into_iter().any(|edge| self.is_without_room(edge) == Some(look))
    }

    /// The direction in which something pushed the mover.
    pub(super) fn push(&self, index: usize) -> Option<Vec3> {
        // What faces against the ground counts as facing against the way.
        let slid = self.slid(index).map(|slide| match slide.end {
            SlideEnd::Opposed => -slide.movement.normalize_or_zero(),
            _ => slide.normal,
        });
        match &self.happenings[index].what {
            What::Met(met) => slid.or(met.normal),
            What::Behind { normal, .. } => Some(slid.unwrap_or(*normal)),
            What::Ground(ground) => Some(ground.plane.normal),
            What::Edge(EdgeResponse::PrecipiceSlide { normal, .. }, _) => Some(*normal),
            What::Edge(EdgeResponse::CliffSlide { away, .. }, _) => Some(*away),
            What::Camera(
                CameraContact::Ridge { normal, .. }
                | CameraContact::Ground { normal, .. }
                | CameraContact::Underground { normal, .. },
            ) => Some(*normal),
            _ => None,
        }
    }

    /// Of an edge, the look for ground that came before it, and before it was looked back for the polygon that it stood on.
    pub(super) fn look_before(&self, edge: usize) -> Option<usize> {
        if !matches!(self.happenings.get(edge)?.what, What::Edge(..)) {
            return None;
        }
        let is_back = |what: &What| matches!(what, What::Edge(EdgeResponse::LookBack, _));
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

    /// That look, and those right before it, which went on from one another.
    pub(super) fn looks_before(&self, edge: usize) -> Vec<&Look> {
        let end = self.look_before(edge).map_or(0, |look| look + 1);
        let looks = self.happenings[..end].iter().rev().map_while(|happening| {
            if let What::Looked(look) = &happening.what { Some(look) } else { None }
        });
        looks.collect()
    }

    /// The index of the last thing that it came down on or stepped onto.
    pub(super) fn footing(&self) -> Option<usize> {
        let last = self.last_footing()?;
        let carries = |index: usize| match &self.happenings[index].what {
            What::Ground(ground) => Some((ground.cell, ground.effect)),
            _ => None,
        };
        let Some((cell, GroundEffect::Carries)) = carries(last) else { return Some(last) };
        // What carries it now may have lifted it before.
        let lifts = |index: &usize| matches!(carries(*index), Some((of, GroundEffect::Lifts(_))) if of == cell);
        (0..last).rev().find(lifts).or(Some(last))
    }

    fn last_footing(&self) -> Option<usize> {
        (0..self.happenings.len()).rev().find(|index| match &self.happenings[*index].what {
            What::Met(met) => {
                met.kind != ContactKind::Leaves
                    && (self.is_landed(*index) || self.is_stepped_on(*index))
            }
            What::Ground(ground) => ground.hits && ground.walkable,
            _ => false,
        })
    }

    /// What came of it: everything after an index, up to the next thing that is met.
    pub(super) fn after(&self, index: usize) -> impl Iterator<Item = &What> {
        let rest = self.happenings.get(index + 1..).unwrap_or_default();
        let is_next = |what: &What| {
            matches!(
                what,
                What::Met(_) | What::Behind { .. } | What::Edge(..) | What::Pushed { .. }
            )
        };
        rest.iter().map(|happening| &happening.what).take_while(move |what| !is_next(what))
    }

    /// The step up onto it.
    pub(super) fn stepped(&self, index: usize) -> Option<&StepUp> {
        self.after(index).find_map(|what| match what {
            What::StepUp(step) if step.stepped => Some(step),
            _ => None,
        })
    }

    pub(super) fn is_stepped_on(&self, index: usize) -> bool {
        self.stepped(index).is_some()
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

    /// Everything in it that is so, by index.
    pub(super) fn all(
        &self,
        is: impl Fn(&Self, usize) -> bool,
    ) -> impl DoubleEndedIterator<Item = usize> {
        (0..self.happenings.len()).filter(move |index| is(self, *index))
    }
}

impl Account {
    /// What was in the way, in order: the sub-step or try, and where in it.
    pub(super) fn obstacles(&self) -> impl DoubleEndedIterator<Item = (&Chapter, usize)> {
        self.all(|chapter, index| chapter.is_obstacle(index) || self.is_felt(chapter, index))
    }

    /// Whether something that was only brushed turns a later sub-step aside.
    pub(super) fn is_felt(&self, chapter: &Chapter, index: usize) -> bool {
        let push = chapter.push(index).map(|push| Vec3::new(push.x, push.y, 0.0));
        let Some(push) = push.and_then(Vec3::try_normalize) else { return false };
        let begun = self.chapters.iter().skip_while(|other| other.stage != chapter.stage).skip(1);
        let mut later = begun.filter_map(|chapter| match chapter.left {
            Some((_, OffsetLimit::Wall(wall) | OffsetLimit::Crease { wall, .. })) => Some(wall),
            _ => None,
        });
        chapter.is_brushed(index) && later.any(|wall| wall.dot(push) > 0.99)
    }

    /// Everything that is so, in order.
    pub(super) fn all(
        &self,
        is: impl Fn(&Chapter, usize) -> bool + Copy,
    ) -> impl DoubleEndedIterator<Item = (&Chapter, usize)> {
        self.chapters
            .iter()
            .flat_map(move |chapter| chapter.all(is).map(move |index| (chapter, index)))
    }

    /// Whether the last sub-step was taken back, or nothing was left of it.
    pub(super) fn ends_stopped(&self) -> bool {
        self.chapters.last().is_some_and(Chapter::is_stopped)
    }

    /// What decided where the mover is: what took back the last sub-step that was, or else what turned it. Of several the last
    /// that pushed it as the end has it.
    pub(super) fn stopper(&self, hit: Option<Vec3>) -> Option<(&Chapter, usize)> {
        let put = self.chapters.iter().any(|chapter| matches!(chapter.stage, Stage::PushOut));
        // Of something that is put somewhere, what is in the way where it should be.
        if put {
            let first = |(chapter, _): &(&Chapter, usize)| match chapter.stage {
                Stage::PushOut => true,
                Stage::PlacementTry { number, .. } => number == 0 && chapter.is_stopped(),
                _ => false,
            };
            let lifted = || Some((self.chapters.first()?, self.chapters.first()?.footing()?));
            return self.obstacles().rfind(first).or_else(lifted);
        }
        let is_hit = |(chapter, index): &(&Chapter, usize)| {
            let push = chapter.push(*index).and_then(Vec3::try_normalize);
            push.zip(hit).is_some_and(|(push, hit)| push.dot(hit) > 0.99)
        };
        let last = self.obstacles().rfind(|(chapter, _)| chapter.is_stopped());
        let stopped = last.map(|(stopped, last)| {
            let within = stopped.all(Chapter::is_obstacle).map(|index| (stopped, index));
            within.rev().find(is_hit).unwrap_or((stopped, last))
        });
        let turned = || self.obstacles().rfind(is_hit).or_else(|| self.obstacles().next_back());
        let footings = self.chapters.iter().rev();
        stopped
            .or_else(turned)
            .or_else(|| footings.filter_map(|chapter| Some((chapter, chapter.footing()?))).next())
    }
}

/// A surface that is as good as another: the same polygon of the same thing.
pub(super) fn is_same(a: &Happening, b: &Happening) -> bool {
    fn surface(happening: &Happening) -> Option<(SurfaceKind, &[CollisionTarget])> {
        match &happening.what {
            What::Met(met) => Some((met.surface, &happening.who)),
            What::Behind { touched: Some(Meeting { met, who }), .. } => Some((met.surface, who)),
            _ => None,
        }
    }
    let same_sort = std::mem::discriminant(&a.what) == std::mem::discriminant(&b.what);
    match (surface(a), surface(b)) {
        (None, None) => a.who == b.who && same_sort,
        (a, b) => a == b,
    }
}
