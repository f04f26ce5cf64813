//! The lines of a trace.

use std::collections::BTreeMap;

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use threshold_land::vector::Vec3;

use super::{Head, VERSION};
use crate::Kind;
use crate::parse::{ParseError, parse};
use crate::record::Step;
use crate::scenario::{
    CellsJob, Job, LanddefsJob, MoverSpec, PlaceJob, ScenarioObject, SimJob, Start, StepInput,
    WalkJob,
};

/// The kind of a line, told by one field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    Head,
    Begin,
    Step,
    End,
    /// A remark of the writing program.
    Other,
}

impl LineKind {
    pub(super) fn of(line: &[u8]) -> Result<Self, ParseError> {
        #[derive(Deserialize)]
        struct Marks {
            trace: Option<IgnoredAny>,
            begin: Option<IgnoredAny>,
            step: Option<IgnoredAny>,
            end: Option<IgnoredAny>,
        }
        let marks: Marks = parse(line)?;
        let sorts = [
            (marks.trace, Self::Head),
            (marks.begin, Self::Begin),
            (marks.step, Self::Step),
            (marks.end, Self::End),
        ];
        let mut marked = sorts.into_iter().filter(|(mark, _)| mark.is_some());
        Ok(marked.next().map_or(Self::Other, |(_, sort)| sort))
    }
}

/// Returns whether a line is the head of a trace.
pub(crate) fn is_head(line: &[u8]) -> bool {
    LineKind::of(line).is_ok_and(|sort| sort == LineKind::Head)
}

/// The version, which every head has.
#[derive(Deserialize)]
pub(super) struct Version {
    pub(super) trace: u64,
}

/// A head as written.
#[derive(Serialize)]
pub(super) struct HeadLine<'a> {
    trace: u64,
    #[serde(flatten)]
    head: &'a Head,
}

impl<'a> HeadLine<'a> {
    pub(super) fn new(head: &'a Head) -> Self {
        Self { trace: VERSION, head }
    }
}

/// The beginning of a course. The input of each step is in the step.
#[derive(Serialize)]
pub(super) struct BeginLine<'a> {
    begin: &'a str,
    kind: Kind,
    #[serde(flatten)]
    beginning: CourseBeginning,
}

impl<'a> BeginLine<'a> {
    pub(super) fn new(id: &'a str, job: &Job) -> Self {
        Self { begin: id, kind: job.kind(), beginning: CourseBeginning::of(job) }
    }
}

/// Fields of every beginning.
#[derive(Deserialize)]
struct CourseHeading {
    begin: String,
    kind: Kind,
}

/// A scenario without the input of its steps.
#[derive(Serialize)]
#[serde(untagged)]
enum CourseBeginning {
    Walk(WalkBeginning),
    Sim(SimBeginning),
    Place(PlaceBeginning),
    /// A camera and what needs no mover: the whole job, or nothing of it.
    Whole(Job),
    Empty {},
}

#[derive(Serialize, Deserialize)]
struct WalkBeginning {
    mover: MoverSpec,
    start: Start,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    objects: Vec<ScenarioObject>,
}

#[derive(Serialize, Deserialize)]
struct SimBeginning {
    mover: MoverSpec,
    start: Start,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    objects: Vec<ScenarioObject>,
    velocity: Vec3,
    dt: f32,
}

#[derive(Serialize, Deserialize)]
struct PlaceBeginning {
    mover: MoverSpec,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    objects: Vec<ScenarioObject>,
}

impl CourseBeginning {
    fn of(job: &Job) -> Self {
        match job.clone() {
            Job::Walk(WalkJob { mover, start, objects, .. }) => {
                Self::Walk(WalkBeginning { mover, start, objects })
            }
            Job::Sim(SimJob { mover, start, objects, velocity, dt, .. }) => {
                Self::Sim(SimBeginning { mover, start, objects, velocity, dt })
            }
            Job::Place(PlaceJob { mover, objects, .. }) => {
                Self::Place(PlaceBeginning { mover, objects })
            }
            job @ Job::Viewer(_) => Self::Whole(job),
            Job::Cells(_) | Job::Landdefs(_) => Self::Empty {},
        }
    }
}

/// Reads the beginning of a course: its id, and a job without steps.
pub(super) fn begin(line: &[u8]) -> Result<(String, Job), ParseError> {
    let CourseHeading { begin, kind } = parse(line)?;
    let job = match kind {
        Kind::Walk => {
            let WalkBeginning { mover, start, objects } = parse(line)?;
            Job::Walk(WalkJob { mover, start, objects, moves: Vec::new() })
        }
        Kind::Sim => {
            let SimBeginning { mover, start, objects, velocity, dt } = parse(line)?;
            Job::Sim(SimJob { mover, start, objects, velocity, dt, ticks: 0 })
        }
        Kind::Place => {
            let PlaceBeginning { mover, objects } = parse(line)?;
            Job::Place(PlaceJob { mover, objects, candidates: Vec::new() })
        }
        Kind::Cells => Job::Cells(CellsJob { queries: Vec::new() }),
        Kind::Viewer => Job::Viewer(parse(line)?),
        Kind::Landdefs => Job::Landdefs(LanddefsJob { calls: Vec::new() }),
    };
    match job.fault() {
        None => Ok((begin, job)),
        Some(what) => Err(ParseError { column: 1, what: what.to_owned() }),
    }
}

/// A step as written.
#[derive(Serialize)]
pub(super) struct StepLine<'a> {
    pub(super) step: usize,
    #[serde(rename = "do", skip_serializing_if = "StepInput::is_nothing")]
    pub(super) input: StepInput,
    #[serde(flatten)]
    pub(super) answer: &'a Step,
}

/// The number of a step.
#[derive(Deserialize)]
pub(super) struct StepNumber {
    pub(super) step: usize,
}

/// Reads the input of a step in a course of this kind.
pub(super) fn input(kind: Kind, line: &[u8]) -> Result<StepInput, ParseError> {
    #[derive(Deserialize)]
    struct InputField<T> {
        #[serde(rename = "do")]
        input: T,
    }
    fn of<T: DeserializeOwned>(line: &[u8]) -> Result<T, ParseError> {
        parse(line).map(|InputField { input }| input)
    }
    Ok(match kind {
        Kind::Walk => StepInput::Move(of(line)?),
        Kind::Place => StepInput::Candidate(of(line)?),
        Kind::Cells => StepInput::Query(of(line)?),
        Kind::Landdefs => StepInput::Call(of(line)?),
        Kind::Sim | Kind::Viewer => StepInput::Nothing,
    })
}

/// The end of a course.
#[derive(Serialize, Deserialize)]
pub(super) struct EndLine {
    pub(super) end: String,
    /// Its number of steps; optional for other programs.
    pub(super) steps: Option<usize>,
}

/// Reads a map of texts; other values are kept as JSON text.
pub(super) fn texts<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, String>, D::Error> {
    let read = BTreeMap::<String, Value>::deserialize(deserializer)?;
    let texts = read.into_iter().map(|(name, value)| match value {
        Value::String(text) => (name, text),
        other => (name, other.to_string()),
    });
    Ok(texts.collect())
}
