//! `threshold forge`: a made world as data files.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use serde::Serialize;
use threshold_dat::{DatFile, FileKind, LandBlockInfo, RecordKind, Records, Source};
use threshold_forge::{Forge as Smithy, MadeWorld, SEED, builtin, samples};
use threshold_land::Frame;

use crate::arguments::whole_number_parser;
use crate::output::{OutputFile, cannot_write, create_folder, lock_folder};
use crate::say::say;
use crate::show::thousands;
use crate::waiting::Waiting;
use crate::world::{made, text};

/// Writes a world as data files: client_cell_1.dat and client_portal.dat.
///
/// Without more it is the built-in world: a village by a lake, hills and woods around it, and a dungeon under the
/// mountain. Other seeds give it another land. Towns and dungeons of any size are made by chance. The same arguments
/// make the same bytes on every machine. docs/forge.md says how to write worlds of your own.
#[derive(Args)]
#[command(after_help = "Examples:
  threshold forge here
  threshold forge here --kind dungeon --rooms 200 --seed 7
  threshold forge here --kind town --rooms 60 --force
  threshold forge here --world house.txt")]
pub(crate) struct Forge {
    /// Folder for the files; it is made where there is none.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Where the chances come from.
    #[arg(long, value_name = "N", default_value_t = SEED, allow_negative_numbers = true, value_parser = whole_number_parser(0..=u64::MAX))]
    seed: u64,
    /// What to make.
    #[arg(long, value_enum, default_value_t = Kind::Builtin)]
    kind: Kind,
    /// How many rooms a town or dungeon has; 100 if it is not said.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole_number_parser(1..=MAX_ROOMS))]
    rooms: Option<u32>,
    /// World written as text; docs/forge.md says how.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seed", "kind", "rooms"])]
    world: Option<PathBuf>,
    /// Replace data files that are there.
    #[arg(long)]
    force: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Rooms of a town or dungeon unless it is said.
const ROOMS: u32 = 100;

/// More rooms than this do not fit into a landblock or on the map.
const MAX_ROOMS: u32 = 60_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    /// The built-in world.
    Builtin,
    /// A village: houses of all kinds on rolling land.
    Town,
    /// A dungeon: chambers, halls, stairs and loops on several levels.
    Dungeon,
}

/// What was made.
#[derive(Serialize)]
struct Report {
    what: String,
    landblocks: usize,
    buildings: usize,
    rooms: usize,
    /// Seconds that it took to make the world, without writing it.
    seconds: f64,
    files: Vec<Written>,
}

/// A file.
#[derive(Serialize)]
struct Written {
    file: String,
    records: usize,
    bytes: usize,
}

impl Forge {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        if self.kind == Kind::Builtin && self.rooms.is_some() {
            bail!("--rooms: the built-in world has the rooms it has; say --kind town or dungeon");
        }
        self.refuse_to_replace()?;
        let waiting = Waiting::new("making the world");
        let begun = Instant::now();
        let world = self.make()?;
        let seconds = begun.elapsed().as_secs_f64();
        let files = made::files(&world)?;
        waiting.finish();
        let report = Report::new(self.what(), &world, seconds, self.write(files)?)?;
        say(self.json, &report, |out| Ok(report.print(out)?))?;
        Ok(ExitCode::SUCCESS)
    }

    /// Data files may be the only ones that somebody has.
    fn refuse_to_replace(&self) -> anyhow::Result<()> {
        let Ok(listing) = fs::read_dir(&self.folder) else { return Ok(()) };
        if self.force {
            return Ok(());
        }
        let is_data = |name: &str| {
            FileKind::ALL.iter().any(|kind| name.eq_ignore_ascii_case(kind.file_name()))
        };
        for item in listing.flatten() {
            if item.file_name().to_str().is_some_and(is_data) {
                bail!("{}: there is such a file; --force replaces it", item.path().display());
            }
        }
        Ok(())
    }

    fn make(&self) -> anyhow::Result<MadeWorld> {
        if let Some(file) = &self.world {
            return text::read(file);
        }
        let rooms = self.rooms() as usize;
        let mut forge = Smithy::dressed(self.seed);
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
        self.rooms.unwrap_or(ROOMS)
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

    /// Writes both files, and puts them in place only when both are whole. Nothing comes between them but another
    /// process that is ended there: data files of one world belong together.
    fn write(&self, files: [(FileKind, Vec<u8>); 2]) -> anyhow::Result<Vec<Written>> {
        create_folder(&self.folder)?;
        let (mut begun, mut written) = (Vec::new(), Vec::new());
        for (kind, bytes) in files {
            let path = self.path(kind)?;
            let mut out = OutputFile::create(&path)?;
            out.write_all(&bytes).map_err(|error| cannot_write(&path, &error))?;
            out.store()?;
            begun.push(out);
            let (file, size) = (path.display().to_string(), bytes.len());
            let records = DatFile::from_bytes(&file, bytes)?.entries().count();
            written.push(Written { file, records, bytes: size });
        }
        let _lock = lock_folder(&self.folder);
        // Another process may have written there since.
        self.refuse_to_replace()?;
        begun.into_iter().try_for_each(OutputFile::finish)?;
        Ok(written)
    }

    /// Where a file goes: in place of one whose name differs in letter case only, if there is one.
    fn path(&self, kind: FileKind) -> anyhow::Result<PathBuf> {
        let listing =
            fs::read_dir(&self.folder).map_err(|error| cannot_write(&self.folder, &error))?;
        let mut names = listing.flatten().map(|item| item.file_name());
        let own = names.find(|name| name.eq_ignore_ascii_case(kind.file_name()));
        Ok(self.folder.join(own.unwrap_or_else(|| kind.file_name().into())))
    }
}

impl Report {
    fn new(
        what: String,
        world: &MadeWorld,
        seconds: f64,
        files: Vec<Written>,
    ) -> anyhow::Result<Self> {
        let ids = world.ids(FileKind::Cell);
        let of_kind = |kind| {
            let own = move |id: &&_| RecordKind::from_id(FileKind::Cell, **id) == kind;
            ids.iter().filter(own).copied()
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
        for Written { file, records, bytes } in files {
            writeln!(out, "{file}: {}, {} bytes", count(records, "record"), thousands(*bytes))?;
        }
        Ok(())
    }
}
