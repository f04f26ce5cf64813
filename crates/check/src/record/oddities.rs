//! Shapes that can be read and used, and are odd.

use threshold_dat::{BspNode, BspTree, CellStructure, Environment, GfxObj, Polygons, VertexArray};
use threshold_geom::plane_of;
use threshold_land::vector::Vec3;

/// Greatest difference of the length of a normal from 1.
const UNIT_TOLERANCE: f32 = 1e-3;

/// Reports oddities of the structures of an environment.
pub(super) fn check_environment(environment: &Environment, note: &mut dyn FnMut(String)) {
    for structure in &environment.structures {
        let mut note = |text: String| note(format!("structure {}: {text}", structure.id));
        check_areas(&structure.vertices, &structure.physics, &mut note);
        check_normals(structure, &mut note);
    }
}

/// Reports oddities of a model.
pub(super) fn check_model(model: &GfxObj, note: &mut dyn FnMut(String)) {
    if let Some(mesh) = &model.physics {
        check_areas(&model.vertices, &mesh.polygons, note);
    }
}

/// Reports physics polygons without area: no mover can touch them.
fn check_areas(vertices: &VertexArray, polygons: &Polygons, note: &mut dyn FnMut(String)) {
    let mut outline: Vec<Vec3> = Vec::new();
    let flat = polygons.iter().filter(|polygon| {
        outline.clear();
        let corners = polygon.vertex_ids.iter().filter_map(|id| vertices.by_id(*id));
        outline.extend(corners.map(|corner| corner.position));
        // A missing corner is an error of its own.
        outline.len() == polygon.vertex_ids.len()
            && outline.len() > 2
            && plane_of(&outline).is_none()
    });
    let ids: Vec<u16> = flat.map(|polygon| polygon.id).collect();
    if let Some(first) = ids.first() {
        note(format!("{} physics polygons without area, the first is {first}", ids.len()));
    }
}

/// Reports planes of the cell tree that measure distances wrongly.
fn check_normals(structure: &CellStructure, note: &mut dyn FnMut(String)) {
    let length = |node: BspNode<'_>| match node {
        BspNode::Split(split) => Some(split.plane.normal.length()),
        BspNode::Leaf(_) => None,
    };
    let tree: &BspTree = &structure.cell_tree;
    let is_odd = |length: &f32| !(1.0 - UNIT_TOLERANCE..=1.0 + UNIT_TOLERANCE).contains(length);
    if let Some(length) = tree.iter().filter_map(length).find(is_odd) {
        note(format!("a normal of its cell tree is {length} long, not 1"));
    }
}
