//! Textures of the ground, and the masks that blend them.

use threshold_dat::region::{TerrainTexture, TextureMap, TextureMerge};
use threshold_dat::{EncodeError, RecordId, RecordSet};

use crate::stock::texture::{Mask, Pictures, ROAD, Reach};

/// Sets the textures of all kinds of ground and of roads, and the masks between them.
pub(crate) fn dress(
    merge: &mut TextureMerge,
    pictures: &mut Pictures,
    records: &mut RecordSet,
) -> Result<(), EncodeError> {
    for kind in 0..=ROAD {
        let (texture, tiling) = pictures.ground(kind, records)?;
        merge.textures.push(TerrainTexture {
            terrain_type: u32::from(kind),
            texture,
            tiling,
            variation: [0; 6],
            detail_tiling: 0,
            detail_texture: RecordId::NONE,
        });
    }
    let mut maps = |reaches: &[Reach]| -> Result<Vec<TextureMap>, EncodeError> {
        let masks = reaches.iter().flat_map(|reach| reach.masks());
        let map = |mask: Mask| {
            let texture = pictures.mask(mask, records)?;
            Ok(TextureMap { code: mask.reach.code(), texture })
        };
        masks.map(map).collect()
    };
    merge.corner_maps = maps(&[Reach::Corner])?;
    merge.side_maps = maps(&[Reach::Side])?;
    merge.road_maps = maps(&[Reach::RoadEnd, Reach::RoadAlong, Reach::RoadAcross])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::record::region::region;

    fn dressed() -> TextureMerge {
        let mut merge = region(0).terrain.textures;
        let mut records = RecordSet::default();
        dress(&mut merge, &mut Pictures::new(1), &mut records).unwrap();
        merge
    }

    /// Returns which of the masks in a list of maps can be reached by turning them.
    fn reached(maps: &[TextureMap]) -> Vec<u32> {
        let turned = |map: &TextureMap| {
            std::iter::successors(Some(map.code), |code| Some((2 * code - 1) % 15 + 1)).take(4)
        };
        let mut masks: Vec<u32> = maps.iter().flat_map(turned).collect();
        masks.sort_unstable();
        masks.dedup();
        masks
    }

    #[test]
    fn every_choice_of_the_land_finds_a_map() {
        let merge = dressed();
        assert_eq!(reached(&merge.corner_maps), [1, 2, 4, 8]);
        assert_eq!(reached(&merge.side_maps), [3, 6, 9, 12]);
        assert_eq!(reached(&merge.road_maps), [1, 2, 3, 4, 5, 6, 8, 9, 10, 12]);
        // The land always uses the map of one number, and all maps of a list must give the same result.
        for maps in [&merge.corner_maps, &merge.side_maps] {
            assert!(maps.iter().all(|map| map.code == maps[0].code));
        }
    }

    #[test]
    fn all_kinds_of_ground_and_the_road_have_a_texture() {
        let merge = dressed();
        let kinds: Vec<u32> = merge.textures.iter().map(|own| own.terrain_type).collect();
        assert_eq!(kinds, (0..=32).collect::<Vec<_>>());
        assert!(merge.textures.iter().all(|own| own.tiling > 0 && own.texture != RecordId::NONE));
    }
}
