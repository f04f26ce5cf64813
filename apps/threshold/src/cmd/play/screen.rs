//! The window as something to draw into: the world, and what is written over it.

use std::sync::Arc;

use anyhow::Context as _;
use egui::{Context, CursorIcon, FullOutput, Order, Pos2, Rect, ViewportId};
use egui_wgpu::{Renderer as Painter, RendererOptions, ScreenDescriptor};
use threshold_dat::Source;
use threshold_render::gpu::{
    DrawStats, Gpu, GpuError, RenderScene, Renderer, WindowSurface, instance,
};
use threshold_render::images::Image;
use wgpu::{
    CommandEncoderDescriptor, LoadOp, Operations, RenderPassColorAttachment, RenderPassDescriptor,
    StoreOp, TextureView,
};
use winit::event::{DeviceId, WindowEvent};
use winit::window::Window;

use super::place_box::PlaceBox;
use super::typing::{Pass, TextQueue};

/// Samples a pixel: software draws each of them.
const SAMPLES: u32 = 4;

/// A window that is drawn into.
pub(super) struct Screen {
    pub(super) window: Arc<Window>,
    gpu: Arc<Gpu>,
    surface: WindowSurface,
    pub(super) renderer: Option<Renderer>,
    context: Context,
    input: egui_winit::State,
    /// What egui has not been told yet.
    queue: TextQueue,
    painter: Painter,
    /// Where the pointer is by now, and what the panel leaves free of the window, in points.
    pointer: Option<Pos2>,
    free: Rect,
    /// Whether the mouse looks around.
    is_held: bool,
}

impl Screen {
    /// Makes a window ready to be drawn into; the world comes later.
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
        let (gpu, renderer, is_held) = (Arc::new(gpu), None, false);
        let queue = TextQueue::default();
        let (pointer, free) = (None, Rect::EVERYTHING);
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
            free,
            is_held,
        })
    }

    /// Draws records of a source from now on.
    pub(super) fn show(&mut self, source: &Arc<dyn Source>) {
        let samples = if self.gpu.is_software { 1 } else { SAMPLES };
        let (gpu, source) = (Arc::clone(&self.gpu), Arc::clone(source));
        self.renderer = Some(Renderer::new(gpu, source, self.surface.format(), samples));
    }

    /// What draws calls itself.
    pub(super) fn device(&self) -> &str {
        &self.gpu.name
    }

    /// Width by height.
    pub(super) fn aspect(&self) -> f64 {
        let [width, height] = self.surface.size().map(f64::from);
        width / height
    }

    pub(super) fn size(&self) -> [u32; 2] {
        self.surface.size()
    }

    /// Says so if the device has given up.
    pub(super) fn check(&self) -> Result<(), GpuError> {
        self.gpu.check()
    }

    /// The mouse looks around from now on, or points at things again.
    pub(super) fn set_held(&mut self, is_held: bool) {
        if is_held && !self.is_held {
            self.context.memory_mut(|memory| memory.stop_text_input());
            let left = WindowEvent::CursorLeft { device_id: DeviceId::dummy() };
            // It is nowhere as far as what is written is concerned.
            let _ = self.input.on_window_event(&self.window, &left);
        }
        self.is_held = is_held;
    }

    /// Gives the box for places the focus, after what was typed before and before what is typed from now on.
    pub(super) fn ask_for_place(&mut self) {
        self.queue.push(std::mem::take(&mut self.input.egui_input_mut().events));
        self.queue.ask_for_place();
    }

    /// Whether all that was typed has reached its field.
    pub(super) fn has_taken_text(&self) -> bool {
        self.queue.is_empty()
    }

    /// Tells egui of a window event. Keys are for text fields only: the caller keeps back those that are commands.
    pub(super) fn hear(&mut self, event: &WindowEvent) {
        if let WindowEvent::Resized(size) = event {
            self.surface.resize(&self.gpu, [size.width, size.height]);
        }
        // A mouse that looks around points at nothing.
        let is_kept = self.is_held && is_of_mouse(event);
        if !is_kept {
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

    /// What is written.
    pub(super) fn context(&self) -> &Context {
        &self.context
    }

    /// Whether the mouse is over something that is written, or drags it. The pointer may have moved since the last frame: what counts is
    /// where it is now.
    pub(super) fn is_pointed_at(&self) -> bool {
        let is_over = |at: Pos2| {
            let layer = self.context.layer_id_at(at);
            let is_window = layer.is_some_and(|layer| layer.order != Order::Background);
            is_window || !self.free.contains(at)
        };
        !self.is_held && (self.context.egui_is_using_pointer() || self.pointer.is_some_and(is_over))
    }

    /// Lays out what is written.
    pub(super) fn write(&mut self, mut contents: impl FnMut(&mut egui::Ui)) -> FullOutput {
        let mut input = self.input.take_egui_input(&self.window);
        self.queue.push(std::mem::take(&mut input.events));
        let Pass { asks_for_place, events } = self.queue.next_pass();
        input.events = events;
        if asks_for_place {
            self.context.memory_mut(|memory| memory.request_focus(PlaceBox::id()));
        }
        let mut free = self.free;
        let mut output = self.context.run_ui(input, |ui| {
            contents(ui);
            free = ui.available_rect_before_wrap();
        });
        self.free = free;
        let mut said = std::mem::take(&mut output.platform_output);
        if self.is_held {
            // Otherwise the mouse would show again.
            said.cursor_icon = CursorIcon::None;
        }
        self.input.handle_platform_output(&self.window, said);
        output
    }

    /// Draws a scene and what is written over it, and shows both; `None` if there is nothing to draw into just now.
    pub(super) fn draw(
        &mut self,
        scene: Option<&RenderScene<'_>>,
        mut written: FullOutput,
    ) -> Option<DrawStats> {
        // Whatever becomes of the frame, pictures of letters are not said twice.
        for (id, deltas) in written.textures_delta.set.drain() {
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
            self.paint(frame.view(), scene.is_some(), &mut written);
            self.window.pre_present_notify();
            self.surface.present(&self.gpu, frame);
            drawn
        });
        for id in written.textures_delta.free.drain() {
            self.painter.free_texture(&id);
        }
        drawn
    }

    /// Paints what is written.
    fn paint(&mut self, view: &TextureView, has_scene: bool, written: &mut FullOutput) {
        let screen = ScreenDescriptor {
            size_in_pixels: self.surface.size(),
            pixels_per_point: written.pixels_per_point,
        };
        let shapes = std::mem::take(&mut written.shapes);
        let jobs = self.context.tessellate(shapes, written.pixels_per_point);
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
            label: Some("written"),
            color_attachments: &[Some(colour)],
            ..Default::default()
        });
        self.painter.render(&mut pass.forget_lifetime(), &jobs, &screen);
        queue.submit(first.into_iter().chain([encoder.finish()]));
    }

    /// A picture of a scene, as it is shown, without what is written.
    pub(super) fn picture(&mut self, scene: &RenderScene<'_>) -> anyhow::Result<Image> {
        let size = self.surface.size();
        let renderer = self.renderer.as_mut().context("there is nothing to draw yet")?;
        Ok(renderer.capture(scene, size).context("the graphics driver gave up")?.0)
    }
}

fn is_of_mouse(event: &WindowEvent) -> bool {
    matches!(
        event,
        WindowEvent::CursorMoved { .. }
            | WindowEvent::CursorEntered { .. }
            | WindowEvent::MouseInput { .. }
            | WindowEvent::MouseWheel { .. }
    )
}
