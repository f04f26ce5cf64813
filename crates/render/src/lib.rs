//! How the cell world of Asheron's Call is drawn: land, rooms, objects and sky, each where an opening shows it.
//!
//! ```text
//!  records --> picture, mesh, ground --+
//!  World, VisibleSet ------------------+--> gpu::Renderer --> a picture, or a window
//!  Region --> day; MotionTable --> pose+
//! ```
//!
//! What is drawn is what [`threshold_view`] says is seen: every room in its regions of the screen, the landscape in the regions of
//! the openings that show it, the far side of an opening before its near side, and the opening closed with its own depth in
//! between. So nothing shows through a wall, whatever lies behind it, and rooms may overlap. Everything is drawn relative to the
//! eye: the edge of the map is as steady as its middle.
//!
//! ```no_run
//! use std::sync::Arc;
//! use threshold_land::CellId;
//! use threshold_land::glam::DVec3;
//! use threshold_render::day::Daylight;
//! use threshold_render::gpu::{Gpu, RegionMasks, RenderScene, Renderer, Style};
//! use threshold_view::{Lens, PortalWalk, ViewScratch, Viewer};
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
//! [`images`], [`mesh`], [`ground`], [`day`], [`pose`] and [`gltf`] need no graphics device: they turn records into pixels, triangles, light,
//! poses and files, for whoever draws with something else.
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod day;
pub mod debug_overlay;
pub mod gltf;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod ground;
pub mod images;
pub mod mesh;
pub mod pose;
