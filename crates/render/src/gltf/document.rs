//! A file as it grows: nodes, meshes, materials, pictures and lights, each named by its place.

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};
use threshold_land::glam::Vec3;
use threshold_land::{Frame, Rotation};

use super::binary::{Binary, container};
use super::json::{
    self, AllLights, Attributes, Extras, Light, Material, Mesh, Node, OneLight, Primitive,
    Punctual, Root, Sampler, Scene, Texture, TextureInfo,
};
use super::mesh::{Batch, turned, turned_rotation};
use crate::images::Image;

const LINEAR: u32 = 9729;
const LINEAR_MIPMAP_LINEAR: u32 = 9987;
const REPEAT: u32 = 10497;
const CLAMP_TO_EDGE: u32 = 33071;

/// Where a node stands in its parent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stand {
    pub(super) frame: Frame,
    pub(super) scale: Vec3,
}

impl Stand {
    pub(super) const IDENTITY: Self = Self { frame: Frame::IDENTITY, scale: Vec3::ONE };

    pub(super) fn is_finite(&self) -> bool {
        self.frame.origin.is_finite() && self.frame.is_valid() && self.scale.is_finite()
    }
}

impl From<Frame> for Stand {
    fn from(frame: Frame) -> Self {
        Self { frame, ..Self::IDENTITY }
    }
}

/// What is to be written.
#[derive(Debug, Default)]
pub(super) struct Document {
    root: Root,
    binary: Binary,
    top: Vec<usize>,
    lights: Vec<Light>,
    /// Triangles of each mesh.
    triangles: Vec<usize>,
}

impl Document {
    /// A node in another one, or at the top.
    pub(super) fn add_node(
        &mut self,
        parent: Option<usize>,
        name: String,
        stand: Stand,
        extras: Option<Extras>,
    ) -> usize {
        let place = self.root.nodes.len();
        let Stand { frame: Frame { origin, rotation }, scale } = stand;
        self.root.nodes.push(Node {
            name,
            translation: (origin != Vec3::ZERO).then(|| turned(origin)),
            rotation: (rotation != Rotation::IDENTITY).then(|| turned_rotation(rotation)),
            // The axes change places and keep their sign.
            scale: (scale != Vec3::ONE).then_some([scale.x, scale.z, scale.y]),
            extras,
            ..Node::default()
        });
        let siblings = parent.and_then(|parent| self.root.nodes.get_mut(parent));
        siblings.map_or(&mut self.top, |parent| &mut parent.children).push(place);
        place
    }

    /// Gives a node a shape.
    pub(super) fn set_mesh(&mut self, node: usize, mesh: usize) {
        if let Some(node) = self.root.nodes.get_mut(node) {
            node.mesh = Some(mesh);
        }
    }

    /// Makes a node a light.
    pub(super) fn set_light(&mut self, node: usize, light: usize) {
        if let Some(node) = self.root.nodes.get_mut(node) {
            node.extensions = Some(Punctual { punctual: OneLight { light } });
        }
    }

    pub(super) fn add_light(&mut self, light: Light) -> usize {
        self.lights.push(light);
        self.lights.len() - 1
    }

    /// Triangles by material; `None` where there is no triangle, which a mesh must have.
    pub(super) fn add_mesh(&mut self, name: String, parts: &[(usize, Batch)]) -> Option<usize> {
        let filled = parts.iter().filter(|(_, batch)| !batch.indices.is_empty());
        let primitive = |(material, batch): &(usize, Batch)| {
            let written = self.binary.add_triangles(&batch.corners, &batch.indices);
            Primitive {
                attributes: Attributes {
                    position: written.positions,
                    normal: written.normals,
                    uv: written.uvs,
                },
                indices: written.indices,
                material: *material,
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

    pub(super) fn add_material(&mut self, material: Material) -> usize {
        self.root.materials.push(material);
        self.root.materials.len() - 1
    }

    /// A picture as an image of the file.
    pub(super) fn add_image(
        &mut self,
        name: String,
        picture: &Image,
    ) -> Result<usize, image::ImageError> {
        let buffer_view = self.binary.add_picture(png(picture)?);
        self.root.images.push(json::Image { name, buffer_view, mime_type: "image/png" });
        Ok(self.root.images.len() - 1)
    }

    /// An image that repeats or ends at its edges.
    pub(super) fn texture(&mut self, image: usize, tiled: bool) -> TextureInfo {
        let wrap = if tiled { REPEAT } else { CLAMP_TO_EDGE };
        let (mag_filter, min_filter) = (LINEAR, LINEAR_MIPMAP_LINEAR);
        let sampler = Sampler { mag_filter, min_filter, wrap_s: wrap, wrap_t: wrap };
        let sampler = place_of(&mut self.root.samplers, sampler);
        TextureInfo { index: place_of(&mut self.root.textures, Texture { sampler, source: image }) }
    }

    /// How many there are of each.
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

    /// The whole file; `None` where it would be too large for the format.
    pub(super) fn into_bytes(mut self, name: &str) -> Result<Option<Vec<u8>>, serde_json::Error> {
        if !self.lights.is_empty() {
            self.root.extensions_used.push("KHR_lights_punctual");
            self.root.extensions = Some(Punctual { punctual: AllLights { lights: self.lights } });
        }
        self.root.scenes.push(Scene { name: name.to_owned(), nodes: self.top });
        let buffer = self.binary.lay_out(&mut self.root);
        Ok(container(serde_json::to_vec(&self.root)?, &buffer))
    }
}

/// How much a file holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExportCounts {
    /// Nodes.
    pub nodes: usize,
    /// Shapes, each once however often it is used.
    pub meshes: usize,
    /// Materials.
    pub materials: usize,
    /// SurfaceImages.
    pub images: usize,
    /// Lights, as often as they shine.
    pub lights: usize,
    /// Triangles, those of a shape as often as it is used.
    pub triangles: usize,
}

/// The place of a value in a list, where it is put if it is new.
fn place_of<T: PartialEq>(list: &mut Vec<T>, value: T) -> usize {
    list.iter().position(|own| *own == value).unwrap_or_else(|| {
        list.push(value);
        list.len() - 1
    })
}

/// Without alpha where nothing is transparent.
fn png(picture: &Image) -> Result<Vec<u8>, image::ImageError> {
    let opaque = picture.pixels.iter().all(|[.., alpha]| *alpha == u8::MAX);
    let (bytes, kind): (Vec<u8>, _) = if opaque {
        let pixels = picture.pixels.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]);
        (pixels.collect(), ExtendedColorType::Rgb8)
    } else {
        (picture.pixels.as_flattened().to_vec(), ExtendedColorType::Rgba8)
    };
    let mut out = Vec::new();
    PngEncoder::new_with_quality(&mut out, CompressionType::Default, FilterType::Adaptive)
        .write_image(&bytes, picture.width, picture.height, kind)?;
    Ok(out)
}
