//! Meshes by key: what the meshes of a world are read from.

use std::collections::BTreeSet;

use threshold_dat::{EnvCell, Environment, GfxObj, Record, RecordId, Records, Source};

use crate::mesh::{Mesh, PortalPolygons};

/// Source of a mesh. Two places with the same key have the same mesh, so a renderer keeps meshes by key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MeshKey {
    /// A model with all polygons.
    Model(RecordId),
    /// The shell of a building, without its portals.
    Shell(RecordId),
    /// The walls of all rooms with the same structure and surfaces.
    Walls {
        /// The environment record with the structure.
        environment: RecordId,
        /// Number of the structure in the record.
        structure: u16,
        /// Surfaces of the room.
        surfaces: Vec<RecordId>,
    },
}

impl MeshKey {
    /// Returns the key of the walls of a room.
    pub fn of_room(room: &EnvCell) -> Self {
        Self::Walls {
            environment: room.environment_id(),
            structure: room.structure,
            surfaces: room.surface_ids().collect(),
        }
    }

    /// Returns the record with its polygons.
    pub fn record_id(&self) -> RecordId {
        match self {
            Self::Model(id) | Self::Shell(id) => *id,
            Self::Walls { environment, .. } => *environment,
        }
    }

    /// Reads its triangles; the error is a message that names the record. Walls reach slightly through the portals of
    /// their room ([`Mesh::extend_through_portals`]).
    pub fn read(&self, source: &dyn Source) -> Result<Mesh, String> {
        let mut records = Records::new(source);
        match self {
            Self::Model(id) => model(&mut records, *id, PortalPolygons::Kept),
            Self::Shell(id) => model(&mut records, *id, PortalPolygons::Omitted),
            Self::Walls { environment, structure, surfaces } => {
                let id = environment;
                let environment: Environment = required(&mut records, "environment", *id)?;
                let structure = environment
                    .structure(u32::from(*structure))
                    .ok_or_else(|| format!("environment {id}: missing structure {structure}"))?;
                let mut mesh = Mesh::read_walls(surfaces.clone(), structure, &mut records);
                mesh.extend_through_portals(structure);
                Ok(mesh)
            }
        }
    }
}

fn model(records: &mut Records<'_>, id: RecordId, portals: PortalPolygons) -> Result<Mesh, String> {
    let model: GfxObj = required(records, "model", id)?;
    Ok(Mesh::read_model(&model, portals, records))
}

/// Reads a record; one that is missing or cannot be read is an error that names it.
fn required<R: Record>(records: &mut Records<'_>, what: &str, id: RecordId) -> Result<R, String> {
    match records.get(id) {
        Ok(Some(record)) => Ok(record),
        Ok(None) => Err(format!("missing {what} {id}")),
        Err(error) => Err(error.to_string()),
    }
}

/// Reads a record that something resident needs. One that is missing or cannot be read is a fault: a message that calls
/// it `what` and names its id.
pub fn read_or_fault<R: Record>(
    source: &dyn Source,
    what: &str,
    id: RecordId,
    faults: &mut BTreeSet<String>,
) -> Option<R> {
    match required(&mut Records::new(source), what, id) {
        Ok(record) => Some(record),
        Err(fault) => {
            faults.insert(fault);
            None
        }
    }
}
