//! A walk through the built-in world.

use threshold_land::Position;

use super::names::Survey;
use super::places::{NamedPlace, named};
use super::tower;

/// A piece of a walk.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Leg {
    /// The walk begins here, or goes on from here: nobody walks from the last place to this one.
    Begin(NamedPlace),
    /// Straight on past a place.
    Past {
        /// Where that is: "land", or the name of a building.
        by: &'static str,
        /// The place, in the frame of its landblock. Neither its height nor its cell says more than that.
        at: Position,
    },
    /// Straight on to a place, to stop there and look.
    Stop(NamedPlace),
}

/// Some pieces of the walk as they are written down.
#[derive(Clone, Copy)]
enum Way {
    From(&'static str),
    /// Over the land, in metres from the south-western corner of the world.
    Over(&'static [[f32; 2]]),
    /// In and round a building, in metres of its plan.
    Through(&'static str, &'static [[f32; 2]]),
    /// Up the stair of the tower.
    Climb,
    To(&'static str),
}

use Way::{Climb, From, Over, Through, To};

/// The door of the inn, as seen from the middle of its stairs.
const INN_OUT: &[[f32; 2]] = &[[5.9, -6.1], [4.2, -6.1], [0.0, -5.9], [0.0, -12.0]];
/// From the head of those stairs to the door of the middle room, and back.
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
const TOUR: [Way; 36] = [
    From("lake shore"),
    To("lake shore"),
    Over(&[[352.0, 457.0], [440.0, 457.0]]),
    To("village square"),
    Over(&[[492.0, 478.0], [512.0, 480.0]]),
    To("inn door"),
    To("inn vestibule"),
    Through("inn", &[[0.0, -6.2]]),
    To("taproom"),
    Through("inn", &[[4.2, -6.1]]),
    To("inn stairs"),
    Through("inn", UPSTAIRS),
    To("upper room window"),
    Through("inn", DOWNSTAIRS),
    Through("inn", INN_OUT),
    Over(&[[504.0, 478.0], [481.0, 462.0], [470.0, 450.0], [438.0, 430.0], [434.0, 411.0]]),
    Through("cottage", &[[0.0, -8.0]]),
    To("cottage"),
    Through("cottage", TO_CELLAR),
    To("cottage cellar"),
    Through("cottage", FROM_CELLAR),
    Over(&[[434.0, 404.0], [462.0, 398.0], [470.0, 388.0], [520.0, 388.0]]),
    Through("southern shop", &[[0.0, -9.0]]),
    To("shop on the border"),
    Through("southern shop", &[[0.0, -9.0]]),
    Over(&[[562.0, 400.0], [568.0, 440.0], [576.0, 474.0], [600.0, 480.0], [944.0, 480.0]]),
    To("gatehouse"),
    Through("depths", &[[3.0, 0.0], [15.0, 0.0]]),
    To("cave"),
    Through("depths", &[[24.0, -2.0], [27.0, -3.6], [30.0, -2.0], [34.5, -2.5], [38.0, -5.0]]),
    To("pool cave"),
    Through(
        "depths",
        &[[38.0, -5.0], [34.5, -2.5], [32.0, 0.0], [29.0, 4.0], [28.0, 10.0], [28.0, 19.0]],
    ),
    To("great hall below"),
    From("tower door"),
    To("tower door"),
    Climb,
];

/// A walk through the built-in world on foot, for the seed that it is made from: from the lake to the village, through the inn
/// up to a window, down into a cellar, over a border, along the road and down under the mountain; then up the
/// tower. Nothing is in the way of who goes straight from each place to the next.
///
/// ```
/// use threshold_forge::{Leg, SEED, tour};
///
/// let stops = tour(SEED).iter().filter(|leg| matches!(leg, Leg::Stop(_))).count();
/// assert!(stops > 10);
/// ```
pub fn tour(seed: u64) -> Vec<Leg> {
    let survey = Survey::of(seed);
    let places = named(&survey);
    let of = |name: &str| places.iter().find(|place| place.name == name).cloned();
    let past = |by: &'static str, at: Option<Position>| at.map(|at| Leg::Past { by, at });
    let mut legs: Vec<Option<Leg>> = Vec::new();
    for way in TOUR {
        match way {
            From(name) => legs.push(of(name).map(Leg::Begin)),
            To(name) => legs.push(of(name).map(Leg::Stop)),
            Over(points) => {
                legs.extend(points.iter().map(|at| past("land", survey.on_land(*at, 0.0))));
            }
            Through(site, points) => {
                legs.extend(points.iter().map(|at| past(site, survey.in_plan(site, *at))));
            }
            Climb => {
                let points = tower::climb();
                legs.extend(points.map(|at| past("tower", survey.in_plan("tower", at))));
                legs.push(of("tower top").map(Leg::Stop));
            }
        }
    }
    // All of them are somewhere, as a test says.
    legs.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worlds::builtin::SEED;

    #[test]
    fn every_piece_of_the_walk_is_somewhere() {
        let pieces = |way: &Way| match way {
            From(_) | To(_) => 1,
            Over(points) | Through(_, points) => points.len(),
            Climb => tower::climb().count() + 1,
        };
        assert_eq!(tour(SEED).len(), TOUR.iter().map(pieces).sum::<usize>());
    }
}
