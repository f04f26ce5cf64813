//! Reads the words of a statement from left to right.

use std::ops::RangeInclusive;
use std::str::FromStr;

use threshold_land::BlockId;
use threshold_land::vector::Vec3;

use super::TextError;
use super::lexer::{Place, Statement, Token};
use super::limits;
use super::nearest::hint;
use crate::stock::material::Material;

pub(super) type TextResult<T> = Result<T, TextError>;

/// The unread words of a statement.
#[derive(Clone)]
pub(super) struct Words<'a> {
    rest: &'a [Token<'a>],
    /// Start of the statement.
    pub(super) start: Place,
    end: Place,
}

impl<'a> Words<'a> {
    pub(super) fn of(statement: &'a Statement<'a>) -> Self {
        Self { rest: &statement.tokens, start: statement.place(), end: statement.end() }
    }

    /// Returns the next word without consuming it.
    pub(super) fn peek(&self) -> Option<Token<'a>> {
        self.rest.first().copied()
    }

    /// Returns the number of unread words.
    pub(super) fn left(&self) -> usize {
        self.rest.len()
    }

    /// Returns the place of the next word, or the end of the statement.
    pub(super) fn here(&self) -> Place {
        self.peek().map_or(self.end, |token| token.place)
    }

    /// Consumes the next word; `what` names it in the error if there is none.
    pub(super) fn take(&mut self, what: &str) -> TextResult<Token<'a>> {
        match self.rest.split_first() {
            Some((token, rest)) => {
                self.rest = rest;
                Ok(*token)
            }
            None => Err(self.end.error(format!("{what} is missing"))),
        }
    }

    /// Consumes the next word if it is this one; returns whether it was.
    pub(super) fn has(&mut self, word: &str) -> bool {
        let found = self.peek().is_some_and(|token| !token.quoted && token.text == word);
        if found {
            self.rest = &self.rest[1..];
        }
        found
    }

    /// Consumes a required word.
    pub(super) fn expect(&mut self, word: &str) -> TextResult<()> {
        let found = self.peek();
        match found {
            _ if self.has(word) => Ok(()),
            Some(token) => {
                Err(token.place.error(format!("\"{word}\" expected, not {}", token.shown())))
            }
            None => Err(self.end.error(format!("\"{word}\" is missing"))),
        }
    }

    /// Reads one of several words.
    pub(super) fn one_of(
        &mut self,
        what: &str,
        known: &[&'static str],
    ) -> TextResult<&'static str> {
        let token = self.take(what)?;
        match known.iter().find(|word| !token.quoted && **word == token.text) {
            Some(word) => Ok(word),
            None => {
                let hint = hint(token.text, known.iter().copied());
                Err(token.place.error(format!("{} is not {what}{hint}", token.shown())))
            }
        }
    }

    /// Reads a name: any word that is not a number or a point, or anything in quotes.
    pub(super) fn name(&mut self, what: &str) -> TextResult<Token<'a>> {
        let token = self.take(what)?;
        let is_name = token.quoted || !(looks_like_number(&token) || token.text.contains(','));
        match token.text.is_empty() || !is_name {
            true => Err(token.place.error(format!("{what} expected, not {}", token.shown()))),
            false => Ok(token),
        }
    }

    pub(super) fn number(&mut self, what: &str) -> TextResult<f32> {
        let token = self.take(what)?;
        number(token.text, token.place, what)
    }

    /// Reads a number greater than zero.
    pub(super) fn size(&mut self, what: &str) -> TextResult<f32> {
        self.number_in(what, f32::MIN_POSITIVE..=limits::NUMBER, "more than 0")
    }

    /// Reads several sizes separated by commas: numbers greater than zero.
    pub(super) fn sizes<const N: usize>(&mut self, what: &str) -> TextResult<[f32; N]> {
        let place = self.here();
        let sizes = self.point(what)?;
        match sizes.iter().all(|size: &f32| *size > 0.0) {
            true => Ok(sizes),
            false => Err(place.error(format!("{what}: more than 0 expected"))),
        }
    }

    /// Reads a number in a range; `range_text` describes the range.
    pub(super) fn number_in(
        &mut self,
        what: &str,
        range: RangeInclusive<f32>,
        range_text: &str,
    ) -> TextResult<f32> {
        let place = self.here();
        let value = self.number(what)?;
        match range.contains(&value) {
            true => Ok(value),
            false => Err(place.error(format!("{what} is {value}; {range_text} expected"))),
        }
    }

    /// Reads a whole number in a range.
    pub(super) fn count<T>(&mut self, what: &str, range: RangeInclusive<T>) -> TextResult<T>
    where
        T: FromStr + PartialOrd + std::fmt::Display,
    {
        let token = self.take(what)?;
        let digits = token.text.strip_prefix('-').unwrap_or(token.text);
        if token.quoted || digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            let message = format!("{} is not a whole number ({what})", token.shown());
            return Err(token.place.error(message));
        }
        match token.text.parse::<T>() {
            Ok(value) if range.contains(&value) => Ok(value),
            _ => {
                let (low, high) = range.into_inner();
                let message = format!("{what} is {}; {low} to {high} expected", token.text);
                Err(token.place.error(message))
            }
        }
    }

    /// Reads a point: `N` numbers separated by commas.
    pub(super) fn point<const N: usize>(&mut self, what: &str) -> TextResult<[f32; N]> {
        let token = self.take(what)?;
        let numbers = numbers(token, what)?;
        let count = numbers.len();
        numbers.try_into().map_err(|_| {
            let message = format!(
                "{what} expected: {N} numbers separated by commas without spaces, not {count}"
            );
            token.place.error(message)
        })
    }

    /// Reads a point in space.
    pub(super) fn place(&mut self, what: &str) -> TextResult<Vec3> {
        self.point::<3>(what).map(Vec3::from)
    }

    /// Reads two or three numbers.
    pub(super) fn two_or_three(&mut self, what: &str) -> TextResult<([f32; 2], Option<f32>)> {
        let token = self.take(what)?;
        let numbers = numbers(token, what)?;
        match numbers[..] {
            [x, y] => Ok(([x, y], None)),
            [x, y, z] => Ok(([x, y], Some(z))),
            _ => {
                let message = "expected: 2 or 3 numbers separated by commas without spaces, not";
                Err(token.place.error(format!("{what} {message} {}", numbers.len())))
            }
        }
    }

    /// Reads all points that follow.
    pub(super) fn points<const N: usize>(
        &mut self,
        what: &str,
        count: RangeInclusive<usize>,
    ) -> TextResult<Vec<[f32; N]>> {
        let start = self.here();
        let mut points = Vec::new();
        while self.peek().is_some_and(|token| looks_like_number(&token)) {
            if points.len() == *count.end() {
                let message = format!("too many points; the maximum is {}", count.end());
                return Err(self.here().error(message));
            }
            points.push(self.point(what)?);
        }
        match points.len() < *count.start() {
            false => Ok(points),
            true => {
                let place = if points.is_empty() { start } else { self.here() };
                let found = points.len();
                Err(place.error(format!(
                    "{what}: at least {} points expected, not {found}",
                    count.start()
                )))
            }
        }
    }

    pub(super) fn material(&mut self) -> TextResult<Material> {
        let token = self.take("a material")?;
        Material::named(token.text).ok_or_else(|| {
            let hint = hint(token.text, Material::all().map(Material::name));
            token.place.error(format!("unknown material {}{hint}", token.shown()))
        })
    }

    pub(super) fn block(&mut self) -> TextResult<BlockId> {
        let token = self.take("a landblock")?;
        let message = "is not a landblock: four hexadecimal digits, as in A9B4";
        let block: BlockId = token
            .text
            .parse()
            .map_err(|_| token.place.error(format!("{} {message}", token.shown())))?;
        match block.in_bounds() {
            true => Ok(block),
            false => Err(token
                .place
                .error(format!("landblock {block} is off the map, which ends at FEFE"))),
        }
    }

    /// Reads options up to the end of the statement: known words in any order, each once.
    pub(super) fn options(
        &mut self,
        known: &[&'static str],
        mut each: impl FnMut(&'static str, &mut Self) -> TextResult<()>,
    ) -> TextResult<()> {
        let mut given: Vec<&str> = Vec::new();
        while let Some(token) = self.peek() {
            let word = known.iter().find(|word| !token.quoted && **word == token.text);
            let Some(word) = word else {
                let hint = hint(token.text, known.iter().copied());
                return Err(token.place.error(format!("unexpected {}{hint}", token.shown())));
            };
            if given.contains(word) {
                return Err(token.place.error(format!("\"{word}\" is given twice")));
            }
            given.push(word);
            self.rest = &self.rest[1..];
            each(word, self)?;
        }
        Ok(())
    }

    /// Refuses words that are left.
    pub(super) fn finish(&mut self) -> TextResult<()> {
        self.options(&[], |_, _| Ok(()))
    }
}

/// Returns whether a word starts like a number or a point.
pub(super) fn looks_like_number(token: &Token<'_>) -> bool {
    let digits = token.text.trim_start_matches(['+', '-', '.']);
    !token.quoted && digits.starts_with(|c: char| c.is_ascii_digit())
}

/// Parses numbers separated by commas.
fn numbers(token: Token<'_>, what: &str) -> TextResult<Vec<f32>> {
    if token.quoted || !token.text.starts_with(|c: char| c.is_ascii_digit() || "+-.,".contains(c)) {
        return Err(token.place.error(format!("{what} expected, not {}", token.shown())));
    }
    let mut place = token.place;
    let mut numbers = Vec::new();
    // One more than the longest point has: enough to detect an excess.
    for part in token.text.split(',').take(5) {
        if part.is_empty() {
            let message = format!("a number is missing: {what} has no spaces around its commas");
            return Err(place.error(message));
        }
        numbers.push(number(part, place, what)?);
        place = place.right(part.chars().count() + 1);
    }
    Ok(numbers)
}

fn number(text: &str, place: Place, what: &str) -> TextResult<f32> {
    let shown = Token { text, quoted: false, place }.shown();
    // The parser would accept words like "inf" and "nan".
    let plain = text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
    let value = text.parse::<f32>().ok().filter(|_| plain);
    let Some(value) = value else {
        return Err(place.error(format!("{shown} is not a number ({what})")));
    };
    match value.abs() <= limits::NUMBER {
        true => Ok(value),
        false => {
            Err(place.error(format!("{shown} is out of range: the maximum is 1000000 ({what})")))
        }
    }
}
