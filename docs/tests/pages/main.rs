//! Checks the pages of this repository against its source: what they name exists, what the source cites is
//! explained, and the house rules of names and lengths hold.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

mod allowed;
mod architecture;
mod glossary;
mod house;
mod literals;
mod messages;
mod packages;
mod prose;
mod retail;
mod rulings;
mod source;
mod table;
