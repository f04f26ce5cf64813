//! Stairs, ramps and gables: shorthand for shapes with many corners.

use super::limits;
use super::shapes::heights;
use super::words::{TextResult, Words};
use crate::tool::passage::Flight;
use crate::tool::shape::{Ridge, Shape};

/// `from P to P width W`: a flight, with its ends in either order.
fn flight(words: &mut Words<'_>) -> TextResult<Flight> {
    let start = words.here();
    words.expect("from")?;
    let from = words.place("the lower end x,y,z")?;
    words.expect("to")?;
    let to = words.place("the upper end x,y,z")?;
    words.expect("width")?;
    let width = words.size("the width")?;
    let (foot, head) = if from.z <= to.z { (from, to) } else { (to, from) };
    let leads_on = (head - foot).truncate().try_normalize().is_some();
    match leads_on && head.z > foot.z {
        true => Ok(Flight::new(foot, head, width)),
        false => {
            Err(start
                .error("the two ends must differ in height, and must not be one above the other"))
        }
    }
}

/// Steps of equal height between two ends, each solid down to the lower one.
pub(super) fn stairs(words: &mut Words<'_>) -> TextResult<Vec<Shape>> {
    let start = words.here();
    let steps = flight(words)?.steps();
    match steps.len() > limits::SOLIDS {
        false => Ok(steps),
        true => Err(start.error(format!("too many steps; the maximum is {}", limits::SOLIDS))),
    }
}

/// A wedge between two ends, solid down to the lower one.
pub(super) fn ramp(words: &mut Words<'_>) -> TextResult<Shape> {
    Ok(flight(words)?.ramp())
}

/// `X,Y to X,Y from Z to Z ridge north|east`: a roof over a rectangle.
pub(super) fn gable(words: &mut Words<'_>) -> TextResult<Shape> {
    let one = words.point::<2>("a corner x,y")?;
    words.expect("to")?;
    let other = words.point::<2>("a corner x,y")?;
    let heights = heights(words)?;
    words.expect("ridge")?;
    let ridge = match words.one_of("the direction of the ridge", &["north", "east"])? {
        "north" => Ridge::North,
        _ => Ridge::East,
    };
    Ok(Shape::gable(one, other, heights, ridge))
}
