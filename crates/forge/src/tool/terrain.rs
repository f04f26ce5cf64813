//! Terrain tools that work on many landblocks at once.

use threshold_land::vector::{IVec2, Vec2};
use threshold_land::{BLOCK_LENGTH, BlockId, CELL_LENGTH};

use crate::stock::soil::Soil;
use crate::tool::area::Area;
use crate::tool::forge::Forge;
use crate::tool::record::region::height;

/// Land cells along the side of a landblock.
const CELLS: i32 = 8;

/// Width of the banks of a lake, in metres: two land cells.
const BANK: f32 = 2.0 * CELL_LENGTH;
/// Height of the first corner of a bank over the water, in metres.
const FREEBOARD: f32 = 2.0;
/// Maximum height of sand over the water, in metres.
const BEACH: f32 = 5.0;

/// The terrain of a rectangle of landblocks.
///
/// Places are in metres to the east and north of its south-western corner. Land has a height and a kind of ground at
/// every corner of its cells, 24 m apart; brushes change the corners they cover. Heights are rounded to those that can
/// be stored when it becomes part of a world.
///
/// ```
/// use threshold_forge::{Area, Forge, Soil, TerrainMap};
/// use threshold_land::BlockId;
///
/// let mut land = TerrainMap::new(BlockId::new(0xA9, 0xB4), [2, 1], 40.0);
/// land.roll(8.0, 120.0, 7)
///     .hill([300.0, 100.0], 90.0, 60.0)
///     .lake(&Area::disc([80.0, 90.0], 50.0), 38.0)
///     .road(&[[0.0, 168.0], [384.0, 168.0]])
///     .paint(&Area::disc([300.0, 100.0], 60.0), Soil::ROCK);
/// let mut forge = Forge::new();
/// forge.land(&land);
/// let world = forge.finish()?;
/// # let _ = world;
/// # Ok::<(), threshold_forge::ForgeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TerrainMap {
    south_west: BlockId,
    /// Number of landblocks to the east and to the north.
    size: [u8; 2],
    /// Origin of coordinates, in metres from the south-western corner.
    origin: Vec2,
    corners: Vec<Corner>,
}

/// A corner of land cells.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Corner {
    /// In metres.
    height: f32,
    soil: Soil,
    road: bool,
    scene: u8,
}

impl TerrainMap {
    /// Creates grassland at one height: `[east, north]` landblocks from the south-western one.
    pub fn new(south_west: BlockId, size: [u8; 2], metres: f32) -> Self {
        let corner = Corner { height: metres, soil: Soil::GRASS, road: false, scene: 0 };
        let count = size.map(|blocks| usize::from(blocks) * 8 + 1);
        let corners = vec![corner; count[0] * count[1]];
        Self { south_west, size, origin: Vec2::ZERO, corners }
    }

    /// Moves the origin of coordinates to the south-western corner of another landblock.
    pub(crate) fn counted_from(self, block: BlockId) -> Self {
        let apart = |to: u8, from: u8| f32::from(to) - f32::from(from);
        let south_west = self.south_west;
        let blocks = Vec2::new(apart(block.x(), south_west.x()), apart(block.y(), south_west.y()));
        Self { origin: blocks * BLOCK_LENGTH, ..self }
    }

    /// Returns the landblocks. Those beyond the map are refused when the world is made.
    pub fn blocks(&self) -> impl Iterator<Item = BlockId> + use<> {
        let (first, [east, north]) = (self.south_west, self.size);
        let all = (0..east).flat_map(move |x| (0..north).map(move |y| (x, y)));
        all.map(move |(x, y)| {
            BlockId::new(first.x().saturating_add(x), first.y().saturating_add(y))
        })
    }

    /// Returns the last corner to the east and to the north.
    fn last(&self) -> IVec2 {
        IVec2::from(self.size.map(|blocks| i32::from(blocks) * CELLS))
    }

    fn index(&self, corner: IVec2) -> usize {
        let at = corner.clamp(IVec2::ZERO, self.last());
        let row = usize::from(self.size[1]) * 8 + 1;
        // Clamped to zero and more.
        at.x.unsigned_abs() as usize * row + at.y.unsigned_abs() as usize
    }

    /// All corners.
    fn all(&self) -> impl Iterator<Item = IVec2> + use<> {
        let last = self.last();
        (0..=last.x).flat_map(move |x| (0..=last.y).map(move |y| IVec2::new(x, y)))
    }

    /// Returns the corner nearest to a point.
    fn nearest(&self, at: [f32; 2]) -> IVec2 {
        ((Vec2::from(at) + self.origin) / CELL_LENGTH).round().as_ivec2()
    }

    /// Changes every corner by a function of its position.
    fn each(&mut self, mut change: impl FnMut(Vec2, &mut Corner)) -> &mut Self {
        for at in self.all() {
            let index = self.index(at);
            change(at.as_vec2() * CELL_LENGTH - self.origin, &mut self.corners[index]);
        }
        self
    }

    /// Adds rolling ground: up to `metres` up and down, over hills of `length`, from a seed.
    pub fn roll(&mut self, metres: f32, length: f32, seed: u64) -> &mut Self {
        self.each(|at, corner| corner.height += metres * noise(at / length, seed))
    }

    /// Adds a round hill to the present heights; a hollow if `metres` is negative.
    pub fn hill(&mut self, middle: impl Into<Vec2>, radius: f32, metres: f32) -> &mut Self {
        let middle = middle.into();
        self.each(|at, corner| {
            corner.height += metres * smooth(1.0 - at.distance(middle) / radius);
        })
    }

    /// Raises an area by `metres`. The land around falls back to its height over `slope` metres: a cliff if
    /// that is less than a land cell.
    pub fn raise(&mut self, area: &Area, metres: f32, slope: f32) -> &mut Self {
        self.each(|at, corner| corner.height += metres * within(area, at, slope))
    }

    /// Raises an area to at least `metres`; the land around falls back as with [`raise`](Self::raise). Areas that
    /// overlap do not add up.
    pub fn lift(&mut self, area: &Area, metres: f32, slope: f32) -> &mut Self {
        self.each(|at, corner| {
            corner.height += (metres - corner.height).max(0.0) * within(area, at, slope);
        })
    }

    /// Levels an area, and blends it into the land around over `slope` metres. Buildings want every corner of
    /// their land cell level: an area covers the corners within it.
    pub fn level(&mut self, area: &Area, metres: f32, slope: f32) -> &mut Self {
        self.each(|at, corner| {
            let part = within(area, at, slope);
            corner.height += (metres - corner.height) * part;
        })
    }

    /// Adds water with its surface at a height, and banks of sand that rise from it. Movers sink into water by up to 0.9 m;
    /// landblocks with water everywhere stop them.
    pub fn lake(&mut self, area: &Area, metres: f32) -> &mut Self {
        self.each(|at, corner| {
            let away = area.distance(at);
            if away <= 0.0 {
                *corner = Corner { height: metres, soil: Soil::WATER, road: false, scene: 0 };
            } else if away < BANK && !corner.soil.is_water() {
                let bank = metres + FREEBOARD;
                corner.height = bank + (corner.height - bank) * (away / BANK);
                corner.scene = 0;
                if away < CELL_LENGTH && corner.height <= metres + BEACH {
                    corner.soil = Soil::SAND;
                }
            }
        })
    }

    /// Clamps every corner beside water of a kind to between the water level and `metres` above it: land rises
    /// behind its shore, and not out of the water, because its texture covers half of every land cell with a corner in it.
    pub fn shelve(&mut self, water: Soil, metres: f32) -> &mut Self {
        let level = |corner: IVec2| {
            let beside = around().map(|step| self.corners[self.index(corner + step)]);
            let wet = beside.filter(|there| there.soil == water).map(|there| there.height);
            wet.map(|height| [height, height])
                .reduce(|[low, high], [a, b]| [low.min(a), high.max(b)])
        };
        let shores: Vec<(usize, [f32; 2])> = self
            .all()
            .filter_map(|corner| Some((self.index(corner), level(corner)?)))
            .filter(|(index, _)| !self.corners[*index].soil.is_water())
            .collect();
        for (index, [low, high]) in shores {
            let corner = &mut self.corners[index];
            corner.height = corner.height.max(high).min(low + metres.max(0.0));
        }
        self
    }

    /// Adds a road through these points, along the edges and diagonals of land cells, up to the edge of the terrain. Land cells
    /// beside it keep their heights, but nothing grows on it.
    pub fn road(&mut self, places: &[[f32; 2]]) -> &mut Self {
        for pair in places.windows(2) {
            let [from, to] =
                [pair[0], pair[1]].map(|at| self.nearest(at).clamp(IVec2::ZERO, self.last()));
            for corner in line(from, to) {
                let index = self.index(corner);
                let there = &mut self.corners[index];
                (there.road, there.scene) = (true, 0);
            }
        }
        self
    }

    /// Sets the kind of ground of an area.
    pub fn paint(&mut self, area: &Area, soil: Soil) -> &mut Self {
        self.each(|at, corner| {
            if area.distance(at) <= 0.0 {
                corner.soil = soil;
            }
        })
    }

    /// Sets the kind of ground wherever `wanted` is true for the position and the height.
    pub fn paint_where(&mut self, soil: Soil, wanted: impl Fn(Vec2, f32) -> bool) -> &mut Self {
        self.each(|at, corner| {
            if wanted(at, corner.height) && !corner.soil.is_water() {
                corner.soil = soil;
            }
        })
    }

    /// Sets the kind of ground in an area up to a height, except in water.
    pub fn paint_in(&mut self, area: &Area, soil: Soil, highest: f32) -> &mut Self {
        self.paint_where(soil, |at, height| height <= highest && area.distance(at) <= 0.0)
    }

    /// Sets the kind of ground wherever the height difference to an adjacent corner is at least `metres`.
    pub fn paint_steep(&mut self, soil: Soil, metres: f32) -> &mut Self {
        let steep = |corner: IVec2| {
            let here = self.corners[self.index(corner)].height;
            [IVec2::X, IVec2::Y, IVec2::NEG_X, IVec2::NEG_Y]
                .into_iter()
                .any(|step| (self.corners[self.index(corner + step)].height - here).abs() >= metres)
        };
        let found: Vec<usize> =
            self.all().filter(|at| steep(*at)).map(|at| self.index(at)).collect();
        for index in found {
            let corner = &mut self.corners[index];
            if !corner.soil.is_water() {
                corner.soil = soil;
            }
        }
        self
    }

    /// Replaces one kind of ground at the foot of slopes: wherever an adjacent or diagonal corner is higher by at least
    /// `metres`.
    pub fn paint_feet(&mut self, from: Soil, to: Soil, metres: f32) -> &mut Self {
        let is_foot = |corner: IVec2| {
            let here = self.corners[self.index(corner)];
            let rises = |step: IVec2| {
                self.corners[self.index(corner + step)].height - here.height >= metres
            };
            here.soil == from && around().any(rises)
        };
        let found: Vec<usize> =
            self.all().filter(|at| is_foot(*at)).map(|at| self.index(at)).collect();
        for index in found {
            self.corners[index].soil = to;
        }
        self
    }

    /// Sets the scene of an area, a number from [`Forge::scene`]; 0 for nothing. Nothing grows in water and on roads.
    pub fn grow(&mut self, area: &Area, scene: u8) -> &mut Self {
        self.each(|at, corner| {
            if area.distance(at) <= 0.0 && !corner.soil.is_water() && !corner.road {
                corner.scene = scene;
            }
        })
    }

    /// Returns the stored height of the corner nearest to a point, in metres.
    pub fn height_near(&self, at: impl Into<Vec2>) -> f32 {
        height(stored(self.corners[self.index(self.nearest(at.into().to_array()))].height))
    }
}

impl Forge {
    /// Copies a terrain to its landblocks, which are created if needed.
    pub fn land(&mut self, terrain: &TerrainMap) -> &mut Self {
        terrain.blocks().for_each(|block| {
            self.land_of(terrain, block);
        });
        self
    }

    /// Copies a terrain to one landblock that it covers.
    pub fn land_of(&mut self, terrain: &TerrainMap, block: BlockId) -> &mut Self {
        let apart = |to: u8, from: u8| (i32::from(to) - i32::from(from)) * CELLS;
        let south_west = terrain.south_west;
        let first = IVec2::new(apart(block.x(), south_west.x()), apart(block.y(), south_west.y()));
        let corner = |x: i32, y: i32| terrain.corners[terrain.index(first + IVec2::new(x, y))];
        self.block(block)
            .heights(|x, y| i32::from(stored(corner(x, y).height)))
            .terrain(|x, y| i32::from(corner(x, y).soil.0))
            .roads(|x, y| i32::from(corner(x, y).road))
            .scenes(|x, y| i32::from(corner(x, y).scene));
        self
    }
}

/// The index of the height nearest to one in metres.
fn stored(metres: f32) -> u8 {
    let off = |index: &u8| (height(*index) - metres).abs();
    (0..=u8::MAX).min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(0)
}

/// The steps to corners beside a corner and across from it, and none at all.
fn around() -> impl Iterator<Item = IVec2> {
    (-1..=1).flat_map(|x| (-1..=1).map(move |y| IVec2::new(x, y)))
}

/// 1 in an area, falling to 0 at `slope` metres from it.
fn within(area: &Area, at: Vec2, slope: f32) -> f32 {
    let away = area.distance(at);
    if away <= 0.0 { 1.0 } else { smooth(1.0 - away / slope.max(1.0)) }
}

/// From 0 to 1 without a kink; 0 below and 1 above.
fn smooth(part: f32) -> f32 {
    let part = part.clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

/// The corners between two, each beside the one before or across from it.
fn line(from: IVec2, to: IVec2) -> impl Iterator<Item = IVec2> {
    let offset = to - from;
    let steps = offset.abs().max_element();
    (0..=steps).map(move |step| {
        // Few steps: exact.
        #[allow(clippy::cast_precision_loss, reason = "a few hundred")]
        let part = if steps == 0 { 0.0 } else { step as f32 / steps as f32 };
        from + (offset.as_vec2() * part).round().as_ivec2()
    })
}

/// Chance that changes smoothly from place to place, -1 to 1.
fn noise(at: Vec2, seed: u64) -> f32 {
    let low = at.floor();
    let part = (at - low).to_array().map(smooth);
    let low = low.as_ivec2();
    let chance =
        |dx: i32, dy: i32| crate::tool::random::at(low.wrapping_add(IVec2::new(dx, dy)), seed);
    let blend = |from: f32, to: f32, part: f32| from + (to - from) * part;
    let south = blend(chance(0, 0), chance(1, 0), part[0]);
    blend(south, blend(chance(0, 1), chance(1, 1), part[0]), part[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brushes_far_off_the_land_neither_overflow_nor_take_for_ever() {
        let mut land = TerrainMap::new(BlockId::new(0xA9, 0xB4), [1, 1], 40.0);
        land.road(&[[-1e30, -1e30], [1e30, 1e30]]).roll(1.0, 1e-30, 1);
        land.hill([1e30, 0.0], 1.0, 5.0).lake(&Area::disc([-1e30, 0.0], 1.0), 3.0);
        let roads = land.corners.iter().filter(|corner| corner.road).count();
        assert_eq!(roads, 9, "from corner to corner");
        assert!((39.0..=42.0).contains(&land.height_near([96.0, 96.0])));
    }
}
