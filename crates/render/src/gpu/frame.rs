//! One picture: what is told to the device, step by step.

use std::ops::Range;

use threshold_view::Target;
use wgpu::{
    AddressMode, BindGroup, BindGroupDescriptor, BindGroupEntry, BindingResource, Buffer,
    BufferBinding, BufferDescriptor, BufferUsages, Color, CommandEncoderDescriptor, LoadOp,
    Operations, RenderPass, RenderPassColorAttachment, RenderPassDepthStencilAttachment,
    RenderPassDescriptor, StoreOp, TextureView,
};

use super::grounds::{Grounds, smooth_sampler};
use super::materials::{Blend, Materials};
use super::order::{Step, steps};
use super::pipelines::{LINE_END, Layouts, Pipelines};
use super::plan::{PLACE, PLACE_STRIDE, Plan, Where, frame_words, sky_rows};
use super::store::{Stage, Store};
use super::target::Sheet;
use super::{Drawn, Gpu, Scene, Style};
use crate::day::Properties;

/// Places, corners of regions and stances of the sky that there is room for at first.
const PLACES: u64 = 64;
const CORNERS: u64 = 4096;
const STANCES: u64 = 64;
const LINES: u64 = 256;

/// What a picture is drawn with, and onto what.
pub(super) struct On<'a> {
    pub(super) gpu: &'a Gpu,
    pub(super) pipelines: &'a Pipelines,
    pub(super) grounds: &'a Grounds,
    pub(super) store: &'a Store,
    pub(super) sheet: &'a Sheet,
    pub(super) colour: &'a TextureView,
}

/// Which part of the sky.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sky {
    /// What hangs in it.
    Behind,
    /// What falls from it.
    Before,
}

/// What is kept from picture to picture.
#[derive(Debug)]
pub(super) struct Recorder {
    frame: Buffer,
    frame_group: BindGroup,
    look: Buffer,
    look_group: BindGroup,
    materials: Option<BindGroup>,
    places: Grown,
    places_group: Option<BindGroup>,
    corners: Grown,
    sky: Grown,
    bodies: Grown,
    lines: Grown,
    steps: Vec<Step>,
}

/// A buffer that grows.
#[derive(Debug)]
struct Grown {
    buffer: Option<Buffer>,
    usage: BufferUsages,
    room: u64,
}

impl Grown {
    fn new(room: u64, usage: BufferUsages) -> Self {
        Self { buffer: None, usage: usage | BufferUsages::COPY_DST, room }
    }

    /// Puts bytes into it; whether it was made anew.
    fn put(&mut self, gpu: &Gpu, bytes: &[u8]) -> bool {
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
}

impl Recorder {
    pub(super) fn new(gpu: &Gpu, layouts: &Layouts) -> Self {
        let uniform = |label: &str, size: u64| {
            gpu.device.create_buffer(&BufferDescriptor {
                label: Some(label),
                size,
                usage: BufferUsages::UNIFORM | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        let (frame, look) = (uniform("frame", 160), uniform("look", 48));
        let group = |layout, buffer: &Buffer| {
            let entry = BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() };
            gpu.device.create_bind_group(&BindGroupDescriptor {
                label: None,
                layout,
                entries: &[entry],
            })
        };
        Self {
            frame_group: group(&layouts.frame, &frame),
            look_group: group(&layouts.look, &look),
            frame,
            look,
            materials: None,
            places: Grown::new(PLACES * u64::from(PLACE_STRIDE), BufferUsages::UNIFORM),
            places_group: None,
            corners: Grown::new(CORNERS * 20, BufferUsages::VERTEX),
            sky: Grown::new(STANCES * 48, BufferUsages::VERTEX),
            bodies: Grown::new(STANCES * 48, BufferUsages::VERTEX),
            lines: Grown::new(LINES * 2 * LINE_END, BufferUsages::VERTEX),
            steps: Vec::new(),
        }
    }

    /// Binds the pictures of surfaces, again where they have moved.
    pub(super) fn bind_materials(
        &mut self,
        gpu: &Gpu,
        layouts: &Layouts,
        materials: &mut Materials,
    ) {
        if self.materials.is_some() && !materials.is_moved {
            return;
        }
        materials.is_moved = false;
        let (sampler, views) = (smooth_sampler(gpu, AddressMode::Repeat), materials.views());
        let table = materials.table().as_entire_binding();
        let mut entries = vec![
            BindGroupEntry { binding: 0, resource: table },
            BindGroupEntry { binding: 1, resource: BindingResource::Sampler(&sampler) },
        ];
        entries.extend((2..).zip(&views).map(|(binding, view)| BindGroupEntry {
            binding,
            resource: BindingResource::TextureView(view),
        }));
        self.materials = Some(gpu.device.create_bind_group(&BindGroupDescriptor {
            label: Some("materials"),
            layout: &layouts.materials,
            entries: &entries,
        }));
    }

    pub(super) fn record(&mut self, on: &On<'_>, scene: &Scene<'_>) -> Drawn {
        steps(scene.seen, &mut self.steps);
        let plan = Plan::new(on, scene);
        let gpu = on.gpu;
        let frame = frame_words(&plan.eye, scene);
        gpu.queue.write_buffer(&self.frame, 0, bytemuck::cast_slice(&frame));
        gpu.queue.write_buffer(&self.look, 0, bytemuck::cast_slice(&plan.eye.look()));
        if self.places.put(gpu, &plan.place_words) {
            self.places_group = self.places.buffer.as_ref().map(|buffer| {
                let size = std::num::NonZeroU64::new(PLACE);
                let resource = BindingResource::Buffer(BufferBinding { buffer, offset: 0, size });
                gpu.device.create_bind_group(&BindGroupDescriptor {
                    label: Some("places"),
                    layout: &on.pipelines.layouts.place,
                    entries: &[BindGroupEntry { binding: 0, resource }],
                })
            });
        }
        self.corners.put(gpu, bytemuck::cast_slice(&plan.corner_words));
        let stances: Vec<[[f32; 4]; 3]> = scene
            .daylight
            .objects
            .iter()
            .map(|thing| sky_rows(thing, scene.viewer.eye().as_vec3().z))
            .collect();
        self.sky.put(gpu, bytemuck::cast_slice(&stances));
        self.bodies.put(gpu, bytemuck::cast_slice(&plan.bodies.stances));
        self.lines.put(gpu, bytemuck::cast_slice(&plan.lines()));
        let mut encoder = gpu.device.create_command_encoder(&CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_render_pass(&RenderPassDescriptor {
            label: Some("picture"),
            color_attachments: &[Some(attachment(on, scene))],
            depth_stencil_attachment: Some(depths(on.sheet)),
            ..Default::default()
        });
        let mut drawn = self.draw(&mut pass, &plan);
        self.overlay(&mut pass, &plan, &mut drawn);
        drop(pass);
        gpu.queue.submit([encoder.finish()]);
        drawn
    }

    fn draw(&self, pass: &mut RenderPass<'_>, plan: &Plan<'_>) -> Drawn {
        let mut drawn = Drawn { regions: plan.regions.len(), ..Drawn::default() };
        let Some(places) = &self.places_group else { return drawn };
        pass.set_bind_group(0, &self.frame_group, &[]);
        pass.set_bind_group(1, places, &[0]);
        let pipelines = plan.on.pipelines;
        for step in &self.steps {
            match *step {
                Step::Enter { region, depth } => {
                    plan.scissor(pass, region);
                    pass.set_stencil_reference(depth - 1);
                    pass.set_pipeline(&pipelines.enter);
                    self.fan(pass, plan, region, false);
                }
                Step::Draw { region, depth } => {
                    plan.scissor(pass, region);
                    pass.set_stencil_reference(depth);
                    self.content(pass, plan, region, &mut drawn);
                }
                Step::Leave { region, depth } => {
                    plan.scissor(pass, region);
                    pass.set_stencil_reference(depth);
                    pass.set_bind_group(1, places, &[0]);
                    pass.set_pipeline(&pipelines.leave);
                    self.fan(pass, plan, region, true);
                }
            }
        }
        drawn
    }

    /// A region of the screen.
    fn fan(&self, pass: &mut RenderPass<'_>, plan: &Plan<'_>, region: usize, is_out: bool) {
        let (Some(buffer), Some(range)) = (&self.corners.buffer, plan.corners.get(region)) else {
            return;
        };
        let half = (range.end - range.start) / 2;
        let start = range.start + if is_out { half } else { 0 };
        pass.set_vertex_buffer(0, buffer.slice(..));
        pass.draw(start..start + half, 0..1);
    }

    /// What is seen in a region.
    fn content(
        &self,
        pass: &mut RenderPass<'_>,
        plan: &Plan<'_>,
        region: usize,
        drawn: &mut Drawn,
    ) {
        let Some(shown) = plan.regions.get(region) else { return };
        match shown.target() {
            Target::Cell(cell) => {
                if let Some(stage) = plan.on.store.rooms.get(&cell) {
                    self.stage(pass, plan, (Where::Room(cell), stage), drawn);
                }
            }
            Target::Outside => {
                self.sky(pass, plan, Sky::Behind, drawn);
                let visible = plan.on.store.lands.iter().filter(|(block, stage)| {
                    let offset = plan.eye.offset(block.itself());
                    !plan.eye.misses(shown, offset, stage.bounds)
                });
                for (block, stage) in visible {
                    self.stage(pass, plan, (Where::Land(*block), stage), drawn);
                }
                self.sky(pass, plan, Sky::Before, drawn);
            }
            Target::Missing(_) => {}
        }
    }

    /// The sky and what hangs in it, or what falls from it.
    fn sky(&self, pass: &mut RenderPass<'_>, plan: &Plan<'_>, which: Sky, drawn: &mut Drawn) {
        if plan.scene.style == Style::Ids {
            return;
        }
        let (pipelines, store) = (plan.on.pipelines, plan.on.store);
        let Some(places) = &self.places_group else { return };
        if which == Sky::Behind {
            pass.set_bind_group(1, places, &[0]);
            pass.set_bind_group(2, &self.look_group, &[]);
            pass.set_pipeline(&pipelines.backdrop);
            pass.draw(0..3, 0..1);
            drawn.calls += 1;
        }
        let (Some(materials), Some(stances)) = (&self.materials, &self.sky.buffer) else { return };
        pass.set_bind_group(2, materials, &[]);
        pass.set_vertex_buffer(1, stances.slice(..));
        for (number, thing) in plan.scene.daylight.objects.iter().enumerate() {
            if thing.properties.has(Properties::AFTER_LAND) != (which == Sky::Before) {
                continue;
            }
            let Some(model) = store.known_model(thing.model) else { continue };
            let Some(offset) = plan.place_of(Where::Sky(number)) else { continue };
            pass.set_bind_group(1, places, &[offset]);
            pass.set_vertex_buffer(0, model.corners.slice(..));
            let instance = u32::try_from(number).unwrap_or(0);
            let (all, added) = (0..model.blended.end, model.added.clone());
            let [plain, shining] = match which {
                Sky::Behind => [&pipelines.sky, &pipelines.sky_added],
                Sky::Before => [&pipelines.veil, &pipelines.veil_added],
            };
            for (pipeline, range) in [(plain, all), (shining, added)] {
                draw(pass, pipeline, range, instance..instance + 1, drawn);
            }
        }
    }

    /// Everything of a landblock or room: what is opaque, then the rest.
    fn stage(
        &self,
        pass: &mut RenderPass<'_>,
        plan: &Plan<'_>,
        (at, stage): (Where, &Stage),
        drawn: &mut Drawn,
    ) {
        let (Some(places), Some(materials)) = (&self.places_group, &self.materials) else { return };
        let Some(offset) = plan.place_of(at) else { return };
        let pipelines = plan.on.pipelines;
        pass.set_bind_group(1, places, &[offset]);
        if let Some((corners, count)) = &stage.ground {
            pass.set_bind_group(2, &plan.on.grounds.group, &[]);
            pass.set_vertex_buffer(0, corners.slice(..));
            draw(pass, &pipelines.ground, 0..*count, 0..1, drawn);
        }
        pass.set_bind_group(2, materials, &[]);
        self.moving(pass, plan, at, drawn);
        let Some(stances) = &stage.stances else { return };
        pass.set_vertex_buffer(1, stances.slice(..));
        for blend in [Blend::Opaque, Blend::Alpha, Blend::Additive] {
            let pipeline = pipelines.of(blend);
            for group in &stage.groups {
                let Some(model) = plan.on.store.models.get(group.model) else { continue };
                let range = model.part(blend);
                if !range.is_empty() {
                    pass.set_vertex_buffer(0, model.corners.slice(..));
                    draw(pass, pipeline, range, group.stances.clone(), drawn);
                }
            }
        }
    }
}

impl Recorder {
    /// Lines over everything.
    fn overlay(&self, pass: &mut RenderPass<'_>, plan: &Plan<'_>, drawn: &mut Drawn) {
        let Some(lines) = self.lines.buffer.as_ref().filter(|_| !plan.scene.lines.is_empty())
        else {
            return;
        };
        let [width, height] = plan.on.sheet.size;
        pass.set_scissor_rect(0, 0, width, height);
        pass.set_stencil_reference(0);
        pass.set_pipeline(&plan.on.pipelines.lines);
        pass.set_vertex_buffer(0, lines.slice(..));
        pass.draw(0..2 * u32::try_from(plan.scene.lines.len()).unwrap_or(0), 0..1);
        drawn.calls += 1;
    }

    /// The bodies in a place.
    fn moving(&self, pass: &mut RenderPass<'_>, plan: &Plan<'_>, at: Where, drawn: &mut Drawn) {
        let (Some(parts), Some(stances)) = (plan.bodies.parts.get(&at), &self.bodies.buffer) else {
            return;
        };
        pass.set_vertex_buffer(1, stances.slice(..));
        for blend in [Blend::Opaque, Blend::Alpha, Blend::Additive] {
            for (model, stance) in parts {
                let Some(model) = plan.on.store.known_model(*model) else { continue };
                pass.set_vertex_buffer(0, model.corners.slice(..));
                let pipeline = plan.on.pipelines.of(blend);
                draw(pass, pipeline, model.part(blend), *stance..*stance + 1, drawn);
            }
        }
    }
}

fn draw(
    pass: &mut RenderPass<'_>,
    pipeline: &wgpu::RenderPipeline,
    corners: Range<u32>,
    instances: Range<u32>,
    drawn: &mut Drawn,
) {
    if corners.is_empty() || instances.is_empty() {
        return;
    }
    drawn.calls += 1;
    let count = |range: &Range<u32>| u64::from(range.end - range.start);
    drawn.triangles += count(&corners) / 3 * count(&instances);
    pass.set_pipeline(pipeline);
    pass.draw(corners, instances);
}

fn attachment<'a>(on: &On<'a>, scene: &Scene<'_>) -> RenderPassColorAttachment<'a> {
    let [r, g, b] = scene.clear;
    let (view, resolve_target) = match &on.sheet.samples {
        Some(samples) => (samples, Some(on.colour)),
        None => (on.colour, None),
    };
    RenderPassColorAttachment {
        view,
        depth_slice: None,
        resolve_target,
        ops: Operations { load: LoadOp::Clear(Color { r, g, b, a: 1.0 }), store: StoreOp::Store },
    }
}

fn depths(sheet: &Sheet) -> RenderPassDepthStencilAttachment<'_> {
    RenderPassDepthStencilAttachment {
        view: &sheet.depth,
        depth_ops: Some(Operations { load: LoadOp::Clear(0.0), store: StoreOp::Discard }),
        stencil_ops: Some(Operations { load: LoadOp::Clear(0), store: StoreOp::Discard }),
    }
}
