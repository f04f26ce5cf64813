//! Which kind of day it is.

use threshold_dat::region::{GameTime, RegionDesc};

/// The number of a day that the kind of day is found by.
pub fn day_number(time: &GameTime, year: u32, day_of_year: u32) -> u32 {
    time.days_per_year.wrapping_mul(year).wrapping_add(day_of_year)
}

/// The kind of a day out of so many, by its place in the region's list. It hangs on the number of the day alone; chances in the
/// records play no part.
///
/// Retail: `SkyDesc::CalcPresentDayGroup`, which scales in floating point; whole numbers give the same.
pub fn present_group(day: u32, groups: usize) -> usize {
    let mixed = 0x6A42_FDB2_u32.wrapping_mul(day).wrapping_sub(0x7541_E9AE);
    let scaled = (u128::from(mixed) * u128::try_from(groups).unwrap_or(0)) >> 32;
    usize::try_from(scaled).unwrap_or(0)
}

/// The kind of day that somebody means, by its place in the region's list: its number there, its name, or how its name
/// begins. Upper and lower case are the same; the first of several is taken.
pub fn group_named(region: &RegionDesc, said: &str) -> Option<usize> {
    let groups = &region.sky.as_ref()?.day_groups;
    let said = said.trim().to_lowercase();
    if let Ok(place) = said.parse::<usize>() {
        return (place < groups.len()).then_some(place);
    }
    let find = |is_meant: &dyn Fn(&str) -> bool| {
        groups.iter().position(|group| is_meant(&group.name.to_string().to_lowercase()))
    };
    let whole = find(&|name| name == said);
    whole.or_else(|| find(&|name| !said.is_empty() && name.starts_with(&said)))
}
