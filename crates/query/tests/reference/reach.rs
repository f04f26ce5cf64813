//! Spheres that move and volumes at rest, in the reference.

use std::collections::BTreeMap;

use threshold_land::vector::{DVec2, DVec3};
use threshold_land::{CellId, block_offset_between};
use threshold_query::{HitTarget, QueryFilter};

use super::{Face, MARGIN, Path, PlainHit, Reference, Shape, Slack, Span, Stay};

/// Something convex that may touch shapes, in the frame of the landblock of its cell.
pub(crate) trait Solid {
    /// Returns it in the frame of another landblock.
    fn shifted(&self, offset: DVec3) -> Self;
    /// Returns when it touches a face.
    fn touches(&self, face: &Face) -> Option<Span>;
    /// Returns when it is over a land cell.
    fn over(&self, corner: DVec2) -> Option<Span>;
}

impl Reference {
    /// Returns the cells that something reaches, and when: from those where its centre is, on through every portal that
    /// it touches.
    pub(crate) fn reach<S: Solid>(
        &self,
        start: CellId,
        solid: &S,
        mut stays: Vec<Stay>,
    ) -> Vec<Stay> {
        let mut next = 0;
        while let Some(Stay { cell, span }) = stays.get(next).copied() {
            next += 1;
            let Some(plain) = self.cells.get(&cell) else { continue };
            let there = |cell: CellId| solid.shifted(block_offset_between(start, cell).as_dvec3());
            for door in &plain.doors {
                let touched = there(cell).touches(&door.face).and_then(|it| it.common(span));
                let Some(span) = touched else { continue };
                match door.other {
                    Some(other) => add(&mut stays, Stay { cell: other, span }),
                    None => self.reach_land(start, solid, span, &mut stays),
                }
            }
            for name in &plain.entrances {
                let Some(door) = self.door(*name) else { continue };
                let touched = there(name.0).touches(&door.face).and_then(|it| it.common(span));
                if let Some(span) = touched {
                    add(&mut stays, Stay { cell: name.0, span });
                }
            }
        }
        stays
    }

    pub(crate) fn reach_land<S: Solid>(
        &self,
        start: CellId,
        solid: &S,
        span: Span,
        stays: &mut Vec<Stay>,
    ) {
        for (cell, corner) in self.land_cells() {
            let there = solid.shifted(block_offset_between(start, cell).as_dvec3());
            if let Some(span) = there.over(corner).and_then(|over| over.common(span)) {
                add(stays, Stay { cell, span });
            }
        }
    }

    /// Returns what a moving sphere touches.
    pub(crate) fn sweep(
        &self,
        start: CellId,
        sweep: &Sweep,
        filter: &QueryFilter<'_>,
        slack: Slack,
    ) -> Vec<PlainHit> {
        let mut stays = Vec::new();
        for stay in self.follow(start, &sweep.path, slack) {
            stays.push(stay);
            if stay.cell.is_outdoor() {
                self.reach_land(start, sweep, stay.span, &mut stays);
            }
        }
        let mut hits: BTreeMap<HitTarget, PlainHit> = BTreeMap::new();
        for Stay { cell, span } in self.reach(start, sweep, stays) {
            for (target, shape, frame) in self.shapes_in(cell, filter) {
                let there = sweep.shifted(block_offset_between(start, frame).as_dvec3());
                let Some(hit) = there.meets(&shape, filter.both_sides, target) else { continue };
                let counts = hit.time >= span.from - MARGIN && hit.time <= span.to + MARGIN;
                if counts && hits.get(&target).is_none_or(|known| hit.time < known.time) {
                    hits.insert(target, hit);
                }
            }
        }
        let mut hits: Vec<PlainHit> = hits.into_values().collect();
        hits.sort_by(|a, b| a.time.total_cmp(&b.time));
        hits
    }

    /// Returns all shapes of the cells that a volume at rest reaches, with the offset to their landblock.
    pub(crate) fn shapes_near<S: Solid>(
        &self,
        start: CellId,
        solid: &S,
        filter: &QueryFilter<'_>,
    ) -> Vec<(HitTarget, Shape, DVec3)> {
        let rest = Span { from: 0.0, to: 0.0 };
        let mut stays = Vec::new();
        if start.is_outdoor() {
            self.reach_land(start, solid, rest, &mut stays);
        } else {
            stays.push(Stay { cell: start, span: rest });
        }
        let mut shapes = BTreeMap::new();
        for Stay { cell, .. } in self.reach(start, solid, stays) {
            for (target, shape, frame) in self.shapes_in(cell, filter) {
                let offset = block_offset_between(start, frame).as_dvec3();
                shapes.insert(target, (shape, offset));
            }
        }
        shapes.into_iter().map(|(target, (shape, offset))| (target, shape, offset)).collect()
    }
}

fn add(stays: &mut Vec<Stay>, stay: Stay) {
    let covers = |old: &Stay| {
        old.cell == stay.cell
            && old.span.from <= stay.span.from + 1e-7
            && old.span.to >= stay.span.to - 1e-7
    };
    if !stays.iter().any(covers) {
        stays.push(stay);
    }
}

/// A sphere that moves along a straight line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sweep {
    pub(crate) path: Path,
    pub(crate) radius: f64,
}

impl Sweep {
    /// Returns whether it comes near a sphere.
    fn is_near(&self, centre: DVec3, radius: f64) -> bool {
        let off = centre - self.path.origin;
        let along = off.dot(self.path.velocity).clamp(0.0, self.path.length);
        self.path.at(along).distance(centre) <= radius + self.radius + 0.01
    }

    /// Returns when a convex gap is closed: its least value by thirds, its ends by halves.
    fn closed(&self, gap: impl Fn(f64) -> f64) -> Option<Span> {
        let (mut low, mut high) = (0.0, self.path.length);
        for _ in 0..70 {
            let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if gap(a) <= gap(b) { high = b } else { low = a }
        }
        let ends = [0.0, self.path.length, 0.5 * (low + high)];
        let least = ends.into_iter().min_by(|a, b| gap(*a).total_cmp(&gap(*b))).unwrap();
        if gap(least) > 0.0 {
            return None;
        }
        let edge = |mut open: f64| {
            let mut closed = least;
            if gap(open) <= 0.0 {
                return open;
            }
            for _ in 0..50 {
                let middle = 0.5 * (open + closed);
                if gap(middle) <= 0.0 { closed = middle } else { open = middle }
            }
            closed
        };
        Some(Span { from: edge(0.0), to: edge(self.path.length) })
    }

    /// Returns how it first touches a shape, by the rules of casts.
    fn meets(&self, shape: &Shape, both: bool, target: HitTarget) -> Option<PlainHit> {
        let (path, radius) = (&self.path, self.radius);
        let (first, nearest) = match shape {
            Shape::Face(face) => {
                if !self.is_near(face.middle(), face.radius) {
                    return None;
                }
                let one_sided = !(both || face.both_sides);
                let behind = face.height(path.origin) < -MARGIN;
                if one_sided && (behind || face.normal.dot(path.velocity) >= 0.0) {
                    return None;
                }
                let gap = |time: f64| face.nearest(path.at(time)).distance(path.at(time)) - radius;
                let first = self.closed(gap)?.from;
                (first, face.nearest(path.at(first)))
            }
            Shape::Round(round) => {
                let first = self.closed(|time| round.gap(path.at(time), radius))?.from;
                if round.gap(path.origin, 0.0) <= 0.0 {
                    return Some(PlainHit { time: 0.0, target, approach: 1.0 });
                }
                (first, round.nearest(path.at(first)))
            }
            Shape::Point(_) => return None,
        };
        let away = (path.at(first) - nearest).normalize_or_zero();
        let approach = -path.velocity.dot(away);
        let cylinder = matches!(shape, Shape::Round(super::Round::Cylinder { .. }));
        // What it touches from the start it must move towards.
        let hits = first > 0.0 || approach > 0.0 || cylinder;
        let approach = if cylinder { 0.05 } else { approach };
        hits.then_some(PlainHit { time: first, target, approach })
    }
}

impl Solid for Sweep {
    fn shifted(&self, offset: DVec3) -> Self {
        Self { path: self.path.shifted(offset), ..*self }
    }

    fn touches(&self, face: &Face) -> Option<Span> {
        if !self.is_near(face.middle(), face.radius) {
            return None;
        }
        self.closed(|time| {
            let at = self.path.at(time);
            face.nearest(at).distance(at) - self.radius
        })
    }

    fn over(&self, corner: DVec2) -> Option<Span> {
        self.path.over(corner, self.radius)
    }
}
