//! Motions of a figure, loaded from records.

use std::collections::BTreeMap;
use std::sync::Arc;

use threshold_dat::{
    Animation, AnimationSpan, DatError, FileKind, MotionTable, RecordId, RecordKind, Records,
    Result, SetupRecord, motion_key,
};
use threshold_land::Frame;

use super::Interpolation;
use super::clip::{self, Clip, PlayedClip};
use super::motion_command::MotionCommand;

/// The static pose of a setup, and its motions in the default combat stance.
///
/// Loaded once and shared by all objects of that setup.
#[derive(Debug)]
pub struct Figure {
    /// Static pose, one frame for each part.
    static_pose: Vec<Frame>,
    /// Default motion of the combat stance.
    default_motion: MotionCommand,
    cycles: BTreeMap<MotionCommand, Arc<Clip>>,
    /// Transitions from one command to another.
    links: BTreeMap<(MotionCommand, MotionCommand), Arc<Clip>>,
    /// Default animation of an object without a motion table.
    always: Option<Arc<Clip>>,
    faults: Vec<DatError>,
}

/// A command and a speed.
pub(super) type PlayedCommand = (MotionCommand, f32);

/// Frame rate of a default animation, per second. Retail: `CPartArray::InitDefaults`.
const DEFAULT_FRAMERATE: f32 = 30.0;

impl Figure {
    /// Loads a setup, or a model, which has one part at the origin. `None` if the record is missing. Errors of motion
    /// tables and animations are listed in [`faults`](Self::faults).
    pub fn load(records: &mut Records<'_>, id: RecordId) -> Result<Option<Self>> {
        if RecordKind::from_id(FileKind::Portal, id) == RecordKind::GfxObj {
            let is_there = records.contains(RecordKind::GfxObj, id)?;
            return Ok(is_there.then(|| Self::still(vec![Frame::IDENTITY])));
        }
        let Some(setup) = records.get::<SetupRecord>(id)? else { return Ok(None) };
        let mut faults = Vec::new();
        let table = match setup.defaults.motion_table {
            RecordId::NONE => None,
            table => record_or_fault(records.get::<MotionTable>(table), &mut faults),
        };
        let mut figure = Self::new(&setup, table.as_ref(), |id| {
            record_or_fault(records.get::<Animation>(id), &mut faults)
        });
        figure.faults = faults;
        Ok(Some(figure))
    }

    /// Creates a figure from a setup and any motion table. `find` is called once for each animation.
    pub fn new(
        setup: &SetupRecord,
        table: Option<&MotionTable>,
        mut find: impl FnMut(RecordId) -> Option<Animation>,
    ) -> Self {
        let mut figure = Self::still(static_pose(setup));
        let mut found = BTreeMap::new();
        let mut clip = |spans: &[AnimationSpan]| {
            let mut once = |id: RecordId| -> Option<Arc<Animation>> {
                found.entry(id).or_insert_with(|| find(id).map(Arc::new)).clone()
            };
            Clip::new(spans, &mut once).map(Arc::new)
        };
        if let Some(table) = table {
            figure.add_motions(table, &mut clip);
        } else if setup.defaults.animation != RecordId::NONE {
            let animation = setup.defaults.animation;
            let framerate = DEFAULT_FRAMERATE;
            figure.always = clip(&[AnimationSpan { animation, low: 0, high: -1, framerate }]);
        }
        figure
    }

    fn still(static_pose: Vec<Frame>) -> Self {
        Self {
            static_pose,
            default_motion: MotionCommand::READY,
            cycles: BTreeMap::new(),
            links: BTreeMap::new(),
            always: None,
            faults: Vec::new(),
        }
    }

    /// Adds the motions of known commands only: tables of humans refer to more than a thousand animations.
    fn add_motions(
        &mut self,
        table: &MotionTable,
        clip: &mut impl FnMut(&[AnimationSpan]) -> Option<Arc<Clip>>,
    ) {
        let stance = table.default_stance;
        let default_motion = table.stance_defaults.iter().find(|default| default.stance == stance);
        self.default_motion =
            default_motion.map_or(MotionCommand::READY, |default| MotionCommand(default.motion));
        let default_motion = self.default_motion;
        let commands = MotionCommand::OWN.into_iter().chain([default_motion]);
        let by_key =
            |key: u32| commands.clone().find(|command| motion_key(stance, command.0) == key);
        for motion in &table.cycles {
            let Some(command) = by_key(motion.key) else { continue };
            if let Some(clip) = clip(&motion.animations) {
                self.cycles.entry(command).or_insert(clip);
            }
        }
        for group in &table.links {
            let Some(from) = by_key(group.key) else { continue };
            for motion in &group.motions {
                let to = MotionCommand(motion.key);
                if !commands.clone().any(|command| command == to) {
                    continue;
                }
                if let Some(clip) = clip(&motion.animations) {
                    self.links.entry((from, to)).or_insert(clip);
                }
            }
        }
    }

    /// Number of parts.
    pub fn parts(&self) -> usize {
        self.static_pose.len()
    }

    /// Static pose: placement 0x65, else 0, else all parts at the origin.
    pub fn static_pose(&self) -> &[Frame] {
        &self.static_pose
    }

    /// Default motion; of a door it is open or shut.
    pub fn default_motion(&self) -> MotionCommand {
        self.default_motion
    }

    /// Returns whether a command has a motion.
    pub fn has_motion(&self, command: MotionCommand) -> bool {
        self.cycles.contains_key(&command.played(1.0).0)
    }

    /// Errors of records that could not be read.
    pub fn faults(&self) -> &[DatError] {
        &self.faults
    }

    /// Computes the frames of all parts, in the object's space, `seconds` after a motion began at a speed. A command without
    /// a motion plays the default motion.
    pub fn pose(
        &self,
        command: MotionCommand,
        speed: f32,
        seconds: f64,
        display: Interpolation,
        out: &mut Vec<Frame>,
    ) {
        let cycle = self.cycle(command.played(speed));
        self.sample(cycle.as_slice(), seconds, display, out);
    }

    /// Returns the repeating clip of a command.
    pub(super) fn cycle(&self, (command, speed): PlayedCommand) -> Option<PlayedClip> {
        let own = self.cycles.get(&command).map(|clip| (clip, speed));
        let other = || self.cycles.get(&self.default_motion).or(self.always.as_ref());
        let (clip, speed) = own.or_else(|| other().map(|clip| (clip, 1.0)))?;
        Some(PlayedClip { clip: clip.clone(), speed })
    }

    /// Returns the transition from one motion to another: a direct link, else links through the default motion.
    ///
    /// Retail: `CMotionTable::GetObjectSequence`.
    pub(super) fn transition(
        &self,
        from: PlayedCommand,
        to: PlayedCommand,
    ) -> impl Iterator<Item = PlayedClip> {
        let default_motion = (self.default_motion, 1.0);
        let direct = self.link(from, to);
        let indirect = match direct {
            Some(_) => [None, None],
            None => [self.link(from, default_motion), self.link(default_motion, to)],
        };
        direct.into_iter().chain(indirect.into_iter().flatten())
    }

    /// Returns a link; one to or from a motion that is played backwards is the opposite link, played backwards.
    ///
    /// Retail: `CMotionTable::get_link`.
    fn link(&self, from: PlayedCommand, to: PlayedCommand) -> Option<PlayedClip> {
        let backwards = from.1 < 0.0 || to.1 < 0.0;
        let key = if backwards { (to.0, from.0) } else { (from.0, to.0) };
        let speed = if backwards { -to.1.abs() } else { to.1 };
        Some(PlayedClip { clip: self.links.get(&key)?.clone(), speed })
    }

    /// Computes the frames `seconds` after the first clip began; parts without an animation keep the static pose.
    pub(super) fn sample(
        &self,
        clips: &[PlayedClip],
        seconds: f64,
        display: Interpolation,
        out: &mut Vec<Frame>,
    ) {
        out.clear();
        out.extend_from_slice(&self.static_pose);
        let Some(shown) = clip::at(clips, seconds) else { return };
        for (place, frame) in out.iter_mut().enumerate() {
            let Some(now) = shown.frames.get(place) else { return };
            *frame = match (display, shown.next.get(place)) {
                (Interpolation::Smooth, Some(next)) => interpolated(now, next, shown.part),
                _ => *now,
            };
        }
    }
}

/// Interpolates two frames.
pub(super) fn interpolated(from: &Frame, to: &Frame, part: f32) -> Frame {
    Frame {
        origin: from.origin + (to.origin - from.origin) * part,
        rotation: from.rotation.interpolate(to.rotation, part),
    }
}

fn static_pose(setup: &SetupRecord) -> Vec<Frame> {
    let pose = setup.static_pose().map_or(&[][..], |pose| &pose.frames);
    let frame = |part: usize| pose.get(part).copied().unwrap_or(Frame::IDENTITY);
    (0..setup.parts.len()).map(frame).collect()
}

/// Returns the record; an error is added to `faults`.
fn record_or_fault<T>(read: Result<Option<T>>, faults: &mut Vec<DatError>) -> Option<T> {
    read.unwrap_or_else(|fault| {
        faults.push(fault);
        None
    })
}
