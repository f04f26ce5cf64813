//! What a figure does.

use std::sync::Arc;

use threshold_land::Frame;

use super::Interpolation;
use super::clip::{self, Step};
use super::figure::{Figure, PlayedCommand, between};
use super::motion_command::MotionCommand;

/// What one figure does: a motion that goes on, and before it what led there. Times are in seconds, of any clock.
#[derive(Clone, Debug)]
pub struct Animator {
    figure: Arc<Figure>,
    /// How it is shown.
    pub display: Interpolation,
    /// What was done before.
    from: MotionCommand,
    /// What was asked for.
    to: MotionCommand,
    /// What is shown for it.
    doing: PlayedCommand,
    /// When the first of the steps began.
    since: f64,
    /// Links, each played once, then the motion that goes on.
    steps: Vec<Step>,
    /// The pose that it passes from, if the steps do not begin with it; and when.
    passing: Vec<Frame>,
    passing_since: f64,
}

/// How long it takes to pass from a motion to another that does not begin as the first ended, in seconds.
const PASSAGE: f64 = 0.15;
/// Parts that are no farther from one another stand alike: in metres, and as the cosine of half the angle.
const ALIKE: [f32; 2] = [0.005, 0.9999];

impl Animator {
    /// In the motion that the figure rests in.
    pub fn new(figure: Arc<Figure>, now: f64) -> Self {
        let resting = figure.resting();
        Self::starting_in(figure, resting, now)
    }

    /// In a motion already, without what leads to it: a door that is shut, for one.
    pub fn starting_in(figure: Arc<Figure>, command: MotionCommand, now: f64) -> Self {
        let doing = command.shown(1.0);
        Self {
            steps: figure.cycle(doing).into_iter().collect(),
            figure,
            display: Interpolation::Smooth,
            from: command,
            to: command,
            doing,
            since: now,
            passing: Vec::new(),
            passing_since: now,
        }
    }

    /// The figure that acts.
    pub fn figure(&self) -> &Arc<Figure> {
        &self.figure
    }

    /// What it did before.
    pub fn previous_command(&self) -> MotionCommand {
        self.from
    }

    /// What it was told to do.
    pub fn command(&self) -> MotionCommand {
        self.to
    }

    /// When it has done, or will have done, what leads to its motion. Before that a door is not open.
    pub fn arrival(&self) -> f64 {
        self.since + clip::length(self.links())
    }

    /// Begins another motion at its own speed; see [`change_at`](Self::change_at).
    pub fn change(&mut self, command: MotionCommand, now: f64) {
        self.change_at(command, 1.0, now);
    }

    /// Begins another motion, at a multiple of its own speed. What it does already goes on, at the new speed.
    pub fn change_at(&mut self, command: MotionCommand, speed: f32, now: f64) {
        let speed = if speed.is_finite() { speed } else { 0.0 };
        let next = command.shown(speed);
        if next == self.doing {
            return;
        }
        if next.0 == self.doing.0 && next.1 * self.doing.1 > 0.0 {
            return self.keep_on(command, next, now);
        }
        let mut passing = core::mem::take(&mut self.passing);
        let mut shown = Vec::new();
        self.pose_onto(&passing, now, &mut shown);
        self.steps.clear();
        self.steps.extend(self.figure.way(self.doing, next).chain(self.figure.cycle(next)));
        (self.from, self.to, self.doing, self.since) = (self.to, command, next, now);
        self.figure.show(&self.steps, 0.0, self.display, &mut passing);
        let goes_on = passing.iter().zip(&shown).all(|(one, other)| alike(one, other));
        passing.clear();
        if !goes_on {
            passing.append(&mut shown);
        }
        (self.passing, self.passing_since) = (passing, now);
    }

    /// The same motion at another speed: feet stay where they are. Retail: `change_cycle_speed`.
    fn keep_on(&mut self, command: MotionCommand, next: PlayedCommand, now: f64) {
        let arrival = self.arrival();
        let Some(cycle) = self.steps.last_mut() else { return };
        let before = core::mem::replace(&mut cycle.speed, next.1);
        if now >= arrival {
            self.since = now - (now - arrival) * f64::from(before / next.1);
            self.steps.drain(..self.steps.len() - 1);
        }
        (self.to, self.doing) = (command, next);
    }

    fn links(&self) -> &[Step] {
        self.steps.split_last().map_or(&[], |(_, links)| links)
    }

    /// The frames of all parts, in the object's space.
    pub fn pose(&self, now: f64, out: &mut Vec<Frame>) {
        self.pose_onto(&self.passing, now, out);
    }

    fn pose_onto(&self, passing: &[Frame], now: f64, out: &mut Vec<Frame>) {
        self.figure.show(&self.steps, now - self.since, self.display, out);
        let passed = ((now - self.passing_since) / PASSAGE).clamp(0.0, 1.0);
        if self.display == Interpolation::Stepped || passed >= 1.0 {
            return;
        }
        #[allow(clippy::cast_possible_truncation, reason = "0 to 1")]
        let part = passed as f32;
        for (frame, before) in out.iter_mut().zip(passing) {
            *frame = between(before, frame, part);
        }
    }
}

fn alike(one: &Frame, other: &Frame) -> bool {
    let [way, turn] = ALIKE;
    one.origin.distance(other.origin) < way && one.rotation.dot(other.rotation).abs() > turn
}
