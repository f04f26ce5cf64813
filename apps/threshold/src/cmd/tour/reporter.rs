//! The report of a tour, as text or as JSON lines.

use std::io::{self, Write};
use std::path::Path;

use anyhow::bail;
use serde::Serialize;
use threshold_forge::NamedPlace;
use threshold_land::CellId;
use threshold_play::PlaceNames;

use crate::formatting::thousands;
use crate::tour::{Route, TourEvent, TourFrame};

/// Prints events as they happen.
pub(super) struct TourReporter {
    json: bool,
    names: PlaceNames,
    /// Number of stations, and of those reached so far.
    stations: usize,
    reached: usize,
    /// Time of the last event, in seconds from the start.
    time: f64,
}

/// An event as it is printed. Variants and fields are names in the JSON output.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Event<'a> {
    Begun {
        place: &'a str,
        about: &'a str,
        cell: CellId,
    },
    Transit {
        from: CellId,
        to: CellId,
        place: &'a str,
    },
    Landed {
        speed: f32,
    },
    Station {
        number: usize,
        place: &'a str,
        about: &'a str,
        cell: CellId,
        picture: &'a Path,
    },
    End {
        stations: usize,
        metres: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        animation: Option<&'a Path>,
    },
}

/// An event with its time, in seconds from the start.
#[derive(Serialize)]
struct TimedEvent<'a> {
    time: f64,
    #[serde(flatten)]
    event: Event<'a>,
}

impl TourReporter {
    pub(super) fn new(json: bool, names: PlaceNames, route: &Route) -> Self {
        Self { json, names, stations: route.stops().count(), reached: 0, time: 0.0 }
    }

    /// Prints an event, with the picture of it if there is one.
    pub(super) fn report(
        &mut self,
        frame: &TourFrame,
        event: &TourEvent,
        picture: Option<&Path>,
    ) -> anyhow::Result<()> {
        self.time = frame.time;
        let description;
        let event = match event {
            TourEvent::Begun(NamedPlace { name, about, position }) => {
                Event::Begun { place: name, about, cell: position.cell }
            }
            TourEvent::Transit { from, to } => {
                description = self.names.describe(*to, &frame.body);
                Event::Transit { from: *from, to: *to, place: &description }
            }
            TourEvent::Landed { speed } => Event::Landed { speed: *speed },
            TourEvent::Reached(NamedPlace { name, about, .. }) => {
                self.reached += 1;
                let picture = picture.unwrap_or(Path::new(""));
                let (number, cell) = (self.reached, frame.body.cell);
                Event::Station { number, place: name, about, cell, picture }
            }
        };
        self.print(event)
    }

    /// Prints the end of the tour. Fails unless all stations were reached.
    pub(super) fn finish(&self, metres: u64, animation: Option<&Path>) -> anyhow::Result<()> {
        if self.reached < self.stations {
            bail!("only {} of {} stations were reached", self.reached, self.stations);
        }
        self.print(Event::End { stations: self.reached, metres, animation })
    }

    fn print(&self, event: Event<'_>) -> anyhow::Result<()> {
        let mut out = io::stdout().lock();
        if self.json {
            // Milliseconds, without rounding errors.
            let time = (self.time * 1000.0).round() / 1000.0;
            serde_json::to_writer(&mut out, &TimedEvent { time, event })?;
            writeln!(out)?;
        } else {
            writeln!(out, "{}  {}", clock(self.time), self.event_text(&event))?;
        }
        Ok(out.flush()?)
    }

    fn event_text(&self, event: &Event<'_>) -> String {
        match event {
            Event::Begun { place, about, cell } => {
                let start =
                    if self.reached == 0 { "The walk starts" } else { "The walk continues" };
                format!("{start} at the {place} in {cell}: {about}")
            }
            Event::Transit { from, to, place } => format!("{from} -> {to}  {place}"),
            Event::Landed { speed } => format!("lands at {speed:.1} m/s"),
            Event::Station { number, place, about, picture, .. } => {
                format!("[{number}/{}] {place}: {about} ({})", self.stations, picture.display())
            }
            Event::End { stations, metres, animation } => {
                let metres = thousands(*metres);
                let animation = animation.map(|file| format!(" ({})", file.display()));
                let animation = animation.unwrap_or_default();
                format!("All {stations} stations reached, {metres} m on foot{animation}")
            }
        }
    }
}

/// Formats a time as minutes, seconds and tenths.
fn clock(time: f64) -> String {
    let minutes = (time / 60.0).floor();
    format!("{minutes:2}:{:04.1}", time - 60.0 * minutes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_minutes_and_seconds() {
        assert_eq!(
            [0.0, 9.94, 61.5, 600.0].map(clock),
            [" 0:00.0", " 0:09.9", " 1:01.5", "10:00.0"]
        );
    }
}
