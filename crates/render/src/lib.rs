//! Draws the cell world of Asheron's Call: land, rooms, objects and sky, each within the portals that show it.
//!
//! ```text
//!  records --> images, mesh, ground ---+
//!  World, VisibleSet ------------------+--> gpu::Renderer --> an image, or a window
//!  Region --> day; MotionTable --> pose+
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
//! [`images`], [`mesh`], [`ground`], [`day`], [`pose`] and [`gltf`] need no graphics device: they turn records into
//! pixels, triangles, light, poses and files, for other renderers.
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

#[cfg(test)]
mod damage_tests;
pub mod day;
pub mod debug_overlay;
pub mod gltf;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod ground;
pub mod images;
pub mod mesh;

pub use threshold_pose as pose;
