//! Terrain textures of a land cell, and the masks that blend them.

use threshold_dat::TerrainWord;
use threshold_dat::region::{TextureMap, TextureMerge};

/// Texture layers of a land cell, from the bottom: a base, up to three overlays, and up to two stretches of road.
///
/// Retail: `TexMerge`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TerrainLayers {
    /// Terrain type of the whole cell; [`ROAD`] where all corners are road.
    pub base: u8,
    /// Overlays of other terrain types.
    pub overlays: [Option<TerrainOverlay>; 3],
    /// Stretches of road.
    pub roads: [Option<TerrainOverlay>; 2],
}

/// A terrain texture that shows through a mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerrainOverlay {
    /// Terrain type.
    pub kind: u8,
    /// Index of the mask in [`TerrainMasks`].
    pub mask: u8,
    /// Rotation of the mask, in quarter turns.
    pub turns: u8,
}

/// Number of masks that can be used. Retail's region has eight.
pub(super) const MAX_MASKS: usize = 64;

/// Terrain type of the road.
pub const ROAD: u8 = 32;

/// Masks of a region: those of corners, then those of sides, then those of roads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TerrainMasks {
    corners: Vec<u32>,
    sides: Vec<u32>,
    roads: Vec<u32>,
}

impl TerrainMasks {
    /// Collects the masks of a region.
    pub fn new(merge: &TextureMerge) -> Self {
        let [corners, sides, roads] =
            Self::maps(merge).map(|maps| maps.iter().map(|map| map.code).collect());
        Self { corners, sides, roads }
    }

    /// Returns the maps of a region in order, cut off after [`MAX_MASKS`].
    pub(crate) fn maps(merge: &TextureMerge) -> [&[TextureMap]; 3] {
        let mut left = MAX_MASKS;
        [&merge.corner_maps, &merge.side_maps, &merge.road_maps].map(|maps| {
            let maps = &maps[..maps.len().min(left)];
            left -= maps.len();
            maps
        })
    }

    /// Number of masks.
    pub fn len(&self) -> usize {
        self.corners.len() + self.sides.len() + self.roads.len()
    }

    /// Whether there is no mask.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the mask and turns of a terrain overlay that shows at the corners `wanted`.
    fn terrain(&self, chance: f64, wanted: u32) -> Option<(u8, u8)> {
        let is_corner = wanted.is_power_of_two();
        let (list, first) =
            if is_corner { (&self.corners, 0) } else { (&self.sides, self.corners.len()) };
        let index = pick(chance, list.len());
        let turns = quarter_turns(*list.get(index)?, wanted)?;
        Some((u8::try_from(first + index).ok()?, turns))
    }

    /// Returns the mask and turns of a stretch of road: the first that fits, starting at a random one.
    fn road(&self, chance: f64, wanted: u32) -> Option<(u8, u8)> {
        let (count, first) = (self.roads.len(), self.corners.len() + self.sides.len());
        let start = pick(chance, count);
        (0..count).map(|step| (start + step) % count).find_map(|index| {
            let turns = quarter_turns(self.roads[index], wanted)?;
            Some((u8::try_from(first + index).ok()?, turns))
        })
    }
}

/// Picks an index below `count`.
fn pick(chance: f64, count: usize) -> usize {
    #[allow(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a handful of masks, and a chance below 1"
    )]
    let index = (chance * count as f64) as usize;
    if index < count { index } else { 0 }
}

/// Returns how many quarter turns bring a mask to the corners `wanted`; `None` if no turn does, as for a code beyond
/// the four corners.
fn quarter_turns(mut code: u32, wanted: u32) -> Option<u8> {
    if code > 15 {
        return None;
    }
    for turns in 0..4 {
        if code == wanted {
            return Some(turns);
        }
        code *= 2;
        if code > 15 {
            code -= 15;
        }
    }
    None
}

/// Computes the palette code of a cell, which determines its layers, from its corners in the order SW, SE, NE, NW.
pub fn palette_code(corners: [TerrainWord; 4]) -> u32 {
    let roads = corners.iter().fold(0, |code, word| code << 2 | u32::from(word.road()));
    let types = corners.iter().fold(0, |code, word| code << 5 | u32::from(word.terrain_type()));
    1 << 28 | roads << 20 | types
}

/// Hashes a palette code to a number from 0 to below 1.
fn chance(palette_code: u32) -> f64 {
    let hash = palette_code.wrapping_mul(0x523A_A99E).wrapping_sub(0x51C9_E74A);
    f64::from(hash) / 4_294_967_296.0
}

impl TerrainLayers {
    /// Computes the layers of a cell from its corners, in the order SW, SE, NE, NW.
    pub fn of(corners: [TerrainWord; 4], masks: &TerrainMasks) -> Self {
        let road = corners.iter().enumerate();
        let road = road.fold(0, |mask, (k, word)| mask | u32::from(word.road() != 0) << k);
        if road == 15 {
            return Self { base: ROAD, ..Self::default() };
        }
        let chance = chance(palette_code(corners));
        // A terrain type has five bits.
        let kinds = corners.map(|word| u8::try_from(word.terrain_type()).unwrap_or(0));
        let (base, wanted) = base_and_overlays(kinds);
        let overlay = |(kind, mask): (u8, u32)| {
            let (mask, turns) = masks.terrain(chance, mask)?;
            Some(TerrainOverlay { kind, mask, turns })
        };
        let stretch = |mask: u32| {
            let (mask, turns) = masks.road(chance, mask)?;
            Some(TerrainOverlay { kind: ROAD, mask, turns })
        };
        Self {
            base,
            overlays: wanted.map(|wanted| wanted.and_then(overlay)),
            roads: road_stretches(road).map(|mask| mask.and_then(stretch)),
        }
    }

    /// Overlays and roads, from the bottom; at most five.
    pub fn covers(&self) -> impl Iterator<Item = TerrainOverlay> + use<> {
        self.overlays.into_iter().chain(self.roads).flatten()
    }
}

/// Returns the terrain type of the whole cell, and the others with the corners at which they show.
fn base_and_overlays(kinds: [u8; 4]) -> (u8, [Option<(u8, u32)>; 3]) {
    let twice = |k: &usize| kinds[k + 1..].contains(&kinds[*k]);
    let Some(first) = (0..4).find(twice) else {
        let [base, a, b, c] = kinds;
        return (base, [Some((a, 2)), Some((b, 4)), Some((c, 8))]);
    };
    let base = kinds[first];
    let mut found: [Option<(u8, u32)>; 3] = [None; 3];
    for (k, kind) in kinds.into_iter().enumerate().filter(|(_, kind)| *kind != base) {
        let mask = 1 << k;
        match found[0] {
            None => found[0] = Some((kind, mask)),
            // An adjacent corner of the same type makes a side.
            Some((same, before)) if same == kind && before << 1 == mask => {
                found[0] = Some((kind, before | mask));
            }
            Some(_) => found[1] = Some((kind, mask)),
        }
    }
    (base, found)
}

/// Splits a road at these corners into stretches that have masks.
fn road_stretches(road: u32) -> [Option<u32>; 2] {
    match road {
        0 => [None, None],
        7 => [Some(3), Some(6)],
        11 => [Some(9), Some(3)],
        13 => [Some(9), Some(12)],
        14 => [Some(6), Some(12)],
        one => [Some(one), None],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(road: u8, kind: u8) -> TerrainWord {
        TerrainWord(u16::from(road) | u16::from(kind) << 2)
    }

    fn corners(roads: [u8; 4], kinds: [u8; 4]) -> [TerrainWord; 4] {
        std::array::from_fn(|k| word(roads[k], kinds[k]))
    }

    /// Palette code, base, overlays with their corners, corners of roads, and the chance.
    type ExpectedLayers<'a> = (u32, u8, &'a [(u8, u32)], &'a [u32], f64);

    #[track_caller]
    fn check(roads: [u8; 4], kinds: [u8; 4], expected: ExpectedLayers<'_>) {
        let (code, base, overlays, masks, expected_chance) = expected;
        let corners = corners(roads, kinds);
        assert_eq!(palette_code(corners), code);
        assert!((chance(code) - expected_chance).abs() < 1e-6, "{}", chance(code));
        let road = (0..4).fold(0, |mask, k| mask | u32::from(roads[k] != 0) << k);
        if base != ROAD {
            let (own, found) = base_and_overlays(kinds);
            assert_eq!(
                (own, found.into_iter().flatten().collect::<Vec<_>>()),
                (base, overlays.to_vec())
            );
            assert_eq!(road_stretches(road).into_iter().flatten().collect::<Vec<_>>(), masks);
        } else {
            assert_eq!(TerrainLayers::of(corners, &TerrainMasks::default()).base, ROAD);
        }
    }

    #[test]
    fn layers_match_the_worked_examples() {
        let none = [0; 4];
        check(none, [1, 1, 1, 1], (0x1000_8421, 1, &[], &[], 0.403251));
        check(none, [1, 1, 1, 7], (0x1000_8427, 1, &[(7, 8)], &[], 0.330496));
        check(none, [1, 7, 7, 1], (0x1000_9CE1, 1, &[(7, 6)], &[], 0.574729));
        check(none, [7, 1, 1, 7], (0x1003_8427, 7, &[(1, 6)], &[], 0.318198));
        check(none, [3, 3, 1, 1], (0x1001_8C21, 3, &[(1, 12)], &[], 0.899023));
        check(none, [1, 3, 3, 3], (0x1000_8C63, 3, &[(1, 1)], &[], 0.436159));
        check(none, [1, 7, 1, 7], (0x1000_9C27, 1, &[(7, 2), (7, 8)], &[], 0.830112));
        check(none, [1, 7, 9, 1], (0x1000_9D21, 1, &[(7, 2), (9, 4)], &[], 0.132017));
        check(none, [1, 7, 9, 3], (0x1000_9D23, 1, &[(7, 2), (9, 4), (3, 8)], &[], 0.774432));
        check([1, 1, 0, 0], [1; 4], (0x1500_8421, 1, &[], &[3], 0.489188));
        check([1, 1, 1, 0], [1; 4], (0x1540_8421, 1, &[], &[3, 6], 0.893485));
        check([1, 0, 1, 0], [1; 4], (0x1440_8421, 1, &[], &[5], 0.276297));
        check([1; 4], [3; 4], (0x1551_8C63, ROAD, &[], &[], 0.190034));
    }

    #[test]
    fn masks_are_turned_until_they_fit() {
        let corner = [8, 1, 2, 4].map(|wanted| quarter_turns(8, wanted));
        assert_eq!(corner, [Some(0), Some(1), Some(2), Some(3)]);
        let side = [9, 3, 6, 12].map(|wanted| quarter_turns(9, wanted));
        assert_eq!(side, [Some(0), Some(1), Some(2), Some(3)]);
        assert_eq!(quarter_turns(8, 3), None);
        assert_eq!([5, 10].map(|wanted| quarter_turns(5, wanted)), [Some(0), Some(1)]);
    }

    #[test]
    fn codes_beyond_the_four_corners_were_doubled_until_they_overflowed() {
        for code in [16, 1 << 31, u32::MAX] {
            assert_eq!(quarter_turns(code, 1), None, "{code}");
        }
        assert_eq!(quarter_turns(16, 16), None);
    }
}
