//! Terrain textures and masks on the device.

use threshold_dat::Source;
use threshold_visuals::ground::{self, TerrainMasks};
use threshold_visuals::images::{Image, MipChain};
use wgpu::{
    AddressMode, BindGroup, BindGroupDescriptor, BindGroupEntry, BindGroupLayout, BindingResource,
    BufferUsages, FilterMode, MipmapFilterMode, Sampler, SamplerDescriptor, Texture,
    util::{BufferInitDescriptor, DeviceExt},
};

use super::Gpu;
use super::materials::{array_texture, array_view, upload};

/// Terrain types, including the road.
const KINDS: usize = ground::TerrainTextures::KINDS.end().wrapping_add(1) as usize;
/// Side of terrain textures, in pixels.
const SIZE: u32 = 256;
/// Sides of masks that keep their size, in pixels: scaled masks would bleed at their edges.
const MASK_SIZES: std::ops::RangeInclusive<u32> = 16..=512;

/// Textures and masks of the terrain of a region.
#[derive(Debug)]
pub(super) struct TerrainTextures {
    pub(super) masks: TerrainMasks,
    pub(super) group: BindGroup,
    pub(super) faults: Vec<String>,
}

impl TerrainTextures {
    /// Loads the terrain textures of a source's region.
    pub(super) fn new(gpu: &Gpu, layout: &BindGroupLayout, source: &dyn Source) -> Self {
        let mut read = ground::TerrainTextures::new(source);
        let (textures, words) = upload_textures(gpu, &mut read);
        let mask_textures = upload_masks(gpu, &read.mask_images());
        let (masks, faults) = (read.masks().clone(), read.faults().to_vec());
        let table = gpu.device.create_buffer_init(&BufferInitDescriptor {
            label: Some("terrain types"),
            contents: bytemuck::cast_slice(&words),
            usage: BufferUsages::UNIFORM,
        });
        let smooth = smooth_sampler(gpu, AddressMode::Repeat);
        let clamped = smooth_sampler(gpu, AddressMode::ClampToEdge);
        let (textures, mask_textures) = (array_view(&textures), array_view(&mask_textures));
        let entry = |binding, resource| BindGroupEntry { binding, resource };
        let group = gpu.device.create_bind_group(&BindGroupDescriptor {
            label: Some("terrain"),
            layout,
            entries: &[
                entry(0, table.as_entire_binding()),
                entry(1, BindingResource::Sampler(&smooth)),
                entry(2, BindingResource::Sampler(&clamped)),
                entry(3, BindingResource::TextureView(&textures)),
                entry(4, BindingResource::TextureView(&mask_textures)),
            ],
        });
        Self { masks, group, faults }
    }
}

/// Uploads the textures of all terrain types; returns tiling and a water flag for each.
fn upload_textures(
    gpu: &Gpu,
    read: &mut ground::TerrainTextures<'_>,
) -> (Texture, [[f32; 4]; KINDS]) {
    #[allow(clippy::cast_possible_truncation, reason = "33")]
    let texture = array_texture(&gpu.device, SIZE, KINDS as u32);
    let mut words = [[1.0, 0.0, 0.0, 0.0]; KINDS];
    for (kind, word) in ground::TerrainTextures::KINDS.zip(&mut words) {
        let own = read.texture(kind);
        #[allow(clippy::cast_precision_loss, reason = "at most 64")]
        let tiling = own.tiling as f32;
        *word = [tiling, f32::from(u8::from(own.is_water)), 0.0, 0.0];
        put(gpu, &texture, usize::from(kind), &own.image, SIZE);
    }
    (texture, words)
}

/// Uploads the masks, in the order of [`TerrainMasks`].
fn upload_masks(gpu: &Gpu, images: &[Image]) -> Texture {
    let longest = images.iter().map(|image| image.width).max().unwrap_or(1);
    let size = longest.next_power_of_two().clamp(*MASK_SIZES.start(), *MASK_SIZES.end());
    let count = u32::try_from(images.len()).unwrap_or(0);
    let texture = array_texture(&gpu.device, size, count);
    for (layer, image) in images.iter().enumerate() {
        put(gpu, &texture, layer, image, size);
    }
    texture
}

fn put(gpu: &Gpu, texture: &Texture, layer: usize, image: &Image, size: u32) {
    let layer = u32::try_from(layer).unwrap_or(0);
    upload(&gpu.queue, texture, layer, &MipChain::new(image, size));
}

pub(super) fn smooth_sampler(gpu: &Gpu, edge: AddressMode) -> Sampler {
    gpu.device.create_sampler(&SamplerDescriptor {
        label: None,
        address_mode_u: edge,
        address_mode_v: edge,
        mag_filter: FilterMode::Linear,
        min_filter: FilterMode::Linear,
        // Masks are sampled at full size only.
        mipmap_filter: match edge {
            AddressMode::Repeat => MipmapFilterMode::Linear,
            _ => MipmapFilterMode::Nearest,
        },
        // A software driver samples once per step of anisotropy.
        anisotropy_clamp: if gpu.is_software || edge != AddressMode::Repeat { 1 } else { 8 },
        ..Default::default()
    })
}
