//! Water and roads.

use std::collections::{BTreeMap, BTreeSet};

use threshold_land::CELL_LENGTH;
use threshold_land::glam::Vec2;
use threshold_world::{LAND_CELLS, Land, ROAD_WIDTH, WATER_TYPES};

use super::Atlas;
use crate::cmd::map::style;
use crate::drawing::flat::Segment;
use crate::drawing::legend::Entry;
use crate::drawing::scene::{Ink, Outline, Paint, Scene};

pub(super) fn draw(scene: &mut Scene, atlas: &Atlas<'_>, legend: &mut Vec<Entry>) {
    water(scene, atlas, legend);
    roads(scene, atlas, legend);
}

/// South-west, south-east, north-east, north-west of a cell, in steps of a cell.
const CORNERS: [(usize, usize); 4] = [(0, 0), (1, 0), (1, 1), (0, 1)];

fn corner(cell: usize, index: usize) -> Vec2 {
    let (dx, dy) = CORNERS[index % 4];
    Vec2::new(((cell >> 3) + dx) as f32, ((cell & 7) + dy) as f32) * CELL_LENGTH
}

fn water(scene: &mut Scene, atlas: &Atlas<'_>, legend: &mut Vec<Entry>) {
    let mut areas: BTreeMap<Ink, Vec<Vec<Vec2>>> = BTreeMap::new();
    let (mut shore, mut kinds) = (Vec::new(), BTreeSet::new());
    for land in &atlas.lands {
        let offset = atlas.offset(land);
        for cell in 0..LAND_CELLS {
            let wet = wet_kinds(land, cell);
            let (area, edges) = flooded(cell, wet.map(|kind| kind.is_some()));
            if area.is_empty() {
                continue;
            }
            kinds.extend(wet.into_iter().flatten());
            let inks: Vec<Ink> = wet.into_iter().flatten().map(|kind| atlas.ink(kind)).collect();
            let area = area.into_iter().map(|point| atlas.chart.at(point + offset)).collect();
            areas.entry(Ink::mean(&inks)).or_default().push(area);
            let place = |point: Vec2| atlas.chart.at(point + offset);
            shore.extend(edges.into_iter().map(|edge: Segment| edge.map(place)));
        }
    }
    scene.group(Some("water".into()), Paint { width: Some(0.7), ..Paint::default() }, |scene| {
        for (ink, outlines) in areas {
            scene.shape(Outline::Areas(outlines), Paint { stroke: Some(ink), ..Paint::fill(ink) });
        }
        scene.segments(&shore, Paint::line(style::SHORE, 1.3));
    });
    for kind in kinds {
        let paint = Paint::both(atlas.ink(kind), style::SHORE, 1.0);
        legend.push(Entry::area(atlas.name(kind), paint));
    }
}

/// The kind of water at each corner of a cell that has one.
fn wet_kinds(land: &Land, cell: usize) -> [Option<u16>; 4] {
    CORNERS.map(|(dx, dy)| {
        let kind = land.terrain().word((cell >> 3) + dx, (cell & 7) + dy).terrain_type();
        WATER_TYPES.contains(&kind).then_some(kind)
    })
}

/// What of a cell is water, and its shore: it runs half-way between a wet corner and a dry one.
fn flooded(cell: usize, wet: [bool; 4]) -> (Vec<Vec2>, Vec<Segment>) {
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
    // From where the water is left to where it is met again.
    let count = crossings.len();
    let left = (0..count).filter(|index| crossings[*index].0);
    let shore = left.map(|index| [crossings[index].1, crossings[(index + 1) % count].1]);
    (area, shore.collect())
}

fn roads(scene: &mut Scene, atlas: &Atlas<'_>, legend: &mut Vec<Entry>) {
    let mut bands = Vec::new();
    for land in &atlas.lands {
        let offset = atlas.offset(land);
        for cell in 0..LAND_CELLS {
            let road = CORNERS
                .map(|(dx, dy)| land.terrain().word((cell >> 3) + dx, (cell & 7) + dy).road() != 0);
            for band in paved(road) {
                let place = |at: &Vec2| atlas.chart.at(*at + corner(cell, 0) + offset);
                bands.push(band.iter().map(place).collect::<Vec<Vec2>>());
            }
        }
    }
    if bands.is_empty() {
        return;
    }
    scene.group(Some("roads".into()), Paint::default(), |scene| {
        scene.shape(Outline::Areas(bands.clone()), Paint::line(style::ROAD_EDGE, 1.8));
        scene.shape(Outline::Areas(bands), Paint::both(style::ROAD, style::ROAD, 0.5));
    });
    legend.push(Entry::area("road", Paint::both(style::ROAD, style::ROAD_EDGE, 0.8)));
}

/// What of a cell is road, from its south-west corner, given which of its corners are road: bands
/// along its sides and its diagonals, or the tip of a single corner.
///
/// As [`Terrain::on_road`](threshold_world::Terrain::on_road) has it.
fn paved(road: [bool; 4]) -> Vec<Vec<Vec2>> {
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
    bands.into_iter().filter(|(there, _)| *there).map(|(_, band)| band).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::flat;
    use threshold_dat::{LandBlock, TerrainWord};
    use threshold_land::BlockId;
    use threshold_world::{HeightTable, Terrain};

    #[test]
    fn the_bands_are_where_the_world_says_that_a_road_is() {
        let table = HeightTable::new(&[0.0; 256]).unwrap();
        for bits in 0..16_usize {
            let road = [0, 1, 2, 3].map(|bit| bits >> bit & 1 == 1);
            let mut record = LandBlock::flat(BlockId(0xA9B4));
            for ((x, y), road) in CORNERS.into_iter().zip(road) {
                record.terrain[x * 9 + y] = TerrainWord(u16::from(road));
            }
            let terrain = Terrain::new(&record, &table).unwrap();
            let bands: Vec<_> = paved(road).into_iter().map(flat::hull).collect();
            for (x, y) in (0..24).flat_map(|x| (0..24).map(move |y| (x, y))) {
                let at = Vec2::new(x as f32 + 0.3, y as f32 + 0.45);
                let drawn = bands.iter().any(|band| flat::depth(band, at) > 0.0);
                assert_eq!(drawn, terrain.on_road(at), "{road:?} at {at}");
            }
        }
    }

    #[test]
    fn the_shore_lies_half_way_to_the_dry_corners() {
        let (area, shore) = flooded(0, [true, false, false, false]);
        assert_eq!(flat::area(&area), 72.0);
        assert_eq!(shore, [[Vec2::new(12.0, 0.0), Vec2::new(0.0, 12.0)]]);
        let (area, shore) = flooded(0, [true; 4]);
        assert_eq!((flat::area(&area), shore.len()), (576.0, 0));
        assert_eq!(flooded(0, [false; 4]), (vec![], vec![]));
        assert_eq!(flooded(0, [true, false, true, false]).1.len(), 2);
    }
}
