//! What was wanted, what came of it, and what stopped it.

use threshold_land::glam::Vec3;
use threshold_land::{BLOCK_LENGTH, Position};
use threshold_motion::probe::{OffsetLimit, Stage};
use threshold_motion::rules::SlidingNormal;
use threshold_motion::{MAX_SUB_STEPS, Mover, Outcome, Refusal, Search, Sweeper};

use super::account::{Account, Chapter, Floor, Listing, What, is_same};
use super::lists;
use super::node::Node;
use super::obstacle::{consequences, describe, floor_name, not_out, verb, without_ground};
use super::stages::step_failure;
use super::words::{self, metres, vector};

/// What was asked for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wish<'a> {
    Move { from: &'a Position, to: &'a Position },
    View { from: &'a Position, to: &'a Position },
    Put { at: &'a Position, search: Search },
}

/// Nearer than this, in metres, is there.
const ARRIVED: f32 = 0.005;

/// What there is to say about a sweep.
#[derive(Clone, Copy)]
pub(super) struct Summary<'a> {
    pub(super) wish: Wish<'a>,
    pub(super) mover: &'a Mover,
    pub(super) outcome: &'a Outcome,
    pub(super) account: &'a Account,
    /// What the move comes to without the sliding normal that leaves nothing of it, where that is what refused it.
    pub(super) unslid: Option<&'a Outcome>,
}

/// A sweeper for the same move without the sliding normal, where the move was refused and that normal may be the reason.
pub(super) fn without_sliding<'w>(
    sweeper: &Sweeper<'w>,
    mover: &Mover,
    outcome: &Outcome,
) -> Option<Sweeper<'w>> {
    let mut rules = sweeper.rules;
    rules.sliding_normal = SlidingNormal::Checked;
    let concerned = outcome.refused == Some(Refusal::NothingLeft) && mover.stance.sliding;
    (concerned && rules != sweeper.rules).then_some(Sweeper { rules, ..*sweeper })
}

impl Summary<'_> {
    pub(super) fn nodes(&self) -> Vec<Node> {
        let mut nodes = vec![self.wanted(), self.result()];
        nodes.extend(self.stopped());
        nodes.extend(self.rings());
        // Who is not put anywhere is nowhere.
        let put = matches!(self.wish, Wish::Put { .. });
        let is_somewhere = !put || self.outcome.is_ok() && self.outcome.cell.is_some();
        if is_somewhere && !matches!(self.wish, Wish::View { .. }) {
            nodes.push(self.stands());
        }
        if is_somewhere {
            nodes.extend(self.cell());
            nodes.extend(self.came_in());
        }
        nodes
    }

    fn wanted(&self) -> Node {
        match self.wish {
            Wish::Move { from, to } | Wish::View { from, to } => {
                let who = match self.wish {
                    Wish::View { .. } => "a camera",
                    _ => &format!("the mover, which {},", words::stance(&self.mover.stance)),
                };
                let by = from.offset_to(to);
                let (far, by_text) = (metres(by.length()), vector(by));
                let text =
                    format!("Wanted: {who} goes by {by_text} ({far}) from {}.", words::place(from));
                Node::new("wanted", text)
                    .with("from", from.frame.origin)
                    .with("cell", from.cell)
                    .with("by", by)
            }
            Wish::Put { at, search } => {
                let near = match search {
                    Search::Here => "and nowhere else",
                    Search::Around => "or as near as there is room",
                };
                let text = format!("Wanted: to be put at {}, {near}.", words::place(at));
                Node::new("wanted", text).with("at", at.frame.origin).with("cell", at.cell)
            }
        }
    }

    /// Where it begins, and how far it should go.
    fn way(&self) -> (&Position, Vec3) {
        match self.wish {
            Wish::Move { from, to } | Wish::View { from, to } => (from, from.offset_to(to)),
            Wish::Put { at, .. } => (at, Vec3::ZERO),
        }
    }

    /// Whether it is where it should be; who walks is not asked for its height.
    fn arrived(&self) -> bool {
        let (begin, wish) = self.way();
        let level = |v: Vec3| Vec3::new(v.x, v.y, 0.0);
        let walks = self.outcome.stance.contact && level(wish) != Vec3::ZERO;
        let (off, near) = match self.wish {
            Wish::Put { at, .. } => (level(self.outcome.position.offset_to(at)), ARRIVED),
            Wish::Move { to, .. } | Wish::View { to, .. } => {
                let off = self.outcome.position.offset_to(to);
                let off = if walks { level(off) } else { off };
                (off, ARRIVED.min(wish.length() * 0.05))
            }
        };
        let stayed = wish != Vec3::ZERO && begin.offset_to(&self.outcome.position) == Vec3::ZERO;
        let held = stayed || self.account.ends_stopped() && !matches!(self.wish, Wish::Put { .. });
        self.outcome.is_ok() && !held && off.length() <= near
    }

    fn result(&self) -> Node {
        let Outcome { position, refused, cell, .. } = self.outcome;
        let node = |text: String| {
            let placed = cell.is_some() || !matches!(self.wish, Wish::Put { .. });
            Node::new("result", text)
                .with("ok", refused.is_none() && placed)
                .with("at", position.frame.origin)
                .with_some("cell", *cell)
        };
        if let Some(refusal) = refused {
            let did = match self.wish {
                Wish::Put { .. } => "It is not put there",
                _ => "It does not move",
            };
            let far = self.too_far().unwrap_or_default();
            return node(format!("{did}: {refusal}{far}.")).with("refused", refusal.to_string());
        }
        let place = match cell {
            Some(_) => words::place(position),
            None => format!("{}, in no resident cell: it is lost", vector(position.frame.origin)),
        };
        let (begin, wish) = self.way();
        let moved = begin.offset_to(position);
        let text = match self.wish {
            Wish::Put { .. } if cell.is_none() => {
                "It is not put there: it would be in no cell, and lost.".to_owned()
            }
            Wish::Put { .. } if self.arrived() => {
                format!("It is put there, at {place}{}.", lower(moved.z))
            }
            Wish::Put { .. } => {
                let far = metres(Vec3::new(moved.x, moved.y, 0.0).length());
                format!("It is put {far} away, at {place}{}.", lower(moved.z))
            }
            _ if wish == Vec3::ZERO => format!("It has nowhere to go, and stays at {place}."),
            _ if self.arrived() => {
                format!("It comes all the way, to {place}{}.", level((moved - wish).z))
            }
            _ if moved.length() < 1e-6 => format!("It stays at {place}."),
            _ => format!(
                "It goes {} (by {}) where {} was wished for, to {place}.",
                metres(moved.length()),
                vector(moved),
                metres(wish.length())
            ),
        };
        node(text)
            .with("moved", moved)
            .with("wished", wish.length())
            .with("arrived", self.arrived())
    }

    /// How far is too far.
    fn too_far(&self) -> Option<String> {
        if self.outcome.refused != Some(Refusal::TooFar) {
            return None;
        }
        let (_, wish) = self.way();
        let radius = self.mover.shape.spheres().first()?.radius;
        let needed = (wish.length() / radius).ceil();
        Some(format!(
            ". It would take {} sub-steps of {}, and {MAX_SUB_STEPS} are allowed, which is {}",
            words::number(needed),
            metres(radius),
            metres(radius * MAX_SUB_STEPS as f32)
        ))
    }

    /// What was in the way: the one that decided, then the others.
    fn stopped(&self) -> Vec<Node> {
        let swept = self.account.chapters.first().is_some_and(|chapter| chapter.went);
        if self.outcome.refused == Some(Refusal::NothingLeft) && !swept {
            return vec![self.nothing_left()];
        }
        let decided = self.account.stopper(self.outcome.hit);
        let mut nodes = match decided {
            Some((chapter, index)) => vec![self.obstacle(chapter, index, "stopped")],
            None => Vec::new(),
        };
        let earlier = self.earlier(if nodes.is_empty() { "stopped" } else { "also" });
        // What it came down on is no reason to have been turned aside.
        let is_footing = |(chapter, index): (&Chapter, usize)| {
            !chapter.is_obstacle(index) && !chapter.is_brushed(index)
        };
        let footing = decided.is_some_and(is_footing);
        match earlier {
            Some(earlier) if footing => {
                nodes.insert(0, Node { kind: "stopped", ..earlier });
                nodes[1].kind = "also";
            }
            earlier => nodes.extend(earlier),
        }
        if nodes.is_empty() {
            nodes.push(self.unstopped());
        }
        let mut seen: Vec<_> = decided.iter().map(|(of, index)| &of.happenings[*index]).collect();
        if matches!(self.wish, Wish::Put { .. }) {
            return nodes;
        }
        let brushed = self.account.all(Chapter::is_brushed);
        for (chapter, index) in self.account.obstacles().chain(brushed) {
            let other = &chapter.happenings[index];
            if !seen.iter().any(|one| is_same(one, other)) {
                seen.push(other);
                nodes.push(self.obstacle(chapter, index, "also"));
            }
        }
        nodes
    }

    /// What the mover ran into before this move and is still turned aside by.
    fn earlier(&self, kind: &'static str) -> Option<Node> {
        let (left, along) = self.account.chapters.first()?.left?;
        let (OffsetLimit::Wall(wall) | OffsetLimit::Crease { wall, .. }) = along else {
            return None;
        };
        let verb = if kind == "also" { "Also turned" } else { "Turned" };
        let text = format!(
            "{verb} aside by what it ran into in an earlier move, {}: {} is left of the way.",
            words::normal(wall),
            vector(left)
        );
        let node = Node::new(kind, text).with("normal", wall).with("left", left);
        Some(node.with("earlier", true).with("sub_step", 1_u32))
    }

    /// Places round the one that was asked for.
    fn rings(&self) -> Option<Node> {
        let round =
            |chapter: &&Chapter| matches!(chapter.stage, Stage::PlacementTry { number: 1.., .. });
        let count = self.account.chapters.iter().filter(round).count();
        let places = match count {
            1 => "1 place was".to_owned(),
            _ => format!("{count} places were"),
        };
        let end = match self.outcome.is_ok() {
            true => "the last of them has room",
            false => "none of them has room",
        };
        let text = format!("Round it {places} tried, ring after ring: {end}.");
        (count > 0).then(|| Node::new("rings", text).with("count", count))
    }

    fn unstopped(&self) -> Node {
        let text = match self.outcome.refused {
            Some(Refusal::NoCell) if self.mover.lost => {
                "It was lost before: who is in no cell meets nothing."
            }
            Some(Refusal::EndNotFinite) => {
                "What it met is too large, too small or too far away: where that would put it is no finite place."
            }
            Some(_) => "Nothing was swept, so that nothing was met.",
            None if matches!(self.wish, Wish::Put { .. }) && self.outcome.cell.is_none() => {
                "Nothing was tried: without a cell nothing is met."
            }
            None if matches!(self.wish, Wish::Put { .. }) => "Nothing was in the way.",
            None if self.arrived() => "Nothing was in the way.",
            None => "Nothing was in the way; the ground it goes along makes the difference.",
        };
        Node::new("unstopped", text)
    }

    /// Who walks on against what it has run into before.
    fn nothing_left(&self) -> Node {
        let left = self.account.chapters.first().and_then(|chapter| chapter.left);
        let (normal, why) = match left.map(|(_, along)| along) {
            Some(OffsetLimit::Ground(ground) | OffsetLimit::Slope(ground)) => {
                (ground, "the ground it stands on, ")
            }
            Some(OffsetLimit::Wall(wall)) => (wall, "what it ran into in an earlier move, "),
            Some(OffsetLimit::Crease { wall, .. }) => {
                (wall, "what it ran into in an earlier move, ")
            }
            _ => (self.mover.stance.sliding_normal, "what it ran into in an earlier move, "),
        };
        let creased = matches!(left, Some((_, OffsetLimit::Crease { .. })));
        let both = if creased { "both along it and along the ground" } else { "along it" };
        let mut text =
            format!("Stopped by {why}{}: nothing of the move runs {both}.", words::normal(normal));
        let earlier = why.contains("earlier");
        let still = self.unslid.filter(|_| earlier).map(|unslid| !unslid.is_ok());
        if let Some(unslid) = self.unslid.filter(|_| earlier) {
            text.push(' ');
            text.push_str(&self.now_in_the_way(unslid));
        }
        Node::new("stopped", text)
            .with("normal", normal)
            .with("earlier", earlier)
            .with_some("still_there", still)
            .with("sub_step", 1_u32)
    }

    /// What is in the way now of a move that was refused for a sliding normal.
    fn now_in_the_way(&self, unslid: &Outcome) -> String {
        let alone = "The sliding normal kept from that hit alone stops it";
        match (unslid.is_ok(), unslid.hit) {
            (false, _) => "That is still in the way.".to_owned(),
            (true, None) => format!("{alone}: nothing is in the way now."),
            (true, Some(hit)) => {
                let far = self.way().0.offset_to(&unslid.position).length();
                let (far, facing) = (metres(far), words::normal(hit));
                format!("{alone}: it could go {far} now, to something {facing}.")
            }
        }
    }

    fn obstacle(&self, chapter: &Chapter, index: usize, kind: &'static str) -> Node {
        let put = matches!(self.wish, Wish::Put { .. });
        let verb = match self.account.is_felt(chapter, index) {
            true if self.account.ends_stopped() => "Stopped by",
            true => "Turned aside by",
            false => verb(chapter, index, kind == "also"),
        };
        // Who goes on after a sub-step that was taken back was not stopped for good.
        let goes_on = chapter.is_stopped() && !self.account.ends_stopped();
        let verb = if verb == "Stopped by" && goes_on && !put { "Held up by" } else { verb };
        let spheres = self.mover.shape.spheres().len();
        let node = describe(kind, (chapter, index), (verb, spheres));
        let pushes = chapter.stage == Stage::PushOut;
        let came: Vec<String> = without_ground(chapter, index)
            .into_iter()
            .chain(not_out(chapter).filter(|_| pushes))
            .chain(consequences(chapter, index))
            .collect();
        let place = self.place_in(chapter);
        let mut node = Node { text: format!("{}{place}.", node.text), ..node };
        let felt = self.account.is_felt(chapter, index);
        let felt = felt.then(|| "That is what turns the next sub-step aside.".to_owned());
        for said in came.into_iter().chain(felt) {
            node.text.push(' ');
            node.text.push_str(&said);
        }
        let slid = chapter.slid(index).map(|slide| slide.remaining);
        let failed = chapter.after(index).find_map(|what| match what {
            What::StepUp(step) if !step.stepped => Some(step),
            _ => None,
        });
        node = node
            .with_some("step_height", failed.map(|step| step.height))
            .with_some("step_failed", failed.map(|step| step_failure(step.look.as_ref())))
            .with_some("hit", chapter.hit)
            .with_some("slid", slid)
            .with_some("left_at", chapter.ended.map(|at| at.frame.origin))
            .with("taken_back", chapter.is_stopped());
        match chapter.stage {
            Stage::SubStep { number, .. } => {
                let count = self.account.cut.map(|(_, _, count)| count);
                node.with("sub_step", number + 1).with_some("sub_steps", count)
            }
            _ => node,
        }
    }

    /// In which sub-step, and where the mover was then.
    fn place_in(&self, chapter: &Chapter) -> String {
        let count = self.account.cut.map_or(0, |(_, _, count)| count);
        let noun = match self.wish {
            Wish::View { .. } => "the camera",
            _ => "the mover",
        };
        let at = chapter.ended.map(|at| format!(", leaving {noun} at {}", vector(at.frame.origin)));
        let at = at.unwrap_or_default();
        match chapter.stage {
            Stage::SubStep { number, .. } if count > 1 => {
                format!(", in sub-step {} of {count}{at}", number + 1)
            }
            Stage::SubStep { .. } => at,
            Stage::PlacementTry { number: 0, .. } => ", where it should be put".to_owned(),
            _ => String::new(),
        }
    }

    fn stands(&self) -> Node {
        let stance = &self.outcome.stance;
        if !stance.contact {
            return Node::new("stands", "It stands on nothing: it is in the air.")
                .with("contact", false);
        }
        let normal = stance.plane.normal;
        let node = |text: String| {
            Node::new("stands", text).with("contact", true).with("walkable", stance.on_walkable)
        };
        if normal == Vec3::ZERO {
            return node("It stands on ground it was put on, whose plane is not known yet.".into());
        }
        let floor = self.floor();
        let what = match floor {
            Some(floor) => floor_name(floor),
            None if self.account.stationary == 3 => {
                "ground that it was given, as it fell three times without moving".to_owned()
            }
            None if self.mover.stance.plane == stance.plane => "what it stood on before".to_owned(),
            None => "ground".to_owned(),
        };
        let walkable = match stance.on_walkable {
            true => "which can be walked on",
            false => "which is too steep to walk on",
        };
        let facing = words::normal(normal);
        node(format!("It stands on {what}, {facing}, {walkable}."))
            .with("normal", normal)
            .with("d", stance.plane.d)
            .with("cell", stance.plane_cell)
            .with("who", what)
            .with_some("polygon", floor.and_then(|floor| floor.polygon))
    }

    /// What it stands on, if that was found in this move.
    fn floor(&self) -> Option<&Floor> {
        let plane = self.outcome.stance.plane;
        self.account.floors.iter().rev().find(|floor| floor.plane == plane)
    }

    /// The centre of the first sphere where it is.
    fn centre(&self) -> Vec3 {
        let sphere = self.mover.shape.spheres().first().map_or(Vec3::ZERO, |sphere| sphere.centre);
        self.outcome.position.frame.to_global(sphere)
    }

    /// The list of cells at the end.
    fn listing(&self) -> Option<&Listing> {
        let centre = self.centre();
        let lists = &self.account.listings;
        let own = |list: &&Listing| list.picked == self.outcome.cell;
        let here = lists.iter().rev().find(|list| own(list) && is_near(list.centre, centre));
        here.or_else(|| lists.iter().rev().find(own))
    }

    fn cell(&self) -> Option<Node> {
        if let Some(listing) = self.listing() {
            let node = lists::why_picked(listing);
            if is_near(listing.centre, self.centre()) {
                return Some(node);
            }
            let when = match listing.sub_step {
                0 => String::new(),
                number => format!(" So it was in sub-step {number}, its centre at "),
            };
            let text = format!("{}{when}{}.", node.text, vector(listing.centre));
            return Some(Node { text, ..node });
        }
        let cell = self.outcome.cell?;
        let name = words::cell(cell);
        let still = self.way().0.offset_to(&self.outcome.position) == Vec3::ZERO;
        let why = match self.account.listings.last() {
            Some(last) if self.account.ends_stopped() => match last.picked {
                Some(other) => format!(
                    "who is taken back keeps its cell, though {} contains the centre",
                    words::cell(other)
                ),
                None => "who is taken back keeps its cell, though none contains the centre".into(),
            },
            _ if still => "it did not move".to_owned(),
            _ => "no list of cells was made".to_owned(),
        };
        let text = format!("It is in {name}, as before: {why}.");
        Some(Node::new("cell", text).with("cell", cell))
    }

    /// Where it came into the cell it is in, if that is not what the list at the end says.
    fn came_in(&self) -> Option<Node> {
        let listing = self.account.crossing.as_ref()?;
        let (_, _, count) = self.account.cut?;
        let own = listing.picked == self.outcome.cell && self.way().0.cell != listing.picked?;
        let shown = self.listing().is_some_and(|shown| shown.cells == listing.cells);
        if own && !shown { lists::came_in(listing, count) } else { None }
    }
}

/// Whether two points are the same, perhaps in the frames of two landblocks.
fn is_near(a: Vec3, b: Vec3) -> bool {
    let off = a - b;
    let within = |v: f32| v - BLOCK_LENGTH * (v / BLOCK_LENGTH).round();
    Vec3::new(within(off.x), within(off.y), off.z).length() < 1e-3
}

/// How much lower or higher something ends than it should, where that is more than a little.
fn level(z: f32) -> String {
    match z {
        z if z < -0.05 => format!(", {} lower than wished for", metres(-z)),
        z if z > 0.05 => format!(", {} higher than wished for", metres(z)),
        _ => String::new(),
    }
}

/// How much lower or higher something is put than it should be.
fn lower(z: f32) -> String {
    match z {
        z if z < -0.01 => format!(", {} lower, on what is below", metres(-z)),
        z if z > 0.01 => format!(", {} higher", metres(z)),
        _ => String::new(),
    }
}
