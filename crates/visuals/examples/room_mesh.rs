//! Prints the meshes of a room of the built-in world with their materials.
//!
//! `cargo run -p threshold-visuals --example room_mesh` counts; with `-- FOLDER` it writes the texture of each material
//! into that folder as PNG, too.

#![allow(clippy::print_stdout, reason = "an example shows what it did")]

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::{Path, PathBuf};

use threshold_dat::{RecordId, Source};
use threshold_land::CellId;
use threshold_visuals::drawn::MeshInstance;
use threshold_visuals::material::SurfaceMaterial;
use threshold_visuals::mesh::Mesh;
use threshold_world::{Builder, PieceId, World};

/// The taproom of the inn.
const TAPROOM: CellId = CellId(0xA9B4_0106);

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from);
    let builder = Builder::new(threshold_forge::builtin(threshold_forge::SEED)?);
    let mut world = World::new();
    for piece in builder.pieces() {
        builder.build(piece)?.into_iter().for_each(|built| world.adopt(built.piece));
    }
    let source = &**builder.source();

    let (room, mut faults) = (PieceId::Room(TAPROOM), BTreeSet::new());
    let instances = MeshInstance::of_piece(&world, source, room, &mut faults);
    let mut counts = BTreeMap::new();
    for instance in &instances {
        *counts.entry(&instance.key).or_insert(0) += 1;
    }
    let mut surfaces = BTreeSet::new();
    println!("room {TAPROOM}: {} meshes, drawn {} times", counts.len(), instances.len());
    for (key, count) in counts {
        let mesh = key.read(source)?;
        println!("{} x {key:?}", count);
        surfaces.extend(print_mesh(&mesh));
    }
    println!("{} surfaces", surfaces.len());
    for id in surfaces {
        print_surface(source, id, folder.as_deref())?;
    }
    faults.iter().for_each(|fault| println!("left out: {fault}"));
    Ok(())
}

/// Prints the triangles of a mesh by material, and its first vertex; returns its surfaces.
fn print_mesh(mesh: &Mesh) -> Vec<RecordId> {
    let groups = mesh.indices_by_material();
    for (material, indices) in &groups {
        let edges = if material.tiled { "repeats" } else { "ends at its edges" };
        println!("  {} triangles of {}, which {edges}", indices.len() / 3, material.surface);
    }
    if let Some(vertex) = mesh.vertices.first() {
        let (position, normal): ([f32; 3], [f32; 3]) =
            (vertex.position.into(), vertex.normal.into());
        println!("  first vertex {position:?}, normal {normal:?}, uv {:?}", vertex.uv.to_array());
    }
    groups.into_keys().map(|material| material.surface).collect()
}

/// Prints the material of a surface, and writes its image.
fn print_surface(
    source: &dyn Source,
    id: RecordId,
    folder: Option<&Path>,
) -> Result<(), Box<dyn Error>> {
    let SurfaceMaterial { surface, shading } = SurfaceMaterial::read(source, id)?;
    let image = &surface.image;
    println!("{id}: {} x {} pixels, {:?}", image.width, image.height, shading.blend);
    if let Some(folder) = folder {
        std::fs::create_dir_all(folder)?;
        let path = folder.join(format!("{id}.png"));
        std::fs::write(&path, image.to_png()?)?;
        println!("  written: {}", path.display());
    }
    Ok(())
}
