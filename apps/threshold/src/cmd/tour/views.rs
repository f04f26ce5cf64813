//! Views of a tour, as the camera sees them: pictures and the animation.

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
use threshold_land::Frame;
use threshold_land::vector::Vec3;
use threshold_pose::{Animator, Figure, MotionCommand};
use threshold_render::{BodyPose, Gpu, RegionMasks, RenderScene, Renderer, Style};
use threshold_view::{Lens, PortalWalk, ViewScratch, Viewer};
use threshold_visuals::day::{Daylight, Moment, daylight, group_named};
use threshold_visuals::images::Image;
use threshold_world::{REGION, World};

use crate::output::{self, OutputFile};
use crate::tour::{TourFrame, WALKER};

/// Sizes of the pictures of stations and of the animation, in pixels.
const PICTURE_SIZE: [u32; 2] = [1280, 720];
const ANIMATION_SIZE: [u32; 2] = [384, 216];
/// Samples per pixel.
const SAMPLES: u32 = 4;
/// The animation shows every 20th frame of the walk for 90 ms: seven times as fast as the walk.
const ANIMATION_STRIDE: u32 = 20;
const ANIMATION_DELAY: u32 = 90;
/// Time of day at the start, in days, and length of an hour of the tour, in seconds.
const START_TIME: f64 = 9.5 / 24.0;
const HOUR: f64 = 24.0;
/// An eye nearer to the head than this would see the inside of the walker's figure, in metres.
const MIN_FIGURE_DISTANCE: f32 = 0.8;
/// Height of the head over the feet, in metres.
const HEAD_HEIGHT: f32 = 1.6;

/// Draws the views of a tour.
pub(super) struct Views {
    renderer: Renderer,
    scratch: ViewScratch,
    region: Option<RegionDesc>,
    walker: Option<Animator>,
    folder: PathBuf,
    animation: Option<Animation>,
    /// Pictures of stations so far.
    drawn: usize,
    /// Frames of the walk so far.
    frames: u32,
}

/// An animation that is being written.
struct Animation {
    encoder: GifEncoder<SharedFile>,
    file: SharedFile,
    path: PathBuf,
}

/// The file of an animation. The encoder owns its writer, and the file is finished after the encoder is dropped.
#[derive(Clone)]
struct SharedFile(Rc<RefCell<OutputFile>>);

impl SharedFile {
    fn new(file: OutputFile) -> Self {
        Self(Rc::new(RefCell::new(file)))
    }
}

impl Write for SharedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().flush()
    }
}

impl Views {
    /// Prepares for drawing, and starts the animation if `gif` is set.
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
            frames: 0,
        })
    }

    /// Writes a picture of a station. Returns its file.
    pub(super) fn station(
        &mut self,
        world: &World,
        frame: &TourFrame,
        name: &str,
    ) -> anyhow::Result<PathBuf> {
        let picture = self.draw(world, frame, PICTURE_SIZE)?;
        self.drawn += 1;
        let file = self.folder.join(super::pictures::file_name(self.drawn, name, "png"));
        crate::png::write_png(&file, &picture)?;
        Ok(file)
    }

    /// Animates the walker's figure, and adds the frame to the animation if it is due.
    pub(super) fn frame(&mut self, world: &World, frame: &TourFrame) -> anyhow::Result<()> {
        if let Some(walker) = &mut self.walker {
            let runs = frame.gait.forward > 0.0;
            walker.change(
                if runs { MotionCommand::RUN_FORWARD } else { MotionCommand::READY },
                frame.time,
            );
        }
        self.frames += 1;
        if self.animation.is_none() || !self.frames.is_multiple_of(ANIMATION_STRIDE) {
            return Ok(());
        }
        let picture = self.draw(world, frame, ANIMATION_SIZE)?;
        match &mut self.animation {
            Some(animation) => animation.add(picture),
            None => Ok(()),
        }
    }

    /// Finishes the animation, if there is one, and returns its file.
    pub(super) fn finish(&mut self) -> anyhow::Result<Option<PathBuf>> {
        self.animation.take().map(Animation::finish).transpose()
    }

    fn draw(&mut self, world: &World, frame: &TourFrame, size: [u32; 2]) -> anyhow::Result<Image> {
        let [width, height] = size.map(f64::from);
        let lens = Lens { aspect: width / height, ..Lens::default() };
        let (eye, look) = (frame.eye.frame.origin.as_dvec3(), frame.look.as_dvec3());
        let viewer = Viewer::looking_at(frame.eye.cell, eye, look, lens)?;
        let seen = PortalWalk::new(world).run(&mut self.scratch, &mut (), &viewer);
        let mut parts: Vec<Frame> = Vec::new();
        if let Some(walker) = &self.walker {
            walker.pose(frame.time, &mut parts);
        }
        let poses = [BodyPose { body: WALKER, parts: &parts, shown: None }];
        let from_head = frame.body.offset_to(&frame.eye) - Vec3::Z * HEAD_HEIGHT;
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
            hidden: (from_head.length() < MIN_FIGURE_DISTANCE).then_some(WALKER),
            lines: &[],
            masks: RegionMasks::default(),
            clear: daylight.fog.colour.as_dvec3().to_array(),
        };
        let shot = self.renderer.capture(&scene, size).context("the graphics device was lost")?;
        Ok(shot.0)
    }
}

impl Animation {
    fn new(folder: &Path) -> anyhow::Result<Self> {
        let path = folder.join("tour.gif");
        // Speed 30 is the fastest choice of colours; the pictures are many and small.
        let file = SharedFile::new(OutputFile::create(&path)?);
        let mut encoder = GifEncoder::new_with_speed(file.clone(), 30);
        let begun = encoder.set_repeat(Repeat::Infinite);
        begun.map_err(|error| cannot_write(&path, &error))?;
        Ok(Self { encoder, file, path })
    }

    fn add(&mut self, picture: Image) -> anyhow::Result<()> {
        let Image { width, height, pixels } = picture;
        let bytes = pixels.into_flattened();
        let image = RgbaImage::from_raw(width, height, bytes).context("a picture is incomplete")?;
        let delay = Delay::from_numer_denom_ms(ANIMATION_DELAY, 1);
        let frame = image::Frame::from_parts(image, 0, 0, delay);
        self.encoder.encode_frame(frame).map_err(|error| cannot_write(&self.path, &error))
    }

    fn finish(self) -> anyhow::Result<PathBuf> {
        let Self { encoder, file, path } = self;
        // Dropping the encoder writes the end of the animation.
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

/// Returns the light of a fair day, `seconds` after the start.
fn light(region: Option<&RegionDesc>, seconds: f64) -> Daylight {
    let Some(region) = region else { return Daylight::plain() };
    #[allow(clippy::cast_possible_truncation, reason = "a part of a day")]
    let fraction = (START_TIME + seconds / HOUR / 24.0).min(0.99) as f32;
    let moment = Moment { seconds, ..Moment::new(0, fraction) };
    daylight(region, &moment, group_named(region, "fair"))
}
