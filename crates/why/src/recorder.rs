//! Probe that records a sweep, both as sentences and as a typed record.

use threshold_land::vector::Vec3;
use threshold_land::{CellId, Plane};
use threshold_motion::probe::{
    CellExit, CollisionTarget, ContactKind, EdgeResponse, Ending, GroundContact, GroundEffect,
    PassReason, Slide, SlideEnd, Stage, SweepEvent, SweepProbe,
};
use threshold_motion::{Insert, Mover};
use threshold_world::ObjectId;

use super::node::{Node, Rank};
use super::record::{
    CellArrayRecord, Division, GroundSearchRecord, Incident, IncidentKind, Section,
    StandingSurface, StepUp, SurfaceHit, SweepRecord,
};
use super::{cell_arrays, obstacle, sentences, stages, words};

/// Records every event of a sweep, as a tree of sentences and as a [`SweepRecord`].
#[derive(Clone, Debug, Default)]
pub(super) struct Recorder {
    open: Vec<OpenStage>,
    pub(super) nodes: Vec<Node>,
    pub(super) record: SweepRecord,
    /// The cell picked from the last cell array.
    picked: Option<CellId>,
    /// Number of the mover's spheres.
    spheres: usize,
}

/// A stage that has begun and not ended.
#[derive(Clone, Debug)]
struct OpenStage {
    /// `None` for a repeated attempt, which ends with the next one or with its parent.
    stage: Option<Stage>,
    node: Node,
    /// The last ground search within the stage.
    search: Option<GroundSearchRecord>,
    /// Surface that occupies the space above the ground found.
    blocker: Option<SurfaceHit>,
    /// The search left all cells.
    no_cell: bool,
    /// Lift to ground that is too high for a step.
    too_high: Option<f32>,
    /// Footing reached by a step up, and the rise to it.
    onto: Option<(StandingSurface, f32)>,
    /// Cells that were tested and are free.
    free: Vec<CellId>,
}

impl OpenStage {
    fn new(stage: Option<Stage>, node: Node) -> Self {
        let (search, blocker, no_cell, onto) = (None, None, false, None);
        Self { stage, node, search, blocker, no_cell, too_high: None, onto, free: Vec::new() }
    }

    fn is_ground_search(&self) -> bool {
        matches!(self.stage, Some(Stage::GroundSearch { .. }))
    }
}

impl Recorder {
    /// Creates a recorder for a mover that starts in a cell.
    pub(super) fn new(mover: &Mover, from: CellId) -> Self {
        let spheres = mover.shape.spheres().len();
        Self { picked: Some(from), spheres, ..Self::default() }
    }

    /// Returns the sentences and the record once the sweep has ended.
    pub(super) fn finish(mut self) -> (Vec<Node>, SweepRecord) {
        while self.close().is_some() {}
        self.nodes.extend(stages::untried(&self.record));
        (self.nodes, self.record)
    }

    fn add_node(&mut self, node: Node) {
        match self.open.last_mut() {
            Some(open) => open.node.children.push(node),
            None => self.nodes.push(node),
        }
    }

    /// Closes the innermost open stage.
    fn close(&mut self) -> Option<()> {
        let open = self.open.pop()?;
        self.add_node(open.node);
        Some(())
    }

    fn end_attempt(&mut self) {
        if self.open.last().is_some_and(|open| open.stage.is_none()) {
            let _ = self.close();
        }
    }

    /// The collision target under test, from the outermost to the innermost.
    fn target(&self) -> Vec<CollisionTarget> {
        let tested = self.open.iter().rev().map_while(|open| match open.stage {
            Some(Stage::Test(target)) => Some(target),
            _ => None,
        });
        let mut target: Vec<CollisionTarget> = tested.collect();
        target.reverse();
        target
    }

    /// Returns whether a step up, a ground search or a room check is under way.
    fn is_in_subtest(&self) -> bool {
        self.open.iter().any(|open| {
            let stage = open.stage;
            matches!(
                stage,
                Some(
                    Stage::StepUp { .. }
                        | Stage::GroundSearch { .. }
                        | Stage::RoomCheck
                        | Stage::CentreCheck
                )
            )
        })
    }

    /// Adds an incident to the current section.
    fn add_incident(&mut self, kind: IncidentKind) {
        let target = self.target();
        if self.is_in_subtest() {
            self.note_blocker(target, kind);
        } else if let Some(section) = self.record.sections.last_mut() {
            section.incidents.push(Incident { target, kind });
        }
    }

    /// Of a subtest, only the surface that blocks the ground found is recorded.
    fn note_blocker(&mut self, target: Vec<CollisionTarget>, kind: IncidentKind) {
        if let IncidentKind::Surface(contact) = kind
            && contact.kind == ContactKind::Overlaps
            && let Some(search) = self.ground_search()
        {
            search.blocker = Some(SurfaceHit { contact, target });
        }
    }

    /// The innermost ground search under way.
    fn ground_search(&mut self) -> Option<&mut OpenStage> {
        self.open.iter_mut().rev().find(|open| open.is_ground_search())
    }

    /// Records a footing, and how far it lifts the mover.
    fn add_footing(&mut self, polygon: Option<u32>, plane: Plane, lift: f32) {
        let footing = StandingSurface { target: self.target(), polygon, plane };
        let steps = |open: &&mut OpenStage| matches!(open.stage, Some(Stage::StepUp { .. }));
        if let Some(step) = self.open.iter_mut().rev().find(steps) {
            let before = step.onto.as_ref().map_or(0.0, |(_, lift)| *lift);
            step.onto = Some((footing.clone(), before + lift));
        }
        self.record.footings.push(footing);
    }

    /// Records a deferred hit, with the surface that was touched before.
    fn note_deferred_hit(&mut self, normal: Vec3) {
        let incidents = self.record.sections.last().map(|section| &section.incidents);
        let touched = incidents.into_iter().flatten().rev().find_map(|incident| {
            let Incident { target, kind: IncidentKind::Surface(contact) } = incident else {
                return None;
            };
            (contact.kind == ContactKind::Leaves)
                .then(|| SurfaceHit { contact: *contact, target: target.clone() })
        });
        self.add_incident(IncidentKind::DeferredHit { touched, normal });
    }

    /// Drops the incidents of an object that is passed after all, unless one of them moved the mover.
    fn note_passed(&mut self, object: ObjectId, reason: PassReason) {
        let Some(section) = self.record.sections.last_mut() else { return };
        let is_of_object =
            |incident: &Incident| incident.target.first() == Some(&CollisionTarget::Object(object));
        let kept = section.incidents.iter().rposition(|incident| !is_of_object(incident));
        let kept = kept.map_or(0, |index| index + 1);
        let moves = |incident: &Incident| match &incident.kind {
            IncidentKind::Slide(Slide { end, .. }) => *end != SlideEnd::Opposed,
            IncidentKind::StepUp(step) => step.stepped,
            _ => false,
        };
        let moved = reason == PassReason::Creature && section.incidents[kept..].iter().any(moves);
        if matches!(reason, PassReason::Noticed | PassReason::Creature) && !moved {
            section.incidents.truncate(kept);
        }
    }

    /// Returns the footing that an edge belongs to: the last polygon found, or the slope.
    fn footing_of(&self, edge: &EdgeResponse) -> Option<StandingSurface> {
        let mut footings = self.record.footings.iter().rev();
        match edge {
            EdgeResponse::PrecipiceSlide { .. } => {
                footings.find(|footing| footing.polygon.is_some()).cloned()
            }
            EdgeResponse::CliffSlide { normal, .. } => {
                footings.find(|footing| footing.plane.normal == *normal).cloned()
            }
            _ => None,
        }
    }

    fn begin(&mut self, stage: Stage) {
        match stage {
            Stage::SubStep { requested, .. } => {
                self.record.sections.push(Section::new(stage, requested));
            }
            Stage::PlacementTry { offset, .. } => {
                self.record.sections.push(Section::new(stage, offset))
            }
            Stage::PushOut => self.record.sections.push(Section::new(stage, Vec3::ZERO)),
            _ => {}
        }
        self.open.push(OpenStage::new(Some(stage), stages::begin(&stage)));
    }

    fn end(&mut self, ending: Ending) {
        self.end_attempt();
        let Some(mut open) = self.open.pop() else { return };
        let Some(stage) = open.stage else { return };
        self.record_end(&mut open, stage, ending);
        let count = self.record.sub_steps();
        let section = self.record.sections.last();
        if !open.free.is_empty() {
            let children = &mut open.node.children;
            let end = children.iter().rposition(|node| node.kind == "ended");
            let end = end.unwrap_or(children.len());
            let after = children[..end].iter().any(stages::has_contact);
            children.insert(end, stages::free(&open.free, after));
        }
        let (search, onto) = (open.search.as_ref(), open.onto.as_ref());
        let facts = stages::StageEnd { ending, count, section, search, onto };
        stages::end(&mut open.node, &stage, &facts);
        self.add_node(open.node);
    }

    /// Records how a stage ended.
    fn record_end(&mut self, open: &mut OpenStage, stage: Stage, ending: Ending) {
        match (stage, ending) {
            (Stage::Cell(cell), Ending::Cell(_, answer)) => self.end_cell(cell, answer),
            (Stage::StepUp { height, .. }, Ending::Success(stepped)) => {
                let (search, onto) = (open.search.clone(), open.onto.clone());
                self.add_incident(IncidentKind::StepUp(StepUp { height, stepped, search, onto }));
            }
            (Stage::GroundSearch { height, .. }, Ending::GroundSearch(result)) => {
                let (blocker, no_cell) = (open.blocker.clone(), open.no_cell);
                let too_high = open.too_high;
                let search = GroundSearchRecord { result, height, blocker, no_cell, too_high };
                if let Some(parent) = self.open.last_mut() {
                    parent.search = Some(search.clone());
                }
                self.add_incident(IncidentKind::GroundSearch(search.clone()));
                open.search = Some(search);
            }
            (Stage::Landing, Ending::Success(landed)) => {
                self.add_incident(IncidentKind::Landing(landed))
            }
            (Stage::SubStep { .. } | Stage::PushOut, Ending::Insert(answer)) => {
                self.end_section(answer);
            }
            (Stage::PlacementTry { .. }, Ending::Success(placed)) => {
                self.end_section(if placed { Insert::Ok } else { Insert::Collided });
            }
            _ => {}
        }
    }

    fn end_cell(&mut self, cell: CellId, answer: Insert) {
        if answer != Insert::Ok || self.is_in_subtest() {
            return;
        }
        let is_section = |open: &&mut OpenStage| {
            let stage = open.stage;
            matches!(
                stage,
                Some(Stage::SubStep { .. } | Stage::PlacementTry { .. } | Stage::PushOut)
            )
        };
        if let Some(section) = self.open.iter_mut().rev().find(is_section)
            && !section.free.contains(&cell)
        {
            section.free.push(cell);
        }
    }

    fn end_section(&mut self, answer: Insert) {
        if let Some(section) = self.record.sections.last_mut() {
            section.answer = Some(answer);
        }
    }

    /// Updates the record with an event that is neither a stage nor a cell array.
    fn update_record(&mut self, event: &SweepEvent<'_>) {
        match *event {
            SweepEvent::MoveDivided { offset: whole, radius, count } => {
                self.record.division = Some(Division { whole, radius, count })
            }
            SweepEvent::DeferredHit { normal, .. } => self.note_deferred_hit(normal),
            SweepEvent::ObjectPassed { object, reason } => self.note_passed(object, reason),
            SweepEvent::GroundMet(contact) => self.note_ground(contact),
            SweepEvent::GroundFound { polygon, plane, moved } => {
                self.add_footing(polygon, plane, moved.z);
            }
            SweepEvent::LeftCells(CellExit::GroundSearch) => {
                if let Some(search) = self.ground_search() {
                    search.no_cell = true;
                }
            }
            SweepEvent::StationaryFall(count) => self.record.stationary = count,
            SweepEvent::OffsetAdjusted { .. }
            | SweepEvent::SubStepMoved { .. }
            | SweepEvent::SubStepEnded { .. } => self.update_section(event),
            _ => {
                if let Some(kind) = self.incident(event) {
                    self.add_incident(kind);
                }
            }
        }
    }

    /// Updates the current section with the progress of its sub-step.
    fn update_section(&mut self, event: &SweepEvent<'_>) {
        let Some(section) = self.record.sections.last_mut() else { return };
        match *event {
            SweepEvent::OffsetAdjusted { remaining, limit, .. } => {
                section.remaining = Some((remaining, limit));
            }
            SweepEvent::SubStepMoved { .. } => section.moved = true,
            SweepEvent::SubStepEnded { at, hit, .. } => {
                (section.end, section.hit) = (Some(*at), hit);
            }
            _ => {}
        }
    }

    /// Returns the incident for an event that has nothing else to record.
    fn incident(&self, event: &SweepEvent<'_>) -> Option<IncidentKind> {
        Some(match *event {
            SweepEvent::SurfaceMet(contact) => IncidentKind::Surface(contact),
            SweepEvent::AllWater => IncidentKind::AllWater,
            SweepEvent::EntryDenied { cell, object } => IncidentKind::EntryDenied { cell, object },
            SweepEvent::PushedOut { polygon, normal, .. } => {
                IncidentKind::PushedOut { polygon, normal }
            }
            SweepEvent::StepTooHigh { height, max_height } => {
                IncidentKind::StepTooHigh { height, max_height }
            }
            SweepEvent::Slid(slide) => IncidentKind::Slide(slide),
            SweepEvent::EdgeMet(edge) => IncidentKind::Edge(edge, self.footing_of(&edge)),
            SweepEvent::LeftCells(exit) => IncidentKind::CellExit(exit),
            SweepEvent::CameraMet(contact) => IncidentKind::Camera(contact),
            _ => return None,
        })
    }

    fn note_ground(&mut self, contact: GroundContact) {
        // Ground that is too high counts as a footing, too.
        use GroundEffect::{Carries, Lifts, TooFarUp};
        if matches!(contact.effect, Carries | Lifts(_) | TooFarUp(_)) {
            let lift = if let Lifts(height) = contact.effect { height } else { 0.0 };
            self.add_footing(None, contact.plane, lift);
        }
        if let TooFarUp(height) = contact.effect
            && let Some(search) = self.ground_search()
        {
            search.too_high = Some(height);
        }
        self.add_incident(IncidentKind::Ground(contact));
    }

    fn add_cell_array(&mut self, array: CellArrayRecord) {
        let mut node = cell_arrays::node(&array);
        // A short report shows only arrays that change the cell.
        if array.picked == self.picked || self.is_in_subtest() {
            node.rank = Rank::Detail;
        } else {
            self.picked = array.picked;
            self.record.crossing = Some(array.clone());
        }
        self.record.cell_arrays.push(array);
        self.add_node(node);
    }

    fn begin_attempt(&mut self, number: u32) {
        self.end_attempt();
        if number > 0 {
            let text = format!("Attempt {}, from the adjusted position.", number + 1);
            let node = Node::new("attempt", text).with("attempt", number + 1);
            self.open.push(OpenStage::new(None, node.ranked(Rank::Frame)));
        }
    }

    /// Adds the sentence for an event, if it has one.
    fn add_sentence(&mut self, event: &SweepEvent<'_>) {
        let Some(mut node) = sentences::node(event, &self.target(), self.spheres) else { return };
        if self.is_in_subtest() {
            // Within a subtest, such as a step up, every event is a detail.
            node = node.ranked(Rank::Detail);
        }
        if let (SweepEvent::EdgeMet(_), Some(section)) = (event, self.record.sections.last()) {
            let edge = section.incidents.len().saturating_sub(1);
            node = obstacle::with_ground_search(node, section, edge);
        }
        self.add_node(node);
    }
}

impl SweepProbe for Recorder {
    fn on_event(&mut self, event: SweepEvent<'_>) {
        match event {
            SweepEvent::StageBegan(stage) => self.begin(stage),
            SweepEvent::StageEnded(ending) => self.end(ending),
            SweepEvent::Attempt(number) => self.begin_attempt(number),
            SweepEvent::CellsListed { cells, reasons, picked, centre } => {
                let array = CellArrayRecord::new(cells, reasons, picked, centre, self.spheres);
                let sub_step = self.record.sections.len();
                self.add_cell_array(CellArrayRecord { sub_step, ..array });
            }
            event => {
                self.update_record(&event);
                self.add_sentence(&event);
            }
        }
    }
}

/// The name of a collision target, as a fact.
pub(super) fn name(target: &[CollisionTarget]) -> Option<String> {
    (!target.is_empty()).then(|| words::target(target))
}
