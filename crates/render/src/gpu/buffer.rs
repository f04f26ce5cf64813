//! Buffers of what is new in every picture.

use wgpu::{BindingResource, Buffer, BufferBinding, BufferDescriptor, BufferUsages};

use super::Gpu;

/// A buffer that grows.
#[derive(Debug)]
pub(super) struct Grown {
    pub(super) buffer: Option<Buffer>,
    usage: BufferUsages,
    room: u64,
}

impl Grown {
    pub(super) fn new(room: u64, usage: BufferUsages) -> Self {
        Self { buffer: None, usage: usage | BufferUsages::COPY_DST, room }
    }

    /// Puts bytes into it; whether it was made anew.
    pub(super) fn put(&mut self, gpu: &Gpu, bytes: &[u8]) -> bool {
        let is_small = (bytes.len() as u64) > self.room;
        let is_new = self.buffer.is_none() || is_small;
        if is_new {
            self.room = self.room.max((bytes.len() as u64).next_power_of_two());
            self.buffer = Some(gpu.device.create_buffer(&BufferDescriptor {
                label: None,
                size: self.room,
                usage: self.usage,
                mapped_at_creation: false,
            }));
        }
        if let Some(buffer) = &self.buffer {
            gpu.queue.write_buffer(buffer, 0, bytes);
        }
        is_new
    }

    /// A part of it that a shader sees at once.
    pub(super) fn part(&self, size: u64) -> Option<BindingResource<'_>> {
        let size = std::num::NonZeroU64::new(size);
        let buffer = self.buffer.as_ref()?;
        Some(BindingResource::Buffer(BufferBinding { buffer, offset: 0, size }))
    }
}
