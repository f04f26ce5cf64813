//! Drawing on a graphics device.

mod bodies;
mod buffer;
mod content;
mod device;
mod eye;
mod frame;
mod instance_transform;
mod lamps;
mod light_flood;
mod materials;
mod models;
mod pass_state;
mod pipelines;
mod plan;
mod preparer;
mod sky;
mod skylight;
mod stage;
mod store;
#[cfg(test)]
mod surface_tests;
mod target;
mod terrain_textures;
mod transparent;
mod window_surface;

use std::sync::Arc;

use threshold_dat::Source;
use threshold_land::{Frame, Position};
use threshold_view::{Viewer, VisibleSet};
use threshold_world::{BodyId, World};
use wgpu::{Texture, TextureFormat, TextureUsages, TextureView, TextureViewDescriptor};

pub use self::device::{Gpu, GpuError, instance};
use self::frame::Recorder;
use self::materials::Materials;
use self::models::ModelKey;
use self::pipelines::{Pipelines, TargetFormat};
pub use self::preparer::{PreparedAssets, PreparedKeys, Preparer};
use self::store::{Store, Supply};
use self::target::Attachments;
use self::terrain_textures::TerrainTextures;
pub use self::window_surface::{SurfaceFrame, WindowSurface};
use crate::day::Daylight;
use crate::debug_overlay::Line;
use crate::images::Image;

/// What is drawn in place of the usual.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Textured and lit.
    #[default]
    Lit,
    /// One flat colour for each polygon of each cell, which [`flat_colour`] tells.
    Ids,
}

/// Where on the screen rooms and the landscape show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RegionMasks {
    /// In their regions, as the viewer sees them.
    #[default]
    Applied,
    /// Everywhere: what was seen by somebody else, looked at from where the viewer is.
    Ignored,
}

/// A picture to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct RenderScene<'a> {
    /// What is resident.
    pub world: &'a World,
    /// Who looks.
    pub viewer: &'a Viewer,
    /// What is seen from there.
    pub seen: &'a VisibleSet,
    /// Light and sky.
    pub daylight: &'a Daylight,
    /// Seconds, for what moves by itself: water.
    pub seconds: f32,
    /// How it is drawn.
    pub style: Style,
    /// How bodies hold their parts; those that are not named stand as the world has them.
    pub poses: &'a [BodyPose<'a>],
    /// A body that is not drawn: the viewer's own.
    pub hidden: Option<BodyId>,
    /// DrawStats over everything: debug layers.
    pub lines: &'a [Line],
    /// Whether things show only through the openings they are seen through.
    pub masks: RegionMasks,
    /// What shows where nothing is drawn, as light; a screaming colour finds holes.
    pub clear: [f64; 3],
}

/// How a body holds its parts.
#[derive(Clone, Copy, Debug)]
pub struct BodyPose<'a> {
    /// Which one.
    pub body: BodyId,
    /// A frame for each part, in the space of the body.
    pub parts: &'a [Frame],
    /// Where it is shown, if that is not where it is: between two ticks.
    pub shown: Option<Position>,
}

/// A picture on the device.
#[derive(Debug)]
pub struct Canvas {
    view: TextureView,
    texture: Texture,
}

impl Canvas {
    /// What [`Renderer::draw`] draws into.
    pub fn view(&self) -> &TextureView {
        &self.view
    }
}

/// How much was drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DrawStats {
    /// Regions of the screen.
    pub regions: usize,
    /// Calls of the device.
    pub calls: usize,
    /// Triangles, once for each region they were drawn in.
    pub triangles: u64,
}

/// Draws a world.
pub struct Renderer {
    gpu: Arc<Gpu>,
    source: Arc<dyn Source>,
    paper: TargetFormat,
    pipelines: Pipelines,
    materials: Materials,
    grounds: TerrainTextures,
    store: Store,
    recorder: Recorder,
    sheet: Option<Attachments>,
    memory: Option<PreparedKeys>,
}

impl std::fmt::Debug for Renderer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Renderer").field("gpu", &self.gpu.name).finish_non_exhaustive()
    }
}

impl Renderer {
    /// Draws records of `source` as pictures in memory; `samples` a pixel, 1 or 4.
    pub fn headless(gpu: Arc<Gpu>, source: Arc<dyn Source>, samples: u32) -> Self {
        Self::new(gpu, source, target::FORMAT, samples)
    }

    /// Draws records of `source` into textures of a format.
    pub fn new(
        gpu: Arc<Gpu>,
        source: Arc<dyn Source>,
        format: TextureFormat,
        samples: u32,
    ) -> Self {
        let paper = TargetFormat { format, samples };
        let pipelines = Pipelines::new(&gpu, paper);
        let grounds = TerrainTextures::new(&gpu, &pipelines.layouts.grounds, &*source);
        let materials = Materials::new(&gpu, &pipelines.layouts.pictures);
        let recorder = Recorder::new(&gpu, &pipelines.layouts);
        let (store, sheet, memory) = (Store::default(), None, None);
        Self { gpu, source, paper, pipelines, materials, grounds, store, recorder, sheet, memory }
    }

    /// What could not be read so far, and shows as something plain.
    pub fn faults(&self) -> impl Iterator<Item = &str> {
        let Self { grounds, materials, store, .. } = self;
        let all = grounds.faults.iter().chain(&materials.faults).chain(&store.models.faults);
        all.map(String::as_str)
    }

    /// Makes the device know what is resident. [`draw`](Self::draw) does so too.
    pub fn refresh(&mut self, world: &World) {
        let (store, mut supply) = self.supply(world);
        store.refresh(&mut supply);
    }

    /// Says to who reads ahead what was given up, so that it is read again when it comes back.
    pub fn share_prepared_keys(&mut self, keys: PreparedKeys) {
        self.memory = Some(keys);
    }

    /// Takes what was read ahead, so that [`refresh`](Self::refresh) need not read it.
    pub fn add_prepared(&mut self, prepared: PreparedAssets) {
        let PreparedAssets { models, surfaces } = prepared;
        models.into_iter().for_each(|(key, mesh)| self.store.models.take(key, mesh));
        surfaces.into_iter().for_each(|(id, painted)| self.materials.take(id, painted));
    }

    /// Draws into a texture of the format that was said, so many pixels wide and high. Nothing is drawn if that is 0, as of a window
    /// that is folded away, or more than the device can draw.
    pub fn draw(
        &mut self,
        scene: &RenderScene<'_>,
        colour: &TextureView,
        size: [u32; 2],
    ) -> DrawStats {
        if !target::can_draw(&self.gpu, size) {
            return DrawStats::default();
        }
        let most = scene.lines.len().min(plan::MAX_LINES);
        let scene = &RenderScene { lines: &scene.lines[..most], ..*scene };
        self.refresh(scene.world);
        self.load_moving(scene);
        let TargetFormat { format, samples } = self.paper;
        if self.sheet.as_ref().is_none_or(|sheet| sheet.size != size) {
            self.sheet = Some(Attachments::new(&self.gpu, size, format, samples));
        }
        let Self { gpu, pipelines, materials, grounds, store, recorder, sheet, .. } = self;
        let Some(sheet) = sheet else { return DrawStats::default() };
        let on = frame::DrawResources { gpu, pipelines, materials, grounds, store, sheet, colour };
        recorder.record(&on, scene)
    }

    /// Models of the sky and of bodies are read when they are first seen.
    fn load_moving(&mut self, scene: &RenderScene<'_>) {
        let (store, mut supply) = self.supply(scene.world);
        for part in scene.world.bodies().flat_map(|body| &body.setup().parts) {
            store.model(&mut supply, ModelKey::Model(part.model.id));
        }
        for thing in &scene.daylight.objects {
            store.read_assembly(&mut supply, thing.model);
        }
    }

    fn supply<'a>(&'a mut self, world: &'a World) -> (&'a mut Store, Supply<'a>) {
        let supply = Supply {
            gpu: &self.gpu,
            source: &*self.source,
            world,
            materials: &mut self.materials,
            masks: &self.grounds.masks,
            lamp_layout: &self.pipelines.layouts.lamps,
            memory: self.memory.as_ref(),
        };
        (&mut self.store, supply)
    }

    /// A picture that stays on the device, to be drawn into again and again; as nearly of that size as the device can draw.
    pub fn canvas(&self, size: [u32; 2]) -> Canvas {
        let longest = self.gpu.device.limits().max_texture_dimension_2d;
        let size = size.map(|side| side.clamp(1, longest));
        let usage = TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC;
        let texture = target::texture(&self.gpu, size, self.paper.format, 1, usage);
        Canvas { view: texture.create_view(&TextureViewDescriptor::default()), texture }
    }

    /// All triangles of everything that is resident: what would be drawn if nobody asked what is seen.
    pub fn triangles(&self) -> u64 {
        let Store { lands, rooms, .. } = &self.store;
        lands.values().chain(rooms.values()).map(|stage| stage.triangles).sum()
    }

    /// Draws a picture in memory; `None` if the device was lost or refused something, which [`Gpu::check`] tells, or cannot draw
    /// pictures of that size.
    pub fn capture(
        &mut self,
        scene: &RenderScene<'_>,
        size: [u32; 2],
    ) -> Option<(Image, DrawStats)> {
        if !target::can_read(&self.gpu, size) || self.gpu.check().is_err() {
            return None;
        }
        let Canvas { view, texture } = self.canvas(size);
        let drawn = self.draw(scene, &view, size);
        Some((target::read(&self.gpu, &texture, size)?, drawn))
    }
}

/// The colour that [`Style::Ids`] gives a polygon of a cell; of the landscape, the cell is the landblock itself for the ground,
/// whose triangles are counted as in the landblock.
pub fn flat_colour(cell: u32, polygon: u32) -> [u8; 3] {
    let mut hash = cell.wrapping_mul(0x9E37_79B1).wrapping_add(polygon.wrapping_mul(0x85EB_CA77));
    hash = (hash ^ hash >> 15).wrapping_mul(0x2C1B_3C6D);
    hash = (hash ^ hash >> 12).wrapping_mul(0x297A_2D39);
    hash ^= hash >> 15;
    let [r, g, b, _] = hash.to_le_bytes();
    [r, g, b]
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_view::{Lens, PortalWalk, ViewScratch};
    use threshold_world::{BodySpec, Builder, ObjectKind, PieceId, State};

    #[test]
    fn rooms_that_come_and_go_are_not_kept_again_and_again() {
        let source = Arc::new(threshold_forge::samples::two_rooms().unwrap());
        let builder = Builder::shared(source.clone());
        let mut world = World::new();
        let gpu = Gpu::headless().unwrap_or_else(|error| panic!("{error}"));
        let mut renderer = Renderer::headless(Arc::new(gpu), source, 1);
        let pieces = builder.pieces();
        let mut models = Vec::new();
        for _ in 0..3 {
            for piece in &pieces {
                world.adopt(builder.build(*piece).unwrap().unwrap().piece);
            }
            renderer.refresh(&world);
            models.push(renderer.store.models.len());
            world.drop_unheld();
            assert!(!pieces.iter().any(|piece: &PieceId| world.has(*piece)));
            renderer.refresh(&world);
            assert_eq!(renderer.triangles(), 0);
        }
        assert_eq!(models, [2; 3], "two rooms");
    }

    const HERE: Position =
        Position::new(threshold_land::CellId(0xA9B4_0001), threshold_land::glam::Vec3::ONE);

    fn scene<'a>(
        world: &'a World,
        viewer: &'a Viewer,
        seen: &'a VisibleSet,
        day: &'a Daylight,
    ) -> RenderScene<'a> {
        RenderScene {
            world,
            viewer,
            seen,
            daylight: day,
            seconds: 0.0,
            style: Style::Lit,
            poses: &[],
            hidden: None,
            lines: &[],
            masks: RegionMasks::Applied,
            clear: [0.0; 3],
        }
    }

    fn renderer() -> (Arc<Gpu>, Renderer) {
        let source = Arc::new(threshold_forge::samples::two_rooms().unwrap());
        let gpu = Arc::new(Gpu::headless().unwrap_or_else(|error| panic!("{error}")));
        (Arc::clone(&gpu), Renderer::headless(gpu, source, 1))
    }

    #[test]
    fn pictures_of_impossible_sizes_were_refused_by_the_device() {
        let (gpu, mut renderer) = renderer();
        let (world, day, mut scratch) = (World::new(), Daylight::plain(), ViewScratch::new());
        let viewer = Viewer::at(&HERE, Lens::default()).unwrap();
        let seen = PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer);
        let scene = scene(&world, &viewer, seen, &day);
        let long = gpu.device.limits().max_texture_dimension_2d + 1;
        for size in [[0, 8], [8, 0], [long, 1], [1, long], [u32::MAX, u32::MAX]] {
            assert!(renderer.capture(&scene, size).is_none(), "{size:?}");
            let canvas = renderer.canvas(size.map(|side| side.min(long).min(8)));
            assert_eq!(renderer.draw(&scene, canvas.view(), size), DrawStats::default());
        }
        assert!(renderer.canvas([0, long]).texture.height() < long);
        gpu.check().unwrap();
        assert!(renderer.capture(&scene, [8, 8]).is_some());
    }

    #[test]
    fn a_device_that_had_refused_something_was_still_asked_for_pictures() {
        let (gpu, mut renderer) = renderer();
        let (world, day, mut scratch) = (World::new(), Daylight::plain(), ViewScratch::new());
        let viewer = Viewer::at(&HERE, Lens::default()).unwrap();
        let seen = PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer);
        let scene = scene(&world, &viewer, seen, &day);
        target::texture(&gpu, [0, 0], target::FORMAT, 1, TextureUsages::COPY_SRC);
        assert!(gpu.check().is_err());
        assert!(renderer.capture(&scene, [8, 8]).is_none());
    }

    #[test]
    fn models_of_bodies_counted_as_unused() {
        let source = Arc::new(threshold_forge::samples::two_rooms().unwrap());
        let builder = Builder::shared(source.clone());
        let gpu = Arc::new(Gpu::headless().unwrap_or_else(|error| panic!("{error}")));
        let mut renderer = Renderer::headless(gpu, source, 1);
        let mut world = World::new();
        let setup = builder.setup(threshold_forge::MOVER).unwrap();
        let (position, scale, state) = (HERE, 1.0, State::default());
        let (body, kind) = (BodyId(1), ObjectKind::default());
        world.insert(BodySpec { body, setup, position, scale, state, kind });
        let (day, mut scratch) = (Daylight::plain(), ViewScratch::new());
        let viewer = Viewer::at(&HERE, Lens::default()).unwrap();
        let seen = PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer);
        renderer.load_moving(&scene(&world, &viewer, seen, &day));
        assert!(renderer.store.models.len() > 0);
        assert_eq!(renderer.store.used(&world).len(), renderer.store.models.len());
    }
}
