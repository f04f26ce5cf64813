//! Moments, and how people write them.

/// A moment of a world's time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// The day, counted through all years; see [`day_number`](super::day_number).
    pub day: u32,
    /// How much of the day has passed, 0 to 1; 0 is midnight.
    pub fraction: f32,
    /// The clock that moves clouds and rain, in seconds. It is apart from the time of day, so that clouds do not race while
    /// somebody turns that.
    pub seconds: f64,
}

/// In a day.
const MINUTES: u16 = 24 * 60;

impl Moment {
    /// A time of a day; clouds have not moved yet. What is not a part of the day is brought into it.
    pub fn new(day: u32, fraction: f32) -> Self {
        let fraction = fraction.rem_euclid(1.0);
        // Just below 0 is rounded to the next midnight.
        let fraction = if (0.0..1.0).contains(&fraction) { fraction } else { 0.0 };
        Self { day, fraction, seconds: 0.0 }
    }

    /// So many seconds later, where a day has so many; `Region::time` knows. Time that stands still or runs backwards
    /// passes for the clouds alone.
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
            reason = "days above the largest number stay there"
        )]
        let (days, fraction) = (at.floor() as u32, at.fract() as f32);
        Self { seconds, ..Self::new(self.day.wrapping_add(days), fraction) }
    }
}

/// `"HH:MM"` of a clock with 24 hours as a part of the day; 24:00 is midnight again.
///
/// ```
/// # use threshold_render::day::{clock_of, fraction_of};
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
    is_time.then(|| f32::from(hours % 24 * 60 + minutes) / f32::from(MINUTES))
}

/// A part of the day as `"HH:MM"`, to the nearest minute.
pub fn clock_of(fraction: f32) -> String {
    let minutes = Moment::new(0, fraction).fraction * f32::from(MINUTES);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 1440")]
    let minutes = minutes.round() as u16 % MINUTES;
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}
