//! Stairs, ramps and gables: shapes that are tiresome to write out.

use super::limits;
use super::shapes::heights;
use super::words::{Text, Words};
use crate::tool::passage::Flight;
use crate::tool::shape::{Ridge, Shape};

/// `from P to P width W`: a way up, whichever end was said first.
fn flight(words: &mut Words<'_>) -> Text<Flight> {
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
            Err(start.error("the two ends must differ in height, and not lie over each other"))
        }
    }
}

/// Steps of equal height between two ends, each solid down to the lower one.
pub(super) fn stairs(words: &mut Words<'_>) -> Text<Vec<Shape>> {
    let start = words.here();
    let steps = flight(words)?.steps();
    match steps.len() > limits::SOLIDS {
        false => Ok(steps),
        true => {
            let most = limits::SOLIDS;
            Err(start.error(format!("stairs of more than {most} steps; that is the most")))
        }
    }
}

/// A wedge between two ends, solid down to the lower one.
pub(super) fn ramp(words: &mut Words<'_>) -> Text<Shape> {
    Ok(flight(words)?.ramp())
}

/// `X,Y to X,Y from Z to Z ridge north|east`: a roof over a rectangle.
pub(super) fn gable(words: &mut Words<'_>) -> Text<Shape> {
    let one = words.point::<2>("a corner x,y")?;
    words.expect("to")?;
    let other = words.point::<2>("a corner x,y")?;
    let heights = heights(words)?;
    words.expect("ridge")?;
    let ridge = match words.one_of("the way of the ridge", &["north", "east"])? {
        "north" => Ridge::North,
        _ => Ridge::East,
    };
    Ok(Shape::gable(one, other, heights, ridge))
}
