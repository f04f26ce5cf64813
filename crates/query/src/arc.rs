//! The flight of a missile.

use threshold_land::vector::{DVec3, Vec3};
use threshold_land::{Position, block_offset_between};

use crate::collect::Mode;
use crate::constants::{MARGIN, SAGITTA, rounded};
use crate::filter::QueryFilter;
use crate::hit::{ArcFlight, Extent, Hit, UnknownCell};
use crate::question::{Launch, QueryError, check_position};
use crate::scene_query::SceneQuery;
use crate::volume::Cast;
use crate::walk::{QueryScratch, position_in};

/// A parabola, in the frame of the landblock where it begins.
#[derive(Clone, Copy)]
struct Parabola {
    origin: DVec3,
    velocity: DVec3,
    gravity: f64,
    /// Time of flight, and of one chord.
    time: f64,
    chord: f64,
}

impl Parabola {
    fn new(from: &Position, arc: &Launch) -> Self {
        let (gravity, time) = (f64::from(arc.gravity), f64::from(arc.time));
        let chord = if gravity > 0.0 { (8.0 * SAGITTA / gravity).sqrt() } else { time };
        let (origin, velocity) = (from.frame.origin.as_dvec3(), arc.velocity.as_dvec3());
        Self { origin, velocity, gravity, time, chord }
    }

    fn at(&self, time: f64) -> DVec3 {
        self.origin + self.velocity * time - DVec3::Z * (self.gravity * time * time * 0.5)
    }

    fn velocity_at(&self, time: f64) -> Vec3 {
        (self.velocity - DVec3::Z * (self.gravity * time)).as_vec3()
    }
}

/// A flight in progress.
struct Progress {
    /// Where the missile is, with the cell it was carried into.
    at: Position,
    start: Position,
    /// Seconds since the launch, and metres along the chords.
    time: f64,
    distance: f64,
    unknown: Option<UnknownCell>,
}

impl SceneQuery<'_> {
    /// Returns where a missile lands: the first surface that it touches on its arc. The arc is
    /// followed in chords that leave it by at most a millimetre.
    ///
    /// # Errors
    ///
    /// As for [`ray`](Self::ray).
    pub fn arc(
        &self,
        scratch: &mut QueryScratch,
        arc: &Launch,
        filter: &QueryFilter<'_>,
    ) -> Result<ArcFlight, QueryError> {
        let (path, mut flight) = begin(arc)?;
        while flight.time < path.time {
            let chord = flight.next_chord(&path, arc);
            let before = flight.at;
            let extent = self.walk(scratch, &before, filter, chord, Mode::First);
            flight.note(extent);
            let Some(found) = scratch.collector.found.first().copied() else {
                flight.go_on(&path, &chord, extent);
                continue;
            };
            let hit = flight.placed(found.hit);
            let part = if chord.length() > 0.0 { found.time / chord.length() } else { 0.0 };
            let time = flight.time + part * (flight.next(&path) - flight.time);
            let velocity = path.velocity_at(time);
            let (time, end, unknown) = (rounded(time), hit.centre, flight.unknown);
            return Ok(ArcFlight { hit: Some(hit), time, velocity, end, unknown });
        }
        let (velocity, end) = (path.velocity_at(path.time), flight.at);
        Ok(ArcFlight { hit: None, time: arc.time, velocity, end, unknown: flight.unknown })
    }

    /// Finds all surfaces on the arc of a missile that nothing stops, in order, each once.
    ///
    /// # Errors
    ///
    /// As for [`ray`](Self::ray).
    pub fn arc_all(
        &self,
        scratch: &mut QueryScratch,
        arc: &Launch,
        filter: &QueryFilter<'_>,
        hits: &mut Vec<Hit>,
    ) -> Result<Extent, QueryError> {
        hits.clear();
        let (path, mut flight) = begin(arc)?;
        while flight.time < path.time {
            let chord = flight.next_chord(&path, arc);
            let before = flight.at;
            let extent = self.walk(scratch, &before, filter, chord, Mode::All);
            flight.note(extent);
            for found in &scratch.collector.found {
                // A chord begins in touch with what the last one hit.
                let known = hits.iter().any(|hit| hit.target == found.hit.target);
                if !known {
                    hits.push(flight.placed(found.hit));
                }
            }
            flight.go_on(&path, &chord, extent);
        }
        Ok(Extent { end: flight.at, unknown: flight.unknown })
    }
}

fn begin(arc: &Launch) -> Result<(Parabola, Progress), QueryError> {
    arc.check()?;
    let from = check_position(&arc.from)?;
    let start = Position::new(from.cell, from.frame.origin);
    let flight = Progress { at: start, start, time: 0.0, distance: 0.0, unknown: None };
    Ok((Parabola::new(&start, arc), flight))
}

impl Progress {
    /// Returns when the next chord ends.
    fn next(&self, path: &Parabola) -> f64 {
        (self.time + path.chord).min(path.time)
    }

    /// Returns the next chord in the frame of the landblock of the missile.
    fn next_chord(&self, path: &Parabola, arc: &Launch) -> Cast {
        let offset = block_offset_between(self.start.cell, self.at.cell).as_dvec3();
        let (from, to) = (path.at(self.time) - offset, path.at(self.next(path)) - offset);
        let length = from.distance(to);
        let direction = (to - from).normalize_or_zero();
        Cast::new(from, direction, length, f64::from(arc.radius))
    }

    fn go_on(&mut self, path: &Parabola, chord: &Cast, extent: Extent) {
        self.time = self.next(path);
        self.distance += chord.length();
        let offset = block_offset_between(self.start.cell, extent.end.cell).as_dvec3();
        self.at = position_in(extent.end.cell, path.at(self.time) - offset);
    }

    /// Keeps the first cell that is not resident.
    fn note(&mut self, extent: Extent) {
        let along = |unknown: UnknownCell| UnknownCell {
            distance: unknown.distance + rounded(self.distance),
            ..unknown
        };
        self.unknown = self.unknown.or(extent.unknown.map(along));
    }

    /// Returns a hit of a chord as one of the flight.
    fn placed(&self, hit: Hit) -> Hit {
        let initial = hit.initial && self.distance <= MARGIN;
        Hit { distance: hit.distance + rounded(self.distance), initial, ..hit }
    }
}
