//! SVG as PNG, with letters of our own: the same picture on every machine.

use anyhow::Context;
use epaint_default_fonts::{HACK_REGULAR, UBUNTU_LIGHT};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Pixels a unit of paper.
const DENSITY: f32 = 2.0;
/// Pixels along a side that a picture should not go beyond.
const MOST: f32 = 12_000.0;

/// The PNG file of an SVG document, and its width and height in pixels.
pub(crate) fn png(svg: &str) -> anyhow::Result<(Vec<u8>, [u32; 2])> {
    let mut options = Options::default();
    let fonts = options.fontdb_mut();
    for bytes in [UBUNTU_LIGHT, HACK_REGULAR] {
        fonts.load_font_data(bytes.to_vec());
    }
    let family = |nth: usize| {
        let face = fonts.faces().nth(nth)?;
        face.families.first().map(|(name, _)| name.clone())
    };
    if let (Some(sans), Some(mono)) = (family(0), family(1)) {
        fonts.set_sans_serif_family(sans);
        fonts.set_monospace_family(mono);
    }
    let tree = Tree::from_str(svg, &options).context("the picture cannot be drawn")?;
    let size = tree.size();
    let density = DENSITY.min(MOST / size.width().max(size.height()));
    let [width, height] = [size.width(), size.height()].map(|side| pixels(side * density));
    let mut pixmap = Pixmap::new(width, height).context("the picture is too large")?;
    resvg::render(&tree, Transform::from_scale(density, density), &mut pixmap.as_mut());
    let bytes = pixmap.encode_png().context("the picture cannot be packed")?;
    Ok((bytes, [width, height]))
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to MOST")]
fn pixels(side: f32) -> u32 {
    side.ceil().clamp(1.0, MOST) as u32
}
