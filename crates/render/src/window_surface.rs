//! The surface of a window.

use std::fmt;

use wgpu::{
    CreateSurfaceError, CurrentSurfaceTexture, Instance, PresentMode, Surface,
    SurfaceConfiguration, SurfaceTarget, SurfaceTexture, TextureFormat, TextureView,
    TextureViewDescriptor,
};

use super::device::{Gpu, GpuError};

/// Creates the surface of a window again after it was lost.
type CreateSurface = Box<dyn Fn() -> Result<Surface<'static>, CreateSurfaceError> + Send + Sync>;

/// The surface of a window, with its configuration.
pub struct WindowSurface {
    surface: Surface<'static>,
    config: SurfaceConfiguration,
    create: CreateSurface,
}

impl fmt::Debug for WindowSurface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WindowSurface").field("config", &self.config).finish_non_exhaustive()
    }
}

/// A frame that will be presented in a window.
#[derive(Debug)]
pub struct SurfaceFrame {
    texture: SurfaceTexture,
    view: TextureView,
    /// Whether the window has changed, so that the surface must be configured again.
    is_stale: bool,
}

impl SurfaceFrame {
    /// The colour attachment.
    pub fn view(&self) -> &TextureView {
        &self.view
    }
}

impl WindowSurface {
    /// Creates the surface of a window of `size` pixels, with the best device that can draw into it. Frames are presented
    /// with vertical sync.
    pub fn new<W>(instance: &Instance, window: W, size: [u32; 2]) -> Result<(Gpu, Self), GpuError>
    where
        W: Into<SurfaceTarget<'static>> + Clone + Send + Sync + 'static,
    {
        let instance_clone = instance.clone();
        let create: CreateSurface = Box::new(move || instance_clone.create_surface(window.clone()));
        let surface = create().map_err(|error| GpuError::NoDriver(error.to_string()))?;
        let (gpu, adapter) = Gpu::for_surface(instance, Some(&surface))?;
        let [width, height] = size.map(|side| side.max(1));
        let refused = |why: &str| GpuError::Refused { name: gpu.name.clone(), why: why.to_owned() };
        let mut config = surface
            .get_default_config(&adapter, width, height)
            .ok_or_else(|| refused("cannot draw into this window"))?;
        // Shading is linear; the device encodes sRGB.
        let formats = surface.get_capabilities(&adapter).formats;
        let srgb = formats.iter().find(|format| format.is_srgb() && is_plain(**format));
        config.format = *srgb.or(formats.first()).ok_or_else(|| refused("no surface format"))?;
        let shown = config.format.add_srgb_suffix();
        if shown != config.format {
            config.view_formats = vec![shown];
        }
        config.present_mode = PresentMode::AutoVsync;
        config.desired_maximum_frame_latency = 1;
        surface.configure(gpu.device(), &config);
        Ok((gpu, Self { surface, config, create }))
    }

    /// Format of its frames.
    pub fn format(&self) -> TextureFormat {
        self.config.format.add_srgb_suffix()
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        [self.config.width, self.config.height]
    }

    /// Configures the surface for a new size of the window, in pixels.
    pub fn resize(&mut self, gpu: &Gpu, [width, height]: [u32; 2]) {
        if width > 0 && height > 0 && self.size() != [width, height] {
            (self.config.width, self.config.height) = (width, height);
            self.surface.configure(gpu.device(), &self.config);
        }
    }

    /// Acquires the next frame; `None` if there is none at the moment, as when the window is hidden.
    pub fn next_frame(&mut self, gpu: &Gpu) -> Option<SurfaceFrame> {
        let (texture, is_stale) = match self.surface.get_current_texture() {
            CurrentSurfaceTexture::Success(texture) => (texture, false),
            CurrentSurfaceTexture::Suboptimal(texture) => (texture, true),
            CurrentSurfaceTexture::Outdated => {
                self.surface.configure(gpu.device(), &self.config);
                return None;
            }
            CurrentSurfaceTexture::Lost => {
                // If the surface cannot be created yet, the next frame tries again.
                self.surface = (self.create)().ok()?;
                self.surface.configure(gpu.device(), &self.config);
                return None;
            }
            _ => return None,
        };
        let format = Some(self.format());
        let view =
            texture.texture.create_view(&TextureViewDescriptor { format, ..Default::default() });
        Some(SurfaceFrame { texture, view, is_stale })
    }

    /// Presents a frame.
    pub fn present(&self, gpu: &Gpu, frame: SurfaceFrame) {
        let SurfaceFrame { texture, view, is_stale } = frame;
        drop(view);
        gpu.queue().present(texture);
        if is_stale {
            self.surface.configure(gpu.device(), &self.config);
        }
    }
}

/// Returns whether a format has eight bits per channel.
fn is_plain(format: TextureFormat) -> bool {
    matches!(format, TextureFormat::Bgra8UnormSrgb | TextureFormat::Rgba8UnormSrgb)
}
