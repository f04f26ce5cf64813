//! Surfaces without a texture, which mark portal polygons.
//!
//! A portal has a polygon of its own that is never drawn. Some records mark the polygon, others its surface, which then
//! has no texture.

use threshold_dat::{RecordId, Records, Surface, surface_type};

/// Flags of the surfaces in a list that have no texture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct UntexturedSurfaces(Vec<bool>);

impl UntexturedSurfaces {
    /// Checks the surfaces of a room or of the shell of a building. Where none has a texture, as in worlds of plain
    /// colours, none counts as untextured: the walls have plain colours, too.
    pub(super) fn among(surfaces: &[RecordId], records: &mut Records<'_>) -> Self {
        let textured: Vec<Option<bool>> =
            surfaces.iter().map(|id| has_texture(*id, records)).collect();
        if !textured.contains(&Some(true)) {
            return Self::default();
        }
        Self(textured.into_iter().map(|textured| textured == Some(false)).collect())
    }

    pub(super) fn has(&self, surface: usize) -> bool {
        self.0.get(surface).copied().unwrap_or(false)
    }
}

/// Returns whether a surface has a texture; `None` if it cannot be read. The error is reported when the surface is
/// loaded to be drawn.
fn has_texture(id: RecordId, records: &mut Records<'_>) -> Option<bool> {
    let surface: Surface = records.get(id).ok()??;
    Some(surface.surface_type & (surface_type::IMAGE | surface_type::CLIP_MAP) != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_dat::{Colour, RecordSet, SurfaceFill};

    const SOLID: RecordId = RecordId(0x0800_0001);
    const IMAGE: RecordId = RecordId(0x0800_0002);
    const HOLES: RecordId = RecordId(0x0800_0003);
    const MISSING: RecordId = RecordId(0x0800_0004);

    #[test]
    fn only_readable_surfaces_without_a_texture_count_as_untextured() {
        let image = SurfaceFill::Image { texture: RecordId(0x0500_0001), palette: RecordId::NONE };
        let solid = SurfaceFill::Colour(Colour(0));
        let mut set = RecordSet::new();
        for (id, surface_type, fill) in [
            (SOLID, surface_type::SOLID, solid),
            (IMAGE, surface_type::IMAGE, image),
            (HOLES, surface_type::CLIP_MAP, image),
        ] {
            let surface =
                Surface { surface_type, fill, translucency: 0.0, luminosity: 0.0, diffuse: 1.0 };
            set.put(id, &surface).unwrap();
        }
        let among = |surfaces: &[RecordId]| {
            let untextured = UntexturedSurfaces::among(surfaces, &mut Records::new(&set));
            (0..surfaces.len() + 1).map(|place| untextured.has(place)).collect::<Vec<_>>()
        };
        assert_eq!(among(&[SOLID, IMAGE, MISSING]), [true, false, false, false]);
        assert_eq!(among(&[HOLES, SOLID]), [false, true, false]);
        assert_eq!(among(&[SOLID, MISSING]), [false; 3], "all surfaces are solid");
    }
}
