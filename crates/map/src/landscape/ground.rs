//! Shaded ground and contour lines.

use std::collections::{BTreeMap, BTreeSet};

use threshold_land::CELL_LENGTH;
use threshold_land::vector::{Vec2, Vec3};
use threshold_world::{Land, TRIANGLES, WATER_TYPES};

use super::LandscapeInput;
use crate::drawing::{Drawing, Ink, Outline, Paint};
use crate::flat::Segment;
use crate::legend::LegendEntry;
use crate::style;

/// Direction to the light. Maps have it in the north-west.
const LIGHT: Vec3 = Vec3::new(-0.521, 0.521, 0.676);
/// Limits of the brightness of a slope; level ground has 1.
const MIN_SHADE: f32 = 0.55;
const MAX_SHADE: f32 = 1.14;
/// Greatest number of kinds of ground that the legend names.
const MAX_NAMED: usize = 8;

pub(super) fn draw(
    drawing: &mut Drawing,
    input: &LandscapeInput<'_>,
    legend: &mut Vec<LegendEntry>,
) {
    let mut faces: BTreeMap<Ink, Vec<Vec<Vec2>>> = BTreeMap::new();
    let mut kinds = BTreeSet::new();
    for land in &input.lands {
        for number in 0..TRIANGLES {
            let corners = land.terrain().triangle(number);
            let dry = dry_kinds(land, &corners);
            kinds.extend(dry.iter().copied());
            let inks: Vec<Ink> = dry.iter().map(|kind| input.ink(*kind)).collect();
            let ink = Ink::mean(&inks).lit(shade(land.terrain().plane(number).normal));
            let offset = input.offset(land);
            let outline = corners.map(|corner| input.chart.at(corner.truncate() + offset));
            faces.entry(ink).or_default().push(outline.to_vec());
        }
    }
    // A thin line in the colour of the face closes the seam to the next.
    drawing.group(
        Some("ground".into()),
        Paint { width: Some(0.6), ..Paint::default() },
        |drawing| {
            for (ink, outlines) in faces {
                let paint = Paint { stroke: Some(ink), ..Paint::fill(ink) };
                drawing.shape(Outline::Areas(outlines), paint);
            }
        },
    );
    if kinds.len() <= MAX_NAMED {
        for kind in kinds {
            legend.push(LegendEntry::area(input.name(kind), Paint::fill(input.ink(kind))));
        }
    }
    draw_contours(drawing, input, legend);
}

/// Returns the kinds of ground at the corners of a triangle without water, which is drawn separately.
fn dry_kinds(land: &Land, corners: &[Vec3; 3]) -> Vec<u16> {
    let kinds = corners.iter().map(|corner| {
        land.terrain().word(vertex_index(corner.x), vertex_index(corner.y)).terrain_type()
    });
    kinds.filter(|kind| !WATER_TYPES.contains(kind)).collect()
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 8")]
fn vertex_index(metres: f32) -> usize {
    (metres / CELL_LENGTH).round() as usize
}

fn shade(normal: Vec3) -> f32 {
    (normal.dot(LIGHT) / LIGHT.z).clamp(MIN_SHADE, MAX_SHADE)
}

/// Greatest number of contour heights; more would hide the ground.
const MAX_CONTOURS: f32 = 24.0;

fn draw_contours(drawing: &mut Drawing, input: &LandscapeInput<'_>, legend: &mut Vec<LegendEntry>) {
    let ranges = input.lands.iter().map(|land| land.terrain().height_range());
    let (low, high) = ranges
        .fold((f32::INFINITY, f32::NEG_INFINITY), |all, one| (all.0.min(one.0), all.1.max(one.1)));
    let steps = [2.0_f32, 5.0, 10.0, 20.0, 50.0];
    let step = steps.into_iter().find(|step| (high - low) / step <= MAX_CONTOURS).unwrap_or(100.0);
    let (mut thin, mut thick) = (Vec::new(), Vec::new());
    for land in &input.lands {
        let offset = input.offset(land);
        for number in 0..TRIANGLES {
            let corners = land.terrain().triangle(number);
            each_contour(&corners, step, |index, segment| {
                let lines = if index % 5 == 0 { &mut thick } else { &mut thin };
                lines.push(segment.map(|point| input.chart.at(point + offset)));
            });
        }
    }
    if thin.is_empty() && thick.is_empty() {
        return;
    }
    drawing.group(Some("contours".into()), Paint::default().faint(0.55), |drawing| {
        drawing.segments(&thin, Paint::line(style::CONTOUR, 0.5));
        drawing.segments(&thick, Paint::line(style::CONTOUR, 1.1));
    });
    let text = format!("contour, every {step} m");
    legend.push(LegendEntry::line(text, Paint::line(style::CONTOUR, 0.8)));
}

/// Calls `add` with each multiple of `step` that a triangle crosses: its number and the line.
fn each_contour(corners: &[Vec3; 3], step: f32, mut add: impl FnMut(i32, Segment)) {
    // Corners lie at whole metres. A little above, no line runs through a corner.
    const OFFSET: f32 = 0.01;
    let heights = corners.map(|corner| corner.z - OFFSET);
    let low = heights.into_iter().fold(f32::INFINITY, f32::min);
    let high = heights.into_iter().fold(f32::NEG_INFINITY, f32::max);
    #[allow(clippy::cast_possible_truncation, reason = "heights end at 800 m")]
    let (first, last) = ((low / step).ceil() as i32, (high / step).floor() as i32);
    for index in first..=last {
        let level = index as f32 * step + OFFSET;
        let mut points = Vec::with_capacity(2);
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            let (a, b) = (corners[a], corners[b]);
            if (a.z < level) != (b.z < level) {
                points.push(a.lerp(b, (level - a.z) / (b.z - a.z)).truncate());
            }
        }
        if let [a, b] = points[..] {
            add(index, [a, b]);
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
