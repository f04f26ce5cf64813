//! What the records say of a figure.

use std::collections::BTreeMap;
use std::sync::Arc;

use threshold_dat::{
    Animation, AnimationSpan, DatError, FileKind, MotionTable, RecordId, RecordKind, Records,
    Result, SetupRecord, motion_key,
};
use threshold_land::Frame;

use super::Interpolation;
use super::clip::{self, Clip, Step};
use super::motion_command::MotionCommand;

/// A figure: how its parts stand, and its motions in the stance it begins in.
///
/// Loaded once, for any number that look like it.
#[derive(Debug)]
pub struct Figure {
    /// The pose without a motion; as many frames as there are parts.
    rest: Vec<Frame>,
    /// The motion that the stance rests in.
    resting: MotionCommand,
    cycles: BTreeMap<MotionCommand, Arc<Clip>>,
    /// From one command to another.
    links: BTreeMap<(MotionCommand, MotionCommand), Arc<Clip>>,
    /// What an object does that has no motion table.
    always: Option<Arc<Clip>>,
    faults: Vec<DatError>,
}

/// A command and a speed.
pub(super) type PlayedCommand = (MotionCommand, f32);

/// Frames a second of an animation that an object shows by itself. Retail: `CPartArray::InitDefaults`.
const DEFAULT_FRAMERATE: f32 = 30.0;

impl Figure {
    /// A setup, or a bare model, which is one part at the origin. `None` if there is no such record; what cannot be read
    /// besides is among the [`faults`](Self::faults).
    pub fn load(records: &mut Records<'_>, id: RecordId) -> Result<Option<Self>> {
        if RecordKind::from_id(FileKind::Portal, id) == RecordKind::GfxObj {
            let is_there = records.contains(RecordKind::GfxObj, id)?;
            return Ok(is_there.then(|| Self::still(vec![Frame::IDENTITY])));
        }
        let Some(setup) = records.get::<SetupRecord>(id)? else { return Ok(None) };
        let mut faults = Vec::new();
        let table = match setup.defaults.motion_table {
            RecordId::NONE => None,
            table => kept(records.get::<MotionTable>(table), &mut faults),
        };
        let mut figure =
            Self::new(&setup, table.as_ref(), |id| kept(records.get::<Animation>(id), &mut faults));
        figure.faults = faults;
        Ok(Some(figure))
    }

    /// A setup with a motion table, which need not be its own; `find` finds animations, and is asked for each once.
    pub fn new(
        setup: &SetupRecord,
        table: Option<&MotionTable>,
        mut find: impl FnMut(RecordId) -> Option<Animation>,
    ) -> Self {
        let mut figure = Self::still(rest(setup));
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

    fn still(rest: Vec<Frame>) -> Self {
        Self {
            rest,
            resting: MotionCommand::READY,
            cycles: BTreeMap::new(),
            links: BTreeMap::new(),
            always: None,
            faults: Vec::new(),
        }
    }

    /// Only commands that can be given here: tables of humans name more than a thousand animations.
    fn add_motions(
        &mut self,
        table: &MotionTable,
        clip: &mut impl FnMut(&[AnimationSpan]) -> Option<Arc<Clip>>,
    ) {
        let stance = table.default_stance;
        let resting = table.stance_defaults.iter().find(|default| default.stance == stance);
        self.resting =
            resting.map_or(MotionCommand::READY, |default| MotionCommand(default.motion));
        let resting = self.resting;
        let commands = MotionCommand::OWN.into_iter().chain([resting]);
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

    /// How many parts it has.
    pub fn parts(&self) -> usize {
        self.rest.len()
    }

    /// Its pose without a motion: placement 0x65, else 0, else all parts at the origin.
    pub fn rest(&self) -> &[Frame] {
        &self.rest
    }

    /// The motion it rests in; of doors that is open or shut.
    pub fn resting(&self) -> MotionCommand {
        self.resting
    }

    /// Whether there is a motion for a command.
    pub fn knows(&self, command: MotionCommand) -> bool {
        self.cycles.contains_key(&command.shown(1.0).0)
    }

    /// What could not be read.
    pub fn faults(&self) -> &[DatError] {
        &self.faults
    }

    /// The frames of all parts, in the object's space, so many seconds after a motion began. Without such a motion it is the one
    /// that the figure rests in.
    pub fn pose(
        &self,
        doing: (MotionCommand, f32),
        seconds: f64,
        display: Interpolation,
        out: &mut Vec<Frame>,
    ) {
        let (command, speed) = doing;
        let cycle = self.cycle(command.shown(speed));
        self.show(cycle.as_slice(), seconds, display, out);
    }

    /// A motion that goes on.
    pub(super) fn cycle(&self, (command, speed): PlayedCommand) -> Option<Step> {
        let own = self.cycles.get(&command).map(|clip| (clip, speed));
        let other = || self.cycles.get(&self.resting).or(self.always.as_ref());
        let (clip, speed) = own.or_else(|| other().map(|clip| (clip, 1.0)))?;
        Some(Step { clip: clip.clone(), speed })
    }

    /// What leads from one motion to another: straight, else by way of the motion that the figure rests in.
    ///
    /// Retail: `CMotionTable::GetObjectSequence`.
    pub(super) fn way(&self, from: PlayedCommand, to: PlayedCommand) -> impl Iterator<Item = Step> {
        let resting = (self.resting, 1.0);
        let straight = self.link(from, to);
        let around = match straight {
            Some(_) => [None, None],
            None => [self.link(from, resting), self.link(resting, to)],
        };
        straight.into_iter().chain(around.into_iter().flatten())
    }

    /// What leads to or from a motion that is played backwards is the opposite link, backwards.
    ///
    /// Retail: `CMotionTable::get_link`.
    fn link(&self, from: PlayedCommand, to: PlayedCommand) -> Option<Step> {
        let backwards = from.1 < 0.0 || to.1 < 0.0;
        let key = if backwards { (to.0, from.0) } else { (from.0, to.0) };
        let speed = if backwards { -to.1.abs() } else { to.1 };
        Some(Step { clip: self.links.get(&key)?.clone(), speed })
    }

    /// What motions show after so many seconds; parts that they do not move stand as at rest.
    pub(super) fn show(
        &self,
        steps: &[Step],
        seconds: f64,
        display: Interpolation,
        out: &mut Vec<Frame>,
    ) {
        out.clear();
        out.extend_from_slice(&self.rest);
        let Some(shown) = clip::at(steps, seconds) else { return };
        for (place, frame) in out.iter_mut().enumerate() {
            let Some(now) = shown.frames.get(place) else { return };
            *frame = match (display, shown.next.get(place)) {
                (Interpolation::Smooth, Some(next)) => between(now, next, shown.part),
                _ => *now,
            };
        }
    }
}

/// A frame part of the way from one to another.
pub(super) fn between(from: &Frame, to: &Frame, part: f32) -> Frame {
    Frame {
        origin: from.origin + (to.origin - from.origin) * part,
        rotation: from.rotation.interpolate(to.rotation, part),
    }
}

fn rest(setup: &SetupRecord) -> Vec<Frame> {
    let pose = setup.static_pose().map_or(&[][..], |pose| &pose.frames);
    let frame = |part: usize| pose.get(part).copied().unwrap_or(Frame::IDENTITY);
    (0..setup.parts.len()).map(frame).collect()
}

/// What was read; an error is put with the others.
fn kept<T>(read: Result<Option<T>>, faults: &mut Vec<DatError>) -> Option<T> {
    read.unwrap_or_else(|fault| {
        faults.push(fault);
        None
    })
}
