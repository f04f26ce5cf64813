//! Compares all engines in one world.

use indicatif::ProgressBar;

use crate::arena::{Arena, Grain};
use crate::character::Autostep;
use crate::course::{Course, CourseWalk};
use crate::engine::{Rapier, Threshold};
use crate::measure::SpeedMeasurement;
use crate::report::{EndComparison, EngineReport, Start, WalksReport, WorldReport};
use crate::room::is_clear;
use crate::scene::Solid;
use crate::trail::{SAME_POSITION, Trail, apart, faults, metres_per_move, same_moves, trails};

/// The engines in a world.
struct Engines<'c> {
    scene: &'c [Solid],
    ours: Threshold,
    stepping: Rapier,
    plain: Rapier,
}

/// Runs all walks of a world: those with a clear start, and separately those that start inside something.
pub(crate) fn compare(
    world: &'static str,
    rounds: usize,
    grain: Grain,
    progress: &ProgressBar,
) -> anyhow::Result<WorldReport> {
    let Course { name, runner, origin, scene, walks } = Course::open(world)?;
    let rapier =
        |autostep| Arena::new(&scene, grain).map(|arena| Rapier { arena, origin, autostep });
    let ours = Threshold { runner, origin };
    let (stepping, plain) = (rapier(Autostep::On)?, rapier(Autostep::Off)?);
    let mut engines = Engines { scene: &scene, ours, stepping, plain };
    let (mut clear, mut within) = (Vec::new(), Vec::new());
    for walk in walks {
        let feet = origin.place(&walk.recorded.start.position());
        let solids = scene.iter().chain(&walk.objects);
        let is_clear = is_clear(walk.shape.spheres(), feet, solids);
        if is_clear { clear.push(walk) } else { within.push(walk) }
    }
    let triangles = |solid: &Solid| if let Solid::Mesh(mesh) = solid { mesh.len() } else { 0 };
    Ok(WorldReport {
        world: name,
        triangles: scene.iter().map(triangles).sum(),
        colliders: engines.stepping.arena.len(),
        walks: vec![
            engines.compare(Start::Clear, &clear, rounds, progress)?,
            engines.compare(Start::Within, &within, rounds, progress)?,
        ],
    })
}

impl Engines<'_> {
    /// Runs the walks once for their trails, which also warms up, and then `rounds` times. All engines finish a
    /// round before the next one begins, so that other load on the machine affects all of them.
    fn compare(
        &mut self,
        start: Start,
        walks: &[CourseWalk],
        rounds: usize,
        progress: &ProgressBar,
    ) -> anyhow::Result<WalksReport> {
        let Self { scene, ours, stepping, plain } = self;
        let trails = trails(ours, walks)?;
        let mut engines = vec![engine_report("Threshold", &trails, walks, scene)];
        engines.push(compared_report("rapier", stepping, &trails, walks, scene)?);
        engines.push(compared_report("rapier, no autostep", plain, &trails, walks, scene)?);
        progress.inc(1);
        let mut measurements: [SpeedMeasurement; 3] = Default::default();
        let [of_ours, of_stepping, of_plain] = &mut measurements;
        for _ in 0..rounds {
            of_ours.round(ours, walks)?;
            of_stepping.round(stepping, walks)?;
            of_plain.round(plain, walks)?;
            progress.inc(1);
        }
        for (engine, measurement) in engines.iter_mut().zip(&mut measurements) {
            engine.moves_per_second = measurement.rate();
            engine.median_us = measurement.percentile(50);
            engine.percentile_99_us = measurement.percentile(99);
        }
        let moves = walks.iter().map(|walk| walk.recorded.moves.len()).sum();
        Ok(WalksReport { start, walks: walks.len(), moves, engines })
    }
}

/// Returns the results of an engine, without speeds.
fn engine_report(
    engine: &'static str,
    trails: &[Trail],
    walks: &[CourseWalk],
    scene: &[Solid],
) -> EngineReport {
    let (through_surfaces, left_the_world) = faults(trails, walks, scene);
    EngineReport {
        engine,
        moves_per_second: 0.0,
        median_us: 0.0,
        percentile_99_us: 0.0,
        metres_per_move: metres_per_move(trails),
        through_surfaces,
        left_the_world,
        against: None,
    }
}

/// Returns the results of rapier, compared with `ours`.
fn compared_report(
    name: &'static str,
    rapier: &mut Rapier,
    ours: &[Trail],
    walks: &[CourseWalk],
    scene: &[Solid],
) -> anyhow::Result<EngineReport> {
    let theirs = trails(rapier, walks)?;
    let apart = apart(ours, &theirs);
    let against = EndComparison {
        same_ends: apart.iter().filter(|metres| **metres < SAME_POSITION).count(),
        median_apart: apart.get(apart.len() / 2).copied().unwrap_or_default(),
        same_moves: same_moves(rapier, walks, ours)?,
    };
    Ok(EngineReport { against: Some(against), ..engine_report(name, &theirs, walks, scene) })
}
