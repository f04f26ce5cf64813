//! Which textures the ground shows, and by which masks they blend.

use threshold_dat::region::{TerrainTexture, TextureMap, TextureMerge};
use threshold_dat::{EncodeError, RecordId, RecordSet};

use crate::texture::{Mask, Pictures, ROAD, Reach};

/// Fills in the textures of all kinds of ground, of roads, and the masks between them.
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
