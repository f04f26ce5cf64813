//! Drawings as files.

use std::path::Path;

use anyhow::bail;
use threshold_map::drawing::Drawing;
use threshold_map::{raster, svg};

use crate::formatting::thousands;
use crate::output;

/// A file format of drawings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DrawingFormat {
    Svg,
    Png,
}

impl DrawingFormat {
    /// Returns the format that the name of a file ends in.
    pub(crate) fn of(path: &Path) -> anyhow::Result<Self> {
        let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
        match extension.as_deref().and_then(|extension| extension.to_str()) {
            Some("svg") => Ok(Self::Svg),
            Some("png") => Ok(Self::Png),
            _ => bail!("{}: a picture is an .svg or a .png file", path.display()),
        }
    }

    /// Writes a drawing; returns a description of its size.
    pub(crate) fn write(self, drawing: &Drawing, path: &Path) -> anyhow::Result<String> {
        let text = svg::to_svg(drawing);
        let (bytes, size) = match self {
            Self::Svg => {
                let [width, height] = drawing.size.to_array().map(|side| side.ceil());
                (text.into_bytes(), format!("{width} x {height}"))
            }
            Self::Png => {
                let png = raster::to_png(&text)?;
                let [width, height] = png.size;
                (png.bytes, format!("{width} x {height} pixels"))
            }
        };
        output::write(path, &bytes)?;
        Ok(format!("{size}, {} bytes", thousands(bytes.len())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_file_gives_the_format() {
        assert_eq!(DrawingFormat::of(Path::new("a/b.svg")).ok(), Some(DrawingFormat::Svg));
        assert_eq!(DrawingFormat::of(Path::new("B.PNG")).ok(), Some(DrawingFormat::Png));
        for bad in ["a.pdf", "a", ".svg", "a.svg.gz"] {
            assert!(DrawingFormat::of(Path::new(bad)).is_err(), "{bad}");
        }
    }
}
