//! Explains a quantum of a body: the velocity from physics, and the move that the sweep allows.

use threshold_land::Position;
use threshold_land::vector::Vec3;
use threshold_motion::{Body, Quantum, SweepScratch, Sweeper};
use threshold_world::UnknownBody;

use super::Explanation;
use super::node::Node;
use super::placement;
use super::recorder::Recorder;
use super::rules::{self, EndState};
use super::summary::{Request, Summary, without_sliding_normal};
use super::words::{self, vector};

/// Resolves a quantum of `dt` seconds for a body and explains it. The quantum is `None` if nothing moves the body.
///
/// See [`Body::resolve`].
pub fn quantum(
    body: &Body,
    sweeper: &Sweeper<'_>,
    dt: f32,
) -> Result<(Option<Quantum>, Explanation), UnknownBody> {
    let object = sweeper.world.body(body.id).ok_or(UnknownBody(body.id))?;
    let mover = body.mover(sweeper.world).ok_or(UnknownBody(body.id))?;
    let from = *object.position();
    let mut recorder = Recorder::new(&mover, from.cell);
    let resolved = body.resolve(sweeper, &mut SweepScratch::new(), &mut recorder, dt)?;
    let mut summary = vec![wanted(body, &from, dt)];
    let Some(quantum) = &resolved else {
        let reason = if body.awake { "it is held, or lost" } else { "it is asleep" };
        summary.push(Node::new("result", format!("Nothing moves it: {reason}.")).with("ok", true));
        return Ok((resolved, Explanation::new(summary, no_rules(), Vec::new())));
    };
    summary.push(new_velocity(body, quantum, body.acceleration(object.state())));
    let Some(outcome) = &quantum.outcome else {
        let text = format!("It stays at {}: it does not move in this time.", words::place(&from));
        summary.push(Node::new("result", text).with("ok", true).with("at", from.frame.origin));
        return Ok((resolved, Explanation::new(summary, no_rules(), Vec::new())));
    };
    let (steps, record) = recorder.finish();
    let mut to = from;
    to.frame.origin += record.division.map_or(Vec3::ZERO, |division| division.whole);
    let request = Request::Move { from: &from, to: &to };
    let without_normal = without_sliding_normal(sweeper, &mover, outcome).and_then(|sweeper| {
        // The body was resolved above, so it is in the world.
        body.resolve(&sweeper, &mut SweepScratch::new(), &mut (), dt).ok().flatten()?.outcome
    });
    let without_normal = without_normal.as_ref();
    let sweep = Summary { request, mover: &mover, outcome, record: &record, without_normal };
    summary.extend(sweep.nodes());
    placement::name_objects(sweeper.world, &record, &mut summary);
    let rules = rules::decisive(&sweeper.rules, &EndState::of(outcome), |rules| {
        let sweeper = Sweeper { rules, ..*sweeper };
        let again = body.resolve(&sweeper, &mut SweepScratch::new(), &mut (), dt).ok().flatten();
        // Whether there is a sweep does not depend on the rules.
        EndState::of(again.and_then(|again| again.outcome).as_ref().unwrap_or(outcome))
    });
    Ok((resolved, Explanation::new(summary, rules, steps)))
}

fn wanted(body: &Body, at: &Position, dt: f32) -> Node {
    let stance = words::stance(&body.stance);
    let text = format!(
        "Physics: {} s of a body that {stance} at {} and moves at {} m/s.",
        words::number(dt),
        words::place(at),
        vector(body.velocity)
    );
    Node::new("physics", text)
        .with("dt", dt)
        .with("at", at.frame.origin)
        .with("cell", at.cell)
        .with("velocity", body.velocity)
        .with("contact", body.stance.contact)
        .with("walkable", body.stance.on_walkable)
        .with("awake", body.awake)
}

/// The velocity after gravity and friction, before the sweep.
fn new_velocity(body: &Body, quantum: &Quantum, gravity: Vec3) -> Node {
    let gravity_text = match gravity == Vec3::ZERO {
        true => "No gravity acts on it",
        false => "Gravity acts on it",
    };
    let friction = match body.stance.on_walkable && body.velocity != Vec3::ZERO {
        true => ", the ground slows it",
        false => "",
    };
    let text = format!(
        "{gravity_text}{friction}: its velocity becomes {}, {} m/s.",
        vector(quantum.velocity),
        words::number(quantum.velocity.length())
    );
    Node::new("velocity", text)
        .with("before", body.velocity)
        .with("acceleration", gravity)
        .with("friction", body.friction)
        .with("after", quantum.velocity)
}

fn no_rules() -> Vec<Node> {
    vec![Node::new("no-rule", "No rule decided: there was no sweep.").with("tried", 0_u64)]
}

/// Describes how a committed quantum changed the velocity.
pub fn velocity_after(before: Vec3, after: Vec3) -> Node {
    let text = match before == after {
        true => format!("Its velocity stays {}.", vector(after)),
        false => format!("The collision changes its velocity to {}.", vector(after)),
    };
    Node::new("velocity-after", text).with("before", before).with("after", after)
}
