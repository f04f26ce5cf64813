//! What was in the way, in words.

use threshold_land::CellId;
use threshold_land::glam::Vec3;
use threshold_motion::Insert;
use threshold_motion::probe::{
    CameraContact, CellExit, CollisionTarget, ContactKind, EdgeResponse, GroundContact,
    GroundEffect, Slide, SlideEnd, Stage, SurfaceContact, SurfaceKind,
};

use super::account::{Chapter, Floor, Happening, Look, Meeting, StepUp, What};
use super::node::Node;
use super::sentences::{met_facts, where_met};
use super::stages::{below, step_failure, stuck};
use super::words::{self, metres, vector};

pub(super) fn floor_name(floor: &Floor) -> String {
    match floor.polygon {
        Some(index) => format!("polygon {index} of {}", words::who(&floor.who)),
        None => words::who(&floor.who),
    }
}

/// What was in the way, without its end.
pub(super) fn describe(
    kind: &'static str,
    (chapter, index): (&Chapter, usize),
    (verb, spheres): (&str, usize),
) -> Node {
    let Happening { who, what } = &chapter.happenings[index];
    let push = chapter.push(index);
    match what {
        What::Met(met) => {
            let sphere = words::sphere(met.sphere, spheres);
            let node = describe_met(kind, (met, push, sphere), who, verb);
            stepped_onto(node, chapter.stepped(index), verb)
        }
        What::Behind { touched: Some(Meeting { met, who }), normal } => {
            let sphere = words::sphere(met.sphere, spheres);
            let node = describe_met(kind, (met, push, sphere), who, verb);
            let counts = words::normal(*normal);
            let text = format!(
                "{}; touched without being run into, it counts as a wall {counts}",
                node.text
            );
            Node { text, ..node }.with("push", push.unwrap_or(*normal))
        }
        What::Looked(Look { taken: Some(taken), .. }) => {
            let sphere = words::sphere(taken.met.sphere, spheres);
            let met = (&taken.met, taken.met.normal, sphere);
            let node = describe_met(kind, met, &taken.who, verb);
            let text = format!("{}: there is ground to stand on, but no room on it", node.text);
            Node { text, ..node }
        }
        What::Ground(ground) => describe_ground(kind, ground, verb),
        What::Sea => {
            let cell = who.iter().find_map(cell_of);
            let block = cell.map_or_else(String::new, |cell| format!(" {}", cell.block()));
            let text = format!("{verb} water: the whole landblock{block} is sea");
            Node::new(kind, text).with_some("cell", cell)
        }
        What::Restricted { cell, object } => {
            let text = format!("{verb} a restriction: {}", words::restriction(*cell, *object));
            Node::new(kind, text).with("cell", *cell).with("object", object.to_string())
        }
        What::Pushed { polygon, normal } => {
            let name = match polygon {
                Some(index) => format!("polygon {index} of {}", words::who(who)),
                None => format!("the matter of {}", words::who(who)),
            };
            let facing = polygon.map(|_| format!(", {}", words::normal(*normal)));
            let text = format!("{verb} {name}{}", facing.unwrap_or_default());
            let node = Node::new(kind, text).with_some("normal", polygon.map(|_| *normal));
            node.with_some("polygon", *polygon).with_some("cell", who.iter().find_map(cell_of))
        }
        What::Leaves(leaving) => describe_leaving(kind, *leaving, verb),
        What::Camera(met) => describe_camera(kind, met, verb),
        What::Edge(edge, floor) => describe_edge(kind, edge, floor.as_ref(), verb),
        _ => Node::new(kind, verb),
    }
}

/// What it stepped onto, after it ran into what is described.
fn stepped_onto(node: Node, step: Option<&StepUp>, verb: &str) -> Node {
    let Some((floor, rise)) = step.and_then(|step| step.onto.as_ref()) else { return node };
    let (onto, facing) = (floor_name(floor), words::normal(floor.plane.normal));
    let met = node.text.strip_prefix(verb).unwrap_or(&node.text);
    let by = metres(*rise);
    let text = format!("{verb} by {by} onto {onto}, {facing}, after running into{met}");
    Node { text, ..node }.with("onto", onto).with("rise", *rise)
}

fn describe_met(
    kind: &'static str,
    (met, push, sphere): (&SurfaceContact, Option<Vec3>, &str),
    who: &[CollisionTarget],
    verb: &str,
) -> Node {
    let what = words::surface(met.surface, who);
    let place = where_met(met, push, sphere);
    let text = match met.normal.or(push) {
        _ if met.surface == SurfaceKind::Solid => format!("{verb} {what}, {place}"),
        Some(normal) => format!("{verb} {}: {what}, {place}", words::sort_of(who, normal)),
        None => format!("{verb} an object: {what}, {place}"),
    };
    let node = met_facts(Node::new(kind, text), met, who);
    match met.surface {
        SurfaceKind::Polygon(_) | SurfaceKind::Solid => node,
        SurfaceKind::Sphere | SurfaceKind::Cylinder => node.with_some("push", push),
    }
}

fn describe_ground(kind: &'static str, ground: &GroundContact, verb: &str) -> Node {
    let facing = words::normal(ground.plane.normal);
    let why = match ground.effect {
        GroundEffect::TooFarUp(by) => format!("which is {} too high", metres(by)),
        _ if !ground.walkable => "which is too steep to walk on".to_owned(),
        GroundEffect::Lifts(by) => format!("which lifts it by {}", metres(by)),
        _ => "which carries it".to_owned(),
    };
    let (n, c) = (ground.plane.normal, ground.centre);
    // Straight below the middle; ground is never upright.
    let at = Vec3::new(c.x, c.y, -(n.x * c.x + n.y * c.y + ground.plane.d) / n.z);
    let name = format!("the ground of land cell {}", ground.cell);
    let text = format!("{verb} {name}, {facing}, {why}, at {}", vector(at));
    Node::new(kind, text)
        .with("cell", ground.cell)
        .with("normal", n)
        .with("height", ground.height)
        .with("centre", c)
        .with("at", at)
}

fn describe_leaving(kind: &'static str, leaving: CellExit, verb: &str) -> Node {
    let what = match leaving {
        CellExit::HeldUnloaded => {
            "the end of the resident cells: one that might be there is not loaded"
        }
        CellExit::HeldIndoors => "the end of its room, behind which there is no cell",
        CellExit::OffMap => "the end of the map",
        CellExit::GroundSearch | CellExit::Reseated | CellExit::Lost => "nothing: no cell is there",
    };
    Node::new(kind, format!("{verb} {what}"))
}

fn describe_camera(kind: &'static str, met: &CameraContact, verb: &str) -> Node {
    let (cell, normal, what) = match *met {
        CameraContact::Ridge { cell, normal } => (cell, normal, "a ridge of the land at"),
        CameraContact::Ground { cell, normal, .. } => (cell, normal, "the ground of"),
        CameraContact::Underground { cell, normal, .. } => {
            (cell, normal, "the ground above it, as it came out of its room, of")
        }
    };
    let text = format!("{verb} {what} land cell {cell}, {}", words::normal(normal));
    Node::new(kind, text).with("cell", cell).with("normal", normal)
}

fn describe_edge(
    kind: &'static str,
    edge: &EdgeResponse,
    floor: Option<&Floor>,
    verb: &str,
) -> Node {
    let name = floor.map(floor_name);
    let mut turned = None;
    let point = if let EdgeResponse::PrecipiceSlide { point, .. } = *edge { point } else { None };
    let (normal, text) = match *edge {
        EdgeResponse::CliffSlide { normal, away, .. } => {
            turned = Some(away);
            let name = name.clone().unwrap_or_else(|| "ground".to_owned());
            let facing = words::normal(normal);
            (normal, format!("{verb} {name}, {facing}, which is too steep to walk on"))
        }
        EdgeResponse::PrecipiceSlide { normal, point } => {
            let at = point.map_or_else(String::new, |point| format!(" at {}", vector(point)));
            let name = name.clone().unwrap_or_else(|| "what it stood on".to_owned());
            let facing = words::normal(normal);
            let text = format!(
                "{verb} an edge of {name}{at}, beyond which it cannot stand; the edge counts as a wall {facing}"
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
        .with_some("at", point)
}

/// How something was in the way.
pub(super) fn verb(chapter: &Chapter, index: usize, also: bool) -> &'static str {
    let what = &chapter.happenings[index].what;
    let ends =
        matches!(what, What::Met(SurfaceContact { kind: ContactKind::Ends, .. }) | What::Camera(_));
    if matches!(what, What::Met(_)) && chapter.is_stepped_on(index) {
        return "Stepped up";
    }
    let lands = match what {
        What::Met(_) => chapter.is_landed(index),
        What::Ground(ground) => ground.hits && ground.walkable,
        _ => false,
    };
    let pushes = matches!(what, What::Pushed { .. });
    match chapter.is_stopped() || ends {
        _ if lands && chapter.stage == Stage::PushOut => "Put on",
        _ if matches!(what, What::Ground(GroundContact { effect: GroundEffect::Lifts(by), .. }) if *by > 0.5) => {
            "Lifted onto"
        }
        _ if lands => "Came down on",
        _ if chapter.is_brushed(index) && also => "Touched, without effect on the way:",
        true if also => "Also in the way:",
        true => "Stopped by",
        false if pushes => "Pushed out by",
        false if also => "Also turned aside by",
        false => "Turned aside by",
    }
}

/// The cell of who is asked, if it is part of one.
fn cell_of(who: &CollisionTarget) -> Option<CellId> {
    match who {
        CollisionTarget::Ground(cell)
        | CollisionTarget::Walls(cell)
        | CollisionTarget::Shell(cell) => Some(*cell),
        _ => None,
    }
}

/// Of who has lost the ground: what there was where it was looked for.
pub(super) fn without_ground(chapter: &Chapter, index: usize) -> Option<String> {
    let looks = chapter.looks_before(index);
    let height: f32 = looks.iter().map(|look| look.height).sum();
    let last = looks.first()?;
    if height == 0.0 {
        return Some(
            "Ground is looked for within 0 m below: this mover takes no step down.".to_owned(),
        );
    }
    // Where the first half of a look found nothing and the second went out of all cells, there is nothing.
    let found = match looks.get(1) {
        Some(before) if last.nowhere => format!("{}, and farther down no cell", below(before)),
        _ => below(last),
    };
    Some(format!("Ground was looked for within {} below: {found}.", metres(height)))
}

/// An edge, and what was found below instead of ground.
pub(super) fn with_ground(node: Node, chapter: &Chapter, edge: usize) -> Node {
    if matches!(
        chapter.happenings.get(edge).map(|edge| &edge.what),
        Some(What::Edge(EdgeResponse::LookBack, _))
    ) {
        return node;
    }
    match without_ground(chapter, edge) {
        Some(said) => Node { text: format!("{said} {}", node.text), ..node },
        None => node,
    }
}

/// Why something that is put somewhere was not pushed out of walls.
pub(super) fn not_out(chapter: &Chapter) -> Option<String> {
    let answer = chapter.answer.filter(|answer| *answer != Insert::Ok)?;
    let any = |is: &dyn Fn(&What) -> bool| chapter.happenings.iter().any(|one| is(&one.what));
    let first = chapter.happenings.iter().find_map(|happening| match happening.what {
        What::Pushed { polygon, .. } => Some(match polygon {
            Some(index) => format!("polygon {index} of {}", words::who(&happening.who)),
            None => format!("the matter of {}", words::who(&happening.who)),
        }),
        _ => None,
    });
    let again = chapter.happenings.iter().any(|one| {
        matches!(one.what, What::Pushed { .. })
            && !first.as_ref().is_some_and(|first| first.ends_with(&words::who(&one.who)))
    });
    let first = first.filter(|_| again);
    let first = first.map_or_else(String::new, |first| format!(" It was in {first} first."));
    Some(format!("It is not pushed out of walls: {}.{first}", stuck(answer, any)))
}

/// What came of it: a step up, a slide, a landing.
pub(super) fn consequences(chapter: &Chapter, index: usize) -> Vec<String> {
    let said = chapter.after(index).filter_map(|what| match what {
        What::TooHigh { height, most } => Some(format!(
            "To stand on it, it would have to rise by {}, and a step goes {} up.",
            metres(*height),
            metres(*most)
        )),
        What::StepUp(StepUp { height, stepped: false, look, .. }) => Some(format!(
            "A step up of at most {} failed: {}.",
            metres(*height),
            step_failure(look.as_ref())
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
    let left = vector(slide.remaining);
    match slide.end {
        SlideEnd::Crease | SlideEnd::Surface if stopped && slide.remaining.length() < 1e-3 => {
            "Nothing of the way runs along it.".to_owned()
        }
        SlideEnd::Crease | SlideEnd::Surface if stopped => {
            format!("A slide along it by {left} was tried, and did not help.")
        }
        SlideEnd::Crease | SlideEnd::Surface => format!("It slid along it by {left}."),
        SlideEnd::Stop => "Too little of the way runs along it for a slide.".to_owned(),
        SlideEnd::Opposed => {
            format!(
                "It faces against the ground, so that there is no way along both, and counts as run into {}.",
                words::normal(-slide.movement.normalize_or_zero())
            )
        }
        SlideEnd::NoDirection => "It has no direction to slide along.".to_owned(),
    }
}
