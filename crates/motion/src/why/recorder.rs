//! The watcher that keeps everything.

use threshold_land::CellId;
use threshold_land::glam::Vec3;

use super::account::{Account, Chapter, Floor, Happening, Listing, Meeting, StepUp, What};
use super::node::{Node, Rank};
use super::{lists, sentences, stages, words};
use crate::mover::Mover;
use crate::outcome::Insert;
use crate::probe::{Below, Edge, Ending, GroundDoes, How, Leaving, Probe, Stage, Told, Who};

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
    below: Option<Below>,
    taken: Option<Meeting>,
    /// Cells that were asked and are free.
    free: Vec<CellId>,
}

impl Open {
    fn new(stage: Option<Stage>, node: Node) -> Self {
        Self { stage, node, below: None, taken: None, free: Vec::new() }
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
    fn who(&self) -> Vec<Who> {
        let asked = self.open.iter().rev().map_while(|open| match open.stage {
            Some(Stage::Asks(who)) => Some(who),
            _ => None,
        });
        let mut who: Vec<Who> = asked.collect();
        who.reverse();
        who
    }

    /// Whether a step up, a look for ground or a question for room is under way.
    fn is_aside(&self) -> bool {
        self.open.iter().any(|open| {
            let stage = open.stage;
            matches!(
                stage,
                Some(Stage::StepUp { .. } | Stage::Below { .. } | Stage::Room | Stage::Middle)
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
    fn note_aside(&mut self, who: Vec<Who>, what: What) {
        let looks = |open: &&mut Open| matches!(open.stage, Some(Stage::Below { .. }));
        if let What::Met(met) = what
            && met.how == How::Overlaps
            && let Some(look) = self.open.iter_mut().rev().find(looks)
        {
            look.taken = Some(Meeting { met, who });
        }
    }

    /// Notes what can be stood on.
    fn find_floor(&mut self, polygon: Option<u32>, normal: Vec3) {
        let who = self.who();
        self.account.floors.push(Floor { who, polygon, normal });
    }

    /// What an edge belongs to: the polygon that was found last, or the slope.
    fn edge_of(&self, edge: &Edge) -> Option<Floor> {
        let mut floors = self.account.floors.iter().rev();
        match edge {
            Edge::Crossed { .. } => floors.find(|floor| floor.polygon.is_some()).cloned(),
            Edge::Steep { normal, .. } => floors.find(|floor| floor.normal == *normal).cloned(),
            _ => None,
        }
    }

    fn begin(&mut self, stage: Stage) {
        match stage {
            Stage::SubStep { wished, .. } => {
                self.account.chapters.push(Chapter::new(stage, wished));
            }
            Stage::Try { offset, .. } => self.account.chapters.push(Chapter::new(stage, offset)),
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
            (Stage::StepUp { height, .. }, Ending::Whether(stepped)) => {
                let (below, taken) = (open.below, open.taken.clone());
                self.happen(What::StepUp(StepUp { height, stepped, below, taken }));
            }
            (Stage::Below { .. }, Ending::Below(below)) => {
                let taken = open.taken.clone();
                if let Some(parent) = self.open.last_mut() {
                    (parent.below, parent.taken) = (Some(below), taken.clone());
                }
                self.happen(What::Looked(below, taken));
            }
            (Stage::Landing, Ending::Whether(landed)) => self.happen(What::Landing(landed)),
            (Stage::SubStep { .. } | Stage::PushOut, Ending::Answer(answer)) => {
                self.end_chapter(answer);
            }
            (Stage::Try { .. }, Ending::Whether(placed)) => {
                self.end_chapter(if placed { Insert::Ok } else { Insert::Collided });
            }
            _ => {}
        }
        let count = self.account.cut.map_or(0, |(_, _, count)| count);
        let chapter = self.account.chapters.last();
        if !open.free.is_empty() {
            let said = &mut open.node.children;
            let end = said.iter().rposition(|node| node.kind == "ended").unwrap_or(said.len());
            said.insert(end, stages::free(&open.free));
        }
        let facts =
            stages::Ended { ending, count, chapter, below: open.below, taken: open.taken.as_ref() };
        stages::ends(&mut open.node, &stage, &facts);
        self.say(open.node);
    }

    fn end_cell(&mut self, cell: CellId, answer: Insert) {
        if answer != Insert::Ok || self.is_aside() {
            return;
        }
        let whole = |open: &&mut Open| {
            let stage = open.stage;
            matches!(stage, Some(Stage::SubStep { .. } | Stage::Try { .. } | Stage::PushOut))
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
    fn note(&mut self, told: &Told<'_>) {
        match *told {
            Told::Cut { whole, radius, count } => self.account.cut = Some((whole, radius, count)),
            Told::Adjusted { left, along, .. } => {
                if let Some(chapter) = self.account.chapters.last_mut() {
                    chapter.left = Some((left, along));
                }
            }
            Told::Goes { .. } => {
                if let Some(chapter) = self.account.chapters.last_mut() {
                    chapter.went = true;
                }
            }
            Told::Meets(met) => self.happen(What::Met(met)),
            Told::Ground(met) => {
                // Also what is too far up is held for ground.
                use GroundDoes::{Carries, Lifts, TooFarUp};
                if matches!(met.does, Carries | Lifts(_) | TooFarUp(_)) {
                    self.find_floor(None, met.normal);
                }
                self.happen(What::Ground(met));
            }
            Told::Sea => self.happen(What::Sea),
            Told::StandsOn { polygon, normal, .. } => self.find_floor(polygon, normal),
            Told::Pushed { polygon, normal, .. } => self.happen(What::Pushed { polygon, normal }),
            Told::TooHigh { height, most } => self.happen(What::TooHigh { height, most }),
            Told::Slides(slide) => self.happen(What::Slides(slide)),
            Told::Edge(edge) => {
                let floor = self.edge_of(&edge);
                self.happen(What::Edge(edge, floor));
            }
            Told::Behind { .. } => self.happen(What::Behind),
            Told::Leaves(leaving) if leaving != Leaving::Looked => {
                self.happen(What::Leaves(leaving));
            }
            Told::Camera(met) => self.happen(What::Camera(met)),
            Told::Stationary(count) => self.account.stationary = count,
            Told::Validated { at, hit, .. } => {
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
        self.account.listings.retain(|other| other.picked != listing.picked);
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

impl Probe for Recorder {
    fn tell(&mut self, told: Told<'_>) {
        match told {
            Told::Begins(stage) => self.begin(stage),
            Told::Ends(ending) => self.end(ending),
            Told::Attempt(number) => self.attempt(number),
            Told::Listed { cells, reasons, picked, centre } => {
                self.list(Listing::new(cells, reasons, picked, (centre, self.spheres)));
            }
            told => {
                self.note(&told);
                let who = self.who();
                if let Some(node) = sentences::node(&told, &who, (self.spheres, self.is_aside())) {
                    self.say(node);
                }
            }
        }
    }
}

/// Who is asked, as a fact.
pub(super) fn name(who: &[Who]) -> Option<String> {
    (!who.is_empty()).then(|| words::who(who))
}
