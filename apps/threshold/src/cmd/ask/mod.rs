//! `threshold ask`: answers questions about many places.

mod answer;
mod row;
mod run;
mod writer;

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, ensure};
use clap::{Args, ValueEnum};
use rayon::prelude::*;
use threshold_dat::Source;
use threshold_forge::SEED;
use threshold_play::PlaceNames;

use self::row::{BadRow, Question, RowReader};
use self::run::AskRun;
use self::writer::{AnswerWriter, BadRowWriter};
use crate::progress::InputProgress;
use crate::run::{check_not_overwritten, is_same_place};
use crate::stderr::print_message;
use crate::world::World;

/// Answer questions about many places
///
/// Reads a place from each row, in any of the forms that other commands take, and writes a row with the answers, in the
/// same order. A second place after a tab is the target of `sight` and `distance`. A row may also be a JSON object:
/// {"place": "42.1N, 33.6E", "target": "A9B4"}. Empty rows and rows that begin with # are skipped.
///
/// Rows that cannot be read, and places that the world does not have, are reported by line and left out; the exit status
/// is then 1. --bad-rows writes them to a file of their own. docs/ask.md describes the columns.
#[derive(Args)]
#[command(after_help = "Examples:
  threshold ask --in places.txt --columns cell,ground,water,standing --out answers.csv
  printf '42.1N, 33.6E\\n0xA9B40031:150,1,40\\n' | threshold ask --columns cell,terrain,road
  threshold ask --dats tests/data/holt --in pairs.txt --columns sight,distance --format jsonl")]
pub(crate) struct Ask {
    #[command(flatten)]
    world: World,
    /// File of places, one in each row; - reads standard input
    #[arg(long = "in", value_name = "FILE", default_value = "-")]
    input: PathBuf,
    /// File to write; - writes to standard output
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// File to write rows without an answer to, each with its line and the reason
    #[arg(long, value_name = "FILE")]
    bad_rows: Option<PathBuf>,
    /// Format of the answers and of the bad rows
    #[arg(long, value_enum, default_value = "csv")]
    format: Format,
    /// Answers to write
    #[arg(
        long,
        value_enum,
        value_name = "NAME,...",
        value_delimiter = ',',
        default_value = "cell,indoors,ground,standing"
    )]
    columns: Vec<Column>,
}

/// Format of the answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Comma-separated, with a head
    Csv,
    /// A JSON object in each row
    Jsonl,
}

/// An answer about a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Column {
    /// Cell that contains the place
    Cell,
    /// Whether that is a room
    Indoors,
    /// Height of the terrain, in metres
    Ground,
    /// How deep a mover sinks into water, in metres
    Water,
    /// Type of the terrain
    Terrain,
    /// Whether a road is there
    Road,
    /// Model of the building that the place is in
    Building,
    /// Whether a human can stand there: yes, or why not
    Standing,
    /// Position in which it stands
    StandingAt,
    /// Line of sight to the target, between eyes: clear, blocked or unknown
    Sight,
    /// Distance to the target, in metres
    Distance,
}

impl Column {
    fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().replace('-', "_"))
    }
}

/// Number of rows that are answered together.
const BATCH: usize = 8192;
/// Number of bad rows that are printed; the others are counted.
const MAX_PRINTED: u64 = 20;

impl Ask {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        self.check_arguments()?;
        let source: Arc<dyn Source> = Arc::new(self.world.open_whole()?);
        let names = match self.world.named() {
            None => PlaceNames::of_builtin(SEED),
            Some(_) => PlaceNames::default(),
        };
        let (input, length) = open(&self.input)?;
        let mut rows = RowReader::new(input);
        let mut writer = AnswerWriter::create(&self)?;
        let mut bad_rows = BadRows::create(&self)?;
        let mut run = AskRun::new(source, &self.columns);
        let progress = InputProgress::new("answering", length);
        loop {
            let batch = rows.batch(BATCH).with_context(|| input_name(&self.input))?;
            if batch.is_empty() {
                break;
            }
            let questions = batch.into_par_iter().map(|row| Question::read(row, &names)).collect();
            for answered in run.answer(questions, &self.columns) {
                match answered {
                    Ok((question, answers)) => writer.write(&question, answers)?,
                    Err(bad) => progress.suspend(|| bad_rows.add(bad))?,
                }
            }
            progress.set(rows.position(), rows.line());
        }
        progress.finish();
        writer.finish()?;
        let is_whole = bad_rows.finish()?;
        Ok(if run.is_complete() && is_whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn check_arguments(&self) -> anyhow::Result<()> {
        for (index, column) in self.columns.iter().enumerate() {
            let is_repeated = self.columns[..index].contains(column);
            ensure!(!is_repeated, "--columns: {} is there twice", column.name());
        }
        let read = [vec![self.input.clone()], self.world.files()].concat();
        let written: Vec<PathBuf> =
            [&self.out].into_iter().chain(&self.bad_rows).cloned().collect();
        if let Some(bad_rows) = &self.bad_rows {
            let is_one = *bad_rows == self.out || is_same_place(bad_rows, &self.out);
            ensure!(!is_one, "{}: is both --out and --bad-rows", bad_rows.display());
        }
        check_not_overwritten(read.iter(), &written)
    }
}

/// Returns the name of the input in messages.
fn input_name(path: &Path) -> String {
    match path == Path::new("-") {
        true => "standard input".to_owned(),
        false => path.display().to_string(),
    }
}

/// Opens the input; returns its length if it is a file.
fn open(path: &Path) -> anyhow::Result<(Box<dyn BufRead>, Option<u64>)> {
    if path == Path::new("-") {
        return Ok((Box::new(io::stdin().lock()), None));
    }
    let name = || input_name(path);
    ensure!(!path.is_dir(), "{}: it is a folder; name a file", name());
    let file = File::open(path).with_context(name)?;
    let length = file.metadata().ok().filter(|file| file.is_file()).map(|file| file.len());
    Ok((Box::new(BufReader::new(file)), length))
}

/// Rows that have no answer.
struct BadRows {
    input: String,
    /// The file that `--bad-rows` names.
    file: Option<BadRowWriter>,
    count: u64,
}

impl BadRows {
    fn create(ask: &Ask) -> anyhow::Result<Self> {
        let file = ask.bad_rows.as_deref().map(|path| BadRowWriter::create(path, ask.format));
        Ok(Self { input: input_name(&ask.input), file: file.transpose()?, count: 0 })
    }

    /// Reports a row, and writes it to the file.
    fn add(&mut self, bad: BadRow) -> anyhow::Result<()> {
        self.count += 1;
        if self.count <= MAX_PRINTED {
            print_message(format_args!("{}:{}: {}", self.input, bad.line, bad.reason));
        }
        self.file.as_mut().map_or(Ok(()), |file| file.write(bad))
    }

    /// Puts the file in place and reports the rows that were not printed; returns whether there was no bad row.
    fn finish(self) -> anyhow::Result<bool> {
        if self.count > MAX_PRINTED {
            let more = self.count - MAX_PRINTED;
            print_message(format_args!("{more} more rows have no answer"));
        }
        self.file.map_or(Ok(()), BadRowWriter::finish)?;
        Ok(self.count == 0)
    }
}
