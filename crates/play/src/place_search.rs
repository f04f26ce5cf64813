//! Finds a place by typed text: its name in the built-in world, or any other form of a place.

use threshold_forge::NamedPlace;
use threshold_land::{CellId, Place, PlaceError, PlaceErrorKind};

use crate::place_names::PlaceNames;

/// Most names proposed for an unknown one.
const MAX_PROPOSED: usize = 3;
/// Least similarity of a proposed name to the typed text, 0 to 1. Lower proposes unrelated names, higher misses names with two wrong
/// letters.
const MIN_SIMILARITY: f64 = 0.78;
/// Least length of typed text that may match inside a word: shorter text matches almost every name.
const MIN_INNER: usize = 2;

/// Returns the place that a text denotes, with its name.
///
/// A compass point, loc, landblock, cell or point is parsed as such. Any other text is matched with the names, in any letter case and
/// order of words: a whole name first, then a name with words that begin with those typed, then a name that contains them. Of several names
/// that match equally well the first wins. Rooms are matched after places, by the name of their building and their own. The error is a
/// message for the user.
pub fn read_place(text: &str, names: &PlaceNames) -> Result<(Place, String), String> {
    let text = text.trim();
    let error = match text.parse::<Place>() {
        Ok(place) => return Ok((place, text.to_owned())),
        Err(error) => error,
    };
    if let Some(found) = matching_names(text, names.places(), |place| place.name).first() {
        return Ok((Place::Loc(found.position), found.name.to_owned()));
    }
    let rooms: Vec<(CellId, String)> = names.rooms().collect();
    match matching_names(text, &rooms, |(_, name)| name).first() {
        Some((cell, name)) => Ok((Place::Cell(*cell), name.clone())),
        None => Err(unknown(text, &error, names.places(), &rooms)),
    }
}

/// Returns the items with names that match the typed text, best match first.
pub fn matching_names<'a, T>(text: &str, items: &'a [T], name: impl Fn(&T) -> &str) -> Vec<&'a T> {
    let typed = TypedText::new(text);
    let mut found: Vec<(MatchQuality, &T)> =
        items.iter().filter_map(|item| Some((typed.matches(name(item))?, item))).collect();
    // The sort is stable: names that match equally well stay in the order of the list.
    found.sort_by_key(|(quality, _)| *quality);
    found.into_iter().map(|(_, item)| item).collect()
}

/// Quality of a match, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum MatchQuality {
    /// All words of the name, in any order.
    Whole,
    /// The first words of the name, in order; the last one may be incomplete.
    Beginning,
    /// Each typed word begins a word of the name.
    WordBeginnings,
    /// Each typed word is part of a word of the name.
    Inside,
}

/// Typed text, split into words.
struct TypedText {
    words: Vec<String>,
    /// The words joined, without spaces.
    letters: String,
}

impl TypedText {
    fn new(text: &str) -> Self {
        let mut words = words(text);
        let whole = words.len();
        words.retain(|word| word != "the");
        if words.is_empty() && whole > 0 {
            words = vec!["the".to_owned()];
        }
        Self { letters: words.concat(), words }
    }

    fn matches(&self, name: &str) -> Option<MatchQuality> {
        if self.words.is_empty() {
            return None;
        }
        let own = words(name);
        let letters = own.concat();
        let begins = |word: &str, typed: &str| word.starts_with(typed);
        let contains = |word: &str, typed: &str| typed.len() >= MIN_INNER && word.contains(typed);
        let is_permutation = || {
            let sorted = |words: &[String]| {
                let mut words = words.to_vec();
                words.sort_unstable();
                words
            };
            sorted(&own) == sorted(&self.words)
        };
        let in_order = || {
            let pairs = self.words.iter().zip(&own);
            self.words.len() <= own.len()
                && pairs.into_iter().all(|(typed, word)| begins(word, typed))
        };
        match () {
            () if letters == self.letters || is_permutation() => Some(MatchQuality::Whole),
            () if in_order() || letters.starts_with(&self.letters) => Some(MatchQuality::Beginning),
            () if self.is_assigned(&own, begins) => Some(MatchQuality::WordBeginnings),
            () if self.is_assigned(&own, contains) => Some(MatchQuality::Inside),
            () => None,
        }
    }

    /// Returns whether each typed word matches a different word of the name.
    fn is_assigned(&self, own: &[String], fits: impl Fn(&str, &str) -> bool) -> bool {
        let mut typed: Vec<&String> = self.words.iter().collect();
        // Longer words match fewer words, so they are assigned first.
        typed.sort_by_key(|word| std::cmp::Reverse(word.len()));
        let mut free: Vec<&String> = own.iter().collect();
        typed.iter().all(|typed| match free.iter().position(|word| fits(word, typed)) {
            Some(index) => {
                free.swap_remove(index);
                true
            }
            None => false,
        })
    }
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// Returns the error message for a text that is not a place, with similar names.
fn unknown(
    text: &str,
    error: &PlaceError,
    named: &[NamedPlace],
    rooms: &[(CellId, String)],
) -> String {
    // A text with digits is probably a point, and the parse error says what is wrong with it. "inn taproom" looks like a compass point, too.
    let has_digit = text.chars().any(|letter| letter.is_ascii_digit());
    if named.is_empty() || has_digit && error.kind != PlaceErrorKind::Form {
        return error.to_string();
    }
    let mut names = nearest(text, named.iter().map(|place| place.name));
    if names.is_empty() {
        names = nearest(text, rooms.iter().map(|(_, name)| &name[..]));
    }
    let names: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    match names.split_last() {
        None if has_digit || error.kind == PlaceErrorKind::Form => {
            format!("{error}, or the name of a place, such as \"{}\"", named[0].name)
        }
        None => {
            format!("\"{text}\": no such place; try the name of one, such as \"{}\"", named[0].name)
        }
        Some((only, [])) => format!("\"{text}\": no such place; did you mean {only}?"),
        Some((last, others)) => {
            format!("\"{text}\": no such place; did you mean {} or {last}?", others.join(", "))
        }
    }
}

/// Returns the names most similar to a text.
fn nearest<'a>(text: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let typed = words(text);
    let similarity = |name: &str| {
        let own = words(name);
        let best = |typed: &String| {
            own.iter().map(|word| strsim::jaro_winkler(typed, word)).fold(0.0, f64::max)
        };
        #[allow(clippy::cast_precision_loss, reason = "a few words")]
        let by_word = typed.iter().map(best).sum::<f64>() / typed.len().max(1) as f64;
        by_word.max(strsim::jaro_winkler(&typed.join(" "), &own.join(" ")))
    };
    let mut rated: Vec<(f64, &str)> = Vec::new();
    for name in names {
        let similarity = similarity(name);
        // Rooms of one building may have the same name.
        if similarity >= MIN_SIMILARITY && rated.iter().all(|(_, listed)| *listed != name) {
            rated.push((similarity, name));
        }
    }
    rated.sort_by(|a, b| b.0.total_cmp(&a.0));
    rated.into_iter().take(MAX_PROPOSED).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_forge::SEED;

    #[track_caller]
    fn check(text: &str, want: &str) {
        let names = PlaceNames::of_builtin(SEED);
        assert_eq!(read_place(text, &names).map(|(_, name)| name), Ok(want.to_owned()), "{text}");
    }

    #[test]
    fn part_of_a_name_is_enough() {
        check("inn", "inn door");
        check("vesti", "inn vestibule");
        check("stairs", "inn stairs");
        check("hall", "great hall");
        check("below", "great hall below");
        check("aproom", "taproom");
        check("hut woods", "hut in the woods");
    }

    /// The panel and the printed lines use these names; "inn t" begins like a compass point.
    #[test]
    fn rooms_are_found_by_the_names_that_the_program_prints() {
        check("inn, taproom", "inn, taproom");
        check("inn taproom", "inn, taproom");
        check("depths, cavern", "depths, cavern");
        check("tower lookout", "tower, lookout");
        let names = PlaceNames::of_builtin(SEED);
        for (cell, name) in names.rooms() {
            let (place, found) = read_place(&name, &names).unwrap();
            assert!(found == name || !matches!(place, Place::Cell(_)), "{name} of {cell}: {found}");
        }
        let refused = read_place("garden inn", &names).unwrap_err();
        assert!(refused.contains("\"garden inn\": no such place"), "{refused}");
    }

    #[test]
    fn letter_case_order_of_words_and_spaces_do_not_matter() {
        check(" Lake SHORE ", "lake shore");
        check("shore lake", "lake shore");
        check("tap room", "taproom");
        check("lakeshore", "lake shore");
        check("hall-great", "great hall");
        check("the inn", "inn door");
    }

    #[test]
    fn a_whole_name_is_taken_before_one_that_begins_with_it() {
        check("great hall", "great hall");
        check("cottage", "cottage");
        check("below hall great", "great hall below");
    }

    #[test]
    fn every_name_denotes_its_own_place_and_is_no_other_form_of_a_place() {
        let names = PlaceNames::of_builtin(SEED);
        for place in names.places() {
            check(place.name, place.name);
            assert!(place.name.parse::<Place>().is_err(), "{}", place.name);
        }
    }

    #[test]
    fn other_forms_of_places_are_read_in_every_world() {
        for names in [PlaceNames::of_builtin(SEED), PlaceNames::default()] {
            for text in ["A9B4", "0xA9B40106", "0xA9B40106:132,109,40", "42.1N, 33.6E"] {
                assert!(read_place(text, &names).is_ok(), "{text}");
            }
        }
    }

    #[test]
    fn an_unknown_name_lists_the_nearest_names() {
        let names = PlaceNames::of_builtin(SEED);
        let refused = |text: &str| read_place(text, &names).unwrap_err();
        assert_eq!(refused("taprrom"), "\"taprrom\": no such place; did you mean \"taproom\"?");
        assert!(refused("cotage celar").contains("did you mean \"cottage cellar\""));
        assert!(refused("vestibulle").contains("\"inn vestibule\""));
        let nothing = refused("qqqq");
        assert!(nothing.contains("compass point") && nothing.contains("lake shore"), "{nothing}");
    }

    #[test]
    fn a_point_with_a_wrong_number_says_what_is_wrong_with_the_number() {
        let names = PlaceNames::of_builtin(SEED);
        let refused = read_place("0xA9B40106:1,2", &names).unwrap_err();
        assert!(refused.contains("3 numbers"), "{refused}");
        assert!(read_place("", &names).is_err() && read_place("...", &names).is_err());
    }

    #[test]
    fn suggestions_begin_with_the_best_match() {
        let names = PlaceNames::of_builtin(SEED);
        let named = |text: &str| -> Vec<&str> {
            matching_names(text, names.places(), |place| place.name)
                .iter()
                .map(|place| place.name)
                .collect()
        };
        assert_eq!(named("inn"), ["inn door", "inn vestibule", "inn stairs"]);
        assert_eq!(named("great hall"), ["great hall", "great hall below"]);
        assert!(named("").is_empty());
    }
}
