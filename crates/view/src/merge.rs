//! Merging of regions when a cell has too many.

use threshold_land::vector::DVec2;

use crate::visible_set::{RegionList, VisibleSet};
use crate::walk::Buffers;

/// Difference in area of the screen below which two areas count as equal.
const ROUNDING: f64 = 1e-9;

/// Replaces `newer`, and the region whose hull with it adds the least area, by that hull. The merged region counts as found
/// last and is visited again.
pub(crate) fn merge(
    visible: &mut VisibleSet,
    buffers: &mut Buffers,
    regions: &mut RegionList,
    newer: u32,
) {
    let index = least_added(visible, buffers, regions, newer);
    let older = regions.as_slice()[index];
    make_hull(visible, buffers, older, newer);
    buffers.hull.close();
    buffers.hull.tidy();
    buffers.hull.limit();
    let content = visible.node(newer).content;
    let merged = visible.add_outline(content, &buffers.hull);
    let (first, second) = (visible.node(older), visible.node(newer));
    // An entry or a half-space that only one of them has says nothing about the other.
    let back = first.back.filter(|back| second.back == Some(*back));
    let beyond = first.beyond.filter(|beyond| second.beyond == Some(*beyond));
    let entry = first.entry;
    let node = visible.node_mut(merged);
    (node.entry, node.back, node.beyond) = (entry, back, beyond);
    node.parts = Some([older, newer]);
    visible.node_mut(older).merged = Some(merged);
    visible.node_mut(newer).merged = Some(merged);
    visible.stats.merges += 1;
    regions.remove(index);
    regions.push(merged);
}

/// Returns the index of the region whose hull with `newer` adds the least area to the two.
fn least_added(
    visible: &VisibleSet,
    buffers: &mut Buffers,
    regions: &RegionList,
    newer: u32,
) -> usize {
    let (mut least, mut place) = (f64::INFINITY, 0);
    let own = area(visible, buffers, newer);
    for (index, older) in regions.as_slice().iter().enumerate() {
        // A hull takes far longer than this bound, which rules out most regions.
        if hull_bound(visible, *older, newer) - own > least + ROUNDING {
            continue;
        }
        make_hull(visible, buffers, *older, newer);
        let (hull, both) = (buffers.hull.area(), area(visible, buffers, *older) + own);
        // The overlap only adds to the difference, so most regions are ruled out without it.
        if hull - both > least + ROUNDING {
            continue;
        }
        let added = hull - (both - overlap(visible, buffers, *older, newer));
        if added < least {
            (least, place) = (added, index);
        }
    }
    place
}

/// Returns a lower bound of the area that the hull adds to the older region: the triangles from its sides to one corner of
/// the newer region, for the corner that gives the most.
fn hull_bound(visible: &VisibleSet, older: u32, newer: u32) -> f64 {
    let (corners, points) =
        (visible.corners_of(visible.node(older)), visible.corners_of(visible.node(newer)));
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

fn area(visible: &VisibleSet, buffers: &mut Buffers, node: u32) -> f64 {
    let node = visible.node(node);
    buffers.region.set(visible.corners_of(node), visible.planes_of(node));
    buffers.region.area()
}

/// Returns the area of the overlap of two regions.
fn overlap(visible: &VisibleSet, buffers: &mut Buffers, older: u32, newer: u32) -> f64 {
    let (older, newer) = (visible.node(older), visible.node(newer));
    buffers.region.set(visible.corners_of(older), visible.planes_of(older));
    match buffers.region.clip_by(visible.planes_of(newer), &mut buffers.spare) {
        true => buffers.region.area(),
        false => 0.0,
    }
}

/// Makes the corners of the hull, without its sides.
fn make_hull(visible: &VisibleSet, buffers: &mut Buffers, older: u32, newer: u32) {
    let Buffers { hull, points, .. } = buffers;
    points.clear();
    for node in [older, newer] {
        points.extend_from_slice(visible.corners_of(visible.node(node)));
    }
    hull.hull(points);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constants::MAX_REGIONS;
    use crate::region::RegionContent;

    /// Adds a random region: the hull of six points in a square of this size.
    fn add_region(
        visible: &mut VisibleSet,
        buffers: &mut Buffers,
        chance: &mut u64,
        size: f64,
    ) -> u32 {
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
        visible.add_outline(RegionContent::Landscape, &buffers.hull)
    }

    /// Does the same without bounds: all hulls, all areas.
    fn slow(
        visible: &VisibleSet,
        buffers: &mut Buffers,
        regions: &RegionList,
        newer: u32,
    ) -> usize {
        let added = regions.as_slice().iter().map(|older| {
            make_hull(visible, buffers, *older, newer);
            let hull = buffers.hull.area();
            let both = area(visible, buffers, *older) + area(visible, buffers, newer);
            hull - (both - overlap(visible, buffers, *older, newer))
        });
        added.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(place, _)| place)
    }

    #[test]
    fn the_bounds_do_not_change_which_region_is_merged() {
        let (mut chance, mut places) = (7, [0; MAX_REGIONS]);
        for round in 0..3000 {
            let (mut visible, mut buffers) = (VisibleSet::default(), Buffers::default());
            let mut regions = RegionList::default();
            let size = [0.1, 0.4, 1.5][round % 3];
            while !regions.is_full() {
                regions.push(add_region(&mut visible, &mut buffers, &mut chance, size));
            }
            let newer = add_region(&mut visible, &mut buffers, &mut chance, size);
            let found = least_added(&visible, &mut buffers, &regions, newer);
            assert_eq!(found, slow(&visible, &mut buffers, &regions, newer), "round {round}");
            places[found] += 1;
        }
        assert!(places.iter().all(|count| *count > 50), "{places:?}");
    }
}
