//! The ground of a landblock: heights, triangles, water and roads.

mod road;
mod water;

pub use water::Water;

use threshold_dat::{LandBlock, TerrainWord};
use threshold_geom::{Winding, outline_contains_2d, plane_of};
use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{BlockId, CELL_LENGTH, Cut, Lcoord, Plane, cell_index};

use crate::constants::{BLOCK_VERTICES, LAND_CELLS, SIDE_VERTICES, TRIANGLES};
use crate::region::HeightTable;

/// The ground of one landblock, about 2.6 kB.
///
/// Retail: the terrain half of `CLandBlockStruct`.
#[derive(Clone, Debug, PartialEq)]
pub struct Terrain {
    /// Heights of the corners of land cells in metres; index `x * 9 + y`.
    heights: [f32; BLOCK_VERTICES],
    words: [TerrainWord; BLOCK_VERTICES],
    /// Two per land cell, in the order of [`Terrain::triangle`].
    planes: [Plane; TRIANGLES],
    /// One bit per land cell: set if its diagonal runs from south-west to north-east.
    cuts: u64,
    water: [Water; LAND_CELLS],
    block_water: Water,
}

/// A triangle of the ground under a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Its number in the landblock: twice the index of its cell, or one more.
    pub triangle: usize,
    /// Its plane, in the landblock's frame.
    pub plane: Plane,
}

impl Terrain {
    /// Builds the ground from a record. Returns `None` if the heights form no triangles, which
    /// cannot happen with finite heights.
    pub fn new(record: &LandBlock, table: &HeightTable) -> Option<Self> {
        let heights = record.heights.map(|index| table.height(index));
        let mut terrain = Self {
            heights,
            words: *record.terrain,
            planes: [Plane { normal: Vec3::Z, d: 0.0 }; TRIANGLES],
            cuts: cuts(record.block),
            water: [Water::None; LAND_CELLS],
            block_water: Water::None,
        };
        for number in 0..TRIANGLES {
            terrain.planes[number] = plane_of(&terrain.triangle(number))?;
        }
        terrain.water = water::of_cells(&terrain.words);
        terrain.block_water = water::of_block(&terrain.water);
        Some(terrain)
    }

    /// Returns the corner of land cells `x` east and `y` north, each at most 8.
    ///
    /// # Panics
    /// If `x` or `y` exceeds 8.
    pub fn vertex(&self, x: usize, y: usize) -> Vec3 {
        assert!(x < SIDE_VERTICES && y < SIDE_VERTICES, "corner {x}, {y} of a landblock");
        Vec3::new(line(x), line(y), self.heights[x * SIDE_VERTICES + y])
    }

    /// Returns the terrain word of the corner `x` east and `y` north, each at most 8.
    ///
    /// # Panics
    /// If `x` or `y` exceeds 8.
    pub fn word(&self, x: usize, y: usize) -> TerrainWord {
        assert!(x < SIDE_VERTICES && y < SIDE_VERTICES, "corner {x}, {y} of a landblock");
        self.words[x * SIDE_VERTICES + y]
    }

    /// Returns the corners of triangle `number` below 128, counter-clockwise seen from above.
    ///
    /// # Panics
    /// If there is no such triangle.
    pub fn triangle(&self, number: usize) -> [Vec3; 3] {
        self.triangles(number / 2)[number % 2]
    }

    /// Returns the two triangles of the land cell with this index.
    fn triangles(&self, cell: usize) -> [[Vec3; 3]; 2] {
        let (x, y) = (cell >> 3, cell & 7);
        let corners = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(dx, dy)| self.vertex(x + dx, y + dy));
        self.cut(cell).triangles(corners)
    }

    /// Returns the plane of triangle `number`.
    ///
    /// # Panics
    /// If there is no such triangle.
    pub fn plane(&self, number: usize) -> Plane {
        self.planes[number]
    }

    /// Returns the diagonal that divides the land cell with this index.
    pub fn cut(&self, cell: usize) -> Cut {
        if self.cuts >> cell & 1 == 1 { Cut::SwNe } else { Cut::NwSe }
    }

    /// Returns the triangle of the land cell with this index under `at`, a point in the landblock's
    /// frame; the first of the two if both contain it, as on their common edge. Returns `None` if
    /// the point is not in the cell. Edges count as inside.
    ///
    /// Retail: `CLandCell::find_terrain_poly`. Cost: two outlines of three edges.
    pub fn ground(&self, cell: usize, at: Vec2) -> Option<Ground> {
        let contains = |triangle: &[Vec3; 3]| outline_contains_2d(triangle, at, Winding::Positive);
        let triangle = 2 * cell + self.triangles(cell).iter().position(contains)?;
        Some(Ground { triangle, plane: self.planes[triangle] })
    }

    /// Returns the height of the ground under `at`, or `None` outside the landblock.
    pub fn height(&self, at: Vec2) -> Option<f32> {
        let ground = self.ground(cell_index(at)?, at)?;
        ground.plane.height(at.x, at.y)
    }

    /// Returns how much of the land cell with this index is water. Retail:
    /// `CLandBlockStruct::calc_water`.
    pub fn water(&self, cell: usize) -> Water {
        self.water[cell]
    }

    /// Returns how much of the landblock is water: [`Water::Entire`] if every land cell is.
    pub fn block_water(&self) -> Water {
        self.block_water
    }

    /// Returns how deep a mover sinks at `at` in the land cell with this index, in metres.
    ///
    /// Retail: `CObjCell::get_water_depth`.
    pub fn water_depth(&self, cell: usize, at: Vec2) -> f32 {
        water::depth(self, cell, at)
    }

    /// Returns whether `at` is on a road. Retail: `CLandBlock::on_road`. Only the placing of
    /// scenery uses it.
    pub fn on_road(&self, at: Vec2) -> bool {
        road::on_road(self, at)
    }

    /// Returns the lowest and the highest corner, in metres.
    pub fn height_range(&self) -> (f32, f32) {
        self.heights.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), height| {
            (low.min(*height), high.max(*height))
        })
    }

    /// Returns whether all corners have height 0, so that there is no landscape worth drawing.
    pub fn is_flat_zero(&self) -> bool {
        self.heights.iter().all(|height| *height == 0.0)
    }
}

/// Metres to grid line `i`.
fn line(i: usize) -> f32 {
    i as f32 * CELL_LENGTH
}

fn cuts(block: BlockId) -> u64 {
    let cut = |index: u16| block.cell(index + 1).lcoord().map(Lcoord::cut);
    (0..64).map(|index| u64::from(cut(index) == Some(Cut::SwNe)) << index).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A landblock with these height indices at the corners of one land cell, 0 elsewhere.
    fn one_cell(block: u16, cell: usize, corners: [u8; 4]) -> Terrain {
        let mut record = LandBlock::flat(BlockId(block));
        let (x, y) = (cell >> 3, cell & 7);
        for ((dx, dy), height) in [(0, 0), (1, 0), (1, 1), (0, 1)].into_iter().zip(corners) {
            record.heights[(x + dx) * SIDE_VERTICES + y + dy] = height;
        }
        Terrain::new(&record, &HeightTable::retail_like()).unwrap()
    }

    #[track_caller]
    fn check_plane(got: Plane, want: [f32; 4]) {
        let got = [got.normal.x, got.normal.y, got.normal.z, got.d];
        let near = got.iter().zip(want).all(|(a, b)| (a - b).abs() <= 1e-5 * b.abs().max(1.0));
        assert!(near, "{got:?} instead of {want:?}");
    }

    #[track_caller]
    fn check_height(terrain: &Terrain, at: [f32; 2], first: bool, want: f32) {
        let at = Vec2::from(at);
        let ground = terrain.ground(cell_index(at).unwrap(), at).unwrap();
        assert_eq!(ground.triangle.is_multiple_of(2), first, "{at}");
        let height = terrain.height(at).unwrap();
        assert!((height - want).abs() < 1e-4, "{at}: {height} instead of {want}");
    }

    #[test]
    fn worked_example_of_a_cell_cut_from_south_west() {
        let terrain = one_cell(0xA9B4, 0, [10, 12, 20, 14]);
        check_plane(terrain.plane(0), [-0.137_360_56, -0.549_442_2, 0.824_163_4, -16.483_267]);
        check_plane(terrain.plane(1), [-0.428_571_43, -0.285_714_3, 0.857_142_87, -17.142_857]);
        check_height(&terrain, [16.0, 8.0], true, 28.0);
        check_height(&terrain, [8.0, 16.0], false, 29.333_33);
        check_height(&terrain, [12.0, 12.0], true, 30.0);
    }

    #[test]
    fn worked_example_of_a_cell_cut_from_north_west() {
        let cell = 0x1E - 1;
        let terrain = one_cell(0xA9B4, cell, [10, 12, 20, 14]);
        check_plane(terrain.plane(2 * cell), [-0.156_173_75, -0.312_347_5, 0.937_042_5, 29.985_36]);
        check_plane(
            terrain.plane(2 * cell + 1),
            [-0.384_110_63, -0.512_147_55, 0.768_221_26, 79.895_02],
        );
        check_height(&terrain, [80.0, 128.0], true, 24.0);
        check_height(&terrain, [92.0, 136.0], false, 32.666_67);
        check_height(&terrain, [84.0, 132.0], true, 26.0);
    }

    #[test]
    fn worked_examples_of_walkability() {
        for (rise, z, walkable) in
            [(13, 0.678_280_1, true), (14, 0.650_791_35, false), (15, 0.624_695_06, false)]
        {
            let terrain = one_cell(0xA9B4, 0, [0, 0, rise, rise]);
            for number in [0, 1] {
                let normal = terrain.plane(number).normal;
                assert!((normal.z - z).abs() < 1e-5, "{normal}");
                assert_eq!(threshold_geom::is_valid_walkable(normal), walkable);
            }
        }
    }

    #[test]
    fn a_point_on_a_24_metre_line_is_in_both_cells() {
        let terrain = one_cell(0xA9B4, 0, [0; 4]);
        let at = Vec2::new(24.0, 12.0);
        assert!(terrain.ground(0, at).is_some() && terrain.ground(8, at).is_some());
        assert!(terrain.ground(1, at).is_none());
    }

    #[test]
    fn every_normal_points_up() {
        let terrain = one_cell(0x0102, 27, [255, 0, 200, 1]);
        assert!((0..TRIANGLES).all(|number| terrain.plane(number).normal.z > 0.0));
        assert_eq!(terrain.height_range(), (0.0, 700.0));
    }
}
