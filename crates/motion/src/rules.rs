//! Disputed behaviour, as switches.
//!
//! Where the documents on retail leave a question open, or those who rebuilt it differ, the answer is a field of
//! [`Rules`]. [`RULES`] describes every field; the page of documentation, the command line and comparisons are
//! made from it.

use threshold_world::{CellRules, RoomOffset};

/// One value of a [`Rule`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// As it is written: `name=value`.
    pub value: &'static str,
    /// What it means.
    pub meaning: &'static str,
}

/// The description of one field of [`Rules`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The name of the field.
    pub name: &'static str,
    /// The question.
    pub about: &'static str,
    /// The rulings that decide it by default.
    pub ruling: &'static str,
    /// The answers; the first is the default.
    pub choices: &'static [Choice],
}

/// A rule that cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RuleError {
    /// There is no rule of that name.
    #[error("there is no rule {name:?}; there are {}", list(RULES.iter().map(|rule| rule.name)))]
    NoSuchRule {
        /// What was asked for.
        name: String,
    },
    /// The rule has no such value.
    #[error("rule {}: {value:?} is none of {}", .rule.name, list(.rule.choices.iter().map(|c| c.value)))]
    NoSuchValue {
        /// The rule.
        rule: &'static Rule,
        /// What was asked for.
        value: String,
    },
    /// Not of the form `name=value`.
    #[error("{text:?} is not of the form name=value")]
    NotARule {
        /// What was given.
        text: String,
    },
}

fn list<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.collect::<Vec<_>>().join(", ")
}

/// Declares the rules: an enum and a field each, and the table. The first value is the default.
macro_rules! rules {
    ($(
        $name:ident: $kind:ident, $ruling:literal, $about:literal
        { $first:ident = $first_value:literal $first_meaning:literal
          $(, $variant:ident = $value:literal $meaning:literal)+ $(,)? }
    )+) => {
        /// How disputed questions are answered. The default follows the rulings.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Rules {
            $(#[doc = $about] pub $name: $kind,)+
        }

        /// Every field of [`Rules`], in order.
        pub const RULES: &[Rule] = &[$(Rule {
            name: stringify!($name),
            about: $about,
            ruling: $ruling,
            choices: &[
                Choice { value: $first_value, meaning: $first_meaning },
                $(Choice { value: $value, meaning: $meaning },)+
            ],
        },)+];

        impl Rules {
            /// Sets a rule by its name and the name of a value.
            pub fn set(&mut self, name: &str, value: &str) -> Result<(), RuleError> {
                $(if name == stringify!($name) {
                    self.$name = match value {
                        $first_value => $kind::$first,
                        $($value => $kind::$variant,)+
                        _ => return Err(no_such_value(name, value)),
                    };
                    return Ok(());
                })+
                Err(RuleError::NoSuchRule { name: name.to_owned() })
            }

            /// The value of every rule, in the order of [`RULES`].
            pub fn values(&self) -> impl Iterator<Item = (&'static Rule, &'static str)> {
                let values = [$(match self.$name {
                    $kind::$first => $first_value,
                    $($kind::$variant => $value,)+
                },)+];
                RULES.iter().zip(values)
            }
        }

        rules!(@enums $($kind $about { $first $first_meaning $(, $variant $meaning)+ })+);
    };
    (@enums RoomOffset $about:literal { $($rest:tt)* } $($more:tt)*) => {
        rules!(@enums $($more)*);
    };
    (@enums $kind:ident $about:literal
        { $first:ident $first_meaning:literal $(, $variant:ident $meaning:literal)+ } $($more:tt)*
    ) => {
        #[doc = $about]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum $kind {
            #[doc = $first_meaning]
            #[default]
            $first,
            $(#[doc = $meaning] $variant,)+
        }
        rules!(@enums $($more)*);
    };
    (@enums) => {};
}

rules! {
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
        On = "on" "Cells that the room's list of visible cells does not name are left out.",
    }
}

fn no_such_value(name: &str, value: &str) -> RuleError {
    match RULES.iter().find(|rule| rule.name == name) {
        Some(rule) => RuleError::NoSuchValue { rule, value: value.to_owned() },
        None => RuleError::NoSuchRule { name: name.to_owned() },
    }
}

impl Rules {
    /// Sets a rule given as `name=value`.
    pub fn set_text(&mut self, text: &str) -> Result<(), RuleError> {
        let (name, value) =
            text.split_once('=').ok_or_else(|| RuleError::NotARule { text: text.to_owned() })?;
        self.set(name.trim(), value.trim())
    }

    /// Those that concern the search for cells: what a world is made with
    /// ([`World::with_rules`](threshold_world::World::with_rules)), so that its objects are registered by the same.
    pub fn cells(&self) -> CellRules {
        let mut rules = CellRules::default();
        rules.room_offset = self.room_offset;
        rules
    }
}

/// The rules as a page of documentation, in Markdown.
pub fn page() -> String {
    use std::fmt::Write;
    let mut page = String::from(
        "# Rules\n\n\
         Where the documents on the retail client leave a question open, or those who rebuilt it differ, the\n\
         answer is a rule. The first value of each is the default; the rulings that decide it are named. On the\n\
         command line a rule is set with `--rule name=value`, in code through `threshold_motion::Rules`. Rulings are\n\
         numbered as in the specification of the retail client that the project follows.\n\n\
         This page is made from the table `threshold_motion::RULES`.\n",
    );
    for rule in RULES {
        // Writing to a string does not fail.
        let _ = write!(
            page,
            "\n## `{}`\n\n{}\n\n| value | meaning |\n|---|---|\n",
            rule.name, rule.about
        );
        for choice in rule.choices {
            let _ = writeln!(page, "| `{}` | {} |", choice.value, choice.meaning);
        }
        let _ = writeln!(page, "\nRuling: {}.", rule.ruling);
    }
    page
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

    /// Writes the page where `THRESHOLD_WRITE_DOCS` is set.
    #[test]
    fn the_page_of_documentation_is_current() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rules.md");
        if std::env::var_os("THRESHOLD_WRITE_DOCS").is_some() {
            std::fs::write(path, page()).unwrap();
        }
        let written = std::fs::read_to_string(path).unwrap();
        assert_eq!(written, page(), "run the tests with THRESHOLD_WRITE_DOCS=1");
    }
}
