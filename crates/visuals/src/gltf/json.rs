//! The JSON part of a file: as much of glTF 2.0 as is written here.

use serde::Serialize;

/// The root object: describes the bytes of the file, and the scene made of them.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Root {
    pub(super) asset: Asset,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) extensions_used: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extensions: Option<Punctual<AllLights>>,
    pub(super) scene: usize,
    pub(super) scenes: Vec<Scene>,
    pub(super) nodes: Vec<Node>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) meshes: Vec<Mesh>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) materials: Vec<Material>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) textures: Vec<Texture>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) images: Vec<Image>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) samplers: Vec<Sampler>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) accessors: Vec<Accessor>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) buffer_views: Vec<BufferView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) buffers: Vec<Buffer>,
}

#[derive(Debug, Serialize)]
pub(super) struct Asset {
    version: &'static str,
    generator: &'static str,
}

impl Default for Asset {
    fn default() -> Self {
        Self { version: "2.0", generator: "Threshold" }
    }
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Scene {
    pub(super) name: String,
    pub(super) nodes: Vec<usize>,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Node {
    pub(super) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) translation: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rotation: Option<[f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) scale: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mesh: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) children: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extensions: Option<Punctual<OneLight>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extras: Option<Extras>,
}

/// Extra properties of a node: its cell, kind and model in the world.
#[derive(Debug, Serialize)]
pub(super) struct Extras {
    pub(super) cell: String,
    pub(super) kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) model: Option<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct Mesh {
    pub(super) name: String,
    pub(super) primitives: Vec<Primitive>,
}

#[derive(Debug, Serialize)]
pub(super) struct Primitive {
    pub(super) attributes: Attributes,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) indices: Option<usize>,
    pub(super) material: usize,
    /// `None` for triangles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mode: Option<u32>,
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) struct Attributes {
    pub(super) position: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) normal: Option<usize>,
    #[serde(rename = "TEXCOORD_0", skip_serializing_if = "Option::is_none")]
    pub(super) uv: Option<usize>,
    #[serde(rename = "COLOR_0", skip_serializing_if = "Option::is_none")]
    pub(super) colour: Option<usize>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Material {
    pub(super) name: String,
    #[serde(rename = "pbrMetallicRoughness")]
    pub(super) base: Base,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) emissive_texture: Option<TextureInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) emissive_factor: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) alpha_mode: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) alpha_cutoff: Option<f32>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) double_sided: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extensions: Option<Unlit>,
}

/// The extension for materials that show their colour in any light.
#[derive(Debug, Default, Serialize)]
pub(super) struct Unlit {
    #[serde(rename = "KHR_materials_unlit")]
    unlit: NoProperties,
}

/// An object without properties.
#[derive(Debug, Default, Serialize)]
struct NoProperties {}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Base {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) base_color_texture: Option<TextureInfo>,
    pub(super) base_color_factor: [f32; 4],
    pub(super) metallic_factor: f32,
    pub(super) roughness_factor: f32,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct TextureInfo {
    pub(super) index: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Texture {
    pub(super) sampler: usize,
    pub(super) source: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Image {
    pub(super) name: String,
    pub(super) buffer_view: usize,
    pub(super) mime_type: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Sampler {
    pub(super) mag_filter: u32,
    pub(super) min_filter: u32,
    pub(super) wrap_s: u32,
    pub(super) wrap_t: u32,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) buffer_view: usize,
    pub(super) byte_offset: usize,
    pub(super) component_type: u32,
    pub(super) count: usize,
    #[serde(rename = "type")]
    pub(super) shape: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) min: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max: Option<[f32; 3]>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub(super) buffer: usize,
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) byte_stride: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) target: Option<u32>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub(super) byte_length: usize,
}

/// The extension for lights: in the root with all of them, in a node with the number of one.
#[derive(Debug, Serialize)]
pub(super) struct Punctual<L> {
    #[serde(rename = "KHR_lights_punctual")]
    pub(super) punctual: L,
}

#[derive(Debug, Serialize)]
pub(super) struct AllLights {
    pub(super) lights: Vec<Light>,
}

#[derive(Debug, Serialize)]
pub(super) struct OneLight {
    pub(super) light: usize,
}

#[derive(Debug, Serialize)]
pub(super) struct Light {
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    pub(super) color: [f32; 3],
    pub(super) intensity: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) range: Option<f32>,
}
