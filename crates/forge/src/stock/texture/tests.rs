use threshold_dat::PixelFormat;

use super::*;

/// Every repeating texture, with a name for messages.
fn repeated() -> Vec<(String, Canvas)> {
    let material = |of: Material| (of.name().to_owned(), paint(of, 7));
    let ground = |kind: u8| match soil::look(kind).0 {
        Ground::Own(picture) => Some((format!("ground {kind}"), picture.paint(kind, 7))),
        _ => None,
    };
    let sky = [SkyTexture::Stars, SkyTexture::Clouds, SkyTexture::Cover, SkyTexture::Rain];
    let heaven = |of: SkyTexture| (format!("{of:?}"), of.paint(7));
    Material::all()
        .filter(|of| !ONCE.contains(of))
        .map(material)
        .chain((0..=ROAD).filter_map(ground))
        .chain(sky.map(heaven))
        .collect()
}

/// Materials of cards.
const ONCE: [Material; 5] =
    [Material::Twigs, Material::Bough, Material::Frond, Material::Blades, Material::Blossoms];

/// Difference of the pixels on both sides of a line: between each row and the next, then each column and the next. The
/// last is the seam.
fn unlike(canvas: &Canvas) -> [Vec<f32>; 2] {
    let side = canvas.side;
    let pixels = canvas.bytes();
    let off = |a: usize, b: usize| -> f32 {
        let pairs = pixels[a].iter().zip(&pixels[b]);
        pairs.map(|(a, b)| f32::from(a.abs_diff(*b))).sum()
    };
    let line = |step: usize, across: usize, at: usize| -> f32 {
        let next = (at + 1) % side;
        (0..side).map(|i| off(at * step + i * across, next * step + i * across)).sum()
    };
    [(side, 1), (1, side)]
        .map(|(step, across)| (0..side).map(|at| line(step, across, at)).collect())
}

#[test]
fn pictures_that_repeat_have_no_seam() {
    for (name, canvas) in repeated() {
        for lines in unlike(&canvas) {
            let max = lines[..canvas.side - 1].iter().copied().fold(0.0, f32::max);
            let seam = lines[canvas.side - 1];
            // Courses of stone end at the edge, and no other line is as clear as theirs.
            assert!(seam <= 1.1 * max + 1.0, "{name}: {seam} at the edge, {max} elsewhere");
        }
    }
}

#[test]
fn pictures_that_are_shown_once_leave_their_edges_free() {
    for of in ONCE {
        let canvas = paint(of, 7);
        let (side, pixels) = (canvas.side, canvas.bytes());
        let free = |index: usize| pixels[index][3] == 0;
        assert!((0..side).all(free), "{of:?}: the upper edge");
        let sides = |row: usize| free(row * side) && free(row * side + side - 1);
        assert!((0..side).all(sides), "{of:?}: the sides");
        let shown = pixels.iter().filter(|pixel| pixel[3] == 255).count();
        assert!(5 * shown > side * side, "{of:?}: {shown} pixels");
    }
}

#[test]
fn only_what_has_holes_has_pixels_that_are_not_there() {
    for of in Material::all().filter(|of| *of != Material::Glass) {
        let pixels = paint(of, 7).bytes();
        let holes = pixels.iter().filter(|pixel| pixel[3] < 255).count();
        assert_eq!(holes > 0, of.has_holes(), "{of:?}: {holes} pixels");
        assert!(pixels.iter().all(|pixel| matches!(pixel[3], 0 | 255)), "{of:?}");
    }
}

#[test]
fn true_colours_palettes_and_blocks_are_all_in_use() {
    let used: Vec<PixelFormat> = Material::all().map(format).chain(soil::FORMATS).collect();
    for wanted in [
        PixelFormat::R8G8B8,
        PixelFormat::A8R8G8B8,
        PixelFormat::P8,
        PixelFormat::Index16,
        PixelFormat::Dxt1,
        PixelFormat::Dxt3,
        PixelFormat::Dxt5,
    ] {
        assert!(used.contains(&wanted), "{wanted:?}");
    }
    // Holes need a format with alpha.
    for of in Material::all().filter(|of| of.has_holes()) {
        let none = [PixelFormat::R8G8B8, PixelFormat::R5G6B5, PixelFormat::Dxt1];
        assert!(!none.contains(&format(of)), "{of:?}");
    }
}
