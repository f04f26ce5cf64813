//! Playback of motions for one object.

use std::sync::Arc;

use threshold_land::Frame;

use super::Interpolation;
use super::clip::{self, PlayedClip};
use super::figure::{Figure, PlayedCommand, interpolated};
use super::motion_command::MotionCommand;

/// Plays the motions of one object: links once, then a cycle. Times are in seconds of any clock.
#[derive(Clone, Debug)]
pub struct Animator {
    figure: Arc<Figure>,
    /// Display between frames.
    pub display: Interpolation,
    /// Previous command.
    pub(super) from: MotionCommand,
    /// Current command.
    to: MotionCommand,
    /// Motion that is played for it.
    playing: PlayedCommand,
    /// Start of the first clip.
    since: f64,
    /// Links, each played once, then the cycle.
    clips: Vec<PlayedClip>,
    /// Pose that the cross-fade starts from, empty if the clips begin in it, and its start.
    fade_pose: Vec<Frame>,
    fade_since: f64,
}

/// Duration of a cross-fade, in seconds.
const FADE_SECONDS: f64 = 0.15;
/// Frames count as equal up to this distance in metres and this cosine of half the angle.
const EQUAL_FRAMES: [f32; 2] = [0.005, 0.9999];

impl Animator {
    /// Starts in the default motion of the figure.
    pub fn new(figure: Arc<Figure>, now: f64) -> Self {
        let command = figure.default_motion();
        Self::starting_in(figure, command, now)
    }

    /// Starts in a motion without a transition, as for a door that is shut.
    pub fn starting_in(figure: Arc<Figure>, command: MotionCommand, now: f64) -> Self {
        let playing = command.played(1.0);
        Self {
            clips: figure.cycle(playing).into_iter().collect(),
            figure,
            display: Interpolation::Smooth,
            from: command,
            to: command,
            playing,
            since: now,
            fade_pose: Vec::new(),
            fade_since: now,
        }
    }

    /// The animated figure.
    pub fn figure(&self) -> &Arc<Figure> {
        &self.figure
    }

    /// Current command.
    pub fn command(&self) -> MotionCommand {
        self.to
    }

    /// Time at which the transition to the current motion ends. A door is not open before that.
    pub fn arrival(&self) -> f64 {
        self.since + clip::length(self.links())
    }

    /// Changes the motion, at its own speed; see [`change_at`](Self::change_at).
    pub fn change(&mut self, command: MotionCommand, now: f64) {
        self.change_at(command, 1.0, now);
    }

    /// Changes the motion, at a multiple of its own speed. A motion that already plays continues at the new speed.
    pub fn change_at(&mut self, command: MotionCommand, speed: f32, now: f64) {
        let speed = if speed.is_finite() { speed } else { 0.0 };
        let next = command.played(speed);
        if next == self.playing {
            return;
        }
        if next.0 == self.playing.0 && next.1 * self.playing.1 > 0.0 {
            return self.change_speed(command, next, now);
        }
        let mut buffer = core::mem::take(&mut self.fade_pose);
        let mut shown = Vec::new();
        self.pose_with_fade(&buffer, now, &mut shown);
        self.clips.clear();
        self.clips
            .extend(self.figure.transition(self.playing, next).chain(self.figure.cycle(next)));
        (self.from, self.to, self.playing, self.since) = (self.to, command, next, now);
        self.figure.sample(&self.clips, 0.0, self.display, &mut buffer);
        let is_continuous = buffer.iter().zip(&shown).all(|(one, other)| are_equal(one, other));
        buffer.clear();
        if !is_continuous {
            buffer.append(&mut shown);
        }
        (self.fade_pose, self.fade_since) = (buffer, now);
    }

    /// Continues the motion at another speed from the frame that shows. Retail: `change_cycle_speed`.
    fn change_speed(&mut self, command: MotionCommand, next: PlayedCommand, now: f64) {
        let arrival = self.arrival();
        let Some(cycle) = self.clips.last_mut() else { return };
        let before = core::mem::replace(&mut cycle.speed, next.1);
        if now >= arrival {
            self.since = now - (now - arrival) * f64::from(before / next.1);
            self.clips.drain(..self.clips.len() - 1);
        }
        (self.to, self.playing) = (command, next);
    }

    fn links(&self) -> &[PlayedClip] {
        self.clips.split_last().map_or(&[], |(_, links)| links)
    }

    /// Computes the frames of all parts, in the object's space.
    pub fn pose(&self, now: f64, out: &mut Vec<Frame>) {
        self.pose_with_fade(&self.fade_pose, now, out);
    }

    fn pose_with_fade(&self, fade_pose: &[Frame], now: f64, out: &mut Vec<Frame>) {
        self.figure.sample(&self.clips, now - self.since, self.display, out);
        let progress = ((now - self.fade_since) / FADE_SECONDS).clamp(0.0, 1.0);
        if self.display == Interpolation::Stepped || progress >= 1.0 {
            return;
        }
        #[allow(clippy::cast_possible_truncation, reason = "0 to 1")]
        let part = progress as f32;
        for (frame, before) in out.iter_mut().zip(fade_pose) {
            *frame = interpolated(before, frame, part);
        }
    }
}

fn are_equal(one: &Frame, other: &Frame) -> bool {
    let [distance, cosine] = EQUAL_FRAMES;
    one.origin.distance(other.origin) < distance && one.rotation.dot(other.rotation).abs() > cosine
}
