//! The land of the built-in world: its water is level, and its edge is out of sight.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails on unexpected values")]

use std::collections::{BTreeMap, BTreeSet};

use threshold_dat::{FileKind, LandBlock, RecordKind, Records, Source};
use threshold_forge::{NamedPlace, SEED, TourLeg, builtin, height, places, tour};
use threshold_geom::is_valid_walkable;
use threshold_land::vector::Vec3;
use threshold_land::{CELL_LENGTH, CellId, Lcoord};

const SEEDS: [u64; 7] = [0, SEED, 2, 3, 4, 5, u64::MAX];
/// Height of a mover's eyes over its feet, in metres.
const EYES: f32 = 1.8;

/// A corner of land cells, in coordinates of the whole map.
type Corner = [i32; 2];

/// A corner as stored in the records.
#[derive(Clone, Copy)]
struct Ground {
    height: f32,
    kind: u16,
}

impl Ground {
    fn is_water(self) -> bool {
        (16..=20).contains(&self.kind)
    }
}

/// The land of a whole world.
struct Land {
    corners: BTreeMap<Corner, Ground>,
    cells: Vec<Lcoord>,
}

/// A triangle of the ground.
#[derive(Clone, Copy)]
struct Triangle {
    cell: Lcoord,
    corners: [Corner; 3],
}

impl Land {
    fn of(seed: u64) -> Self {
        let world = builtin(seed).unwrap();
        let mut records = Records::new(&world);
        let (mut corners, mut cells) = (BTreeMap::new(), Vec::new());
        let ids = world.ids(FileKind::Cell).into_iter();
        let is_land = |id: &_| RecordKind::from_id(FileKind::Cell, *id) == RecordKind::LandBlock;
        for id in ids.filter(is_land) {
            let land: LandBlock = records.get(id).unwrap().unwrap();
            let first = id.cell().block().cell(1).lcoord().unwrap();
            for (index, word) in (0..).zip(land.terrain.iter()) {
                let at = [first.x() + index / 9, first.y() + index % 9];
                let stored = land.heights[usize::try_from(index).unwrap()];
                let ground = Ground { height: height(stored), kind: word.terrain_type() };
                corners.insert(at, ground);
            }
            let all =
                (0..64).map(|index| Lcoord::new(first.x() + index / 8, first.y() + index % 8));
            cells.extend(all.map(Option::unwrap));
        }
        Self { corners, cells }
    }

    fn at(&self, corner: Corner) -> Ground {
        self.corners[&corner]
    }

    fn corners_of(cell: Lcoord) -> [Corner; 4] {
        [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[x, y]| [cell.x() + x, cell.y() + y])
    }

    fn triangles(&self) -> Vec<Triangle> {
        let of = |cell: &Lcoord| {
            let (cell, corners) = (*cell, Self::corners_of(*cell));
            cell.cut().triangles(corners).map(|corners| Triangle { cell, corners })
        };
        self.cells.iter().flat_map(of).collect()
    }

    fn shows_water(&self, cell: Lcoord) -> bool {
        Self::corners_of(cell).into_iter().any(|corner| self.at(corner).is_water())
    }

    /// Returns the sides of land cells with land on one side only.
    fn outline(&self) -> BTreeSet<[Corner; 2]> {
        let mut found = BTreeSet::new();
        for cell in &self.cells {
            let corners = Self::corners_of(*cell);
            for k in 0..4 {
                let (from, to) = (corners[k], corners[(k + 1) % 4]);
                let side = [from.min(to), from.max(to)];
                if !found.remove(&side) {
                    found.insert(side);
                }
            }
        }
        found
    }

    /// Returns all cells that a mover can reach from a cell: over ground that is not too steep, and down wherever it falls or slides.
    fn reached(&self, start: CellId) -> Vec<Triangle> {
        let triangles = self.triangles();
        let mut by_side: BTreeMap<[Corner; 2], Vec<usize>> = BTreeMap::new();
        for (number, triangle) in triangles.iter().enumerate() {
            for side in triangle.sides() {
                by_side.entry(side).or_default().push(number);
            }
        }
        let start = start.lcoord().unwrap();
        let mut next: Vec<usize> =
            (0..triangles.len()).filter(|number| triangles[*number].cell == start).collect();
        let mut seen: BTreeSet<usize> = next.iter().copied().collect();
        while let Some(number) = next.pop() {
            let from = &triangles[number];
            for side in from.sides() {
                for other in by_side[&side].iter().copied() {
                    let to = &triangles[other];
                    let is_open = to.is_walkable(self) || self.middle(to) < self.middle(from);
                    if is_open && seen.insert(other) {
                        next.push(other);
                    }
                }
            }
        }
        seen.into_iter().map(|number| triangles[number]).collect()
    }

    fn middle(&self, triangle: &Triangle) -> f32 {
        triangle.corners.iter().map(|corner| self.at(*corner).height).sum::<f32>() / 3.0
    }
}

impl Triangle {
    fn sides(&self) -> [[Corner; 2]; 3] {
        let [a, b, c] = self.corners;
        [[a, b], [b, c], [c, a]].map(|[from, to]| [from.min(to), from.max(to)])
    }

    fn heights(&self, land: &Land) -> [f32; 3] {
        self.corners.map(|corner| land.at(corner).height)
    }

    fn is_walkable(&self, land: &Land) -> bool {
        let first = self.corners[0];
        let [a, b, c] = self.corners.map(|corner| {
            let [x, y] = [0, 1].map(|axis| i16::try_from(corner[axis] - first[axis]).unwrap());
            Vec3::new(
                f32::from(x) * CELL_LENGTH,
                f32::from(y) * CELL_LENGTH,
                land.at(corner).height,
            )
        });
        let normal = (b - a).cross(c - a).normalize();
        is_valid_walkable(normal * normal.z.signum())
    }
}

/// Regression: water climbed the foot of mountains, because the texture of a corner in the water covers half of the land cell, up the
/// slope to the next corner.
#[test]
fn no_triangle_that_shows_water_climbs() {
    const MAX_HEIGHT: f32 = 2.0;
    for seed in SEEDS {
        let land = Land::of(seed);
        let wet: Vec<Triangle> =
            land.triangles().into_iter().filter(|t| land.shows_water(t.cell)).collect();
        assert!(wet.len() > 400, "seed {seed}: {}", wet.len());
        for triangle in wet {
            let heights = triangle.heights(&land);
            let rise = heights.into_iter().fold(f32::MIN, f32::max)
                - heights.into_iter().fold(f32::MAX, f32::min);
            assert!(rise <= MAX_HEIGHT, "seed {seed}, {}: {heights:?}", triangle.cell.cell());
        }
    }
}

/// The lake is level; only the river falls.
#[test]
fn the_shore_of_the_lake_is_level() {
    const STANDING: u16 = 17;
    const RUNNING: u16 = 16;
    for seed in SEEDS {
        let land = Land::of(seed);
        for cell in &land.cells {
            let corners = Land::corners_of(*cell).map(|corner| land.at(corner));
            let has = |kind: u16| corners.iter().any(|corner| corner.kind == kind);
            let is_level = corners.iter().all(|corner| corner.height == corners[0].height);
            assert!(!has(STANDING) || has(RUNNING) || is_level, "seed {seed}, {}", cell.cell());
        }
    }
}

/// Returns the positions that a visitor is shown: named places, and the stations of the tour.
fn shown(seed: u64) -> Vec<NamedPlace> {
    let stops = tour(seed).into_iter().filter_map(|leg| match leg {
        TourLeg::Start(place) | TourLeg::Stop(place) => Some(place),
        _ => None,
    });
    places(seed).into_iter().chain(stops).collect()
}

/// Regression: the lake ended in the sky, and mountains had gaps.
#[test]
fn the_edge_of_the_land_is_higher_than_any_eye() {
    for seed in SEEDS {
        let land = Land::of(seed);
        let outline = land.outline();
        let ends = outline.iter().flatten().map(|corner| land.at(*corner).height);
        let lowest = ends.fold(f32::INFINITY, f32::min);
        let reached = land.reached(places(seed)[0].position.cell);
        assert!(reached.len() > 2_000, "seed {seed}: {} triangles", reached.len());
        let highest = reached.iter().flat_map(|triangle| triangle.heights(&land));
        let highest = highest.fold(f32::MIN, f32::max);
        assert!(highest + EYES < lowest, "seed {seed}: {highest} m within, {lowest} m around");
        for place in shown(seed) {
            let eyes = place.position.frame.origin.z + EYES;
            assert!(eyes < lowest, "seed {seed}, {}: {eyes} m, {lowest} m around", place.name);
        }
    }
}

#[test]
fn no_mover_can_walk_to_the_edge_of_the_land() {
    for seed in SEEDS {
        let land = Land::of(seed);
        let outline = land.outline();
        let ends: BTreeSet<Corner> = outline.into_iter().flatten().collect();
        for triangle in land.reached(places(seed)[0].position.cell) {
            let is_end = triangle.corners.iter().any(|corner| ends.contains(corner));
            assert!(!is_end, "seed {seed}: a mover reaches {}", triangle.cell.cell());
        }
    }
}
