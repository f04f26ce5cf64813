//! Sentences for single events of a sweep.

use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position};
use threshold_motion::Insert;
use threshold_motion::probe::{
    CameraContact, CellExit, CollisionTarget, ContactKind, EdgeResponse, GroundContact,
    GroundEffect, OffsetLimit, PassReason, Slide, SlideEnd, SurfaceContact, SurfaceKind,
    SweepEvent,
};

use super::node::{Node, Rank};
use super::recorder::name;
use super::words::{self, metres, vector};

/// Returns the sentence for an event, for a mover with this number of spheres.
pub(super) fn node(
    event: &SweepEvent<'_>,
    target: &[CollisionTarget],
    spheres: usize,
) -> Option<Node> {
    contact(event, target, spheres).or_else(|| progress(event))
}

/// The sentence for an event that concerns a surface, an object or a cell.
fn contact(event: &SweepEvent<'_>, target: &[CollisionTarget], spheres: usize) -> Option<Node> {
    Some(match *event {
        SweepEvent::SurfaceMet(contact) => {
            surface_met(&contact, target, words::sphere(contact.sphere, spheres))
        }
        SweepEvent::GroundMet(contact) => ground_met(&contact),
        SweepEvent::AllWater => {
            Node::new("sea", "The whole landblock is water, which blocks movers.")
        }
        SweepEvent::EntryDenied { cell, object } => {
            let text = format!("{}.", words::sentence(&words::restriction(cell, object)));
            Node::new("restricted", text).with("cell", cell).with("object", object.to_string())
        }
        SweepEvent::GroundFound { polygon, plane, moved } => {
            ground_found(polygon, plane.normal, moved, target)
        }
        SweepEvent::StepTooHigh { height, max_height } => {
            let text = format!(
                "To stand on it, it would have to rise by {}; a step is at most {}.",
                metres(height),
                metres(max_height)
            );
            Node::new("too-high", text).with("height", height).with("most", max_height)
        }
        SweepEvent::EdgeMet(response) => edge(&response),
        SweepEvent::DeferredHit { normal, step_up } => {
            let response = if step_up { "a step up is tried" } else { "it slides" };
            let text = format!(
                "The surface touched while moving away counts as a wall {}: {response}.",
                words::normal(normal)
            );
            Node::new("behind", text).with("normal", normal).with("step_up", step_up)
        }
        SweepEvent::ObjectPassed { object, reason } => passed(&object.to_string(), reason),
        SweepEvent::LeftCells(exit) => left_cells(exit),
        SweepEvent::PushedOut { sphere, polygon, normal } => {
            pushed_out(words::sphere(sphere, spheres), polygon, normal, target)
                .with("sphere", sphere)
        }
        SweepEvent::CameraMet(contact) => camera(&contact),
        _ => return None,
    })
}

/// The sentence for an event that concerns only the mover.
fn progress(event: &SweepEvent<'_>) -> Option<Node> {
    Some(match *event {
        SweepEvent::MoveDivided { offset: whole, radius, count } => divided(whole, radius, count),
        SweepEvent::OffsetAdjusted { requested, remaining, limit } => {
            adjusted(requested, remaining, limit)
        }
        SweepEvent::SlidingNormalIgnored { normal } => {
            let text = format!(
                "The sliding normal of an earlier hit, {}, leaves nothing of the move; the sweep tests whether the obstacle is still there.",
                words::normal(normal)
            );
            Node::new("sliding-aside", text).with("normal", normal)
        }
        SweepEvent::PushedUp { height } => Node::new(
            "pushed-up",
            format!("It had sunk into the ground; pushed up by {}.", metres(height)),
        )
        .with("by", height),
        SweepEvent::Slid(slide) => slid(&slide),
        SweepEvent::StationaryFall(count) => {
            let text = format!("It falls without moving: {count} of 3 times in a row.");
            Node::new("stationary", text).with("count", count)
        }
        SweepEvent::SubStepEnded { answer, at, ground, hit } => {
            sub_step_ended(answer, at, ground, hit)
        }
        _ => return None,
    })
}

fn sub_step_ended(answer: Insert, at: &Position, ground: Option<Vec3>, hit: Option<Vec3>) -> Node {
    let verb = if answer == Insert::Ok { "It is now" } else { "It stays" };
    Node::new("ended", format!("{verb} at {}.", words::place(at)))
        .with("at", at.frame.origin)
        .with("cell", at.cell)
        .with_some("ground", ground)
        .with_some("hit", hit)
}

fn divided(whole: Vec3, radius: f32, count: u32) -> Node {
    let length = metres(whole.length());
    let text = match count {
        0 => "The move has no length.".to_owned(),
        1 => format!("The move of {length} is one sub-step."),
        _ => format!(
            "The move of {length} is divided into {count} sub-steps, none longer than the radius of {}.",
            metres(radius)
        ),
    };
    Node::new("cut", text).with("whole", whole).with("radius", radius).with("count", count)
}

fn adjusted(requested: Vec3, remaining: Vec3, limit: OffsetLimit) -> Node {
    let (text, rank) = limit_text(requested, remaining, limit);
    let (ground, wall) = match limit {
        OffsetLimit::Free => (None, None),
        OffsetLimit::Wall(wall) => (None, Some(wall)),
        OffsetLimit::Ground(ground) | OffsetLimit::Slope(ground) => (Some(ground), None),
        OffsetLimit::Crease { ground, wall } => (Some(ground), Some(wall)),
    };
    Node::new("adjusted", text)
        .with("wished", requested)
        .with("left", remaining)
        .with_some("ground", ground)
        .with_some("wall", wall)
        .ranked(rank)
}

/// What a limit leaves of the offset of a sub-step.
fn limit_text(requested: Vec3, remaining: Vec3, limit: OffsetLimit) -> (String, Rank) {
    let left = vector(remaining);
    match limit {
        OffsetLimit::Ground(Vec3::ZERO) | OffsetLimit::Slope(Vec3::ZERO) => (
            "The plane of the ground it was placed on is not known yet: the whole offset is left."
                .to_owned(),
            Rank::Detail,
        ),
        OffsetLimit::Free => {
            ("Nothing limits the offset: all of it is left.".to_owned(), Rank::Detail)
        }
        OffsetLimit::Ground(normal) if (remaining - requested).length() < 1e-4 => (
            format!("The ground it stands on, {}, leaves the whole offset.", words::facing(normal)),
            Rank::Detail,
        ),
        OffsetLimit::Ground(normal) | OffsetLimit::Slope(normal) => (
            format!("Along the ground it stands on, {}, {left} is left.", words::normal(normal)),
            Rank::Main,
        ),
        OffsetLimit::Wall(normal) => (
            format!("Along the surface hit before, {}, {left} is left.", words::normal(normal)),
            Rank::Main,
        ),
        OffsetLimit::Crease { wall, .. } => (
            format!(
                "Along the crease of the ground and the surface hit before, {}, {left} is left.",
                words::normal(wall)
            ),
            Rank::Main,
        ),
    }
}

fn surface_met(contact: &SurfaceContact, target: &[CollisionTarget], sphere: &str) -> Node {
    let name = words::surface(contact.surface, target);
    let verb = match contact.kind {
        ContactKind::RunsInto => "Runs into",
        ContactKind::FallsOn => "Hits in the air",
        ContactKind::Ends => "Ends at",
        ContactKind::Leaves => "Touches, while moving away,",
        ContactKind::Overlaps => "There is no room because of",
    };
    let text = format!("{verb} {name}, {}.", contact_place(contact, contact.normal, sphere));
    let rank = if contact.kind == ContactKind::Leaves { Rank::Detail } else { Rank::Main };
    contact_facts(Node::new("met", text), contact, target).ranked(rank)
}

/// Where a surface that pushes the mover was met, and by which sphere.
pub(super) fn contact_place(contact: &SurfaceContact, push: Option<Vec3>, sphere: &str) -> String {
    // Spheres and cylinders test the mover's second sphere with the radius of the first.
    let is_shape = matches!(contact.surface, SurfaceKind::Sphere | SurfaceKind::Cylinder);
    let radius_of = match is_shape && contact.sphere > 0 {
        true => "which counts as wide as the lower one, ",
        false => "whose radius is ",
    };
    let radius = format!("{radius_of}{}", metres(contact.radius));
    let facing = match (contact.surface, push) {
        (_, None) => String::new(),
        (SurfaceKind::Polygon(_), _) => contact.normal.map_or_else(String::new, facing),
        (_, Some(push)) => format!("which pushes it {}, ", words::towards(push)),
    };
    let (Some(distance), Some(point)) = (contact.distance, contact.point) else {
        let centre = vector(contact.centre);
        return match contact.surface {
            SurfaceKind::Solid => {
                format!("{facing}which contains the centre of the {sphere} at {centre}")
            }
            _ => format!("{facing}met by the {sphere}, {radius}, with its centre at {centre}"),
        };
    };
    let (point, apart) = (vector(point), (point - contact.centre).length());
    let apart = metres(apart);
    if distance < 0.0 {
        let behind = metres(-distance);
        return format!(
            "{facing}met at {point}; the centre of the {sphere}, {radius}, is {behind} behind it"
        );
    }
    format!("{facing}met at {point}, {apart} from the centre of the {sphere}, {radius}")
}

fn facing(normal: Vec3) -> String {
    format!("{}, ", words::normal(normal))
}

/// Adds the facts of a surface contact.
pub(super) fn contact_facts(
    node: Node,
    contact: &SurfaceContact,
    target: &[CollisionTarget],
) -> Node {
    let polygon = match contact.surface {
        SurfaceKind::Polygon(index) => Some(index),
        _ => None,
    };
    let cell = target.iter().find_map(|target| match target {
        CollisionTarget::Ground(cell)
        | CollisionTarget::Walls(cell)
        | CollisionTarget::Shell(cell) => Some(*cell),
        _ => None,
    });
    let object = target.iter().find_map(|target| match target {
        CollisionTarget::Object(object) => Some(object.to_string()),
        _ => None,
    });
    node.with_some("who", name(target))
        .with_some("cell", cell)
        .with_some("object", object)
        .with_some("polygon", polygon)
        .with_some("normal", contact.normal)
        .with_some("distance", contact.distance)
        .with_some("at", contact.point)
        .with("sphere", contact.sphere)
        .with("radius", contact.radius)
        .with("centre", contact.centre)
        .with("frame", contact.cell)
}

fn ground_met(contact: &GroundContact) -> Node {
    let cell = contact.cell;
    let steep = if contact.walkable { "walkable" } else { "too steep to walk on" };
    let lift = match contact.effect {
        GroundEffect::Lifts(height) | GroundEffect::TooFarUp(height) => Some(height),
        _ => None,
    };
    let (effect, rank) = match contact.effect {
        GroundEffect::Below => {
            (format!("is {} below its feet", metres(contact.height)), Rank::Detail)
        }
        GroundEffect::Carries => ("carries it".to_owned(), Rank::Detail),
        GroundEffect::Lifts(height) => {
            (format!("lifts it by {} and carries it", metres(height)), Rank::Detail)
        }
        GroundEffect::TooFarUp(height) => {
            (format!("would lift it by {}, which is too much", metres(height)), Rank::Main)
        }
        GroundEffect::Steep => ("cannot be stood on, and is passed for now".to_owned(), Rank::Main),
        GroundEffect::SteepStops => ("cannot be stood on, and stops it".to_owned(), Rank::Main),
        GroundEffect::Found => ("is there".to_owned(), Rank::Detail),
    };
    let normal = words::normal(contact.plane.normal);
    let text = format!("The ground of land cell {cell}, {normal} and {steep}, {effect}.");
    Node::new("ground", text)
        .with("cell", cell)
        .with("normal", contact.plane.normal)
        .with("height", contact.height)
        .with_some("lift", lift)
        .with("water_depth", contact.depth)
        .with("walkable", contact.walkable)
        .with("hits", contact.hits)
        .ranked(if contact.hits { Rank::Main } else { rank })
}

fn ground_found(
    polygon: Option<u32>,
    normal: Vec3,
    moved: Vec3,
    target: &[CollisionTarget],
) -> Node {
    let surface = match polygon {
        Some(index) => format!("polygon {index} of {}", words::target(target)),
        None => format!("the top of {}", words::target(target)),
    };
    let text = format!(
        "{} can be stood on, {}; the mover is moved by {}.",
        words::sentence(&surface),
        words::normal(normal),
        vector(moved)
    );
    Node::new("stands-on", text)
        .with_some("who", name(target))
        .with_some("polygon", polygon)
        .with("normal", normal)
        .with("moved", moved)
}

fn slid(slide: &Slide) -> Node {
    let (length, left) = (metres(slide.movement.length()), vector(slide.remaining));
    let text = match slide.end {
        SlideEnd::Crease => {
            format!("Slides along it and the ground: {left} of {length} is left.")
        }
        SlideEnd::Surface => format!("Slides along it: {left} of {length} is left."),
        SlideEnd::Stop => {
            let along = metres(slide.remaining.length());
            format!(
                "Only {along} of {length} runs along it and the ground: below 0.0142 m it stops."
            )
        }
        SlideEnd::Opposed => "It opposes the ground: no direction runs along both.".to_owned(),
        SlideEnd::NoDirection => {
            "It has no direction: half of the movement is taken back.".to_owned()
        }
    };
    Node::new("slide", text)
        .with("normal", slide.normal)
        .with("ground", slide.ground)
        .with("way", slide.movement)
        .with("left", slide.remaining)
}

fn edge(response: &EdgeResponse) -> Node {
    match *response {
        EdgeResponse::WalkOff => Node::new("edge", "It walks off the edge."),
        EdgeResponse::CliffSlide { normal, away, moved } => {
            let text = format!(
                "The ground becomes too steep, {}: it is turned away, to the {}.",
                words::normal(normal),
                words::compass(away).unwrap_or("side")
            );
            let node = Node::new("edge", text).with("normal", normal);
            node.with("away", away).with("moved", moved)
        }
        EdgeResponse::LookBack => {
            Node::new("edge", "It searches for the polygon that it stood on, to find its edge.")
                .ranked(Rank::Detail)
        }
        EdgeResponse::PrecipiceSlide { normal, .. } => {
            let text = format!(
                "It has crossed the edge of the ground it stood on; the edge counts as a wall {}.",
                words::normal(normal)
            );
            Node::new("edge", text).with("normal", normal)
        }
        EdgeResponse::NoEdge => Node::new("edge", "There is no edge to slide along: it stays."),
    }
}

fn passed(object: &str, reason: PassReason) -> Node {
    let reason = match reason {
        PassReason::Ethereal => "it is ethereal and ignores collisions",
        PassReason::Noticed => "one of the two is ethereal; the contact is reported",
        PassReason::Unnoticed => "one of the two is ethereal",
        PassReason::CreatureForCamera => "it is a creature, which cameras pass through",
        PassReason::Creature => {
            "it is a creature, which this mover passes through; the contact is reported"
        }
        PassReason::Players => "both are players that do not collide with each other",
        PassReason::Missile => "it or the mover is a missile, and the two do not hit each other",
    };
    Node::new("passed", format!("{} is passed: {reason}.", words::sentence(object)))
        .with("object", object)
        .with("why", reason)
}

fn left_cells(exit: CellExit) -> Node {
    let (text, rank) = match exit {
        CellExit::GroundSearch => ("No cell is there, so no ground either.", Rank::Detail),
        CellExit::HeldUnloaded => (
            "No resident cell contains it there, and a cell that might is not resident: it is held.",
            Rank::Main,
        ),
        CellExit::HeldIndoors => {
            ("It would leave its room without entering another cell: it is held.", Rank::Main)
        }
        CellExit::OffMap => ("The map ends there.", Rank::Main),
        CellExit::Reseated => (
            "No cell contains it; the cell array is built again outdoors, and the land cell takes over.",
            Rank::Main,
        ),
        CellExit::Lost => ("No resident cell contains it there; it is not held.", Rank::Main),
    };
    Node::new("left", text).ranked(rank)
}

fn pushed_out(
    sphere: &str,
    polygon: Option<u32>,
    normal: Vec3,
    target: &[CollisionTarget],
) -> Node {
    let text = match polygon {
        Some(index) => format!(
            "The {sphere} overlaps polygon {index} of {}, {}, and is pushed out.",
            words::target(target),
            words::normal(normal)
        ),
        None => format!("The {sphere} is in the solid space of {}.", words::target(target)),
    };
    Node::new("pushed", text)
        .with_some("who", name(target))
        .with_some("polygon", polygon)
        .with_some("normal", polygon.map(|_| normal))
}

fn camera(contact: &CameraContact) -> Node {
    let node = |text: String, cell: CellId, normal: Vec3| {
        Node::new("camera", text).with("cell", cell).with("normal", normal)
    };
    match *contact {
        CameraContact::Ridge { cell, normal } => {
            let facing = words::normal(normal);
            node(format!("A ridge of the land lies between, {facing}: it stays."), cell, normal)
        }
        CameraContact::Ground { cell, normal, height, back } => {
            let end = match back {
                Some(back) => format!("it moves back by {} until it just touches", vector(back)),
                None => "it stays a sub-step short".to_owned(),
            };
            let text = format!(
                "It meets the ground of land cell {cell}, {}, {} below its eye: {end}.",
                words::normal(normal),
                metres(height)
            );
            node(text, cell, normal).with("height", height).with_some("back", back)
        }
        CameraContact::Underground { cell, normal, height } => {
            let text = format!(
                "It would leave its room {} below the ground of land cell {cell}: it stays.",
                metres(-height)
            );
            node(text, cell, normal).with("height", height)
        }
    }
}
