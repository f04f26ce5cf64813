//! The pictures and masks of the ground on the device.

use threshold_dat::region::TextureMerge;
use threshold_dat::{RecordId, Records, RegionDesc, Source};
use threshold_world::REGION;
use wgpu::{
    AddressMode, BindGroup, BindGroupDescriptor, BindGroupEntry, BindGroupLayout, BindingResource,
    BufferUsages, FilterMode, MipmapFilterMode, Sampler, SamplerDescriptor, Texture, TextureFormat,
    util::{BufferInitDescriptor, DeviceExt},
};

use super::Gpu;
use super::materials::{layered, layers_of, upload};
use crate::ground::TerrainMasks;
use crate::images::{Image, MipChain, SurfaceImages};

/// Kinds of ground, the road among them.
const KINDS: usize = 33;
/// The side of pictures, in pixels.
const SIZE: u32 = 256;
/// The sides of masks that are used as they are, in pixels: in another size they would run into themselves at their edges.
const MASK_SIZES: std::ops::RangeInclusive<u32> = 16..=512;
/// Kinds that are water.
const WATER: std::ops::RangeInclusive<usize> = 16..=20;

/// What the ground shows.
#[derive(Debug)]
pub(super) struct TerrainTextures {
    pub(super) masks: TerrainMasks,
    pub(super) group: BindGroup,
    pub(super) faults: Vec<String>,
}

impl TerrainTextures {
    /// Those of a source's region; where there is none, or it cannot be read, the ground is grey.
    pub(super) fn new(gpu: &Gpu, layout: &BindGroupLayout, source: &dyn Source) -> Self {
        let region: Option<RegionDesc> = Records::new(source).get(REGION).ok().flatten();
        let merge = region.map(|region| region.terrain.textures);
        let masks = merge.as_ref().map(TerrainMasks::new).unwrap_or_default();
        let mut painter = Painter { gpu, pictures: SurfaceImages::new(source), faults: Vec::new() };
        let (grounds, words) = painter.grounds(merge.as_ref());
        let shapes = painter.masks(merge.as_ref());
        let faults = painter.faults;
        let table = gpu.device.create_buffer_init(&BufferInitDescriptor {
            label: Some("kinds of ground"),
            contents: bytemuck::cast_slice(&words),
            usage: BufferUsages::UNIFORM,
        });
        let smooth = smooth_sampler(gpu, AddressMode::Repeat);
        let clamped = smooth_sampler(gpu, AddressMode::ClampToEdge);
        let (grounds, shapes) = (layers_of(&grounds), layers_of(&shapes));
        let entry = |binding, resource| BindGroupEntry { binding, resource };
        let group = gpu.device.create_bind_group(&BindGroupDescriptor {
            label: Some("grounds"),
            layout,
            entries: &[
                entry(0, table.as_entire_binding()),
                entry(1, BindingResource::Sampler(&smooth)),
                entry(2, BindingResource::Sampler(&clamped)),
                entry(3, BindingResource::TextureView(&grounds)),
                entry(4, BindingResource::TextureView(&shapes)),
            ],
        });
        Self { masks, group, faults }
    }
}

struct Painter<'a> {
    gpu: &'a Gpu,
    pictures: SurfaceImages<'a>,
    faults: Vec<String>,
}

impl Painter<'_> {
    /// The pictures of all kinds, and for each how often it repeats and whether it flows.
    fn grounds(&mut self, merge: Option<&TextureMerge>) -> (Texture, [[f32; 4]; KINDS]) {
        #[allow(clippy::cast_possible_truncation, reason = "33")]
        let texture = self.layers(SIZE, KINDS as u32);
        let mut words = [[1.0, 0.0, 0.0, 0.0]; KINDS];
        for (kind, word) in words.iter_mut().enumerate() {
            let listed = merge.map(|merge| &merge.textures[..]).unwrap_or_default();
            let own = listed.iter().find(|texture| texture.terrain_type as usize == kind);
            let found = own.or(listed.first());
            let picture = self.picture(found.map(|found| found.texture), [128, 128, 128, 255]);
            let tiling = found.map_or(1, |found| found.tiling.clamp(1, 64));
            #[allow(clippy::cast_precision_loss, reason = "at most 64")]
            let tiling = tiling as f32;
            *word = [tiling, f32::from(u8::from(WATER.contains(&kind))), 0.0, 0.0];
            self.put(&texture, kind, &picture, SIZE);
        }
        (texture, words)
    }

    /// The masks, in the order of [`TerrainMasks`].
    fn masks(&mut self, merge: Option<&TextureMerge>) -> Texture {
        let maps: Vec<RecordId> = merge.map_or_else(Vec::new, |merge| {
            TerrainMasks::maps(merge).into_iter().flatten().map(|map| map.texture).collect()
        });
        let pictures: Vec<Image> =
            maps.into_iter().map(|map| self.picture(Some(map), [255; 4])).collect();
        let longest = pictures.iter().map(|picture| picture.width).max().unwrap_or(1);
        let size = longest.next_power_of_two().clamp(*MASK_SIZES.start(), *MASK_SIZES.end());
        let texture = self.layers(size, u32::try_from(pictures.len()).unwrap_or(0));
        for (place, picture) in pictures.iter().enumerate() {
            self.put(&texture, place, picture, size);
        }
        texture
    }

    fn layers(&self, size: u32, count: u32) -> Texture {
        layered(&self.gpu.device, size, count, TextureFormat::Rgba8UnormSrgb)
    }

    fn put(&self, texture: &Texture, layer: usize, picture: &Image, size: u32) {
        let layer = u32::try_from(layer).unwrap_or(0);
        upload(&self.gpu.queue, texture, layer, &MipChain::new(picture, size));
    }

    fn picture(&mut self, texture: Option<RecordId>, plain: [u8; 4]) -> Image {
        let Some(texture) = texture else { return Image::plain(plain) };
        self.pictures.of_texture(texture, RecordId::NONE, false).unwrap_or_else(|error| {
            self.faults.push(error.to_string());
            Image::plain(plain)
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
        // TerrainMasks are never made smaller.
        mipmap_filter: match edge {
            AddressMode::Repeat => MipmapFilterMode::Linear,
            _ => MipmapFilterMode::Nearest,
        },
        // Software draws pictures once for each step of it.
        anisotropy_clamp: if gpu.is_software || edge != AddressMode::Repeat { 1 } else { 8 },
        ..Default::default()
    })
}
