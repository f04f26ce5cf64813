//! Debug drawing as a file of lines and points.

use std::collections::BTreeMap;

use threshold_land::{BlockId, CellId, Frame, block_offset_between};

use super::ExportError;
use super::document::{Document, Marks, NodeTransform};
use super::json::{Base, Extras, Material, Unlit};
use super::mesh::y_up;
use crate::debug_draw::{DebugLabel, DebugRecording, RecordedLayer};

/// Builds a file of a recording. The south-western corner of landblock `origin` at height 0 is the origin of the file, as
/// for an [`Exporter`](super::Exporter), so that both fit over each other. `name` is the name of its scene.
///
/// Each layer is a node of its name, with a child for each landblock: a mesh of lines and one of points, coloured by vertex
/// and unlit. Each text is a node of that name at its place, without a mesh. What is not finite is left out.
pub fn recording(
    recording: &DebugRecording,
    origin: BlockId,
    name: &str,
) -> Result<Vec<u8>, ExportError> {
    let mut document = Document::default();
    let material = document.add_material(Material {
        name: "debug".to_owned(),
        base: Base::of(None, [1.0; 4]),
        emissive_texture: None,
        emissive_factor: None,
        alpha_mode: None,
        alpha_cutoff: None,
        double_sided: false,
        extensions: Some(Unlit::default()),
    });
    let mut is_empty = true;
    for layer in recording.layers() {
        let contents = contents(layer);
        if contents.is_empty() {
            continue;
        }
        is_empty = false;
        let node = document.add_node(None, layer.name.clone(), NodeTransform::IDENTITY, None);
        for (block, content) in contents {
            content.add_to(&mut document, Parent { node, origin, material }, block);
        }
    }
    if is_empty {
        return Err(ExportError::Empty);
    }
    document.into_bytes(name)?.ok_or(ExportError::TooLarge)
}

/// Where a landblock is added.
#[derive(Clone, Copy)]
struct Parent {
    /// Node of its layer.
    node: usize,
    origin: BlockId,
    material: usize,
}

/// The part of a layer in one landblock.
struct LayerContent<'a> {
    lines: Marks,
    points: Marks,
    labels: Vec<&'a DebugLabel>,
}

impl Default for LayerContent<'_> {
    fn default() -> Self {
        let [lines, points] = [Marks::LINES, Marks::POINTS].map(Marks::new);
        Self { lines, points, labels: Vec::new() }
    }
}

impl LayerContent<'_> {
    fn add_to(&self, document: &mut Document, parent: Parent, block: BlockId) {
        let cell = block.as_cell();
        let frame = Frame::at(block_offset_between(parent.origin.as_cell(), cell));
        let own = extras(cell, "landblock");
        let name = format!("landblock {cell}");
        let node = document.add_node(Some(parent.node), name.clone(), frame.into(), Some(own));
        let mesh = document.add_marks(name, &[&self.lines, &self.points], parent.material);
        if let Some(mesh) = mesh {
            document.set_mesh(node, mesh);
        }
        for label in &self.labels {
            let frame = Frame::at(label.at.frame.origin);
            let label_extras = extras(label.at.cell, "label");
            document.add_node(Some(node), label.text.clone(), frame.into(), Some(label_extras));
        }
    }
}

/// Sorts a layer by landblock.
fn contents(layer: &RecordedLayer) -> BTreeMap<BlockId, LayerContent<'_>> {
    let mut blocks: BTreeMap<BlockId, LayerContent<'_>> = BTreeMap::new();
    for line in layer.lines.iter().filter(|line| line.ends.iter().all(|end| end.is_finite())) {
        let lines = &mut blocks.entry(line.cell.block()).or_default().lines;
        lines.positions.extend(line.ends.map(y_up));
        lines.colours.extend([finite(line.colour); 2]);
    }
    for point in layer.points.iter().filter(|point| point.at.is_finite()) {
        let points = &mut blocks.entry(point.cell.block()).or_default().points;
        points.positions.push(y_up(point.at));
        points.colours.push(finite(point.colour));
    }
    for label in layer.labels.iter().filter(|label| label.at.frame.origin.is_finite()) {
        blocks.entry(label.at.cell.block()).or_default().labels.push(label);
    }
    blocks
}

/// Replaces parts of a colour that the format cannot hold.
fn finite(colour: [f32; 3]) -> [f32; 3] {
    colour.map(|part| if part.is_finite() { part.clamp(0.0, 1.0) } else { 1.0 })
}

fn extras(cell: CellId, kind: &'static str) -> Extras {
    Extras { cell: cell.to_string(), kind, model: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debug_draw::DebugDraw;

    const HERE: CellId = CellId(0xA9B4_0031);
    const NORTH: CellId = CellId(0xA9B5_0001);
    const RED: [f32; 3] = [1.0, 0.0, 0.0];

    fn drawn() -> DebugRecording {
        let mut drawn = DebugRecording::default();
        drawn.begin_layer("route");
        drawn.line(HERE, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], RED);
        drawn.line(NORTH, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], RED);
        drawn.point(HERE, [7.0, 8.0, 9.0], [0.0, 0.5, 9.0]);
        drawn.text(HERE, [7.0, 8.0, 10.0], "the \"end\"");
        drawn.begin_layer("nothing");
        drawn.begin_layer("damaged");
        drawn.line(HERE, [[f32::NAN; 3], [0.0; 3]], RED);
        drawn.point(HERE, [f32::INFINITY; 3], RED);
        drawn
    }

    #[test]
    fn a_recording_is_a_valid_file_of_lines_points_and_named_places() {
        let bytes = recording(&drawn(), HERE.block(), "x").unwrap();
        // The importer validates the document.
        let (document, buffers, _) = gltf::import_slice(&bytes).unwrap();
        let layers: Vec<gltf::Node<'_>> = document.default_scene().unwrap().nodes().collect();
        let names: Vec<_> = layers.iter().filter_map(gltf::Node::name).collect();
        assert_eq!(names, ["route"]);
        let blocks: Vec<gltf::Node<'_>> = layers[0].children().collect();
        assert_eq!(blocks.len(), 2);
        // North is -z.
        assert_eq!(blocks[1].transform().decomposed().0, [0.0, 0.0, -192.0]);
        let primitives: Vec<_> = blocks[0].mesh().unwrap().primitives().collect();
        let modes: Vec<_> = primitives.iter().map(gltf::Primitive::mode).collect();
        assert_eq!(modes, [gltf::mesh::Mode::Lines, gltf::mesh::Mode::Points]);
        let reader = primitives[0].reader(|buffer| Some(&buffers[buffer.index()]));
        let ends: Vec<[f32; 3]> = reader.read_positions().unwrap().collect();
        assert_eq!(ends, [[1.0, 3.0, -2.0], [4.0, 6.0, -5.0]]);
        let reader = primitives[1].reader(|buffer| Some(&buffers[buffer.index()]));
        let colours: Vec<[f32; 3]> = reader.read_colors(0).unwrap().into_rgb_f32().collect();
        assert_eq!(colours, [[0.0, 0.5, 1.0]]);
        let label = blocks[0].children().next().unwrap();
        assert_eq!(label.name(), Some("the \"end\""));
        assert_eq!(label.transform().decomposed().0, [7.0, 10.0, -8.0]);
    }

    #[test]
    fn an_empty_recording_is_no_file() {
        let nothing = recording(&DebugRecording::default(), HERE.block(), "x");
        assert!(matches!(nothing, Err(ExportError::Empty)), "{nothing:?}");
    }
}
