//! Scenes of the built-in world compared with recorded images. `THRESHOLD_BLESS=1` records the drawn ones.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod studio;

use std::path::PathBuf;
use threshold_testkit::rules_with_stab_lists;

use studio::{Studio, keep, save};
use threshold_land::CellId;
use threshold_land::vector::DVec3;
use threshold_render::Style;
use threshold_view::{Lens, Viewer};
use threshold_visuals::images::Image;

const SIZE: [u32; 2] = [320, 180];

/// Name, cell of the eye, eye, and target.
const SCENES: [(&str, u32, [f64; 3], [f64; 3]); 6] = [
    ("village square", 0xA9B4_0024, [84.0, 60.0, 44.0], [120.0, 105.0, 42.0]),
    ("taproom", 0xA9B4_0106, [134.5, 109.0, 41.9], [131.0, 100.0, 41.2]),
    ("inn door", 0xA9B4_002C, [128.0, 92.0, 41.7], [132.0, 102.0, 42.5]),
    ("upper window", 0xA9B4_010B, [127.5, 108.0, 45.7], [127.2, 103.0, 45.2]),
    ("great hall", 0xACB4_0112, [45.0, 112.0, 39.0], [42.0, 135.0, 39.0]),
    ("lake", 0xA8B4_0035, [150.0, 110.0, 41.0], [100.0, 120.0, 38.0]),
];

/// Bounds on the mean difference of colour values, and on the pixels of a thousand that differ by more than [`FAR`]:
/// drivers round differently.
const MEAN: f64 = 1.0;
const FAR: u8 = 8;
const FAR_PIXELS: usize = 5;

/// Difference of two images.
#[derive(Clone, Debug, PartialEq)]
struct Difference {
    /// Mean over all colour values, out of 255.
    mean: f64,
    /// Number of pixels that differ by more than [`FAR`].
    far: usize,
    image: Image,
}

impl Difference {
    fn of(a: &Image, b: &Image) -> Self {
        assert_eq!((a.width, a.height), (b.width, b.height));
        let apart = |(a, b): (&[u8; 4], &[u8; 4])| [0, 1, 2].map(|part| a[part].abs_diff(b[part]));
        let apart: Vec<[u8; 3]> = a.pixels.iter().zip(&b.pixels).map(apart).collect();
        let sum: f64 = apart.iter().flatten().map(|part| f64::from(*part)).sum();
        let far = apart.iter().filter(|parts| parts.iter().any(|part| *part > FAR)).count();
        let shown = |parts: &[u8; 3]| {
            let [r, g, b] = parts.map(|part| part.saturating_mul(8));
            [r, g, b, 255]
        };
        let image = Image { pixels: apart.iter().map(shown).collect(), ..a.clone() };
        Self { mean: sum / (3 * apart.len()) as f64, far, image }
    }

    fn is_small(&self) -> bool {
        self.mean < MEAN && self.far * 1000 < self.image.pixels.len() * FAR_PIXELS
    }
}

fn golden(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    folder.join(name.replace(' ', "_")).with_extension("png")
}

fn open(path: &std::path::Path) -> Option<Image> {
    let image = image::open(path).ok()?.into_rgba8();
    let (width, height) = image.dimensions();
    let pixels = image.pixels().map(|pixel| pixel.0).collect();
    Some(Image { width, height, pixels })
}

/// Returns a description of the difference of a scene, if there is one.
fn complaint(name: &str, drawn: &Image) -> Option<String> {
    let path = golden(name);
    if std::env::var_os("THRESHOLD_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        save(&path, drawn);
        return None;
    }
    let file = name.replace(' ', "_");
    let Some(meant) = open(&path) else {
        let kept = keep("golden", &file, drawn);
        return Some(format!("{name}: there is no {}; drawn: {}", path.display(), kept.display()));
    };
    let difference = Difference::of(drawn, &meant);
    (!difference.is_small()).then(|| {
        let kept = keep("golden", &file, drawn);
        let apart = keep("golden", &format!("{file}_difference"), &difference.image);
        format!(
            "{name}: off by {:.2} of 255 on the average, {} pixels by more than {FAR}\n  drawn:      {}\n  meant:      {}\n  difference: {}",
            difference.mean,
            difference.far,
            kept.display(),
            path.display(),
            apart.display()
        )
    })
}

#[test]
fn scenes_of_the_built_in_world_look_as_recorded() {
    let mut studio = Studio::builtin(4);
    studio.rules = rules_with_stab_lists();
    let mut complaints = Vec::new();
    for (name, cell, eye, look) in SCENES {
        let (eye, look) = (DVec3::from(eye), DVec3::from(look));
        let viewer = Viewer::looking_at(CellId(cell), eye, look, Lens::default()).unwrap();
        let shot = studio.draw(&viewer, Style::Lit, SIZE);
        complaints.extend(complaint(name, &shot.image));
    }
    assert_eq!(studio.faults(), Vec::<String>::new());
    let hint = "THRESHOLD_BLESS=1 takes what is drawn as what is meant";
    assert!(complaints.is_empty(), "{}\n{hint}", complaints.join("\n"));
}

#[test]
fn a_slightly_darker_scene_differs_from_the_recorded_one() {
    let meant = Image::solid([100, 100, 100, 255]);
    let rounded = Image::solid([100, 100, 101, 255]);
    let darker = Image::solid([98, 98, 98, 255]);
    assert!(Difference::of(&meant, &rounded).is_small());
    assert!(!Difference::of(&meant, &darker).is_small());
}
