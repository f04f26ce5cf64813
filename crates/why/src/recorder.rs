//! The watcher that keeps everything.

use threshold_land::glam::Vec3;
use threshold_land::{CellId, Plane};
use threshold_motion::probe::{
    CellExit, CollisionTarget, ContactKind, EdgeResponse, Ending, GroundEffect, PassReason, Slide,
    SlideEnd, Stage, SweepEvent, SweepProbe,
};
use threshold_motion::{Insert, Mover};
use threshold_world::ObjectId;

use super::account::{Account, Chapter, Floor, Happening, Listing, Look, Meeting, StepUp, What};
use super::node::{Node, Rank};
use super::{lists, obstacle, sentences, stages, words};

/// Keeps everything that a sweep tells, as a tree of sentences and as an account that can be questioned.
#[derive(Clone, Debug, Default)]
pub(super) struct Recorder {
    open: Vec<Open>,
    pub(super) nodes: Vec<Node>,
    pub(super) account: Account,
    /// The cell that was picked last.
    picked: Option<CellId>,
    /// How many spheres the mover has.
    spheres: usize,
}

/// Something that has begun and not ended.
#[derive(Clone, Debug)]
struct Open {
    /// `None` for an attempt, which ends with the next, or with what it is part of.
    stage: Option<Stage>,
    node: Node,
    /// What the last look for ground within it said.
    look: Option<Look>,
    /// What was where the mover would have stood.
    taken: Option<Meeting>,
    /// No cell was there.
    nowhere: bool,
    /// Ground was there that would have lifted the mover too much.
    too_high: Option<f32>,
    /// What a step up came to stand on, and how far up.
    onto: Option<(Floor, f32)>,
    /// Cells that were asked and are free.
    free: Vec<CellId>,
}

impl Open {
    fn new(stage: Option<Stage>, node: Node) -> Self {
        let (look, taken, nowhere, onto) = (None, None, false, None);
        Self { stage, node, look, taken, nowhere, too_high: None, onto, free: Vec::new() }
    }
}

impl Recorder {
    /// Watches a mover that comes from a cell.
    pub(super) fn new(mover: &Mover, from: CellId) -> Self {
        let spheres = mover.shape.spheres().len();
        Self { picked: Some(from), spheres, ..Self::default() }
    }

    /// Everything that was said, once nothing more is said.
    pub(super) fn finish(mut self) -> (Vec<Node>, Account) {
        while self.close().is_some() {}
        self.nodes.extend(stages::untried(&self.account));
        (self.nodes, self.account)
    }

    fn say(&mut self, node: Node) {
        match self.open.last_mut() {
            Some(open) => open.node.children.push(node),
            None => self.nodes.push(node),
        }
    }

    /// Ends what began last.
    fn close(&mut self) -> Option<()> {
        let open = self.open.pop()?;
        self.say(open.node);
        Some(())
    }

    fn end_attempt(&mut self) {
        if self.open.last().is_some_and(|open| open.stage.is_none()) {
            let _ = self.close();
        }
    }

    /// Who is asked now, from the outermost to the innermost.
    fn who(&self) -> Vec<CollisionTarget> {
        let asked = self.open.iter().rev().map_while(|open| match open.stage {
            Some(Stage::Test(who)) => Some(who),
            _ => None,
        });
        let mut who: Vec<CollisionTarget> = asked.collect();
        who.reverse();
        who
    }

    /// Whether a step up, a look for ground or a question for room is under way.
    fn is_aside(&self) -> bool {
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

    /// Notes what happened in a sub-step itself.
    fn happen(&mut self, what: What) {
        let who = self.who();
        if self.is_aside() {
            self.note_aside(who, what);
        } else if let Some(chapter) = self.account.chapters.last_mut() {
            chapter.happenings.push(Happening { who, what });
        }
    }

    /// Of what happens aside only what takes the place on the ground that was found is of interest.
    fn note_aside(&mut self, who: Vec<CollisionTarget>, what: What) {
        let looks = |open: &&mut Open| matches!(open.stage, Some(Stage::GroundSearch { .. }));
        if let What::Met(met) = what
            && met.kind == ContactKind::Overlaps
            && let Some(look) = self.open.iter_mut().rev().find(looks)
        {
            look.taken = Some(Meeting { met, who });
        }
    }

    /// Notes what can be stood on, and how far that lifts the mover.
    fn find_floor(&mut self, polygon: Option<u32>, plane: Plane, lift: f32) {
        let floor = Floor { who: self.who(), polygon, plane };
        let steps = |open: &&mut Open| matches!(open.stage, Some(Stage::StepUp { .. }));
        if let Some(step) = self.open.iter_mut().rev().find(steps) {
            let before = step.onto.as_ref().map_or(0.0, |(_, lift)| *lift);
            step.onto = Some((floor.clone(), before + lift));
        }
        self.account.floors.push(floor);
    }

    /// What was touched on leaving it is answered now.
    fn answer_behind(&mut self, normal: Vec3) {
        let happenings = self.account.chapters.last().map(|chapter| &chapter.happenings);
        let touched = happenings.into_iter().flatten().rev().find_map(|happening| {
            let Happening { who, what: What::Met(met) } = happening else { return None };
            (met.kind == ContactKind::Leaves).then(|| Meeting { met: *met, who: who.clone() })
        });
        self.happen(What::Behind { touched, normal });
    }

    /// An object is passed after all: what was met of it plays no part, unless it has moved the mover.
    fn pass(&mut self, object: ObjectId, why: PassReason) {
        let Some(chapter) = self.account.chapters.last_mut() else { return };
        let is_of =
            |happening: &Happening| happening.who.first() == Some(&CollisionTarget::Object(object));
        let kept = chapter.happenings.iter().rposition(|happening| !is_of(happening));
        let kept = kept.map_or(0, |index| index + 1);
        let moves = |happening: &Happening| match &happening.what {
            What::Slides(Slide { end, .. }) => *end != SlideEnd::Opposed,
            What::StepUp(step) => step.stepped,
            _ => false,
        };
        let moved = why == PassReason::Creature && chapter.happenings[kept..].iter().any(moves);
        if matches!(why, PassReason::Noticed | PassReason::Creature) && !moved {
            chapter.happenings.truncate(kept);
        }
    }

    /// What an edge belongs to: the polygon that was found last, or the slope.
    fn edge_of(&self, edge: &EdgeResponse) -> Option<Floor> {
        let mut floors = self.account.floors.iter().rev();
        match edge {
            EdgeResponse::PrecipiceSlide { .. } => {
                floors.find(|floor| floor.polygon.is_some()).cloned()
            }
            EdgeResponse::CliffSlide { normal, .. } => {
                floors.find(|floor| floor.plane.normal == *normal).cloned()
            }
            _ => None,
        }
    }

    fn begin(&mut self, stage: Stage) {
        match stage {
            Stage::SubStep { requested: wished, .. } => {
                self.account.chapters.push(Chapter::new(stage, wished));
            }
            Stage::PlacementTry { offset, .. } => {
                self.account.chapters.push(Chapter::new(stage, offset))
            }
            Stage::PushOut => self.account.chapters.push(Chapter::new(stage, Vec3::ZERO)),
            _ => {}
        }
        self.open.push(Open::new(Some(stage), stages::begins(&stage)));
    }

    fn end(&mut self, ending: Ending) {
        self.end_attempt();
        let Some(mut open) = self.open.pop() else { return };
        let Some(stage) = open.stage else { return };
        match (stage, ending) {
            (Stage::Cell(cell), Ending::Cell(_, answer)) => self.end_cell(cell, answer),
            (Stage::StepUp { height, .. }, Ending::Success(stepped)) => {
                let (look, onto) = (open.look.clone(), open.onto.clone());
                self.happen(What::StepUp(StepUp { height, stepped, look, onto }));
            }
            (Stage::GroundSearch { height, .. }, Ending::GroundSearch(found)) => {
                let (taken, nowhere, too_high) = (open.taken.clone(), open.nowhere, open.too_high);
                let look = Look { found, height, taken, nowhere, too_high };
                if let Some(parent) = self.open.last_mut() {
                    parent.look = Some(look.clone());
                }
                self.happen(What::Looked(look.clone()));
                open.look = Some(look);
            }
            (Stage::Landing, Ending::Success(landed)) => self.happen(What::Landing(landed)),
            (Stage::SubStep { .. } | Stage::PushOut, Ending::Insert(answer)) => {
                self.end_chapter(answer);
            }
            (Stage::PlacementTry { .. }, Ending::Success(placed)) => {
                self.end_chapter(if placed { Insert::Ok } else { Insert::Collided });
            }
            _ => {}
        }
        let count = self.account.cut.map_or(0, |(_, _, count)| count);
        let chapter = self.account.chapters.last();
        if !open.free.is_empty() {
            let said = &mut open.node.children;
            let end = said.iter().rposition(|node| node.kind == "ended").unwrap_or(said.len());
            let after = said[..end].iter().any(stages::is_in_the_way);
            said.insert(end, stages::free(&open.free, after));
        }
        let (look, onto) = (open.look.as_ref(), open.onto.as_ref());
        let facts = stages::Ended { ending, count, chapter, look, onto };
        stages::ends(&mut open.node, &stage, &facts);
        self.say(open.node);
    }

    fn end_cell(&mut self, cell: CellId, answer: Insert) {
        if answer != Insert::Ok || self.is_aside() {
            return;
        }
        let whole = |open: &&mut Open| {
            let stage = open.stage;
            matches!(
                stage,
                Some(Stage::SubStep { .. } | Stage::PlacementTry { .. } | Stage::PushOut)
            )
        };
        if let Some(step) = self.open.iter_mut().rev().find(whole)
            && !step.free.contains(&cell)
        {
            step.free.push(cell);
        }
    }

    fn end_chapter(&mut self, answer: Insert) {
        if let Some(chapter) = self.account.chapters.last_mut() {
            chapter.answer = Some(answer);
        }
    }

    /// What changes the account besides being said.
    fn note(&mut self, told: &SweepEvent<'_>) {
        match *told {
            SweepEvent::MoveDivided { whole, radius, count } => {
                self.account.cut = Some((whole, radius, count))
            }
            SweepEvent::OffsetAdjusted { remaining: left, limit: along, .. } => {
                if let Some(chapter) = self.account.chapters.last_mut() {
                    chapter.left = Some((left, along));
                }
            }
            SweepEvent::SubStepMoved { .. } => {
                if let Some(chapter) = self.account.chapters.last_mut() {
                    chapter.went = true;
                }
            }
            SweepEvent::SurfaceMet(met) => self.happen(What::Met(met)),
            SweepEvent::GroundMet(met) => {
                // Also what is too far up is held for ground.
                use GroundEffect::{Carries, Lifts, TooFarUp};
                if matches!(met.effect, Carries | Lifts(_) | TooFarUp(_)) {
                    let lift = if let Lifts(by) = met.effect { by } else { 0.0 };
                    self.find_floor(None, met.plane, lift);
                }
                let looks =
                    |open: &&mut Open| matches!(open.stage, Some(Stage::GroundSearch { .. }));
                if let (TooFarUp(by), Some(look)) =
                    (met.effect, self.open.iter_mut().rev().find(looks))
                {
                    look.too_high = Some(by);
                }
                self.happen(What::Ground(met));
            }
            SweepEvent::AllWater => self.happen(What::Sea),
            SweepEvent::EntryDenied { cell, object } => {
                self.happen(What::Restricted { cell, object })
            }
            SweepEvent::GroundFound { polygon, plane, moved } => {
                self.find_floor(polygon, plane, moved.z);
            }
            SweepEvent::PushedOut { polygon, normal, .. } => {
                self.happen(What::Pushed { polygon, normal })
            }
            SweepEvent::StepTooHigh { height, max_height: most } => {
                self.happen(What::TooHigh { height, most })
            }
            SweepEvent::Slid(slide) => self.happen(What::Slides(slide)),
            SweepEvent::EdgeMet(edge) => {
                let floor = self.edge_of(&edge);
                self.happen(What::Edge(edge, floor));
            }
            SweepEvent::DeferredHit { normal, .. } => self.answer_behind(normal),
            SweepEvent::ObjectPassed { object, reason: why } => self.pass(object, why),
            SweepEvent::LeftCells(CellExit::GroundSearch) => {
                let looks =
                    |open: &&mut Open| matches!(open.stage, Some(Stage::GroundSearch { .. }));
                if let Some(look) = self.open.iter_mut().rev().find(looks) {
                    look.nowhere = true;
                }
            }
            SweepEvent::LeftCells(leaving) => self.happen(What::Leaves(leaving)),
            SweepEvent::CameraMet(met) => self.happen(What::Camera(met)),
            SweepEvent::StationaryFall(count) => self.account.stationary = count,
            SweepEvent::SubStepEnded { at, hit, .. } => {
                if let Some(chapter) = self.account.chapters.last_mut() {
                    (chapter.ended, chapter.hit) = (Some(*at), hit);
                }
            }
            _ => {}
        }
    }

    fn list(&mut self, listing: Listing) {
        let mut node = lists::node(&listing);
        // In a short account only what changes the cell matters.
        if listing.picked == self.picked || self.is_aside() {
            node.rank = Rank::Detail;
        } else {
            self.picked = listing.picked;
            self.account.crossing = Some(listing.clone());
        }
        self.account.listings.push(listing);
        self.say(node);
    }

    fn attempt(&mut self, number: u32) {
        self.end_attempt();
        if number > 0 {
            let text = format!("Tried again from where that left it, attempt {}.", number + 1);
            let node = Node::new("attempt", text).with("attempt", number + 1);
            self.open.push(Open::new(None, node.ranked(Rank::Frame)));
        }
    }
}

impl SweepProbe for Recorder {
    fn on_event(&mut self, event: SweepEvent<'_>) {
        match event {
            SweepEvent::StageBegan(stage) => self.begin(stage),
            SweepEvent::StageEnded(ending) => self.end(ending),
            SweepEvent::Attempt(number) => self.attempt(number),
            SweepEvent::CellsListed { cells, reasons, picked, centre } => {
                let listing = Listing::new(cells, reasons, picked, (centre, self.spheres));
                self.list(Listing { sub_step: self.account.chapters.len(), ..listing });
            }
            told => {
                self.note(&told);
                let who = self.who();
                if let Some(mut node) =
                    sentences::node(&told, &who, (self.spheres, self.is_aside()))
                {
                    if let (SweepEvent::EdgeMet(_), Some(chapter)) =
                        (&told, self.account.chapters.last())
                    {
                        let edge = chapter.happenings.len().saturating_sub(1);
                        node = obstacle::with_ground(node, chapter, edge);
                    }
                    self.say(node);
                }
            }
        }
    }
}

/// Who is asked, as a fact.
pub(super) fn name(who: &[CollisionTarget]) -> Option<String> {
    (!who.is_empty()).then(|| words::who(who))
}
