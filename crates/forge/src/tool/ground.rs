//! The ground of a landblock.

use threshold_dat::{LandBlock, TerrainWord};
use threshold_geom::{Winding, outline_contains_2d, plane_of};
use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{BlockId, CELL_LENGTH, cell_index};

use crate::tool::error::ForgeErrorKind;
use crate::tool::record::region::height;

/// Corners of land cells along one side of a landblock.
pub(crate) const CORNERS: usize = 9;

/// Values at the corners of land cells, index `x * 9 + y`.
type Grid = [i32; CORNERS * CORNERS];

/// The ground at the corners of land cells. It is checked only when it becomes a record.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ground {
    pub(crate) heights: Grid,
    pub(crate) kinds: Grid,
    pub(crate) roads: Grid,
    pub(crate) scenes: Grid,
}

impl Ground {
    pub(crate) const FLAT: Self = {
        let zero = [0; CORNERS * CORNERS];
        Self { heights: zero, kinds: zero, roads: zero, scenes: zero }
    };

    pub(crate) fn record(&self, block: BlockId) -> Result<LandBlock, ForgeErrorKind> {
        let mut out = LandBlock::flat(block);
        for index in 0..CORNERS * CORNERS {
            out.heights[index] = value("height", &self.heights, index, u8::MAX)?;
            let kind = value("kind of ground", &self.kinds, index, 31)?;
            let road = value("road", &self.roads, index, 3)?;
            let scene = value("scene", &self.scenes, index, 31)?;
            out.terrain[index] =
                TerrainWord(u16::from(scene) << 11 | u16::from(kind) << 2 | u16::from(road));
        }
        Ok(out)
    }

    /// Returns the height of the ground at a point of the landblock; `None` outside, and where the heights cannot
    /// be stored.
    pub(crate) fn at(&self, block: BlockId, point: Vec2) -> Option<f32> {
        let index = cell_index(point)?;
        let (x, y) = (index >> 3, index & 7);
        let corner = |(dx, dy): (usize, usize)| {
            let value = self.heights[(x + dx) * CORNERS + y + dy];
            let metres = |corner: usize| corner as f32 * CELL_LENGTH;
            Some(Vec3::new(metres(x + dx), metres(y + dy), height(u8::try_from(value).ok()?)))
        };
        let corners = [corner((0, 0))?, corner((1, 0))?, corner((1, 1))?, corner((0, 1))?];
        let low = u16::try_from(index).ok()? + 1;
        let triangles = block.cell(low).lcoord()?.cut().triangles(corners);
        let under = triangles
            .iter()
            .find(|triangle| outline_contains_2d(&triangle[..], point, Winding::Positive));
        plane_of(under?)?.height(point.x, point.y)
    }
}

fn value(what: &'static str, values: &Grid, index: usize, max: u8) -> Result<u8, ForgeErrorKind> {
    let value = values[index];
    u8::try_from(value).ok().filter(|value| *value <= max).ok_or(ForgeErrorKind::OutOfRange {
        what,
        value,
        max: i32::from(max),
        x: index / CORNERS,
        y: index % CORNERS,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(block: u16, cell: (usize, usize), at: [f32; 2], want: f32) {
        let mut ground = Ground::FLAT;
        let corners = [(0, 0, 10), (1, 0, 12), (1, 1, 20), (0, 1, 14)];
        for (dx, dy, height) in corners {
            ground.heights[(cell.0 + dx) * CORNERS + cell.1 + dy] = height;
        }
        let got = ground.at(BlockId(block), at.into()).unwrap();
        assert!((got - want).abs() < 1e-3, "{at:?}: {got} instead of {want}");
    }

    #[test]
    fn worked_examples_of_heights_between_corners() {
        check(0xA9B4, (0, 0), [16.0, 8.0], 28.0);
        check(0xA9B4, (0, 0), [8.0, 16.0], 29.33333);
        check(0xA9B4, (0, 0), [12.0, 12.0], 30.0);
        check(0xA9B4, (3, 5), [80.0, 128.0], 24.0);
        check(0xA9B4, (3, 5), [92.0, 136.0], 32.66667);
        check(0xA9B4, (3, 5), [84.0, 132.0], 26.0);
        assert_eq!(Ground::FLAT.at(BlockId(0xA9B4), Vec2::new(192.0, 5.0)), None);
        assert_eq!(Ground::FLAT.at(BlockId(0xA9B4), Vec2::new(f32::NAN, 5.0)), None);
    }
}
