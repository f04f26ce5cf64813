//! Writes answers, and rows without an answer.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde_json::{Map, Value};

use super::row::{BadRow, Question};
use super::{Ask, Format};
use crate::output::OutputFile;

/// Writes a row of answers for each question.
pub(super) struct AnswerWriter(RowWriter);

impl AnswerWriter {
    pub(super) fn create(ask: &Ask) -> anyhow::Result<Self> {
        let file = match ask.out == Path::new("-") {
            true => RowFile::Standard(BufWriter::new(io::stdout())),
            false => RowFile::File(OutputFile::create(&ask.out)?),
        };
        let own = ["line", "place"].map(str::to_owned).into_iter();
        let names = own.chain(ask.columns.iter().map(|column| column.name())).collect();
        Ok(Self(RowWriter::new(file, ask.format, names)?))
    }

    pub(super) fn write(&mut self, question: &Question, answers: Vec<Value>) -> anyhow::Result<()> {
        let own = [Value::from(question.line), Value::from(question.text.as_str())];
        self.0.write(own.into_iter().chain(answers))
    }

    pub(super) fn finish(self) -> anyhow::Result<()> {
        self.0.finish()
    }
}

/// Writes rows that have no answer: line, row as it was written, reason.
pub(super) struct BadRowWriter(RowWriter);

impl BadRowWriter {
    pub(super) fn create(path: &Path, format: Format) -> anyhow::Result<Self> {
        let file = RowFile::File(OutputFile::create(path)?);
        let names = ["line", "row", "reason"].map(str::to_owned).to_vec();
        Ok(Self(RowWriter::new(file, format, names)?))
    }

    pub(super) fn write(&mut self, bad: BadRow) -> anyhow::Result<()> {
        let BadRow { line, row, reason } = bad;
        self.0.write([line.into(), row.into(), reason.into()].into_iter())
    }

    pub(super) fn finish(self) -> anyhow::Result<()> {
        self.0.finish()
    }
}

/// Writes rows of values under names.
enum RowWriter {
    Csv(Box<csv::Writer<RowFile>>),
    Jsonl(RowFile, Vec<String>),
}

/// Where rows go.
enum RowFile {
    File(OutputFile),
    Standard(BufWriter<io::Stdout>),
}

impl Write for RowFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::Standard(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::Standard(out) => out.flush(),
        }
    }
}

impl RowWriter {
    fn new(file: RowFile, format: Format, names: Vec<String>) -> anyhow::Result<Self> {
        if format == Format::Jsonl {
            return Ok(Self::Jsonl(file, names));
        }
        let mut writer = csv::Writer::from_writer(file);
        writer.write_record(names).map_err(io_error)?;
        Ok(Self::Csv(Box::new(writer)))
    }

    fn write(&mut self, values: impl Iterator<Item = Value>) -> anyhow::Result<()> {
        match self {
            Self::Csv(writer) => {
                let field = |value: Value| match value {
                    Value::Null => String::new(),
                    Value::String(text) => text,
                    other => other.to_string(),
                };
                writer.write_record(values.map(field)).map_err(io_error)?;
            }
            Self::Jsonl(file, names) => {
                let row: Map<String, Value> = names.iter().cloned().zip(values).collect();
                serde_json::to_writer(&mut *file, &row)?;
                file.write_all(b"\n")?;
            }
        }
        Ok(())
    }

    fn finish(self) -> anyhow::Result<()> {
        let mut file = match self {
            Self::Csv(writer) => {
                let whole = writer.into_inner();
                whole.map_err(|error| io::Error::new(error.error().kind(), error.to_string()))?
            }
            Self::Jsonl(file, _) => file,
        };
        file.flush()?;
        match file {
            RowFile::File(file) => file.finish(),
            RowFile::Standard(_) => Ok(()),
        }
    }
}

/// Returns the error of the file itself, by which a closed pipe is known.
fn io_error(error: csv::Error) -> io::Error {
    let message = error.to_string();
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        _ => io::Error::other(message),
    }
}
