//! Comparison of a drawn image with rays.

use threshold_land::vector::{DVec2, DVec3};
use threshold_render::Style;
use threshold_view::Viewer;
use threshold_visuals::images::Image;

use super::slow::{RayResult, Slow};
use super::{Studio, colour, keep, places};

/// Numbers of pixels by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) images: usize,
    pub(crate) pixels: usize,
    /// Different, but equal to a ray within a pixel.
    pub(crate) edges: usize,
    /// Different, but equal to a ray of an eye moved by a little.
    pub(crate) lags: usize,
    /// With a surface with holes in front.
    pub(crate) unknown: usize,
    /// With nothing in the way of the ray.
    pub(crate) empty: usize,
    pub(crate) landscape: usize,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.images += other.images;
        self.pixels += other.pixels;
        self.edges += other.edges;
        self.lags += other.lags;
        self.unknown += other.unknown;
        self.empty += other.empty;
        self.landscape += other.landscape;
    }
}

/// Returns the point of the screen in the middle of a pixel, or `aside` pixels beside it.
pub(crate) fn screen(image: &Image, [x, y]: [u32; 2], aside: DVec2) -> DVec2 {
    let size = DVec2::new(image.width.into(), image.height.into());
    let at = (DVec2::new(x.into(), y.into()) + 0.5 + aside) / size;
    DVec2::new(at.x * 2.0 - 1.0, 1.0 - at.y * 2.0)
}

/// Whether a ray within a pixel reaches the colour of a pixel.
pub(crate) fn is_near(slow: &Slow, viewer: &Viewer, image: &Image, place: [u32; 2]) -> bool {
    // Surfaces seen edge-on are thin: where a few rays miss them, more may hit.
    [4, 40].into_iter().any(|count| is_around(slow, (viewer, DVec3::ZERO), image, place, count))
}

/// The same with `count` rays to each side of the middle, for a moved eye.
fn is_around(
    slow: &Slow,
    (viewer, moved): (&Viewer, DVec3),
    image: &Image,
    place: [u32; 2],
    count: i32,
) -> bool {
    let shown = colour(image, place);
    let steps = || (-count..=count).map(|step| f64::from(step) / f64::from(count));
    let mut asides = steps().flat_map(|x| steps().map(move |y| DVec2::new(x, y)));
    asides.any(|aside| slow.cast_beside(viewer, moved, screen(image, place, aside)).allows(shown))
}

/// Distance in metres: what shows only from an eye moved by this is a sliver, which hardly any pixel may show.
pub(crate) const SLIVER: f64 = 0.05;

/// Whether an eye within `lag` of the viewer's reaches the colour of a pixel. The cell of a swept eye may lag in a portal,
/// and a device that rounds corners to parts of a pixel shows slivers of surfaces seen edge-on that no ray meets.
pub(crate) fn is_lagging(
    slow: &Slow,
    viewer: &Viewer,
    image: &Image,
    place: [u32; 2],
    lag: f64,
) -> bool {
    let parts = [-1.0, 0.0, 1.0];
    let moves = parts.into_iter().flat_map(|x| parts.map(|y| (x, y)));
    let moves = moves.flat_map(|(x, y)| parts.map(|z| DVec3::new(x, y, z)));
    let mut moves = moves.flat_map(|way| [1.0, 0.25, 0.06, 0.01].map(|part| way * part * lag));
    let is_seen = |moved| is_around(slow, (viewer, moved), image, place, 8);
    moves.any(is_seen) || slow.is_in_plane(viewer, lag, |line| is_on(image, place, line))
}

/// Whether a line of the screen passes through a pixel or one beside it. On the line, `line . (x, y, 1)` is 0.
fn is_on(image: &Image, place: [u32; 2], line: DVec3) -> bool {
    let at = screen(image, place, DVec2::ZERO).extend(1.0);
    let pixel = DVec2::new(2.0 / f64::from(image.width), 2.0 / f64::from(image.height));
    line.dot(at).abs() <= 1.5 * (line.truncate() * pixel).length()
}

/// Subject of a comparison.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'a> {
    /// Named in failures and file names of images.
    pub(crate) name: &'a str,
    pub(crate) size: [u32; 2],
    /// Distance by which the eye may be off its cell, in metres.
    pub(crate) lag: f64,
}

/// Draws the view of a viewer and compares every pixel.
#[track_caller]
pub(crate) fn check(
    studio: &mut Studio,
    slow: &Slow,
    viewer: &Viewer,
    subject: Subject<'_>,
) -> Tally {
    let Subject { name, size, lag } = subject;
    let shot = studio.draw(viewer, Style::Ids, size);
    let (image, is_cut_short) = (shot.image, shot.seen.budget_hit());
    assert!(!is_cut_short, "{name}: {viewer:?}");
    let all: Vec<[u32; 2]> = places(&image).collect();
    let rays = |place: &[u32; 2]| slow.cast(viewer, screen(&image, *place, DVec2::ZERO));
    let results: Vec<RayResult> = all.iter().map(rays).collect();
    let mut tally = Tally { images: 1, ..Tally::default() };
    let mut wrong = Vec::new();
    for (place, result) in all.iter().zip(&results) {
        tally.pixels += 1;
        tally.unknown += usize::from(result.is_unknown);
        tally.landscape += usize::from(result.is_landscape);
        tally.empty += usize::from(!result.is_unknown && result.colours == [super::CLEAR]);
        if result.allows(colour(&image, *place)) {
            continue;
        }
        match () {
            () if is_near(slow, viewer, &image, *place) => tally.edges += 1,
            () if is_lagging(slow, viewer, &image, *place, lag) => tally.lags += 1,
            () => wrong.push(*place),
        }
    }
    if let Some([x, y]) = wrong.first().copied() {
        let drawn = keep("pictures", &format!("{name} drawn"), &image);
        let wanted = keep("pictures", &format!("{name} wanted"), &painted(&image, &results));
        let [shown, want] =
            [colour(&image, [x, y]), results[(y * image.width + x) as usize].colours[0]];
        panic!(
            "{name}: {} pixels are wrong, one at {x}, {y}: {} instead of {}\n{viewer:?}\n{} instead of {}",
            wrong.len(),
            slow.geometry.name(shown),
            slow.geometry.name(want),
            drawn.display(),
            wanted.display(),
        );
    }
    tally
}

/// Returns the ray results as an image; unknown pixels are grey.
fn painted(like: &Image, results: &[RayResult]) -> Image {
    let pixel = |result: &RayResult| match result.colours.first() {
        Some([r, g, b]) if !result.is_unknown => [*r, *g, *b, 255],
        _ => [128, 128, 128, 255],
    };
    Image { pixels: results.iter().map(pixel).collect(), ..like.clone() }
}
