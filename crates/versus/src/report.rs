//! The report of a comparison, as a table or JSON.

use std::io::{self, Write};

use serde::Serialize;

use crate::arena::Grain;

/// The whole report.
#[derive(Serialize)]
pub(crate) struct Report {
    /// Number of measured rounds.
    pub(crate) rounds: usize,
    /// Colliders made from the meshes.
    pub(crate) meshes: Grain,
    /// Results by world.
    pub(crate) worlds: Vec<WorldReport>,
}

/// The results in a world.
#[derive(Serialize)]
pub(crate) struct WorldReport {
    /// Its name.
    pub(crate) world: &'static str,
    /// Triangles of all meshes.
    pub(crate) triangles: usize,
    /// Colliders that rapier has for them, and for cylinders and spheres.
    pub(crate) colliders: usize,
    /// Results by kind of walk.
    pub(crate) walks: Vec<WalksReport>,
}

/// Start of a walk.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Start {
    /// Not touching anything.
    Clear,
    /// Inside a wall or an object.
    Within,
}

/// The results for one kind of walks.
#[derive(Serialize)]
pub(crate) struct WalksReport {
    /// Start of the walks.
    pub(crate) start: Start,
    /// Number of walks.
    pub(crate) walks: usize,
    /// Number of moves.
    pub(crate) moves: usize,
    /// Results by engine.
    pub(crate) engines: Vec<EngineReport>,
}

/// The results of an engine.
#[derive(Serialize)]
pub(crate) struct EngineReport {
    /// Its name.
    pub(crate) engine: &'static str,
    /// Measured in CPU time of the thread.
    pub(crate) moves_per_second: f64,
    /// Time of a single move in wall-clock time, in microseconds.
    pub(crate) median_us: f64,
    /// 99th percentile of the same, in microseconds.
    pub(crate) percentile_99_us: f64,
    /// Mean length of a move.
    pub(crate) metres_per_move: f32,
    /// Moves through the front of a surface.
    pub(crate) through_surfaces: usize,
    /// Walks that started above a surface and ended above none.
    pub(crate) left_the_world: usize,
    /// Comparison with the first engine.
    pub(crate) against: Option<EndComparison>,
}

/// Comparison of an engine with the first one.
#[derive(Serialize)]
pub(crate) struct EndComparison {
    /// Walks that end at the same position.
    pub(crate) same_ends: usize,
    /// Median distance between the ends of walks, in metres.
    pub(crate) median_apart: f32,
    /// Moves that end at the same position when started at the same position.
    pub(crate) same_moves: usize,
}

impl Report {
    /// Writes a table in Markdown.
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for world in &self.worlds {
            let WorldReport { world: name, triangles, colliders, walks } = world;
            writeln!(out, "{name}: {triangles} triangles, {colliders} colliders\n")?;
            walks.iter().try_for_each(|walks| walks.write(out))?;
        }
        Ok(())
    }
}

/// Column headings.
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

impl WalksReport {
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

impl EngineReport {
    fn write(&self, out: &mut impl Write, of: &WalksReport) -> io::Result<()> {
        let share =
            |part: usize, of: usize| format!("{:.1} %", 100.0 * part as f64 / of.max(1) as f64);
        let against = match &self.against {
            None => "- | - | -".to_owned(),
            Some(EndComparison { same_ends, median_apart, same_moves }) => format!(
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
