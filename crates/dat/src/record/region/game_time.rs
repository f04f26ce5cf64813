//! The calendar.

use serde::Serialize;

use crate::reader::{Reader, Result};
use crate::record::Text;
use crate::writer::{WriteResult, Writer};

/// The calendar. Retail: `GameTime`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameTime {
    /// Start of the year, in seconds.
    pub zero_time_of_year: f64,
    /// The year numbered 0.
    pub zero_year: u32,
    /// Seconds in a day.
    pub day_length: f32,
    /// Days in a year.
    pub days_per_year: u32,
    /// The format of a year.
    pub year_spec: Text,
    /// Times of day.
    pub times_of_day: Vec<TimeOfDay>,
    /// Days of the week.
    pub week_days: Vec<Text>,
    /// Seasons.
    pub seasons: Vec<Season>,
}

/// A time of day. Retail: `TimeOfDay`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TimeOfDay {
    /// Its start, 0 to 1 of the day.
    pub begin: f32,
    /// Whether it is night.
    pub night: bool,
    /// Its name.
    pub name: Text,
}

/// A season. Retail: `Season`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Season {
    /// The day of the year on which it begins.
    pub begin_day: u32,
    /// Its name.
    pub name: Text,
}

impl GameTime {
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self {
            zero_time_of_year: reader.f64()?,
            zero_year: reader.u32()?,
            day_length: reader.f32()?,
            days_per_year: reader.u32()?,
            year_spec: reader.text()?,
            times_of_day: reader.list("times of day", 12, |reader| {
                Ok(TimeOfDay {
                    begin: reader.f32()?,
                    night: reader.bool32()?,
                    name: reader.text()?,
                })
            })?,
            week_days: reader.list("week days", 4, Reader::text)?,
            seasons: reader.list("seasons", 8, |reader| {
                Ok(Season { begin_day: reader.u32()?, name: reader.text()? })
            })?,
        })
    }

    pub(super) fn write(&self, writer: &mut Writer) -> WriteResult {
        writer.f64(self.zero_time_of_year);
        writer.u32(self.zero_year);
        writer.f32(self.day_length);
        writer.u32(self.days_per_year);
        writer.text(&self.year_spec)?;
        writer.list("times of day", &self.times_of_day, |writer, time| {
            writer.f32(time.begin);
            writer.bool32(time.night);
            writer.text(&time.name)
        })?;
        writer.list("week days", &self.week_days, Writer::text)?;
        writer.list("seasons", &self.seasons, |writer, season| {
            writer.u32(season.begin_day);
            writer.text(&season.name)
        })
    }
}
