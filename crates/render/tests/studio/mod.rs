//! Worlds to draw on any device, and the reference by rays for what an image must show.

#![allow(dead_code, reason = "every test file uses some of it")]

pub(crate) mod boxes;
pub(crate) mod compare;
pub(crate) mod geometry;
pub(crate) mod slow;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use threshold_testkit::{forged, rules_without_stab_lists, sample_source};

use threshold_dat::{Records, RegionDesc, Source};
use threshold_render::{DrawStats, Gpu, RegionMasks, RenderScene, Renderer, Style};
use threshold_view::{PortalWalk, ViewRules, ViewScratch, Viewer, VisibleSet};
use threshold_visuals::day::{Daylight, Moment, daylight, group_named};
use threshold_visuals::images::Image;
use threshold_world::{Builder, REGION, World};

/// Clear colour; no surface has it.
pub(crate) const CLEAR: [u8; 3] = [255, 0, 255];

/// Serialises tests: a software device draws on all cores.
static DEVICE: Mutex<()> = Mutex::new(());

/// A world and its renderer.
pub(crate) struct Studio {
    pub(crate) source: Arc<dyn Source>,
    pub(crate) world: World,
    pub(crate) rules: ViewRules,
    pub(crate) daylight: Daylight,
    renderer: Renderer,
    scratch: ViewScratch,
    _turn: MutexGuard<'static, ()>,
}

impl Studio {
    /// A world with everything resident, drawn with `samples` samples per pixel.
    pub(crate) fn new(source: Arc<dyn Source>, samples: u32) -> Self {
        let builder = Builder::shared(source.clone());
        let mut world = World::new();
        for piece in builder.pieces() {
            world.adopt(builder.build(piece).unwrap().unwrap().piece);
        }
        Self::within(source, world, samples)
    }

    /// A world that may lack pieces.
    pub(crate) fn within(source: Arc<dyn Source>, world: World, samples: u32) -> Self {
        let daylight = fair_noon(&*source);
        let turn = DEVICE.lock().unwrap_or_else(PoisonError::into_inner);
        let gpu = Gpu::headless().unwrap_or_else(|error| panic!("{error}"));
        Self {
            renderer: Renderer::headless(Arc::new(gpu), source.clone(), samples),
            source,
            world,
            rules: rules_without_stab_lists(),
            daylight,
            scratch: ViewScratch::new(),
            _turn: turn,
        }
    }

    pub(crate) fn builtin(samples: u32) -> Self {
        Self::new(forged::builtins()[0].source.clone(), samples)
    }

    /// The sample world of this name: `holt` or `dungeon`.
    pub(crate) fn fixture(name: &str) -> Self {
        Self::new(Arc::new(sample_source(name)), 1)
    }

    /// Draws the view of a viewer.
    pub(crate) fn draw(&mut self, viewer: &Viewer, style: Style, size: [u32; 2]) -> Shot<'_> {
        let walk = PortalWalk { world: &self.world, rules: self.rules };
        walk.run(&mut self.scratch, &mut (), viewer);
        let seen = self.scratch.visible();
        let scene = RenderScene {
            world: &self.world,
            viewer,
            seen,
            daylight: &self.daylight,
            seconds: 0.0,
            style,
            poses: &[],
            hidden: None,
            lines: &[],
            masks: RegionMasks::default(),
            clear: CLEAR.map(|part| f64::from(part) / 255.0),
        };
        let (image, drawn) = self.renderer.capture(&scene, size).expect("the device was lost");
        Shot { image, drawn, seen }
    }

    pub(crate) fn faults(&self) -> Vec<String> {
        self.renderer.faults().map(str::to_owned).collect()
    }
}

/// Returns noon of a fair day, or plain light in a world without days.
fn fair_noon(source: &dyn Source) -> Daylight {
    let region: Option<RegionDesc> = Records::new(source).get(REGION).unwrap();
    region.map_or_else(Daylight::plain, |region| {
        daylight(&region, &Moment::new(0, 0.5), group_named(&region, "fair"))
    })
}

/// A drawn image and its visible set.
pub(crate) struct Shot<'s> {
    pub(crate) image: Image,
    pub(crate) drawn: DrawStats,
    pub(crate) seen: &'s VisibleSet,
}

/// Returns the colour of a pixel.
pub(crate) fn colour(image: &Image, [x, y]: [u32; 2]) -> [u8; 3] {
    let [r, g, b, _] = image.at(x, y);
    [r, g, b]
}

/// Returns the coordinates of all pixels.
pub(crate) fn places(image: &Image) -> impl Iterator<Item = [u32; 2]> + use<> {
    let [width, height] = [image.width, image.height];
    (0..height).flat_map(move |y| (0..width).map(move |x| [x, y]))
}

/// Writes an image for the search of a failure, and returns its path.
pub(crate) fn keep(folder: &str, name: &str, image: &Image) -> PathBuf {
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join(folder);
    std::fs::create_dir_all(&target).unwrap();
    let path = target.join(name).with_extension("png");
    save(&path, image);
    path
}

pub(crate) fn save(path: &std::path::Path, image: &Image) {
    let Image { width, height, pixels } = image;
    let kind = image::ColorType::Rgba8;
    image::save_buffer(path, &pixels.concat(), *width, *height, kind).unwrap();
}
