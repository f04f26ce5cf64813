//! Where walkers go, and how far apart two engines take them.

use threshold_land::glam::Vec3;

use crate::course::Way;
use crate::engine::{Engine, Rapier};
use crate::scene::Solid;
use crate::surface::Surfaces;

/// Where a walker was: at the start, and after each move.
pub(crate) type Trail = Vec<Vec3>;

/// Closer than this counts as the same place, in metres.
pub(crate) const SAME: f32 = 0.1;

/// Who moves less than this has not gone through anything, in metres.
const STEP: f32 = 0.01;

/// How deep a fall is looked for, in metres.
const ABYSS: f32 = 1_000.0;

/// Takes all ways.
pub(crate) fn trails(engine: &mut impl Engine, ways: &[Way]) -> anyhow::Result<Vec<Trail>> {
    ways.iter().map(|way| trail(engine, way)).collect()
}

fn trail(engine: &mut impl Engine, way: &Way) -> anyhow::Result<Trail> {
    let mut walker = engine.enter(way)?;
    let mut trail = vec![engine.feet(&walker)];
    for by in &way.walk.moves {
        engine.advance(&mut walker, *by)?;
        trail.push(engine.feet(&walker));
    }
    engine.leave(walker);
    Ok(trail)
}

/// The mean length of a move, in metres.
pub(crate) fn metres_a_move(trails: &[Trail]) -> f32 {
    let moves = trails.iter().flat_map(|trail| trail.windows(2));
    let lengths: Vec<f32> = moves.map(|pair| pair[0].distance(pair[1])).collect();
    lengths.iter().sum::<f32>() / lengths.len().max(1) as f32
}

/// How many moves went through the front of a surface, and how many walks began over something and ended over nothing.
/// The middle of the topmost sphere is what is looked at.
pub(crate) fn faults(trails: &[Trail], ways: &[Way], scene: &[Solid]) -> (usize, usize) {
    let (mut through, mut lost) = (0, 0);
    for (trail, way) in trails.iter().zip(ways) {
        let surfaces = Surfaces::of(scene.iter().chain(&way.objects));
        let head = way.shape.spheres().last().map(|sphere| sphere.centre).unwrap_or_default();
        let is_through = |pair: &&[Vec3]| {
            pair[0].distance(pair[1]) > STEP && surfaces.are_entered(pair[0] + head, pair[1] + head)
        };
        through += trail.windows(2).filter(is_through).count();
        let over = |feet: Option<&Vec3>| {
            feet.is_some_and(|feet| {
                surfaces.are_entered(*feet + head, *feet + head - Vec3::Z * ABYSS)
            })
        };
        lost += usize::from(over(trail.first()) && !over(trail.last()));
    }
    (through, lost)
}

/// How far apart the ends of walks are, in metres, the least first.
pub(crate) fn apart(one: &[Trail], other: &[Trail]) -> Vec<f32> {
    let ends = one.iter().zip(other).filter_map(|(one, other)| Some((one.last()?, other.last()?)));
    let mut apart: Vec<f32> = ends.map(|(one, other)| one.distance(*other)).collect();
    apart.sort_by(f32::total_cmp);
    apart
}

/// Of how many moves rapier makes the same, each from where the trail has it.
pub(crate) fn same_moves(
    rapier: &mut Rapier,
    ways: &[Way],
    trails: &[Trail],
) -> anyhow::Result<usize> {
    let mut same = 0;
    for (way, trail) in ways.iter().zip(trails) {
        let mut walker = rapier.enter(way)?;
        for (by, pair) in way.walk.moves.iter().zip(trail.windows(2)) {
            walker.0.put(pair[0]);
            rapier.advance(&mut walker, *by)?;
            same += usize::from(rapier.feet(&walker).distance(pair[1]) < SAME);
        }
        rapier.leave(walker);
    }
    Ok(same)
}
