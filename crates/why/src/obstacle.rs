//! Sentences for obstacles.

use threshold_land::CellId;
use threshold_land::vector::Vec3;
use threshold_motion::Insert;
use threshold_motion::probe::{
    CameraContact, CellExit, CollisionTarget, ContactKind, EdgeResponse, GroundContact,
    GroundEffect, Slide, SlideEnd, Stage, SurfaceContact, SurfaceKind,
};

use super::node::Node;
use super::record::{
    GroundSearchRecord, Incident, IncidentKind, Section, StandingSurface, StepUp, SurfaceHit,
};
use super::sentences::{contact_facts, contact_place};
use super::stages::{push_out_reason, search_result, step_failure};
use super::words::{self, metres, vector};

pub(super) fn footing_name(footing: &StandingSurface) -> String {
    match footing.polygon {
        Some(index) => format!("polygon {index} of {}", words::target(&footing.target)),
        None => words::target(&footing.target),
    }
}

fn pushing_surface_name(polygon: Option<u32>, target: &[CollisionTarget]) -> String {
    match polygon {
        Some(index) => format!("polygon {index} of {}", words::target(target)),
        None => format!("the solid space of {}", words::target(target)),
    }
}

/// Start of the sentence about an obstacle, and the mover that met it.
pub(super) struct ObstacleContext<'a> {
    /// Kind of the node.
    pub(super) kind: &'static str,
    pub(super) verb: &'a str,
    /// Number of the mover's spheres.
    pub(super) spheres: usize,
}

impl ObstacleContext<'_> {
    /// Describes an obstacle; the sentence has no full stop yet.
    pub(super) fn describe(&self, section: &Section, index: usize) -> Node {
        let Self { kind, verb, .. } = *self;
        let incident = &section.incidents[index];
        let target = &incident.target;
        match &incident.kind {
            IncidentKind::Surface(_)
            | IncidentKind::DeferredHit { touched: Some(_), .. }
            | IncidentKind::GroundSearch(_) => self.describe_hit(section, index),
            IncidentKind::Ground(ground) => self.describe_ground(ground),
            IncidentKind::AllWater => {
                let cell = target.iter().find_map(cell_of);
                let block = cell.map_or_else(String::new, |cell| format!(" {}", cell.block()));
                let text = format!("{verb} water: the whole landblock{block} is water");
                Node::new(kind, text).with_some("cell", cell)
            }
            IncidentKind::EntryDenied { cell, object } => {
                let text = format!("{verb} a restriction: {}", words::restriction(*cell, *object));
                Node::new(kind, text).with("cell", *cell).with("object", object.to_string())
            }
            IncidentKind::PushedOut { polygon, normal } => {
                let name = pushing_surface_name(*polygon, target);
                let facing = polygon.map(|_| format!(", {}", words::normal(*normal)));
                let text = format!("{verb} {name}{}", facing.unwrap_or_default());
                let node = Node::new(kind, text).with_some("normal", polygon.map(|_| *normal));
                node.with_some("polygon", *polygon)
                    .with_some("cell", target.iter().find_map(cell_of))
            }
            IncidentKind::CellExit(exit) => self.describe_cell_exit(*exit),
            IncidentKind::Camera(contact) => self.describe_camera(contact),
            IncidentKind::Edge(edge, footing) => self.describe_edge(edge, footing.as_ref()),
            _ => Node::new(kind, verb),
        }
    }

    /// Describes an obstacle that is a surface.
    fn describe_hit(&self, section: &Section, index: usize) -> Node {
        let Incident { target, kind: incident } = &section.incidents[index];
        let push = section.push(index);
        match incident {
            IncidentKind::Surface(contact) => {
                let node = self.describe_surface(contact, push, target);
                self.describe_step_up(node, section.step_up(index))
            }
            IncidentKind::DeferredHit { touched: Some(SurfaceHit { contact, target }), normal } => {
                let node = self.describe_surface(contact, push, target);
                let facing = words::normal(*normal);
                let text = format!(
                    "{}; it was touched while moving away from it, so it counts as a wall {facing}",
                    node.text
                );
                Node { text, ..node }.with("push", push.unwrap_or(*normal))
            }
            IncidentKind::GroundSearch(GroundSearchRecord { blocker: Some(blocker), .. }) => {
                let SurfaceHit { contact, target } = blocker;
                let node = self.describe_surface(contact, contact.normal, target);
                let text = format!("{}: there is ground to stand on, but no room on it", node.text);
                Node { text, ..node }
            }
            _ => Node::new(self.kind, self.verb),
        }
    }

    /// Adds the footing of a step up to the surface that caused it.
    fn describe_step_up(&self, node: Node, step: Option<&StepUp>) -> Node {
        let verb = self.verb;
        let Some((footing, rise)) = step.and_then(|step| step.onto.as_ref()) else { return node };
        let (onto, facing) = (footing_name(footing), words::normal(footing.plane.normal));
        let surface = node.text.strip_prefix(verb).unwrap_or(&node.text);
        let height = metres(*rise);
        let text = format!("{verb} by {height} onto {onto}, {facing}, after running into{surface}");
        Node { text, ..node }.with("onto", onto).with("rise", *rise)
    }

    fn describe_surface(
        &self,
        contact: &SurfaceContact,
        push: Option<Vec3>,
        target: &[CollisionTarget],
    ) -> Node {
        let Self { kind, verb, spheres } = *self;
        let sphere = words::sphere(contact.sphere, spheres);
        let name = words::surface(contact.surface, target);
        let place = contact_place(contact, push, sphere);
        let text = match contact.normal.or(push) {
            _ if contact.surface == SurfaceKind::Solid => format!("{verb} {name}, {place}"),
            Some(normal) => {
                format!("{verb} {}: {name}, {place}", words::surface_type(target, normal))
            }
            None => format!("{verb} an object: {name}, {place}"),
        };
        let node = contact_facts(Node::new(kind, text), contact, target);
        match contact.surface {
            SurfaceKind::Polygon(_) | SurfaceKind::Solid => node,
            SurfaceKind::Sphere | SurfaceKind::Cylinder => node.with_some("push", push),
        }
    }

    fn describe_ground(&self, ground: &GroundContact) -> Node {
        let Self { kind, verb, .. } = *self;
        let facing = words::normal(ground.plane.normal);
        let effect = match ground.effect {
            GroundEffect::TooFarUp(height) => format!("which is {} too high", metres(height)),
            _ if !ground.walkable => "which is too steep to walk on".to_owned(),
            GroundEffect::Lifts(height) => format!("which lifts it by {}", metres(height)),
            _ => "which carries it".to_owned(),
        };
        let (n, c) = (ground.plane.normal, ground.centre);
        // Straight below the centre; ground is never vertical.
        let at = Vec3::new(c.x, c.y, -(n.x * c.x + n.y * c.y + ground.plane.d) / n.z);
        let name = format!("the ground of land cell {}", ground.cell);
        let text = format!("{verb} {name}, {facing}, {effect}, at {}", vector(at));
        Node::new(kind, text)
            .with("cell", ground.cell)
            .with("normal", n)
            .with("height", ground.height)
            .with("centre", c)
            .with("at", at)
    }

    fn describe_cell_exit(&self, exit: CellExit) -> Node {
        let Self { kind, verb, .. } = *self;
        let limit = match exit {
            CellExit::HeldUnloaded => {
                "the end of the resident cells: a cell that might be there is not loaded"
            }
            CellExit::HeldIndoors => "the end of its room, with no cell beyond",
            CellExit::OffMap => "the end of the map",
            CellExit::GroundSearch | CellExit::Reseated | CellExit::Lost => "the lack of a cell",
        };
        Node::new(kind, format!("{verb} {limit}"))
    }

    fn describe_camera(&self, contact: &CameraContact) -> Node {
        let Self { kind, verb, .. } = *self;
        let (cell, normal, surface) = match *contact {
            CameraContact::Ridge { cell, normal } => (cell, normal, "a ridge of the land at"),
            CameraContact::Ground { cell, normal, .. } => (cell, normal, "the ground of"),
            CameraContact::Underground { cell, normal, .. } => {
                (cell, normal, "the ground above it, on leaving its room, of")
            }
        };
        let text = format!("{verb} {surface} land cell {cell}, {}", words::normal(normal));
        Node::new(kind, text).with("cell", cell).with("normal", normal)
    }

    fn describe_edge(&self, edge: &EdgeResponse, footing: Option<&StandingSurface>) -> Node {
        let Self { kind, verb, .. } = *self;
        let name = footing.map(footing_name);
        let (normal, away, point, text) = match *edge {
            EdgeResponse::CliffSlide { normal, away, .. } => {
                let name = name.clone().unwrap_or_else(|| "ground".to_owned());
                let facing = words::normal(normal);
                let text = format!("{verb} {name}, {facing}, which is too steep to walk on");
                (normal, Some(away), None, text)
            }
            EdgeResponse::PrecipiceSlide { normal, point } => {
                let at = point.map_or_else(String::new, |point| format!(" at {}", vector(point)));
                let name = name.clone().unwrap_or_else(|| "the ground it stood on".to_owned());
                let facing = words::normal(normal);
                let text = format!(
                    "{verb} an edge of {name}{at}, beyond which it cannot stand; the edge counts as a wall {facing}"
                );
                (normal, None, point, text)
            }
            _ => {
                let text = format!("{verb} the lack of ground, with no edge to slide along");
                return Node::new(kind, text);
            }
        };
        let cell = footing.and_then(|footing| footing.target.iter().find_map(cell_of));
        Node::new(kind, text)
            .with("normal", normal)
            .with_some("who", name)
            .with_some("cell", cell)
            .with_some("polygon", footing.and_then(|footing| footing.polygon))
            .with_some("away", away)
            .with_some("at", point)
    }
}

/// The verb that says how an obstacle affected the mover.
pub(super) fn verb(section: &Section, index: usize, also: bool) -> &'static str {
    let kind = &section.incidents[index].kind;
    let ends = matches!(
        kind,
        IncidentKind::Surface(SurfaceContact { kind: ContactKind::Ends, .. })
            | IncidentKind::Camera(_)
    );
    if matches!(kind, IncidentKind::Surface(_)) && section.is_stepped_on(index) {
        return "Stepped up";
    }
    let lands = match kind {
        IncidentKind::Surface(_) => section.is_landed(index),
        IncidentKind::Ground(ground) => ground.hits && ground.walkable,
        _ => false,
    };
    let pushes = matches!(kind, IncidentKind::PushedOut { .. });
    match section.is_stopped() || ends {
        _ if lands && section.stage == Stage::PushOut => "Placed on",
        _ if matches!(kind, IncidentKind::Ground(GroundContact { effect: GroundEffect::Lifts(height), .. }) if *height > 0.5) => {
            "Lifted onto"
        }
        _ if lands => "Came down on",
        _ if section.is_brushed(index) && also => "Touched, without effect on the move:",
        true if also => "Also in the way:",
        true => "Stopped by",
        false if pushes => "Pushed out by",
        false if also => "Also turned aside by",
        false => "Turned aside by",
    }
}

/// The cell of a target that is part of one.
fn cell_of(target: &CollisionTarget) -> Option<CellId> {
    match target {
        CollisionTarget::Ground(cell)
        | CollisionTarget::Walls(cell)
        | CollisionTarget::Shell(cell) => Some(*cell),
        _ => None,
    }
}

/// The result of the ground search that led to an edge.
pub(super) fn ground_search_before(section: &Section, edge: usize) -> Option<String> {
    let searches = section.searches_before(edge);
    let height: f32 = searches.iter().map(|search| search.height).sum();
    let last = searches.first()?;
    if height == 0.0 {
        return Some("Ground search within 0 m below: this mover takes no step down.".to_owned());
    }
    // The first half found nothing, and the second left all cells.
    let found = match searches.get(1) {
        Some(before) if last.no_cell => {
            format!("{}, and farther down there is no cell", search_result(before))
        }
        _ => search_result(last),
    };
    Some(format!("Ground search within {} below: {found}.", metres(height)))
}

/// Prepends the result of the ground search to the sentence for an edge.
pub(super) fn with_ground_search(node: Node, section: &Section, edge: usize) -> Node {
    if matches!(
        section.incidents.get(edge).map(|edge| &edge.kind),
        Some(IncidentKind::Edge(EdgeResponse::LookBack, _))
    ) {
        return node;
    }
    match ground_search_before(section, edge) {
        Some(sentence) => Node { text: format!("{sentence} {}", node.text), ..node },
        None => node,
    }
}

/// Why a placed mover was not pushed out of walls.
pub(super) fn push_out_failure(section: &Section) -> Option<String> {
    let answer = section.answer.filter(|answer| *answer != Insert::Ok)?;
    let any = |filter: &dyn Fn(&IncidentKind) -> bool| {
        section.incidents.iter().any(|incident| filter(&incident.kind))
    };
    let first = section.incidents.iter().find_map(|incident| match incident.kind {
        IncidentKind::PushedOut { polygon, .. } => {
            Some(pushing_surface_name(polygon, &incident.target))
        }
        _ => None,
    });
    let pushed_elsewhere = section.incidents.iter().any(|incident| {
        let name = words::target(&incident.target);
        matches!(incident.kind, IncidentKind::PushedOut { .. })
            && !first.as_ref().is_some_and(|first| first.ends_with(&name))
    });
    let first = first.filter(|_| pushed_elsewhere);
    let first = first.map_or_else(String::new, |first| format!(" It was in {first} first."));
    Some(format!("It is not pushed out of walls: {}.{first}", push_out_reason(answer, any)))
}

/// Consequences of an incident: a step up, a slide, a landing.
pub(super) fn consequences(section: &Section, index: usize) -> Vec<String> {
    let sentences = section.after(index).filter_map(|kind| match kind {
        IncidentKind::StepTooHigh { height, max_height } => Some(format!(
            "To stand on it, it would have to rise by {}; a step is at most {}.",
            metres(*height),
            metres(*max_height)
        )),
        IncidentKind::StepUp(StepUp { height, stepped: false, search, .. }) => Some(format!(
            "A step up of at most {} failed: {}.",
            metres(*height),
            step_failure(search.as_ref())
        )),
        IncidentKind::Landing(false) => Some("It could not stand on it.".to_owned()),
        _ => None,
    });
    let slide = section.slide(index).map(|slide| slide_result(slide, section.is_stopped()));
    let mut all: Vec<String> = sentences.chain(slide).collect();
    all.dedup();
    all
}

fn slide_result(slide: &Slide, stopped: bool) -> String {
    let remaining = vector(slide.remaining);
    match slide.end {
        SlideEnd::Crease | SlideEnd::Surface if stopped && slide.remaining.length() < 1e-3 => {
            "No part of the move runs along it.".to_owned()
        }
        SlideEnd::Crease | SlideEnd::Surface if stopped => {
            format!("A slide along it by {remaining} was tried, and did not help.")
        }
        SlideEnd::Crease | SlideEnd::Surface => format!("It slid along it by {remaining}."),
        SlideEnd::Stop => "Too little of the move runs along it for a slide.".to_owned(),
        SlideEnd::Opposed => {
            format!(
                "It opposes the ground, so no direction runs along both; it counts as a hit {}.",
                words::normal(-slide.movement.normalize_or_zero())
            )
        }
        SlideEnd::NoDirection => "It has no direction to slide along.".to_owned(),
    }
}
