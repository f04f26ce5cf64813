//! `threshold ask`: answers questions about many places.

mod answer;
mod row;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, anyhow, ensure};
use clap::{Args, ValueEnum};
use rayon::prelude::*;
use serde_json::{Map, Value};
use threshold_dat::Source;
use threshold_forge::{MOVER, SEED};
use threshold_land::BlockId;
use threshold_map::Pieces;
use threshold_motion::{Mover, MoverShape};
use threshold_play::PlaceNames;
use threshold_world::{Builder, PieceId};

use self::answer::{Answerer, Scratch, TerrainNames};
use self::row::{BadRow, Question, RowReader};
use crate::faults::print_faults;
use crate::output::OutputFile;
use crate::progress::Spinner;
use crate::stderr::print_message;
use crate::world::World;

/// Answer questions about many places
///
/// Reads a place from each row, in any of the forms that other commands take, and writes a row with the answers, in the
/// same order. A second place after a tab is the target of `sight` and `distance`. A row may also be a JSON object:
/// {"place": "42.1N, 33.6E", "target": "A9B4"}. Empty rows and rows that begin with # are skipped.
///
/// Rows that cannot be read, and places that the world does not have, are reported by line and left out; the exit status
/// is then 1. docs/ask.md describes the columns.
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
    /// Format of the answers
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
/// Number of pieces above which loading starts anew: a bound of the memory.
const MAX_PIECES: usize = 30_000;
/// Number of bad rows that are printed; the others are counted.
const MAX_PRINTED: u64 = 20;

impl Ask {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let source: Arc<dyn Source> = Arc::new(self.world.open_whole()?);
        let names = match self.world.named() {
            None => PlaceNames::of_builtin(SEED),
            Some(_) => PlaceNames::default(),
        };
        let mut rows = RowReader::new(open(&self.input)?, &names);
        let mut writer = AnswerWriter::create(&self)?;
        let mut run = AskRun::new(source, &self.columns);
        let spinner = Spinner::new("answering");
        loop {
            let mut batch = Vec::new();
            while batch.len() < BATCH
                && let Some(row) = rows.next().with_context(|| input_name(&self.input))?
            {
                match row {
                    Ok(question) => batch.push(question),
                    Err(bad) => run.refuse(&self.input, &bad),
                }
            }
            if batch.is_empty() {
                break;
            }
            for (question, answers) in batch.iter().zip(run.answer(&batch, &self.columns)) {
                match answers {
                    Ok(answers) => writer.write(question, &self.columns, answers)?,
                    Err(reason) => run.refuse(&self.input, &BadRow { line: question.line, reason }),
                }
            }
        }
        writer.finish()?;
        spinner.finish();
        Ok(run.report())
    }
}

/// Returns the name of the input in messages.
fn input_name(path: &Path) -> String {
    match path == Path::new("-") {
        true => "standard input".to_owned(),
        false => path.display().to_string(),
    }
}

fn open(path: &Path) -> anyhow::Result<Box<dyn BufRead>> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let name = || input_name(path);
    ensure!(!path.is_dir(), "{}: it is a folder; name a file", name());
    Ok(Box::new(BufReader::new(File::open(path).with_context(name)?)))
}

/// The loaded part of the world, and what could not be answered.
struct AskRun {
    source: Arc<dyn Source>,
    pieces: Pieces,
    /// Landblocks that were loaded, those that do not exist included.
    loaded: BTreeSet<BlockId>,
    mover: Option<Mover>,
    terrain: TerrainNames,
    /// Faults of pieces that were loaded before.
    faults: u64,
    refused: u64,
}

impl AskRun {
    fn new(source: Arc<dyn Source>, columns: &[Column]) -> Self {
        let mut pieces = Pieces::shared(Arc::clone(&source));
        let terrain = TerrainNames::of(pieces.region());
        let mut mover = None;
        if columns.iter().any(|column| matches!(column, Column::Standing | Column::StandingAt)) {
            match Builder::shared(Arc::clone(&source)).setup(MOVER) {
                Ok(setup) => mover = Some(Mover::new(MoverShape::from_setup(&setup, 1.0))),
                Err(problem) => {
                    pieces.add_fault(format!("standing needs setup {MOVER}: {problem}"));
                }
            }
        }
        Self { source, pieces, loaded: BTreeSet::new(), mover, terrain, faults: 0, refused: 0 }
    }

    /// Answers a batch in its order. An error is the reason why a place has no answer.
    fn answer(
        &mut self,
        batch: &[Question],
        columns: &[Column],
    ) -> Vec<Result<Vec<Value>, String>> {
        if self.pieces.world.piece_count() > MAX_PIECES {
            print_faults(&self.pieces);
            self.faults += self.pieces.faults.len() as u64;
            self.pieces = Pieces::shared(Arc::clone(&self.source));
            self.loaded.clear();
        }
        for question in batch {
            for place in [Some(&question.place), question.target.as_ref()].into_iter().flatten() {
                self.load_around(place.block());
                if let Some(at) = place.position().and_then(|at| at.normalised()) {
                    self.load_around(at.cell.block());
                }
            }
        }
        let answerer = Answerer::new(&self.pieces.world, self.mover.as_ref(), &self.terrain);
        let answers = batch.par_iter().map_init(Scratch::default, |scratch, question| {
            answerer.answers(scratch, question, columns)
        });
        answers.collect()
    }

    /// Loads a landblock with its rooms, and the land and rooms beside it, which reach into it.
    fn load_around(&mut self, block: BlockId) {
        let near = |middle: u8| middle.saturating_sub(1)..=middle.saturating_add(1).min(0xFE);
        for block in near(block.x()).flat_map(|x| near(block.y()).map(move |y| BlockId::new(x, y)))
        {
            if !self.loaded.insert(block) {
                continue;
            }
            self.pieces.load(PieceId::Land(block));
            for room in self.pieces.rooms_of(block) {
                self.pieces.load(PieceId::Room(room));
            }
        }
    }

    /// Reports a row that has no answer.
    fn refuse(&mut self, input: &Path, bad: &BadRow) {
        self.refused += 1;
        if self.refused <= MAX_PRINTED {
            print_message(format_args!("{}:{}: {}", input_name(input), bad.line, bad.reason));
        }
    }

    fn report(&self) -> ExitCode {
        if self.refused > MAX_PRINTED {
            let more = self.refused - MAX_PRINTED;
            print_message(format_args!("{more} more rows have no answer"));
        }
        print_faults(&self.pieces);
        let is_complete = self.refused == 0 && self.faults == 0 && self.pieces.faults.is_empty();
        if is_complete { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// Writes answers in a format.
enum AnswerWriter {
    Csv(Box<csv::Writer<AnswerFile>>),
    Jsonl(AnswerFile),
}

/// Where answers go.
enum AnswerFile {
    File(OutputFile),
    Standard(BufWriter<io::Stdout>),
}

impl Write for AnswerFile {
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

impl AnswerWriter {
    fn create(ask: &Ask) -> anyhow::Result<Self> {
        let file = match ask.out == Path::new("-") {
            true => AnswerFile::Standard(BufWriter::new(io::stdout())),
            false => AnswerFile::File(OutputFile::create(&ask.out)?),
        };
        if ask.format == Format::Jsonl {
            return Ok(Self::Jsonl(file));
        }
        let mut writer = csv::Writer::from_writer(file);
        let head = ["line".to_owned(), "place".to_owned()];
        writer.write_record(head.into_iter().chain(ask.columns.iter().map(|it| it.name())))?;
        Ok(Self::Csv(Box::new(writer)))
    }

    fn write(
        &mut self,
        question: &Question,
        columns: &[Column],
        answers: Vec<Value>,
    ) -> anyhow::Result<()> {
        let own = [Value::from(question.line), Value::from(question.text.as_str())];
        match self {
            Self::Csv(writer) => {
                let field = |value: Value| match value {
                    Value::Null => String::new(),
                    Value::String(text) => text,
                    other => other.to_string(),
                };
                writer.write_record(own.into_iter().chain(answers).map(field))?;
            }
            Self::Jsonl(file) => {
                let names = ["line", "place"].map(str::to_owned).into_iter();
                let names = names.chain(columns.iter().map(|column| column.name()));
                let row: Map<String, Value> = names.zip(own.into_iter().chain(answers)).collect();
                serde_json::to_writer(&mut *file, &row)?;
                file.write_all(b"\n")?;
            }
        }
        Ok(())
    }

    fn finish(self) -> anyhow::Result<()> {
        let mut file = match self {
            Self::Csv(writer) => {
                writer.into_inner().map_err(|error| anyhow!("{}", error.error()))?
            }
            Self::Jsonl(file) => file,
        };
        file.flush()?;
        match file {
            AnswerFile::File(file) => file.finish(),
            AnswerFile::Standard(_) => Ok(()),
        }
    }
}
