//! SurfaceImages in memory.

use wgpu::{
    BufferDescriptor, BufferUsages, CommandEncoderDescriptor, Extent3d, MapMode,
    TexelCopyBufferInfo, TexelCopyBufferLayout, Texture, TextureDescriptor, TextureDimension,
    TextureFormat, TextureUsages, TextureView, TextureViewDescriptor,
};

use super::Gpu;
use crate::images::Image;

/// Colours of pictures in memory.
pub(super) const FORMAT: TextureFormat = TextureFormat::Rgba8UnormSrgb;

/// A place to draw into: depth and mask, and colours of several samples where there are any.
#[derive(Debug)]
pub(super) struct Attachments {
    pub(super) size: [u32; 2],
    pub(super) depth: TextureView,
    pub(super) samples: Option<TextureView>,
}

impl Attachments {
    pub(super) fn new(gpu: &Gpu, size: [u32; 2], format: TextureFormat, samples: u32) -> Self {
        let make = |format, usage| texture(gpu, size, format, samples, usage);
        let view = |texture: Texture| texture.create_view(&TextureViewDescriptor::default());
        Self {
            size,
            depth: view(make(gpu.depth, TextureUsages::RENDER_ATTACHMENT)),
            samples: (samples > 1).then(|| view(make(format, TextureUsages::RENDER_ATTACHMENT))),
        }
    }
}

pub(super) fn texture(
    gpu: &Gpu,
    [width, height]: [u32; 2],
    format: TextureFormat,
    samples: u32,
    usage: TextureUsages,
) -> Texture {
    gpu.device.create_texture(&TextureDescriptor {
        label: Some("picture"),
        size: Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: samples,
        dimension: TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    })
}

/// Whether a device can draw a picture that is so many pixels wide and high.
pub(super) fn can_draw(gpu: &Gpu, size: [u32; 2]) -> bool {
    let longest = gpu.device.limits().max_texture_dimension_2d;
    size.iter().all(|side| (1..=longest).contains(side))
}

/// Whether it can also be brought back.
pub(super) fn can_read(gpu: &Gpu, size: [u32; 2]) -> bool {
    can_draw(gpu, size) && buffer_of(size).1 <= gpu.device.limits().max_buffer_size
}

/// Bytes of a row of a picture as devices store them, in steps of 256, and of all of it.
fn buffer_of([width, height]: [u32; 2]) -> (u32, u64) {
    let row = width.saturating_mul(4).checked_next_multiple_of(256).unwrap_or(u32::MAX);
    (row, u64::from(row) * u64::from(height))
}

/// Brings a drawn picture back; `None` if the device was lost, or is not to be relied upon any more.
pub(super) fn read(gpu: &Gpu, texture: &Texture, [width, height]: [u32; 2]) -> Option<Image> {
    let (row, size) = buffer_of([width, height]);
    let buffer = gpu.device.create_buffer(&BufferDescriptor {
        label: Some("picture"),
        size,
        usage: BufferUsages::COPY_DST | BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let mut encoder = gpu.device.create_command_encoder(&CommandEncoderDescriptor::default());
    let layout =
        TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: Some(height) };
    encoder.copy_texture_to_buffer(
        texture.as_image_copy(),
        TexelCopyBufferInfo { buffer: &buffer, layout },
        Extent3d { width, height, depth_or_array_layers: 1 },
    );
    gpu.queue.submit([encoder.finish()]);
    // What was refused is nowhere to be brought back from.
    gpu.check().ok()?;
    let slice = buffer.slice(..);
    slice.map_async(MapMode::Read, |_| {});
    gpu.wait().ok()?;
    let bytes = slice.get_mapped_range().ok()?;
    let used = 4 * width as usize;
    let rows = bytes.chunks_exact(row as usize).map(|bytes| &bytes[..used]);
    let is_swapped =
        matches!(texture.format(), TextureFormat::Bgra8Unorm | TextureFormat::Bgra8UnormSrgb);
    let pixel = |[a, g, b, alpha]: [u8; 4]| match is_swapped {
        true => [b, g, a, alpha],
        false => [a, g, b, alpha],
    };
    let pixels = rows.flat_map(|row| row.as_chunks::<4>().0.iter().copied().map(pixel)).collect();
    Some(Image { width, height, pixels })
}
