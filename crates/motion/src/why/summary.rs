//! What was wanted, what came of it, and what stopped it.

use threshold_land::Position;
use threshold_land::glam::Vec3;

use super::account::{Account, Chapter, Listing, is_same};
use super::lists;
use super::node::Node;
use super::obstacle::{consequences, describe, floor_name, verb, without_ground};
use super::words::{self, metres, vector};
use crate::mover::Mover;
use crate::outcome::{Outcome, Refusal};
use crate::place::Search;
use crate::probe::{Along, Stage};

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
        let at =
            chapter.ended.map(|at| format!(", leaving the mover at {}", vector(at.frame.origin)));
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
