//! What is told, as sentences.

use threshold_land::CellId;
use threshold_land::glam::Vec3;
use threshold_motion::Insert;
use threshold_motion::probe::{
    CameraContact, CellExit, CollisionTarget, ContactKind, EdgeResponse, GroundContact,
    GroundEffect, OffsetLimit, PassReason, Slide, SlideEnd, SurfaceContact, SurfaceKind,
    SweepEvent,
};

use super::node::{Node, Rank};
use super::recorder::name;
use super::words::{self, metres, vector};

/// Something that has no end, for a mover of so many spheres. Aside of the way, as in a step up, it is a detail.
pub(super) fn node(
    told: &SweepEvent<'_>,
    who: &[CollisionTarget],
    (spheres, aside): (usize, bool),
) -> Option<Node> {
    let node = match *told {
        SweepEvent::MoveDivided { whole, radius, count } => cut(whole, radius, count),
        SweepEvent::OffsetAdjusted { requested: wished, remaining: left, limit: along } => {
            adjusted(wished, left, along)
        }
        SweepEvent::SlidingNormalIgnored { normal } => {
            let text = format!(
                "The sliding normal of an earlier hit, {}, leaves nothing of the move; it is tested whether the obstacle is still there.",
                words::normal(normal)
            );
            Node::new("sliding-aside", text).with("normal", normal)
        }
        SweepEvent::PushedUp { height: by } => Node::new(
            "pushed-up",
            format!("It had sunk into the ground; pushed up by {}.", metres(by)),
        )
        .with("by", by),
        SweepEvent::SurfaceMet(met) => meets(&met, who, words::sphere(met.sphere, spheres)),
        SweepEvent::GroundMet(met) => ground(&met),
        SweepEvent::AllWater => {
            Node::new("sea", "The whole landblock is water, where nobody walks.")
        }
        SweepEvent::EntryDenied { cell, object } => {
            let text = format!("{}.", words::sentence(&words::restriction(cell, object)));
            Node::new("restricted", text).with("cell", cell).with("object", object.to_string())
        }
        SweepEvent::GroundFound { polygon, plane, moved } => {
            stands_on(polygon, plane.normal, moved, who)
        }
        SweepEvent::StepTooHigh { height, max_height: most } => {
            let text = format!(
                "To stand on it, it would have to rise by {}; a step goes {} up.",
                metres(height),
                metres(most)
            );
            Node::new("too-high", text).with("height", height).with("most", most)
        }
        SweepEvent::Slid(slide) => slides(&slide),
        SweepEvent::EdgeMet(which) => edge(&which),
        SweepEvent::DeferredHit { normal, step_up } => {
            let by = if step_up { "a step up is tried" } else { "it slides" };
            let text = format!(
                "What it touches without running into it counts as a wall {}: {by}.",
                words::normal(normal)
            );
            Node::new("behind", text).with("normal", normal).with("step_up", step_up)
        }
        SweepEvent::ObjectPassed { object, reason: why } => passes(&object.to_string(), why),
        SweepEvent::LeftCells(which) => leaves(which),
        SweepEvent::PushedOut { sphere, polygon, normal } => {
            pushed(words::sphere(sphere, spheres), polygon, normal, who).with("sphere", sphere)
        }
        SweepEvent::CameraMet(met) => camera(&met),
        SweepEvent::StationaryFall(count) => {
            let text = format!("It falls and has not moved: {count} of 3 times in a row.");
            Node::new("stationary", text).with("count", count)
        }
        SweepEvent::SubStepEnded { answer, at, ground, hit } => {
            let kept = if answer == Insert::Ok { "It is now" } else { "It stays" };
            Node::new("ended", format!("{kept} at {}.", words::place(at)))
                .with("at", at.frame.origin)
                .with("cell", at.cell)
                .with_some("ground", ground)
                .with_some("hit", hit)
        }
        _ => return None,
    };
    Some(if aside { node.ranked(Rank::Detail) } else { node })
}

fn cut(whole: Vec3, radius: f32, count: u32) -> Node {
    let far = metres(whole.length());
    let text = match count {
        0 => "There is nowhere to go.".to_owned(),
        1 => format!("The move of {far} is one sub-step."),
        _ => format!(
            "The move of {far} is cut into {count} sub-steps, none longer than its radius of {}.",
            metres(radius)
        ),
    };
    Node::new("cut", text).with("whole", whole).with("radius", radius).with("count", count)
}

fn adjusted(wished: Vec3, left: Vec3, along: OffsetLimit) -> Node {
    let unknown = matches!(along, OffsetLimit::Ground(Vec3::ZERO) | OffsetLimit::Slope(Vec3::ZERO));
    let (text, rank) = match along {
        _ if unknown => (
            String::from(
                "The plane of the ground it was put on is not known yet: all of it is left.",
            ),
            Rank::Detail,
        ),
        OffsetLimit::Free => (String::from("Nothing holds it: all of it is left."), Rank::Detail),
        OffsetLimit::Ground(normal) if (left - wished).length() < 1e-4 => (
            format!("The ground it stands on, {}, leaves all of it.", words::facing(normal)),
            Rank::Detail,
        ),
        OffsetLimit::Ground(normal) | OffsetLimit::Slope(normal) => (
            format!(
                "Along the ground it stands on, {}, {} is left.",
                words::normal(normal),
                vector(left)
            ),
            Rank::Main,
        ),
        OffsetLimit::Wall(normal) => (
            format!(
                "Along what it ran into before, {}, {} is left.",
                words::normal(normal),
                vector(left)
            ),
            Rank::Main,
        ),
        OffsetLimit::Crease { wall, .. } => (
            format!(
                "Along the line between the ground and what it ran into before, {}, {} is left.",
                words::normal(wall),
                vector(left)
            ),
            Rank::Main,
        ),
    };
    let (ground, wall) = match along {
        OffsetLimit::Free => (None, None),
        OffsetLimit::Wall(wall) => (None, Some(wall)),
        OffsetLimit::Ground(ground) | OffsetLimit::Slope(ground) => (Some(ground), None),
        OffsetLimit::Crease { ground, wall } => (Some(ground), Some(wall)),
    };
    Node::new("adjusted", text)
        .with("wished", wished)
        .with("left", left)
        .with_some("ground", ground)
        .with_some("wall", wall)
        .ranked(rank)
}

fn meets(met: &SurfaceContact, who: &[CollisionTarget], sphere: &str) -> Node {
    let what = words::surface(met.surface, who);
    let verb = match met.kind {
        ContactKind::RunsInto => "Runs into",
        ContactKind::FallsOn => "Comes in the air upon",
        ContactKind::Ends => "Ends at",
        ContactKind::Leaves => "Touches, without running into it,",
        ContactKind::Overlaps => "There is no room because of",
    };
    let text = format!("{verb} {what}, {}.", where_met(met, met.normal, sphere));
    let rank = if met.kind == ContactKind::Leaves { Rank::Detail } else { Rank::Main };
    met_facts(Node::new("met", text), met, who).ranked(rank)
}

/// Where a surface lies that was met and pushes the mover into a direction, for a sphere of the mover.
pub(super) fn where_met(met: &SurfaceContact, push: Option<Vec3>, sphere: &str) -> String {
    // Spheres and cylinders take the mover's second sphere for as wide as the first.
    let shape = matches!(met.surface, SurfaceKind::Sphere | SurfaceKind::Cylinder);
    let whose = match shape && met.sphere > 0 {
        true => "which counts as wide as the lower one, ",
        false => "whose radius is ",
    };
    let radius = format!("{whose}{}", metres(met.radius));
    let facing = match (met.surface, push) {
        (_, None) => String::new(),
        (SurfaceKind::Polygon(_), _) => met.normal.map_or_else(String::new, facing),
        (_, Some(push)) => format!("which pushes it {}, ", words::towards(push)),
    };
    let (Some(distance), Some(point)) = (met.distance, met.point) else {
        let centre = vector(met.centre);
        return match met.surface {
            SurfaceKind::Solid => {
                format!("{facing}in which the {sphere} is, with its middle at {centre}")
            }
            _ => format!("{facing}met by the {sphere}, {radius}, with its middle at {centre}"),
        };
    };
    let (point, apart) = (vector(point), (point - met.centre).length());
    let apart = metres(apart);
    if distance < 0.0 {
        let behind = metres(-distance);
        return format!(
            "{facing}met at {point}; the middle of the {sphere}, {radius}, is {behind} behind it"
        );
    }
    format!("{facing}met at {point}, {apart} from the middle of the {sphere}, {radius}")
}

fn facing(normal: Vec3) -> String {
    format!("{}, ", words::normal(normal))
}

/// What is known of a surface that was met.
pub(super) fn met_facts(node: Node, met: &SurfaceContact, who: &[CollisionTarget]) -> Node {
    let polygon = match met.surface {
        SurfaceKind::Polygon(index) => Some(index),
        _ => None,
    };
    let cell = who.iter().find_map(|who| match who {
        CollisionTarget::Ground(cell)
        | CollisionTarget::Walls(cell)
        | CollisionTarget::Shell(cell) => Some(*cell),
        _ => None,
    });
    let object = who.iter().find_map(|who| match who {
        CollisionTarget::Object(object) => Some(object.to_string()),
        _ => None,
    });
    node.with_some("who", name(who))
        .with_some("cell", cell)
        .with_some("object", object)
        .with_some("polygon", polygon)
        .with_some("normal", met.normal)
        .with_some("distance", met.distance)
        .with_some("at", met.point)
        .with("sphere", met.sphere)
        .with("radius", met.radius)
        .with("centre", met.centre)
        .with("frame", met.cell)
}

fn ground(met: &GroundContact) -> Node {
    let cell = met.cell;
    let steep = if met.walkable { "walkable" } else { "too steep to walk on" };
    let lift = match met.effect {
        GroundEffect::Lifts(by) | GroundEffect::TooFarUp(by) => Some(by),
        _ => None,
    };
    let (said, rank) = match met.effect {
        GroundEffect::Below => (format!("is {} below its feet", metres(met.height)), Rank::Detail),
        GroundEffect::Carries => ("carries it".to_owned(), Rank::Detail),
        GroundEffect::Lifts(by) => {
            (format!("lifts it by {} and carries it", metres(by)), Rank::Detail)
        }
        GroundEffect::TooFarUp(by) => {
            (format!("would lift it by {}, which is too much", metres(by)), Rank::Main)
        }
        GroundEffect::Steep => {
            ("is no ground to stand on, and is passed for now".to_owned(), Rank::Main)
        }
        GroundEffect::SteepStops => {
            ("is no ground to stand on, and stops it".to_owned(), Rank::Main)
        }
        GroundEffect::Found => ("is there".to_owned(), Rank::Detail),
    };
    let normal = words::normal(met.plane.normal);
    let text = format!("The ground of land cell {cell}, {normal} and {steep}, {said}.");
    Node::new("ground", text)
        .with("cell", cell)
        .with("normal", met.plane.normal)
        .with("height", met.height)
        .with_some("lift", lift)
        .with("water_depth", met.depth)
        .with("walkable", met.walkable)
        .with("hits", met.hits)
        .ranked(if met.hits { Rank::Main } else { rank })
}

fn stands_on(polygon: Option<u32>, normal: Vec3, moved: Vec3, who: &[CollisionTarget]) -> Node {
    let what = match polygon {
        Some(index) => format!("polygon {index} of {}", words::who(who)),
        None => format!("the top of {}", words::who(who)),
    };
    let text = format!(
        "{} can be stood on, {}; it is moved by {}.",
        words::sentence(&what),
        words::normal(normal),
        vector(moved)
    );
    Node::new("stands-on", text)
        .with_some("who", name(who))
        .with_some("polygon", polygon)
        .with("normal", normal)
        .with("moved", moved)
}

fn slides(slide: &Slide) -> Node {
    let (way, left) = (metres(slide.movement.length()), vector(slide.remaining));
    let text = match slide.end {
        SlideEnd::Crease => format!("Slides along it and the ground: of {way}, {left} is left."),
        SlideEnd::Surface => format!("Slides along it: of {way}, {left} is left."),
        SlideEnd::Stop => {
            let along = metres(slide.remaining.length());
            format!(
                "Of {way}, only {along} runs along it and the ground: less than 0.0142 m is a stop."
            )
        }
        SlideEnd::Opposed => "It faces against the ground: there is no way along both.".to_owned(),
        SlideEnd::NoDirection => "It has no direction: half of the way is taken back.".to_owned(),
    };
    Node::new("slide", text)
        .with("normal", slide.normal)
        .with("ground", slide.ground)
        .with("way", slide.movement)
        .with("left", slide.remaining)
}

fn edge(edge: &EdgeResponse) -> Node {
    match *edge {
        EdgeResponse::WalkOff => Node::new("edge", "It walks on, over the edge."),
        EdgeResponse::CliffSlide { normal, away, moved } => {
            let text = format!(
                "The ground becomes too steep, {}: it is turned away from there, to the {}.",
                words::normal(normal),
                words::compass(away).unwrap_or("side")
            );
            let node = Node::new("edge", text).with("normal", normal);
            node.with("away", away).with("moved", moved)
        }
        EdgeResponse::LookBack => {
            Node::new("edge", "The polygon that it stood on is looked for, for its edge.")
                .ranked(Rank::Detail)
        }
        EdgeResponse::PrecipiceSlide { normal, .. } => {
            let text = format!(
                "It has crossed the edge of what it stood on; the edge counts as a wall {}.",
                words::normal(normal)
            );
            Node::new("edge", text).with("normal", normal)
        }
        EdgeResponse::NoEdge => Node::new("edge", "There is no edge to slide along: it stays."),
    }
}

fn passes(object: &str, why: PassReason) -> Node {
    let why = match why {
        PassReason::Ethereal => "it is ethereal and ignores collisions",
        PassReason::Noticed => "one of them is ethereal; it is noticed",
        PassReason::Unnoticed => "one of them is ethereal",
        PassReason::CreatureForCamera => "it is a creature, which is not there for a camera",
        PassReason::Creature => "it is a creature, which this mover passes; it is noticed",
        PassReason::Players => "both are players that have nothing to do with each other",
        PassReason::Missile => "it or the mover is a missile, and the two do not hit each other",
    };
    Node::new("passed", format!("{} is passed: {why}.", words::sentence(object)))
        .with("object", object)
        .with("why", why)
}

fn leaves(leaving: CellExit) -> Node {
    let (text, rank) = match leaving {
        CellExit::GroundSearch => ("No cell is there: no ground, either.", Rank::Detail),
        CellExit::HeldUnloaded => (
            "No resident cell contains it there, and one that might is not resident: it is held.",
            Rank::Main,
        ),
        CellExit::HeldIndoors => {
            ("It would leave its room for no other cell: it is held.", Rank::Main)
        }
        CellExit::OffMap => ("The map ends there.", Rank::Main),
        CellExit::Reseated => (
            "No cell contains it; the cell list is built again outdoors, and the land cell takes it over.",
            Rank::Main,
        ),
        CellExit::Lost => {
            ("No resident cell contains it there, which does not hold it.", Rank::Main)
        }
    };
    Node::new("left", text).ranked(rank)
}

fn pushed(sphere: &str, polygon: Option<u32>, normal: Vec3, who: &[CollisionTarget]) -> Node {
    let text = match polygon {
        Some(index) => format!(
            "The {sphere} is in polygon {index} of {}, {}, and is pushed out.",
            words::who(who),
            words::normal(normal)
        ),
        None => format!("The {sphere} is in the matter of {}.", words::who(who)),
    };
    Node::new("pushed", text)
        .with_some("who", name(who))
        .with_some("polygon", polygon)
        .with_some("normal", polygon.map(|_| normal))
}

fn camera(met: &CameraContact) -> Node {
    let node = |text: String, cell: CellId, normal: Vec3| {
        Node::new("camera", text).with("cell", cell).with("normal", normal)
    };
    match *met {
        CameraContact::Ridge { cell, normal } => {
            let facing = words::normal(normal);
            node(format!("A ridge of the land lies between, {facing}: it stays."), cell, normal)
        }
        CameraContact::Ground { cell, normal, height, back } => {
            let end = match back {
                Some(back) => format!("it goes back by {} to where it touches it", vector(back)),
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
                "It would come out of its room {} below the ground of land cell {cell}: it stays.",
                metres(-height)
            );
            node(text, cell, normal).with("height", height)
        }
    }
}
