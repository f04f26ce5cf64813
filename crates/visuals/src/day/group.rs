//! Selection of the day group.

use threshold_dat::region::{GameTime, RegionDesc};

/// Returns the number of a day, from which the day group is chosen.
pub fn day_number(time: &GameTime, year: u32, day_of_year: u32) -> u32 {
    time.days_per_year.wrapping_mul(year).wrapping_add(day_of_year)
}

/// Returns the index of the day group of a day, below `groups`. It depends on the number of the day only; the chances
/// in the records have no effect.
///
/// Retail: `SkyDesc::CalcPresentDayGroup`, which scales in floating point; integers give the same result.
pub fn present_group(day: u32, groups: usize) -> usize {
    let mixed = 0x6A42_FDB2_u32.wrapping_mul(day).wrapping_sub(0x7541_E9AE);
    let scaled = (u128::from(mixed) * u128::try_from(groups).unwrap_or(0)) >> 32;
    usize::try_from(scaled).unwrap_or(0)
}

/// Finds a day group of a region by index, name or the beginning of its name, and returns its index. Case is ignored;
/// the first match wins.
pub fn group_named(region: &RegionDesc, text: &str) -> Option<usize> {
    let groups = &region.sky.as_ref()?.day_groups;
    let text = text.trim().to_lowercase();
    if let Ok(index) = text.parse::<usize>() {
        return (index < groups.len()).then_some(index);
    }
    let find = |matches: &dyn Fn(&str) -> bool| {
        groups.iter().position(|group| matches(&group.name.to_string().to_lowercase()))
    };
    let exact = find(&|name| name == text);
    exact.or_else(|| find(&|name| !text.is_empty() && name.starts_with(&text)))
}
