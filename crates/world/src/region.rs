//! Tables of the region from which the ground is built.

use std::sync::Arc;

use threshold_dat::{RecordId, RegionDesc};

use crate::constants::MAX_TERRAIN_HEIGHT;
use crate::fault::Problem;

/// The region record of retail's files. Retail: `CRegionDesc`.
pub const REGION: RecordId = RecordId(0x1300_0000);

/// Height in metres by the height index of a landblock's corner. Retail:
/// `LandDefs::Land_Height_Table`.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightTable([f32; 256]);

impl HeightTable {
    /// Creates a table of 256 heights between 0 and 800 m; the retail client stops reading at any
    /// other.
    pub fn new(heights: &[f32]) -> Result<Self, Problem> {
        let refuse = |index| Problem::Height { index, height: heights.get(index).copied() };
        if let Some(index) =
            heights.iter().position(|height| !(0.0..=MAX_TERRAIN_HEIGHT).contains(height))
        {
            return Err(refuse(index));
        }
        heights.try_into().map(Self).map_err(|_| refuse(heights.len().min(256)))
    }

    /// Returns the height of an index, in metres.
    pub fn height(&self, index: u8) -> f32 {
        self.0[usize::from(index)]
    }

    #[cfg(test)]
    pub(crate) fn retail_like() -> Self {
        let height = |index: usize| match index {
            0..=200 => 2.0 * index as f32,
            _ => 400.0 + (index - 200) as f32 * 300.0 / 55.0,
        };
        Self(std::array::from_fn(height))
    }
}

/// The tables that the ground of every landblock is built from.
#[derive(Clone, Debug)]
pub(crate) struct RegionTables {
    pub(crate) heights: HeightTable,
    /// Scenes to choose from, by terrain type and scene selector.
    scenes: Vec<Vec<Arc<[RecordId]>>>,
}

impl RegionTables {
    pub(crate) fn new(region: &RegionDesc) -> Result<Self, Problem> {
        let choices: Vec<Arc<[RecordId]>> =
            region.scene_types.iter().flatten().map(|choice| choice.scenes[..].into()).collect();
        // An index beyond the table means no scenery, as -1 does.
        let choice = |index: &i32| {
            let index = usize::try_from(*index).ok();
            index.and_then(|index| choices.get(index).cloned()).unwrap_or_default()
        };
        let scenes = region.terrain.types.iter();
        let scenes = scenes.map(|kind| kind.scene_types.iter().map(choice).collect()).collect();
        Ok(Self { heights: HeightTable::new(&region.heights)?, scenes })
    }

    /// Returns the scenes to choose from at a corner with this terrain type and scene selector.
    pub(crate) fn scenes(&self, terrain_type: u16, selector: u16) -> &[RecordId] {
        let choices = self.scenes.get(usize::from(terrain_type));
        choices.and_then(|choices| choices.get(usize::from(selector))).map_or(&[], |list| list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_are_taken_from_the_table_unscaled() {
        let table = HeightTable::retail_like();
        for (index, height) in [(0, 0.0), (1, 2.0), (10, 20.0), (100, 200.0), (200, 400.0)] {
            assert_eq!(table.height(index), height);
        }
        assert!(table.height(201) > 402.0);
    }

    #[test]
    fn a_height_that_stops_the_retail_client_is_a_fault_of_the_region() {
        let mut heights = vec![1.0_f32; 256];
        assert!(HeightTable::new(&heights).is_ok());
        for bad in [-0.1, 800.1, f32::NAN, f32::INFINITY] {
            heights[7] = bad;
            let text = HeightTable::new(&heights).unwrap_err().to_string();
            assert!(text.contains("height 7"), "{text}");
        }
        assert!(HeightTable::new(&[1.0; 255]).is_err());
        assert!(HeightTable::new(&[1.0; 257]).is_err());
    }
}
