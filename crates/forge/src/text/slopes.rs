//! Stairs, ramps and gables: shapes that are tiresome to write out.

use threshold_land::glam::{Vec2, Vec3};

use super::limits;
use super::shapes::heights;
use super::words::{Text, Words};
use crate::shape::Shape;

/// The highest step of stairs, in metres: half of what a mover steps up.
const RISER: f32 = 0.3;

/// A way up, from its lower end.
struct Way {
    low: Vec3,
    high: Vec3,
    /// From the middle to the left edge, seen going up.
    left: Vec2,
}

impl Way {
    /// `from P to P width W`.
    fn read(words: &mut Words<'_>) -> Text<Self> {
        let start = words.here();
        words.expect("from")?;
        let from = words.place("the lower end x,y,z")?;
        words.expect("to")?;
        let to = words.place("the upper end x,y,z")?;
        words.expect("width")?;
        let width = words.size("the width")?;
        let (low, high) = if from.z <= to.z { (from, to) } else { (to, from) };
        let along = (high - low).truncate().try_normalize();
        match along.filter(|_| high.z > low.z) {
            Some(along) => Ok(Self { low, high, left: along.perp() * (width / 2.0) }),
            None => {
                Err(start.error("the two ends must differ in height, and not lie over each other"))
            }
        }
    }

    /// Left and right of the way at a part of it, 0 to 1.
    fn across(&self, part: f32) -> [Vec2; 2] {
        let middle = self.low.lerp(self.high, part).truncate();
        [middle + self.left, middle - self.left]
    }
}

/// Steps of equal height between two ends, each solid down to the lower one.
pub(super) fn stairs(words: &mut Words<'_>) -> Text<Vec<Shape>> {
    let start = words.here();
    let way = Way::read(words)?;
    let rise = way.high.z - way.low.z;
    let most = u16::try_from(limits::SOLIDS).unwrap_or(u16::MAX);
    // A hair less, so that 3 m are ten steps and not eleven.
    let enough = |count: &u16| f32::from(*count) * RISER > rise - 1e-3;
    let Some(count) = (1..=most).find(enough) else {
        return Err(start.error(format!("stairs of more than {most} steps; that is the most")));
    };
    let step = |number: u16| {
        let part = |number: u16| f32::from(number) / f32::from(count);
        let [left, right] = way.across(part(number));
        let [far_left, far_right] = way.across(part(number + 1));
        let top = way.low.lerp(way.high, part(number + 1)).z;
        Shape::prism([right, far_right, far_left, left], way.low.z, top)
    };
    Ok((0..count).map(step).collect())
}

/// A wedge between two ends, solid down to the lower one.
pub(super) fn ramp(words: &mut Words<'_>) -> Text<Shape> {
    let way = Way::read(words)?;
    let ([left, right], [far_left, far_right]) = (way.across(0.0), way.across(1.0));
    let low = |at: Vec2| at.extend(way.low.z);
    let high = |at: Vec2| at.extend(way.high.z);
    Ok(Shape::from_faces(vec![
        vec![low(right), low(far_right), high(far_right)],
        vec![low(far_right), low(far_left), high(far_left), high(far_right)],
        vec![low(far_left), low(left), high(far_left)],
        vec![low(right), low(left), low(far_left), low(far_right)],
        vec![low(right), high(far_right), high(far_left), low(left)],
    ]))
}

/// `X,Y to X,Y from Z to Z ridge north|east`: a roof over a rectangle.
pub(super) fn gable(words: &mut Words<'_>) -> Text<Shape> {
    let one = Vec2::from(words.point::<2>("a corner x,y")?);
    words.expect("to")?;
    let other = Vec2::from(words.point::<2>("a corner x,y")?);
    let [eaves, top] = heights(words)?;
    words.expect("ridge")?;
    let ridge = words.one_of("the way of the ridge", &["north", "east"])?;
    let (low, high) = (one.min(other), one.max(other));
    let middle = (low + high) / 2.0;
    let ends = match ridge {
        "north" => [Vec2::new(middle.x, low.y), Vec2::new(middle.x, high.y)],
        _ => [Vec2::new(low.x, middle.y), Vec2::new(high.x, middle.y)],
    };
    let [first, last] = ends.map(|end| end.extend(top));
    let corner = |x: f32, y: f32| Vec3::new(x, y, eaves);
    let [sw, se] = [corner(low.x, low.y), corner(high.x, low.y)];
    let [ne, nw] = [corner(high.x, high.y), corner(low.x, high.y)];
    Ok(Shape::from_faces(match ridge {
        "north" => vec![
            vec![sw, se, first],
            vec![se, ne, last, first],
            vec![ne, nw, last],
            vec![nw, sw, first, last],
            vec![nw, ne, se, sw],
        ],
        _ => vec![
            vec![sw, se, last, first],
            vec![se, ne, last],
            vec![ne, nw, first, last],
            vec![nw, sw, first],
            vec![nw, ne, se, sw],
        ],
    }))
}
