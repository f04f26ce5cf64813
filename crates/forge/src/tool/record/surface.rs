//! Records of materials.

use threshold_dat::{RecordId, Surface, SurfaceFill, surface_type};

use crate::stock::material::Material;

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

/// Transparency of glass, in addition to that of its texture.
const GLASS: f32 = 0.25;

/// The surface of a material with a picture.
pub(crate) fn pictured(material: Material, texture: RecordId) -> Surface {
    let (surface_type, translucency, luminosity) = match material {
        _ if material.has_holes() => (surface_type::CLIP_MAP, 0.0, 0.0),
        Material::Glass => {
            let blended = surface_type::TRANSLUCENT | surface_type::ALPHA;
            (surface_type::IMAGE | blended, GLASS, 0.0)
        }
        Material::Flame => (surface_type::IMAGE, 0.0, 1.0),
        _ => (surface_type::IMAGE, 0.0, 0.0),
    };
    let fill = SurfaceFill::Image { texture, palette: RecordId::NONE };
    Surface { surface_type, fill, translucency, luminosity, diffuse: 1.0 }
}
