//! Land: brushes over many landblocks, and the corners of single ones.

use threshold_land::{BLOCK_LENGTH, BlockId};

use super::lexer::Place;
use super::limits;
use super::names::Names;
use super::nearest::hint;
use super::shapes::area;
use super::words::{TextResult, Words};
use crate::stock::soil::Soil;
use crate::tool::block::Block;
use crate::tool::terrain::TerrainMap;

/// Names of scenes; `nothing` is one of them everywhere.
pub(super) type Scenes = Names<u8>;

/// The name of the empty scene.
pub(super) const NOTHING: &str = "nothing";

/// The statements of a land.
pub(super) const BRUSHES: [&str; 8] =
    ["roll", "hill", "raise", "level", "lake", "road", "paint", "grow"];

/// Default width of the edge of a raised or levelled area, in metres: a land cell.
const SLOPE: f32 = 24.0;

/// Short names of common kinds of ground. The names of the region are known as well.
const SOILS: [(&str, Soil); 11] = [
    ("rock", Soil::ROCK),
    ("grass", Soil::GRASS),
    ("lush", Soil::LUSH),
    ("marsh", Soil::MARSH),
    ("dirt", Soil::DIRT),
    ("patchy", Soil::PATCHY),
    ("sand", Soil::SAND),
    ("cliff", Soil::CLIFF),
    ("snow", Soil::SNOW),
    ("water", Soil::WATER),
    ("forest", Soil::FOREST),
];

/// The short names of kinds of ground.
pub(super) fn soil_names() -> impl Iterator<Item = &'static str> {
    SOILS.iter().map(|(name, _)| *name)
}

/// A land section.
pub(super) struct Land {
    pub(super) terrain: TerrainMap,
    /// Size in metres to the east and to the north.
    reach: [f32; 2],
    /// Default random seed.
    seed: u64,
}

/// The extent of a land.
pub(super) struct Extent {
    pub(super) south_west: BlockId,
    /// Number of landblocks to the east and to the north.
    pub(super) size: [u8; 2],
    metres: f32,
}

impl Extent {
    /// `land BLOCK [size EAST,NORTH] [height M]`.
    pub(super) fn read(words: &mut Words<'_>) -> TextResult<Self> {
        let south_west = words.block()?;
        let mut extent = Self { south_west, size: [1, 1], metres: 0.0 };
        words.options(&["size", "height"], |key, words| {
            match key {
                "size" => extent.size = size(south_west, words)?,
                _ => extent.metres = land_height(words)?,
            }
            Ok(())
        })?;
        Ok(extent)
    }

    /// Returns its landblocks.
    pub(super) fn blocks(&self) -> impl Iterator<Item = BlockId> + use<> {
        let Self { south_west, size: [east, north], .. } = *self;
        // `size` keeps them on the map.
        let id = move |x: u8, y: u8| {
            BlockId::new(south_west.x().saturating_add(x), south_west.y().saturating_add(y))
        };
        (0..east).flat_map(move |x| (0..north).map(move |y| id(x, y)))
    }
}

/// Reads the number of landblocks to the east and to the north.
fn size(south_west: BlockId, words: &mut Words<'_>) -> TextResult<[u8; 2]> {
    let place = words.here();
    let wanted = words.point::<2>("the size east,north")?;
    let fits = |blocks: f32, from: u8| {
        let found = (1..=u8::MAX).find(|count| f32::from(*count) == blocks)?;
        (u16::from(from) + u16::from(found) <= 0xFF).then_some(found)
    };
    match (fits(wanted[0], south_west.x()), fits(wanted[1], south_west.y())) {
        (Some(east), Some(north)) => Ok([east, north]),
        _ => Err(place.error(
            "whole numbers of landblocks expected, 1 or more each way, up to landblock FEFE",
        )),
    }
}

impl Land {
    pub(super) fn of(extent: &Extent, seed: u64) -> Self {
        let reach = extent.size.map(|blocks| f32::from(blocks) * BLOCK_LENGTH);
        Self {
            terrain: TerrainMap::new(extent.south_west, extent.size, extent.metres),
            reach,
            seed,
        }
    }

    /// One of the [`BRUSHES`].
    pub(super) fn statement(
        &mut self,
        key: &str,
        words: &mut Words<'_>,
        scenes: &Scenes,
    ) -> TextResult<()> {
        match key {
            "roll" => self.roll(words),
            "hill" => {
                let middle = words.point::<2>("the middle x,y")?;
                words.expect("radius")?;
                let radius = words.size("the radius")?;
                words.expect("height")?;
                self.terrain.hill(middle, radius, words.number("the height")?);
                words.finish()
            }
            "raise" | "level" => {
                let area = area(words)?;
                words.expect("height")?;
                let metres = match key {
                    "raise" => words.number("the height")?,
                    _ => land_height(words)?,
                };
                let mut slope = SLOPE;
                words.options(&["slope"], |_, words| {
                    slope = words.number_in("the slope", 0.0..=limits::NUMBER, "0 or more")?;
                    Ok(())
                })?;
                match key {
                    "raise" => self.terrain.raise(&area, metres, slope),
                    _ => self.terrain.level(&area, metres, slope),
                };
                Ok(())
            }
            "lake" => {
                let area = area(words)?;
                words.expect("height")?;
                self.terrain.lake(&area, land_height(words)?);
                words.finish()
            }
            "road" => self.road(words),
            "paint" => self.paint(words),
            _ => {
                let area = area(words)?;
                self.terrain.grow(&area, scene(words, scenes)?);
                words.finish()
            }
        }
    }

    fn roll(&mut self, words: &mut Words<'_>) -> TextResult<()> {
        let metres = words.number("metres up and down")?;
        words.expect("length")?;
        let length = words.number_in("the length", 1.0..=limits::NUMBER, "1 or more")?;
        let mut seed = self.seed;
        words.options(&["seed"], |_, words| {
            seed = words.count("the seed", 0..=u64::MAX)?;
            Ok(())
        })?;
        self.terrain.roll(metres, length, seed);
        Ok(())
    }

    fn road(&mut self, words: &mut Words<'_>) -> TextResult<()> {
        let mut ahead = words.clone();
        let places = words.points::<2>("a point x,y of the road", 2..=limits::PLACES)?;
        for [x, y] in &places {
            let inside = (0.0..=self.reach[0]).contains(x) && (0.0..=self.reach[1]).contains(y);
            let token = ahead.take("a place")?;
            if !inside {
                let [east, north] = self.reach;
                let message = format!("the road leaves the land, which is {east} m by {north} m");
                return Err(token.place.error(message));
            }
        }
        words.finish()?;
        self.terrain.road(&places);
        Ok(())
    }

    fn paint(&mut self, words: &mut Words<'_>) -> TextResult<()> {
        let area = area(words)?;
        let soil = soil(words)?;
        let (mut above, mut below) = (None, None);
        words.options(&["above", "below"], |key, words| {
            let metres = Some(words.number("a height")?);
            *(if key == "above" { &mut above } else { &mut below }) = metres;
            Ok(())
        })?;
        if above.is_none() && below.is_none() {
            self.terrain.paint(&area, soil);
        } else {
            self.terrain.paint_where(soil, |at, height| {
                let high = above.is_none_or(|min| height > min);
                area.distance(at) <= 0.0 && high && below.is_none_or(|max| height < max)
            });
        }
        Ok(())
    }
}

/// Reads a height of land.
fn land_height(words: &mut Words<'_>) -> TextResult<f32> {
    words.number_in("the height", 0.0..=limits::HEIGHT, "0 to 700")
}

fn soil(words: &mut Words<'_>) -> TextResult<Soil> {
    let token = words.take("a kind of ground")?;
    let short = SOILS.iter().find(|(name, _)| *name == token.text).map(|(_, soil)| *soil);
    let by_number = || token.text.parse().ok().map(Soil).filter(|soil| soil.name().is_some());
    short.or_else(|| Soil::named(token.text)).or_else(by_number).ok_or_else(|| {
        let names = (0..32).filter_map(|kind| Soil(kind).name());
        let hint = hint(token.text, soil_names().chain(names));
        token.place.error(format!("unknown kind of ground {}{hint}", token.shown()))
    })
}

fn scene(words: &mut Words<'_>, scenes: &Scenes) -> TextResult<u8> {
    if words.has(NOTHING) { Ok(0) } else { scenes.get(words.name("a scene")?) }
}

/// A value for each corner of a landblock.
type Values<'a> = &'a mut [i32; 81];

/// A statement of a landblock but `put`: `heights VALUE [at X,Y] [to X,Y]` or `heights row Y VALUE VALUE ...`.
pub(super) fn corners(
    key: &str,
    words: &mut Words<'_>,
    block: &mut Block,
    scenes: &Scenes,
) -> TextResult<()> {
    let ground = &mut block.ground;
    let value = |words: &mut Words<'_>| match key {
        "heights" => words.count("a height", 0..=255),
        "terrain" => soil(words).map(|soil| i32::from(soil.0)),
        "roads" => words.count("a road", 0..=3),
        _ => scene(words, scenes).map(i32::from),
    };
    let values = match key {
        "heights" => &mut ground.heights,
        "terrain" => &mut ground.kinds,
        "roads" => &mut ground.roads,
        _ => &mut ground.scenes,
    };
    if words.has("row") {
        let y = words.count("the number of a row", 0..=8_usize)?;
        for x in 0..9 {
            values[x * 9 + y] = value(words)?;
        }
        return words.finish();
    }
    let value = value(words)?;
    let (mut low, mut high) = (None, None);
    words.options(&["at", "to"], |key, words| {
        let corner = Some((words.here(), corner(words)?));
        *(if key == "at" { &mut low } else { &mut high }) = corner;
        Ok(())
    })?;
    fill(values, value, low, high)
}

/// Sets the corners of a rectangle: one corner without `high`, all without either.
fn fill(
    values: Values<'_>,
    value: i32,
    low: Option<(Place, [usize; 2])>,
    high: Option<(Place, [usize; 2])>,
) -> TextResult<()> {
    let (from, to) = match (low, high) {
        (None, None) => ([0, 0], [8, 8]),
        (Some((_, at)), None) => (at, at),
        (Some((_, from)), Some((_, to))) => (from, to),
        (None, Some((place, _))) => {
            return Err(place.error("\"at\" and the first corner are missing"));
        }
    };
    let span = |axis: usize| from[axis].min(to[axis])..=from[axis].max(to[axis]);
    for x in span(0) {
        for y in span(1) {
            values[x * 9 + y] = value;
        }
    }
    Ok(())
}

/// Reads a corner of land cells: 0 to 8 to the east and to the north.
fn corner(words: &mut Words<'_>) -> TextResult<[usize; 2]> {
    let place = words.here();
    let at = words.point::<2>("a corner x,y")?;
    let whole = |v: f32| (0..=8_u8).find(|count| f32::from(*count) == v).map(usize::from);
    match at.map(whole) {
        [Some(x), Some(y)] => Ok([x, y]),
        _ => {
            Err(place.error("a corner has whole numbers from 0 to 8, to the east and to the north"))
        }
    }
}
