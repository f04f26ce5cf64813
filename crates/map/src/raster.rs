//! SVG as PNG. The letters are part of the crate, so that every machine gives the same image.

use epaint_default_fonts::{HACK_REGULAR, UBUNTU_LIGHT};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Pixels per unit of paper.
const DENSITY: f32 = 2.0;
/// Greatest number of pixels along a side; a larger drawing gets a lower density.
const MAX_SIDE: f32 = 12_000.0;

/// A PNG file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PngFile {
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// Width and height in pixels.
    pub size: [u32; 2],
}

/// An SVG document that cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub enum RasterError {
    /// It is no valid SVG document.
    #[error("the picture cannot be drawn")]
    Svg(#[from] resvg::usvg::Error),
    /// There is no memory for its pixels.
    #[error("the picture is too large")]
    TooLarge,
    /// The encoder failed.
    #[error("the picture cannot be packed: {0}")]
    Encode(String),
}

/// Draws an SVG document, with two pixels per unit.
///
/// # Errors
///
/// If the document is not valid, or too large for the memory.
pub fn to_png(svg: &str) -> Result<PngFile, RasterError> {
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
    let tree = Tree::from_str(svg, &options)?;
    let size = tree.size();
    let density = DENSITY.min(MAX_SIDE / size.width().max(size.height()));
    let [width, height] = [size.width(), size.height()].map(|side| pixels(side * density));
    let mut pixmap = Pixmap::new(width, height).ok_or(RasterError::TooLarge)?;
    resvg::render(&tree, Transform::from_scale(density, density), &mut pixmap.as_mut());
    let bytes = pixmap.encode_png().map_err(|error| RasterError::Encode(error.to_string()))?;
    Ok(PngFile { bytes, size: [width, height] })
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to MAX_SIDE")]
fn pixels(side: f32) -> u32 {
    side.ceil().clamp(1.0, MAX_SIDE) as u32
}
