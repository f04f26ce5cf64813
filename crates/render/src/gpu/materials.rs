//! Surfaces on the device: pictures in layers, and what else a corner says of its surface.
//!
//! SurfaceImages lie in binders, stacks of layers of one size that are bound together. Smaller pictures are repeated until they fill a
//! layer, which looks the same and needs no binder of their own.

use std::collections::{BTreeMap, BTreeSet};

use threshold_dat::{RecordId, Records, Source, Surface, surface_type};
use threshold_land::glam::Vec3;
use wgpu::{
    AddressMode, BindGroup, BindGroupDescriptor, BindGroupEntry, BindGroupLayout, BindingResource,
    CommandEncoderDescriptor, Device, Extent3d, Origin3d, Queue, Sampler, TexelCopyBufferLayout,
    TexelCopyTextureInfo, Texture, TextureAspect, TextureDescriptor, TextureDimension,
    TextureFormat, TextureUsages, TextureView, TextureViewDescriptor, TextureViewDimension,
};

use super::Gpu;
use super::preparer::Ready;
use super::terrain_textures::smooth_sampler;
use crate::day::linear;
use crate::images::{Image, MipChain, SurfaceImages, resized};

/// The sides of layers, in pixels; each picture goes to the smallest that loses nothing.
const SIZES: [u32; 2] = [256, 512];

/// The smallest side of a picture, in pixels: it is repeated at most 8 times along a layer of the smallest size.
const SMALLEST: u32 = 32;

/// Layers of a binder at first and at the most, which is what every device has.
const FEW: u32 = 16;
const MOST: u32 = 256;

/// How what lies behind shows through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Blend {
    /// Not at all, or through holes.
    Opaque,
    /// As much as alpha says.
    Alpha,
    /// Added to it.
    Additive,
}

/// A surface as it is brought to the device: read and unpacked on any thread.
#[derive(Clone, Debug)]
pub(crate) struct Painted {
    sheet: MipChain,
    /// How often the picture lies along a side of its layer, as a power of two.
    repeats: u32,
    look: Look,
    mean: Vec3,
}

/// What a corner says of its surface, besides where its picture is. See `shader/model.wgsl`.
#[derive(Clone, Copy, Debug)]
struct Look {
    blend: Blend,
    /// Bits 8 to 10: holes, alpha, alpha the other way round; 16 to 31: translucency and glow.
    first: u32,
    /// Bits 16 to 23: how much of the light it shows; 24: added to what is behind; 25: its colours are those of a palette.
    second: u32,
}

impl Look {
    const PLAIN: Self = Self { blend: Blend::Opaque, first: 0, second: 255 << 16 };

    fn new(surface: &Surface, has_palette: bool) -> Self {
        let is = |bit: u32| surface.surface_type & bit != 0;
        let opacity = 1.0 - surface.translucency.clamp(0.0, 1.0);
        let blend = match () {
            () if is(surface_type::ADDITIVE) => Blend::Additive,
            () if is(surface_type::ALPHA | surface_type::INVERSE_ALPHA) => Blend::Alpha,
            () if is(surface_type::TRANSLUCENT) || opacity < 1.0 => Blend::Alpha,
            () => Blend::Opaque,
        };
        let mut first = byte(1.0 - opacity) << 16 | byte(surface.luminosity) << 24;
        first |= u32::from(is(surface_type::CLIP_MAP)) << 8;
        first |= u32::from(is(surface_type::ALPHA)) << 9;
        first |= u32::from(is(surface_type::INVERSE_ALPHA)) << 10;
        let mut second = byte(surface.diffuse) << 16;
        second |= u32::from(blend == Blend::Additive) << 24;
        second |= u32::from(has_palette) << 25;
        Self { blend, first, second }
    }
}

impl Painted {
    pub(crate) fn read(source: &dyn Source, id: RecordId) -> Result<Self, String> {
        let missing = || format!("there is no surface {id}");
        let surface = Records::new(source).get::<Surface>(id);
        let surface = surface.map_err(|error| error.to_string())?.ok_or_else(missing)?;
        let shown =
            SurfaceImages::new(source).shown(&surface).map_err(|error| error.to_string())?;
        Ok(Self::new(&shown.picture, Look::new(&surface, shown.has_palette)))
    }

    fn new(picture: &Image, mut look: Look) -> Self {
        let [small, large] = SIZES;
        let longest = picture.width.max(picture.height);
        let size = if longest > small { large } else { small };
        let side = longest.next_power_of_two().clamp(SMALLEST, size);
        look.second |= stretch(picture.width, side) << 26 | stretch(picture.height, side) << 29;
        let whole = repeated(&resized(picture, side), size / side);
        let sheet = MipChain::new(&whole, size);
        let mean = sheet.levels.last().map_or([0; 4], |pixel| pixel.at(0, 0));
        let [r, g, b, _] = mean.map(|part| f32::from(part) / 255.0);
        let repeats = (size / side).ilog2();
        Self { sheet, repeats, look, mean: linear(Vec3::new(r, g, b)) }
    }

    /// What shows where a surface cannot be read.
    fn missing() -> Self {
        Self::new(&Image::plain([200, 60, 200, 255]), Look::PLAIN)
    }
}

/// How much longer a side becomes, as a power of two; at most 7, which only pictures of a few pixels reach.
fn stretch(from: u32, to: u32) -> u32 {
    to.div_ceil(from.max(1)).next_power_of_two().ilog2().min(7)
}

/// A part of one in 255.
fn byte(part: f32) -> u32 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
    let byte = (part.clamp(0.0, 1.0) * 255.0).round() as u32;
    byte
}

/// A picture so many times side by side and one below the other.
fn repeated(picture: &Image, times: u32) -> Image {
    let (width, height) = (picture.width * times, picture.height * times);
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let pixels = places.map(|(x, y)| picture.at(x % picture.width, y % picture.height)).collect();
    Image { width, height, pixels }
}

/// A surface on the device.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Material {
    /// Which binder its picture is in.
    pub(crate) binder: usize,
    pub(crate) blend: Blend,
    /// What a corner of it says: the layer and how it is drawn, and how much light it shows.
    pub(crate) words: [u32; 2],
    /// A part of its layer is one picture.
    pub(crate) scale: f32,
    /// Its colour from afar, as light.
    pub(crate) mean: Vec3,
}

/// A stack of layers of one size.
#[derive(Debug)]
struct Binder {
    size: u32,
    texture: Texture,
    capacity: u32,
    /// Layers from this one on were never used.
    fresh: u32,
    /// Layers that were used and are not any more.
    free: Vec<u32>,
    group: BindGroup,
}

/// All surfaces that are in use.
#[derive(Debug)]
pub(crate) struct Materials {
    layout: BindGroupLayout,
    sampler: Sampler,
    binders: Vec<Binder>,
    known: BTreeMap<RecordId, Material>,
    ready: Ready<RecordId, Result<Painted, String>>,
    missing: Option<Material>,
    /// What could not be read; it shows as a plain colour. Each once, however often its surface comes and goes.
    pub(crate) faults: BTreeSet<String>,
}

impl Materials {
    pub(crate) fn new(gpu: &Gpu, layout: &BindGroupLayout) -> Self {
        Self {
            layout: layout.clone(),
            sampler: smooth_sampler(gpu, AddressMode::Repeat),
            binders: Vec::new(),
            known: BTreeMap::new(),
            ready: Ready::default(),
            missing: None,
            faults: BTreeSet::new(),
        }
    }

    /// What is bound for pictures of a binder.
    pub(crate) fn group(&self, binder: usize) -> Option<&BindGroup> {
        self.binders.get(binder).map(|binder| &binder.group)
    }

    /// How many binders there are.
    pub(crate) fn binders(&self) -> usize {
        self.binders.len()
    }

    /// Takes a surface that was read ahead.
    pub(crate) fn take(&mut self, id: RecordId, painted: Result<Painted, String>) {
        if !self.known.contains_key(&id) {
            self.ready.put(id, painted);
        }
    }

    /// A surface, which is read and brought to the device if it is new.
    pub(crate) fn get(&mut self, gpu: &Gpu, source: &dyn Source, id: RecordId) -> Material {
        if let Some(known) = self.known.get(&id) {
            return *known;
        }
        let ready = self.ready.take(&id);
        let material = match ready.unwrap_or_else(|| Painted::read(source, id)) {
            Ok(painted) => self.bring(gpu, &painted),
            Err(why) => {
                self.faults.insert(why);
                self.missing(gpu)
            }
        };
        self.known.insert(id, material);
        material
    }

    fn missing(&mut self, gpu: &Gpu) -> Material {
        if let Some(missing) = self.missing {
            return missing;
        }
        let missing = self.bring(gpu, &Painted::missing());
        self.missing = Some(missing);
        missing
    }

    fn bring(&mut self, gpu: &Gpu, painted: &Painted) -> Material {
        let size = painted.sheet.levels.first().map_or(SIZES[0], |level| level.width);
        let has_room = |binder: &Binder| {
            binder.size == size && (binder.fresh < MOST || !binder.free.is_empty())
        };
        let number = self.binders.iter().position(has_room).unwrap_or_else(|| {
            self.binders.push(Binder::new(gpu, &self.layout, &self.sampler, size));
            self.binders.len() - 1
        });
        let binder = &mut self.binders[number];
        let layer = binder.layer(gpu, &self.layout, &self.sampler);
        upload(&gpu.queue, &binder.texture, layer, &painted.sheet);
        Material {
            binder: number,
            blend: painted.look.blend,
            words: [layer | painted.look.first | painted.repeats << 12, painted.look.second],
            #[allow(clippy::cast_precision_loss, reason = "a small power of two")]
            scale: 1.0 / (1_u32 << painted.repeats) as f32,
            mean: painted.mean,
        }
    }

    /// Gives up the pictures of all surfaces but these, and says of which.
    pub(crate) fn keep(&mut self, used: &BTreeSet<RecordId>) -> Vec<RecordId> {
        let missing = self.missing.map(|missing| (missing.binder, missing.words[0] & 0xFF));
        let (kept, gone): (BTreeMap<_, _>, BTreeMap<_, _>) =
            std::mem::take(&mut self.known).into_iter().partition(|(id, _)| used.contains(id));
        self.known = kept;
        for material in gone.values() {
            let place = (material.binder, material.words[0] & 0xFF);
            if missing != Some(place) {
                self.binders[material.binder].free.push(place.1);
            }
        }
        self.drop_empty();
        gone.into_keys().collect()
    }

    /// Gives up the last binders if nothing is in them. Others stay: binders are known by their number.
    fn drop_empty(&mut self) {
        let is_empty = |binder: &mut Binder| binder.free.len() == binder.fresh as usize;
        while self.binders.pop_if(is_empty).is_some() {}
    }

    /// Gives up what was read ahead and never needed, and says of which surfaces.
    pub(crate) fn forget_ready(&mut self) -> Vec<RecordId> {
        self.ready.forget()
    }
}

impl Binder {
    fn new(gpu: &Gpu, layout: &BindGroupLayout, sampler: &Sampler, size: u32) -> Self {
        let texture = layered(&gpu.device, size, FEW, TextureFormat::Rgba8UnormSrgb);
        let group = bound(gpu, layout, sampler, &texture);
        Self { size, texture, capacity: FEW, fresh: 0, free: Vec::new(), group }
    }

    /// A layer that nobody uses.
    fn layer(&mut self, gpu: &Gpu, layout: &BindGroupLayout, sampler: &Sampler) -> u32 {
        if let Some(layer) = self.free.pop() {
            return layer;
        }
        if self.fresh == self.capacity {
            self.grow(gpu);
            self.group = bound(gpu, layout, sampler, &self.texture);
        }
        self.fresh += 1;
        self.fresh - 1
    }

    /// Twice as many layers; the device copies what is in them.
    fn grow(&mut self, gpu: &Gpu) {
        let larger = 2 * self.capacity;
        let texture = layered(&gpu.device, self.size, larger, TextureFormat::Rgba8UnormSrgb);
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

fn bound(gpu: &Gpu, layout: &BindGroupLayout, sampler: &Sampler, texture: &Texture) -> BindGroup {
    let view = layers_of(texture);
    gpu.device.create_bind_group(&BindGroupDescriptor {
        label: Some("pictures"),
        layout,
        entries: &[
            BindGroupEntry { binding: 0, resource: BindingResource::Sampler(sampler) },
            BindGroupEntry { binding: 1, resource: BindingResource::TextureView(&view) },
        ],
    })
}

/// All layers of a texture.
pub(super) fn layers_of(texture: &Texture) -> TextureView {
    texture.create_view(&TextureViewDescriptor {
        dimension: Some(TextureViewDimension::D2Array),
        ..Default::default()
    })
}

/// A texture of square layers with all their smaller copies.
pub(super) fn layered(device: &Device, size: u32, layers: u32, format: TextureFormat) -> Texture {
    device.create_texture(&TextureDescriptor {
        label: Some("pictures"),
        // A single layer would not be a stack of layers on some devices.
        size: Extent3d { width: size, height: size, depth_or_array_layers: layers.max(2) },
        mip_level_count: size.ilog2() + 1,
        sample_count: 1,
        dimension: TextureDimension::D2,
        format,
        usage: TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST | TextureUsages::COPY_SRC,
        view_formats: &[],
    })
}

/// Puts a picture and its smaller copies into a layer.
pub(super) fn upload(queue: &Queue, texture: &Texture, layer: u32, sheet: &MipChain) {
    for (level, picture) in (0..).zip(&sheet.levels) {
        let Image { width, height, pixels } = picture;
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

    #[test]
    fn small_pictures_are_repeated_until_they_fill_a_layer() {
        let pixels = (0..64 * 64_u32).map(|it| [it.to_le_bytes()[0], 3, 5, 255]).collect();
        let picture = Image { width: 64, height: 64, pixels };
        let painted = Painted::new(&picture, Look::PLAIN);
        let layer = &painted.sheet.levels[0];
        assert_eq!((painted.repeats, layer.width, layer.height), (2, 256, 256));
        for (x, y) in [(0, 0), (63, 5), (64, 5), (200, 255)] {
            assert_eq!(layer.at(x, y), picture.at(x % 64, y % 64), "{x}, {y}");
        }
    }

    #[test]
    fn large_pictures_have_layers_of_their_own() {
        for (side, want) in [(256, (0, 256)), (257, (0, 512)), (512, (0, 512)), (1024, (0, 512))] {
            let picture = Image { width: side, height: 1, pixels: vec![[9; 4]; side as usize] };
            let painted = Painted::new(&picture, Look::PLAIN);
            assert_eq!((painted.repeats, painted.sheet.levels[0].width), want, "{side}");
        }
    }

    #[test]
    fn more_pictures_than_a_binder_holds_go_to_the_next_and_freed_layers_are_used_again() {
        let gpu = Gpu::headless().unwrap_or_else(|error| panic!("{error}"));
        let layouts = super::super::pipelines::Layouts::new(&gpu.device);
        let mut materials = Materials::new(&gpu, &layouts.pictures);
        let painted = Painted::new(&Image::plain([1, 2, 3, 255]), Look::PLAIN);
        for number in 0..MOST + 2 {
            materials.take(RecordId(number), Ok(painted.clone()));
        }
        let source = threshold_forge::samples::two_rooms().unwrap();
        let places: BTreeSet<(usize, u32)> = (0..MOST + 2)
            .map(|number| materials.get(&gpu, &source, RecordId(number)))
            .map(|material| (material.binder, material.words[0] & 0xFF))
            .collect();
        assert_eq!(places.len(), MOST as usize + 2, "each has its own");
        assert_eq!(materials.binders(), 2);
        materials.keep(&BTreeSet::from([RecordId(0)]));
        materials.take(RecordId(9000), Ok(painted));
        assert_eq!(materials.get(&gpu, &source, RecordId(9000)).binder, 0);
        assert!(materials.faults.is_empty());
    }

    #[test]
    fn binders_that_nothing_is_left_in_stayed_for_ever() {
        let gpu = Gpu::headless().unwrap_or_else(|error| panic!("{error}"));
        let layouts = super::super::pipelines::Layouts::new(&gpu.device);
        let mut materials = Materials::new(&gpu, &layouts.pictures);
        let source = threshold_forge::samples::two_rooms().unwrap();
        for number in 0..MOST + 2 {
            let painted = Painted::new(&Image::plain([1, 2, 3, 255]), Look::PLAIN);
            materials.take(RecordId(number), Ok(painted));
            materials.get(&gpu, &source, RecordId(number));
        }
        materials.keep(&BTreeSet::from([RecordId(0), RecordId(MOST)]));
        assert_eq!(materials.binders(), 2, "something is in both");
        materials.keep(&BTreeSet::from([RecordId(0)]));
        assert_eq!(materials.binders(), 1);
        // What stands for surfaces that cannot be read stays too.
        materials.get(&gpu, &source, RecordId(0x0800_FFFF));
        materials.keep(&BTreeSet::new());
        assert_eq!(materials.binders(), 1);
        assert!(materials.group(0).is_some());
    }

    #[test]
    fn what_is_wrong_with_a_surface_was_told_each_time_it_came_back() {
        let gpu = Gpu::headless().unwrap_or_else(|error| panic!("{error}"));
        let layouts = super::super::pipelines::Layouts::new(&gpu.device);
        let mut materials = Materials::new(&gpu, &layouts.pictures);
        let source = threshold_forge::samples::two_rooms().unwrap();
        for _ in 0..3 {
            materials.get(&gpu, &source, RecordId(0x0800_FFFF));
            materials.keep(&BTreeSet::new());
        }
        assert_eq!(materials.faults.len(), 1, "{:?}", materials.faults);
    }

    #[test]
    fn how_much_a_picture_was_stretched_is_told_for_each_side() {
        for (width, height, want) in [
            (64, 64, [0, 0]),
            (64, 128, [1, 0]),
            (8, 30, [2, 1]),
            (1024, 600, [0, 0]),
            (1, 512, [7, 0]),
        ] {
            let pixels = vec![[9; 4]; (width * height) as usize];
            let painted = Painted::new(&Image { width, height, pixels }, Look::PLAIN);
            let told = [26, 29].map(|bit| painted.look.second >> bit & 7);
            assert_eq!(told, want, "{width} x {height}");
        }
    }
}
