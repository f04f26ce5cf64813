//! The graphics device.

use std::sync::{Arc, OnceLock};

use wgpu::{
    Adapter, Backends, Device, DeviceDescriptor, DeviceLostReason, DeviceType, Features, Instance,
    InstanceDescriptor, Limits, MemoryHints, PowerPreference, Queue, RequestAdapterOptions,
    Surface, TextureFormat,
};

/// A graphics device that is ready to draw.
#[derive(Debug)]
pub struct Gpu {
    pub(crate) device: Device,
    pub(crate) queue: Queue,
    /// Depth and mask of a picture.
    pub(crate) depth: TextureFormat,
    /// What it calls itself.
    pub name: String,
    /// Whether it is drawn by the processor.
    pub is_software: bool,
    /// What went wrong first, if anything has.
    trouble: Arc<OnceLock<String>>,
}

/// Why there is no graphics device.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// No driver, or none that can draw.
    #[error(
        "no graphics driver was found ({0}); on Debian, mesa-vulkan-drivers has one that needs no graphics card"
    )]
    NoDriver(String),
    /// The driver refuses.
    #[error("the graphics driver {name} cannot be used: {why}")]
    Refused {
        /// What it calls itself.
        name: String,
        /// What it says.
        why: String,
    },
}

/// A way to graphics drivers.
pub fn instance() -> Instance {
    let mut descriptor = InstanceDescriptor::new_without_display_handle();
    descriptor.backends = Backends::PRIMARY;
    Instance::new(descriptor)
}

impl Gpu {
    /// The best device there is, for pictures without a window.
    pub fn headless() -> Result<Self, GpuError> {
        Self::for_surface(&instance(), None).map(|(gpu, _)| gpu)
    }

    /// The best device there is, that can draw into a surface if there is one.
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

    /// The device, for who draws something of its own.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Where work for the device is handed in.
    pub fn queue(&self) -> &Queue {
        &self.queue
    }

    /// Says so if something has gone wrong: the device was lost, has no memory left, or refused what it was told. Nothing
    /// that is drawn after that can be relied upon.
    pub fn check(&self) -> Result<(), GpuError> {
        self.trouble.get().map_or(Ok(()), |why| Err(self.refused(why)))
    }

    /// Waits until everything that was asked for is drawn.
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
        // Single precision makes far walls stand apart where 24 bits do not.
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
        let trouble = watch(&device);
        Ok(Self { device, queue, depth, name: info.name, is_software, trouble })
    }
}

/// Keeps what goes wrong first. Unwatched, a device that has no memory left would end the program.
fn watch(device: &Device) -> Arc<OnceLock<String>> {
    let trouble = Arc::new(OnceLock::new());
    let (refused, lost) = (Arc::clone(&trouble), Arc::clone(&trouble));
    // The first is what matters: what follows comes of it.
    device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
        let _ = refused.set(error.to_string());
    }));
    device.set_device_lost_callback(move |reason, why| {
        if reason != DeviceLostReason::Destroyed {
            let _ = lost.set(format!("the device was lost: {why}"));
        }
    });
    trouble
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_device_refuses_is_said_and_ends_nothing() {
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
        let said = gpu.wait().unwrap_err().to_string();
        assert!(said.contains("too wide"), "{said}");
    }
}
