//! Trails of movers, and the distance between those of two engines.

use threshold_land::vector::Vec3;

use crate::course::CourseWalk;
use crate::engine::{Engine, Rapier};
use crate::scene::Solid;
use crate::surface::Surfaces;

/// Positions of a mover: at the start, and after each move.
pub(crate) type Trail = Vec<Vec3>;

/// Maximum distance of positions that count as the same, in metres.
pub(crate) const SAME_POSITION: f32 = 0.1;

/// Minimum length of a move that can cross a surface, in metres.
const MIN_CROSSING: f32 = 0.01;

/// Depth of the search for a surface below, in metres.
const MAX_FALL: f32 = 1_000.0;

/// Runs all walks and returns their trails.
pub(crate) fn trails(engine: &mut impl Engine, walks: &[CourseWalk]) -> anyhow::Result<Vec<Trail>> {
    walks.iter().map(|walk| trail(engine, walk)).collect()
}

fn trail(engine: &mut impl Engine, walk: &CourseWalk) -> anyhow::Result<Trail> {
    let mut walker = engine.enter(walk)?;
    let mut trail = vec![engine.feet(&walker)];
    for by in &walk.recorded.moves {
        engine.advance(&mut walker, *by)?;
        trail.push(engine.feet(&walker));
    }
    engine.leave(walker);
    Ok(trail)
}

/// Returns the mean length of a move, in metres.
pub(crate) fn metres_per_move(trails: &[Trail]) -> f32 {
    let moves = trails.iter().flat_map(|trail| trail.windows(2));
    let lengths: Vec<f32> = moves.map(|pair| pair[0].distance(pair[1])).collect();
    lengths.iter().sum::<f32>() / lengths.len().max(1) as f32
}

/// Returns the number of moves through the front of a surface, and of walks that started above a surface and ended above none.
/// Tests the centre of the topmost sphere.
pub(crate) fn faults(trails: &[Trail], walks: &[CourseWalk], scene: &[Solid]) -> (usize, usize) {
    let (mut through, mut lost) = (0, 0);
    for (trail, walk) in trails.iter().zip(walks) {
        let surfaces = Surfaces::of(scene.iter().chain(&walk.objects));
        let head = walk.shape.spheres().last().map(|sphere| sphere.centre).unwrap_or_default();
        let is_through = |pair: &&[Vec3]| {
            pair[0].distance(pair[1]) > MIN_CROSSING
                && surfaces.are_entered(pair[0] + head, pair[1] + head)
        };
        through += trail.windows(2).filter(is_through).count();
        let over = |feet: Option<&Vec3>| {
            feet.is_some_and(|feet| {
                surfaces.are_entered(*feet + head, *feet + head - Vec3::Z * MAX_FALL)
            })
        };
        lost += usize::from(over(trail.first()) && !over(trail.last()));
    }
    (through, lost)
}

/// Returns the distances between the ends of walks in metres, in ascending order.
pub(crate) fn apart(one: &[Trail], other: &[Trail]) -> Vec<f32> {
    let ends = one.iter().zip(other).filter_map(|(one, other)| Some((one.last()?, other.last()?)));
    let mut apart: Vec<f32> = ends.map(|(one, other)| one.distance(*other)).collect();
    apart.sort_by(f32::total_cmp);
    apart
}

/// Returns the number of moves that rapier makes the same, each started from the position in the trail.
pub(crate) fn same_moves(
    rapier: &mut Rapier,
    walks: &[CourseWalk],
    trails: &[Trail],
) -> anyhow::Result<usize> {
    let mut same = 0;
    for (walk, trail) in walks.iter().zip(trails) {
        let mut walker = rapier.enter(walk)?;
        for (by, pair) in walk.recorded.moves.iter().zip(trail.windows(2)) {
            walker.0.put(pair[0]);
            rapier.advance(&mut walker, *by)?;
            same += usize::from(rapier.feet(&walker).distance(pair[1]) < SAME_POSITION);
        }
        rapier.leave(walker);
    }
    Ok(same)
}
