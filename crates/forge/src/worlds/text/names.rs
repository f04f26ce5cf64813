//! Names defined by a text, each once.

use std::collections::BTreeMap;

use super::lexer::{Place, Token};
use super::nearest::hint;
use super::words::TextResult;

/// The names of one kind, defined up to the current line.
#[derive(Debug)]
pub(super) struct Names<T> {
    what: &'static str,
    known: BTreeMap<String, (T, Place)>,
}

impl<T: Copy> Names<T> {
    /// Creates an empty set; `what` names its kind in messages.
    pub(super) fn of(what: &'static str) -> Self {
        Self { what, known: BTreeMap::new() }
    }

    /// Refuses a name that was given before.
    pub(super) fn check_new(&self, name: Token<'_>) -> TextResult<()> {
        match self.known.get(name.text) {
            None => Ok(()),
            Some((_, first)) => {
                let Self { what, .. } = self;
                let message =
                    format!("{what} {} is already defined in line {}", name.shown(), first.line);
                Err(name.place.error(message))
            }
        }
    }

    pub(super) fn add(&mut self, name: Token<'_>, value: T) -> TextResult<()> {
        self.check_new(name)?;
        self.known.insert(name.text.to_owned(), (value, name.place));
        Ok(())
    }

    /// Returns the number of names.
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    pub(super) fn find(&self, name: &str) -> Option<T> {
        self.known.get(name).map(|(value, _)| *value)
    }

    pub(super) fn get(&self, name: Token<'_>) -> TextResult<T> {
        self.get_or(name, &[])
    }

    /// Same as `get`; messages may also suggest `others`.
    pub(super) fn get_or(&self, name: Token<'_>, others: &[&str]) -> TextResult<T> {
        self.find(name.text).ok_or_else(|| {
            let known = self.known.keys().map(String::as_str).chain(others.iter().copied());
            let hint = hint(name.text, known);
            name.place.error(format!("unknown {} {}{hint}", self.what, name.shown()))
        })
    }
}
