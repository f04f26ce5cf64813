//! A walk through the built-in world.

use threshold_land::Position;

use super::names::Survey;
use super::places::{NamedPlace, named};
use super::tower;

/// One leg of a walk.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TourLeg {
    /// The walk starts here, or continues here without walking from the last place.
    Start(NamedPlace),
    /// Straight to a point, without a stop.
    Waypoint {
        /// "land", or the name of the building.
        site: &'static str,
        /// The point, in the frame of its landblock. Its height and its cell are not exact.
        at: Position,
    },
    /// Straight to a place, with a stop to look around.
    Stop(NamedPlace),
}

/// Several legs of the walk in short form.
#[derive(Clone, Copy)]
enum TourStep {
    Start(&'static str),
    /// Over the land, in metres from the south-western corner of the world.
    Over(&'static [[f32; 2]]),
    /// In and around a building, in metres of its plan.
    Through(&'static str, &'static [[f32; 2]]),
    /// Up the stairs of the tower.
    Climb,
    Stop(&'static str),
}

use TourStep::{Climb, Over, Start, Stop, Through};

/// The door of the inn, as seen from the middle of its stairs.
const INN_OUT: &[[f32; 2]] = &[[5.9, -6.1], [4.2, -6.1], [0.0, -5.9], [0.0, -12.0]];
/// From the top of those stairs to the door of the middle room, and back.
const UPSTAIRS: &[[f32; 2]] = &[[5.9, 1.8], [4.0, 1.8], [-1.0, 1.8], [-1.0, 0.0]];
const DOWNSTAIRS: &[[f32; 2]] = &[[-1.0, 0.0], [-1.0, 1.8], [4.0, 1.8], [5.9, 1.8]];
/// From the living room of the cottage down to the cellar, and out.
const TO_CELLAR: &[[f32; 2]] =
    &[[2.0, 0.0], [2.0, 2.2], [2.8, 4.6], [4.75, 4.6], [4.75, -0.85], [3.2, -0.85]];
const FROM_CELLAR: &[[f32; 2]] = &[
    [3.2, -0.85],
    [4.75, -0.85],
    [4.75, 4.6],
    [2.8, 4.6],
    [2.0, 2.2],
    [2.0, 0.0],
    [0.0, -3.4],
    [0.0, -8.0],
];

/// Past the well and the stalls of the square, between houses, and along the roads.
const TOUR: [TourStep; 36] = [
    Start("lake shore"),
    Stop("lake shore"),
    Over(&[[352.0, 457.0], [440.0, 457.0]]),
    Stop("village square"),
    Over(&[[492.0, 478.0], [512.0, 480.0]]),
    Stop("inn door"),
    Stop("inn vestibule"),
    Through("inn", &[[0.0, -6.2]]),
    Stop("taproom"),
    Through("inn", &[[4.2, -6.1]]),
    Stop("inn stairs"),
    Through("inn", UPSTAIRS),
    Stop("upper room window"),
    Through("inn", DOWNSTAIRS),
    Through("inn", INN_OUT),
    Over(&[[504.0, 478.0], [481.0, 462.0], [470.0, 450.0], [438.0, 430.0], [434.0, 411.0]]),
    Through("cottage", &[[0.0, -8.0]]),
    Stop("cottage"),
    Through("cottage", TO_CELLAR),
    Stop("cottage cellar"),
    Through("cottage", FROM_CELLAR),
    Over(&[[434.0, 404.0], [462.0, 398.0], [470.0, 388.0], [520.0, 388.0]]),
    Through("southern shop", &[[0.0, -9.0]]),
    Stop("shop on the border"),
    Through("southern shop", &[[0.0, -9.0]]),
    Over(&[[562.0, 400.0], [568.0, 440.0], [576.0, 474.0], [600.0, 480.0], [944.0, 480.0]]),
    Stop("gatehouse"),
    Through("depths", &[[3.0, 0.0], [15.0, 0.0]]),
    Stop("cave"),
    Through("depths", &[[24.0, -2.0], [27.0, -3.6], [30.0, -2.0], [34.5, -2.5], [38.0, -5.0]]),
    Stop("pool cave"),
    Through(
        "depths",
        &[[38.0, -5.0], [34.5, -2.5], [32.0, 0.0], [29.0, 4.0], [28.0, 10.0], [28.0, 19.0]],
    ),
    Stop("great hall below"),
    Start("tower door"),
    Stop("tower door"),
    Climb,
];

/// Returns a walk through the built-in world on foot, for its seed: from the lake to the village, through the inn
/// up to a window, down into a cellar, over a border, along the road and down under the mountain; then up the
/// tower. The straight line from each point to the next is free.
///
/// ```
/// use threshold_forge::{SEED, TourLeg, tour};
///
/// let stops = tour(SEED).iter().filter(|leg| matches!(leg, TourLeg::Stop(_))).count();
/// assert!(stops > 10);
/// ```
pub fn tour(seed: u64) -> Vec<TourLeg> {
    let survey = Survey::of(seed);
    let places = named(&survey);
    let of = |name: &str| places.iter().find(|place| place.name == name).cloned();
    let waypoint =
        |site: &'static str, at: Option<Position>| at.map(|at| TourLeg::Waypoint { site, at });
    let mut legs: Vec<Option<TourLeg>> = Vec::new();
    for step in TOUR {
        match step {
            Start(name) => legs.push(of(name).map(TourLeg::Start)),
            Stop(name) => legs.push(of(name).map(TourLeg::Stop)),
            Over(points) => {
                legs.extend(points.iter().map(|at| waypoint("land", survey.on_land(*at, 0.0))));
            }
            Through(site, points) => {
                legs.extend(points.iter().map(|at| waypoint(site, survey.in_plan(site, *at))));
            }
            Climb => {
                let points = tower::climb();
                legs.extend(points.map(|at| waypoint("tower", survey.in_plan("tower", at))));
                legs.push(of("tower top").map(TourLeg::Stop));
            }
        }
    }
    // All of them exist: a test checks that.
    legs.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worlds::builtin::SEED;

    #[test]
    fn every_piece_of_the_walk_is_somewhere() {
        let pieces = |step: &TourStep| match step {
            Start(_) | Stop(_) => 1,
            Over(points) | Through(_, points) => points.len(),
            Climb => tower::climb().count() + 1,
        };
        assert_eq!(tour(SEED).len(), TOUR.iter().map(pieces).sum::<usize>());
    }
}
