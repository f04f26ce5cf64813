//! Buffers that are written every frame.

use wgpu::{BindingResource, Buffer, BufferBinding, BufferDescriptor, BufferUsages};

use super::Gpu;

/// A device buffer that grows.
#[derive(Debug)]
pub(super) struct GrowableBuffer {
    pub(super) buffer: Option<Buffer>,
    usage: BufferUsages,
    capacity: u64,
}

impl GrowableBuffer {
    pub(super) fn new(capacity: u64, usage: BufferUsages) -> Self {
        Self { buffer: None, usage: usage | BufferUsages::COPY_DST, capacity }
    }

    /// Writes bytes at its start; returns whether the buffer was created again. Bytes beyond the limit of the device are
    /// dropped, so the caller must bound its data.
    pub(super) fn put(&mut self, gpu: &Gpu, bytes: &[u8]) -> bool {
        let max = gpu.device.limits().max_buffer_size;
        let bytes = &bytes[..bytes.len().min(usize::try_from(max).unwrap_or(usize::MAX))];
        let is_new = self.buffer.is_none() || (bytes.len() as u64) > self.capacity;
        if is_new {
            self.capacity = grown_capacity(self.capacity, bytes.len() as u64, max);
            self.buffer = Some(gpu.device.create_buffer(&BufferDescriptor {
                label: None,
                size: self.capacity,
                usage: self.usage,
                mapped_at_creation: false,
            }));
        }
        if let Some(buffer) = &self.buffer {
            gpu.queue.write_buffer(buffer, 0, bytes);
        }
        is_new
    }

    /// Returns a binding of `size` bytes at its start, to be moved by dynamic offsets.
    pub(super) fn part(&self, size: u64) -> Option<BindingResource<'_>> {
        let size = std::num::NonZeroU64::new(size);
        let buffer = self.buffer.as_ref()?;
        Some(BindingResource::Buffer(BufferBinding { buffer, offset: 0, size }))
    }
}

/// Returns the new capacity: a power of two, but at most the limit of the device.
fn grown_capacity(old: u64, needed: u64, max: u64) -> u64 {
    let rounded = needed.checked_next_power_of_two().unwrap_or(max);
    old.max(rounded).min(max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_capacity_exceeded_the_limit_of_the_device() {
        assert_eq!(grown_capacity(64, 65, 1000), 128);
        assert_eq!(grown_capacity(64, 700, 1000), 1000);
        assert_eq!(grown_capacity(64, 1000, 1000), 1000);
        assert_eq!(grown_capacity(64, u64::MAX, 1000), 1000);
        assert_eq!(grown_capacity(4096, 10, 1 << 28), 4096);
    }
}
