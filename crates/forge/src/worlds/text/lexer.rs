//! Statements and their words.

use std::iter::Enumerate;
use std::str::Lines;

use super::TextError;

/// A place in a text: line and column in characters, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) line: usize,
    pub(super) column: usize,
}

impl Place {
    pub(super) const START: Self = Self { line: 1, column: 1 };

    pub(super) fn error(self, message: impl Into<String>) -> TextError {
        TextError { line: self.line, column: self.column, message: message.into() }
    }

    /// Returns the place this number of characters to the right.
    pub(super) fn right(self, characters: usize) -> Self {
        Self { column: self.column + characters, ..self }
    }
}

/// A word of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    /// The text without quotes.
    pub(super) text: &'a str,
    pub(super) quoted: bool,
    pub(super) place: Place,
}

impl Token<'_> {
    /// Returns the place right after it.
    fn end(&self) -> Place {
        self.place.right(self.text.chars().count() + if self.quoted { 2 } else { 0 })
    }

    /// Returns the text for messages: in quotes, and truncated.
    pub(super) fn shown(&self) -> String {
        const MAX_CHARACTERS: usize = 40;
        match self.text.char_indices().nth(MAX_CHARACTERS) {
            Some((cut, _)) => format!("\"{}...\"", &self.text[..cut]),
            None => format!("\"{}\"", self.text),
        }
    }
}

/// The words of one statement; at least one.
#[derive(Debug)]
pub(super) struct Statement<'a> {
    pub(super) tokens: Vec<Token<'a>>,
}

impl Statement<'_> {
    /// Returns the place of its first word.
    pub(super) fn place(&self) -> Place {
        self.tokens.first().map_or(Place::START, |token| token.place)
    }

    /// Returns the place right after its last word.
    pub(super) fn end(&self) -> Place {
        self.tokens.last().map_or(Place::START, Token::end)
    }
}

/// The statements of a text, line by line.
pub(super) struct Statements<'a> {
    lines: Enumerate<Lines<'a>>,
}

impl<'a> Statements<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        Self { lines: text.lines().enumerate() }
    }
}

impl<'a> Iterator for Statements<'a> {
    type Item = Result<Statement<'a>, TextError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut tokens = Vec::new();
        for (number, line) in self.lines.by_ref() {
            match split(line, number + 1, &mut tokens) {
                Err(error) => return Some(Err(error)),
                Ok(LineEnd::Continues) => {}
                Ok(LineEnd::EndsStatement) if tokens.is_empty() => {}
                Ok(LineEnd::EndsStatement) => return Some(Ok(Statement { tokens })),
            }
        }
        // A last line that ends with a backslash is still a line.
        (!tokens.is_empty()).then_some(Ok(Statement { tokens }))
    }
}

/// End of a statement within a line.
enum LineEnd {
    EndsStatement,
    Continues,
}

fn split<'a>(
    line: &'a str,
    number: usize,
    tokens: &mut Vec<Token<'a>>,
) -> Result<LineEnd, TextError> {
    let mut rest = line;
    let mut place = Place { line: number, column: 1 };
    while let Some(letter) = rest.chars().next() {
        let length = match letter {
            '#' => return Ok(LineEnd::EndsStatement),
            '\\' => return continued(&rest[1..], place),
            '"' => {
                let Some(length) = rest[1..].find('"') else {
                    return Err(place.error("the quote is not closed on this line"));
                };
                tokens.push(Token { text: &rest[1..=length], quoted: true, place });
                length + 2
            }
            _ if letter.is_whitespace() => letter.len_utf8(),
            _ => {
                let ends = |c: char| c.is_whitespace() || matches!(c, '#' | '"' | '\\');
                let length = rest.find(ends).unwrap_or(rest.len());
                tokens.push(Token { text: &rest[..length], quoted: false, place });
                length
            }
        };
        let (word, after) = rest.split_at(length);
        place = place.right(word.chars().count());
        rest = after;
    }
    Ok(LineEnd::EndsStatement)
}

/// Accepts nothing but a comment after a backslash.
fn continued(rest: &str, place: Place) -> Result<LineEnd, TextError> {
    match rest.trim_start() {
        "" => Ok(LineEnd::Continues),
        comment if comment.starts_with('#') => Ok(LineEnd::Continues),
        _ => Err(place.error("a \\ continues a statement on the next line and must end this one")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, want: &[&[(&str, usize, usize)]]) {
        let statements: Vec<_> = Statements::of(text).map(Result::unwrap).collect();
        let words = |statement: &Statement<'_>| {
            let word =
                |token: &Token<'_>| (token.text.to_owned(), token.place.line, token.place.column);
            statement.tokens.iter().map(word).collect::<Vec<_>>()
        };
        let got: Vec<_> = statements.iter().map(words).collect();
        let own =
            |(word, line, column): &(&str, usize, usize)| ((*word).to_owned(), *line, *column);
        let want: Vec<Vec<_>> = want.iter().map(|words| words.iter().map(own).collect()).collect();
        assert_eq!(got, want, "{text:?}");
    }

    #[test]
    fn columns_are_those_of_an_editor() {
        check("", &[]);
        check("\n  # nothing\n\n", &[]);
        check("a b", &[&[("a", 1, 1), ("b", 1, 3)]]);
        check("\u{FEFF}a\r\n\tb # c\r\n", &[&[("a", 1, 1)], &[("b", 2, 2)]]);
        check("a#b\nc", &[&[("a", 1, 1)], &[("c", 2, 1)]]);
        check("\"the hall\" x", &[&[("the hall", 1, 1), ("x", 1, 12)]]);
        check("ö \"ü\"ä", &[&[("ö", 1, 1), ("ü", 1, 3), ("ä", 1, 6)]]);
        check("a \\ # more\n b\nc \\", &[&[("a", 1, 1), ("b", 2, 2)], &[("c", 3, 1)]]);
    }

    #[test]
    fn quotes_must_end_and_backslashes_must_be_last() {
        let error = |text: &str| Statements::of(text).find_map(Result::err).unwrap().to_string();
        assert_eq!(error("a \"b"), "line 1, column 3: the quote is not closed on this line");
        let backslash =
            "line 1, column 3: a \\ continues a statement on the next line and must end this one";
        assert_eq!(error("a \\ b"), backslash);
    }
}
