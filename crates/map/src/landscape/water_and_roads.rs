//! Water and roads.

use std::collections::{BTreeMap, BTreeSet};

use threshold_land::CELL_LENGTH;
use threshold_land::vector::Vec2;
use threshold_world::{LAND_CELLS, Land, ROAD_WIDTH, WATER_TYPES};

use super::LandscapeInput;
use crate::drawing::{Drawing, Ink, Outline, Paint};
use crate::flat::Segment;
use crate::legend::LegendEntry;
use crate::style;

/// Draws water and roads.
pub(super) fn draw(
    drawing: &mut Drawing,
    input: &LandscapeInput<'_>,
    legend: &mut Vec<LegendEntry>,
) {
    draw_water(drawing, input, legend);
    draw_roads(drawing, input, legend);
}

/// Corners of a land cell: south-west, south-east, north-east, north-west.
const CORNERS: [(usize, usize); 4] = [(0, 0), (1, 0), (1, 1), (0, 1)];

fn corner(cell: usize, index: usize) -> Vec2 {
    let (dx, dy) = CORNERS[index % 4];
    Vec2::new(((cell >> 3) + dx) as f32, ((cell & 7) + dy) as f32) * CELL_LENGTH
}

fn draw_water(drawing: &mut Drawing, input: &LandscapeInput<'_>, legend: &mut Vec<LegendEntry>) {
    let mut areas: BTreeMap<Ink, Vec<Vec<Vec2>>> = BTreeMap::new();
    let (mut shore, mut kinds) = (Vec::new(), BTreeSet::new());
    for land in &input.lands {
        let offset = input.offset(land);
        for cell in 0..LAND_CELLS {
            let wet = water_kinds(land, cell);
            let (area, edges) = water_outline(cell, wet.map(|kind| kind.is_some()));
            if area.is_empty() {
                continue;
            }
            kinds.extend(wet.into_iter().flatten());
            let inks: Vec<Ink> = wet.into_iter().flatten().map(|kind| input.ink(kind)).collect();
            let area = area.into_iter().map(|point| input.chart.at(point + offset)).collect();
            areas.entry(Ink::mean(&inks)).or_default().push(area);
            let place = |point: Vec2| input.chart.at(point + offset);
            shore.extend(edges.into_iter().map(|edge: Segment| edge.map(place)));
        }
    }
    drawing.group(
        Some("water".into()),
        Paint { width: Some(0.7), ..Paint::default() },
        |drawing| {
            for (ink, outlines) in areas {
                drawing.shape(
                    Outline::Areas(outlines),
                    Paint { stroke: Some(ink), ..Paint::fill(ink) },
                );
            }
            drawing.segments(&shore, Paint::line(style::SHORE, 1.3));
        },
    );
    for kind in kinds {
        let paint = Paint::both(input.ink(kind), style::SHORE, 1.0);
        legend.push(LegendEntry::area(input.name(kind), paint));
    }
}

/// Returns the kind of water at each corner of a land cell, if any.
fn water_kinds(land: &Land, cell: usize) -> [Option<u16>; 4] {
    CORNERS.map(|(dx, dy)| {
        let kind = land.terrain().word((cell >> 3) + dx, (cell & 7) + dy).terrain_type();
        WATER_TYPES.contains(&kind).then_some(kind)
    })
}

/// Returns the water of a land cell and its shore, half-way between wet and dry corners.
fn water_outline(cell: usize, wet: [bool; 4]) -> (Vec<Vec2>, Vec<Segment>) {
    let (mut area, mut crossings) = (Vec::new(), Vec::new());
    for index in 0..4 {
        let (here, next) = (corner(cell, index), corner(cell, index + 1));
        if wet[index] {
            area.push(here);
        }
        if wet[index] != wet[(index + 1) % 4] {
            area.push((here + next) / 2.0);
            crossings.push((wet[index], (here + next) / 2.0));
        }
    }
    // Each shore runs from a crossing out of the water to the next crossing into it.
    let count = crossings.len();
    let exits = (0..count).filter(|index| crossings[*index].0);
    let shore = exits.map(|index| [crossings[index].1, crossings[(index + 1) % count].1]);
    (area, shore.collect())
}

fn draw_roads(drawing: &mut Drawing, input: &LandscapeInput<'_>, legend: &mut Vec<LegendEntry>) {
    let mut bands = Vec::new();
    for land in &input.lands {
        let offset = input.offset(land);
        for cell in 0..LAND_CELLS {
            let road = CORNERS
                .map(|(dx, dy)| land.terrain().word((cell >> 3) + dx, (cell & 7) + dy).road() != 0);
            for band in road_bands(road) {
                let place = |at: &Vec2| input.chart.at(*at + corner(cell, 0) + offset);
                bands.push(band.iter().map(place).collect::<Vec<Vec2>>());
            }
        }
    }
    if bands.is_empty() {
        return;
    }
    drawing.group(Some("roads".into()), Paint::default(), |drawing| {
        drawing.shape(Outline::Areas(bands.clone()), Paint::line(style::ROAD_EDGE, 1.8));
        drawing.shape(Outline::Areas(bands), Paint::both(style::ROAD, style::ROAD, 0.5));
    });
    legend.push(LegendEntry::area("road", Paint::both(style::ROAD, style::ROAD_EDGE, 0.8)));
}

/// Returns the road of a land cell relative to its south-west corner, from the corners that are road.
///
/// Bands along sides and diagonals, or a triangle at a single corner, as in
/// [`Terrain::on_road`](threshold_world::Terrain::on_road).
fn road_bands(road: [bool; 4]) -> Vec<Vec<Vec2>> {
    const FULL: f32 = CELL_LENGTH;
    const FAR: f32 = CELL_LENGTH - ROAD_WIDTH;
    const WIDE: f32 = ROAD_WIDTH;
    let outline = |points: &[(f32, f32)]| points.iter().map(|(x, y)| Vec2::new(*x, *y)).collect();
    let block = |left: f32, south: f32, right: f32, north: f32| {
        outline(&[(left, south), (right, south), (right, north), (left, north)])
    };
    let [sw, se, ne, nw] = road;
    let count = road.into_iter().filter(|road| *road).count();
    let bands: [(bool, Vec<Vec2>); 11] = [
        (count == 4, block(0.0, 0.0, FULL, FULL)),
        (count < 4 && sw && nw, block(0.0, 0.0, WIDE, FULL)),
        (count < 4 && se && ne, block(FAR, 0.0, FULL, FULL)),
        (count < 4 && sw && se, block(0.0, 0.0, FULL, WIDE)),
        (count < 4 && nw && ne, block(0.0, FAR, FULL, FULL)),
        (count == 2 && sw && ne, {
            outline(&[(0.0, 0.0), (WIDE, 0.0), (FULL, FAR), (FULL, FULL), (FAR, FULL), (0.0, WIDE)])
        }),
        (count == 2 && se && nw, {
            outline(&[(FULL, 0.0), (FULL, WIDE), (WIDE, FULL), (0.0, FULL), (0.0, FAR), (FAR, 0.0)])
        }),
        (count == 1 && sw, outline(&[(0.0, 0.0), (WIDE, 0.0), (0.0, WIDE)])),
        (count == 1 && se, outline(&[(FULL, 0.0), (FULL, WIDE), (FAR, 0.0)])),
        (count == 1 && ne, outline(&[(FULL, FULL), (FAR, FULL), (FULL, FAR)])),
        (count == 1 && nw, outline(&[(0.0, FULL), (0.0, FAR), (WIDE, FULL)])),
    ];
    bands.into_iter().filter(|(is_road, _)| *is_road).map(|(_, band)| band).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flat;
    use threshold_dat::{LandBlock, TerrainWord};
    use threshold_land::BlockId;
    use threshold_world::{HeightTable, Terrain};

    #[test]
    fn the_bands_match_the_roads_of_the_world() {
        let table = HeightTable::new(&[0.0; 256]).unwrap();
        for bits in 0..16_usize {
            let road = [0, 1, 2, 3].map(|bit| bits >> bit & 1 == 1);
            let mut record = LandBlock::flat(BlockId(0xA9B4));
            for ((x, y), road) in CORNERS.into_iter().zip(road) {
                record.terrain[x * 9 + y] = TerrainWord(u16::from(road));
            }
            let terrain = Terrain::new(&record, &table).unwrap();
            let bands: Vec<_> = road_bands(road).into_iter().map(flat::hull).collect();
            for (x, y) in (0..24).flat_map(|x| (0..24).map(move |y| (x, y))) {
                let at = Vec2::new(x as f32 + 0.3, y as f32 + 0.45);
                let is_drawn = bands.iter().any(|band| flat::depth(band, at) > 0.0);
                assert_eq!(is_drawn, terrain.on_road(at), "{road:?} at {at}");
            }
        }
    }

    #[test]
    fn the_shore_lies_half_way_to_the_dry_corners() {
        let (area, shore) = water_outline(0, [true, false, false, false]);
        assert_eq!(flat::area(&area), 72.0);
        assert_eq!(shore, [[Vec2::new(12.0, 0.0), Vec2::new(0.0, 12.0)]]);
        let (area, shore) = water_outline(0, [true; 4]);
        assert_eq!((flat::area(&area), shore.len()), (576.0, 0));
        assert_eq!(water_outline(0, [false; 4]), (vec![], vec![]));
        assert_eq!(water_outline(0, [true, false, true, false]).1.len(), 2);
    }
}
