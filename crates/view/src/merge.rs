//! Merging regions where a cell has too many.

use threshold_land::glam::DVec2;

use crate::seen::{RegionList, Seen};
use crate::walk::Buffers;

/// Areas of the screen are told apart up to this.
const ROUNDING: f64 = 1e-9;

/// Puts one region in the place of `newer` and of the one whose hull with it adds least to the screen. It counts as found last
/// and has to be looked through again.
pub(crate) fn merge(seen: &mut Seen, buffers: &mut Buffers, regions: &mut RegionList, newer: u32) {
    let place = least_added(seen, buffers, regions, newer);
    let older = regions.as_slice()[place];
    make_hull(seen, buffers, older, newer);
    buffers.hull.close();
    buffers.hull.tidy();
    buffers.hull.limit();
    let target = seen.node(newer).target;
    let merged = seen.add_outline(target, &buffers.hull);
    let (first, second) = (seen.node(older), seen.node(newer));
    // What only one of them came by or lies beyond of says nothing about the other.
    let back = first.back.filter(|back| second.back == Some(*back));
    let beyond = first.beyond.filter(|beyond| second.beyond == Some(*beyond));
    let entry = first.entry;
    let node = seen.node_mut(merged);
    (node.entry, node.back, node.beyond) = (entry, back, beyond);
    node.parts = Some([older, newer]);
    seen.node_mut(older).merged = Some(merged);
    seen.node_mut(newer).merged = Some(merged);
    seen.stats.merged += 1;
    regions.remove(place);
    regions.push(merged);
}

/// The place of the region whose hull with `newer` covers least that neither of them does.
fn least_added(seen: &Seen, buffers: &mut Buffers, regions: &RegionList, newer: u32) -> usize {
    let (mut least, mut place) = (f64::INFINITY, 0);
    let own = area(seen, buffers, newer);
    for (index, older) in regions.as_slice().iter().enumerate() {
        // A hull takes far longer than this, and most are out of the question.
        if reach(seen, *older, newer) - own > least + ROUNDING {
            continue;
        }
        make_hull(seen, buffers, *older, newer);
        let (hull, both) = (buffers.hull.area(), area(seen, buffers, *older) + own);
        // What they have in common only adds to it, so most are out of the question without.
        if hull - both > least + ROUNDING {
            continue;
        }
        let added = hull - (both - common(seen, buffers, *older, newer));
        if added < least {
            (least, place) = (added, index);
        }
    }
    place
}

/// How much the hull covers besides the older region, at the least: the triangles from its sides to the corner of the newer one that
/// makes most of them.
fn reach(seen: &Seen, older: u32, newer: u32) -> f64 {
    let (corners, points) = (seen.corners_of(seen.node(older)), seen.corners_of(seen.node(newer)));
    let triangles = |point: &DVec2| {
        let mut from = *corners.last().unwrap_or(point);
        let mut twice = 0.0;
        for to in corners {
            twice -= (*to - from).perp_dot(*point - from).min(0.0);
            from = *to;
        }
        twice
    };
    points.iter().map(triangles).fold(0.0, f64::max) / 2.0
}

fn area(seen: &Seen, buffers: &mut Buffers, node: u32) -> f64 {
    let node = seen.node(node);
    buffers.region.set(seen.corners_of(node), seen.planes_of(node));
    buffers.region.area()
}

/// How much two regions have in common.
fn common(seen: &Seen, buffers: &mut Buffers, older: u32, newer: u32) -> f64 {
    let (older, newer) = (seen.node(older), seen.node(newer));
    buffers.region.set(seen.corners_of(older), seen.planes_of(older));
    match buffers.region.cut_by(seen.planes_of(newer), &mut buffers.spare) {
        true => buffers.region.area(),
        false => 0.0,
    }
}

/// The corners of the hull; it still has no sides.
fn make_hull(seen: &Seen, buffers: &mut Buffers, older: u32, newer: u32) {
    let Buffers { hull, points, .. } = buffers;
    points.clear();
    for node in [older, newer] {
        points.extend_from_slice(seen.corners_of(seen.node(node)));
    }
    hull.hull(points);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constants::MOST_REGIONS;
    use crate::seen::Target;

    /// A region somewhere on the screen: the hull of six points in a square of this size.
    fn add_region(seen: &mut Seen, buffers: &mut Buffers, chance: &mut u64, size: f64) -> u32 {
        let mut unit = || {
            *chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (*chance >> 40) as f64 / (1 << 24) as f64
        };
        let corner = DVec2::new(unit(), unit()) * (2.0 - size) - DVec2::ONE;
        buffers.points.clear();
        buffers.points.extend((0..6).map(|_| corner + DVec2::new(unit(), unit()) * size));
        buffers.hull.hull(&mut buffers.points);
        buffers.hull.close();
        assert!(buffers.hull.tidy());
        seen.add_outline(Target::Outside, &buffers.hull)
    }

    /// The obvious way: all hulls, all areas.
    fn slow(seen: &Seen, buffers: &mut Buffers, regions: &RegionList, newer: u32) -> usize {
        let added = regions.as_slice().iter().map(|older| {
            make_hull(seen, buffers, *older, newer);
            let hull = buffers.hull.area();
            let both = area(seen, buffers, *older) + area(seen, buffers, newer);
            hull - (both - common(seen, buffers, *older, newer))
        });
        added.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(place, _)| place)
    }

    #[test]
    fn the_region_whose_hull_adds_least_is_found_without_making_all_hulls() {
        let (mut chance, mut places) = (7, [0; MOST_REGIONS]);
        for round in 0..3000 {
            let (mut seen, mut buffers) = (Seen::default(), Buffers::default());
            let mut regions = RegionList::default();
            let size = [0.1, 0.4, 1.5][round % 3];
            while !regions.is_full() {
                regions.push(add_region(&mut seen, &mut buffers, &mut chance, size));
            }
            let newer = add_region(&mut seen, &mut buffers, &mut chance, size);
            let found = least_added(&seen, &mut buffers, &regions, newer);
            assert_eq!(found, slow(&seen, &mut buffers, &regions, newer), "round {round}");
            places[found] += 1;
        }
        assert!(places.iter().all(|count| *count > 50), "{places:?}");
    }
}
