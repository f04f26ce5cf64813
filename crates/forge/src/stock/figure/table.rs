//! The motion table: animations by command.

use threshold_dat::{
    Animation, AnimationSpan, Motion, MotionLinks, MotionTable, RecordId, StanceDefault, motion_key,
};
use threshold_land::vector::Vec3;

use super::air;
use super::gait::{Gait, RUN, SIDE_STEP, TURN, WALK, standing};
use super::pose::{Pose, ease};
use super::skeleton::{COUNT, frames};

/// The commands. Retail: `Motion`.
pub(crate) const NON_COMBAT: u32 = 0x8000_003D;
pub(crate) const READY: u32 = 0x4100_0003;
pub(crate) const WALK_FORWARD: u32 = 0x4500_0005;
pub(crate) const RUN_FORWARD: u32 = 0x4400_0007;
pub(crate) const TURN_RIGHT: u32 = 0x6500_000D;
pub(crate) const SIDE_STEP_RIGHT: u32 = 0x6500_000F;
pub(crate) const FALLING: u32 = 0x4000_0015;
pub(crate) const JUMP: u32 = 0x2500_003B;

/// The animations, by their index in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clip {
    Ready,
    Walk,
    Run,
    SideStep,
    Turn,
    Falling,
    TakeOff,
    Landing,
    StartWalk,
    StartRun,
}

/// All of them, in their order.
pub(crate) const CLIPS: [Clip; 10] = {
    use Clip::{Falling, Landing, Ready, Run, SideStep, StartRun, StartWalk, TakeOff, Turn, Walk};
    [Ready, Walk, Run, SideStep, Turn, Falling, TakeOff, Landing, StartWalk, StartRun]
};

impl Clip {
    /// Returns the number of frames.
    fn length(self) -> u32 {
        match self {
            Self::Ready => 72,
            Self::Falling => 24,
            Self::TakeOff => 12,
            Self::Landing => 16,
            Self::StartWalk | Self::StartRun => 5,
            Self::Walk | Self::Run | Self::SideStep | Self::Turn => {
                self.gait().map_or(1, |gait| gait.frames)
            }
        }
    }

    /// Returns the gait of a repeating motion.
    pub(crate) fn gait(self) -> Option<&'static Gait> {
        match self {
            Self::Walk => Some(&WALK),
            Self::Run => Some(&RUN),
            Self::SideStep => Some(&SIDE_STEP),
            Self::Turn => Some(&TURN),
            _ => None,
        }
    }

    /// Returns whether the first frame follows the last.
    pub(crate) fn repeats(self) -> bool {
        self.gait().is_some() || matches!(self, Self::Ready | Self::Falling)
    }

    fn pose(self, time: f32) -> Pose {
        match self {
            Self::Ready => standing(time),
            Self::Walk => WALK.pose(time),
            Self::Run => RUN.pose(time),
            Self::SideStep => SIDE_STEP.pose(time),
            Self::Turn => TURN.pose(time),
            Self::Falling => air::falling(time),
            Self::TakeOff => air::take_off(time),
            Self::Landing => air::landing(time),
            Self::StartWalk => standing(0.0).blend(&WALK.pose(0.0), ease(time)),
            Self::StartRun => standing(0.0).blend(&RUN.pose(0.0), ease(time)),
        }
    }

    #[allow(clippy::cast_precision_loss, reason = "few frames")]
    pub(crate) fn animation(self) -> Animation {
        let length = self.length();
        // A motion that does not repeat includes its end.
        let span = if self.repeats() { length } else { length - 1 } as f32;
        let frame = |index: u32| frames(&self.pose(index as f32 / span));
        Animation {
            id: RecordId::NONE,
            other_flags: 0,
            // Fifteen.
            parts: u32::try_from(COUNT).unwrap_or(0),
            frames: length,
            root_motion: None,
            part_frames: (0..length).flat_map(frame).collect(),
            hooks: Vec::new(),
        }
    }
}

pub(crate) fn animations() -> Vec<Animation> {
    CLIPS.iter().map(|clip| clip.animation()).collect()
}

/// A motion that plays a clip at a number of frames per second, backwards below 0.
fn motion(key: u32, clip: Clip, framerate: f32) -> Motion {
    let place = CLIPS.iter().position(|own| *own == clip).unwrap_or(0);
    let animation = RecordId(u32::try_from(place).unwrap_or(0));
    let animations = [AnimationSpan { animation, low: 0, high: -1, framerate }].into();
    Motion { key, behaviour: 0, other_bits: 0, animations, velocity: None, omega: None }
}

fn cycle(command: u32, clip: Clip) -> Motion {
    let vector = |vector: Vec3| (vector != Vec3::ZERO).then(|| Box::new(vector));
    let (velocity, omega) =
        clip.gait().map_or((Vec3::ZERO, Vec3::ZERO), |gait| (gait.velocity, Vec3::Z * gait.turn));
    Motion {
        velocity: vector(velocity),
        omega: vector(omega),
        ..motion(motion_key(NON_COMBAT, command), clip, 30.0)
    }
}

pub(crate) fn table() -> MotionTable {
    let links = |from: u32, motions: Vec<Motion>| MotionLinks {
        key: motion_key(NON_COMBAT, from),
        motions,
    };
    let jump = || motion(FALLING, Clip::TakeOff, 30.0);
    MotionTable {
        id: RecordId::NONE,
        default_stance: NON_COMBAT,
        stance_defaults: vec![StanceDefault { stance: NON_COMBAT, motion: READY }],
        cycles: vec![
            cycle(READY, Clip::Ready),
            cycle(WALK_FORWARD, Clip::Walk),
            cycle(RUN_FORWARD, Clip::Run),
            cycle(TURN_RIGHT, Clip::Turn),
            cycle(SIDE_STEP_RIGHT, Clip::SideStep),
            cycle(FALLING, Clip::Falling),
        ],
        modifiers: vec![motion(motion_key(NON_COMBAT, JUMP), Clip::TakeOff, 30.0)],
        links: vec![
            links(
                READY,
                vec![
                    motion(WALK_FORWARD, Clip::StartWalk, 30.0),
                    motion(RUN_FORWARD, Clip::StartRun, 30.0),
                    jump(),
                ],
            ),
            links(WALK_FORWARD, vec![motion(READY, Clip::StartWalk, -30.0), jump()]),
            links(RUN_FORWARD, vec![motion(READY, Clip::StartRun, -30.0), jump()]),
            links(FALLING, vec![motion(READY, Clip::Landing, 30.0)]),
        ],
    }
}
