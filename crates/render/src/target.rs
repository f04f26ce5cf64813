//! Render targets, and reading them back.

use threshold_visuals::images::Image;
use wgpu::{
    BufferDescriptor, BufferUsages, CommandEncoderDescriptor, Extent3d, MapMode,
    TexelCopyBufferInfo, TexelCopyBufferLayout, Texture, TextureDescriptor, TextureDimension,
    TextureFormat, TextureUsages, TextureView, TextureViewDescriptor,
};

use super::Gpu;

/// Colour format of frames that are read back.
pub(super) const FORMAT: TextureFormat = TextureFormat::Rgba8UnormSrgb;

/// Attachments of a render pass besides the colour target: depth and stencil, and the multisampled colour if any.
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
        label: Some("attachment"),
        size: Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: samples,
        dimension: TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    })
}

/// Returns whether a device can draw a frame of this size.
pub(super) fn can_draw(gpu: &Gpu, size: [u32; 2]) -> bool {
    let max_side = gpu.device.limits().max_texture_dimension_2d;
    size.iter().all(|side| (1..=max_side).contains(side))
}

/// Returns whether a frame of this size can also be read back.
pub(super) fn can_read(gpu: &Gpu, size: [u32; 2]) -> bool {
    can_draw(gpu, size) && readback_size(size).1 <= gpu.device.limits().max_buffer_size
}

/// Returns the bytes of a row, padded to 256 as wgpu requires, and of all rows.
fn readback_size([width, height]: [u32; 2]) -> (u32, u64) {
    let row = width.saturating_mul(4).checked_next_multiple_of(256).unwrap_or(u32::MAX);
    (row, u64::from(row) * u64::from(height))
}

/// Reads a frame back; `None` if the device was lost or has reported an error.
pub(super) fn read(gpu: &Gpu, texture: &Texture, [width, height]: [u32; 2]) -> Option<Image> {
    let (row, size) = readback_size([width, height]);
    let buffer = gpu.device.create_buffer(&BufferDescriptor {
        label: Some("readback"),
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
    // After a rejected command the buffer would hold nothing useful.
    gpu.check().ok()?;
    let slice = buffer.slice(..);
    slice.map_async(MapMode::Read, |_| {});
    gpu.wait().ok()?;
    let bytes = slice.get_mapped_range().ok()?;
    let used = 4 * width as usize;
    let rows = bytes.chunks_exact(row as usize).map(|bytes| &bytes[..used]);
    let is_swapped =
        matches!(texture.format(), TextureFormat::Bgra8Unorm | TextureFormat::Bgra8UnormSrgb);
    let pixel = |[x, g, z, alpha]: [u8; 4]| match is_swapped {
        true => [z, g, x, alpha],
        false => [x, g, z, alpha],
    };
    let pixels = rows.flat_map(|row| row.as_chunks::<4>().0.iter().copied().map(pixel)).collect();
    Some(Image { width, height, pixels })
}
