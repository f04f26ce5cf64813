//! A picture in a file.

use std::path::Path;

use anyhow::bail;

use super::scene::Scene;
use super::{raster, svg};
use crate::output;
use crate::show::thousands;

/// What the file is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Svg,
    Png,
}

impl Format {
    pub(crate) fn of(path: &Path) -> anyhow::Result<Self> {
        let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
        match extension.as_deref().and_then(|extension| extension.to_str()) {
            Some("svg") => Ok(Self::Svg),
            Some("png") => Ok(Self::Png),
            _ => bail!("{}: a picture is an .svg or a .png file", path.display()),
        }
    }

    /// Writes a picture, and says how large it is.
    pub(crate) fn write(self, scene: &Scene, path: &Path) -> anyhow::Result<String> {
        let text = svg::svg(scene);
        let (bytes, size) = match self {
            Self::Svg => {
                let [width, height] = scene.size.to_array().map(|side| side.ceil());
                (text.into_bytes(), format!("{width} x {height}"))
            }
            Self::Png => {
                let (bytes, [width, height]) = raster::png(&text)?;
                (bytes, format!("{width} x {height} pixels"))
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
    fn the_name_of_the_file_says_what_it_is() {
        assert_eq!(Format::of(Path::new("a/b.svg")).ok(), Some(Format::Svg));
        assert_eq!(Format::of(Path::new("B.PNG")).ok(), Some(Format::Png));
        for bad in ["a.pdf", "a", ".svg", "a.svg.gz"] {
            assert!(Format::of(Path::new(bad)).is_err(), "{bad}");
        }
    }
}
