//! JSON with floats of nine significant digits.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

/// Significant digits of a float; enough to identify every single-precision number.
const DIGITS: usize = 9;

/// Formats a value as JSON on one line.
pub(crate) fn to_text(value: &impl Serialize) -> io::Result<String> {
    let mut text = Vec::new();
    value.serialize(&mut Serializer::with_formatter(&mut text, NineDigits))?;
    String::from_utf8(text).map_err(io::Error::other)
}

/// Compact JSON, floats as C's `%.9g` writes them.
struct NineDigits;

impl Formatter for NineDigits {
    // Not the shortest digits: those can give another number when read as double
    // precision first.
    fn write_f32<W: ?Sized + Write>(&mut self, out: &mut W, value: f32) -> io::Result<()> {
        self.write_f64(out, value.into())
    }

    fn write_f64<W: ?Sized + Write>(&mut self, out: &mut W, value: f64) -> io::Result<()> {
        out.write_all(significant(value).as_bytes())
    }
}

/// Formats a finite number with nine significant digits, without superfluous zeros.
fn significant(value: f64) -> String {
    let text = format!("{value:.*e}", DIGITS - 1);
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let decimals = i32::try_from(DIGITS - 1).unwrap_or_default() - exponent;
    match usize::try_from(decimals) {
        // C's rule: plain notation from 0.0001 up to the number of digits.
        Ok(decimals) if exponent >= -4 => trimmed(&format!("{value:.decimals$}")).to_owned(),
        _ => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{}e{sign}{:02}", trimmed(digits), exponent.abs())
        }
    }
}

/// Removes trailing zeros of the decimals.
fn trimmed(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: f64, want: &str) {
        assert_eq!(significant(value), want, "{value}");
    }

    #[test]
    fn floats_have_nine_significant_digits() {
        check(0.0, "0");
        check(-0.0, "-0");
        check(1.0, "1");
        check(-40.200_000_8, "-40.2000008");
        check(f64::from(0.1_f32), "0.100000001");
        check(f64::from(177.250_7_f32), "177.250702");
        check(0.000_1, "0.0001");
        check(0.000_012_5, "1.25e-05");
        check(f64::from(5.960_464_5e-8_f32), "5.96046448e-08");
        check(123_456_789.0, "123456789");
        check(100_000_000.0, "100000000");
        check(1_234_567_890.0, "1.23456789e+09");
        check(999_999_999.9, "1e+09");
        check(0.000_099_999_999_99, "0.0001");
        check(1e-300, "1e-300");
        check(f64::from(f32::MAX), "3.40282347e+38");
    }
}
