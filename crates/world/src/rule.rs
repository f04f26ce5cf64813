//! Rules: settings for disputed behaviour, shared by the crates that have some.
//!
//! Where the studies of retail leave a question open, or its reconstructions differ, a field of a
//! `Rules` struct decides. [`rules!`](crate::rules!) declares the struct together with a table
//! `RULES` that describes every field; documentation, command line and comparisons are made from
//! the tables.

/// One value of a [`Rule`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The value as typed in `name=value`.
    pub value: &'static str,
    /// What it means.
    pub meaning: &'static str,
}

/// The description of one field of a `Rules` struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The name of the field, as typed in `name=value`.
    pub name: &'static str,
    /// The question that it decides.
    pub about: &'static str,
    /// The rulings behind its default.
    pub ruling: &'static str,
    /// The values; the first is the default.
    pub choices: &'static [Choice],
}

/// A rule that cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RuleError {
    /// No rule has this name.
    #[error("there is no rule {name:?}; there are {}", list(.rules.iter().map(|rule| rule.name)))]
    NoSuchRule {
        /// The name that was given.
        name: String,
        /// The existing rules.
        rules: &'static [Rule],
    },
    /// The rule has no such value.
    #[error("rule {}: {value:?} is none of {}", .rule.name, list(.rule.choices.iter().map(|c| c.value)))]
    NoSuchValue {
        /// The rule.
        rule: &'static Rule,
        /// The value that was given.
        value: String,
    },
    /// The text is not of the form `name=value`.
    #[error("{text:?} is not of the form name=value")]
    NotARule {
        /// The text that was given.
        text: String,
    },
}

fn list<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.collect::<Vec<_>>().join(", ")
}

/// Returns the Markdown section of the documentation about some rules.
pub fn section(rules: &[Rule]) -> String {
    use std::fmt::Write;
    let mut section = String::new();
    for Rule { name, about, ruling, choices } in rules {
        // Writing to a string cannot fail.
        let _ = write!(section, "\n### `{name}`\n\n{about}\n\n| value | meaning |\n|---|---|\n");
        for Choice { value, meaning } in *choices {
            let _ = writeln!(section, "| `{value}` | {meaning} |");
        }
        let _ = writeln!(section, "\nRuling: {ruling}.");
    }
    section
}

/// Returns the error for a setting that matched no rule or value.
pub fn unknown(rules: &'static [Rule], name: &str, value: &str) -> RuleError {
    match rules.iter().find(|rule| rule.name == name) {
        Some(rule) => RuleError::NoSuchValue { rule, value: value.to_owned() },
        None => RuleError::NoSuchRule { name: name.to_owned(), rules },
    }
}

/// Splits a setting written as `name=value`.
pub fn setting(text: &str) -> Result<(&str, &str), RuleError> {
    let parts = text.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
    parts.ok_or_else(|| RuleError::NotARule { text: text.to_owned() })
}

/// Declares a struct of rules with a field and an enum for each, and the table `RULES`. The first
/// value is the default. The enum [`RoomOffset`](crate::RoomOffset) already exists in this crate
/// and is only referred to.
#[macro_export]
macro_rules! rules {
    ($rules:ident; $(
        $name:ident: $kind:ident, $ruling:literal, $about:literal
        { $first:ident = $first_value:literal $first_meaning:literal
          $(, $variant:ident = $value:literal $meaning:literal)+ $(,)? }
    )+) => {
        /// Rules for disputed questions. The defaults follow the rulings.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct $rules {
            $(#[doc = $about] pub $name: $kind,)+
        }

        #[doc = concat!("Every field of [`", stringify!($rules), "`], in order.")]
        pub const RULES: &[$crate::rule::Rule] = &[$($crate::rule::Rule {
            name: stringify!($name),
            about: $about,
            ruling: $ruling,
            choices: &[
                $crate::rule::Choice { value: $first_value, meaning: $first_meaning },
                $($crate::rule::Choice { value: $value, meaning: $meaning },)+
            ],
        },)+];

        impl $rules {
            /// Sets a rule by the names of the rule and of the value.
            pub fn set(&mut self, name: &str, value: &str) -> Result<(), $crate::rule::RuleError> {
                match (name, value) {
                    $(
                        (stringify!($name), $first_value) => self.$name = $kind::$first,
                        $((stringify!($name), $value) => self.$name = $kind::$variant,)+
                    )+
                    _ => return Err($crate::rule::unknown(RULES, name, value)),
                }
                Ok(())
            }

            /// Sets a rule given as `name=value`.
            pub fn set_text(&mut self, text: &str) -> Result<(), $crate::rule::RuleError> {
                let (name, value) = $crate::rule::setting(text)?;
                self.set(name, value)
            }

            /// The value of every rule, in the order of [`RULES`].
            pub fn values(&self) -> impl Iterator<Item = (&'static $crate::rule::Rule, &'static str)> {
                let values = [$(match self.$name {
                    $kind::$first => $first_value,
                    $($kind::$variant => $value,)+
                },)+];
                RULES.iter().zip(values)
            }
        }

        $crate::rules!(@enums $($kind $about { $first $first_meaning $(, $variant $meaning)+ })+);
    };
    (@enums RoomOffset $about:literal { $($rest:tt)* } $($more:tt)*) => {
        $crate::rules!(@enums $($more)*);
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
        $crate::rules!(@enums $($more)*);
    };
    (@enums) => {};
}
