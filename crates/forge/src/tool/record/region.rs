//! Tables of the whole map.

use threshold_dat::region::{GameTime, LandSizes, TerrainDesc, TerrainType, TextureMerge};
use threshold_dat::{Colour, RecordId, RegionDesc, Text};

use crate::tool::scene;

/// The id of the region.
pub(crate) const ID: RecordId = RecordId(0x1300_0000);

/// From this index on, heights rise faster than 2 m an index.
const STEEPER_FROM: u8 = 200;

/// Names and map colours of the 32 kinds of ground; 16 to 20 are water.
pub(crate) const GROUND: [(&str, u32); 32] = [
    ("BarrenRock", 0xFF7D_7468),
    ("Grassland", 0xFF5C_7A34),
    ("Ice", 0xFFD4_E4F0),
    ("LushGrass", 0xFF3F_7D2C),
    ("MarshSparseSwamp", 0xFF4C_5A38),
    ("MudRichDirt", 0xFF5A_4430),
    ("ObsidianPlain", 0xFF2A_2730),
    ("PackedDirt", 0xFF8A_6E4C),
    ("PatchyDirt", 0xFF7E_6A48),
    ("PatchyGrassland", 0xFF6E_7A40),
    ("SandYellow", 0xFFD8_C07A),
    ("SandGrey", 0xFFB0_A898),
    ("SandRockStrewn", 0xFFB8_A070),
    ("SedimentaryRock", 0xFF96_8468),
    ("SemiBarrenRock", 0xFF85_7C66),
    ("Snow", 0xFFF0_F4F8),
    ("WaterRunning", 0xFF3A_6EA5),
    ("WaterStandingFresh", 0xFF2E_5F94),
    ("WaterShallowSea", 0xFF3C_7AB0),
    ("WaterShallowStillSea", 0xFF38_74A8),
    ("WaterDeepSea", 0xFF1C_3C6E),
    ("Forestfloor", 0xFF3C_4E28),
    ("FauxWaterRunning", 0xFF46_6E8C),
    ("SeaSlime", 0xFF4A_7050),
    ("Agrila", 0xFF70_4A40),
    ("Volcano1", 0xFF48_2C24),
    ("Volcano2", 0xFF5C_3024),
    ("BlueIce", 0xFF9C_C8E4),
    ("Moss", 0xFF50_6E38),
    ("DarkMoss", 0xFF38_5030),
    ("Olthoi", 0xFF4E_4234),
    ("DesolateLands", 0xFF6A_5A50),
];

/// Returns the height of an index, in metres: 2 m each up to 400 m, then steeper to 700 m.
///
/// Retail: `LandDefs::Land_Height_Table`, which has other steps in its steeper part.
pub fn height(index: u8) -> f32 {
    let linear = 2.0 * f32::from(index.min(STEEPER_FROM));
    let part = f32::from(index.saturating_sub(STEEPER_FROM)) / f32::from(u8::MAX - STEEPER_FROM);
    linear + part * (110.0 + 190.0 * part)
}

/// Encodes a text; all texts here can be encoded.
pub(crate) fn text(text: &str) -> Text {
    Text::new(text).unwrap_or_default()
}

/// Returns the region: heights, kinds of ground, a calendar and a number of scenes; no sky and no textures.
pub(crate) fn region(scenes: usize) -> RegionDesc {
    let ground = move |(name, colour): (&str, u32)| TerrainType {
        name: text(name),
        map_colour: Colour(colour),
        scene_types: scene::slots(scenes),
    };
    RegionDesc {
        id: ID,
        number: 1,
        name: text("Threshold"),
        land: LandSizes::RETAIL,
        heights: (0..=u8::MAX).map(height).collect(),
        time: GameTime {
            zero_time_of_year: 3600.0,
            zero_year: 10,
            day_length: 7620.0,
            days_per_year: 360,
            year_spec: text("P.Y."),
            times_of_day: Vec::new(),
            week_days: Vec::new(),
            seasons: Vec::new(),
        },
        other_parts: RegionDesc::TERRAIN_PART,
        sky: None,
        sounds: None,
        scene_types: (scenes > 0).then(|| scene::types(scenes)),
        terrain: TerrainDesc {
            types: GROUND.into_iter().map(ground).collect(),
            textures: TextureMerge {
                base_size: 256,
                corner_maps: Vec::new(),
                side_maps: Vec::new(),
                road_maps: Vec::new(),
                textures: Vec::new(),
            },
        },
        misc: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_are_retails_and_rise_to_700() {
        let at = |index: u8| height(index);
        assert_eq!((at(0), at(1), at(10), at(200)), (0.0, 2.0, 20.0, 400.0));
        assert!((at(255) - 700.0).abs() < 1e-3);
        assert!((0..255).all(|index| height(index) < height(index + 1)));
    }
}
