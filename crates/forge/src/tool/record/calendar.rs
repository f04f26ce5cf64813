//! The calendar of a dressed world.

use threshold_dat::Text;
use threshold_dat::region::{GameTime, Season, TimeOfDay};

use super::region::text;

/// Times of the day: the start, whether it is night, and the name.
const TIMES: [(f32, bool, &str); 10] = [
    (0.0, true, "Midnight"),
    (0.125, true, "Small Hours"),
    (0.235, false, "Daybreak"),
    (0.29, false, "Morning"),
    (0.42, false, "Forenoon"),
    (0.5, false, "Noon"),
    (0.58, false, "Afternoon"),
    (0.7, false, "Evening"),
    (0.765, true, "Nightfall"),
    (0.88, true, "Late Night"),
];

const DAYS: [&str; 7] =
    ["Stoneday", "Lakeday", "Hearthday", "Mendingday", "Marketday", "Songday", "Restday"];

/// Seasons, with the day of the year on which each starts.
const SEASONS: [(u32, &str); 4] =
    [(0, "Thaw"), (90, "High Grass"), (180, "Harvest"), (270, "Frost")];

/// Sets the names of a calendar; its numbers stay.
pub(crate) fn named(time: GameTime) -> GameTime {
    let part = |(begin, night, name)| TimeOfDay { begin, night, name: text(name) };
    let season = |(begin_day, name)| Season { begin_day, name: text(name) };
    GameTime {
        times_of_day: TIMES.into_iter().map(part).collect(),
        week_days: DAYS.into_iter().map(text).collect::<Vec<Text>>(),
        seasons: SEASONS.into_iter().map(season).collect(),
        ..time
    }
}
