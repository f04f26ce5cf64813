//! Recording of a frame: the draw list, executed with wgpu.

use threshold_land::vector::Vec3;
use threshold_view::{DrawAction, DrawList, DrawSettings, DrawStep, RegionContent};
use threshold_visuals::light::Lights;
use wgpu::{
    BindGroup, BindGroupDescriptor, BindGroupEntry, Buffer, BufferDescriptor, BufferUsages, Color,
    CommandEncoderDescriptor, LoadOp, Operations, RenderPassColorAttachment,
    RenderPassDepthStencilAttachment, RenderPassDescriptor, StoreOp, TextureView,
};

use super::buffer::GrowableBuffer;
use super::content::Tile;
use super::instance_transform::INSTANCE_BYTES;
use super::lamps::light_words;
use super::materials::Materials;
use super::pass_state::PassState;
use super::pipelines::{LINE_VERTEX_BYTES, Layouts, Pipelines, REGION_VERTEX_BYTES};
use super::plan::{FRAME, OPENING, PLACE, PlaceKey, Plan, STRIDE, frame_words};
use super::sky::sky_transforms;
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
    pub(super) terrain_textures: &'a TerrainTextures,
    pub(super) store: &'a Store,
    pub(super) attachments: &'a Attachments,
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
    pub(super) transparent: Vec<TransparentDraw>,
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
            dark: lamp_group(gpu, &layouts.lamps, &light_words(&Lights::default(), nowhere)),
            corners: GrowableBuffer::new(
                INITIAL_CAPACITY * INITIAL_CAPACITY * REGION_VERTEX_BYTES,
                BufferUsages::VERTEX,
            ),
            sky: GrowableBuffer::new(INITIAL_CAPACITY * INSTANCE_BYTES, BufferUsages::VERTEX),
            bodies: GrowableBuffer::new(INITIAL_CAPACITY * INSTANCE_BYTES, BufferUsages::VERTEX),
            lines: GrowableBuffer::new(INITIAL_CAPACITY * LINE_VERTEX_BYTES, BufferUsages::VERTEX),
            draws: DrawList::new(),
            tiles: Vec::new(),
            transparent: Vec::new(),
        }
    }

    pub(super) fn record(
        &mut self,
        resources: &DrawResources<'_>,
        scene: &RenderScene<'_>,
    ) -> DrawStats {
        let mut draws = std::mem::take(&mut self.draws);
        let settings = DrawSettings::new(scene.viewer, resources.attachments.size);
        match scene.masks {
            RegionMasks::Applied => draws.build(scene.world, scene.viewer, scene.seen, &settings),
            RegionMasks::Ignored => draws.build_unmasked(scene.viewer, scene.seen, &settings),
        }
        let stats = self.execute(&Plan::new(resources, scene, &draws));
        self.draws = draws;
        stats
    }

    /// Executes the draw list of a frame.
    fn execute(&mut self, plan: &Plan<'_>) -> DrawStats {
        let Plan { resources, scene, .. } = *plan;
        self.upload(plan);
        let mut encoder =
            resources.gpu.device.create_command_encoder(&CommandEncoderDescriptor::default());
        let mut render_pass = encoder.begin_render_pass(&RenderPassDescriptor {
            label: Some("frame"),
            color_attachments: &[Some(attachment(resources, scene))],
            depth_stencil_attachment: Some(depths(resources.attachments)),
            ..Default::default()
        });
        let mut pass = PassState::new(&mut render_pass);
        pass.stats.regions = plan.draws.regions().len();
        self.draw(&mut pass, plan);
        self.overlay(&mut pass, plan);
        let stats = pass.stats;
        drop(render_pass);
        resources.gpu.queue.submit([encoder.finish()]);
        stats
    }

    /// Uploads the data of a frame.
    fn upload(&mut self, plan: &Plan<'_>) {
        let DrawResources { gpu, pipelines, .. } = plan.resources;
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
        self.sky.put(gpu, bytemuck::cast_slice(&sky_transforms(plan)));
        self.bodies.put(gpu, bytemuck::cast_slice(&plan.bodies.instances));
        self.lines.put(gpu, bytemuck::cast_slice(&plan.lines()));
    }

    fn draw(&mut self, pass: &mut PassState<'_, '_>, plan: &Plan<'_>) {
        for step in plan.draws.steps() {
            let (Some(frame), Some(places)) = (&self.frame_group, &self.places_group) else {
                break;
            };
            let DrawStep { action, region, level } = *step;
            let number = u32::try_from(region).unwrap_or(0);
            pass.set_bind_group_at(0, frame, number * STRIDE);
            pass.set_scissor_rect(plan.draws.region(region).scissor());
            match action {
                DrawAction::Enter => {
                    if level > 0 {
                        pass.set_bind_group_at(1, places, 0);
                    }
                    self.enter(pass, plan, region, level);
                }
                DrawAction::Draw => {
                    pass.set_stencil_reference(level);
                    self.content(pass, plan, region);
                }
                DrawAction::Leave if level > 0 => {
                    pass.set_bind_group_at(1, places, 0);
                    self.leave(pass, plan, region, level);
                }
                DrawAction::Leave => {}
            }
        }
    }

    /// Marks a region in the mask, resets the depth there, and fills it.
    fn enter(&self, pass: &mut PassState<'_, '_>, plan: &Plan<'_>, region: usize, level: u32) {
        let pipelines = plan.resources.pipelines;
        if let Some(outer) = level.checked_sub(1) {
            pass.set_stencil_reference(outer);
            pass.set_pipeline(&pipelines.enter);
            self.fan(pass, plan, region, true);
            pass.set_stencil_reference(level);
            pass.set_pipeline(&pipelines.clear);
            self.fan(pass, plan, region, false);
        }
        pass.set_stencil_reference(level);
        self.fill(pass, plan, region);
    }

    /// Gives pixels back where nothing was drawn, and seals the portal in the others.
    fn leave(&self, pass: &mut PassState<'_, '_>, plan: &Plan<'_>, region: usize, level: u32) {
        let pipelines = plan.resources.pipelines;
        pass.set_stencil_reference(level);
        if !is_missing(plan, region) {
            pass.set_pipeline(&pipelines.give_back);
            self.fan(pass, plan, region, false);
        }
        pass.set_pipeline(&pipelines.leave);
        self.fan(pass, plan, region, true);
    }

    /// Draws the mask of a region: with depth 0, or with the seal depth if `is_out`.
    fn fan(&self, pass: &mut PassState<'_, '_>, plan: &Plan<'_>, region: usize, is_out: bool) {
        let (Some(buffer), Some(range)) = (&self.corners.buffer, plan.corners.get(region)) else {
            return;
        };
        let half = (range.end - range.start) / 2;
        let start = range.start + if is_out { half } else { 0 };
        pass.set_vertex_buffer(0, buffer);
        pass.draw_uncounted(start..start + half);
    }

    /// Fills a region with a colour, so that nothing drawn before shows where its content has gaps. The landscape has its
    /// sky.
    fn fill(&self, pass: &mut PassState<'_, '_>, plan: &Plan<'_>, region: usize) {
        let place = match plan.draws.region(region).content() {
            _ if plan.scene.style == Style::Ids => return,
            RegionContent::Room(cell) => PlaceKey::Room(cell),
            RegionContent::NotResident(_) => PlaceKey::Nowhere,
            RegionContent::Landscape => return,
        };
        let Some(places) = &self.places_group else { return };
        pass.set_bind_group_at(1, places, plan.place_of(place));
        pass.set_pipeline(&plan.resources.pipelines.fill);
        self.fan(pass, plan, region, false);
    }

    /// Draws the content of a region.
    fn content(&mut self, pass: &mut PassState<'_, '_>, plan: &Plan<'_>, region: usize) {
        match plan.draws.region(region).content() {
            RegionContent::Room(cell) => self.room(pass, plan, region, cell),
            RegionContent::Landscape => self.landscape(pass, plan, region),
            RegionContent::NotResident(_) => {}
        }
    }

    /// Draws debug lines over the frame.
    fn overlay(&self, pass: &mut PassState<'_, '_>, plan: &Plan<'_>) {
        let (Some(lines), Some(frame)) = (&self.lines.buffer, &self.frame_group) else { return };
        let Some(places) = self.places_group.as_ref().filter(|_| !plan.scene.lines.is_empty())
        else {
            return;
        };
        let [width, height] = plan.resources.attachments.size;
        pass.set_scissor_rect([0..width, 0..height]);
        pass.set_stencil_reference(0);
        pass.set_bind_group_at(0, frame, 0);
        pass.set_bind_group_at(1, places, 0);
        pass.set_pipeline(&plan.resources.pipelines.lines);
        pass.set_vertex_buffer(0, lines);
        pass.draw_uncounted(0..2 * u32::try_from(plan.scene.lines.len()).unwrap_or(0));
        pass.stats.calls += 1;
    }
}

/// Whether the room of a region is unknown; then nothing behind it shows either.
fn is_missing(plan: &Plan<'_>, region: usize) -> bool {
    match plan.draws.region(region).content() {
        RegionContent::NotResident(_) => true,
        RegionContent::Room(cell) => !plan.resources.store.rooms.contains_key(&cell),
        RegionContent::Landscape => false,
    }
}

fn attachment<'a>(
    resources: &DrawResources<'a>,
    scene: &RenderScene<'_>,
) -> RenderPassColorAttachment<'a> {
    let [r, g, b] = scene.clear;
    let (view, resolve_target) = match &resources.attachments.samples {
        Some(samples) => (samples, Some(resources.colour)),
        None => (resources.colour, None),
    };
    RenderPassColorAttachment {
        view,
        depth_slice: None,
        resolve_target,
        ops: Operations { load: LoadOp::Clear(Color { r, g, b, a: 1.0 }), store: StoreOp::Store },
    }
}

fn depths(attachments: &Attachments) -> RenderPassDepthStencilAttachment<'_> {
    RenderPassDepthStencilAttachment {
        view: &attachments.depth,
        depth_ops: Some(Operations { load: LoadOp::Clear(0.0), store: StoreOp::Discard }),
        stencil_ops: Some(Operations { load: LoadOp::Clear(0), store: StoreOp::Discard }),
    }
}
