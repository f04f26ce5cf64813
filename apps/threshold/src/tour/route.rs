//! The route of a walk: its legs, and their lengths.

use threshold_forge::{NamedPlace, TourLeg};
use threshold_land::Position;
use threshold_land::vector::Vec3;

/// The legs of a walk, with the distance to the end of each.
pub(crate) struct Route {
    legs: Vec<TourLeg>,
    /// Distance walked from the start to the end of each leg, in metres. A leg that places the walker again adds nothing.
    distances: Vec<f32>,
}

impl Route {
    pub(crate) fn new(legs: Vec<TourLeg>) -> Self {
        let mut distances: Vec<f32> = Vec::with_capacity(legs.len());
        for (number, leg) in legs.iter().enumerate() {
            let before = number.checked_sub(1).map(|last| (end_of(&legs[last]), distances[last]));
            let distance = match (leg, before) {
                (_, None) => 0.0,
                (TourLeg::Start(_), Some((_, walked))) => walked,
                (_, Some((from, walked))) => walked + level(from, end_of(leg)).length(),
            };
            distances.push(distance);
        }
        Self { legs, distances }
    }

    /// Returns the length of the route, in metres.
    pub(crate) fn length(&self) -> f32 {
        self.distances.last().copied().unwrap_or(0.0)
    }

    pub(crate) fn leg(&self, number: usize) -> Option<&TourLeg> {
        self.legs.get(number)
    }

    /// Returns the stations, in order.
    pub(crate) fn stops(&self) -> impl Iterator<Item = &NamedPlace> {
        self.legs.iter().filter_map(|leg| match leg {
            TourLeg::Stop(place) => Some(place),
            _ => None,
        })
    }

    /// Returns the distance from the start to the end of a leg, in metres.
    pub(super) fn distance_to_end(&self, number: usize) -> f32 {
        self.distances.get(number).copied().unwrap_or_else(|| self.length())
    }

    /// Returns the part of the speed to keep in the corner at the end of a leg: 1 straight on, 0 for a stop or a turn back.
    pub(super) fn corner_speed(&self, number: usize) -> f32 {
        let ends = number.checked_sub(1).and_then(|last| {
            Some((end_of(self.leg(last)?), end_of(self.leg(number)?), self.leg(number + 1)?))
        });
        let Some((from, corner, next)) = ends else { return 0.0 };
        let is_waypoint = matches!(self.legs[number], TourLeg::Waypoint { .. });
        if !is_waypoint || matches!(next, TourLeg::Start(_)) {
            return 0.0;
        }
        let [before, after] = [level(from, corner), level(corner, end_of(next))];
        let cosine = before.normalize_or_zero().dot(after.normalize_or_zero()).max(0.0);
        cosine * cosine
    }

    /// Describes the end of a leg.
    pub(super) fn describe(&self, number: usize) -> String {
        match self.leg(number) {
            Some(TourLeg::Start(place) | TourLeg::Stop(place)) => format!("the {}", place.name),
            Some(TourLeg::Waypoint { site, at }) => {
                let Vec3 { x, y, .. } = at.frame.origin;
                let (block, waypoint) = (at.cell.block(), number + 1);
                format!("waypoint {waypoint} ({site}, {x:.1} {y:.1} of landblock {block})")
            }
            _ => "the end".to_owned(),
        }
    }
}

/// Returns the end of a leg.
pub(super) fn end_of(leg: &TourLeg) -> &Position {
    match leg {
        TourLeg::Start(place) | TourLeg::Stop(place) => &place.position,
        TourLeg::Waypoint { at, .. } => at,
        // `TourLeg` is non-exhaustive. A walker cannot be placed in cell 0, so an unknown leg is an error.
        _ => &NOWHERE,
    }
}

const NOWHERE: Position = Position::new(threshold_land::CellId(0), Vec3::ZERO);

/// Returns the horizontal offset between two positions.
pub(super) fn level(from: &Position, to: &Position) -> Vec3 {
    from.offset_to(to).with_z(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_land::CellId;

    fn waypoint(x: f32, y: f32) -> TourLeg {
        TourLeg::Waypoint {
            site: "land",
            at: Position::new(CellId(0xA9B4_0001), Vec3::new(x, y, 7.0)),
        }
    }

    #[test]
    fn a_route_is_as_long_as_its_legs_and_slows_down_at_corners() {
        let legs = [(0.0, 0.0), (3.0, 4.0), (6.0, 8.0), (6.0, 4.0), (6.0, 9.0)];
        let route = Route::new(legs.map(|(x, y)| waypoint(x, y)).to_vec());
        assert_eq!(route.length(), 19.0);
        assert_eq!(route.distance_to_end(2), 10.0);
        assert_eq!(route.corner_speed(1), 1.0, "straight on");
        assert_eq!(route.corner_speed(2), 0.0, "more than a right angle");
        assert_eq!(route.corner_speed(3), 0.0, "back");
        assert_eq!(route.corner_speed(4), 0.0, "the end");
        assert!(route.describe(1).contains("waypoint 2 (land, 3.0 4.0 of landblock A9B4)"));
    }
}
