//! The triangles of the ground, shaded, and their contour lines.

use std::collections::{BTreeMap, BTreeSet};

use threshold_land::CELL_LENGTH;
use threshold_land::glam::{Vec2, Vec3};
use threshold_world::{Land, TRIANGLES, WATER_TYPES};

use super::Atlas;
use crate::cmd::map::style;
use crate::drawing::flat::Segment;
use crate::drawing::legend::Entry;
use crate::drawing::scene::{Ink, Outline, Paint, Scene};

/// Towards the light, which maps have in the north-west.
const LIGHT: Vec3 = Vec3::new(-0.521, 0.521, 0.676);
/// The darkest and the brightest slope, the level being 1.
const SHADES: [f32; 2] = [0.55, 1.14];
/// More kinds of ground than this are not named.
const NAMED: usize = 8;

pub(super) fn draw(scene: &mut Scene, atlas: &Atlas<'_>, legend: &mut Vec<Entry>) {
    let mut faces: BTreeMap<Ink, Vec<Vec<Vec2>>> = BTreeMap::new();
    let mut kinds = BTreeSet::new();
    for land in &atlas.lands {
        for number in 0..TRIANGLES {
            let corners = land.terrain().triangle(number);
            let here = dry_kinds(land, &corners);
            kinds.extend(here.iter().copied());
            let inks: Vec<Ink> = here.iter().map(|kind| atlas.ink(*kind)).collect();
            let ink = Ink::mean(&inks).lit(shade(land.terrain().plane(number).normal));
            let offset = atlas.offset(land);
            let outline = corners.map(|corner| atlas.chart.at(corner.truncate() + offset));
            faces.entry(ink).or_default().push(outline.to_vec());
        }
    }
    // A thin line in the colour of the face closes the seam to the next.
    scene.group(Some("ground".into()), Paint { width: Some(0.6), ..Paint::default() }, |scene| {
        for (ink, outlines) in faces {
            let paint = Paint { stroke: Some(ink), ..Paint::fill(ink) };
            scene.shape(Outline::Areas(outlines), paint);
        }
    });
    if kinds.len() <= NAMED {
        for kind in kinds {
            legend.push(Entry::area(atlas.name(kind), Paint::fill(atlas.ink(kind))));
        }
    }
    contours(scene, atlas, legend);
}

/// The kinds of ground at a triangle's corners; water is drawn over it and has its own.
fn dry_kinds(land: &Land, corners: &[Vec3; 3]) -> Vec<u16> {
    let kinds = corners
        .iter()
        .map(|corner| land.terrain().word(line(corner.x), line(corner.y)).terrain_type());
    kinds.filter(|kind| !WATER_TYPES.contains(kind)).collect()
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 8")]
fn line(metres: f32) -> usize {
    (metres / CELL_LENGTH).round() as usize
}

fn shade(normal: Vec3) -> f32 {
    (normal.dot(LIGHT) / LIGHT.z).clamp(SHADES[0], SHADES[1])
}

/// More lines than this would hide the ground.
const LINES: f32 = 24.0;

fn contours(scene: &mut Scene, atlas: &Atlas<'_>, legend: &mut Vec<Entry>) {
    let ranges = atlas.lands.iter().map(|land| land.terrain().height_range());
    let (low, high) = ranges
        .fold((f32::INFINITY, f32::NEG_INFINITY), |all, one| (all.0.min(one.0), all.1.max(one.1)));
    let steps = [2.0_f32, 5.0, 10.0, 20.0, 50.0];
    let step = steps.into_iter().find(|step| (high - low) / step <= LINES).unwrap_or(100.0);
    let (mut thin, mut thick) = (Vec::new(), Vec::new());
    for land in &atlas.lands {
        let offset = atlas.offset(land);
        for number in 0..TRIANGLES {
            let corners = land.terrain().triangle(number);
            each_contour(&corners, step, |index, segment| {
                let lines = if index % 5 == 0 { &mut thick } else { &mut thin };
                lines.push(segment.map(|point| atlas.chart.at(point + offset)));
            });
        }
    }
    if thin.is_empty() && thick.is_empty() {
        return;
    }
    scene.group(Some("contours".into()), Paint::default().faint(0.55), |scene| {
        scene.segments(&thin, Paint::line(style::CONTOUR, 0.5));
        scene.segments(&thick, Paint::line(style::CONTOUR, 1.1));
    });
    let text = format!("contour, every {step} m");
    legend.push(Entry::line(text, Paint::line(style::CONTOUR, 0.8)));
}

/// Where a triangle crosses each multiple of `step`, with the number of that multiple.
fn each_contour(corners: &[Vec3; 3], step: f32, mut found: impl FnMut(i32, Segment)) {
    // Corners stand at whole metres; a little above them no line runs through a corner.
    const ABOVE: f32 = 0.01;
    let heights = corners.map(|corner| corner.z - ABOVE);
    let low = heights.into_iter().fold(f32::INFINITY, f32::min);
    let high = heights.into_iter().fold(f32::NEG_INFINITY, f32::max);
    #[allow(clippy::cast_possible_truncation, reason = "heights end at 800 m")]
    let (first, last) = ((low / step).ceil() as i32, (high / step).floor() as i32);
    for index in first..=last {
        let level = index as f32 * step + ABOVE;
        let mut points = Vec::with_capacity(2);
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            let (a, b) = (corners[a], corners[b]);
            if (a.z < level) != (b.z < level) {
                points.push(a.lerp(b, (level - a.z) / (b.z - a.z)).truncate());
            }
        }
        if let [a, b] = points[..] {
            found(index, [a, b]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slope_of_ten_metres_has_five_contours() {
        let corners = [[0.0, 0.0, 20.0], [24.0, 0.0, 30.0], [0.0, 24.0, 20.0]].map(Vec3::from);
        let mut lines = Vec::new();
        each_contour(&corners, 2.0, |index, segment| lines.push((index, segment)));
        assert_eq!(lines.iter().map(|line| line.0).collect::<Vec<_>>(), [10, 11, 12, 13, 14]);
        for (index, segment) in lines {
            let want = (index as f32 * 2.0 - 20.0) * 2.4;
            assert!(segment.iter().all(|point| (point.x - want).abs() < 0.05), "{segment:?}");
        }
    }

    #[test]
    fn level_ground_has_the_light_of_the_map_and_no_contour() {
        assert!((shade(Vec3::Z) - 1.0).abs() < 1e-6);
        let corners = [[0.0, 0.0, 20.0], [24.0, 0.0, 20.0], [0.0, 24.0, 20.0]].map(Vec3::from);
        each_contour(&corners, 2.0, |_, segment| panic!("{segment:?}"));
    }
}
