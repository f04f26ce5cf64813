//! All engines in one world, in one run.

use indicatif::ProgressBar;

use crate::arena::{Arena, Grain};
use crate::character::Autostep;
use crate::course::{Course, Way};
use crate::engine::{Rapier, Threshold};
use crate::measure::Measured;
use crate::report::{Against, OfEngine, OfWalks, OfWorld, Start};
use crate::room::is_clear;
use crate::scene::Solid;
use crate::trail::{SAME, Trail, apart, faults, metres_a_move, same_moves, trails};

/// The engines in a world.
struct Field<'c> {
    scene: &'c [Solid],
    ours: Threshold,
    stepping: Rapier,
    plain: Rapier,
}

/// Walks everything in a world: the walks that begin in the clear, and for themselves those that begin within something.
pub(crate) fn compare(
    world: &'static str,
    rounds: usize,
    grain: Grain,
    progress: &ProgressBar,
) -> anyhow::Result<OfWorld> {
    let Course { name, runner, origin, scene, ways } = Course::open(world)?;
    let rapier =
        |autostep| Arena::new(&scene, grain).map(|arena| Rapier { arena, origin, autostep });
    let ours = Threshold { runner, origin };
    let (stepping, plain) = (rapier(Autostep::On)?, rapier(Autostep::Off)?);
    let mut field = Field { scene: &scene, ours, stepping, plain };
    let (mut clear, mut within) = (Vec::new(), Vec::new());
    for way in ways {
        let feet = origin.place(&way.walk.start.position());
        let solids = scene.iter().chain(&way.objects);
        let is_clear = is_clear(way.shape.spheres(), feet, solids);
        if is_clear { clear.push(way) } else { within.push(way) }
    }
    let triangles = |solid: &Solid| if let Solid::Mesh(mesh) = solid { mesh.len() } else { 0 };
    Ok(OfWorld {
        world: name,
        triangles: scene.iter().map(triangles).sum(),
        colliders: field.stepping.arena.len(),
        walks: vec![
            field.compare(Start::Clear, &clear, rounds, progress)?,
            field.compare(Start::Within, &within, rounds, progress)?,
        ],
    })
}

impl Field<'_> {
    /// Takes walks once to see where everybody goes, which warms up, too, and then so many rounds. All engines take a
    /// round before the next one begins, so that a busy machine is busy for all of them.
    fn compare(
        &mut self,
        start: Start,
        ways: &[Way],
        rounds: usize,
        progress: &ProgressBar,
    ) -> anyhow::Result<OfWalks> {
        let Self { scene, ours, stepping, plain } = self;
        let trails = trails(ours, ways)?;
        let mut engines = vec![walked("Threshold", &trails, ways, scene)];
        engines.push(against("rapier", stepping, &trails, ways, scene)?);
        engines.push(against("rapier, no autostep", plain, &trails, ways, scene)?);
        progress.inc(1);
        let mut measured: [Measured; 3] = Default::default();
        let [of_ours, of_stepping, of_plain] = &mut measured;
        for _ in 0..rounds {
            of_ours.round(ours, ways)?;
            of_stepping.round(stepping, ways)?;
            of_plain.round(plain, ways)?;
            progress.inc(1);
        }
        for (engine, measured) in engines.iter_mut().zip(&mut measured) {
            engine.moves_per_second = measured.rate();
            engine.median_us = measured.percentile(50);
            engine.percentile_99_us = measured.percentile(99);
        }
        let moves = ways.iter().map(|way| way.walk.moves.len()).sum();
        Ok(OfWalks { start, walks: ways.len(), moves, engines })
    }
}

/// Where an engine went. How fast is not known yet.
fn walked(engine: &'static str, trails: &[Trail], ways: &[Way], scene: &[Solid]) -> OfEngine {
    let (through_surfaces, left_the_world) = faults(trails, ways, scene);
    OfEngine {
        engine,
        moves_per_second: 0.0,
        median_us: 0.0,
        percentile_99_us: 0.0,
        metres_per_move: metres_a_move(trails),
        through_surfaces,
        left_the_world,
        against: None,
    }
}

/// Where rapier went, and how far from `ours` that is.
fn against(
    name: &'static str,
    rapier: &mut Rapier,
    ours: &[Trail],
    ways: &[Way],
    scene: &[Solid],
) -> anyhow::Result<OfEngine> {
    let theirs = trails(rapier, ways)?;
    let apart = apart(ours, &theirs);
    let against = Against {
        same_ends: apart.iter().filter(|metres| **metres < SAME).count(),
        median_apart: apart.get(apart.len() / 2).copied().unwrap_or_default(),
        same_moves: same_moves(rapier, ways, ours)?,
    };
    Ok(OfEngine { against: Some(against), ..walked(name, &theirs, ways, scene) })
}
