//! What was wanted, what came of it, and what stopped it.

use threshold_land::glam::Vec3;
use threshold_land::{CellId, Position};

use super::account::{Account, Chapter, Floor, Happening, Listing, StepUp, What, is_same};
use super::lists;
use super::node::Node;
use super::sentences::{below, met_facts, step_failure};
use super::words::{self, metres, number, vector};
use crate::mover::Mover;
use crate::outcome::{Outcome, Refusal};
use crate::place::Search;
use crate::probe::{
    Along, Below, CameraMet, Edge, GroundDoes, GroundMet, How, Leaving, Met, Slide, SlideEnd,
    Stage, Surface, Who,
};

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
}

impl Summary<'_> {
    pub(super) fn nodes(&self) -> Vec<Node> {
        let mut nodes = vec![self.wanted(), self.result()];
        nodes.extend(self.stopped());
        nodes.extend(self.rings());
        // Who is not put anywhere is nowhere.
        let is_somewhere = !matches!(self.wish, Wish::Put { .. }) || self.outcome.is_ok();
        if is_somewhere && !matches!(self.wish, Wish::View { .. }) {
            nodes.push(self.stands());
        }
        nodes.extend(self.cell().filter(|_| is_somewhere));
        nodes
    }

    fn wanted(&self) -> Node {
        match self.wish {
            Wish::Move { from, to } | Wish::View { from, to } => {
                let who = match self.wish {
                    Wish::View { .. } => "a camera",
                    _ if self.mover.stance.contact => "the mover, which stands,",
                    _ => "the mover, which is in the air,",
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

    /// Whether it is where it should be; who walks is not asked for its height.
    fn arrived(&self) -> bool {
        let off = match self.wish {
            Wish::Move { to, .. } => {
                let off = self.outcome.position.offset_to(to);
                if self.outcome.stance.contact { Vec3::new(off.x, off.y, 0.0) } else { off }
            }
            Wish::View { to, .. } => self.outcome.position.offset_to(to),
            Wish::Put { at, .. } => {
                let off = self.outcome.position.offset_to(at);
                Vec3::new(off.x, off.y, 0.0)
            }
        };
        self.outcome.is_ok() && off.length() < ARRIVED
    }

    fn result(&self) -> Node {
        let Outcome { position, refused, cell, .. } = self.outcome;
        let node = |text: String| {
            Node::new("result", text)
                .with("ok", refused.is_none())
                .with("at", position.frame.origin)
                .with_some("cell", *cell)
        };
        if let Some(refusal) = refused {
            let did = match self.wish {
                Wish::Put { .. } => "It is not put there",
                _ => "It does not move",
            };
            return node(format!("{did}: {refusal}.")).with("refused", refusal.to_string());
        }
        let place = match cell {
            Some(_) => words::place(position),
            None => format!("{}, in no resident cell: it is lost", vector(position.frame.origin)),
        };
        let (begin, wish) = match self.wish {
            Wish::Move { from, to } | Wish::View { from, to } => (from, from.offset_to(to)),
            Wish::Put { at, .. } => (at, Vec3::ZERO),
        };
        let moved = begin.offset_to(position);
        let text = match self.wish {
            Wish::Put { .. } if self.arrived() => format!("It is put there, at {place}."),
            Wish::Put { .. } => {
                format!("It is put {} away, at {place}.", metres(moved.length()))
            }
            _ if self.arrived() => format!("It comes all the way, to {place}."),
            _ if moved.length() < 1e-6 => format!("It stays at {place}."),
            _ => format!(
                "It goes {} (by {}) where {} was wished for, to {place}.",
                metres(moved.length()),
                vector(moved),
                metres(wish.length())
            ),
        };
        node(text).with("moved", moved).with("arrived", self.arrived())
    }

    /// What was in the way: the one that decided, then the others.
    fn stopped(&self) -> Vec<Node> {
        if self.outcome.refused == Some(Refusal::NothingLeft) {
            return vec![self.nothing_left()];
        }
        let Some((chapter, index)) = self.account.stopper() else { return vec![self.unstopped()] };
        let decided = &chapter.happenings[index];
        let mut nodes = vec![self.obstacle(chapter, index, "stopped")];
        let mut seen = vec![decided];
        let putting = matches!(self.wish, Wish::Put { .. });
        for (chapter, index) in self.account.obstacles().filter(|_| !putting) {
            let other = &chapter.happenings[index];
            if !seen.iter().any(|one| is_same(one, other)) {
                seen.push(other);
                nodes.push(self.obstacle(chapter, index, "also"));
            }
        }
        nodes
    }

    /// Places round the one that was asked for.
    fn rings(&self) -> Option<Node> {
        let round = |chapter: &&Chapter| matches!(chapter.stage, Stage::Try { number: 1.., .. });
        let count = self.account.chapters.iter().filter(round).count();
        let places = if count == 1 { "1 place".to_owned() } else { format!("{count} places") };
        let end = match self.outcome.is_ok() {
            true => "the last of them has room",
            false => "none of them has room",
        };
        let text = format!("Round it {places} were tried, ring after ring: {end}.");
        (count > 0).then(|| Node::new("rings", text).with("count", count))
    }

    fn unstopped(&self) -> Node {
        let text = match self.outcome.refused {
            Some(_) => "Nothing was swept, so that nothing was met.",
            None if self.arrived() => "Nothing was in the way.",
            None => "Nothing was in the way; the ground it goes along makes the difference.",
        };
        Node::new("unstopped", text)
    }

    /// Who walks on against what it has run into before.
    fn nothing_left(&self) -> Node {
        let left = self.account.chapters.first().and_then(|chapter| chapter.left);
        let (normal, why) = match left.map(|(_, along)| along) {
            Some(Along::Crease { wall, .. }) => {
                (wall, "what it ran into in an earlier move and the ground it stands on")
            }
            Some(Along::Wall(wall)) => (wall, "what it ran into in an earlier move"),
            Some(Along::Ground(ground) | Along::Slope(ground)) => {
                (ground, "the ground it stands on")
            }
            _ => (self.mover.stance.sliding_normal, "what it ran into in an earlier move"),
        };
        let text = format!(
            "Stopped by {why}, {}: nothing of the move runs along it.",
            words::normal(normal)
        );
        Node::new("stopped", text).with("normal", normal).with("sub_step", 1_u32)
    }

    fn obstacle(&self, chapter: &Chapter, index: usize, kind: &'static str) -> Node {
        let happening = &chapter.happenings[index];
        let verb = verb(chapter, index, kind == "also");
        let spheres = self.mover.shape.spheres().len();
        let node = describe(kind, happening, (verb, spheres));
        let came: Vec<String> = without_ground(chapter, index)
            .into_iter()
            .chain(consequences(chapter, index))
            .collect();
        let place = self.place_in(chapter);
        let mut node = Node { text: format!("{}{place}.", node.text), ..node };
        for said in came {
            node.text.push(' ');
            node.text.push_str(&said);
        }
        match chapter.stage {
            Stage::SubStep { number, .. } => node.with("sub_step", number + 1),
            _ => node,
        }
    }

    /// In which sub-step, and where the mover was then.
    fn place_in(&self, chapter: &Chapter) -> String {
        let count = self.account.cut.map_or(0, |(_, _, count)| count);
        let at = chapter.ended.map(|at| format!(", with the mover at {}", vector(at.frame.origin)));
        let at = at.unwrap_or_default();
        match chapter.stage {
            Stage::SubStep { number, .. } if count > 1 => {
                format!(", in sub-step {} of {count}{at}", number + 1)
            }
            Stage::SubStep { .. } => at,
            Stage::Try { number: 0, .. } => ", where it should be put".to_owned(),
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
        let floors = &self.account.floors;
        let floor = floors.iter().rev().find(|floor| (floor.normal - normal).length() < 1e-4);
        let what = floor.map_or_else(|| "what it stood on before".to_owned(), floor_name);
        let walkable = match stance.on_walkable {
            true => "which can be walked on",
            false => "which is too steep to walk on",
        };
        let held = match self.account.stationary {
            3 => " It fell without moving three times, and was given this ground to stand on.",
            _ => "",
        };
        let facing = words::normal(normal);
        let text = format!("It stands on {what}, {facing}, {walkable}.{held}");
        Node::new("stands", text)
            .with("contact", true)
            .with("walkable", stance.on_walkable)
            .with("normal", normal)
            .with("d", stance.plane.d)
            .with("cell", stance.plane_cell)
            .with_some("polygon", floor.and_then(|floor| floor.polygon))
    }

    fn cell(&self) -> Option<Node> {
        let listings = &self.account.listings;
        let is_own = |list: &&Listing| list.picked == self.outcome.cell;
        let crossing = self.account.crossing.as_ref().filter(is_own);
        let own = crossing.or_else(|| listings.iter().rev().find(is_own));
        match (own, self.outcome.cell) {
            (Some(listing), _) => Some(lists::why_picked(listing)),
            (None, Some(cell)) => {
                let text =
                    format!("It is in {}, as before: it was not let out.", words::cell(cell));
                Some(Node::new("cell", text).with("cell", cell))
            }
            (None, None) => None,
        }
    }
}

fn floor_name(floor: &Floor) -> String {
    match floor.polygon {
        Some(index) => format!("polygon {index} of {}", words::who(&floor.who)),
        None => words::who(&floor.who),
    }
}

/// What was in the way, without its end.
fn describe(kind: &'static str, happening: &Happening, (verb, spheres): (&str, usize)) -> Node {
    let Happening { who, what } = happening;
    match what {
        What::Met(met) => {
            let sphere = words::sphere(met.sphere, spheres);
            describe_met(kind, (met, sphere), who, verb)
        }
        What::Looked(_, Some(taken)) => {
            let sphere = words::sphere(taken.met.sphere, spheres);
            let node = describe_met(kind, (&taken.met, sphere), &taken.who, verb);
            let text = format!("{}: there is ground to stand on, but no room on it", node.text);
            Node { text, ..node }
        }
        What::Ground(ground) => describe_ground(kind, ground, verb),
        What::Sea => Node::new(kind, format!("{verb} water: the whole landblock is sea")),
        What::Pushed { polygon, normal } => {
            let name = match polygon {
                Some(index) => format!("polygon {index} of {}", words::who(who)),
                None => format!("the matter of {}", words::who(who)),
            };
            let facing = polygon.map(|_| format!(", {}", words::normal(*normal)));
            let text = format!("{verb} {name}{}", facing.unwrap_or_default());
            let node = Node::new(kind, text).with("normal", *normal);
            node.with_some("polygon", *polygon).with_some("cell", who.iter().find_map(cell_of))
        }
        What::Leaves(leaving) => describe_leaving(kind, *leaving, verb),
        What::Camera(met) => describe_camera(kind, met, verb),
        What::Edge(edge, floor) => describe_edge(kind, edge, floor.as_ref(), verb),
        _ => Node::new(kind, verb),
    }
}

fn describe_met(kind: &'static str, (met, sphere): (&Met, &str), who: &[Who], verb: &str) -> Node {
    let touched = met.centre - met.normal * met.distance;
    if met.surface == Surface::Matter {
        let text = format!("{verb} {}, in which the {sphere} is", words::surface(met.surface, who));
        return met_facts(Node::new(kind, text), met, who).with("at", met.centre);
    }
    let text = format!(
        "{verb} {}: {}, {}, met at {}, {} from the middle of the {sphere}, whose radius is {}",
        words::sort_of(who, met.normal),
        words::surface(met.surface, who),
        words::normal(met.normal),
        vector(touched),
        metres(met.distance),
        number(met.radius)
    );
    met_facts(Node::new(kind, text), met, who).with("at", touched)
}

fn describe_ground(kind: &'static str, ground: &GroundMet, verb: &str) -> Node {
    let facing = words::normal(ground.normal);
    let why = match ground.does {
        GroundDoes::TooFarUp(by) => format!("which is {} too high", metres(by)),
        _ if !ground.walkable => "which is too steep to walk on".to_owned(),
        GroundDoes::Lifts(by) => format!("which lifts it by {}", metres(by)),
        _ => "which carries it".to_owned(),
    };
    let text = format!("{verb} the ground of land cell {}, {facing}, {why}", ground.cell);
    Node::new(kind, text)
        .with("cell", ground.cell)
        .with("normal", ground.normal)
        .with("height", ground.height)
        .with("at", ground.centre)
}

fn describe_leaving(kind: &'static str, leaving: Leaving, verb: &str) -> Node {
    let what = match leaving {
        Leaving::HeldUnloaded => {
            "the end of the resident cells: one that might be there is not loaded"
        }
        Leaving::HeldIndoors => "the end of its room, behind which there is no cell",
        Leaving::OffMap => "the end of the map",
        Leaving::Looked | Leaving::Lost => "nothing: no cell is there",
    };
    Node::new(kind, format!("{verb} {what}"))
}

fn describe_camera(kind: &'static str, met: &CameraMet, verb: &str) -> Node {
    let (cell, normal, what) = match *met {
        CameraMet::Ridge { cell, normal } => (cell, normal, "a ridge of the land at"),
        CameraMet::Ground { cell, normal, .. } => (cell, normal, "the ground of"),
        CameraMet::Underground { cell, normal, .. } => {
            (cell, normal, "the ground above it, as it came out of its room, of")
        }
    };
    let text = format!("{verb} {what} land cell {cell}, {}", words::normal(normal));
    Node::new(kind, text).with("cell", cell).with("normal", normal)
}

fn describe_edge(kind: &'static str, edge: &Edge, floor: Option<&Floor>, verb: &str) -> Node {
    let name = floor.map(floor_name);
    let mut turned = None;
    let (normal, text) = match *edge {
        Edge::Steep { normal, away, .. } => {
            turned = Some(away);
            let name = name.clone().unwrap_or_else(|| "ground".to_owned());
            let facing = words::normal(normal);
            (normal, format!("{verb} {name}, {facing}, which is too steep to walk on"))
        }
        Edge::Crossed { normal } => {
            let name = name.clone().unwrap_or_else(|| "what it stood on".to_owned());
            let facing = words::normal(normal);
            let text = format!(
                "{verb} an edge of {name}, beyond which it cannot stand; the edge counts as a wall {facing}"
            );
            (normal, text)
        }
        _ => {
            return Node::new(
                kind,
                format!("{verb} the lack of ground, with no edge to slide along"),
            );
        }
    };
    let cell = floor.and_then(|floor| floor.who.iter().find_map(cell_of));
    Node::new(kind, text)
        .with("normal", normal)
        .with_some("who", name)
        .with_some("cell", cell)
        .with_some("polygon", floor.and_then(|floor| floor.polygon))
        .with_some("away", turned)
}

/// How something was in the way.
fn verb(chapter: &Chapter, index: usize, also: bool) -> &'static str {
    let what = &chapter.happenings[index].what;
    let ends = matches!(what, What::Met(Met { how: How::Ends, .. }) | What::Camera(_));
    if matches!(what, What::Met(_)) && chapter.is_stepped_on(index) {
        return "Stepped onto";
    }
    let lands = match what {
        What::Met(_) => chapter.is_landed(index),
        What::Ground(ground) => ground.hits && ground.walkable,
        _ => false,
    };
    let pushes = matches!(what, What::Pushed { .. });
    match chapter.is_stopped() || ends {
        _ if lands && chapter.stage == Stage::PushOut => "Put on",
        _ if lands => "Came down on",
        true if also => "Also stopped by",
        true => "Stopped by",
        false if pushes => "Pushed out by",
        false if also => "Also turned aside by",
        false => "Turned aside by",
    }
}

/// The cell of who is asked, if it is part of one.
fn cell_of(who: &Who) -> Option<CellId> {
    match who {
        Who::Ground(cell) | Who::Walls(cell) | Who::Shell(cell) => Some(*cell),
        _ => None,
    }
}

/// Of who has lost the ground: what there was where it was looked for.
fn without_ground(chapter: &Chapter, index: usize) -> Option<String> {
    let look = &chapter.happenings[chapter.look_before(index)?].what;
    let What::Looked(found, taken) = look else { return None };
    let said = match (found, taken) {
        (Below::NoRoom, Some(taken)) => {
            let what = words::surface(taken.met.surface, &taken.who);
            format!("there is some, but {what} leaves no room on it")
        }
        // That it is blocked is said by what blocks it.
        (Below::Blocked(_), _) => return None,
        _ => below(*found),
    };
    Some(format!("Ground was looked for below: {said}."))
}

/// What came of it: a step up, a slide, a landing.
fn consequences(chapter: &Chapter, index: usize) -> Vec<String> {
    let said = chapter.after(index).filter_map(|what| match what {
        What::TooHigh { height, most } => {
            Some(format!("It is {} high, and a step goes {} up.", metres(*height), metres(*most)))
        }
        What::StepUp(StepUp { height, stepped: false, below, taken }) => Some(format!(
            "A step up of at most {} failed: {}.",
            metres(*height),
            step_failure(*below, taken.as_ref())
        )),
        What::Landing(false) => Some("It could not stand on it.".to_owned()),
        _ => None,
    });
    let slid = chapter.slid(index).map(|slide| slid(slide, chapter.is_stopped()));
    let mut all: Vec<String> = said.chain(slid).collect();
    all.dedup();
    all
}

fn slid(slide: &Slide, stopped: bool) -> String {
    let left = vector(slide.left);
    match slide.end {
        SlideEnd::Crease | SlideEnd::Surface if stopped => {
            format!("A slide along it by {left} was tried, and did not help.")
        }
        SlideEnd::Crease | SlideEnd::Surface => format!("It slid along it by {left}."),
        SlideEnd::Stop => "Too little of the way runs along it for a slide.".to_owned(),
        SlideEnd::Opposed => {
            "It faces against the ground, so that there is no way along both.".to_owned()
        }
        SlideEnd::NoDirection => "It has no direction to slide along.".to_owned(),
    }
}
