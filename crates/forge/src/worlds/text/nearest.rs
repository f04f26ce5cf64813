//! Suggestions for misspelt words.

/// Returns the word nearest to `word`, unless all are too different.
pub(super) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = word.chars().count();
    // Any two words of two letters are similar.
    let max_distance = match letters {
        0..=2 => 0,
        3 => 1,
        4..=7 => 2,
        _ => 3,
    };
    let near =
        known.into_iter().filter(|other| other.chars().count().abs_diff(letters) <= max_distance);
    let by_distance = near.map(|other| (distance(word, other), other));
    let nearest = by_distance.min_by_key(|(far, _)| *far);
    // The word itself is no help: it is known, but misplaced.
    nearest.filter(|(far, other)| *far <= max_distance && *other != word).map(|(_, other)| other)
}

/// Returns the end of a message: a suggestion, or nothing.
pub(super) fn hint<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    match nearest(word, known) {
        Some(meant) => format!("; did you mean \"{meant}\"?"),
        None => String::new(),
    }
}

/// Returns the number of letters to insert, delete, replace or swap with the next one, ignoring case.
fn distance(a: &str, b: &str) -> usize {
    let [a, b] = [a, b].map(|word| word.to_lowercase().chars().collect::<Vec<char>>());
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (at, letter) in a.iter().enumerate() {
        let mut next = vec![at + 1];
        for (place, other) in b.iter().enumerate() {
            let change = row[place] + usize::from(letter != other);
            let mut fewest = change.min(row[place + 1] + 1).min(next[place] + 1);
            let swapped = at > 0 && place > 0 && a[at - 1] == *other && b[place - 1] == *letter;
            if swapped {
                fewest = fewest.min(before[place - 1] + 1);
            }
            next.push(fewest);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_near_was_meant() {
        let known = ["room", "roll", "join", "window", "outside"];
        let check =
            |word: &str, want: Option<&str>| assert_eq!(nearest(word, known), want, "{word}");
        check("rom", Some("room"));
        check("jion", Some("join"));
        check("widnow", Some("window"));
        check("ROOM", Some("room"));
        check("outsied", Some("outside"));
        check("lamp", None);
        check("jo", None);
        check("", None);
        check("room", None);
    }
}
