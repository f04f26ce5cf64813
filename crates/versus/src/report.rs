//! What is said about a comparison: a table, or JSON.

use std::io::{self, Write};

use serde::Serialize;

use crate::arena::Grain;

/// All of it.
#[derive(Serialize)]
pub(crate) struct Report {
    /// How often everything was measured.
    pub(crate) rounds: usize,
    /// How many colliders rapier's meshes are.
    pub(crate) meshes: Grain,
    /// One world after another.
    pub(crate) worlds: Vec<OfWorld>,
}

/// What was walked in a world.
#[derive(Serialize)]
pub(crate) struct OfWorld {
    /// Its name.
    pub(crate) world: &'static str,
    /// Of all meshes together.
    pub(crate) triangles: usize,
    /// That rapier has of them, and of cylinders and spheres.
    pub(crate) colliders: usize,
    /// One sort of walks after another.
    pub(crate) walks: Vec<OfWalks>,
}

/// Where walks begin.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Start {
    /// Where nothing else is.
    Clear,
    /// Within a wall or an object.
    Within,
}

/// Walks of one sort, and by whom they were taken.
#[derive(Serialize)]
pub(crate) struct OfWalks {
    /// Where they begin.
    pub(crate) start: Start,
    /// How many they are.
    pub(crate) walks: usize,
    /// How many moves they have.
    pub(crate) moves: usize,
    /// One engine after another.
    pub(crate) engines: Vec<OfEngine>,
}

/// How an engine walked.
#[derive(Serialize)]
pub(crate) struct OfEngine {
    /// Its name.
    pub(crate) engine: &'static str,
    /// By the CPU time of the thread.
    pub(crate) moves_per_second: f64,
    /// Of single moves by the clock, in microseconds.
    pub(crate) median_us: f64,
    /// What 99 of 100 moves do not take longer than, in microseconds.
    pub(crate) percentile_99_us: f64,
    /// How far a move takes it in the mean.
    pub(crate) metres_per_move: f32,
    /// Moves through the front of a surface.
    pub(crate) through_surfaces: usize,
    /// Walks that began over something and ended over nothing.
    pub(crate) left_the_world: usize,
    /// Against the first engine.
    pub(crate) against: Option<Against>,
}

/// How far from another engine one ended.
#[derive(Serialize)]
pub(crate) struct Against {
    /// Walks that end at the same place.
    pub(crate) same_ends: usize,
    /// Metres between the ends of a walk, of the walk in the middle.
    pub(crate) median_apart: f32,
    /// Moves that end at the same place if they begin at the same.
    pub(crate) same_moves: usize,
}

impl Report {
    /// As a table in Markdown.
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for world in &self.worlds {
            let OfWorld { world: name, triangles, colliders, walks } = world;
            writeln!(out, "{name}: {triangles} triangles, {colliders} colliders\n")?;
            walks.iter().try_for_each(|walks| walks.write(out))?;
        }
        Ok(())
    }
}

/// The heads of the columns.
const COLUMNS: [&str; 10] = [
    "engine",
    "moves a second",
    "median",
    "99 %",
    "metres a move",
    "through a surface",
    "left the world",
    "same end",
    "apart at the end",
    "same move",
];

impl OfWalks {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let start = match self.start {
            Start::Clear => "in the clear",
            Start::Within => "within something",
        };
        writeln!(out, "{} walks of {} moves that begin {start}:\n", self.walks, self.moves)?;
        writeln!(out, "| {} |", COLUMNS.join(" | "))?;
        writeln!(out, "|{}", "---|".repeat(COLUMNS.len()))?;
        self.engines.iter().try_for_each(|engine| engine.write(out, self))?;
        writeln!(out)
    }
}

impl OfEngine {
    fn write(&self, out: &mut impl Write, of: &OfWalks) -> io::Result<()> {
        let share =
            |part: usize, of: usize| format!("{:.1} %", 100.0 * part as f64 / of.max(1) as f64);
        let against = match &self.against {
            None => "- | - | -".to_owned(),
            Some(Against { same_ends, median_apart, same_moves }) => format!(
                "{} | {median_apart:.2} m | {}",
                share(*same_ends, of.walks),
                share(*same_moves, of.moves)
            ),
        };
        writeln!(
            out,
            "| {} | {:.0} | {:.2} µs | {:.2} µs | {:.3} | {} | {} | {against} |",
            self.engine,
            self.moves_per_second,
            self.median_us,
            self.percentile_99_us,
            self.metres_per_move,
            self.through_surfaces,
            self.left_the_world,
        )
    }
}
