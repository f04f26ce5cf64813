//! The graphics device.

use std::sync::{Arc, OnceLock};

use wgpu::{
    Adapter, Backends, Device, DeviceDescriptor, DeviceLostReason, DeviceType, Features, Instance,
    InstanceDescriptor, Limits, MemoryHints, PowerPreference, Queue, RequestAdapterOptions,
    Surface, TextureFormat,
};

/// A graphics device with its queue.
#[derive(Debug)]
pub struct Gpu {
    pub(crate) device: Device,
    pub(crate) queue: Queue,
    /// Format of depth and stencil.
    pub(crate) depth: TextureFormat,
    /// Name of the adapter.
    pub name: String,
    /// Whether it renders on the processor.
    pub is_software: bool,
    /// The first error of the device, if any.
    first_error: Arc<OnceLock<String>>,
}

/// Reason why no graphics device can be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// No driver was found, or none that can draw.
    #[error(
        "no graphics driver found ({0}); on Debian, the package mesa-vulkan-drivers has one that needs no graphics card"
    )]
    NoDriver(String),
    /// The driver failed.
    #[error("graphics driver {name} failed: {why}")]
    Refused {
        /// Name of the adapter.
        name: String,
        /// Message of the driver.
        why: String,
    },
}

/// Creates a wgpu instance with the primary backends: Vulkan, Metal and DirectX 12.
pub fn instance() -> Instance {
    let mut descriptor = InstanceDescriptor::new_without_display_handle();
    descriptor.backends = Backends::PRIMARY;
    Instance::new(descriptor)
}

impl Gpu {
    /// Opens the best device, for drawing without a window.
    pub fn headless() -> Result<Self, GpuError> {
        Self::for_surface(&instance(), None).map(|(gpu, _)| gpu)
    }

    /// Opens the best device that can draw into `surface`, if given.
    pub(super) fn for_surface(
        instance: &Instance,
        surface: Option<&Surface<'_>>,
    ) -> Result<(Self, Adapter), GpuError> {
        let options = RequestAdapterOptions {
            power_preference: PowerPreference::HighPerformance,
            force_fallback_adapter: false,
            compatible_surface: surface,
            ..Default::default()
        };
        let adapter = pollster::block_on(instance.request_adapter(&options))
            .map_err(|error| GpuError::NoDriver(error.to_string()))?;
        Ok((Self::of(&adapter)?, adapter))
    }

    /// The device, for hosts that draw something of their own.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The command queue of the device.
    pub fn queue(&self) -> &Queue {
        &self.queue
    }

    /// Returns the first error of the device: it was lost, ran out of memory, or rejected a command. Frames drawn after an
    /// error may be wrong.
    pub fn check(&self) -> Result<(), GpuError> {
        self.first_error.get().map_or(Ok(()), |why| Err(self.refused(why)))
    }

    /// Waits until all submitted work is done.
    pub fn wait(&self) -> Result<(), GpuError> {
        let waited = self.device.poll(wgpu::PollType::wait_indefinitely());
        waited.map_err(|error| self.refused(&error.to_string()))?;
        self.check()
    }

    fn refused(&self, why: &str) -> GpuError {
        GpuError::Refused { name: self.name.clone(), why: why.to_owned() }
    }

    fn of(adapter: &Adapter) -> Result<Self, GpuError> {
        let info = adapter.get_info();
        // Reversed depth in f32 separates distant walls that 24 bits do not.
        let precise = Features::DEPTH32FLOAT_STENCIL8;
        let features = adapter.features() & precise;
        let descriptor = DeviceDescriptor {
            label: Some("threshold"),
            required_features: features,
            required_limits: Limits::downlevel_webgl2_defaults().using_resolution(adapter.limits()),
            memory_hints: MemoryHints::Performance,
            ..Default::default()
        };
        let (device, queue) =
            pollster::block_on(adapter.request_device(&descriptor)).map_err(|error| {
                GpuError::Refused { name: info.name.clone(), why: error.to_string() }
            })?;
        let depth = if features.contains(precise) {
            TextureFormat::Depth32FloatStencil8
        } else {
            TextureFormat::Depth24PlusStencil8
        };
        let is_software = info.device_type == DeviceType::Cpu;
        let first_error = record_first_error(&device);
        Ok(Self { device, queue, depth, name: info.name, is_software, first_error })
    }
}

/// Records the first error of a device. Without a handler, an error such as lack of memory would end the program.
fn record_first_error(device: &Device) -> Arc<OnceLock<String>> {
    let first_error = Arc::new(OnceLock::new());
    let (refused, lost) = (Arc::clone(&first_error), Arc::clone(&first_error));
    // Later errors are usually consequences of the first one.
    device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
        let _ = refused.set(error.to_string());
    }));
    device.set_device_lost_callback(move |reason, why| {
        if reason != DeviceLostReason::Destroyed {
            let _ = lost.set(format!("device lost: {why}"));
        }
    });
    first_error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_the_device_is_reported_and_does_not_panic() {
        let gpu = Gpu::headless().unwrap();
        assert!(gpu.check().is_ok() && gpu.wait().is_ok());
        let side = gpu.device.limits().max_texture_dimension_2d + 1;
        let _ = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("too wide"),
            size: wgpu::Extent3d { width: side, height: 1, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        let error = gpu.wait().unwrap_err().to_string();
        assert!(error.contains("too wide"), "{error}");
    }
}
