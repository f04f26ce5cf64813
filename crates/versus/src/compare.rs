//! All engines in one world, in one run.

use crate::arena::{Arena, Grain};
use crate::character::Autostep;
use crate::course::{Course, Way};
use crate::engine::{Rapier, Threshold};
use crate::measure::Measured;
use crate::progress::Progress;
use crate::report::{Against, OfEngine, OfWorld};
use crate::scene::Solid;
use crate::trail::{SAME, Trail, apart, faults, metres_a_move, same_moves, trails};

/// Walks everything in a world: once to see where everybody goes, which warms up, too, and then so many rounds. All
/// engines take a round before the next one begins, so that a busy machine is busy for all of them.
pub(crate) fn compare(
    world: &'static str,
    rounds: usize,
    grain: Grain,
    progress: &Progress,
) -> anyhow::Result<OfWorld> {
    let Course { name, runner, origin, scene, ways } = Course::open(world)?;
    let mut ours = Threshold { runner, origin };
    let mut stepping = Rapier { arena: Arena::new(&scene, grain)?, origin, autostep: Autostep::On };
    let mut plain = Rapier { arena: Arena::new(&scene, grain)?, origin, autostep: Autostep::Off };
    let trails = trails(&mut ours, &ways)?;
    let mut engines = vec![walked("Threshold", &trails, &ways, &scene)];
    engines.push(against("rapier", &mut stepping, &trails, &ways, &scene)?);
    engines.push(against("rapier, no autostep", &mut plain, &trails, &ways, &scene)?);
    progress.step();
    let mut measured: [Measured; 3] = Default::default();
    let [of_ours, of_stepping, of_plain] = &mut measured;
    for _ in 0..rounds {
        of_ours.round(&mut ours, &ways)?;
        of_stepping.round(&mut stepping, &ways)?;
        of_plain.round(&mut plain, &ways)?;
        progress.step();
    }
    for (engine, measured) in engines.iter_mut().zip(&mut measured) {
        engine.moves_per_second = measured.rate();
        engine.median_us = measured.percentile(50);
        engine.percentile_99_us = measured.percentile(99);
    }
    let triangles = |solid: &Solid| if let Solid::Mesh(mesh) = solid { mesh.len() } else { 0 };
    Ok(OfWorld {
        world: name,
        walks: ways.len(),
        moves: ways.iter().map(|way| way.walk.moves.len()).sum(),
        triangles: scene.iter().map(triangles).sum(),
        colliders: stepping.arena.len(),
        engines,
    })
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
