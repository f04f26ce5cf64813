//! Which land cells are water, and how deep movers sink in it.

use threshold_dat::TerrainWord;
use threshold_land::CELL_LENGTH;
use threshold_land::vector::Vec2;

use super::Terrain;
use crate::constants::{
    BLOCK_VERTICES, LAND_CELLS, SHALLOW_DEPTH, SHORE_DEPTH, SIDE_VERTICES, WATER_DEPTH, WATER_TYPES,
};

/// How much of a land cell or landblock is water. Retail: `LandDefs::WaterType`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Water {
    /// No corner is water.
    #[default]
    None,
    /// Some corners are.
    Partial,
    /// All corners are.
    Entire,
}

fn is_water(word: TerrainWord) -> bool {
    WATER_TYPES.contains(&word.terrain_type())
}

pub(super) fn of_cells(words: &[TerrainWord; BLOCK_VERTICES]) -> [Water; LAND_CELLS] {
    std::array::from_fn(|cell| {
        let first = (cell >> 3) * SIDE_VERTICES + (cell & 7);
        let corners = [first, first + 1, first + SIDE_VERTICES, first + SIDE_VERTICES + 1];
        match corners.into_iter().filter(|corner| is_water(words[*corner])).count() {
            0 => Water::None,
            4 => Water::Entire,
            _ => Water::Partial,
        }
    })
}

pub(super) fn of_block(cells: &[Water; LAND_CELLS]) -> Water {
    if cells.iter().all(|water| *water == Water::Entire) {
        Water::Entire
    } else if cells.iter().all(|water| *water == Water::None) {
        Water::None
    } else {
        Water::Partial
    }
}

pub(super) fn depth(terrain: &Terrain, cell: usize, at: Vec2) -> f32 {
    match terrain.water(cell) {
        Water::None => 0.0,
        Water::Entire => WATER_DEPTH,
        Water::Partial => {
            // At equal distance the corner in the south or west counts.
            let far = |v: f32, index: usize| {
                let middle = index as f32 * CELL_LENGTH + CELL_LENGTH / 2.0;
                if v <= middle { index } else { index + 1 }
            };
            let nearest = terrain.word(far(at.x, cell >> 3), far(at.y, cell & 7));
            if is_water(nearest) { SHALLOW_DEPTH } else { SHORE_DEPTH }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::region::HeightTable;
    use threshold_dat::LandBlock;
    use threshold_land::BlockId;

    fn flooded(corners: &[(usize, usize)], terrain_type: u16) -> Terrain {
        let mut record = LandBlock::flat(BlockId(0xA9B4));
        for (x, y) in corners {
            record.terrain[x * SIDE_VERTICES + y] = TerrainWord(terrain_type << 2);
        }
        Terrain::new(&record, &HeightTable::retail_like()).unwrap()
    }

    #[test]
    fn one_flooded_corner_wets_four_cells() {
        let terrain = flooded(&[(2, 2)], 16);
        let partial = [(1, 1), (1, 2), (2, 1), (2, 2)].map(|(x, y)| 8 * x + y);
        for cell in 0..LAND_CELLS {
            let want = if partial.contains(&cell) { Water::Partial } else { Water::None };
            assert_eq!(terrain.water(cell), want, "{cell}");
        }
        assert_eq!(terrain.block_water(), Water::Partial);
        for (cell, at, want) in [
            (18, [50.0, 50.0], 0.45),
            (18, [60.0, 60.0], 0.45),
            (18, [60.001, 60.0], 0.1),
            (18, [70.0, 70.0], 0.1),
            (9, [47.0, 47.0], 0.45),
            (9, [36.0, 47.0], 0.1),
            (0, [1.0, 1.0], 0.0),
        ] {
            assert_eq!(terrain.water_depth(cell, at.into()), want, "{at:?}");
        }
    }

    #[test]
    fn a_landblock_flooded_everywhere_is_the_sea() {
        let all: Vec<_> = (0..9).flat_map(|x| (0..9).map(move |y| (x, y))).collect();
        let terrain = flooded(&all, 18);
        assert_eq!(terrain.block_water(), Water::Entire);
        assert!((0..LAND_CELLS).all(|cell| terrain.water_depth(cell, Vec2::ZERO) == 0.9));
    }

    #[test]
    fn a_pool_is_entire_in_one_cell_and_partial_round_it() {
        let terrain = flooded(&[(0, 0), (0, 1), (1, 0), (1, 1)], 17);
        assert_eq!(terrain.water(0), Water::Entire);
        assert!([1, 8, 9].into_iter().all(|cell| terrain.water(cell) == Water::Partial));
        assert_eq!(terrain.water(2), Water::None);
    }

    #[test]
    fn only_types_16_to_20_are_water() {
        for (terrain_type, water) in [(15, false), (16, true), (20, true), (21, false)] {
            assert_eq!(flooded(&[(4, 4)], terrain_type).water(36) != Water::None, water);
        }
    }
}
