//! Materials as records, where they are plain colours.

use threshold_dat::{Surface, SurfaceFill, surface_type};

use crate::material::Material;

/// The surface of a material without a picture.
pub(crate) fn plain(material: Material) -> Surface {
    Surface {
        surface_type: surface_type::SOLID,
        fill: SurfaceFill::Colour(material.colour()),
        translucency: 0.0,
        luminosity: 0.0,
        diffuse: 1.0,
    }
}
