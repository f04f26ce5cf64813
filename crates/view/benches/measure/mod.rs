//! Measures of a scene, and the printed tables.

use std::hint::black_box;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use threshold_view::{PortalWalk, Region, ViewScratch, VisibleSet};

use crate::brute::{Brute, triangles};
use crate::scene::Scene;

/// Times and counts of a scene.
pub(crate) struct SceneMeasurement {
    views: usize,
    /// CPU time of the thread per view.
    mean: Duration,
    brute_mean: Duration,
    /// Fastest wall time of each view, in ascending order.
    each: Vec<Duration>,
    counts: Counts,
}

/// Counts over all views.
#[derive(Default)]
struct Counts {
    rooms: usize,
    regions: usize,
    triangles: usize,
    /// Greatest number of rooms, and of regions of one room.
    max_rooms: usize,
    max_regions: usize,
    brute_rooms: usize,
    brute_triangles: usize,
    visits: usize,
    merged: usize,
    budget_hits: usize,
    digest: Digest,
}

impl SceneMeasurement {
    pub(crate) fn of(scene: &Scene, rounds: usize) -> Self {
        let (walk, brute) = (PortalWalk::new(&scene.world), Brute::new(&scene.world));
        let (mut scratch, mut counts) = (ViewScratch::new(), Counts::default());
        let views = scene.viewers.len();
        // This also warms up.
        for viewer in &scene.viewers {
            counts.add(&walk, walk.run(&mut scratch, &mut (), viewer));
            let (rooms, triangles) = brute.draw(viewer);
            counts.brute_rooms += rooms;
            counts.brute_triangles += triangles;
        }
        let mean = mean_time(views, || {
            for viewer in &scene.viewers {
                black_box(walk.run(&mut scratch, &mut (), viewer));
            }
        });
        let brute_mean = mean_time(views, || {
            for viewer in &scene.viewers {
                black_box(brute.draw(viewer));
            }
        });
        let mut each = vec![Duration::MAX; views];
        for _ in 0..rounds {
            for (viewer, best) in scene.viewers.iter().zip(&mut each) {
                let start = Instant::now();
                black_box(walk.run(&mut scratch, &mut (), viewer));
                *best = start.elapsed().min(*best);
            }
        }
        each.sort_unstable();
        Self { views, mean, brute_mean, each, counts }
    }

    fn at(&self, part: f64) -> f64 {
        self.each[((self.each.len() - 1) as f64 * part) as usize].as_secs_f64() * 1e6
    }
}

/// Least CPU time of one of `count` runs.
fn mean_time(count: usize, mut work: impl FnMut()) -> Duration {
    let round = |_| {
        let start = ThreadTime::now();
        work();
        start.elapsed() / count as u32
    };
    (0..3).map(round).min().unwrap()
}

impl Counts {
    fn add(&mut self, walk: &PortalWalk<'_>, seen: &VisibleSet) {
        for cell in seen.cells() {
            let regions = cell.regions().len();
            self.regions += regions;
            self.max_regions = self.max_regions.max(regions);
            self.triangles += regions * triangles(walk.world.room(cell.id()).unwrap());
        }
        let (rooms, stats) = (seen.cells().len(), seen.stats());
        self.rooms += rooms;
        self.max_rooms = self.max_rooms.max(rooms);
        self.visits += stats.visits;
        self.merged += stats.merges;
        self.budget_hits += usize::from(seen.budget_hit());
        self.digest.seen(seen);
    }
}

/// Hash of results: FNV-1a, one word at a time.
struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Digest {
    fn word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01B3);
    }

    fn seen(&mut self, seen: &VisibleSet) {
        for cell in seen.cells() {
            self.word(u64::from(cell.id().0));
            cell.regions().for_each(|region| self.region(&region));
        }
        for list in [seen.landscape().collect::<Vec<_>>(), seen.not_resident().collect()] {
            self.word(list.len() as u64);
            list.iter().for_each(|region| self.region(region));
        }
        seen.unlisted().iter().for_each(|cell| self.word(u64::from(cell.0)));
        for seal in seen.seals() {
            self.word(u64::from(seal.cell.0) << 16 | u64::from(seal.portal));
        }
        self.word(u64::from(seen.budget_hit()));
    }

    fn region(&mut self, region: &Region<'_>) {
        self.word(region.corners().len() as u64);
        let corners = region.corners().iter().flat_map(|corner| corner.to_array());
        let planes = region.planes().iter().flat_map(|plane| plane.to_array());
        corners.chain(planes).for_each(|number| self.word(number.to_bits()));
        for via in region.entries() {
            self.word(u64::from(via.cell.0) << 16 | u64::from(via.portal));
            self.word(via.region as u64);
        }
    }
}

/// Both tables, as plain text or as Markdown.
pub(crate) fn print(rows: &[(String, SceneMeasurement)]) {
    print_times(rows);
    println!();
    print_drawn(rows);
}

fn print_times(rows: &[(String, SceneMeasurement)]) {
    println!(
        "| {:26} | {:>6} | {:>8} | {:>8} | {:>8} | {:>8} | {:>13} | {:>6} | {:>7} | {:>6} | {:16} |",
        "views",
        "count",
        "mean us",
        "median",
        "99 %",
        "most",
        "rooms (most)",
        "visits",
        "merged",
        "budget",
        "result"
    );
    println!("|{}", "---|".repeat(11));
    for (name, measurement) in rows {
        let (counts, views) = (&measurement.counts, measurement.views);
        let each = |count: usize| count as f64 / views as f64;
        println!(
            "| {name:26} | {views:6} | {:8.2} | {:8.2} | {:8.2} | {:8.2} | {:6.1} ({:4}) | {:6.1} | {:7} | {:6} | {:016x} |",
            measurement.mean.as_secs_f64() * 1e6,
            measurement.at(0.5),
            measurement.at(0.99),
            measurement.at(1.0),
            each(counts.rooms),
            counts.max_rooms,
            each(counts.visits),
            counts.merged,
            counts.budget_hits,
            counts.digest.0,
        );
    }
}

/// Amount drawn with regions and by brute force.
fn print_drawn(rows: &[(String, SceneMeasurement)]) {
    println!(
        "| {:26} | {:>8} | {:>8} | {:>9} | {:>8} | {:>8} | {:>9} | {:>6} | {:>6} | {:>12} |",
        "drawn in a view",
        "us",
        "rooms",
        "triangles",
        "brute us",
        "rooms",
        "triangles",
        "rooms",
        "tri.",
        "regions most"
    );
    println!("|{}", "---|".repeat(10));
    for (name, measurement) in rows {
        let (counts, views) = (&measurement.counts, measurement.views);
        let each = |count: usize| count as f64 / views as f64;
        println!(
            "| {name:26} | {:8.2} | {:8.1} | {:9.0} | {:8.2} | {:8.1} | {:9.0} | {:5.1}x | {:5.1}x | {:12} |",
            measurement.mean.as_secs_f64() * 1e6,
            each(counts.rooms),
            each(counts.triangles),
            measurement.brute_mean.as_secs_f64() * 1e6,
            each(counts.brute_rooms),
            each(counts.brute_triangles),
            counts.brute_rooms as f64 / counts.rooms as f64,
            counts.brute_triangles as f64 / counts.triangles as f64,
            counts.max_regions,
        );
    }
}
