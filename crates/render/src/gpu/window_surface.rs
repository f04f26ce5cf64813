//! A window to draw into.

use std::fmt;

use wgpu::{
    CreateSurfaceError, CurrentSurfaceTexture, Instance, PresentMode, Surface,
    SurfaceConfiguration, SurfaceTarget, SurfaceTexture, TextureFormat, TextureView,
    TextureViewDescriptor,
};

use super::device::{Gpu, GpuError};

/// Makes a surface of a window, as often as it is lost.
type Remake = Box<dyn Fn() -> Result<Surface<'static>, CreateSurfaceError> + Send + Sync>;

/// The part of the screen that a window has.
pub struct WindowSurface {
    surface: Surface<'static>,
    config: SurfaceConfiguration,
    remake: Remake,
}

impl fmt::Debug for WindowSurface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WindowSurface").field("config", &self.config).finish_non_exhaustive()
    }
}

/// A picture that will be shown in a window.
#[derive(Debug)]
pub struct SurfaceFrame {
    texture: SurfaceTexture,
    view: TextureView,
    /// The window has changed: the next one should be made for it as it is now.
    is_stale: bool,
}

impl SurfaceFrame {
    /// What is drawn into.
    pub fn view(&self) -> &TextureView {
        &self.view
    }
}

impl WindowSurface {
    /// A window, so many pixels wide and high, and the best device there is that can draw into it. What is drawn is shown with the
    /// screen's own rhythm.
    pub fn new<W>(instance: &Instance, window: W, size: [u32; 2]) -> Result<(Gpu, Self), GpuError>
    where
        W: Into<SurfaceTarget<'static>> + Clone + Send + Sync + 'static,
    {
        let (own, again) = (instance.clone(), window);
        let remake: Remake = Box::new(move || own.create_surface(again.clone()));
        let surface = remake().map_err(|error| GpuError::NoDriver(error.to_string()))?;
        let (gpu, adapter) = Gpu::for_surface(instance, Some(&surface))?;
        let [width, height] = size.map(|side| side.max(1));
        let refused = |why: &str| GpuError::Refused { name: gpu.name.clone(), why: why.to_owned() };
        let mut config = surface
            .get_default_config(&adapter, width, height)
            .ok_or_else(|| refused("it cannot draw into this window"))?;
        // Light is added up in linear steps, and shown as screens want it.
        let formats = surface.get_capabilities(&adapter).formats;
        let srgb = formats.iter().find(|format| format.is_srgb() && is_plain(**format));
        config.format = *srgb.or(formats.first()).ok_or_else(|| refused("it has no colours"))?;
        let shown = config.format.add_srgb_suffix();
        if shown != config.format {
            config.view_formats = vec![shown];
        }
        config.present_mode = PresentMode::AutoVsync;
        config.desired_maximum_frame_latency = 1;
        surface.configure(gpu.device(), &config);
        Ok((gpu, Self { surface, config, remake }))
    }

    /// The colours of its pictures.
    pub fn format(&self) -> TextureFormat {
        self.config.format.add_srgb_suffix()
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        [self.config.width, self.config.height]
    }

    /// The window has another size now.
    pub fn resize(&mut self, gpu: &Gpu, [width, height]: [u32; 2]) {
        if width > 0 && height > 0 && self.size() != [width, height] {
            (self.config.width, self.config.height) = (width, height);
            self.surface.configure(gpu.device(), &self.config);
        }
    }

    /// The next picture; `None` if there is none just now, as when the window is hidden.
    pub fn next_frame(&mut self, gpu: &Gpu) -> Option<SurfaceFrame> {
        let (texture, is_stale) = match self.surface.get_current_texture() {
            CurrentSurfaceTexture::Success(texture) => (texture, false),
            CurrentSurfaceTexture::Suboptimal(texture) => (texture, true),
            CurrentSurfaceTexture::Outdated => {
                self.surface.configure(gpu.device(), &self.config);
                return None;
            }
            CurrentSurfaceTexture::Lost => {
                // Where no other is to be had yet, the next frame asks again.
                self.surface = (self.remake)().ok()?;
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

    /// Shows a picture.
    pub fn present(&self, gpu: &Gpu, frame: SurfaceFrame) {
        let SurfaceFrame { texture, view, is_stale } = frame;
        drop(view);
        gpu.queue().present(texture);
        if is_stale {
            self.surface.configure(gpu.device(), &self.config);
        }
    }
}

/// Whether a colour has eight bits for each part.
fn is_plain(format: TextureFormat) -> bool {
    matches!(format, TextureFormat::Bgra8UnormSrgb | TextureFormat::Rgba8UnormSrgb)
}
