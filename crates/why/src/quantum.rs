//! A quantum of a body in words: what physics wants, and what the sweep leaves of it.

use threshold_land::Position;
use threshold_land::glam::Vec3;
use threshold_motion::{Body, Quantum, SweepScratch, Sweeper};
use threshold_world::UnknownBody;

use super::Explanation;
use super::node::Node;
use super::recorder::Recorder;
use super::rules::{self, End};
use super::seat;
use super::summary::{Summary, Wish, without_sliding};
use super::words::{self, metres, vector};

/// What a quantum of so many seconds would make of a body, and why. `None` where nothing moves it.
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
    let Some(made) = &resolved else {
        let why = if body.awake { "it is held, or lost" } else { "it sleeps" };
        summary.push(Node::new("result", format!("Nothing moves it: {why}.")).with("ok", true));
        return Ok((resolved, Explanation::new(summary, no_rules(), Vec::new())));
    };
    summary.push(reckoned(body, made, body.acceleration(object.state())));
    let Some(outcome) = &made.outcome else {
        let text = format!("It stays at {}: it goes nowhere in this time.", words::place(&from));
        summary.push(Node::new("result", text).with("ok", true).with("at", from.frame.origin));
        return Ok((resolved, Explanation::new(summary, no_rules(), Vec::new())));
    };
    let (steps, account) = recorder.finish();
    let mut to = from;
    to.frame.origin += account.cut.map_or(Vec3::ZERO, |(whole, _, _)| whole);
    let wish = Wish::Move { from: &from, to: &to };
    let unslid = without_sliding(sweeper, &mover, outcome).and_then(|sweeper| {
        body.resolve(&sweeper, &mut SweepScratch::new(), &mut (), dt).ok().flatten()?.outcome
    });
    let unslid = unslid.as_ref();
    summary.extend(Summary { wish, mover: &mover, outcome, account: &account, unslid }.nodes());
    seat::name_objects(sweeper.world, &account, &mut summary);
    let rules = rules::decisive(&sweeper.rules, &End::of(outcome), |rules| {
        let sweeper = Sweeper { rules, ..*sweeper };
        let again = body.resolve(&sweeper, &mut SweepScratch::new(), &mut (), dt).ok().flatten();
        // Whether there is a sweep does not depend on the rules.
        End::of(again.and_then(|again| again.outcome).as_ref().unwrap_or(outcome))
    });
    Ok((resolved, Explanation::new(summary, rules, steps)))
}

fn wanted(body: &Body, at: &Position, dt: f32) -> Node {
    let how = words::stance(&body.stance);
    let text = format!(
        "Physics: {} s of a body that {how} at {} and moves by {} a second.",
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

/// What becomes of the velocity before anything is met.
fn reckoned(body: &Body, quantum: &Quantum, gravity: Vec3) -> Node {
    let falls = match gravity == Vec3::ZERO {
        true => "nothing pulls at it",
        false => "gravity pulls at it",
    };
    let rubs = match body.stance.on_walkable && body.velocity != Vec3::ZERO {
        true => ", the ground rubs",
        false => "",
    };
    let text = format!(
        "{}{rubs}: its velocity becomes {}, {} a second.",
        words::sentence(falls),
        vector(quantum.velocity),
        metres(quantum.velocity.length())
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

/// What was left of a velocity when a quantum was made fact.
pub fn velocity_after(before: Vec3, after: Vec3) -> Node {
    let text = match before == after {
        true => format!("Its velocity stays {}.", vector(after)),
        false => format!("What it met leaves it a velocity of {}.", vector(after)),
    };
    Node::new("velocity-after", text).with("before", before).with("after", after)
}
