//! Image files.

use std::io;
use std::path::Path;

use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder};
use threshold_visuals::images::Image;

use crate::output::{OutputFile, cannot_write};

/// Writes an image as a .png file.
pub(crate) fn write_png(path: &Path, image: &Image) -> anyhow::Result<()> {
    let Image { width, height, pixels } = image;
    let bytes = pixels.as_flattened();
    let mut file = OutputFile::create(path)?;
    PngEncoder::new(&mut file)
        .write_image(bytes, *width, *height, ExtendedColorType::Rgba8)
        .map_err(|error| cannot_write(path, &io::Error::other(error)))?;
    file.finish()
}
