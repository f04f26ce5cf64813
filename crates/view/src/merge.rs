//! Merging regions where a cell has too many.

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

/// The place of the region whose hull with `newer` covers least that neither of them does.
fn least_added(seen: &Seen, buffers: &mut Buffers, regions: &RegionList, newer: u32) -> usize {
    let (mut least, mut place) = (f64::INFINITY, 0);
    let own = area(seen, buffers, newer);
    for (index, older) in regions.as_slice().iter().enumerate() {
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
