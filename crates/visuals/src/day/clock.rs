//! Moments, and the clock notation for them.

/// A moment of a world's time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// Number of the day, counted through all years; see [`day_number`](super::day_number).
    pub day: u32,
    /// Elapsed fraction of the day, 0 to 1; 0 is midnight.
    pub fraction: f32,
    /// Clock that moves clouds and rain, in seconds. It is separate from the time of day, so that clouds do not race
    /// while the time of day is being changed.
    pub seconds: f64,
}

const MINUTES_PER_DAY: u16 = 24 * 60;

impl Moment {
    /// Creates a moment with clouds at their origin. `fraction` is wrapped into 0 to 1.
    pub fn new(day: u32, fraction: f32) -> Self {
        let fraction = fraction.rem_euclid(1.0);
        // A value just below 0 is rounded to the next midnight; NaN becomes midnight.
        let fraction = if (0.0..1.0).contains(&fraction) { fraction } else { 0.0 };
        Self { day, fraction, seconds: 0.0 }
    }

    /// Returns the moment `seconds` later; `day_length` is in seconds (`RegionDesc::time`). Where the day length is 0 or
    /// the time runs backwards, only the clouds move.
    #[must_use]
    pub fn after(self, seconds: f64, day_length: f32) -> Self {
        let passed = seconds / f64::from(day_length);
        let seconds = self.seconds + seconds;
        if !(passed.is_finite() && passed >= 0.0) {
            return Self { seconds, ..self };
        }
        let at = f64::from(self.fraction) + passed;
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the cast saturates at the largest day"
        )]
        let (days, fraction) = (at.floor() as u32, at.fract() as f32);
        Self { seconds, ..Self::new(self.day.wrapping_add(days), fraction) }
    }
}

/// Parses `"HH:MM"` of a 24-hour clock as a fraction of the day; 24:00 is midnight again.
///
/// ```
/// # use threshold_visuals::day::{clock_of, fraction_of};
/// assert_eq!(fraction_of("18:00"), Some(0.75));
/// assert_eq!(fraction_of("18:60"), None);
/// assert_eq!(clock_of(0.75), "18:00");
/// ```
pub fn fraction_of(clock: &str) -> Option<f32> {
    let number = |text: &str| -> Option<u16> {
        let is_number = (1..=2).contains(&text.len()) && text.bytes().all(|c| c.is_ascii_digit());
        if is_number { text.parse().ok() } else { None }
    };
    let (hours, minutes) = clock.trim().split_once(':')?;
    let (hours, minutes) = (number(hours)?, number(minutes)?);
    let is_time = minutes < 60 && (hours < 24 || (hours, minutes) == (24, 0));
    is_time.then(|| f32::from(hours % 24 * 60 + minutes) / f32::from(MINUTES_PER_DAY))
}

/// Formats a fraction of the day as `"HH:MM"`, to the nearest minute.
pub fn clock_of(fraction: f32) -> String {
    let minutes = Moment::new(0, fraction).fraction * f32::from(MINUTES_PER_DAY);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 1440")]
    let minutes = minutes.round() as u16 % MINUTES_PER_DAY;
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}
