//! The time of day, and the weather.

use threshold_dat::{Records, RegionDesc, Source};
use threshold_render::day::{Daylight, Moment, clock_of, daylight};
use threshold_world::REGION;

/// A day takes so many seconds while time runs.
const DAY: f64 = 24.0 * 60.0;
/// It begins in the late afternoon, when shadows are long and nothing is dark yet.
const BEGINNING: f64 = 16.5 / 24.0;

/// What time it is.
pub(crate) struct Day {
    region: Option<RegionDesc>,
    /// In days, from the first on.
    pub(crate) time: f64,
    pub(crate) runs: bool,
    /// The kind of day, by its place in the region; as the calendar has it if there is none.
    pub(crate) weather: Option<usize>,
}

impl Day {
    pub(crate) fn new(source: &dyn Source) -> Self {
        let region = Records::new(source).get(REGION).ok().flatten();
        Self { region, time: BEGINNING, runs: true, weather: None }
    }

    /// So many seconds go by.
    pub(crate) fn advance(&mut self, dt: f64) {
        if self.runs {
            self.time += dt / DAY;
        }
    }

    /// The part of the day that has gone by.
    pub(crate) fn fraction(&self) -> f32 {
        #[allow(clippy::cast_possible_truncation, reason = "0 to 1")]
        let fraction = self.time.rem_euclid(1.0) as f32;
        fraction
    }

    /// Makes it another time of the same day.
    pub(crate) fn set_fraction(&mut self, fraction: f32) {
        self.time = self.time.floor() + f64::from(fraction.clamp(0.0, 0.9999));
    }

    /// As a clock shows it.
    pub(crate) fn clock(&self) -> String {
        clock_of(self.fraction())
    }

    /// What kinds of days there are.
    pub(crate) fn kinds(&self) -> Vec<String> {
        let groups = self.region.as_ref().and_then(|region| region.sky.as_ref());
        let groups = groups.map(|sky| &sky.day_groups[..]).unwrap_or_default();
        groups.iter().map(|group| group.name.to_string()).collect()
    }

    /// Light and sky now; `seconds` is for what moves by itself.
    pub(crate) fn light(&self, seconds: f64) -> Daylight {
        let Some(region) = &self.region else { return Daylight::plain() };
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "days of a session"
        )]
        let day = self.time.max(0.0) as u32;
        let moment = Moment { seconds, ..Moment::new(day, self.fraction()) };
        daylight(region, &moment, self.weather)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::built_in;

    #[test]
    fn a_session_starts_on_a_bright_afternoon_and_later_days_have_other_weather() {
        let mut day = Day::new(&built_in(threshold_forge::SEED).unwrap());
        assert_eq!(day.clock(), "16:30");
        let kinds = day.kinds();
        let mut seen = Vec::new();
        for _ in 0..20 {
            seen.push(kinds[day.light(0.0).group.unwrap()].clone());
            day.advance(DAY);
        }
        assert!(["Fair", "Clear"].contains(&seen[0].as_str()), "{seen:?}");
        assert!(seen.iter().any(|kind| *kind != seen[0]), "{seen:?}");
    }
}
