//! What is told, as sentences.

use threshold_land::CellId;
use threshold_land::glam::Vec3;

use super::node::{Node, Rank};
use super::recorder::name;
use super::words::{self, metres, vector};
use crate::outcome::Insert;
use crate::probe::{
    Along, CameraMet, Edge, GroundDoes, GroundMet, How, Leaving, Met, Passing, Slide, SlideEnd,
    Surface, Told, Who,
};

/// Something that has no end, for a mover of so many spheres. Aside of the way, as in a step up, it is a detail.
pub(super) fn node(told: &Told<'_>, who: &[Who], (spheres, aside): (usize, bool)) -> Option<Node> {
    let node = match *told {
        Told::Cut { whole, radius, count } => cut(whole, radius, count),
        Told::Adjusted { wished, left, along } => adjusted(wished, left, along),
        Told::PushedUp { by } => Node::new(
            "pushed-up",
            format!("It had sunk into the ground; pushed up by {}.", metres(by)),
        )
        .with("by", by),
        Told::Meets(met) => meets(&met, who, words::sphere(met.sphere, spheres)),
        Told::Ground(met) => ground(&met),
        Told::Sea => Node::new("sea", "The whole landblock is water, where nobody walks."),
        Told::StandsOn { polygon, normal, moved } => stands_on(polygon, normal, moved, who),
        Told::TooHigh { height, most } => {
            let text = format!(
                "To stand on it, it would have to rise by {}; a step goes {} up.",
                metres(height),
                metres(most)
            );
            Node::new("too-high", text).with("height", height).with("most", most)
        }
        Told::Slides(slide) => slides(&slide),
        Told::Edge(which) => edge(&which),
        Told::Behind { normal, step_up } => {
            let by = if step_up { "by a step up" } else { "by a slide" };
            let text = format!("What was touched on leaving it is answered {by}.");
            Node::new("behind", text).with("normal", normal).with("step_up", step_up)
        }
        Told::Passes { object, why } => passes(&object.to_string(), why),
        Told::Leaves(which) => leaves(which),
        Told::Pushed { sphere, polygon, normal } => {
            pushed(words::sphere(sphere, spheres), polygon, normal, who).with("sphere", sphere)
        }
        Told::Camera(met) => camera(&met),
        Told::Stationary(count) => {
            let text = format!("It falls and has not moved: {count} of 3 times in a row.");
            Node::new("stationary", text).with("count", count)
        }
        Told::Validated { answer, at, ground, hit } => {
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

fn adjusted(wished: Vec3, left: Vec3, along: Along) -> Node {
    let (text, rank) = match along {
        Along::Free => (String::from("Nothing holds it: all of it is left."), Rank::Detail),
        Along::Ground(normal) if (left - wished).length() < 1e-4 => (
            format!("The ground it stands on, {}, leaves all of it.", words::facing(normal)),
            Rank::Detail,
        ),
        Along::Ground(normal) | Along::Slope(normal) => (
            format!(
                "Along the ground it stands on, {}, {} is left.",
                words::normal(normal),
                vector(left)
            ),
            Rank::Main,
        ),
        Along::Wall(normal) => (
            format!(
                "Along what it ran into before, {}, {} is left.",
                words::normal(normal),
                vector(left)
            ),
            Rank::Main,
        ),
        Along::Crease { wall, .. } => (
            format!(
                "Along the line between the ground and what it ran into before, {}, {} is left.",
                words::normal(wall),
                vector(left)
            ),
            Rank::Main,
        ),
    };
    Node::new("adjusted", text).with("wished", wished).with("left", left).ranked(rank)
}

fn meets(met: &Met, who: &[Who], sphere: &str) -> Node {
    let what = words::surface(met.surface, who);
    let verb = match met.how {
        How::RunsInto => "Runs into",
        How::FallsOn => "Comes in the air upon",
        How::Ends => "Ends at",
        How::Leaves => "Touches, on leaving it,",
        How::Overlaps => "There is no room because of",
    };
    let text = match met.surface {
        Surface::Matter => format!("{verb} {what}, in which the {sphere} is."),
        _ => format!(
            "{verb} {what}, {}, {} from the middle of the {sphere} with a radius of {}.",
            words::normal(met.normal),
            metres(met.distance),
            metres(met.radius)
        ),
    };
    let rank = if met.how == How::Leaves { Rank::Detail } else { Rank::Main };
    met_facts(Node::new("met", text), met, who).ranked(rank)
}

/// What is known of a surface that was met.
pub(super) fn met_facts(node: Node, met: &Met, who: &[Who]) -> Node {
    let polygon = match met.surface {
        Surface::Polygon(index) => Some(index),
        _ => None,
    };
    let cell = who.iter().find_map(|who| match who {
        Who::Ground(cell) | Who::Walls(cell) | Who::Shell(cell) => Some(*cell),
        _ => None,
    });
    let object = who.iter().find_map(|who| match who {
        Who::Object(object) => Some(object.to_string()),
        _ => None,
    });
    node.with_some("who", name(who))
        .with_some("cell", cell)
        .with_some("object", object)
        .with_some("polygon", polygon)
        .with("normal", met.normal)
        .with("distance", met.distance)
        .with("sphere", met.sphere)
        .with("radius", met.radius)
        .with("centre", met.centre)
        .with("frame", met.cell)
}

fn ground(met: &GroundMet) -> Node {
    let cell = met.cell;
    let steep = if met.walkable { "walkable" } else { "too steep to walk on" };
    let (said, rank) = match met.does {
        GroundDoes::Below => (format!("is {} below its feet", metres(met.height)), Rank::Detail),
        GroundDoes::Carries => ("carries it".to_owned(), Rank::Detail),
        GroundDoes::Lifts(by) => {
            (format!("lifts it by {} and carries it", metres(by)), Rank::Detail)
        }
        GroundDoes::TooFarUp(by) => {
            (format!("would lift it by {}, which is too much", metres(by)), Rank::Main)
        }
        GroundDoes::Steep => {
            ("is no ground to stand on, and is passed for now".to_owned(), Rank::Main)
        }
        GroundDoes::SteepStops => ("is no ground to stand on, and stops it".to_owned(), Rank::Main),
        GroundDoes::Found => ("is there".to_owned(), Rank::Detail),
    };
    let normal = words::normal(met.normal);
    let text = format!("The ground of land cell {cell}, {normal} and {steep}, {said}.");
    Node::new("ground", text)
        .with("cell", cell)
        .with("normal", met.normal)
        .with("height", met.height)
        .with("water_depth", met.depth)
        .with("walkable", met.walkable)
        .with("hits", met.hits)
        .ranked(if met.hits { Rank::Main } else { rank })
}

fn stands_on(polygon: Option<u32>, normal: Vec3, moved: Vec3, who: &[Who]) -> Node {
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
    let (way, left) = (metres(slide.way.length()), vector(slide.left));
    let text = match slide.end {
        SlideEnd::Crease => format!("Slides along it and the ground: of {way}, {left} is left."),
        SlideEnd::Surface => format!("Slides along it: of {way}, {left} is left."),
        SlideEnd::Stop => {
            let along = metres(slide.left.length());
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
        .with("way", slide.way)
        .with("left", slide.left)
}

fn edge(edge: &Edge) -> Node {
    match *edge {
        Edge::WalksOn => Node::new("edge", "There is no ground below: it walks on, over the edge."),
        Edge::Steep { normal, away, moved } => {
            let text = format!(
                "The ground becomes too steep, {}: it is turned away from there, to the {}.",
                words::normal(normal),
                words::compass(away).unwrap_or("side")
            );
            let node = Node::new("edge", text).with("normal", normal);
            node.with("away", away).with("moved", moved)
        }
        Edge::LooksBack => {
            Node::new("edge", "The polygon that it stood on is looked for, for its edge.")
                .ranked(Rank::Detail)
        }
        Edge::Crossed { normal } => {
            let text = format!(
                "It has crossed the edge of what it stood on; the edge counts as a wall {}.",
                words::normal(normal)
            );
            Node::new("edge", text).with("normal", normal)
        }
        Edge::NoEdge => {
            Node::new("edge", "There is no ground below, and no edge to slide along: it stays.")
        }
    }
}

fn passes(object: &str, why: Passing) -> Node {
    let why = match why {
        Passing::Ethereal => "it is ethereal and ignores collisions",
        Passing::Noticed => "one of them is ethereal; it is noticed",
        Passing::Unnoticed => "one of them is ethereal",
        Passing::CreatureForCamera => "it is a creature, which is not there for a camera",
        Passing::Creature => "it is a creature, which this mover passes; it is noticed",
        Passing::Players => "both are players that have nothing to do with each other",
        Passing::Missile => "a missile does not hit it, or it is one",
    };
    Node::new("passed", format!("{} is passed: {why}.", words::sentence(object)))
        .with("object", object)
        .with("why", why)
}

fn leaves(leaving: Leaving) -> Node {
    let (text, rank) = match leaving {
        Leaving::Looked => ("No cell is there: no ground, either.", Rank::Detail),
        Leaving::HeldUnloaded => (
            "No resident cell contains it there, and one that might is not resident: it is held.",
            Rank::Main,
        ),
        Leaving::HeldIndoors => {
            ("It would leave its room for no other cell: it is held.", Rank::Main)
        }
        Leaving::OffMap => ("The map ends there.", Rank::Main),
        Leaving::Lost => {
            ("No resident cell contains it there: it goes on, and is lost.", Rank::Main)
        }
    };
    Node::new("left", text).ranked(rank)
}

fn pushed(sphere: &str, polygon: Option<u32>, normal: Vec3, who: &[Who]) -> Node {
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
        .with("normal", normal)
}

fn camera(met: &CameraMet) -> Node {
    let node = |text: String, cell: CellId, normal: Vec3| {
        Node::new("camera", text).with("cell", cell).with("normal", normal)
    };
    match *met {
        CameraMet::Ridge { cell, normal } => {
            let facing = words::normal(normal);
            node(format!("A ridge of the land lies between, {facing}: it stays."), cell, normal)
        }
        CameraMet::Ground { cell, normal, height, back } => {
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
        CameraMet::Underground { cell, normal, height } => {
            let text = format!(
                "It would come out of its room {} below the ground of land cell {cell}: it stays.",
                metres(-height)
            );
            node(text, cell, normal).with("height", height)
        }
    }
}
