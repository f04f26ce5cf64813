//! Disputed behaviour, as switches.
//!
//! Where the studies of retail leave a question open, or its reconstructions differ, the answer is a field of
//! [`Rules`]. [`RULES`] describes every field; the page of documentation, the command line and comparisons are
//! made from it.

pub use threshold_world::rule::{Choice, Rule, RuleError};
use threshold_world::{CellRules, RoomOffset};

threshold_world::rules! {
    Rules;
    unloaded: Unloaded, "residency (decision 6)",
    "What happens to a mover whose centre leaves the resident cells while a cell it might be in is not resident."
    {
        Lost = "lost" "The move is accepted and the mover is in no cell, as in retail: its commit sends it to the lost cell.",
        Blocked = "blocked" "The move ends where the resident cells do.",
    }
    interior_exit: InteriorExit, "transition, D11",
    "What a mover becomes whose room no longer contains it when no other cell does either."
    {
        Stays = "stays" "It keeps the id of its room, and is lost there.",
        Outdoors = "outdoors" "It gets the id of the land cell under it, and is lost there.",
        Blocked = "blocked" "The step is taken back: nobody leaves a room but for another cell. Cameras always keep to this.",
        Reseat = "reseat" "It gets the id of the land cell under it, the cells are listed again from there, and the cell that contains it takes it over, as the studies say: ground above it lifts it. If that land, or another cell that might contain it, is not resident, it is lost.",
    }
    sliding_normal: SlidingNormal, "transition, 4 and 13",
    "What a move comes to of which the sliding normal, kept from a hit in an earlier update, leaves nothing."
    {
        Kept = "kept" "It is refused, as in retail: a mover that was stopped head-on stays until it moves aside, even if the obstacle has gone.",
        Checked = "checked" "It is swept without that normal. If the mover gets anywhere, that is the result; if not, the move is refused as before.",
    }
    steep_ground: SteepGround, "transition, D20; R1",
    "What a mover on walkable ground meets where its foot is below ground that is too steep."
    {
        Passes = "passes" "Nothing yet: the look for ground below finds the slope, and the mover slides along its foot.",
        Stops = "stops" "The attempts run out, and the move is taken back.",
    }
    step_cap: StepCap, "transition, D2",
    "Whether a move of more than thirty sub-steps is refused. That of a camera is not, up to 4,096."
    {
        Thirty = "30" "It is.",
        None = "none" "It is not, up to 4,096.",
    }
    opposed_slide: OpposedSlide, "primitives, P1",
    "What a slide answers when the surface faces against the ground, as a low ceiling does."
    {
        Passes = "passes" "Nothing is in the way, as the studies say.",
        Stops = "stops" "It is in the way, as further readings of the client say.",
    }
    missile_head: MissileHead, "bsp, B10",
    "Whether the second sphere of a missile meets walls, shells of buildings and other physics trees."
    {
        Passes = "passes" "It does not, as one of the two recorded implementations and further readings of the client have it.",
        Stops = "stops" "It does and ends the flight, as the studies say.",
    }
    seam: Seam, "transition, D17",
    "Whether the distance to the last ground is taken across a landblock border."
    {
        Literal = "literal" "It is not, as in retail: at a border one sub-step loses its ground.",
        Mended = "mended" "It is.",
    }
    viewer_seam: ViewerSeam, "transition, D17; R5",
    "Whether the way of a camera that meets the ground is taken across a landblock border."
    {
        Mended = "mended" "It is: a camera ends where it meets the ground.",
        Literal = "literal" "It is not, as in retail: at a border the ground throws it far back.",
    }
    viewer_ground: ViewerGround, "transition, D19",
    "How a camera meets the ground."
    {
        Free = "free" "Above it there is nothing. Where it goes into it it stops: where it touches it, or a sub-step short if it meets only its plane.",
        Indoors = "indoors" "By the letter: if its way began indoors there is nothing above it; else it is said to hit the ground, wherever it is, and is put where its way meets the plane, however far that is.",
    }
    room_offset: RoomOffset, "cells, C7; R8",
    "Whether a sphere is taken into the landblock of a room before it is compared with it. Where objects are registered, the world's own rules say so (`World::with_rules(rules.cells())`)."
    {
        Applied = "applied" "It is: a door on a landblock border can be entered from the other side.",
        Missing = "missing" "It is not, as in the recorded implementations: the room is looked for in the wrong place.",
    }
    object_order: ObjectOrder, "cells, C12; R3",
    "In which order the objects of a cell answer."
    {
        Forward = "forward" "From first to last.",
        Backward = "backward" "From last to first.",
    }
    prune: Prune, "R7",
    "Whether a mover in a room touches only cells that can be seen from there."
    {
        Off = "off" "It touches whatever it touches.",
        On = "on" "TouchedCells that the room's list of visible cells does not name are left out.",
    }
}

impl Rules {
    /// Those that concern the search for cells: what a world is made with
    /// ([`World::with_rules`](threshold_world::World::with_rules)), so that its objects are registered by the same.
    pub fn cells(&self) -> CellRules {
        let mut rules = CellRules::default();
        rules.room_offset = self.room_offset;
        rules
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_choice_is_the_default_and_every_choice_can_be_set_and_read() {
        for (rule, value) in Rules::default().values() {
            assert_eq!(value, rule.choices[0].value, "{}", rule.name);
        }
        for (index, rule) in RULES.iter().enumerate() {
            for choice in rule.choices {
                let mut rules = Rules::default();
                rules.set_text(&format!("{}={}", rule.name, choice.value)).unwrap();
                let values: Vec<_> = rules.values().map(|(_, value)| value).collect();
                for (other, value) in values.iter().enumerate() {
                    let want =
                        if other == index { choice.value } else { RULES[other].choices[0].value };
                    assert_eq!(*value, want);
                }
            }
        }
    }

    #[track_caller]
    fn check_error(text: &str, want: &str) {
        assert_eq!(Rules::default().set_text(text).unwrap_err().to_string(), want);
    }

    #[test]
    fn what_cannot_be_set_is_named_with_what_could() {
        check_error("step_cap", "\"step_cap\" is not of the form name=value");
        check_error("step_cap=31", "rule step_cap: \"31\" is none of 30, none");
        let error = Rules::default().set_text("gravity=off").unwrap_err().to_string();
        assert!(error.starts_with("there is no rule \"gravity\"; there are unloaded, "), "{error}");
    }
}
