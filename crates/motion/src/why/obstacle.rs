//! What was in the way, in words.

use threshold_land::CellId;

use super::account::{Chapter, Floor, Happening, StepUp, What};
use super::node::Node;
use super::sentences::met_facts;
use super::stages::{below, step_failure};
use super::words::{self, metres, vector};
use crate::probe::{
    Below, CameraMet, Edge, GroundDoes, GroundMet, How, Leaving, Met, Slide, SlideEnd, Stage,
    Surface, Who,
};

pub(super) fn floor_name(floor: &Floor) -> String {
    match floor.polygon {
        Some(index) => format!("polygon {index} of {}", words::who(&floor.who)),
        None => words::who(&floor.who),
    }
}

/// What was in the way, without its end.
pub(super) fn describe(
    kind: &'static str,
    happening: &Happening,
    (verb, spheres): (&str, usize),
) -> Node {
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
        metres(met.radius)
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
pub(super) fn verb(chapter: &Chapter, index: usize, also: bool) -> &'static str {
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
pub(super) fn without_ground(chapter: &Chapter, index: usize) -> Option<String> {
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
pub(super) fn consequences(chapter: &Chapter, index: usize) -> Vec<String> {
    let said = chapter.after(index).filter_map(|what| match what {
        What::TooHigh { height, most } => Some(format!(
            "To stand on it, it would have to rise by {}, and a step goes {} up.",
            metres(*height),
            metres(*most)
        )),
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
