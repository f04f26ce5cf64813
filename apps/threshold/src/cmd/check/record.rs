//! The check of one record.

use std::collections::{BTreeMap, BTreeSet};

use threshold_dat::{
    AnyRecord, ByteOffset, CellStructure, DatError, DatFile, DatFolder, DirectoryEntry, EnvCell,
    Environment, FileKind, LandBlockInfo, Record, RecordId, RecordKind, Records, SurfaceTexture,
};
use threshold_land::CellId;
use threshold_land::glam::Vec3;

use super::place::{self, Spot};
use super::{Finding, Severity, shape};

/// What rooms need to know of the shapes they use, by environment and structure.
pub(super) struct Shapes(BTreeMap<RecordId, BTreeMap<u32, Shape>>);

/// What a room needs to know of its shape.
struct Shape {
    /// Ids of the polygons that are openings.
    openings: Box<[u16]>,
    /// Their middles, where their corners are there.
    centres: Box<[Option<Vec3>]>,
    /// Surfaces that its polygons count on.
    surfaces: usize,
}

impl Shape {
    fn of(structure: CellStructure) -> Self {
        let indices = structure.drawing.iter().flat_map(|p| [p.front_surface, p.back_surface]);
        let surfaces = indices.filter_map(|index| usize::try_from(index).ok()).max();
        let centre = |id: &u16| {
            let polygon = structure.drawing.by_id(*id)?;
            let corner = |id: &u16| Some(structure.vertices.by_id(*id)?.position);
            let corners: Vec<Vec3> =
                polygon.vertex_ids.iter().map(corner).collect::<Option<_>>()?;
            Some(corners.iter().sum::<Vec3>() / corners.len() as f32)
        };
        Self {
            centres: structure.portals.iter().map(centre).collect(),
            surfaces: surfaces.map_or(0, |most| most + 1),
            openings: structure.portals,
        }
    }
}

impl Shapes {
    /// Ids of the openings of a shape.
    pub(super) fn openings(&self, environment: RecordId, structure: u32) -> &[u16] {
        let shape = self.0.get(&environment).and_then(|shapes| shapes.get(&structure));
        shape.map_or(&[], |shape| &shape.openings)
    }

    /// The middle of an opening of a room, in the room's frame.
    pub(super) fn centre(&self, cell: &EnvCell, polygon: u16) -> Option<Vec3> {
        let shape = self.0.get(&cell.environment_id())?.get(&u32::from(cell.structure))?;
        let index = shape.openings.iter().position(|id| *id == polygon)?;
        *shape.centres.get(index)?
    }

    /// Damaged environments are left out; their own check reports them.
    pub(super) fn of(folder: &DatFolder) -> Self {
        let mut shapes = BTreeMap::new();
        let Some(file) = folder.file(FileKind::Portal) else { return Self(shapes) };
        let mut buffer = Vec::new();
        for entry in file.entries().filter_map(Result::ok) {
            if RecordKind::from_id(FileKind::Portal, entry.id) != RecordKind::Environment {
                continue;
            }
            let Ok(bytes) = file.read(&entry, &mut buffer) else { continue };
            if let Ok(environment) = Environment::decode(entry.id, bytes) {
                let structures = environment.structures.into_iter();
                shapes.insert(entry.id, structures.map(|s| (s.id, Shape::of(s))).collect());
            }
        }
        Self(shapes)
    }
}

/// Checks the records of one file.
pub(super) struct RecordCheck<'a> {
    pub(super) folder: &'a DatFolder,
    pub(super) shapes: &'a Shapes,
    pub(super) kind: FileKind,
    pub(super) file: &'a DatFile,
    pub(super) roundtrip: bool,
}

/// How many missing records of one sort a record names before the others are only counted.
const NAMED: usize = 16;

/// A reference that leads nowhere is an error when the world needs it.
fn severity(needed: bool) -> Severity {
    if needed { Severity::Error } else { Severity::Note }
}

/// Collects what is found in one record.
struct Findings<'a> {
    check: &'a RecordCheck<'a>,
    entry: &'a DirectoryEntry,
    /// Where in the world that is which is looked at.
    place: Option<Spot>,
    out: Vec<Finding>,
}

impl Findings<'_> {
    fn add(&mut self, severity: Severity, at: ByteOffset, message: String) {
        let (offset, record_offset) = match at {
            ByteOffset::File(at) => (at, None),
            ByteOffset::Record(at) => {
                let place = self.check.file.file_offset(self.entry, at);
                // A compressed record has no bytes of its own in the file; its beginning must do.
                (place.unwrap_or(u64::from(self.entry.offset)), Some(at))
            }
        };
        let finding = Finding {
            severity,
            record: Some(self.entry.id),
            kind: Some(RecordKind::from_id(self.check.kind, self.entry.id)),
            offset: Some(offset),
            record_offset,
            message,
            ..Finding::about(self.check.file.name())
        };
        self.out.push(match self.place {
            Some((cell, point)) => finding.at(cell, point),
            None => finding,
        });
    }

    /// About the record as a whole.
    fn whole(&mut self, severity: Severity, message: String) {
        let start = self.check.file.file_offset(self.entry, 0);
        self.add(
            severity,
            ByteOffset::File(start.unwrap_or(u64::from(self.entry.offset))),
            message,
        );
    }

    fn error(&mut self, message: String) {
        self.whole(Severity::Error, message);
    }

    fn note(&mut self, message: String) {
        self.whole(Severity::Note, message);
    }

    fn damage(&mut self, error: &DatError) {
        match error.place() {
            Some(at) => self.add(Severity::Error, at, error.kind().to_string()),
            None => self.error(error.kind().to_string()),
        }
    }
}

impl RecordCheck<'_> {
    pub(super) fn run(&self, entry: &DirectoryEntry, buffer: &mut Vec<u8>) -> Vec<Finding> {
        let mut findings = Findings { check: self, entry, place: None, out: Vec::new() };
        // Even a room that cannot be read is known by its id.
        if RecordKind::from_id(self.kind, entry.id) == RecordKind::EnvCell {
            findings.place = Some((entry.id.cell(), None));
        }
        match self.file.read(entry, buffer) {
            Ok(bytes) => self.bytes(entry.id, bytes, &mut findings),
            Err(error) => findings.damage(&error),
        }
        findings.out
    }

    fn bytes(&self, id: RecordId, bytes: &[u8], findings: &mut Findings<'_>) {
        let kind = RecordKind::from_id(self.kind, id);
        let (record, trailing) = match AnyRecord::decode_prefix(kind, id, bytes) {
            Ok(decoded) => decoded,
            Err(error) => return findings.damage(&error),
        };
        let (bytes, _) = bytes.split_at(bytes.len() - trailing);
        if trailing > 0 {
            let message = format!("{trailing} bytes after the end of the record");
            findings.add(Severity::Note, ByteOffset::Record(bytes.len() as u64), message);
        }
        findings.place = place::of(&record);
        record.faults(&mut |fault| findings.error(fault));
        self.references(&record, findings);
        match &record {
            AnyRecord::EnvCell(cell) => self.room(cell, findings),
            AnyRecord::LandBlock(block) => {
                let info = block.block.cell(0xFFFE).into();
                if block.has_info == 0 && self.has(RecordKind::LandBlockInfo, info) {
                    findings.note(format!("says that there is no {info}, but there is"));
                }
            }
            AnyRecord::LandBlockInfo(info) => self.building_portals(info, findings),
            AnyRecord::SurfaceTexture(texture) => self.images(texture, findings),
            AnyRecord::Environment(it) => shape::environment(it, &mut |odd| findings.note(odd)),
            AnyRecord::GfxObj(model) => shape::model(model, &mut |odd| findings.note(odd)),
            _ => {}
        }
        findings.place = None;
        if self.roundtrip {
            roundtrip(kind, id, bytes, &record, findings);
        }
    }

    fn has(&self, kind: RecordKind, id: RecordId) -> bool {
        // A part of the directory that cannot be read is reported where it is read.
        Records::new(self.folder).contains(kind, id).unwrap_or(true)
    }

    fn references(&self, record: &AnyRecord, findings: &mut Findings<'_>) {
        let mut missing: BTreeMap<(bool, &str), usize> = BTreeMap::new();
        let mut named = BTreeSet::new();
        record.references(&mut |reference| {
            if !named.insert((reference.what, reference.id)) {
                return;
            }
            if reference.kinds.iter().any(|kind| self.has(*kind, reference.id)) {
                return;
            }
            let count = missing.entry((reference.needed, reference.what)).or_default();
            *count += 1;
            // One damaged count can miss thousands: name some, count the others.
            if *count <= NAMED {
                let message = format!("{} {} does not exist", reference.what, reference.id);
                findings.place = place::of_reference(record, &reference, self.shapes);
                findings.whole(severity(reference.needed), message);
            }
        });
        findings.place = place::of(record);
        for ((needed, what), count) in missing {
            if let Some(more) = count.checked_sub(NAMED).filter(|more| *more > 0) {
                let message = format!("{what}: {more} more do not exist");
                findings.whole(severity(needed), message);
            }
        }
    }

    /// The shape of a room, the other sides of its portals, and its place in the landblock.
    fn room(&self, cell: &EnvCell, findings: &mut Findings<'_>) {
        if let Some(structures) = self.shapes.0.get(&cell.environment_id()) {
            match structures.get(&u32::from(cell.structure)) {
                Some(shape) => fits_shape(cell, shape, findings),
                None => findings.error(format!(
                    "environment {} has no structure {}",
                    cell.environment_id(),
                    cell.structure
                )),
            }
        }
        let mut records = Records::new(self.folder);
        for (index, portal) in cell.portals.iter().enumerate() {
            let Some(id) = cell.neighbour(portal) else { continue };
            let number = usize::try_from(portal.other_portal);
            findings.place = Some(place::of_portal(cell, index, self.shapes));
            self.other_side(&mut records, id, number.ok(), &format!("portal {index}"), findings);
        }
        findings.place = Some((cell.id, Some(cell.position.origin)));
        let info = cell.id.block().cell(0xFFFE).into();
        let number = u32::from(cell.id.low()).saturating_sub(0x100);
        if let Ok(Some(LandBlockInfo { cells, .. })) = records.get(info)
            && number >= cells
        {
            findings.note(format!("its landblock announces {cells} cells, this is beyond them"));
        }
    }

    fn building_portals(&self, info: &LandBlockInfo, findings: &mut Findings<'_>) {
        let mut records = Records::new(self.folder);
        for (building, portals) in info.buildings.iter().map(|b| &b.portals).enumerate() {
            findings.place = place::of_building(info, building);
            for (index, portal) in portals.iter().enumerate() {
                let id = info.block.cell(portal.other_cell);
                let number = Some(usize::from(portal.other_portal));
                let what = format!("building {building}, portal {index}");
                self.other_side(&mut records, id, number, &what, findings);
            }
        }
    }

    /// The room behind a portal must have the portal that leads back.
    fn other_side(
        &self,
        records: &mut Records<'_>,
        id: CellId,
        number: Option<usize>,
        what: &str,
        findings: &mut Findings<'_>,
    ) {
        // A room that is missing or damaged has its own finding.
        let Ok(Some(other)) = records.get::<EnvCell>(id.into()) else { return };
        let count = other.portals.len();
        if number.is_none_or(|number| number >= count) {
            let number = number.map_or("of that number".to_owned(), |n| format!("number {n}"));
            findings.error(format!("{what}: {id} has {count} portals, none {number}"));
        }
    }

    /// One image of a texture is enough.
    fn images(&self, texture: &SurfaceTexture, findings: &mut Findings<'_>) {
        let missing: Vec<_> = texture
            .images
            .iter()
            .filter(|id| !self.has(RecordKind::RenderSurface, **id))
            .map(ToString::to_string)
            .collect();
        if texture.images.is_empty() || missing.len() == texture.images.len() {
            findings.error(format!("none of its images exists: [{}]", missing.join(" ")));
        } else if !missing.is_empty() {
            findings.note(format!("image {} does not exist; another one does", missing.join(" ")));
        }
    }
}

fn fits_shape(cell: &EnvCell, shape: &Shape, findings: &mut Findings<'_>) {
    for (index, portal) in cell.portals.iter().enumerate() {
        if !shape.openings.contains(&portal.polygon) {
            let polygon = portal.polygon;
            findings
                .error(format!("portal {index}: polygon {polygon} is no opening of its structure"));
        }
    }
    if cell.surfaces.len() < shape.surfaces {
        let (has, wants) = (cell.surfaces.len(), shape.surfaces);
        findings.error(format!("{has} surfaces, its structure uses {wants}"));
    }
}

fn roundtrip(
    kind: RecordKind,
    id: RecordId,
    bytes: &[u8],
    record: &AnyRecord,
    findings: &mut Findings<'_>,
) {
    let again = match record.encode() {
        Ok(again) if again == bytes => return,
        Ok(again) => again,
        Err(error) => return findings.error(format!("cannot be encoded again: {error}")),
    };
    let at = again.iter().zip(bytes).take_while(|(a, b)| a == b).count();
    let message = format!(
        "encodes to {} bytes, {} stored, different from byte 0x{at:X}",
        again.len(),
        bytes.len()
    );
    match AnyRecord::decode_exact(kind, id, &again) {
        Ok(back) if same(&back, record) => {
            findings.add(
                Severity::Note,
                ByteOffset::Record(at as u64),
                format!("{message}: another spelling of the same content"),
            );
        }
        _ => findings.add(
            Severity::Error,
            ByteOffset::Record(at as u64),
            format!("{message}: the content changes"),
        ),
    }
}

/// Equal content. A number that is no number does not equal itself, but prints alike.
fn same(one: &AnyRecord, other: &AnyRecord) -> bool {
    one == other || format!("{one:?}") == format!("{other:?}")
}
