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

/// What was walked in a world, and by whom.
#[derive(Serialize)]
pub(crate) struct OfWorld {
    pub(crate) world: &'static str,
    pub(crate) walks: usize,
    pub(crate) moves: usize,
    /// Of all meshes together.
    pub(crate) triangles: usize,
    /// That rapier has of them, and of cylinders and spheres.
    pub(crate) colliders: usize,
    pub(crate) engines: Vec<OfEngine>,
}

/// How an engine walked.
#[derive(Serialize)]
pub(crate) struct OfEngine {
    pub(crate) engine: &'static str,
    pub(crate) moves_per_second: f64,
    pub(crate) median_us: f64,
    pub(crate) percentile_99_us: f64,
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
            let OfWorld { world: name, walks, moves, triangles, colliders, .. } = world;
            writeln!(
                out,
                "{name}: {walks} walks, {moves} moves; {triangles} triangles, {colliders} colliders\n"
            )?;
            writeln!(
                out,
                "| engine | moves/s | median | 99 % | metres a move | through a surface | left the world | same end | apart (median) | same move |"
            )?;
            writeln!(out, "|---|---|---|---|---|---|---|---|---|---|")?;
            world.engines.iter().try_for_each(|engine| engine.write(out, world))?;
            writeln!(out)?;
        }
        Ok(())
    }
}

impl OfEngine {
    fn write(&self, out: &mut impl Write, world: &OfWorld) -> io::Result<()> {
        let share =
            |part: usize, of: usize| format!("{:.1} %", 100.0 * part as f64 / of.max(1) as f64);
        let against = match &self.against {
            None => "- | - | -".to_owned(),
            Some(Against { same_ends, median_apart, same_moves }) => format!(
                "{} | {median_apart:.2} m | {}",
                share(*same_ends, world.walks),
                share(*same_moves, world.moves)
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
