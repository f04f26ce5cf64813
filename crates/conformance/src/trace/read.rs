//! Reads traces.

use std::sync::Arc;

use super::line::{self, EndLine, LineKind, StepNumber, Version};
use super::{Course, Head, VERSION};
use crate::parse::{ParseError, parse, quoted};
use crate::record::{ScenarioResult, Step};
use crate::scenario::{Job, Scenario};

/// A line that does not fit into a trace.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TraceProblem {
    /// It cannot be read.
    #[error(transparent)]
    Json(#[from] ParseError),
    /// A head with an unknown version.
    #[error("trace version {0}; only version {VERSION} can be read")]
    Version(u64),
    /// A line before the head.
    #[error("no head before this line; a trace begins with {{\"trace\":{VERSION},\"world\":...}}")]
    NoHead,
    /// A step or an end without a beginning.
    #[error("no beginning of a course before this line")]
    NotBegun,
    /// A missing or repeated step.
    #[error("step {found} found, step {wanted} expected")]
    Order {
        /// The expected number.
        wanted: usize,
        /// The number found.
        found: usize,
    },
    /// The end of a course that has not begun.
    #[error("end of {:?} found, end of {:?} expected", quoted(.ended), quoted(.begun))]
    OtherEnd {
        /// The course that has begun.
        begun: String,
        /// The course that ends.
        ended: String,
    },
    /// An end with another number of steps than was read.
    #[error("{stated} steps stated at the end, {found} read")]
    Count {
        /// Number in the end line.
        stated: usize,
        /// Number of steps read.
        found: usize,
    },
    /// A camera with another number of steps than one.
    #[error("a camera has exactly one step")]
    OneStep,
}

/// Reads a trace line by line and returns its courses as they end.
///
/// An invalid line costs its course and nothing after it.
#[derive(Debug, Default)]
pub struct TraceReader {
    head: Option<Arc<Head>>,
    open: Option<OpenCourse>,
    /// Whether a line was invalid and no course has begun since.
    is_lost: bool,
    /// The course that was open when an invalid beginning or head followed.
    cut: Option<Course>,
}

/// A course that has begun.
#[derive(Debug)]
struct OpenCourse {
    id: String,
    job: Job,
    steps: Vec<Step>,
}

impl TraceReader {
    /// Before the first line.
    pub fn new() -> Self {
        Self::default()
    }

    /// The current head.
    pub fn head(&self) -> Option<&Head> {
        self.head.as_deref()
    }

    /// Reads a line. Returns a course when it has ended, or as far as read when another beginning or head
    /// cuts it off; after an error, [`cut`](Self::cut) returns it.
    pub fn line(&mut self, line: &[u8]) -> Result<Option<Course>, TraceProblem> {
        let read = self.any(line);
        if read.is_err() {
            self.open = None;
            self.is_lost = true;
        }
        read
    }

    /// Returns the course before an invalid beginning or head.
    pub fn cut(&mut self) -> Option<Course> {
        self.cut.take()
    }

    /// Ends the trace; returns the course that has not ended.
    pub fn finish(&mut self) -> Option<Course> {
        self.close(false)
    }

    fn any(&mut self, text: &[u8]) -> Result<Option<Course>, TraceProblem> {
        if text.trim_ascii().is_empty() {
            return Ok(None);
        }
        match LineKind::of(text)? {
            LineKind::Head => self.begin_trace(text),
            // Nothing can be read after an invalid head.
            _ if self.head.is_none() && self.is_lost => Ok(None),
            _ if self.head.is_none() => Err(TraceProblem::NoHead),
            LineKind::Begin => self.begin(text),
            LineKind::Step | LineKind::End if self.is_lost => Ok(None),
            LineKind::Step => self.step(text).map(|()| None),
            LineKind::End => self.end(text),
            LineKind::Other => Ok(None),
        }
    }

    fn begin_trace(&mut self, text: &[u8]) -> Result<Option<Course>, TraceProblem> {
        self.cut = self.close(false);
        self.head = None;
        let Version { trace } = parse(text)?;
        if trace != VERSION {
            return Err(TraceProblem::Version(trace));
        }
        self.head = Some(Arc::new(parse(text)?));
        self.is_lost = false;
        Ok(self.cut.take())
    }

    fn begin(&mut self, text: &[u8]) -> Result<Option<Course>, TraceProblem> {
        self.cut = self.close(false);
        let (id, job) = line::begin(text)?;
        self.open = Some(OpenCourse { id, job, steps: Vec::new() });
        self.is_lost = false;
        Ok(self.cut.take())
    }

    fn step(&mut self, text: &[u8]) -> Result<(), TraceProblem> {
        let open = self.open.as_mut().ok_or(TraceProblem::NotBegun)?;
        let StepNumber { step: found } = parse(text)?;
        let wanted = open.steps.len();
        if found != wanted {
            return Err(TraceProblem::Order { wanted, found });
        }
        if matches!(open.job, Job::Viewer(_)) && wanted > 0 {
            return Err(TraceProblem::OneStep);
        }
        let input = line::input(open.job.kind(), text)?;
        let answer = parse(text)?;
        open.job.push(input).map_err(|what| ParseError { column: 1, what: what.to_owned() })?;
        open.steps.push(answer);
        Ok(())
    }

    fn end(&mut self, text: &[u8]) -> Result<Option<Course>, TraceProblem> {
        let open = self.open.as_ref().ok_or(TraceProblem::NotBegun)?;
        let EndLine { end: ended, steps } = parse(text)?;
        if ended != open.id {
            return Err(TraceProblem::OtherEnd { begun: open.id.clone(), ended });
        }
        let found = open.steps.len();
        if let Some(stated) = steps.filter(|stated| *stated != found) {
            return Err(TraceProblem::Count { stated, found });
        }
        if matches!(open.job, Job::Viewer(_)) && found == 0 {
            return Err(TraceProblem::OneStep);
        }
        Ok(self.close(true))
    }

    /// Returns the open course as far as it was read.
    fn close(&mut self, is_complete: bool) -> Option<Course> {
        let (open, head) = (self.open.take()?, self.head.clone()?);
        let OpenCourse { id, job, steps } = open;
        let record = ScenarioResult { id: id.clone(), steps };
        let scenario = Scenario { id, world: head.world.clone(), job };
        Some(Course { head, scenario, record, is_complete })
    }
}
