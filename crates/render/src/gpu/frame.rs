//! Recording of a frame: the draw list, executed with wgpu.

use threshold_land::glam::Vec3;
use threshold_view::{DrawAction, DrawList, DrawSettings, DrawStep, RegionContent};
use wgpu::{
    BindGroup, BindGroupDescriptor, BindGroupEntry, Buffer, BufferDescriptor, BufferUsages, Color,
    CommandEncoderDescriptor, LoadOp, Operations, RenderPassColorAttachment,
    RenderPassDepthStencilAttachment, RenderPassDescriptor, StoreOp, TextureView,
};

use super::buffer::GrowableBuffer;
use super::content::Tile;
use super::instance_transform::INSTANCE_BYTES;
use super::lamps::Lights;
use super::materials::Materials;
use super::pass_state::PassState;
use super::pipelines::{LINE_END, Layouts, Pipelines, REGION_CORNER};
use super::plan::{FRAME, OPENING, PLACE, Plan, STRIDE, Where, frame_words};
use super::sky::sky_stances;
use super::stage::lamp_group;
use super::store::Store;
use super::target::Attachments;
use super::terrain_textures::TerrainTextures;
use super::transparent::TransparentDraw;
use super::{DrawStats, Gpu, RegionMasks, RenderScene, Style};

/// Initial capacity of the buffers, in elements.
const INITIAL_CAPACITY: u64 = 64;

/// Resources of a frame, and its target.
pub(super) struct DrawResources<'a> {
    pub(super) gpu: &'a Gpu,
    pub(super) pipelines: &'a Pipelines,
    pub(super) materials: &'a Materials,
    pub(super) grounds: &'a TerrainTextures,
    pub(super) store: &'a Store,
    pub(super) sheet: &'a Attachments,
    pub(super) colour: &'a TextureView,
}

/// Buffers that are kept from frame to frame.
#[derive(Debug)]
pub(super) struct Recorder {
    frame: Buffer,
    frame_group: Option<BindGroup>,
    openings: GrowableBuffer,
    places: GrowableBuffer,
    pub(super) places_group: Option<BindGroup>,
    /// Lamps of a place without light.
    pub(super) dark: BindGroup,
    corners: GrowableBuffer,
    pub(super) sky: GrowableBuffer,
    pub(super) bodies: GrowableBuffer,
    lines: GrowableBuffer,
    draws: DrawList,
    pub(super) tiles: Vec<Tile>,
    pub(super) sheer: Vec<TransparentDraw>,
}

impl Recorder {
    pub(super) fn new(gpu: &Gpu, layouts: &Layouts) -> Self {
        let frame = gpu.device.create_buffer(&BufferDescriptor {
            label: Some("frame"),
            size: FRAME,
            usage: BufferUsages::UNIFORM | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let nowhere = [Vec3::ZERO; 2];
        Self {
            frame,
            frame_group: None,
            openings: GrowableBuffer::new(
                INITIAL_CAPACITY * u64::from(STRIDE),
                BufferUsages::UNIFORM,
            ),
            places: GrowableBuffer::new(
                INITIAL_CAPACITY * u64::from(STRIDE),
                BufferUsages::UNIFORM,
            ),
            places_group: None,
            dark: lamp_group(gpu, &layouts.lamps, &Lights::default().words(nowhere)),
            corners: GrowableBuffer::new(
                INITIAL_CAPACITY * INITIAL_CAPACITY * REGION_CORNER,
                BufferUsages::VERTEX,
            ),
            sky: GrowableBuffer::new(INITIAL_CAPACITY * INSTANCE_BYTES, BufferUsages::VERTEX),
            bodies: GrowableBuffer::new(INITIAL_CAPACITY * INSTANCE_BYTES, BufferUsages::VERTEX),
            lines: GrowableBuffer::new(INITIAL_CAPACITY * LINE_END, BufferUsages::VERTEX),
            draws: DrawList::new(),
            tiles: Vec::new(),
            sheer: Vec::new(),
        }
    }

    pub(super) fn record(&mut self, on: &DrawResources<'_>, scene: &RenderScene<'_>) -> DrawStats {
        let mut draws = std::mem::take(&mut self.draws);
        let settings = DrawSettings::new(scene.viewer, on.sheet.size);
        match scene.masks {
            RegionMasks::Applied => draws.build(scene.world, scene.viewer, scene.seen, &settings),
            RegionMasks::Ignored => draws.build_unmasked(scene.viewer, scene.seen, &settings),
        }
        let drawn = self.execute(&Plan::new(on, scene, &draws));
        self.draws = draws;
        drawn
    }

    /// Executes the draw list of a frame.
    fn execute(&mut self, plan: &Plan<'_>) -> DrawStats {
        let Plan { on, scene, .. } = *plan;
        self.upload(plan);
        let mut encoder =
            on.gpu.device.create_command_encoder(&CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_render_pass(&RenderPassDescriptor {
            label: Some("frame"),
            color_attachments: &[Some(attachment(on, scene))],
            depth_stencil_attachment: Some(depths(on.sheet)),
            ..Default::default()
        });
        let mut pen = PassState::new(&mut pass);
        pen.drawn.regions = plan.draws.regions().len();
        self.draw(&mut pen, plan);
        self.overlay(&mut pen, plan);
        let drawn = pen.drawn;
        drop(pass);
        on.gpu.queue.submit([encoder.finish()]);
        drawn
    }

    /// Uploads the data of a frame.
    fn upload(&mut self, plan: &Plan<'_>) {
        let DrawResources { gpu, pipelines, .. } = plan.on;
        let layouts = &pipelines.layouts;
        let frame = frame_words(&plan.eye, plan.scene);
        gpu.queue.write_buffer(&self.frame, 0, bytemuck::cast_slice(&frame));
        let group = |layout, entries: &[BindGroupEntry<'_>]| {
            let label = None;
            gpu.device.create_bind_group(&BindGroupDescriptor { label, layout, entries })
        };
        if self.openings.put(gpu, &plan.clip_plane_words()) {
            self.frame_group = self.openings.part(OPENING).map(|opening| {
                let frame = self.frame.as_entire_binding();
                let entries = [(0, frame), (1, opening)];
                let entries =
                    entries.map(|(binding, resource)| BindGroupEntry { binding, resource });
                group(&layouts.frame, &entries)
            });
        }
        if self.places.put(gpu, &plan.place_words) {
            self.places_group = self
                .places
                .part(PLACE)
                .map(|resource| group(&layouts.place, &[BindGroupEntry { binding: 0, resource }]));
        }
        self.corners.put(gpu, bytemuck::cast_slice(&plan.corner_words));
        self.sky.put(gpu, bytemuck::cast_slice(&sky_stances(plan)));
        self.bodies.put(gpu, bytemuck::cast_slice(&plan.bodies.stances));
        self.lines.put(gpu, bytemuck::cast_slice(&plan.lines()));
    }

    fn draw(&mut self, pen: &mut PassState<'_, '_>, plan: &Plan<'_>) {
        for step in plan.draws.steps() {
            let (Some(frame), Some(places)) = (&self.frame_group, &self.places_group) else {
                break;
            };
            let DrawStep { action, region, level } = *step;
            let number = u32::try_from(region).unwrap_or(0);
            pen.group_at(0, frame, number * STRIDE);
            pen.pixels(plan.draws.region(region).scissor());
            match action {
                DrawAction::Enter => {
                    if level > 0 {
                        pen.group_at(1, places, 0);
                    }
                    self.enter(pen, plan, (region, level));
                }
                DrawAction::Draw => {
                    pen.mask(level);
                    self.content(pen, plan, region);
                }
                DrawAction::Leave if level > 0 => {
                    pen.group_at(1, places, 0);
                    self.leave(pen, plan, (region, level));
                }
                DrawAction::Leave => {}
            }
        }
    }

    /// Marks a region in the mask, resets the depth there, and fills it.
    fn enter(&self, pen: &mut PassState<'_, '_>, plan: &Plan<'_>, (region, level): (usize, u32)) {
        let pipelines = plan.on.pipelines;
        if let Some(outer) = level.checked_sub(1) {
            pen.mask(outer);
            pen.pipeline(&pipelines.enter);
            self.fan(pen, plan, region, true);
            pen.mask(level);
            pen.pipeline(&pipelines.clear);
            self.fan(pen, plan, region, false);
        }
        pen.mask(level);
        self.fill(pen, plan, region);
    }

    /// Gives pixels back where nothing was drawn, and seals the portal in the others.
    fn leave(&self, pen: &mut PassState<'_, '_>, plan: &Plan<'_>, (region, level): (usize, u32)) {
        let pipelines = plan.on.pipelines;
        pen.mask(level);
        if !is_missing(plan, region) {
            pen.pipeline(&pipelines.give_back);
            self.fan(pen, plan, region, false);
        }
        pen.pipeline(&pipelines.leave);
        self.fan(pen, plan, region, true);
    }

    /// Draws the mask of a region: with depth 0, or with the seal depth if `is_out`.
    fn fan(&self, pen: &mut PassState<'_, '_>, plan: &Plan<'_>, region: usize, is_out: bool) {
        let (Some(buffer), Some(range)) = (&self.corners.buffer, plan.corners.get(region)) else {
            return;
        };
        let half = (range.end - range.start) / 2;
        let start = range.start + if is_out { half } else { 0 };
        pen.buffer(0, buffer);
        pen.mark(start..start + half);
    }

    /// Fills a region with a colour, so that nothing drawn before shows where its content has gaps. The landscape has its
    /// sky.
    fn fill(&self, pen: &mut PassState<'_, '_>, plan: &Plan<'_>, region: usize) {
        let place = match plan.draws.region(region).content() {
            _ if plan.scene.style == Style::Ids => return,
            RegionContent::Room(cell) => Where::Room(cell),
            RegionContent::NotResident(_) => Where::Nowhere,
            RegionContent::Landscape => return,
        };
        let Some(places) = &self.places_group else { return };
        pen.group_at(1, places, plan.place_of(place));
        pen.pipeline(&plan.on.pipelines.fill);
        self.fan(pen, plan, region, false);
    }

    /// Draws the content of a region.
    fn content(&mut self, pen: &mut PassState<'_, '_>, plan: &Plan<'_>, region: usize) {
        match plan.draws.region(region).content() {
            RegionContent::Room(cell) => self.room(pen, plan, region, cell),
            RegionContent::Landscape => self.landscape(pen, plan, region),
            RegionContent::NotResident(_) => {}
        }
    }

    /// Draws debug lines over the frame.
    fn overlay(&self, pen: &mut PassState<'_, '_>, plan: &Plan<'_>) {
        let (Some(lines), Some(frame)) = (&self.lines.buffer, &self.frame_group) else { return };
        let Some(places) = self.places_group.as_ref().filter(|_| !plan.scene.lines.is_empty())
        else {
            return;
        };
        let [width, height] = plan.on.sheet.size;
        pen.pixels([0..width, 0..height]);
        pen.mask(0);
        pen.group_at(0, frame, 0);
        pen.group_at(1, places, 0);
        pen.pipeline(&plan.on.pipelines.lines);
        pen.buffer(0, lines);
        pen.mark(0..2 * u32::try_from(plan.scene.lines.len()).unwrap_or(0));
        pen.drawn.calls += 1;
    }
}

/// Whether the room of a region is unknown; then nothing behind it shows either.
fn is_missing(plan: &Plan<'_>, region: usize) -> bool {
    match plan.draws.region(region).content() {
        RegionContent::NotResident(_) => true,
        RegionContent::Room(cell) => !plan.on.store.rooms.contains_key(&cell),
        RegionContent::Landscape => false,
    }
}

fn attachment<'a>(
    on: &DrawResources<'a>,
    scene: &RenderScene<'_>,
) -> RenderPassColorAttachment<'a> {
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

fn depths(sheet: &Attachments) -> RenderPassDepthStencilAttachment<'_> {
    RenderPassDepthStencilAttachment {
        view: &sheet.depth,
        depth_ops: Some(Operations { load: LoadOp::Clear(0.0), store: StoreOp::Discard }),
        stencil_ops: Some(Operations { load: LoadOp::Clear(0), store: StoreOp::Discard }),
    }
}
