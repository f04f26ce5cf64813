//! Pictures as files.

use std::io;
use std::path::Path;

use threshold_render::picture::Picture;

use crate::say::cannot_write;

/// Writes a picture as a .png file.
pub(crate) fn write_png(path: &Path, picture: &Picture) -> anyhow::Result<()> {
    let Picture { width, height, pixels } = picture;
    let bytes = pixels.as_flattened();
    image::save_buffer(path, bytes, *width, *height, image::ColorType::Rgba8)
        .map_err(|error| cannot_write(path, &io::Error::other(error)))
}
