//! The check of one record.

mod location;
mod oddities;
mod shapes;

use std::collections::{BTreeMap, BTreeSet};

use threshold_dat::{
    AnyRecord, ByteOffset, DatError, DatFolder, DirectoryEntry, EnvCell, LandBlockInfo, RecordId,
    RecordKind, Records, SurfaceTexture,
};
use threshold_land::CellId;

use self::location::Location;
use self::shapes::Shape;
use crate::container::ListedFile;
use crate::{Finding, Severity};

pub(crate) use self::shapes::Shapes;

/// Checks the records of one file.
pub(crate) struct RecordCheck<'a> {
    pub(crate) folder: &'a DatFolder,
    pub(crate) shapes: &'a Shapes,
    pub(crate) listed: &'a ListedFile<'a>,
    /// Whether records are encoded again and compared.
    pub(crate) roundtrip: bool,
}

/// Greatest number of missing records of one sort that a record names; the others are only counted.
const MAX_NAMED: usize = 16;

/// A reference that leads nowhere is an error if the world needs it.
fn missing_severity(needed: bool) -> Severity {
    if needed { Severity::Error } else { Severity::Note }
}

/// Collects the findings about one record.
struct Findings<'a> {
    check: &'a RecordCheck<'a>,
    entry: &'a DirectoryEntry,
    /// Location of the item that is being checked.
    location: Option<Location>,
    out: Vec<Finding>,
}

impl Findings<'_> {
    fn add(&mut self, severity: Severity, at: ByteOffset, message: String) {
        let (offset, record_offset) = match at {
            ByteOffset::File(at) => (at, None),
            ByteOffset::Record(at) => {
                let offset = self.check.listed.file.file_offset(self.entry, at);
                // A byte of a compressed record is not in the file; its beginning must do.
                (offset.unwrap_or(u64::from(self.entry.offset)), Some(at))
            }
        };
        let finding = Finding {
            severity,
            record: Some(self.entry.id),
            kind: Some(RecordKind::from_id(self.check.listed.kind, self.entry.id)),
            offset: Some(offset),
            record_offset,
            message,
            ..Finding::new(self.check.listed.file.name())
        };
        self.out.push(match self.location {
            Some((cell, point)) => finding.at(cell, point),
            None => finding,
        });
    }

    /// Adds a finding about the record as a whole.
    fn whole(&mut self, severity: Severity, message: String) {
        let start = self.check.listed.file.file_offset(self.entry, 0);
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
    pub(crate) fn run(&self, entry: &DirectoryEntry, buffer: &mut Vec<u8>) -> Vec<Finding> {
        let mut findings = Findings { check: self, entry, location: None, out: Vec::new() };
        // The id tells the cell even if the room cannot be read.
        if RecordKind::from_id(self.listed.kind, entry.id) == RecordKind::EnvCell {
            findings.location = Some((entry.id.cell(), None));
        }
        match self.listed.file.read(entry, buffer) {
            Ok(bytes) => self.check_bytes(entry.id, bytes, &mut findings),
            Err(error) => findings.damage(&error),
        }
        findings.out
    }

    fn check_bytes(&self, id: RecordId, bytes: &[u8], findings: &mut Findings<'_>) {
        let kind = RecordKind::from_id(self.listed.kind, id);
        let (record, trailing) = match AnyRecord::decode_prefix(kind, id, bytes) {
            Ok(decoded) => decoded,
            Err(error) => return findings.damage(&error),
        };
        let (bytes, _) = bytes.split_at(bytes.len() - trailing);
        if trailing > 0 {
            let message = format!("{trailing} bytes after the end of the record");
            findings.add(Severity::Note, ByteOffset::Record(bytes.len() as u64), message);
        }
        findings.location = location::of_record(&record);
        record.faults(&mut |fault| findings.error(fault));
        self.check_references(&record, findings);
        match &record {
            AnyRecord::EnvCell(cell) => self.check_room(cell, findings),
            AnyRecord::LandBlock(block) => {
                let info = block.block.cell(0xFFFE).into();
                if block.has_info == 0 && self.has(RecordKind::LandBlockInfo, info) {
                    findings.note(format!("states that there is no {info}, but it exists"));
                }
            }
            AnyRecord::LandBlockInfo(info) => self.check_building_portals(info, findings),
            AnyRecord::SurfaceTexture(texture) => self.check_images(texture, findings),
            AnyRecord::Environment(record) => {
                oddities::check_environment(record, &mut |text| findings.note(text));
            }
            AnyRecord::GfxObj(model) => {
                oddities::check_model(model, &mut |text| findings.note(text));
            }
            _ => {}
        }
        findings.location = None;
        if self.roundtrip {
            check_roundtrip(kind, id, bytes, &record, findings);
        }
    }

    fn has(&self, kind: RecordKind, id: RecordId) -> bool {
        // Unreadable parts of the directory are reported by the check of the container.
        Records::new(self.folder).contains(kind, id).unwrap_or(true)
    }

    fn check_references(&self, record: &AnyRecord, findings: &mut Findings<'_>) {
        let mut missing: BTreeMap<(bool, &str), usize> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        record.references(&mut |reference| {
            if !seen.insert((reference.what, reference.id)) {
                return;
            }
            if reference.kinds.iter().any(|kind| self.has(*kind, reference.id)) {
                return;
            }
            let count = missing.entry((reference.needed, reference.what)).or_default();
            *count += 1;
            // A damaged count can lead to thousands of missing records.
            if *count <= MAX_NAMED {
                let message = format!("{} {} does not exist", reference.what, reference.id);
                findings.location = location::of_reference(record, &reference, self.shapes);
                findings.whole(missing_severity(reference.needed), message);
            }
        });
        findings.location = location::of_record(record);
        for ((needed, what), count) in missing {
            if let Some(more) = count.checked_sub(MAX_NAMED).filter(|more| *more > 0) {
                let message = format!("{what}: {more} more do not exist");
                findings.whole(missing_severity(needed), message);
            }
        }
    }

    /// Checks the structure of a room, the other sides of its portals, and its number in the landblock.
    fn check_room(&self, cell: &EnvCell, findings: &mut Findings<'_>) {
        if let Some(structures) = self.shapes.structures(cell.environment_id()) {
            match structures.get(&u32::from(cell.structure)) {
                Some(shape) => check_structure(cell, shape, findings),
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
            findings.location = Some(location::of_portal(cell, index, self.shapes));
            self.check_other_side(
                &mut records,
                id,
                number.ok(),
                &format!("portal {index}"),
                findings,
            );
        }
        findings.location = Some((cell.id, Some(cell.position.origin)));
        let info = cell.id.block().cell(0xFFFE).into();
        let number = u32::from(cell.id.low()).saturating_sub(0x100);
        // An info record that cannot be read is reported by its own check.
        if let Ok(Some(LandBlockInfo { cells, .. })) = records.get(info)
            && number >= cells
        {
            findings.note(format!(
                "the info of its landblock counts {cells} cells, and this one is beyond them"
            ));
        }
    }

    fn check_building_portals(&self, info: &LandBlockInfo, findings: &mut Findings<'_>) {
        let mut records = Records::new(self.folder);
        for (building, portals) in info.buildings.iter().map(|b| &b.portals).enumerate() {
            findings.location = location::of_building(info, building);
            for (index, portal) in portals.iter().enumerate() {
                let id = info.block.cell(portal.other_cell);
                let number = Some(usize::from(portal.other_portal));
                let what = format!("building {building}, portal {index}");
                self.check_other_side(&mut records, id, number, &what, findings);
            }
        }
    }

    /// Reports a portal that leads to a portal which the room behind it does not have.
    fn check_other_side(
        &self,
        records: &mut Records<'_>,
        id: CellId,
        number: Option<usize>,
        what: &str,
        findings: &mut Findings<'_>,
    ) {
        // A room that is missing or damaged has a finding of its own.
        let Ok(Some(other)) = records.get::<EnvCell>(id.into()) else { return };
        let count = other.portals.len();
        if number.is_none_or(|number| number >= count) {
            let number = number.map_or("of that number".to_owned(), |n| format!("number {n}"));
            findings.error(format!("{what}: {id} has {count} portals, none {number}"));
        }
    }

    /// Reports missing images of a texture, of which one is enough.
    fn check_images(&self, texture: &SurfaceTexture, findings: &mut Findings<'_>) {
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

fn check_structure(cell: &EnvCell, shape: &Shape, findings: &mut Findings<'_>) {
    for (index, portal) in cell.portals.iter().enumerate() {
        if !shape.portal_polygons.contains(&portal.polygon) {
            let polygon = portal.polygon;
            findings.error(format!(
                "portal {index}: polygon {polygon} is not in the portal list of its structure"
            ));
        }
    }
    if cell.surfaces.len() < shape.surface_count {
        let (count, used) = (cell.surfaces.len(), shape.surface_count);
        findings.error(format!("{count} surfaces, its structure uses {used}"));
    }
}

fn check_roundtrip(
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
        Ok(back) if is_same(&back, record) => {
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

/// Returns whether two records have the same content. NaN does not equal itself, but prints alike.
fn is_same(one: &AnyRecord, other: &AnyRecord) -> bool {
    one == other || format!("{one:?}") == format!("{other:?}")
}
