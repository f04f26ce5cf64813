//! `threshold forge`: writes a made world as data files.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use serde::Serialize;
use threshold_dat::{DatFile, FileKind, LandBlockInfo, RecordKind, Records, Source};
use threshold_forge::{Forge as WorldForge, MadeWorld, SEED, builtin, samples};
use threshold_land::Frame;

use crate::arguments::whole_number_parser;
use crate::formatting::thousands;
use crate::output::{OutputFile, cannot_write, create_folder, finish_together, lock_folder};
use crate::progress::Spinner;
use crate::stdout::print_report;
use crate::world::{made, text};

/// Write a made world as data files
///
/// Writes client_cell_1.dat and client_portal.dat. The default is the built-in world: a village by a lake, hills and
/// woods around it, and a dungeon under the mountain. Other seeds change its land. Towns and dungeons of any size are
/// made at random. The same arguments write the same bytes on every machine. docs/forge.md explains how to write a
/// world of your own.
#[derive(Args)]
#[command(after_help = "Examples:
  threshold forge here
  threshold forge here --kind dungeon --rooms 200 --seed 7
  threshold forge here --kind town --rooms 60 --force
  threshold forge here --world house.txt")]
pub(crate) struct Forge {
    /// Folder for the files; created if missing
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = SEED, allow_negative_numbers = true, value_parser = whole_number_parser(0..=u64::MAX))]
    seed: u64,
    /// Kind of world
    #[arg(long, value_enum, default_value_t = Kind::Builtin)]
    kind: Kind,
    /// Number of rooms of a town or dungeon (default 100)
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole_number_parser(1..=MAX_ROOMS))]
    rooms: Option<u32>,
    /// World written as text; docs/forge.md describes the format
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seed", "kind", "rooms"])]
    world: Option<PathBuf>,
    /// Overwrite existing data files
    #[arg(long)]
    force: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Default number of rooms of a town or dungeon.
const DEFAULT_ROOMS: u32 = 100;

/// Largest number of rooms: more do not fit into a landblock or on the map.
const MAX_ROOMS: u32 = 60_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    /// The built-in world
    Builtin,
    /// A village: houses of all kinds on rolling land
    Town,
    /// A dungeon: chambers, halls, stairs and loops on several levels
    Dungeon,
}

/// The report of a written world. Field names are keys of the JSON output.
#[derive(Serialize)]
struct Report {
    what: String,
    landblocks: usize,
    buildings: usize,
    rooms: usize,
    /// Time to make the world without writing it, in seconds.
    seconds: f64,
    files: Vec<WrittenFile>,
}

/// A written file.
#[derive(Serialize)]
struct WrittenFile {
    file: String,
    records: usize,
    bytes: usize,
}

impl Forge {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        if self.kind == Kind::Builtin && self.rooms.is_some() {
            bail!(
                "--rooms: the built-in world has a fixed number of rooms; add --kind town or dungeon"
            );
        }
        self.check_overwrite()?;
        let spinner = Spinner::new("making the world");
        let start = Instant::now();
        let world = self.make()?;
        let seconds = start.elapsed().as_secs_f64();
        let files = made::files(&world)?;
        spinner.finish();
        let report = Report::new(self.what(), &world, seconds, self.write(files)?)?;
        print_report(self.json, &report, |out| Ok(report.print(out)?))?;
        Ok(ExitCode::SUCCESS)
    }

    /// Refuses to overwrite data files without `--force`: they may be the user's only copy of a world.
    fn check_overwrite(&self) -> anyhow::Result<()> {
        let Ok(listing) = fs::read_dir(&self.folder) else { return Ok(()) };
        if self.force {
            return Ok(());
        }
        let is_data = |name: &str| {
            FileKind::ALL.iter().any(|kind| name.eq_ignore_ascii_case(kind.file_name()))
        };
        for item in listing.flatten() {
            if item.file_name().to_str().is_some_and(is_data) {
                bail!("{}: file exists; use --force to overwrite", item.path().display());
            }
        }
        Ok(())
    }

    fn make(&self) -> anyhow::Result<MadeWorld> {
        if let Some(file) = &self.world {
            return text::read(file);
        }
        let rooms = self.rooms() as usize;
        let mut forge = WorldForge::dressed(self.seed);
        let made = match self.kind {
            Kind::Builtin => builtin(self.seed),
            Kind::Town => {
                samples::village_in(&mut forge, rooms, self.seed);
                forge.finish()
            }
            Kind::Dungeon => {
                let plan = samples::deep_plan(rooms, self.seed);
                forge.block(samples::DEPTHS).dungeon(Frame::IDENTITY, plan);
                forge.finish()
            }
        };
        made.with_context(|| format!("cannot make {}", self.what()))
    }

    fn rooms(&self) -> u32 {
        self.rooms.unwrap_or(DEFAULT_ROOMS)
    }

    fn what(&self) -> String {
        let seed = self.seed;
        match (&self.world, self.kind) {
            (Some(file), _) => file.display().to_string(),
            (None, Kind::Builtin) => format!("the built-in world, seed {seed}"),
            (None, Kind::Town) => format!("a town of {} rooms, seed {seed}", self.rooms()),
            (None, Kind::Dungeon) => format!("a dungeon of {} rooms, seed {seed}", self.rooms()),
        }
    }

    /// Writes both files, and puts them in place only once both are complete: data files of one world belong together.
    /// Only a process killed between the two renames separates them.
    fn write(&self, files: [(FileKind, Vec<u8>); 2]) -> anyhow::Result<Vec<WrittenFile>> {
        create_folder(&self.folder)?;
        let (mut unfinished, mut written) = (Vec::new(), Vec::new());
        for (kind, bytes) in files {
            let path = self.path(kind)?;
            let mut out = OutputFile::create(&path)?;
            out.write_all(&bytes).map_err(|error| cannot_write(&path, &error))?;
            out.store()?;
            unfinished.push(out);
            let (file, size) = (path.display().to_string(), bytes.len());
            let records = DatFile::from_bytes(&file, bytes)?.entries().count();
            written.push(WrittenFile { file, records, bytes: size });
        }
        let _lock = lock_folder(&self.folder);
        // Another process may have written files since the first check.
        self.check_overwrite()?;
        finish_together(unfinished)?;
        Ok(written)
    }

    /// Returns the path of a file. An existing file is replaced even if its name differs in letter case.
    fn path(&self, kind: FileKind) -> anyhow::Result<PathBuf> {
        let listing =
            fs::read_dir(&self.folder).map_err(|error| cannot_write(&self.folder, &error))?;
        let mut names = listing.flatten().map(|item| item.file_name());
        let existing = names.find(|name| name.eq_ignore_ascii_case(kind.file_name()));
        Ok(self.folder.join(existing.unwrap_or_else(|| kind.file_name().into())))
    }
}

impl Report {
    fn new(
        what: String,
        world: &MadeWorld,
        seconds: f64,
        files: Vec<WrittenFile>,
    ) -> anyhow::Result<Self> {
        let ids = world.ids(FileKind::Cell);
        let of_kind = |kind| {
            let is_of_kind = move |id: &&_| RecordKind::from_id(FileKind::Cell, **id) == kind;
            ids.iter().filter(is_of_kind).copied()
        };
        let mut records = Records::new(world);
        let mut buildings = 0;
        for id in of_kind(RecordKind::LandBlockInfo) {
            let info: Option<LandBlockInfo> = records.get(id)?;
            buildings += info.map_or(0, |info| info.buildings.len());
        }
        let landblocks = of_kind(RecordKind::LandBlock).count();
        let rooms = of_kind(RecordKind::EnvCell).count();
        Ok(Self { what, landblocks, buildings, rooms, seconds, files })
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { what, landblocks, buildings, rooms, seconds, files } = self;
        let count = |number: &usize, one: &str| {
            format!("{} {one}{}", thousands(*number), if *number == 1 { "" } else { "s" })
        };
        writeln!(
            out,
            "{what}: {}, {}, {}; made in {seconds:.2} s",
            count(landblocks, "landblock"),
            count(buildings, "building"),
            count(rooms, "room")
        )?;
        for WrittenFile { file, records, bytes } in files {
            writeln!(out, "{file}: {}, {} bytes", count(records, "record"), thousands(*bytes))?;
        }
        Ok(())
    }
}
