//! `threshold export`: writes a part of the world as a glTF file.

mod selection;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use serde::Serialize;
use threshold_land::Place;
use threshold_map::Pieces;
use threshold_visuals::gltf::{self, Exporter};
use threshold_world::{Object, ObjectId};

use self::selection::Selection;
use crate::extent::blocks;
use crate::faults::print_faults;
use crate::formatting::thousands;
use crate::output;
use crate::progress::Progress;
use crate::stdout::print_report;
use crate::world::World;

/// Write a landblock or dungeon as a glTF file for other programs
///
/// A compass point, landblock or land cell selects the land of its landblock, with buildings, rooms, objects and
/// scenery. A room selects all rooms connected to it by portals; a landblock without a landscape, its dungeon. Without
/// PLACE, the whole landscape is written, or the dungeon of a world without one. docs/export.md describes the file and
/// how to open it.
///
/// Damaged records are left out and listed, and the exit status is then 1.
#[derive(Args)]
#[command(after_help = "Examples:
  threshold export A9B4 --out village.glb
  threshold export 0xACB40100 --out depths.glb
  threshold export A9B4 --blocks 3 --no-scenery --out valley.glb
  threshold export --dats tests/data/holt \"42.1N, 33.6E\" --no-interiors --out holt.glb
  threshold export --dats tests/data/dungeon 0102 --out dungeon.glb --json")]
pub(crate) struct Export {
    #[command(flatten)]
    world: World,
    /// Compass point, loc, landblock, cell, point, or name in the built-in world
    place: Option<String>,
    /// File to write, .glb
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Landblocks of the landscape: 3 for 3 x 3, 3x4 for 3 wide and 4 tall; up to 32
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = blocks, requires = "place")]
    blocks: Option<(u8, u8)>,
    /// Leave out the rooms of buildings, and the objects in them
    #[arg(long)]
    no_interiors: bool,
    /// Leave out plants and stones
    #[arg(long)]
    no_scenery: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The report of a written file. Field names are keys of the JSON output.
#[derive(Serialize)]
struct Report {
    file: String,
    title: String,
    bytes: usize,
    landblocks: usize,
    buildings: usize,
    rooms: usize,
    objects: usize,
    scenery: usize,
    lights: usize,
    nodes: usize,
    meshes: usize,
    materials: usize,
    images: usize,
    triangles: usize,
    left_out: Vec<String>,
}

impl Export {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        check_name(&self.out)?;
        let find = |text| self.world.find_place(text);
        let place = self.place.as_deref().map(find).transpose()?;
        let mut pieces = Pieces::new(self.world.open_whole()?);
        let written = self.write(&mut pieces, place.as_ref());
        print_faults(&pieces);
        let mut report = written?;
        report.left_out.clone_from(&pieces.faults);
        print_report(self.json, &report, |out| Ok(writeln!(out, "{}", report.summary())?))?;
        Ok(if pieces.faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn write(&self, pieces: &mut Pieces, place: Option<&Place>) -> anyhow::Result<Report> {
        let selection = Selection::new(self, pieces, place)?;
        let objects = self.objects(pieces, &selection);
        let export = convert(pieces, &selection, &objects)?;
        let report = self.report(pieces, selection, &objects, &export);
        export.faults.iter().for_each(|fault| pieces.add_fault(fault));
        output::write(&self.out, &export.bytes)?;
        Ok(report)
    }

    /// Returns the ids of the objects to write.
    fn objects(&self, pieces: &Pieces, selection: &Selection) -> Vec<ObjectId> {
        let lands: BTreeSet<_> = selection.lands.iter().collect();
        let rooms: BTreeSet<_> = selection.rooms.iter().collect();
        let is_wanted = |object: &&Object| {
            let cell = object.position().cell;
            match cell.is_indoor() {
                true => rooms.contains(&cell),
                false => lands.contains(&cell.block()) && !(self.no_scenery && is_scenery(object)),
            }
        };
        pieces.world.objects().filter(is_wanted).map(Object::id).collect()
    }

    fn report(
        &self,
        pieces: &Pieces,
        selection: Selection,
        objects: &[ObjectId],
        export: &gltf::Export,
    ) -> Report {
        let lands = selection.lands.iter().filter_map(|block| pieces.world.land(*block));
        let objects = objects.iter().filter_map(|id| pieces.world.object(*id));
        let (scenery, objects): (Vec<_>, Vec<_>) = objects.partition(|object| is_scenery(object));
        let counts = export.counts;
        Report {
            file: self.out.display().to_string(),
            title: selection.title,
            bytes: export.bytes.len(),
            landblocks: selection.lands.len(),
            buildings: lands.map(|land| land.buildings().len()).sum(),
            rooms: selection.rooms.len(),
            objects: objects.len(),
            scenery: scenery.len(),
            lights: counts.lights,
            nodes: counts.nodes,
            meshes: counts.meshes,
            materials: counts.materials,
            images: counts.images,
            triangles: counts.triangles,
            left_out: Vec::new(),
        }
    }
}

/// Converts the loaded pieces.
fn convert(
    pieces: &Pieces,
    selection: &Selection,
    objects: &[ObjectId],
) -> anyhow::Result<gltf::Export> {
    let source = pieces.source();
    let mut exporter = Exporter::new(&*source, &pieces.world, selection.origin);
    let steps = selection.lands.len() + selection.rooms.len() + objects.len();
    let progress = Progress::new("writing", steps as u64);
    for block in &selection.lands {
        exporter.land(*block)?;
        progress.step();
    }
    for room in selection.rooms.iter().filter_map(|id| pieces.world.room(*id)) {
        exporter.room(room);
        progress.step();
    }
    for object in objects.iter().filter_map(|id| pieces.world.object(*id)) {
        exporter.object(object);
        progress.step();
    }
    progress.finish();
    Ok(exporter.finish(&selection.title)?)
}

fn is_scenery(object: &Object) -> bool {
    let cell = object.position().cell;
    cell.is_outdoor() && object.id() >= ObjectId::scenery(cell.block(), 0)
}

impl Report {
    fn summary(&self) -> String {
        let counts = [
            (self.landblocks, "landblock", "landblocks"),
            (self.buildings, "building", "buildings"),
            (self.rooms, "room", "rooms"),
            (self.objects, "object", "objects"),
            (self.scenery, "plant or stone", "plants and stones"),
            (self.lights, "light", "lights"),
        ];
        let counted = counts.iter().filter(|(number, ..)| *number > 0);
        let counted: Vec<String> = counted
            .map(|(number, one, many)| {
                format!("{} {}", thousands(*number), if *number == 1 { one } else { many })
            })
            .collect();
        format!(
            "{}: {}; {} triangles, {} materials, {} pictures, {} bytes",
            self.file,
            counted.join(", "),
            thousands(self.triangles),
            thousands(self.materials),
            thousands(self.images),
            thousands(self.bytes),
        )
    }
}

fn check_name(path: &Path) -> anyhow::Result<()> {
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("glb")) {
        return Ok(());
    }
    bail!("{}: the file must be a .glb file (binary glTF)", path.display())
}
