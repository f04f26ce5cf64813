//! A drawn picture beside what it has to show.

use threshold_land::glam::DVec2;
use threshold_render::gpu::Style;
use threshold_render::picture::Picture;
use threshold_view::Viewer;

use super::slow::{Found, Slow};
use super::{Studio, colour, keep, places};

/// Pixels, by how they compare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) pictures: usize,
    pub(crate) pixels: usize,
    /// Not as said, and within a pixel of where it is said.
    pub(crate) edges: usize,
    /// Neither as said nor anywhere near.
    pub(crate) wrong: usize,
    /// Left to neither of two surfaces that meet: their corners are not shared, and so their edges are rounded apart.
    pub(crate) cracks: usize,
    /// Where something with holes is in the way.
    pub(crate) unknown: usize,
    /// Where nothing is to be seen.
    pub(crate) empty: usize,
    pub(crate) landscape: usize,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.pictures += other.pictures;
        self.pixels += other.pixels;
        self.edges += other.edges;
        self.wrong += other.wrong;
        self.cracks += other.cracks;
        self.unknown += other.unknown;
        self.empty += other.empty;
        self.landscape += other.landscape;
    }
}

/// The point of the screen in the middle of a pixel, or so many pixels beside it.
pub(crate) fn screen(picture: &Picture, [x, y]: [u32; 2], aside: DVec2) -> DVec2 {
    let size = DVec2::new(picture.width.into(), picture.height.into());
    let at = (DVec2::new(x.into(), y.into()) + 0.5 + aside) / size;
    DVec2::new(at.x * 2.0 - 1.0, 1.0 - at.y * 2.0)
}

/// Whether rays within a pixel of a pixel come to its colour.
pub(crate) fn is_near(slow: &Slow, viewer: &Viewer, picture: &Picture, place: [u32; 2]) -> bool {
    let shown = colour(picture, place);
    // What is seen edge-on is thin: where few rays do not find it, more may.
    [4, 40].into_iter().any(|count: i32| {
        let steps = || (-count..=count).map(|step| f64::from(step) / f64::from(count));
        let mut asides = steps().flat_map(|x| steps().map(move |y| DVec2::new(x, y)));
        asides.any(|aside| slow.cast(viewer, screen(picture, place, aside)).allows(shown))
    })
}

/// How far a crack may be from where two surfaces meet, in pixels: devices round corners to 1/256, and where something is seen
/// edge-on the rest of the way is that of single precision.
const CRACK: f64 = 1.0 / 16.0;

/// Whether nothing was drawn at a pixel whose very middle lies between two surfaces.
pub(crate) fn is_crack(slow: &Slow, viewer: &Viewer, picture: &Picture, place: [u32; 2]) -> bool {
    let ray = |x: f64, y: f64| {
        slow.cast(viewer, screen(picture, place, DVec2::new(x, y) * CRACK)).colours
    };
    let middle = ray(0.0, 0.0);
    let steps = [-1.0, -0.25, 0.0, 0.25, 1.0];
    let mut around = steps.into_iter().flat_map(|x| steps.map(|y| (x, y)));
    colour(picture, place) == super::CLEAR && around.any(|(x, y)| ray(x, y) != middle)
}

/// What a comparison is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'a> {
    /// In what a failure says, and in the names of its pictures.
    pub(crate) name: &'a str,
    pub(crate) size: [u32; 2],
    /// So many pixels may be wrong.
    pub(crate) allowance: usize,
}

/// Draws what somebody sees and compares every pixel.
#[track_caller]
pub(crate) fn check(
    studio: &mut Studio,
    slow: &Slow,
    viewer: &Viewer,
    subject: Subject<'_>,
) -> Tally {
    let Subject { name, size, allowance } = subject;
    let shot = studio.draw(viewer, Style::Ids, size);
    let (picture, is_cut_short) = (shot.picture, shot.seen.budget_hit());
    assert!(!is_cut_short, "{name}: {viewer:?}");
    let all: Vec<[u32; 2]> = places(&picture).collect();
    let rays = |place: &[u32; 2]| slow.cast(viewer, screen(&picture, *place, DVec2::ZERO));
    let found: Vec<Found> = all.iter().map(rays).collect();
    let mut tally = Tally { pictures: 1, ..Tally::default() };
    let mut wrong = Vec::new();
    for (place, found) in all.iter().zip(&found) {
        tally.pixels += 1;
        tally.unknown += usize::from(found.is_unknown);
        tally.landscape += usize::from(found.is_landscape);
        tally.empty += usize::from(!found.is_unknown && found.colours == [super::CLEAR]);
        if found.allows(colour(&picture, *place)) {
            continue;
        }
        match () {
            () if is_near(slow, viewer, &picture, *place) => tally.edges += 1,
            () if is_crack(slow, viewer, &picture, *place) => tally.cracks += 1,
            () => wrong.push(*place),
        }
    }
    tally.wrong = wrong.len();
    if let Some([x, y]) = wrong.get(allowance).copied() {
        let drawn = keep("pictures", &format!("{name} drawn"), &picture);
        let wanted = keep("pictures", &format!("{name} wanted"), &painted(&picture, &found));
        let [shown, want] =
            [colour(&picture, [x, y]), found[(y * picture.width + x) as usize].colours[0]];
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

/// What was found, as a picture; grey is unknown.
fn painted(like: &Picture, found: &[Found]) -> Picture {
    let pixel = |found: &Found| match found.colours.first() {
        Some([r, g, b]) if !found.is_unknown => [*r, *g, *b, 255],
        _ => [128, 128, 128, 255],
    };
    Picture { pixels: found.iter().map(pixel).collect(), ..like.clone() }
}
