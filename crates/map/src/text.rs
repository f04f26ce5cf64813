//! Numbers as text.

/// Writes a count with a comma between groups of three digits.
pub(crate) fn thousands(count: usize) -> String {
    let digits = count.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<String> =
        groups.map(|group| String::from_utf8_lossy(group).into_owned()).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::thousands;

    #[test]
    fn groups_of_three_digits_are_separated() {
        let all = [0, 999, 1_000, 48_640, 1_234_567].map(thousands);
        assert_eq!(all, ["0", "999", "1,000", "48,640", "1,234,567"]);
    }
}
