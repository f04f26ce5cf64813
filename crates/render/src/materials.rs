//! Surfaces on the device: layers of texture arrays, and the vertex words of each surface.
//!
//! All images of one size share texture arrays, so that few bind groups are needed. Smaller images are repeated until
//! they fill a layer; texture coordinates are scaled to match.

use std::collections::{BTreeMap, BTreeSet};

use slab::Slab;
use threshold_dat::{RecordId, Source};
use threshold_land::vector::Vec3;
use threshold_visuals::images::{Image, MipChain, resized};
use threshold_visuals::material::{
    AlphaUse, Blend, SurfaceMaterial, SurfaceShading, linear_colour,
};
use wgpu::{
    AddressMode, BindGroup, BindGroupDescriptor, BindGroupEntry, BindGroupLayout, BindingResource,
    CommandEncoderDescriptor, Device, Extent3d, Origin3d, Queue, Sampler, TexelCopyBufferLayout,
    TexelCopyTextureInfo, Texture, TextureAspect, TextureDescriptor, TextureDimension,
    TextureFormat, TextureUsages, TextureView, TextureViewDescriptor, TextureViewDimension,
};

use super::Gpu;
use super::preparer::PreparedMap;
use super::terrain_textures::smooth_sampler;

/// Sides of layers in pixels; an image uses the smallest that loses nothing.
const LAYER_SIZES: [u32; 2] = [256, 512];

/// Smallest side of an image in pixels; it is repeated up to 8 times along a layer of the smallest size.
const MIN_SIDE: u32 = 32;

/// Number of layers of a new texture array, and the largest number, which every device supports.
const INITIAL_LAYERS: u32 = 16;
const MAX_LAYERS: u32 = 256;

/// A surface ready to be uploaded. Can be created on any thread.
#[derive(Clone, Debug)]
pub(crate) struct PreparedSurface {
    mips: MipChain,
    /// Repeats of the image along a side of its layer, as a power of two.
    repeats: u32,
    flags: SurfaceWords,
    mean: Vec3,
}

/// Vertex words of a surface, except layer and repeats. See `shader/model.wgsl`.
#[derive(Clone, Copy, Debug)]
struct SurfaceWords {
    blend: Blend,
    /// Bits 8 to 10: holes, alpha, inverted alpha; 16 to 23: translucency; 24 to 31: luminosity.
    first: u32,
    /// Bits 16 to 23: diffuse reflection; 24: additive; 25: has a palette; 26 to 31: see [`stretch`].
    second: u32,
}

impl SurfaceWords {
    fn new(shading: &SurfaceShading, has_palette: bool) -> Self {
        let SurfaceShading { blend, alpha, has_holes, opacity, luminosity, diffuse } = *shading;
        let mut first = byte(1.0 - opacity) << 16 | byte(luminosity) << 24;
        first |= u32::from(has_holes) << 8;
        first |= u32::from(alpha == AlphaUse::Opacity) << 9;
        first |= u32::from(alpha == AlphaUse::Transparency) << 10;
        let mut second = byte(diffuse) << 16;
        second |= u32::from(blend == Blend::Additive) << 24;
        second |= u32::from(has_palette) << 25;
        Self { blend, first, second }
    }
}

impl PreparedSurface {
    pub(crate) fn read(source: &dyn Source, id: RecordId) -> Result<Self, String> {
        SurfaceMaterial::read(source, id).map(|material| Self::new(&material))
    }

    fn new(SurfaceMaterial { surface, shading }: &SurfaceMaterial) -> Self {
        let image = &surface.image;
        let mut flags = SurfaceWords::new(shading, surface.has_palette);
        let [small, large] = LAYER_SIZES;
        let longest = image.width.max(image.height);
        let size = if longest > small { large } else { small };
        let side = longest.next_power_of_two().clamp(MIN_SIDE, size);
        flags.second |= stretch(image.width, side) << 26 | stretch(image.height, side) << 29;
        let whole = repeated(&resized(image, side), size / side);
        let mips = MipChain::new(&whole, size);
        let mean = linear_colour(mips.levels.last().map_or([0; 4], |pixel| pixel.at(0, 0)));
        let repeats = (size / side).ilog2();
        Self { mips, repeats, flags, mean }
    }
}

/// Returns the factor by which a side grows, as a power of two; at most 7, which only images of a few pixels reach.
fn stretch(from: u32, to: u32) -> u32 {
    to.div_ceil(from.max(1)).next_power_of_two().ilog2().min(7)
}

/// Converts a fraction to 0 to 255.
fn byte(part: f32) -> u32 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
    let byte = (part.clamp(0.0, 1.0) * 255.0).round() as u32;
    byte
}

/// Repeats an image `times` times in both directions.
fn repeated(image: &Image, times: u32) -> Image {
    let (width, height) = (image.width * times, image.height * times);
    let coordinates = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let pixels = coordinates.map(|(x, y)| image.at(x % image.width, y % image.height)).collect();
    Image { width, height, pixels }
}

/// A surface on the device.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Material {
    /// Index of its texture array.
    pub(crate) texture_array: usize,
    pub(crate) blend: Blend,
    /// Vertex words: layer and flags.
    pub(crate) words: [u32; 2],
    /// Scale of texture coordinates: the part of its layer that is one image.
    pub(crate) scale: f32,
    /// Average colour, linear.
    pub(crate) mean: Vec3,
}

/// A texture array with layers of one size.
#[derive(Debug)]
struct TextureArray {
    size: u32,
    texture: Texture,
    capacity: u32,
    /// Used layers.
    layers: Slab<()>,
    group: BindGroup,
}

/// All surfaces on the device.
#[derive(Debug)]
pub(crate) struct Materials {
    layout: BindGroupLayout,
    sampler: Sampler,
    arrays: Vec<TextureArray>,
    known: BTreeMap<RecordId, Material>,
    prepared: PreparedMap<RecordId, Result<PreparedSurface, String>>,
    placeholder: Option<Material>,
    /// Messages about surfaces that cannot be read and show a plain colour, each once.
    pub(crate) faults: BTreeSet<String>,
}

impl Materials {
    pub(crate) fn new(gpu: &Gpu, layout: &BindGroupLayout) -> Self {
        Self {
            layout: layout.clone(),
            sampler: smooth_sampler(gpu, AddressMode::Repeat),
            arrays: Vec::new(),
            known: BTreeMap::new(),
            prepared: PreparedMap::default(),
            placeholder: None,
            faults: BTreeSet::new(),
        }
    }

    /// Returns the bind group of a texture array.
    pub(crate) fn group(&self, texture_array: usize) -> Option<&BindGroup> {
        self.arrays.get(texture_array).map(|array| &array.group)
    }

    /// Returns the number of texture arrays.
    pub(crate) fn texture_array_count(&self) -> usize {
        self.arrays.len()
    }

    /// Adds a prepared surface.
    pub(crate) fn take(&mut self, id: RecordId, surface: Result<PreparedSurface, String>) {
        if !self.known.contains_key(&id) {
            self.prepared.insert(id, surface);
        }
    }

    /// Returns a surface; a new one is read and uploaded.
    pub(crate) fn get(&mut self, gpu: &Gpu, source: &dyn Source, id: RecordId) -> Material {
        if let Some(known) = self.known.get(&id) {
            return *known;
        }
        let prepared = self.prepared.remove(&id);
        let material = match prepared.unwrap_or_else(|| PreparedSurface::read(source, id)) {
            Ok(surface) => self.upload(gpu, &surface),
            Err(why) => {
                self.faults.insert(why);
                self.placeholder(gpu)
            }
        };
        self.known.insert(id, material);
        material
    }

    fn placeholder(&mut self, gpu: &Gpu) -> Material {
        if let Some(placeholder) = self.placeholder {
            return placeholder;
        }
        let placeholder = self.upload(gpu, &PreparedSurface::new(&SurfaceMaterial::placeholder()));
        self.placeholder = Some(placeholder);
        placeholder
    }

    fn upload(&mut self, gpu: &Gpu, surface: &PreparedSurface) -> Material {
        let size = surface.mips.levels.first().map_or(LAYER_SIZES[0], |level| level.width);
        let has_room =
            |array: &TextureArray| array.size == size && array.layers.len() < MAX_LAYERS as usize;
        let index = self.arrays.iter().position(has_room).unwrap_or_else(|| {
            self.arrays.push(TextureArray::new(gpu, &self.layout, &self.sampler, size));
            self.arrays.len() - 1
        });
        let array = &mut self.arrays[index];
        let layer = array.take_layer(gpu, &self.layout, &self.sampler);
        upload(&gpu.queue, &array.texture, layer, &surface.mips);
        Material {
            texture_array: index,
            blend: surface.flags.blend,
            words: [layer | surface.flags.first | surface.repeats << 12, surface.flags.second],
            #[allow(clippy::cast_precision_loss, reason = "a small power of two")]
            scale: 1.0 / (1_u32 << surface.repeats) as f32,
            mean: surface.mean,
        }
    }

    /// Drops all surfaces but these, and returns the ids of the dropped ones.
    pub(crate) fn keep(&mut self, used: &BTreeSet<RecordId>) -> Vec<RecordId> {
        let placeholder = self.placeholder.map(|material| material.slot());
        let (kept, gone): (BTreeMap<_, _>, BTreeMap<_, _>) =
            std::mem::take(&mut self.known).into_iter().partition(|(id, _)| used.contains(id));
        self.known = kept;
        for material in gone.values() {
            let slot = material.slot();
            if placeholder != Some(slot) {
                self.arrays[slot.0].layers.remove(slot.1);
            }
        }
        self.drop_empty();
        gone.into_keys().collect()
    }

    /// Drops empty texture arrays at the end of the list. Others stay, because materials refer to arrays by index.
    fn drop_empty(&mut self) {
        while self.arrays.pop_if(|array| array.layers.is_empty()).is_some() {}
    }

    /// Drops prepared surfaces that were never used, and returns their ids.
    pub(crate) fn drop_stale(&mut self) -> Vec<RecordId> {
        self.prepared.drop_stale()
    }
}

impl Material {
    /// Returns its texture array and layer.
    fn slot(&self) -> (usize, usize) {
        (self.texture_array, (self.words[0] & 0xFF) as usize)
    }
}

impl TextureArray {
    fn new(gpu: &Gpu, layout: &BindGroupLayout, sampler: &Sampler, size: u32) -> Self {
        let texture = array_texture(&gpu.device, size, INITIAL_LAYERS);
        let group = bind_group(gpu, layout, sampler, &texture);
        Self { size, texture, capacity: INITIAL_LAYERS, layers: Slab::new(), group }
    }

    /// Takes a free layer; the array grows if it is full.
    fn take_layer(&mut self, gpu: &Gpu, layout: &BindGroupLayout, sampler: &Sampler) -> u32 {
        if self.layers.len() == self.capacity as usize {
            self.grow(gpu);
            self.group = bind_group(gpu, layout, sampler, &self.texture);
        }
        // At most `MAX_LAYERS`.
        u32::try_from(self.layers.insert(())).unwrap_or(0)
    }

    /// Doubles the number of layers and copies their content.
    fn grow(&mut self, gpu: &Gpu) {
        let larger = 2 * self.capacity;
        let texture = array_texture(&gpu.device, self.size, larger);
        let mut encoder = gpu.device.create_command_encoder(&CommandEncoderDescriptor::default());
        for level in 0..texture.mip_level_count() {
            let side = self.size >> level;
            let all = |texture| TexelCopyTextureInfo {
                texture,
                mip_level: level,
                origin: Origin3d::ZERO,
                aspect: TextureAspect::All,
            };
            let size = Extent3d { width: side, height: side, depth_or_array_layers: self.capacity };
            encoder.copy_texture_to_texture(all(&self.texture), all(&texture), size);
        }
        gpu.queue.submit([encoder.finish()]);
        (self.texture, self.capacity) = (texture, larger);
    }
}

fn bind_group(
    gpu: &Gpu,
    layout: &BindGroupLayout,
    sampler: &Sampler,
    texture: &Texture,
) -> BindGroup {
    let view = array_view(texture);
    gpu.device.create_bind_group(&BindGroupDescriptor {
        label: Some("textures"),
        layout,
        entries: &[
            BindGroupEntry { binding: 0, resource: BindingResource::Sampler(sampler) },
            BindGroupEntry { binding: 1, resource: BindingResource::TextureView(&view) },
        ],
    })
}

/// Creates a view of all layers of a texture.
pub(super) fn array_view(texture: &Texture) -> TextureView {
    texture.create_view(&TextureViewDescriptor {
        dimension: Some(TextureViewDimension::D2Array),
        ..Default::default()
    })
}

/// Creates a texture of square sRGB layers with all mip levels.
pub(super) fn array_texture(device: &Device, size: u32, layers: u32) -> Texture {
    device.create_texture(&TextureDescriptor {
        label: Some("textures"),
        // Some devices do not treat a single layer as an array.
        size: Extent3d { width: size, height: size, depth_or_array_layers: layers.max(2) },
        mip_level_count: size.ilog2() + 1,
        sample_count: 1,
        dimension: TextureDimension::D2,
        format: TextureFormat::Rgba8UnormSrgb,
        usage: TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST | TextureUsages::COPY_SRC,
        view_formats: &[],
    })
}

/// Uploads an image with its mip levels to a layer.
pub(super) fn upload(queue: &Queue, texture: &Texture, layer: u32, mips: &MipChain) {
    for (level, image) in (0..).zip(&mips.levels) {
        let Image { width, height, pixels } = image;
        queue.write_texture(
            TexelCopyTextureInfo {
                texture,
                mip_level: level,
                origin: Origin3d { x: 0, y: 0, z: layer },
                aspect: TextureAspect::All,
            },
            bytemuck::cast_slice(pixels),
            TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(4 * width),
                rows_per_image: Some(*height),
            },
            Extent3d { width: *width, height: *height, depth_or_array_layers: 1 },
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_visuals::images::SurfaceImage;

    fn plain(image: &Image) -> PreparedSurface {
        let surface = SurfaceImage { image: image.clone(), has_palette: false };
        PreparedSurface::new(&SurfaceMaterial { surface, shading: SurfaceShading::PLAIN })
    }

    #[test]
    fn small_images_are_repeated_until_they_fill_a_layer() {
        let pixels = (0..64 * 64_u32).map(|it| [it.to_le_bytes()[0], 3, 5, 255]).collect();
        let image = Image { width: 64, height: 64, pixels };
        let surface = plain(&image);
        let layer = &surface.mips.levels[0];
        assert_eq!((surface.repeats, layer.width, layer.height), (2, 256, 256));
        for (x, y) in [(0, 0), (63, 5), (64, 5), (200, 255)] {
            assert_eq!(layer.at(x, y), image.at(x % 64, y % 64), "{x}, {y}");
        }
    }

    #[test]
    fn large_images_have_layers_of_their_own() {
        for (side, want) in [(256, (0, 256)), (257, (0, 512)), (512, (0, 512)), (1024, (0, 512))] {
            let image = Image { width: side, height: 1, pixels: vec![[9; 4]; side as usize] };
            let surface = plain(&image);
            assert_eq!((surface.repeats, surface.mips.levels[0].width), want, "{side}");
        }
    }

    #[test]
    fn a_full_texture_array_is_followed_by_another_and_free_layers_are_reused() {
        let gpu = Gpu::headless().unwrap_or_else(|error| panic!("{error}"));
        let layouts = super::super::pipelines::Layouts::new(&gpu.device);
        let mut materials = Materials::new(&gpu, &layouts.textures);
        let surface = plain(&Image::solid([1, 2, 3, 255]));
        for number in 0..MAX_LAYERS + 2 {
            materials.take(RecordId(number), Ok(surface.clone()));
        }
        let source = threshold_forge::samples::two_rooms().unwrap();
        let slots: BTreeSet<(usize, usize)> = (0..MAX_LAYERS + 2)
            .map(|number| materials.get(&gpu, &source, RecordId(number)))
            .map(|material| material.slot())
            .collect();
        assert_eq!(slots.len(), MAX_LAYERS as usize + 2, "each has its own");
        assert_eq!(materials.texture_array_count(), 2);
        materials.keep(&BTreeSet::from([RecordId(0)]));
        materials.take(RecordId(9000), Ok(surface));
        assert_eq!(materials.get(&gpu, &source, RecordId(9000)).texture_array, 0);
        assert!(materials.faults.is_empty());
    }

    #[test]
    fn empty_texture_arrays_were_never_dropped() {
        let gpu = Gpu::headless().unwrap_or_else(|error| panic!("{error}"));
        let layouts = super::super::pipelines::Layouts::new(&gpu.device);
        let mut materials = Materials::new(&gpu, &layouts.textures);
        let source = threshold_forge::samples::two_rooms().unwrap();
        for number in 0..MAX_LAYERS + 2 {
            let surface = plain(&Image::solid([1, 2, 3, 255]));
            materials.take(RecordId(number), Ok(surface));
            materials.get(&gpu, &source, RecordId(number));
        }
        materials.keep(&BTreeSet::from([RecordId(0), RecordId(MAX_LAYERS)]));
        assert_eq!(materials.texture_array_count(), 2, "both are used");
        materials.keep(&BTreeSet::from([RecordId(0)]));
        assert_eq!(materials.texture_array_count(), 1);
        // The placeholder for unreadable surfaces is kept, too.
        materials.get(&gpu, &source, RecordId(0x0800_FFFF));
        materials.keep(&BTreeSet::new());
        assert_eq!(materials.texture_array_count(), 1);
        assert!(materials.group(0).is_some());
    }

    #[test]
    fn an_unreadable_surface_was_reported_each_time_it_was_loaded() {
        let gpu = Gpu::headless().unwrap_or_else(|error| panic!("{error}"));
        let layouts = super::super::pipelines::Layouts::new(&gpu.device);
        let mut materials = Materials::new(&gpu, &layouts.textures);
        let source = threshold_forge::samples::two_rooms().unwrap();
        for _ in 0..3 {
            materials.get(&gpu, &source, RecordId(0x0800_FFFF));
            materials.keep(&BTreeSet::new());
        }
        assert_eq!(materials.faults.len(), 1, "{:?}", materials.faults);
    }

    #[test]
    fn the_stretch_of_an_image_is_stored_for_each_side() {
        for (width, height, want) in [
            (64, 64, [0, 0]),
            (64, 128, [1, 0]),
            (8, 30, [2, 1]),
            (1024, 600, [0, 0]),
            (1, 512, [7, 0]),
        ] {
            let pixels = vec![[9; 4]; (width * height) as usize];
            let image = Image { width, height, pixels };
            let surface = plain(&image);
            let stretches = [26, 29].map(|bit| surface.flags.second >> bit & 7);
            assert_eq!(stretches, want, "{width} x {height}");
        }
    }
}
