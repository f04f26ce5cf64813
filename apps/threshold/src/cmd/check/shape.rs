//! Shapes that can be read and used, but are odd.

use threshold_dat::{BspNode, BspTree, CellStructure, Environment, GfxObj, Polygons, VertexArray};
use threshold_geom::plane_of;
use threshold_land::glam::Vec3;

/// How far the length of a normal may be from 1.
const UNIT: f32 = 1e-3;

/// What is odd about the shapes of rooms.
pub(super) fn environment(environment: &Environment, note: &mut dyn FnMut(String)) {
    for structure in &environment.structures {
        let mut note = |text: String| note(format!("structure {}: {text}", structure.id));
        without_area(&structure.vertices, &structure.physics, &mut note);
        not_unit(structure, &mut note);
    }
}

/// What is odd about a model.
pub(super) fn model(model: &GfxObj, note: &mut dyn FnMut(String)) {
    if let Some(mesh) = &model.physics {
        without_area(&model.vertices, &mesh.polygons, note);
    }
}

/// Polygons that nothing can bump into.
fn without_area(vertices: &VertexArray, polygons: &Polygons, note: &mut dyn FnMut(String)) {
    let mut outline: Vec<Vec3> = Vec::new();
    let flat = polygons.iter().filter(|polygon| {
        outline.clear();
        let corners = polygon.vertex_ids.iter().filter_map(|id| vertices.by_id(*id));
        outline.extend(corners.map(|corner| corner.position));
        // A corner that is not there has had its error.
        outline.len() == polygon.vertex_ids.len()
            && outline.len() > 2
            && plane_of(&outline).is_none()
    });
    let ids: Vec<u16> = flat.map(|polygon| polygon.id).collect();
    if let Some(first) = ids.first() {
        note(format!("{} physics polygons without area, the first is {first}", ids.len()));
    }
}

/// Planes of the cell tree that measure distances wrongly.
fn not_unit(structure: &CellStructure, note: &mut dyn FnMut(String)) {
    let length = |node: BspNode<'_>| match node {
        BspNode::Split(split) => Some(split.plane.normal.length()),
        BspNode::Leaf(_) => None,
    };
    let tree: &BspTree = &structure.cell_tree;
    let odd = |length: &f32| !(1.0 - UNIT..=1.0 + UNIT).contains(length);
    if let Some(length) = tree.iter().filter_map(length).find(odd) {
        note(format!("a normal of its cell tree is {length} long, not 1"));
    }
}
