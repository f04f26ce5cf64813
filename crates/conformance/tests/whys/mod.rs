//! What must hold for every answer to why.

use std::collections::BTreeMap;

use threshold_conformance::{Kind, Runner, Scenario, Step};
use threshold_geom::Polygon;
use threshold_land::vector::Vec3;
use threshold_land::{BLOCK_LENGTH, CellId, Space};
use threshold_why::{Explanation, Node, Value};

/// How far off a point may be, in metres.
const CLOSE: f32 = 0.001;

/// How often each thing was looked at, so that none goes by unseen.
#[derive(Debug, Default)]
pub(crate) struct Checks {
    points: usize,
    edges: usize,
    behind: usize,
    shapes: usize,
    lists: usize,
    taken_back: usize,
    lost: usize,
    earlier: usize,
    /// From where a mover is to the centre of its first sphere, by scenario.
    centres: BTreeMap<String, Vec3>,
}

/// Every sentence of a tree.
pub(crate) fn texts(nodes: &[Node]) -> Vec<&str> {
    nodes.iter().flat_map(|node| node.lines(true)).map(|(_, text)| text).collect()
}

pub(crate) fn vector(node: &Node, name: &str) -> Option<Vec3> {
    match node.fact(name) {
        Some(Value::Vector(vector)) => Some(*vector),
        _ => None,
    }
}

fn number(node: &Node, name: &str) -> Option<f32> {
    match node.fact(name) {
        Some(Value::Number(number)) => Some(*number),
        _ => None,
    }
}

fn text<'a>(node: &'a Node, name: &str) -> Option<&'a str> {
    match node.fact(name) {
        Some(Value::Text(text)) => Some(text),
        _ => None,
    }
}

fn is(node: &Node, name: &str) -> bool {
    node.fact(name) == Some(&Value::Truth(true))
}

fn every<'a>(nodes: &'a [Node], all: &mut Vec<&'a Node>) {
    for node in nodes {
        all.push(node);
        every(&node.children, all);
    }
}

impl Checks {
    #[track_caller]
    pub(crate) fn check(
        &mut self,
        runner: &Runner,
        (scenario, step, why): (&Scenario, &Step, &Explanation),
        place: &str,
    ) {
        check_sentences(why, place);
        self.check_result(scenario.kind(), step, why, place);
        self.check_cell(scenario, why, place);
        let said = why.summary.iter().filter(|node| matches!(node.kind, "stopped" | "also"));
        for node in said {
            self.check_surface(runner, (step, node), place);
            check_is_met(node, why, place);
            self.earlier += usize::from(is(node, "earlier"));
        }
    }

    /// A mover that is taken back does not arrive; a lost body is not placed.
    #[track_caller]
    fn check_result(&mut self, kind: Kind, step: &Step, why: &Explanation, place: &str) {
        let Some(result) = why.summary.iter().find(|node| node.kind == "result") else { return };
        let last = why.steps.iter().rfind(|node| node.kind == "sub-step");
        let back = last.is_some_and(|node| text(node, "answer") != Some("free"));
        let all = result.text.contains("all the way") || is(result, "arrived");
        let stopped = why.stopped().is_some_and(|node| node.text.starts_with("Stopped by"));
        let put_or_camera = matches!(kind, Kind::Place | Kind::Viewer);
        let went_on = last.is_some() && !back && !put_or_camera;
        assert!(!(stopped && went_on), "{place}: {:?}", why.stopped().map(|node| &node.text));
        assert!(!(back && all), "{place}: {} {:?}", result.text, last.map(|node| &node.text));
        self.taken_back += usize::from(back);
        let (moved, wished) = (vector(result, "moved"), number(result, "wished"));
        let still = moved == Some(Vec3::ZERO) && wished.is_some_and(|wished| wished > 0.0);
        assert!(!(still && all), "{place}: {}", result.text);
        if kind == Kind::Place {
            let put = !result.text.contains("not placed");
            assert_eq!((put, is(result, "ok")), (step.is_ok(), step.is_ok()), "{place}");
            let lost = result.text.contains("lost");
            self.lost += usize::from(lost);
            assert!(!lost || why.summary.iter().any(|node| node.kind == "seat"), "{place}");
        }
        // Only slopes go without a culprit.
        let walls = |node: &&Node| node.kind == "adjusted" && node.fact("wall").is_some();
        let mut all = Vec::new();
        every(&why.steps, &mut all);
        if let Some(node) =
            why.summary.iter().find(|node| node.text.contains("makes the difference"))
        {
            assert!(!all.iter().any(walls), "{place}: {}", node.text);
        }
    }

    /// The list of cells that is shown was made where the mover is.
    #[track_caller]
    fn check_cell(&mut self, scenario: &Scenario, why: &Explanation, place: &str) {
        let find = |kind| why.summary.iter().find(|node| node.kind == kind);
        let (Some(cell), Some(result)) = (find("cell"), find("result")) else { return };
        let (Some(centre), Some(at)) = (vector(cell, "centre"), vector(result, "at")) else {
            return;
        };
        if cell.text.contains("This was found in sub-step") {
            return;
        }
        let off = centre - at;
        let within = |v: f32| v - BLOCK_LENGTH * (v / BLOCK_LENGTH).round();
        let off = Vec3::new(within(off.x), within(off.y), off.z);
        let known = *self.centres.entry(scenario.id.clone()).or_insert(off);
        assert!((known - off).length() < 3.0 * CLOSE, "{place}: {known} {off} {}", cell.text);
        self.lists += 1;
    }

    /// The point that is named lies on the polygon that is named, and is as far from the sphere as is said.
    #[track_caller]
    fn check_surface(&mut self, runner: &Runner, (step, node): (&Step, &Node), place: &str) {
        let Some(radius) = number(node, "radius") else {
            self.check_edge(runner, (step, node), place);
            return;
        };
        let centre = vector(node, "centre").unwrap();
        let Some(at) = vector(node, "at") else {
            assert!(!node.text.contains("met at"), "{place}: {}", node.text);
            assert!(number(node, "distance").is_none(), "{place}: {}", node.text);
            self.shapes += 1;
            return;
        };
        let (apart, distance) = ((at - centre).length(), number(node, "distance").unwrap());
        assert!(distance.abs() < apart + CLOSE, "{place}: {distance} {apart}");
        self.behind += usize::from(distance < 0.0);
        assert_eq!(distance < 0.0, node.text.contains(" behind it"), "{place}: {}", node.text);
        let room = node.text.contains("no room") || node.text.contains("at the requested place");
        // A sphere may be met from within.
        let within = distance < 0.0 && node.fact("push").is_some();
        assert!(
            room || within || apart < radius + CLOSE,
            "{place}: {apart} {radius} {}",
            node.text
        );
        let Some(Value::Cell(frame)) = node.fact("frame") else { panic!("{place}") };
        with_polygon(runner, step, node, |polygon, space, scale| {
            let local = space.to_local_from(*frame, at) / scale;
            let off = distance_to(polygon, local) * scale;
            assert!(off < CLOSE, "{place}: {off} {}", node.text);
            self.points += 1;
        });
    }

    /// The point of an edge lies on the polygon that it is of.
    #[track_caller]
    fn check_edge(&mut self, runner: &Runner, (step, node): (&Step, &Node), place: &str) {
        let (Some(at), Some(Value::Cell(cell))) = (vector(node, "at"), node.fact("cell")) else {
            return;
        };
        with_polygon(runner, step, node, |polygon, space, scale| {
            let off = distance_to(polygon, space.to_local_from(*cell, at) / scale) * scale;
            assert!(off < CLOSE, "{place}: {off} {}", node.text);
            self.edges += 1;
        });
    }

    /// Every sort of answer was among them.
    #[track_caller]
    pub(crate) fn are_many(&self) {
        let Self { points, edges, behind, shapes, lists, taken_back, lost, earlier, .. } = self;
        let least =
            [points, edges, behind, shapes, lists, taken_back, lost, earlier].into_iter().min();
        assert!(least > Some(&20) && *points > 1_000, "{self:?}");
    }
}

#[track_caller]
fn check_sentences(why: &Explanation, place: &str) {
    let all = [&why.summary, &why.rules, &why.steps];
    for text in all.into_iter().flat_map(|nodes| texts(nodes)) {
        assert!(text.len() > 1 && text.ends_with('.'), "{place}: {text:?}");
        assert!(!text.contains("facing nowhere"), "{place}: {text:?}");
        assert!(!text.contains(" .") && !text.contains(" ,"), "{place}: {text:?}");
        let words: Vec<&str> = text.split(' ').collect();
        let lengths = words.windows(2).filter(|two| matches!(two[1], "m" | "m." | "m," | "m;"));
        for length in lengths {
            assert!(!length[0].starts_with('-'), "{place}: a length is negative in {text:?}");
        }
    }
}

/// What is said to have stopped the mover was met on the way, and not passed.
#[track_caller]
fn check_is_met(said: &Node, why: &Explanation, place: &str) {
    let mut all = Vec::new();
    every(&why.steps, &mut all);
    if let Some(object) = text(said, "object") {
        let passed = |node: &&Node| node.kind == "passed" && text(node, "object") == Some(object);
        assert!(!all.iter().any(passed), "{place}: {object} was passed, {}", said.text);
    }
    if said.fact("radius").is_some() {
        let same = |node: &&Node| {
            let fact = |name| node.fact(name) == said.fact(name);
            node.kind == "met" && fact("who") && fact("polygon") && fact("centre")
        };
        assert!(all.iter().any(same), "{place}: {} was not met", said.text);
    }
}

/// Finds the polygon that is named: of a room, of the shell of a building, or of an object that never moves.
fn with_polygon(
    runner: &Runner,
    step: &Step,
    node: &Node,
    then: impl FnOnce(Polygon<'_>, &Space, f32),
) {
    let world = runner.world();
    let Some(Value::Count(index)) = node.fact("polygon") else { return };
    let index = u32::try_from(*index).unwrap();
    if let Some(Value::Cell(cell)) = node.fact("cell") {
        match world.room(*cell) {
            Some(room) => then(room.structure().physics.polygon(index), room.space(), 1.0),
            None => {
                let shell = world.land_cell(*cell).unwrap().building().unwrap().shell().unwrap();
                then(shell.tree.polygon(index), shell.space, shell.scale);
            }
        }
        return;
    }
    let (Some(name), Some(who)) = (text(node, "object"), text(node, "who")) else { return };
    let cells: &[CellId] = step.cells.value().map_or(&[], Vec::as_slice);
    let mut objects = cells.iter().flat_map(|cell| world.objects_in(*cell));
    let Some(object) = objects.find(|object| object.id().to_string() == name) else { return };
    let part = who.split(' ').nth(1).and_then(|part| part.parse().ok()).unwrap();
    let solid = object.solids().nth(part).unwrap();
    then(solid.tree.polygon(index), solid.space, solid.scale);
}

/// How far a point is from a polygon, reckoned by its triangles.
fn distance_to(polygon: Polygon<'_>, p: Vec3) -> f32 {
    let foot = p - polygon.plane.normal * polygon.plane.distance(p);
    let corners = polygon.vertices;
    let sides = || corners.iter().zip(corners.iter().cycle().skip(1));
    let inside = sides().all(|(a, b)| polygon.plane.normal.cross(*b - *a).dot(foot - *a) >= 0.0);
    let to_side = sides().map(|(a, b)| {
        let part = ((p - *a).dot(*b - *a) / (*b - *a).length_squared()).clamp(0.0, 1.0);
        (*a + (*b - *a) * part - p).length()
    });
    let outline = to_side.fold(f32::INFINITY, f32::min);
    if inside { outline.min((p - foot).length()) } else { outline }
}
