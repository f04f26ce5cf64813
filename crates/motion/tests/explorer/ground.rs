//! The land that should be reached, found from its shape alone.

use std::collections::{BTreeMap, BTreeSet};

use threshold_geom::is_valid_walkable;
use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{BlockId, CELL_LENGTH, CellId, Lcoord};
use threshold_world::{Land, Water, World};

/// A triangle of the ground: its land cell, and its corners on the grid of the whole map.
struct Facet {
    cell: CellId,
    corners: [[i32; 2]; 3],
}

/// Returns the land cells that can be reached from `start` over ground that is nowhere too steep, from triangle to
/// triangle. Objects on it are ignored. Landblocks of water alone are left out: no mover walks there.
pub(crate) fn within_reach(world: &World, start: CellId) -> BTreeSet<CellId> {
    let lands = world.lands().filter(|land| !is_water(land));
    let facets: Vec<Facet> = lands.flat_map(facets).collect();
    let mut by_edge: BTreeMap<[[i32; 2]; 2], Vec<usize>> = BTreeMap::new();
    for (number, facet) in facets.iter().enumerate() {
        facet.edges().into_iter().for_each(|edge| by_edge.entry(edge).or_default().push(number));
    }
    let mut next: Vec<usize> =
        (0..facets.len()).filter(|number| facets[*number].cell == start).collect();
    let mut reached: BTreeSet<usize> = next.iter().copied().collect();
    while let Some(number) = next.pop() {
        let beside = facets[number].edges().into_iter().flat_map(|edge| &by_edge[&edge]);
        next.extend(beside.copied().filter(|other| reached.insert(*other)));
    }
    reached.into_iter().map(|number| facets[number].cell).collect()
}

fn is_water(land: &Land) -> bool {
    (0..64).filter_map(|index| land.cell(index)).all(|cell| cell.water() == Water::Entire)
}

/// Returns the triangles of a landblock that can be walked on.
fn facets(land: &Land) -> Vec<Facet> {
    let first = land.block().cell(1).lcoord().unwrap();
    let cells = (0..8).flat_map(|x| (0..8).map(move |y| (x, y)));
    let facets = cells.flat_map(|(x, y)| {
        let place = Lcoord::new(first.x() + x, first.y() + y).unwrap();
        let corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[i, j]| (x + i, y + j));
        let triangles = place.cut().triangles(corners);
        triangles.into_iter().filter_map(move |corners| {
            let [a, b, c] = corners.map(|(x, y)| corner(land, x, y));
            let normal = (b - a).cross(c - a).normalize_or_zero();
            let up = if normal.z < 0.0 { -normal } else { normal };
            let corners = corners.map(|(x, y)| [first.x() + x, first.y() + y]);
            is_valid_walkable(up).then_some(Facet { cell: place.cell(), corners })
        })
    });
    facets.collect()
}

fn corner(land: &Land, x: i32, y: i32) -> Vec3 {
    let at = Vec2::new(x as f32, y as f32) * CELL_LENGTH;
    // Corners on the border are those of the next landblock as well.
    let inside = at.clamp(Vec2::splat(0.001), Vec2::splat(191.999));
    at.extend(land.terrain().height(inside).unwrap())
}

impl Facet {
    fn edges(&self) -> [[[i32; 2]; 2]; 3] {
        let [a, b, c] = self.corners;
        [[a, b], [b, c], [c, a]].map(|[from, to]| [from.min(to), from.max(to)])
    }
}

/// Returns the land cell, and the point in its landblock, of a point in metres from the south-western corner of a landblock.
pub(crate) fn on_the_map(corner: BlockId, at: [f32; 2]) -> (CellId, Vec2) {
    let at = Vec3::new(at[0], at[1], 0.0);
    let (cell, there) = threshold_land::adjust_to_outside(corner.cell(1), at).unwrap();
    (cell, there.truncate())
}
