//! Named places of the built-in world.

use threshold_land::Position;

use super::land::{RIVER, VILLAGE};
use super::names::Survey;
use super::{BRIDGE, tower};

/// A place worth a visit: a position with room for a mover, and the most interesting view.
///
/// ```
/// let places = threshold_forge::places(threshold_forge::SEED);
/// let cellar = places.iter().find(|place| place.name == "cottage cellar").expect("it is one");
/// assert_eq!(cellar.position.cell.to_string(), "0xA9B40104");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NamedPlace {
    /// Its unique name, in lower case.
    pub name: &'static str,
    /// A one-line description.
    pub about: &'static str,
    /// Position of the mover, with its heading.
    pub position: Position,
}

/// Location of a place.
#[derive(Clone, Copy)]
enum Spot {
    /// On the land, in metres from the south-western corner of the world; headings are of the world.
    Land([f32; 2]),
    /// Above the land, at a height.
    Over([f32; 2], f32),
    /// On the land around a building, in metres of its plan; headings are of the plan.
    Before(&'static str, [f32; 2]),
    /// In a room of a building, by its name; coordinates and headings as before.
    In(&'static str, &'static str, [f32; 2]),
}

/// A place in the list.
struct Entry {
    name: &'static str,
    about: &'static str,
    spot: Spot,
    heading: f32,
}

const fn entry(name: &'static str, about: &'static str, spot: Spot, heading: f32) -> Entry {
    Entry { name, about, spot, heading }
}

/// Gap between a mover and the object below it outdoors, in metres: a placement that touches an object fails.
const CLEAR: f32 = 0.01;

use Spot::{Before, In, Land, Over};

/// All places, from the lake to the village, across the land and down.
#[rustfmt::skip]
const PLACES: [Entry; 40] = [
    entry("lake shore", "boats on the sand, and mountains beyond the water", Land([339.0, 453.0]), 268.0),
    entry("boathouse", "a shed with a gate as wide as its boats", In("boathouse", "boat shed", [1.6, 0.0]), 180.0),
    entry("village square", "a well, market stalls and the roads that meet", Land([478.0, 462.0]), 12.0),
    entry("inn door", "the largest house of the village", Before("inn", [0.0, -12.0]), 0.0),
    entry("inn vestibule", "a room without walls of its own before and behind", In("inn", "vestibule", [0.0, -8.0]), 0.0),
    entry("taproom", "the fireplace, the bar, and beams one walks round", In("inn", "taproom", [1.0, -5.6]), 302.0),
    entry("inn stairs", "thirteen steps up to the rooms", In("inn", "inn stairs", [5.9, -6.1]), 0.0),
    entry("upper room window", "a look down at the road through a pane", In("inn", "middle room", [-0.8, -6.2]), 196.0),
    entry("great hall", "two rows of pillars, and an apse at the end", In("great hall", "great hall", [0.0, -5.4]), 0.0),
    entry("chapel", "eight walls under a spire", In("chapel", "nave", [0.0, -3.6]), 0.0),
    entry("smithy", "a workshop without a front wall", In("smithy", "smithy", [0.6, -2.4]), 325.0),
    entry("cottage", "a living room with a table for two", In("cottage", "living room", [0.3, -3.6]), 322.0),
    entry("cottage cellar", "nothing of the world outside is seen from here", In("cottage", "cellar", [1.5, -0.85]), 262.0),
    entry("shop on the border", "its door is where a landblock ends", In("southern shop", "shop", [0.0, -3.6]), 180.0),
    entry("eastern shop", "the same on another border", In("eastern shop", "shop", [0.0, -3.6]), 180.0),
    entry("brick house", "three rooms in a ring, and an attic", In("northern brick house", "hall", [0.0, -3.4]), 0.0),
    entry("attic", "a bed under the roof, and a window at either end", In("northern brick house", "attic", [0.0, 0.0]), 0.0),
    entry("farm", "a kitchen, with a barn behind the next room", In("farm", "farm kitchen", [-5.4, -4.6]), 322.0),
    entry("hayloft", "at the head of a ramp", In("farm", "hayloft", [-4.2, 6.0]), 310.0),
    entry("house on the slope", "at an odd angle on ground that is nowhere level", In("house on the slope", "hall", [0.0, -3.4]), 0.0),
    entry("bridge", "planks over the river", Over([481.0, RIVER + 3.0], VILLAGE + BRIDGE[2] + CLEAR), 250.0),
    entry("hut by the river", "one room of logs", In("hut by the river", "hut", [0.0, -1.4]), 0.0),
    entry("hut in the woods", "the same among firs", In("hut in the woods", "hut", [0.0, -1.4]), 0.0),
    entry("tower door", "the foot of the tower in the northern hills", Before("tower", [0.0, -9.5]), 0.0),
    entry("tower top", "two turns up, and the village far below", In("tower", "lookout", tower::LOOKOUT), 96.0),
    entry("table hill", "cliffs on all sides but one", Before("hut on the table hill", [-5.5, -5.5]), 125.0),
    entry("gatehouse", "where the road ends, under the cliff", Before("depths", [-9.0, 0.0]), 90.0),
    entry("mine stairs", "the way down", In("depths", "mine stairs", [4.8, 0.0]), 90.0),
    entry("cave", "grottoes, none of them square to the map", In("depths", "entry cave", [18.4, 0.4]), 95.0),
    entry("pool cave", "water with stalagmites in it, and a brazier", In("depths", "pool cave", [41.4, -9.3]), 137.0),
    entry("octagon", "three ways at odd angles", In("depths", "octagon", [62.0, -22.0]), 117.0),
    entry("great hall below", "eleven metres high, with a gallery", In("depths", "great hall below", [28.0, 25.0]), 0.0),
    entry("gallery", "a look down into the great hall", In("depths", "gallery", [15.0, 25.0]), 78.0),
    entry("prison", "seven cells on either side", In("depths", "prison passage", [47.0, 30.0]), 90.0),
    entry("library", "shelves that hide one another", In("depths", "library", [53.0, 50.0]), 90.0),
    entry("armoury", "the end of the upper halls", In("depths", "armoury", [84.0, 46.0]), 20.0),
    entry("crypt", "an ossuary under the great hall", In("depths", "ossuary", [20.5, 27.0]), 18.0),
    entry("chasm bridge", "planks over eight metres of nothing", In("depths", "chasm bridge", [67.0, 76.0]), 90.0),
    entry("treasury", "three chests behind the chasm", In("depths", "treasury", [82.0, 76.0]), 90.0),
    entry("cavern", "the bottom of the world, where the well ends", In("depths", "cavern", [27.0, 73.0]), 60.0),
];

/// Returns the named places of the built-in world for its seed: the heights of the land depend on it.
///
/// ```
/// let places = threshold_forge::places(threshold_forge::SEED);
/// assert_eq!(places[0].name, "lake shore");
/// ```
pub fn places(seed: u64) -> Vec<NamedPlace> {
    named(&Survey::of(seed))
}

pub(super) fn named(survey: &Survey) -> Vec<NamedPlace> {
    // All of them exist: a test checks that.
    PLACES.iter().filter_map(|entry| entry.find(survey)).collect()
}

impl Entry {
    fn find(&self, survey: &Survey) -> Option<NamedPlace> {
        let Self { name, about, spot, heading } = *self;
        let position = match spot {
            Land(at) => survey.on_land(at, heading),
            Over(at, height) => survey.over_land(at, height, heading),
            Before(site, at) => survey.before(site, at, heading),
            In(site, room, at) => survey.indoors(site, room, at, heading),
        }?;
        Some(NamedPlace { name, about, position })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worlds::builtin::SEED;

    #[test]
    fn every_place_is_somewhere_and_has_a_name_of_its_own() {
        let found: Vec<&str> = places(SEED).iter().map(|place| place.name).collect();
        let listed: Vec<&str> = PLACES.iter().map(|entry| entry.name).collect();
        assert_eq!(found, listed);
        let names: std::collections::BTreeSet<&str> = listed.iter().copied().collect();
        assert_eq!(names.len(), listed.len());
    }
}
