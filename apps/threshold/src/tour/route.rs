//! Where a walk leads.

use threshold_forge::{NamedPlace, TourLeg};
use threshold_land::Position;
use threshold_land::glam::Vec3;

/// A walk: its pieces, and how far it is to the end of each.
pub(crate) struct Route {
    legs: Vec<TourLeg>,
    /// Metres from the beginning, without what nobody walks.
    reached: Vec<f32>,
}

impl Route {
    pub(crate) fn new(legs: Vec<TourLeg>) -> Self {
        let mut reached: Vec<f32> = Vec::with_capacity(legs.len());
        for (number, leg) in legs.iter().enumerate() {
            let before = number.checked_sub(1).map(|last| (aim(&legs[last]), reached[last]));
            let far = match (leg, before) {
                (_, None) => 0.0,
                (TourLeg::Start(_), Some((_, so_far))) => so_far,
                (_, Some((from, so_far))) => so_far + level(from, aim(leg)).length(),
            };
            reached.push(far);
        }
        Self { legs, reached }
    }

    /// All of it, in metres.
    pub(crate) fn length(&self) -> f32 {
        self.reached.last().copied().unwrap_or(0.0)
    }

    pub(crate) fn leg(&self, number: usize) -> Option<&TourLeg> {
        self.legs.get(number)
    }

    /// Where it stops, in order.
    pub(crate) fn stops(&self) -> impl Iterator<Item = &NamedPlace> {
        self.legs.iter().filter_map(|leg| match leg {
            TourLeg::Stop(place) => Some(place),
            _ => None,
        })
    }

    /// Metres from the beginning to the end of a piece.
    pub(super) fn reached(&self, number: usize) -> f32 {
        self.reached.get(number).copied().unwrap_or_else(|| self.length())
    }

    /// How much of the speed is left after the corner at the end of a piece: 1 straight on, 0 where it stops or turns
    /// back.
    pub(super) fn past_corner(&self, number: usize) -> f32 {
        let ends = number.checked_sub(1).and_then(|last| {
            Some((aim(self.leg(last)?), aim(self.leg(number)?), self.leg(number + 1)?))
        });
        let Some((from, corner, next)) = ends else { return 0.0 };
        let goes_on = matches!(self.legs[number], TourLeg::Waypoint { .. });
        if !goes_on || matches!(next, TourLeg::Start(_)) {
            return 0.0;
        }
        let [before, after] = [level(from, corner), level(corner, aim(next))];
        let cosine = before.normalize_or_zero().dot(after.normalize_or_zero()).max(0.0);
        cosine * cosine
    }

    /// A piece in words.
    pub(super) fn named(&self, number: usize) -> String {
        match self.leg(number) {
            Some(TourLeg::Start(place) | TourLeg::Stop(place)) => format!("the {}", place.name),
            Some(TourLeg::Waypoint { site, at }) => {
                let Vec3 { x, y, .. } = at.frame.origin;
                let (block, of) = (at.cell.block(), number + 1);
                format!("waypoint {of} ({site}, {x:.1} {y:.1} of landblock {block})")
            }
            _ => "the end".to_owned(),
        }
    }
}

/// Where a piece ends.
pub(super) fn aim(leg: &TourLeg) -> &Position {
    match leg {
        TourLeg::Start(place) | TourLeg::Stop(place) => &place.position,
        TourLeg::Waypoint { at, .. } => at,
        // Pieces of a kind that nobody knows yet would begin nowhere.
        _ => &NOWHERE,
    }
}

const NOWHERE: Position = Position::new(threshold_land::CellId(0), Vec3::ZERO);

/// The way from one place to another on a map.
pub(super) fn level(from: &Position, to: &Position) -> Vec3 {
    from.offset_to(to).with_z(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_land::CellId;

    fn past(x: f32, y: f32) -> TourLeg {
        TourLeg::Waypoint {
            site: "land",
            at: Position::new(CellId(0xA9B4_0001), Vec3::new(x, y, 7.0)),
        }
    }

    #[test]
    fn a_route_is_as_long_as_its_pieces_and_slows_down_at_corners() {
        let legs = [(0.0, 0.0), (3.0, 4.0), (6.0, 8.0), (6.0, 4.0), (6.0, 9.0)];
        let route = Route::new(legs.map(|(x, y)| past(x, y)).to_vec());
        assert_eq!(route.length(), 19.0);
        assert_eq!(route.reached(2), 10.0);
        assert_eq!(route.past_corner(1), 1.0, "straight on");
        assert_eq!(route.past_corner(2), 0.0, "more than a right angle");
        assert_eq!(route.past_corner(3), 0.0, "back");
        assert_eq!(route.past_corner(4), 0.0, "the end");
        assert!(route.named(1).contains("waypoint 2 (land, 3.0 4.0 of landblock A9B4)"));
    }
}
