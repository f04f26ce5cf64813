//! Parsers of option values for several commands.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use anyhow::Context;
use threshold_land::vector::DVec3;
use threshold_world::rule::RuleError;

/// Largest coordinate, in metres: more than the width of the map.
const MAX_COORDINATE: f64 = 100_000.0;

/// Returns a parser of whole numbers within a range.
pub(crate) fn whole_number_parser<N>(
    range: RangeInclusive<N>,
) -> impl Fn(&str) -> Result<N, String> + Clone + Send + Sync + 'static
where
    N: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |text| {
        let number = text.trim().parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            format!("write a whole number from {} to {}", range.start(), range.end())
        })
    }
}

/// Returns a parser of seconds above 0 and up to `max`. NaN and infinity are refused.
pub(crate) fn seconds_parser(
    max: f64,
) -> impl Fn(&str) -> Result<f64, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.trim().parse().ok().filter(|number| *number > 0.0 && *number <= max);
        number.ok_or_else(|| format!("write seconds above 0, up to {max}"))
    }
}

/// Parses a point `x,y,z`, in metres.
pub(crate) fn parse_point(text: &str) -> Result<DVec3, String> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|v| v.is_finite());
    let numbers: Option<Vec<f64>> = text.split(',').map(number).collect();
    match numbers.as_deref() {
        Some(all) if all.iter().any(|v| v.abs() > MAX_COORDINATE) => {
            Err(format!("write coordinates from -{MAX_COORDINATE} to {MAX_COORDINATE} metres"))
        }
        Some([x, y, z]) => Ok(DVec3::new(*x, *y, *z)),
        _ => Err(format!(
            "write three numbers: x,y,z, from -{MAX_COORDINATE} to {MAX_COORDINATE} metres"
        )),
    }
}

/// Largest width and height of a picture, in pixels: every graphics driver supports this size.
const MAX_SIDE: u32 = 8_192;

/// Parses the size of a picture, `WIDTHxHEIGHT`, in pixels.
pub(crate) fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let number = |text: &str| text.parse().ok().filter(|side| (1..=MAX_SIDE).contains(side));
    let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, ""));
    let both = number(width).zip(number(height));
    both.map(|(width, height)| [width, height])
        .ok_or_else(|| format!("write WIDTHxHEIGHT, such as 1280x720, from 1 to {MAX_SIDE} pixels"))
}

/// Returns a parser of an id or a set of bits, in hexadecimal digits with or without `0x`. The error shows the example.
pub(crate) fn hexadecimal_parser(
    example: &'static str,
) -> impl Fn(&str) -> Result<u32, String> + Clone + Send + Sync + 'static {
    move |text| {
        let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(format!("write hexadecimal digits, such as {example}"));
        }
        let too_long =
            |_| format!("more than 32 bits; write at most 8 hexadecimal digits, such as {example}");
        u32::from_str_radix(digits, 16).map_err(too_long)
    }
}

/// Returns the default rules with the settings of `--rule` applied. `set` applies one setting.
pub(crate) fn parse_rules<R: Default>(
    settings: &[String],
    set: impl Fn(&mut R, &str) -> Result<(), RuleError>,
) -> anyhow::Result<R> {
    let mut rules = R::default();
    for setting in settings {
        set(&mut rules, setting).with_context(|| format!("--rule {setting}"))?;
    }
    Ok(rules)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_outside_its_range_is_refused() {
        let rooms = whole_number_parser(1..=60_000_u32);
        assert_eq!((rooms("1"), rooms("60000")), (Ok(1), Ok(60_000)));
        let wrong = Err("write a whole number from 1 to 60000".to_owned());
        for bad in ["", "0", "60001", "-1", "1.5", "1e3", "nan", "inf", "0x10", "99999999999"] {
            assert_eq!(rooms(bad), wrong, "{bad}");
        }
    }

    #[test]
    fn seconds_are_finite_positive_and_bounded() {
        let day = seconds_parser(86_400.0);
        assert_eq!((day("0.5"), day("86400")), (Ok(0.5), Ok(86_400.0)));
        for bad in ["", "0", "-0", "-1", "nan", "inf", "-inf", "1e300", "86401", "1e999", "soon"] {
            assert_eq!(day(bad), Err("write seconds above 0, up to 86400".to_owned()), "{bad}");
        }
    }

    #[test]
    fn a_point_is_three_numbers() {
        assert_eq!(parse_point("1,-2.5, 3"), Ok(DVec3::new(1.0, -2.5, 3.0)));
        for bad in ["", "1,2", "1,2,3,4", "1,2,x", "1,2,nan", "1,2,inf", "1e30,0,0"] {
            assert!(parse_point(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn ids_and_bits_are_hexadecimal() {
        let state = hexadecimal_parser("0x408");
        assert_eq!((state("0x02000001"), state("408")), (Ok(0x0200_0001), Ok(0x408)));
        assert_eq!(state("0x00000000FFFFFFFF"), Ok(u32::MAX));
        for bad in ["", "0x", "+1", "-1", "g"] {
            assert_eq!(
                state(bad),
                Err("write hexadecimal digits, such as 0x408".to_owned()),
                "{bad}"
            );
        }
        let error = state("0x123456789").unwrap_err();
        assert!(error.starts_with("more than 32 bits; ") && error.ends_with("0x408"), "{error}");
    }
}
