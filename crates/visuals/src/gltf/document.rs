//! A glTF document under construction: nodes, meshes, materials, images and lights, referred to by index.

use threshold_land::vector::Vec3;
use threshold_land::{Frame, Rotation};

use super::binary::{Binary, container};
use super::json::{
    self, AllLights, Attributes, Extras, Light, Material, Mesh, Node, OneLight, Primitive,
    Punctual, Root, Sampler, Scene, Texture, TextureInfo,
};
use super::mesh::{Batch, y_up, y_up_rotation};
use crate::images::Image;

const LINEAR: u32 = 9729;
const LINEAR_MIPMAP_LINEAR: u32 = 9987;
const REPEAT: u32 = 10497;
const CLAMP_TO_EDGE: u32 = 33071;

/// Transform of a node in its parent.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeTransform {
    pub(super) frame: Frame,
    pub(super) scale: Vec3,
}

impl NodeTransform {
    pub(super) const IDENTITY: Self = Self { frame: Frame::IDENTITY, scale: Vec3::ONE };

    pub(super) fn is_finite(&self) -> bool {
        self.frame.origin.is_finite() && self.frame.is_valid() && self.scale.is_finite()
    }
}

impl From<Frame> for NodeTransform {
    fn from(frame: Frame) -> Self {
        Self { frame, ..Self::IDENTITY }
    }
}

/// Lines or points of one mesh.
#[derive(Debug)]
pub(super) struct Marks {
    /// Mode of the primitive: [`POINTS`](Self::POINTS) or [`LINES`](Self::LINES).
    pub(super) mode: u32,
    pub(super) positions: Vec<[f32; 3]>,
    /// Linear RGB of each vertex.
    pub(super) colours: Vec<[f32; 3]>,
}

impl Marks {
    pub(super) const POINTS: u32 = 0;
    pub(super) const LINES: u32 = 1;

    pub(super) fn new(mode: u32) -> Self {
        Self { mode, positions: Vec::new(), colours: Vec::new() }
    }
}

/// The document so far.
#[derive(Debug, Default)]
pub(super) struct Document {
    root: Root,
    binary: Binary,
    roots: Vec<usize>,
    lights: Vec<Light>,
    /// Triangle count of each mesh.
    triangles: Vec<usize>,
}

impl Document {
    /// Adds a node below another one, or a root.
    pub(super) fn add_node(
        &mut self,
        parent: Option<usize>,
        name: String,
        transform: NodeTransform,
        extras: Option<Extras>,
    ) -> usize {
        let index = self.root.nodes.len();
        let NodeTransform { frame: Frame { origin, rotation }, scale } = transform;
        self.root.nodes.push(Node {
            name,
            translation: (origin != Vec3::ZERO).then(|| y_up(origin)),
            rotation: (rotation != Rotation::IDENTITY).then(|| y_up_rotation(rotation)),
            // A scale has no sign to change with its axis.
            scale: (scale != Vec3::ONE).then_some([scale.x, scale.z, scale.y]),
            extras,
            ..Node::default()
        });
        let siblings = parent.and_then(|parent| self.root.nodes.get_mut(parent));
        siblings.map_or(&mut self.roots, |parent| &mut parent.children).push(index);
        index
    }

    /// Sets the mesh of a node.
    pub(super) fn set_mesh(&mut self, node: usize, mesh: usize) {
        if let Some(node) = self.root.nodes.get_mut(node) {
            node.mesh = Some(mesh);
        }
    }

    /// Sets the light of a node.
    pub(super) fn set_light(&mut self, node: usize, light: usize) {
        if let Some(node) = self.root.nodes.get_mut(node) {
            node.extensions = Some(Punctual { punctual: OneLight { light } });
        }
    }

    pub(super) fn add_light(&mut self, light: Light) -> usize {
        self.lights.push(light);
        self.lights.len() - 1
    }

    /// Adds a mesh with one primitive per material; `None` if it has no triangle.
    pub(super) fn add_mesh(&mut self, name: String, parts: &[(usize, Batch)]) -> Option<usize> {
        let filled = parts.iter().filter(|(_, batch)| !batch.indices.is_empty());
        let primitive = |(material, batch): &(usize, Batch)| {
            let written = self.binary.add_triangles(&batch.corners, &batch.indices);
            Primitive {
                attributes: Attributes {
                    position: written.positions,
                    normal: Some(written.normals),
                    uv: Some(written.uvs),
                    colour: None,
                },
                indices: Some(written.indices),
                material: *material,
                mode: None,
            }
        };
        let primitives: Vec<Primitive> = filled.map(primitive).collect();
        if primitives.is_empty() {
            return None;
        }
        self.root.meshes.push(Mesh { name, primitives });
        self.triangles.push(parts.iter().map(|(_, batch)| batch.indices.len() / 3).sum());
        Some(self.root.meshes.len() - 1)
    }

    /// Adds a mesh of lines and points with a colour for each vertex; `None` if it has none.
    pub(super) fn add_marks(
        &mut self,
        name: String,
        parts: &[&Marks],
        material: usize,
    ) -> Option<usize> {
        let filled = parts.iter().filter(|marks| !marks.positions.is_empty());
        let primitive = |marks: &&Marks| {
            let (position, colour) = self.binary.add_coloured(&marks.positions, &marks.colours);
            let attributes = Attributes { position, colour: Some(colour), ..Attributes::default() };
            Primitive { attributes, indices: None, material, mode: Some(marks.mode) }
        };
        let primitives: Vec<Primitive> = filled.map(primitive).collect();
        if primitives.is_empty() {
            return None;
        }
        self.root.meshes.push(Mesh { name, primitives });
        self.triangles.push(0);
        Some(self.root.meshes.len() - 1)
    }

    pub(super) fn add_material(&mut self, material: Material) -> usize {
        self.root.materials.push(material);
        self.root.materials.len() - 1
    }

    /// Adds an image, encoded as PNG.
    pub(super) fn add_image(
        &mut self,
        name: String,
        image: &Image,
    ) -> Result<usize, image::ImageError> {
        let buffer_view = self.binary.add_image(image.to_png()?);
        self.root.images.push(json::Image { name, buffer_view, mime_type: "image/png" });
        Ok(self.root.images.len() - 1)
    }

    /// Adds a texture of an image that repeats or is clamped.
    pub(super) fn texture(&mut self, image: usize, tiled: bool) -> TextureInfo {
        let wrap = if tiled { REPEAT } else { CLAMP_TO_EDGE };
        let (mag_filter, min_filter) = (LINEAR, LINEAR_MIPMAP_LINEAR);
        let sampler = Sampler { mag_filter, min_filter, wrap_s: wrap, wrap_t: wrap };
        let sampler = index_of(&mut self.root.samplers, sampler);
        TextureInfo { index: index_of(&mut self.root.textures, Texture { sampler, source: image }) }
    }

    /// Counts the parts of the document.
    pub(super) fn counts(&self) -> ExportCounts {
        let meshes = self.root.nodes.iter().filter_map(|node| node.mesh);
        let triangles = |mesh: usize| self.triangles.get(mesh).copied().unwrap_or(0);
        ExportCounts {
            nodes: self.root.nodes.len(),
            meshes: self.root.meshes.len(),
            materials: self.root.materials.len(),
            images: self.root.images.len(),
            lights: self.root.nodes.iter().filter(|node| node.extensions.is_some()).count(),
            triangles: meshes.map(triangles).sum(),
        }
    }

    /// Builds the file; `None` if it would be too large for the format.
    pub(super) fn into_bytes(mut self, name: &str) -> Result<Option<Vec<u8>>, serde_json::Error> {
        if !self.lights.is_empty() {
            self.root.extensions_used.push("KHR_lights_punctual");
            self.root.extensions = Some(Punctual { punctual: AllLights { lights: self.lights } });
        }
        if self.root.materials.iter().any(|material| material.extensions.is_some()) {
            self.root.extensions_used.push("KHR_materials_unlit");
        }
        self.root.scenes.push(Scene { name: name.to_owned(), nodes: self.roots });
        let buffer = self.binary.lay_out(&mut self.root);
        Ok(container(serde_json::to_vec(&self.root)?, &buffer))
    }
}

/// Numbers of the parts of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExportCounts {
    /// Nodes.
    pub nodes: usize,
    /// Meshes, each counted once.
    pub meshes: usize,
    /// Materials.
    pub materials: usize,
    /// Images.
    pub images: usize,
    /// Nodes with a light.
    pub lights: usize,
    /// Triangles, those of a mesh counted once per node.
    pub triangles: usize,
}

/// Returns the index of a value in a list, to which it is added if it is new.
fn index_of<T: PartialEq>(list: &mut Vec<T>, value: T) -> usize {
    list.iter().position(|own| *own == value).unwrap_or_else(|| {
        list.push(value);
        list.len() - 1
    })
}
