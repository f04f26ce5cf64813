//! Surfaces on the device: pictures in layers of a few sizes, and a table of how each surface is drawn.

use std::collections::BTreeMap;

use threshold_dat::{RecordId, Records, Source, Surface, surface_type};
use wgpu::{
    Buffer, BufferDescriptor, BufferUsages, Device, Extent3d, Origin3d, Queue,
    TexelCopyBufferLayout, TexelCopyTextureInfo, Texture, TextureAspect, TextureDescriptor,
    TextureDimension, TextureFormat, TextureUsages, TextureView, TextureViewDescriptor,
    TextureViewDimension,
};

use super::Gpu;
use crate::picture::{Picture, Pictures, Sheet};

/// The sides of pictures on the device, in pixels; each picture goes to the smallest that loses nothing.
pub(super) const SIZES: [u32; 4] = [64, 128, 256, 512];

/// Surfaces that the table holds at the most: as many as fit into a uniform buffer of any device.
const MOST: usize = 1000;

/// Words of an entry of the table.
const WORDS: usize = 4;

/// Layers of a size at first.
const LAYERS: u32 = 16;

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

/// A surface in the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Material {
    pub(crate) index: u32,
    pub(crate) blend: Blend,
}

/// Pictures of one size.
#[derive(Debug)]
struct Stack {
    size: u32,
    sheets: Vec<Sheet>,
    /// How many of them are on the device.
    uploaded: u32,
    capacity: u32,
    texture: Texture,
}

/// All surfaces that are in use.
#[derive(Debug)]
pub(crate) struct Materials {
    stacks: [Stack; SIZES.len()],
    known: BTreeMap<RecordId, Material>,
    words: Vec<[u32; WORDS]>,
    table: Buffer,
    is_changed: bool,
    /// Whether textures were made anew: whoever has bound them has to do so again.
    pub(crate) is_moved: bool,
    /// What could not be read; it shows as a plain colour.
    pub(crate) faults: Vec<String>,
}

impl Materials {
    pub(crate) fn new(gpu: &Gpu) -> Self {
        let table = gpu.device.create_buffer(&BufferDescriptor {
            label: Some("materials"),
            size: (MOST * WORDS * 4) as u64,
            usage: BufferUsages::UNIFORM | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let stacks = SIZES.map(|size| Stack {
            size,
            sheets: Vec::new(),
            uploaded: 0,
            capacity: LAYERS,
            texture: texture(&gpu.device, size, LAYERS),
        });
        let mut materials = Self {
            stacks,
            known: BTreeMap::new(),
            words: Vec::new(),
            table,
            is_changed: true,
            is_moved: true,
            faults: Vec::new(),
        };
        // What cannot be shown: the first of the table.
        materials.add(&Picture::plain(MISSING), [0.0, 0.0, 1.0], Blend::Opaque, 0);
        materials
    }

    pub(crate) fn table(&self) -> &Buffer {
        &self.table
    }

    pub(crate) fn views(&self) -> [TextureView; SIZES.len()] {
        let descriptor = TextureViewDescriptor {
            dimension: Some(TextureViewDimension::D2Array),
            ..Default::default()
        };
        self.stacks.each_ref().map(|stack| stack.texture.create_view(&descriptor))
    }

    /// The entry of a surface, which is read if it is new.
    pub(crate) fn get(&mut self, source: &dyn Source, id: RecordId) -> Material {
        if let Some(known) = self.known.get(&id) {
            return *known;
        }
        let material = self.read(source, id).unwrap_or_else(|why| {
            self.faults.push(why);
            Material { index: 0, blend: Blend::Opaque }
        });
        self.known.insert(id, material);
        material
    }

    fn read(&mut self, source: &dyn Source, id: RecordId) -> Result<Material, String> {
        let missing = || format!("there is no surface {id}");
        let surface = Records::new(source).get::<Surface>(id);
        let surface = surface.map_err(|error| error.to_string())?.ok_or_else(missing)?;
        let picture =
            Pictures::new(source).of_surface(&surface).map_err(|error| error.to_string())?;
        if self.words.len() == MOST {
            return Err(format!("surface {id}: more than {MOST} surfaces are in use"));
        }
        let kind = surface.surface_type;
        let is = |bit: u32| kind & bit != 0;
        let opacity = 1.0 - surface.translucency.clamp(0.0, 1.0);
        let blend = match () {
            () if is(surface_type::ADDITIVE) => Blend::Additive,
            () if is(surface_type::ALPHA | surface_type::INVERSE_ALPHA) => Blend::Alpha,
            () if is(surface_type::TRANSLUCENT) || opacity < 1.0 => Blend::Alpha,
            () => Blend::Opaque,
        };
        let mut flags = 0;
        flags |= u32::from(is(surface_type::CLIP_MAP)) << 8;
        flags |= u32::from(is(surface_type::ALPHA)) << 9;
        flags |= u32::from(is(surface_type::INVERSE_ALPHA)) << 10;
        let light = [1.0 - opacity, surface.luminosity.clamp(0.0, 1.0), surface.diffuse];
        Ok(self.add(&picture, light, blend, flags))
    }

    /// `light`: translucency, luminosity, diffuse.
    fn add(&mut self, picture: &Picture, light: [f32; 3], blend: Blend, flags: u32) -> Material {
        let longest = picture.width.max(picture.height);
        let place = SIZES.iter().position(|size| *size >= longest).unwrap_or(SIZES.len() - 1);
        let stack = &mut self.stacks[place];
        stack.sheets.push(Sheet::new(picture, stack.size));
        // A few hundred at the most.
        #[allow(clippy::cast_possible_truncation, reason = "bounded by MOST")]
        let (layer, index) = (stack.sheets.len() as u32 - 1, self.words.len() as u32);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
        let [translucency, luminosity, diffuse] =
            light.map(|part| (part.clamp(0.0, 1.0) * 255.0).round() as u32);
        let lights = translucency | luminosity << 8 | diffuse << 16;
        #[allow(clippy::cast_possible_truncation, reason = "four sizes")]
        let class = place as u32;
        self.words.push([class | flags, layer, lights, 0]);
        self.is_changed = true;
        Material { index, blend }
    }

    /// Brings what is new to the device.
    pub(crate) fn upload(&mut self, gpu: &Gpu) {
        if !self.is_changed {
            return;
        }
        self.is_changed = false;
        gpu.queue.write_buffer(&self.table, 0, bytemuck::cast_slice(&self.words));
        for stack in &mut self.stacks {
            #[allow(clippy::cast_possible_truncation, reason = "bounded by MOST")]
            let count = stack.sheets.len() as u32;
            if count > stack.capacity {
                stack.capacity = count.next_power_of_two();
                stack.texture = texture(&gpu.device, stack.size, stack.capacity);
                (self.is_moved, stack.uploaded) = (true, 0);
            }
            for (layer, sheet) in (0..count).zip(&stack.sheets).skip(stack.uploaded as usize) {
                upload(&gpu.queue, &stack.texture, layer, sheet);
            }
            stack.uploaded = count;
        }
    }
}

/// What shows where a surface cannot be read.
const MISSING: [u8; 4] = [200, 60, 200, 255];

fn texture(device: &Device, size: u32, layers: u32) -> Texture {
    layered(device, size, layers, TextureFormat::Rgba8UnormSrgb)
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
        usage: TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST,
        view_formats: &[],
    })
}

/// Puts a picture and its smaller copies into a layer.
pub(super) fn upload(queue: &Queue, texture: &Texture, layer: u32, sheet: &Sheet) {
    for (level, picture) in (0..).zip(&sheet.levels) {
        let Picture { width, height, pixels } = picture;
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
