//! Typed record of a sweep, from which the summary finds the obstacle that decided the outcome.

mod section;

use threshold_land::vector::Vec3;
use threshold_land::{CellId, Plane, Position};
use threshold_motion::Insert;
use threshold_motion::probe::{
    CameraContact, CellExit, CollisionTarget, EdgeResponse, GroundContact, GroundSearchResult,
    OffsetLimit, Slide, Stage, SurfaceContact, SurfaceKind,
};
use threshold_world::{ListedCell, Reason, RecordId};

/// A cell array with the reason for each entry, and the cell picked from it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CellArrayRecord {
    pub(super) cells: Vec<(ListedCell, Option<Reason>)>,
    pub(super) picked: Option<CellId>,
    pub(super) centre: Vec3,
    /// Number of spheres in the query.
    pub(super) spheres: usize,
    /// Number of the sub-step, from 1; 0 outside of sub-steps.
    pub(super) sub_step: usize,
}

/// The kinds of [`Incident`].
#[derive(Clone, Debug, PartialEq)]
pub(super) enum IncidentKind {
    Surface(SurfaceContact),
    Ground(GroundContact),
    AllWater,
    /// The object guards the cell and denies entry.
    EntryDenied {
        cell: CellId,
        object: RecordId,
    },
    /// A surface touched while moving away from it is handled as if it faced the other way.
    DeferredHit {
        touched: Option<SurfaceHit>,
        normal: Vec3,
    },
    StepTooHigh {
        height: f32,
        max_height: f32,
    },
    StepUp(StepUp),
    GroundSearch(GroundSearchRecord),
    /// Whether the mover can stand on the surface that it fell on.
    Landing(bool),
    Slide(Slide),
    /// With the footing that the edge belongs to.
    Edge(EdgeResponse, Option<StandingSurface>),
    CellExit(CellExit),
    Camera(CameraContact),
    /// A placed mover is pushed out of this polygon, or of solid space.
    PushedOut {
        polygon: Option<u32>,
        normal: Vec3,
    },
}

/// A step up that was tried.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StepUp {
    pub(super) height: f32,
    pub(super) stepped: bool,
    pub(super) search: Option<GroundSearchRecord>,
    /// The footing reached, and the rise to it.
    pub(super) onto: Option<(StandingSurface, f32)>,
}

/// A search for ground below, with its result.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GroundSearchRecord {
    pub(super) result: GroundSearchResult,
    /// Depth of the search.
    pub(super) height: f32,
    /// Surface that occupies the space above the ground found.
    pub(super) blocker: Option<SurfaceHit>,
    /// The search left all cells.
    pub(super) no_cell: bool,
    /// Lift to ground that is too high for a step.
    pub(super) too_high: Option<f32>,
}

/// A surface that was hit, and the target it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SurfaceHit {
    pub(super) contact: SurfaceContact,
    pub(super) target: Vec<CollisionTarget>,
}

/// A surface that the mover can stand on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StandingSurface {
    pub(super) target: Vec<CollisionTarget>,
    pub(super) polygon: Option<u32>,
    pub(super) plane: Plane,
}

/// An event of a sub-step itself, outside of step ups and ground searches.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Incident {
    pub(super) target: Vec<CollisionTarget>,
    pub(super) kind: IncidentKind,
}

/// A sub-step, a try to place the mover, or the push out of walls before it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Section {
    pub(super) stage: Stage,
    pub(super) requested: Vec3,
    /// Offset left by the contact plane and the sliding normal.
    pub(super) remaining: Option<(Vec3, OffsetLimit)>,
    /// False if no offset remained to move by.
    pub(super) moved: bool,
    pub(super) incidents: Vec<Incident>,
    pub(super) answer: Option<Insert>,
    pub(super) end: Option<Position>,
    pub(super) hit: Option<Vec3>,
}

/// How a move was divided into sub-steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Division {
    pub(super) whole: Vec3,
    pub(super) radius: f32,
    pub(super) count: u32,
}

/// Everything that happened in a sweep.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SweepRecord {
    pub(super) division: Option<Division>,
    pub(super) sections: Vec<Section>,
    /// Every cell array that was built, in order.
    pub(super) cell_arrays: Vec<CellArrayRecord>,
    /// The last cell array that picked another cell than the one before it.
    pub(super) crossing: Option<CellArrayRecord>,
    /// Falls without movement in a row.
    pub(super) stationary: u8,
    /// Every footing found, in order.
    pub(super) footings: Vec<StandingSurface>,
}

impl SweepRecord {
    /// Number of sub-steps; 0 before the move is divided.
    pub(super) fn sub_steps(&self) -> u32 {
        self.division.map_or(0, |division| division.count)
    }

    /// Obstacles in order, each as its section and the index of the incident.
    pub(super) fn obstacles(&self) -> impl DoubleEndedIterator<Item = (&Section, usize)> {
        self.all(|section, index| section.is_obstacle(index) || self.is_felt(section, index))
    }

    /// Returns whether a brushed surface turns a later sub-step aside.
    pub(super) fn is_felt(&self, section: &Section, index: usize) -> bool {
        let push = section.push(index).map(|push| Vec3::new(push.x, push.y, 0.0));
        let Some(push) = push.and_then(Vec3::try_normalize) else { return false };
        let following =
            self.sections.iter().skip_while(|other| other.stage != section.stage).skip(1);
        let mut later_walls = following.filter_map(|section| match section.remaining {
            Some((_, OffsetLimit::Wall(wall) | OffsetLimit::Crease { wall, .. })) => Some(wall),
            _ => None,
        });
        section.is_brushed(index) && later_walls.any(|wall| wall.dot(push) > 0.99)
    }

    /// Incidents of all sections that pass the filter, in order.
    pub(super) fn all(
        &self,
        filter: impl Fn(&Section, usize) -> bool + Copy,
    ) -> impl DoubleEndedIterator<Item = (&Section, usize)> {
        self.sections
            .iter()
            .flat_map(move |section| section.all(filter).map(move |index| (section, index)))
    }

    /// Returns whether the last sub-step was taken back or had no offset left.
    pub(super) fn ends_stopped(&self) -> bool {
        self.sections.last().is_some_and(Section::is_stopped)
    }

    /// Returns the incident that decided the final position: the obstacle of the last sub-step if that was taken back, else
    /// the last one that turned the mover. Among several, the last with a push that agrees with the recorded hit wins.
    pub(super) fn stopper(&self, hit: Option<Vec3>) -> Option<(&Section, usize)> {
        if self.sections.iter().any(|section| matches!(section.stage, Stage::PushOut)) {
            return self.placement_stopper();
        }
        let is_hit = |(section, index): &(&Section, usize)| {
            let push = section.push(*index).and_then(Vec3::try_normalize);
            push.zip(hit).is_some_and(|(push, hit)| push.dot(hit) > 0.99)
        };
        let last = self.obstacles().rfind(|(section, _)| section.is_stopped());
        let stopped = last.map(|(stopped, last)| {
            let within = stopped.all(Section::is_obstacle).map(|index| (stopped, index));
            within.rev().find(is_hit).unwrap_or((stopped, last))
        });
        let turned = || self.obstacles().rfind(is_hit).or_else(|| self.obstacles().next_back());
        let footings = self.sections.iter().rev();
        stopped
            .or_else(turned)
            .or_else(|| footings.filter_map(|section| Some((section, section.footing()?))).next())
    }

    /// The obstacle at the requested place itself; if there is none, the footing there.
    fn placement_stopper(&self) -> Option<(&Section, usize)> {
        let is_at_request = |(section, _): &(&Section, usize)| match section.stage {
            Stage::PushOut => true,
            Stage::PlacementTry { number, .. } => number == 0 && section.is_stopped(),
            _ => false,
        };
        let footing = || Some((self.sections.first()?, self.sections.first()?.footing()?));
        self.obstacles().rfind(is_at_request).or_else(footing)
    }
}

/// Returns whether two incidents concern the same polygon or shape of the same target.
pub(super) fn is_same(a: &Incident, b: &Incident) -> bool {
    fn surface(incident: &Incident) -> Option<(SurfaceKind, &[CollisionTarget])> {
        match &incident.kind {
            IncidentKind::Surface(contact) => Some((contact.surface, &incident.target)),
            IncidentKind::DeferredHit { touched: Some(SurfaceHit { contact, target }), .. } => {
                Some((contact.surface, target))
            }
            _ => None,
        }
    }
    let same_kind = std::mem::discriminant(&a.kind) == std::mem::discriminant(&b.kind);
    match (surface(a), surface(b)) {
        (None, None) => a.target == b.target && same_kind,
        (a, b) => a == b,
    }
}
