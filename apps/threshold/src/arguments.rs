//! What several commands are told in the same words.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use anyhow::Context;
use threshold_land::glam::DVec3;
use threshold_world::rule::RuleError;

/// Beyond this many metres there is no map.
const FARTHEST: f64 = 100_000.0;

/// Reads a whole number within a range.
pub(crate) fn whole<N>(
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

/// Reads a number of seconds above 0 and up to `most`; NaN and infinity are none.
pub(crate) fn seconds(
    most: f64,
) -> impl Fn(&str) -> Result<f64, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.trim().parse().ok().filter(|number| *number > 0.0 && *number <= most);
        number.ok_or_else(|| format!("write seconds above 0, up to {most}"))
    }
}

/// A point, as x,y,z in metres.
pub(crate) fn point(text: &str) -> Result<DVec3, String> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|v| v.is_finite());
    let numbers: Option<Vec<f64>> = text.split(',').map(number).collect();
    match numbers.as_deref() {
        Some(far) if far.iter().any(|v| v.abs() > FARTHEST) => {
            Err(format!("write coordinates from -{FARTHEST} to {FARTHEST} metres"))
        }
        Some([x, y, z]) => Ok(DVec3::new(*x, *y, *z)),
        _ => Err(format!("write three numbers: x,y,z, from -{FARTHEST} to {FARTHEST} metres")),
    }
}

/// The longest side of a picture, in pixels.
const LONGEST: u32 = 8_192;

/// Width and height of a picture, in pixels.
pub(crate) fn size(text: &str) -> Result<[u32; 2], String> {
    let number = |text: &str| text.parse().ok().filter(|side| (1..=LONGEST).contains(side));
    let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, ""));
    let both = number(width).zip(number(height));
    both.map(|(width, height)| [width, height])
        .ok_or_else(|| format!("write 1280x720, from 1 to {LONGEST} pixels a side"))
}

/// An id or bits.
pub(crate) fn hexadecimal(text: &str) -> Result<u32, String> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
    let wrong = || "write hexadecimal digits, such as 0x02000001".to_owned();
    if digits.starts_with('+') {
        return Err(wrong());
    }
    u32::from_str_radix(digits, 16).map_err(|_| wrong())
}

/// The default rules with these settings, as `--rule` gives them; `set` is that of the crate whose rules they are.
pub(crate) fn rules<R: Default>(
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
    fn a_whole_number_is_within_its_range() {
        let rooms = whole(1..=60_000_u32);
        assert_eq!((rooms("1"), rooms("60000")), (Ok(1), Ok(60_000)));
        let wrong = Err("write a whole number from 1 to 60000".to_owned());
        for bad in ["", "0", "60001", "-1", "1.5", "1e3", "nan", "inf", "0x10", "99999999999"] {
            assert_eq!(rooms(bad), wrong, "{bad}");
        }
    }

    #[test]
    fn seconds_are_finite_positive_and_not_too_many() {
        let day = seconds(86_400.0);
        assert_eq!((day("0.5"), day("86400")), (Ok(0.5), Ok(86_400.0)));
        for bad in ["", "0", "-0", "-1", "nan", "inf", "-inf", "1e300", "86401", "1e999", "soon"] {
            assert_eq!(day(bad), Err("write seconds above 0, up to 86400".to_owned()), "{bad}");
        }
    }

    #[test]
    fn a_point_is_three_numbers() {
        assert_eq!(point("1,-2.5, 3"), Ok(DVec3::new(1.0, -2.5, 3.0)));
        for bad in ["", "1,2", "1,2,3,4", "1,2,x", "1,2,nan", "1,2,inf", "1e30,0,0"] {
            assert!(point(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn ids_and_bits_are_hexadecimal() {
        assert_eq!(hexadecimal("0x02000001"), Ok(0x0200_0001));
        assert_eq!(hexadecimal("408"), Ok(0x408));
        for bad in ["", "0x", "+1", "g", "0x123456789"] {
            assert!(hexadecimal(bad).is_err(), "{bad}");
        }
    }
}
