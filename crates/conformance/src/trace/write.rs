//! Writes traces.

use std::io::{self, Write};

use serde::Serialize;

use super::Head;
use super::line::{BeginLine, EndLine, HeadLine, StepLine};
use crate::record::{ScenarioResult, Step, to_text};
use crate::scenario::{Job, Scenario, StepInput};

/// Writes a trace line by line. It neither buffers nor flushes: the caller decides how much may be lost.
#[derive(Debug)]
pub struct TraceWriter<W> {
    out: W,
    /// The open course and its number of steps.
    open: Option<(String, usize)>,
}

impl<W: Write> TraceWriter<W> {
    /// Writes the head.
    pub fn new(out: W, head: &Head) -> io::Result<Self> {
        let mut writer = Self { out, open: None };
        writer.line(&HeadLine::new(head))?;
        Ok(writer)
    }

    /// Begins a course. The input of its steps is written with the steps.
    pub fn begin(&mut self, id: &str, job: &Job) -> io::Result<()> {
        if let Some((open, _)) = &self.open {
            return Err(invalid(format!(
                "{id} cannot begin before {open} has ended; write the end of {open} first"
            )));
        }
        if let Some(fault) = job.fault() {
            return Err(invalid(format!("{id}: {fault}")));
        }
        self.line(&BeginLine::new(id, job))?;
        self.open = Some((id.to_owned(), 0));
        Ok(())
    }

    /// Writes one step of the course: its input and result.
    pub fn step(&mut self, input: StepInput, answer: &Step) -> io::Result<()> {
        let Some((id, step)) = &self.open else {
            return Err(invalid(
                "a step before the beginning of a course; call begin first".to_owned(),
            ));
        };
        if !input.is_finite() {
            return Err(invalid(format!(
                "{id}: the input of step {step} has a number that is not finite"
            )));
        }
        self.line(&StepLine { step: *step, input, answer })?;
        if let Some((_, steps)) = &mut self.open {
            *steps += 1;
        }
        Ok(())
    }

    /// Ends the course.
    pub fn end(&mut self) -> io::Result<()> {
        match self.open.take() {
            Some((end, steps)) => self.line(&EndLine { end, steps: Some(steps) }),
            None => {
                Err(invalid("an end before the beginning of a course; call begin first".to_owned()))
            }
        }
    }

    /// Writes a whole course.
    pub fn course(&mut self, scenario: &Scenario, record: &ScenarioResult) -> io::Result<()> {
        self.begin(&scenario.id, &scenario.job)?;
        for (index, step) in record.steps.iter().enumerate() {
            let input = scenario.job.input(index).ok_or_else(|| {
                invalid(format!("{}: the scenario has no step {index}", record.id))
            })?;
            self.step(input, step)?;
        }
        self.end()
    }

    /// Returns the underlying writer.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }

    /// Returns the underlying writer and drops this one.
    pub fn into_inner(self) -> W {
        self.out
    }

    /// Writes the line in one call, so that it is written whole or not at all if the writer allows.
    fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        let mut text = to_text(line)?;
        text.push('\n');
        self.out.write_all(text.as_bytes())
    }
}

fn invalid(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, what)
}
