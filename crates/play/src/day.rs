//! Time of day and weather.

use threshold_dat::RegionDesc;
use threshold_visuals::day::{Daylight, Moment, clock_of, daylight};

/// Length of a day in seconds of real time, while time runs.
const DAY: f64 = 24.0 * 60.0;
/// Time of day at the start, in days: late afternoon, when shadows are long and it is still light.
const START: f64 = 16.5 / 24.0;

/// Clock and weather of a session.
#[derive(Debug)]
pub struct DayClock {
    region: Option<RegionDesc>,
    /// Time since the start of the first day, in days.
    pub time: f64,
    /// Whether time runs.
    pub runs: bool,
    /// Kind of day, as index into [`kinds`](Self::kinds); `None` follows the calendar.
    pub weather: Option<usize>,
}

impl DayClock {
    /// Starts the clock in a region. Without one, the light is [`Daylight::plain`].
    pub fn new(region: Option<RegionDesc>) -> Self {
        Self { region, time: START, runs: true, weather: None }
    }

    /// Advances the clock by `dt` seconds, if time runs.
    pub fn advance(&mut self, dt: f64) {
        if self.runs {
            self.time += dt / DAY;
        }
    }

    /// Returns the part of the day that has passed, 0 to 1.
    pub fn fraction(&self) -> f32 {
        #[allow(clippy::cast_possible_truncation, reason = "0 to 1")]
        let fraction = self.time.rem_euclid(1.0) as f32;
        fraction
    }

    /// Sets the time within the current day.
    pub fn set_fraction(&mut self, fraction: f32) {
        self.time = self.time.floor() + f64::from(fraction.clamp(0.0, 0.9999));
    }

    /// Returns the time of day as `HH:MM`.
    pub fn clock(&self) -> String {
        clock_of(self.fraction())
    }

    /// Returns the names of the kinds of days of the region.
    pub fn kinds(&self) -> Vec<String> {
        let groups = self.region.as_ref().and_then(|region| region.sky.as_ref());
        let groups = groups.map(|sky| &sky.day_groups[..]).unwrap_or_default();
        groups.iter().map(|group| group.name.to_string()).collect()
    }

    /// Returns the light and sky of this moment. `seconds` drives what moves all the time, such as clouds.
    pub fn light(&self, seconds: f64) -> Daylight {
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
    use threshold_dat::Records;
    use threshold_forge::{SEED, builtin};
    use threshold_world::REGION;

    #[test]
    fn a_session_starts_on_a_bright_afternoon_and_later_days_have_other_weather() {
        let world = builtin(SEED).unwrap();
        let mut day = DayClock::new(Records::new(&world).get(REGION).unwrap());
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
