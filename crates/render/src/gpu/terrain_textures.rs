//! Terrain textures and masks on the device.

use threshold_dat::region::TextureMerge;
use threshold_dat::{DatError, RecordId, Records, RegionDesc, Source};
use threshold_world::REGION;
use wgpu::{
    AddressMode, BindGroup, BindGroupDescriptor, BindGroupEntry, BindGroupLayout, BindingResource,
    BufferUsages, FilterMode, MipmapFilterMode, Sampler, SamplerDescriptor, Texture,
    util::{BufferInitDescriptor, DeviceExt},
};

use super::Gpu;
use super::materials::{array_texture, array_view, upload};
use crate::ground::TerrainMasks;
use crate::images::{Image, MipChain, SurfaceImages};

/// Terrain types, including the road.
const KINDS: usize = 33;
/// Side of terrain textures, in pixels.
const SIZE: u32 = 256;
/// Sides of masks that keep their size, in pixels: scaled masks would bleed at their edges.
const MASK_SIZES: std::ops::RangeInclusive<u32> = 16..=512;
/// Terrain types that are water.
const WATER: std::ops::RangeInclusive<usize> = 16..=20;

/// Textures and masks of the terrain of a region.
#[derive(Debug)]
pub(super) struct TerrainTextures {
    pub(super) masks: TerrainMasks,
    pub(super) group: BindGroup,
    pub(super) faults: Vec<String>,
}

impl TerrainTextures {
    /// Loads the terrain textures of a source's region. Without a region, terrain is grey; one that cannot be read is a
    /// fault. A missing one is not: a source without landblocks needs none.
    pub(super) fn new(gpu: &Gpu, layout: &BindGroupLayout, source: &dyn Source) -> Self {
        let region: Result<Option<RegionDesc>, DatError> = Records::new(source).get(REGION);
        let (region, fault) = match region {
            Ok(region) => (region, None),
            Err(error) => (None, Some(error.to_string())),
        };
        let merge = region.map(|region| region.terrain.textures);
        let masks = merge.as_ref().map(TerrainMasks::new).unwrap_or_default();
        let faults = fault.into_iter().collect();
        let mut loader = TextureLoader { gpu, images: SurfaceImages::new(source), faults };
        let (textures, words) = loader.textures(merge.as_ref());
        let mask_textures = loader.masks(merge.as_ref());
        let faults = loader.faults;
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

struct TextureLoader<'a> {
    gpu: &'a Gpu,
    images: SurfaceImages<'a>,
    faults: Vec<String>,
}

impl TextureLoader<'_> {
    /// Loads the textures of all terrain types, with tiling and a water flag for each.
    fn textures(&mut self, merge: Option<&TextureMerge>) -> (Texture, [[f32; 4]; KINDS]) {
        #[allow(clippy::cast_possible_truncation, reason = "33")]
        let texture = array_texture(&self.gpu.device, SIZE, KINDS as u32);
        let mut words = [[1.0, 0.0, 0.0, 0.0]; KINDS];
        for (kind, word) in words.iter_mut().enumerate() {
            let listed = merge.map(|merge| &merge.textures[..]).unwrap_or_default();
            let own = listed.iter().find(|texture| texture.terrain_type as usize == kind);
            let found = own.or(listed.first());
            let image = self.image(found.map(|found| found.texture), [128, 128, 128, 255]);
            let tiling = found.map_or(1, |found| found.tiling.clamp(1, 64));
            #[allow(clippy::cast_precision_loss, reason = "at most 64")]
            let tiling = tiling as f32;
            *word = [tiling, f32::from(u8::from(WATER.contains(&kind))), 0.0, 0.0];
            self.put(&texture, kind, &image, SIZE);
        }
        (texture, words)
    }

    /// Loads the masks, in the order of [`TerrainMasks`].
    fn masks(&mut self, merge: Option<&TextureMerge>) -> Texture {
        let maps: Vec<RecordId> = merge.map_or_else(Vec::new, |merge| {
            TerrainMasks::maps(merge).into_iter().flatten().map(|map| map.texture).collect()
        });
        let images: Vec<Image> =
            maps.into_iter().map(|map| self.image(Some(map), [255; 4])).collect();
        let longest = images.iter().map(|image| image.width).max().unwrap_or(1);
        let size = longest.next_power_of_two().clamp(*MASK_SIZES.start(), *MASK_SIZES.end());
        let count = u32::try_from(images.len()).unwrap_or(0);
        let texture = array_texture(&self.gpu.device, size, count);
        for (layer, image) in images.iter().enumerate() {
            self.put(&texture, layer, image, size);
        }
        texture
    }

    fn put(&self, texture: &Texture, layer: usize, image: &Image, size: u32) {
        let layer = u32::try_from(layer).unwrap_or(0);
        upload(&self.gpu.queue, texture, layer, &MipChain::new(image, size));
    }

    fn image(&mut self, texture: Option<RecordId>, plain: [u8; 4]) -> Image {
        let Some(texture) = texture else { return Image::solid(plain) };
        self.images.of_texture(texture, RecordId::NONE, false).unwrap_or_else(|error| {
            self.faults.push(error.to_string());
            Image::solid(plain)
        })
    }
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
