//! Buffers of what is new in every picture.

use wgpu::{BindingResource, Buffer, BufferBinding, BufferDescriptor, BufferUsages};

use super::Gpu;

/// A buffer that grows.
#[derive(Debug)]
pub(super) struct GrowableBuffer {
    pub(super) buffer: Option<Buffer>,
    usage: BufferUsages,
    room: u64,
}

impl GrowableBuffer {
    pub(super) fn new(room: u64, usage: BufferUsages) -> Self {
        Self { buffer: None, usage: usage | BufferUsages::COPY_DST, room }
    }

    /// Puts bytes into it; whether it was made anew. Who has more than a buffer of the device holds must leave some out before:
    /// what does not fit is not there.
    pub(super) fn put(&mut self, gpu: &Gpu, bytes: &[u8]) -> bool {
        let most = gpu.device.limits().max_buffer_size;
        let bytes = &bytes[..bytes.len().min(usize::try_from(most).unwrap_or(usize::MAX))];
        let is_small = (bytes.len() as u64) > self.room;
        let is_new = self.buffer.is_none() || is_small;
        if is_new {
            self.room = room(self.room, bytes.len() as u64, most);
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

/// How large a buffer becomes: with room to spare, but no larger than the device makes them.
fn room(old: u64, needed: u64, most: u64) -> u64 {
    let spare = needed.checked_next_power_of_two().unwrap_or(most);
    old.max(spare).min(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_to_spare_was_more_than_the_device_makes() {
        assert_eq!(room(64, 65, 1000), 128);
        assert_eq!(room(64, 700, 1000), 1000);
        assert_eq!(room(64, 1000, 1000), 1000);
        assert_eq!(room(64, u64::MAX, 1000), 1000);
        assert_eq!(room(4096, 10, 1 << 28), 4096);
    }
}
