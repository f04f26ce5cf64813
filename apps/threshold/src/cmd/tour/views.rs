//! What the camera of a tour sees.

use std::cell::RefCell;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Context, anyhow};
use image::codecs::gif::{GifEncoder, Repeat};
use image::{Delay, RgbaImage};
use threshold_dat::{Records, RegionDesc, Source};
use threshold_forge::MOVER;
use threshold_land::Frame as Stance;
use threshold_land::glam::Vec3;
use threshold_render::day::{Daylight, Moment, daylight, group_named};
use threshold_render::gpu::{BodyPose, Gpu, RegionMasks, RenderScene, Renderer, Style};
use threshold_render::images::Image;
use threshold_render::pose::{Animator, Figure, MotionCommand};
use threshold_view::{Lens, PortalWalk, ViewScratch, Viewer};
use threshold_world::{REGION, World};

use crate::output::{self, OutputFile};
use crate::tour::{Frame, WALKER};

/// Pictures of stations and of the animation, in pixels.
const LARGE: [u32; 2] = [1280, 720];
const SMALL: [u32; 2] = [384, 216];
/// Samples a pixel.
const SAMPLES: u32 = 4;
/// The animation has one of so many moments, and shows it for so many milliseconds: some seven times as fast as the walk.
const EVERY: u32 = 20;
const SHOWN: u32 = 90;
/// The walk begins in the morning; the day goes by faster than the walker: an hour in so many seconds.
const MORNING: f64 = 9.5 / 24.0;
const HOUR: f64 = 24.0;
/// An eye nearer than this to the head of the walker sees with its eyes, in metres.
const OWN_EYES: f32 = 0.8;
const HEAD: f32 = 1.6;

/// Draws what the camera sees.
pub(super) struct Views {
    renderer: Renderer,
    scratch: ViewScratch,
    region: Option<RegionDesc>,
    walker: Option<Animator>,
    folder: PathBuf,
    animation: Option<Animation>,
    drawn: usize,
    moments: u32,
}

/// An animation that is being written.
struct Animation {
    encoder: GifEncoder<Shared>,
    file: Shared,
    path: PathBuf,
}

/// The file of an animation: the encoder keeps its writer for itself, and the file must be put in its place after it.
#[derive(Clone)]
struct Shared(Rc<RefCell<OutputFile>>);

impl Shared {
    fn new(file: OutputFile) -> Self {
        Self(Rc::new(RefCell::new(file)))
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().flush()
    }
}

impl Views {
    /// With an animation, if it is wanted.
    pub(super) fn new(
        gpu: Gpu,
        source: &Arc<dyn Source>,
        folder: &Path,
        gif: bool,
    ) -> anyhow::Result<Self> {
        let mut records = Records::new(&**source);
        let region: Option<RegionDesc> = records.get(REGION)?;
        let figure = Figure::load(&mut records, MOVER)?;
        let animation = gif.then(|| Animation::new(folder)).transpose()?;
        Ok(Self {
            renderer: Renderer::headless(Arc::new(gpu), Arc::clone(source), SAMPLES),
            scratch: ViewScratch::new(),
            region,
            walker: figure.map(|figure| Animator::new(Arc::new(figure), 0.0)),
            folder: folder.to_owned(),
            animation,
            drawn: 0,
            moments: 0,
        })
    }

    /// A picture of a station.
    pub(super) fn station(
        &mut self,
        world: &World,
        frame: &Frame,
        name: &str,
    ) -> anyhow::Result<PathBuf> {
        let picture = self.draw(world, frame, LARGE)?;
        self.drawn += 1;
        let file = self.folder.join(super::pictures::file_name(self.drawn, name, "png"));
        crate::picture::write_png(&file, &picture)?;
        Ok(file)
    }

    /// A moment of the walk.
    pub(super) fn frame(&mut self, world: &World, frame: &Frame) -> anyhow::Result<()> {
        if let Some(walker) = &mut self.walker {
            let runs = frame.gait.forward > 0.0;
            walker.change(
                if runs { MotionCommand::RUN_FORWARD } else { MotionCommand::READY },
                frame.time,
            );
        }
        self.moments += 1;
        if self.animation.is_none() || !self.moments.is_multiple_of(EVERY) {
            return Ok(());
        }
        let picture = self.draw(world, frame, SMALL)?;
        match &mut self.animation {
            Some(animation) => animation.add(picture),
            None => Ok(()),
        }
    }

    /// Puts the animation in its place, if there is one.
    pub(super) fn finish(&mut self) -> anyhow::Result<Option<PathBuf>> {
        self.animation.take().map(Animation::finish).transpose()
    }

    fn draw(&mut self, world: &World, frame: &Frame, size: [u32; 2]) -> anyhow::Result<Image> {
        let [width, height] = size.map(f64::from);
        let lens = Lens { aspect: width / height, ..Lens::default() };
        let (eye, look) = (frame.eye.frame.origin.as_dvec3(), frame.look.as_dvec3());
        let viewer = Viewer::looking_at(frame.eye.cell, eye, look, lens)?;
        let seen = PortalWalk::new(world).run(&mut self.scratch, &mut (), &viewer);
        let mut parts: Vec<Stance> = Vec::new();
        if let Some(walker) = &self.walker {
            walker.pose(frame.time, &mut parts);
        }
        let poses = [BodyPose { body: WALKER, parts: &parts, shown: None }];
        let head = frame.body.offset_to(&frame.eye) - Vec3::Z * HEAD;
        let daylight = light(self.region.as_ref(), frame.time);
        let scene = RenderScene {
            world,
            viewer: &viewer,
            seen,
            daylight: &daylight,
            #[allow(clippy::cast_possible_truncation, reason = "some minutes")]
            seconds: frame.time as f32,
            style: Style::Lit,
            poses: &poses,
            hidden: (head.length() < OWN_EYES).then_some(WALKER),
            lines: &[],
            masks: RegionMasks::default(),
            clear: daylight.fog.colour.as_dvec3().to_array(),
        };
        let shot = self.renderer.capture(&scene, size).context("the graphics driver gave up")?;
        Ok(shot.0)
    }
}

impl Animation {
    fn new(folder: &Path) -> anyhow::Result<Self> {
        let path = folder.join("tour.gif");
        // The fastest way to pick colours: the pictures are many and small.
        let file = Shared::new(OutputFile::create(&path)?);
        let mut encoder = GifEncoder::new_with_speed(file.clone(), 30);
        let begun = encoder.set_repeat(Repeat::Infinite);
        begun.map_err(|error| cannot_write(&path, &error))?;
        Ok(Self { encoder, file, path })
    }

    fn add(&mut self, picture: Image) -> anyhow::Result<()> {
        let Image { width, height, pixels } = picture;
        let bytes = pixels.into_flattened();
        let image = RgbaImage::from_raw(width, height, bytes).context("a picture is too small")?;
        let delay = Delay::from_numer_denom_ms(SHOWN, 1);
        let frame = image::Frame::from_parts(image, 0, 0, delay);
        self.encoder.encode_frame(frame).map_err(|error| cannot_write(&self.path, &error))
    }

    fn finish(self) -> anyhow::Result<PathBuf> {
        let Self { encoder, file, path } = self;
        // Writes the end of the animation.
        drop(encoder);
        if let Some(file) = Rc::into_inner(file.0) {
            file.into_inner().finish()?;
        }
        Ok(path)
    }
}

fn cannot_write(path: &Path, error: &image::ImageError) -> anyhow::Error {
    match error {
        image::ImageError::IoError(error) => output::cannot_write(path, error),
        other => anyhow!(
            "{}: cannot be written: {}",
            path.display(),
            io::Error::other(other.to_string())
        ),
    }
}

/// The light of a fair day, so many seconds after the walk began.
fn light(region: Option<&RegionDesc>, seconds: f64) -> Daylight {
    let Some(region) = region else { return Daylight::plain() };
    #[allow(clippy::cast_possible_truncation, reason = "a part of a day")]
    let fraction = (MORNING + seconds / HOUR / 24.0).min(0.99) as f32;
    let moment = Moment { seconds, ..Moment::new(0, fraction) };
    daylight(region, &moment, group_named(region, "fair"))
}
