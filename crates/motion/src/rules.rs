//! Switches for disputed behaviour.
//!
//! Where the studies of retail leave a question open, or its reconstructions differ, a field of
//! [`Rules`] decides. [`RULES`] describes every field; the documentation page, the command line and
//! comparisons use it.

pub use threshold_world::rule::{Choice, Rule, RuleError};
use threshold_world::{CellRules, RoomOffset};

threshold_world::rules! {
    Rules;
    unloaded: Unloaded, "residency (decision 6)",
    "What happens to a mover whose centre leaves the resident cells while a cell that may contain it is not resident."
    {
        Lost = "lost" "The move is accepted and the mover is in no cell, as in retail: its commit sends it to the lost cell.",
        Blocked = "blocked" "The move ends at the edge of the resident cells.",
    }
    interior_exit: InteriorExit, "transition, D11",
    "What happens to a mover that leaves its room where no other cell contains it."
    {
        Stays = "stays" "It keeps the id of its room and is lost.",
        Outdoors = "outdoors" "It gets the id of the land cell below it and is lost.",
        Blocked = "blocked" "The sub-step is taken back: a room can be left only into another cell. Cameras always use this value.",
        Reseat = "reseat" "It gets the id of the land cell below it, the cells are searched again from there, and it continues in the cell that contains it, as the studies say: ground above it lifts it. If that land, or another cell that may contain it, is not resident, it is lost.",
    }
    sliding_normal: SlidingNormal, "transition, 4 and 13",
    "What happens to a move of which the sliding normal of an earlier update leaves nothing."
    {
        Kept = "kept" "It is refused, as in retail: a mover that was stopped head-on stays until it moves aside, even if the obstacle is gone.",
        Checked = "checked" "It is swept without that normal. If the mover moves, that is the result; otherwise the move is refused.",
    }
    steep_ground: SteepGround, "transition, D20; R1",
    "What happens to a mover on walkable ground when its foot is below ground that is too steep."
    {
        Passes = "passes" "It is not blocked yet: the search for ground below finds the slope, and the mover slides along the foot of it.",
        Stops = "stops" "It is blocked: the insert attempts run out and the move is taken back.",
    }
    step_cap: StepCap, "transition, D2",
    "Whether a move of more than thirty sub-steps is refused. For cameras the limit is always 4,096."
    {
        Thirty = "30" "It is refused.",
        None = "none" "The limit is 4,096 sub-steps.",
    }
    opposed_slide: OpposedSlide, "primitives, P1",
    "What a slide returns when the surface faces against the ground, as a low ceiling does."
    {
        Passes = "passes" "The surface does not block, as the studies say.",
        Stops = "stops" "The surface blocks, as further readings of the client say.",
    }
    missile_head: MissileHead, "bsp, B10",
    "Whether the second sphere of a missile collides with walls, shells of buildings and other physics trees."
    {
        Passes = "passes" "It does not, as in one of the two recorded implementations and in further readings of the client.",
        Stops = "stops" "It does and ends the flight, as the studies say.",
    }
    seam: Seam, "transition, D17",
    "Whether the distance to the last contact plane is corrected across a landblock border."
    {
        Literal = "literal" "It is not, as in retail: at a border one sub-step loses its contact plane.",
        Mended = "mended" "It is.",
    }
    viewer_seam: ViewerSeam, "transition, D17; R5",
    "Whether the movement of a camera that meets the ground is corrected across a landblock border."
    {
        Mended = "mended" "It is: a camera ends where it meets the ground.",
        Literal = "literal" "It is not, as in retail: at a border the ground moves it far back.",
    }
    viewer_ground: ViewerGround, "transition, D19",
    "How a camera meets the ground."
    {
        Free = "free" "It is free above the ground and stops where it enters it: at the point of contact, or a sub-step short if it meets only the plane.",
        Indoors = "indoors" "Literal: a camera that started indoors is free above the ground; any other counts as hitting the ground wherever it is, and is moved to where its path meets the plane, however far away.",
    }
    room_offset: RoomOffset, "cells, C7; R8",
    "Whether a sphere is converted to the landblock frame of a room before the two are compared. Registration of objects uses the rules of the world (`World::with_rules(rules.cells())`)."
    {
        Applied = "applied" "It is: a door on a landblock border can be entered from the other side.",
        Missing = "missing" "It is not, as in the recorded implementations: the room is compared at a wrong position.",
    }
    object_order: ObjectOrder, "cells, C12; R3",
    "Order in which the objects of a cell are tested."
    {
        Forward = "forward" "From first to last.",
        Backward = "backward" "From last to first.",
    }
    prune: Prune, "R7",
    "Whether the cells that a mover in a room touches are limited to those visible from the room."
    {
        Off = "off" "They are not limited.",
        On = "on" "Cells that are not in the stab list of the room are left out.",
    }
}

impl Rules {
    /// Returns the rules of the cell search. Pass them to
    /// [`World::with_rules`](threshold_world::World::with_rules) so that objects are registered by
    /// the same rules.
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
    fn an_unknown_rule_or_value_is_reported_with_the_known_ones() {
        check_error("step_cap", "\"step_cap\" is not of the form name=value");
        check_error("step_cap=31", "rule step_cap: \"31\" is none of 30, none");
        let error = Rules::default().set_text("gravity=off").unwrap_err().to_string();
        assert!(error.starts_with("there is no rule \"gravity\"; there are unloaded, "), "{error}");
    }
}
