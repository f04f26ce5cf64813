//! Questions about one section of a sweep: which incident was an obstacle, and what followed it.

use threshold_land::vector::Vec3;
use threshold_motion::Insert;
use threshold_motion::probe::{
    CameraContact, CellExit, ContactKind, EdgeResponse, GroundEffect, GroundSearchResult, Slide,
    SlideEnd, Stage,
};

use super::{GroundSearchRecord, IncidentKind, Section, StepUp};

impl Section {
    fn kind(&self, index: usize) -> &IncidentKind {
        &self.incidents[index].kind
    }

    pub(crate) fn new(stage: Stage, requested: Vec3) -> Self {
        Self {
            stage,
            requested,
            remaining: None,
            moved: false,
            incidents: Vec::new(),
            answer: None,
            end: None,
            hit: None,
        }
    }

    /// Returns whether the section was taken back.
    pub(crate) fn is_stopped(&self) -> bool {
        self.answer.is_some_and(|answer| answer != Insert::Ok)
    }

    /// Returns whether an incident turned the mover aside or took the section back.
    pub(crate) fn is_obstacle(&self, index: usize) -> bool {
        match self.kind(index) {
            IncidentKind::Surface(contact) => {
                contact.kind != ContactKind::Leaves
                    && !self.is_landed(index)
                    && !self.is_stepped_on(index)
                    && !self.is_brushed(index)
            }
            IncidentKind::DeferredHit { .. } => {
                !self.is_stepped_on(index) && !self.is_brushed(index)
            }
            IncidentKind::Ground(ground) => {
                matches!(ground.effect, GroundEffect::SteepStops | GroundEffect::TooFarUp(_))
                    || ground.hits && !ground.walkable
            }
            IncidentKind::CellExit(exit) => {
                !matches!(exit, CellExit::GroundSearch | CellExit::Reseated | CellExit::Lost)
            }
            IncidentKind::AllWater
            | IncidentKind::EntryDenied { .. }
            | IncidentKind::Camera(_)
            | IncidentKind::PushedOut { .. } => true,
            IncidentKind::Edge(edge, _) => match edge {
                EdgeResponse::NoEdge => self.search_without_room(index).is_none(),
                EdgeResponse::CliffSlide { .. } | EdgeResponse::PrecipiceSlide { .. } => true,
                _ => false,
            },
            // A mover that found ground without room on it was not stopped by an edge.
            IncidentKind::GroundSearch(search) => {
                search.blocker.is_some() && self.leaves_no_room(index)
            }
            IncidentKind::StepTooHigh { .. }
            | IncidentKind::StepUp(_)
            | IncidentKind::Landing(_)
            | IncidentKind::Slide(_) => false,
        }
    }

    /// Returns whether a surface was hit that opposes the ground and did not change the move.
    pub(crate) fn is_brushed(&self, index: usize) -> bool {
        let opposed = |slide: &Slide| slide.end == SlideEnd::Opposed;
        !self.is_stopped() && self.slide(index).is_some_and(opposed)
    }

    /// Returns the search before an edge if it found ground without room on it.
    fn search_without_room(&self, edge: usize) -> Option<usize> {
        self.search_before(edge).filter(|search| {
            matches!(
                self.kind(*search),
                IncidentKind::GroundSearch(GroundSearchRecord {
                    result: GroundSearchResult::NoRoom,
                    blocker: Some(_),
                    ..
                })
            )
        })
    }

    fn leaves_no_room(&self, search: usize) -> bool {
        let is_end =
            |kind: &IncidentKind| matches!(kind, IncidentKind::Edge(EdgeResponse::NoEdge, _));
        (search..self.incidents.len())
            .filter(|index| is_end(self.kind(*index)))
            .any(|edge| self.search_without_room(edge) == Some(search))
    }

    /// Returns the direction in which an incident pushed the mover.
    pub(crate) fn push(&self, index: usize) -> Option<Vec3> {
        // A surface that opposes the ground counts as facing against the move.
        let slide_normal = self.slide(index).map(|slide| match slide.end {
            SlideEnd::Opposed => -slide.movement.normalize_or_zero(),
            _ => slide.normal,
        });
        match self.kind(index) {
            IncidentKind::Surface(contact) => slide_normal.or(contact.normal),
            IncidentKind::DeferredHit { normal, .. } => Some(slide_normal.unwrap_or(*normal)),
            IncidentKind::Ground(ground) => Some(ground.plane.normal),
            IncidentKind::Edge(EdgeResponse::PrecipiceSlide { normal, .. }, _) => Some(*normal),
            IncidentKind::Edge(EdgeResponse::CliffSlide { away, .. }, _) => Some(*away),
            IncidentKind::Camera(
                CameraContact::Ridge { normal, .. }
                | CameraContact::Ground { normal, .. }
                | CameraContact::Underground { normal, .. },
            ) => Some(*normal),
            _ => None,
        }
    }

    /// Returns the ground search before an edge; if the mover also looked back for the polygon it stood on, the search before
    /// that.
    pub(crate) fn search_before(&self, edge: usize) -> Option<usize> {
        if !matches!(self.incidents.get(edge)?.kind, IncidentKind::Edge(..)) {
            return None;
        }
        let is_look_back =
            |kind: &IncidentKind| matches!(kind, IncidentKind::Edge(EdgeResponse::LookBack, _));
        let is_search = |kind: &IncidentKind| matches!(kind, IncidentKind::GroundSearch(..));
        let last_before = |end: usize, filter: &dyn Fn(&IncidentKind) -> bool| {
            self.incidents[..end].iter().rposition(|incident| filter(&incident.kind))
        };
        let earlier = self.incidents[..edge].iter().rev();
        // A look back belongs to this edge only if nothing but searches lies between them.
        let between = earlier.take_while(|incident| is_search(&incident.kind)).count();
        let look_back =
            last_before(edge, &is_look_back).filter(|index| *index + between + 1 == edge);
        last_before(look_back.unwrap_or(edge), &is_search)
    }

    /// Returns that search and the ones right before it, which continue one another; the last comes first.
    pub(crate) fn searches_before(&self, edge: usize) -> Vec<&GroundSearchRecord> {
        let end = self.search_before(edge).map_or(0, |search| search + 1);
        let searches =
            self.incidents[..end].iter().rev().map_while(|incident| match &incident.kind {
                IncidentKind::GroundSearch(search) => Some(search),
                _ => None,
            });
        searches.collect()
    }

    /// Returns the index of the last incident by which the mover landed on or stepped onto something.
    pub(crate) fn footing(&self) -> Option<usize> {
        let last = self.last_footing()?;
        let ground = |index: usize| match self.kind(index) {
            IncidentKind::Ground(ground) => Some((ground.cell, ground.effect)),
            _ => None,
        };
        let Some((cell, GroundEffect::Carries)) = ground(last) else { return Some(last) };
        // The ground that carries the mover now may have lifted it before.
        let lifts = |index: &usize| matches!(ground(*index), Some((of, GroundEffect::Lifts(_))) if of == cell);
        (0..last).rev().find(lifts).or(Some(last))
    }

    fn last_footing(&self) -> Option<usize> {
        (0..self.incidents.len()).rev().find(|index| match self.kind(*index) {
            IncidentKind::Surface(contact) => {
                contact.kind != ContactKind::Leaves
                    && (self.is_landed(*index) || self.is_stepped_on(*index))
            }
            IncidentKind::Ground(ground) => ground.hits && ground.walkable,
            _ => false,
        })
    }

    /// Returns the incidents that follow from one: those after it, up to the next contact.
    pub(crate) fn after(&self, index: usize) -> impl Iterator<Item = &IncidentKind> {
        let rest = self.incidents.get(index + 1..).unwrap_or_default();
        let is_next = |kind: &IncidentKind| {
            matches!(
                kind,
                IncidentKind::Surface(_)
                    | IncidentKind::DeferredHit { .. }
                    | IncidentKind::Edge(..)
                    | IncidentKind::PushedOut { .. }
            )
        };
        rest.iter().map(|incident| &incident.kind).take_while(move |kind| !is_next(kind))
    }

    /// Returns the successful step up that an incident led to.
    pub(crate) fn step_up(&self, index: usize) -> Option<&StepUp> {
        self.after(index).find_map(|kind| match kind {
            IncidentKind::StepUp(step) if step.stepped => Some(step),
            _ => None,
        })
    }

    pub(crate) fn is_stepped_on(&self, index: usize) -> bool {
        self.step_up(index).is_some()
    }

    /// Returns whether the mover landed on a surface that it hit in the air.
    pub(crate) fn is_landed(&self, index: usize) -> bool {
        let after = self.incidents.get(index + 1..).unwrap_or_default();
        after.iter().any(|incident| matches!(incident.kind, IncidentKind::Landing(true)))
    }

    /// Returns the slide that an incident led to.
    pub(crate) fn slide(&self, index: usize) -> Option<&Slide> {
        self.after(index).find_map(|kind| match kind {
            IncidentKind::Slide(slide) => Some(slide),
            _ => None,
        })
    }

    /// Returns the indices of the incidents that pass the filter.
    pub(crate) fn all(
        &self,
        filter: impl Fn(&Self, usize) -> bool,
    ) -> impl DoubleEndedIterator<Item = usize> {
        (0..self.incidents.len()).filter(move |index| filter(self, *index))
    }
}
