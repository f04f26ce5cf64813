//! The window with its renderers: ours for the world, egui for the user interface over it.

use std::sync::Arc;

use anyhow::Context as _;
use egui::{Context, CursorIcon, FullOutput, Order, Pos2, Rect, ViewportId};
use egui_wgpu::{Renderer as Painter, RendererOptions, ScreenDescriptor};
use threshold_dat::Source;
use threshold_render::{DrawStats, Gpu, GpuError, RenderScene, Renderer, WindowSurface, instance};
use threshold_visuals::images::Image;
use wgpu::{
    CommandEncoderDescriptor, LoadOp, Operations, RenderPassColorAttachment, RenderPassDescriptor,
    StoreOp, TextureView,
};
use winit::event::{DeviceId, WindowEvent};
use winit::window::Window;

use super::place_box::PlaceBox;
use super::typing::{Pass, TextQueue};

/// Samples per pixel of a graphics card. A software driver gets 1, since each sample costs it as much as a pixel.
const SAMPLES: u32 = 4;

/// A window with its surface, renderer and egui state.
pub(super) struct Screen {
    pub(super) window: Arc<Window>,
    gpu: Arc<Gpu>,
    surface: WindowSurface,
    pub(super) renderer: Option<Renderer>,
    context: Context,
    input: egui_winit::State,
    /// Events that egui has not received yet.
    queue: TextQueue,
    painter: Painter,
    /// Position of the pointer, in points.
    pointer: Option<Pos2>,
    /// The part of the window that the panel leaves free, in points.
    view_area: Rect,
    is_mouse_captured: bool,
}

impl Screen {
    /// Prepares a window for drawing. The world is set later, by [`set_source`](Self::set_source).
    pub(super) fn new(window: Window) -> Result<Self, GpuError> {
        let window = Arc::new(window);
        let size = window.inner_size();
        let size = [size.width, size.height];
        let (gpu, surface) = WindowSurface::new(&instance(), Arc::clone(&window), size)?;
        let painter = Painter::new(gpu.device(), surface.format(), RendererOptions::default());
        let context = Context::default();
        let side = usize::try_from(gpu.device().limits().max_texture_dimension_2d).ok();
        let scale = Some(egui_winit::pixels_per_point(&context, &window));
        let input = egui_winit::State::new(
            context.clone(),
            ViewportId::ROOT,
            &window,
            scale,
            window.theme(),
            side,
        );
        let (gpu, renderer, is_mouse_captured) = (Arc::new(gpu), None, false);
        let queue = TextQueue::default();
        let (pointer, view_area) = (None, Rect::EVERYTHING);
        Ok(Self {
            window,
            gpu,
            surface,
            renderer,
            context,
            input,
            queue,
            painter,
            pointer,
            view_area,
            is_mouse_captured,
        })
    }

    /// Makes a renderer for the records of a source.
    pub(super) fn set_source(&mut self, source: &Arc<dyn Source>) {
        let samples = if self.gpu.is_software { 1 } else { SAMPLES };
        let (gpu, source) = (Arc::clone(&self.gpu), Arc::clone(source));
        self.renderer = Some(Renderer::new(gpu, source, self.surface.format(), samples));
    }

    /// Returns the name of the graphics device.
    pub(super) fn device_name(&self) -> &str {
        &self.gpu.name
    }

    /// Returns the width divided by the height.
    pub(super) fn aspect(&self) -> f64 {
        let [width, height] = self.surface.size().map(f64::from);
        width / height
    }

    pub(super) fn size(&self) -> [u32; 2] {
        self.surface.size()
    }

    /// Returns the error of a device that was lost.
    pub(super) fn check_device(&self) -> Result<(), GpuError> {
        self.gpu.check()
    }

    /// Notes whether the mouse is captured. While it is, egui receives no mouse events.
    pub(super) fn set_mouse_captured(&mut self, is_mouse_captured: bool) {
        if is_mouse_captured && !self.is_mouse_captured {
            self.context.memory_mut(|memory| memory.stop_text_input());
            let left = WindowEvent::CursorLeft { device_id: DeviceId::dummy() };
            // For egui, a captured pointer has left the window.
            let _ = self.input.on_window_event(&self.window, &left);
        }
        self.is_mouse_captured = is_mouse_captured;
    }

    /// Gives the place box the focus, in order: after what was typed before, and before what is typed from now on.
    pub(super) fn focus_place_box(&mut self) {
        self.queue.push(std::mem::take(&mut self.input.egui_input_mut().events));
        self.queue.focus_place_box();
    }

    /// Returns whether egui has received everything that was typed.
    pub(super) fn is_text_delivered(&self) -> bool {
        self.queue.is_empty()
    }

    /// Handles a window event, and passes it on to egui. The caller keeps back keys that are commands.
    pub(super) fn on_window_event(&mut self, event: &WindowEvent) {
        if let WindowEvent::Resized(size) = event {
            self.surface.resize(&self.gpu, [size.width, size.height]);
        }
        let is_hidden = self.is_mouse_captured && is_mouse_event(event);
        if !is_hidden {
            let _ = self.input.on_window_event(&self.window, event);
        }
        match event {
            WindowEvent::CursorMoved { position, .. } => {
                let scale = egui_winit::pixels_per_point(&self.context, &self.window);
                let at = position.to_logical::<f32>(f64::from(scale));
                self.pointer = Some(Pos2::new(at.x, at.y));
            }
            WindowEvent::CursorLeft { .. } => self.pointer = None,
            _ => {}
        }
    }

    pub(super) fn context(&self) -> &Context {
        &self.context
    }

    /// Returns whether the mouse is over the user interface, or drags part of it. Takes the current position of the pointer, which may have moved
    /// since the last frame.
    pub(super) fn is_pointer_over_ui(&self) -> bool {
        let is_over = |at: Pos2| {
            let layer = self.context.layer_id_at(at);
            let is_window = layer.is_some_and(|layer| layer.order != Order::Background);
            is_window || !self.view_area.contains(at)
        };
        !self.is_mouse_captured
            && (self.context.egui_is_using_pointer() || self.pointer.is_some_and(is_over))
    }

    /// Runs one pass of egui.
    pub(super) fn layout_ui(&mut self, mut contents: impl FnMut(&mut egui::Ui)) -> FullOutput {
        let mut input = self.input.take_egui_input(&self.window);
        self.queue.push(std::mem::take(&mut input.events));
        let Pass { focuses_place_box, events } = self.queue.next_pass();
        input.events = events;
        if focuses_place_box {
            self.context.memory_mut(|memory| memory.request_focus(PlaceBox::id()));
        }
        let mut view_area = self.view_area;
        let mut output = self.context.run_ui(input, |ui| {
            contents(ui);
            view_area = ui.available_rect_before_wrap();
        });
        self.view_area = view_area;
        let mut platform_output = std::mem::take(&mut output.platform_output);
        if self.is_mouse_captured {
            // Otherwise egui shows the pointer again.
            platform_output.cursor_icon = CursorIcon::None;
        }
        self.input.handle_platform_output(&self.window, platform_output);
        output
    }

    /// Draws a scene and egui's output over it, and presents both. Returns `None` if the surface has no texture to draw into at present.
    pub(super) fn draw(
        &mut self,
        scene: Option<&RenderScene<'_>>,
        mut ui: FullOutput,
    ) -> Option<DrawStats> {
        // Even if the frame is not drawn: egui sends each change of a texture once.
        for (id, deltas) in ui.textures_delta.set.drain() {
            for delta in &deltas {
                self.painter.update_texture(self.gpu.device(), self.gpu.queue(), id, delta);
            }
        }
        let drawn = self.surface.next_frame(&self.gpu).map(|frame| {
            let size = self.surface.size();
            let drawn = match (scene, &mut self.renderer) {
                (Some(scene), Some(renderer)) => renderer.draw(scene, frame.view(), size),
                _ => DrawStats::default(),
            };
            self.paint_ui(frame.view(), scene.is_some(), &mut ui);
            self.window.pre_present_notify();
            self.surface.present(&self.gpu, frame);
            drawn
        });
        for id in ui.textures_delta.free.drain() {
            self.painter.free_texture(&id);
        }
        drawn
    }

    /// Paints egui's output.
    fn paint_ui(&mut self, view: &TextureView, has_scene: bool, ui: &mut FullOutput) {
        let screen = ScreenDescriptor {
            size_in_pixels: self.surface.size(),
            pixels_per_point: ui.pixels_per_point,
        };
        let shapes = std::mem::take(&mut ui.shapes);
        let jobs = self.context.tessellate(shapes, ui.pixels_per_point);
        let (device, queue) = (self.gpu.device(), self.gpu.queue());
        let mut encoder = device.create_command_encoder(&CommandEncoderDescriptor::default());
        let first = self.painter.update_buffers(device, queue, &mut encoder, &jobs, &screen);
        let load = if has_scene { LoadOp::Load } else { LoadOp::Clear(wgpu::Color::BLACK) };
        let colour = RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: None,
            ops: Operations { load, store: StoreOp::Store },
        };
        let pass = encoder.begin_render_pass(&RenderPassDescriptor {
            label: Some("egui"),
            color_attachments: &[Some(colour)],
            ..Default::default()
        });
        self.painter.render(&mut pass.forget_lifetime(), &jobs, &screen);
        queue.submit(first.into_iter().chain([encoder.finish()]));
    }

    /// Draws a scene as a picture of the size of the window, without the panel.
    pub(super) fn picture(&mut self, scene: &RenderScene<'_>) -> anyhow::Result<Image> {
        let size = self.surface.size();
        let renderer = self.renderer.as_mut().context("the world is not loaded yet")?;
        Ok(renderer.capture(scene, size).context("the graphics device was lost")?.0)
    }
}

fn is_mouse_event(event: &WindowEvent) -> bool {
    matches!(
        event,
        WindowEvent::CursorMoved { .. }
            | WindowEvent::CursorEntered { .. }
            | WindowEvent::MouseInput { .. }
            | WindowEvent::MouseWheel { .. }
    )
}
