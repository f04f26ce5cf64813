//! Draws the cell world of Asheron's Call: land, rooms, objects and sky, each within the portals that show it.
//!
//! ```text
//!  records --> threshold-visuals --> meshes, images, light --+
//!  World, VisibleSet ----------------------------------------+--> Renderer --> an image, or a window
//! ```
//!
//! The renderer draws the visible set that [`threshold_view`] computes: each room in its regions of the screen, and the
//! landscape in the regions of the portals that show it. The far side of a portal is drawn before its near side, and the
//! portal is sealed with its own depth in between. So nothing shows through a wall, and rooms may overlap. All positions
//! are relative to the eye, so precision at the edge of the map is the same as in its middle.
//!
//! ```no_run
//! use std::sync::Arc;
//! use threshold_land::CellId;
//! use threshold_land::vector::DVec3;
//! use threshold_render::{Gpu, RegionMasks, RenderScene, Renderer, Style};
//! use threshold_view::{Lens, PortalWalk, ViewScratch, Viewer};
//! use threshold_visuals::day::Daylight;
//! use threshold_world::{Builder, World};
//!
//! let source = Arc::new(threshold_forge::builtin(threshold_forge::SEED)?);
//! let builder = Builder::shared(source.clone());
//! let mut world = World::new();
//! for piece in builder.pieces() {
//!     builder.build(piece)?.into_iter().for_each(|built| world.adopt(built.piece));
//! }
//! let (eye, look) = (DVec3::new(134.5, 109.0, 41.9), DVec3::new(131.0, 100.0, 41.2));
//! let viewer = Viewer::looking_at(CellId(0xA9B4_0106), eye, look, Lens::default())?;
//! let mut scratch = ViewScratch::new();
//! let seen = PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer);
//! let mut renderer = Renderer::headless(Arc::new(Gpu::headless()?), source, 4);
//! let daylight = Daylight::plain();
//! let scene = RenderScene {
//!     world: &world,
//!     viewer: &viewer,
//!     seen,
//!     daylight: &daylight,
//!     seconds: 0.0,
//!     style: Style::Lit,
//!     poses: &[],
//!     hidden: None,
//!     lines: &[],
//!     masks: RegionMasks::default(),
//!     clear: [0.5, 0.6, 0.8],
//! };
//! let shot = renderer.capture(&scene, [1280, 720]);
//! # let _ = shot;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Meshes, images, materials, light, days and poses come from [`threshold_visuals`], which knows no graphics interface and
//! serves any renderer.
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod bodies;
mod buffer;
mod content;
mod device;
mod eye;
mod frame;
mod instance_transform;
mod lamps;
mod materials;
mod models;
mod pass_state;
mod pipelines;
mod plan;
mod preparer;
mod sky;
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
use threshold_visuals::asset::MeshKey;
use threshold_visuals::day::Daylight;
use threshold_visuals::debug_draw::DebugLine;
use threshold_visuals::images::Image;
use threshold_world::{BodyId, World};
use wgpu::{Texture, TextureFormat, TextureUsages, TextureView, TextureViewDescriptor};

pub use self::device::{Gpu, GpuError, instance};
use self::frame::Recorder;
use self::materials::Materials;
use self::pipelines::{Pipelines, TargetFormat};
pub use self::preparer::{PreparedAssets, PreparedKeys, Preparer};
use self::store::{Store, Supply};
use self::target::Attachments;
use self::terrain_textures::TerrainTextures;
pub use self::window_surface::{SurfaceFrame, WindowSurface};

/// Shading of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Textured and lit.
    #[default]
    Lit,
    /// One flat colour for each polygon of each cell; see [`flat_colour`].
    Ids,
}

/// Whether rooms and the landscape are clipped to their regions of the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RegionMasks {
    /// Clipped to their regions, as the viewer sees them.
    #[default]
    Applied,
    /// Not clipped: shows the visible set of another viewpoint from outside.
    Ignored,
}

/// Everything that determines a frame.
#[derive(Clone, Copy, Debug)]
pub struct RenderScene<'a> {
    /// World with the resident cells.
    pub world: &'a World,
    /// Eye, direction and lens.
    pub viewer: &'a Viewer,
    /// Visible set of the viewer.
    pub seen: &'a VisibleSet,
    /// Light and sky.
    pub daylight: &'a Daylight,
    /// Time in seconds for animated water.
    pub seconds: f32,
    /// Shading.
    pub style: Style,
    /// Poses of bodies; other bodies are drawn in the poses of the world.
    pub poses: &'a [BodyPose<'a>],
    /// A body that is not drawn, as the viewer's own in first person.
    pub hidden: Option<BodyId>,
    /// Lines drawn over everything: debug layers.
    pub lines: &'a [DebugLine],
    /// Whether rooms and the landscape are clipped to their regions.
    pub masks: RegionMasks,
    /// Clear colour, linear RGB. A signal colour reveals holes.
    pub clear: [f64; 3],
}

/// Pose of a body.
#[derive(Clone, Copy, Debug)]
pub struct BodyPose<'a> {
    /// The body.
    pub body: BodyId,
    /// One frame for each part, in the space of the body.
    pub parts: &'a [Frame],
    /// Position at which it is drawn, if interpolated between two ticks.
    pub shown: Option<Position>,
}

/// A render target on the device.
#[derive(Debug)]
pub struct Canvas {
    view: TextureView,
    texture: Texture,
}

impl Canvas {
    /// The colour attachment for [`Renderer::draw`].
    pub fn view(&self) -> &TextureView {
        &self.view
    }
}

/// Counters of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DrawStats {
    /// Regions of the screen.
    pub regions: usize,
    /// Draw calls.
    pub calls: usize,
    /// Triangles, counted once for each region in which they were drawn.
    pub triangles: u64,
}

/// Draws a world.
pub struct Renderer {
    gpu: Arc<Gpu>,
    source: Arc<dyn Source>,
    target_format: TargetFormat,
    pipelines: Pipelines,
    materials: Materials,
    terrain_textures: TerrainTextures,
    store: Store,
    recorder: Recorder,
    attachments: Option<Attachments>,
    prepared_keys: Option<PreparedKeys>,
}

impl std::fmt::Debug for Renderer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Renderer").field("gpu", &self.gpu.name).finish_non_exhaustive()
    }
}

impl Renderer {
    /// Creates a renderer that draws records of `source` into images, with 1 or 4 `samples` per pixel.
    pub fn headless(gpu: Arc<Gpu>, source: Arc<dyn Source>, samples: u32) -> Self {
        Self::new(gpu, source, target::FORMAT, samples)
    }

    /// Creates a renderer that draws records of `source` into textures of a format.
    pub fn new(
        gpu: Arc<Gpu>,
        source: Arc<dyn Source>,
        format: TextureFormat,
        samples: u32,
    ) -> Self {
        let target_format = TargetFormat { format, samples };
        let pipelines = Pipelines::new(&gpu, target_format);
        let terrain_textures = TerrainTextures::new(&gpu, &pipelines.layouts.terrain, &*source);
        let materials = Materials::new(&gpu, &pipelines.layouts.textures);
        let recorder = Recorder::new(&gpu, &pipelines.layouts);
        Self {
            gpu,
            source,
            target_format,
            pipelines,
            materials,
            terrain_textures,
            store: Store::default(),
            recorder,
            attachments: None,
            prepared_keys: None,
        }
    }

    /// Returns messages about records that are missing or cannot be read, each once. A surface among them shows a plain
    /// colour; other things are not drawn.
    pub fn faults(&self) -> impl Iterator<Item = &str> {
        let Self { terrain_textures, materials, store, .. } = self;
        let records = terrain_textures.faults.iter().chain(&materials.faults).chain(&store.faults);
        records.chain(&store.models.faults).map(String::as_str)
    }

    /// Uploads what became resident and drops what is no longer resident. [`draw`](Self::draw) does so, too.
    pub fn refresh(&mut self, world: &World) {
        let (store, mut supply) = self.supply(world);
        store.refresh(&mut supply);
    }

    /// Sets the keys of a [`Preparer`]. Assets that the renderer drops are removed from them, so that they are prepared
    /// again.
    pub fn share_prepared_keys(&mut self, keys: PreparedKeys) {
        self.prepared_keys = Some(keys);
    }

    /// Adds prepared assets, which [`refresh`](Self::refresh) then need not read.
    pub fn add_prepared(&mut self, prepared: PreparedAssets) {
        let PreparedAssets { models, surfaces } = prepared;
        models.into_iter().for_each(|(key, mesh)| self.store.models.take(key, mesh));
        surfaces.into_iter().for_each(|(id, surface)| self.materials.take(id, surface));
    }

    /// Draws into a texture of the renderer's format; `size` is in pixels. Draws nothing if the size is 0, as for a
    /// minimised window, or above the limits of the device.
    pub fn draw(
        &mut self,
        scene: &RenderScene<'_>,
        colour: &TextureView,
        size: [u32; 2],
    ) -> DrawStats {
        if !target::can_draw(&self.gpu, size) {
            return DrawStats::default();
        }
        let line_count = scene.lines.len().min(plan::MAX_LINES);
        let scene = &RenderScene { lines: &scene.lines[..line_count], ..*scene };
        self.refresh(scene.world);
        self.load_moving(scene);
        let TargetFormat { format, samples } = self.target_format;
        if self.attachments.as_ref().is_none_or(|attachments| attachments.size != size) {
            self.attachments = Some(Attachments::new(&self.gpu, size, format, samples));
        }
        let Self {
            gpu, pipelines, materials, terrain_textures, store, recorder, attachments, ..
        } = self;
        let Some(attachments) = attachments else { return DrawStats::default() };
        let resources = frame::DrawResources {
            gpu,
            pipelines,
            materials,
            terrain_textures,
            store,
            attachments,
            colour,
        };
        recorder.record(&resources, scene)
    }

    /// Loads the models of bodies and of the sky.
    fn load_moving(&mut self, scene: &RenderScene<'_>) {
        let (store, mut supply) = self.supply(scene.world);
        for part in scene.world.bodies().flat_map(|body| &body.setup().parts) {
            store.model(&mut supply, MeshKey::Model(part.model.id));
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
            masks: &self.terrain_textures.masks,
            lamp_layout: &self.pipelines.layouts.lamps,
            prepared_keys: self.prepared_keys.as_ref(),
        };
        (&mut self.store, supply)
    }

    /// Creates a render target that stays on the device. The size is clamped to the limits of the device.
    pub fn canvas(&self, size: [u32; 2]) -> Canvas {
        let max_side = self.gpu.device.limits().max_texture_dimension_2d;
        let size = size.map(|side| side.clamp(1, max_side));
        let usage = TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC;
        let texture = target::texture(&self.gpu, size, self.target_format.format, 1, usage);
        Canvas { view: texture.create_view(&TextureViewDescriptor::default()), texture }
    }

    /// Counts the triangles of all resident land and rooms: the cost of a frame without visibility.
    pub fn triangles(&self) -> u64 {
        let Store { lands, rooms, .. } = &self.store;
        lands.values().chain(rooms.values()).map(|stage| stage.triangles).sum()
    }

    /// Draws a frame and reads it back. `None` if the device was lost or reported an error, see [`Gpu::check`], or cannot
    /// draw or read that size.
    pub fn capture(
        &mut self,
        scene: &RenderScene<'_>,
        size: [u32; 2],
    ) -> Option<(Image, DrawStats)> {
        if !target::can_read(&self.gpu, size) || self.gpu.check().is_err() {
            return None;
        }
        let Canvas { view, texture } = self.canvas(size);
        let stats = self.draw(scene, &view, size);
        Some((target::read(&self.gpu, &texture, size)?, stats))
    }
}

/// Returns the colour that [`Style::Ids`] gives a polygon of a cell. For terrain the cell is that of the landblock
/// (`0x....FFFF`) and the polygon is the index of the triangle in the landblock.
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
    fn rooms_that_become_resident_again_do_not_add_models() {
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
        Position::new(threshold_land::CellId(0xA9B4_0001), threshold_land::vector::Vec3::ONE);

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
    fn frames_of_impossible_sizes_were_device_errors() {
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
    fn frames_were_read_back_from_a_device_after_an_error() {
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
