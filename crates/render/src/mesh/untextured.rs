//! Surfaces that rooms and buildings do not show.
//!
//! An opening has a polygon of its own, and that is never drawn. Some records say so in the polygon, and some in its surface, which
//! then has no picture.

use threshold_dat::{RecordId, Records, Surface, surface_type};

/// Which of a list of surfaces have no picture, by their place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct UntexturedSurfaces(Vec<bool>);

impl UntexturedSurfaces {
    /// Of the surfaces of a room or of the shell of a building. Where none of them has a picture, as in worlds that are all plain
    /// colours, a colour says nothing: its walls have one too.
    pub(super) fn among(surfaces: &[RecordId], records: &mut Records<'_>) -> Self {
        let pictured: Vec<Option<bool>> =
            surfaces.iter().map(|id| has_picture(*id, records)).collect();
        if !pictured.contains(&Some(true)) {
            return Self::default();
        }
        Self(pictured.into_iter().map(|pictured| pictured == Some(false)).collect())
    }

    pub(super) fn has(&self, surface: usize) -> bool {
        self.0.get(surface).copied().unwrap_or(false)
    }
}

/// `None` if it cannot be read, which is for who paints it to tell.
fn has_picture(id: RecordId, records: &mut Records<'_>) -> Option<bool> {
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
    fn only_surfaces_that_are_known_to_have_no_picture_are_bare() {
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
            let bare = UntexturedSurfaces::among(surfaces, &mut Records::new(&set));
            (0..surfaces.len() + 1).map(|place| bare.has(place)).collect::<Vec<_>>()
        };
        assert_eq!(among(&[SOLID, IMAGE, MISSING]), [true, false, false, false]);
        assert_eq!(among(&[HOLES, SOLID]), [false, true, false]);
        assert_eq!(among(&[SOLID, MISSING]), [false; 3], "all that there is to see");
    }
}
