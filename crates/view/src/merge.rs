//! Merging regions where a cell has too many.

use threshold_land::glam::DVec3;

use crate::seen::{RegionList, Seen};
use crate::walk::Buffers;

/// Puts one region in the place of `newer` and of the one whose hull with it adds least to the screen. It counts as found last
/// and has to be looked through again.
pub(crate) fn merge(seen: &mut Seen, buffers: &mut Buffers, regions: &mut RegionList, newer: u32) {
    let added = regions.as_slice().iter().map(|older| added_area(seen, buffers, *older, newer));
    let least = added.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
    let Some((place, _)) = least else { return };
    let older = regions.as_slice()[place];
    make_hull(seen, buffers, older, newer);
    buffers.hull.tidy();
    buffers.hull.limit();
    let target = seen.node(newer).target;
    let merged = seen.add_outline(target, &buffers.hull);
    let (first, second) = (seen.node(older), seen.node(newer));
    // What only one of them came by or lies beyond of says nothing about the other.
    let back = first.back.filter(|back| second.back == Some(*back));
    let beyond = first.beyond.filter(|beyond| second.beyond == Some(*beyond));
    let (entry, depth) = (first.entry, first.depth.min(second.depth));
    let node = seen.node_mut(merged);
    (node.entry, node.back, node.beyond, node.depth) = (entry, back, beyond, depth);
    node.parts = Some([older, newer]);
    seen.node_mut(older).merged = Some(merged);
    seen.node_mut(newer).merged = Some(merged);
    seen.stats.merged += 1;
    regions.remove(place);
    regions.push(merged);
}

/// How much the hull of two regions covers that neither of them does.
fn added_area(seen: &Seen, buffers: &mut Buffers, older: u32, newer: u32) -> f64 {
    make_hull(seen, buffers, older, newer);
    let hull = buffers.hull.area();
    let mut area_of = |node: u32, cut_by: &[DVec3]| {
        let node = seen.node(node);
        buffers.region.set(seen.corners_of(node), seen.planes_of(node));
        match buffers.region.cut_by(cut_by, &mut buffers.spare) {
            true => buffers.region.area(),
            false => 0.0,
        }
    };
    let common = area_of(older, seen.planes_of(seen.node(newer)));
    hull - (area_of(older, &[]) + area_of(newer, &[]) - common)
}

fn make_hull(seen: &Seen, buffers: &mut Buffers, older: u32, newer: u32) {
    let Buffers { hull, points, .. } = buffers;
    points.clear();
    for node in [older, newer] {
        points.extend_from_slice(seen.corners_of(seen.node(node)));
    }
    hull.hull(points);
}
